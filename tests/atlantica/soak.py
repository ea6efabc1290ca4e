"""What the soak of Atlantica plays: its rules, decks and players (see tests.machinery.soak)."""

from random import Random
from typing import Any

from kernels.atlantica import codes as c
from tests.atlantica.choosers import STYLES
from tests.atlantica.coverage_table import GAME, INVISIBLE, OPTIONS, PLAYERS, Tally
from tests.atlantica.lockstep import Lockstep, Position, packing_at
from tests.atlantica.oracle import Oracle
from tests.machinery.tastes import choose
from tests.machinery.twins import rules_as_dict

__all__ = ["FOCI", "GAME", "INVISIBLE", "OPTIONS", "STYLES", "Lockstep", "Oracle", "Tally", "choose"]

FOCI = ("", *OPTIONS)  # what has its turn, one after the other

# Other rules with the range in which they are drawn; what does not go together is refused by the loader.
NUMBERS = {
    "hand_size": (0, 10),
    "breath_cards": (1, 8),
    "hurricane_pile": (0, 20),
    "cards_per_turn": (1, 12),
    "pairs_per_turn": (0, 1),
    "drink_cards": (1, 3),
    "drink_treasure_spaces": (0, 6),
    "drink_research_spaces": (0, 4),
    "drink_ship_piles": (0, 3),
    "turn_cap": (1, 40),
    "set_colours": (1, 7),
    "divers_counted_by": (1, 4),
    "many_crates": (0, 12),
    "diver_copies": (4, 16),
    "treasure_copies": (5, 11),
}

# Rules under which the row is soon, or at once, all that is left of the treasures.
FEW_TREASURES = ("hurricane_pile=2", *(f"treasures_removed_{players}=40" for players in PLAYERS))
ONLY_THE_ROW = ("hurricane_pile=0", *(f"treasures_removed_{players}=51" for players in PLAYERS))
MANY_CARDS = ("cards_per_turn=12", "breath_cards=12", "hand_size=10")

# What the usual rules reach too seldom, and the settings under which it happens often.
THEMES: dict[str, tuple[str, ...]] = {
    "usual": (),
    "few divers": ("diver_copies=5",),
    "fewest divers": ("diver_copies=2", "hand_size=2", "turn_cap=20"),
    "few treasures": FEW_TREASURES,
    "greedy dives": ("dive_cards=1,4,6", "dive_spaces=1,6,6", "hurricane_pile=5", *MANY_CARDS),
    "long turns": MANY_CARDS,
    "long game": ("hurricane_pile=20", *(f"treasures_removed_{players}=0" for players in PLAYERS)),
    "Research": (),
    "jokers": (),
    "close": (),
    "closer": (),
    "one dive": ("dive_cards=1,4,6", "dive_spaces=1,6,6", *ONLY_THE_ROW, *MANY_CARDS),
    "one turn": ("turn_cap=1", *ONLY_THE_ROW),
}
# Rulings whose options seldom matter otherwise, and the theme under which they do.
THEME_OF = {
    "A07": "few treasures",
    "A21": "few treasures",
    "A20": "long turns",
    "A29": "Research",
    "A26": "jokers",
    "A11a": "close",
    "A27": "close",
    "A11b": "closer",
}


def draw_table(chance: Random, focus: str) -> tuple[int, str, tuple[str, ...], tuple[str, ...]]:
    """Players, theme, no variants, and settings, which may not go together."""
    players = chance.choice(PLAYERS)
    theme = chance.choice((*THEMES, *["usual"] * len(THEMES)))
    if chance.random() < 0.7:
        theme = THEME_OF.get(focus.partition("=")[0], theme)
    options = {option.partition("=")[0]: option for option in OPTIONS if chance.random() < 0.06}
    if focus:
        options[focus.partition("=")[0]] = focus
    settings = list(THEMES[theme])
    if theme == "usual" and chance.random() < 0.5:
        for name in chance.sample(sorted(NUMBERS), chance.randrange(1, 6)):
            settings.append(f"{name}={chance.randint(*NUMBERS[name])}")
    return players, theme, (), (*settings, *options.values())


# ---- decks that the loader has no short way to write


def draw_decks(chance: Random, theme: str, rules: Any) -> tuple[tuple[str, Any], ...]:
    """Fields of the rules record, by theme."""
    if theme == "Research":
        return research_deck(chance, [chance.randrange(c.RESEARCH_JOKER) for _ in range(chance.randrange(1, 7))])
    if theme == "jokers":
        counting = [c.RESEARCH_PER_ARCHITECTURE, c.RESEARCH_PER_GOLD, c.RESEARCH_THREE_COLOURS, c.RESEARCH_POINTS]
        return (*research_deck(chance, counting, jokers=c.MOST_JOKERS), ("treasure_values", random_rows(chance)))
    if theme == "close":  # few points, and treasures that bring none: these settle ties
        return (*same_rows((0, 1)), *research_deck(chance, [c.RESEARCH_BLANK]))
    if theme == "closer":  # a point for every treasure kept and nothing else: who ties is level
        one_crate = ("crates", ((1,) * c.PILE_SHIPS,) * c.SHIP_PILES)
        return (one_crate, *same_rows((1,)), *research_deck(chance, [c.RESEARCH_BLANK]))
    return ()


def same_rows(row: tuple[int, ...]) -> tuple[tuple[str, Any], ...]:
    """The same treasure values for each kind."""
    return (("treasure_values", (padded(row),) * c.TREASURE_KINDS),)


def padded(row: tuple[int, ...]) -> tuple[int, ...]:
    """A row of treasure values as the record holds it."""
    return (*row, *[-1] * (c.ROW_VALUES - len(row)))


def random_rows(chance: Random) -> tuple[tuple[int, ...], ...]:
    """Rising values of any length for each kind of treasure: a joker may count as any of them."""
    return tuple(
        padded(tuple(sorted(chance.randrange(12) for _ in range(chance.randrange(1, c.ROW_VALUES + 1)))))
        for _ in range(c.TREASURE_KINDS)
    )


def research_deck(chance: Random, effects: list[int], jokers: int = 0) -> tuple[tuple[str, Any], ...]:
    """The Research deck's fields: cards of these effects, about equally many, and so many jokers."""
    copies = [(c.RESEARCH_CARDS - jokers) // len(effects)] * len(effects)
    copies[0] += c.RESEARCH_CARDS - jokers - sum(copies)
    amounts = [0 if effect == c.RESEARCH_BLANK else chance.randrange(1, 4) for effect in effects]
    if jokers:
        effects, amounts, copies = [*effects, c.RESEARCH_JOKER], [*amounts, 0], [*copies, jokers]
    fields = {"research_effect": effects, "research_amount": amounts, "research_copies": copies}
    return tuple((name, (*numbers, *[0] * (c.RESEARCH_KINDS - len(numbers)))) for name, numbers in fields.items())


# ---- the oracle alone


def second_oracle(rules: Any, seed: int, deal: int) -> Oracle:
    """A game of the oracle alone, under these rules."""
    return Oracle(rules_as_dict(rules), seed, deal)


def pack(oracle: Oracle) -> Position:
    """What lockstep compares, and so what its trail holds."""
    return packing_at(oracle).of_oracle(oracle), tuple(oracle.legal())
