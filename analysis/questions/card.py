"""Who uses which card, and how do they fare? Company, screened by Benjamini and Hochberg (1995)."""

import polars as pl

from analysis import plots
from analysis.frames import Ratio, Run
from analysis.intervals import ALPHA, block_mean
from analysis.page import Figure, Section, block
from analysis.plots import Mark
from analysis.questions.question import find_traits
from analysis.sections.common import UNIT, scan_seats
from analysis.tables import Column, Table, percent, show


def card(run: Run, delta: float) -> Section:
    """Credit of the seats that used a card at least once."""
    from scipy.stats import false_discovery_control

    traits = find_traits(run.game)
    names = {
        option: f"{verb} {traits.labels.get(option, option.removeprefix(prefix).replace('_', ' '))}"
        for prefix, verb in traits.uses
        for option in run.codes.OPTIONS
        if option.startswith(prefix)
    }
    ratios: dict[str, Ratio] = {}
    for option in names:
        used = pl.col(f"chosen_{option}") > 0
        ratios[f"credit {option}"] = (pl.col("credit") * used, used)
        ratios[f"used {option}"] = (used, None)
    found = {name: block_mean(m, UNIT) for name, m in run.moments(scan_seats, ratios)[()].items()}
    order = sorted(
        (option for option in names if found[f"credit {option}"].value is not None),
        key=lambda option: -(found[f"credit {option}"].value or 0.0),
    )
    title = "Who uses which card, and how do they fare?"
    if not order:
        return Section("card", title, "No card was used in any game.")
    credits = {option: found[f"credit {option}"] for option in order}
    adjusted = false_discovery_control([e.p_differs(run.fair) for e in credits.values()])
    differs = {option: bool(p <= ALPHA) for option, p in zip(order, adjusted)}
    best, worst = order[0], order[-1]
    sentence = (
        f"Seats that {names[best]} win most, {show(credits[best], 'share')} against {percent(run.fair)}, those that "
        f"{names[worst]} least, {show(credits[worst], 'share')}; {sum(differs.values())} of {len(order)} uses go with "
        "another share than even. That is company, not cause."
    )
    return Section(
        "card",
        title,
        sentence,
        (
            block(
                plots.draw_forest(
                    "card",
                    "Credit of users",
                    [Mark(names[o], credits[o]) for o in [*order[:8], *order[-8:]][: len(order)]],
                    run.fair,
                    delta,
                ),
                Table(
                    "credit_of_users",
                    f"Credit of the seats that did it at least once, n={run.complete:,} games",
                    (
                        Column("Use"),
                        Column("Users' credit", "share"),
                        Column("Against even", "pp"),
                        Column("Seats that do", "share"),
                        Column("Screen"),
                    ),
                    tuple(
                        (
                            names[o],
                            credits[o],
                            credits[o].against(run.fair),
                            found[f"used {o}"],
                            "differs" if differs[o] else "",
                        )
                        for o in order
                    ),
                ),
            ),
        ),
        (
            "Who uses a card was able to: a seat that wins more votes plays more of everything. Only dealing or "
            "forcing a card tells what it is worth.",
            "The screen lets through 5% false alarms (Benjamini-Hochberg). Confirm one on another seed.",
        ),
        figures=tuple(Figure(names[o], credits[o], "share", run.fair) for o in order),
    )
