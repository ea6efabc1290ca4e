"""What goes with a high place in the Senate? Credit by place in its order and by tokens in the pool."""

import numpy as np

from analysis import plots
from analysis.frames import Run
from analysis.intervals import Estimate
from analysis.page import Figure, Section, block
from analysis.plots import Mark
from analysis.questions.course import Sums, read_courses
from analysis.tables import Column, Table, percent, show

POOL_MOST = 10  # tokens: more are one row
ORDINALS = ("first", "second", "third", "fourth", "fifth")


def senate(run: Run, delta: float) -> Section:
    """Credit of the seats by place in the Senate order and by their tokens in the pool."""
    by_place, by_pool = find_credits(run)
    places, pools = list(by_place), list(by_pool)
    names = {place: ORDINALS[place - 1] for place in places}
    first = by_place[places[0]]
    sentence = (
        f"A seat that stands first in the Senate goes on to win {show(first, 'share')}, one that stands last "
        f"{show(by_place[places[-1]], 'share')}, where {percent(run.fair)} is even. That is company, not cause."
    )
    marks = [Mark(names[place], by_place[place]) for place in places]
    return Section(
        "senate",
        "What goes with a high place in the Senate?",
        sentence,
        (
            block(
                plots.draw_forest("senate", "Credit by place", marks, run.fair, delta),
                Table(
                    "credit_by_senate_place",
                    f"Credit by place in the Senate order, over all turns of {run.complete:,} games",
                    (Column("Place"), Column("Credit", "share"), Column("Against even", "pp")),
                    tuple((names[p], by_place[p], by_place[p].against(run.fair)) for p in places),
                ),
            ),
            block(
                Table(
                    "credit_by_pool",
                    "Credit by tokens in the Senate pool when the voting begins",
                    (
                        Column("Tokens"),
                        Column("Credit", "share"),
                        Column("Against even", "pp"),
                        Column("Seats", "count"),
                    ),
                    tuple(
                        (
                            f"{pool}" if pool < POOL_MOST else f"{POOL_MOST} or more",
                            by_pool[pool],
                            by_pool[pool].against(run.fair),
                            by_pool[pool].n,
                        )
                        for pool in pools
                    ),
                )
            ),
        ),
        ("A seat that is ahead can afford to bid; only forcing a bid on the same deals tells what one is worth.",),
        figures=tuple(Figure(f"{names[p]} in the Senate", by_place[p], "share", run.fair) for p in places),
    )


def find_credits(run: Run) -> tuple[dict[int, Estimate], dict[int, Estimate]]:
    """Mean credit by place in the Senate order, 1 the first, and by tokens in the pool, over all seats and turns."""
    sums = Sums()
    for course in read_courses(run, ("order", "pool")):
        game, turn, seat = np.nonzero(course.more["order"] > 0)
        credit = course.credit[game, seat]
        for name in ("order", "pool"):
            value = np.minimum(course.more[name][game, turn, seat], POOL_MOST)
            cell, size = game * (POOL_MOST + 1) + value, len(course.deal) * (POOL_MOST + 1)
            wins = np.bincount(cell, credit, size).reshape(len(course.deal), -1)
            times = np.bincount(cell, minlength=size).reshape(len(course.deal), -1)
            for code in np.flatnonzero(times.any(axis=0)):
                sums.add(f"{name} {code}", course.deal, wins[:, code], times[:, code])

    def read(name: str) -> dict[int, Estimate]:
        found = {int(key.split()[1]): sums.share(key) for key in sums.found if key.startswith(name)}
        return {value: e for value, e in sorted(found.items()) if e.value is not None}

    return read("order"), read("pool")
