"""The pictures of a report and of an answer: matplotlib drawings, as inline SVG or in a file.

Text, axes and grid take the page's colours (`currentColor` and CSS variables), so that one drawing reads in
light, dark and on paper. Fills are from the Okabe-Ito palette (Okabe and Ito 2008), which colour-blind
readers can tell apart. A drawing names its parts on the spot instead of in a legend; bars start at zero.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial, wraps
from html import escape
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec

import numpy as np
from numpy.typing import NDArray

from analysis.intervals import Estimate
from analysis.tables import percent, points, show

if TYPE_CHECKING:  # matplotlib takes most of a second to import, and most answers are read without a drawing
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

BLUE, VERMILLION, YELLOW, GREEN, PURPLE = "#0072b2", "#d55e00", "#e69f00", "#009e73", "#cc79a7"
SKY, GREY = "#56b4e9", "#9aa0a6"
PALETTE = (BLUE, VERMILLION, YELLOW, GREEN, PURPLE)
NAMED = {"Blue": BLUE, "Red": VERMILLION, "Yellow": YELLOW, "Green": GREEN, "Purple": PURPLE}

# What matplotlib draws in these is handed to the page's style sheet.
INK, MUTED, LINE, BAND = "#010203", "#040506", "#070809", "#0a0b0c"
_THEME = {INK: "currentColor", MUTED: "var(--muted)", LINE: "var(--line)", BAND: "var(--band)"}
_ALONE = {INK: "#16181c", MUTED: "#5c636b", LINE: "#d5d9de", BAND: "#e4ecf3"}  # in a file, on white

PIXELS = 96
WIDTH = 440
STYLE: Any = {
    "svg.fonttype": "none",
    "svg.hashsalt": "atlantis",
    "font.family": "DejaVu Sans",
    "font.size": 8.5,
    "text.color": INK,
    "axes.edgecolor": MUTED,
    "axes.labelcolor": MUTED,
    "axes.linewidth": 0.8,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "xtick.color": MUTED,
    "ytick.color": MUTED,
    "xtick.labelcolor": MUTED,
    "ytick.labelcolor": INK,
    "xtick.major.size": 3,
    "ytick.major.size": 0,
    "path.simplify": True,
}


@dataclass(frozen=True)
class Drawing:
    """A finished figure with its words for screen readers."""

    figure: Figure
    key: str
    title: str
    description: str


@dataclass(frozen=True)
class Picture:
    """A drawing that is made when it is asked for: Markdown and JSON never wait for it."""

    draw: Callable[[], Drawing]
    heading: str = ""

    @property
    def svg(self) -> str:
        """An `svg` element, ready to stand in a page, with a title and a description for screen readers."""
        import matplotlib as mpl

        with mpl.rc_context(STYLE):
            return _write_inline(self.draw())

    def save(self, path: Path, form: str) -> None:
        """Write it to a file of its own on a white ground; `form` is svg or png. Raises OSError."""
        import matplotlib as mpl

        with mpl.rc_context(STYLE):
            drawing = self.draw()
            _recolour(drawing.figure)
            title = {"Title": drawing.title, "Description": drawing.description}
            dated = {"Date": None} if form == "svg" else {}
            drawing.figure.savefig(path, format=form, dpi=2 * PIXELS, facecolor="white", metadata={**title, **dated})

    def under(self, heading: str) -> Picture:
        """The same with a heading of its own on the page."""
        return replace(self, heading=heading)


Words = ParamSpec("Words")


def picture(draw: Callable[Words, Drawing]) -> Callable[Words, Picture]:
    """Makes a function that draws return the picture that it would draw."""

    @wraps(draw)
    def wrapped(*args: Words.args, **kwargs: Words.kwargs) -> Picture:
        return Picture(partial(draw, *args, **kwargs))

    return wrapped


@dataclass(frozen=True)
class Mark:
    """A labelled, coloured value with its interval."""

    label: str
    estimate: Estimate
    colour: str = BLUE


@dataclass(frozen=True)
class Heap:
    """A labelled, coloured distribution: `counts` of `values`, and the value marked as its middle."""

    label: str
    values: NDArray[np.float64]
    counts: NDArray[np.int64]
    middle: float | None
    colour: str


def seat_colours(names: Sequence[str], players: int) -> tuple[str, ...]:
    """One fixed colour a seat: near the game's own where it has that name, else the next of the palette."""
    return tuple(
        NAMED.get(names[s], PALETTE[s % len(PALETTE)]) if s < len(names) else PALETTE[s % len(PALETTE)]
        for s in range(players)
    )


