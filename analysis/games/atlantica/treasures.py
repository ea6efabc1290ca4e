"""Which treasures pay: collected, kept and lost, by colour."""

import polars as pl

from analysis import plots
from analysis.frames import Ratio, Run
from analysis.games.atlantica.names import (
    CHOSEN,
    COMPANY,
    KINDS,
    MOST_SHOWN,
    TREASURE_SHADES,
    TREASURES,
    add_up,
    find_means,
    label_counts,
    say_nothing,
    share_counts,
    value_of,
)
from analysis.page import Card, Section, block
from analysis.plots import Mark
from analysis.sections.common import by_outcome, lead_of_winners, scan_seats
from analysis.tables import Column, Table, show
from kernels.atlantica import codes

_COUNTED = ("rate", "got", "lost", "kept: all", "vp", "pay: all")


def treasures(run: Run, delta: float) -> Section:
    """Which treasure colours pay: collected, kept and lost, VP for each one kept, for winners and for the others."""
    key, title = "treasures", "Which treasures pay?"
    if not run.complete:
        return say_nothing(key, title)
    names = {**dict(zip(codes.TREASURE_SLUGS, TREASURES)), "all": "all treasures"}
    ratios: dict[str, Ratio] = {}
    for name in names:
        own = codes.TREASURE_SLUGS if name == "all" else (name,)
        kept, vp = add_up([f"kept_{part}" for part in own]), add_up([f"vp_{part}" for part in own])
        # A joker can bring VP for a colour of which none is kept: these are no pay for treasures.
        earned = pl.sum_horizontal(
            pl.when(pl.col(f"kept_{part}") > 0).then(pl.col(f"vp_{part}")).otherwise(0).cast(pl.Int64) for part in own
        )
        chosen, offered = (add_up([f"{what}_treasure_{part}" for part in own]) for what in ("chosen", "legal"))
        ratios[f"{name} rate"] = (chosen, offered)
        ratios[f"{name} vp"] = (vp, None)
        ratios[f"{name} lead"] = lead_of_winners(run, kept)
        ratios.update(by_outcome(f"{name} kept", kept))
        ratios.update(by_outcome(f"{name} pay", earned, kept))
        collected = add_up([f"collected_{part}" for part in own])
        ratios[f"{name} got"] = (collected, None)
        ratios[f"{name} lost"] = (collected - kept, collected)
    found = find_means(run.moments(scan_seats, ratios)[()])
    pay = [found[f"{name} pay: all"] for name in codes.TREASURE_SLUGS]
    lead = [found[f"{name} lead"] for name in codes.TREASURE_SLUGS]
    shades = [TREASURE_SHADES[colour] for colour in codes.TREASURE_COLOURS]
    paid = [kind for kind in KINDS if pay[kind].value is not None]
    paid.sort(key=lambda kind: -value_of(pay[kind]))
    if not paid:
        return Section(key, title, "No treasure was kept in any game.")
    order = [*paid, *(kind for kind in KINDS if kind not in paid)]
    best, worst, most = paid[0], paid[-1], max(KINDS, key=lambda kind: value_of(lead[kind]))
    sentence = (
        f"{codes.TREASURES[best]}: most VP for each treasure kept, {show(pay[best], 'fine')}; "
        f"{codes.TREASURES[worst]}: fewest, {show(pay[worst], 'fine')}. Winners are ahead most in "
        f"{codes.TREASURES[most]}, {show(lead[most], 'fine')} cards more than the average of the others."
    )
    rows = [*(codes.TREASURE_SLUGS[kind] for kind in order), "all"]
    caveats = (
        "VP for each kept are all VP of the colour where any is kept, by whatever row was reached; a Research joker "
        "adds to them without being a treasure kept.",
        CHOSEN,
        COMPANY.format("a colour that winners keep may come with winning, and what pays depends on what others take."),
    )
    marks = [Mark(TREASURES[kind], pay[kind], shades[kind]) for kind in paid]
    return Section(
        key,
        title,
        sentence,
        (
            block(
                plots.draw_bars("treasures", "VP a treasure kept", marks, "VP for each treasure kept", "fine"),
                Table(
                    "treasures",
                    f"Treasures a seat, n={run.complete:,} games",
                    (
                        Column("Treasure"),
                        Column("Chosen among several", "share"),
                        Column("Collected", "fine"),
                        Column("Lost of these", "share"),
                        Column("Kept", "fine"),
                        Column("VP", "fine"),
                        Column("VP for each kept", "fine"),
                    ),
                    tuple(
                        (
                            names[name],
                            *(found[f"{name} {what}"] for what in _COUNTED),
                        )
                        for name in rows
                    ),
                ),
            ),
            block(
                plots.draw_bars(
                    "treasure-leads",
                    "What winners keep more of",
                    [Mark(TREASURES[kind], lead[kind], shades[kind]) for kind in order],
                    "treasures kept, winners less the average of the others",
                    "fine",
                ).under("What winners keep more of"),
                _draw_sets(run),
                Table(
                    "treasures_by_outcome",
                    "Winners and others: treasures kept a seat, and VP for each",
                    (
                        Column("Treasure"),
                        Column("Winners keep", "fine"),
                        Column("Others keep", "fine"),
                        Column("Difference", "fine"),
                        Column("Winners' VP for each", "fine"),
                        Column("Others' VP for each", "fine"),
                    ),
                    tuple(
                        (
                            names[name],
                            *(found[f"{name} {what}"] for what in ("kept: winners", "kept: others", "lead")),
                            *(found[f"{name} pay: {who}"] for who in ("winners", "others")),
                        )
                        for name in rows
                    ),
                ),
            ),
        ),
        caveats,
        Card(
            title,
            codes.TREASURES[best],
            sentence,
            "plain",
            plots.sketch_lane(
                "card-treasures",
                "VP a seat by colour of treasure",
                [value_of(found[f"{codes.TREASURE_SLUGS[kind]} vp"]) for kind in order],
                [shades[kind] for kind in order],
            ),
        ),
    )




def _draw_sets(run: Run) -> plots.Picture:
    """How many of each colour seats keep."""
    shares = [
        share_counts(run.counts(scan_seats, f"kept_{name}"), f"kept_{name}", MOST_SHOWN)
        for name in codes.TREASURE_SLUGS
    ]
    return plots.draw_grid(
        "sets",
        "Treasures of a colour kept",
        codes.TREASURES,
        label_counts(MOST_SHOWN),
        shares,
        "share of seats that keep so many",
    ).under("Share of seats that keep so many of a colour")
