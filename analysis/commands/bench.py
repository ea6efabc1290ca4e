"""`atlantis bench`: how fast games are played here, each figure beside its target.

What this imports at the top decides how long `--help` and Tab take: numba and polars come in later.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from sim.games import GAMES, find_game

if TYPE_CHECKING:
    from analysis.bench import Figure

BUSY = 0.5  # processes a core beside ours that spoil a measurement


def _complete_bench(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    from analysis.bench import BENCHES

    return [name for name in BENCHES if name.startswith(incomplete)]


@click.command()
@click.argument("game", metavar="[GAME]", default=next(iter(GAMES)), shell_complete=lambda *_: list(GAMES))
@click.option(
    "--only",
    multiple=True,
    metavar="NAME",
    shell_complete=_complete_bench,
    help="One measurement; may be given again. random, greedy, styles, search, writing, threads, help, first, "
    "compile, players, memory.",
)
@click.option(
    "--long",
    "with_long",
    is_flag=True,
    help="Let the players play each other, and compare the memory of a short and a long run, too.",
)
@click.option(
    "--long-run",
    type=click.IntRange(min=1),
    default=10_000_000,
    show_default=True,
    help="Games of that long run.",
)
@click.option(
    "--format", "output_format", type=click.Choice(["text", "json"]), default="text", show_default=True
)
def bench(game: str, only: tuple[str, ...], with_long: bool, long_run: int, output_format: str) -> None:
    """Measure how fast GAME is played on this machine, and say whether that meets the targets.

    Takes a few minutes; other programs running at the same time make the figures worse.

    \b
    atlantis bench
    atlantis bench --only random --only greedy
    atlantis bench atlantica --only players
    atlantis bench --long --format json
    """
    from analysis.bench import choose_benches, find_busyness, measure

    found = find_game(game)
    names = choose_benches(only, with_slow=with_long)
    if find_busyness() > BUSY:
        click.echo("Note: other programs keep this machine busy, so figures come out worse.", err=True)
    figures = []
    for figure in measure(found, names, long_run):
        figures.append(figure)
        if output_format == "text":
            click.echo(as_line(figure))
    if output_format == "json":
        click.echo(json.dumps([as_row(figure) for figure in figures], indent=1))


def as_line(figure: Figure) -> str:
    """A figure, its target and whether it is met, in a line."""
    line = f"{figure.name:<42} {figure.value:>9.4g} {figure.unit}"
    if figure.met is not None:
        line = f"{line:<71} {figure.bound:<7} {'met' if figure.met else 'missed'}"
    return f"{line}  {figure.note}" if figure.note else line


def as_row(figure: Figure) -> dict[str, Any]:
    """A figure as it is written to JSON."""
    return {
        "name": figure.name,
        "value": figure.value,
        "unit": figure.unit,
        "target": figure.bound,
        "met": figure.met,
        "note": figure.note,
    }
