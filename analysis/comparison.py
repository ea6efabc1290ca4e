"""Two runs compared on every measure: what B changes against A, as lines for a terminal, a page, Markdown, JSON or CSV.

Runs of the same deals are compared deal by deal. Runs that share no deals, or do not seat the same number of players,
are compared as two samples; with unlike numbers of players the measures are scaled to what does not depend on it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import inf, sqrt
from pathlib import Path

import click
import numpy as np
import polars as pl

from analysis import plots
from analysis.balance import FIRST, MARKS, describe, explain_methods, list_notices, list_provenance, say_what_was_run
from analysis.frames import Run
from analysis.intervals import NOTHING, Estimate, Moments, Word, block_mean, holm, judge
from analysis.page import Card, Figure, Section, block
from analysis.paired import Difference
from analysis.plots import Mark, Picture
from analysis.questions import QUESTIONS
from analysis.questions.answer import answer, list_basis
from analysis.questions.metrics import Metric, Totals, list_metrics, total_by_deal
from analysis.questions.question import find_traits, why_not
from analysis.questions.show import draw_bars, draw_table
from analysis.questions.variant import BASE, check_pair, find_differences
from analysis.report import Report, render
from analysis.sections.common import colour_seats, name_seat, scan_games, scan_seats
from analysis.sections.rulings import open_rules, say_value
from analysis.sections.scores import scan_margins
from analysis.sections.seats import TONES, find_seat_credits, say_reading, say_word
from analysis.tables import Cell, Column, Kind, Table, join_words, plural, show
from sim.errors import UserError
from sim.exploits import say_weak
from sim.lineup import spell_lineup

MOST_TOLD = 3  # changes that the sentence names
FORMATS = ("text", "json", "md", "csv")


@dataclass(frozen=True)
class Change:
    """One measure in both runs; `surely` where it changes whatever else is looked at."""

    label: str
    kind: Kind
    unit: str
    difference: Difference
    surely: bool = False

    @property
    def known(self) -> bool:
        """Do both runs have a value?"""
        return self.difference.estimate.value is not None

    @property
    def size(self) -> Estimate:
        """B less A in units of what deals of A differ by, the one scale that all measures share."""
        a, e = self.difference.a, self.difference.estimate
        spread = (a.se or 0.0) * sqrt(a.blocks)
        if e.value is None or spread <= 0:
            return NOTHING
        return replace(e, value=e.value / spread, se=None if e.se is None else e.se / spread)


@dataclass(frozen=True)
class Comparison:
    """B less A. `apart` says why the runs are not paired, empty where they are; `scaled`: their numbers of players
    differ."""

    names: tuple[str, str]
    runs: tuple[Run, Run]
    changes: tuple[Change, ...]
    apart: str
    delta: float
    command: str = ""

    @property
    def scaled(self) -> bool:
        """Are the measures scaled to an even share and the mean?"""
        return self.runs[0].players != self.runs[1].players

    @property
    def known(self) -> list[Change]:
        """Changes of measures that both runs have a value of."""
        return [change for change in self.changes if change.known]

    @property
    def sure(self) -> list[Change]:
        """Changes that hold when all measures are looked at, the clearest first."""
        return sorted((change for change in self.known if change.surely), key=_clearness)


def compare_runs(names: tuple[str, str], a: Run, b: Run, delta: float, command: str = "") -> Comparison:
    """Every measure of `b` less that of `a`, with `delta` as the margin of equivalence (a fraction).

    Raises UserError where the runs are of two games or are the same one.
    """
    if a.game.name != b.game.name:
        raise UserError(f"{a.folder.path} is {a.game.title} and {b.folder.path} is {b.game.title}: give one game.")
    if a.folder.path.resolve() == b.folder.path.resolve():
        raise UserError("these two are the same run, so nothing differs.")
    apart = _say_why_apart(a, b)
    if a.players != b.players:
        found = _differ_scaled(a, b)
    else:
        found = _differ_apart(a, b) if apart else _differ_paired(a, b)
    known = [change for change in found if change.known]
    surely = dict(zip((c.label for c in known), holm([c.difference.estimate.p_differs(0.0) for c in known])))
    changes = tuple(replace(change, surely=surely.get(change.label, False)) for change in found)
    return Comparison(names, (a, b), changes, apart, delta, command)


def _say_why_apart(a: Run, b: Run) -> str:
    """Why two runs cannot be paired, as a clause; empty where they can."""
    if a.players != b.players:
        return f"{a.players} and {b.players} players never meet the same deal"
    if a.manifest.seed != b.manifest.seed:
        return f"the seeds are {a.manifest.seed} and {b.manifest.seed}, so the deals are not the same"
    if a.arrangements != b.arrangements:
        return f"a deal is played in {plural(a.arrangements, 'seating')} in one and {b.arrangements} in the other"
    check_pair(a, b)
    return ""


# Differences


def _differ_paired(a: Run, b: Run) -> list[Change]:
    return [Change(label, m.kind, m.unit, d) for label, (m, d) in find_differences(a, b).items()]


def _differ_apart(a: Run, b: Run) -> list[Change]:
    theirs = {metric.label: metric for metric in list_metrics(b)}
    shared = [metric for metric in list_metrics(a) if metric.label in theirs]
    mine, other = total_by_deal(a, shared), total_by_deal(b, [theirs[m.label] for m in shared])
    return [Change(m.label, m.kind, m.unit, _differ(mine[m.label], other[m.label])) for m in shared]


def _differ(a: Totals, b: Totals) -> Difference:
    return subtract(*(block_mean(Moments.of(y[x > 0], x[x > 0])) for y, x in (a, b)))


def subtract(a: Estimate, b: Estimate) -> Difference:
    """B less A of two samples that share nothing; Student's t with the degrees of freedom of the smaller one, which
    never promises too much."""
    if a.value is None or b.value is None:
        return Difference(a, b, NOTHING, None, None)
    value, blocks = b.value - a.value, min(a.blocks, b.blocks)
    if a.se is None or b.se is None:
        return Difference(a, b, Estimate(value, b.n, blocks, None, "none"), None, None)
    se = sqrt(a.se**2 + b.se**2)
    return Difference(a, b, Estimate(value, b.n, blocks, se, "t" if se > 0 else "constant"), None, None)


@dataclass(frozen=True)
class Scaled:
    """A measure that means the same with any number of players k: the totals `of` a measure times k to the power
    `power`, counted per its own rows, or per mean VP of the game."""

    label: str
    of: Metric
    kind: Kind = "pp"
    power: int = 0
    per_mean: bool = False

    def estimate(self, totals: Mapping[str, Totals], players: int) -> Estimate:
        """The measure in a run with so many players."""
        y, x = totals[self.of.label]
        n = round(float(x.sum()))
        if self.per_mean:
            x = totals[_VP.label][0] / players
        here = x > 0
        return replace(block_mean(Moments.of(y[here] * float(players) ** self.power, x[here])), n=n)


_VP = Metric("VP", scan_seats, pl.col("vp"), "fine", "VP")


def list_scaled(a: Run, b: Run) -> list[Scaled]:
    """What runs with unlike numbers of players are compared on."""
    turns = Metric("turns", scan_games, pl.col("turns"), "fine", "turns")
    decisions = Metric("decisions", scan_games, pl.col("decisions"), "fine", "decisions")
    ties = Metric("ties", scan_games, pl.col("decided_by") != 0, "pp", "")
    lead = Metric("lead", scan_margins, pl.col("margin"), "fine", "VP")
    own = [
        Scaled(label, Metric(label, scan_seats, pl.col(column), "fine", unit), "fine")
        for column, (label, unit) in find_traits(a.game).metrics.items()
    ]
    both = range(min(a.players, b.players))
    seats = [pl.col("seat") == s for s in both]
    credits = [Metric(f"credit {s}", scan_seats, pl.col("credit"), "pp", "", seats[s]) for s in both]
    points = [Metric(f"VP {s}", scan_seats, pl.col("vp"), "fine", "VP", seats[s]) for s in both]
    return [
        Scaled("turns", turns, "fine"),
        Scaled("decisions a seat", decisions, "fine", power=-1),
        Scaled("games decided by tie-breaks", ties),
        Scaled("winner's lead, of the mean VP", lead, per_mean=True),
        *own,
        *(Scaled(f"{name_seat(s)} credit, of an even share", credits[s], power=1) for s in both),
        *(Scaled(f"{name_seat(s)} VP, of the mean VP", points[s], per_mean=True) for s in both),
    ]


def _differ_scaled(a: Run, b: Run) -> list[Change]:
    measures = list_scaled(a, b)
    base = [_VP, *(measure.of for measure in measures)]
    mine, other = total_by_deal(a, base), total_by_deal(b, base)
    return [
        Change(
            measure.label,
            measure.kind,
            measure.of.unit if measure.kind != "pp" else "",
            subtract(measure.estimate(mine, a.players), measure.estimate(other, b.players)),
        )
        for measure in measures
    ]


# What it says


def name_runs(a: Run, b: Run) -> tuple[str, str]:
    """What tells two runs apart, in words: `4 players` and `5 players`, `as it stands` and `aggressive-neutrals`."""
    mine, other = _list_traits(a), _list_traits(b)
    differs = [place for place in range(len(mine)) if mine[place] != other[place]]
    names = [", ".join(one[place] for place in differs) for one in (mine, other)]
    if not differs or names[0] == names[1]:
        return str(a.folder.path), str(b.folder.path)
    return names[0], names[1]


def _list_traits(run: Run) -> list[str]:
    m = run.manifest
    changes = [*m.variants, *m.settings, *(Path(file).name for file in m.rules_files)]
    lineup = spell_lineup(m.lineup)
    return [f"{run.players} players", " ".join(changes) or BASE, lineup, f"seed {m.seed}", f"replicate {m.replicate}"]


def _clearness(change: Change) -> float:
    size = change.size.value
    return -abs(size) if size is not None else -inf


def say_comparison(c: Comparison) -> str:
    """The sentence that a designer can quote."""
    (name_a, name_b), known, sure = c.names, c.known, c.sure
    if not known:
        return f"{name_b} and {name_a} have no finished game to compare, so nothing can be said."
    if sure:
        told = join_words([say_change(change) for change in sure[:MOST_TOLD]])
        most = "the largest: " if len(sure) > MOST_TOLD else ""
        changes = f"{len(sure)} of {len(known)} measures surely change, {most}{told}"
    else:
        changes = f"none of {len(known)} measures surely changes"
    a, b = (say_word(judge(find_seat_credits(run), run.fair, c.delta)).lower() for run in c.runs)
    seats = f"seats are {a} in both" if a == b else f"seats: {a}, then {b}"
    return f"{name_b} against {name_a}: {changes}; {seats} (n = {_say_n(c)})."


def _say_n(c: Comparison) -> str:
    a, b = (run.complete for run in c.runs)
    if not c.apart:
        return plural(c.known[0].difference.estimate.blocks, "deal")
    return f"{a:,} and {b:,} games"


def say_change(change: Change) -> str:
    """`VP a seat +3.00 [2.95, 3.05] VP`."""
    unit = "" if not change.unit or change.label.startswith(change.unit) else f" {change.unit}"
    return f"{change.label} {_sign(change)}{show(change.difference.estimate, change.kind)}{unit}"


def _sign(change: Change) -> str:
    """A plus where the number would come without."""
    return "+" if change.kind != "pp" and (change.difference.estimate.value or 0.0) > 0 else ""


def _show_level(change: Change, level: Estimate) -> str:
    return show(level.value, "share" if change.kind == "pp" else change.kind)


def say_pairing(c: Comparison) -> str:
    """Whether the deals were shared, and what that saved."""
    if c.apart:
        scaled = " Measures are scaled to an even share of the wins and to the mean VP of a game." if c.scaled else ""
        return f"Not paired: {c.apart}. The two are compared as samples that share nothing.{scaled}"
    saved = [d.saved for d in (change.difference for change in c.known) if d.saved is not None]
    alike = [d.correlation for d in (change.difference for change in c.known) if d.correlation is not None]
    if not saved or not alike:
        return "Paired: both played the same deals; nothing varies from deal to deal, so the pairing saved nothing."
    return (
        f"Paired: both played the same deals; their outcomes correlate by {show(min(alike), 'fine')} to "
        f"{show(max(alike), 'fine')}, which "
        f"is worth {np.median(saved):.1f} times as many unlike deals in the median (from {min(saved):.1f} to "
        f"{max(saved):.1f})."
    )


def count_saved(change: Change, c: Comparison) -> int | None:
    """Games that the pairing saved: what unlike deals would have needed for the same interval, less what was played;
    below 0 where it cost some."""
    d = change.difference
    if d.saved is None:
        return None
    return round((d.saved - 1) * d.estimate.blocks * sum(run.arrangements for run in c.runs))


# Sections


def tell_changes(c: Comparison) -> Section:
    """Every measure of both runs, and B less A."""
    known = c.known
    pairing = () if c.apart else (Column("Correlation", "fine"), Column("Games saved", "count"))
    rows: list[tuple[Cell, ...]] = []
    for change in known:
        d = change.difference
        more = () if c.apart else (d.correlation, count_saved(change, c))
        size = change.size.value
        rows.append(
            (change.label, d.estimate, d.a, d.b, "surely" if change.surely else "", size, *more),
        )
    table = Table(
        "differences",
        f"{c.names[1]} less {c.names[0]}; 95% intervals, {'as two samples' if c.apart else 'paired deal by deal'}",
        (
            Column("Measure"),
            Column("Difference", "own"),
            Column(c.names[0], "level"),
            Column(c.names[1], "level"),
            Column("Changes"),
            Column("In deal SDs", "fine"),
            *pairing,
        ),
        tuple(rows),
        kinds=tuple(change.kind for change in known),
    )
    figures = [Figure(change.label, change.difference.estimate, change.kind, 0.0) for change in known]
    return Section(
        "changes",
        "What does it change?",
        say_comparison(c),
        (block(draw_changes(c), table),) if known else (),
        (
            say_pairing(c),
            "Surely allows for looking at all measures at once (Holm, 5%).",
            "In deal SDs: the difference over the standard deviation between deals of the first run, one scale for "
            "all.",
        ),
        Card(
            "What does it change?",
            f"{len(c.sure)} of {plural(len(known), 'measure')}",
            say_comparison(c),
            "note" if c.sure else "plain",
            plots.sketch_columns("card-changes", "Sizes", [abs(change.size.value or 0.0) for change in c.sure[:8]])
            if c.sure
            else None,
        ),
        tuple(figures),
        MARKS["confirmatory"],
    )


def draw_changes(c: Comparison) -> Picture:
    """All differences on one scale, with what surely changes in a stronger colour."""
    marks = [
        Mark(change.label, change.size, plots.BLUE if change.surely else plots.GREY)
        for change in c.known
        if change.size.value is not None
    ]
    unit = "difference in standard deviations between deals"
    return plots.draw_bars("changes", "What changes", marks, unit, "fine")


def tell_seats(c: Comparison) -> Section:
    """The seats' verdict in both runs."""
    credits = [find_seat_credits(run) for run in c.runs]
    verdicts = [judge(own, run.fair, c.delta) for own, run in zip(credits, c.runs)]
    words = [say_word(verdict) for verdict in verdicts]
    blocks = []
    for place, (name, run) in enumerate(zip(c.names, c.runs)):
        own, verdict = credits[place], verdicts[place]
        seats = [name_seat(s) for s in range(run.players)]
        marks = [Mark(*parts) for parts in zip(seats, own, colour_seats(run))]
        rows: list[tuple[Cell, ...]] = [
            (seats[s], own[s], own[s].against(run.fair), say_reading(verdict, s, own[s], run.fair))
            for s in range(run.players)
        ]
        blocks.append(
            block(
                plots.draw_forest(f"seats-{'ab'[place]}", f"Credit by seat: {name}", marks, run.fair, c.delta),
                Table(
                    f"credit_by_seat_{'ab'[place]}",
                    f"Credit by seat, {name}, n={own[0].n:,} games",
                    (Column("Seat"), Column("Credit", "share"), Column("Against even", "pp"), Column("Reading")),
                    tuple(rows),
                    colour_seats(run),
                ),
                heading=name,
            )
        )
    same = words[0] == words[1]
    sentence = f"{c.names[0]}: {words[0].lower()}. {c.names[1]}: {words[1].lower()}."
    return Section(
        "seats",
        "Is it fair in both?",
        sentence,
        tuple(blocks),
        ("What changes for a seat from one to the other is in the table above, with its own interval.",),
        Card(
            "Is it fair in both?",
            words[0] if same else f"{words[0]}, then {words[1][:1].lower()}{words[1][1:]}",
            sentence,
            TONES[verdicts[1].word] if not same or verdicts[1].word is not Word.BIASED else "note",
            plots.sketch_forest(
                "card-seats",
                "Credit by seat in the second run",
                [Mark(name_seat(s), e, colour_seats(c.runs[1])[s]) for s, e in enumerate(credits[1])],
                c.runs[1].fair,
                c.delta,
            ),
        ),
        mark=MARKS["confirmatory"],
    )


