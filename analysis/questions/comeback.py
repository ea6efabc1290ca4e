"""How often does the last at half-time win? Credit by rank halfway."""

import numpy as np

from analysis import plots
from analysis.frames import Run
from analysis.page import Figure, Section, block
from analysis.plots import Mark
from analysis.questions.course import Course, Numbers, Sums, read_courses
from analysis.tables import Column, Table, percent, show


def credit_by_rank(course: Course) -> Numbers:
    """Credit of each rank at half-time, shape (games, seats); seats level in VP share their ranks and credits."""
    games = np.arange(len(course.deal))
    vp = course.vp[games, np.maximum(course.turns // 2, 1) - 1]
    above = (vp[:, None, :] > vp[:, :, None]).sum(axis=2)
    level = (vp[:, None, :] == vp[:, :, None]).sum(axis=2)
    ranks = np.arange(vp.shape[1])
    holds = (above[:, :, None] <= ranks) & (ranks < (above + level)[:, :, None])
    return np.asarray(np.einsum("gs,gsr->gr", course.credit / level, holds.astype(float)))


def comeback(run: Run, delta: float) -> Section:
    """Credit by rank at half-time."""
    sums = Sums()
    for course in read_courses(run):
        credits = credit_by_rank(course)
        for rank in range(run.players):
            sums.add(str(rank), course.deal, credits[:, rank])
    wins = [sums.share(str(rank)) for rank in range(run.players)]
    names = [*("first", "second", "third", "fourth")[: run.players - 1], "last"]
    sentence = (
        f"Who is last at half-time wins {show(wins[-1], 'share')} of games, who is first {show(wins[0], 'share')}; "
        f"{percent(run.fair)} each would mean that half-time says nothing."
    )
    return Section(
        "comeback",
        "How often does the last at half-time win?",
        sentence,
        (
            block(
                plots.draw_bars(
                    "comeback", "Wins by rank", [Mark(n, w) for n, w in zip(names, wins)], "games won", "share"
                ),
                Table(
                    "credit_by_half_time_rank",
                    f"Games won by rank at half-time, n={run.complete:,}",
                    (Column("At half-time"), Column("Wins", "share"), Column("Against even", "pp")),
                    tuple((n, w, w.against(run.fair)) for n, w in zip(names, wins)),
                ),
            ),
        ),
        ("Half-time is after half of the turns, rounded down, and after the first at the earliest.",),
        figures=tuple(Figure(f"{n} at half-time", w, "share", run.fair) for n, w in zip(names, wins)),
    )
