"""Uniform over the legal actions."""

from kernels.atlantica import SIGNATURE
from kernels.atlantica.codes import PURPOSE_POLICY
from kernels.jit import entry
from kernels.rng import below, draw_word

NAMES: tuple[str, ...] = ()
WEIGHTS: list[float] = []


@entry(SIGNATURE)
def choose(state, rules, legal, n, weights, scratch):
    """Any of them."""
    return below(draw_word(state, PURPOSE_POLICY, int(state.actor)), n)
