"""What Research cards bring, and whether identical ones run away."""

from typing import Any

import polars as pl

from analysis import plots
from analysis.frames import Ratio, Run
from analysis.games.atlantica.names import (
    CHOSEN,
    COMPANY,
    EFFECTS,
    MOST_SHOWN,
    OUTCOMES,
    RESEARCH_SOURCES,
    add_up,
    find_means,
    say_nothing,
    say_number,
    say_share,
    value_of,
)
from analysis.intervals import NOTHING, block_mean
from analysis.page import Block, Card, Section, block
from analysis.plots import Mark
from analysis.sections.common import SHADES, UNIT, by_outcome, scan_seats
from analysis.tables import Cell, Column, Table, percent, show
from kernels.atlantica import tables


def research(run: Run, delta: float) -> Section:
    """What Research cards bring by effect, and how seats with several identical ones fare."""
    key, title = "research", "What does research bring?"
    if not run.complete:
        return say_nothing(key, title)
    vp = add_up(RESEARCH_SOURCES)
    ratios: dict[str, Ratio] = {
        "cards": (pl.col("research"), None),
        "share": (vp, pl.col("vp").cast(pl.Int64)),
        **by_outcome("cards", pl.col("research")),
        **by_outcome("vp", vp),
        "per card": (vp, pl.col("research").cast(pl.Int64)),
    }
    for name in EFFECTS:
        ratios[f"{name} rate"] = (pl.col(f"chosen_research_{name}"), pl.col(f"legal_research_{name}"))
        if f"vp_{name}" in RESEARCH_SOURCES:
            ratios.update(by_outcome(f"{name} vp", pl.col(f"vp_{name}")))
    moments = run.moments(scan_seats, ratios)[()]
    found = find_means(moments)
    worth = {name: value_of(found.get(f"{name} vp: all", NOTHING)) for name in EFFECTS}
    shown = [name for name in EFFECTS if moments[f"{name} rate"].x > 0 or worth[name] > 0]
    shown.sort(key=lambda name: -worth[name])
    marks = [Mark(EFFECTS[n], found[f"{n} vp: all"]) for n in shown if f"{n} vp: all" in found]
    stacks, stack_sentence = _find_stacks(run, delta)
    sentence = (
        f"A seat has {say_number(found['cards'])} Research cards, which bring {say_number(found['vp: all'])} VP, "
        f"{say_share(found['share'])} of its points. {stack_sentence}"
    )
    rows: list[tuple[Cell, ...]] = [
        (
            EFFECTS[name],
            block_mean(moments[f"{name} rate"], UNIT),
            *(found.get(f"{name} vp: {who}") for who in OUTCOMES),
        )
        for name in shown
    ]
    rows.append(("all Research cards", None, *(found[f"vp: {who}"] for who in OUTCOMES)))
    blocks = [
        block(
            plots.draw_bars("research", "VP by Research effect", marks, "VP a seat", "fine"),
            Table(
                "research",
                f"Research cards by effect, a seat, n={run.complete:,} games",
                (
                    Column("Effect"),
                    Column("Chosen among several", "share"),
                    Column("VP", "fine"),
                    Column("Winners", "fine"),
                    Column("Others", "fine"),
                ),
                tuple(rows),
            ),
        ),
        stacks,
        _count_copies(run),
    ]
    caveats = (
        CHOSEN,
        "What the treasure joker brings is booked with the treasures.",
        COMPANY.format("who has many cards of a kind had the turns and the divers to take them."),
    )
    return Section(
        key,
        title,
        sentence,
        tuple(blocks),
        caveats,
        Card(
            title,
            f"{say_share(found['share'])} of points",
            sentence,
            "plain",
            plots.sketch_lane(
                "card-research",
                "VP a seat by Research effect",
                [value_of(mark.estimate) for mark in marks],
                [SHADES[i % len(SHADES)] for i in range(len(marks))],
            ),
        ),
    )


