"""From a question and its runs to an answer: the section that answers it, and what it rests on."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from analysis.frames import Run
from analysis.intervals import Estimate
from analysis.page import Figure, Section
from analysis.panel import say_exploit
from analysis.questions.question import Question, Spec, find_maker, find_traits, least_detail, load, why_not
from analysis.sections.common import say_how_cut_off, who_played
from analysis.tables import join_words, plural
from sim.exploits import find_exploit
from sim.games import Game, find_game
from sim.lineup import spell_lineup

MOST_RULINGS = 12  # that are listed by id


@dataclass(frozen=True, repr=False)
class Answer:
    """An answered question. `runs` are what it rests on, by label; `section` is what it says.

    `notes` are lines on n, on whom it holds for and on assumed rules; `more` are sections beside it, such as the same
    under other policies. `asked` is False where the question could not be answered, which `section` then explains.
    """

    question: Question
    section: Section
    runs: Mapping[str, Run]
    notes: tuple[str, ...] = ()
    rulings: tuple[str, ...] = ()
    more: tuple[Section, ...] = ()
    asked: bool = True

    @property
    def figures(self) -> tuple[Figure, ...]:
        """The numbers that the answer rests on."""
        return find_figures(self.section)

    def __repr__(self) -> str:
        return f"<Answer {self.question.id}: {self.section.sentence}>"

    def __str__(self) -> str:
        """As a terminal shows it."""
        text: str = load("analysis.questions.show:as_text")(self)
        return text.rstrip("\n")

    def _repr_html_(self) -> str:
        """As a notebook shows it."""
        html: str = load("analysis.questions.show_html:as_html")(self)
        return html


def find_figures(section: Section) -> tuple[Figure, ...]:
    """A section's figures; where it names none, the first column of estimates in its first table that has one."""
    if section.figures:
        return section.figures
    for table in (t for b in section.blocks for t in b.tables):
        for place, column in enumerate(table.columns):
            found = [(row[0], row[place]) for row in table.rows if isinstance(row[place], Estimate)]
            if found and place > 0:
                target = 0.0 if column.kind == "pp" else None
                return tuple(
                    Figure(str(label), cell, column.kind, target) for label, cell in found if isinstance(cell, Estimate)
                )
    return ()


def needed_detail(questions: Sequence[Question], game: Game) -> str:
    """The least detail that answers all of these."""
    return least_detail(game, [table for question in questions for table in question.needs.tables])


def list_arms(question: Question, spec: Spec) -> dict[str, Spec]:
    """The runs that a question compares, by label: the spec itself where there is only one.

    Raises UserError where what was asked for cannot be compared with anything.
    """
    if not question.needs.arms:
        return {"": spec}
    arms: Callable[[Spec], Mapping[str, Spec]] = load(question.needs.arms)
    return dict(arms(spec))


def answer(question: Question, runs: Mapping[str, Run], delta: float) -> Answer:
    """The answer from `runs`, one for each arm of the question (the label "" where it has one), with `delta` as the
    margin of equivalence.

    What cannot be answered from them gets a sentence that says why. Raises UserError where a run's rows contradict
    themselves.
    """
    run = next(iter(runs.values()))
    refusal = why_not(question, run.game) or _lacking(question, runs)
    if refusal:
        return Answer(question, Section(question.id, question.asks, refusal), runs, asked=False)
    if not any(one.complete for one in runs.values()):
        sentence = _say_nothing_ended(run)
        return Answer(question, Section(question.id, question.asks, sentence), runs, tuple(list_basis(question, runs)))
    make = find_maker(question, run.game)
    section: Section | None = make(runs if question.needs.arms else run, delta)
    if section is None:
        section = Section(question.id, question.asks, "The question does not arise for this run.")
    section = replace(section, figures=find_figures(section))
    rulings = find_rulings(question, runs)
    return Answer(question, section, runs, tuple(list_basis(question, runs)), rulings)


