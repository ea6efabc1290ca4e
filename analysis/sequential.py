"""Intervals that may be looked at again and again.

A fixed-n interval read after every thousand games until it pleases errs far more often than it says. A confidence
sequence holds at all looks together: with probability 95% the truth is never outside, so one may stop whenever one
likes. This is the empirical-Bernstein sequence of Howard, Ramdas, McAuliffe and Sekhon (2021, Time-uniform,
nonparametric, nonasymptotic confidence sequences, theorem 4) with the gamma-exponential mixture boundary
(proposition 9): valid for any number of blocks whose means lie between 0 and 1, with no normal approximation.

The spread it needs is measured against a guess of the mean made before the blocks came. Here the guess is the mean at
the look before, so that a few sums over each stretch between two looks are all that is kept.
"""

from dataclasses import dataclass, replace
from math import ceil, log

import numpy as np
from numpy.typing import NDArray
from scipy import special

from analysis.intervals import ALPHA, Verdict, Word

Values = NDArray[np.float64]
GROWTH = 1.2  # games at a look against those at the one before


@dataclass(frozen=True)
class ConfidenceSequence:
    """What is known of several block means in [0, 1] after some stretches of blocks; all arrays of one shape.

    `spread` sums the squared distances of the blocks from the guess of their stretch. `scale` is the boundary's
    parameter, chosen before the data: see `tune`.
    """

    scale: float
    start: float
    blocks: Values
    total: Values
    spread: Values

    @staticmethod
    def begin(shape: int, scale: float, start: float = 0.5) -> "ConfidenceSequence":
        """Nothing seen yet of `shape` means; `start` is the first guess of each, chosen before the data."""
        nothing = np.zeros(shape)
        return ConfidenceSequence(scale, start, nothing, nothing, nothing)

    @property
    def value(self) -> Values:
        """The means so far, the guess where there is no block."""
        return np.where(self.blocks > 0, self.total / np.maximum(self.blocks, 1), self.start)

    def after(self, blocks: Values, total: Values, squares: Values) -> "ConfidenceSequence":
        """With a stretch more: its blocks, the sum of their means and of the squares of these."""
        guess = (self.total + self.start) / (self.blocks + 1)
        added = np.maximum(0.0, squares - 2 * guess * total + guess * guess * blocks)
        return replace(
            self, blocks=self.blocks + blocks, total=self.total + total, spread=self.spread + added
        )

    def ends(self, alpha: float = ALPHA) -> tuple[Values, Values]:
        """Lower and upper ends of the two-sided sequence, which all looks together leave with probability
        `alpha` at most."""
        half = boundary(self.spread, self.scale, alpha / 2) / np.maximum(self.blocks, 1)
        half = np.where(self.blocks > 0, half, 1.0)
        return np.maximum(0.0, self.value - half), np.minimum(1.0, self.value + half)


def boundary(spread: Values, scale: float, alpha: float) -> Values:
    """How far the sum of centred blocks can be at that spread: above it at any time with probability `alpha` at
    most."""
    bar = log(1 / alpha)
    low, high = np.zeros_like(spread), np.full_like(spread, 8.0)
    while (short := log_mixture(high, spread, scale) < bar).any():
        high = np.where(short, 2 * high, high)
    for _ in range(60):
        middle = (low + high) / 2
        below = log_mixture(middle, spread, scale) < bar
        low, high = np.where(below, middle, low), np.where(below, high, middle)
    return high


def log_mixture(sums: Values, spread: Values, scale: float) -> Values:
    """Log of the mixture of exp(l s + v (log(1 - l) + l)) over l in [0, 1), 1 - l weighted as a gamma variable of
    shape and rate `scale`."""
    shape, rate = spread + scale, sums + spread + scale
    started = scale * log(scale) - special.gammaln(scale) - np.log(special.gammainc(scale, scale))
    lived = special.gammaln(shape) + np.log(special.gammainc(shape, rate)) - shape * np.log(rate)
    return np.asarray(started + lived + sums + spread, float)


def tune(blocks: float, variance: float, alpha: float = ALPHA) -> float:
    """The scale whose boundary is tightest after about so many blocks of that variance (Howard et al. 2021, 3.5)."""
    tail = log(1 / alpha)
    return max(1.0, blocks * variance / (2 * tail + log(1 + 2 * tail)))


def list_looks(first: int, most: int, growth: float = GROWTH) -> list[int]:
    """The counts at which one looks: fixed beforehand, each `growth` times the last, ending with `most`."""
    looks, at = [], float(min(first, most))
    while ceil(at) < most:
        looks.append(ceil(at))
        at = max(at * growth, ceil(at) + 1)
    return [*looks, most]


def expected_half(blocks: float, variance: float, scale: float, alpha: float = ALPHA) -> float:
    """Half the width to expect after so many blocks of that variance."""
    return float(boundary(np.array([blocks * variance]), scale, alpha / 2)[0]) / blocks


def judge_at_a_look(ends: tuple[Values, Values], target: float, delta: float) -> Verdict:
    """The verdict of intervals that hold together at every look.

    No test is needed: *balanced* where each lies within `delta` of `target`, *small bias* where one of them leaves the
    target out, *biased* where one lies wholly beyond, else *undecided*.
    """
    low, high = ends
    within = (low > target - delta) & (high < target + delta)
    beyond = (low > target + delta) | (high < target - delta)
    differs = (low > target) | (high < target)
    readings = tuple(
        Word.BIASED if far else (Word.SMALL if off else Word.BALANCED) if near else Word.UNDECIDED
        for far, near, off in zip(beyond, within, differs)
    )
    word = next(w for w in (Word.BIASED, Word.UNDECIDED, Word.SMALL, Word.BALANCED) if w in readings)
    return Verdict(word, delta, readings, tuple(map(bool, differs)))


def share_alpha(shares: int, alpha: float = ALPHA) -> float:
    """The error each of several shares may have so that all hold together; two of one whole are one."""
    return alpha / shares if shares > 2 else alpha


def blocks_until(half: float, variance: float, alpha: float = ALPHA) -> float:
    """Blocks after which a tuned sequence is about `half` wide either way."""
    blocks = max(16.0, variance * (2 * log(1 / alpha)) / half**2)
    for _ in range(30):
        seen = expected_half(blocks, variance, tune(blocks, variance, alpha), alpha)
        if seen <= half:
            break
        blocks *= min(4.0, max(1.02, (seen / half) ** 2))
    return blocks
