"""Where points come from, for winners and for the others."""

from collections.abc import Mapping

import polars as pl

from analysis import plots
from analysis.frames import Ratio, Run
from analysis.intervals import block_mean
from analysis.page import Card, Figure, Section, block
from analysis.plots import Mark, Stack
from analysis.sections.common import SHADES, scan_seats
from analysis.tables import Column, Table, percent, plural


def sources(run: Run, delta: float, names: Mapping[str, str], note: str = "") -> Section:
    """Where do points come from, for winners and for the others? `names` is a label for each of
    codes.SOURCES; `note` says what the labels cannot."""
    keys = list(run.codes.SOURCES)
    columns = list(run.tables.COLUMNS["vp_by"])
    won, lost = pl.col("credit"), 1 - pl.col("credit")
    ratios: dict[str, Ratio] = {}
    for column in ["vp", *columns]:
        value = pl.col(column).cast(pl.Float64)
        ratios[f"winners {column}"] = (value * won, won)
        ratios[f"others {column}"] = (value * lost, lost)
        ratios[f"gap {column}"] = (value * (won - lost / max(run.players - 1, 1)), won)
        ratios[f"all {column}"] = (value, None)
    off = pl.sum_horizontal(pl.col(c).cast(pl.Int64) for c in columns) != pl.col("vp").cast(pl.Int64)
    found = run.moments(scan_seats, {**ratios, "off": (off, None)})[()]
    means = {name: block_mean(moments) for name, moments in found.items() if name != "off"}
    wrong = round(found["off"].y)

    def mean(who: str, column: str) -> float:
        return means[f"{who} {column}"].value or 0.0

    order = sorted(range(len(keys)), key=lambda i: -mean("winners", columns[i]))
    shown = [i for i in order if found[f"all {columns[i]}"].yy > 0]
    title = "Where do points come from?"
    total = mean("all", "vp")
    if not run.complete:
        return Section("sources", title, "No game ended by the rules, so there are no points to trace.")
    rows = [
        (
            names.get(keys[i], keys[i].replace("_", " ")),
            means[f"winners {columns[i]}"],
            means[f"others {columns[i]}"],
            means[f"gap {columns[i]}"],
            mean("all", columns[i]) / total if total else None,
        )
        for i in shown
    ]
    rows.append(("all sources", means["winners vp"], means["others vp"], means["gap vp"], 1.0 if total else None))
    label = {i: names.get(keys[i], keys[i].replace("_", " ")) for i in range(len(keys))}
    richest = max(range(len(keys)), key=lambda i: mean("all", columns[i]))
    telling = max(range(len(keys)), key=lambda i: mean("gap", columns[i]))
    sentence = (
        f"Most points come from {label[richest]}: "
        f"{percent(mean('all', columns[richest]) / total) if total else 'none'} of all VP. "
        f"Winners are ahead most in {label[telling]}: {mean('gap', columns[telling]):.1f} of the "
        f"{mean('gap', 'vp'):.1f} VP by which "
        f"they beat the average of the others."
    )
    big = [i for i in shown if mean("winners", columns[i]) > 0.03 * max(mean("winners", "vp"), 1e-9)][: len(SHADES) - 1]
    rest = [i for i in shown if i not in big]
    stacks = [
        Stack(
            who.capitalize(),
            [max(0.0, mean(who, columns[i])) for i in big] + [sum(mean(who, columns[i]) for i in rest)],
        )
        for who in ("winners", "others")
    ]
    parts = [label[i] for i in big] + ["everything else"]
    colours = [*SHADES[: len(big)], plots.GREY]
    caveat = (
        f"In {plural(wrong, 'row')} the sources do not add up to the VP: the run is not sound."
        if wrong
        else f"Checked: in every one of the {round(found['off'].x):,} seat rows the sources add up to the VP."
    )
    gaps = sorted(shown, key=lambda i: -mean("gap", columns[i]))
    return Section(
        "sources",
        title,
        sentence,
        (
            block(
                plots.draw_towers("sources", "VP by source", stacks, parts, colours, "VP a seat").under(
                    "VP a seat, by source"
                ),
                plots.draw_bars(
                    "gaps",
                    "What winners have more of",
                    [Mark(label[i], means[f"gap {columns[i]}"], plots.BLUE) for i in gaps],
                    "VP of winners less VP of the others",
                    "number",
                ).under("What winners have more of"),
                Table(
                    "vp_by_source",
                    f"VP by source a seat, n={run.complete:,} games",
                    (
                        Column("Source"),
                        Column("Winners", "fine"),
                        Column("Others", "fine"),
                        Column("Difference", "fine"),
                        Column("Share of all VP", "share"),
                    ),
                    tuple(rows),
                ),
            ),
        ),
        (
            caveat,
            *([note] if note else []),
            "Where winners have more is what goes with winning here; it need not be what makes them win.",
        ),
        Card(
            title,
            label[richest][:1].upper() + label[richest][1:],
            sentence,
            "bad" if wrong else "plain",
            plots.sketch_lane("card-sources", "VP of winners by source", stacks[0].sizes, colours),
        ),
        tuple(Figure(f"winners' lead in {label[i]}", means[f"gap {columns[i]}"], "fine", 0.0) for i in gaps),
    )
