"""The policy of Atlantica that a slower one has taught; how it chooses is kernels.engine.taught."""

from kernels.atlantica.policies import greedy
from kernels.atlantica.policies.search import VALUE
from kernels.engine import taught
from kernels.jit import bind

NAMES = taught.name_weights(greedy.NAMES)
WEIGHTS = taught.join_weights(greedy.WEIGHTS)
assert len(NAMES) == len(WEIGHTS)

choose = bind(taught, "kernels.atlantica", heuristic=greedy, value=VALUE).choose
