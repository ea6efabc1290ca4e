"""Determinised Monte Carlo: each choice is tried in worlds that the seat cannot tell from the real one.

Every world (`resample_hidden`) is tried with all choices still in the race, so that choices are compared on the same
cards; after each round the worse half drops out (sequential halving: Karnin, Koren, Somekh, ICML 2013). A trial plays
on with the heuristic for every seat and is judged at a horizon: by a value model where the policy brings one
(kernels.engine.value), else by the lead. The heuristic's own choice stands unless another one beats it by more than
the trials' noise.
"""

import numpy as np
from numba import types

from kernels.engine.race import FAVOURITE, IN, count_rounds, drop_worse, pick_winner
from kernels.engine.value import MOST_UNITS
from kernels.jit import given, shared_entry, shared_rule
from kernels.rng import draw_word

PHASE_OVER, PURPOSE_POLICY = given("codes", "PHASE_OVER PURPOSE_POLICY")
SIGNATURE = given("", "SIGNATURE")
STATE_RECORD = given("state", "STATE_RECORD")
RULES_RECORD = given("rules", "RULES_RECORD")
MOST_LEGAL, advance, apply, legal, rank = given("step", "MOST_LEGAL advance apply legal rank")
resample_hidden = given("hidden", "resample_hidden")
follow = given("heuristic", "choose")
SCALE, prospects, imagine = given("judge", "SCALE prospects imagine")
SIZE = given("features", "SIZE")
has_network, estimate = given("value", "has_network estimate")

# What follows the heuristic's weights in the vector; a game's own weights, for judging positions, follow these.
FIRST = 48
SIMULATIONS, HORIZON, CAUTION, PROMPTS, BELIEFS = range(FIRST, FIRST + 5)
OWN = FIRST + 5
NAMES = (
    "simulations",  # trials a choice
    "horizon",  # decisions after which a trial is judged; 0: at the end of the game
    "caution",  # standard errors by which another choice must beat the heuristic's
    "prompts",  # bit p: search at the prompt with code p, follow the heuristic at the others; 0: search at all
    "beliefs",  # 1: the others have chosen in secret as the heuristic would; 0: anything, each as likely
)


def name_weights(heuristic: tuple[str, ...], own: tuple[str, ...]) -> tuple[str, ...]:
    """A name for each of search's weights: the heuristic's, search's, and the game's own."""
    return (*heuristic, *(f"unused_{i}" for i in range(len(heuristic), FIRST)), *NAMES, *own)


def join_weights(heuristic: list[float], searching: tuple[float, ...], own: tuple[float, ...]) -> list[float]:
    """The vector in the order of name_weights; what is not said of the searching is 0."""
    return [*heuristic, *[0.0] * (FIRST - len(heuristic)), *searching, *[0.0] * (len(NAMES) - len(searching)), *own]


@shared_rule
def judge(state, rules, weights, player, room):
    """How good a position is for the player, 0 to 1: its credit if the game is over, else its chance by the value
    model, or its lead on the best other seat where there is no model.
    """
    if state.phase == PHASE_OVER:
        if rank(state, rules, player) != 1:
            return 0.0
        winners = 0
        for seat in range(state.players):
            if rank(state, rules, seat) == 1:
                winners += 1
        return 1.0 / winners
    if has_network(weights):
        return estimate(state, rules, weights, player, room)
    best = -1.0e9
    for other in range(state.players):
        if other != player:
            best = max(best, prospects(state, rules, weights, other))
    lead = prospects(state, rules, weights, player) - best
    size = lead if lead > 0.0 else -lead
    return 0.5 + 0.5 * lead / (weights[SCALE] + size)


@shared_rule
def play_on(state, rules, weights, codes, scratch, action):
    """Take `action` and play on with the heuristic for every seat, up to the horizon or the end."""
    left = int(weights[HORIZON])
    while True:
        apply(state, rules, action)
        advance(state, rules)
        if state.phase == PHASE_OVER:
            return
        n = legal(state, rules, codes)
        chosen = 0
        if n > 1:
            if left == 1:
                return
            left -= 1
            chosen = follow(state, rules, codes, n, weights, scratch)
        action = int(codes[chosen])


