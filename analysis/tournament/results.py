"""The figures of a tournament with their intervals."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from analysis.intervals import ALPHA, Estimate, Span
from analysis.tournament.cells import Cells, divide, weigh_seatings
from analysis.tournament.metagame import alpha_rank, nash_average, rate_strengths

Values = NDArray[np.float64]
Pairs = Mapping[tuple[str, str], Estimate]

DRAWS = 200  # of the deals, for the bands of what has no formula


@dataclass(frozen=True)
class Standing:
    """One policy.

    `credit` over all seatings played; `strength` by Plackett-Luce; `rank` by alpha-rank and `nash` by Nash averaging,
    shares of one; `entrant` is the policy that earns most as one seat among this one, and `gain` by how much more
    than even, the interval widened for having chosen it.
    """

    policy: str
    credit: Estimate
    strength: Span
    rank: Span
    nash: Span
    entrant: str
    gain: Span


@dataclass(frozen=True)
class Results:
    """A tournament, estimated.

    `entries[x, y]` is the credit of one x among seats of y; `edges[x, y]` how much more a seat of x earns than one of
    y, the mean over all mixes of the two. `standings` go from the highest credit down. `miss` is the farthest that
    the Plackett-Luce strengths are off a credit in any lineup.
    """

    cells: Cells
    entries: Pairs
    edges: Pairs
    standings: tuple[Standing, ...]
    miss: float

    @property
    def names(self) -> tuple[str, ...]:
        """The policies, from the highest credit down."""
        return tuple(standing.policy for standing in self.standings)

    @property
    def games(self) -> int:
        """Games that ended by the rules, over all lineups."""
        return round(float(self.cells.played.sum()))


def estimate(cells: Cells) -> Results:
    """Everything that the credits say."""
    names = cells.policies
    spots = {frozenset(Counter(lineup).items()): place for place, lineup in enumerate(cells.lineups)}
    weights = {pair: _weigh_edge(cells, spots, *pair) for pair in permutations(range(len(names)), 2)}
    edges = {(names[x], names[y]): cells.estimate(w, 0.0) for (x, y), w in weights.items()}
    entries = {
        (names[x], names[y]): cells.estimate_mean(_find(cells, spots, x, y, 1), x)
        for x, y in permutations(range(len(names)), 2)
    }
    strengths, ranks, nash = _draw_bands(cells, weights)
    shares = weigh_seatings(cells)
    standings = []
    for place, name in enumerate(names):
        overall = np.zeros_like(cells.means)
        overall[:, place] = shares[place]
        entrant, gain = _find_entrant(name, names, entries, cells.even)
        credit = replace(cells.estimate(overall, cells.even), bounds=(0.0, 1.0))
        standings.append(Standing(name, credit, strengths[place], ranks[place], nash[place], entrant, gain))
    standings.sort(key=lambda one: -(one.credit.value or 0.0))
    return Results(cells, entries, edges, tuple(standings), _find_miss(cells))


def _find(cells: Cells, spots: Mapping[frozenset[tuple[str, int]], int], x: int, y: int, copies: int) -> int:
    """The lineup of so many x and the rest y."""
    counts = {cells.policies[x]: copies, cells.policies[y]: cells.players - copies}
    return spots[frozenset(counts.items())]


def _weigh_edge(cells: Cells, spots: Mapping[frozenset[tuple[str, int]], int], x: int, y: int) -> Values:
    weights = np.zeros_like(cells.means)
    mixes = cells.players - 1
    for copies in range(1, cells.players):
        lineup = _find(cells, spots, x, y, copies)
        weights[lineup, x] += 1 / mixes
        weights[lineup, y] -= 1 / mixes
    return weights


def _find_entrant(name: str, names: tuple[str, ...], entries: Pairs, even: float) -> tuple[str, Span]:
    others = [other for other in names if other != name]
    best = max(others, key=lambda other: entries[other, name].value or 0.0)
    found = entries[best, name]
    ends = found.interval(1 - ALPHA / len(others)) or (None, None)
    low, high = (None if end is None else end - even for end in ends)
    return best, Span(None if found.value is None else found.value - even, low, high, found.n)


def _draw_bands(cells: Cells, weights: Mapping[tuple[int, int], Values]) -> tuple[list[Span], list[Span], list[Span]]:
    """Strength, alpha-rank and Nash average of each policy, found again on deals drawn anew."""
    drawn_means, drawn_games = cells.draw(DRAWS)

    def find_edges(means: Values) -> Values:
        edge = np.zeros((len(cells.policies),) * 2)
        for pair, weight in weights.items():
            edge[pair] = (weight * means).sum()
        return edge

    edges = [find_edges(means) for means in drawn_means]
    seen = find_edges(cells.means)

    def band(rank: Callable[[Values], Values]) -> list[Span]:
        return _spread(cells, _round(rank(seen)), _round(np.array([rank(edge) for edge in edges])))

    strengths = [_rate(cells, means, games) for means, games in zip(drawn_means, drawn_games)]
    strength = _spread(cells, _rate(cells, cells.means, cells.played), np.array(strengths))
    return strength, band(alpha_rank), band(nash_average)


def _round(shares: Values) -> Values:
    """Without the drift that holds a chain together."""
    return np.asarray(np.round(shares, 4))


def _rate(cells: Cells, means: Values, games: Values) -> Values:
    return rate_strengths(cells.copies, means * cells.copies * games[:, None])


def _spread(cells: Cells, seen: Values, drawn: Values) -> list[Span]:
    n = round(float(cells.played.sum()))
    if len(cells.games) < 2:
        return [Span(float(value), None, None, n) for value in seen]
    low, high = np.quantile(drawn, (ALPHA / 2, 1 - ALPHA / 2), axis=0)
    ends = zip(seen, np.minimum(low, seen), np.maximum(high, seen))
    return [Span(float(value), float(a), float(b), n) for value, a, b in ends]


def _find_miss(cells: Cells) -> float:
    strength = _rate(cells, cells.means, cells.played)
    told = divide(np.tile(strength, (len(cells.lineups), 1)), (cells.copies @ strength)[:, None], 0.0)
    return float(np.abs(np.where(cells.copies > 0, told - cells.means, 0.0)).max())
