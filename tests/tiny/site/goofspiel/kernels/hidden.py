"""What a player cannot see, dealt anew: the bids of the others, and the prizes still to come."""

from numba import types

from goofspiel.kernels import codes as c
from goofspiel.kernels.rules import RULES_RECORD
from goofspiel.kernels.state import STATE_RECORD
from kernels.jit import entry, rule
from kernels.rng import below, draw_spare
from kernels.worlds import rekey, swap_in


@rule
def bid_anew(state, seat):
    """Any card of the seat's hand, in place of the one it has laid."""
    held = 0
    for card in range(c.MOST_CARDS):
        held += int(state.hand[seat, card])
    left = below(draw_spare(state, c.PURPOSE_RESAMPLE), held)
    for card in range(c.MOST_CARDS):
        if state.hand[seat, card] == 1:
            if left == 0:
                state.bid[seat] = card + 1
            left -= 1


@rule
def shuffle_prizes(state, rules):
    """The prizes to come, in an order of their own; nothing of the real one has a part in it."""
    first = int(state.turn)
    size = first
    for prize in range(1, rules.cards + 1):
        seen = False
        for turn in range(first):
            seen = seen or state.history[turn] == prize
        if not seen:
            state.prizes[size] = prize
            size += 1
    for i in range(first, size):
        swap_in(state, c.PURPOSE_RESAMPLE, state.prizes, i, size)
    for i in range(first):
        state.prizes[i] = state.history[i]


@entry(types.void(STATE_RECORD, RULES_RECORD, types.int64, types.uint64, types.int64))
def resample_hidden(state, rules, player, seed, number):
    """Deal anew what `player` cannot see, and re-key every later draw."""
    rekey(state, seed, number)
    for seat in range(state.players):
        if seat != player and state.bid[seat] > 0:
            bid_anew(state, seat)
    shuffle_prizes(state, rules)
