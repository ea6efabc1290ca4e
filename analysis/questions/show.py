"""An answer as text for a terminal, as JSON, as Markdown and as CSV: four ways to show the same cells."""

import csv
import json
from collections.abc import Iterator, Sequence
from io import StringIO
from typing import Any

import click

from analysis.intervals import Estimate, Span
from analysis.page import Figure, Section
from analysis.questions.answer import Answer, describe_run, game_of, say_exploits, say_holds_for, say_rulings
from analysis.questions.question import EVIDENCE
from analysis.tables import MISSING, Cell, Table, markdown, raw

FORMATS = ("text", "json", "md", "csv")
WIDTH = 17  # characters of a small bar
MOST_ROWS = 16  # rows of a table shown as text


def render(answers: Sequence[Answer], form: str, colour: bool = False) -> str:
    """Answers in one of FORMATS, ending in a newline; `colour` for a terminal."""
    if form == "json":
        content = {"format": 1, "answers": [as_json(answer) for answer in answers]}
        return json.dumps(content, indent=1, ensure_ascii=False, allow_nan=False) + "\n"
    if form == "csv":
        return as_csv(answers)
    shown = [as_markdown(answer) if form == "md" else as_text(answer, colour) for answer in answers]
    return "\n".join(shown)


def list_notes(answer: Answer) -> list[str]:
    """Everything that is said under the tables, a line each."""
    if not answer.asked:
        return []
    notes = list(answer.notes)
    if answer.question.kind == "observational":
        notes.append(EVIDENCE["observational"])
    notes.append(say_holds_for(answer.runs, bool(answer.more)))
    notes += say_exploits(answer.runs) if not answer.section.mark else []
    rests = say_rulings(answer.rulings, game_of(answer.runs))
    return [*notes, *([rests] if rests else [])]


# Text


def as_text(answer: Answer, colour: bool = False) -> str:
    """The verdict, the first tables with small bars, and what it rests on."""
    sentence = answer.section.sentence
    lines = [click.style(sentence, bold=True) if colour else sentence]
    for section in (answer.section, *answer.more):
        tables = [table for block in section.blocks for table in block.tables]
        if section is not answer.section:
            flips = "flip" in section.sentence
            lines += ["", click.style(section.sentence, fg="red") if colour and flips else section.sentence]
        if tables:
            lines += draw_table(tables[0], section.figures)
        if len(tables) > 1:
            lines.append(f" also: {', '.join(t.name for t in tables[1:])} (--format md)")
    lines += [f" {note}" for note in list_notes(answer)]
    lines += [f" {caveat}" for caveat in answer.section.caveats if answer.asked]
    return "\n".join(lines) + "\n"


def draw_table(table: Table, figures: Sequence[Figure]) -> list[str]:
    """A table in columns, with a small bar beside the first column of shares or numbers."""
    rows, cells = table.rows[:MOST_ROWS], table.shown()[:MOST_ROWS]
    heads = [column.title for column in table.columns]
    place = _find_bar_column(table)
    if place is not None:
        bars = draw_bars([row[place] for row in rows], find_target(table, place, figures))
        cells = [[*row[: place + 1], bar, *row[place + 1 :]] for row, bar in zip(cells, bars)]
        heads.insert(place + 1, "")
    right = [column.kind != "text" for column in table.columns]
    if place is not None:
        right.insert(place + 1, False)
    widths = [max(len(head), *(len(row[i]) for row in cells), 0) for i, head in enumerate(heads)]
    lines = [" " + "  ".join(_pad(head, width, flag) for head, width, flag in zip(heads, widths, right)).rstrip()]
    lines += [
        " " + "  ".join(_pad(cell, width, flag) for cell, width, flag in zip(row, widths, right)).rstrip()
        for row in cells
    ]
    if len(table.rows) > MOST_ROWS:
        lines.append(f" and {len(table.rows) - MOST_ROWS} rows more (--format md)")
    return lines if rows else []


def _pad(text: str, width: int, right: bool) -> str:
    return text.rjust(width) if right else text.ljust(width)


def _find_bar_column(table: Table) -> int | None:
    for place, column in enumerate(table.columns):
        cells = [row[place] for row in table.rows]
        if place and column.kind != "text" and any(isinstance(cell, Estimate | Span) for cell in cells):
            return place
    return None


def find_target(table: Table, place: int, figures: Sequence[Figure]) -> float | None:
    """What the cells of a column are held against: what the figures among them are, 0 for differences."""
    here = {id(row[place]) for row in table.rows}
    targets = {figure.target for figure in figures if id(figure.estimate) in here}
    if len(targets) == 1:
        return targets.pop()
    return 0.0 if table.columns[place].kind == "pp" else None


