"""Who fares how when neutral refugees land? Scores by the black cubes that came ashore in a game."""

import polars as pl

from analysis import plots
from analysis.frames import Batch, Run
from analysis.intervals import Estimate, Moments, block_mean
from analysis.page import Figure, Section, block
from analysis.plots import Mark
from analysis.tables import Column, Table, show

BANDS = 5  # of about as many games each
WHO = {"best": "First", "worst": "Last", "mean": "All seats", "spread": "First less last"}


def scan_landed(batch: Batch) -> pl.LazyFrame:
    """A row a game: black cubes landed, and what the first and the last seat scored."""
    scores = (
        batch.scan("seats")
        .group_by("game", "deal")
        .agg(best=pl.col("vp").max(), worst=pl.col("vp").min(), mean=pl.col("vp").mean())
    )
    cubes = batch.run.tables.COLUMNS["cubes"][-1]
    landed = batch.scan("arrivals").group_by("game").agg(landed=pl.col(cubes).cast(pl.Int32).sum())
    return scores.join(landed, on="game", how="left").with_columns(
        pl.col("landed").fill_null(0), spread=pl.col("best") - pl.col("worst")
    )


def cut_bands(run: Run) -> list[tuple[int, int]]:
    """First and last count of black cubes of each band."""
    seen = run.counts(scan_landed, "landed")
    reached = seen["count"].cum_sum() / max(1, int(seen["count"].sum()))
    values = [int(value) for value in seen["landed"]]
    ends = sorted({values[int((reached < (i + 1) / BANDS - 1e-9).sum())] for i in range(BANDS)})
    starts = [values[0], *(end + 1 for end in ends[:-1])]
    return list(zip(starts, ends))


def neutrals(run: Run, delta: float) -> Section:
    """VP of the first, the last and all seats by the number of black cubes landed."""
    bands = cut_bands(run)
    ratios = {
        f"{who} {low}": (pl.col(who) * here, here)
        for low, high in bands
        for here in (pl.col("landed").is_between(low, high),)
        for who in WHO
    }
    found = run.moments(scan_landed, {**ratios, "landed": (pl.col("landed"), None)})[()]
    names = {low: f"{low} to {high}" if high > low else f"{low}" for low, high in bands}

    def mean(who: str, low: int) -> Estimate:
        return block_mean(found.get(f"{who} {low}", Moments()))

    first, last = bands[0][0], bands[-1][0]
    sentence = (
        f"{show(block_mean(found['landed']), 'fine')} black cubes land in a game. With {names[last]} of them first and "
        f"last end {show(mean('spread', last), 'fine')} VP apart, with {names[first]} "
        f"{show(mean('spread', first), 'fine')}. That is company, not cause."
    )
    return Section(
        "neutrals",
        "Who fares how when neutral refugees land?",
        sentence,
        (
            block(
                plots.draw_bars(
                    "neutrals",
                    "Spread by black cubes landed",
                    [Mark(names[low], mean("spread", low)) for low, _ in bands],
                    "VP between first and last",
                    "fine",
                ),
                Table(
                    "vp_by_neutrals_landed",
                    f"VP by black cubes landed in the game, n={run.complete:,} games",
                    (
                        Column("Black cubes"),
                        *(Column(title, "fine") for title in WHO.values()),
                        Column("Games", "count"),
                    ),
                    tuple((names[low], *(mean(who, low) for who in WHO), mean("best", low).n) for low, _ in bands),
                ),
            ),
        ),
        ("More cubes of every kind land in long games; only forcing their number tells whom they hurt.",),
        figures=tuple(Figure(f"spread with {names[low]} landed", mean("spread", low), "fine") for low, _ in bands),
    )
