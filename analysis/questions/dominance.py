"""Is one strategy best? One seat of each policy among seats of each other.

The table says who can invade whom: a policy whose own table nobody can enter with more than an even share is stable.
alpha-rank in its limit of strong selection (Omidshafiei et al. 2019) turns that into one number a policy: how often a
population that switches to whatever invades is found playing it. It is found again for estimates drawn anew within
their errors, so that it has an interval.
"""

from collections.abc import Mapping
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from analysis import plots
from analysis.frames import Run
from analysis.intervals import Estimate, Span
from analysis.page import Figure, Section, block
from analysis.questions.question import Spec, find_traits
from analysis.questions.skill import credit_of
from analysis.tables import Cell, Column, Table, join_words, percent, show
from sim.errors import UserError
from sim.games import find_game
from sim.lineup import spell_lineup
from sim.policies import list_policies

MOST = 6  # policies: 30 runs
MOST_GAMES = 10_000  # each: a policy's credit is known to a percentage point or so, which is enough to invade
DRAWS = 1_000


def arms(spec: Spec) -> dict[str, Spec]:
    """One X among Y for every two policies of the game."""
    game = find_game(spec.game)
    slow = find_traits(game).slow
    policies = [name for name in list_policies(game) if name not in slow][:MOST]
    if len(policies) < 2:
        raise UserError(f"{spec.game} has one policy only, so there is nothing to compare.")
    return {
        f"{x} among {y}": spec.but(
            lineup=spell_lineup((x, *[y] * (spec.players - 1))), games=min(spec.games, MOST_GAMES)
        )
        for x, y in permutations(policies, 2)
    }


def rank_policies(gain: NDArray[np.float64]) -> NDArray[np.float64]:
    """Share of time at each policy. `gain[x, y]`: credit of one x among y less an even share.

    From each policy one goes to any that gains among it, with equal chances; a little drift keeps the chain whole.
    """
    n = len(gain)
    step = np.where(gain.T > 0, 1.0, 1e-6) / max(n - 1, 1)
    np.fill_diagonal(step, 0.0)
    np.fill_diagonal(step, 1 - step.sum(axis=1))
    system = np.vstack([step.T - np.eye(n), np.ones(n)])
    return np.asarray(np.linalg.lstsq(system, np.append(np.zeros(n), 1.0), rcond=None)[0])


def dominance(runs: Mapping[str, Run], delta: float) -> Section:
    """Who can invade whom, and which policy is left."""
    title = "Is one strategy best?"
    first = next(iter(runs.values()))
    credits: dict[tuple[str, str], Estimate] = {}
    for run in runs.values():
        x, *others = run.manifest.lineup
        if others and len(set(others)) == 1 and others[0] != x:
            credits[x, others[0]] = credit_of(run, x)
    names = list(dict.fromkeys(name for pair in credits for name in pair))
    if not credits:
        return Section("dominance", title, "This takes runs of one policy among seats of another: ask it of a game.")
    ranks = _draw_ranks(names, credits, first.fair)
    best = max(ranks, key=lambda name: ranks[name].value or 0.0)
    entered = {y: [x for x in names if (x, y) in credits and (credits[x, y].low or 0.0) > first.fair] for y in names}
    stable = [y for y in names if not entered[y] and sum(pair[1] == y for pair in credits) == len(names) - 1]
    among = [(x, e) for (x, y), e in credits.items() if y == best]
    if stable:
        sentence = f"No other policy surely gains a seat among players of {join_words(stable)}"
    else:
        sentence = "Every policy can be invaded by another"
    sentence += (
        f"; {best} is the one that is left in the long run ({show(ranks[best], 'share')} of the time)"
    )
    if among:
        entry, credit = max(among, key=lambda pair: pair[1].value or 0.0)
        sentence += f", and the best entry among {best}, {entry}, wins {show(credit, 'share')}"
    sentence += f"; {percent(first.fair)} is even."
    rows: list[tuple[Cell, ...]] = [
        (y, ranks[y], *(credits.get((x, y)) for x in names), join_words(entered[y]) or "nobody surely") for y in names
    ]
    values = [[e.value if (e := credits.get((x, y))) else None for x in names] for y in names]
    return Section(
        "dominance",
        title,
        sentence,
        (
            block(
                plots.draw_grid(
                    "dominance", title, [f"among {y}" for y in names], names, values, "credit of one seat among others"
                ),
                Table(
                    "invasions",
                    f"Credit of one seat of each policy among seats of another, {first.complete:,} games each",
                    (
                        Column("Among"),
                        Column("Left in the long run", "share"),
                        *(Column(f"one {x}", "share") for x in names),
                        Column("Invaded by"),
                    ),
                    tuple(rows),
                ),
            ),
        ),
        (
            "Only the policies at hand are compared: a better one may beat them all.",
            "The long run is that of a population that takes up whatever gains a seat (alpha-rank, strong selection).",
        ),
        figures=tuple(Figure(f"one {x} among {y}", e, "share", first.fair) for (x, y), e in credits.items()),
    )


def _draw_ranks(names: list[str], credits: Mapping[tuple[str, str], Estimate], fair: float) -> dict[str, Span]:
    rng = np.random.default_rng(1)
    value = np.full((len(names), len(names)), -1.0)
    error = np.zeros_like(value)
    for (x, y), e in credits.items():
        at = names.index(x), names.index(y)
        value[at] = (e.value if e.value is not None else fair) - fair
        error[at] = e.se or 0.0
    seen = rank_policies(value)
    drawn = np.array([rank_policies(value + error * rng.normal(size=value.shape)) for _ in range(DRAWS)])
    low, high = np.quantile(drawn, (0.025, 0.975), axis=0)
    ends = np.clip([seen, np.minimum(low, seen), np.maximum(high, seen)], 0.0, 1.0)
    n = min(e.n for e in credits.values())
    return {name: Span(float(v), float(a), float(b), n) for name, v, a, b in zip(names, *ends)}
