"""A seat's chance of winning, judged by a small network over what a game's `features` say of a position.

The network is part of the weights a policy is called with: it follows the WEIGHTS numbers, so that one compilation
serves every network, and none can point anywhere. Only + - * / are used, in one order, so that plain Python gives the
same to the bit.
"""

from numba import types

from kernels.engine.contract import WEIGHTS
from kernels.jit import given, shared_entry, shared_rule

SIZE, describe = given("features", "SIZE describe")
STATE_RECORD = given("state", "STATE_RECORD")
RULES_RECORD = given("rules", "RULES_RECORD")

# How a network lies in the weights: its sizes, then by layer the constants and the factors, input after input.
INPUTS, FIRST, SECOND = range(WEIGHTS, WEIGHTS + 3)  # how many inputs, and units of the two hidden layers
NETWORK = WEIGHTS + 3
MOST_UNITS = 64  # of a hidden layer
SQUARINGS = 10


def count_numbers(inputs: int, first: int, second: int) -> int:
    """How many numbers a network of these sizes takes, its sizes among them."""
    return 3 + first * (1 + inputs) + second * (1 + first) + 1 + second


@shared_rule
def has_network(weights):
    """Whether a network follows the policy's numbers."""
    return len(weights) > NETWORK and weights[INPUTS] > 0.0


@shared_rule
def squash(total):
    """From a network's total to a chance: the logistic function, e^-x taken as (1 - x/1024)^1024."""
    power = 1.0 - min(max(total, -40.0), 40.0) / 1024.0
    for _ in range(SQUARINGS):
        power *= power
    return 1.0 / (1.0 + power)


@shared_rule
def add_layer(source, n, weights, at, out, units):
    """out[:units] = constants + source[:n] x factors, which lie in weights from `at` on; returns where they end.

    Zeros are skipped, so that features that are mostly zero cost little.
    """
    for j in range(units):
        out[j] = weights[at + j]
    at += units
    for i in range(n):
        number = source[i]
        if number != 0.0:
            row = weights[at + i * units : at + (i + 1) * units]
            for j in range(units):
                out[j] += number * row[j]
    return at + n * units


@shared_rule
def evaluate(numbers, weights, first, second):
    """The chance that the network gives to features `numbers`; first, second: room for MOST_UNITS numbers."""
    units = int(weights[FIRST])
    at = add_layer(numbers, SIZE, weights, NETWORK, first, units)
    for j in range(units):
        first[j] = max(first[j], 0.0)
    last = int(weights[SECOND])
    at = add_layer(first, units, weights, at, second, last)
    total = weights[at]
    for j in range(last):
        total += max(second[j], 0.0) * weights[at + 1 + j]
    return squash(total)


@shared_rule
def estimate(state, rules, weights, seat, room):
    """The chance (expected credit) of a seat, from what it may see. room: at least SIZE + 2 * MOST_UNITS numbers."""
    for i in range(SIZE):
        room[i] = 0.0
    describe(state, rules, seat, room)
    return evaluate(room, weights, room[SIZE : SIZE + MOST_UNITS], room[SIZE + MOST_UNITS :])


@shared_entry(
    lambda game: types.void(
        types.Array(game.STATE_RECORD, 1, "C"), types.int64[::1], game.RULES_RECORD, types.float64[:, ::1]
    )
)
def describe_all(states, seats, rules, out):
    """Write the features of each state for one seat to `out` (positions, SIZE), zeroed by the caller."""
    for i in range(len(states)):
        describe(states[i], rules, int(seats[i]), out[i])


@shared_entry(
    lambda game: types.void(
        types.Array(game.STATE_RECORD, 1, "C"),
        types.int64[::1],
        game.RULES_RECORD,
        types.float64[::1],
        types.float64[::1],
        types.float64[::1],
    )
)
def estimate_all(states, seats, rules, weights, room, out):
    """Write the chance of one seat in each state to `out` (positions,); room as in `estimate`."""
    for i in range(len(states)):
        out[i] = estimate(states[i], rules, weights, int(seats[i]), room)
