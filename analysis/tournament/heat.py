"""The heat map of a tournament."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from analysis.intervals import Estimate
from analysis.plots import BLUE, MUTED, VERMILLION, WIDTH, Drawing, _blank, picture
from analysis.tables import percent, show
from analysis.tournament.results import Pairs

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LINE_HEIGHT = 44
SMALL = 5  # policies above which the intervals no longer fit into a cell


@picture
def draw_heat(key: str, title: str, names: Sequence[str], entries: Pairs, even: float) -> Drawing:
    """Credit of one seat of the row's policy among seats of the column's: blue above even, red below, each with its
    interval."""
    from matplotlib.patches import Rectangle

    height = 78 + LINE_HEIGHT * len(names)
    longest = max(map(len, names))
    left = min(0.4, 0.04 + 0.0155 * longest)
    figure, axes = _blank(height, WIDTH, left, right=0.995, bottom=30 / height, top=1 - 44 / height)
    reach = max((abs((e.value or 0.0) - even) for e in entries.values() if e.value is not None), default=0.0) or 1.0
    for y, row in enumerate(names):
        for x, column in enumerate(names):
            if row == column:
                axes.text(x, y, percent(even), ha="center", va="center", size=8.5, color=MUTED)
                continue
            entry = entries[row, column]
            if entry.value is None:
                continue
            off = entry.value - even
            colour = BLUE if off > 0 else VERMILLION
            depth = 0.5 * abs(off) / reach
            axes.add_patch(Rectangle((x - 0.48, y - 0.46), 0.96, 0.92, color=colour, alpha=depth, lw=0))
            _write(axes, x, y, entry, len(names) <= SMALL)
    axes.set_xlim(-0.5, len(names) - 0.5)
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.set_yticks(range(len(names)), names)
    axes.xaxis.tick_top()
    most = max(4, round(70 / len(names)))
    axes.set_xticks(range(len(names)), [n if len(n) <= most else f"{n[: most - 1]}…" for n in names])
    axes.tick_params(axis="x", length=0)
    axes.xaxis.set_label_position("top")
    axes.set_xlabel("among seats of", size=8)
    figure.text(0.995, 6 / height, f"one seat of the row; blue: above {percent(even)}, red: below", ha="right", size=8)
    for side in ("left", "bottom", "top"):
        axes.spines[side].set_visible(False)
    spoken = "; ".join(f"one {x} among {y} {show(e, 'share')}" for (x, y), e in entries.items())
    return Drawing(figure, key, title, f"{spoken}. Even is {percent(even)}.")


def _write(axes: Axes, x: int, y: int, entry: Estimate, roomy: bool) -> None:
    value, _, ends = show(entry, "share").partition(" ")
    beside = roomy and bool(ends)
    axes.text(x, y - 0.12 * beside, value, ha="center", va="center", size=8.5, weight="bold")
    if beside:
        axes.text(x, y + 0.22, ends, ha="center", va="center", size=7)
