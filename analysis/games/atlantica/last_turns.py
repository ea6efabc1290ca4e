"""What the last turns bring, and whether they turn the game."""

import polars as pl

from analysis import plots
from analysis.frames import Batch, Ratio, Run
from analysis.games.atlantica.names import NEEDS_TURNS, label_counts, say_nothing, say_share, share_counts
from analysis.games.atlantica.tiers import scan_gains, scan_walk
from analysis.intervals import NOTHING, block_mean
from analysis.page import Card, Section, block
from analysis.sections.common import UNIT
from analysis.tables import Column, Table, show

MOST_GAINED = 10  # VP of the last turn that have a column of their own


def scan_leaders(batch: Batch) -> pl.LazyFrame:
    """Seats with whether they led, or were level, when the hurricane had come and their last turn had not."""
    before = (
        scan_walk(batch)
        .filter(pl.col("last") == 0)
        .filter(pl.col("of").shift(-1).fill_null(-1) != pl.col("of"))
        .select("game", "seat", before=pl.col("vp").cast(pl.Int64))
    )
    seats = (
        batch.scan("seats")
        .select("game", "deal", "seat", "vp", "credit")
        .join(before, on=["game", "seat"], how="left")
        .with_columns(pl.col("before").fill_null(0))
    )
    most = seats.group_by("game").agg(most=pl.col("before").max())
    return seats.join(most, on="game").with_columns(led=pl.col("before") == pl.col("most"))


def last_turns(run: Run, delta: float) -> Section:
    """Do the last turns still decide anything? What they gain, and whether who led before them wins."""
    key, title = "last", "What do the last turns bring?"
    if not run.complete:
        return say_nothing(key, title)
    if not run.has("turns"):
        return Section(key, title, NEEDS_TURNS.format("What a turn gains"))
    game = pl.col("seat") == 0
    moments = run.moments(
        scan_leaders,
        {
            "led": (pl.col("credit") * pl.col("led"), game),
            "turned": (pl.col("credit") * ~pl.col("led"), game),
            "level": (pl.col("led"), game),
            "share": (pl.col("vp").cast(pl.Int64) - pl.col("before"), pl.col("vp").cast(pl.Int64)),
        },
    )[()]
    led, turned = block_mean(moments["led"], UNIT), block_mean(moments["turned"], UNIT)
    ratios: dict[str, Ratio] = {
        "gain": (pl.col("gain"), None),
        "none": (pl.col("gain") <= 0, None),
        "breath": (pl.col("breath") > 0, None),
        "paid": (pl.col("paid"), None),
    }
    by_last = run.moments(scan_gains, ratios, by=["last"])
    phases = {0: "before the hurricane", 1: "after it, the last turn"}
    rows = tuple(
        (
            name,
            round(by_last[(last,)]["gain"].x),
            block_mean(by_last[(last,)]["gain"]),
            block_mean(by_last[(last,)]["none"], UNIT),
            block_mean(by_last[(last,)]["paid"]),
            block_mean(by_last[(last,)]["breath"], UNIT),
        )
        for last, name in phases.items()
        if (last,) in by_last
    )
    gained = block_mean(by_last[(1,)]["gain"]) if (1,) in by_last else NOTHING
    before = block_mean(by_last[(0,)]["gain"]) if (0,) in by_last else NOTHING
    sentence = (
        f"The last turn brings a seat {show(gained, 'fine')} VP, a turn before it {show(before, 'fine')}. Whoever led "
        f"or was level before it wins {show(led, 'share')} of games; the rest are turned by the last turns."
    )
    counts = run.counts(lambda batch: scan_gains(batch).filter(pl.col("last") == 1), "gain")
    shares = share_counts(counts, "gain", MOST_GAINED)
    return Section(
        key,
        title,
        sentence,
        (
            block(
                plots.draw_columns(
                    "last",
                    "VP gained in the last turn",
                    label_counts(MOST_GAINED),
                    shares,
                    "VP gained in the last turn; 0: none, or a loss",
                ),
                Table(
                    "last_turns",
                    "Turns before and after the hurricane",
                    (
                        Column("Turns"),
                        Column("Number", "count"),
                        Column("VP gained", "fine"),
                        Column("Nothing gained", "share"),
                        Column("Divers played", "fine"),
                        Column("Catch Your Breath", "share"),
                    ),
                    rows,
                ),
            ),
            block(
                Table(
                    "last_leaders",
                    f"Before the last turns, n={run.complete:,} games",
                    (Column("Figure"), Column("Share", "share")),
                    (
                        ("games won by a seat that led or was level before", led),
                        ("games turned by the last turns", turned),
                        ("VP that come in the last turn", block_mean(moments["share"])),
                    ),
                ),
            ),
        ),
        (
            "A seat's standing before the last turns is what it would have scored after its own turn before the last; "
            "joint winners count by their part.",
            f"On average {show(block_mean(moments['level']), 'fine')} seats lead or are level then.",
        ),
        Card(
            "What do the last turns bring?",
            f"{say_share(turned)} of games turned",
            sentence,
            "plain",
            plots.sketch_columns("card-last", "Seats by VP gained in the last turn", shares),
        ),
    )
