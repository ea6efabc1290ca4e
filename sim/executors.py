"""Playing the chunks of a run: one after the other, or on threads. The rows are the same.

The kernels run without the interpreter lock, so threads suffice. Each worker owns its states and hands its
rows to one writer thread, which returns the buffers: no kernel waits for the disk, and memory stays flat.
"""

import queue
import time
from collections.abc import Callable, Iterable
from threading import Event, Thread
from typing import Any

import numpy as np
import numpy.typing as npt

from sim.plan import Chunk, Run
from sim.policies import PolicyError, PolicyStuckError
from sim.store import Rows

Save = Callable[[int, Rows], None]
Progress = Callable[[int], None]

PATIENCE = 10.0  # seconds that a policy may take for one answer
_BEAT = 0.1  # seconds between two looks at the workers


class Buffers:
    """Room for the rows of one chunk in every table, used again and again.

    There is room for the worst case; memory that no game touches costs nothing.
    """

    def __init__(self, run: Run) -> None:
        tables = run.game.module("tables")
        kept = run.game.details[run.detail]
        self._kept = kept
        self.arrays: dict[str, npt.NDArray[np.void]] = {
            table: np.empty(tables.MOST_ROWS[table] * (run.chunk if table in kept else 1), dtype=dtype)
            for table, dtype in tables.TABLES.items()
        }
        self.counts = np.zeros(len(self.arrays), dtype=np.int64)

    def clear(self) -> None:
        """Forget the rows, keep the room."""
        self.counts[:] = 0

    def rows(self) -> Rows:
        """The rows filled, by table; views that clear() or the next chunk makes stale."""
        filled = zip(self.arrays.items(), self.counts)
        return {table: array[:count] for (table, array), count in filled if table in self._kept}


class Player:
    """Plays chunks of a run with states of its own. `live` is shared with whoever watches."""

    def __init__(self, run: Run) -> None:
        state = run.game.module("state")
        self.run = run
        self.kernel = run.game.module("play")
        self.play_many = self.kernel.play_many if run.jitted else self.kernel.play_many.py_func
        self.live = np.zeros(8, dtype=np.int64)
        self.states = state.new_states(1)
        self.scratch = state.new_states(self.kernel.SCRATCH)
        self.rules = run.rulebook.record().view(np.recarray)[0]
        padding = 5 - run.players
        self.functions = tuple(policy.function for policy in run.policies + run.policies[:1] * padding)
        self.weights = np.zeros((5, run.game.module("policies").WEIGHTS))
        self.weights[: run.players] = [policy.weights for policy in run.policies]
        self.chunk: Chunk | None = None  # what is being played now
        self.games = 0  # games of chunks played to their end
        self.stuck = False  # given up by whoever watches

    def play(self, chunk: Chunk, buffers: Buffers) -> bool:
        """Fill the buffers with the games of a chunk; False if asked to stop before its end.

        Raises PolicyError if a policy answers out of range or raises.
        """
        buffers.clear()
        run = self.run
        self.chunk = chunk
        try:
            done = self.play_many(
                self.states,
                self.scratch,
                self.rules,
                self.functions,
                self.weights,
                run.arrangements,
                chunk.first,
                chunk.games,
                np.uint64(run.seed),
                run.replicate,
                list(run.game.details).index(run.detail),
                run.limit,
                self.live,
                *buffers.arrays.values(),
                buffers.counts,
            )
        except Exception as error:
            if not self.live[self.kernel.LIVE_STEPS]:
                raise
            said = str(error).strip() or "no message"
            what = f"raised {type(error).__name__}: {said}; there were {self._count_legal()} legal actions"
            raise PolicyError(self.tell(what)) from error
        finally:
            self.chunk = None
        if self.live[self.kernel.LIVE_ERROR]:
            raise PolicyError(self._tell_answer())
        if done < chunk.games and not self.live[self.kernel.LIVE_STOP]:
            raise RuntimeError(f"the buffers were full after {done} of {chunk.games} games")
        self.games += chunk.games if done == chunk.games else 0
        return bool(done == chunk.games)

    def stop(self) -> None:
        """Ask the kernel to return before its next game."""
        self.live[self.kernel.LIVE_STOP] = 1

    def games_so_far(self) -> int:
        """Games played, those of the chunk under way included; a moment's impression."""
        chunk = self.chunk
        under_way = int(self.live[self.kernel.LIVE_GAME]) - chunk.first if chunk else 0
        return self.games + (under_way if chunk and 0 <= under_way < chunk.games else 0)

    def tell(self, what: str) -> str:
        """One sentence on what the policy asked last did, and the command that shows that game."""
        kernel, live, run = self.kernel, self.live, self.run
        token = run.lineup[int(live[kernel.LIVE_PLACE])]
        game = int(live[kernel.LIVE_GAME])
        prompt = run.game.module("codes").PROMPTS[int(live[kernel.LIVE_PROMPT])]
        command = run.trace_command(game)
        return f"the policy {token} {what} (game {game}, prompt {prompt}). See it with: {command}"

    def _tell_answer(self) -> str:
        answer = int(self.live[self.kernel.LIVE_ANSWER])
        n = self._count_legal()
        return self.tell(f"answered {answer}, but {n} actions were legal: an answer is 0 to {n - 1}")

    def _count_legal(self) -> int:
        step = self.run.game.module("step")
        return int(step.legal(self.states[0], self.rules, np.zeros(step.MOST_LEGAL, dtype=np.int16)))


