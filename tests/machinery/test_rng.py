"""Random draws: the published vectors, the contract's counters, shuffling as sorting, and uniformity.

The words that a stream must give come from a second Philox, tests.machinery.philox, in plain Python integers.
"""

import os
from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from numba import types
from scipy import stats

from kernels.end_of_atlantis import codes as c
from kernels.end_of_atlantis.rules import RULES
from kernels.end_of_atlantis.state import STATE_RECORD, new_states
from kernels.end_of_atlantis.step import new_game
from kernels.jit import entry
from kernels.rng import below, draw_word, philox, stream_block
from tests.end_of_atlantis.positions import Table, rules_of
from tests.machinery.philox import word

pytestmark = pytest.mark.nojit

SEED = 0x299F31D0A4093822
COMPILED = os.environ.get("NUMBA_DISABLE_JIT", "0") == "0"
DEALS = 6000 if COMPILED else 600
FEWEST_P = 1e-4  # the seeds are fixed: a test passes always or never


@entry(types.UniTuple(types.uint64, 4)(*[types.uint64] * 6))
def philox_words(k0, k1, c0, c1, c2, c3):
    return philox(k0, k1, c0, c1, c2, c3)


@entry(types.UniTuple(types.uint64, 4)(types.uint64[::1], types.int64, types.int64, types.int64, types.int64))
def block_words(key, deal, purpose, stream, block):
    return stream_block(key, deal, purpose, stream, block)


@entry(types.void(STATE_RECORD, types.int64, types.int64, types.int64[::1]))
def draw_below(state, seat, n, out):
    for i in range(len(out)):
        out[i] = below(draw_word(state, c.PURPOSE_POLICY, seat), n)


@entry(types.void(STATE_RECORD, types.int64, types.int64[::1]))
def draw_words(state, seat, out):
    for i in range(len(out)):
        out[i] = draw_word(state, c.PURPOSE_POLICY, seat)


def dealt(players=4, variants=(), settings=(), *, seed=SEED, deal=0, rules=None):
    """A fresh deal."""
    states = new_states(1)
    new_game(states[0], rules_of(players, variants, settings) if rules is None else rules, np.uint64(seed), deal)
    return states[0]


def sorted_deck(copies, purpose, first_stream, *, seed=SEED, deal=0):
    """What the contract says a shuffled deck is: sorted by key, then kind, then copy."""
    cards = [
        (word(seed, deal, purpose, first_stream + kind, copy), kind, copy)
        for kind, number in enumerate(copies)
        for copy in range(number)
    ]
    return [kind for _, kind, _ in sorted(cards)]


def words_of(text):
    return [int(part, 16) for part in text.split()]


# ---- words


@pytest.mark.parametrize(
    ("counter", "key", "expected"),
    [
        ("00000000 " * 4, "00000000 " * 2, "6627e8d5 e169c58d bc57ac4c 9b00dbd8"),
        ("ffffffff " * 4, "ffffffff " * 2, "408f276d 41c83b0e a20bc7c6 6d5451fd"),
        (
            "243f6a88 85a308d3 13198a2e 03707344",
            "a4093822 299f31d0",
            "d16cfe09 94fdcceb 5001e420 24126ea1",
        ),
    ],
    ids=["zeros", "ones", "pi"],
)
def test_philox_gives_the_published_vectors_of_random123(counter, key, expected):
    arguments = [np.uint64(part) for part in words_of(key) + words_of(counter)]
    assert [int(part) for part in philox_words(*arguments)] == words_of(expected)


@pytest.mark.parametrize("place", [(0, 0, 0, 0), (7, 8, 3, 2), (2**32 - 1, 8 + 256 * 9, 4, 2**31)])
def test_a_block_is_the_one_with_counter_deal_purpose_stream_block(place):
    key = np.array([SEED & 0xFFFFFFFF, SEED >> 32], np.uint64)
    deal, purpose, stream, block = place
    expected = [word(SEED, deal, purpose, stream, 4 * block + i) for i in range(4)]
    assert [int(part) for part in block_words(key, *place)] == expected


def test_the_key_is_the_seed_low_half_first():
    state = dealt(seed=SEED)
    assert state.key.tolist() == [0xA4093822, 0x299F31D0]


@pytest.mark.parametrize("replicate", [0, 3])
@pytest.mark.parametrize("stream", [0, 4])
def test_a_policy_draws_the_words_of_its_stream_in_order(replicate, stream):
    state = dealt(deal=12)
    state.draw_stream[1] = stream
    state.replicate = replicate
    out = np.zeros(11, np.int64)
    draw_words(state, 1, out)
    purpose = c.PURPOSE_POLICY + 256 * replicate
    assert out.tolist() == [word(SEED, 12, purpose, stream, i) for i in range(11)]


