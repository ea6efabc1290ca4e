"""The confidence sequence against numerical integration, and its promise under peeking against simulation."""

import math
from itertools import pairwise

import numpy as np
import pytest
from scipy import integrate, stats

from analysis.intervals import Word
from analysis.sequential import (
    ConfidenceSequence,
    blocks_until,
    boundary,
    expected_half,
    judge_at_a_look,
    list_looks,
    log_mixture,
    share_alpha,
    tune,
)

TRIALS = 3_000


def most_errors(alpha: float, trials: int) -> float:
    """The largest error rate that chance explains (four standard errors)."""
    return alpha + 4 * math.sqrt(alpha * (1 - alpha) / trials)


# Four kinds of blocks, each with the mean that its blocks have: single games, rare and common; the mean of the four
# seatings of a deal, which resemble each other; credits shared by joint winners.
def draw_wins(chance):
    return lambda rng, shape: (rng.random(shape) < chance).astype(float)


def draw_deals(rng, shape):
    own = rng.beta(0.5, 1.5, shape)  # the deal's favour, mean 1/4
    return rng.binomial(4, own) / 4


def draw_shared(rng, shape):
    return rng.choice([0.0, 0.25, 1 / 3, 0.5, 1.0], shape, p=[0.62, 0.04, 0.06, 0.12, 0.16])


BLOCKS = {
    "rare": (draw_wins(0.02), 0.02),
    "even": (draw_wins(0.25), 0.25),
    "half": (draw_wins(0.5), 0.5),
    "deals": (draw_deals, 0.25),
    "shared": (draw_shared, 0.04 * 0.25 + 0.06 / 3 + 0.12 / 2 + 0.16),
}


def watch(draw, rng, looks, trials=TRIALS, scale=40.0, start=0.25):
    """The sequence at each look, one after the other."""
    seen = ConfidenceSequence.begin(trials, scale, start)
    for before, after in zip([0, *looks], looks):
        values = draw(rng, (after - before, trials))
        seen = seen.after(np.full(trials, after - before), values.sum(axis=0), (values**2).sum(axis=0))
        yield seen


@pytest.mark.parametrize("sums", [0.0, 3.0, 25.0])
@pytest.mark.parametrize("spread", [0.0, 1.5, 40.0])
@pytest.mark.parametrize("scale", [1.0, 20.0])
def test_mixture_is_the_integral_it_claims_to_be(sums: float, spread: float, scale: float) -> None:
    weigh = stats.gamma(scale, scale=1 / scale)

    def value(bet: float) -> float:
        return weigh.pdf(1 - bet) / weigh.cdf(1) * math.exp(bet * sums + spread * (math.log1p(-bet) + bet))

    theirs, _ = integrate.quad(value, 0, 1, limit=200)
    ours = log_mixture(np.array([sums]), np.array([spread]), scale)
    assert ours[0] == pytest.approx(math.log(theirs), abs=1e-6)


def test_boundary_is_where_the_mixture_reaches_the_bar() -> None:
    spread = np.array([0.0, 0.3, 10.0, 5_000.0])
    at = boundary(spread, 30.0, 0.025)
    assert log_mixture(at, spread, 30.0) == pytest.approx(np.full(4, math.log(40)), abs=1e-6)
    assert (np.diff(at) > 0).all()


@pytest.mark.parametrize("kind", BLOCKS)
def test_sequence_holds_at_all_looks_together(kind: str) -> None:
    draw, truth = BLOCKS[kind]
    missed = np.zeros(TRIALS, bool)
    for seen in watch(draw, np.random.default_rng(11), list_looks(5, 3_000, 1.1)):
        low, high = seen.ends(0.05)
        missed |= (low > truth) | (high < truth)
    assert missed.mean() <= most_errors(0.05, TRIALS)


def test_fixed_intervals_would_not_hold_there() -> None:
    missed = np.zeros(TRIALS, bool)
    for seen in watch(BLOCKS["half"][0], np.random.default_rng(12), list_looks(20, 3_000, 1.1)):
        half = 1.96 * np.sqrt(seen.value * (1 - seen.value) / seen.blocks)
        missed |= np.abs(seen.value - 0.5) > half
    assert missed.mean() > 0.2


def test_it_is_not_wider_than_it_need_be() -> None:
    last = list(watch(BLOCKS["even"][0], np.random.default_rng(13), [500, 5_000], scale=tune(5_000, 0.1875)))[-1]
    low, high = last.ends()
    fixed = 2 * 1.96 * math.sqrt(0.1875 / 5_000)
    assert 1.2 < (high - low).mean() / fixed < 1.9


def test_guesses_of_other_looks_change_nothing_in_the_promise_nor_much_in_the_width() -> None:
    draw, truth = BLOCKS["deals"]
    ends = []
    for looks in ([2_000], list_looks(10, 2_000, 1.05)):
        *_, last = watch(draw, np.random.default_rng(14), looks, trials=400, start=0.9)
        low, high = last.ends()
        assert ((low < truth) & (truth < high)).mean() > 0.95
        ends.append((high - low).mean())
    assert ends[1] < ends[0]  # a guess corrected on the way costs less than a bad one kept


