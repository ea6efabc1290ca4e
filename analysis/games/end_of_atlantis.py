"""The report of End of Atlantis: which sections apply, what its points and options are called, and the two
sections about Factions and ships that only this game has."""

from functools import partial

import numpy as np
import polars as pl

from analysis import plots
from analysis.frames import Batch, Run
from analysis.intervals import Moments, block_mean, block_share
from analysis.page import Card, Section, SectionMaker, block
from analysis.plots import Mark, Stack
from analysis.sections.choices import OptionGroup, options
from analysis.sections.common import UNIT, scan_seats
from analysis.sections.length import length
from analysis.sections.scores import scores
from analysis.sections.seats import policies, seats
from analysis.sections.sources import sources
from analysis.sections.ties import ties
from analysis.tables import Cell, Column, Table, percent, show
from kernels.end_of_atlantis import codes

SOURCE_NAMES = {
    "start": "the start",
    "refugees_ships": "refugees by Ships",
    "refugees_royal": "refugees by Royal Ship",
    "refugees_doom": "refugees in the Doom phase",
    "colours": "other colours aboard",
    "mover": "bringing a ship home",
    "science": "advanced Science Vessel",
    "plus_one": "+1 Faction tokens",
    "land_majority": "Promised Land majority",
    "pool_majority": "Senate pool majority",
    "senate_pays": "The Senate Pays Its Debts",
    "leadership": "Under The Senate's Leadership",
    "no_mercy": "No Mercy For The Weak",
    "specials": "Special cards at the end",
}


def label_options() -> tuple[OptionGroup, ...]:
    """The options of codes.OPTIONS in the groups of the report."""
    specials = tuple(name.replace("_", " ") for name in codes.SPECIAL_EFFECTS)
    groups: tuple[tuple[str, str, int, tuple[str, ...]], ...] = (
        ("Laying a card for a vote", "lay", codes.OPTION_LAY, codes.POLITICS),
        (
            "Playing a card after winning a vote",
            "play",
            codes.OPTION_PLAY,
            (*codes.POLITICS, "the neighbour's card"),
        ),
        ("Taking a Faction", "take", codes.OPTION_FACTION, (*codes.FACTIONS, "no Faction (pass)")),
        ("Using a Faction", "use", codes.OPTION_ABILITY, codes.FACTIONS),
        (
            "Playing a Special card",
            "play Special",
            codes.OPTION_SPECIAL + codes.SPECIAL_EXTRA_REFUGEE,
            specials[2:],
        ),
        ("Loading a ship", "load", codes.OPTION_LOAD, codes.TILE_NAMES),
        ("Moving a ship", "move", codes.OPTION_MOVE, codes.TILE_NAMES),
        (
            "Hurting others",
            "",
            codes.OPTION_BETRAYAL_SHIP,
            ("Betrayal on a ship", "Betrayal on a Senate pool", "Aristocracy displacing a cube"),
        ),
    )
    return tuple(
        OptionGroup(title, verb, dict(zip(codes.OPTIONS[first : first + len(names)], names)))
        for title, verb, first, names in groups
    )


# Factions

NAIVE = (
    "Company, not cause: a credit here is that of the seats that held the Faction. Seats that are ahead may "
    "simply get "
    "to choose it; only forcing a Faction tells what it is worth."
)


def factions(run: Run, delta: float) -> Section:
    """Which Faction is held, by turn and by place in the Senate order, and how its holders fare."""
    title = "Which Faction is held, and by whom?"
    if not run.complete:
        return Section("factions", title, "No game ended by the rules, so no Faction can be judged.")
    return _factions_by_turn(run, delta, title) if run.has("turns") else _factions_by_pick(run, title)


def _factions_by_pick(run: Run, title: str) -> Section:
    options = [f"faction_{codes.slug(name)}" for name in codes.FACTIONS]
    every = pl.sum_horizontal(pl.col(f"chosen_{name}").cast(pl.Int64) for name in options)
    found = run.moments(scan_seats, {name: (pl.col(f"chosen_{name}"), every) for name in options})[()]
    picks = [block_mean(found[name], UNIT) for name in options]
    order = sorted(range(len(picks)), key=lambda f: -(picks[f].value or 0.0))
    marks = [Mark(codes.FACTIONS[f], picks[f]) for f in order]
    sentence = (
        f"{codes.FACTIONS[order[0]]} is taken most, {codes.FACTIONS[order[-1]]} least. How holders fare was "
        "not recorded: "
        f"--detail turns brings it."
    )
    table = Table(
        "faction_picks",
        "Share of all picks by Faction",
        (Column("Faction"), Column("Share of picks", "share")),
        tuple((codes.FACTIONS[f], picks[f]) for f in order),
    )
    return Section(
        "factions",
        title,
        sentence,
        (block(plots.draw_bars("factions", "Share of picks", marks, "share of all picks"), table),),
        ("Who holds what in which turn, and how those seats fare, needs a run with --detail turns.",),
        Card(
            "Which Faction is picked?",
            codes.FACTIONS[order[0]],
            sentence,
            "plain",
            plots.sketch_bars("card-factions", "Share of picks", marks[:4]),
        ),
    )


