"""Choosing among actions by trials: the part of search that knows nothing of a game.

`sums` and `squares` hold, for each choice, its lead on the favourite over the worlds tried so far, added up.
"""

from math import sqrt

from kernels.jit import rule

OUT, IN, FAVOURITE, LEAVING = range(4)  # what `alive` says of a choice


@rule
def count_rounds(n):
    """Rounds of a race in which the worse half of n choices drops out after each."""
    rounds = 1
    while (1 << rounds) < n:
        rounds += 1
    return rounds


@rule
def drop_worse(sums, alive, n, kept):
    """Keep the `kept` choices with the highest sums; the favourite always stays."""
    for i in range(n):
        if alive[i] == IN:
            better = 0
            for j in range(n):
                if alive[j] != OUT and (sums[j] > sums[i] or (sums[j] == sums[i] and j < i)):
                    better += 1
            if better >= kept:
                alive[i] = LEAVING  # gone only when all have been compared
    for i in range(n):
        if alive[i] == LEAVING:
            alive[i] = OUT


@rule
def pick_winner(sums, squares, alive, n, worlds, favourite, caution):
    """The choice that beats the favourite by most beyond `caution` standard errors; else the favourite."""
    best = favourite
    most = 0.0
    for i in range(n):
        if alive[i] == IN and sums[i] > 0.0:
            mean = sums[i] / worlds
            beyond = mean - caution * sqrt(max(0.0, squares[i] / worlds - mean * mean) / worlds)
            if beyond > most:
                most = beyond
                best = i
    return best
