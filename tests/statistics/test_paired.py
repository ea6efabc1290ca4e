"""Paired differences against scipy, known correlations and simulation."""

import math

import numpy as np
import pytest
from scipy import stats

from analysis.paired import Pair, compare


def draw_pairs(rng, deals, rho, shift=0.0):
    """Two runs that correlate by rho, one game a deal."""
    shared = rng.normal(size=deals) * math.sqrt(rho)
    a, b = (shared + rng.normal(size=deals) * math.sqrt(1 - rho) for _ in range(2))
    ones = np.ones(deals)
    return Pair(a, ones, b + shift, ones)


def test_one_game_a_deal_gives_the_paired_t_interval() -> None:
    pair = draw_pairs(np.random.default_rng(1), 50, 0.6, 0.3)
    theirs = stats.ttest_rel(pair.y_b, pair.y_a)
    ours = compare(pair).estimate
    assert (ours.low, ours.high) == pytest.approx(tuple(theirs.confidence_interval(0.95)))
    assert ours.p_differs(0.0) == pytest.approx(theirs.pvalue)
    assert compare(pair).correlation == pytest.approx(stats.pearsonr(pair.y_a, pair.y_b)[0])


def test_deals_saved_are_those_of_the_variances() -> None:
    found = compare(draw_pairs(np.random.default_rng(2), 40_000, 0.8))
    assert found.saved == pytest.approx(1 / (1 - 0.8), rel=0.05)
    assert compare(draw_pairs(np.random.default_rng(3), 40_000, 0.0)).saved == pytest.approx(1.0, rel=0.05)


def test_blocks_of_unlike_size_have_the_error_of_the_bootstrap() -> None:
    rng = np.random.default_rng(4)
    x_a, x_b = rng.integers(1, 5, 400), rng.integers(1, 5, 400)
    favour = rng.beta(2, 6, 400)
    y_a, y_b = rng.binomial(x_a, favour), rng.binomial(x_b, np.minimum(favour + 0.05, 1))
    found = compare(Pair(y_a.astype(float), x_a.astype(float), y_b.astype(float), x_b.astype(float)))
    assert found.estimate.value == pytest.approx(y_b.sum() / x_b.sum() - y_a.sum() / x_a.sum())
    drawn = rng.integers(0, 400, (4_000, 400))
    again = y_b[drawn].sum(1) / x_b[drawn].sum(1) - y_a[drawn].sum(1) / x_a[drawn].sum(1)
    assert found.estimate.se == pytest.approx(again.std(), rel=0.06)


@pytest.mark.parametrize("rho", [0.0, 0.9])
def test_paired_interval_covers_whatever_the_correlation(rho: float) -> None:
    rng = np.random.default_rng(5)
    trials = 1_500
    covered = 0
    for _ in range(trials):
        e = compare(draw_pairs(rng, 60, rho, 0.2)).estimate
        covered += e.low <= 0.2 <= e.high
    assert abs(covered / trials - 0.95) < 4 * math.sqrt(0.95 * 0.05 / trials)


def test_deals_that_one_run_lacks_are_left_out() -> None:
    y, x = np.array([1.0, 5.0, 2.0, 7.0]), np.array([1.0, 1.0, 0.0, 1.0])
    found = compare(Pair(y, x, y + 1, np.ones(4)))
    assert found.estimate.value == pytest.approx(1.0)
    assert found.estimate.blocks == 3


@pytest.mark.parametrize("deals", [0, 1])
def test_too_few_deals_give_no_interval(deals: int) -> None:
    found = compare(Pair(*[np.ones(deals)] * 4))
    assert (found.estimate.low, found.saved, found.correlation) == (None, None, None)
    assert (found.estimate.value is None) == (deals == 0)


def test_equal_runs_differ_by_nothing() -> None:
    y = np.random.default_rng(6).normal(size=30)
    found = compare(Pair(y, np.ones(30), y, np.ones(30)))
    assert (found.estimate.value, found.estimate.low, found.estimate.high) == (0, 0, 0)
    assert found.correlation == pytest.approx(1)
    assert found.saved is None
