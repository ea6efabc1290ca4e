"""Is the machinery itself sound? Checks that every run must pass, whatever the game is like."""

from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy import special

from analysis.frames import Run
from analysis.intervals import Moments, block_mean, holm
from analysis.page import Section, block
from analysis.questions.metrics import list_metrics, total_by_deal
from analysis.sections.common import name_seat, scan_seats
from analysis.sections.seats import check_credits
from analysis.tables import Column, Table, join_words, plural
from sim.errors import UserError

PARTS = 20
ALARM = 0.001  # chance that a sound run fails the checks on its parts, all of them together
FEWEST = 30  # deals a part: fewer and a z value is not normal


@dataclass(frozen=True)
class Check:
    """Something that must hold: whether it does, and what was found."""

    name: str
    sound: bool
    found: str


def audit(run: Run, delta: float) -> Section:
    """Credits, games counted once, twins, the same from part to part, VP that add up, seats that a mirror match
    cannot tell apart."""
    checks = [
        _credits(run),
        _numbered(run),
        *_rows(run),
        _twins(run),
        *_homogeneous(run),
    ]
    wrong = [check for check in checks if not check.sound]
    if wrong:
        sentence = f"Not sound: {join_words([f'{check.name} ({check.found})' for check in wrong])}."
    else:
        sentence = f"Sound: the run passes all {plural(len(checks), 'check')} (n={run.finished:,} games)."
    return Section(
        "audit",
        "Is the machinery itself sound?",
        sentence,
        (
            block(
                Table(
                    "checks",
                    f"Checks of {run.finished:,} games",
                    (Column("Check"), Column("Passed"), Column("Found")),
                    tuple((check.name, "yes" if check.sound else "NO", check.found) for check in checks),
                )
            ),
        ),
        (
            f"A sound run fails a check on its parts once in {1 / ALARM:,.0f} times, all of them together (Holm).",
            "Rows that agree with each other may still play the wrong rules: that is what the tests are for.",
        ),
    )


def _credits(run: Run) -> Check:
    try:
        check_credits(run)
    except UserError as error:
        return Check("credits sum to 1", False, str(error))
    return Check("credits sum to 1", True, "in every game")


def _numbered(run: Run) -> Check:
    seen = run.counts(lambda batch: batch.scan("games", True).select(wrong=_misnumbered(run)), "wrong")
    wrong = int(seen.filter(pl.col("wrong"))["count"].sum())
    games = sum(min(run.manifest.chunk, run.manifest.games - c * run.manifest.chunk) for c in run.chunks)
    distinct = sum(
        int(batch.scan("games", True).select(pl.col("game").n_unique()).collect().item()) for batch in run.batches()
    )
    found = f"{distinct:,} games, each once, {wrong:,} with another deal than their number's"
    return Check("each game is there once, on its own deal", distinct == run.finished == games and not wrong, found)


def _misnumbered(run: Run) -> pl.Expr:
    ways = run.arrangements
    return (pl.col("deal") != pl.col("game") // ways) | (pl.col("arrangement") != pl.col("game") % ways)


def _rows(run: Run) -> list[Check]:
    """What must hold in every row of a seat."""
    columns = [pl.col(column).cast(pl.Int64) for column in run.tables.COLUMNS["vp_by"]]
    off = {
        "who has credit is first": (pl.col("credit") > 0) != (pl.col("rank") == 1),
        "VP by source add up to the VP": pl.sum_horizontal(columns) != pl.col("vp").cast(pl.Int64),
    }
    found = run.moments(scan_seats, {name: (wrong, None) for name, wrong in off.items()})[()]
    return [Check(name, m.y == 0, f"{round(m.y):,} seats of which that is not so") for name, m in found.items()]


def _twins(run: Run) -> Check:
    """Games alike in every seat's decisions and points: one in many thousands may be, a share of them may not."""
    found = []
    for batch in run.batches():
        columns = [pl.col(name) for name in ("vp", "decisions", "waiting", *run.tables.COLUMNS["vp_by"])]
        marks = (
            batch.scan("seats")
            .select("game", mark=pl.struct([pl.col("seat"), *columns]).hash())
            .group_by("game")
            .agg(pl.col("mark").sort().hash().first())
        )
        found.append(marks.select("mark").collect(engine="streaming"))
    alike = run.complete - (pl.concat(found)["mark"].n_unique() if found else 0)
    most = max(1, run.finished // 1000)
    return Check("no game is played twice", alike <= most, f"{alike:,} games are like another in all counts")


def _homogeneous(run: Run) -> list[Check]:
    """A/A: the parts of the run tell the same story. A stuck generator or a chunk played twice would not."""
    metrics = [m for m in list_metrics(run) if m.label in ("turns", "VP a seat", f"{name_seat(0)} credit")]
    totals = total_by_deal(run, metrics)
    p_values = {m.label: compare_parts(*totals[m.label]) for m in metrics}
    known = {label: p for label, p in p_values.items() if p is not None}
    fallen = dict(zip(known, holm(list(known.values()), ALARM)))
    return [
        Check(f"the same {label} in every part of the run", not fallen.get(label, False), _say_parts(fallen.get(label)))
        for label in p_values
    ]


def _say_parts(differ: bool | None) -> str:
    if differ is None:
        return "too few deals to tell"
    return "parts differ more than chance has it" if differ else "parts differ as chance has it"


def compare_parts(y: NDArray[np.float64], x: NDArray[np.float64], parts: int = PARTS) -> float | None:
    """The p-value of "all parts of the run have one mean": chi-squared over their z values, None for too few deals."""
    y, x = y[x > 0], x[x > 0]
    parts = min(parts, len(y) // FEWEST)
    if parts < 2:
        return None
    whole = block_mean(Moments.of(y, x))
    if whole.value is None or not whole.se:
        return None
    off = (y - whole.value * x) / x.mean()
    variance = float(off @ off) / (len(off) - 1)
    means = [part.mean() * np.sqrt(len(part) / variance) for part in np.array_split(off, parts)]
    return float(special.chdtrc(parts - 1, float(np.square(means).sum())))
