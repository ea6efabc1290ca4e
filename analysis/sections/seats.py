"""Is a seat favoured, and who plays best? Credits against an even share, with the equivalence verdict."""

from collections.abc import Sequence

import polars as pl

from analysis import plots
from analysis.frames import Batch, Run
from analysis.intervals import Estimate, Moments, Verdict, Word, block_mean, judge
from analysis.page import Card, Figure, Section, Tone, block
from analysis.plots import Mark
from analysis.sections.common import SHADES, UNIT, colour_seats, name_seat, only_these, say_truncated
from analysis.tables import Cell, Column, Table, join_words, percent, plural, points, show
from sim.errors import UserError

TONES: dict[Word, Tone] = {
    Word.BALANCED: "good",
    Word.SMALL: "note",
    Word.BIASED: "bad",
    Word.UNDECIDED: "open",
    Word.NONE: "open",
}


def scan_whole_deals(batch: Batch) -> pl.LazyFrame:
    """Seats of the deals that were played in every seating; of all games where there is no such deal."""
    run = batch.run
    whole = run.manifest.games // run.arrangements
    seats = batch.scan("seats")
    return seats.filter(pl.col("deal") < whole) if whole and run.manifest.games % run.arrangements else seats


def find_seat_credits(run: Run) -> list[Estimate]:
    """Mean credit of each seat with its interval over deals, seat 0 first; games cut off are left out."""
    found = run.moments(scan_whole_deals, {"credit": (pl.col("credit"), None)}, by=["seat"])
    return [
        block_mean(found[(seat,)]["credit"] if (seat,) in found else Moments(), UNIT) for seat in range(run.players)
    ]


def check_credits(run: Run) -> None:
    """UserError unless the credits of every game sum to 1."""
    for batch in run.batches():
        wrong = (
            batch.scan("seats", truncated=True)
            .group_by("game")
            .agg(pl.col("credit").sum())
            .filter((pl.col("credit") - 1).abs() > 1e-9)
            .select(pl.len().alias("count"), pl.col("game").min())
            .collect(engine="streaming")
        )
        count, game = wrong.row(0)
        if count:
            raise UserError(
                f"{run.folder.path} is not sound: the credits of {plural(count, 'game')} do not sum to 1, "
                f"the first being game {game}."
            )


def seats(run: Run, delta: float) -> Section:
    """Is a seat favoured? Credit by seat against 1/k, with the equivalence verdict."""
    check_credits(run)
    credits = find_seat_credits(run)
    verdict = judge(credits, run.fair, delta)
    sentence = say_seats(credits, verdict, run.fair)
    doubtful = run.complete > 0 and run.truncated > delta * run.finished
    if doubtful:
        sentence += f" The {run.truncated:,} games that were cut off could change that."
    names = [name_seat(s) for s in range(run.players)]
    colours = colour_seats(run)
    marks = [Mark(*parts) for parts in zip(names, credits, colours)]
    columns = [Column("Seat"), Column("Credit", "share"), Column("Against even", "pp"), Column("Reading")]
    rows: list[tuple[Cell, ...]] = [
        (names[s], credits[s], credits[s].against(run.fair), say_reading(verdict, s, credits[s], run.fair))
        for s in range(run.players)
    ]
    if run.truncated:
        columns.append(Column("Worst and best case"))
        rows = [(*row, bound_credit(credit, run.truncated)) for row, credit in zip(rows, credits)]
    caveats = [
        "Credit is 1 for a winner and 1/k for each of k joint winners, after the tie-breaks of the rules.",
        "A reading allows for looking at all seats at once (Holm); an interval is for its own seat alone.",
        only_these(run),
    ]
    if run.truncated:
        caveats.insert(1, say_truncated(run))
    if run.manifest.games % run.arrangements:
        caveats.append("A last deal that was not planned in every seating is left out of the credits.")
    table = Table(
        "credit_by_seat",
        f"Credit by seat, n={credits[0].n:,} games in {plural(credits[0].blocks, 'deal')}; 95% intervals over deals",
        tuple(columns),
        tuple(rows),
        colours,
    )
    return Section(
        "seats",
        "Is it fair across seats?",
        sentence,
        (block(plots.draw_forest("seats", "Credit by seat", marks, run.fair, delta), table),),
        tuple(caveats),
        Card(
            "Is it fair across seats?",
            say_word(verdict),
            sentence,
            "open" if doubtful else TONES[verdict.word],
            plots.sketch_forest("card-seats", "Credit by seat", marks, run.fair, delta),
        ),
        tuple(Figure(name, credit, "share", run.fair) for name, credit in zip(names, credits)),
    )


def say_word(verdict: Verdict) -> str:
    """The verdict as the headline of a card."""
    margin = points(verdict.delta)
    words = {
        Word.BALANCED: f"Balanced within {margin}",
        Word.SMALL: f"Small bias, within {margin}",
        Word.BIASED: "Biased",
        Word.UNDECIDED: "Undecided",
        Word.NONE: "No finished game",
    }
    return words[verdict.word]


