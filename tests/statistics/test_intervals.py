"""The statistics against published values, other libraries and simulations of known truth."""

import math

import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.multitest import multipletests

from analysis.intervals import (
    NOTHING,
    Estimate,
    Moments,
    Word,
    block_mean,
    block_share,
    blocks_for_tost,
    games_to_decide,
    holm,
    judge,
    quantile,
    tost_power,
    wilson,
)

UNIT = (0.0, 1.0)


def within_error(rate: float, nominal: float, trials: int, errors: float = 4.0) -> bool:
    """Is a simulated rate within so many Monte Carlo standard errors of nominal?"""
    return abs(rate - nominal) <= errors * math.sqrt(nominal * (1 - nominal) / trials)


def of_wins(wins: int, n: int) -> Estimate:
    """The credit of a seat that won `wins` of `n` games with a deal each."""
    return block_mean(Moments(n, wins, n, wins, wins, n), UNIT)


def covers(estimate: Estimate, truth: float) -> bool:
    assert estimate.low is not None
    assert estimate.high is not None
    return estimate.low <= truth <= estimate.high


# Intervals


def test_interval_of_single_games_covers_at_its_level():
    rng = np.random.default_rng(1)
    trials = 4_000
    covered = sum(covers(of_wins(int(w), 600), 0.25) for w in rng.binomial(600, 0.25, trials))
    assert within_error(covered / trials, 0.95, trials)


def draw_blocks(rng: np.random.Generator, blocks: int) -> tuple[np.ndarray, np.ndarray]:
    """Wins and games of blocks of one to four games that rather have the same winner; the mean credit is
    0.25."""
    games = rng.integers(1, 5, blocks)
    first = rng.random(blocks) < 0.25
    alike = rng.random((blocks, 4)) < 0.7
    won = np.where(alike, first[:, None], rng.random((blocks, 4)) < 0.25)
    return (won * (np.arange(4) < games[:, None])).sum(axis=1).astype(float), games.astype(float)


def test_interval_of_clustered_games_covers_where_single_games_would_not():
    rng = np.random.default_rng(2)
    trials, covered, naive = 2_000, 0, 0
    for _ in range(trials):
        wins, games = draw_blocks(rng, 250)
        covered += covers(block_mean(Moments.of(wins, games), UNIT), 0.25)
        naive += covers(wilson(int(wins.sum()), int(games.sum())), 0.25)
    assert within_error(covered / trials, 0.95, trials)
    assert naive / trials < 0.9


def test_clustered_error_is_that_of_statsmodels():
    wins, games = draw_blocks(np.random.default_rng(3), 60)
    outcome = np.concatenate([[1.0] * int(w) + [0.0] * int(g - w) for w, g in zip(wins, games)])
    group = np.repeat(np.arange(60), games.astype(int))
    fit = sm.OLS(outcome, np.ones_like(outcome)).fit(cov_type="cluster", cov_kwds={"groups": group}, use_t=True)
    ours = block_mean(Moments.of(wins, games), UNIT)
    assert ours.value == pytest.approx(fit.params[0])
    assert ours.se == pytest.approx(fit.bse[0])
    assert (ours.low, ours.high) == pytest.approx(tuple(fit.conf_int()[0]))


def test_equal_blocks_give_students_interval_of_block_means():
    values = np.random.default_rng(4).normal(40, 9, 30)
    theirs = stats.ttest_1samp(values, 0).confidence_interval(0.95)
    ours = block_mean(Moments.of(values * 3, np.full(30, 3.0)))
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high))
    assert ours.n == 90


@pytest.mark.parametrize(
    ("hits", "n", "low", "high"),
    # Newcombe (1998), Statistics in Medicine 17, table I, method 3
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_wilson_gives_the_published_intervals(hits, n, low, high):
    ends = wilson(hits, n).interval()
    assert ends == pytest.approx((low, high), abs=5e-5)


def test_share_uses_blocks_when_they_hold_several_games():
    assert block_share(Moments.of([1.0, 0, 1], [1.0, 1, 1])).method == "wilson"
    assert block_share(Moments.of([1.0, 0, 2], [2.0, 2, 2])).method == "t"


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(1, 5)), min_size=4, max_size=30), st.integers(1, 3))
def test_moments_of_parts_add_up_to_those_of_the_whole(pairs, cut):
    y, x = zip(*pairs)
    whole = Moments.of([*map(float, y)], [*map(float, x)])
    parts = Moments.of([*map(float, y[:cut])], [*map(float, x[:cut])]) + Moments.of(
        [*map(float, y[cut:])], [*map(float, x[cut:])]
    )
    assert parts == whole


@given(st.integers(0, 50), st.integers(1, 50))
def test_intervals_grow_with_their_level_and_hold_the_value(wins, more):
    estimate = of_wins(wins, wins + more)
    inner, outer = estimate.interval(0.8), estimate.interval(0.99)
    assert estimate.value is not None
    assert inner is not None
    assert outer is not None
    assert 0 <= outer[0] <= inner[0] <= estimate.value <= inner[1] <= outer[1] <= 1


