"""What a person is told while something takes its time: on stderr, and a bar only on a terminal."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click

from sim.games import Game


def announce_compiling(game: Game) -> None:
    """Say on stderr that the first use takes a while, if this machine has not compiled the game yet."""
    import kernels

    if not kernels.is_compiled(game.kernels):
        click.echo("compiling the game, once (about a minute)", err=True)


@contextmanager
def progress_bar(total: int) -> Iterator[Callable[[int], None] | None]:
    """A bar on stderr with games done, games a second and the time left; only on a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        BarColumn(),
        TextColumn("{task.completed:,.0f} of {task.total:,.0f} games"),
        TextColumn("{task.fields[rate]:,.0f} a second"),
        TimeRemainingColumn(),
    )
    began, first = time.monotonic(), -1
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("playing", total=total, rate=0)

        def show(games: int) -> None:
            nonlocal first
            first = games if first < 0 else first
            rate = (games - first) / max(time.monotonic() - began, 1e-9)
            bar.update(task, completed=games, rate=rate)

        yield show
