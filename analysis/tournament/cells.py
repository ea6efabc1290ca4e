"""The runs of a tournament as one array: what each policy earned in each lineup, deal by deal.

All lineups meet the same deals, so a block is a deal over all lineups. Deals are folded into at most MOST_BLOCKS
blocks (deal d into block d mod MOST_BLOCKS), so memory stays flat; sums of independent deals are still independent.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import sqrt
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from analysis.frames import Run
from analysis.intervals import Estimate, Moments, block_mean
from sim.tournament import Lineup, count_seatings

Values = NDArray[np.float64]

MOST_BLOCKS = 2_000
UNIT = (0.0, 1.0)
_KEYS = ("game", "deal", "block", "seat", "place", "policy", "credit", "rank", "vp")  # who, where and how it came out


@dataclass(frozen=True)
class Cells:
    """Credits of a tournament.

    `credit` is the mean credit of a policy's seats, summed over the games of a block: shape (blocks, lineups,
    policies), 0 where the policy does not play. `games` counts the games that ended by the rules, shape (blocks,
    lineups); `truncated` those that did not, in all; `shared` those with joint winners.
    """

    policies: tuple[str, ...]
    lineups: tuple[Lineup, ...]
    credit: Values
    games: Values
    deals: int
    truncated: int = 0
    shared: int = 0

    @property
    def players(self) -> int:
        """Seats at the table."""
        return len(self.lineups[0])

    @property
    def even(self) -> float:
        """The credit of a seat where nobody is better, 1/k."""
        return 1 / self.players

    @cached_property
    def copies(self) -> Values:
        """Seats of each policy in each lineup, shape (lineups, policies)."""
        return np.array([[float(lineup.count(name)) for name in self.policies] for lineup in self.lineups])

    @cached_property
    def played(self) -> Values:
        """Games by lineup, shape (lineups,)."""
        return np.asarray(self.games.sum(axis=0))

    @cached_property
    def means(self) -> Values:
        """Credit of a seat by lineup and policy, shape (lineups, policies)."""
        return divide(self.credit.sum(axis=0), self.played[:, None], self.even)

    def draw(self, draws: int, seed: int = 1) -> tuple[Values, Values]:
        """Means and games of `draws` tournaments on deals drawn anew from those played (bootstrap over blocks).

        Shapes (draws, lineups, policies) and (draws, lineups).
        """
        blocks = len(self.games)
        rng = np.random.default_rng(seed)
        weights = rng.multinomial(blocks, np.full(blocks, 1 / blocks), size=draws).astype(float)
        games = weights @ self.games
        credit = np.tensordot(weights, self.credit, axes=1)
        return divide(credit, games[:, :, None], self.means), games

    def estimate_mean(self, lineup: int, policy: int) -> Estimate:
        """The credit of a seat of one policy in one lineup, bounded by what its copies can win."""
        return block_mean(Moments.of(self.credit[:, lineup, policy], self.games[:, lineup]), UNIT)

    def estimate(self, weights: Values, even: float) -> Estimate:
        """A weighted sum of means, `weights` of shape (lineups, policies); it would be `even` among equals.

        The error is the linearised one over blocks. Where all blocks agree it is as large as if one block more had
        come out even: a handful of blocks that agree is no certainty.
        """
        weights = np.where(self.copies > 0, weights, 0.0)
        used = np.flatnonzero(weights.any(axis=1))
        value = float((weights * self.means).sum())
        n = round(float(self.played[used].sum()))
        blocks = int((self.games[:, used] > 0).sum(axis=0).min(initial=len(self.games)))
        if blocks < 1 or not n:
            return Estimate(None, 0, 0, None, "none")
        if blocks < 2:
            return Estimate(value, n, blocks, None, "none")
        off = self.credit - self.means * self.games[:, :, None]
        pull = np.einsum("blp,lp->b", off, weights / np.maximum(self.played, 1.0)[:, None])
        variance = float(pull @ pull) * blocks / (blocks - 1)
        alike = variance <= 1e-20
        return Estimate(value, n, blocks, sqrt(variance) if not alike else abs(value - even) / blocks, "t")


def divide(total: Values, count: Values, otherwise: float | Values) -> Values:
    """`total / count`, and `otherwise` where nothing was counted."""
    return np.where(count > 0, total / np.where(count > 0, count, 1.0), otherwise)


@dataclass(frozen=True)
class Manners:
    """What each policy did, and what the field did in the same games: totals by block, shape (blocks, policies,
    traits).

    A trait is `done` per `chances`: how often an option was taken per how often it was possible, or something counted
    per seat. Each game counts once for a policy and once for its field, however many seats either has.
    """

    names: tuple[str, ...]
    options: tuple[bool, ...]  # is it an option's rate, or a count a seat?
    done: Values
    chances: Values
    field_done: Values
    field_chances: Values


def read_cells(runs: Mapping[Lineup, Run], policies: Sequence[str]) -> tuple[Cells, Manners]:
    """Credits and manners of a tournament from its runs, each read once and batch by batch."""
    lineups = tuple(runs)
    deals = max(-(-run.finished // run.arrangements) for run in runs.values())
    blocks = max(1, min(deals, MOST_BLOCKS))
    credit = np.zeros((blocks, len(lineups), len(policies)))
    games = np.zeros((blocks, len(lineups)))
    traits = _list_traits(next(iter(runs.values())))
    shape = (blocks, len(policies), len(traits))
    done, chances, field_done, field_chances = (np.zeros(shape) for _ in range(4))
    shared = 0.0
    for place, (lineup, run) in enumerate(runs.items()):
        sums = {name: _sum_blocks(run, name, blocks, traits) for name in policies if name in lineup}
        for name, own in sums.items():
            column, copies = policies.index(name), lineup.count(name)
            credit[:, place, column] = own.credit / copies
            games[:, place] = own.seats / copies
            shared += float(own.shared.sum())
            done[:, column] += own.done / copies
            chances[:, column] += own.chances / copies
            for other in sums.keys() - {name}:
                field_done[:, column] += sums[other].done / (len(lineup) - copies)
                field_chances[:, column] += sums[other].chances / (len(lineup) - copies)
    truncated = sum(run.truncated for run in runs.values())
    cells = Cells(tuple(policies), lineups, credit, games, deals, truncated, round(shared))
    names = tuple(name for name, _, _ in traits)
    options = tuple(per is not None for _, _, per in traits)
    return cells, Manners(names, options, done, chances, field_done, field_chances)


Trait = tuple[str, str, str | None]
"""A name, the column of what was done and the column of the chances to do it, None for once a seat."""


def _list_traits(run: Run) -> list[Trait]:
    """Every pair of columns chosen_x and legal_x, and every other number that a seat's row holds."""
    schema = run.folder.scan("seats").collect_schema()
    numbers = [name for name, kind in schema.items() if kind.is_numeric() and name not in _KEYS]
    options = [name.removeprefix("chosen_") for name in numbers if name.startswith("chosen_")]
    counted = [name for name in numbers if not name.startswith(("chosen_", "legal_"))]
    rates: list[Trait] = [(name, f"chosen_{name}", f"legal_{name}") for name in options if f"legal_{name}" in numbers]
    return rates + [(name, name, None) for name in counted]