def tell_side_by_side(c: Comparison) -> Section:
    """The first screen's other answers, from both runs."""
    rows: list[tuple[Cell, ...]] = []
    for key in FIRST:
        if key == "seat":
            continue
        question = QUESTIONS[key]
        if not why_not(question, c.runs[0].game):
            said = [answer(question, {"": run}, c.delta).section.sentence for run in c.runs]
            rows.append((question.asks, *said))
    return Section(
        "side",
        "Both, side by side",
        f"The same {plural(len(rows), 'question')} asked of each run on its own.",
        (
            block(
                Table(
                    "side_by_side",
                    "What each run says",
                    (Column("Question"), Column(c.names[0]), Column(c.names[1])),
                    tuple(rows),
                )
            ),
        ),
        ("Whether two such figures differ is for the paired differences above to say, not for a look at both.",),
    )


def tell_rules(c: Comparison) -> Section:
    """The rules in which the runs differ."""
    values = [{str(rule["name"]): rule for rule in run.manifest.rules} for run in c.runs]
    names = [name for name in values[0] if name in values[1]]
    differ = [name for name in names if values[0][name].get("value") != values[1][name].get("value")]
    rows = tuple(
        (
            name,
            *(say_value(own[name].get("value")) for own in values),
            str(values[1][name].get("changed_by") or values[0][name].get("changed_by") or ""),
        )
        for name in differ
    )
    columns = (Column("Rule"), Column(c.names[0]), Column(c.names[1]), Column("Changed by"))
    return Section(
        "rules-changed",
        "Which rules differ?",
        f"{plural(len(rows), 'rule')} {'differs' if len(rows) == 1 else 'differ'}."
        if rows
        else "Both play by the same rules.",
        (block(Table("rules_changed", "Rules with another value in each", columns, rows)),) if rows else (),
    )


