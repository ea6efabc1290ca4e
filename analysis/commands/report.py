"""`atlantis report RUN`: a run folder as a page to read.

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
@click.argument("run", metavar="RUN", type=click.Path(path_type=Path))
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    help="The file to write; one that is there is replaced. [default: RUN/report.html; md and json go to stdout]",
)
@click.option("--format", "output_format", type=click.Choice(FORMATS), help="[default: by the ending of -o, else html]")
@click.option(
    "--delta",
    metavar="PP",
    default="1",
    show_default=True,
    help="How far from an even share still counts as balanced, in percentage points.",
)
def report(run: Path, output: Path | None, output_format: str | None, delta: str) -> None:
    """Turn the run in folder RUN into a report: one page that needs no other file and no network.

    A run that is still going on or was interrupted is reported as far as it got.

    \b
    atlantis report runs/base
    atlantis report runs/base -o report.html --delta 2
    atlantis report runs/base --format json
    """
    margin = _read_margin(delta)
    form = _choose_format(output, output_format)
    if output is None and form == "html":
        output = run / "report.html"
    if output is not None and output.is_dir():
        raise UserError(f"{output} is a folder; name a file to write with -o.")

    from analysis.frames import read_run
    from analysis.report import build_report, render

    found = read_run(run)
    with _progress() as progress:
        text = render(build_report(found, margin, progress), form)
    if output is None:
        click.echo(text, nl=False)
        return
    try:
        output.parent.mkdir(parents=True, exist_ok=True)
        output.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UserError(f"{output} cannot be written: {error.strerror}.") from error
    click.echo(str(output))


def _read_margin(text: str) -> float:
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