class _Sums(NamedTuple):
    """Totals by block over the seats of a policy: (blocks,), and (blocks, traits) for the last two."""

    seats: Values
    credit: Values
    shared: Values  # credit of games with joint winners
    done: Values
    chances: Values


def _sum_blocks(run: Run, policy: str, blocks: int, traits: Sequence[Trait]) -> _Sums:
    won = pl.col("credit")
    totals = [pl.len(), won.sum(), pl.when((won > 0) & (won < 1)).then(won).otherwise(0.0).sum().alias("shared")]
    totals += [pl.col(column).cast(pl.Float64).sum().alias(f"done_{i}") for i, (_, column, _) in enumerate(traits)]
    totals += [
        (pl.len() if per is None else pl.col(per).cast(pl.Float64).sum()).alias(f"chances_{i}")
        for i, (_, _, per) in enumerate(traits)
    ]
    sums = np.zeros((blocks, len(totals)))
    for batch in run.batches():
        seats = batch.scan("seats").filter(pl.col("policy") == policy)
        frame = seats.group_by(block=pl.col("deal") % blocks).agg(totals).collect(engine="streaming")
        sums[frame["block"].to_numpy()] += frame.drop("block").cast(pl.Float64).to_numpy()
    split = 3 + len(traits)
    return _Sums(sums[:, 0], sums[:, 1], sums[:, 2], sums[:, 3:split], sums[:, split:])


def weigh_seatings(cells: Cells) -> Values:
    """Weights, shape (policies, lineups), of a policy's overall credit: each seating played counts once.

    A lineup enters by how many seatings and how many seats of the policy it has, so the overall credits of all
    policies average to an even share.
    """
    seatings = np.array([count_seatings(lineup) for lineup in cells.lineups], float)
    weights = (cells.copies * seatings[:, None]).T
    return np.asarray(weights / weights.sum(axis=1, keepdims=True))
