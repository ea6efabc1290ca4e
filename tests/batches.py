"""Games by the batch loop, for the kernels' tests: rows out, nothing of the floors above."""

import hashlib
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from kernels.end_of_atlantis import tables
from kernels.end_of_atlantis.play import SCRATCH, play_many
from kernels.end_of_atlantis.policies import WEIGHTS, load_policy
from kernels.end_of_atlantis.state import new_states
from tests.positions import rules_of

SEED = 20240229
SEATED = np.arange(5, dtype=np.int8)[None]  # place = seat

Rows = dict[str, Any]


class Batch:
    """A worker: states, policies by place and buffers. `play` fills the buffers, `rows` shows what is in them."""

    def __init__(
        self,
        players: int,
        *settings: str,
        variants: tuple[str, ...] = (),
        policies: Sequence[Callable[..., int]] = (),
        weights: Any = None,
        seating: Any = SEATED,
        seed: int = SEED,
        replicate: int = 0,
        detail: int = 2,
        limit: int = 20_000,
        room: int = 60,
    ) -> None:
        self.rules = rules_of(players, tuple(variants), tuple(settings))
        chosen = list(policies) or [load_policy("random")[0]]
        self.policies = tuple((chosen * 5)[:5])
        self.weights = np.zeros((5, WEIGHTS)) if weights is None else weights
        self.seating, self.seed, self.replicate = seating, np.uint64(seed), replicate
        self.detail, self.limit = detail, limit
        self.states, self.scratch = new_states(1), new_states(SCRATCH)
        self.live = np.zeros(8, np.int64)
        self.buffers = {
            name: np.zeros(rows * room, tables.TABLES[name]).view(np.recarray)
            for name, rows in tables.MOST_ROWS.items()
        }
        self.counts = np.zeros(len(self.buffers), np.int64)

    def play(self, first: int, games: int, *, slowly: bool = False) -> int:
        """Play games first, first + 1, ...; returns how many were finished. `slowly`: the loop in plain Python."""
        return int(
            (play_many.py_func if slowly else play_many)(
                self.states,
                self.scratch,
                self.rules,
                self.policies,
                self.weights,
                self.seating,
                first,
                games,
                self.seed,
                self.replicate,
                self.detail,
                self.limit,
                self.live,
                *self.buffers.values(),
                self.counts,
            )
        )

    def rows(self) -> Rows:
        """The rows so far, by table, as plain arrays."""
        return {
            name: np.asarray(buffer[:count]).view(tables.TABLES[name]).copy()
            for (name, buffer), count in zip(self.buffers.items(), self.counts)
        }


def play_rows(players: int, games: int, *settings: str, slowly: bool = False, **options: Any) -> Rows:
    """The rows of games 0 to games-1; options are those of Batch."""
    batch = Batch(players, *settings, **{"room": games, **options})
    assert batch.play(0, games, slowly=slowly) == games
    return batch.rows()


def joined(parts: Iterable[Rows]) -> Rows:
    """Rows of several batches, one after the other."""
    parts = list(parts)
    return {name: np.concatenate([part[name] for part in parts]) for name in tables.TABLES}


def same(one: Rows, other: Rows, names: Iterable[str] = tables.TABLES) -> bool:
    """Whether all rows agree, bit for bit."""
    return all(one[name].tobytes() == other[name].tobytes() for name in names)


def digest_games() -> str:
    """A digest of all rows of 20 games: five with each number of players, with variants and both built-in policies."""
    digest = hashlib.sha256()
    for players, variants, name in (
        (2, (), "greedy"),
        (3, ("revealed-specials",), "random"),
        (4, ("chosen-ships", "aggressive-neutrals"), "greedy"),
        (5, ("family",), "random"),
    ):
        function, weights = load_policy(name)
        table = np.ascontiguousarray(np.tile(weights, (5, 1)))
        for rows in play_rows(players, 5, variants=variants, policies=[function], weights=table).values():
            digest.update(rows.tobytes())
    return digest.hexdigest()
