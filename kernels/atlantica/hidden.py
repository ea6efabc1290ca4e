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
    SHIP_PILES,
)
from kernels.atlantica.divers import hand_size
from kernels.atlantica.rules import RULES_RECORD
from kernels.atlantica.state import STATE_RECORD
from kernels.jit import entry, rule
from kernels.piles import total
from kernels.rng import below, draw_spare
from kernels.worlds import rekey, swap_in


@rule
def fill_deck(state, pile, size, deck, top, end):
    """Fill deck[top:end] with random cards of pile[:size], and blank the rest: cards drawn long ago tell of hands."""
    for i in range(len(deck)):
        deck[i] = swap_in(state, PURPOSE_RESAMPLE, pile, i - top, size) if top <= i < end else 0


@rule
def gather_unseen(pile, copies, row, collected, players):
    """The cards of a deck that nobody has seen, by kind, onto `pile`; returns how many."""
    size = 0
    for kind in range(len(copies)):
        unseen = int(copies[kind]) - count_kind(row, 0, len(row), kind)
        for seat in range(players):
            unseen -= int(collected[seat, kind])
        for _ in range(unseen):
            pile[size] = kind
            size += 1
    return size


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
                state.hand[seat, swap_in(state, PURPOSE_RESAMPLE, pile, first, size)] += 1
                first += 1
    if not own_waiting:
        hired = total(state.waiting)
        state.waiting[:] = 0
        for _ in range(hired):
            state.waiting[swap_in(state, PURPOSE_RESAMPLE, pile, first, size)] += 1
            first += 1
    fill_deck(state, pile[first:], size - first, state.diver_deck, int(state.diver_top), int(state.diver_size))


@rule(allocates=True)
def resample_treasures(state, rules):
    """The treasures to come, out of those that nobody has seen; the hurricane stays somewhere on its own space."""
    pile = np.empty(len(state.treasure_deck), np.int8)
    size = gather_unseen(pile, rules.treasure_copies, state.treasure_row, state.treasures, int(state.players))
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
    size = gather_unseen(pile, rules.research_copies, state.research_row, state.research, int(state.players))
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
            swap_in(state, PURPOSE_RESAMPLE, deck, i, PILE_SHIPS)


@entry(types.void(STATE_RECORD, RULES_RECORD, types.int64, types.uint64, types.int64))
def resample_hidden(state, rules, player, seed, number):
    """Deal anew what `player` cannot see, and re-key every later draw. Modifies `state` in place.

    The new world follows from (seed, number) alone: it says nothing of the game's own future draws.
    """
    rekey(state, seed, number)
    if state.prompt != PROMPT_PAY:
        state.missing = 0  # what the last payer's hand lacked
    for seat in range(state.players):
        if seat != player:
            state.forced[seat] = 0  # a hand that could do nothing
    resample_divers(state, rules, player)
    resample_treasures(state, rules)
    resample_research(state, rules)
    resample_ships(state)