def test_two_seats_drawing_in_turns_keep_their_own_words():
    state = dealt(deal=3)
    drawn = {0: [], 1: []}
    out = np.zeros(1, np.int64)
    for seat in (0, 1, 1, 0, 0, 1, 0, 1, 1, 0):
        draw_words(state, seat, out)
        drawn[seat].append(int(out[0]))
    for seat, words in drawn.items():
        assert words == [word(SEED, 3, c.PURPOSE_POLICY, seat, i) for i in range(5)]


@pytest.mark.parametrize("n", [1, 2, 3, 6, 7, 21, 80])
def test_below_is_the_high_part_of_the_product(n):
    out = np.zeros(200, np.int64)
    draw_below(dealt(), 2, n, out)
    assert out.tolist() == [(word(SEED, 0, c.PURPOSE_POLICY, 2, i) * n) >> 32 for i in range(200)]
    assert set(out.tolist()) <= set(range(n))


@pytest.mark.parametrize("n", [2, 3, 7, 20, 64])
def test_below_is_uniform(n):
    out = np.zeros(4000, np.int64)
    draw_below(dealt(deal=77), 0, n, out)
    assert stats.chisquare(np.bincount(out, minlength=n)).pvalue > FEWEST_P


def test_successive_draws_are_independent():
    out = np.zeros(8000, np.int64)
    draw_below(dealt(deal=78), 0, 5, out)
    pairs = np.bincount(5 * out[::2] + out[1::2], minlength=25)
    assert stats.chisquare(pairs).pvalue > FEWEST_P


# ---- decks


@pytest.mark.parametrize("deal", [0, 1, 2**32 - 1])
@pytest.mark.parametrize("seed", [0, SEED, 2**64 - 1])
def test_shuffling_is_sorting_by_key(seed, deal):
    rules = rules_of(4)
    state = dealt(seed=seed, deal=deal)
    where = {"seed": seed, "deal": deal}
    politics = sorted_deck(rules.politics_copies, c.PURPOSE_POLITICS_DECK, 0, **where)
    specials = sorted_deck(rules.special_copies, c.PURPOSE_SPECIAL_DECK, 0, **where)
    assert state.politics_deck[: state.politics_size].tolist() == politics
    assert state.special_deck[: state.special_size].tolist() == specials


def test_hands_are_dealt_from_the_top_seat_by_seat():
    state = dealt()
    politics = sorted_deck(rules_of(4).politics_copies, c.PURPOSE_POLITICS_DECK, 0)
    specials = sorted_deck(rules_of(4).special_copies, c.PURPOSE_SPECIAL_DECK, 0)
    for seat in range(4):
        assert np.repeat(range(9), state.hand[seat]).tolist() == sorted(politics[7 * seat :][:7])
        assert np.repeat(range(25), state.special[seat]).tolist() == sorted(specials[2 * seat :][:2])
    assert (state.politics_top, state.special_top) == (28, 8)


@pytest.mark.parametrize("removed", [0, 2, 4, 7])
def test_removed_events_are_those_with_the_smallest_removal_keys(removed):
    for deal in range(30):
        state = dealt(settings=(f"events_removed={removed}",), deal=deal)
        removal = sorted(range(3, 10), key=lambda event: word(SEED, deal, c.PURPOSE_EVENT_REMOVAL, 0, event))
        left = {*range(3), *removal[removed:]}
        deck = sorted(left, key=lambda event: word(SEED, deal, c.PURPOSE_EVENT_DECK, 0, event))
        assert state.event_deck[: state.event_size].tolist() == deck


def test_a_deck_that_lacks_four_cards_keeps_the_order_of_the_rest():
    for kind in (c.POLITICS_BETRAYAL, c.POLITICS_SUPPORT, c.POLITICS_REFUGEES_1):
        rules = np.zeros(1, RULES)
        rules[0] = rules_of(4)
        rules = rules.view(np.recarray)[0]
        rules.politics_copies[kind] -= 4
        whole, less = dealt(), dealt(rules=rules)
        cards = sorted_deck_with_copies(rules_of(4).politics_copies)
        kept = [card[0] for card in cards if card[0] != kind or card[1] < rules.politics_copies[kind]]
        assert less.politics_deck[: less.politics_size].tolist() == kept
        others = [card for card in whole.politics_deck[:80].tolist() if card != kind]
        assert [card for card in less.politics_deck[:76].tolist() if card != kind] == others


def sorted_deck_with_copies(copies):
    """The shuffled Politics deck as (kind, copy)."""
    cards = [
        (word(SEED, 0, c.PURPOSE_POLITICS_DECK, kind, copy), kind, copy)
        for kind, number in enumerate(copies)
        for copy in range(number)
    ]
    return [(kind, copy) for _, kind, copy in sorted(cards)]


@pytest.mark.parametrize(
    ("variants", "settings"),
    [
        (("family",), ()),
        (("chosen-ships",), ("E07=up-to-8",)),
        (("aggressive-neutrals", "revealed-events"), ("E01=steps-of-2",)),
        (("revealed-specials",), ("setup_specials=3",)),
    ],
)
def test_two_variants_on_one_seed_meet_the_same_cards(variants, settings):
    for deal in range(5):
        one, other = dealt(deal=deal), dealt(4, variants, settings, deal=deal)
        assert one.politics_deck.tolist() == other.politics_deck.tolist()
        assert one.hand.tolist() == other.hand.tolist()
        assert one.special_deck.tolist() == other.special_deck.tolist()
        assert one.event_deck.tolist() == other.event_deck.tolist()


