"""Run folders of known truth: the report and its statistics are tested against what was planted here.

Nothing is played. Winners are drawn with given chances, everything else from simple distributions, and
written in the documented format.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.end_of_atlantis import codes, tables
from sim.lineup import arrangements
from sim.store import Manifest, RunFolder, create_run

RULES: list[dict[str, Any]] = [
    {
        "name": "start_vp",
        "value": 2,
        "status": "printed",
        "ruling": None,
        "source": "Setup",
        "note": None,
        "changed_by": None,
    },
    {
        "name": "royal_chart",
        "value": [1, 3, 6, 10, 15],
        "status": "assumed",
        "ruling": "E01",
        "source": None,
        "note": "the only chart the transcription fills",
        "changed_by": None,
    },
    {
        "name": "events_removed",
        "value": 2,
        "status": "conflict",
        "ruling": "E16",
        "source": "Setup",
        "note": "setup and overview disagree",
        "changed_by": "--set events_removed=2",
    },
    {
        "name": "zero_bid_wins",
        "value": "yes",
        "status": "inferred",
        "ruling": "E13",
        "source": "Open voting",
        "note": "<script>alert('note')</script>",
        "changed_by": None,
    },
]

MEAN_VP = (2.0, 11.0, 3.0, 6.0, 9.0, 2.0, 0.4, 1.2, 3.0, 2.5, 0.8, 0.7, 0.0, 2.6)
TURN_CHANCES = ((4, 0.30), (5, 0.45), (6, 0.25))


@dataclass(frozen=True)
class Truth:
    """What a fake run plants.

    chances: win probability by seat (sums to 1); strength: factor on it by policy token; sticky: chance that
    all games of a deal have the winner of its first one; shared: chance that a game's credit is split between
    the winner and the second; truncated: chance that a game is cut off; head_start: VP by seat beyond the usual start.
    With a head start nobody draws a winner: whoever has most VP wins, a lot deciding between equals (see
    `chances_ahead`).
    """

    chances: Sequence[float] = (0.25, 0.25, 0.25, 0.25)
    strength: tuple[tuple[str, float], ...] = ()
    sticky: float = 0.0
    shared: float = 0.0
    truncated: float = 0.0
    head_start: Sequence[int] = ()


def chances_ahead(head_start: Sequence[int]) -> npt.NDArray[np.float64]:
    """The true win chances under a head start, worked out from the distribution of a seat's VP."""
    most = 200
    drawn = sum(m for s, m in enumerate(MEAN_VP) if s not in (codes.SOURCE_START, codes.SOURCE_NO_MERCY))
    logs = np.log(drawn) - np.log(np.arange(1, most))
    poisson = np.exp(np.concatenate([[0.0], np.cumsum(logs)]) - drawn)
    one = 0.9 * poisson
    one[:-1] += 0.1 * poisson[1:]  # No Mercy takes a point from one seat in ten
    mass = [np.concatenate([np.zeros(ahead), one[: most - ahead]]) for ahead in head_start]
    below = [np.cumsum(m) - m for m in mass]
    wins = []
    for seat in range(len(mass)):
        level = np.zeros((len(mass), most))  # by how many others are level, and VP
        level[0] = mass[seat]
        for other in range(len(mass)):
            if other != seat:
                level = level * below[other] + np.vstack([np.zeros(most), level[:-1]]) * mass[other]
        wins.append(sum(level[equals].sum() / (equals + 1) for equals in range(len(mass))))
    return np.array(wins)


