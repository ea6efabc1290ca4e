"""How long the game is, in turns and decisions, and what ends it."""

import polars as pl

from analysis import plots
from analysis.frames import Run
from analysis.intervals import block_mean, block_share
from analysis.page import Card, Figure, Section, block
from analysis.plots import Heap
from analysis.sections.common import count_values, say_truncated, scan_games, widen
from analysis.tables import Column, Table, plural


def length(run: Run, delta: float, note: str = "") -> Section:
    """How long is the game, in turns and decisions, and what ends it? `note` says what a turn is, where that
    needs saying."""
    turns = widen(run, count_values(run.counts(scan_games, "turns"), "turns"), scan_games, pl.col("turns"))
    choices = widen(
        run, count_values(run.counts(scan_games, "decisions"), "decisions"), scan_games, pl.col("decisions")
    )
    lasting = [int(value) for value in turns.values]
    found = run.moments(
        scan_games,
        {
            "turns": (pl.col("turns"), None),
            "decisions": (pl.col("decisions"), None),
            **{f"is {t}": (pl.col("turns") == t, None) for t in lasting},
            **{f"up to {t}": (pl.col("turns") <= t, None) for t in lasting},
        },
    )[()]
    shares = [block_share(found[f"is {t}"]) for t in lasting]
    ends = tuple(
        (name, run.ended.get(code, 0), run.ended.get(code, 0) / run.finished if run.finished else None)
        for code, name in enumerate(run.codes.END_REASONS)
    )
    low, middle, high = (turns.at(q).value for q in (0.05, 0.5, 0.95))
    if middle is None or low is None or high is None:
        sentence = "No game ended by the rules, so its length is unknown."
        answer = "Unknown"
    else:
        sentence = (
            f"A game lasts {plural(int(middle), 'turn')} in the median ({low:.0f} to {high:.0f} in nine of "
            "ten games) and takes "
            f"{choices.at(0.5).value:,.0f} decisions."
        )
        answer = plural(int(middle), "turn")
    blocks = []
    if lasting:
        blocks.append(
            block(
                plots.draw_columns(
                    "turns", "Turns", [str(t) for t in lasting], [s.value or 0.0 for s in shares], "turns"
                ),
                Table(
                    "turns",
                    f"Games by number of turns, n={run.complete:,}",
                    (
                        Column("Turns", "count"),
                        Column("Share of games", "share"),
                        Column("Up to so many", "share"),
                    ),
                    tuple((t, shares[i], block_share(found[f"up to {t}"])) for i, t in enumerate(lasting)),
                ),
            )
        )
        blocks.append(
            block(
                plots.draw_steps(
                    "decisions",
                    "Decisions a game",
                    Heap("", choices.values, choices.counts, choices.at(0.5).value, plots.BLUE),
                    "decisions",
                ),
                Table(
                    "length",
                    "Length of a game; a decision is a choice between two or more legal actions",
                    (
                        Column("Measure"),
                        Column("Mean", "fine"),
                        Column("5%", "count"),
                        Column("Median", "count"),
                        Column("95%", "count"),
                    ),
                    tuple(
                        (name, block_mean(found[name]), c.at(0.05).value, c.at(0.5), c.at(0.95).value)
                        for name, c in (("turns", turns), ("decisions", choices))
                    ),
                ),
            )
        )
    blocks.append(
        block(
            Table(
                "ended_by",
                f"What ended the game, all {run.finished:,} games recorded",
                (Column("Ended by"), Column("Games", "count"), Column("Share", "share")),
                ends,
            ),
        )
    )
    caveats = [note] if note else []
    if run.truncated:
        caveats.append(say_truncated(run))
    return Section(
        "length",
        "How long is it?",
        sentence,
        tuple(blocks),
        tuple(caveats),
        Card(
            "How long is it?",
            answer,
            sentence,
            "plain",
            plots.sketch_columns("card-length", "Turns", [s.value or 0.0 for s in shares]) if shares else None,
        ),
        tuple(Figure(name, block_mean(found[name]), "fine") for name in ("turns", "decisions")),
    )
