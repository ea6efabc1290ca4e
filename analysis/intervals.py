"""Means, shares and verdicts whose unit is the deal block.

Games that share a deal (the rotations of a lineup) are one block. Everything here works on a handful of sums
over blocks, `Moments`, so a million games need no more memory than one: estimates are ratios of block totals
with the usual linearised (cluster-robust) standard error and Student's t on blocks - 1 degrees of freedom
(Cochran, Sampling Techniques, 3rd ed., section 6.4). Shares are fractions, 0.25 and not 25; margins are
fractions too, 0.01 is 1 pp.

Where data cannot carry that, the answer stays plain: blocks that are all alike say nothing about spread, so a
bounded quantity falls back to the exact binomial interval with a block as the trial (the widest any quantity
between the bounds can need); one block of an unbounded quantity has a value and no interval.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from math import ceil, floor, isfinite, log10, sqrt
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy import special

LEVEL = 0.95
ALPHA = 0.05
POWER = 0.80


@dataclass(frozen=True)
class Moments:
    """Sums over blocks of a total `y` and of what it is counted per, `x` (games, seats, occasions).

    Adding two gives the moments of both sets of blocks together.
    """

    blocks: int = 0
    y: float = 0.0
    x: float = 0.0
    yy: float = 0.0
    xy: float = 0.0
    xx: float = 0.0

    def __add__(self, other: "Moments") -> "Moments":
        return Moments(
            self.blocks + other.blocks,
            self.y + other.y,
            self.x + other.x,
            self.yy + other.yy,
            self.xy + other.xy,
            self.xx + other.xx,
        )

    @staticmethod
    def of(y: NDArray[np.float64] | Sequence[float], x: NDArray[np.float64] | Sequence[float]) -> "Moments":
        """Moments of block totals `y`, shape (blocks,), counted per `x`, same shape."""
        a, b = np.asarray(y, float), np.asarray(x, float)  # no a @ a: its threads cost more than they bring here
        squares = (float((c * d).sum()) for c, d in ((a, a), (a, b), (b, b)))
        return Moments(len(a), float(a.sum()), float(b.sum()), *squares)


@dataclass(frozen=True)
class Span:
    """A value and the ends of its 95% interval, None where there is none; `n` observations."""

    value: float | None
    low: float | None
    high: float | None
    n: int


@dataclass(frozen=True)
class Estimate:
    """A value with what its interval needs.

    `n` counts observations (games, or whatever `x` counted), `blocks` the deals they came from. `method` says
    how the interval is found: "t" over blocks, "wilson" or "exact" for shares, "constant" where all blocks
    agree, "none" where there is nothing to go by.
    """

    value: float | None
    n: int
    blocks: int
    se: float | None
    method: Literal["t", "wilson", "exact", "constant", "none"]
    bounds: tuple[float, float] | None = None

    @property
    def low(self) -> float | None:
        """Lower end of the 95% interval, None where there is none."""
        ends = self.interval()
        return None if ends is None else ends[0]

    @property
    def high(self) -> float | None:
        """Upper end of the 95% interval, None where there is none."""
        ends = self.interval()
        return None if ends is None else ends[1]

    def interval(self, level: float = LEVEL) -> tuple[float, float] | None:
        """Both ends of the two-sided interval at `level`, None where the data give none."""
        if self.value is None or self.method == "none":
            return None
        tail = (1 - level) / 2
        if self.method == "constant":
            return self.value, self.value
        if self.method == "wilson":
            return _wilson_ends(self.value, self.n, float(special.ndtri(1 - tail)))
        if self.method == "exact":
            hits, rest = self._hits()
            low = float(special.betaincinv(hits, rest + 1, tail)) if hits > 0 else 0.0
            high = float(special.betaincinv(hits + 1, rest, 1 - tail)) if rest > 0 else 1.0
            return low, high
        assert self.se is not None
        half = float(special.stdtrit(self.blocks - 1, 1 - tail)) * self.se
        low, high = self.value - half, self.value + half
        if self.bounds is not None:
            low, high = max(low, self.bounds[0]), min(high, self.bounds[1])
        return low, high

    def against(self, target: float, factor: float = 1.0) -> Span:
        """The same times `factor`, less `target`."""

        def moved(end: float | None) -> float | None:
            return None if end is None else end * factor - target

        return Span(moved(self.value), moved(self.low), moved(self.high), self.n)

    def p_above(self, bar: float) -> float:
        """One-sided p-value of "the truth is at most `bar`": small when the data say it is above."""
        if self.value is None or self.method == "none":
            return 1.0
        if self.method == "constant":
            return 0.0 if self.value > bar else 1.0
        if self.method == "exact":
            hits, rest = self._hits()
            return float(special.betainc(hits, rest + 1, min(max(bar, 0.0), 1.0))) if hits > 0 else 1.0
        if self.method == "wilson":
            if not 0 < bar < 1:
                return 0.0 if self.value > bar else 1.0
            return float(special.ndtr((bar - self.value) / sqrt(bar * (1 - bar) / self.n)))
        assert self.se is not None
        return float(special.stdtr(self.blocks - 1, (bar - self.value) / self.se))

    def p_below(self, bar: float) -> float:
        """One-sided p-value of "the truth is at least `bar`": small when the data say it is below."""
        if self.value is None or self.method == "none":
            return 1.0
        mirrored = replace(self, value=self._mirror(self.value))
        return mirrored.p_above(self._mirror(bar))

    def p_differs(self, target: float) -> float:
        """Two-sided p-value of "the truth is `target`"."""
        return min(1.0, 2 * min(self.p_above(target), self.p_below(target)))

    def p_beyond(self, target: float, delta: float) -> float:
        """Two-sided p-value of "the truth is within `delta` of `target`": small when it is surely farther
        off."""
        return min(1.0, 2 * min(self.p_above(target + delta), self.p_below(target - delta)))

    def p_within(self, target: float, delta: float) -> float:
        """TOST p-value of "the truth is `delta` or more off `target`": small when it is surely nearer
        (Schuirmann 1987)."""
        return max(self.p_above(target - delta), self.p_below(target + delta))

    def _hits(self) -> tuple[float, float]:
        assert self.value is not None
        return self.value * self.blocks, (1 - self.value) * self.blocks

    def _mirror(self, value: float) -> float:
        return 1 - value if self.method in ("exact", "wilson") else -value


def _wilson_ends(share: float, n: int, z: float) -> tuple[float, float]:
    """Wilson's (1927) score interval. statsmodels has it too, but takes longer to import than most answers
    take."""
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    return max(0.0, middle - half) if share > 0 else 0.0, min(1.0, middle + half) if share < 1 else 1.0


NOTHING = Estimate(None, 0, 0, None, "none")


def block_mean(moments: Moments, bounds: tuple[float, float] | None = None) -> Estimate:
    """The ratio of totals y / x with its cluster-robust error; `bounds` (0, 1) for credits and shares."""
    if moments.x <= 0 or moments.blocks < 1:
        return NOTHING
    value = moments.y / moments.x
    n, blocks = round(moments.x), moments.blocks
    spread = moments.yy - 2 * value * moments.xy + value * value * moments.xx
    alike = spread <= 1e-11 * max(moments.yy, 1e-300)
    if blocks > 1 and not alike:
        se = sqrt(blocks / (blocks - 1) * spread) / moments.x
        return Estimate(value, n, blocks, se, "t", bounds)
    if bounds == (0.0, 1.0):
        return Estimate(min(max(value, 0.0), 1.0), n, blocks, None, "exact", bounds)
    if blocks > 1:
        return Estimate(value, n, blocks, 0.0, "constant", bounds)
    return Estimate(value, n, blocks, None, "none", bounds)


def block_share(moments: Moments) -> Estimate:
    """A share: Wilson's interval where every block is one yes or no, else the cluster-robust one."""
    one_each = moments.x == moments.xx == moments.blocks and moments.y == moments.yy == moments.xy
    if one_each and moments.blocks > 0:
        value = moments.y / moments.x
        return Estimate(value, moments.blocks, moments.blocks, None, "wilson", (0.0, 1.0))
    return block_mean(moments, (0.0, 1.0))


