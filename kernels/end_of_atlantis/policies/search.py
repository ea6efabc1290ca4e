"""Determinised Monte Carlo: each choice is tried in worlds that the seat cannot tell from the real one.

Every world (`resample_hidden`) is tried with all choices still in the race, so that choices are compared on the same
cards; after each round the worse half drops out (sequential halving: Karnin, Koren, Somekh, ICML 2013). A trial plays
on with the heuristic for every seat and is judged at a horizon. The heuristic's own choice stands unless another one
beats it by more than the trials' noise.
"""

import numpy as np

from kernels.end_of_atlantis import SIGNATURE
from kernels.end_of_atlantis import codes as c
from kernels.end_of_atlantis.hidden import resample_hidden
from kernels.end_of_atlantis.order import is_higher
from kernels.end_of_atlantis.policies import greedy
from kernels.end_of_atlantis.step import MOST_LEGAL, advance, apply, legal
from kernels.jit import entry, rule
from kernels.race import FAVOURITE, IN, count_rounds, drop_worse, pick_winner
from kernels.rng import draw_word

# What follows the heuristic's weights in the vector.
SIMULATIONS, HORIZON, CAUTION, PORT, OCEAN, SCALE = range(48, 54)
NAMES = (
    *greedy.NAMES,
    *(f"unused_{i}" for i in range(len(greedy.NAMES), SIMULATIONS)),
    "simulations",  # trials a choice
    "horizon",  # decisions after which a trial is judged; 0: at the end of the game
    "caution",  # standard errors by which another choice must beat the heuristic's
    "port",  # chance that a refugee aboard in port will land
    "ocean",  # and on the ocean
    "scale",  # VP of lead that count for half of a win
)
WEIGHTS = [
    *greedy.WEIGHTS,
    *[0.0] * (SIMULATIONS - len(greedy.WEIGHTS)),
    *(200.0, 40.0, 1.0, 0.4, 0.8, 8.0),
]
assert len(NAMES) == len(WEIGHTS)


@rule
def prospects(state, rules, weights, seat):
    """VP of a seat and of what its refugees aboard will probably bring."""
    worth = float(state.vp[seat])
    for space in range(c.SHIPS):
        refugees = int(state.aboard[space, seat])
        if refugees > 0:
            chance = weights[PORT] if state.area[space] == c.AREA_PORT else weights[OCEAN]
            worth += chance * (greedy.chart(rules, refugees) + greedy.colours_aboard(state, space) - 1)
    return worth


@rule
def judge(state, rules, weights, player):
    """How good a position is for the player, 0 to 1: its lead on the best other seat, a win if the game is over."""
    if state.phase == c.PHASE_OVER:
        for other in range(rules.players):
            if other != player and (
                state.vp[other] > state.vp[player]
                or (state.vp[other] == state.vp[player] and is_higher(state, rules, other, player))
            ):
                return 0.0
        return 1.0
    best = -1.0e9
    for other in range(rules.players):
        if other != player:
            best = max(best, prospects(state, rules, weights, other))
    lead = prospects(state, rules, weights, player) - best
    size = lead if lead > 0.0 else -lead
    return 0.5 + 0.5 * lead / (weights[SCALE] + size)


@rule
def play_on(state, rules, weights, codes, scratch, action):
    """Take `action` and play on with the heuristic for every seat, up to the horizon or the end."""
    apply(state, rules, action)
    advance(state, rules)
    left = int(weights[HORIZON])
    while state.phase != c.PHASE_OVER:
        n = legal(state, rules, codes)
        chosen = 0
        if n > 1:
            if left == 1:
                break
            left -= 1
            chosen = greedy.choose(state, rules, codes, n, weights, scratch)
        apply(state, rules, int(codes[chosen]))
        advance(state, rules)


@rule
def search(state, rules, choices, n, weights, scratch, codes, sums, squares, alive):
    """The index of the choice; the last four are working space."""
    player = int(state.actor)
    favourite = int(greedy.choose(state, rules, choices, n, weights, scratch))
    alive[favourite] = FAVOURITE
    low = draw_word(state, c.PURPOSE_POLICY, player)
    high = draw_word(state, c.PURPOSE_POLICY, player)
    seed = np.uint64(low) | (np.uint64(high) << np.uint64(32))
    rounds = count_rounds(n)
    candidates = n
    worlds = 0
    for _ in range(rounds):
        for _ in range(max(1, int(weights[SIMULATIONS]) // (rounds * candidates))):
            scratch[0] = state
            resample_hidden(scratch[0], rules, player, seed, worlds)
            worlds += 1
            scratch[1] = scratch[0]
            play_on(scratch[1], rules, weights, codes, scratch, int(choices[favourite]))
            base = judge(scratch[1], rules, weights, player)
            for i in range(n):
                if alive[i] == IN:
                    scratch[1] = scratch[0]
                    play_on(scratch[1], rules, weights, codes, scratch, int(choices[i]))
                    lead = judge(scratch[1], rules, weights, player) - base
                    sums[i] += lead
                    squares[i] += lead * lead
        candidates = (candidates + 1) // 2
        if candidates > 1:
            drop_worse(sums, alive, n, candidates)
    return pick_winner(sums, squares, alive, n, worlds, favourite, weights[CAUTION])


@entry(SIGNATURE, allocates=True)
def choose(state, rules, choices, n, weights, scratch):
    """An index into the legal actions `choices`."""
    codes = np.zeros(MOST_LEGAL, np.int16)
    sums = np.zeros(MOST_LEGAL)
    squares = np.zeros(MOST_LEGAL)
    alive = np.ones(MOST_LEGAL, np.int8)
    return search(state, rules, choices, n, weights, scratch, codes, sums, squares, alive)
