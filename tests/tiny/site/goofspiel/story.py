"""Goofspiel, told."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar

from goofspiel.kernels import codes as c
from sim.rulebook import Rulebook
from sim.stories import Fact, Opening, Sight, Step


@dataclass(frozen=True, kw_only=True)
class Turn(Fact):
    """A prize, the cards bid for it by seat, and the VP it brings whoever takes it."""

    kind: ClassVar[str] = "turn"
    prize: int
    bids: tuple[int, ...]
    vp: int


@dataclass(frozen=True, kw_only=True)
class End(Fact):
    """The points of all seats; winners count from 0."""

    kind: ClassVar[str] = "end_game"
    vp: tuple[int, ...]
    winners: tuple[int, ...]


def tell_game(rulebook: Rulebook, start: Sight, steps: Iterable[Step]) -> Iterator[Fact]:
    """The facts of a game. Raises AssertionError if they do not add up to the points."""
    values = rulebook.rules["prize_values"].value
    points = [0] * start.players
    points[-1] += rulebook.rules["bonus"].value
    for step in steps:
        after = step.after
        if after.turns_done > step.before.turns_done:
            taker = None if after.taken_by == c.NOBODY else after.taken_by
            vp = values[after.shown_prize - 1] if taker is not None else 0
            if taker is not None:
                points[taker] += vp
            bids = tuple(after.shown[: start.players])
            yield Turn(turn=after.turns_done, phase="turns", seat=taker, prize=after.shown_prize, bids=bids, vp=vp)
        if after.phase == c.PHASE_OVER:
            assert points == after.vp[: start.players], f"told {points}, the kernels say {after.vp}"
            winners = tuple(seat for seat, vp in enumerate(points) if vp == max(points))
            yield End(turn=after.turn, phase="over", vp=tuple(points), winners=winners)


def write_text(facts: Iterable[Fact]) -> Iterator[str]:
    """The game in plain words."""
    for fact in facts:
        if isinstance(fact, Opening):
            yield f"{fact.title}, {fact.players} players, game {fact.game} of seed {fact.seed}"
        elif isinstance(fact, Turn):
            bids = ", ".join(map(str, fact.bids))
            taken = "nobody takes it" if fact.seat is None else f"seat {fact.seat + 1} takes it: +{fact.vp} VP"
            yield f"Turn {fact.turn}: prize {fact.prize}, bids {bids}; {taken}."
        elif isinstance(fact, End):
            winners = " and ".join(f"seat {seat + 1}" for seat in fact.winners)
            yield f"Points: {', '.join(map(str, fact.vp))}. Won by {winners}."
