"""What a report is made of, whichever way it is shown: cards, and sections of sentence, picture, table and
caveat."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from analysis.frames import Run
from analysis.intervals import Estimate, Span
from analysis.plots import Picture
from analysis.tables import Kind, Table

BESIDE = 68  # characters of a table that fit beside a picture

Tone = Literal["good", "note", "bad", "open", "plain"]
"""How a verdict reads at a glance; a word always says it too, colour never alone."""


@dataclass(frozen=True)
class Card:
    """A verdict for the first screen: the question, its answer in a word or a figure, and the sentence."""

    question: str
    answer: str
    sentence: str
    tone: Tone = "plain"
    picture: Picture | None = None


@dataclass(frozen=True)
class Block:
    """Pictures and the tables they are drawn from; either may be missing."""

    pictures: tuple[Picture, ...] = ()
    tables: tuple[Table, ...] = ()
    heading: str = ""

    @property
    def shape(self) -> Literal["beside", "above", "alone", "grid"]:
        """How it is laid out.

        One picture *beside* a narrow table, pictures *above* a wide one, a *grid* of tables, or something
        *alone*.
        """
        if len(self.tables) > 1:
            return "grid"
        if not self.pictures or not self.tables:
            return "alone"
        return "beside" if len(self.pictures) == 1 and self.tables[0].width <= BESIDE else "above"


def block(*parts: Picture | Table, heading: str = "") -> Block:
    """A block of these pictures and tables."""
    return Block(
        tuple(part for part in parts if isinstance(part, Picture)),
        tuple(part for part in parts if isinstance(part, Table)),
        heading,
    )


@dataclass(frozen=True)
class Figure:
    """A number that an answer rests on, and what it is held against.

    `target` is where neither side is favoured (an even share, no difference); None where no such value exists.
    These are what is compared between policy mixes.
    """

    label: str
    estimate: Estimate | Span
    kind: Kind = "share"
    target: float | None = None


@dataclass(frozen=True)
class Section:
    """One question answered. `sentence` is what a designer can quote; `key` is the anchor and the name in
    JSON; `mark` says in a few words what such an answer may claim."""

    key: str
    title: str
    sentence: str
    blocks: tuple[Block, ...] = ()
    caveats: tuple[str, ...] = ()
    card: Card | None = None
    figures: tuple[Figure, ...] = ()
    mark: str = ""


SectionMaker = Callable[[Run, float], Section | None]
"""Answers from a run and a margin (a fraction); None where the question does not arise."""
