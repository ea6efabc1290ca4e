"""What a policy does that the others in the same games do not: the traits in which it differs most from the field.

Nothing here knows what a column means. All traits of a policy are looked at, so their intervals are widened for that
(Bonferroni), and they are ranked by the end of the interval that is nearest to "like the others".
"""

from dataclasses import dataclass
from math import exp, inf, log, sqrt

import numpy as np
from numpy.typing import NDArray
from scipy import special

from analysis.intervals import ALPHA, Estimate, Moments, Span, block_mean
from analysis.tables import Kind, show
from analysis.tournament.cells import UNIT, Manners

Values = NDArray[np.float64]

FEW = 4


@dataclass(frozen=True)
class Trait:
    """One thing that a policy does `ratio` times as often as the field, with the rates behind it.

    An `option`'s rate is a share of its chances, anything else is a number a seat. The ratio has no value where the
    field never does it, and then no upper end.
    """

    name: str
    option: bool
    own: Estimate
    field: Estimate
    ratio: Span

    @property
    def distance(self) -> float:
        """How far the interval of the ratio stays from 1, as a logarithm; 0 where it holds 1."""
        low = log(self.ratio.low) if self.ratio.low else -inf
        high = log(self.ratio.high) if self.ratio.high else inf if self.ratio.high is None else -inf
        return max(0.0, low, -high)


def find_traits(manners: Manners, policy: int, few: int = FEW) -> tuple[Trait, ...]:
    """The `few` traits in which a policy surely differs most from the field in its games, the farthest first."""
    found = [trait for place in range(len(manners.names)) if (trait := _measure(manners, policy, place))]
    telling = sorted((trait for trait in found if trait.distance > 0), key=lambda trait: -trait.distance)
    return tuple(telling[:few])


def _measure(manners: Manners, policy: int, place: int) -> Trait | None:
    done, chances = manners.done[:, policy, place], manners.chances[:, policy, place]
    field_done, field_chances = manners.field_done[:, policy, place], manners.field_chances[:, policy, place]
    if not chances.sum() or not field_chances.sum():
        return None
    a, c = float(done.sum()), float(field_done.sum())
    if a * c < 0 or a == c == 0:
        return None
    bounds = UNIT if manners.options[place] else None
    own, field = (
        block_mean(Moments.of(y, x), bounds if y.any() else UNIT)
        for y, x in ((done, chances), (field_done, field_chances))
    )
    level = 1 - ALPHA / len(manners.names)
    ratio = _divide(own, field, level) if a * c == 0 else _take_ratio(done, chances, field_done, field_chances, level)
    return Trait(manners.names[place].replace("_", " "), manners.options[place], own, field, ratio)


def _take_ratio(done: Values, chances: Values, field_done: Values, field_chances: Values, level: float) -> Span:
    """The ratio of two rates from the same blocks, its error linearised on the logarithm."""
    a, b, c, d = (float(x.sum()) for x in (done, chances, field_done, field_chances))
    value, blocks = (a / b) / (c / d), len(done)
    if blocks < 2:
        return Span(value, None, None, blocks)
    off = done / a - chances / b - field_done / c + field_chances / d
    error = sqrt(float(off @ off) * blocks / (blocks - 1))
    half = float(special.stdtrit(blocks - 1, (1 + level) / 2)) * error
    return Span(value, value * exp(-min(half, 700)), value * exp(min(half, 700)), round(b))


def _divide(own: Estimate, field: Estimate, level: float) -> Span:
    """The ratio where one side is 0, from the ends of both intervals."""
    mine, theirs = own.interval(level), field.interval(level)
    if mine is None or theirs is None:
        return Span(None, None, None, own.n)
    if own.value == 0:
        return Span(0.0, 0.0, mine[1] / theirs[0] if theirs[0] > 0 else None, own.n)
    return Span(None, max(0.0, mine[0] / theirs[1]) if theirs[1] > 0 else None, None, own.n)


def say_trait(trait: Trait) -> str:
    """`takes faction oraklos 3.1 times as often (12.0% of chances, others 3.9%)`."""
    kind: Kind = "share" if trait.option else "fine"
    beside = f"{show(trait.own.value, kind)}{' of chances' if trait.option else ' a seat'}"
    others = f"others {show(trait.field.value, kind)}"
    verb = f"takes {trait.name}" if trait.option else trait.name
    return f"{verb} {say_ratio(trait.ratio)} ({beside}, {others})"


def say_ratio(ratio: Span) -> str:
    """`3.1× [2.9, 3.3]`, `over 12×`, `0×`."""
    if ratio.value is None:
        return f"over {ratio.low:,.1f}×" if ratio.low else "more"
    digits = 1 if ratio.value >= 10 else 2
    text = f"{ratio.value:,.{digits}f}×"
    if ratio.low is None or ratio.high is None:
        return text
    return f"{text} [{ratio.low:,.{digits}f}, {ratio.high:,.{digits}f}]"
