"""Does it hold for every number of players? The main measures by player count, credits against an even share."""

from collections.abc import Mapping

from analysis import plots
from analysis.frames import Run
from analysis.intervals import Moments, block_mean, judge
from analysis.page import Figure, Section, block
from analysis.plots import Mark
from analysis.questions.metrics import by_label, list_metrics, total_by_deal
from analysis.questions.question import Spec
from analysis.sections.common import name_seat
from analysis.sections.seats import find_seat_credits, say_word
from analysis.tables import Cell, Column, Table, join_words, show
from sim.errors import UserError
from sim.games import find_game

MEASURES = ("turns", "decisions", "VP a seat", "winner's lead", "games decided by tie-breaks")


def arms(spec: Spec) -> dict[str, Spec]:
    """The same with every number of players. UserError for a lineup that only fits one."""
    if "," in spec.lineup or "*" in spec.lineup:
        raise UserError(f"scale plays with every number of players, and the lineup {spec.lineup} fits only one.")
    return {f"{k} players": spec.but(players=k) for k in find_game(spec.game).players}


def scale(runs: Mapping[str, Run], delta: float) -> Section:
    """The seat farthest from even, in parts of an even share, and length, points and ties."""
    rows: list[tuple[Cell, ...]] = []
    figures: list[Figure] = []
    marks, words = [], []
    for label, run in runs.items():
        if not run.complete:
            continue
        credits = find_seat_credits(run)
        verdict = judge(credits, run.fair, delta)
        far = max(range(run.players), key=lambda s: abs((credits[s].value or 0.0) - run.fair))
        figures += [
            Figure(f"{label}: {name_seat(s).lower()}", credit.against(1.0, run.players), "share", 0.0)
            for s, credit in enumerate(credits)
        ]
        metrics = by_label(list_metrics(run))
        totals = total_by_deal(run, [metrics[name] for name in MEASURES])
        means = {}
        for name, (y, x) in totals.items():
            means[name] = block_mean(Moments.of(y[x > 0], x[x > 0]))
        marks.append(Mark(label, means["decisions"]))
        words.append(f"with {label} {say_word(verdict).lower()}")
        rows.append(
            (
                label,
                credits[far].against(1.0, run.players),
                name_seat(far),
                say_word(verdict),
                *(show(means[name], "share" if "tie" in name else "fine") for name in MEASURES),
            )
        )
    if not rows:
        return Section("scale", "Does it hold for every number of players?", "No game ended by the rules.")
    return Section(
        "scale",
        "Does it hold for every number of players?",
        f"Seats: {join_words(words)}.",
        (
            block(
                plots.draw_bars("scale", "Decisions a game", marks, "decisions a game", "number"),
                Table(
                    "by_players",
                    "By number of players; a seat's advantage is in parts of an even share",
                    (
                        Column("Players"),
                        Column("Seat farthest off", "share"),
                        Column("Which"),
                        Column("Seats"),
                        *(Column(name[:1].upper() + name[1:]) for name in MEASURES),
                    ),
                    tuple(rows),
                ),
            ),
        ),
        ("An advantage of 10% is a win rate of 55% with two players and of 27.5% with four.",),
        figures=tuple(figures),
    )
