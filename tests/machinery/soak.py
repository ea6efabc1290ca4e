"""Kernels against oracle over many games: `python -m tests.machinery.soak --games N [--jobs 2] [--seconds S]`.

`--game atlantica` plays Atlantica; what is a game's own is in tests.<game>.soak and .coverage_table.

Game number i of a seed is always the same game, whatever the number of jobs: rules, deal and players are drawn from
(seed, i). `--replay i` plays that one alone. At the end a table says what the games have reached. The exit code is 1
where the two disagree, and where a run of ENOUGH games or more leaves something in that table unreached.
"""

import argparse
import sys
import time
import traceback
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from functools import lru_cache
from importlib import import_module
from multiprocessing import get_context
from random import Random
from typing import Any

import numpy as np

from sim.errors import UserError
from sim.games import GAMES, find_game
from sim.rulebook import load_rules
from tests.machinery.coverage_table import BaseTally, never_reached, table_lines

ENOUGH = 2_000  # games after which everything must have happened
DEALS = 4  # games in a row under the same rules
TRIES = 1_000  # draws of rules until some go together; a handful will do
COMPARED = 3  # of so many games one is also followed without one of its options: that takes as long as the game
CHUNK = 40  # games a job takes at a time; a multiple of DEALS
SHOWN = 10  # mismatches told in full
PROGRESS = 5.0  # seconds between lines of progress

GAME = "end-of-atlantis"  # the one that is played where none is named


def subject(game: str) -> Any:
    """The module with what is the game's own: tests.<game>.soak."""
    return import_module(f"tests.{find_game(game).package}.soak")


@dataclass(frozen=True)
class Case:
    """One game: its rules, its deal and who plays it."""

    game: str
    seed: int
    index: int
    players: int
    variants: tuple[str, ...]
    settings: tuple[str, ...]
    focus: str  # the option or variant that is also tried without, or ""
    theme: str
    decks: tuple[tuple[str, tuple[int, ...]], ...]  # fields of the rules record set past the loader
    run_seed: int
    deal: int
    styles: tuple[str, ...]

    def rules(self, without: str = "") -> np.ndarray:
        """The rules record, shape (1,); `without` an option or a variant in force."""
        variants = tuple(name for name in self.variants if name != without)
        settings = tuple(setting for setting in self.settings if setting != without)
        record = loaded_rules(self.game, self.players, variants, settings).copy()
        for name, values in self.decks:
            record[name][0] = values
        kernel = find_game(self.game).module("rules")
        if hasattr(kernel, "derive"):
            kernel.derive(record)
        return record

    def choices_in_force(self) -> list[str]:
        """The variants and ruling options."""
        options = subject(self.game).OPTIONS
        return [*self.variants, *(setting for setting in self.settings if setting in options)]

    def described(self) -> str:
        """What is special about it, in lines."""
        decks = "".join(f"\n  {name} {list(values)}" for name, values in self.decks)
        command = "python -m tests.machinery.soak" + ("" if self.game == GAME else f" --game {self.game}")
        return (
            f"game {self.index} of seed {self.seed}: {self.players} players, theme {self.theme}\n"
            f"  variants {' '.join(self.variants) or 'none'}\n"
            f"  settings {' '.join(self.settings) or 'none'}{decks}\n"
            f"  run seed {self.run_seed}, deal {self.deal}, played by {', '.join(self.styles)}\n"
            f"  replay: {command} --seed {self.seed} --replay {self.index}"
        )


@lru_cache(maxsize=64)
def loaded_rules(game: str, players: int, variants: tuple[str, ...], settings: tuple[str, ...]) -> np.ndarray:
    """The rules record as the loader fills it; raises UserError. Copy before changing it."""
    return load_rules(find_game(game), players, variants=variants, settings=settings).record()


# ---- drawing a game