def wilson(hits: int, n: int) -> Estimate:
    """`hits` of `n` independent yes-or-no games."""
    return block_share(Moments(n, hits, n, hits, hits, n))


# Spans of something counted: VP, turns, decisions.


def quantile(
    values: NDArray[np.float64],
    counts: NDArray[np.int64],
    q: float,
    design_effect: float = 1.0,
    level: float = LEVEL,
) -> Span:
    """The q-quantile of `values` (ascending, distinct) seen `counts` times each, in their unit.

    The interval takes the binomial ranks of an order statistic, which never cover less than `level` for
    independent games; blocks of several games enter through `design_effect` (variance of the share up to the
    quantile against that of independent games), after Woodruff (1952).
    """
    from scipy import stats  # a third of a second, which most questions do not need

    n = int(counts.sum())
    if n == 0:
        return Span(None, None, None, 0)
    reached = np.cumsum(counts)
    effective = max(1, floor(n / max(design_effect, 1e-9)))
    tail = (1 - level) / 2
    first = int(stats.binom.ppf(tail, effective, q))
    last = int(stats.binom.ppf(1 - tail, effective, q)) + 1

    def at_rank(rank: float) -> float:
        place = min(int(np.searchsorted(reached, rank - 1e-9 * n)), len(values) - 1)
        return float(values[place])

    return Span(
        at_rank(max(1.0, q * n)),
        at_rank(first * n / effective) if first >= 1 else None,
        at_rank(last * n / effective) if last <= effective else None,
        n,
    )


