"""What nobody uses: how often each option was taken when it could be."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import polars as pl

from analysis import plots
from analysis.frames import Run
from analysis.intervals import block_mean
from analysis.page import Card, Section, block
from analysis.plots import Mark
from analysis.sections.common import UNIT, scan_seats
from analysis.tables import Column, Table, join_words, percent, plural, show

HARDLY = 0.01  # an option taken in fewer of its chances is hardly used


@dataclass(frozen=True)
class OptionGroup:
    """Options that belong together: a heading, a verb for all of them, and a label for each name in
    codes.OPTIONS.

    Verb and label together say what is done: "lay", "Refugees 1".
    """

    title: str
    verb: str
    labels: Mapping[str, str]


def options(run: Run, delta: float, groups: Sequence[OptionGroup]) -> Section:
    """What does nobody use? How often each option was taken when it could be."""
    names = list(run.codes.OPTIONS)
    found = run.moments(scan_seats, {name: (pl.col(f"chosen_{name}"), pl.col(f"legal_{name}")) for name in names})[()]
    labels = {name: label for group in groups for name, label in group.labels.items()}
    full = {name: name for name in names}
    full.update({name: f"{group.verb} {label}".strip() for group in groups for name, label in group.labels.items()})
    possible = [name for name in names if found[name].x > 0]
    unused = [name for name in possible if found[name].y == 0]
    impossible = [name for name in names if found[name].x == 0]
    rates = {name: block_mean(found[name], UNIT) for name in possible}
    seldom = sorted((name for name in possible if name not in unused), key=lambda name: rates[name].value or 0.0)

    tables = []
    other = OptionGroup("Other", "", {n: n for n in names if n not in labels})
    for place, group in enumerate([*groups, other]):
        here = [name for name in group.labels if name in rates]
        here.sort(key=lambda name: -(rates[name].value or 0.0))
        if here:
            columns = (
                Column("Option"),
                Column("Taken when possible", "bar"),
                Column("Chances a game", "number"),
            )
            rows = tuple((group.labels[n], rates[n], found[n].x / run.complete) for n in here)
            tables.append(Table(f"options_{place}", group.title, columns, rows))
    bottom = [
        Mark(full[n], rates[n], plots.VERMILLION if (rates[n].value or 0.0) < HARDLY else plots.BLUE)
        for n in [*unused, *seldom]
    ]
    picture = plots.draw_bars("options", "The least used options", bottom[:12], "taken when possible", "share")
    least = Table(
        "options_least",
        "The options least used, of all kinds",
        (Column("Option"), Column("Taken when possible", "share"), Column("Chances a game", "number")),
        tuple((full[n], rates[n], found[n].x / run.complete) for n in [*unused, *seldom][:12]),
    )
    blocks = [block(picture, least), block(*tables)] if tables else []
    few = [name for name in seldom if (rates[name].value or 0.0) < HARDLY]
    if not possible:
        sentence, answer = "No game ended by the rules, so no option can be judged.", "Unknown"
    elif unused:
        listed = join_words([full[n] for n in unused])
        sentence = f"Nobody ever used {len(unused)} of {len(possible)} options, though they could: {listed}."
        answer = plural(len(unused), "option")
    elif few:
        listed = join_words([full[n] for n in few])
        sentence = f"Every option finds a user; taken in less than {percent(HARDLY)} of chances: {listed}."
        answer = f"{len(few)} hardly"
    else:
        rate = show(rates[seldom[0]], "share")
        sentence = f"Every option finds a user; least of all {full[seldom[0]]}, taken in {rate} of chances."
        answer = "Nothing"
    caveats = [
        "An option that these policies leave alone may still suit other players: ask a better policy before cutting it."
    ]
    if impossible:
        caveats.append(f"Never possible in these games: {join_words([full[n] for n in impossible])}.")
    return Section(
        "options",
        "What does nobody use?",
        sentence,
        tuple(blocks),
        tuple(caveats),
        Card(
            "What is unused?",
            answer,
            sentence,
            "bad" if unused else "note" if few else "plain" if possible else "open",
            plots.sketch_bars("card-options", "The least used options", bottom[:4]) if bottom else None,
        ),
    )
