"""What a player cannot see, dealt anew: `resample_hidden` makes a world that one seat cannot tell from the real one.

Hidden (A31): the other seats' hands, divers hired this turn, the decks, the treasures set aside, and the ships below
the top one of each pile. Everything else stays.
"""

import numpy as np
from numba import types

from kernels.atlantica.check import count_kind
from kernels.atlantica.codes import (
    COLOURS,
    HURRICANE,
    NOBODY,
    PILE_SHIPS,
    PROMPT_PAY,
    PURPOSE_RESAMPLE,
    RESEARCH_KINDS,
    SHIP_PILES,
    TREASURE_KINDS,
)
from kernels.atlantica.divers import hand_size
from kernels.atlantica.rules import RULES_RECORD
from kernels.atlantica.scoring import total
from kernels.atlantica.state import STATE_RECORD
from kernels.jit import entry, rule
from kernels.rng import below, draw_spare


@rule
def swap_in(state, cards, first, last):
    """Move a random one of cards[first:last] to the front; returns it."""
    chosen = first + below(draw_spare(state, PURPOSE_RESAMPLE), last - first)
    card = int(cards[chosen])
    cards[chosen] = cards[first]
    cards[first] = card
    return card


@rule
def fill_deck(state, pile, size, deck, top, end):
    """Fill deck[top:end] with random cards of pile[:size], and blank the rest: cards drawn long ago tell of hands."""
    for i in range(len(deck)):
        deck[i] = swap_in(state, pile, i - top, size) if top <= i < end else 0


@rule(allocates=True)
def resample_divers(state, rules, player):
    """All divers that `player` cannot place, dealt anew to the other hands, the Tavern and the deck."""
    pile = np.empty(len(state.diver_deck), np.int8)
    own_waiting = rules.drawn_divers_seen == 1 and state.seat == player
    # A seat half-way through a payment keeps its hand: another hand might not be able to pay.
    paying = int(state.seat) if state.prompt == PROMPT_PAY and state.seat != player else NOBODY
    size = 0
    for colour in range(COLOURS):
        unseen = int(rules.diver_copies[colour]) - int(state.diver_discard[colour]) - int(state.hand[player, colour])
        if paying != NOBODY:
            unseen -= int(state.hand[paying, colour])
        if own_waiting:
            unseen -= int(state.waiting[colour])
        for _ in range(unseen):
            pile[size] = colour
            size += 1
    first = 0
    for seat in range(state.players):
        if seat != player and seat != paying:
            held = hand_size(state, seat)
            state.hand[seat, :] = 0
            for _ in range(held):
                state.hand[seat, swap_in(state, pile, first, size)] += 1
                first += 1
    if not own_waiting:
        hired = total(state.waiting)
        state.waiting[:] = 0
        for _ in range(hired):
            state.waiting[swap_in(state, pile, first, size)] += 1
            first += 1
    fill_deck(state, pile[first:], size - first, state.diver_deck, int(state.diver_top), int(state.diver_size))


@rule(allocates=True)
def resample_treasures(state, rules):
    """The treasures to come, out of those that nobody has seen; the hurricane stays somewhere on its own space."""
    pile = np.empty(len(state.treasure_deck), np.int8)
    size = 0
    for kind in range(TREASURE_KINDS):
        unseen = int(rules.treasure_copies[kind]) - count_kind(state.treasure_row, 0, len(state.treasure_row), kind)
        for seat in range(state.players):
            unseen -= int(state.treasures[seat, kind])
        for _ in range(unseen):
            pile[size] = kind
            size += 1
    top = int(state.treasure_top)
    end = int(state.treasure_size)
    if state.hurricane != NOBODY:
        fill_deck(state, pile, size, state.treasure_deck, top, end)
        return
    fill_deck(state, pile, size, state.treasure_deck, top, end - 1)
    first = top + int(state.treasure_main)
    place = first + below(draw_spare(state, PURPOSE_RESAMPLE), end - first)
    for i in range(end - 1, place, -1):
        state.treasure_deck[i] = state.treasure_deck[i - 1]
    state.treasure_deck[place] = HURRICANE


@rule(allocates=True)
def resample_research(state, rules):
    """The Research deck, out of the cards that nobody has seen."""
    pile = np.empty(len(state.research_deck), np.int8)
    size = 0
    for kind in range(RESEARCH_KINDS):
        unseen = int(rules.research_copies[kind]) - count_kind(state.research_row, 0, len(state.research_row), kind)
        for seat in range(state.players):
            unseen -= int(state.research[seat, kind])
        for _ in range(unseen):
            pile[size] = kind
            size += 1
    fill_deck(state, pile, size, state.research_deck, int(state.research_top), int(state.research_size))


@rule
def resample_ships(state):
    """The order of the ships below the top one of each pile."""
    for pile in range(SHIP_PILES):
        deck = state.ship_deck[pile]
        first = int(state.ship_top[pile]) + 1
        for i in range(first, PILE_SHIPS):  # by number, so that nothing of the real order has a part in the new one
            for j in range(i + 1, PILE_SHIPS):
                if deck[j] < deck[i]:
                    deck[i], deck[j] = deck[j], deck[i]
        for i in range(first, PILE_SHIPS):
            swap_in(state, deck, i, PILE_SHIPS)


@entry(types.void(STATE_RECORD, RULES_RECORD, types.int64, types.uint64, types.int64))
def resample_hidden(state, rules, player, seed, number):
    """Deal anew what `player` cannot see, and re-key every later draw. Modifies `state` in place.

    The new world follows from (seed, number) alone: it says nothing of the game's own future draws.
    """
    state.key[0] = seed & np.uint64(0xFFFFFFFF)
    state.key[1] = seed >> np.uint64(32)
    state.policy_key[0] = state.key[0]
    state.policy_key[1] = state.key[1]
    state.deal = number
    state.spare_left = 0
    state.spare_block = 0
    state.spare_words[:] = 0
    state.draw_words[:, :] = 0
    if state.prompt != PROMPT_PAY:
        state.missing = 0  # what the last payer's hand lacked
    for seat in range(state.players):
        state.draw_left[seat] = 0
        state.draw_block[seat] = 0
        if seat != player:
            state.forced[seat] = 0  # a hand that could do nothing
    resample_divers(state, rules, player)
    resample_treasures(state, rules)
    resample_research(state, rules)
    resample_ships(state)