@picture
def draw_forest(
    key: str, title: str, marks: Sequence[Mark], target: float, delta: float, even: str = "even"
) -> Drawing:
    """Shares with their intervals against `target` and the band of ± `delta` around it."""
    from matplotlib.ticker import MaxNLocator

    figure, axes = _blank(64 + 27 * len(marks), left=0.20, right=0.83)
    _draw_forest(axes, marks, target, delta)
    axes.set_yticks(range(len(marks)), [m.label for m in marks])
    for row, mark in enumerate(marks):
        axes.text(
            1.02, row, show(mark.estimate.value, "share"), transform=axes.get_yaxis_transform(),
            va="center", weight="bold",
        )  # fmt: skip
    axes.text(target, -0.78, f"{even} {percent(target)}", ha="center", va="bottom", color=MUTED, size=8)
    axes.set_xlabel(f"shaded: within {points(delta)}", size=8)
    axes.xaxis.set_major_formatter(lambda x, _: f"{x * 100:g}%")
    axes.xaxis.set_major_locator(MaxNLocator(5, steps=[1, 2, 2.5, 5, 10]))
    spoken = "; ".join(f"{m.label} {show(m.estimate, 'share')}" for m in marks)
    return Drawing(
        figure,
        key,
        title,
        f"{spoken}. Even would be {percent(target)}, the band is {points(delta)} wide either way.",
    )


@picture
def sketch_forest(key: str, title: str, marks: Sequence[Mark], target: float, delta: float) -> Drawing:
    """The same, small and without words."""
    figure, axes = _blank(62, width=220, left=0.03, right=0.97, bottom=0.06, top=0.94)
    _draw_forest(axes, marks, target, delta, size=5)
    axes.axis("off")
    return Drawing(figure, key, title, "; ".join(f"{m.label} {show(m.estimate, 'share')}" for m in marks))


def _draw_forest(axes: Axes, marks: Sequence[Mark], target: float, delta: float, size: float = 7) -> None:
    reach = delta * 1.35
    for mark in marks:
        for end in (mark.estimate.low, mark.estimate.value, mark.estimate.high):
            if end is not None:
                reach = max(reach, abs(end - target) * 1.08)
    axes.set_xlim(target - reach, target + reach)
    axes.set_ylim(len(marks) - 0.4, -0.6)
    axes.axvspan(target - delta, target + delta, color=BAND, lw=0)
    axes.axvline(target, color=MUTED, lw=1)
    for row, mark in enumerate(marks):
        e = mark.estimate
        if e.low is not None and e.high is not None:
            axes.plot([e.low, e.high], [row, row], color=mark.colour, lw=2.2, solid_capstyle="butt")
        if e.value is not None:
            axes.plot([e.value], [row], "o", color=mark.colour, ms=size, mec="none")
    axes.spines["left"].set_visible(False)


@picture
def draw_heaps(key: str, title: str, heaps: Sequence[Heap], unit: str) -> Drawing:
    """One row a distribution, on one axis from zero, with the middle half dark and the median written beside
    it."""
    figure, axes = _blank(62 + 46 * len(heaps), left=0.15, right=0.88)
    top = max((float(h.values.max()) for h in heaps if len(h.values)), default=1.0)
    low = min((float(h.values.min()) for h in heaps if len(h.values)), default=0.0)
    for row, heap in enumerate(heaps):
        _draw_heap(axes, heap, row)
        if heap.middle is not None:
            axes.plot([heap.middle] * 2, [row + 0.4, row - 0.48], color=INK, lw=1.1)
            axes.text(
                1.03,
                row + 0.2,
                f"{heap.middle:g}",
                transform=axes.get_yaxis_transform(),
                va="center",
                weight="bold",
            )
    axes.text(1.03, -0.42, "median", transform=axes.get_yaxis_transform(), va="center", size=8, color=MUTED)
    axes.set_ylim(len(heaps) - 0.55, -0.6)
    axes.set_xlim(min(0.0, low), top * 1.02)
    axes.set_yticks([row + 0.2 for row in range(len(heaps))], [h.label for h in heaps])
    axes.spines["left"].set_visible(False)
    axes.set_xlabel(unit, size=8)
    spoken = "; ".join(f"{h.label} median {h.middle:g}" for h in heaps if h.middle is not None)
    return Drawing(figure, key, title, f"Distributions of {unit}: {spoken}.")