def write_run(
    path: Path,
    games: int,
    truth: Truth | None = None,
    lineup: Sequence[str] = (),
    detail: str = "turns",
    seed: int = 7,
    chunk: int = 2_000,
    finished: int | None = None,
    command: str = "atlantis simulate end-of-atlantis --players 4",
) -> RunFolder:
    """A run folder at `path` with `games` planned games, of which `finished` (rounded down to chunks) were
    played."""
    truth = truth or Truth()
    players = len(truth.chances)
    lineup = list(lineup) or ["greedy"] * players
    seatings = arrangements(lineup)
    chunk -= chunk % len(seatings)
    manifest = Manifest(
        game="end-of-atlantis",
        players=players,
        variants=[],
        settings=["events_removed=2"],
        rules_files=[],
        rules=RULES,
        rules_digest="0" * 16,
        lineup=lineup,
        arrangements=seatings.tolist(),
        weights={},
        policy_files={},
        seed=seed,
        games=games,
        detail=detail,
        chunk=chunk,
        limit=20_000,
        replicate=0,
        versions={"atlantis": "0.1.0", "python": "3.11", "numpy": "2", "numba": "0", "polars": "2"},
        command=command,
        created="2026-01-02T03:04:05+00:00",
    )
    folder = create_run(path, manifest)
    rng = np.random.default_rng(seed)
    stop = games if finished is None else finished
    for number in range(-(-games // chunk)):
        first, after = number * chunk, min(games, (number + 1) * chunk)
        if after > stop:
            break
        folder.write_part(number, make_rows(rng, truth, lineup, seatings, first, after - first))
    return folder


def make_rows(
    rng: np.random.Generator,
    truth: Truth,
    lineup: Sequence[str],
    seatings: npt.NDArray[np.int8],
    first: int,
    n: int,
) -> dict[str, npt.NDArray[Any]]:
    """Record arrays of every table for games first .. first + n - 1; `first` starts a deal."""
    k, ways = len(truth.chances), len(seatings)
    game = np.arange(first, first + n)
    seating = seatings[game % ways][:, :k]
    cut = rng.random(n) < truth.truncated
    winner = draw_winners(rng, truth, lineup, seating, game // ways)

    profiles = rng.poisson(MEAN_VP, (n, k, len(codes.SOURCES)))
    profiles[:, :, codes.SOURCE_START] = 2
    profiles[:, :, codes.SOURCE_NO_MERCY] = -1 * (rng.random((n, k)) < 0.1)
    best_first = np.argsort(-profiles.sum(axis=2), axis=1, kind="stable")
    others = np.argsort(rng.random((n, k)) + 2 * (np.arange(k) == winner[:, None]) * -1, axis=1)
    vp_by = np.empty_like(profiles)
    rows = np.arange(n)[:, None]
    vp_by[rows, others] = profiles[rows, best_first]
    vp = vp_by.sum(axis=2)
    rank = np.empty((n, k), int)
    rank[rows, others] = np.arange(1, k + 1)
    if truth.head_start:
        vp_by = profiles
        vp_by[:, :, codes.SOURCE_START] += np.asarray(truth.head_start)
        vp = vp_by.sum(axis=2)
        rank = np.argsort(np.argsort(-(vp + rng.random((n, k))), axis=1), axis=1) + 1
    split = (rng.random(n) < truth.shared) & ~cut
    credit = np.where(split[:, None], np.where(rank <= 2, 0.5, 0.0), (rank == 1).astype(float))
    credit[cut] = 1 / k
    top = np.sort(vp, axis=1)
    turns = rng.choice([t for t, _ in TURN_CHANCES], n, p=[p for _, p in TURN_CHANCES])

    games = np.zeros(n, tables.GAMES)
    games["game"], games["deal"], games["arrangement"] = game, game // ways, game % ways
    games["turns"], games["decisions"] = turns, turns * 60 + rng.integers(0, 40, n)
    games["end_reason"] = np.where(cut, codes.END_TRUNCATED, codes.END_THIRD_DOOM)
    games["winners"] = ((credit > 0) << np.arange(k)).sum(axis=1)
    games["decided_by"] = np.where(top[:, -1] == top[:, -2], rng.integers(1, 3, n), 0)
    games["settled"][:, 0] = np.stack([rng.binomial(turns * 5, p) for p in (0.6, 0.3, 0.1)], axis=1)
    games["settled"][:, 1] = np.stack([rng.binomial(turns * 2, p) for p in (0.7, 0.2, 0.1)], axis=1)
    games["event"] = -1

    seats = np.zeros((n, k), tables.SEATS)
    seats["game"], seats["seat"], seats["place"] = game[:, None], np.arange(k), seating
    seats["vp"], seats["rank"], seats["credit"], seats["vp_by"] = vp, rank, credit, vp_by
    seats["legal"] = rng.poisson(4.0, (n, k, len(codes.OPTIONS)))
    seats["legal"][..., codes.OPTION_SPECIAL + codes.SPECIAL_EXTRA_SHIP] = 0
    chance = np.linspace(0.02, 0.9, len(codes.OPTIONS))
    chance[codes.OPTION_BETRAYAL_POOL] = 0.0
    seats["chosen"] = rng.binomial(seats["legal"], chance)
    for name, mean in (("landed", 9), ("votes_won", 11), ("cards_played", 9), ("spent", 30), ("waiting", 12)):
        seats[name] = rng.poisson(mean, (n, k))
    seats["decisions"] = games["decisions"][:, None] // k

    each_turn = [(np.flatnonzero(turns >= t), t) for t in range(1, int(turns.max()) + 1)]
    return {
        "games": games,
        "seats": seats.reshape(-1),
        "turns": np.sort(
            np.concatenate([make_turns(rng, game[live], t, k) for live, t in each_turn]),
            order=("game", "turn", "seat"),
        ),
        "arrivals": make_arrivals(rng, game, k),
        "plays": np.zeros(0, tables.PLAYS),
        "votes": np.zeros(0, tables.VOTES),
    }


def draw_winners(
    rng: np.random.Generator,
    truth: Truth,
    lineup: Sequence[str],
    seating: npt.NDArray[np.int8],
    deal: npt.NDArray[np.int64],
) -> npt.NDArray[np.int64]:
    """The winning seat of each game, shape (n,)."""
    strength = dict(truth.strength)
    by_place = np.array([strength.get(token, 1.0) for token in lineup])
    chances = np.asarray(truth.chances) * by_place[seating]
    chances /= chances.sum(axis=1, keepdims=True)
    winner = (rng.random(len(deal))[:, None] > np.cumsum(chances, axis=1)).sum(axis=1)
    winner = np.minimum(winner, len(truth.chances) - 1)
    start = np.searchsorted(deal, deal)
    stuck = (rng.random(len(deal)) < truth.sticky)[start]
    return np.where(stuck, winner[start], winner)


def make_turns(rng: np.random.Generator, game: npt.NDArray[np.int64], turn: int, k: int) -> npt.NDArray[Any]:
    """One row a seat of turn `turn` in the games given: a Faction each, early ones of the list rather."""
    n = len(game)
    rows = np.zeros((n, k), tables.TURNS)
    rows["game"], rows["turn"], rows["seat"] = game[:, None], turn, np.arange(k)
    liking = rng.gumbel(size=(n, len(codes.FACTIONS))) - 0.25 * np.arange(len(codes.FACTIONS))
    rows["order"] = np.argsort(rng.random((n, k)), axis=1) + 1
    picked = np.argsort(-liking, axis=1)[:, :k]
    rows["faction"] = np.take_along_axis(picked, rows["order"].astype(int) - 1, axis=1)
    rows["faction_2"] = -1
    rows["vp"], rows["pool"] = turn * 9, rng.poisson(3, (n, k))
    return rows.reshape(-1)


def make_arrivals(rng: np.random.Generator, game: npt.NDArray[np.int64], k: int) -> npt.NDArray[Any]:
    """About eight voyages a game."""
    rows = np.zeros(rng.poisson(8, len(game)).sum(), tables.ARRIVALS)
    rows["game"] = np.sort(rng.choice(game, len(rows)))
    rows["turn"] = rng.integers(1, 6, len(rows))
    rows["space"] = rng.choice(5, len(rows), p=[0.3, 0.25, 0.2, 0.15, 0.1])
    rows["tile"] = rows["space"] + codes.ADVANCED * (rng.random(len(rows)) < 0.4)
    doom = rng.random(len(rows)) < 0.35
    card = np.where(rng.random(len(rows)) < 0.75, codes.POLITICS_SHIPS, codes.POLITICS_ROYAL_SHIP)
    rows["cause"] = np.where(doom, codes.CAUSE_DOOM, card)
    rows["mover"] = np.where(doom, -1, rng.integers(0, k, len(rows)))
    rows["cubes"][:, :k] = rng.poisson(1.0, (len(rows), k))
    rows["cubes"][:, codes.NEUTRAL] = rng.poisson(0.6, len(rows))
    rows["vp"][:, :k] = rows["cubes"][:, :k] * 2
    return rows