# Verdicts.


class Word(StrEnum):
    """What an equivalence question ends in."""

    BALANCED = "balanced"
    SMALL = "small bias"
    BIASED = "biased"
    UNDECIDED = "undecided"
    NONE = "no data"


@dataclass(frozen=True)
class Verdict:
    """`word` for all together, `readings` one by one, `more_games` where undecided."""

    word: Word
    delta: float
    readings: tuple[Word, ...]
    differs: tuple[bool, ...]  # surely not at the target, whatever the size
    more_games: int | None = None

    @property
    def phrase(self) -> str:
        """The verdict in a few words, for a table or a card."""
        margin = f"{self.delta * 100:g} pp"
        if self.word is Word.BALANCED:
            return f"balanced within {margin}"
        if self.word is Word.SMALL:
            return f"small bias, within {margin}"
        if self.word is Word.BIASED:
            return f"biased by more than {margin}"
        if self.word is Word.UNDECIDED:
            return f"undecided: about {self.more_games:,} more games needed"
        return "no finished game to judge by"


def judge(estimates: Sequence[Estimate], target: float, delta: float, alpha: float = ALPHA) -> Verdict:
    """Is every share within `delta` of `target`?

    *balanced*: each passes the TOST at `alpha` (an intersection-union test, so no correction); *biased*: one
    lies surely beyond `delta`; *small bias*: all within, one surely off the target; else *undecided*.
    "Surely" is corrected for the number of shares looked at by Holm's method, so a fair field is called
    biased in at most `alpha` of all reports. Two shares of one whole mirror each other and are one
    comparison.
    """
    if not estimates or any(e.value is None for e in estimates):
        return Verdict(Word.NONE, delta, tuple(Word.NONE for _ in estimates), tuple(False for _ in estimates))
    surely = holm if len(estimates) > 2 else _one_comparison
    differs = surely([e.p_differs(target) for e in estimates], alpha)
    beyond = surely([e.p_beyond(target, delta) for e in estimates], alpha)
    within = [e.p_within(target, delta) < alpha for e in estimates]
    readings = tuple(map(_reading, differs, beyond, within))
    word = next(w for w in (Word.BIASED, Word.UNDECIDED, Word.SMALL, Word.BALANCED) if w in readings)
    more = None
    if word is Word.UNDECIDED:
        open_ones = [e for e, reading in zip(estimates, readings) if reading is Word.UNDECIDED]
        more = max(games_to_decide(e, target, delta, len(estimates), alpha) for e in open_ones)
    return Verdict(word, delta, readings, tuple(differs), more)


