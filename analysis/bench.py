"""How fast and how lean games are played on this machine, each figure beside its target.

Other work on the machine only ever makes a program slower. So the kernels are timed in short pieces and the best time
of each piece counts, and what is compared is played by turns and compared turn by turn.
"""

import importlib.util
import os
import shlex
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from analysis.questions.question import find_traits
from kernels.engine.desk import Desk
from sim.errors import UserError
from sim.executors import Player, make_buffers, play_threads
from sim.exploits import Hall, Opponent, find_exploit
from sim.games import Game
from sim.plan import Run, plan_run
from sim.policies import Policy, find_policy
from sim.presets import list_presets
from sim.rulebook import load_rules
from sim.runner import count_cores, simulate
from sim.trace import Replay

SEED = 7
PLAYERS = 4
SEARCH = "search:200"
MIDDLE = 80  # positions in the middle of games, for timing search
CHEAP, DEAR = "random", "greedy"  # policies: one that costs next to nothing, and the usual one
PIECE, PIECES, ROUNDS = 200, 10, 8  # games a piece; each of the pieces is played in every round
PAIRED_GAMES, PAIRS = 20_000, 3
STARTS = 7  # of a process, of which the median counts
DUEL_DEALS = 60  # deals of a duel between players, each seat in turn
SHORT_RUN, LONG_RUN = 100_000, 10_000_000  # games, for comparing memory

# A small process between us and the one measured: Linux counts the parent's own memory as its child's.
_PEAK = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


@dataclass(frozen=True)
class Figure:
    """One measured number. `target` is the most it should be, or the least where `at_least`; None: for information."""

    name: str
    value: float
    unit: str
    target: float | None = None
    at_least: bool = False
    note: str = ""  # interval and n, where it is an estimate

    @property
    def bound(self) -> str | None:
        """The target in signs, such as "<= 60"."""
        return None if self.target is None else f"{'>=' if self.at_least else '<='} {self.target:g}"

    @property
    def met(self) -> bool | None:
        """Whether the value keeps to the target; None if there is none."""
        if self.target is None:
            return None
        return self.value >= self.target if self.at_least else self.value <= self.target


@dataclass(frozen=True)
class Bench:
    """Something to measure. `slow` ones run only when asked for."""

    line: str
    measure: Callable[[Game, int], Iterator[Figure]]
    slow: bool = False


def measure(game: Game, names: Iterable[str], long_run: int = LONG_RUN) -> Iterator[Figure]:
    """The figures of the benches of those names (keys of BENCHES), each as soon as it is known.

    `long_run` is the number of games that the memory bench plays. UserError if a command measured fails.
    """
    for name in names:
        yield from BENCHES[name].measure(game, long_run)


def choose_benches(only: Sequence[str], *, with_slow: bool = False) -> list[str]:
    """Which benches to run: those named by `only`, or all; the slow ones too if `with_slow`. UserError for others."""
    for name in only:
        if name not in BENCHES:
            close = get_close_matches(name, BENCHES, 1)
            hint = f" Did you mean {close[0]}?" if close else ""
            raise UserError(f"nothing named {name} is measured.{hint} There are: {', '.join(BENCHES)}.")
    chosen = set(only) or {name for name, bench in BENCHES.items() if not bench.slow}
    return [name for name, bench in BENCHES.items() if name in chosen or (with_slow and bench.slow)]


def find_busyness() -> float:
    """How many processes wanted a core over the last minute, as a share of the cores; 0 where unknown."""
    return os.getloadavg()[0] / count_cores() if hasattr(os, "getloadavg") else 0.0


# Kernels


