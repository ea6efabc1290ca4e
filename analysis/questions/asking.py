"""Asking: from a question, and what it is asked of, to its runs and to its answer, under other players too."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from analysis.frames import Run
from analysis.page import Section, block
from analysis.panel import Line, Member, Panel, judge_panel, say_member, say_panel
from analysis.questions.answer import Answer, answer, list_arms, list_basis
from analysis.questions.mixes import compare_mixes
from analysis.questions.question import Question, Spec, why_not
from analysis.questions.supply import Supply
from analysis.tables import Cell, Column, Table, show
from sim.errors import MissingModelError, UserError
from sim.exploits import find_exploit
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


def takes_panel(question: Question, spec: Spec) -> bool:
    """Whether a question can be asked of one player after the other: it makes sense, and its arms differ in more than
    who plays.
    """
    if why_not(question, find_game(spec.game)):
        return False
    return {arm.lineup for arm in list_arms(question, spec).values()} == {spec.lineup}


def ask_panel(
    question: Question, spec: Spec, supply: Supply, delta: float, members: Sequence[tuple[str, int]]
) -> Answer:
    """The answer of a panel: each member plays every seat in its games of `members`, (token, games).

    Members whose model was not made for so many players are left out, and a caveat says so; UserError if none is left.
    """
    game, lacking = find_game(spec.game), list[str]()
    answers: dict[str, Answer] = {}
    runs: dict[str, Run] = {}
    for token, games in members:
        mine = spec.but(lineup=token, games=games)
        try:
            found = find_runs(question, mine, supply)
        except MissingModelError as error:
            lacking.append(f"{token} is left out: {error}")
            continue
        answers[token] = answer(question, found, delta)
        runs |= {f"{token}: {label}" if label else token: run for label, run in found.items()}
    if not answers:
        raise UserError(f"no member of the panel can play this. {' '.join(lacking)}")
    judged = [
        Member(token, one.figures, _count_games(one), find_exploit(game, spec.players, token))
        for token, one in answers.items()
    ]
    panel = judge_panel(judged, spec.players, delta)
    best = answers[panel.members[0].token]
    if not best.asked:
        return best
    changed = bool(spec.variants or spec.settings or spec.rules_files)
    remarks = [*lacking, *([FOR_PRINTED] if changed else [])]
    section = show_panel(question, panel, spec.players, best.section.sentence, remarks)
    return replace(best, section=section, runs=runs, notes=tuple(list_basis(question, runs)), more=(best.section,))


def _count_games(made: Answer) -> int:
    return sum(run.finished for run in made.runs.values())


FOR_PRINTED = "The players, and what is known of how exploitable they are, were made for the printed rules."


def show_panel(question: Question, panel: Panel, players: int, own: str, remarks: Sequence[str]) -> Section:
    """A panel's verdict as a section: its figures by member, and who carries the verdict; `own` is what the least
    exploitable one's answer says.
    """
    members = panel.members
    rows: list[tuple[Cell, ...]] = []
    for line in panel.lines:
        figures = [member.find(line.label) for member in members]
        cells = tuple(None if figure is None else show(figure.estimate, figure.kind) for figure in figures)
        ends = line.envelope
        envelope = None if ends is None else f"{show(ends[0], line.figure.kind)} to {show(ends[1], line.figure.kind)}"
        rows.append((line.label, *cells, envelope, _say_line(line)))
    columns = (Column("Figure"), *(Column(m.token) for m in members), Column("Envelope"), Column("Reading"))
    title = (
        "By player, the least exploitable first, with 95% intervals of each alone; the envelope and the readings hold "
        "for all together"
    )
    carrying = {member.token for member in panel.carrying}
    caveats = [f"{say_member(member, players, member.token in carrying)}." for member in members]
    return Section(
        f"{question.id}_panel",
        question.asks,
        say_panel(panel, own),
        (block(Table(f"{question.id}_panel", title, columns, tuple(rows)),),),
        (*caveats, *remarks),
        figures=members[0].figures,
        mark=str(panel.kind),
    )


def _say_line(line: Line) -> str:
    if line.figure.target is None:
        return ""
    if line.split:
        return "depends on who plays"
    return f"{line.joint}{'; weaker players differ' if line.differs else ''}"


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
