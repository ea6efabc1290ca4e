"""Differences between two runs on the same deals: common random numbers.

Both runs met the same cards, so what the deal did cancels out of the difference. The unit is the deal: each gives one
difference, and the interval is Student's over these. How much that saved is part of the answer: the correlation
achieved, and how many games unpaired runs would have needed.
"""

from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from analysis.intervals import Estimate, Moments, block_mean

Values = NDArray[np.float64]


@dataclass(frozen=True)
class Pair:
    """Totals a deal of the two runs, `y` counted per `x`, all of shape (deals,) and in one order of deals."""

    y_a: Values
    x_a: Values
    y_b: Values
    x_b: Values

    @property
    def deals(self) -> int:
        """Deals in which both runs count something."""
        return int(self._both.sum())

    @property
    def _both(self) -> NDArray[np.bool_]:
        return (self.x_a > 0) & (self.x_b > 0)


@dataclass(frozen=True)
class Difference:
    """B less A. `correlation` between the two within a deal, None where one of them does not vary.

    `saved` is how many times as many deals two runs on unlike deals would need for the same interval; below 1 the
    pairing cost something.
    """

    a: Estimate
    b: Estimate
    estimate: Estimate
    correlation: float | None
    saved: float | None


def compare(pair: Pair) -> Difference:
    """The difference of the ratios of totals y / x, with the linearised paired error over deals.

    Deals that only one of the runs counts are left out. Equal blocks give the paired t interval.
    """
    both = pair._both
    y_a, x_a, y_b, x_b = pair.y_a[both], pair.x_a[both], pair.y_b[both], pair.x_b[both]
    a, b = block_mean(Moments.of(y_a, x_a)), block_mean(Moments.of(y_b, x_b))
    deals = len(y_a)
    if a.value is None or b.value is None:
        return Difference(a, b, Estimate(None, 0, 0, None, "none"), None, None)
    off_a = (y_a - a.value * x_a) / x_a.mean()
    off_b = (y_b - b.value * x_b) / x_b.mean()
    value, n = b.value - a.value, round(float(x_b.sum()))
    if deals < 2:
        return Difference(a, b, Estimate(value, n, deals, None, "none"), None, None)
    spread = off_b - off_a
    variance = float(spread @ spread) / (deals - 1)
    var_a, var_b = (float(off @ off) / (deals - 1) for off in (off_a, off_b))
    tiny = 1e-24 * max(a.value**2, b.value**2, 1.0)
    correlation = float(off_a @ off_b) / (deals - 1) / sqrt(var_a * var_b) if min(var_a, var_b) > tiny else None
    if variance <= tiny:
        return Difference(a, b, Estimate(value, n, deals, 0.0, "constant"), correlation, None)
    estimate = Estimate(value, n, deals, sqrt(variance / deals), "t")
    return Difference(a, b, estimate, correlation, (var_a + var_b) / variance)