# p-values and their intervals say the same


@pytest.mark.parametrize("estimate", [of_wins(130, 400), wilson(130, 400), of_wins(20, 20), of_wins(0, 9)])
def test_one_sided_p_values_agree_with_the_ends_of_the_interval(estimate):
    low, high = estimate.interval(0.90)
    if low > 0:
        assert estimate.p_above(low) == pytest.approx(0.05, abs=1e-6)
    if high < 1:
        assert estimate.p_below(high) == pytest.approx(0.05, abs=1e-6)


def test_a_run_without_spread_gets_the_exact_binomial_interval():
    theirs = stats.binomtest(20, 20, 0.25)
    ours = of_wins(20, 20)
    assert ours.interval() == pytest.approx(tuple(theirs.proportion_ci(0.95, "exact")))
    assert ours.p_above(0.25) == pytest.approx(stats.binomtest(20, 20, 0.25, "greater").pvalue)


# Quantiles


def test_median_interval_of_ten_values_is_the_second_to_the_ninth():
    found = quantile(np.arange(1.0, 11), np.ones(10, np.int64), 0.5)
    assert (found.value, found.low, found.high) == (
        5,
        2,
        9,
    )  # covers 97.9%, Conover, Practical Nonparametric Statistics


def test_too_few_values_have_a_median_and_no_interval():
    found = quantile(np.arange(1.0, 5), np.ones(4, np.int64), 0.5)
    assert (found.value, found.low, found.high) == (2, None, None)


@pytest.mark.parametrize("q", [0.05, 0.5, 0.9])
def test_quantile_interval_covers(q):
    rng = np.random.default_rng(5)
    truth = stats.geom.ppf(q, 0.05)
    trials, covered = 1_500, 0
    for _ in range(trials):
        values, counts = np.unique(rng.geometric(0.05, 300), return_counts=True)
        found = quantile(values.astype(float), counts.astype(np.int64), q)
        covered += found.low <= truth <= found.high
    assert covered / trials > 0.95 - 4 * math.sqrt(0.95 * 0.05 / trials)


def test_design_effect_widens_as_that_many_fewer_games_would():
    values, counts = np.arange(1.0, 1001), np.ones(1000, np.int64)
    thinned = quantile(np.arange(4.0, 1001, 4), np.ones(250, np.int64), 0.5)
    ours = quantile(values, counts, 0.5, design_effect=4)
    assert (ours.low, ours.high) == pytest.approx((thinned.low, thinned.high), abs=4)


# Equivalence


def test_tost_errs_at_the_margin_as_often_as_it_says():
    rng = np.random.default_rng(6)
    trials, n = 6_000, 9_000
    wins = rng.binomial(n, 0.26, trials)  # in truth a full margin off
    wrong = sum(of_wins(int(w), n).p_within(0.25, 0.01) < 0.05 for w in wins)
    assert within_error(wrong / trials, tost_power(math.sqrt(0.26 * 0.74 / n), 0.01, 0.01), trials)
    assert wrong / trials < 0.05 + 4 * math.sqrt(0.05 * 0.95 / trials)


def test_tost_is_two_one_sided_t_tests():
    values = np.random.default_rng(7).normal(0.25, 0.1, 80)
    below = stats.ttest_1samp(values, 0.22, alternative="greater").pvalue
    above = stats.ttest_1samp(values, 0.28, alternative="less").pvalue
    assert block_mean(Moments.of(values, np.ones(80))).p_within(0.25, 0.03) == pytest.approx(max(below, above))


def test_blocks_for_tost_is_the_textbook_number():
    # Chow, Shao and Wang, Sample Size Calculations, one-sample equivalence:
    # n = (z_alpha + z_(beta/2))^2 sigma^2 / delta^2
    z = stats.norm.ppf(0.95) + stats.norm.ppf(0.90)
    assert blocks_for_tost(0.1875, 0.01) == pytest.approx(z**2 * 0.1875 / 0.01**2, rel=1e-3)


def test_planned_games_reach_the_planned_power_for_all_seats_together():
    rng = np.random.default_rng(8)
    start = of_wins(250, 1_000)
    n = 1_000 + games_to_decide(start, 0.25, 0.02, shares=4)
    trials = 400
    wins = rng.multinomial(n, [0.25] * 4, trials)
    decided = sum(judge([of_wins(int(w), n) for w in row], 0.25, 0.02).word is Word.BALANCED for row in wins)
    assert decided / trials > 0.80 - 4 * math.sqrt(0.8 * 0.2 / trials)
    assert decided / trials < 0.97  # no gross oversupply either


def test_fair_seats_are_rarely_called_anything_but_even():
    rng = np.random.default_rng(9)
    trials, n = 2_000, 4_000
    verdicts = [judge([of_wins(int(w), n) for w in row], 0.25, 0.01) for row in rng.multinomial(n, [0.25] * 4, trials)]
    surely = sum(any(v.differs) for v in verdicts) / trials
    assert surely < 0.05 + 4 * math.sqrt(0.05 * 0.95 / trials)
    assert sum(v.word is Word.BIASED for v in verdicts) / trials < 0.005


