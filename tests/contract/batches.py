"""Games by the batch loop, for tests of the kernels: rows out. For any game."""

import hashlib
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from kernels.engine.contract import MAX_PLAYERS, WEIGHTS
from kernels.engine.desk import Buffers, Desk
from sim.games import Game, find_game
from sim.rulebook import load_rules

SEED = 20240229
SEATED = np.arange(MAX_PLAYERS, dtype=np.int8)[None]  # place = seat

Rows = dict[str, Any]


def usual(game: Game) -> int:
    """The table at which a game is tried where one will do: three players, or its smallest if it has none of three."""
    return 3 if 3 in game.players else min(game.players)


def padded(*rows: Sequence[int]) -> Any:
    """Seatings, padded for absent seats."""
    return np.array([[*row, *[0] * MAX_PLAYERS][:MAX_PLAYERS] for row in rows], np.int8)


def seatings(game: Game) -> Any:
    """The seatings of the usual table in which everybody moves on, place 0 at seat 0 first; padded."""
    places = range(usual(game))
    return padded(*([*places[turn:], *places[:turn]] for turn in places))


class Batch:
    """A desk with policies by place and buffers. `play` fills the buffers, `rows` shows what is in them."""

    def __init__(
        self,
        game: Game,
        players: int,
        *settings: str,
        variants: tuple[str, ...] = (),
        policies: Sequence[Callable[..., int]] = (),
        weights: Any = None,
        seating: Any = SEATED,
        seed: int = SEED,
        replicate: int = 0,
        detail: int | None = None,
        limit: int = 20_000,
        room: int = 60,
    ) -> None:
        self.rules = load_rules(game, players, variants, settings=settings).record().view(np.recarray)
        self.game, self.desk = game, Desk(game.kernels, self.rules[0])
        self.live = self.desk.live
        self.policies = list(policies) or [game.policies.load("random")[0]]
        self.weights = np.zeros((MAX_PLAYERS, WEIGHTS)) if weights is None else weights
        self.seating, self.seed, self.replicate, self.limit = seating, seed, replicate, limit
        details = list(game.details)
        self.buffers = Buffers(game.kernels, details[-1 if detail is None else detail], room)

    def play(self, first: int, games: int, *, slowly: bool = False) -> int:
        """Play games first, first + 1, ...; returns how many were finished. `slowly`: the loop in plain Python."""
        policies = (list(self.policies) * MAX_PLAYERS)[:MAX_PLAYERS]
        return self.desk.play(
            policies,
            self.weights,
            self.buffers,
            first,
            games,
            seed=self.seed,
            limit=self.limit,
            replicate=self.replicate,
            seating=self.seating,
            slowly=slowly,
        )

    @property
    def counts(self) -> Any:
        """Rows in use, by table."""
        return self.buffers.counts[0]

    def rows(self) -> Rows:
        """The rows so far, by table, empty where nothing is kept, as plain arrays."""
        tables = self.game.module("tables").TABLES
        rows = self.buffers.rows()
        return {name: np.asarray(rows.get(name, np.zeros(0, dtype))).copy() for name, dtype in tables.items()}


def play_rows(game: Game, players: int, games: int, *settings: str, slowly: bool = False, **options: Any) -> Rows:
    """The rows of games 0 to games-1; options are those of Batch."""
    batch = Batch(game, players, *settings, **{"room": games, **options})
    assert batch.play(0, games, slowly=slowly) == games
    return batch.rows()


def joined(parts: Iterable[Rows]) -> Rows:
    """Rows of several batches, one after the other."""
    parts = list(parts)
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def same(one: Rows, other: Rows, names: Iterable[str] = ()) -> bool:
    """Whether all rows agree, bit for bit."""
    return all(one[name].tobytes() == other[name].tobytes() for name in (names or one))


def digest_games(name: str) -> str:
    """A digest of all rows of twenty games of a game: with each number of players, with its variants in turn, by its
    built-in policies in turn.
    """
    from sim.peeking import list_tables

    game = find_game(name)
    digest = hashlib.sha256()
    own = [policy for policy in game.policies.lines if policy not in game.policies.numbered]
    tables = list_tables(game)
    for turn, players in enumerate(game.players):
        fitting = [variants for number, variants in tables if number == players]
        function, weights = game.policies.load(own[turn % len(own)])
        table = np.ascontiguousarray(np.tile(weights, (MAX_PLAYERS, 1)))
        variants = fitting[turn % len(fitting)]
        rows = play_rows(game, players, 20 // len(game.players), variants=variants, policies=[function], weights=table)
        for values in rows.values():
            digest.update(values.tobytes())
    return digest.hexdigest()
