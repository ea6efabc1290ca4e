"""What does a variant change? Paired differences on every measure, over the same deals."""

from collections.abc import Mapping

import numpy as np

from analysis import plots
from analysis.frames import Run
from analysis.intervals import holm
from analysis.page import Figure, Section, block
from analysis.paired import Difference, Pair, compare
from analysis.plots import Mark
from analysis.questions.metrics import Metric, by_label, list_metrics, total_by_deal
from analysis.questions.question import Spec
from analysis.tables import Cell, Column, Kind, Table, join_words, show
from sim.errors import UserError

BASE = "as it stands"


def arms(spec: Spec) -> dict[str, Spec]:
    """The rules as they stand, and the rules changed. UserError where nothing is changed."""
    changes = [*spec.variants, *spec.settings, *(file.name for file in spec.rules_files)]
    if not changes:
        raise UserError(
            "variant compares two sets of rules: say what changes with --variant, --set or --rules, or give two run "
            "folders of the same deals."
        )
    base = spec.but(variants=(), settings=(), rules_files=())
    return {BASE: base, " ".join(changes): spec}


def find_differences(a: Run, b: Run) -> dict[str, tuple[Metric, Difference]]:
    """B less A on every measure that both have, deal by deal.

    Raises UserError where the two did not play the same deals.
    """
    check_pair(a, b)
    first, second = list_metrics(a), by_label(list_metrics(b))
    shared = [metric for metric in first if metric.label in second]
    totals_a = total_by_deal(a, shared)
    totals_b = total_by_deal(b, [second[metric.label] for metric in shared])
    found = {}
    for metric in shared:
        (y_a, x_a), (y_b, x_b) = totals_a[metric.label], totals_b[metric.label]
        n = min(len(y_a), len(y_b))
        found[metric.label] = metric, compare(Pair(y_a[:n], x_a[:n], y_b[:n], x_b[:n]))
    return found


def check_pair(a: Run, b: Run) -> None:
    """UserError unless two runs met the same deals with the same number of seats and seatings."""
    mine, other = a.manifest, b.manifest
    for key, what in (("game", "game"), ("players", "number of players"), ("seed", "seed")):
        if getattr(mine, key) != getattr(other, key):
            raise UserError(
                f"{a.folder.path} and {b.folder.path} cannot be paired: the {what} is {getattr(mine, key)} in one and "
                f"{getattr(other, key)} in the other. Play both with the same."
            )
    if a.arrangements != b.arrangements:
        raise UserError(
            f"{a.folder.path} and {b.folder.path} cannot be paired: a deal is played in {a.arrangements} seatings in "
            f"one and {b.arrangements} in the other."
        )


def variant(runs: Mapping[str, Run], delta: float) -> Section:
    """Every measure of the second run less the first, with paired intervals."""
    title = "What does it change?"
    if len(runs) != 2:
        raise UserError(f"variant compares two runs, and {len(runs)} are given.")
    (name_a, a), (name_b, b) = runs.items()
    if a.folder.path == b.folder.path:
        raise UserError("variant compares two runs, and these are the same one.")
    found = find_differences(a, b)
    known = {label: pair for label, pair in found.items() if pair[1].estimate.value is not None}
    if not known:
        return Section("variant", title, "The two runs finished no deal in common, so nothing can be compared.")
    surely = dict(zip(known, holm([d.estimate.p_differs(0.0) for _, d in known.values()])))
    changed = [label for label, sure in surely.items() if sure]
    changed.sort(key=lambda label: -_strength(known[label][1]))
    n = next(iter(known.values()))[1].estimate.blocks
    if changed:
        told = [_say(label, *known[label]) for label in changed[:3]]
        sentence = f"{name_b} against {name_a}: {join_words(told)}"
        sentence += f"; {len(changed)} of {len(known)} measures surely change (n={n:,} deals)."
    else:
        sentence = f"{name_b} against {name_a}: none of {len(known)} measures surely changes (n={n:,} deals)."
    rows: list[tuple[Cell, ...]] = [
        (
            label,
            show(d.estimate, m.kind),
            show(d.a.value, _plain(m.kind)),
            show(d.b.value, _plain(m.kind)),
            "changes" if surely[label] else "",
            None if d.correlation is None else f"{d.correlation:+.2f}",
            None if d.saved is None else f"{d.saved:.1f} times",
        )
        for label, (m, d) in known.items()
    ]
    figures = tuple(Figure(label, d.estimate, m.kind, 0.0) for label, (m, d) in known.items())
    credits = [Mark(label, d.estimate) for label, (m, d) in known.items() if m.kind == "pp"]
    return Section(
        "variant",
        title,
        sentence,
        (
            block(
                plots.draw_forest("variant", "Differences in pp", credits, 0.0, delta, "no change"),
                Table(
                    "differences",
                    f"{name_b} less {name_a}, deal by deal; 95% paired intervals",
                    (
                        Column("Measure"),
                        Column("Difference"),
                        Column(name_a),
                        Column(name_b),
                        Column("Holm"),
                        Column("Correlation"),
                        Column("Deals saved"),
                    ),
                    tuple(rows),
                ),
            ),
        ),
        (
            "Surely allows for looking at all measures at once (Holm, 5%).",
            _say_saved([d.saved for _, d in known.values() if d.saved is not None]),
        ),
        figures=figures,
    )


def _say_saved(saved: list[float]) -> str:
    if not saved:
        return "Nothing varies from deal to deal here, so the pairing saved nothing."
    return f"Both played the same deals, in the median worth {np.median(saved):.1f} times as many unlike ones."


def _strength(difference: Difference) -> float:
    e = difference.estimate
    return abs(e.value or 0.0) / max(e.se or 0.0, 1e-12)


def _say(label: str, metric: Metric, difference: Difference) -> str:
    unit = f" {metric.unit}" if metric.unit and metric.unit != label else ""
    sign = "+" if metric.kind != "pp" and (difference.estimate.value or 0.0) > 0 else ""
    return f"{label} {sign}{show(difference.estimate, metric.kind)}{unit}"


def _plain(kind: Kind) -> Kind:
    return "share" if kind == "pp" else kind
