"""How often tie-breaks decide."""

from collections.abc import Sequence

import polars as pl

from analysis import plots
from analysis.frames import Ratio, Run
from analysis.intervals import block_share
from analysis.page import Card, Figure, Section, block
from analysis.plots import Stack
from analysis.sections.common import scan_games
from analysis.tables import Cell, Column, Table, join_words, percent, show


def ties(run: Run, delta: float, contests: Sequence[str], levels: Sequence[str], stays_level: bool = False) -> Section:
    """How often do tie-breaks decide?

    `contests` are plural labels of codes.CONTESTS, the last for the game itself, `levels` labels of
    codes.SETTLED_BY; `stays_level`: the last of these is no tie-break but what none of them could settle.
    """
    columns = run.tables.COLUMNS.get("settled", [])
    width = len(levels)
    ratios: dict[str, Ratio] = {}
    for c in range(len(contests) - 1):
        own = columns[c * width : (c + 1) * width]
        together = pl.sum_horizontal(pl.col(name).cast(pl.Int64) for name in own)
        ratios.update({f"{c} {level}": (pl.col(name), together) for level, name in enumerate(own)})
    game = len(contests) - 1
    ratios.update({f"{game} {level}": (pl.col("decided_by") == level, None) for level in range(width)})
    breaks = range(1, width - 1 if stays_level else width)
    ratios["tie-breaks"] = (pl.col("decided_by").is_in(list(breaks)), None)
    found = run.moments(scan_games, ratios)[()]
    rates = {name: block_share(m) for name, m in found.items()}
    title = "How often do tie-breaks decide?"
    if not run.complete:
        return Section("ties", title, "No game ended by the rules, so no tie-break is counted.")
    rows: list[tuple[Cell, ...]] = []
    stacks = []
    for c in reversed(range(len(contests))):
        own_rates = [rates[f"{c} {level}"] for level in range(width)]
        if own_rates[0].value is None:
            continue
        rows.append((contests[c], round(found[f"{c} 0"].x), *own_rates))
        stacks.append(Stack(contests[c].capitalize(), [r.value or 0.0 for r in own_rates]))
    decided = rates["tie-breaks"]
    how = join_words([f"{levels[level]} in {percent(rates[f'{game} {level}'].value or 0.0)}" for level in breaks])
    if stays_level:
        how += f"; {show(rates[f'{game} {width - 1}'], 'share')} stay level even so"
    others = join_words(
        [
            f"{percent(1 - (rates[f'{c} 0'].value or 0.0))} of {contests[c]}"
            for c in range(game)
            if rates[f"{c} 0"].value is not None
        ]
    )
    sentence = f"Tie-breaks decide {show(decided, 'share')} of games: {how}" + (f"; and {others}." if others else ".")
    if stays_level and not breaks:
        level = show(rates[f"{game} {width - 1}"], "share")
        sentence = f"No rule of this game breaks a tie: {level} of games end level, and the win is shared."
    colours = [plots.BLUE, plots.SKY, plots.VERMILLION, plots.YELLOW, plots.PURPLE][:width]
    return Section(
        "ties",
        title,
        sentence,
        (
            block(
                plots.draw_lanes("ties", title, stacks, levels, colours, "decided by"),
                Table(
                    "settled_by",
                    "What told the winner from the next one",
                    (
                        Column("Contest"),
                        Column("Number", "count"),
                        *(Column(x[:1].upper() + x[1:], "share") for x in levels),
                    ),
                    tuple(rows),
                ),
            ),
        ),
        ("Counted is what first told the winner from the next: a later tie-break was never asked.",),
        Card(
            title,
            percent(decided.value or 0.0),
            sentence,
            "plain",
            plots.sketch_lane("card-ties", "Games by what decided them", stacks[0].sizes, colours),
        ),
        (Figure("games decided by tie-breaks", decided),),
    )