def _reading(differs: bool, beyond: bool, within: bool) -> Word:
    if beyond:
        return Word.BIASED
    if within:
        return Word.SMALL if differs else Word.BALANCED
    return Word.UNDECIDED


def _one_comparison(p_values: Sequence[float], alpha: float) -> list[bool]:
    return [p <= alpha for p in p_values]


def holm(p_values: Sequence[float], alpha: float = ALPHA) -> list[bool]:
    """Which hypotheses fall by Holm's (1979) step-down method, with `alpha` for all together.

    statsmodels has it too, but collects garbage each time, a seventh of a second, and simulations ask often.
    """
    fallen = [False] * len(p_values)
    for step, place in enumerate(sorted(range(len(p_values)), key=lambda i: p_values[i])):
        if p_values[place] > alpha / (len(p_values) - step):
            break
        fallen[place] = True
    return fallen


def tost_power(se: float, delta: float, off: float = 0.0, alpha: float = ALPHA) -> float:
    """Chance that the TOST says "within `delta`" when the truth is `off` the target and the standard error is
    `se`.

    Normal approximation, good from some hundred blocks on.
    """
    bar = special.ndtri(1 - alpha)
    return max(0.0, float(special.ndtr((delta - off) / se - bar) + special.ndtr((delta + off) / se - bar) - 1))


def blocks_for_tost(
    block_variance: float, delta: float, off: float = 0.0, alpha: float = ALPHA, power: float = POWER
) -> int:
    """Blocks after which the TOST has that power; `off` (a fraction, under `delta`) is the true distance from
    the target."""
    from scipy import optimize

    if block_variance <= 0:
        return 2

    def short(log_blocks: float) -> float:
        return tost_power(sqrt(block_variance / 10**log_blocks), delta, abs(off), alpha) - power

    ceiling = log10(block_variance) - 2 * log10(delta - abs(off)) + 3
    if short(0.31) >= 0:
        return 2
    return max(2, ceil(10 ** optimize.brentq(short, 0.3, ceiling)))


def games_to_decide(
    estimate: Estimate, target: float, delta: float, shares: int, alpha: float = ALPHA, power: float = POWER
) -> int:
    """About how many more games will probably decide an undecided share, two digits, at least one.

    Planned as if the share were exactly on target while the data allow that; else, or where the games played
    would already have been enough, from where the share was seen to be. Seen on the very margin, the distance
    to it is taken as half a standard error, since nobody can play infinitely many games. The joint power over
    `shares` is at least `power`.
    """
    each = 1 - (1 - power) / max(shares, 1)
    blocks = max(estimate.blocks, 1)
    per_block = max(estimate.n, 1) / blocks
    if estimate.se is not None and estimate.se > 0:
        variance = estimate.se**2 * blocks
    else:
        variance = target * (1 - target)  # the most a share of this mean can vary
    assert estimate.value is not None
    needed = blocks_for_tost(variance, delta, 0.0, alpha, each)
    if needed <= blocks or estimate.p_differs(target) < alpha / max(shares, 1):
        off = abs(estimate.value - target)
        distance = max(abs(delta - off), sqrt(variance / blocks) / 2)
        if off < delta:
            needed = blocks_for_tost(variance, delta, max(delta - distance, 0.0), alpha, each)
        else:
            reach = special.ndtri(1 - alpha / 2 / max(shares, 1)) + special.ndtri(each)
            needed = ceil(variance * (reach / distance) ** 2)
    return _two_digits(max(1.0, (needed - blocks) * per_block))


def _two_digits(number: float) -> int:
    """`number` rounded up to two digits: a forecast of this kind carries no more."""
    if not isfinite(number) or number < 1:
        return 1
    unit = 10 ** max(0, floor(log10(number)) - 1)
    return int(ceil(number / unit) * unit)
