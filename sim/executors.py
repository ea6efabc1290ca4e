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

from kernels.engine.contract import (
    ERROR_ANSWER,
    ERROR_ROWS,
    LIVE_ANSWER,
    LIVE_ERROR,
    LIVE_GAME,
    LIVE_PLACE,
    LIVE_PROMPT,
    LIVE_STEP,
    LIVE_STEPS,
    LIVE_STOP,
)
from kernels.engine.desk import Buffers, Desk, bind_loop
from sim.errors import GameError
from sim.plan import Chunk, Run
from sim.policies import PolicyError, PolicyStuckError
from sim.store import Rows
from sim.watch import BEAT, PATIENCE, Watch

Save = Callable[[int, Rows], None]
Progress = Callable[[int], None]


def make_buffers(run: Run) -> Buffers:
    """Room for the rows of one chunk of a run."""
    return Buffers(run.game.kernels, run.detail, run.chunk)


class Player:
    """Plays chunks of a run at a desk of its own, whose `live` is shared with whoever watches."""

    def __init__(self, run: Run) -> None:
        self.run = run
        bind_loop(run.game.kernels)  # compiles before anybody watches
        self.desk = Desk(run.game.kernels, run.rulebook.record().view(np.recarray)[0])
        self.rows = [policy.row(run.rulebook.players) for policy in run.policies]
        self.live = self.desk.live
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
            done = self.desk.play(
                [policy.function for policy in run.policies],
                self.rows,
                buffers,
                chunk.first,
                chunk.games,
                seed=run.seed,
                limit=run.limit,
                replicate=run.replicate,
                seating=run.arrangements,
                slowly=not run.jitted,
            )
        except Exception as error:
            if not self.live[LIVE_STEPS]:
                raise
            said = str(error).strip() or "no message"
            what = f"raised {type(error).__name__}: {said}; there were {self._count_legal()} legal actions"
            raise PolicyError(self.tell(what)) from error
        finally:
            self.chunk = None
        if self.live[LIVE_ERROR] == ERROR_ANSWER:
            raise PolicyError(self._tell_answer())
        if self.live[LIVE_ERROR] == ERROR_ROWS:
            raise GameError(self._tell_rows())
        if self.live[LIVE_ERROR]:
            raise GameError(self._tell_stop())
        if done < chunk.games and not self.live[LIVE_STOP]:
            raise RuntimeError(f"the buffers were full after {done} of {chunk.games} games")
        self.games += chunk.games if done == chunk.games else 0
        return bool(done == chunk.games)

    def stop(self) -> None:
        """Ask the kernel to return before its next game."""
        self.live[LIVE_STOP] = 1

    def games_so_far(self) -> int:
        """Games played, those of the chunk under way included; a moment's impression."""
        chunk = self.chunk
        under_way = int(self.live[LIVE_GAME]) - chunk.first if chunk else 0
        return self.games + (under_way if chunk and 0 <= under_way < chunk.games else 0)

    def progress(self) -> tuple[int, int] | None:
        """How far the player is: its chunk, and how often a policy has been asked; None between two chunks."""
        chunk = self.chunk
        return (chunk.number, int(self.live[LIVE_STEPS])) if chunk else None

    def tell(self, what: str) -> str:
        """One sentence on what the policy asked last did, and the command that shows that game."""
        live, run = self.live, self.run
        token = run.lineup[int(live[LIVE_PLACE])]
        game = int(live[LIVE_GAME])
        prompt = run.game.module("codes").PROMPTS[int(live[LIVE_PROMPT])]
        command = run.trace_command(game)
        return f"the policy {token} {what} (game {game}, prompt {prompt}). See it with: {command}"

    def _tell_answer(self) -> str:
        answer = int(self.live[LIVE_ANSWER])
        n = self._count_legal()
        return self.tell(f"answered {answer}, but {n} actions were legal: an answer is 0 to {n - 1}")

    def _tell_stop(self) -> str:
        prompt = self.run.game.module("codes").PROMPTS[int(self.live[LIVE_PROMPT])]
        where = f"game {self.live[LIVE_GAME]}, prompt {prompt}, step {self.live[LIVE_STEP]}"
        return f"the rules of {self.run.game.title} stop where nothing can be done ({where})."

    def _tell_rows(self) -> str:
        table = list(self.run.game.module("tables").TABLES)[int(self.live[LIVE_ANSWER])]
        promised = self.run.game.module("tables").MOST_ROWS[table]
        return (
            f"game {self.live[LIVE_GAME]} has more rows in the table {table} than the {promised} that MOST_ROWS of "
            f"{self.run.game.kernels}.tables promises; make it larger."
        )

    def _count_legal(self) -> int:
        return int(self.run.game.module("step").legal(self.desk.states[0], self.desk.rules, self.desk.codes))


def play_serial(run: Run, chunks: Iterable[Chunk], save: Save, progress: Progress | None = None) -> None:
    """Play chunks one after the other in the calling thread; `save(number, rows)` keeps each.

    Nothing watches over policies that never answer, and Ctrl-C is heard between chunks only.
    """
    player, buffers = Player(run), make_buffers(run)
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
            self.free.put(make_buffers(run))
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
        watches = [Watch(player.progress, patience) for player in self.players]
        while (alive := [worker for worker in self.workers if worker.is_alive()]) and not self.stopping.is_set():
            alive[0].join(BEAT)
            for player, watch in zip(self.players, watches):
                if watch.is_stuck():
                    player.stuck = True
                    raise PolicyStuckError(player.tell(f"has not answered for {patience:g} s"))
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
