"""What does the first event change? Length, points and margin by the Event of turn 1.

The deck draws it, nobody chooses it, so games that begin with one Event compare fairly with those that begin with
another; what came later is not held equal.
"""

import polars as pl

from analysis import plots
from analysis.frames import Batch, Run
from analysis.intervals import Estimate, block_mean, block_share
from analysis.page import Figure, Section, block
from analysis.plots import Mark
from analysis.tables import Cell, Column, Table, join_words, show


def scan_first(batch: Batch) -> pl.LazyFrame:
    """A row a game: its first event, its length, and what the winner and the last seat scored."""
    first = batch.run.tables.COLUMNS["event"][0]
    scores = (
        batch.scan("seats")
        .group_by("game")
        .agg(best=pl.col("vp").max(), worst=pl.col("vp").min(), mean=pl.col("vp").mean())
    )
    games = batch.scan("games").select("game", "deal", "turns", "decided_by", event=pl.col(first))
    return games.join(scores, on="game")


def event(run: Run, delta: float) -> Section:
    """Turns, VP, spread and ties by first event."""
    columns = {
        "turns": ("Turns", pl.col("turns")),
        "vp": ("VP a seat", pl.col("mean")),
        "spread": ("First less last, VP", pl.col("best") - pl.col("worst")),
        "ties": ("Tie-break decides", pl.col("decided_by") != 0),
    }
    found = run.moments(scan_first, {name: (value, None) for name, (_, value) in columns.items()}, by=["event"])
    events = sorted(key[0] for key in found if key[0] >= 0)
    if not events:
        return Section("event", "What does the first event change?", "No event was recorded in these games.")
    names = {e: run.codes.EVENTS[e] for e in events}
    mean = {(e, name): block_mean(found[(e,)][name]) for e in events for name in columns}
    order = sorted(events, key=lambda e: -(mean[e, "spread"].value or 0.0))
    rows: list[tuple[Cell, ...]] = [
        (
            names[e],
            *(mean[e, name] for name in ("spread", "vp", "turns")),
            block_share(found[(e,)]["ties"]),
            mean[e, "vp"].n,
        )
        for e in order
    ]
    far = [e for e in order if _apart(mean[e, "spread"], [mean[o, "spread"] for o in order if o != e])]
    sentence = (
        f"First and last end {show(mean[order[0], 'spread'], 'fine')} VP apart after {names[order[0]]} and "
        f"{show(mean[order[-1], 'spread'], 'fine')} after {names[order[-1]]}"
    )
    sentence += f"; {join_words([names[e] for e in far])} stands apart from all others." if far else "."
    return Section(
        "event",
        "What does the first event change?",
        sentence,
        (
            block(
                plots.draw_bars(
                    "event",
                    "Spread by first event",
                    [Mark(names[e], mean[e, "spread"]) for e in order],
                    "VP between first and last",
                    "fine",
                ),
                Table(
                    "by_first_event",
                    f"Games by the Event of turn 1, n={run.complete:,}",
                    (
                        Column("First event"),
                        Column(columns["spread"][0], "fine"),
                        Column(columns["vp"][0], "fine"),
                        Column(columns["turns"][0], "fine"),
                        Column(columns["ties"][0], "share"),
                        Column("Games", "count"),
                    ),
                    tuple(rows),
                ),
            ),
        ),
        ("The deck chooses the first event, nobody at the table; an event later on meets another table.",),
        figures=tuple(Figure(f"spread after {names[e]}", mean[e, "spread"], "fine") for e in order),
    )


def _apart(one: Estimate, others: list[Estimate]) -> bool:
    """Does an interval touch none of the others?"""
    if one.low is None or one.high is None or not others:
        return False
    return all(o.low is not None and o.high is not None and (one.high < o.low or one.low > o.high) for o in others)
