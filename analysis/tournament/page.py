"""A tournament as people read it: lines for a terminal, and the sections of a page, of Markdown and of JSON."""

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from io import StringIO
from typing import Any

import click

from analysis import plots
from analysis.frames import Run
from analysis.intervals import ALPHA, LEVEL
from analysis.page import Card, Figure, Section, Tone, block
from analysis.plots import Mark, Picture
from analysis.questions.show import CSV_HEAD, draw_table, list_cells
from analysis.report import Report, render
from analysis.sections.common import SHADES
from analysis.sections.rulings import open_rules
from analysis.tables import Cell, Column, Table, join_words, percent, plural, points, show
from analysis.tournament.cells import Cells, Manners, read_cells
from analysis.tournament.fingerprints import Trait, find_traits, say_ratio, say_trait
from analysis.tournament.heat import draw_heat
from analysis.tournament.results import DRAWS, Results, estimate
from analysis.tournament.verdict import Relation, Verdict, Word, judge
from sim.lineup import spell_lineup
from sim.tournament import Design, Lineup, count_lineups

FORMATS = ("text", "json", "md", "csv")
TRAITS = 8  # of a policy on the page; the text shows fewer
TEXT_TRAITS = 3
FEW_DEALS = 100
FAR_OFF = 0.03  # a miss of the Plackett-Luce model that is worth a word

_TONES: Mapping[Word, Tone] = {Word.DOMINATES: "bad", Word.TIED: "note", Word.UNDECIDED: "open"}


@dataclass(frozen=True)
class Told:
    """A tournament ready to be shown. `runs` by lineup; `delta` is the margin, a fraction."""

    runs: Mapping[Lineup, Run]
    results: Results
    verdict: Verdict
    traits: Mapping[str, tuple[Trait, ...]]
    design: Design
    delta: float
    command: str = ""

    @property
    def first(self) -> Run:
        """Any of the runs: game, rules and seed are the same in all."""
        return next(iter(self.runs.values()))


def tell(
    runs: Mapping[Lineup, Run], policies: Sequence[str], design: Design, delta: float, command: str = ""
) -> Told:
    """The tournament that these runs are, estimated and judged."""
    cells, manners = read_cells(runs, policies)
    results = estimate(cells)
    return Told(runs, results, judge(results, delta), _list_traits(cells, manners), design, delta, command)


def _list_traits(cells: Cells, manners: Manners) -> dict[str, tuple[Trait, ...]]:
    return {name: find_traits(manners, place, TRAITS) for place, name in enumerate(cells.policies)}


def render_tournament(told: Told, form: str, colour: bool = False) -> str:
    """One of FORMATS, or html, ending in a newline; `colour` for a terminal."""
    if form == "text":
        return as_text(told, colour)
    if form == "csv":
        return as_csv(told)
    assert form in ("json", "md", "html")
    return render(build_page(told), form)  # type: ignore[arg-type]


# Text


def as_text(told: Told, colour: bool = False) -> str:
    """The verdict, who earns what, who among whom, what each does, and what it rests on."""
    sentence = told.verdict.sentence
    lines = [click.style(sentence, bold=True) if colour else sentence]
    standings, entries = standings_table(told), entries_table(told)
    credits = [Figure(s.policy, s.credit, "share", told.results.cells.even) for s in told.results.standings]
    lines += ["", f" {standings.caption}", *draw_table(standings, credits)]
    shown = replace(entries, rows=tuple(tuple(row) for row in entries.shown()))  # as words: a bar would fit one column
    lines += ["", f" {entries.caption}", *draw_table(shown, ())]
    lines += ["", " What each does that its opponents do not"]
    width = max(map(len, told.results.names))
    for name in told.results.names:
        said = [say_trait(trait) for trait in told.traits[name][:TEXT_TRAITS]] or ["nothing that sets it apart surely"]
        lines += [f" {name if i == 0 else '':<{width}}  {line}" for i, line in enumerate(said)]
    lines += ["", f" {say_what_was_played(told)}", *(f" {note}" for note in list_notes(told))]
    rules = sum(rule.get("status") != "printed" for rule in told.first.manifest.rules if rule.get("applies", True))
    if rules:
        game = told.first.game.name
        lines.append(f" {rules} rules are not printed in the rulebook (atlantis rules {game} --open)")
    return "\n".join(lines) + "\n"


