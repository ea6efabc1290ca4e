"""The same question under several policy mixes.

With many games the sampling interval shrinks to nothing and what remains is who played. So the spread between the
mixes stands beside the interval of one of them, and a figure that is on one side of its target with some players and
on the other with others is called a sign flip.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np

from analysis import plots
from analysis.intervals import Estimate, Span
from analysis.page import Figure, Section, block
from analysis.plots import Mark
from analysis.sections.common import SHADES
from analysis.tables import Cell, Column, Kind, Table, join_words, show

SURE, OPEN, SAME = "SIGN FLIPS", "sign open", "same sign"


@dataclass(frozen=True)
class Spread:
    """One figure over the mixes: `between` is the standard deviation of the truths (random effects, DerSimonian and
    Laird 1986), `sampling` the usual half width of one mix's interval; `sign` of SURE, OPEN, SAME or empty where the
    figure has no target."""

    low: float
    high: float
    between: float
    sampling: float
    sign: str


def spread_of(estimates: Sequence[Estimate | Span], target: float | None) -> Spread | None:
    """How far estimates of one figure lie apart; None where fewer than two have a value."""
    known = [e for e in estimates if e.value is not None]
    if len(known) < 2:
        return None
    values = np.array([e.value for e in known], float)
    halves = np.array([_half(e) for e in known])
    return Spread(
        float(values.min()),
        float(values.max()),
        between_sd(values, halves / 1.96),
        float(np.median(halves)),
        "" if target is None else find_sign(known, target),
    )


def _half(estimate: Estimate | Span) -> float:
    low, high = estimate.low, estimate.high
    return 0.0 if low is None or high is None else (high - low) / 2


def between_sd(values: np.ndarray, errors: np.ndarray) -> float:
    """The standard deviation of the true values behind estimates with these standard errors."""
    if not (errors > 0).all():
        return float(values.std(ddof=1))
    weights = errors**-2.0
    mean = (weights @ values) / weights.sum()
    heterogeneity = weights @ (values - mean) ** 2 - (len(values) - 1)
    return sqrt(max(0.0, heterogeneity / (weights.sum() - (weights @ weights) / weights.sum())))


def find_sign(estimates: Sequence[Estimate | Span], target: float) -> str:
    """Do all lie on one side of `target`?"""
    above = [e.low is not None and e.low > target for e in estimates]
    below = [e.high is not None and e.high < target for e in estimates]
    if any(above) and any(below):
        return SURE
    return SAME if all(above) or all(below) else OPEN


def compare_mixes(figures: Mapping[str, Sequence[Figure]], key: str = "mixes") -> Section:
    """The figures of one question under several lineups: `figures` by lineup."""
    mixes = list(figures)
    by_label: dict[str, dict[str, Figure]] = {}
    for mix, listed in figures.items():
        for figure in listed:
            by_label.setdefault(figure.label, {})[mix] = figure
    shared = {label: found for label, found in by_label.items() if len(found) > 1}
    rows: list[tuple[Cell, ...]] = []
    flips, opens, widest = [], [], None
    kinds: set[Kind] = set()
    for label, found in shared.items():
        first = next(iter(found.values()))
        spread = spread_of([f.estimate for f in found.values()], first.target)
        if spread is None:
            continue
        kinds.add(first.kind)
        rows.append(_row(label, [found.get(mix) for mix in mixes], first.kind, spread))
        flips += [label] if spread.sign == SURE else []
        opens += [label] if spread.sign == OPEN else []
        if widest is None or _apart(spread) > _apart(widest[1]):
            widest = (label, spread, first.kind)
    title = "Does it depend on who plays?"
    if widest is None:
        return Section(key, title, "The mixes share no figure that could be compared.")
    table = Table(
        key,
        f"Under {len(mixes)} mixes of players; between: standard deviation of the true values, sampling: half an "
        "interval",
        (Column("Figure"), *(Column(mix) for mix in mixes), Column("Between"), Column("Sampling"), Column("Sign")),
        tuple(rows),
    )
    label, spread, kind = widest
    sentence = (
        f"Over {len(mixes)} mixes {label} goes from {show(spread.low, kind)} to {show(spread.high, kind)}: the spread "
        f"between mixes is {_size(spread.between, kind)}, the sampling error {_size(spread.sampling, kind)}."
    )
    if flips:
        sentence += f" The sign flips with the players for {join_words(flips[:6])}: no conclusion holds for all."
    elif opens:
        sentence += f" Which side of even is open in some mix for {len(opens)} of {len(rows)} figures."
    elif any(found.target is not None for group in shared.values() for found in group.values()):
        sentence += " Every figure is on the same side in all mixes."
    marks = [
        Mark(f"{mix}: {label}", figure.estimate, SHADES[i % len(SHADES)])
        for i, mix in enumerate(mixes)
        for figure in [shared[label].get(mix)]
        if figure is not None and isinstance(figure.estimate, Estimate)
    ]
    pictures = [plots.draw_bars(f"{key}-mixes", title, marks, label, kind)] if marks else []
    return Section(key, title, sentence, (block(*pictures, table),))


def _row(label: str, figures: Sequence[Figure | None], kind: Kind, spread: Spread) -> tuple[Cell, ...]:
    cells = tuple(None if f is None else show(f.estimate, kind) for f in figures)
    return (label, *cells, _size(spread.between, kind), _size(spread.sampling, kind), spread.sign)


def _apart(spread: Spread) -> float:
    """How far apart the mixes lie, in sampling errors."""
    return (spread.high - spread.low) / max(spread.sampling, 1e-12)


def _size(value: float, kind: Kind) -> str:
    return f"{value * 100:.2f} pp" if kind in ("share", "pp", "bar") else f"{value:.2f}"
