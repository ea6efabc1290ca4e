"""Atlantica, jitted.

A policy is `f(state, rules, legal, n, weights, scratch) -> index into legal[:n]`, jitted with SIGNATURE: decorate
it with `@policy`. `scratch` is an array of states to copy to and play on; `weights` is the policy's own vector.
"""

from typing import Any

from numba import types

from kernels.atlantica.rules import RULES_RECORD
from kernels.atlantica.state import STATE_RECORD
from kernels.jit import uncached

SIGNATURE = types.int64(
    STATE_RECORD,
    RULES_RECORD,
    types.int16[::1],  # legal action codes
    types.int64,  # how many
    types.float64[::1],  # weights of this seat's policy
    types.Array(STATE_RECORD, 1, "C"),  # scratch states
)


def policy(function: Any) -> Any:
    """Compile a user's policy for this game, each session anew: numba would not notice a helper that changed."""
    return uncached(SIGNATURE)(function)
