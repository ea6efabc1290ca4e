"""How search judges a position of Goofspiel."""

import sys

from goofspiel.kernels.policies import greedy
from kernels.engine import search, value
from kernels.jit import bind, rule

SCALE = search.OWN
NAMES = search.name_weights(greedy.NAMES, ("scale",))  # VP of lead that count for half of a win
WEIGHTS = search.join_weights(greedy.WEIGHTS, (200.0, 0.0, 1.0), (2.0,))


@rule
def prospects(state, rules, weights, seat):
    """Points so far."""
    return float(state.vp[seat])


@rule
def imagine(state, rules, player, weights, codes, scratch):
    """The others' bids are any of their cards."""


VALUE = bind(value, "goofspiel.kernels")
BOUND = bind(search, "goofspiel.kernels", heuristic=greedy, judge=sys.modules[__name__], value=VALUE)
choose = BOUND.choose
