"""What several sections share: views of a batch, names of seats, who played, distributions of whole
numbers."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from analysis import plots
from analysis.frames import Batch, Ratio, Run
from analysis.intervals import Span, block_mean, quantile
from analysis.tables import join_words, plural
from sim.lineup import spell_lineup

UNIT = (0.0, 1.0)


def scan_seats(batch: Batch) -> pl.LazyFrame:
    """Seats of the games that ended by the rules."""
    return batch.scan("seats")


def scan_games(batch: Batch) -> pl.LazyFrame:
    """Games that ended by the rules."""
    return batch.scan("games")


def name_seat(seat: int) -> str:
    """Seats are counted from 1 for people."""
    return f"Seat {seat + 1}"


def colour_seats(run: Run) -> tuple[str, ...]:
    """The page's colour of each seat."""
    return plots.seat_colours(getattr(run.codes, "SEAT_COLOURS", ()), run.players)


def who_played(run: Run) -> str:
    """`played by greedy on every seat`: what every answer rests on."""
    lineup = run.manifest.lineup
    if len(set(lineup)) == 1:
        return f"played by {lineup[0]} on every seat"
    return f"played by {spell_lineup(lineup)} in every seating"


def only_these(run: Run) -> str:
    """The caveat that no number of games removes."""
    return f"All of this was {who_played(run)}. Other players may give another answer."


def say_how_cut_off(run: Run) -> str:
    """`did not end within 20,000 decisions`: the limits that the games cut off ran into, as a predicate."""
    ways = {
        code: f"did not end within {run.manifest.limit:,} decisions"
        if code == run.codes.END_TRUNCATED
        else f"reached the {run.codes.END_REASONS[code]}"
        for code in run.unfinished_codes
        if run.ended.get(code)
    }
    if len(ways) == 1:
        return next(iter(ways.values()))
    return join_words([f"{way} ({run.ended[code]:,})" for code, way in ways.items()], "or")


def say_truncated(run: Run) -> str:
    """How many games were cut off and what became of them."""
    return (
        f"{plural(run.truncated, 'game')} of {run.finished:,} {say_how_cut_off(run)} and "
        f"{'is' if run.truncated == 1 else 'are'} left out of every estimate; the worst and best cases stand "
        "beside the credits."
    )


def by_outcome(name: str, value: pl.Expr, per: pl.Expr | None = None) -> dict[str, Ratio]:
    """Ratios of `value` a seat, or per `per`: `name: winners`, `name: others` and `name: all`.

    A seat counts among the winners by its credit, among the others by the rest.
    """
    won, value = pl.col("credit"), value.cast(pl.Float64)
    counted = pl.lit(1.0) if per is None else per.cast(pl.Float64)
    return {
        f"{name}: winners": (value * won, counted * won),
        f"{name}: others": (value * (1 - won), counted * (1 - won)),
        f"{name}: all": (value, per),
    }


def lead_of_winners(run: Run, value: pl.Expr) -> Ratio:
    """By how much a winner has more of `value` than the average of the others at the table."""
    won = pl.col("credit")
    return value.cast(pl.Float64) * (won - (1 - won) / max(run.players - 1, 1)), won


SHADES = ("#0072b2", "#56b4e9", "#009e73", "#e69f00", "#d55e00", "#cc79a7", "#7a6ff0", "#9aa0a6")


@dataclass(frozen=True)
class Counted:
    """A distribution of whole numbers and a few of its figures."""

    values: NDArray[np.float64]
    counts: NDArray[np.int64]
    effect: float = 1.0

    def at(self, q: float) -> Span:
        """The q-quantile with its interval."""
        return quantile(self.values, self.counts, q, self.effect)


def count_values(frame: pl.DataFrame, column: str) -> Counted:
    """The distribution held by a frame of `column` and `count`."""
    frame = frame.sort(column)
    return Counted(frame[column].to_numpy().astype(np.float64), frame["count"].to_numpy().astype(np.int64))


def widen(
    run: Run,
    counted: Counted,
    scan: Callable[[Batch], pl.LazyFrame],
    column: pl.Expr,
    keep: pl.Expr | None = None,
) -> Counted:
    """The same with the design effect of blocks of several games, measured at the median.

    `scan` and `column` are where the values came from, `keep` which rows."""
    middle = counted.at(0.5).value
    if run.arrangements == 1 or middle is None:
        return counted
    inside = (column <= middle) if keep is None else (column <= middle) & keep
    found = run.moments(scan, {"up": (inside, keep)})[()]["up"]
    share = block_mean(found, UNIT)
    if not share.se or not share.value or share.value >= 1:
        return counted
    effect = share.se**2 / (share.value * (1 - share.value) / share.n)
    return Counted(counted.values, counted.counts, max(1.0, effect))


def bin_shares(counted: Counted, most: int) -> tuple[list[str], list[float]]:
    """Labels and shares of at most `most` columns: single values first, the tail in one."""
    total = int(counted.counts.sum())
    width = max(1, int(np.ceil((counted.values.max() + 1) / (2 * most))))
    seen: dict[int, int] = {}
    for value, count in zip(counted.values, counted.counts):
        place = min(int(value // width), most - 1)
        seen[place] = seen.get(place, 0) + int(count)
    last = max(seen)
    labels, shares = [], []
    for place in range(min(min(seen), 0), last + 1):
        low, high = place * width, place * width + width - 1
        tail = place == most - 1 and counted.values.max() > high
        labels.append(f"{low}+" if tail else f"{low}" if width == 1 else f"{low}–{high}")
        shares.append(seen.get(place, 0) / total)
    return labels, shares