def build_comparison(c: Comparison) -> Report:
    """The comparison as a page."""
    a, b = c.runs
    changes = tell_changes(c)
    sections = [changes, tell_seats(c), tell_side_by_side(c), tell_rules(c)]
    cards = [(s.key, s.card) for s in sections if s.card]
    cards += [("changes", _make_card(c, label, asks)) for label, asks in CARDS if _find(c, label)]
    if not c.apart and changes.figures:
        cards.append(("changes", _tell_pairing(c)))
    leads = [f"{name}: {say_what_was_run(run)}" for name, run in zip(c.names, c.runs)]
    notices = [f"{name}: {note}" for name, run in zip(c.names, c.runs) for note in list_notices(run)]
    return Report(
        title=f"{a.game.title}: {c.names[1]} against {c.names[0]}",
        lead=changes.sentence,
        notices=(*((say_pairing(c),) if c.apart else ()), *notices),
        facts=(("First", leads[0]), ("Second", leads[1])),
        cards=tuple(cards),
        sections=(*sections, open_rules(b, c.delta)),
        methods=(*_explain(c), *explain_methods(b, c.delta)),
        again=c.command or "\n".join(run.manifest.command for run in c.runs),
        provenance=tuple(
            (f"{name}, {what}".capitalize(), value)
            for what, run in zip(("first", "second"), c.runs)
            for name, value in (("Run", str(run.folder.path)), ("Command", run.manifest.command), *list_provenance(run))
        ),
        run={
            "names": list(c.names),
            "paired": not c.apart,
            "why_not_paired": c.apart,
            "scaled": c.scaled,
            "delta": c.delta,
            "command": c.command,
            "runs": [describe(run, c.delta) for run in c.runs],
        },
        kicker="Comparison",
    )


