"""Does better play win more? One seat of the better policy among the weaker, up a ladder."""

from collections.abc import Mapping
from itertools import pairwise

import polars as pl

from analysis import plots
from analysis.frames import Run
from analysis.intervals import Estimate, Moments, block_mean, holm
from analysis.page import Figure, Section, block
from analysis.plots import Mark
from analysis.questions.question import Spec, find_traits
from analysis.sections.common import UNIT
from analysis.sections.seats import scan_whole_deals
from analysis.tables import Column, Table, join_words, percent, show
from sim.games import find_game
from sim.lineup import spell_lineup
from sim.policies import list_policies


def arms(spec: Spec) -> dict[str, Spec]:
    """One seat of each policy of the game's ladder among seats of the one below."""
    game = find_game(spec.game)
    known = list_policies(game)
    ladder = [name for name in find_traits(game).ladder if name in known]
    made = {}
    for weak, strong in pairwise(ladder):
        lineup = spell_lineup((strong, *[weak] * (spec.players - 1)))
        made[f"{strong} among {weak}"] = spec.but(lineup=lineup)
    return made


def credit_of(run: Run, token: str) -> Estimate:
    """Mean credit of a seat of that policy."""
    found = run.moments(scan_whole_deals, {"credit": (pl.col("credit"), None)}, by=["policy"])
    return block_mean(found.get((token,), {}).get("credit", Moments()), UNIT)


def name_step(run: Run, label: str) -> str:
    """`greedy among random`; the label of the run where its lineup is not one among others."""
    first, *others = run.manifest.lineup
    return f"{first} among {others[0]}" if len(set(others)) == 1 and others[0] != first else label


def skill(runs: Mapping[str, Run], delta: float) -> Section:
    """Credit of the better policy on each step of the ladder."""
    title = "Does better play win more?"
    credits = {name_step(run, label): credit_of(run, run.manifest.lineup[0]) for label, run in runs.items()}
    first = next(iter(runs.values()))
    surely = holm([e.p_differs(first.fair) for e in credits.values()])
    told = [f"one {label} wins {show(e, 'share')}" for label, e in credits.items()]
    plain = [label for label, sure in zip(credits, surely) if not sure]
    sentence = f"{join_words(told)}, where {percent(first.fair)} is even."
    sentence = sentence[:1].upper() + sentence[1:]
    if plain:
        sentence += f" Not surely another share than even: {join_words(plain)}."
    return Section(
        "skill",
        title,
        sentence,
        (
            block(
                plots.draw_forest(
                    "skill", title, [Mark(label, e) for label, e in credits.items()], first.fair, delta
                ),
                Table(
                    "credit_of_the_better",
                    f"Credit of one seat of the better policy, on {first.complete:,} games a step",
                    (Column("Step"), Column("Credit", "share"), Column("Against even", "pp")),
                    tuple((label, e, e.against(first.fair)) for label, e in credits.items()),
                ),
            ),
        ),
        ("A game of pure chance would give an even share on every step; a wide step leaves room for skill.",),
        figures=tuple(Figure(label, e, "share", first.fair) for label, e in credits.items()),
    )
