"""Is one player singled out? Whether the next hostile act meets the victim of the last one."""

import polars as pl

from analysis import plots
from analysis.frames import Batch, Run
from analysis.intervals import Moments, block_mean
from analysis.page import Figure, Section, block
from analysis.plots import Mark
from analysis.sections.common import UNIT
from analysis.tables import Column, Table, percent, show

MOST_HITS = 3  # more are one row
TIMES = ("never", "once", "twice", "3 times or more")


def scan_hits(batch: Batch) -> pl.LazyFrame:
    """Hostile acts in their order: who did it, to whom, and to whom the one before was done in the same game."""
    k = batch.run.players
    acts = batch.scan("plays").filter(pl.col("victim").is_between(0, k - 1) & (pl.col("victim") != pl.col("seat")))
    return acts.select("game", "deal", "seat", "victim", last=pl.col("victim").shift(1).over("game"))


def scan_hit_seats(batch: Batch) -> pl.LazyFrame:
    """A row a seat: how often it was hit, and its credit."""
    hits = scan_hits(batch).group_by("game", seat="victim").agg(hits=pl.len())
    seats = batch.scan("seats").select("game", "deal", "seat", "credit")
    return seats.join(hits, on=["game", "seat"], how="left").with_columns(
        pl.col("hits").fill_null(0).clip(0, MOST_HITS).cast(pl.Int32)
    )


def pile_on(run: Run, delta: float) -> Section:
    """The share of hostile acts on the victim of the last one, and credit by how often a seat was hit."""
    title = "Is one player singled out?"
    k = run.players
    if k == 2:
        return Section("pile-on", title, "With two players there is only one other to hurt.")
    could = (pl.col("last") != pl.col("seat")).fill_null(False)
    again = run.moments(scan_hits, {"again": ((pl.col("victim") == pl.col("last")) & could, could)})[()]["again"]
    share, even = block_mean(again, UNIT), 1 / (k - 1)
    if share.value is None:
        return Section("pile-on", title, "Hardly anybody hurt anybody: no game had two hostile acts by players.")
    found = run.moments(scan_hit_seats, {"credit": (pl.col("credit"), None)}, by=["hits"])
    counts = sorted(key[0] for key in found)
    credits = {n: block_mean(found.get((n,), {}).get("credit", Moments()), UNIT) for n in counts}
    names = {n: TIMES[n] for n in counts}
    least = f"hit {names[counts[0]]}" if counts[0] else "never hit"
    sentence = (
        f"A hostile act meets the victim of the last one in {show(share, 'share')} of cases, where "
        f"{percent(even)} would be blind chance; seats {least} win {show(credits[counts[0]], 'share')}, "
        f"seats hit {names[counts[-1]]} {show(credits[counts[-1]], 'share')}."
    )
    return Section(
        "pile-on",
        title,
        sentence,
        (
            block(
                plots.draw_forest(
                    "pile-on", "Credit by hits", [Mark(names[n], credits[n]) for n in counts], run.fair, delta
                ),
                Table(
                    "credit_by_hits",
                    f"Credit by how often a seat was hit, n={run.complete:,} games",
                    (Column("Hit"), Column("Credit", "share"), Column("Against even", "pp"), Column("Seats", "count")),
                    tuple((names[n], credits[n], credits[n].against(run.fair), credits[n].n) for n in counts),
                ),
            ),
            block(
                Table(
                    "same_victim",
                    "Hostile acts that could meet the last victim again",
                    (Column("Act"), Column("Share", "share"), Column("Against chance", "pp")),
                    (("on the same victim", share, share.against(even)),),
                )
            ),
        ),
        ("Leaders are hit because they lead, so their credit says little of what a hit costs.",),
        figures=(
            Figure("on the victim of the last act", share, "share", even),
            *(Figure(f"hit {names[n]}", credits[n], "share", run.fair) for n in counts),
        ),
    )