def test_seats_at_the_margin_are_rarely_called_biased():
    rng = np.random.default_rng(10)
    trials, n = 2_000, 20_000
    rows = rng.multinomial(n, [0.26, 0.26, 0.24, 0.24], trials)
    biased = sum(judge([of_wins(int(w), n) for w in row], 0.25, 0.01).word is Word.BIASED for row in rows)
    assert biased / trials < 0.05 + 4 * math.sqrt(0.05 * 0.95 / trials)


@pytest.mark.parametrize(
    ("wins", "n", "delta", "word", "phrase"),
    [
        ((250_300, 249_900, 249_800, 250_000), 1_000_000, 0.01, Word.BALANCED, "balanced within 1 pp"),
        ((256_000, 250_000, 248_000, 246_000), 1_000_000, 0.01, Word.SMALL, "small bias, within 1 pp"),
        ((270_000, 250_000, 245_000, 235_000), 1_000_000, 0.01, Word.BIASED, "biased by more than 1 pp"),
        ((270_000, 250_000, 245_000, 235_000), 1_000_000, 0.025, Word.SMALL, "small bias, within 2.5 pp"),
        ((260_000, 250_000, 249_000, 241_000), 1_000_000, 0.01, Word.UNDECIDED, None),
        ((27, 25, 25, 23), 100, 0.01, Word.UNDECIDED, None),
    ],
)
def test_verdicts(wins, n, delta, word, phrase):
    verdict = judge([of_wins(w, n) for w in wins], 0.25, delta)
    assert verdict.word is word
    if phrase:
        assert verdict.phrase == phrase
        assert verdict.more_games is None
    else:
        assert verdict.more_games >= 1
        assert verdict.phrase == f"undecided: about {verdict.more_games:,} more games needed"


def test_an_undecided_bias_is_still_known_to_be_there():
    verdict = judge([of_wins(w, 20_000) for w in (5_250, 4_950, 4_900, 4_900)], 0.25, 0.01)
    assert verdict.word is Word.UNDECIDED
    assert verdict.differs[0]


@given(st.lists(st.floats(0, 0.2), min_size=1, max_size=6))
@settings(max_examples=20)
def test_holm_is_that_of_statsmodels(p_values):
    assert holm(p_values, 0.05) == multipletests(p_values, 0.05, "holm")[0].tolist()


def test_two_seats_are_one_comparison():
    p = 2 * stats.norm.sf((0.52 - 0.5) / math.sqrt(0.52 * 0.48 / 2_500))
    assert 0.025 < p < 0.05
    assert all(judge([of_wins(1_300, 2_500), of_wins(1_200, 2_500)], 0.5, 0.001).differs)


# Little or nothing to go by


@pytest.mark.parametrize(
    "estimate",
    [
        NOTHING,
        block_mean(Moments(), UNIT),
        block_share(Moments()),
        of_wins(1, 1),
        of_wins(0, 1),
        of_wins(3, 3),
        block_mean(Moments.of([0.25] * 8, [1.0] * 8), UNIT),
        block_mean(Moments.of([7.0], [1.0])),
        block_mean(Moments.of([7.0] * 5, [1.0] * 5)),
    ],
)
def test_degenerate_data_give_plain_numbers(estimate):
    seen = [estimate.value, estimate.low, estimate.high, estimate.se]
    assert not any(x is not None and not math.isfinite(x) for x in seen)
    for p in (estimate.p_above(0.25), estimate.p_below(0.25), estimate.p_within(0.25, 0.01)):
        assert 0 <= p <= 1
    verdict = judge([estimate] * 4, 0.25, 0.01)
    assert verdict.word in (Word.UNDECIDED, Word.NONE, Word.BIASED)
    assert "nan" not in verdict.phrase.lower()


def test_nothing_is_claimed_from_one_game():
    verdict = judge([of_wins(1, 1), of_wins(0, 1), of_wins(0, 1), of_wins(0, 1)], 0.25, 0.01)
    assert verdict.word is Word.UNDECIDED
    assert 10_000 < verdict.more_games < 100_000


def test_a_seat_that_always_wins_is_biased_once_chance_is_ruled_out():
    def after(n: int) -> Word:
        return judge([of_wins(n, n), *[of_wins(0, n)] * 3], 0.25, 0.01).word

    assert after(2) is Word.UNDECIDED
    assert after(12) is Word.BIASED


def test_shared_wins_alone_are_balanced_only_after_many_games():
    def after(n: int) -> Word:
        return judge([block_mean(Moments.of([0.25] * n, [1.0] * n), UNIT)] * 4, 0.25, 0.01).word

    assert after(100) is Word.UNDECIDED
    assert after(20_000) is Word.BALANCED


def test_a_share_on_the_very_margin_asks_for_a_number_of_games_not_for_infinity():
    verdict = judge([of_wins(w, 40_000) for w in (10_400, 10_000, 9_800, 9_800)], 0.25, 0.01)
    assert verdict.word is Word.UNDECIDED
    assert 1 <= verdict.more_games < 10_000_000
