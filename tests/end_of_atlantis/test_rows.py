"""What the rows of End of Atlantis say: tables that agree with each other, and what only this game has."""

import os

import numpy as np
import pytest

from kernels.end_of_atlantis import codes as c
from kernels.end_of_atlantis import tables
from tests.contract import batches
from tests.end_of_atlantis.positions import GAME

COMPILED = os.environ.get("NUMBA_DISABLE_JIT", "0") == "0"
SOME = 40 if COMPILED else 3  # games

TABLES_PLAYED = [
    (2, ()),
    (3, ()),
    (4, ()),
    (5, ()),
    (3, ("family",)),
    (4, ("chosen-ships", "revealed-specials")),
    (5, ("aggressive-neutrals",)),
]
BY_TABLE = pytest.mark.parametrize(
    ("players", "variants"), TABLES_PLAYED, ids=[f"{p}-{'+'.join(v) or 'plain'}" for p, v in TABLES_PLAYED]
)


def play_rows(players, games, **options):
    """The rows of games of random play."""
    return batches.play_rows(GAME, players, games, **options)


# ---- what the rows say


class Sums:
    """Rows summed by (game, seat)."""

    def __init__(self, games, players):
        self.shape = (games, players)

    def by(self, rows, seats, values):
        out = np.zeros(self.shape, int)
        np.add.at(out, (rows["game"], seats), values)
        return out.tolist()

    def of(self, rows, field):
        return self.by(rows, rows["seat"], rows[field].astype(int))

    def count(self, rows):
        return self.by(rows, rows["seat"], 1)


@pytest.mark.nojit
@BY_TABLE
def test_tables_agree_with_each_other(players, variants):
    rows = play_rows(players, SOME, variants=variants)
    games, seats, turns, arrivals, plays, votes = (rows[name] for name in tables.TABLES)
    sums = Sums(SOME, players)
    for field in ("landed", "spent", "votes_won", "cards_played", "plus_taken"):
        assert sums.of(turns, field) == sums.of(seats, field), field
    assert sums.of(votes, "bid") == sums.of(seats, "spent")
    assert sums.count(votes[votes["place"] > 0]) == sums.of(seats, "votes_won")
    assert sums.count(plays) == sums.of(seats, "cards_played")
    cubes, vp = np.zeros((SOME, 5), int), np.zeros((SOME, 5), int)
    np.add.at(cubes, arrivals["game"], arrivals["cubes"][:, :5])
    np.add.at(vp, arrivals["game"], arrivals["vp"])
    assert cubes[:, :players].tolist() == sums.of(seats, "landed")
    landing = seats["vp_by"][:, c.SOURCE_REFUGEES_SHIPS : c.SOURCE_SCIENCE + 1].sum(axis=1)
    assert vp[:, :players].tolist() == sums.by(seats, seats["seat"], landing)
    assert not cubes[:, players:].any()
    assert not vp[:, players:].any()
    assert (seats["vp_by"].sum(axis=1) == seats["vp"]).all()
    last = turns[turns["turn"] == games["turns"][turns["game"]]]
    assert sums.of(last, "vp") == sums.of(seats, "vp")
    assert sums.count(turns) == sums.by(seats, seats["seat"], games["turns"][seats["game"]])
    by_game = np.bincount(seats["game"], seats["decisions"], minlength=SOME)
    assert by_game.tolist() == games["decisions"].tolist()
    for kind in range(c.POLITICS_KINDS):  # PASS is legal too, so every play was a decision
        chosen = seats["chosen"][:, c.OPTION_PLAY + kind]
        assert sums.count(plays[plays["card"] == kind]) == sums.by(seats, seats["seat"], chosen)
    borrowed = seats["chosen"][:, c.OPTION_NEIGHBOURS]
    assert sums.count(plays[plays["how"] == c.PLAY_NEIGHBOURS]) == sums.by(seats, seats["seat"], borrowed)
    votings = len(set(zip(votes["game"], votes["turn"], votes["slot"])))
    assert votings * players == len(votes)
    assert games["settled"][:, c.CONTEST_VOTE].sum() == votings


@pytest.mark.nojit
@BY_TABLE
def test_games_and_seats_rows(players, variants):
    rows = play_rows(players, SOME, variants=variants)
    games, seats, turns = rows["games"], rows["seats"], rows["turns"]
    assert games["game"].tolist() == games["deal"].tolist() == list(range(SOME))
    assert seats["seat"].tolist() == list(range(players)) * SOME
    rank = seats["rank"].reshape(SOME, players)
    assert (np.sort(rank, axis=1) == np.arange(1, players + 1)).all()
    points = np.take_along_axis(seats["vp"].reshape(SOME, players), np.argsort(rank, axis=1), axis=1)
    assert (np.diff(points, axis=1) <= 0).all()
    assert ((points[:, 0] == points[:, 1]) == (games["decided_by"] != c.SETTLED_CLEAR)).all()
    assert games["winners"].tolist() == [1 << int(seat) for seat in np.argmin(rank, axis=1)]
    assert (seats["credit"] == (seats["rank"] == 1)).all()
    assert (games["end_reason"] == c.END_THIRD_DOOM).all()
    assert (seats["chosen"] <= seats["legal"]).all()
    assert (seats["waiting"] > 0).all()
    for game in games:
        events = game["event"]
        assert (events[: game["turns"]] >= 0).all()
        assert (events[game["turns"] :] == c.NONE).all()
        assert np.sum((events >= 0) & (events < c.DOOM_CARDS)) == 3
        assert 0 <= events[game["turns"] - 1] < c.DOOM_CARDS
    order = turns["order"].reshape(-1, players)
    assert (np.sort(order, axis=1) == np.arange(1, players + 1)).all()
    held = turns[["faction", "faction_2"]].tolist()
    for i in range(0, len(turns), players):
        factions = [faction for pair in held[i : i + players] for faction in pair if faction != c.NONE]
        assert len(set(factions)) == len(factions) == players * (2 if players == 2 else 1)
    if "family" in variants or players == 2:
        assert not turns["pool"].any()
        assert not seats["vp_by"][:, c.SOURCE_POOL_MAJORITY].any()