def say_what_was_played(told: Told) -> str:
    """How many lineups, games and deals, and by which design."""
    cells = told.results.cells
    games = [run.finished for run in told.runs.values()]
    each = f"{min(games):,}" if min(games) == max(games) else f"{min(games):,} to {max(games):,}"
    what = f"{len(cells.policies)} policies, {plural(cells.players, 'player')}"
    every = count_lineups(len(cells.policies), cells.players, "all")
    design = "every lineup" if len(cells.lineups) == every else f"every pair in every mix, of {every} lineups in all"
    return (
        f"{what}: {plural(len(cells.lineups), 'lineup')} ({design}), each in every seating on shared deals, {each} "
        f"games a lineup, {sum(games):,} in all; seed {told.first.manifest.seed}."
    )


def list_notes(told: Told) -> list[str]:
    """What to keep in mind, a sentence each."""
    cells, results = told.results.cells, told.results
    notes = ["These policies only: a better one may beat them all."]
    fewest = int((cells.games > 0).sum(axis=0).min())
    if fewest < FEW_DEALS:
        notes.append(f"Some lineup was played on {plural(fewest, 'deal')} only: intervals and bands are rough.")
    if results.miss > FAR_OFF:
        notes.append(
            f"One strength a policy does not describe this: in some lineup it is {points(round(results.miss, 3))} off "
            "the credit that was seen."
        )
    if cells.shared:
        notes.append(f"{percent(cells.shared / results.games)} of games had joint winners, who share the credit.")
    if cells.truncated:
        total = results.games + cells.truncated
        notes.append(
            f"{plural(cells.truncated, 'game')} of {total:,} did not end by the rules and are left out "
            f"({percent(cells.truncated / total)})."
        )
    return notes


# Tables


def standings_table(told: Told) -> Table:
    """A row a policy, from the highest credit down."""
    rows = tuple(
        (s.policy, s.credit, s.strength, s.rank, s.nash, f"{s.entrant} {show(s.gain, 'pp')}")
        for s in told.results.standings
    )
    columns = (
        Column("Policy"),
        Column("Credit", "share"),
        Column("Strength", "share"),
        Column("Alpha-rank", "share"),
        Column("Nash", "share"),
        Column("Best entry among it"),
    )
    even = percent(told.results.cells.even)
    caption = f"Credit of a seat over all seatings, {even} is even; strength: to win at a table with one seat of each"
    return Table("standings", caption, columns, rows)


def entries_table(told: Told) -> Table:
    """Credit of one seat of the row's policy among seats of the column's."""
    names, even = told.results.names, told.results.cells.even
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (x, *(even if x == y else told.results.entries[x, y] for y in names)) for x in names
    )
    columns = (Column("One seat of"), *(Column(f"among {y}", "share") for y in names))
    return Table("entries", f"Credit of one seat among seats of another, {percent(even)} is even", columns, rows)


def edges_table(told: Told) -> Table:
    """Each pair of policies: the edge and what it says."""
    names = told.results.names
    rows: list[tuple[Cell, ...]] = []
    for i, x in enumerate(names):
        for y in names[i + 1 :]:
            a, b = (y, x) if told.verdict.relations[x, y] is Relation.LOSES else (x, y)
            rows.append((f"{a} {told.verdict.relations[a, b]} {b}", told.results.edges[a, b]))
    caption = f"How much more a seat earns than one of the other, over all mixes of them; margin {points(told.delta)}"
    return Table("edges", caption, (Column("Pair"), Column("Edge a seat", "pp")), tuple(rows))


def traits_table(name: str, traits: Sequence[Trait]) -> Table:
    """What a policy does against what the others in its games do."""
    columns = (
        Column("What"),
        Column("Against the field"),
        Column(name),
        Column("The others"),
    )
    rows = tuple(
        (
            f"takes {trait.name}, of chances" if trait.option else f"{trait.name}, a seat",
            say_ratio(trait.ratio),
            *(show(rate, "share" if trait.option else "fine") for rate in (trait.own, trait.field)),
        )
        for trait in traits
    )
    return Table(f"traits_{name}", name, columns, rows)


def lineups_table(told: Told) -> Table:
    """Every lineup: games, and the credit of a seat of each policy in it."""
    cells = told.results.cells
    rows = []
    for place, (lineup, run) in enumerate(told.runs.items()):
        credits = [
            cells.estimate_mean(place, column) if cells.copies[place, column] else None
            for column in map(cells.policies.index, told.results.names)
        ]
        rows.append((spell_lineup(lineup), run.finished, *credits))
    columns = (Column("Lineup"), Column("Games", "count"), *(Column(name, "share") for name in told.results.names))
    return Table("lineups", "Credit of a seat in every lineup", columns, tuple(rows))


# The page


def draw_entries(told: Told) -> Picture:
    """The heat map of who earns what among whom."""
    return draw_heat(
        "heat",
        "Credit of one seat among seats of another",
        told.results.names,
        told.results.entries,
        told.results.cells.even,
    )


