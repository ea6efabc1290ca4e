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


def count_room(inputs: int) -> int:
    """Numbers of working space: the features, where those that are not 0 stand, the units of both hidden layers."""
    return 2 * inputs + 2 * MOST_UNITS


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
def add_features(room, weights, at, units):
    """The first layer, from features to `units` numbers; returns where it ends in `weights`.

    Most features are 0: those that are not are found first, without a branch, and eight units at a time stay in
    registers.
    """
    count = 0
    for i in range(SIZE):
        room[SIZE + count] = i
        count += int(room[i] != 0.0)
    out = 2 * SIZE
    factors = at + units
    j = 0
    while j + 8 <= units:
        sum0, sum1, sum2, sum3 = weights[at + j], weights[at + j + 1], weights[at + j + 2], weights[at + j + 3]
        sum4, sum5, sum6, sum7 = weights[at + j + 4], weights[at + j + 5], weights[at + j + 6], weights[at + j + 7]
        for k in range(count):
            i = int(room[SIZE + k])
            number = room[i]
            row = factors + i * units + j
            sum0 += number * weights[row]
            sum1 += number * weights[row + 1]
            sum2 += number * weights[row + 2]
            sum3 += number * weights[row + 3]
            sum4 += number * weights[row + 4]
            sum5 += number * weights[row + 5]
            sum6 += number * weights[row + 6]
            sum7 += number * weights[row + 7]
        room[out + j], room[out + j + 1], room[out + j + 2], room[out + j + 3] = sum0, sum1, sum2, sum3
        room[out + j + 4], room[out + j + 5], room[out + j + 6], room[out + j + 7] = sum4, sum5, sum6, sum7
        j += 8
    while j < units:
        total = weights[at + j]
        for k in range(count):
            i = int(room[SIZE + k])
            total += room[i] * weights[factors + i * units + j]
        room[out + j] = total
        j += 1
    return factors + SIZE * units


@shared_rule
def add_layer(source, n, weights, at, out, units):
    """out[:units] = constants + max(source[:n], 0) x factors, which lie in weights from `at` on; where they end."""
    for j in range(units):
        out[j] = weights[at + j]
    at += units
    for i in range(n):
        if source[i] > 0.0:
            for j in range(units):
                out[j] += source[i] * weights[at + i * units + j]
    return at + n * units


@shared_rule
def add_last(source, n, weights, at):
    """The total of the last layer, which lies in weights from `at` on: one constant, n factors."""
    total = weights[at]
    for j in range(n):
        total += max(source[j], 0.0) * weights[at + 1 + j]
    return total


@shared_rule
def evaluate(weights, room):
    """The chance that the network gives to the features in `room`."""
    units = int(weights[FIRST])
    last = int(weights[SECOND])
    first = room[2 * SIZE : 2 * SIZE + MOST_UNITS]
    second = room[2 * SIZE + MOST_UNITS :]
    at = add_features(room, weights, NETWORK, units)
    at = add_layer(first, units, weights, at, second, last)
    return squash(add_last(second, last, weights, at))


@shared_rule
def estimate(state, rules, weights, seat, room):
    """The chance (expected credit) of a seat, from what it may see. room: as count_room says."""
    for i in range(SIZE):
        room[i] = 0.0
    describe(state, rules, seat, room)
    return evaluate(weights, room)


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
