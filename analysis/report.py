"""The balance report of a run: one set of answers, shown as a page, as Markdown or as JSON.

The page is one file that needs nothing else: styles and pictures are inside, no script runs, nothing is
fetched.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Literal

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from analysis.frames import Run, read_run
from analysis.intervals import Estimate, Span
from analysis.page import Card, Section, SectionMaker
from analysis.plots import Picture
from analysis.sections.common import say_how_cut_off, who_played
from analysis.sections.rulings import open_rules, say_value
from analysis.tables import Cell, join_words, markdown, plural, points
from sim.lineup import spell_lineup

DELTA = 0.01
Format = Literal["html", "md", "json"]
FORMATS: tuple[Format, ...] = ("html", "md", "json")


@dataclass(frozen=True)
class Report:
    """Everything a report says, before it is shown in any form."""

    title: str
    lead: str
    notices: tuple[str, ...]
    facts: tuple[tuple[str, str], ...]
    cards: tuple[tuple[str, Card], ...]  # with the key of the section behind each
    sections: tuple[Section, ...]
    methods: tuple[tuple[str, str], ...]
    again: str
    provenance: tuple[tuple[str, str], ...]
    run: dict[str, Any]


def find_sections(run: Run) -> tuple[SectionMaker, ...]:
    """The sections registered for the run's game in analysis.games."""
    made: tuple[SectionMaker, ...] = import_module(f"analysis.games.{run.game.package}").SECTIONS
    return made


def build_report(run: Run, delta: float = DELTA, progress: Callable[[int, int], None] | None = None) -> Report:
    """Every section's answer from `run`, with `delta` as the margin of equivalence (a fraction).

    `progress` is told how many of how many sections are done. Raises UserError where the run's rows
    contradict themselves.
    """
    makers = (*find_sections(run), open_rules)
    sections = []
    for place, make in enumerate(makers):
        if progress:
            progress(place, len(makers))
        section = make(run, delta)
        if section is not None:
            sections.append(section)
    manifest = run.manifest
    return Report(
        title=run.game.title,
        lead=_say_what_was_run(run),
        notices=tuple(_notice(run)),
        facts=_list_facts(run),
        cards=tuple((s.key, s.card) for s in sections if s.card),
        sections=tuple(sections),
        methods=_explain_methods(run, delta),
        again=manifest.command,
        provenance=_list_provenance(run),
        run={
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
        },
    )


def _say_what_was_run(run: Run) -> str:
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


def _notice(run: Run) -> list[str]:
    notes = []
    if not run.finished:
        notes.append("No game is finished yet, so this page holds only what was planned.")
    elif run.finished < run.manifest.games:
        notes.append(
            f"This run is not finished: {run.finished:,} of {run.manifest.games:,} games so far. The answers "
            "stand for these games; "
            f"reading them again and again until they please is not a test."
        )
    if run.truncated:
        notes.append(
            f"{plural(run.truncated, 'game')} {say_how_cut_off(run)} and "
            f"{'is' if run.truncated == 1 else 'are'} left out of the estimates."
        )
    return notes


def _list_facts(run: Run) -> tuple[tuple[str, str], ...]:
    return (
        ("Players", str(run.players)),
        ("Played by", spell_lineup(run.manifest.lineup)),
        ("Variants", join_words(run.manifest.variants) or "none"),
        ("Games", f"{run.finished:,} of {run.manifest.games:,}"),
        ("Truncated", f"{run.truncated:,}"),
        ("Seed", str(run.manifest.seed)),
    )


def _list_provenance(run: Run) -> tuple[tuple[str, str], ...]:
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


def _explain_methods(run: Run, delta: float) -> tuple[tuple[str, str], ...]:
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
            "Truncated games",
            f"A game that is not over after {run.manifest.limit:,} decisions{_say_caps(run)} is cut off, counted and "
            "left out; the worst and the best case it allows are shown.",
        ),
        (
            "What this cannot tell",
            "These policies are not people. A rule that they handle badly looks unbalanced, and one that "
            "they cannot exploit looks fine. Who held or used what is "
            "company, not cause.",
        ),
    )


def _say_caps(run: Run) -> str:
    """The game's own ends without a winner."""
    caps = [code for code in run.unfinished_codes if code != run.codes.END_TRUNCATED]
    return "".join(f" or at the {run.codes.END_REASONS[code]}" for code in caps)


# Showing


def render(report: Report, form: Format) -> str:
    """The report as one HTML page, as Markdown or as JSON."""
    return {"html": render_html, "md": render_markdown, "json": render_json}[form](report)


def render_html(report: Report) -> str:
    """One self-contained page."""
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )

    def inline(picture: Picture) -> Markup:
        return Markup(picture.svg)

    def set_interval(cell: str) -> Markup:
        value, bracket, ends = cell.partition(" [")
        return Markup("{} <small>[{}</small>").format(value, ends) if bracket else Markup("{}").format(value)

    def fill(cell: Cell) -> float:
        share = cell.value if isinstance(cell, Estimate | Span) else cell
        return round(100 * share, 2) if isinstance(share, float) else 0.0

    environment.globals["inline"] = inline
    environment.filters["fill"] = fill
    environment.filters["interval"] = set_interval
    return environment.get_template("report.html").render(report=report)


def render_markdown(report: Report) -> str:
    """The same words and tables; pictures are left to the page."""
    lines = [f"# {markdown(report.title)}: balance report", "", markdown(report.lead), ""]
    for notice in report.notices:
        lines += [f"> {markdown(notice)}", ""]
    for _, card in report.cards:
        answer = "" if card.sentence.startswith(card.answer) else f" {markdown(card.answer)}."
        lines.append(f"- **{markdown(card.question)}**{answer} {markdown(card.sentence)}")
    for section in report.sections:
        lines += ["", f"## {markdown(section.title)}", "", markdown(section.sentence), ""]
        for block in section.blocks:
            for table in block.tables:
                lines += [table.as_markdown(), ""]
        lines += [f"- {markdown(caveat)}" for caveat in section.caveats]
    lines += ["", "## Methods", ""]
    lines += [f"- **{markdown(name)}**: {markdown(text)}" for name, text in report.methods]
    lines += ["", "## How to run it again", "", *(f"    {line}" for line in report.again.splitlines()), ""]
    lines += [f"- {markdown(name)}: {markdown(value)}" for name, value in report.provenance]
    return "\n".join(lines).rstrip() + "\n"


def render_json(report: Report) -> str:
    """Every number, unrounded: cards and sections with their tables; shares and margins are fractions."""
    content = {
        "format": 1,
        "title": report.title,
        "lead": report.lead,
        "notices": report.notices,
        "run": report.run,
        "cards": [
            {
                "section": key,
                "question": c.question,
                "answer": c.answer,
                "sentence": c.sentence,
                "tone": c.tone,
            }
            for key, c in report.cards
        ],
        "sections": {
            section.key: {
                "title": section.title,
                "sentence": section.sentence,
                "tables": {t.name: t.as_json() for b in section.blocks for t in b.tables},
                "caveats": section.caveats,
            }
            for section in report.sections
        },
    }
    return json.dumps(content, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def report_run(folder: Path, form: Format = "html", delta: float = DELTA) -> str:
    """The report of the run in `folder`, ready to write. Raises UserError where there is no run."""
    return render(build_report(read_run(folder), delta), form)