def _say_nothing_ended(run: Run) -> str:
    if not run.finished:
        return "No game is finished yet, so there is nothing to answer from."
    return f"No game of {run.finished:,} ended by the rules, so there is nothing to answer from."


def _lacking(question: Question, runs: Mapping[str, Run]) -> str:
    for run in runs.values():
        missing = [table for table in question.needs.tables if not run.has(table)]
        if missing:
            detail = least_detail(run.game, question.needs.tables)
            return (
                f"{run.folder.path} was kept with --detail {run.manifest.detail}, without {join_words(missing)}; "
                f"{question.id} needs --detail {detail}."
            )
    return ""


def list_basis(question: Question, runs: Mapping[str, Run]) -> list[str]:
    """Lines under the tables: n and what was cut off."""
    notes = []
    for label, run in runs.items():
        deals = -(-run.finished // run.arrangements)
        cut = f"{run.truncated:,} {say_how_cut_off(run)}" if run.truncated else "none cut off"
        of = "" if run.finished >= run.manifest.games or run.upto else f" of {run.manifest.games:,} planned"
        start = f"{label}: " if label else ""
        notes.append(
            f"{start}n = {run.finished:,} games{of} in {deals:,} deals, {run.players} players, {who_played(run)}, "
            f"seed {run.manifest.seed}; {cut}"
        )
    return notes


def find_rulings(question: Question, runs: Mapping[str, Run]) -> tuple[str, ...]:
    """Ids of the rules not printed in the rulebook that touch the question and apply in a run; all that apply where
    nobody has said which touch it."""
    found: dict[str, None] = {}
    for run in runs.values():
        touching = find_traits(run.game).rests.get(question.id)
        for rule in run.manifest.rules:
            ruling = rule.get("ruling")
            if not ruling or rule.get("status") == "printed" or not rule.get("applies", True):
                continue
            if touching is None or ruling in touching or ruling[:3] in touching:
                found[str(ruling)] = None
    return tuple(sorted(found))


def say_rulings(rulings: Sequence[str], game: Game) -> str:
    """The line on assumed rules; empty where there are none."""
    if not rulings:
        return ""
    shown = f": {', '.join(rulings)}" if len(rulings) <= MOST_RULINGS else ""
    return (
        f"rests on {plural(len(rulings), 'rule')} that the rulebook does not settle{shown} "
        f"(atlantis rules {game.name} --open)"
    )


def say_holds_for(runs: Mapping[str, Run], mixed: bool) -> str:
    """For whom the answer holds, and how to ask of others."""
    names = list(dict.fromkeys(spell_lineup(run.manifest.lineup) for run in runs.values()))
    ask = "" if mixed else ". Not asked of other players: add --mix LINEUP"
    return f"holds for: {join_words(names)}{ask}"


def say_exploits(runs: Mapping[str, Run]) -> list[str]:
    """How exploitable each kind of player is that the answer holds for: how far to trust it as one about the game."""
    found: dict[str, str] = {}
    for run in runs.values():
        for token in dict.fromkeys(run.manifest.lineup):
            found[token] = say_exploit(token, find_exploit(run.game, run.players, token), run.players)
    return list(found.values())


def describe_run(run: Run) -> dict[str, Any]:
    """What JSON says of a run."""
    m = run.manifest
    return {
        "folder": str(run.folder.path),
        "game": m.game,
        "players": m.players,
        "variants": m.variants,
        "settings": m.settings,
        "rules_digest": m.rules_digest,
        "lineup": m.lineup,
        "seed": m.seed,
        "games": run.finished,
        "games_planned": m.games,
        "truncated": run.truncated,
        "deals": -(-run.finished // run.arrangements),
        "detail": m.detail,
    }


def game_of(runs: Mapping[str, Run]) -> Game:
    """The game that the runs are of."""
    return find_game(next(iter(runs.values())).manifest.game)