def draw_bars(cells: Sequence[Cell], target: float | None) -> list[str]:
    """A bar a cell: from zero, or its interval as a line with a dot around `target`."""
    values = [_ends(cell) for cell in cells]
    known = [v for v in values if v is not None]
    if not known:
        return ["" for _ in cells]
    if target is None:
        top = max((abs(value) for _, value, _ in known), default=0.0) or 1.0
        return ["" if v is None else "█" * round(WIDTH * min(1.0, max(0.0, v[1]) / top)) for v in values]
    reach = max(abs(end - target) for ends in known for end in ends) * 1.05 or 1.0
    return ["" if v is None else _draw_interval(v, target, reach) for v in values]


def _ends(cell: Cell) -> tuple[float, float, float] | None:
    if isinstance(cell, Estimate | Span):
        if cell.value is None:
            return None
        low = cell.value if cell.low is None else cell.low
        return low, cell.value, cell.value if cell.high is None else cell.high
    return None if isinstance(cell, str) or cell is None else (float(cell),) * 3


def _draw_interval(ends: tuple[float, float, float], target: float, reach: float) -> str:
    def spot(value: float) -> int:
        return round((WIDTH - 1) * min(1.0, max(0.0, (value - target + reach) / (2 * reach))))

    line = [" "] * WIDTH
    line[spot(target)] = "│"
    for i in range(spot(ends[0]), spot(ends[2]) + 1):
        line[i] = "─"
    line[spot(ends[1])] = "●"
    return f"▕{''.join(line)}▏"


# Files


def as_markdown(answer: Answer) -> str:
    """The same words and every table."""
    lines = [f"## {markdown(answer.question.asks)}", "", markdown(answer.section.sentence), ""]
    for section in (answer.section, *answer.more):
        if section is not answer.section:
            lines += [f"### {markdown(section.title)}", "", markdown(section.sentence), ""]
        for table in (table for block in section.blocks for table in block.tables):
            lines += [table.as_markdown(), ""]
    lines += [f"- {markdown(line)}" for line in (*list_notes(answer), *answer.section.caveats)]
    return "\n".join(lines).rstrip() + "\n"


def as_json(answer: Answer) -> dict[str, Any]:
    """Every number, unrounded; shares and margins are fractions."""
    return {
        "question": answer.question.id,
        "asks": answer.question.asks,
        "kind": answer.question.kind,
        "answered": answer.asked,
        "sentence": answer.section.sentence,
        **_section_as_json(answer.section),
        "more": {s.key: {"sentence": s.sentence, **_section_as_json(s)} for s in answer.more},
        "notes": list_notes(answer),
        "rulings": answer.rulings,
        "runs": {label: describe_run(run) for label, run in answer.runs.items()},
    }


def _section_as_json(section: Section) -> dict[str, Any]:
    figures = [
        {"label": f.label, "kind": f.kind, "target": f.target, **raw(f.estimate)} for f in section.figures
    ]
    tables = {table.name: table.as_json() for block in section.blocks for table in block.tables}
    return {"figures": figures, "tables": tables, "caveats": list(section.caveats)}


CSV_HEAD = ("question", "table", "row", "column", "value", "low", "high", "n", "text")


def as_csv(answers: Sequence[Answer]) -> str:
    """One line a cell: which question, table, row and column, the number with its interval and n, or the text."""
    out = StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(CSV_HEAD)
    for answer in answers:
        writer.writerow((answer.question.id, "", "", "sentence", "", "", "", "", answer.section.sentence))
        for section in (answer.section, *answer.more):
            for table in (table for block in section.blocks for table in block.tables):
                writer.writerows((answer.question.id, table.name, *line) for line in list_cells(table))
    return out.getvalue()


def list_cells(table: Table) -> Iterator[tuple[Any, ...]]:
    for row, texts in zip(table.rows, table.shown()):
        for place, column in enumerate(table.columns[1:], 1):
            cell = row[place]
            if isinstance(cell, Estimate | Span):
                numbers = [cell.value, cell.low, cell.high, cell.n]
                yield (texts[0], column.title, *("" if x is None else x for x in numbers), "")
            elif isinstance(cell, str) or cell is None:
                yield (texts[0], column.title, "", "", "", "", "" if texts[place] == MISSING else texts[place])
            else:
                yield (texts[0], column.title, cell, "", "", "", "")
