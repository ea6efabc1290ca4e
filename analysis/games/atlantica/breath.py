"""Catch Your Breath, forced and chosen."""

import polars as pl

from analysis import plots
from analysis.frames import Batch, Ratio, Run
from analysis.games.atlantica.names import NEEDS_TURNS, OUTCOMES, say_nothing, say_share, value_of
from analysis.intervals import block_mean
from analysis.page import Block, Card, Section, block
from analysis.sections.common import UNIT, by_outcome, scan_seats
from analysis.tables import Column, Kind, Table, show

BANDS = (1, 2, 3, 4, 6, 10, 15, 20)  # the first turn of each band of a seat's own turns


def _name_band(band: int) -> str:
    first = BANDS[band]
    if band + 1 == len(BANDS):
        return f"{first}+"
    last = BANDS[band + 1] - 1
    return str(first) if first == last else f"{first}–{last}"


def scan_breaths(batch: Batch) -> pl.LazyFrame:
    """Turns with the number of their band."""
    band = pl.sum_horizontal((pl.col("turn") >= first).cast(pl.Int64) for first in BANDS) - 1
    return batch.scan("turns").with_columns(band=band)


def breaths(run: Run, delta: float) -> Section:
    """How often is Catch Your Breath forced, how often chosen, and in which turns?"""
    key, title = "breath", "How often is Catch Your Breath forced?"
    if not run.complete:
        return say_nothing(key, title)
    turns, forced = pl.col("turns").cast(pl.Int64), pl.col("forced").cast(pl.Int64)
    chosen = pl.col("breaths").cast(pl.Int64) - forced
    ratios: dict[str, Ratio] = {
        **by_outcome("breath turns", forced + chosen, turns),
        **by_outcome("forced turns", forced, turns),
        **by_outcome("chosen turns", chosen, turns),
        **by_outcome("forced", forced),
        **by_outcome("chosen", chosen),
        **by_outcome("divers left", pl.col("divers")),
    }
    moments = run.moments(scan_seats, ratios)[()]
    found = {name: block_mean(m, UNIT if "turns" in name else None) for name, m in moments.items()}
    sentence = (
        f"A seat catches its breath in {say_share(found['breath turns: all'])} of its turns: "
        f"forced, as no action is possible, in {show(found['forced turns: all'], 'share')}, by choice in "
        f"{show(found['chosen turns: all'], 'share')}."
    )
    measures: tuple[tuple[str, str, Kind], ...] = (
        ("Turns forced", "forced turns", "share"),
        ("Turns by choice", "chosen turns", "share"),
        ("Forced a game", "forced", "fine"),
        ("By choice a game", "chosen", "fine"),
        ("Divers left at the end", "divers left", "fine"),
    )
    blocks = [
        block(
            Table(
                "breaths",
                f"Catch Your Breath a seat, n={run.complete:,} games",
                (Column("Seats"), *(Column(label, kind) for label, _, kind in measures)),
                tuple((who, *(found[f"{name}: {who}"] for _, name, _ in measures)) for who in OUTCOMES),
            )
        )
    ]
    caveats = ["Forced: no action could be paid for and had something to take. By choice: at least one could."]
    if run.has("turns"):
        blocks.append(_breaths_by_turn(run))
    else:
        caveats.append(NEEDS_TURNS.format("In which turns it happens"))
    return Section(
        key,
        title,
        sentence,
        tuple(blocks),
        tuple(caveats),
        Card(
            "How often is a player stuck?",
            f"{say_share(found['forced turns: all'])} of turns",
            sentence,
            "plain",
            plots.sketch_lane(
                "card-breath",
                "Turns: forced to catch breath, by choice, with an action",
                [
                    100 * value_of(found["forced turns: all"]),
                    100 * value_of(found["chosen turns: all"]),
                    100 * (1 - value_of(found["breath turns: all"])),
                ],
                [plots.VERMILLION, plots.YELLOW, plots.GREY],
            ),
        ),
    )


def _breaths_by_turn(run: Run) -> Block:
    """Forced and chosen Catch Your Breath by band of turns."""
    ratios: dict[str, Ratio] = {
        "forced": (pl.col("breath") == 2, None),
        "chosen": (pl.col("breath") == 1, None),
    }
    by_band = {row[0]: m for row, m in run.moments(scan_breaths, ratios, by=["band"]).items()}
    bands = sorted(by_band)
    means = {what: [block_mean(by_band[band][what], UNIT) for band in bands] for what in ratios}
    return block(
        plots.draw_grid(
            "breath-turns",
            "Catch Your Breath by turn",
            list(means),
            [_name_band(band) for band in bands],
            [[value_of(estimate) for estimate in row] for row in means.values()],
            "share of turns",
        ).under("Share of turns by their number"),
        Table(
            "breath_turns",
            "Catch Your Breath by the number of the seat's own turn",
            (Column("Turn"), Column("Turns", "count"), Column("Forced", "share"), Column("By choice", "share")),
            tuple(
                (_name_band(band), round(by_band[band]["forced"].x), means["forced"][i], means["chosen"][i])
                for i, band in enumerate(bands)
            ),
        ),
    )
