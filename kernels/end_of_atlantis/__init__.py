"""End of Atlantis, jitted.

A policy is `f(state, rules, legal, n, weights, scratch) -> index into legal[:n]`, jitted with SIGNATURE: decorate
it with `@policy`. `scratch` is an array of states to copy to and play on; `weights` is the policy's own vector.
"""

from kernels.end_of_atlantis.rules import RULES_RECORD
from kernels.end_of_atlantis.state import STATE_RECORD
from kernels.engine.contract import sign_policy
from kernels.jit import uncached

SIGNATURE = sign_policy(STATE_RECORD, RULES_RECORD)
# Compiles a user's policy for this game, each session anew: numba would not notice a helper that changed.
policy = uncached(SIGNATURE)
