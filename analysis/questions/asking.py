"""Asking: from a question, and what it is asked of, to its runs and to its answer, under other players too."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from analysis.frames import Run
from analysis.page import Section
from analysis.questions.answer import Answer, answer, list_arms
from analysis.questions.mixes import compare_mixes
from analysis.questions.question import Question, Spec, why_not
from analysis.questions.supply import Supply
from sim.errors import UserError
from sim.games import find_game

Start = Spec | Mapping[str, Run]
"""What a question is asked of: what would have to be played, or runs by label."""


def ask_of(question: Question, start: Start, supply: Supply, delta: float, mixes: Sequence[str] = ()) -> Answer:
    """The answer, from runs that `supply` has or plays; `delta` is the margin of equivalence, a fraction.

    `mixes` are lineups that it is asked of too: how the answers compare stands in `Answer.more`. What makes no sense
    for the game gets a sentence that says why. Raises UserError for what cannot be played or compared.
    """
    if isinstance(start, Spec) and (refusal := why_not(question, find_game(start.game))):
        return Answer(question, Section(question.id, question.asks, refusal), {}, asked=False)
    made = answer(question, find_runs(question, start, supply), delta)
    if mixes and made.asked:
        made = replace(made, more=(_compare_mixes(question, start, supply, delta, mixes, made),))
    return made


def find_runs(question: Question, start: Start, supply: Supply) -> dict[str, Run]:
    """The runs that a question needs, by the label of each arm. UserError where these are too many for it."""
    if isinstance(start, Spec):
        return {label: supply.get(spec) for label, spec in list_arms(question, start).items()}
    if len(start) > 1 and not question.needs.arms:
        raise UserError(f"{question.id} is asked of one run at a time, and {len(start)} are given.")
    if len(start) > 1:
        return dict(start)
    [run] = start.values()
    return find_runs(question, supply.adopt(run), supply) if question.needs.arms else {"": run}


def _compare_mixes(
    question: Question, start: Start, supply: Supply, delta: float, mixes: Sequence[str], made: Answer
) -> Section:
    spec = start if isinstance(start, Spec) else supply.adopt(*start.values())
    figures = {spec.lineup: made.figures}
    for lineup in mixes:
        if lineup not in figures:
            figures[lineup] = answer(question, find_runs(question, spec.but(lineup=lineup), supply), delta).figures
    return compare_mixes(figures, f"{question.id}_mixes")
