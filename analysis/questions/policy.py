"""Does the answer depend on who plays? The seats' credits under several mixes of policies."""

from collections.abc import Mapping
from dataclasses import replace

from analysis.frames import Run
from analysis.page import Section
from analysis.questions.mixes import compare_mixes
from analysis.questions.question import Spec, find_traits
from analysis.sections.seats import seats
from sim.games import find_game
from sim.lineup import parse_lineup, spell_lineup
from sim.policies import list_policies


def arms(spec: Spec) -> dict[str, Spec]:
    """What was asked for, every policy of the ladder alone, and each with one of the next."""
    game = find_game(spec.game)
    known = list_policies(game)
    ladder = [name for name in find_traits(game).ladder if name in known]
    lineups = [spell_lineup(parse_lineup(spec.lineup, spec.players)), *ladder]
    for weak, strong in zip(ladder, ladder[1:]):  # noqa: RUF007
        lineups.append(spell_lineup((*[strong] * (spec.players - 1), weak)))
    return {lineup: spec.but(lineup=lineup) for lineup in dict.fromkeys(lineups)}


def policy(runs: Mapping[str, Run], delta: float) -> Section:
    """Credit by seat under each mix, their spread, and whether a sign flips."""
    figures = {label: seats(run, delta).figures for label, run in runs.items() if run.complete}
    section = compare_mixes(figures, "policy")
    main = next(iter(figures.values()), ())
    return replace(section, key="policy", figures=main)