# Measures with a card of their own, and what it asks; the first that a comparison has of each question.
CARDS = (
    ("decisions", "Longer or shorter?"),
    ("decisions a seat", "Longer or shorter?"),
    ("winner's lead", "Closer?"),
    ("winner's lead, of the mean VP", "Closer?"),
    ("games decided by tie-breaks", "More ties?"),
)


def _find(c: Comparison, label: str) -> Change | None:
    return next((change for change in c.known if change.label == label), None)


def _make_card(c: Comparison, label: str, asks: str) -> Card:
    change = _find(c, label)
    assert change is not None
    d = change.difference
    told = f"{say_change(change)}, from {_show_level(change, d.a)} to {_show_level(change, d.b)}"
    doubt = "" if change.surely else "; that may be chance"
    return Card(
        asks,
        f"{_sign(change)}{show(d.estimate.value, change.kind)}" if change.surely else "Not surely",
        f"{told[:1].upper()}{told[1:]}{doubt} (n = {_say_n(c)}).",
        "plain",
        plots.sketch_bars(
            f"card-{label.replace(' ', '-')}",
            label,
            [Mark(name, e, colour) for name, e, colour in zip(c.names, (d.a, d.b), (plots.GREY, plots.BLUE))],
        ),
    )


def _tell_pairing(c: Comparison) -> Card:
    saved = [d.saved for d in (change.difference for change in c.known) if d.saved is not None]
    return Card(
        "What did the pairing save?",
        f"{np.median(saved):.1f} times the deals" if saved else "Nothing",
        say_pairing(c),
        "plain",
        plots.sketch_columns("card-saved", "Worth of the pairing by measure", saved) if saved else None,
    )