@pytest.mark.parametrize(("value", "blocks"), [(0.0, 50), (1.0, 50), (0.25, 400)])
def test_blocks_all_alike_are_bounded_and_contain_their_value(value: float, blocks: int) -> None:
    seen = ConfidenceSequence.begin(1, 5.0, 0.25).after(
        np.array([blocks]), np.array([value * blocks]), np.array([value**2 * blocks])
    )
    low, high = seen.ends()
    assert 0 <= low[0] <= value <= high[0] <= 1
    assert 0 < high[0] - low[0] < 0.5


def test_nothing_seen_says_nothing() -> None:
    low, high = ConfidenceSequence.begin(3, 5.0).ends()
    assert (low.tolist(), high.tolist()) == ([0, 0, 0], [1, 1, 1])


def test_stretches_may_be_cut_anywhere_without_losing_blocks() -> None:
    values = np.random.default_rng(15).random((100, 1))
    whole = ConfidenceSequence.begin(1, 5.0)
    for part in np.split(values, [1, 7, 50]):
        whole = whole.after(np.array([len(part)]), part.sum(axis=0), (part**2).sum(axis=0))
    assert whole.blocks[0] == 100
    assert whole.value[0] == pytest.approx(values.mean())


def test_tuned_scale_is_about_the_best() -> None:
    tuned = expected_half(20_000, 0.1875, tune(20_000, 0.1875))
    others = [expected_half(20_000, 0.1875, scale) for scale in np.geomspace(1, 1e5, 60)]
    assert tuned <= 1.03 * min(others)


@pytest.mark.parametrize("half", [0.05, 0.01])
def test_planned_blocks_give_the_width_planned(half: float) -> None:
    blocks = blocks_until(half, 0.1875)
    reached = expected_half(blocks, 0.1875, tune(blocks, 0.1875))
    assert 0.9 * half < reached <= 1.001 * half


def test_looks_are_fixed_beforehand_and_end_where_asked() -> None:
    looks = list_looks(4, 700, 1.2)
    assert looks[0] == 4
    assert looks[-1] == 700
    assert all(a < b <= math.ceil(1.2 * a) + 1 for a, b in pairwise(looks))
    assert set(list_looks(4, 350, 1.2)[:-1]) < set(looks)  # a shorter run looks at the same counts
    assert list_looks(4, 3) == [3]


# Verdicts at a look


@pytest.mark.parametrize(
    ("ends", "word"),
    [
        ([(0.245, 0.255), (0.248, 0.252)], Word.BALANCED),
        ([(0.251, 0.258), (0.242, 0.249)], Word.SMALL),
        ([(0.262, 0.270), (0.20, 0.30)], Word.BIASED),
        ([(0.255, 0.262), (0.245, 0.255)], Word.UNDECIDED),
    ],
)
def test_verdicts(ends, word) -> None:
    low, high = np.array(ends).T
    assert judge_at_a_look((low, high), 0.25, 0.01).word is word


def simulate_decisions(chances, delta, trials=400, most=20_000):
    """What `--until decided` says of seats with these win chances, by word."""
    rng = np.random.default_rng(16)
    k = len(chances)
    alpha = share_alpha(k)
    scale = tune(blocks_until(delta, 1 / k * (1 - 1 / k), alpha), 1 / k * (1 - 1 / k), alpha)
    seen = ConfidenceSequence.begin(trials * k, scale, 1 / k)
    words: list[Word] = [Word.UNDECIDED] * trials
    looks = list_looks(200, most)
    for before, after in zip([0, *looks], looks):
        wins = rng.multinomial(after - before, chances, trials).astype(float).ravel()
        seen = seen.after(np.full(trials * k, after - before), wins, wins)
        low, high = (end.reshape(trials, k) for end in seen.ends(alpha))
        for i in range(trials):
            if words[i] is Word.UNDECIDED:
                words[i] = judge_at_a_look((low[i], high[i]), 1 / k, delta).word
    return words


@pytest.mark.parametrize("k", [2, 3, 5])
def test_stopping_when_decided_errs_at_the_margin_as_seldom_as_it_says(k: int) -> None:
    chances = np.full(k, 1 / k)
    chances[0], chances[1] = 1 / k + 0.05, 1 / k - 0.05  # in truth on the very margin: neither word is right
    words = simulate_decisions(chances, 0.05)
    assert sum(w is not Word.UNDECIDED for w in words) / len(words) <= most_errors(0.05, len(words))


def test_fair_seats_end_as_balanced_and_biased_ones_as_biased() -> None:
    fair = simulate_decisions([0.25] * 4, 0.04)
    biased = simulate_decisions([0.34, 0.22, 0.22, 0.22], 0.04)
    assert fair.count(Word.BIASED) == 0
    assert fair.count(Word.BALANCED) + fair.count(Word.SMALL) > 0.95 * len(fair)
    assert biased.count(Word.BIASED) > 0.95 * len(biased)