def play_serial(run: Run, chunks: Iterable[Chunk], save: Save, progress: Progress | None = None) -> None:
    """Play chunks one after the other in the calling thread; `save(number, rows)` keeps each.

    Nothing watches over policies that never answer, and Ctrl-C is heard between chunks only.
    """
    player, buffers = Player(run), Buffers(run)
    for chunk in chunks:
        player.play(chunk, buffers)
        save(chunk.number, buffers.rows())
        if progress:
            progress(player.games)


def play_threads(
    run: Run,
    chunks: Iterable[Chunk],
    save: Save,
    *,
    jobs: int,
    progress: Progress | None = None,
    patience: float = PATIENCE,
) -> None:
    """Play chunks on `jobs` daemon threads; `save(number, rows)` is called on one more, the writer.

    `progress(games)` is called from the calling thread with the games played so far. A policy in plain
    Python holds the interpreter lock, so such a run uses one worker. When anything ends the run early
    (Ctrl-C, a policy's error, PolicyStuckError if a policy takes more than `patience` seconds for one
    answer), the chunks played so far are saved before the exception goes on.
    """
    crew = _Crew(run, chunks, save, jobs if run.jitted else 1)
    try:
        crew.work(progress, patience)
    finally:
        crew.dismiss(patience)
    if crew.failures:
        raise crew.failures[0]


class _Watch:
    """Looks after one worker: how long it has been playing without asking a policy anew.

    Time is counted in looks, so that a process put to sleep wakes up without an alarm.
    """

    def __init__(self, player: Player, patience: float) -> None:
        self.player = player
        self.patience = patience
        self.seen = (-1, -1)
        self.looked = time.monotonic()
        self.idle = 0.0

    def look(self) -> None:
        """Raises PolicyStuckError when the patience is at an end."""
        player, now = self.player, time.monotonic()
        chunk = player.chunk
        seen = (chunk.number if chunk else -1, int(player.live[player.kernel.LIVE_STEPS]))
        waited = min(now - self.looked, 5 * _BEAT)
        self.looked = now
        if seen != self.seen or chunk is None:
            self.seen, self.idle = seen, 0.0
            return
        self.idle += waited
        if self.idle > self.patience:
            player.stuck = True
            raise PolicyStuckError(player.tell(f"has not answered for {self.patience:g} s"))


class _Crew:
    """Workers, the writer and the queues between them."""

    def __init__(self, run: Run, chunks: Iterable[Chunk], save: Save, jobs: int) -> None:
        self.save = save
        self.failures: list[BaseException] = []
        self.stopping = Event()
        self.todo: queue.SimpleQueue[Chunk] = queue.SimpleQueue()
        for chunk in chunks:
            self.todo.put(chunk)
        self.free: queue.SimpleQueue[Buffers | None] = queue.SimpleQueue()
        for _ in range(jobs + 2):
            self.free.put(Buffers(run))
        self.full: queue.SimpleQueue[tuple[int, Buffers] | None] = queue.SimpleQueue()
        self.players = [Player(run) for _ in range(jobs)]
        self.workers = [self._start(self._play, player) for player in self.players]
        self.writer = self._start(self._write)

    def _start(self, work: Callable[..., None], *arguments: Any) -> Thread:
        def guarded() -> None:
            try:
                work(*arguments)
            except BaseException as error:
                self.failures.append(error)
                self._stop()

        thread = Thread(target=guarded, daemon=True)
        thread.start()
        return thread

    def _play(self, player: Player) -> None:
        while not self.stopping.is_set():
            try:
                chunk = self.todo.get_nowait()
            except queue.Empty:
                return
            buffers = self.free.get()
            if buffers is None:
                return
            if player.play(chunk, buffers):
                self.full.put((chunk.number, buffers))

    def _write(self) -> None:
        while (item := self.full.get()) is not None:
            number, buffers = item
            self.save(number, buffers.rows())
            self.free.put(buffers)

    def work(self, progress: Progress | None, patience: float) -> None:
        """Wait for the workers, watching over them."""
        watches = [_Watch(player, patience) for player in self.players]
        while (alive := [worker for worker in self.workers if worker.is_alive()]) and not self.stopping.is_set():
            alive[0].join(_BEAT)
            for watch in watches:
                watch.look()
            if progress:
                progress(sum(player.games_so_far() for player in self.players))

    def dismiss(self, patience: float) -> None:
        """Let the workers finish the game they are in and the writer what it was handed."""
        if any(worker.is_alive() for worker in self.workers):
            self._stop()
        deadline = time.monotonic() + patience
        for worker, player in zip(self.workers, self.players):
            if not player.stuck:
                worker.join(max(0.0, deadline - time.monotonic()))
        self.full.put(None)
        self.writer.join()

    def _stop(self) -> None:
        self.stopping.set()
        for player in self.players:
            player.stop()
            self.free.put(None)
