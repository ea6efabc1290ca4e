"""The report of Atlantica: which sections apply, what its points and options are called, and the sections about
treasures, Research cards, crates, actions, Catch Your Breath and the hurricane that only this game has."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import polars as pl

from analysis import plots
from analysis.frames import Batch, Ratio, Run
from analysis.intervals import NOTHING, Estimate, Moments, block_mean, block_share
from analysis.page import Block, Card, Section, SectionMaker, block
from analysis.plots import Mark, Stack
from analysis.sections.choices import OptionGroup, options
from analysis.sections.common import (
    SHADES,
    UNIT,
    by_outcome,
    colour_seats,
    count_values,
    lead_of_winners,
    name_seat,
    scan_games,
    scan_seats,
    widen,
)
from analysis.sections.length import length
from analysis.sections.scores import scores
from analysis.sections.seats import policies, seats
from analysis.sections.sources import sources
from analysis.sections.ties import ties
from analysis.tables import Cell, Column, Kind, Table, percent, plural, show
from kernels.atlantica import codes, tables

KINDS = range(codes.TREASURE_KINDS)
TREASURES = [f"{name} ({colour})" for name, colour in zip(codes.TREASURES, codes.TREASURE_COLOURS)]
# As the cards are coloured, from the palette where it has the colour.
TREASURE_SHADES = {
    "blue": plots.BLUE,
    "red": plots.VERMILLION,
    "yellow": "#d9c62b",
    "pink": plots.PURPLE,
    "orange": plots.YELLOW,
    "green": plots.GREEN,
    "purple": "#7a6ff0",
}
EFFECTS = {
    "blank": "worth nothing",
    "points": "plain points",
    "per_architecture": "for Architecture",
    "per_gold": "for Gold",
    "per_research": "for Research cards",
    "per_ship": "for ships",
    "three_colours": "for several colours",
    "per_divers": "for divers in hand",
    "many_crates": "for many crates",
    "joker": "treasure joker",
}
SOURCE_NAMES = {
    **dict(zip(codes.TREASURE_SLUGS, TREASURES)),
    **{name: f"Research {label}" for name, label in EFFECTS.items() if name in codes.SOURCES},
}
RESEARCH_SOURCES = [f"vp_{name}" for name in codes.SOURCES[codes.TREASURE_KINDS :]]

OUTCOMES = ("all", "winners", "others")
COMPANY = "Company, not cause: {} Only forcing it on the same deals tells what it is worth."
CHOSEN = (
    "Chosen among several: of the choices in which such a card could be taken, so many took it; a card that was the "
    "only one to take is no choice."
)
NEEDS_TURNS = "{} was not recorded in this run: it needs --detail turns."
NEEDS_ACTIONS = "{} needs a run with --detail actions."


def label_options() -> tuple[OptionGroup, ...]:
    """The options of codes.OPTIONS in the groups of the report."""
    groups: tuple[tuple[str, str, Sequence[str]], ...] = (
        ("Performing an action", "", codes.ACTIONS),
        ("Instead of an action", "", ("Catch Your Breath", "end the turn before all divers are played")),
        ("Taking a treasure in the Submarine", "take", codes.TREASURES),
        ("Taking a card in the Research Station", "take Research", tuple(EFFECTS.values())),
        ("Taking with a drink for all", "take with the drink", ("a treasure", "a Research card", "a ship")),
        ("Paying", "pay", ("a pair for a missing colour",)),
    )
    names = iter(codes.OPTIONS)
    return tuple(OptionGroup(title, verb, {next(names): label for label in labels}) for title, verb, labels in groups)


def _say_nothing(key: str, title: str) -> Section:
    return Section(key, title, "No game ended by the rules, so there is nothing to tell.")


def _sum(columns: Sequence[str]) -> pl.Expr:
    return pl.sum_horizontal(pl.col(name).cast(pl.Int64) for name in columns)


def _means(found: Mapping[str, Moments]) -> dict[str, Estimate]:
    return {name: block_mean(moments) for name, moments in found.items()}


def _value(estimate: Estimate) -> float:
    return estimate.value or 0.0


def _number(estimate: Estimate) -> str:
    return show(estimate.value, "number")


def _share(estimate: Estimate) -> str:
    return show(estimate.value, "share")


def label_counts(most: int) -> list[str]:
    """`0`, `1` and so on, and `5+` for the rest."""
    return [*(str(n) for n in range(most)), f"{most}+"]


def share_counts(frame: pl.DataFrame, column: str, most: int) -> list[float]:
    """Shares of 0, 1 and so on, and of `most` or more, in a frame of `column` and `count`; negative ones are with 0."""
    seen = [0] * (most + 1)
    for value, count in frame.select(pl.col(column).clip(0, most), "count").iter_rows():
        seen[value] += count
    return [count / max(sum(seen), 1) for count in seen]


# Treasures


def scan_cards(batch: Batch) -> pl.LazyFrame:
    """Seats with what they took by any action: treasures `got_<kind>`, Research cards `held_<number of the card>`."""
    spots = list(zip(tables.COLUMNS["where"], tables.COLUMNS["taken"]))

    def taken(location: int, kind: int) -> pl.Expr:
        here = [(pl.col(where) == location) & (pl.col(card) == kind) for where, card in spots]
        return pl.sum_horizontal(hit.cast(pl.Int64) for hit in here).sum()

    got = {f"got_{name}": taken(codes.SUBMARINE, kind) for kind, name in enumerate(codes.TREASURE_SLUGS)}
    held = {f"held_{card}": taken(codes.RESEARCH_STATION, card) for card in range(codes.RESEARCH_KINDS)}
    by_seat = batch.scan("actions").group_by("game", "seat").agg(**got, **held)
    return (
        batch.scan("seats")
        .join(by_seat, on=["game", "seat"], how="left")
        .with_columns(pl.col(*got, *held).fill_null(0))
    )


def treasures(run: Run, delta: float) -> Section:
    """Which treasure colours pay: collected, kept and lost, VP for each one kept, for winners and for the others."""
    key, title = "treasures", "Which treasures pay?"
    if not run.complete:
        return _say_nothing(key, title)
    exact = run.has("actions")
    names = {**dict(zip(codes.TREASURE_SLUGS, TREASURES)), "all": "all treasures"}
    ratios: dict[str, Ratio] = {}
    for name in names:
        own = codes.TREASURE_SLUGS if name == "all" else (name,)
        kept, vp = _sum([f"kept_{part}" for part in own]), _sum([f"vp_{part}" for part in own])
        # A joker can bring VP for a colour of which none is kept: these are no pay for treasures.
        earned = pl.sum_horizontal(
            pl.when(pl.col(f"kept_{part}") > 0).then(pl.col(f"vp_{part}")).otherwise(0).cast(pl.Int64) for part in own
        )
        chosen, offered = (_sum([f"{what}_treasure_{part}" for part in own]) for what in ("chosen", "legal"))
        ratios[f"{name} rate"] = (chosen, offered)
        ratios[f"{name} vp"] = (vp, None)
        ratios[f"{name} lead"] = lead_of_winners(run, kept)
        ratios.update(by_outcome(f"{name} kept", kept))
        ratios.update(by_outcome(f"{name} pay", earned, kept))
        if exact:
            got = _sum([f"got_{part}" for part in own])
            ratios[f"{name} got"] = (got, None)
            ratios[f"{name} lost"] = (got - kept, got)
    found = _means(run.moments(scan_cards if exact else scan_seats, ratios)[()])
    pay = [found[f"{name} pay: all"] for name in codes.TREASURE_SLUGS]
    lead = [found[f"{name} lead"] for name in codes.TREASURE_SLUGS]
    shades = [TREASURE_SHADES[colour] for colour in codes.TREASURE_COLOURS]
    paid = [kind for kind in KINDS if pay[kind].value is not None]
    paid.sort(key=lambda kind: -_value(pay[kind]))
    if not paid:
        return Section(key, title, "No treasure was kept in any game.")
    order = [*paid, *(kind for kind in KINDS if kind not in paid)]
    best, worst, most = paid[0], paid[-1], max(KINDS, key=lambda kind: _value(lead[kind]))
    sentence = (
        f"{codes.TREASURES[best]}: most VP for each treasure kept, {show(pay[best], 'fine')}; "
        f"{codes.TREASURES[worst]}: fewest, {show(pay[worst], 'fine')}. Winners are ahead most in "
        f"{codes.TREASURES[most]}, {show(lead[most], 'fine')} cards more than the average of the others."
    )
    rows = [*(codes.TREASURE_SLUGS[kind] for kind in order), "all"]
    caveats = [
        "VP for each kept are all VP of the colour where any is kept, by whatever row was reached; a Research joker "
        "adds to them without being a treasure kept.",
        CHOSEN,
        COMPANY.format("a colour that winners keep may come with winning, and what pays depends on what others take."),
    ]
    if not exact:
        caveats.insert(0, NEEDS_ACTIONS.format("How many of each colour are collected, and how many are lost,"))
    counted = {"got": Column("Collected", "fine"), "lost": Column("Lost of these", "share")} if exact else {}
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
                        *counted.values(),
                        Column("Kept", "fine"),
                        Column("VP", "fine"),
                        Column("VP for each kept", "fine"),
                    ),
                    tuple(
                        (
                            names[name],
                            *(found[f"{name} {what}"] for what in ("rate", *counted, "kept: all", "vp", "pay: all")),
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
        tuple(caveats),
        Card(
            title,
            codes.TREASURES[best],
            sentence,
            "plain",
            plots.sketch_lane(
                "card-treasures",
                "VP a seat by colour of treasure",
                [_value(found[f"{codes.TREASURE_SLUGS[kind]} vp"]) for kind in order],
                [shades[kind] for kind in order],
            ),
        ),
    )


MOST_SHOWN = 5  # treasures of a colour, or identical cards, that have a column of their own


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


# Research


def research(run: Run, delta: float) -> Section:
    """What Research cards bring by effect, and how seats with several identical ones fare."""
    key, title = "research", "What does research bring?"
    if not run.complete:
        return _say_nothing(key, title)
    vp = _sum(RESEARCH_SOURCES)
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
    found = _means(moments)
    worth = {name: _value(found.get(f"{name} vp: all", NOTHING)) for name in EFFECTS}
    shown = [name for name in EFFECTS if moments[f"{name} rate"].x > 0 or worth[name] > 0]
    shown.sort(key=lambda name: -worth[name])
    marks = [Mark(EFFECTS[n], found[f"{n} vp: all"]) for n in shown if f"{n} vp: all" in found]
    stacks, stack_sentence = _find_stacks(run, delta)
    sentence = (
        f"A seat has {_number(found['cards'])} Research cards, which bring {_number(found['vp: all'])} VP, "
        f"{_share(found['share'])} of its points. {stack_sentence}"
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
    ]
    caveats = [
        CHOSEN,
        "What the treasure joker brings is booked with the treasures.",
        COMPANY.format("who has many cards of a kind had the turns and the divers to take them."),
    ]
    if run.has("actions"):
        blocks.append(_count_copies(run))
    else:
        caveats.insert(0, NEEDS_ACTIONS.format("How seats fare by how many they have of each card"))
    return Section(
        key,
        title,
        sentence,
        tuple(blocks),
        tuple(caveats),
        Card(
            title,
            f"{_share(found['share'])} of points",
            sentence,
            "plain",
            plots.sketch_lane(
                "card-research",
                "VP a seat by Research effect",
                [_value(mark.estimate) for mark in marks],
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
        ratios[f"{size} research"] = (_sum(RESEARCH_SOURCES) * here, here)
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
        here = pl.col(f"held_{card}") == n
        ratios[f"{card} {n} credit"] = (pl.col("credit") * here, here)
        ratios[f"{card} {n} research"] = (_sum(RESEARCH_SOURCES) * here, here)
        ratios[f"{card} {n} vp"] = (pl.col("vp").cast(pl.Int64) * here, here)
    moments = run.moments(scan_cards, ratios)[()] if copies else {}
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


# Crates


MOST_LOST = 8  # treasures lost that have a column of their own
# Crates less treasures: a label, and the least and the most of the band.
BALANCES = (
    ("6+ short", -999, -6),
    ("3–5 short", -5, -3),
    ("1–2 short", -2, -1),
    ("enough", 0, 0),
    ("1–2 spare", 1, 2),
    ("3–5 spare", 3, 5),
    ("6+ spare", 6, 999),
)


def crates(run: Run, delta: float) -> Section:
    """Are there crates enough? Treasures lost for want of one, crates left empty, and how those seats fare."""
    key, title = "crates", "Are there crates enough?"
    if not run.complete:
        return _say_nothing(key, title)
    lost, owned, collected = (pl.col(name).cast(pl.Int64) for name in ("lost", "crates", "treasures"))
    balance = owned - collected
    measures = {
        "Treasures collected": collected,
        "Crates": owned,
        "Ships": pl.col("ships").cast(pl.Int64),
        "Treasures kept": collected - lost,
        "Treasures lost": lost,
        "Crates left empty": owned - (collected - lost),
    }
    ratios: dict[str, Ratio] = {
        "any": (lost > 0, None),
        "rate": (lost, collected),
        "per ship": (owned, pl.col("ships").cast(pl.Int64)),
    }
    for name, value in measures.items():
        ratios.update(by_outcome(name, value))
        ratios[f"{name} lead"] = lead_of_winners(run, value)
    for label, low, high in BALANCES:
        here = balance.is_between(low, high)
        ratios[f"{label} share"] = (here, None)
        ratios[f"{label} credit"] = (pl.col("credit") * here, here)
    moments = run.moments(scan_seats, ratios)[()]
    found = _means(moments)
    any_lost, rate = block_mean(moments["any"], UNIT), block_mean(moments["rate"], UNIT)
    sentence = (
        f"A seat collects {_number(found['Treasures collected: all'])} treasures and has "
        f"{_number(found['Crates: all'])} crates for them: {show(any_lost, 'share')} of seats lose a treasure for "
        f"want of a crate, and {_share(rate)} of all treasures collected are lost that way."
    )
    seen = [label for label, _, _ in BALANCES if moments[f"{label} share"].y > 0]
    shares = share_counts(run.counts(scan_seats, "lost"), "lost", MOST_LOST)
    return Section(
        key,
        title,
        sentence,
        (
            block(
                plots.draw_columns("lost", "Treasures lost", label_counts(MOST_LOST), shares, "treasures lost"),
                Table(
                    "crates",
                    f"Crates and treasures a seat, n={run.complete:,} games",
                    (
                        Column("What"),
                        Column("All", "fine"),
                        Column("Winners", "fine"),
                        Column("Others", "fine"),
                        Column("Difference", "fine"),
                    ),
                    tuple(
                        (
                            name,
                            *(found[f"{name}: {who}"] for who in OUTCOMES),
                            found[f"{name} lead"],
                        )
                        for name in measures
                    ),
                ),
            ),
            block(
                plots.draw_forest(
                    "balances",
                    "Credit by crates to spare",
                    [Mark(label, block_mean(moments[f"{label} credit"], UNIT)) for label in seen],
                    run.fair,
                    delta,
                ),
                Table(
                    "balances",
                    "Seats by crates to spare at the end (crates less treasures collected)",
                    (
                        Column("Crates"),
                        Column("Seats", "count"),
                        Column("Share of seats", "share"),
                        Column("Credit", "share"),
                    ),
                    tuple(
                        (
                            label,
                            round(moments[f"{label} share"].y),
                            block_mean(moments[f"{label} share"], UNIT),
                            block_mean(moments[f"{label} credit"], UNIT),
                        )
                        for label in seen
                    ),
                ),
                heading="Crates against treasures",
            ),
        ),
        (
            f"A ship carries {show(found['per ship'], 'fine')} crates on average.",
            COMPANY.format("seats with many treasures run short of crates more easily."),
        ),
        Card(
            title,
            f"{_share(any_lost)} lose a treasure",
            sentence,
            "plain",
            plots.sketch_columns("card-crates", "Seats by treasures lost", shares),
        ),
    )


# Actions and their tiers

TIER_NAMES = [plural(tier + 1, "diver") for tier in range(codes.TIERS)]


def tiers(run: Run, delta: float) -> Section:
    """One strong action or several weak ones: which are possible, which are chosen, and what turns of each mix gain."""
    key, title = "tiers", "One strong action, or several weak ones?"
    if not run.complete:
        return _say_nothing(key, title)
    prompts = _sum(["legal_catch_breath", "legal_end_turn"])
    every = _sum([f"chosen_{name}" for name in codes.ACTION_SLUGS])
    ratios: dict[str, Ratio] = {"pairs": (pl.col("pairs"), pl.col("turns"))}
    for name in codes.ACTION_SLUGS:
        ratios[f"{name} possible"] = (pl.col(f"legal_{name}"), prompts)
        ratios[f"{name} rate"] = (pl.col(f"chosen_{name}"), pl.col(f"legal_{name}"))
        ratios.update(by_outcome(name, pl.col(f"chosen_{name}")))
    for tier in range(codes.TIERS):
        of_tier = _sum([f"chosen_{name}" for name in codes.ACTION_SLUGS[tier :: codes.TIERS]])
        ratios.update(by_outcome(f"tier {tier}", of_tier, every))
    moments = run.moments(scan_seats, ratios)[()]
    found = {name: block_mean(m, UNIT if name.endswith(("possible", "rate")) else None) for name, m in moments.items()}
    rates = {code: found[f"{name} rate"] for code, name in enumerate(codes.ACTION_SLUGS)}
    of_all, of_winners, of_others = ([found[f"tier {t}: {who}"] for t in range(codes.TIERS)] for who in OUTCOMES)
    if of_all[0].value is None:
        return Section(key, title, "Nobody performed an action in any game.")
    colours = [plots.SKY, plots.BLUE, plots.VERMILLION]
    gains = _find_gains(run) if run.has("turns") else None
    sentence = (
        f"Of all actions {_share(of_all[0])} cost 1 diver, {_share(of_all[1])} 2 and {_share(of_all[2])} 3. "
        f"{gains[1] if gains else NEEDS_TURNS.format('What a turn gains')}"
    )
    blocks = [
        block(
            plots.draw_bars(
                "actions",
                "Chosen when possible",
                [Mark(codes.ACTIONS[c], rates[c], colours[c % codes.TIERS]) for c in range(len(codes.ACTIONS))],
                "chosen when possible",
            ),
            plots.draw_lanes(
                "tiers",
                "Actions by divers",
                [
                    Stack("Winners", [_value(share) for share in of_winners]),
                    Stack("Others", [_value(share) for share in of_others]),
                ],
                TIER_NAMES,
                colours,
                "share of the actions performed",
            ).under("Winners and others: actions by their price in divers"),
            Table(
                "actions",
                f"Actions: possible, chosen, and performed a seat and game, n={run.complete:,} games",
                (
                    Column("Action"),
                    Column("Divers", "count"),
                    Column("Possible", "share"),
                    Column("Chosen when possible", "share"),
                    Column("A game", "fine"),
                    Column("Winners", "fine"),
                    Column("Others", "fine"),
                ),
                tuple(
                    (
                        codes.ACTIONS[code],
                        code % codes.TIERS + 1,
                        found[f"{name} possible"],
                        rates[code],
                        *(found[f"{name}: {who}"] for who in OUTCOMES),
                    )
                    for code, name in enumerate(codes.ACTION_SLUGS)
                ),
            ),
        ),
        *(gains[0] if gains else ()),
    ]
    caveats = [
        "Possible is the share of the moments in which some action could be chosen, the later ones of a turn included.",
        f"In {show(found['pairs'], 'share')} of turns a pair stands in for a missing colour.",
    ]
    if gains:
        caveats += [
            "VP gained are what the seat would score if the game ended after the turn, less the same after its turn "
            "before. Crates bought and rows begun pay only later, and a hired team pays in divers.",
            COMPANY.format("players choose what fits the cards on the table, so the mixes meet different boards."),
        ]
    return Section(
        key,
        title,
        sentence,
        tuple(blocks),
        tuple(caveats),
        Card(
            title,
            f"{_share(of_all[0])} cost 1 diver",
            sentence,
            "plain",
            plots.sketch_lane("card-tiers", "Actions by divers", [_value(e) for e in of_all], colours),
        ),
    )


LOCATIONS = list(tables.COLUMNS["tier"])
WIDEST = len(codes.LOCATIONS) + 1  # a mix is a number in this base: actions of each tier, the cheapest lowest


def scan_gains(batch: Batch) -> pl.LazyFrame:
    """Turns with the VP they gained, their `mix` of tiers, the `action` where there was but one (else -1), and
    whether a team was hired."""
    tier = [pl.col(name).cast(pl.Int64) for name in LOCATIONS]
    mix = sum((WIDEST**t * pl.sum_horizontal((x == t + 1).cast(pl.Int64) for x in tier) for t in range(3)), pl.lit(0))
    alone = pl.sum_horizontal((x > 0).cast(pl.Int64) for x in tier) == 1
    code = pl.sum_horizontal(
        pl.when(x > 0).then(codes.TIERS * location + x - 1).otherwise(0) for location, x in enumerate(tier)
    )
    before = pl.col("vp").shift(1).over("game", "seat", order_by="turn").fill_null(0)
    return batch.scan("turns").with_columns(
        gain=pl.col("vp").cast(pl.Int64) - before,
        mix=mix,
        action=pl.when(alone).then(code).otherwise(-1),
        hired=pl.col(LOCATIONS[codes.TAVERN]).is_in([1, 2]),
    )


def split_mix(mix: int) -> list[int]:
    """The divers that each action of a turn costs, dearest first."""
    counts = [mix // WIDEST**tier % WIDEST for tier in range(codes.TIERS)]
    return [tier + 1 for tier in reversed(range(codes.TIERS)) for _ in range(counts[tier])]


def name_mix(mix: int) -> str:
    """`3`, `2 + 1`, or Catch Your Breath."""
    return " + ".join(map(str, split_mix(mix))) or "Catch Your Breath"


def say_mix(mix: int) -> str:
    """`1 diver`, `2 + 1 divers`."""
    return f"{name_mix(mix)} diver{'s' if sum(split_mix(mix)) > 1 else ''}"


SELDOM = 0.01  # a mix in fewer of the turns is not named in the sentence


def _find_gains(run: Run) -> tuple[tuple[Block, ...], str]:
    """What turns gain by their mix of tiers and by their only action, and that in a sentence."""
    paid, gain = pl.col("paid").cast(pl.Int64), pl.col("gain")
    ratios: dict[str, Ratio] = {
        "gain": (gain, None),
        "paid": (paid, None),
        "each": (gain, paid),
        "unhired": (gain * ~pl.col("hired"), paid * ~pl.col("hired")),
    }
    by_mix = {row[0]: m for row, m in run.moments(scan_gains, ratios, by=["mix"]).items()}
    by_action = {row[0]: m for row, m in run.moments(scan_gains, ratios, by=["action"]).items()}
    turns = sum(m["gain"].x for m in by_mix.values())
    mixes = sorted((mix for mix in by_mix if mix), key=lambda mix: (-sum(split_mix(mix)), len(split_mix(mix))))
    pay = {mix: block_mean(by_mix[mix]["unhired"]) for mix in mixes}
    usual = [mix for mix in mixes if by_mix[mix]["gain"].x >= SELDOM * turns and pay[mix].value is not None]
    sentence = "No turn with an action was recorded."
    if usual:
        best, worst = (choose(usual, key=lambda mix: _value(pay[mix])) for choose in (max, min))
        sentence = (
            f"Where no team is hired, turns with actions for {say_mix(best)} gain most for each diver played, "
            f"{show(pay[best], 'fine')} VP, and those for {say_mix(worst)} least, {show(pay[worst], 'fine')}."
        )
    rows: list[tuple[Cell, ...]] = []
    for mix in [*mixes, *([0] if 0 in by_mix else [])]:
        m = by_mix[mix]
        rows.append(
            (
                name_mix(mix),
                round(m["gain"].x),
                m["gain"].x / turns,
                block_mean(m["gain"]),
                block_mean(m["paid"]) if mix else None,
                block_mean(m["each"]),
                pay.get(mix),
            )
        )
    single = [code for code in range(len(codes.ACTIONS)) if code in by_action]
    shades = [plots.SKY, plots.BLUE, plots.VERMILLION]
    by_mix_block = block(
        plots.draw_bars(
            "mixes",
            "VP for each diver by mix",
            [Mark(name_mix(mix), pay[mix]) for mix in usual],
            "VP gained in the turn for each diver played, no team hired",
            "fine",
        ),
        Table(
            "mixes",
            f"Turns by the divers that their actions cost, n={round(turns):,} turns",
            (
                Column("Actions"),
                Column("Turns", "count"),
                Column("Share", "share"),
                Column("VP gained", "fine"),
                Column("Divers played", "fine"),
                Column("VP a diver", "fine"),
                Column("VP a diver, no team hired", "fine"),
            ),
            tuple(rows),
        ),
        heading="What a turn gains",
    )
    by_action_block = block(
        plots.draw_bars(
            "single",
            "VP for each diver by action",
            [Mark(codes.ACTIONS[c], block_mean(by_action[c]["each"]), shades[c % codes.TIERS]) for c in single],
            "VP gained for each diver, turns with this action only",
            "fine",
        ),
        Table(
            "single_actions",
            "Turns with one action only",
            (
                Column("Action"),
                Column("Turns", "count"),
                Column("VP gained", "fine"),
                Column("VP a diver", "fine"),
            ),
            tuple(
                (
                    codes.ACTIONS[code],
                    round(by_action[code]["gain"].x),
                    block_mean(by_action[code]["gain"]),
                    block_mean(by_action[code]["each"]),
                )
                for code in single
            ),
        ),
    )
    return (by_mix_block, by_action_block) if single else (by_mix_block,), sentence


# Catch Your Breath

BANDS = (1, 2, 3, 4, 6, 10, 15, 20)  # the first turn of each band of a seat's own turns


def _name_band(band: int) -> str:
    first = BANDS[band]
    if band + 1 == len(BANDS):
        return f"{first}+"
    last = BANDS[band + 1] - 1
    return str(first) if first == last else f"{first}–{last}"


def scan_breaths(batch: Batch) -> pl.LazyFrame:
    """Turns with the number of their band."""
    band = pl.sum_horizontal((pl.col("turn") >= first).cast(pl.Int64) for first in BANDS) - 1
    return batch.scan("turns").with_columns(band=band)


def breaths(run: Run, delta: float) -> Section:
    """How often is Catch Your Breath forced, how often chosen, and in which turns?"""
    key, title = "breath", "How often is Catch Your Breath forced?"
    if not run.complete:
        return _say_nothing(key, title)
    turns, forced = pl.col("turns").cast(pl.Int64), pl.col("forced").cast(pl.Int64)
    chosen = pl.col("breaths").cast(pl.Int64) - forced
    ratios: dict[str, Ratio] = {
        **by_outcome("breath turns", forced + chosen, turns),
        **by_outcome("forced turns", forced, turns),
        **by_outcome("chosen turns", chosen, turns),
        **by_outcome("forced", forced),
        **by_outcome("chosen", chosen),
        **by_outcome("divers left", pl.col("divers")),
    }
    moments = run.moments(scan_seats, ratios)[()]
    found = {name: block_mean(m, UNIT if "turns" in name else None) for name, m in moments.items()}
    sentence = (
        f"A seat catches its breath in {_share(found['breath turns: all'])} of its turns: "
        f"forced, as no action is possible, in {show(found['forced turns: all'], 'share')}, by choice in "
        f"{show(found['chosen turns: all'], 'share')}."
    )
    measures: tuple[tuple[str, str, Kind], ...] = (
        ("Turns forced", "forced turns", "share"),
        ("Turns by choice", "chosen turns", "share"),
        ("Forced a game", "forced", "fine"),
        ("By choice a game", "chosen", "fine"),
        ("Divers left at the end", "divers left", "fine"),
    )
    blocks = [
        block(
            Table(
                "breaths",
                f"Catch Your Breath a seat, n={run.complete:,} games",
                (Column("Seats"), *(Column(label, kind) for label, _, kind in measures)),
                tuple((who, *(found[f"{name}: {who}"] for _, name, _ in measures)) for who in OUTCOMES),
            )
        )
    ]
    caveats = ["Forced: no action could be paid for and had something to take. By choice: at least one could."]
    if run.has("turns"):
        blocks.append(_breaths_by_turn(run))
    else:
        caveats.append(NEEDS_TURNS.format("In which turns it happens"))
    return Section(
        key,
        title,
        sentence,
        tuple(blocks),
        tuple(caveats),
        Card(
            "How often is a player stuck?",
            f"{_share(found['forced turns: all'])} of turns",
            sentence,
            "plain",
            plots.sketch_lane(
                "card-breath",
                "Turns: forced to catch breath, by choice, with an action",
                [
                    100 * _value(found["forced turns: all"]),
                    100 * _value(found["chosen turns: all"]),
                    100 * (1 - _value(found["breath turns: all"])),
                ],
                [plots.VERMILLION, plots.YELLOW, plots.GREY],
            ),
        ),
    )


def _breaths_by_turn(run: Run) -> Block:
    """Forced and chosen Catch Your Breath by band of turns."""
    ratios: dict[str, Ratio] = {
        "forced": (pl.col("breath") == 2, None),
        "chosen": (pl.col("breath") == 1, None),
    }
    by_band = {row[0]: m for row, m in run.moments(scan_breaths, ratios, by=["band"]).items()}
    bands = sorted(by_band)
    means = {what: [block_mean(by_band[band][what], UNIT) for band in bands] for what in ratios}
    return block(
        plots.draw_grid(
            "breath-turns",
            "Catch Your Breath by turn",
            list(means),
            [_name_band(band) for band in bands],
            [[_value(estimate) for estimate in row] for row in means.values()],
            "share of turns",
        ).under("Share of turns by their number"),
        Table(
            "breath_turns",
            "Catch Your Breath by the number of the seat's own turn",
            (Column("Turn"), Column("Turns", "count"), Column("Forced", "share"), Column("By choice", "share")),
            tuple(
                (_name_band(band), round(by_band[band]["forced"].x), means["forced"][i], means["chosen"][i])
                for i, band in enumerate(bands)
            ),
        ),
    )


# The hurricane


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
        return _say_nothing(key, title)
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
    often = max(range(run.players), key=lambda seat: _value(shares[seat]))
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


# The last turns

MOST_GAINED = 10  # VP of the last turn that have a column of their own


def scan_leaders(batch: Batch) -> pl.LazyFrame:
    """Seats with whether they led, or were level, when the hurricane had come and their last turn had not."""
    before = (
        batch.scan("turns")
        .filter(pl.col("last") == 0)
        .group_by("game", "seat")
        .agg(before=pl.col("vp").sort_by("turn").last().cast(pl.Int64))
    )
    seats = (
        batch.scan("seats")
        .select("game", "deal", "seat", "vp", "credit")
        .join(before, on=["game", "seat"], how="left")
        .with_columns(pl.col("before").fill_null(0))
    )
    most = seats.group_by("game").agg(most=pl.col("before").max())
    return seats.join(most, on="game").with_columns(led=pl.col("before") == pl.col("most"))


def last_turns(run: Run, delta: float) -> Section:
    """Do the last turns still decide anything? What they gain, and whether who led before them wins."""
    key, title = "last", "Do the last turns still decide anything?"
    if not run.complete:
        return _say_nothing(key, title)
    if not run.has("turns"):
        return Section(key, title, NEEDS_TURNS.format("What a turn gains"))
    game = pl.col("seat") == 0
    moments = run.moments(
        scan_leaders,
        {
            "led": (pl.col("credit") * pl.col("led"), game),
            "turned": (pl.col("credit") * ~pl.col("led"), game),
            "level": (pl.col("led"), game),
            "share": (pl.col("vp").cast(pl.Int64) - pl.col("before"), pl.col("vp").cast(pl.Int64)),
        },
    )[()]
    led, turned = block_mean(moments["led"], UNIT), block_mean(moments["turned"], UNIT)
    ratios: dict[str, Ratio] = {
        "gain": (pl.col("gain"), None),
        "none": (pl.col("gain") <= 0, None),
        "breath": (pl.col("breath") > 0, None),
        "paid": (pl.col("paid"), None),
    }
    by_last = run.moments(scan_gains, ratios, by=["last"])
    phases = {0: "before the hurricane", 1: "after it, the last turn"}
    rows = tuple(
        (
            name,
            round(by_last[(last,)]["gain"].x),
            block_mean(by_last[(last,)]["gain"]),
            block_mean(by_last[(last,)]["none"], UNIT),
            block_mean(by_last[(last,)]["paid"]),
            block_mean(by_last[(last,)]["breath"], UNIT),
        )
        for last, name in phases.items()
        if (last,) in by_last
    )
    gained = block_mean(by_last[(1,)]["gain"]) if (1,) in by_last else NOTHING
    before = block_mean(by_last[(0,)]["gain"]) if (0,) in by_last else NOTHING
    sentence = (
        f"The last turn brings a seat {show(gained, 'fine')} VP, a turn before it {show(before, 'fine')}. Whoever led "
        f"or was level before it wins {show(led, 'share')} of games; the rest are turned by the last turns."
    )
    counts = run.counts(lambda batch: scan_gains(batch).filter(pl.col("last") == 1), "gain")
    shares = share_counts(counts, "gain", MOST_GAINED)
    return Section(
        key,
        title,
        sentence,
        (
            block(
                plots.draw_columns(
                    "last",
                    "VP gained in the last turn",
                    label_counts(MOST_GAINED),
                    shares,
                    "VP gained in the last turn; 0: none, or a loss",
                ),
                Table(
                    "last_turns",
                    "Turns before and after the hurricane",
                    (
                        Column("Turns"),
                        Column("Number", "count"),
                        Column("VP gained", "fine"),
                        Column("Nothing gained", "share"),
                        Column("Divers played", "fine"),
                        Column("Catch Your Breath", "share"),
                    ),
                    rows,
                ),
            ),
            block(
                Table(
                    "last_leaders",
                    f"Before the last turns, n={run.complete:,} games",
                    (Column("Figure"), Column("Share", "share")),
                    (
                        ("games won by a seat that led or was level before", led),
                        ("games turned by the last turns", turned),
                        ("VP that come in the last turn", block_mean(moments["share"])),
                    ),
                ),
            ),
        ),
        (
            "A seat's standing before the last turns is what it would have scored after its own turn before the last; "
            "joint winners count by their part.",
            f"On average {show(block_mean(moments['level']), 'fine')} seats lead or are level then.",
        ),
        Card(
            "Dull end?",
            f"{_share(turned)} turned",
            sentence,
            "plain",
            plots.sketch_columns("card-last", "Seats by VP gained in the last turn", shares),
        ),
    )


SECTIONS: tuple[SectionMaker, ...] = (
    seats,
    policies,
    scores,
    partial(length, note="Turns are those that seat 1 has begun."),
    partial(sources, names=SOURCE_NAMES, note="What a Research joker adds is booked with the colour it counts as."),
    treasures,
    research,
    crates,
    tiers,
    breaths,
    hurricane,
    last_turns,
    partial(options, groups=label_options()),
    partial(ties, contests=("games",), levels=("the VP", "treasures", "nothing"), stays_level=True),
)
