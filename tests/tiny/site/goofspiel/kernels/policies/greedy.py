"""Bids the card nearest to a wanted number, which rises with the prize; sometimes any card."""

from goofspiel.kernels import SIGNATURE
from goofspiel.kernels import codes as c
from kernels.jit import entry
from kernels.rng import below, draw_word

BASE, SLOPE, WILD = range(3)
NAMES = (
    "base",  # the number wanted is this ...
    "slope",  # ... and so much of the prize's
    "wild",  # share of bids drawn from all cards
)
WEIGHTS = [0.0, 1.0, 0.0]


@entry(SIGNATURE)
def choose(state, rules, legal, n, weights, scratch):
    """An index into the legal actions."""
    if weights[WILD] > 0.0:
        if draw_word(state, c.PURPOSE_POLICY, int(state.actor)) < weights[WILD] * 4294967296.0:
            return below(draw_word(state, c.PURPOSE_POLICY, int(state.actor)), n)
    wanted = weights[BASE] + weights[SLOPE] * int(state.prize)
    best = 0
    least = 1.0e9
    for i in range(n):
        away = int(legal[i]) - wanted
        away = away if away >= 0.0 else -away
        if away < least:
            least = away
            best = i
    return best
