"""When the hurricane comes, who finds it, and what the last turns bring."""

import polars as pl

from analysis import plots
from analysis.frames import Batch, Ratio, Run
from analysis.games.atlantica.names import COMPANY, say_nothing, value_of
from analysis.intervals import block_mean, block_share
from analysis.page import Section, block
from analysis.plots import Mark
from analysis.sections.common import UNIT, colour_seats, count_values, name_seat, scan_games, widen
from analysis.tables import Column, Table, percent, show


def scan_finders(batch: Batch) -> pl.LazyFrame:
    """Seats with how many places they sit behind the finder of the hurricane, and their turns against those of the
    others: 1 more than some, -1 fewer than some, 0 all alike."""
    found = batch.scan("games").select("game", "hurricane")
    spread = (
        batch.scan("seats")
        .group_by("game")
        .agg(fewest=pl.col("turns").min(), most=pl.col("turns").max())
        .join(found, on="game")
    )
    edge = pl.when(pl.col("fewest") == pl.col("most")).then(0).when(pl.col("turns") == pl.col("most")).then(1)
    return (
        batch.scan("seats")
        .join(spread, on="game")
        .with_columns(
            behind=(pl.col("seat") - pl.col("hurricane")).cast(pl.Int64) % batch.run.players,
            edge=edge.otherwise(-1),
        )
    )


def hurricane(run: Run, delta: float) -> Section:
    """When the hurricane comes, who finds it, and how the finder and those behind fare."""
    key, title = "hurricane", "When does the hurricane come, and who finds it?"
    if not run.complete:
        return say_nothing(key, title)
    column = "hurricane_turn"
    when = widen(run, count_values(run.counts(scan_games, column), column), scan_games, pl.col(column))
    found_by = run.moments(scan_games, {str(s): (pl.col("hurricane") == s, None) for s in range(run.players)})[()]
    shares = [block_share(found_by[str(seat)]) for seat in range(run.players)]
    credit: dict[str, Ratio] = {"credit": (pl.col("credit"), None)}
    turns: dict[str, Ratio] = {"turns": (pl.col("turns"), None)}
    behind = run.moments(scan_finders, credit, by=["behind"])
    edges = run.moments(scan_finders, credit, by=["edge"])
    by_seat = run.moments(scan_finders, {**turns, "more": (pl.col("edge") > 0, None)}, by=["seat"])
    places = ["finder", *(f"{place} after" for place in range(1, run.players))]
    after = [block_mean(behind[(place,)]["credit"], UNIT) for place in range(run.players)]
    edge_names = {1: "more than some", -1: "fewer than some"}
    middle = when.at(0.5)
    often = max(range(run.players), key=lambda seat: value_of(shares[seat]))
    sentence = (
        f"The hurricane comes in its finder's turn {middle.value:.0f} in the median ({when.at(0.05).value:.0f} to "
        f"{when.at(0.95).value:.0f} in nine of ten games). Seat {often + 1} finds it most often, in "
        f"{show(shares[often], 'share')} of games; the finder wins {show(after[0], 'share')}, where "
        f"{percent(run.fair)} would be even."
    )
    games = int(when.counts.sum())
    colours = colour_seats(run)
    return Section(
        key,
        title,
        sentence,
        (
            block(
                plots.draw_columns(
                    "hurricane",
                    "The finder's turn",
                    [f"{turn:.0f}" for turn in when.values],
                    [float(count / games) for count in when.counts],
                    "turn of its finder",
                ),
                Table(
                    "hurricane_turn",
                    f"The turn of its finder in which the hurricane comes, n={run.complete:,} games",
                    (Column("Figure"), Column("Turn", "count")),
                    tuple(
                        (name, when.at(q))
                        for name, q in (
                            ("one game in ten: at most", 0.1),
                            ("median", 0.5),
                            ("nine in ten: at most", 0.9),
                        )
                    ),
                ),
            ),
            block(
                plots.draw_forest(
                    "finders",
                    "Credit of the finder and of those after",
                    [Mark(name, estimate) for name, estimate in zip(places, after)],
                    run.fair,
                    delta,
                ),
                Table(
                    "finders",
                    "Credit of the finder, who has the last turn of all, and of those after",
                    (Column("Place"), Column("Credit", "share"), Column("Against even", "pp")),
                    tuple((name, e, e.against(run.fair)) for name, e in zip(places, after)),
                ),
                heading="The finder and those after",
            ),
            block(
                Table(
                    "finder_seats",
                    "Who finds it, and the turns that seats get",
                    (
                        Column("Seat"),
                        Column("Finds it", "share"),
                        Column("Turns", "fine"),
                        Column("Has more than some", "share"),
                    ),
                    tuple(
                        (
                            name_seat(seat),
                            shares[seat],
                            block_mean(by_seat[(seat,)]["turns"]),
                            block_mean(by_seat[(seat,)]["more"], UNIT),
                        )
                        for seat in range(run.players)
                    ),
                    colours,
                ),
                heading="Seats, and the turns they get",
            ),
            block(
                Table(
                    "turn_edges",
                    "Credit by turns against the others at the table, where they differ",
                    (Column("Turns"), Column("Seats", "count"), Column("Credit", "share")),
                    tuple(
                        (
                            name,
                            round(edges[(edge,)]["credit"].x),
                            block_mean(edges[(edge,)]["credit"], UNIT),
                        )
                        for edge, name in edge_names.items()
                        if (edge,) in edges
                    ),
                ),
            ),
        ),
        (
            "Everybody has one more turn after the hurricane, so the finder and the seats before it end with one turn "
            "more than those that follow in the same round.",
            COMPANY.format(
                "whoever takes many treasures turns up more cards, and the seats that find it are not all alike."
            ),
        ),
    )
