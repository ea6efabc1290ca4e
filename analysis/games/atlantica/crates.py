"""Crates and the treasures lost for want of one."""

import polars as pl

from analysis import plots
from analysis.frames import Ratio, Run
from analysis.games.atlantica.names import (
    COMPANY,
    OUTCOMES,
    find_means,
    label_counts,
    say_nothing,
    say_number,
    say_share,
    share_counts,
)
from analysis.intervals import block_mean
from analysis.page import Card, Section, block
from analysis.plots import Mark
from analysis.sections.common import UNIT, by_outcome, lead_of_winners, scan_seats
from analysis.tables import Column, Table, show

MOST_LOST = 8  # treasures lost that have a column of their own
# Crates less treasures: a label, and the least and the most of the band.
BALANCES = (
    ("6+ short", -999, -6),
    ("3–5 short", -5, -3),
    ("1–2 short", -2, -1),
    ("enough", 0, 0),
    ("1–2 spare", 1, 2),
    ("3–5 spare", 3, 5),
    ("6+ spare", 6, 999),
)


def crates(run: Run, delta: float) -> Section:
    """Are there crates enough? Treasures lost for want of one, crates left empty, and how those seats fare."""
    key, title = "crates", "Are there crates enough?"
    if not run.complete:
        return say_nothing(key, title)
    lost, owned, collected = (pl.col(name).cast(pl.Int64) for name in ("lost", "crates", "treasures"))
    balance = owned - collected
    measures = {
        "Treasures collected": collected,
        "Crates": owned,
        "Ships": pl.col("ships").cast(pl.Int64),
        "Treasures kept": collected - lost,
        "Treasures lost": lost,
        "Crates left empty": owned - (collected - lost),
    }
    ratios: dict[str, Ratio] = {
        "any": (lost > 0, None),
        "rate": (lost, collected),
        "per ship": (owned, pl.col("ships").cast(pl.Int64)),
    }
    for name, value in measures.items():
        ratios.update(by_outcome(name, value))
        ratios[f"{name} lead"] = lead_of_winners(run, value)
    for label, low, high in BALANCES:
        here = balance.is_between(low, high)
        ratios[f"{label} share"] = (here, None)
        ratios[f"{label} credit"] = (pl.col("credit") * here, here)
    moments = run.moments(scan_seats, ratios)[()]
    found = find_means(moments)
    any_lost, rate = block_mean(moments["any"], UNIT), block_mean(moments["rate"], UNIT)
    sentence = (
        f"A seat collects {say_number(found['Treasures collected: all'])} treasures and has "
        f"{say_number(found['Crates: all'])} crates for them: {show(any_lost, 'share')} of seats lose a treasure for "
        f"want of a crate, and {say_share(rate)} of all treasures collected are lost that way."
    )
    seen = [label for label, _, _ in BALANCES if moments[f"{label} share"].y > 0]
    shares = share_counts(run.counts(scan_seats, "lost"), "lost", MOST_LOST)
    return Section(
        key,
        title,
        sentence,
        (
            block(
                plots.draw_columns("lost", "Treasures lost", label_counts(MOST_LOST), shares, "treasures lost"),
                Table(
                    "crates",
                    f"Crates and treasures a seat, n={run.complete:,} games",
                    (
                        Column("What"),
                        Column("All", "fine"),
                        Column("Winners", "fine"),
                        Column("Others", "fine"),
                        Column("Difference", "fine"),
                    ),
                    tuple(
                        (
                            name,
                            *(found[f"{name}: {who}"] for who in OUTCOMES),
                            found[f"{name} lead"],
                        )
                        for name in measures
                    ),
                ),
            ),
            block(
                plots.draw_forest(
                    "balances",
                    "Credit by crates to spare",
                    [Mark(label, block_mean(moments[f"{label} credit"], UNIT)) for label in seen],
                    run.fair,
                    delta,
                ),
                Table(
                    "balances",
                    "Seats by crates to spare at the end (crates less treasures collected)",
                    (
                        Column("Crates"),
                        Column("Seats", "count"),
                        Column("Share of seats", "share"),
                        Column("Credit", "share"),
                    ),
                    tuple(
                        (
                            label,
                            round(moments[f"{label} share"].y),
                            block_mean(moments[f"{label} share"], UNIT),
                            block_mean(moments[f"{label} credit"], UNIT),
                        )
                        for label in seen
                    ),
                ),
                heading="Crates against treasures",
            ),
        ),
        (
            f"A ship carries {show(found['per ship'], 'fine')} crates on average.",
            COMPANY.format("seats with many treasures run short of crates more easily."),
        ),
        Card(
            title,
            f"{say_share(any_lost)} lose a treasure",
            sentence,
            "plain",
            plots.sketch_columns("card-crates", "Seats by treasures lost", shares),
        ),
    )
