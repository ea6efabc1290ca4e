"""`atlantis report RUN` and `atlantis report RUN RUN`: a run folder, or two compared, as a page to read.

What this imports at the top decides how long `--help` and Tab take: polars and matplotlib come in later.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal, cast

import click

from sim.errors import UserError

FORMATS = ("html", "md", "json")
SUFFIXES = {".html": "html", ".htm": "html", ".md": "md", ".markdown": "md", ".json": "json"}


@click.command()
@click.argument("runs", metavar="RUN [RUN]", type=click.Path(path_type=Path), nargs=-1, required=True)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    help="The file to write; one that is there is replaced. [default: RUN/report.html, for two the second "
    "RUN/comparison.html; md and json go to stdout]",
)
@click.option("--format", "output_format", type=click.Choice(FORMATS), help="[default: by the ending of -o, else html]")
@click.option(
    "--delta",
    metavar="PP",
    default="1",
    show_default=True,
    help="How far from an even share still counts as balanced, in percentage points.",
)
@click.option(
    "--every-game",
    is_flag=True,
    help="Read every game of a large run for every section. [default: for the first screen and the verdicts]",
)
def report(
    runs: tuple[Path, ...], output: Path | None, output_format: str | None, delta: str, every_game: bool
) -> None:
    """Turn the run in folder RUN into a report: one page that needs no other file and no network.

    Two runs become a page on what the second changes against the first. A run that is still going on or was
    interrupted is reported as far as it got.

    \b
    atlantis report runs/base
    atlantis report runs/base -o report.html --delta 2
    atlantis report runs/base --format json
    atlantis report runs/base runs/variant -o comparison.html
    """
    margin = read_margin(delta)
    form = _choose_format(output, output_format)
    if len(runs) > 2:
        raise UserError(f"report takes one run, or two to compare, and {len(runs)} are given.")
    if output is None and form == "html":
        output = runs[-1] / ("report.html" if len(runs) == 1 else "comparison.html")
    if output is not None and output.is_dir():
        raise UserError(f"{output} is a folder; name a file to write with -o.")

    text = _make_text(runs, form, margin, every_game)
    if output is None:
        click.echo(text, nl=False)
        return
    try:
        output.parent.mkdir(parents=True, exist_ok=True)
        output.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UserError(f"{output} cannot be written: {error.strerror}.") from error
    click.echo(str(output))


def _make_text(
    runs: tuple[Path, ...], form: Literal["html", "md", "json"], margin: float, every_game: bool
) -> str:
    from analysis.frames import read_run

    found = [read_run(path) for path in runs]
    if len(found) == 2:
        from analysis.comparison import compare_runs, name_runs, render_comparison

        a, b = found
        return render_comparison(compare_runs(name_runs(a, b), a, b, margin), form)
    from analysis.balance import ENOUGH, build_report
    from analysis.report import render

    [run] = found
    with _progress() as progress:
        return render(build_report(run, margin, progress, run.manifest.games if every_game else ENOUGH), form)


def read_margin(text: str) -> float:
    """`1`, `0.5` or `2pp` as a fraction. UserError where that is no sensible margin."""
    try:
        margin = float(text.strip().removesuffix("pp").strip())
    except ValueError:
        margin = -1.0
    if not 0 < margin < 50:
        raise UserError(f"--delta is {text}: it needs percentage points above 0 and below 50, for example 1 or 0.5.")
    return margin / 100


def _choose_format(output: Path | None, asked: str | None) -> Literal["html", "md", "json"]:
    by_ending = SUFFIXES.get(output.suffix.lower()) if output else "html"
    form = asked or by_ending
    if form is None:
        raise UserError(f"{output} does not say its format: end it in .html, .md or .json, or give --format.")
    return cast(Literal["html", "md", "json"], form)


@contextmanager
def _progress() -> Iterator[Callable[[int, int], None] | None]:
    """A bar on stderr while sections are computed; nothing if stderr is not a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn

    with Progress(TextColumn("reading"), BarColumn(), console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("reading", total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