def time_decisions(game: Game, policy: str, *, piece: int, pieces: int, rounds: int) -> float:
    """Nanoseconds a decision on one core, PLAYERS players, `policy` at every seat, without writing.

    Plays `pieces` pieces of `piece` games, each of them `rounds` times.

    A decision is a policy call with two or more legal actions; the time is that of the whole game loop divided by
    their number, generating actions, dealing and recording seats included.
    """
    run = _plan(game, policy, piece * pieces, detail="seats", chunk=piece)
    player, buffers = Player(run), make_buffers(run)
    best: dict[int, float] = {}
    decisions: dict[int, int] = {}
    for _ in range(rounds):
        for chunk in run.chunks():
            began = time.perf_counter()
            player.play(chunk, buffers)
            took = time.perf_counter() - began
            best[chunk.number] = min(took, best.get(chunk.number, took))
            decisions[chunk.number] = int(buffers.rows()["games"]["decisions"].sum())
    return sum(best.values()) / sum(decisions.values()) * 1e9


def find_middle(game: Game, count: int) -> list[tuple[Any, Any, Any, int]]:
    """`count` or a few more decisions in the middle of games of DEAR: states, rules, legal codes and their number."""
    found: list[tuple[Any, Any, Any, int]] = []
    number = 0
    while len(found) < count:
        replay = Replay(_plan(game, DEAR, number + 1, detail="seats"), number)
        replay.start()
        seen = []
        before = replay.states.copy()
        for step in replay.steps():
            if len(step.legal) > 1:
                seen.append((before, step.legal))
            before = replay.states.copy()
        for position, (states, legal) in enumerate(seen):
            if 0.4 * len(seen) < position < 0.6 * len(seen) and position % 5 == 0:
                codes = np.zeros_like(replay.codes)
                codes[: len(legal)] = legal
                found.append((states.view(np.recarray), replay.rules, codes, len(legal)))
        number += 1
    return found


def time_choices(game: Game, policy: Policy, positions: Sequence[tuple[Any, Any, Any, int]]) -> float:
    """Choices a second of a policy at these positions, on one core; they are changed by its own random draws."""
    scratch = Desk(game.kernels, None).scratch
    states, rules, codes, n = positions[0]
    row = policy.row(int(states[0].players))
    policy.function(states[0], rules, codes, n, row, scratch)
    began = time.perf_counter()
    for states, rules, codes, n in positions:
        policy.function(states[0], rules, codes, n, row, scratch)
    return len(positions) / (time.perf_counter() - began)


def time_kernel(run: Run) -> float:
    """Seconds to play a run in this thread, writing nothing."""
    player, buffers = Player(run), make_buffers(run)
    began = time.perf_counter()
    for chunk in run.chunks():
        player.play(chunk, buffers)
    return time.perf_counter() - began


def time_threads(run: Run, jobs: int) -> float:
    """Seconds until the last chunk of a run is played on `jobs` threads, writing nothing."""
    ends: list[float] = []
    began = time.perf_counter()
    play_threads(run, run.chunks(), lambda number, rows: ends.append(time.perf_counter()), jobs=jobs)
    return ends[-1] - began


def time_simulate(run: Run, jobs: int) -> float:
    """Seconds that a run takes with its run folder written."""
    with tempfile.TemporaryDirectory() as folder:
        return simulate(run, Path(folder) / "run", jobs=jobs).seconds


def compare(one: Callable[[], float], other: Callable[[], float], pairs: int) -> float:
    """one() / other(), both in seconds and called by turns: the median over `pairs` turns."""
    ratios = []
    for turn in range(pairs):
        if turn % 2:
            below, above = other(), one()
        else:
            above, below = one(), other()
        ratios.append(above / below)
    return median(ratios)


# Processes


def time_process(words: list[str], **environment: str) -> float:
    """Seconds that `atlantis WORDS` takes from its start to its end, in a folder of its own. UserError if it fails."""
    with tempfile.TemporaryDirectory() as folder:
        began = time.perf_counter()
        _run([*find_command(), *words], folder, environment)
        return time.perf_counter() - began


