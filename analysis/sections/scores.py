"""How many points seats make, and by how many the winner leads."""

import polars as pl

from analysis import plots
from analysis.frames import Batch, Run
from analysis.intervals import Moments, block_mean
from analysis.page import Section, block
from analysis.plots import Heap
from analysis.sections.common import bin_shares, colour_seats, count_values, name_seat, scan_seats, widen
from analysis.tables import Column, Table, percent


def scan_margins(batch: Batch) -> pl.LazyFrame:
    """The winner's lead over the next in VP, 0 for joint winners; one row a game."""
    first = pl.col("rank") == 1
    return (
        batch.scan("seats")
        .group_by("game")
        .agg(
            best=pl.col("vp").max(),
            second=pl.when(~first).then(pl.col("vp")).max(),
            joint=first.sum(),
            deal=pl.col("deal").first(),
        )
        .select("deal", margin=pl.when(pl.col("joint") > 1).then(0).otherwise(pl.col("best") - pl.col("second")))
        .drop_nulls()
    )


def scores(run: Run, delta: float) -> Section:
    """How many points seats make, and by how many the winner leads."""
    by_seat = run.counts(scan_seats, "seat", "vp")
    means = run.moments(scan_seats, {"vp": (pl.col("vp"), None)}, by=["seat"])
    colours = colour_seats(run)
    spreads = [
        widen(
            run,
            count_values(by_seat.filter(pl.col("seat") == s), "vp"),
            scan_seats,
            pl.col("vp"),
            pl.col("seat") == s,
        )
        for s in range(run.players)
    ]
    leads = widen(run, count_values(run.counts(scan_margins, "margin"), "margin"), scan_margins, pl.col("margin"))
    rows = tuple(
        (
            name_seat(s),
            block_mean(means.get((s,), {}).get("vp", Moments())),
            spreads[s].at(0.05).value,
            spreads[s].at(0.25).value,
            spreads[s].at(0.5),
            spreads[s].at(0.75).value,
            spreads[s].at(0.95).value,
        )
        for s in range(run.players)
    )
    total = count_values(by_seat.group_by("vp").agg(pl.col("count").sum()), "vp")
    lead, usual = leads.at(0.5), total.at(0.5)
    close = int(leads.counts[leads.values <= 1].sum())
    if lead.value is None or usual.value is None:
        sentence = "No game ended by the rules, so there are no final scores."
    else:
        sentence = (
            f"A seat ends with {usual.value:.0f} VP in the median ({total.at(0.05).value:.0f} to "
            f"{total.at(0.95).value:.0f} "
            f"in nine of ten), and the winner leads by {lead.value:.0f} VP in the median; "
            f"{percent(close / lead.n)} of games are won by 1 VP or less."
        )
    heaps = [
        Heap(name_seat(s), spreads[s].values, spreads[s].counts, spreads[s].at(0.5).value, colours[s])
        for s in range(run.players)
    ]
    blocks = [
        block(
            plots.draw_heaps("scores", "VP by seat", heaps, "VP at the end; dark: the middle half, line: the median"),
            Table(
                "vp_by_seat",
                f"VP at the end by seat, n={run.complete:,} games",
                (
                    Column("Seat"),
                    Column("Mean", "number"),
                    Column("5%", "count"),
                    Column("25%", "count"),
                    Column("Median", "count"),
                    Column("75%", "count"),
                    Column("95%", "count"),
                ),
                rows,
                colours,
            ),
        )
    ]
    if lead.n:
        labels, shares = bin_shares(leads, 9)
        blocks.append(
            block(
                plots.draw_columns("margins", "Winner's lead", labels, shares, "VP ahead of the next seat"),
                Table(
                    "winner_margin",
                    f"The winner's lead over the next seat in VP, n={lead.n:,} games",
                    (Column("Figure"), Column("VP", "count")),
                    tuple(
                        (name, leads.at(q))
                        for name, q in (
                            ("one game in ten: at most", 0.1),
                            ("median", 0.5),
                            ("nine in ten: at most", 0.9),
                        )
                    ),
                ),
                heading="How close is it?",
            )
        )
    return Section(
        "scores",
        "How many points, how close?",
        sentence,
        tuple(blocks),
        (
            "Intervals of medians are order-statistic intervals; [4, 4] means that no other whole number is "
            "in question.",
        ),
    )