def _find_stacks(run: Run, delta: float) -> tuple[Block, str]:
    """Credit and VP by how many identical Research cards a seat has, and that in a sentence."""
    stack = pl.min_horizontal(pl.col("research_most"), pl.lit(MOST_SHOWN))
    sizes = range(MOST_SHOWN + 1)
    ratios: dict[str, Ratio] = {}
    for size in sizes:
        here = stack == size
        ratios[f"{size} share"] = (here, None)
        ratios[f"{size} credit"] = (pl.col("credit") * here, here)
        ratios[f"{size} vp"] = (pl.col("vp").cast(pl.Int64) * here, here)
        ratios[f"{size} research"] = (add_up(RESEARCH_SOURCES) * here, here)
    moments = run.moments(scan_seats, ratios)[()]
    found = {name: block_mean(m, UNIT if name.endswith(("share", "credit")) else None) for name, m in moments.items()}
    held = [size for size in sizes if moments[f"{size} share"].y > 0]
    labels = {size: "none" if not size else f"{size}{'+' if size == MOST_SHOWN else ''}" for size in sizes}
    marks = [Mark(labels[size], found[f"{size} credit"]) for size in held]
    rows = tuple(
        (
            labels[size],
            round(moments[f"{size} share"].y),
            found[f"{size} share"],
            found[f"{size} research"],
            found[f"{size} vp"],
            found[f"{size} credit"],
            found[f"{size} credit"].against(run.fair),
        )
        for size in held
    )
    high = [size for size in held if size >= 2]
    if high:
        together = block_mean(
            run.moments(scan_seats, {"": (pl.col("credit") * (stack >= 2), stack >= 2)})[()][""], UNIT
        )
        sentence = (
            f"Seats with two or more identical ones win {show(together, 'share')} of games, against "
            f"{percent(run.fair)}; that is company, not cause."
        )
    else:
        sentence = "No seat has two identical ones."
    shown = block(
        plots.draw_forest("stacks", "Credit by identical cards", marks, run.fair, delta),
        Table(
            "research_stacks",
            "Seats by the most identical Research cards they have",
            (
                Column("Identical cards"),
                Column("Seats", "count"),
                Column("Share of seats", "share"),
                Column("VP by research", "number"),
                Column("VP", "number"),
                Column("Credit", "share"),
                Column("Against even", "pp"),
            ),
            rows,
        ),
        heading="Do identical cards run away?",
    )
    return shown, sentence


def _count_copies(run: Run) -> Block:
    """How seats fare by how many of each Research card they have."""
    rules = {rule["name"]: rule["value"] for rule in run.manifest.rules if rule.get("value") is not None}
    deck: list[dict[str, Any]] = rules.get("research_deck", [])
    copies = [(card, n) for card, entry in enumerate(deck) for n in range(1, entry["copies"] + 1)]
    ratios: dict[str, Ratio] = {}
    for card, n in copies:
        here = pl.col(tables.COLUMNS["copies"][card]) == n
        ratios[f"{card} {n} credit"] = (pl.col("credit") * here, here)
        ratios[f"{card} {n} research"] = (add_up(RESEARCH_SOURCES) * here, here)
        ratios[f"{card} {n} vp"] = (pl.col("vp").cast(pl.Int64) * here, here)
    moments = run.moments(scan_seats, ratios)[()] if copies else {}
    rows = tuple(
        (
            deck[card]["name"],
            n,
            round(moments[f"{card} {n} credit"].x),
            block_mean(moments[f"{card} {n} research"]),
            block_mean(moments[f"{card} {n} vp"]),
            block_mean(moments[f"{card} {n} credit"], UNIT),
        )
        for card, n in copies
        if moments[f"{card} {n} credit"].x > 0
    )
    return block(
        Table(
            "research_copies",
            "Seats by how many they have of each Research card, those taken with the drink included",
            (
                Column("Card"),
                Column("Copies", "count"),
                Column("Seats", "count"),
                Column("VP by research", "number"),
                Column("VP", "number"),
                Column("Credit", "share"),
            ),
            rows,
        )
    )
