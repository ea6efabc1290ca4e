"""The policy `random`, which every game has: uniform over the legal actions."""

from kernels.jit import given, shared_entry
from kernels.rng import below, draw_word

PURPOSE_POLICY = given("codes", "PURPOSE_POLICY")
SIGNATURE = given("", "SIGNATURE")

NAMES: tuple[str, ...] = ()
WEIGHTS: list[float] = []


@shared_entry(lambda game: game.SIGNATURE)
def choose(state, rules, legal, n, weights, scratch):
    """Any of them."""
    return below(draw_word(state, PURPOSE_POLICY, int(state.actor)), n)