@pytest.mark.nojit
@BY_TABLE
def test_votes_and_plays_rows(players, variants):
    rows = play_rows(players, SOME, variants=variants)
    games, plays, votes = rows["games"], rows["plays"], rows["votes"]
    place = {(v["game"], v["turn"], v["slot"], v["seat"]): (int(v["place"]), int(v["card"])) for v in votes}
    played = set()
    for play in plays:
        voting = play["game"], play["turn"], play["slot"]
        winner, owner = place[(*voting, play["seat"])], place[(*voting, play["owner"])]
        assert winner[0] > 0
        assert owner[1] == play["card"]
        assert play["how"] == (c.PLAY_OWN if play["seat"] == play["owner"] else c.PLAY_NEIGHBOURS)
        assert play["how"] == c.PLAY_OWN or owner[0] == 0
        assert (*voting, play["owner"]) not in played  # a card is played once (E46)
        played.add((*voting, play["owner"]))
        assert 0 <= play["removed"] <= 4
        assert (play["removed"] > 0) == (play["card"] == c.POLITICS_BETRAYAL)
    usual = {2: 1, 3: 2, 4: 2, 5: 3}[players]
    for i in range(0, len(votes), players):
        voting = votes[i : i + players]
        before = voting["turn"][0] - 2
        event = games["event"][voting["game"][0], before] if before >= 0 else c.NONE
        winners = max(1, usual - 1) if event == c.EVENT_ALL_DOOMED else usual
        assert sorted(voting["place"].tolist()) == [0] * (players - winners) + list(range(1, winners + 1))
        totals = voting["bid"].astype(int) + voting["bonus"]
        ranked = totals[np.argsort(np.where(voting["place"] == 0, 9, voting["place"]), kind="stable")]
        assert (np.diff(ranked[:winners]) <= 0).all()
        assert ranked[winners - 1] >= ranked[winners:].max(initial=0)
        opened = 0 if event == c.NONE else (0, 1, 0, 1, 0, 1, 0, 1, 0, 1)[event]
        assert (voting["open"] == opened).all()
        if opened:
            bids = voting["bid"][voting["bid"] > 0].tolist()
            assert len(set(bids)) == len(bids)


@BY_TABLE
def test_arrivals_rows(players, variants):
    arrivals = play_rows(players, SOME, variants=variants)["arrivals"]
    assert set(arrivals["cause"]) <= {c.POLITICS_SHIPS, c.POLITICS_ROYAL_SHIP, c.CAUSE_DOOM}
    assert ((arrivals["mover"] == c.NOBODY) == (arrivals["cause"] == c.CAUSE_DOOM)).all()
    assert (arrivals["cubes"].sum(axis=1) > 0).all()
    spaces = np.array([7, 5, 5, 3, 3, 8, 5, 5, 3, 3])
    assert (arrivals["cubes"].sum(axis=1) <= spaces[arrivals["tile"]]).all()
    assert not (arrivals["tile"][arrivals["cause"] == c.POLITICS_ROYAL_SHIP] == c.TILE_ADVANCED_AIRSHIP).any()


@pytest.mark.nojit
def test_the_second_column_of_options_counts_what_was_chosen():
    """Options counted by the recorder against those counted by a policy that sees every choice."""
    counted = np.zeros((3, 2, len(c.OPTIONS)), int)

    def counts(state, rules, legal, n, weights, scratch):
        answer = int(state.decisions) % n
        seat, prompt = int(state.actor), c.PROMPTS[state.prompt]
        for i in range(n):
            if prompt == "lay":
                option = f"lay_{c.slug(c.POLITICS[legal[i]])}"
            elif prompt in ("faction", "free_faction"):
                taken = "pass" if legal[i] == c.PASS else c.slug(c.FACTIONS[legal[i]])
                option = f"faction_{taken}"
            elif prompt == "move":
                option = f"move_{c.slug(c.TILES[state.tile[legal[i]]])}"
            elif prompt == "play" and legal[i] == c.PLAY_NEIGHBOURS:
                option = "play_neighbours"
            else:
                continue
            counted[seat, 0, c.OPTIONS.index(option)] += 1
            counted[seat, 1, c.OPTIONS.index(option)] += i == answer
        return answer

    seats = play_rows(3, 3, policies=(counts,), slowly=True)["seats"]
    watched = [i for i, option in enumerate(c.OPTIONS) if option.startswith(("lay", "faction", "move", "play_neigh"))]
    for seat in range(3):
        mine = seats[seats["seat"] == seat]
        assert mine["legal"].sum(axis=0)[watched].tolist() == counted[seat, 0, watched].tolist()
        assert mine["chosen"].sum(axis=0)[watched].tolist() == counted[seat, 1, watched].tolist()
    assert counted[:, 1, watched].sum() > 100
