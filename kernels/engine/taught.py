"""A taught policy: a network tells what each legal action is worth, as a slower policy's search found it.

At the prompts that it was taught it departs from the heuristic where another action is worth more by a margin, and
draws among those, so that its bids cannot be foreseen; at the others it follows the heuristic. The network lies in the
weights as the one of kernels.engine.value does, with the actions it knows in front: an ascending key for each (prompt,
action code). Each action is one more input, so that a position's own part is counted once for all its actions.
"""

import numpy as np

from kernels.engine.contract import WEIGHTS
from kernels.engine.value import FIRST, MOST_UNITS, SECOND, SQUARINGS, count_numbers
from kernels.jit import given, shared_entry, shared_rule
from kernels.rng import draw_word

PURPOSE_POLICY = given("codes", "PURPOSE_POLICY")
SIGNATURE = given("", "SIGNATURE")
MOST_LEGAL = given("step", "MOST_LEGAL")
follow = given("heuristic", "choose")
SIZE, describe = given("features", "SIZE describe")
has_network, add_features, add_layer, add_last = given("value", "has_network add_features add_layer add_last")

# What follows the heuristic's weights in the vector.
MARGIN, BLUR = range(48, 50)
NAMES = (
    "margin",  # of credit, by which another action must beat the heuristic's
    "blur",  # credit by which an action is worse that is taken 1/e as often as the best
)
USUAL = [0.01, 0.01]

COUNT = WEIGHTS + 3  # how many actions it knows; their keys follow, then the layers
KEYS = WEIGHTS + 4
SPAN = 65536  # keys that a prompt has
MOST_ACTIONS = 4096  # that a network knows


def count_choice_numbers(inputs: int, first: int, second: int, actions: int) -> int:
    """How many numbers a network of these sizes takes, its sizes and keys among them."""
    return 1 + actions + count_numbers(inputs + actions, first, second)


def name_weights(heuristic: tuple[str, ...]) -> tuple[str, ...]:
    """A name for each of a taught policy's weights."""
    return (*heuristic, *(f"unused_{i}" for i in range(len(heuristic), MARGIN)), *NAMES)


def join_weights(heuristic: list[float]) -> list[float]:
    """The vector in the order of name_weights."""
    return [*heuristic, *[0.0] * (MARGIN - len(heuristic)), *USUAL]


@shared_rule
def find_action(weights, key):
    """The place of an action among those known, -1 if it is not."""
    low = 0
    high = int(weights[COUNT])
    while low < high:
        middle = (low + high) >> 1
        if weights[KEYS + middle] < key:
            low = middle + 1
        else:
            high = middle
    return low if low < int(weights[COUNT]) and weights[KEYS + low] == key else -1


@shared_rule
def grow(total):
    """e to the power of `total`, which is not above 0, taken as (1 + x/1024)^1024."""
    power = 1.0 + max(total, -40.0) / 1024.0
    for _ in range(SQUARINGS):
        power *= power
    return power


@shared_rule
def weigh_actions(weights, places, n, room, totals):
    """totals[:n]: what the network makes of the actions at these places; room as in value.count_room."""
    units = int(weights[FIRST])
    last = int(weights[SECOND])
    known = int(weights[COUNT])
    first = room[2 * SIZE : 2 * SIZE + MOST_UNITS]
    second = room[2 * SIZE + MOST_UNITS : 2 * SIZE + 2 * MOST_UNITS]
    whole = room[2 * SIZE + 2 * MOST_UNITS :]
    rows = add_features(room, weights, KEYS + known, units)
    for i in range(n):
        totals[i] = 0.0
        if places[i] >= 0:
            for j in range(units):
                whole[j] = first[j] + weights[rows + places[i] * units + j]
            at = add_layer(whole, units, weights, rows + known * units, second, last)
            totals[i] = add_last(second, last, weights, at)


@shared_rule
def draw_better(state, weights, places, n, totals, own):
    """The index of an action worth more than `own` by the margin, the more often the better; `own` if none is."""
    wanted = totals[own] + weights[MARGIN]
    most = wanted
    for i in range(n):
        if places[i] >= 0:
            most = max(most, totals[i])
    if most == wanted:
        return own
    whole = 0.0
    for i in range(n):
        better = places[i] >= 0 and totals[i] > wanted
        totals[i] = grow((totals[i] - most) / max(weights[BLUR], 1e-6)) if better else 0.0
        whole += totals[i]
    left = whole * draw_word(state, PURPOSE_POLICY, int(state.actor)) / 4294967296.0
    chosen = own
    for i in range(n):
        if totals[i] > 0.0 and left >= 0.0:
            chosen = i
            left -= totals[i]
    return chosen


@shared_entry(lambda game: game.SIGNATURE, allocates=True)
def choose(state, rules, choices, n, weights, scratch):
    """An index into the legal actions `choices`."""
    own = int(follow(state, rules, choices, n, weights, scratch))
    if not has_network(weights):
        return own
    if find_action(weights, float(int(state.prompt) * SPAN + int(choices[own]))) < 0:
        return own
    places = np.zeros(MOST_LEGAL, np.int64)
    totals = np.zeros(MOST_LEGAL)
    room = np.zeros(2 * SIZE + 3 * MOST_UNITS)
    for i in range(n):
        places[i] = find_action(weights, float(int(state.prompt) * SPAN + int(choices[i])))
    describe(state, rules, int(state.actor), room)
    weigh_actions(weights, places, n, room, totals)
    return draw_better(state, weights, places, n, totals, own)
