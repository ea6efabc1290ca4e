"""What must hold at every step."""

from numba import types

from goofspiel.kernels import codes as c
from goofspiel.kernels.rules import RULES_RECORD
from goofspiel.kernels.state import STATE_RECORD
from kernels.jit import entry

BROKEN = ("", "points by source do not add up", "a seat holds more cards than are left", "a bid is not in hand")


@entry(types.int64(STATE_RECORD, RULES_RECORD))
def broken_invariant(state, rules):
    """The number of the first invariant that does not hold, 0 if all do."""
    for seat in range(state.players):
        if state.vp_by[seat, c.SOURCE_PRIZES] + state.vp_by[seat, c.SOURCE_BONUS] != state.vp[seat]:
            return 1
        held = 0
        for card in range(c.MOST_CARDS):
            held += int(state.hand[seat, card])
        if held != rules.cards - state.turns_done:
            return 2
        if state.bid[seat] > 0 and state.hand[seat, state.bid[seat] - 1] == 0:
            return 3
    return 0