def draw_case(game: str, seed: int, index: int) -> Case:
    """Game `index` of that seed."""
    own = subject(game)
    group = index // DEALS
    chance = Random(f"rules {seed} {group}")
    players, focus, variants, settings, theme = draw_rules(game, chance, group)
    decks = own.draw_decks(chance, theme, loaded_rules(game, players, variants, settings)[0])
    chance = Random(f"game {seed} {index}")
    styles = tuple(chance.choices(tuple(own.STYLES), k=1 if chance.random() < 0.3 else players))
    return Case(
        game=game,
        seed=seed,
        index=index,
        players=players,
        variants=variants,
        settings=settings,
        focus=focus,
        theme=theme,
        decks=decks,
        run_seed=chance.randrange(2**64),
        deal=chance.randrange(2**32),
        styles=styles if len(styles) == players else styles * players,
    )


def draw_rules(game: str, chance: Random, group: int) -> tuple[int, str, tuple[str, ...], tuple[str, ...], str]:
    """Players, focus, variants, settings and theme that go together; each focus has its turn."""
    own = subject(game)
    focus = own.FOCI[group % len(own.FOCI)]
    refused = None
    for _ in range(TRIES):
        players, theme, variants, settings = own.draw_table(chance, focus)
        try:
            loaded_rules(game, players, variants, settings)
        except UserError as error:
            refused = error
            continue
        return players, focus, variants, settings, theme
    raise RuntimeError(f"no rules found that go together with {focus or 'the usual ones'}; the last: {refused}")


# ---- playing it


@dataclass
class Outcome:
    """What games came to."""

    games: int = 0
    steps: int = 0
    counts: Counter[tuple[str, str]] = field(default_factory=Counter)
    mismatches: list[tuple[int, str]] = field(default_factory=list)  # (index, what)

    def add(self, other: "Outcome") -> None:
        """Take another's in."""
        self.games += other.games
        self.steps += other.steps
        self.counts.update(other.counts)
        self.mismatches.extend(other.mismatches)


def play_case(case: Case, tally: BaseTally) -> int:
    """Play it on both; returns the number of steps. Raises MismatchError, or what one of the two raises."""
    own = subject(case.game)
    chance = Random(f"choices {case.seed} {case.index}")
    rules = case.rules()
    game = own.Lockstep(rules[0], case.run_seed, case.deal)
    styles = [own.STYLES[name] for name in case.styles]
    tally.start(game)
    for name in case.choices_in_force():
        tally.add(f"{'ruling option' if '=' in name else 'variant'} in force", name)
    while not game.over:
        action = own.choose(styles[game.actor], chance, game)
        tally.choice(game, action)
        game.take(action)
        tally.step(game)
    tally.end(game)
    compared = {case.focus, chance.choice(case.choices_in_force() or [""])} if case.index % COMPARED == 0 else ()
    for name in compared:
        if name and name not in own.INVISIBLE and makes_a_difference(case, game, name):
            tally.add(f"{'ruling option' if '=' in name else 'variant'} made a difference", name)
    return len(game.taken)


def makes_a_difference(case: Case, game: Any, name: str) -> bool:
    """Whether the same actions lead elsewhere, in the oracle, without that option or variant."""
    own = subject(case.game)
    try:
        rules = case.rules(without=name)
    except UserError:
        return False
    if rules.tobytes() == game.rules.tobytes():
        return False
    other = own.second_oracle(rules[0], case.run_seed, case.deal)
    for packed, (prompt, action) in zip(game.trail, game.taken):
        if other.prompt != prompt or own.pack(other) != packed:
            return True
        try:
            other.apply(action)
        except ValueError:  # not legal there
            return True
    return own.pack(other) != game.trail[-1] or other.result() != game.oracle.result()


def play_games(game: str, seed: int, indices: range) -> Outcome:
    """Those games of that seed, one after another."""
    tally = subject(game).Tally()
    outcome = Outcome(counts=tally.counts)
    for index in indices:
        case = draw_case(game, seed, index)
        outcome.games += 1
        try:
            outcome.steps += play_case(case, tally)
        except Exception as error:  # whatever breaks is a finding
            outcome.mismatches.append((index, f"{case.described()}\n  {told(error)}"))
    return outcome


def told(error: Exception) -> str:
    """An error in one line, with the place of those that are no mismatch."""
    place = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__} at {place.filename.rpartition('/')[2]}:{place.lineno}: {error}"[:2_000]


def chunks(games: int) -> Iterator[range]:
    """The games in the portions in which they are handed out."""
    for start in range(0, games, CHUNK):
        yield range(start, min(start + CHUNK, games))


