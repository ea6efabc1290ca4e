"""Lazy polars views of a run folder, and the one way in which the statistics read it: batch by batch of whole
deals.

A part never splits a deal, so sums over blocks may be taken a few parts at a time and added up. Memory stays
flat however long the run is.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import polars as pl

from analysis.intervals import Moments
from sim.games import Game, find_game
from sim.store import Manifest, RunFolder, open_run

BATCH_GAMES = 50_000
MOST_CODES = 64  # values of a column that is grouped by code

Ratio = tuple[pl.Expr, pl.Expr | None]
"""What a row adds to a total, and what it adds to that which the total is counted per: None for 1, the row
itself."""


@dataclass(frozen=True, repr=False)
class Run:
    """A run folder as the statistics see it."""

    folder: RunFolder
    game: Game
    upto: int | None = None  # only this many chunks from the first on: a run as it stood at a look

    def __repr__(self) -> str:
        m = self.manifest
        return f"<Run {self.folder.path}: {self.finished:,} games of {self.game.title}, {m.players} players>"

    @property
    def manifest(self) -> Manifest:
        """What was run."""
        return self.folder.manifest

    @property
    def codes(self) -> ModuleType:
        """The game's names."""
        return self.game.module("codes")

    @property
    def tables(self) -> ModuleType:
        """The game's tables and column names."""
        return self.game.module("tables")

    @property
    def players(self) -> int:
        """Seats at the table, k."""
        return self.manifest.players

    @property
    def arrangements(self) -> int:
        """Games that share a deal: one a seating of the lineup."""
        return len(self.manifest.arrangements)

    @property
    def fair(self) -> float:
        """The credit of a seat in a fair game, 1/k."""
        return 1 / self.players

    @cached_property
    def chunks(self) -> tuple[int, ...]:
        """Finished chunks at the moment this run was first read: a run still going on does not change under
        our eyes."""
        done = self.folder.complete_chunks()
        return tuple(done if self.upto is None else [chunk for chunk in done if chunk < self.upto])

    def has(self, table: str) -> bool:
        """Does the run keep this table?"""
        return table in self.folder.tables

    @cached_property
    def ended(self) -> dict[int, int]:
        """Finished games by END_ code."""
        counts = self.counts(lambda batch: batch.scan("games", truncated=True), "end_reason")
        return {int(row["end_reason"]): int(row["count"]) for row in counts.to_dicts()}

    @property
    def unfinished_codes(self) -> list[int]:
        """END_ codes of games in which nobody has won."""
        return list(self.codes.UNFINISHED)

    @property
    def finished(self) -> int:
        """Games recorded, truncated ones included."""
        return sum(self.ended.values())

    @property
    def truncated(self) -> int:
        """Games that were cut off, by the decision limit or by a cap on turns."""
        return sum(self.ended.get(code, 0) for code in self.unfinished_codes)

    @property
    def complete(self) -> int:
        """Games that ended by the rules: what every estimate rests on."""
        return self.finished - self.truncated

    def batches(self) -> Iterator["Batch"]:
        """The finished parts, a few at a time."""
        step = max(1, BATCH_GAMES // self.manifest.chunk)
        for first in range(0, len(self.chunks), step):
            yield Batch(self, self.chunks[first : first + step])

    def moments(
        self, view: Callable[["Batch"], pl.LazyFrame], ratios: Mapping[str, Ratio], by: Sequence[str] = ()
    ) -> dict[tuple[Any, ...], dict[str, Moments]]:
        """Moments of each ratio over deals, by the values of the columns `by` (the key () where there are
        none).

        `view` makes a frame with a column `deal` from a batch; a ratio is a pair of row-wise expressions.
        """
        names = list(ratios)
        totals = []
        for i, name in enumerate(names):
            y, x = ratios[name]
            totals.append(y.sum().cast(pl.Float64).alias(f"y{i}"))
            totals.append((pl.len() if x is None else x.sum()).cast(pl.Float64).alias(f"x{i}"))
        sums = [pl.len().alias("rows")]
        for i in range(len(names)):
            a, b = pl.col(f"y{i}"), pl.col(f"x{i}")
            sums += [
                (b > 0).sum().cast(pl.Int64).alias(f"blocks{i}"),
                a.sum().alias(f"sum_y{i}"),
                b.sum().alias(f"sum_x{i}"),
                (a * a).sum().alias(f"yy{i}"),
                (a * b).sum().alias(f"xy{i}"),
                (b * b).sum().alias(f"xx{i}"),
            ]
        if len(by) == 1 and (found := self._moments_by_code(view, ratios, by[0])) is not None:
            return found
        pieces = []
        for batch in self.batches():
            per_deal = view(batch).group_by("deal", *by).agg(totals)
            per_group = per_deal.group_by(*by).agg(sums) if by else per_deal.select(sums)
            pieces.append(per_group.collect(engine="streaming"))
        if not pieces:
            return {} if by else {(): {name: Moments() for name in names}}
        stacked = pl.concat(pieces)
        together = stacked.group_by(*by, maintain_order=True).sum() if by else stacked.sum()
        return {
            tuple(row[column] for column in by): {
                name: Moments(
                    int(row[f"blocks{i}"]),
                    *(float(row[f"{part}{i}"]) for part in ("sum_y", "sum_x", "yy", "xy", "xx")),
                )
                for i, name in enumerate(names)
            }
            for row in together.iter_rows(named=True)
        }

    def _moments_by_code(
        self, view: Callable[["Batch"], pl.LazyFrame], ratios: Mapping[str, Ratio], key: str
    ) -> dict[tuple[Any, ...], dict[str, Moments]] | None:
        """The same by one column of small whole numbers or flags, several times as fast; None for any other."""
        terms = []
        for i, (y, x) in enumerate(ratios.values()):
            terms.append(y.cast(pl.Float64).alias(f"y{i}"))
            terms += [] if x is None else [x.cast(pl.Float64).alias(f"x{i}")]
        found: dict[tuple[Any, ...], dict[str, Moments]] = {}
        for batch in self.batches():
            rows = view(batch)
            kind = rows.collect_schema()[key]
            if not (kind.is_integer() or kind == pl.Boolean):
                return None
            frame = rows.select("deal", key, *terms).collect(engine="streaming")
            if not frame.height:
                continue
            values = frame[key].cast(pl.Int64)
            if values.null_count() or int(values.max()) - int(values.min()) > MOST_CODES:  # type: ignore[arg-type]
                return None
            low = int(values.min())  # type: ignore[arg-type]
            width = int(values.max()) - low + 1  # type: ignore[arg-type]
            deal = frame["deal"].to_numpy()
            cell = (deal - deal.min()) * width + (values.to_numpy() - low)
            size = (int(deal.max() - deal.min()) + 1) * width
            rows_of = np.bincount(cell, minlength=size).astype(np.float64).reshape(-1, width)
            for i, (name, (_, x)) in enumerate(ratios.items()):
                totals = np.bincount(cell, frame[f"y{i}"].to_numpy(), size).reshape(-1, width)
                counts = rows_of if x is None else np.bincount(cell, frame[f"x{i}"].to_numpy(), size).reshape(-1, width)
                for code in range(width):
                    if not rows_of[:, code].any():
                        continue
                    here = counts[:, code] > 0
                    group = found.setdefault((low + code if kind != pl.Boolean else bool(low + code),), {})
                    more = Moments.of(totals[here, code], counts[here, code])
                    group[name] = group.get(name, Moments()) + more
        return found

    def counts(self, view: Callable[["Batch"], pl.LazyFrame], *columns: str) -> pl.DataFrame:
        """How often each combination of values of `columns` occurs: those columns and `count`, sorted."""
        pieces = [
            view(batch).group_by(*columns).agg(pl.len().cast(pl.Int64).alias("count")).collect(engine="streaming")
            for batch in self.batches()
        ]
        if not pieces:
            return pl.DataFrame({**{name: [] for name in columns}, "count": []})
        return pl.concat(pieces).group_by(*columns).sum().sort(*columns)


@dataclass(frozen=True)
class Batch:
    """A few finished parts of a run: whole deals."""

    run: Run
    chunks: Sequence[int]

    def scan(self, table: str, truncated: bool = False) -> pl.LazyFrame:
        """Rows of `table` with a column `deal`; games that were cut off only where
        `truncated`."""
        frame = pl.scan_parquet([self.run.folder.path / table / f"part-{chunk:06d}.parquet" for chunk in self.chunks])
        if table != "games":
            frame = frame.with_columns(deal=pl.col("game") // self.run.arrangements)
        if truncated or not self.run.truncated:
            return frame
        cut = pl.col("end_reason").is_in(self.run.unfinished_codes)
        if table == "games":
            return frame.filter(~cut)
        return frame.join(self.scan("games", True).filter(cut).select("game"), on="game", how="anti")


def read_run(path: Path) -> Run:
    """The run in the folder `path`; UserError where there is none or it cannot be read."""
    folder = open_run(path)
    return Run(folder, find_game(folder.manifest.game))
