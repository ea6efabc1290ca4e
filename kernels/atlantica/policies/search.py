"""How search judges a position of Atlantica; how it searches is kernels.engine.search."""

import sys

from kernels.atlantica.divers import hand_size
from kernels.atlantica.policies import greedy
from kernels.atlantica.scoring import score_now
from kernels.engine import search, value
from kernels.jit import bind, rule

WAITING, EMPTY, DIVERS, SCALE = range(search.OWN, search.OWN + 4)
OWN_NAMES = (
    "waiting",  # VP that a treasure without a crate is still worth, as long as the hurricane has not come
    "empty",  # VP of an empty crate, likewise
    "divers",  # and of a diver in hand
    "scale",  # VP of lead that count for half of a win
)
NAMES = search.name_weights(greedy.NAMES, OWN_NAMES)
WEIGHTS = search.join_weights(greedy.WEIGHTS, (200.0, 30.0, 1.0), (1.5, 1.0, 0.7, 10.0))
assert len(NAMES) == len(WEIGHTS)


@rule
def prospects(state, rules, weights, seat):
    """VP of a seat as it stands, and of what it can still make of its treasures, crates and divers."""
    worth = float(score_now(state, rules, seat))
    free = greedy.free_crates(state, seat)
    left = greedy.hope(state, weights)
    worth += left * (weights[EMPTY] * min(free, 4) if free > 0 else weights[WAITING] * min(-free, 4))
    return worth + left * weights[DIVERS] * min(hand_size(state, seat), 8)


@rule
def imagine(state, rules, player, weights, codes, scratch):
    """Nothing secret has been chosen that chance does not deal."""


VALUE = bind(value, "kernels.atlantica")
BOUND = bind(search, "kernels.atlantica", heuristic=greedy, judge=sys.modules[__name__], value=VALUE)
choose = BOUND.choose
