"""What is bid, and what does winning a vote go with?"""

import numpy as np
import polars as pl

from analysis import plots
from analysis.frames import Batch, Ratio, Run
from analysis.intervals import block_mean
from analysis.page import Figure, Section, block
from analysis.plots import Mark
from analysis.sections.common import by_outcome, scan_seats
from analysis.tables import Cell, Column, Table, show

PLACES = {1: "first", 2: "second", 3: "third", 0: "no place"}


def scan_votes(batch: Batch) -> pl.LazyFrame:
    """Bids, a row a deal, place and whether the bid was 0: how many, and their sum."""
    bids = pl.col("bid").cast(pl.Int64)
    return (
        batch.scan("votes")
        .group_by("deal", "place")
        .agg(n=pl.len().cast(pl.Int64), bid=bids.sum(), zeros=(bids == 0).sum().cast(pl.Int64))
    )


def scan_prices(batch: Batch) -> pl.LazyFrame:
    """A row a vote: the highest bid and the next one. A vote's bids stand one behind the other, a row a seat."""
    rows = batch.scan("votes").select("deal", "open", "bid").collect()
    seats = batch.run.players
    bids = np.sort(rows["bid"].to_numpy().reshape(-1, seats), axis=1).astype(np.int32)
    votes = rows.gather_every(seats).select("deal", "open")
    return votes.with_columns(paid=pl.Series(bids[:, -1]), next=pl.Series(bids[:, -2])).lazy()


def auction(run: Run, delta: float) -> Section:
    """Bids by place, what the winner paid beyond the next bid, and what winning votes goes with."""
    at = {place: pl.col("place") == place for place in PLACES}
    ratios: dict[str, Ratio] = {}
    for place, here in at.items():
        ratios[f"bid {place}"] = (pl.col("bid") * here, pl.col("n") * here)
        ratios[f"zero {place}"] = (pl.col("zeros") * here, pl.col("n") * here)
    bids = {name: block_mean(m) for name, m in run.moments(scan_votes, ratios)[()].items()}
    kinds = {"hidden": pl.col("open") == 0, "open": pl.col("open") != 0}
    prices = run.moments(
        scan_prices,
        {
            f"{kind} {what}": (value * here, here)
            for kind, here in kinds.items()
            for what, value in (("paid", pl.col("paid")), ("over", pl.col("paid") - pl.col("next")))
        },
    )[()]
    price = {name: block_mean(m) for name, m in prices.items()}
    outcome = {
        name: block_mean(m)
        for name, m in run.moments(
            scan_seats,
            {**by_outcome("votes", pl.col("votes_won")), **by_outcome("spent", pl.col("spent"))},
        )[()].items()
    }
    rows: list[tuple[Cell, ...]] = [
        (name, bids[f"bid {place}"], bids[f"zero {place}"], bids[f"bid {place}"].n)
        for place, name in PLACES.items()
        if bids[f"bid {place}"].value is not None
    ]
    if not rows:
        return Section("auction", "What is bid?", "No vote was recorded.")
    paid = " and ".join(
        f"{show(price[f'{kind} paid'], 'fine')} in {kind} votes"
        for kind in kinds
        if price[f"{kind} paid"].value is not None
    )
    sentence = (
        f"The highest bid is {paid}; winners of the game win {show(outcome['votes: winners'], 'number')} votes and "
        f"others {show(outcome['votes: others'], 'number')}, for {show(outcome['spent: winners'].value, 'number')} and "
        f"{show(outcome['spent: others'].value, 'number')} influence. That is company, not cause."
    )
    return Section(
        "auction",
        "What is bid, and what does winning a vote go with?",
        sentence,
        (
            block(
                plots.draw_bars(
                    "auction",
                    "Mean bid by place",
                    [Mark(name, bids[f"bid {p}"]) for p, name in PLACES.items() if bids[f"bid {p}"].value is not None],
                    "influence bid",
                    "fine",
                ),
                Table(
                    "bids_by_place",
                    f"Bids by the place they took, n={run.complete:,} games",
                    (Column("Place"), Column("Bid", "fine"), Column("Bids of 0", "share"), Column("Bids", "count")),
                    tuple(rows),
                ),
            ),
            block(
                Table(
                    "prices",
                    "The highest bid of a vote, and how far it lay above the next one",
                    (Column("Voting"), Column("Highest bid", "fine"), Column("Above the next", "fine")),
                    tuple((kind, price[f"{kind} paid"], price[f"{kind} over"]) for kind in kinds),
                ),
                Table(
                    "votes_by_outcome",
                    "Votes won and influence bid in a game",
                    (Column("Seats"), Column("Votes won", "fine"), Column("Influence bid", "fine")),
                    tuple((who, outcome[f"votes: {who}"], outcome[f"spent: {who}"]) for who in ("winners", "others")),
                ),
            ),
        ),
        ("What a vote is worth needs the same game with and without winning it, which games as played do not show.",),
        figures=tuple(
            Figure(f"highest bid, {kind} votes", price[f"{kind} paid"], "fine")
            for kind in kinds
            if price[f"{kind} paid"].value is not None
        ),
    )
