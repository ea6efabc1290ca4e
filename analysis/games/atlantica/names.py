"""What Atlantica's points, options and cards are called on the page, and small helpers of its sections."""

from collections.abc import Mapping, Sequence

import polars as pl

from analysis import plots
from analysis.intervals import Estimate, Moments, block_mean
from analysis.page import Section
from analysis.sections.choices import OptionGroup
from analysis.tables import show
from kernels.atlantica import codes

KINDS = range(codes.TREASURE_KINDS)
TREASURES = [f"{name} ({colour})" for name, colour in zip(codes.TREASURES, codes.TREASURE_COLOURS)]
# As the cards are coloured, from the palette where it has the colour.
TREASURE_SHADES = {
    "blue": plots.BLUE,
    "red": plots.VERMILLION,
    "yellow": "#d9c62b",
    "pink": plots.PURPLE,
    "orange": plots.YELLOW,
    "green": plots.GREEN,
    "purple": "#7a6ff0",
}
EFFECTS = {
    "blank": "worth nothing",
    "points": "plain points",
    "per_architecture": "for Architecture",
    "per_gold": "for Gold",
    "per_research": "for Research cards",
    "per_ship": "for ships",
    "three_colours": "for several colours",
    "per_divers": "for divers in hand",
    "many_crates": "for many crates",
    "joker": "treasure joker",
}
SOURCE_NAMES = {
    **dict(zip(codes.TREASURE_SLUGS, TREASURES)),
    **{name: f"Research {label}" for name, label in EFFECTS.items() if name in codes.SOURCES},
}
RESEARCH_SOURCES = [f"vp_{name}" for name in codes.SOURCES[codes.TREASURE_KINDS :]]

OUTCOMES = ("all", "winners", "others")
COMPANY = "Company, not cause: {} Only forcing it on the same deals tells what it is worth."
CHOSEN = (
    "Chosen among several: of the choices in which such a card could be taken, so many took it; a card that was the "
    "only one to take is no choice."
)
NEEDS_TURNS = "{} was not recorded in this run: it needs --detail turns."

MOST_SHOWN = 5  # treasures of a colour, or identical cards, that have a column of their own


def label_options() -> tuple[OptionGroup, ...]:
    """The options of codes.OPTIONS in the groups of the report."""
    groups: tuple[tuple[str, str, Sequence[str]], ...] = (
        ("Performing an action", "", codes.ACTIONS),
        ("Instead of an action", "", ("Catch Your Breath", "end the turn before all divers are played")),
        ("Taking a treasure in the Submarine", "take", codes.TREASURES),
        ("Taking a card in the Research Station", "take Research", tuple(EFFECTS.values())),
        ("Taking with a drink for all", "take with the drink", ("a treasure", "a Research card", "a ship")),
        ("Paying", "pay", ("a pair for a missing colour",)),
    )
    names = iter(codes.OPTIONS)
    return tuple(OptionGroup(title, verb, {next(names): label for label in labels}) for title, verb, labels in groups)


def say_nothing(key: str, title: str) -> Section:
    return Section(key, title, "No game ended by the rules, so there is nothing to tell.")


def add_up(columns: Sequence[str]) -> pl.Expr:
    return pl.sum_horizontal(pl.col(name).cast(pl.Int64) for name in columns)


def find_means(found: Mapping[str, Moments]) -> dict[str, Estimate]:
    return {name: block_mean(moments) for name, moments in found.items()}


def value_of(estimate: Estimate) -> float:
    return estimate.value or 0.0


def say_number(estimate: Estimate) -> str:
    return show(estimate.value, "number")


def say_share(estimate: Estimate) -> str:
    return show(estimate.value, "share")


def label_counts(most: int) -> list[str]:
    """`0`, `1` and so on, and `5+` for the rest."""
    return [*(str(n) for n in range(most)), f"{most}+"]


def share_counts(frame: pl.DataFrame, column: str, most: int) -> list[float]:
    """Shares of 0, 1 and so on, and of `most` or more, in a frame of `column` and `count`; negative ones are with 0."""
    seen = [0] * (most + 1)
    for value, count in frame.select(pl.col(column).clip(0, most), "count").iter_rows():
        seen[value] += count
    return [count / max(sum(seen), 1) for count in seen]
