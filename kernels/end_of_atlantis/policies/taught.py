"""The policy of End of Atlantis that a slower one has taught; how it chooses is kernels.engine.taught."""

from kernels.end_of_atlantis.policies import greedy
from kernels.end_of_atlantis.policies.search import VALUE
from kernels.engine import taught
from kernels.jit import bind

NAMES = taught.name_weights(greedy.NAMES)
WEIGHTS = taught.join_weights(greedy.WEIGHTS)
assert len(NAMES) == len(WEIGHTS)

choose = bind(taught, "kernels.end_of_atlantis", heuristic=greedy, value=VALUE).choose
