"""An answer as a piece of HTML for a notebook: the sentence, its picture, its first table, what it rests on.

It carries its picture as a PNG and next to no styles, so that it shows in a notebook that nobody has trusted yet and
where notebooks are only shown.
"""

from base64 import b64encode
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory

from analysis.page import Section
from analysis.plots import Picture
from analysis.questions.answer import Answer
from analysis.questions.show import MOST_ROWS, list_notes
from analysis.tables import Table

WIDTH = 440  # pixels that a picture takes; it has twice as many


def as_html(answer: Answer) -> str:
    """The answer, and the same under other players where it was asked of them."""
    parts = [part for section in (answer.section, *answer.more) for part in _show_section(section)]
    notes = [*list_notes(answer), *(answer.section.caveats if answer.asked else ())]
    listed = "".join(f"<li>{escape(note)}</li>" for note in notes)
    return "\n".join(["<div>", *parts, f"<ul>{listed}</ul>" if notes else "", "</div>"])


def _show_section(section: Section) -> list[str]:
    pictures = [picture for block in section.blocks for picture in block.pictures]
    tables = [table for block in section.blocks for table in block.tables]
    parts = [f"<p><strong>{escape(section.sentence)}</strong></p>"]
    parts += [_show_picture(picture, section.sentence) for picture in pictures[:1]]
    parts += [_show_table(table) for table in tables[:1]]
    if len(tables) > 1:
        parts.append(f"<p>also: {escape(', '.join(table.name for table in tables[1:]))}</p>")
    return parts


def _show_picture(picture: Picture, words: str) -> str:
    with TemporaryDirectory() as folder:
        file = Path(folder) / "picture.png"
        picture.save(file, "png")
        content = b64encode(file.read_bytes()).decode()
    return f'<img src="data:image/png;base64,{content}" width="{WIDTH}" alt="{escape(words)}">'


def _show_table(table: Table) -> str:
    sides = ["left" if column.kind == "text" else "right" for column in table.columns]

    def show_row(tag: str, cells: list[str]) -> str:
        shown = (f'<{tag} style="text-align: {side}">{escape(cell)}</{tag}>' for side, cell in zip(sides, cells))
        return f"<tr>{''.join(shown)}</tr>"

    rows = [show_row("td", cells) for cells in table.shown()[:MOST_ROWS]]
    left_out = len(table.rows) - len(rows)
    more = f" ({left_out} rows more)" if left_out else ""
    return "\n".join(
        [
            "<table>",
            f"<caption>{escape(table.caption + more)}</caption>",
            f"<thead>{show_row('th', [column.title for column in table.columns])}</thead>",
            f"<tbody>{''.join(rows)}</tbody>",
            "</table>",
        ]
    )
