"""The balance report of a run: the answers of all questions that fit it, and the first screen that sums them up."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from analysis import plots
from analysis.frames import Run
from analysis.intervals import Estimate, holm
from analysis.page import Card, Figure, Section, block
from analysis.questions import QUESTIONS
from analysis.questions.answer import Answer, answer, say_rulings
from analysis.questions.question import Question, find_page_sections, find_traits, why_not
from analysis.report import Report
from analysis.sections.common import say_how_cut_off, who_played
from analysis.sections.rulings import open_rules, say_value
from analysis.tables import Cell, Column, Table, join_words, plural, points
from sim.exploits import say_weak
from sim.games import Game
from sim.lineup import spell_lineup

DELTA = 0.01
ENOUGH = 100_000  # games for a section that only describes: its shares are then sure to a third of a point

# The first screen: what each card asks, in the order of the page.
FIRST = {
    "seat": "Is it fair across seats?",
    "length": "How long is it?",
    "scoring": "What scores?",
    "unused": "What is unused?",
    "ties": "How often do tie-breaks decide?",
    "last-rounds": "Is the end dull?",
}
# What the bare figure on a card is of.
SHARES = {"ties": "{} of games", "last-rounds": "The leader wins {}", "decided": "{} before the last turn"}
ELSEWHERE = ("audit", "plan")  # about the run and not the game: asked alone
MARKS = {
    "confirmatory": "a verdict, its error held at 5%",
    "descriptive": "",
    "observational": "company, not cause: nothing was forced",
}
VERDICTS = ("policies",)  # sections of a page, without a question, whose credits are held against an even share


@dataclass(frozen=True)
class Verdicts:
    """The comparisons with a target that a page makes, and which of them hold when all are made at once."""

    names: tuple[tuple[str, str], ...]  # what is asked, and of what
    figures: tuple[Figure, ...]
    sure: tuple[bool, ...]


def build_report(
    run: Run,
    delta: float = DELTA,
    progress: Callable[[int, int], None] | None = None,
    enough: int = ENOUGH,
) -> Report:
    """Every answer that `run` can give, with `delta` as the margin of equivalence (a fraction).

    The first screen and all verdicts rest on every game, other sections on the first `enough` where there are more.
    `progress` is told how many of how many questions are done. Raises UserError where the run's rows contradict
    themselves.
    """
    asked = list_parts(run.game)
    part = take_first(run, enough)
    answers = []
    for place, question in enumerate(asked):
        if progress:
            progress(place, len(asked))
        whole = question.id in FIRST or is_confirmatory(question)
        answers.append(answer(question, {"": run if whole else part}, delta))
    told = [made for made in answers if _is_told(made)]
    verdicts = hold_together(told, run)
    sections = [_dress(made, verdicts, run) for made in told]
    by_id = {made.question.id: made for made in answers}
    cards = [(key if by_id[key] in told else "more", _find_card(by_id[key])) for key in FIRST if key in by_id]
    lesser = [(s.key, s.card) for s in sections if s.card and s.key not in FIRST]
    last = [_tell_verdicts(verdicts), _list_other_questions(run, answers), open_rules(run, delta)]
    manifest = run.manifest
    return Report(
        title=run.game.title,
        lead=say_what_was_run(run),
        notices=tuple(list_notices(run)),
        facts=_list_facts(run),
        cards=tuple(cards),
        lesser=tuple(lesser),
        sections=(*sections, *(section for section in last if section)),
        methods=explain_methods(run, delta),
        again=manifest.command,
        provenance=list_provenance(run),
        run=describe(run, delta),
    )


def take_first(run: Run, games: int) -> Run:
    """The first whole parts of a run that hold so many games; the run itself where it has hardly more."""
    parts = -(-games // run.manifest.chunk)
    if len(run.chunks) <= parts * 1.25:
        return run
    return replace(run, upto=run.chunks[parts])


def is_confirmatory(question: Question) -> bool:
    """Does its answer count among the verdicts of the page?"""
    return question.kind == "confirmatory" or question.id in VERDICTS


def _is_told(made: Answer) -> bool:
    """Does an answer have anything to show beyond a sentence on why there is none?"""
    return made.asked and bool(made.section.blocks)


def list_parts(game: Game) -> list[Question]:
    """The questions that one run of `game` can answer, in their order, with the sections of the game's own page that
    no question has, each after the section that it follows there."""
    fitting = [q for q in QUESTIONS.values() if not q.needs.arms and q.id not in ELSEWHERE and not why_not(q, game)]
    place = {q.answer.rpartition(":")[2]: q for q in fitting}
    parts, before = list(fitting), None
    for name in find_page_sections(game):
        if name not in place:
            own = Question(name, name.replace("_", " "), "descriptive", f"section:{name}")
            parts.insert(parts.index(before) + 1 if before else 0, own)
            place[name] = own
        before = place[name]
    return parts


def hold_together(answers: Sequence[Answer], run: Run) -> Verdicts:
    """All comparisons of confirmatory answers with an even share, by Holm at 5% over the whole page.

    Two shares of one whole mirror each other and are one comparison.
    """
    names, figures = [], []
    for made in answers:
        if is_confirmatory(made.question):
            known = [f for f in made.figures if isinstance(f.estimate, Estimate) and f.estimate.value is not None]
            for figure in known if len(known) > 2 else known[:1]:
                names.append((made.section.title, figure.label))
                figures.append(replace(figure, target=run.fair if figure.target is None else figure.target))
    p_values = [f.estimate.p_differs(f.target) for f in figures if isinstance(f.estimate, Estimate) and f.target]
    return Verdicts(tuple(names), tuple(figures), tuple(holm(p_values)))


def _tell_verdicts(verdicts: Verdicts) -> Section | None:
    if not verdicts.figures:
        return None
    n, sure = len(verdicts.figures), sum(verdicts.sure)
    rows: list[tuple[Cell, ...]] = [
        (asks, label, f.estimate, f.target, f.estimate.against(f.target or 0.0), "surely not even" if held else "")
        for (asks, label), f, held in zip(verdicts.names, verdicts.figures, verdicts.sure)
        if isinstance(f.estimate, Estimate)
    ]
    return Section(
        "verdicts",
        "What is sure when all is asked at once?",
        f"{sure} of the {plural(n, 'comparison')} with an even share on this page surely "
        f"{'differs' if sure == 1 else 'differ'} from it; the chance of even one false alarm among all is held at 5%.",
        (
            block(
                Table(
                    "verdicts",
                    "Every comparison that this page makes a verdict of; Holm over all of them, 5%",
                    (
                        Column("Question"),
                        Column("Of"),
                        Column("Credit", "share"),
                        Column("Even", "share"),
                        Column("Against even", "pp"),
                        Column("Over the whole page"),
                    ),
                    tuple(rows),
                )
            ),
        ),
        (
            "Surely not even says nothing of the size: that is what the margin in the verdicts is for.",
            "All other figures of the page describe what happened; with so many of them some stand out by chance.",
        ),
        mark=MARKS["confirmatory"],
    )


def _dress(made: Answer, verdicts: Verdicts, run: Run) -> Section:
    """The section of an answer with what it may claim, and the rules that nobody printed and that touch it."""
    question, section = made.question, made.section
    caveats = list(section.caveats)
    confirmatory = is_confirmatory(question)
    read = made.runs[""].finished
    if read < run.finished:
        caveats.append(f"From the first {read:,} of {run.finished:,} games, which leave little to chance already.")
    if confirmatory and any(asks != section.title for asks, _ in verdicts.names):
        caveats.append("Other verdicts on this page are looked at too: see what is sure when all is asked at once.")
    if made.rulings and question.id in find_traits(run.game).rests:
        rests = say_rulings(made.rulings, run.game)
        caveats.append(f"{rests[:1].upper()}{rests[1:]}.")
    mark = MARKS["confirmatory" if confirmatory else question.kind]
    card = _find_card(made) if section.card or question.id in FIRST else None
    return replace(section, key=question.id, caveats=tuple(caveats), card=card, mark=mark)


def _find_card(made: Answer) -> Card:
    """The card of an answer with a picture; one that says what is missing where there is no answer."""
    section, asks = made.section, FIRST.get(made.question.id, "")
    if not made.asked:
        return Card(asks, "Not recorded", section.sentence, "open")
    card = section.card or Card(asks, "Unknown", section.sentence, "open")
    card = replace(card, question=asks or card.question)
    if card.answer.endswith("%"):
        card = replace(card, answer=SHARES.get(made.question.id, "{}").format(card.answer))
    shares = [f.estimate.value for f in made.figures if f.kind == "share" and f.estimate.value is not None]
    if card.picture is None and shares:
        card = replace(card, picture=plots.sketch_columns(f"card-{made.question.id}", section.title, shares))
    return card


def _list_other_questions(run: Run, answers: Sequence[Answer]) -> Section:
    """What this run does not answer, and what would."""
    silent = [made for made in answers if run.complete and made.question.id in QUESTIONS and not _is_told(made)]
    rows: list[tuple[Cell, ...]] = [(made.question.asks, made.section.sentence) for made in silent]
    for question in QUESTIONS.values():
        if question.id == "variant":
            rows.append((question.asks, f"atlantis compare {run.game.name} --variant NAME"))
        elif (question.needs.arms or question.id in ELSEWHERE) and not why_not(question, run.game):
            rows.append((question.asks, f"atlantis ask {question.id} {run.folder.path}"))
    return Section(
        "more",
        "What else can be asked?",
        f"{plural(len(rows), 'question')} {'needs' if len(rows) == 1 else 'need'} more than this run: other players, "
        "other rules, more detail.",
        (block(Table("more", "Questions, and what answers them", (Column("Question"), Column("How")), tuple(rows))),),
        ("With many games the players decide more than chance does: ask policy before a verdict is quoted.",),
    )


def say_what_was_run(run: Run) -> str:
    """What was played, by whom, in a sentence."""
    m = run.manifest
    variants = f", {join_words(m.variants)}" if m.variants else ""
    changed = [*m.settings, *m.rules_files]
    changes = f" with {join_words(changed)}" if changed else " by the rules as they stand"
    games = (
        plural(run.finished, "game") if run.finished == m.games else f"{run.finished:,} of {plural(m.games, 'game')}"
    )
    return (
        f"{games} of {run.game.title}, {plural(run.players, 'player')}{variants}, {who_played(run)}, seed "
        f"{m.seed},{changes}."
    )


def list_notices(run: Run) -> list[str]:
    """What the reader must know before anything else."""
    notes = []
    if not run.finished:
        notes.append("No game is finished yet, so this page holds only what was planned.")
    elif run.finished < run.manifest.games:
        notes.append(
            f"This run is not finished: {run.finished:,} of {run.manifest.games:,} games so far. The answers "
            "stand for these games; "
            f"reading them again and again until they please is not a test."
        )
    if weak := say_weak(run.game, run.players, run.manifest.lineup):
        notes.append(weak)
    if run.finished and not run.complete:
        notes.append(f"No game of {run.finished:,} ended by the rules, so there is nothing to answer from.")
    elif run.truncated:
        notes.append(
            f"{plural(run.truncated, 'game')} {say_how_cut_off(run)} and "
            f"{'is' if run.truncated == 1 else 'are'} left out of the estimates."
        )
    return notes


def describe(run: Run, delta: float) -> dict[str, Any]:
    """What JSON says of a run."""
    manifest = run.manifest
    return {
        "folder": str(run.folder.path),
        "game": run.game.name,
        "players": run.players,
        "variants": manifest.variants,
        "settings": manifest.settings,
        "rules_files": manifest.rules_files,
        "rules_digest": manifest.rules_digest,
        "lineup": manifest.lineup,
        "seed": manifest.seed,
        "games_planned": manifest.games,
        "games_finished": run.finished,
        "games_truncated": run.truncated,
        "arrangements": run.arrangements,
        "detail": manifest.detail,
        "command": manifest.command,
        "created": manifest.created,
        "versions": manifest.versions,
        "delta": delta,
    }


def _list_facts(run: Run) -> tuple[tuple[str, str], ...]:
    return (
        ("Players", str(run.players)),
        ("Played by", spell_lineup(run.manifest.lineup)),
        ("Variants", join_words(run.manifest.variants) or "none"),
        ("Games", f"{run.finished:,} of {run.manifest.games:,}"),
        ("Truncated", f"{run.truncated:,}"),
        ("Seed", str(run.manifest.seed)),
    )


def list_provenance(run: Run) -> tuple[tuple[str, str], ...]:
    """What decides the rows beyond the facts of the first screen."""
    m = run.manifest
    versions = ", ".join(f"{name} {number}" for name, number in m.versions.items())
    changes = join_words([*m.settings, *m.rules_files]) or "none"
    return (
        ("Started", m.created),
        ("Rules changed", changes),
        ("Rules digest", m.rules_digest),
        ("Seatings", f"{run.arrangements} on every deal"),
        ("Detail", m.detail),
        ("Weights", say_value({token: len(w) for token, w in m.weights.items()}) or "none"),
        ("Versions", versions),
    )


def explain_methods(run: Run, delta: float) -> tuple[tuple[str, str], ...]:
    """How the figures are made, in plain words."""
    margin = points(delta)
    shared = (
        f"Here each deal is played in {run.arrangements} seatings, and these games count as one block."
        if run.arrangements > 1
        else "Here every game has a deal of its own."
    )
    return (
        (
            "Credit",
            "The winner of a game gets 1; k joint winners get 1/k each, once the tie-breaks of the rules "
            "are used up. Seats are counted from 1 here, from 0 in files.",
        ),
        (
            "The unit is the deal",
            "Games that share a deal resemble each other, so intervals are computed over deals, not over "
            f"games or seats. {shared}",
        ),
        (
            "Intervals",
            "Figures in brackets are 95% intervals: over many such runs, 95 of 100 of them hold the true "
            "value for these players and rules. Means "
            "use Student's t over deals, plain shares Wilson's interval, medians order statistics. An "
            "interval says nothing "
            "about other players or other rules.",
        ),
        (
            "Balanced, biased, undecided",
            "Not finding a difference is not the same as balance. Seats are called balanced only when each "
            f"is shown to lie within {margin} of "
            "an even share (two one-sided tests at 5% each); biased when one surely lies farther off; a "
            f"small bias when all lie within {margin} but one "
            "surely not at the even share; otherwise undecided, with the number of games that would "
            "probably (80%) settle it. "
            f"Surely means 5%, corrected by Holm for the number of seats looked at.",
        ),
        (
            "Large runs",
            f"The first screen and every verdict rest on all games. Of a run of more than about {ENOUGH:,} games the "
            "other sections read only the first so many, unless --every-game asks for all; each says so.",
        ),
        (
            "Many comparisons",
            "Every verdict of this page counts in one family: what is called sure there holds with a chance of 5% for "
            "even one false alarm among all (Holm). Figures without a verdict describe; the more of them one looks at, "
            "the more stand out by chance.",
        ),
        (
            "Company, not cause",
            "Who held, used or chose something did so in a situation of its own, and may have won for that reason. "
            "Such sections are marked. Only a comparison that forces it on the same deals tells a cause.",
        ),
        (
            "Truncated games",
            f"A game that is not over after {run.manifest.limit:,} decisions{_say_caps(run)} is cut off, counted and "
            "left out; the worst and the best case it allows are shown.",
        ),
        (
            "What this cannot tell",
            "These policies are not people. A rule that they handle badly looks unbalanced, and one that "
            "they cannot exploit looks fine.",
        ),
    )


def _say_caps(run: Run) -> str:
    """The game's own ends without a winner."""
    caps = [code for code in run.unfinished_codes if code != run.codes.END_TRUNCATED]
    return "".join(f" or at the {run.codes.END_REASONS[code]}" for code in caps)