def find_peak(words: list[str]) -> float:
    """Megabytes that `atlantis WORDS` holds at most (peak resident size), in a folder of its own."""
    with tempfile.TemporaryDirectory() as folder:
        told = _run([sys.executable, "-c", _PEAK, *find_command(), *words], folder, {})
    size = 1 if sys.platform == "darwin" else 1024  # a Mac counts bytes, Linux kilobytes
    return int(told) * size / 1e6


def find_command() -> list[str]:
    """The words that start this installation's atlantis, whatever the PATH says."""
    spec = importlib.util.find_spec("cli")
    assert spec is not None
    assert spec.origin is not None
    return [sys.executable, spec.origin]


def _run(command: list[str], folder: str, environment: dict[str, str]) -> str:
    ended = subprocess.run(
        command, cwd=folder, env=os.environ | environment, check=False, capture_output=True, text=True
    )
    if ended.returncode:
        said = ended.stderr.strip().splitlines() or ["no message"]
        raise UserError(f"{shlex.join(command)} failed, so it cannot be measured: {said[-1]}")
    return ended.stdout


def _simulate_words(game: Game, lineup: str, games: int) -> list[str]:
    return [
        *("simulate", game.name, "--players", str(PLAYERS), "--lineup", lineup),
        *("--games", str(games), "--seed", str(SEED)),
    ]


# The figures


def find_target(game: Game, name: str) -> float | None:
    """What a figure of this game should be, as its traits say; None where nobody has said."""
    return find_traits(game).speed.get(name)


def _random(game: Game, long_run: int) -> Iterator[Figure]:
    found = time_decisions(game, CHEAP, piece=PIECE, pieces=PIECES, rounds=ROUNDS)
    yield Figure("random policy", found, "ns a decision", find_target(game, "random"))


def _greedy(game: Game, long_run: int) -> Iterator[Figure]:
    found = time_decisions(game, DEAR, piece=PIECE, pieces=PIECES, rounds=ROUNDS)
    yield Figure("greedy policy", found, "ns a decision", find_target(game, "greedy"))