def _explain(c: Comparison) -> tuple[tuple[str, str], ...]:
    if c.apart:
        return (
            (
                "Two samples",
                f"{say_pairing(c)} The error of a difference is that of both means together, with Student's t for the "
                "smaller sample.",
            ),
        )
    return (
        (
            "Paired differences",
            "Both runs met the same deals, so what a deal did to both cancels: each deal gives one difference, and the "
            "interval is Student's over these. Games saved is what two runs on unlike deals would have had to play "
            "beyond this for intervals as narrow.",
        ),
    )


# Showing


def render_comparison(c: Comparison, form: str, colour: bool = False) -> str:
    """One of FORMATS, or html, ending in a newline; `colour` for a terminal."""
    if form == "text":
        return as_text(c, colour)
    if form == "csv":
        return as_csv(c)
    assert form in ("json", "md", "html")
    return render(build_comparison(c), form)  # type: ignore[arg-type]


def as_text(c: Comparison, colour: bool = False) -> str:
    """The sentence, every measure on one scale, and what it rests on."""
    sentence = say_comparison(c)
    lines = [click.style(sentence, bold=True) if colour else sentence]
    lines += draw_table(_make_text_table(c), ())
    lines.append(f" {say_pairing(c)}")
    lines += [f" {note}" for note in list_basis(QUESTIONS["variant"], dict(zip(c.names, c.runs)))]
    lines.append(" surely: with all measures looked at, by Holm at 5%. Holds for these players; others may differ.")
    weak = [say_weak(run.game, run.players, run.manifest.lineup) for run in c.runs]
    lines += [f" {said}" for said in dict.fromkeys(weak) if said]
    return "\n".join(lines) + "\n"