def run(game: str, seed: int, games: int, jobs: int, seconds: float) -> Outcome:
    """Play until the games are done or, where `seconds` is not 0, the time is up; tells how it goes on stderr."""
    total, progress = Outcome(), Progress(seconds)
    waiting = chunks(games)
    if jobs == 1:
        for indices in waiting:
            total.add(play_games(game, seed, indices))
            if progress.tell(total):
                break
        return total
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        under_way: dict[Future[Outcome], range] = {}
        try:
            while True:
                while len(under_way) < 2 * jobs and (indices := next(waiting, None)) is not None:
                    under_way[pool.submit(play_games, game, seed, indices)] = indices
                if not under_way:
                    break
                for done in wait(under_way, timeout=PROGRESS, return_when=FIRST_COMPLETED).done:
                    total.add(done.result())
                    del under_way[done]
                if progress.tell(total):
                    waiting = iter(())
        except BrokenProcessPool:
            spans = ", ".join(f"{span.start} to {span.stop - 1}" for span in under_way.values())
            total.mismatches.append((games, f"a job died in one of the games {spans} of seed {seed}"))
    return total


class Progress:
    """A line on stderr now and then."""

    def __init__(self, seconds: float) -> None:
        self.began = self.told = time.monotonic()
        self.seconds = seconds

    def tell(self, total: Outcome, now: bool = False) -> bool:
        """Say how far it is, if it is time to; returns whether the time for playing is up."""
        moment = time.monotonic()
        if now or moment - self.told > PROGRESS:
            self.told = moment
            rate = total.games / max(moment - self.began, 1e-9)
            print(
                f"{total.games:,} games, {total.steps:,} steps, {len(total.mismatches)} mismatches, {rate:.1f} games/s",
                file=sys.stderr,
                flush=True,
            )
        return 0 < self.seconds < moment - self.began


# ---- the command


def main(arguments: Sequence[str] | None = None) -> int:
    """The exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.machinery.soak", description=__doc__)
    parser.add_argument("--game", default=GAME, help=f"which game: {', '.join(GAMES)}", choices=GAMES, metavar="NAME")
    parser.add_argument("--games", type=int, default=0, help="how many games; without it until --seconds are over")
    parser.add_argument("--seconds", type=float, default=0, help="stop after so many")
    parser.add_argument("--jobs", type=int, default=2, help="processes")
    parser.add_argument("--seed", type=int, default=1, help="of the whole soak")
    parser.add_argument("--replay", type=int, help="play this one game of the seed")
    given = parser.parse_args(arguments)
    if given.replay is not None:
        return replay(given.game, given.seed, given.replay)
    if not given.games and not given.seconds:
        parser.error("say how long: --games or --seconds")
    began = time.monotonic()
    total = run(given.game, given.seed, given.games or sys.maxsize, given.jobs, given.seconds)
    return report(given.game, total, time.monotonic() - began)


def replay(game: str, seed: int, index: int) -> int:
    """One game, described; the exit code."""
    case = draw_case(game, seed, index)
    print(case.described())
    try:
        steps = play_case(case, subject(game).Tally())
    except Exception as error:
        traceback.print_exc()
        print(f"\nMISMATCH {told(error)}")
        return 1
    print(f"{steps} steps, no mismatch")
    return 0


def report(game: str, total: Outcome, seconds: float) -> int:
    """Print the table and the mismatches; the exit code."""
    reached = subject(game).Tally.reached
    for line in table_lines(reached, total.counts):
        print(line)
    unreached = never_reached(reached, total.counts)
    print(
        f"\n{total.games:,} games, {total.steps:,} steps, {total.games / seconds:.1f} games/s, "
        f"{len(unreached)} things never reached, {len(total.mismatches)} mismatches"
    )
    for _, what in sorted(total.mismatches)[:SHOWN]:
        print(f"\nMISMATCH in {what}")
    if len(total.mismatches) > SHOWN:
        print(f"\nand {len(total.mismatches) - SHOWN} more")
    return int(bool(total.mismatches) or (bool(unreached) and total.games >= ENOUGH))


if __name__ == "__main__":
    sys.exit(main())
