"""A run, planned: which games are played by whom, and in which chunks.

Game g is deal g // A in seating g % A, where A is the number of seatings of the lineup. A game depends on
the seed, its deal and seating, the rules and the policies alone: never on chunks, threads or interruptions.
"""

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from sim.errors import UserError
from sim.games import Game, find_game
from sim.lineup import arrangements, parse_lineup, spell_lineup
from sim.policies import Policy, find_policies
from sim.rulebook import Rulebook, restore_rules
from sim.store import Manifest, find_versions, read_clock

LIMIT = 20_000  # decisions after which a game ends as truncated
MOST_DEALS = 2**32
BUFFERS = 96 * 2**20  # bytes of worst-case rows a chunk; a real game fills a tenth of them
CHUNK = 2880  # games; a multiple of every number of seatings that 2 to 5 players can have
FEWEST_CHUNKS = 8  # so that a short run is spread evenly over cores
PYTHON_CHUNK = 120  # games, where a policy in plain Python makes them slow


class Chunk(NamedTuple):
    """Games `first` to `first + games - 1`, kept together as part `number` of every table."""

    number: int
    first: int
    games: int


@dataclass(frozen=True, eq=False)
class Run:
    """Everything that decides the rows of a run.

    `lineup` and `policies` are by place, shape (players,); `detail` is a key of the game's details; `chunk`
    counts games and is a multiple of the number of seatings; `limit` counts decisions.
    """

    game: Game
    rulebook: Rulebook
    lineup: tuple[str, ...]
    policies: tuple[Policy, ...]
    seed: int
    games: int
    detail: str
    chunk: int
    replicate: int = 0
    limit: int = LIMIT

    @property
    def players(self) -> int:
        """Seats at the table."""
        return len(self.lineup)

    @cached_property
    def arrangements(self) -> npt.NDArray[np.int8]:
        """Seatings, int8 of shape (A, 5): the place on each seat."""
        return arrangements(self.lineup)

    @property
    def jitted(self) -> bool:
        """Whether all policies run inside the kernels."""
        return all(policy.jitted for policy in self.policies)

    def chunks(self) -> list[Chunk]:
        """Every chunk of the run, in order; the last may be shorter."""
        starts = range(0, self.games, self.chunk)
        return [Chunk(number, first, min(self.chunk, self.games - first)) for number, first in enumerate(starts)]

    def manifest(self, command: str = "") -> Manifest:
        """What a run folder says of this run; `command` is the command line that began it."""
        by_token = dict(zip(self.lineup, self.policies))
        digests = {token: policy.digest_files(self.players) for token, policy in by_token.items()}
        return Manifest(
            game=self.game.name,
            players=self.players,
            variants=list(self.rulebook.variants),
            settings=list(self.rulebook.settings),
            rules_files=[str(file) for file in self.rulebook.files],
            rules=self.rulebook.as_manifest(),
            rules_digest=self.rulebook.digest,
            lineup=list(self.lineup),
            arrangements=self.arrangements[:, : self.players].tolist(),
            weights={token: policy.weights.tolist() for token, policy in by_token.items()},
            policy_files={token: digest for token, digest in digests.items() if digest},
            seed=self.seed,
            games=self.games,
            detail=self.detail,
            chunk=self.chunk,
            limit=self.limit,
            replicate=self.replicate,
            versions=find_versions(),
            command=command,
            created=read_clock(),
        )

    def trace_command(self, game: int) -> str:
        """The command that replays one game of this run and tells it."""
        words = ["atlantis", "trace", self.game.name, "--players", str(self.players)]
        words += ["--lineup", spell_lineup(self.lineup), "--seed", str(self.seed), "--game", str(game)]
        for option, values in (
            ("--variant", self.rulebook.variants),
            ("--rules", self.rulebook.files),
            ("--set", self.rulebook.settings),
        ):
            for value in values:
                words += [option, str(value)]
        return shlex.join(words)


def plan_run(
    game: Game,
    rulebook: Rulebook,
    lineup: str | Sequence[str],
    *,
    seed: int,
    games: int,
    detail: str = "turns",
    chunk: int | None = None,
    replicate: int = 0,
    limit: int = LIMIT,
) -> Run:
    """A run of `games` games between the policies of `lineup`, at the rules and player count of `rulebook`.

    `lineup` is a text for parse_lineup or one token a place; `chunk` is rounded down to whole deals. Raises
    UserError for a number out of range or a policy that cannot be had.
    """
    tokens = parse_lineup(lineup, rulebook.players) if isinstance(lineup, str) else tuple(lineup)
    seatings = len(arrangements(tokens))
    if not 0 <= seed < 2**64:
        raise UserError(f"the seed {seed} is out of range: a whole number from 0 to 2^64 - 1.")
    if not 1 <= games <= MOST_DEALS * seatings:
        most = MOST_DEALS * seatings
        raise UserError(f"{games:,} games cannot be played: from 1 to {most:,} with this lineup.")
    if detail not in game.details:
        raise UserError(f"{game.title} has no detail named {detail}. Details: {', '.join(game.details)}.")
    policies = find_policies(game, tokens)
    if chunk is None:
        chunk = _choose_chunk(game, games, detail, jitted=all(policy.jitted for policy in policies))
    whole = max(seatings, chunk - chunk % seatings)
    return Run(game, rulebook, tokens, policies, seed, games, detail, whole, replicate, limit)


def rebuild_run(manifest: Manifest) -> Run:
    """The run that a manifest tells of. UserError if this version has no such game, rule or policy."""
    return plan_run(
        find_game(manifest.game),
        rebuild_rules(manifest),
        manifest.lineup,
        seed=manifest.seed,
        games=manifest.games,
        detail=manifest.detail,
        chunk=manifest.chunk,
        replicate=manifest.replicate,
        limit=manifest.limit,
    )


def rebuild_rules(manifest: Manifest) -> Rulebook:
    """The rules that a manifest tells of, whatever has become of the files they came from."""
    files = [Path(file) for file in manifest.rules_files]
    game = find_game(manifest.game)
    return restore_rules(game, manifest.players, manifest.rules, manifest.variants, files, manifest.settings)


def _choose_chunk(game: Game, games: int, detail: str, *, jitted: bool) -> int:
    """Games a part: few enough for small buffers and a lively progress bar, enough for cheap writing."""
    tables = game.module("tables")
    bytes_a_game: int = sum(
        tables.MOST_ROWS[table] * tables.TABLES[table].itemsize for table in game.details[detail]
    )
    most = CHUNK if jitted else PYTHON_CHUNK
    return max(1, min(most, BUFFERS // bytes_a_game, -(-games // FEWEST_CHUNKS)))