def say_seats(credits: Sequence[Estimate], verdict: Verdict, fair: float) -> str:
    """The sentence that a designer can quote."""
    if verdict.word is Word.NONE:
        return "No game ended by the rules, so nothing can be said about seats."
    margin = points(verdict.delta)
    values = [e.value or 0.0 for e in credits]
    least, most = percent(min(values)), percent(max(values))
    order = sorted(range(len(credits)), key=lambda s: -abs(values[s] - fair))
    n = f"n={credits[0].n:,}"
    if verdict.word is Word.BALANCED:
        return (
            f"Seats are balanced within {margin}: every seat wins {least} to {most} of games (even is "
            f"{percent(fair)}, {n})."
        )
    if verdict.word is Word.SMALL:
        told = [s for s in order if verdict.differs[s]]
        return (
            f"Small bias: {_list_seats(told, credits)}; even is {percent(fair)}, and every seat "
            f"is within {margin} of it ({n})."
        )
    if verdict.word is Word.BIASED:
        told = [s for s in order if verdict.readings[s] is Word.BIASED]
        return f"Seats are biased: {_list_seats(told, credits)}, where {percent(fair)} would be even ({n})."
    surely = [s for s in order if verdict.differs[s]]
    known = f" {_list_seats(surely, credits).capitalize()}; whether by more than {margin} is open." if surely else ""
    return (
        f"Undecided: about {plural(verdict.more_games or 1, 'more game', 'more games')} needed to tell "
        "whether every seat is within "
        f"{margin} of {percent(fair)}. So far seats win {least} to {most} of games ({n}).{known}"
    )


def _list_seats(seats: Sequence[int], credits: Sequence[Estimate]) -> str:
    return join_words([f"seat {s + 1} wins {show(credits[s], 'share')}" for s in seats])


def say_reading(verdict: Verdict, place: int, estimate: Estimate, target: float) -> str:
    """One row's reading: which way, how far."""
    margin = points(verdict.delta)
    word = verdict.readings[place]
    way = "above" if (estimate.value or 0.0) > target else "below"
    if word is Word.BALANCED:
        return f"even within {margin}"
    if word is Word.SMALL:
        return f"{way}, within {margin}"
    if word is Word.BIASED:
        return f"{way} by more than {margin}"
    if word is Word.NONE:
        return "no data"
    return f"{way}, size open" if verdict.differs[place] else "undecided"


def bound_credit(credit: Estimate, cut: int) -> str:
    """Worst and best case of a credit if all of `cut` games that were cut off had gone against or for it."""
    won, games = (credit.value or 0.0) * credit.n, credit.n + cut
    return f"{percent(won / games)} to {percent((won + cut) / games)}"


def policies(run: Run, delta: float) -> Section | None:
    """Credit by policy against its share of the seats, for lineups of several policies."""
    lineup = run.manifest.lineup
    tokens = list(dict.fromkeys(lineup))
    if len(tokens) < 2:
        return None
    ratio = {"credit": (pl.col("credit"), None)}
    by_policy = run.moments(scan_whole_deals, ratio, by=["policy"])
    by_both = run.moments(scan_whole_deals, ratio, by=["policy", "seat"])
    credits = [block_mean(by_policy.get((t,), {}).get("credit", Moments()), UNIT) for t in tokens]
    verdict = judge(credits, run.fair, delta)
    counts = [lineup.count(t) for t in tokens]
    colours = [SHADES[i % len(SHADES)] for i in range(len(tokens))]
    order = sorted(range(len(tokens)), key=lambda i: -(credits[i].value or 0.0))
    rows = tuple(
        (
            tokens[i],
            counts[i],
            percent(counts[i] / run.players),
            credits[i].against(0.0, counts[i]),
            credits[i],
            say_reading(verdict, i, credits[i], run.fair),
        )
        for i in order
    )
    grid: tuple[tuple[Cell, ...], ...] = tuple(
        (
            tokens[i],
            *(block_mean(by_both.get((tokens[i], s), {}).get("credit", Moments()), UNIT) for s in range(run.players)),
        )
        for i in order
    )
    marks = [Mark(tokens[i], credits[i], colours[i]) for i in order]
    best = order[0]
    if verdict.word is Word.NONE:
        sentence = "No game ended by the rules, so nothing can be said about the policies."
    else:
        sentence = (
            f"{tokens[best]} wins {show(credits[best].against(0.0, counts[best]), 'share')} of games from "
            f"{counts[best]} of {run.players} seats; its share would be "
            f"{percent(counts[best] / run.players)} "
            f"(n={run.complete:,})."
        )
    return Section(
        "policies",
        "Who plays best?",
        sentence,
        (
            block(
                plots.draw_forest("policies", "Credit per seat by policy", marks, run.fair, delta),
                Table(
                    "credit_by_policy",
                    "Wins by policy: together, against its share of the seats, and per seat it held",
                    (
                        Column("Policy"),
                        Column("Seats", "count"),
                        Column("Share", "text"),
                        Column("Wins", "share"),
                        Column("Per seat", "share"),
                        Column("Reading"),
                    ),
                    rows,
                    tuple(colours[i] for i in order),
                ),
            ),
            block(
                Table(
                    "credit_by_policy_and_seat",
                    "Credit of each policy on each seat",
                    (Column("Policy"), *(Column(name_seat(s), "share") for s in range(run.players))),
                    grid,
                ),
            ),
        ),
        (
            f"Every deal is played in each of the {run.arrangements} seatings; the deal is the unit of the intervals.",
            "A policy that wins more than its share plays better against these opponents; it says nothing "
            "about the seats.",
        ),
    )