def _make_text_table(c: Comparison) -> Table:
    heads = ["Measure", "In deal SDs", "Difference", *c.names, "Changes"]
    right = [False, False, True, True, True, False]
    if not c.apart:
        heads += ["Correlation", "Games saved"]
        right += [True, True]
    rows = []
    for change, bar in zip(c.known, draw_bars([change.size for change in c.known], 0.0)):
        d = change.difference
        told = (f"{_sign(change)}{show(d.estimate, change.kind)}", _show_level(change, d.a), _show_level(change, d.b))
        paired = () if c.apart else (show(d.correlation, "fine"), show(count_saved(change, c), "count"))
        rows.append((change.label, bar, *told, "surely" if change.surely else "", *paired))
    columns = tuple(Column(head, "number" if flag else "text") for head, flag in zip(heads, right))
    return Table("differences", "", columns, tuple(rows))


def as_csv(c: Comparison) -> str:
    """A line a measure, numbers unrounded; shares are fractions."""
    known = c.known
    columns = ("measure", "unit", "difference", "a", "b", "surely", "deal_sds", "correlation", "games_saved")
    rows = tuple(
        (
            change.label,
            "share" if change.kind == "pp" else change.unit,
            change.difference.estimate,
            change.difference.a,
            change.difference.b,
            "yes" if change.surely else "no",
            change.size.value,
            change.difference.correlation,
            count_saved(change, c),
        )
        for change in known
    )
    return Table("differences", "", tuple(map(Column, columns)), rows).as_csv()
