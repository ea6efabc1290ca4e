"""Do the last turns still decide anything? How often the leader with some turns to go wins."""

import numpy as np

from analysis import plots
from analysis.frames import Run
from analysis.page import Card, Figure, Section, block
from analysis.plots import Mark
from analysis.questions.course import Sums, find_leads, read_courses
from analysis.questions.question import find_traits
from analysis.tables import Column, Table, percent, plural, show

BACK = 6  # turns before the end that are told of


def last_rounds(run: Run, delta: float) -> Section:
    """P(the leader wins) by turns to go and by turn, and since when the winner had led."""
    sums, last_turn = Sums(), 0
    for course in read_courses(run):
        leads = find_leads(course)
        last_turn = max(last_turn, course.vp.shape[1])
        games = np.arange(len(course.deal))
        led_on = np.ones(len(games), bool)
        for back in range(BACK):
            there = course.turns > back
            at = np.maximum(course.turns - 1 - back, 0)
            led_on &= leads.winner[games, at]
            sums.add(f"{back} to go", course.deal, leads.credit[games, at] * there, there)
            sums.add(f"led {back}", course.deal, led_on & there, there)
        for turn in range(course.vp.shape[1]):
            here = course.alive[:, turn]
            sums.add(f"turn {turn}", course.deal, leads.credit[:, turn] * here, here)
    backs = [back for back in range(BACK) if f"{back} to go" in sums.found and sums.found[f"{back} to go"].x > 0]
    wins = {back: sums.share(f"{back} to go") for back in backs}
    led = {back: sums.share(f"led {back}") for back in backs}
    before = 1 if 1 in wins else 0
    sentence = f"With {_say(before)} the leader goes on to win {show(wins[before], 'share')} of games"
    if 2 in wins:
        sentence += f", with {_say(2)} {show(wins[2].value, 'share')}"
    sentence += (
        f", where {percent(run.fair)} would mean that the lead says nothing; in {show(led[before].value, 'share')} of "
        "games the winner led then and ever after."
    )
    turns = [t for t in range(last_turn) if sums.found.get(f"turn {t}") and sums.found[f"turn {t}"].x > 0]
    rows = tuple((_say(back), wins[back], led[back], round(sums.found[f"{back} to go"].x)) for back in backs)
    by_turn = tuple((f"turn {t + 1}", sums.share(f"turn {t}"), round(sums.found[f"turn {t}"].x)) for t in turns[:20])
    marks = [Mark(_say(back), wins[back]) for back in backs]
    late = find_traits(run.game).end_vp
    caveats = [
        "Where several lead together, their mean credit counts.",
        *([f"Points that come after the last turn ({late}) are not in the scores by turn."] if late else []),
    ]
    return Section(
        "last-rounds",
        "Do the last turns still decide anything?",
        sentence,
        (
            block(
                plots.draw_bars("last-rounds", "The leader wins", marks, "games that the leader wins", "share", 1.0),
                Table(
                    "leader_by_turns_to_go",
                    f"How often the leader wins, n={run.complete:,} games",
                    (
                        Column("Turns to go"),
                        Column("Leader wins", "share"),
                        Column("Winner led ever after", "share"),
                        Column("Games", "count"),
                    ),
                    rows,
                ),
            ),
            block(
                Table(
                    "leader_by_turn",
                    "The same by turn",
                    (Column("After"), Column("Leader wins", "share"), Column("Games that reach it", "count")),
                    by_turn,
                )
            ),
        ),
        tuple(caveats),
        Card(
            "A dull end?",
            percent(wins[before].value or 0.0),
            sentence,
            "plain",
            plots.sketch_columns("card-last", "Leader wins by turns to go", [m.estimate.value or 0.0 for m in marks]),
        ),
        tuple(Figure(f"leader wins with {_say(back)}", wins[back]) for back in backs),
    )


def _say(back: int) -> str:
    return "no turn to go" if back == 0 else f"{plural(back, 'turn')} to go"
