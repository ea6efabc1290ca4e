"""The keys of a game's random words, and dealing anew what a seat cannot see: what of it knows nothing of a game."""

import numpy as np

from kernels.jit import rule
from kernels.rng import below, draw_spare


@rule
def set_keys(state, seed, deal):
    """All random words of a game follow from its seed and the number of its deal."""
    state.key[0] = seed & np.uint64(0xFFFFFFFF)
    state.key[1] = seed >> np.uint64(32)
    state.policy_key[0] = state.key[0]
    state.policy_key[1] = state.key[1]
    state.deal = deal


@rule
def rekey(state, seed, number):
    """Every later draw of `state`, a copy made to look ahead, follows from (seed, number) alone."""
    set_keys(state, seed, number)
    state.spare_left = 0
    state.spare_block = 0
    state.spare_words[:] = 0
    state.draw_words[:, :] = 0
    for seat in range(state.players):
        state.draw_left[seat] = 0
        state.draw_block[seat] = 0


@rule
def swap_in(state, purpose, cards, first, last):
    """Move a random one of cards[first:last] to the front; returns it."""
    chosen = first + below(draw_spare(state, purpose), last - first)
    card = int(cards[chosen])
    cards[chosen] = cards[first]
    cards[first] = card
    return card
