"""Actions, their price in divers, and what turns gain by them."""

import polars as pl

from analysis import plots
from analysis.frames import Batch, Ratio, Run
from analysis.games.atlantica.names import COMPANY, NEEDS_TURNS, OUTCOMES, add_up, say_nothing, say_share, value_of
from analysis.intervals import block_mean
from analysis.page import Block, Card, Section, block
from analysis.plots import Mark, Stack
from analysis.sections.common import UNIT, by_outcome, scan_seats
from analysis.tables import Cell, Column, Table, plural, show
from kernels.atlantica import codes, tables

TIER_NAMES = [plural(tier + 1, "diver") for tier in range(codes.TIERS)]


def tiers(run: Run, delta: float) -> Section:
    """One strong action or several weak ones: which are possible, which are chosen, and what turns of each mix gain."""
    key, title = "tiers", "One strong action, or several weak ones?"
    if not run.complete:
        return say_nothing(key, title)
    prompts = add_up(["legal_catch_breath", "legal_end_turn"])
    every = add_up([f"chosen_{name}" for name in codes.ACTION_SLUGS])
    ratios: dict[str, Ratio] = {"pairs": (pl.col("pairs"), pl.col("turns"))}
    for name in codes.ACTION_SLUGS:
        ratios[f"{name} possible"] = (pl.col(f"legal_{name}"), prompts)
        ratios[f"{name} rate"] = (pl.col(f"chosen_{name}"), pl.col(f"legal_{name}"))
        ratios.update(by_outcome(name, pl.col(f"chosen_{name}")))
    for tier in range(codes.TIERS):
        of_tier = add_up([f"chosen_{name}" for name in codes.ACTION_SLUGS[tier :: codes.TIERS]])
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
        f"Of all actions {say_share(of_all[0])} cost 1 diver, {say_share(of_all[1])} 2 and {say_share(of_all[2])} 3. "
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
                    Stack("Winners", [value_of(share) for share in of_winners]),
                    Stack("Others", [value_of(share) for share in of_others]),
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
            f"{say_share(of_all[0])} cost 1 diver",
            sentence,
            "plain",
            plots.sketch_lane("card-tiers", "Actions by divers", [value_of(e) for e in of_all], colours),
        ),
    )


LOCATIONS = list(tables.COLUMNS["tier"])
WIDEST = len(codes.LOCATIONS) + 1  # a mix is a number in this base: actions of each tier, the cheapest lowest


SEATS, ROOM = 8, 4096  # more than a table has seats, and a seat turns


def scan_walk(batch: Batch) -> pl.LazyFrame:
    """Turns in the order in which each seat of each game has them, with a number `of` for every seat of every game.

    One whole number to sort by, several times as fast as windows over seats.
    """
    of = pl.col("game") * SEATS + pl.col("seat")
    return batch.scan("turns").sort(of * ROOM + pl.col("turn")).with_columns(of=of)


def scan_gains(batch: Batch) -> pl.LazyFrame:
    """Turns with the VP they gained, their `mix` of tiers, the `action` where there was but one (else -1), and
    whether a team was hired."""
    tier = [pl.col(name).cast(pl.Int64) for name in LOCATIONS]
    mix = sum((WIDEST**t * pl.sum_horizontal((x == t + 1).cast(pl.Int64) for x in tier) for t in range(3)), pl.lit(0))
    alone = pl.sum_horizontal((x > 0).cast(pl.Int64) for x in tier) == 1
    code = pl.sum_horizontal(
        pl.when(x > 0).then(codes.TIERS * location + x - 1).otherwise(0) for location, x in enumerate(tier)
    )
    before = pl.when(pl.col("of") == pl.col("of").shift(1)).then(pl.col("vp").shift(1)).otherwise(0)
    return scan_walk(batch).with_columns(
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
        best, worst = (choose(usual, key=lambda mix: value_of(pay[mix])) for choose in (max, min))
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
