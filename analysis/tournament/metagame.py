"""Rankings of strategies as functions of a table of what each earns among each.

`edge[x, y]` is by how much x does better than y where the two meet: antisymmetric, 0 on the diagonal. Nothing here
knows of games played or of errors.
"""

from typing import Any

import choix
import numpy as np
from numpy.typing import NDArray
from scipy import optimize

Values = NDArray[np.float64]

DRIFT = 1e-6  # chance of a step that gains nothing: it keeps the chain in one piece
_ROUNDS = 500


def alpha_rank(edge: Values, drift: float = DRIFT) -> Values:
    """Share of time that a population spends at each strategy, shape (n,), summing to 1.

    The chain of Omidshafiei et al. (2019), one population, in the limit of strong selection (Rowland et al. 2019):
    from each strategy a mutant is drawn evenly; one with an edge takes over, one without does not, one that is level
    does half the time.
    """
    n = len(edge)
    gain = edge.T  # gain[at, to]: what the mutant `to` has on `at`
    step = np.where(gain > 0, 1 - drift, np.where(gain < 0, drift, 0.5)) / max(n - 1, 1)
    np.fill_diagonal(step, 0.0)
    np.fill_diagonal(step, 1 - step.sum(axis=1))
    system = np.vstack([step.T - np.eye(n), np.ones(n)])
    share = np.linalg.lstsq(system, np.append(np.zeros(n), 1.0), rcond=None)[0]
    return np.asarray(np.clip(share, 0.0, 1.0))


def nash_average(edge: Values) -> Values:
    """The mix of greatest entropy that no strategy has an edge on, shape (n,), summing to 1 (Balduzzi et al. 2018).

    It is what is left to play against somebody who knows the table. Copies of a strategy share its part.
    """
    n = len(edge)
    scale = float(np.abs(edge).max())
    if scale == 0:
        return np.full(n, 1 / n)
    best_of_all = np.flatnonzero((edge > 0).sum(axis=1) == n - 1)
    if len(best_of_all):
        return np.asarray(np.eye(n)[best_of_all[0]])
    edge = edge / scale
    first = _push(edge, 0)
    if _is_only(edge, first):
        return first
    start = np.asarray(np.mean([first, *(_push(edge, x) for x in range(1, n))], axis=0))
    live = np.flatnonzero(start > 1e-9)

    def order(mix: NDArray[Any]) -> float:
        return float(mix @ np.log(np.maximum(mix, 1e-300)))

    def slope(mix: NDArray[Any]) -> Values:
        return np.asarray(np.log(np.maximum(mix, 1e-300)) + 1)

    found = optimize.minimize(
        order,
        start[live].tolist(),
        jac=slope,
        method="SLSQP",
        bounds=optimize.Bounds(0.0, 1.0),
        constraints=[
            optimize.LinearConstraint(np.ones((1, len(live))), 1, 1),
            optimize.LinearConstraint(edge[live].T, -1e-9, np.inf),
        ],
        options={"ftol": 1e-12, "maxiter": 200},
    )
    best = start.copy()
    if found.success:
        best[live] = np.clip(found.x, 0.0, None)
    return np.asarray(best / best.sum())


def _push(edge: Values, x: int) -> Values:
    """Of the mixes that nobody has an edge on, one with as much of strategy `x` as there can be."""
    n = len(edge)
    found = optimize.linprog(
        -np.eye(n)[x], A_ub=-edge.T, b_ub=np.full(n, 1e-10), A_eq=np.ones((1, n)), b_eq=[1.0], bounds=(0, 1)
    )
    mix = np.clip(np.asarray(found.x, float), 0.0, None)
    return np.asarray(mix / mix.sum())


def _is_only(edge: Values, mix: Values) -> bool:
    """Is this the only mix that nobody has an edge on? What it leaves out loses to it, and no other mix of what it
    plays is level with all of that."""
    live = mix > 1e-9
    level = np.linalg.matrix_rank(edge[np.ix_(live, live)], tol=1e-7) == live.sum() - 1
    return bool(level and (mix @ edge)[~live].min(initial=1.0) > 1e-7)


def rate_strengths(copies: Values, wins: Values) -> Values:
    """Plackett-Luce strengths, shape (policies,), summing to 1: the chance to win where each has one seat.

    `copies` and `wins` have shape (lineups, policies): seats of each policy, and credit that they won together. A
    seat wins with its strength over the sum of all at the table. A win shared by k counts 1/k for each, so that the
    strengths meet the credits; one drawn game is added to each lineup, so that who never won has a strength too.

    Luce spectral ranking (Maystre and Grossglauser 2015). choix takes an entry a game and no shares of a win, so its
    chain is made here from the sums, and handed over in the form of its pairwise one.
    """
    policies = copies.shape[1]
    won = wins + copies / copies.sum(axis=1, keepdims=True)
    params = np.zeros(policies)
    for _ in range(_ROUNDS):
        strength = np.exp(params)
        pull = won / (copies @ strength)[:, None]
        rate = pull.T @ copies  # rate[winner, loser]
        np.fill_diagonal(rate, 0.0)
        before, params = params, choix.lsr_pairwise_dense(rate * np.add.outer(strength, strength), 0.0, params)
        if np.abs(params - before).max() < 1e-9:
            break
    strength = np.exp(params - params.max())
    return np.asarray(strength / strength.sum())
