"""The measures that runs are compared on: rows to add up, the same for every game but for its own columns of seats."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from analysis.frames import Batch, Run
from analysis.questions.question import find_traits
from analysis.sections.common import name_seat, scan_games, scan_seats
from analysis.sections.scores import scan_margins
from analysis.tables import Kind

Totals = tuple[NDArray[np.float64], NDArray[np.float64]]
"""What each deal adds to a measure, and what that is counted per; indexed by deal."""


@dataclass(frozen=True)
class Metric:
    """A measure: rows of a batch with a column `deal`, what a row adds, which rows count (all where None)."""

    label: str
    rows: Callable[[Batch], pl.LazyFrame]
    value: pl.Expr
    kind: Kind
    unit: str
    where: pl.Expr | None = None


def list_metrics(run: Run) -> list[Metric]:
    """The measures of a run: length, ties, points, margin, what seats do, credits."""
    own = [
        Metric(label, scan_seats, pl.col(column), "fine", unit)
        for column, (label, unit) in find_traits(run.game).metrics.items()
    ]
    seats = [
        Metric(f"{name_seat(s)} credit", scan_seats, pl.col("credit"), "pp", "", pl.col("seat") == s)
        for s in range(run.players)
    ]
    lineup = list(dict.fromkeys(run.manifest.lineup))
    policies = [
        Metric(f"{token} credit", scan_seats, pl.col("credit"), "pp", "", pl.col("policy").cast(pl.String) == token)
        for token in lineup
        if len(lineup) > 1
    ]
    return [
        Metric("turns", scan_games, pl.col("turns"), "fine", "turns"),
        Metric("decisions", scan_games, pl.col("decisions"), "fine", "decisions"),
        Metric("games decided by tie-breaks", scan_games, pl.col("decided_by") != 0, "pp", ""),
        Metric("VP a seat", scan_seats, pl.col("vp"), "fine", "VP"),
        Metric("winner's lead", scan_margins, pl.col("margin"), "fine", "VP"),
        *own,
        *seats,
        *policies,
    ]


def total_by_deal(run: Run, metrics: list[Metric]) -> dict[str, Totals]:
    """Totals by deal of each measure, arrays of one length: the deals of the run, played or not."""
    deals = -(-run.manifest.games // run.arrangements)
    by_rows: dict[Callable[[Batch], pl.LazyFrame], list[Metric]] = {}
    for metric in metrics:
        by_rows.setdefault(metric.rows, []).append(metric)
    found: dict[str, Totals] = {m.label: (np.zeros(deals), np.zeros(deals)) for m in metrics}
    for batch in run.batches():
        for rows, some in by_rows.items():
            sums: list[pl.Expr] = []
            for i, metric in enumerate(some):
                here = pl.lit(True) if metric.where is None else metric.where
                value = metric.value.cast(pl.Float64).filter(here)
                count = here.sum() if metric.where is not None else pl.len()
                sums += [value.sum().alias(f"y{i}"), count.cast(pl.Float64).alias(f"x{i}")]
            frame = rows(batch).group_by("deal").agg(sums).collect(engine="streaming")
            at = frame["deal"].to_numpy()
            for i, metric in enumerate(some):
                y, x = found[metric.label]
                y[at], x[at] = frame[f"y{i}"].to_numpy(), frame[f"x{i}"].to_numpy()
    return found


def by_label(metrics: list[Metric]) -> Mapping[str, Metric]:
    """Measures by what they are called."""
    return {metric.label: metric for metric in metrics}