def _draw_heap(axes: Axes, heap: Heap, row: float) -> None:
    total = int(heap.counts.sum())
    if not total:
        return
    first, last = int(heap.values.min()), int(heap.values.max())
    step = max(1, (last - first + 1) // 60)
    edges = np.arange(first, last + step + 1, step) - 0.5
    heights, _ = np.histogram(heap.values, bins=edges, weights=heap.counts)
    heights = heights / heights.max() * 0.82
    reached = np.cumsum(heap.counts)
    quartiles = [float(heap.values[np.searchsorted(reached, q * total)]) for q in (0.25, 0.75)]
    middles = (edges[:-1] + edges[1:]) / 2
    inner = (middles >= quartiles[0]) & (middles <= quartiles[1])
    for part, alpha in ((~inner, 0.45), (inner, 0.95)):
        axes.bar(middles[part], -heights[part], step * 0.96, bottom=row + 0.4, color=heap.colour, alpha=alpha, lw=0)


@picture
def draw_columns(
    key: str,
    title: str,
    labels: Sequence[str],
    shares: Sequence[float],
    unit: str,
    colour: str = BLUE,
    height: int = 200,
) -> Drawing:
    """Shares of a whole as bars from zero, each with its percentage on top (where there is room for it)."""
    figure, axes = _blank(height, left=0.03, right=0.97, bottom=0.2, top=0.90)
    axes.bar(range(len(shares)), shares, 0.8, color=colour, lw=0)
    roomy = len(shares) <= 12
    for place, share in enumerate(shares):
        if roomy:
            axes.text(place, share, percent(share), ha="center", va="bottom", size=8)
    every = 1 if len(labels) <= 20 else -(-len(labels) // 10)
    axes.set_xticks(range(0, len(labels), every), labels[::every])
    axes.set_yticks([])
    axes.spines["left"].set_visible(False)
    axes.set_ylim(0, max(shares, default=1) * 1.12 or 1)
    axes.set_xlabel(unit, size=8)
    spoken = "; ".join(f"{label} {percent(share)}" for label, share in zip(labels, shares))
    return Drawing(figure, key, title, f"{unit}: {spoken}.")


@picture
def sketch_columns(key: str, title: str, shares: Sequence[float], colour: str = BLUE) -> Drawing:
    """Bars from zero, small and without words."""
    figure, axes = _blank(62, width=220, left=0.03, right=0.97, bottom=0.06, top=0.94)
    axes.bar(range(len(shares)), shares, 0.82, color=colour, lw=0)
    axes.axhline(0, color=MUTED, lw=0.8)
    axes.axis("off")
    return Drawing(figure, key, title, ", ".join(percent(s) for s in shares))


@picture
def draw_bars(
    key: str, title: str, marks: Sequence[Mark], unit: str, kind: Any = "share", top: float | None = None
) -> Drawing:
    """Values as lying bars from zero, with their intervals as thin lines; negative values reach to the
    left."""
    wide = max((len(m.label) for m in marks), default=0)
    left = min(0.47, 0.05 + wide * 0.0135)
    figure, axes = _blank(44 + 19 * len(marks), left=left, right=0.86, top=0.985)
    values = [m.estimate.value or 0.0 for m in marks]
    ends = [end for m in marks for end in (m.estimate.low, m.estimate.high) if end is not None]
    high = top if top is not None else max([*values, *ends, 0.0]) * 1.02 or 1.0
    low = min([*values, *ends, 0.0]) * 1.02
    for row, mark in enumerate(marks):
        e = mark.estimate
        axes.barh(row, e.value or 0.0, 0.72, color=mark.colour, lw=0)
        if e.low is not None and e.high is not None:
            axes.plot([e.low, e.high], [row, row], color=INK, lw=0.9)
        axes.text(1.015, row, show(e.value, kind), transform=axes.get_yaxis_transform(), va="center", size=8)
    axes.axvline(0, color=MUTED, lw=0.8)
    axes.set_xlim(low, high)
    axes.set_ylim(len(marks) - 0.4, -0.6)
    axes.set_yticks(range(len(marks)), [m.label for m in marks])
    axes.spines["left"].set_visible(False)
    axes.set_xlabel(unit, size=8)
    if kind == "share":
        axes.xaxis.set_major_formatter(lambda x, _: f"{x * 100:g}%")
    spoken = "; ".join(f"{m.label} {show(m.estimate, kind)}" for m in marks)
    return Drawing(figure, key, title, f"{unit}: {spoken}.")


@picture
def sketch_bars(key: str, title: str, marks: Sequence[Mark]) -> Drawing:
    """Lying bars from zero with their names, small."""
    figure, axes = _blank(62, width=220, left=0.46, right=0.97, bottom=0.03, top=0.97)
    axes.barh(
        range(len(marks)),
        [m.estimate.value or 0.0 for m in marks],
        0.7,
        color=[m.colour for m in marks],
        lw=0,
    )
    axes.axvline(0, color=MUTED, lw=0.8)
    axes.set_ylim(len(marks) - 0.4, -0.6)
    axes.set_xlim(0, max([m.estimate.value or 0.0 for m in marks], default=0) or 1)
    axes.set_yticks(range(len(marks)), [m.label if len(m.label) < 17 else m.label[:15] + "…" for m in marks], size=7)
    axes.set_xticks([])
    for side in ("left", "bottom"):
        axes.spines[side].set_visible(False)
    return Drawing(figure, key, title, "; ".join(f"{m.label} {show(m.estimate.value, 'share')}" for m in marks))


@dataclass(frozen=True)
class Stack:
    """One stacked bar: a label and the size of each part."""

    label: str
    sizes: Sequence[float]


@picture
def draw_towers(
    key: str, title: str, stacks: Sequence[Stack], parts: Sequence[str], colours: Sequence[str], unit: str
) -> Drawing:
    """Stacked columns from zero; the parts are named at the right, each with a line to its piece of the last
    column."""
    figure, axes = _blank(340, left=0.02, right=0.58, top=0.93, bottom=0.09)
    last = len(stacks) - 1
    for place, stack in enumerate(stacks):
        floor = 0.0
        for size, colour in zip(stack.sizes, colours):
            axes.bar(place, size, 0.74, bottom=floor, color=colour, lw=0)
            floor += size
        axes.text(place, floor, f"{floor:.1f}", ha="center", va="bottom", weight="bold")
    height = max(sum(s.sizes) for s in stacks) or 1.0
    floors = np.cumsum([0.0, *stacks[last].sizes])
    pieces = [(floors[i] + floors[i + 1]) / 2 for i in range(len(parts))]
    for label, at, spot in zip(parts, pieces, _spread(pieces, height / 21, height)):
        axes.plot([last + 0.38, last + 0.50, last + 0.58], [at, spot, spot], color=MUTED, lw=0.7, clip_on=False)
        axes.text(last + 0.62, spot, label, va="center", size=8, clip_on=False)
    for place, stack in enumerate(stacks):
        floor = 0.0
        for size, colour in zip(stack.sizes, colours):
            if size > height / 22:
                axes.text(place, floor + size / 2, f"{size:.1f}", **_inside(colour))
            floor += size
    axes.set_xlim(-0.5, last + 0.5)
    axes.set_ylim(0, height * 1.03)
    axes.set_yticks([])
    axes.set_xticks(range(len(stacks)), [s.label for s in stacks])
    axes.tick_params(axis="x", labelcolor=INK, length=0)
    axes.spines["left"].set_visible(False)
    spoken = "; ".join(f"{s.label}: {', '.join(f'{p} {size:.1f}' for p, size in zip(parts, s.sizes))}" for s in stacks)
    return Drawing(figure, key, title, f"{unit}: {spoken}.")


@picture
def draw_lanes(
    key: str, title: str, stacks: Sequence[Stack], parts: Sequence[str], colours: Sequence[str], unit: str
) -> Drawing:
    """Shares of a whole as stacked lying bars; the parts are named above the first one."""
    figure, axes = _blank(58 + 34 * len(stacks), left=0.17, right=0.95, top=0.80, bottom=0.16)
    for row, stack in enumerate(stacks):
        start = 0.0
        for size, colour in zip(stack.sizes, colours):
            axes.barh(row, size, 0.66, left=start, color=colour, lw=0)
            if size >= 0.075:
                axes.text(start + size / 2, row, percent(size), **_inside(colour))
            start += size
    at = 0.0
    for part, colour in zip(parts, colours):
        axes.text(at, 1.06, "■", transform=axes.transAxes, color=colour, size=9)
        axes.text(at + 0.035, 1.06, part, transform=axes.transAxes, size=8.5)
        at += 0.09 + 0.021 * len(part)
    axes.set_xlim(0, 1)
    axes.set_ylim(len(stacks) - 0.5, -0.5)
    axes.set_yticks(range(len(stacks)), [s.label for s in stacks])
    axes.xaxis.set_major_formatter(lambda x, _: f"{x * 100:g}%")
    axes.spines["left"].set_visible(False)
    spoken = "; ".join(
        f"{s.label}: {', '.join(f'{p} {percent(size)}' for p, size in zip(parts, s.sizes))}" for s in stacks
    )
    return Drawing(figure, key, title, f"{unit}: {spoken}.")


@picture
def sketch_lane(key: str, title: str, sizes: Sequence[float], colours: Sequence[str]) -> Drawing:
    """One stacked bar, small and without words."""
    figure, axes = _blank(62, width=220, left=0.03, right=0.97, bottom=0.30, top=0.70)
    start = 0.0
    for size, colour in zip(sizes, colours):
        axes.barh(0, size, 1, left=start, color=colour, lw=0)
        start += size
    axes.set_xlim(0, start or 1)
    axes.axis("off")
    return Drawing(figure, key, title, ", ".join(f"{size:.1f}" for size in sizes))


@picture
def draw_steps(key: str, title: str, heap: Heap, unit: str) -> Drawing:
    """The share of games up to each value, with the middle and the middle nine tenths marked."""
    figure, axes = _blank(170, left=0.11, right=0.97)
    reached = np.cumsum(heap.counts)
    total = max(1, int(reached[-1])) if len(reached) else 1
    xs = np.concatenate([heap.values[:1], heap.values]) if len(heap.values) else np.array([0.0])
    ys = np.concatenate([[0.0], reached / total]) if len(heap.values) else np.array([0.0])
    axes.step(xs, ys, where="post", color=heap.colour, lw=1.8)
    for q in (0.05, 0.5, 0.95):
        if len(heap.values):
            at = float(heap.values[np.searchsorted(reached, q * total)])
            axes.plot([at, at], [0, q], color=MUTED, lw=0.8)
            axes.text(at, q + 0.04, f"{at:,.0f}", va="bottom", ha="center", size=8, weight="bold")
    axes.set_ylim(0, 1.12)
    axes.set_yticks([0, 0.5, 1], ["0%", "50%", "100%"])
    axes.set_xlabel(f"{unit} (share of games with at most so many)", size=8)
    return Drawing(
        figure,
        key,
        title,
        f"Cumulative share of games by {unit}; middle {heap.middle:g}." if heap.middle is not None else unit,
    )


@picture
def draw_grid(
    key: str,
    title: str,
    rows: Sequence[str],
    columns: Sequence[str],
    values: Sequence[Sequence[float | None]],
    unit: str,
) -> Drawing:
    """Shares as a grid of cells: the darker, the larger."""
    from matplotlib.patches import Rectangle

    figure, axes = _blank(44 + 24 * len(rows), left=0.24, right=0.99, top=1 - 20 / (44 + 24 * len(rows)), bottom=0.02)
    top = max((v for row in values for v in row if v is not None), default=1.0) or 1.0
    for y, row in enumerate(values):
        for x, value in enumerate(row):
            if value is None:
                continue
            axes.add_patch(
                Rectangle((x - 0.48, y - 0.46), 0.96, 0.92, color=SKY, alpha=0.06 + 0.74 * value / top, lw=0)
            )
            axes.text(x, y, f"{value * 100:.0f}%", ha="center", va="center", size=8.5)
    axes.set_xlim(-0.5, len(columns) - 0.5)
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_yticks(range(len(rows)), rows)
    axes.xaxis.tick_top()
    axes.set_xticks(range(len(columns)), columns)
    axes.tick_params(axis="x", length=0)
    for side in ("left", "bottom", "top"):
        axes.spines[side].set_visible(False)
    spoken = "; ".join(
        f"{label}: {', '.join(f'{c} {percent(v)}' for c, v in zip(columns, row) if v is not None)}"
        for label, row in zip(rows, values)
    )
    return Drawing(figure, key, title, f"{unit}: {spoken}.")


def _inside(colour: str) -> dict[str, Any]:
    """How to write on a fill of that colour: white on the dark ones, black on the light ones."""
    red, green, blue = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    dark = 0.2126 * red**2.2 + 0.7152 * green**2.2 + 0.0722 * blue**2.2 < 0.26
    return {
        "ha": "center",
        "va": "center",
        "size": 8,
        "weight": "bold",
        "color": "#ffffff" if dark else "#16181c",
    }


def _spread(wanted: Sequence[float], gap: float, top: float) -> list[float]:
    """Places near `wanted` (ascending), at least `gap` apart and below `top` where they fit."""
    places: list[float] = []
    for want in wanted:
        places.append(max(want, places[-1] + gap) if places else max(want, gap / 2))
    for i in range(len(places) - 1, -1, -1):
        limit = top if i == len(places) - 1 else places[i + 1] - gap
        places[i] = min(places[i], limit)
    return places


def _blank(
    height: float,
    width: float = WIDTH,
    left: float = 0.1,
    right: float = 0.95,
    bottom: float | None = None,
    top: float | None = None,
) -> tuple[Figure, Axes]:
    """A transparent drawing of that many pixels with one axes."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width / PIXELS, height / PIXELS), dpi=PIXELS)
    FigureCanvasAgg(figure)
    low = 38 / height if bottom is None else bottom
    high = 1 - 20 / height if top is None else top
    axes = figure.add_axes((left, low, right - left, high - low))
    figure.patch.set_alpha(0)
    axes.patch.set_alpha(0)
    return figure, axes


def _recolour(figure: Figure) -> None:
    """Give what the page's style sheet would colour the colours of a file that stands alone."""
    from matplotlib.colors import to_hex

    for artist in figure.findobj():
        for part in ("color", "facecolor", "edgecolor", "markeredgecolor", "markerfacecolor"):
            read, write = getattr(artist, f"get_{part}", None), getattr(artist, f"set_{part}", None)
            if read is None or write is None or (part == "color" and hasattr(artist, "get_facecolor")):
                continue
            try:
                seen = _ALONE.get(to_hex(read()))
            except (TypeError, ValueError):  # a collection with several colours: nothing of the page's
                continue
            if seen:
                write(seen)


def _write_inline(drawing: Drawing) -> str:
    """The drawing as an `svg` element: own ids, the page's fonts and colours, words for screen readers, no
    outside names."""
    figure, key, title, description = drawing.figure, drawing.key, drawing.title, drawing.description
    out = StringIO()
    figure.savefig(out, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    svg = out.getvalue()
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>|<!--.*?-->", "", svg, flags=re.DOTALL)
    svg = re.sub(r' xmlns(:\w+)?="[^"]*"', "", svg).replace("xlink:href", "href")
    svg = re.sub(r'\bid="', f'id="{key}-', svg)
    svg = re.sub(r'(href="|url\()#', rf"\1#{key}-", svg)
    svg = re.sub(r"font: ([^;\"]*?)(\d+(?:\.\d+)?px) [^;\"]*", _keep_weight_and_size, svg)
    for sentinel, themed in _THEME.items():
        svg = svg.replace(sentinel, themed)
    box = re.search(r'viewBox="[^"]*"', svg)
    assert box is not None
    head = (
        f'<svg {box[0]} role="img" aria-labelledby="{key}-t {key}-d" focusable="false">'
        f'<title id="{key}-t">{escape(title)}</title><desc id="{key}-d">{escape(description)}</desc>'
    )
    svg = re.sub(r"^<svg[^>]*>", lambda _: head, svg)
    return re.sub(r"\n\s*", "\n", svg).strip()


def _keep_weight_and_size(match: re.Match[str]) -> str:
    weight = "font-weight: 700; " if "bold" in match[1] or "700" in match[1] else ""
    return f"{weight}font-size: {match[2]}"
