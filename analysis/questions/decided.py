"""When is it over? The first turn after which the leader's chance of winning stays at 95% or more.

The chance is calibrated on the run itself, by period and by the lead in VP, and crosswise: games of even deals are
judged by those of odd deals and the other way round, so no game helps to judge itself.
"""

import numpy as np

from analysis import plots
from analysis.frames import Run
from analysis.page import Card, Figure, Section, block
from analysis.plots import Heap
from analysis.questions.course import Sums, Whole, find_leads, read_courses
from analysis.tables import Column, Table, percent, plural, show

SURE = 0.95
BANDS = np.array([*range(1, 13), 14, 16, 18, 20, 23, 26, 30, 35, 40, 50, 60, 80, 100])  # VP of lead; far ones are rare
PRIOR = 2  # games at an even share that every cell begins with: a cell seen a few times claims nothing
PERIODS = 12


def cut_turns(turns: Whole, depth: int) -> Whole:
    """The period of each turn: turns next to each other go together until a period has its share of all turns played,
    so that no cell is too thin to read a chance off."""
    played = (turns[:, None] > np.arange(depth)).sum(axis=0)
    before = (np.cumsum(played) - played) / max(1, int(played.sum()))
    return np.unique((before * PERIODS).astype(np.int64), return_inverse=True)[1].astype(np.int64)


def decided(run: Run, delta: float) -> Section:
    """How many games are over, in this sense, how many turns before they end."""
    kept = []
    for course in read_courses(run):
        leads = find_leads(course)
        kept.append((course.deal, course.turns, np.digitize(leads.lead, BANDS).astype(np.uint8), leads.credit))
    depth = max(lead.shape[1] for _, _, lead, _ in kept)
    periods = cut_turns(np.concatenate([turns for _, turns, _, _ in kept]), depth)
    width = len(BANDS) + 1
    cells = (int(periods[-1]) + 1) * width
    wins, seen = np.zeros((2, cells)), np.zeros((2, cells))
    for deal, turns, lead, credit in kept:
        alive = np.arange(lead.shape[1]) < turns[:, None]
        cell = periods[: lead.shape[1]] * width + lead
        for half in (0, 1):
            here = alive & (deal % 2 == half)[:, None]
            wins[half] += np.bincount(cell[here], credit[here], cells)
            seen[half] += np.bincount(cell[here], minlength=cells)
    chance = (wins[::-1] + PRIOR * run.fair) / (seen[::-1] + PRIOR)  # each half by the other

    sums = Sums()
    for deal, turns, lead, credit in kept:
        alive = np.arange(lead.shape[1]) < turns[:, None]
        cell = periods[: lead.shape[1]] * width + lead
        sure = (chance[(deal % 2)[:, None], cell] >= SURE) | ~alive
        stays = np.logical_and.accumulate(sure[:, ::-1], axis=1)[:, ::-1] & alive
        first = np.where(stays.any(axis=1), stays.argmax(axis=1), turns)  # turns: not before the end
        left = turns - 1 - first
        for back in range(depth):
            sums.add(f"left {back}", deal, left >= back)
        for turn in range(depth):
            sums.add(f"by {turn}", deal, first <= turn)
        ever = first < turns
        leader = credit[np.arange(len(deal)), np.minimum(first, turns - 1)]
        sums.add("right", deal, leader * ever, ever)
    early = sums.share("left 1")
    right = sums.share("right")
    told = [back for back in range(1, depth) if (sums.share(f"left {back}").value or 0) > 0.0005 or back < 3][:8]
    sentence = (
        f"{show(early, 'share')} of games are over before the last turn: from then on the leader's chance stays at "
        f"{SURE:.0%} or more"
        + (f"; {percent(sums.share('left 2').value or 0.0)} with two turns or more to go." if depth > 2 else ".")
    )
    turns_told = list(range(min(depth, 40)))
    reached = np.diff([0.0, *[sums.share(f"by {t}").value or 0.0 for t in turns_told]])
    heap = Heap(
        "",
        np.array([t + 1.0 for t in turns_told]),
        np.array([round(max(0.0, x) * run.complete) for x in reached], np.int64),
        None,
        plots.BLUE,
    )
    pictures = [plots.draw_steps("decided", "Decided by turn", heap, "turn")] if heap.counts.sum() else []
    return Section(
        "decided",
        "When is it over?",
        sentence,
        (
            block(
                *pictures,
                Table(
                    "decided_turns_left",
                    f"Games over with so many turns to go, n={run.complete:,}",
                    (Column("Turns to go, at least"), Column("Games", "share")),
                    tuple((plural(back, "turn"), sums.share(f"left {back}")) for back in told),
                ),
            ),
            block(
                Table(
                    "decided_by_turn",
                    "Games over after so many turns",
                    (Column("After"), Column("Games", "share")),
                    tuple((f"turn {t + 1}", sums.share(f"by {t}")) for t in turns_told[:20]),
                )
            ),
        ),
        (
            f"Checked: of the leaders called sure, {show(right, 'share')} won."
            if right.value is not None
            else "No leader was ever that sure.",
            "The chance is read off these games by turn and lead in VP, long games a few turns at a time; a player at "
            "the table sees more than that.",
        ),
        Card("When is it over?", percent(early.value or 0.0), sentence, "plain"),
        tuple(Figure(f"over with {plural(back, 'turn')} to go", sums.share(f"left {back}")) for back in told),
    )
