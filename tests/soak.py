"""Kernels against oracle over many games: `python -m tests.soak --games N [--jobs 2] [--seconds S] [--seed K]`.

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
from multiprocessing import get_context
from random import Random
from typing import Any

import numpy as np

from kernels.end_of_atlantis import codes as c
from sim.errors import UserError
from sim.rulebook import load_rules
from tests.choosers import STYLES, choose
from tests.coverage_table import GAME, INVISIBLE, OPTIONS, PLAYERS, VARIANTS, Tally, never_reached, table_lines
from tests.lockstep import Lockstep, packing_at, rules_as_dict
from tests.oracle.end_of_atlantis import Oracle

ENOUGH = 2_000  # games after which everything must have happened
DEALS = 4  # games in a row under the same rules
TRIES = 1_000  # draws of rules until some go together; a handful will do
CHUNK = 40  # games a job takes at a time; a multiple of DEALS
SHOWN = 10  # mismatches told in full
PROGRESS = 5.0  # seconds between lines of progress

# Options that are refused without a variant, or without a Senate.
NEEDED = {"E37": "aggressive-neutrals", "E45": "chosen-ships"}
WITH_SENATE = ("E27",)

# Other rules with the range in which they are drawn; what does not go together is refused by the loader.
NUMBERS = {
    "start_vp": (0, 4),
    "cubes_per_player": (5, 30),
    "neutral_tokens": (0, 20),
    "setup_neutrals": (0, 6),
    "setup_specials": (0, 5),
    "setup_cubes": (0, 4),
    "events_removed": (0, 7),
    "archont_cards": (1, 10),
    "plus_one_vp": (0, 3),
    "votings": (1, 5),
    "votings_all_doomed": (1, 5),
    "places": (1, 3),
    "places_all_doomed": (1, 3),
    "strategos_refund": (0, 6),
    "mover_vp": (0, 3),
    "science_vp": (0, 5),
    "royal_vessel_specials": (0, 3),
    "land_majority_vp": (0, 5),
    "pool_majority_vp": (0, 5),
    "doom_redrawn_through": (0, 7),
    "doom_ships": (0, 5),
    "all_in_cubes": (0, 6),
    "no_mercy_vp": (0, 5),
    "hand_size": (5, 10),
    "refill_to": (5, 10),
    "event_cubes.chaos": (0, 5),
    "tile_spaces.A": (1, 7),
    "tile_spaces.A+": (8, 12),
    "tile_spaces.B": (1, 8),
    "tile_spaces.B+": (1, 8),
    "tile_spaces.D": (1, 3),
}


def politics(**copies: int) -> tuple[str, ...]:
    """Settings for a Politics deck of these kinds; the rest of the 80 cards are the commonest kind."""
    kinds = dict.fromkeys(("refugees_1", "refugees_2", "refugees_2_1", "aristocracy", "ships"), 0)
    kinds |= dict.fromkeys(("royal_ship", "support", "sabotage", "betrayal"), 0) | copies
    kinds["refugees_1"] += 80 - sum(kinds.values())
    return tuple(f"politics_copies.{kind}={number}" for kind, number in kinds.items())


# What the usual rules reach too seldom, and the settings under which it happens often.
THEMES: dict[str, tuple[str, ...]] = {
    "usual": (),
    "three Dooms": ("events_removed=7",),
    "all Events": ("events_removed=0", "doom_redrawn_through=7"),
    "red cards": politics(refugees_2=20, ships=16, royal_ship=4, sabotage=14, betrayal=14),
    "ships": politics(refugees_2=20, refugees_2_1=8, aristocracy=8, ships=16, royal_ship=12),
    "Specials": ("setup_specials=5", *politics(refugees_2=12, refugees_2_1=8, ships=20, royal_ship=8, support=12)),
    "few cubes": ("cubes_per_player=6", "all_in_cubes=6"),
    "full ships": ("tile_spaces.A=2", "tile_spaces.B=2", "tile_spaces.C=1", *politics(refugees_2=12, aristocracy=30)),
    "many blacks": ("neutral_tokens=20", "setup_neutrals=6", "event_cubes=4", "events_removed=0"),
    "few blacks": ("neutral_tokens=3", "event_cubes=5"),
    "nothing to lose": ("start_vp=0", "no_mercy_vp=3", "events_removed=0"),
    "large hands": ("hand_size=9", "votings=4", "votings_all_doomed=3"),
    "few Politics cards": (),
}
# Rulings whose options seldom matter otherwise, and the theme under which they do.
THEME_OF = {"E32b": "nothing to lose", "E12": "full ships", "E37": "full ships", "E07": "large hands"}
SPECIALS = {"Specials"}  # themes with a Special deck of few effects


@dataclass(frozen=True)
class Case:
    """One game: its rules, its deal and who plays it."""

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
        record = loaded_rules(self.players, variants, settings).copy()
        for name, values in self.decks:
            record[name][0] = values
        return record

    def choices_in_force(self) -> list[str]:
        """The variants and ruling options."""
        return [*self.variants, *(setting for setting in self.settings if setting in OPTIONS)]

    def described(self) -> str:
        """What is special about it, in lines."""
        decks = "".join(f"\n  {name} {list(values)}" for name, values in self.decks)
        return (
            f"game {self.index} of seed {self.seed}: {self.players} players, theme {self.theme}\n"
            f"  variants {' '.join(self.variants) or 'none'}\n"
            f"  settings {' '.join(self.settings) or 'none'}{decks}\n"
            f"  run seed {self.run_seed}, deal {self.deal}, played by {', '.join(self.styles)}\n"
            f"  replay: python -m tests.soak --seed {self.seed} --replay {self.index}"
        )


@lru_cache(maxsize=64)
def loaded_rules(players: int, variants: tuple[str, ...], settings: tuple[str, ...]) -> np.ndarray:
    """The rules record as the loader fills it; raises UserError. Copy before changing it."""
    return load_rules(GAME, players, variants=variants, settings=settings).record()


# ---- drawing a game


def draw_case(seed: int, index: int) -> Case:
    """Game `index` of that seed."""
    group = index // DEALS
    chance = Random(f"rules {seed} {group}")
    players, focus, variants, settings, theme = draw_rules(chance, group)
    decks = draw_decks(chance, theme, loaded_rules(players, variants, settings)[0])
    chance = Random(f"game {seed} {index}")
    styles = tuple(chance.choices(tuple(STYLES), k=1 if chance.random() < 0.3 else players))
    return Case(
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


FOCI = ("", *VARIANTS, *OPTIONS)


def draw_rules(chance: Random, group: int) -> tuple[int, str, tuple[str, ...], tuple[str, ...], str]:
    """Players, focus, variants, settings and theme that go together; each focus has its turn."""
    focus = FOCI[group % len(FOCI)]
    refused = None
    for _ in range(TRIES):
        players = chance.choice(PLAYERS)
        theme = chance.choice((*THEMES, *["usual"] * len(THEMES)))
        if chance.random() < 0.7:
            theme = THEME_OF.get(focus.partition("=")[0], theme)
        variants = draw_variants(chance, focus)
        options = draw_options(chance, focus)
        settings = (*THEMES[theme], *draw_numbers(chance, players, theme, variants), *options)
        try:
            loaded_rules(players, variants, settings)
        except UserError as error:
            refused = error
            continue
        return players, focus, variants, settings, theme
    raise RuntimeError(f"no rules found that go together with {focus or 'the usual ones'}; the last: {refused}")


def draw_variants(chance: Random, focus: str) -> tuple[str, ...]:
    """Some variants, with what the focus needs and without what it cannot have."""
    ruling = focus.partition("=")[0]
    needed = {focus, NEEDED.get(ruling, "")}
    unwanted = {"family"} if ruling in WITH_SENATE else set()
    return tuple(name for name in VARIANTS if name in needed or (chance.random() < 0.2 and name not in unwanted))


def draw_options(chance: Random, focus: str) -> tuple[str, ...]:
    """The focus, if it is an option, and now and then others, one a ruling."""
    others = [option for option in OPTIONS if chance.random() < 0.06]
    options = {option.partition("=")[0]: option for option in [*others, *([focus] if "=" in focus else [])]}
    return tuple(options.values())


def draw_numbers(chance: Random, players: int, theme: str, variants: Sequence[str]) -> tuple[str, ...]:
    """Other numbers in half of the usual games, and other ships where they are chosen."""
    settings = []
    if theme == "usual" and chance.random() < 0.5:
        for name in chance.sample(sorted(NUMBERS), chance.randrange(1, 7)):
            settings.append(f"{name}={chance.randint(*NUMBERS[name])}")
    if "chosen-ships" in variants and chance.random() < 0.6:
        tiles = c.TILES if players > 2 else [tile for tile in c.TILES if tile[0] != "A"]
        settings.append(f"chosen_ships={','.join(chance.sample(tiles, 4 if players == 2 else 5))}")
    return tuple(settings)


def draw_decks(chance: Random, theme: str, rules: Any) -> tuple[tuple[str, tuple[int, ...]], ...]:
    """Decks that the loader has no short way to write, or does not let through."""
    if theme in SPECIALS:
        effects = [chance.randrange(len(c.SPECIAL_EFFECTS)) for _ in range(chance.randrange(1, 5))]
        copies = [25 // len(effects)] * len(effects)
        copies[0] += 25 - sum(copies)
        amounts = [chance.randint(1, 3) for _ in effects]
        fields = {"special_effect": effects, "special_amount": amounts, "special_copies": copies}
        return tuple((name, (*numbers, *[0] * (25 - len(numbers)))) for name, numbers in fields.items())
    if theme == "few Politics cards":
        hands = int(rules["players"]) * int(max(rules["hand_size"], rules["refill_to"]))
        cards = hands + chance.randrange(4)  # next to none are left in the deck
        kinds = [chance.randrange(c.POLITICS_KINDS) for _ in range(cards)]
        return (("politics_copies", tuple(kinds.count(kind) for kind in range(c.POLITICS_KINDS))),)
    return ()


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


def play_case(case: Case, tally: Tally) -> int:
    """Play it on both; returns the number of steps. Raises MismatchError, or what one of the two raises."""
    chance = Random(f"choices {case.seed} {case.index}")
    rules = case.rules()
    game = Lockstep(rules[0], case.run_seed, case.deal)
    styles = [STYLES[name] for name in case.styles]
    tally.start(game)
    for name in case.choices_in_force():
        tally.add(f"{'ruling option' if '=' in name else 'variant'} in force", name)
    while not game.over:
        action = choose(styles[game.actor], chance, game)
        tally.choice(game, action)
        game.take(action)
        tally.step(game)
    tally.end(game)
    for name in {case.focus, chance.choice(case.choices_in_force() or [""])}:
        if name and name not in INVISIBLE and makes_a_difference(case, game, name):
            tally.add(f"{'ruling option' if '=' in name else 'variant'} made a difference", name)
    return len(game.taken)


def makes_a_difference(case: Case, game: Lockstep, name: str) -> bool:
    """Whether the same actions lead elsewhere, in the oracle, without that option or variant."""
    try:
        rules = case.rules(without=name)
    except UserError:
        return False
    if rules.tobytes() == game.rules.tobytes():
        return False
    other = Oracle(rules_as_dict(rules[0]), case.run_seed, case.deal)
    for packed, (prompt, action) in zip(game.trail, game.taken):
        if other.prompt != prompt or packing_at(other).of_oracle(other) != packed or action not in other.legal():
            return True
        other.apply(action)
    return packing_at(other).of_oracle(other) != game.trail[-1]


def play_games(seed: int, indices: range) -> Outcome:
    """Those games of that seed, one after another."""
    tally = Tally()
    outcome = Outcome(counts=tally.counts)
    for index in indices:
        case = draw_case(seed, index)
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


def run(seed: int, games: int, jobs: int, seconds: float) -> Outcome:
    """Play until the games are done or, where `seconds` is not 0, the time is up; tells how it goes on stderr."""
    total, progress = Outcome(), Progress(seconds)
    waiting = chunks(games)
    if jobs == 1:
        for indices in waiting:
            total.add(play_games(seed, indices))
            if progress.tell(total):
                break
        return total
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        under_way: dict[Future[Outcome], range] = {}
        try:
            while True:
                while len(under_way) < 2 * jobs and (indices := next(waiting, None)) is not None:
                    under_way[pool.submit(play_games, seed, indices)] = indices
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
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__)
    parser.add_argument("--games", type=int, default=0, help="how many games; without it until --seconds are over")
    parser.add_argument("--seconds", type=float, default=0, help="stop after so many")
    parser.add_argument("--jobs", type=int, default=2, help="processes")
    parser.add_argument("--seed", type=int, default=1, help="of the whole soak")
    parser.add_argument("--replay", type=int, help="play this one game of the seed")
    given = parser.parse_args(arguments)
    if given.replay is not None:
        return replay(given.seed, given.replay)
    if not given.games and not given.seconds:
        parser.error("say how long: --games or --seconds")
    began = time.monotonic()
    total = run(given.seed, given.games or sys.maxsize, given.jobs, given.seconds)
    return report(total, time.monotonic() - began)


def replay(seed: int, index: int) -> int:
    """One game, described; the exit code."""
    case = draw_case(seed, index)
    print(case.described())
    try:
        steps = play_case(case, Tally())
    except Exception as error:
        traceback.print_exc()
        print(f"\nMISMATCH {told(error)}")
        return 1
    print(f"{steps} steps, no mismatch")
    return 0


def report(total: Outcome, seconds: float) -> int:
    """Print the table and the mismatches; the exit code."""
    for line in table_lines(total.counts):
        print(line)
    unreached = never_reached(total.counts)
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
