"""What one thread needs to play games, set up in this one place: states, working space, buffers, the bound loop."""

from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.engine import loop, notes
from kernels.engine.contract import (
    CALL_HEURISTIC,
    CALL_POINTER,
    CALL_RANDOM,
    COUNT_LIMIT,
    COUNT_MOST,
    COUNT_USED,
    COUNTS,
    JOB,
    LIVE,
    LIVE_KEPT,
    MAX_PLAYERS,
    NOTES,
    SCRATCH,
    WEIGHTS,
)
from kernels.engine.registry import Registry
from kernels.jit import bind, ready

Policy = Callable[..., int]

SLACK = 8  # games
NO_LIMIT = np.iinfo(np.int64).max
IN_ORDER = np.arange(MAX_PLAYERS, dtype=np.int8)[None]  # one seating: place = seat


@cache
def bind_loop(package: str) -> SimpleNamespace:
    """The batch loop and the recorder's frame of a game; compiles, or loads, what its jobs need."""
    registry: Registry = import_module(f"{package}.policies").REGISTRY
    heuristic = registry.find_module(registry.heuristic) if registry.heuristic else registry.random
    noted = bind(notes, package)
    bound = bind(loop, package, notes=noted, random=registry.random, heuristic=heuristic)
    play_games = ready(bound.play_games)
    return SimpleNamespace(
        play_games=play_games,
        note_game=noted.note_game,
        heuristic=heuristic.choose,
        random=registry.random.choose,
    )


class Buffers:
    """Room for the rows of `games` games in every table that a level of detail keeps, used again and again.

    There is room for the worst case, and SLACK games more, so that a game with more rows than its tables promise is
    found out before it writes where it must not; memory that no game touches costs nothing. The other tables get no
    room, and nothing is written to them.
    """

    def __init__(self, package: str, detail: str, games: int) -> None:
        tables = import_module(f"{package}.tables")
        self.detail = list(tables.DETAILS).index(detail)
        self.kept = tuple(tables.DETAILS[detail])
        self.arrays: dict[str, npt.NDArray[np.void]] = {
            table: np.zeros(tables.MOST_ROWS[table] * (games + SLACK) if table in self.kept else 0, dtype=dtype)
            for table, dtype in tables.TABLES.items()
        }
        self._most = tables.MOST_ROWS
        self.counts = np.zeros((COUNTS, len(self.arrays)), dtype=np.int64)
        self.measure()

    def measure(self) -> None:
        """Find out again how full a table may be for another game to fit."""
        for i, (table, array) in enumerate(self.arrays.items()):
            self.counts[COUNT_LIMIT, i] = NO_LIMIT
            self.counts[COUNT_MOST, i] = self._most[table]
            if table in self.kept:
                self.counts[COUNT_LIMIT, i] = len(array) - (1 + SLACK) * self._most[table]

    def clear(self) -> None:
        """Forget the rows, keep the room."""
        self.counts[COUNT_USED] = 0

    def records(self) -> tuple[np.recarray, ...]:
        """The buffers as the kernels take them, in the order of the game's TABLES."""
        return tuple(array.view(np.recarray) for array in self.arrays.values())

    def rows(self) -> dict[str, npt.NDArray[np.void]]:
        """The rows filled, by table kept; views that clear() or the next games make stale."""
        filled = zip(self.arrays.items(), self.counts[COUNT_USED])
        return {table: array[:count] for (table, array), count in filled if table in self.kept}


class Desk:
    """A thread's place to play games of one game under one set of rules.

    `rules` is a RULES record. `states` (1,) is the game under way, `scratch` what policies may use, `codes` room for
    legal actions; `live` (see LIVE_) may be read, and its stop flag set, by whoever watches.
    """

    def __init__(self, package: str, rules: Any) -> None:
        self.package, self.rules = package, rules
        new_states = self.module("state").new_states
        self.states, self._all_scratch = new_states(1), new_states(SCRATCH)
        self.scratch = self._all_scratch[: SCRATCH - 1]
        self.live = np.zeros(LIVE, np.int64)
        self.codes: npt.NDArray[np.int16] = np.zeros(self.module("step").MOST_LEGAL, np.int16)
        self._kept, self._kept_games, self._keep = new_states(0), np.zeros(0, np.int64), 0

    def module(self, name: str) -> ModuleType:
        """A module of the game's kernel package."""
        return import_module(f"{self.package}.{name}")

    def keep(self, every: int, room: int) -> None:
        """Keep the position before one choice in `every` of the games to come, `room` at most."""
        self._keep = every
        self._kept, self._kept_games = self.module("state").new_states(room), np.zeros(room, np.int64)

    def take_kept(self) -> tuple[np.recarray, npt.NDArray[np.int64]]:
        """The positions kept since the last time, shape (n,), and the game of each; views that go stale."""
        n = int(self.live[LIVE_KEPT])
        self.live[LIVE_KEPT] = 0
        return self._kept[:n], self._kept_games[:n]

    def play(
        self,
        policies: Sequence[Policy],
        weights: Sequence[npt.NDArray[np.float64]],
        buffers: Buffers,
        first: int,
        games: int,
        *,
        seed: int,
        limit: int,
        replicate: int = 0,
        seating: npt.NDArray[np.int8] = IN_ORDER,
        slowly: bool = False,
    ) -> int:
        """Play games first .. first+games-1 into the buffers; returns how many were finished (see play_games).

        `policies` and `weights` are by place; `slowly`: in plain Python, for policies that are not compiled.
        """
        kernels = bind_loop(self.package)
        places = [min(place, len(policies) - 1) for place in range(MAX_PLAYERS)]  # absent seats are padded
        table = np.zeros((MAX_PLAYERS, max(WEIGHTS, *map(len, weights))))
        for place, row in enumerate(weights):
            table[place, : len(row)] = row
        job = np.zeros(1, JOB)
        job["first"], job["games"], job["seed"] = first, games, np.uint64(seed)
        job["replicate"], job["detail"], job["limit"] = replicate, buffers.detail, limit
        job["keep"] = self._keep
        job["calls"] = [_call(kernels, policies[place]) for place in places]
        play = getattr(kernels.play_games, "py_func", kernels.play_games) if slowly else kernels.play_games
        return int(
            play(
                self.states,
                self._all_scratch,
                self.rules,
                tuple(policies[place] for place in places),
                table,
                seating,
                job.view(np.recarray)[0],
                self.live,
                buffers.records(),
                buffers.counts,
                self._working_space(),
                self._kept,
            )
        )

    def _working_space(self) -> tuple[Any, ...]:
        """Legal codes, tallies of options, notes and marks of the recorder, games of the positions kept.

        They come from the caller because a kernel that makes arrays counts references, which costs it a tenth of its
        time.
        """
        record, options = self.module("record"), self.module("codes").OPTIONS
        return (
            np.zeros(self.module("step").MOST_LEGAL, np.int16),
            np.zeros((2, MAX_PLAYERS, len(options)), np.int64),
            np.zeros((NOTES + record.OWN_NOTES, MAX_PLAYERS), np.int64),
            np.zeros(record.MARKS, np.int64),
            self._kept_games,
        )


def _call(kernels: SimpleNamespace, function: Policy) -> int:
    """How the loop calls a policy."""
    if function is kernels.random:
        return CALL_RANDOM
    return CALL_HEURISTIC if function is kernels.heuristic else CALL_POINTER