def test_more_events_in_the_deck_keep_the_order_of_the_others():
    for deal in range(30):
        decks = [
            dealt(settings=settings, deal=deal).event_deck.tolist()[:size]
            for settings, size in (((), 6), (("E16=two",), 8), (("E16=none",), 10))
        ]
        for few, more in pairwise(decks):
            assert [event for event in more if event in few] == few


def test_another_deal_or_seed_is_another_game():
    decks = {tuple(dealt(seed=seed, deal=deal).politics_deck.tolist()) for seed in (0, 1, 2**32) for deal in range(5)}
    assert len(decks) == 15


def test_reshuffled_discards_are_sorted_by_the_keys_of_that_reshuffle():
    for reshuffles in (0, 2):
        table = Table(3, seed=SEED, deal=8)
        table.state.politics_reshuffles = reshuffles
        table.empty_politics_deck()
        table.doom(c.EVENT_NO_MERCY)
        deck = sorted_deck(table.rules.politics_copies, c.PURPOSE_POLITICS_RESHUFFLE, 16 * reshuffles, deal=8)
        assert table.state.politics_deck[:80].tolist() == deck
        assert table.state.politics_reshuffles == reshuffles + 1


def test_reshuffled_specials_likewise():
    for reshuffles in (0, 3):
        table = Table(3, seed=SEED, deal=8)
        table.state.special_reshuffles = reshuffles
        table.empty_special_deck(discard=True)
        table.play_card(0, c.POLITICS_SUPPORT)
        deck = sorted_deck(table.rules.special_copies, c.PURPOSE_SPECIAL_RESHUFFLE, 32 * reshuffles, deal=8)
        assert table.state.special_deck[:25].tolist() == deck
        assert table.state.special_reshuffles == reshuffles + 1


# ---- uniformity of the deal


@pytest.fixture(scope="module")
def deals():
    """Decks of many deals: Politics (deals, 80), Special (deals, 25), Events (deals, 6)."""
    politics, specials, events = [], [], []
    states = new_states(1)
    blank = new_states(1)
    for deal in range(DEALS):
        states[0] = blank[0]
        new_game(states[0], rules_of(4), np.uint64(2024), deal)
        politics.append(states[0].politics_deck.copy())
        specials.append(states[0].special_deck.copy())
        events.append(states[0].event_deck[:6].copy())
    return np.array(politics), np.array(specials), np.array(events)


@pytest.mark.parametrize("position", [0, 1, 6, 27, 40, 78, 79])
def test_every_place_of_the_politics_deck_holds_any_card_alike(deals, position):
    copies = np.array([24, 12, 4, 8, 12, 8, 4, 4, 4])
    seen = np.bincount(deals[0][:, position], minlength=9)
    assert stats.chisquare(seen, copies * (DEALS / 80)).pvalue > FEWEST_P


@pytest.mark.parametrize("position", [0, 7, 24])
def test_every_place_of_the_special_deck_holds_any_card_alike(deals, position):
    copies = np.array([4, 3, 2, 3, 3, 3, 2, 3, 2])
    seen = np.bincount(deals[1][:, position], minlength=9)
    assert stats.chisquare(seen, copies * (DEALS / 25)).pvalue > FEWEST_P


@pytest.mark.parametrize("copy", range(3))
def test_doom_lies_anywhere_in_the_event_deck(deals, copy):
    places = np.argmax(deals[2] == copy, axis=1)
    assert stats.chisquare(np.bincount(places, minlength=6)).pvalue > FEWEST_P


def test_any_three_of_the_seven_events_stay_alike(deals):
    sets = Counter(tuple(sorted(int(event) for event in deck if event > 2)) for deck in deals[2])
    assert len(sets) == 35
    assert stats.chisquare(list(sets.values())).pvalue > FEWEST_P


def test_neighbouring_cards_are_independent(deals):
    first, second = deals[0][:, 30], deals[0][:, 31]
    copies = np.array([24, 12, 4, 8, 12, 8, 4, 4, 4])
    expected = np.array([copies[k] * (copies - (np.arange(9) == k)) for k in range(9)]) * (DEALS / (80 * 79))
    seen = np.bincount(9 * first.astype(int) + second, minlength=81).reshape(9, 9)
    kinds = [0, 1, 3, 4, 5]  # the rare kinds together, so that no cell is nearly empty
    seen, expected = (
        np.array([*(t[k, kinds] for k in kinds), np.delete(t, kinds, axis=0)[:, kinds].sum(axis=0)]).ravel()
        for t in (seen, expected)
    )
    assert stats.chisquare(seen * (expected.sum() / seen.sum()), expected).pvalue > FEWEST_P