def build_page(told: Told) -> Report:
    """The tournament as a report: one page, or Markdown, or JSON."""
    sections = [_best(told), _standings(told), _pairs(told), _manners(told), _lineups(told)]
    rules = open_rules(told.first, told.delta)
    manifest, cells = told.first.manifest, told.results.cells
    changes = [*manifest.variants, *manifest.settings, *manifest.rules_files]
    versions = ", ".join(f"{name} {number}" for name, number in manifest.versions.items())
    return Report(
        title=f"{told.first.game.title} tournament",
        lead=say_what_was_played(told),
        notices=tuple(list_notes(told)[1:]),
        facts=(
            ("Players", str(cells.players)),
            ("Policies", join_words(list(told.results.names))),
            ("Rules changed", join_words(changes) or "none"),
            ("Lineups", str(len(cells.lineups))),
            ("Games", f"{told.results.games:,}"),
            ("Seed", str(manifest.seed)),
        ),
        cards=tuple((s.key, s.card) for s in sections if s.card),
        sections=(*sections, rules),
        methods=_explain_methods(told),
        again=told.command,
        provenance=(
            ("Started", manifest.created),
            ("Rules digest", manifest.rules_digest),
            ("Versions", versions),
        ),
        run=_describe(told),
    )


def _describe(told: Told) -> dict[str, Any]:
    """What JSON says of what was played, and the verdict in words of a fixed list."""
    manifest = told.first.manifest
    return {
        "game": manifest.game,
        "players": manifest.players,
        "variants": manifest.variants,
        "settings": manifest.settings,
        "rules_files": manifest.rules_files,
        "rules_digest": manifest.rules_digest,
        "policies": list(told.results.cells.policies),
        "design": told.design,
        "seed": manifest.seed,
        "delta": told.delta,
        "even": told.results.cells.even,
        "games": told.results.games,
        "truncated": told.results.cells.truncated,
        "lineups": [
            {"lineup": list(lineup), "games": run.finished, "folder": str(run.folder.path)}
            for lineup, run in told.runs.items()
        ],
        "verdict": {
            "word": str(told.verdict.word),
            "policies": list(told.verdict.policies),
            "sentence": told.verdict.sentence,
            "more_games": told.verdict.more_games,
        },
        "relations": [{"of": x, "is": str(word), "to": y} for (x, y), word in told.verdict.relations.items()],
        "plackett_luce_miss": told.results.miss,
        "command": told.command,
        "versions": manifest.versions,
    }


def _best(told: Told) -> Section:
    verdict = told.verdict
    title = "Is one strategy best?"
    answer = str(verdict.word).capitalize()
    if verdict.word is Word.DOMINATES:
        answer = f"{verdict.policies[0]} dominates"
    return Section(
        "dominance",
        title,
        verdict.sentence,
        (block(draw_entries(told), entries_table(told)),),
        (
            "Only the policies at hand are compared: a better one may beat them all.",
            "A policy among its own kind earns an even share by symmetry; such lineups are not played.",
        ),
        Card(title, answer, verdict.sentence, _TONES.get(verdict.word, "good")),
    )


def _standings(told: Told) -> Section:
    results = told.results
    top, last = results.standings[0], results.standings[-1]
    sentence = (
        f"A seat of {top.policy} earns {show(top.credit, 'share')} of a win over all seatings, one of {last.policy} "
        f"{show(last.credit, 'share')}; {percent(results.cells.even)} is even."
    )
    marks = [Mark(s.policy, s.credit, SHADES[i % len(SHADES)]) for i, s in enumerate(results.standings)]
    even = results.cells.even
    return Section(
        "standings",
        "Who earns how much?",
        sentence,
        (
            block(
                plots.draw_forest("credit", "Credit of a seat over all seatings", marks, even, told.delta),
                replace(standings_table(told), colours=tuple(mark.colour for mark in marks)),
            ),
        ),
        (
            "The credit over all seatings depends on who takes part: adding a weak policy raises all others.",
            f"The strengths describe every credit seen to within {points(round(results.miss, 4))}.",
        ),
        Card(
            "Who earns most?",
            top.policy,
            sentence,
            picture=plots.sketch_forest("card-credit", "Credit of a seat", marks, even, told.delta),
        ),
    )