@shared_rule
def search(state, rules, choices, n, weights, scratch, codes, sums, squares, alive, room):
    """The index of the choice; the last five are working space."""
    player = int(state.actor)
    favourite = int(follow(state, rules, choices, n, weights, scratch))
    alive[favourite] = FAVOURITE
    low = draw_word(state, PURPOSE_POLICY, player)
    high = draw_word(state, PURPOSE_POLICY, player)
    seed = np.uint64(low) | (np.uint64(high) << np.uint64(32))
    rounds = count_rounds(n)
    candidates = n
    worlds = 0
    for _ in range(rounds):
        for _ in range(max(1, int(weights[SIMULATIONS]) // (rounds * candidates))):
            scratch[0] = state
            resample_hidden(scratch[0], rules, player, seed, worlds)
            if weights[BELIEFS] == 1.0:
                imagine(scratch[0], rules, player, weights, codes, scratch)
            worlds += 1
            base = 0.0
            for turn in range(n + 1):  # the favourite first: the others are compared with it
                i = favourite if turn == 0 else turn - 1
                if turn == 0 or alive[i] == IN:
                    scratch[1] = scratch[0]
                    play_on(scratch[1], rules, weights, codes, scratch, int(choices[i]))
                    lead = judge(scratch[1], rules, weights, player, room) - base
                    if turn == 0:
                        base = lead
                    else:
                        sums[i] += lead
                        squares[i] += lead * lead
        candidates = (candidates + 1) // 2
        if candidates > 1:
            drop_worse(sums, alive, n, candidates)
    return pick_winner(sums, squares, alive, n, worlds, favourite, weights[CAUTION])


@shared_entry(lambda game: game.SIGNATURE, allocates=True)
def choose(state, rules, choices, n, weights, scratch):
    """An index into the legal actions `choices`."""
    only = int(weights[PROMPTS])
    if only != 0 and (only >> int(state.prompt)) & 1 == 0:
        return follow(state, rules, choices, n, weights, scratch)
    codes = np.zeros(MOST_LEGAL, np.int16)
    room = np.zeros(2 * SIZE + 2 * MOST_UNITS)
    sums = np.zeros(MOST_LEGAL)
    squares = np.zeros(MOST_LEGAL)
    alive = np.ones(MOST_LEGAL, np.int8)
    return search(state, rules, choices, n, weights, scratch, codes, sums, squares, alive, room)


@shared_entry(
    lambda game: types.void(
        types.Array(game.STATE_RECORD, 1, "C"),
        game.RULES_RECORD,
        types.float64[::1],
        types.Array(game.STATE_RECORD, 1, "C"),
        types.int64,
        types.int64,
        types.int16[:, ::1],
        types.int64[::1],
        types.float64[:, ::1],
    ),
    allocates=True,
)
def value_choices(states, rules, weights, scratch, worlds, seed, choices, counts, values):
    """What each legal action is worth to the seat asked, as `judge` says, over the same `worlds` of each state.

    choices (states, MOST_LEGAL) and counts (states,) get the legal actions, values (states, MOST_LEGAL) their means.
    Only states whose count is not 0 beforehand are looked at.
    """
    codes = np.zeros(MOST_LEGAL, np.int16)
    room = np.zeros(2 * SIZE + 2 * MOST_UNITS)
    for at in range(len(states)):
        if counts[at] == 0:
            continue
        player = int(states[at].actor)
        n = legal(states[at], rules, choices[at])
        counts[at] = n
        for world in range(worlds):
            scratch[0] = states[at]
            resample_hidden(scratch[0], rules, player, np.uint64(seed + at), world)
            if weights[BELIEFS] == 1.0:
                imagine(scratch[0], rules, player, weights, codes, scratch)
            for i in range(n):
                scratch[1] = scratch[0]
                play_on(scratch[1], rules, weights, codes, scratch, int(choices[at, i]))
                values[at, i] += judge(scratch[1], rules, weights, player, room) / worlds
