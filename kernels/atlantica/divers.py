"""Diver cards between deck, hand and discards (A04, A24)."""

from kernels.atlantica.codes import COLOURS, NONE, PURPOSE_DIVER_RESHUFFLE
from kernels.jit import rule
from kernels.piles import shuffle, total


@rule
def next_diver(state):
    """Take the top diver off the deck, reshuffling the discards if need be; NONE if there is none."""
    if state.diver_top == state.diver_size:
        state.diver_size = shuffle(
            state.key,
            state.deal,
            PURPOSE_DIVER_RESHUFFLE,
            16 * int(state.diver_reshuffles),
            state.diver_discard,
            state.diver_deck,
        )
        state.diver_top = 0
        if state.diver_size == 0:
            return NONE
        state.diver_discard[:] = 0
        state.diver_reshuffles += 1
    colour = int(state.diver_deck[state.diver_top])
    state.diver_top += 1
    return colour


@rule
def draw_to_hand(state, seat, n):
    """The seat draws n divers into its hand, or as many as there are; returns how many."""
    for drawn in range(n):
        colour = next_diver(state)
        if colour == NONE:
            return drawn
        state.hand[seat, colour] += 1
    return n


@rule
def draw_to_waiting(state, n):
    """Divers hired in the Tavern lie face down until the end of the turn; returns how many came."""
    for drawn in range(n):
        colour = next_diver(state)
        if colour == NONE:
            return drawn
        state.waiting[colour] += 1
    return n


@rule
def take_up_waiting(state, seat):
    """The end of the turn: the divers hired come to hand."""
    for colour in range(COLOURS):
        state.hand[seat, colour] += state.waiting[colour]
        state.waiting[colour] = 0


@rule
def divers_left(state):
    """Divers that can be drawn: deck and discards."""
    return int(state.diver_size) - int(state.diver_top) + total(state.diver_discard)


@rule
def hand_size(state, seat):
    """Divers in the seat's hand."""
    return total(state.hand[seat])