def scan_held(batch: Batch, second: bool) -> pl.LazyFrame:
    """One row a Faction held in a turn. `second`: seats may hold two; the second one of a seat is `again`."""
    turns = batch.scan("turns").select("game", "deal", "turn", "seat", "order", "faction", "faction_2")
    first = turns.with_columns(again=pl.lit(False))
    if not second:
        return first
    other = turns.filter(pl.col("faction_2") >= 0).with_columns(faction=pl.col("faction_2"), again=pl.lit(True))
    return pl.concat([first, other])


def scan_holders(batch: Batch, second: bool) -> pl.LazyFrame:
    """The same with the final credit of the holder."""
    credits = batch.scan("seats").select("game", "seat", "credit")
    return scan_held(batch, second).join(credits, on=["game", "seat"])


def _factions_by_turn(run: Run, delta: float, title: str) -> Section:
    twice = run.counts(lambda batch: batch.scan("turns"), "faction_2")
    second = bool((twice["faction_2"] >= 0).any())
    every_turn = (pl.col("seat") == 0) & ~pl.col("again")
    kinds = range(len(codes.FACTIONS))
    found = run.moments(
        partial(scan_held, second=second), {f"held {f}": (pl.col("faction") == f, every_turn) for f in kinds}
    )[()]
    credits = run.moments(partial(scan_holders, second=second), {"credit": (pl.col("credit"), None)}, by=["faction"])
    held = [block_mean(found[f"held {f}"], UNIT) for f in kinds]
    credit = [block_mean(credits.get((f,), {}).get("credit", Moments()), UNIT) for f in kinds]
    order = sorted(kinds, key=lambda f: -(held[f].value or 0.0))
    best = max(kinds, key=lambda f: credit[f].value or 0.0)
    most, least = order[0], order[-1]
    sentence = (
        f"{codes.FACTIONS[most]} is held in {percent(held[most].value or 0.0)} of turns, "
        f"{codes.FACTIONS[least]} in "
        f"{percent(held[least].value or 0.0)}. Seats that hold {codes.FACTIONS[best]} win most, "
        f"{show(credit[best], 'share')} against {percent(run.fair)}; that is company, not cause."
    )
    rows = tuple(
        (
            codes.FACTIONS[f],
            held[f],
            credit[f],
            credit[f].against(run.fair) if credit[f].value is not None else None,
        )
        for f in order
    )
    counts = run.counts(partial(scan_held, second=second), "turn", "order", "faction", "again")
    by_turn = counts.group_by("turn", "faction").agg(pl.col("count").sum())
    by_order = counts.group_by("order", "faction").agg(pl.col("count").sum())
    turns = sorted(by_turn["turn"].unique().to_list())
    places = sorted(by_order["order"].unique().to_list())
    reached = counts.filter(~pl.col("again")).group_by("turn").agg(pl.col("count").sum() // run.players)
    games = dict(reached.iter_rows())
    in_turn = _share_grid(by_turn, "turn", turns, games)
    at_place = _share_grid(
        by_order, "order", places, dict(by_order.group_by("order").agg(pl.col("count").sum()).iter_rows())
    )
    marks = [Mark(codes.FACTIONS[f], credit[f]) for f in order]
    picked = [Mark(codes.FACTIONS[f], held[f]) for f in order]
    return Section(
        "factions",
        title,
        sentence,
        (
            block(
                plots.draw_bars(
                    "faction-held",
                    "Held in turns",
                    picked,
                    "share of turns in which somebody holds it",
                    "share",
                    1.0,
                ).under("How often it is held"),
                plots.draw_forest("factions", "Credit of holders", marks, run.fair, delta).under(
                    "Credit of those who hold it"
                ),
                Table(
                    "factions",
                    f"How often each Faction is held in a turn, and the credit of its holders; "
                    f"n={round(found['held 0'].x):,} turns in {run.complete:,} games",
                    (
                        Column("Faction"),
                        Column("Held in turns", "share"),
                        Column("Holders' credit", "share"),
                        Column("Against even", "pp"),
                    ),
                    rows,
                ),
            ),
            block(
                plots.draw_grid(
                    "faction-turns",
                    "Factions by turn",
                    [codes.FACTIONS[f] for f in order],
                    [f"turn {t}" for t in turns],
                    [in_turn[f] for f in order],
                    "share of games that reach the turn in which somebody holds it",
                ).under("Share of games in which somebody holds it, by turn"),
                plots.draw_grid(
                    "faction-orders",
                    "Factions by place in the Senate order",
                    [codes.FACTIONS[f] for f in order],
                    [_ordinal(place) for place in places],
                    [at_place[f] for f in order],
                    "share of the seats in that place of the order which hold it",
                ).under("What each place in the Senate order holds"),
            ),
        ),
        (NAIVE, "The place is the one in the Senate order when the voting begins."),
        Card(
            "Which Faction is picked, which wins?",
            codes.FACTIONS[most],
            sentence,
            "plain",
            plots.sketch_bars("card-factions", "Held in turns", picked[:4]),
        ),
    )


def _share_grid(
    counts: pl.DataFrame, column: str, values: list[int], totals: dict[int, int]
) -> dict[int, list[float | None]]:
    seen = {(row[column], row["faction"]): row["count"] for row in counts.iter_rows(named=True)}
    return {
        f: [seen.get((value, f), 0) / totals[value] if totals.get(value) else None for value in values]
        for f in range(len(codes.FACTIONS))
    }


def _ordinal(place: int) -> str:
    return f"{place}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(place, 'th') }"


# Ships


def scan_arrivals(batch: Batch) -> pl.LazyFrame:
    """Voyages that ended on land: own and black cubes aboard, VP of all seats together."""
    seats = range(batch.run.players)
    return batch.scan("arrivals").select(
        "deal",
        "tile",
        "cause",
        doom=(pl.col("cause") == codes.CAUSE_DOOM).cast(pl.Float64),
        own=pl.sum_horizontal(pl.col(f"cubes_{seat}").cast(pl.Int32) for seat in seats).cast(pl.Float64),
        neutral=pl.col("cubes_neutral").cast(pl.Float64),
        vp=pl.sum_horizontal(pl.col(f"vp_{seat}").cast(pl.Int32) for seat in seats).cast(pl.Float64),
    )


LOADS = ("vp", "own", "neutral", "doom")


def find_voyages(run: Run) -> dict[str, Moments]:
    """Moments by ship ("tile 3"), cause ("cause 9") and kind ("basic", "advanced", "all").

    For each, ": voyages" a game, and a voyage's ": vp", ": own", ": neutral" and the share ": doom".
    """
    tiles, causes = len(codes.TILE_NAMES), len(codes.CAUSES)
    names = {
        "tile": [f"tile {t}" for t in range(tiles)],
        "cause": [f"cause {c}" for c in range(causes)],
        "kind": ["basic", "advanced"],
        "all": ["all"],
    }
    what = ("voyages", *LOADS)
    found = {f"{name}: {load}": Moments() for group in names.values() for name in group for load in what}
    for batch in run.batches():
        voyages, games = pl.collect_all([scan_arrivals(batch), batch.scan("games").select("deal")])
        deal = games["deal"].to_numpy()
        if not len(deal):
            continue
        first = int(deal.min())
        per_deal = np.bincount(deal - first).astype(np.float64)
        tile = voyages["tile"].to_numpy().astype(np.int64)
        group_of = {
            "tile": tile,
            "cause": voyages["cause"].to_numpy().astype(np.int64),
            "kind": (tile >= codes.ADVANCED).astype(np.int64),
            "all": np.zeros_like(tile),
        }
        for group, members in names.items():
            width = len(members)
            cell = (voyages["deal"].to_numpy() - first) * width + group_of[group]
            size = len(per_deal) * width
            count = np.bincount(cell, minlength=size).astype(np.float64).reshape(-1, width)
            sums = {load: np.bincount(cell, voyages[load].to_numpy(), size).reshape(-1, width) for load in LOADS}
            for place, name in enumerate(members):
                here = per_deal > 0
                found[f"{name}: voyages"] += Moments.of(count[here, place], per_deal[here])
                here = count[:, place] > 0
                for load in LOADS:
                    found[f"{name}: {load}"] += Moments.of(sums[load][here, place], count[here, place])
    return found


def ships(run: Run, delta: float) -> Section:
    """Which ships land, what they carry, and what brings them home."""
    title = "Which ships matter?"
    if not run.has("arrivals"):
        return Section(
            "ships",
            title,
            "Arrivals were not recorded in this run: --detail turns brings them.",
            caveats=("Voyages, VP carried and what brought the ships home need a run with --detail turns.",),
        )
    if not run.complete:
        return Section("ships", title, "No game ended by the rules, so no voyage is counted.")
    found = find_voyages(run)
    mean = {name: block_mean(m) for name, m in found.items()}
    tiles = [t for t in range(len(codes.TILE_NAMES)) if found[f"tile {t}: voyages"].y > 0]
    causes = [c for c in range(len(codes.CAUSES)) if found[f"cause {c}: voyages"].y > 0]
    if not tiles:
        return Section("ships", title, "No ship reached land in any game.")

    def row(label: str, name: str) -> tuple[Cell, ...]:
        return (
            label,
            mean[f"{name}: voyages"],
            mean[f"{name}: vp"],
            mean[f"{name}: own"],
            mean[f"{name}: neutral"],
            block_share(found[f"{name}: doom"]),
        )

    most = max(tiles, key=lambda t: found[f"tile {t}: voyages"].y)
    rich = max(tiles, key=lambda t: mean[f"tile {t}: vp"].value or 0.0)
    sentence = (
        f"{show(mean['all: voyages'].value, 'number')} ships reach land in a game, each bringing "
        f"{show(mean['all: vp'].value, 'number')} VP to all seats together; "
        f"{percent(mean['all: doom'].value or 0.0)} of them land in the "
        f"Doom phase. The {codes.TILE_NAMES[most]} lands most often, the {codes.TILE_NAMES[rich]} carries "
        "most a voyage."
    )
    voyages = sum(found[f"cause {c}: voyages"].y for c in causes)
    columns = (
        Column("Ship"),
        Column("Voyages a game", "fine"),
        Column("VP a voyage", "fine"),
        Column("Seats' cubes aboard", "fine"),
        Column("Black cubes aboard", "fine"),
        Column("In the Doom phase", "share"),
    )
    rows = [row(codes.TILE_NAMES[t], f"tile {t}") for t in tiles]
    rows += [row("basic ships", "basic"), row("advanced ships", "advanced"), row("all ships", "all")]
    marks, loads = (
        [
            Mark(
                codes.TILE_NAMES[t],
                mean[f"tile {t}: {what}"],
                plots.BLUE if t < codes.ADVANCED else plots.YELLOW,
            )
            for t in tiles
        ]
        for what in ("voyages", "vp")
    )
    shades = [plots.SKY, plots.BLUE, plots.VERMILLION, plots.YELLOW, plots.GREEN]
    return Section(
        "ships",
        title,
        sentence,
        (
            block(
                plots.draw_bars("ships", "Voyages a game", marks, "voyages a game (yellow: advanced)", "number"),
                plots.draw_bars("ship-vp", "VP a voyage", loads, "VP a voyage, all seats together", "number"),
                Table(
                    "ships",
                    f"Voyages to the Promised Land, n={run.complete:,} games",
                    columns,
                    tuple(rows),
                ),
            ),
            block(
                plots.draw_lanes(
                    "causes",
                    "What brings ships home",
                    [
                        Stack("voyages", [found[f"cause {c}: voyages"].y / voyages for c in causes]),
                        Stack(
                            "VP",
                            [found[f"cause {c}: vp"].y / max(found["all: vp"].y, 1.0) for c in causes],
                        ),
                    ],
                    [codes.CAUSES[c] for c in causes],
                    [shades[i % len(shades)] for i in range(len(causes))],
                    "share of voyages and of the VP they bring",
                ),
                Table(
                    "causes",
                    "What brings ships home",
                    (
                        Column("By"),
                        Column("Voyages a game", "fine"),
                        Column("Share of voyages", "share"),
                        Column("VP a voyage", "fine"),
                    ),
                    tuple(
                        (
                            codes.CAUSES[c],
                            mean[f"cause {c}: voyages"],
                            found[f"cause {c}: voyages"].y / voyages,
                            mean[f"cause {c}: vp"],
                        )
                        for c in causes
                    ),
                ),
            ),
        ),
        (
            "Advanced ships come into play only when Doom! cards are turned up, so fewer voyages do not "
            "make them worse.",
            "VP a voyage is what all seats gain from it together.",
        ),
    )


SECTIONS: tuple[SectionMaker, ...] = (
    seats,
    policies,
    scores,
    length,
    partial(sources, names=SOURCE_NAMES),
    factions,
    ships,
    partial(options, groups=label_options()),
    partial(
        ties,
        contests=("votes", "majorities", "games"),
        levels=("the numbers", "the Senate pool", "the marker"),
    ),
)
