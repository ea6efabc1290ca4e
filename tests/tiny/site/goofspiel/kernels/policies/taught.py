"""The policy of Goofspiel that a slower one has taught; how it chooses is kernels.engine.taught."""

from goofspiel.kernels.policies import greedy
from goofspiel.kernels.policies.search import VALUE
from kernels.engine import taught
from kernels.jit import bind

NAMES = taught.name_weights(greedy.NAMES)
WEIGHTS = taught.join_weights(greedy.WEIGHTS)

choose = bind(taught, "goofspiel.kernels", heuristic=greedy, value=VALUE).choose