def _pairs(told: Told) -> Section:
    relations = told.verdict.relations
    words = [relations[x, y] for i, x in enumerate(told.results.names) for y in told.results.names[i + 1 :]]
    clear = sum(word in (Relation.BEATS, Relation.LOSES) for word in words)
    level, unsettled = (words.count(word) for word in (Relation.LEVEL, Relation.OPEN))
    entrants = [s for s in told.results.standings if s.gain.low is not None and s.gain.low > 0]
    invaded = join_words([f"one {s.entrant} among {s.policy} gains {show(s.gain, 'pp')}" for s in entrants[:3]])
    sentence = (
        f"Of {plural(len(words), 'pair')}, {clear} have a clear winner, {level} are level within {points(told.delta)} "
        f"and {unsettled} are open."
    )
    gain = (invaded[:1].upper() + invaded[1:] + ".") if entrants else "No single seat surely gains among another kind."
    return Section(
        "pairs",
        "Who beats whom?",
        f"{sentence} {gain}",
        (block(edges_table(told)),),
        card=Card("Who can get in?", f"{len(entrants)} of {len(told.results.standings)} invaded", gain),
    )


def _manners(told: Told) -> Section:
    firsts = {name: say_trait(traits[0]) for name, traits in told.traits.items() if traits}
    told_apart = [f"{name} {firsts[name]}" for name in told.results.names if name in firsts]
    sentence = f"{'; '.join(told_apart)}." if told_apart else "No policy surely differs from the others in its games."
    tables = [traits_table(name, told.traits[name]) for name in told.results.names if told.traits[name]]
    return Section(
        "fingerprints",
        "Does each do what its name says?",
        sentence,
        (block(*tables),) if tables else (),
        (
            "A policy against the others in the same games; whatever a seat's row counts is looked at, and the "
            "farthest from the others is shown.",
            "Intervals of the ratios are widened for the number of things looked at.",
        ),
    )


def _lineups(told: Told) -> Section:
    return Section(
        "lineups",
        "Every lineup",
        say_what_was_played(told),
        (block(lineups_table(told)),),
    )


def _explain_methods(told: Told) -> tuple[tuple[str, str], ...]:
    margin = points(told.delta)
    return (
        (
            "Credit",
            "The winner of a game gets 1; k joint winners get 1/k each, once the tie-breaks of the rules are used up. "
            "Credit is of one seat, so that a policy with three seats is not three times as good. Over all seatings: "
            "each seating played counts once.",
        ),
        (
            "The unit is the deal",
            "All lineups meet the same deals, each in every seating, and the games of a deal are one block over all "
            f"lineups. Figures in brackets are {LEVEL:.0%} intervals over blocks; of strengths, alpha-rank and Nash "
            f"average they are bands from {DRAWS} tournaments on deals drawn anew from those played.",
        ),
        (
            "Edge",
            "How much more a seat of one policy earns than one of another at tables of these two, the mean over all "
            f"mixes. Beats: surely not level, by Holm over all pairs at {ALPHA:.0%}. Level: within {margin} by two "
            "one-sided tests. Else open.",
        ),
        (
            "Dominates, tied, circle",
            "Dominates: beats every other, and no single seat of another gains among it by the margin. Tied at the "
            "top: level with each other, and all others lose. Circle: each beats the next. No single best: the leader "
            "can be entered by a single seat of another, or nobody beats all others for sure. Undecided comes with "
            "the number of games that would probably (80%) settle it.",
        ),
        (
            "Strength",
            "Plackett-Luce: a seat wins with its strength over the sum at the table. Shown as the chance to win where "
            "each policy has one seat. A shared win counts as shares of one.",
        ),
        (
            "Alpha-rank and Nash",
            "Alpha-rank (Omidshafiei et al. 2019): the share of time that a population plays a policy if it takes up "
            "whatever has an edge. Nash averaging (Balduzzi et al. 2018): the evenest mix on which no policy has an "
            "edge. Both turn on which side of zero an edge lies, so their bands are wide where that is open.",
        ),
        (
            "Best entry",
            "The policy that earns most as a single seat among this one, and by how much more than even; the interval "
            "is widened for having chosen it.",
        ),
        (
            "What this cannot tell",
            "These policies are not people. That one dominates the others here does not make the game solved.",
        ),
    )


# Files


def as_csv(told: Told) -> str:
    """One line a cell: table, row and column, the number with its interval and n, or the text."""
    out = StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(CSV_HEAD)
    writer.writerow(("tournament", "", "", "sentence", "", "", "", "", told.verdict.sentence))
    tables = [standings_table(told), entries_table(told), edges_table(told), lineups_table(told)]
    tables += [traits_table(name, traits) for name, traits in told.traits.items() if traits]
    for table in tables:
        writer.writerows(("tournament", table.name, *line) for line in list_cells(table))
    return out.getvalue()