def _styles(game: Game, long_run: int) -> Iterator[Figure]:
    for name, preset in list_presets(game).items():
        if preset.base == DEAR:
            found = time_decisions(game, name, piece=PIECE, pieces=max(1, PIECES // 2), rounds=max(1, ROUNDS // 2))
            target = find_target(game, name) or find_target(game, "tuned")
            yield Figure(f"{name} policy", found, "ns a decision", target)


def _search(game: Game, long_run: int) -> Iterator[Figure]:
    policy = find_policy(game, SEARCH)
    positions = find_middle(game, MIDDLE)
    found = time_choices(game, policy, positions)
    yield Figure(f"{SEARCH}, cut off", found, "choices/s", find_target(game, "search"), at_least=True)
    whole = policy.weights.copy()
    whole[game.policies.find_module("search").NAMES.index("horizon")] = 0.0
    full = time_choices(game, replace(policy, weights=whole), positions[: max(1, MIDDLE // 4)])
    yield Figure(f"{SEARCH}, played to the end", full, "choices/s")


def _players(game: Game, long_run: int) -> Iterator[Figure]:
    """Who takes how much from whom, on deals that nothing was trained or tuned on, and what a decision costs."""
    traits = find_traits(game)
    for opponent, target, bound, at_least in traits.strength:
        hall = Hall(game, load_rules(game, PLAYERS), find_policy(game, target), seed=SEED, jobs=count_cores())
        deals = DUEL_DEALS * (1 if "strong" in (opponent, target) else 5)
        found = hall.try_all([Opponent(opponent, find_policy(game, opponent).seat(PLAYERS))], deals, 2**31)[0]
        low, high = (100 * end for end in found.ends)
        note = f"[{low:.1f}, {high:.1f}], {found.games:,} games of {len(found.credits):,} deals"
        yield Figure(f"{opponent} among three {target}", 100 * found.share, "%", bound, at_least, note)
    for name in traits.exploits:
        if kept := find_exploit(game, PLAYERS, name):
            note = f"[{100 * kept.low:.1f}, {100 * kept.high:.1f}], {kept.games:,} games: {kept.by}"
            yield Figure(f"most found among three {name}", 100 * kept.most, "%", traits.exploits[name], note=note)
    for name, piece in (("strong", 4), ("fast", 100)):
        if name in list_presets(game):
            found_ns = time_decisions(game, name, piece=piece, pieces=4, rounds=3)
            yield Figure(f"{name} policy", found_ns / 1000, "us a decision", find_target(game, name))


def _writing(game: Game, long_run: int) -> Iterator[Figure]:
    for policy, target in ((DEAR, 0.85), (CHEAP, None)):
        run = _plan(game, policy, PAIRED_GAMES)
        ratio = compare(partial(time_kernel, run), partial(time_simulate, run, 1), PAIRS)
        yield Figure(f"simulate against bare kernel, {policy}", ratio, "of its games/s", target, at_least=True)


def _threads(game: Game, long_run: int) -> Iterator[Figure]:
    if count_cores() < 2:
        return
    run = _plan(game, DEAR, PAIRED_GAMES)
    alone = compare(partial(time_threads, run, 1), partial(time_threads, run, 2), PAIRS)
    yield Figure("two threads against one", alone, "times the games/s", 1.9, at_least=True)
    written = compare(partial(time_simulate, run, 1), partial(time_simulate, run, 2), PAIRS)
    yield Figure("two threads against one, writing", written, "times the games/s", 1.85, at_least=True)


def _help(game: Game, long_run: int) -> Iterator[Figure]:
    yield Figure("atlantis --help", _start(["--help"]), "s", 0.3)


def _first(game: Game, long_run: int) -> Iterator[Figure]:
    yield Figure("simulate one game, compiled before", _start(_simulate_words(game, DEAR, 1)), "s", 1.2)


def _start(words: list[str]) -> float:
    time_process(words)
    return median(time_process(words) for _ in range(STARTS))


def _compile(game: Game, long_run: int) -> Iterator[Figure]:
    words = _simulate_words(game, f"{CHEAP},{DEAR}*{PLAYERS - 1}", PLAYERS)
    with tempfile.TemporaryDirectory() as cache:
        found = time_process(words, NUMBA_CACHE_DIR=cache)
        yield Figure("compile what a first run needs, once", found, "s", find_target(game, "compile"))


def _memory(game: Game, long_run: int) -> Iterator[Figure]:
    time_process(_simulate_words(game, CHEAP, 1))  # compiling takes memory too
    peaks = []
    for games in (SHORT_RUN, long_run):
        peaks.append(find_peak(_simulate_words(game, CHEAP, games)))
        yield Figure(f"memory, {games:,} games", peaks[-1], "MB")
    yield Figure("memory, the long run against the short", peaks[1] / peaks[0], "times", 1.1)


BENCHES = {
    "random": Bench("a decision of the random policy", _random),
    "greedy": Bench("a decision of the greedy policy", _greedy),
    "styles": Bench("a decision of each style", _styles),
    "search": Bench(f"choices of {SEARCH} in the middle of a game", _search),
    "writing": Bench("what writing the run folder costs", _writing),
    "threads": Bench("two threads against one", _threads),
    "help": Bench("atlantis --help", _help),
    "first": Bench("start to first game, compiled before", _first),
    "compile": Bench("everything compiled anew", _compile),
    "players": Bench("who takes how much from whom", _players, slow=True),
    "memory": Bench("memory of a short and a long run", _memory, slow=True),
}


def _plan(game: Game, policy: str, games: int, detail: str = "turns", chunk: int | None = None) -> Run:
    return plan_run(game, load_rules(game, PLAYERS), policy, seed=SEED, games=games, detail=detail, chunk=chunk)
