"""What a report is and how it is shown: one page, Markdown or JSON of the same sentences and tables.

The page is one file that needs nothing else: styles and pictures are inside, and so is every table as CSV; no script
runs, nothing is fetched.
"""

import json
import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal
from urllib.parse import quote

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from analysis.intervals import Estimate, Span
from analysis.page import Card, Section
from analysis.plots import Picture
from analysis.tables import Cell, Table, markdown

Format = Literal["html", "md", "json"]
FORMATS: tuple[Format, ...] = ("html", "md", "json")


@dataclass(frozen=True)
class Report:
    """Everything a report says, before it is shown in any form.

    `cards` and `lesser` cards each come with the key of the section behind them; the lesser ones are shown small.
    """

    title: str
    lead: str
    notices: tuple[str, ...]
    facts: tuple[tuple[str, str], ...]
    cards: tuple[tuple[str, Card], ...]
    sections: tuple[Section, ...]
    methods: tuple[tuple[str, str], ...]
    again: str
    provenance: tuple[tuple[str, str], ...]
    run: dict[str, Any]
    kicker: str = "Balance report"
    lesser: tuple[tuple[str, Card], ...] = ()


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

    drawn: Counter[str] = Counter()

    def inline(picture: Picture) -> Markup:
        return Markup(_with_own_ids(picture.svg, drawn))

    def set_interval(cell: str) -> Markup:
        value, bracket, ends = cell.partition(" [")
        return Markup("{} <small>[{}</small>").format(value, ends) if bracket else Markup("{}").format(value)

    def fill(cell: Cell) -> float:
        share = cell.value if isinstance(cell, Estimate | Span) else cell
        return round(100 * share, 2) if isinstance(share, float) else 0.0

    environment.globals["inline"] = inline
    environment.filters["csv"] = link_csv
    environment.filters["fill"] = fill
    environment.filters["interval"] = set_interval
    return environment.get_template("report.html").render(report=report)


def _with_own_ids(svg: str, drawn: Counter[str]) -> str:
    """The drawing with other ids where one of the same key stands in the page already."""
    found = re.search(r'aria-labelledby="(.+?)-t ', svg)
    assert found is not None
    key = found[1]
    drawn[key] += 1
    if drawn[key] == 1:
        return svg
    return re.sub(rf'(["#(\s]){re.escape(key)}-', rf"\g<1>{key}-{drawn[key]}-", svg)


def link_csv(table: Table) -> str:
    """The table as an address that holds all of it."""
    return f"data:text/csv;charset=utf-8,{quote(table.as_csv())}"


def render_markdown(report: Report) -> str:
    """The same words and tables; pictures are left to the page."""
    lines = [f"# {markdown(report.title)}: {report.kicker.lower()}", "", markdown(report.lead), ""]
    for notice in report.notices:
        lines += [f"> {markdown(notice)}", ""]
    for _, card in (*report.cards, *report.lesser):
        answer = "" if card.sentence.startswith(card.answer) else f" {markdown(card.answer)}."
        lines.append(f"- **{markdown(card.question)}**{answer} {markdown(card.sentence)}")
    for section in report.sections:
        mark = [f"*{markdown(section.mark)}*", ""] if section.mark else []
        lines += ["", f"## {markdown(section.title)}", "", *mark, markdown(section.sentence), ""]
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
            for key, c in (*report.cards, *report.lesser)
        ],
        "sections": {
            section.key: {
                "title": section.title,
                "mark": section.mark,
                "sentence": section.sentence,
                "tables": {t.name: t.as_json() for b in section.blocks for t in b.tables},
                "caveats": section.caveats,
            }
            for section in report.sections
        },
    }
    return json.dumps(content, indent=1, ensure_ascii=False, allow_nan=False) + "\n"
