"""How many games do I need? Sample sizes for the seats' verdict, from the variance of this run's deals."""

from math import sqrt

from analysis import plots
from analysis.frames import Run
from analysis.intervals import ALPHA, POWER, blocks_for_tost
from analysis.page import Section, block
from analysis.sections.seats import find_seat_credits
from analysis.sequential import blocks_until, share_alpha
from analysis.tables import Column, Table, plural, points

MARGINS = (0.0025, 0.005, 0.01, 0.02, 0.05)
REACH = 1.96 + 0.8416  # two-sided 5%, power 80%


def plan(run: Run, delta: float) -> Section:
    """Games for a balanced verdict at each margin, the smallest bias this run can find, and games for --until."""
    credits = find_seat_credits(run)
    k, per_deal = run.players, run.arrangements
    spread = [e.se**2 * e.blocks for e in credits if e.se]
    variance = max(spread) if spread else run.fair * (1 - run.fair)
    deals = max(1, credits[0].blocks)
    each = 1 - (1 - POWER) / k
    margins = sorted({*MARGINS, delta})
    fixed = {m: blocks_for_tost(variance, m, 0.0, ALPHA, each) * per_deal for m in margins}
    looked = {m: round(blocks_until(m, variance, share_alpha(k)) * per_deal) for m in margins}
    finds = REACH * sqrt(variance / deals)
    independent = run.fair * (1 - run.fair) / per_deal
    sentence = (
        f"To show with 80% power that every seat is within {points(delta)} takes about {_round(fixed[delta]):,} games "
        f"if seats are fair; these {run.complete:,} games find a bias of {finds * 100:.2f} pp or more."
    )
    return Section(
        "plan",
        "How many games do I need?",
        sentence,
        (
            block(
                plots.draw_columns(
                    "plan",
                    "Games needed",
                    [points(m) for m in margins],
                    [fixed[m] / max(fixed.values()) for m in margins],
                    "margin (height: games, against the most)",
                ),
                Table(
                    "games_needed",
                    "Games for a verdict of balanced with 80% power, all seats together",
                    (
                        Column("Margin"),
                        Column("Games, fixed beforehand", "count"),
                        Column("With --until decided, about", "count"),
                    ),
                    tuple((points(m), _round(fixed[m]), _round(looked[m])) for m in margins),
                ),
            ),
        ),
        (
            f"A deal of {plural(per_deal, 'game')} varies {variance / independent:.2f} times as much as that many "
            "unrelated games would.",
            "For a difference between two runs on the same deals fewer are needed: variant says how many were saved.",
        ),
    )


def _round(number: float) -> int:
    digits = max(0, len(str(int(number))) - 2)
    return int(-(-number // 10**digits) * 10**digits)
