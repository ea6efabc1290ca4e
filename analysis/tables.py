"""Numbers as people read them, and tables that know how each of their columns reads.

A table keeps the values themselves: HTML, Markdown and JSON are three ways to show one and the same cell.
"""

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from io import StringIO
from typing import Any, Literal

from analysis.intervals import Estimate, Span

Kind = Literal["text", "count", "share", "pp", "number", "fine", "bar", "own", "level"]
"""How a column reads: words, whole numbers, shares in %, differences in pp, other numbers (VP, turns), shares
with a bar, and each row in its own way: `own` a difference, `level` what it is the difference of."""

Cell = str | int | float | Estimate | Span | None
MISSING = "–"


@dataclass(frozen=True)
class Column:
    """A heading and how the cells below it read."""

    title: str
    kind: Kind = "text"


@dataclass(frozen=True)
class Table:
    """Rows of values under a caption; `colours` marks each row with a dot, `name` keys it in JSON.

    `kinds`: how each row reads in the columns of kind "own" and "level", where the rows differ in unit.
    """

    name: str
    caption: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    colours: tuple[str, ...] = ()
    kinds: tuple[Kind, ...] = ()

    def shown(self) -> list[list[str]]:
        """Every cell as text."""
        kinds: list[Kind] = list(self.kinds) or ["number"] * len(self.rows)
        return [
            [show(cell, _read_as(column.kind, own)) for cell, column in zip(row, self.columns)]
            for row, own in zip(self.rows, kinds)
        ]

    @property
    def width(self) -> int:
        """Characters that a row needs, about: words beyond the first column wrap."""
        needs = [max(map(len, cells), default=0) + 2 for cells in zip(*self.shown())]
        wraps = [column.kind == "text" and place > 0 for place, column in enumerate(self.columns)]
        return sum(min(need, 18) if wrap else need for need, wrap in zip(needs, wraps))

    def as_json(self) -> dict[str, Any]:
        """Caption, columns and raw values."""
        content = {
            "caption": self.caption,
            "columns": [{"title": c.title, "kind": c.kind} for c in self.columns],
            "rows": [[raw(cell) for cell in row] for row in self.rows],
        }
        return {**content, "kinds": list(self.kinds)} if self.kinds else content

    def as_csv(self) -> str:
        """A line a row, numbers unrounded; a column of estimates becomes four: the value, both ends, n."""
        wide = [any(isinstance(row[i], Estimate | Span) for row in self.rows) for i in range(len(self.columns))]
        out = StringIO()
        writer = csv.writer(out, lineterminator="\n")
        heads = ([c.title, *(f"{c.title} {part}" for part in _PARTS if more)] for c, more in zip(self.columns, wide))
        writer.writerow(head for group in heads for head in group)
        for row in self.rows:
            writer.writerow(part for cell, more in zip(row, wide) for part in (_spread(cell) if more else [cell]))
        return out.getvalue()

    def as_markdown(self) -> str:
        """A pipe table under its caption."""
        heads = [c.title for c in self.columns]
        rules = ["---" if c.kind == "text" else "---:" for c in self.columns]
        lines = [f"*{markdown(self.caption)}*", "", _pipes([markdown(h) for h in heads]), _pipes(rules)]
        lines += [_pipes([markdown(cell) for cell in row]) for row in self.shown()]
        return "\n".join(lines)


def _read_as(kind: Kind, own: Kind) -> Kind:
    if kind == "level":
        return "share" if own == "pp" else own
    return own if kind == "own" else kind


def show(cell: Cell, kind: Kind = "text") -> str:
    """One cell as text, `26.1% [25.8, 26.4]` or `41.3 [41.2, 41.4]`; an en dash where there is nothing."""
    if cell is None:
        return MISSING
    if isinstance(cell, str):
        return cell
    if isinstance(cell, Estimate | Span):
        if cell.value is None:
            return MISSING
        text = show(cell.value, kind)
        if cell.low is None and cell.high is None:
            return text
        ends = [MISSING if end is None else _bare(end, kind) for end in (cell.low, cell.high)]
        return f"{text} [{', '.join(ends)}]"
    if kind in ("share", "bar"):
        return percent(cell)
    if kind == "pp":
        return f"{_bare(cell, kind)} pp"
    return _bare(cell, "count" if isinstance(cell, int) else kind)


def percent(share: float) -> str:
    """A share as a percentage with one decimal, without turning something into nothing: 0.0002 is <0.1%."""
    if 0 < share < 0.0005:
        return "<0.1%"
    if 0.9995 < share < 1:
        return ">99.9%"
    return f"{_bare(share, 'share')}%"


def points(share: float) -> str:
    """A margin as percentage points: 0.01 is 1 pp."""
    return f"{share * 100:g} pp"


def plural(number: int, noun: str, nouns: str = "") -> str:
    """`1 game`, `2 games`."""
    return f"{number:,} {noun if number == 1 else nouns or noun + 's'}"


def join_words(words: Sequence[str], last: str = "and") -> str:
    """`a, b and c`."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"


def raw(cell: Cell) -> Any:
    """One cell as JSON: an estimate with its interval, n and blocks."""
    if isinstance(cell, Estimate):
        return {"value": cell.value, "low": cell.low, "high": cell.high, "n": cell.n, "blocks": cell.blocks}
    if isinstance(cell, Span):
        return {"value": cell.value, "low": cell.low, "high": cell.high, "n": cell.n}
    return cell


def markdown(text: str) -> str:
    """Text that Markdown, and HTML inside it, leave alone: no cell ends early, no tag begins."""
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    for mark in "\\`*_|#":
        text = text.replace(mark, f"\\{mark}")
    return " ".join(text.replace("](", "]\\(").split())


_PARTS = ("low", "high", "n")


def _spread(cell: Cell) -> list[str | int | float | None]:
    if isinstance(cell, Estimate | Span):
        return [cell.value, cell.low, cell.high, cell.n]
    return [cell, *(None for _ in _PARTS)]


def _bare(number: float, kind: Kind) -> str:
    if kind in ("share", "bar"):
        text = f"{number * 100:.1f}"
    elif kind == "pp":
        text = f"{number * 100:+.1f}"
    else:
        digits = {"count": 0, "fine": 2}.get(kind, 1)
        text = f"{number:,.{digits}f}"
    if not text.strip("+-0.,"):
        return text.lstrip("+-")
    return text.replace("-", "−")


def _pipes(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
