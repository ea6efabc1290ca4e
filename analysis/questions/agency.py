"""How much does a player do? Decisions, what is played, how long one waits, and turns with nothing."""

import polars as pl

from analysis import plots
from analysis.frames import Ratio, Run
from analysis.intervals import block_mean
from analysis.page import Figure, Section, block
from analysis.plots import Mark
from analysis.questions.question import find_traits
from analysis.sections.common import UNIT, by_outcome, scan_seats
from analysis.tables import Cell, Column, Table, show


def agency(run: Run, delta: float) -> Section:
    """What a seat does in a game, winners and others, and how many of its turns pass idly."""
    traits = find_traits(run.game)
    doing = {"decisions": "decisions", **traits.doing}
    ratios: dict[str, Ratio] = {}
    for column in doing:
        ratios.update(by_outcome(column, pl.col(column)))
    found = {name: block_mean(m) for name, m in run.moments(scan_seats, ratios)[()].items()}
    rows: list[tuple[Cell, ...]] = [
        (label, *(found[f"{column}: {who}"] for who in ("all", "winners", "others")))
        for column, label in doing.items()
    ]
    blocks = [
        block(
            Table(
                "doing",
                f"What a seat does in a game, n={run.complete:,} games",
                (Column("Measure"), *(Column(who, "fine") for who in ("All seats", "Winners", "Others"))),
                tuple(rows),
            )
        )
    ]
    figures = [Figure(label, found[f"{column}: all"], "fine") for column, label in doing.items()]
    sentence = f"A seat takes {show(found['decisions: all'], 'number')} real decisions in a game"
    if traits.idle:
        column, low, high, means = traits.idle
        idle = pl.col(column).is_between(low, high)
        scan = lambda batch: batch.scan("turns").select("deal", "turn", column)  # noqa: E731
        share = block_mean(run.moments(scan, {"idle": (idle, None)})[()]["idle"], UNIT)
        by_turn = run.moments(scan, {"idle": (idle, None)}, by=["turn"])
        turns = sorted(key[0] for key in by_turn)[:20]
        shares = [block_mean(by_turn[(t,)]["idle"], UNIT) for t in turns]
        sentence += f"; {show(share, 'share')} of its turns are {means}"
        figures.append(Figure(means, share))
        blocks.append(
            block(
                plots.draw_bars(
                    "idle", means, [Mark(f"turn {t}", s) for t, s in zip(turns, shares)], means, "share"
                ),
                Table(
                    "idle_by_turn",
                    f"Share of {means}",
                    (Column("Turn"), Column("Share", "share")),
                    tuple((f"turn {t}", s) for t, s in zip(turns, shares)),
                ),
            )
        )
    return Section(
        "agency",
        "How much does a player do?",
        f"{sentence}.",
        tuple(blocks),
        ("A decision is a choice between two or more legal actions.",),
        figures=tuple(figures),
    )
