"""Do the tests notice a wrong rule? Mistakes, planted one at a time in a copy of the kernels: forty a game, and some in
what all games share.

`python -m tests.machinery.mutants` runs the detectors below on each copy, the cheapest first, until one fails, and
prints which one it was. The kernels run as plain Python (NUMBA_DISABLE_JIT), so nothing is compiled, and the copies
have a cache folder of their own, so that they push nobody's compiled code out. A list is a file mutants.toml in
a folder of tests: `[[detector]]`, the tests to run, cheapest first, and `[[mutant]]`, the mistakes.
"""

import os
import re
import shutil
import subprocess
import sys
import time
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import click

ROOT = Path(__file__).parent.parent.parent
COPIED = ("kernels", "sim", "tests", "pyproject.toml")
MOST_SURVIVORS = 2
PATIENCE = 900  # seconds for one detector; the slowest takes about 80 on sound kernels
FAILED = re.compile(r"^FAILED \S+?::(.+?)(?: - .*)?$", re.MULTILINE)
NO_RULE = re.compile(r"^E +((NameError|UnboundLocalError|ImportError|AttributeError).*)", re.MULTILINE)


class Mutant(NamedTuple):
    """One mistake: `old`, which stands exactly once in `file` (below kernels/), becomes `new`."""

    name: str
    rule: str
    file: str
    old: str
    new: str
    why: str = ""


class Detector(NamedTuple):
    """Part of the test suite, as arguments of pytest."""

    name: str
    tests: tuple[str, ...]


class Verdict(NamedTuple):
    """What became of a mutant; `caught_by` is empty where nothing failed."""

    caught_by: str
    test: str
    seconds: float


class Plan(NamedTuple):
    """The mistakes of one list, and what should notice them."""

    detectors: tuple[Detector, ...]
    mutants: tuple[Mutant, ...]


class UnfitError(Exception):
    """A mutant or a copy that proves nothing; the message says why."""


def list_plans() -> dict[str, Path]:
    """The lists there are, by the name of their folder."""
    return {path.parent.name: path for path in sorted((ROOT / "tests").glob("*/mutants.toml"))}


def read_plan(name: str) -> Plan:
    """The list of a game's package, or `contract` for what all games share."""
    with list_plans()[name].open("rb") as file:
        read = tomllib.load(file)
    detectors = tuple(Detector(entry["name"], tuple(entry["tests"])) for entry in read["detector"])
    return Plan(detectors, tuple(Mutant(**entry) for entry in read["mutant"]))


def mutate(mutant: Mutant, source: str) -> str:
    """The module's text with the mistake in it. Raises UnfitError unless the old text stands there exactly once."""
    times = source.count(mutant.old)
    if times != 1:
        raise UnfitError(f"{mutant.name}: its old text stands {times} times in kernels/{mutant.file}, not once")
    return source.replace(mutant.old, mutant.new)


def copy_project(source: Path, target: Path) -> None:
    """What the detectors need, without anything compiled."""
    for name in COPIED:
        if (source / name).is_dir():
            shutil.copytree(source / name, target / name, ignore=shutil.ignore_patterns("__pycache__", "golden"))
        else:
            shutil.copy(source / name, target / name)


def plant(mutant: Mutant, source: Path, target: Path) -> None:
    """A copy of the project with this mistake in its kernels."""
    copy_project(source, target)
    module = target / "kernels" / mutant.file
    module.write_text(mutate(mutant, module.read_text(encoding="utf-8")), encoding="utf-8")


def run(copy: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Python in a copy, which comes first on its path, with a cache of its own beside it."""
    own = {"PYTHONPATH": str(copy), "NUMBA_DISABLE_JIT": "1", "NUMBA_CACHE_DIR": str(copy / "cache")}
    kept = {name: value for name, value in os.environ.items() if name not in ("LOCKSTEP_GAMES", "PYTEST_ADDOPTS")}
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=copy,
        env={**kept, **own},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


def find_failure(copy: Path, detector: Detector) -> str:
    """The first test of a detector that fails in this copy, or "" if none does. Raises UnfitError as read_failure."""
    try:
        ended = run(copy, "-m", "pytest", "-x", "-p", "no:cacheprovider", "--color=no", *detector.tests)
    except subprocess.TimeoutExpired:
        return "never ends"
    return read_failure(ended.returncode, ended.stdout)


def read_failure(code: int, told: str) -> str:
    """The test that failed, out of pytest's exit code and output; "" if none did.

    Raises UnfitError if the tests could not run, or if one failed by a slip in the mutant's Python and not by a rule.
    """
    if code == 0:
        return ""
    failed, slip = FAILED.search(told), NO_RULE.search(told)
    if code != 1 or failed is None:
        raise UnfitError(f"the tests could not run:\n{told[-2000:]}")
    if slip is not None:
        raise UnfitError(f"{failed[1]} failed, but not by a rule: {slip[1]}")
    return failed[1]


def judge(mutant: Mutant, detectors: tuple[Detector, ...], source: Path = ROOT) -> Verdict:
    """Plant a mutant in a copy of the project in `source` and run the detectors until one fails."""
    start = time.monotonic()
    with TemporaryDirectory(prefix="mutant-") as folder:
        plant(mutant, source, Path(folder))
        for detector in detectors:
            test = find_failure(Path(folder), detector)
            if test:
                return Verdict(detector.name, test, time.monotonic() - start)
    return Verdict("", "", time.monotonic() - start)


def check_sound(detector: Detector, source: Path) -> None:
    """The detector finds nothing where nothing is planted, and it is the copy it looks at. Raises UnfitError."""
    with TemporaryDirectory(prefix="mutant-") as folder:
        copy = Path(folder)
        copy_project(source, copy)
        found = run(copy, "-c", "import kernels; print(kernels.__file__)").stdout.strip()
        if Path(found).resolve().parent != (copy / "kernels").resolve():
            raise UnfitError(f"The tests would not meet the copied kernels but {found}")
        test = find_failure(copy, detector)
        if test:
            raise UnfitError(f"{detector.name} fails on the kernels as they are: {test}")


def format_table(judged: list[tuple[Mutant, Verdict]]) -> str:
    """A line for each mutant, then who survived and why, then the count."""
    rows = [("mutant", "rule", "caught by", "seconds")]
    for mutant, verdict in judged:
        by = f"{verdict.caught_by}: {verdict.test}" if verdict.caught_by else "nothing"
        rows.append((mutant.name, mutant.rule, by, f"{verdict.seconds:.0f}"))
    wide = [max(len(row[column]) for row in rows) for column in range(3)]
    lines = ["  ".join((*(cell.ljust(width) for cell, width in zip(row, wide)), row[3].rjust(7))) for row in rows]
    survivors = [mutant for mutant, verdict in judged if not verdict.caught_by]
    lines += [f"\nsurvived: {mutant.name}\n  {mutant.why or 'The list does not say why.'}" for mutant in survivors]
    caught = len(judged) - len(survivors)
    return "\n".join([*lines, f"\ncaught {caught} of {len(judged)}"])


@click.command()
@click.argument("lists", nargs=-1, type=click.Choice(list(list_plans())))
@click.option("--only", multiple=True, metavar="TEXT", help="Only mutants with this in their name or file.")
@click.option("--by", multiple=True, metavar="NAME", help="Only this detector; may be repeated.")
@click.option("--jobs", default=2, show_default=True, type=click.IntRange(1), help="Mutants at a time.")
def main(lists: tuple[str, ...], only: tuple[str, ...], by: tuple[str, ...], jobs: int) -> None:
    """Plant mistakes in a copy of the kernels and see which of the tests notices each; all LISTS if none is named.

    Exit code 1 if more than two of a list go unnoticed (with --only: if any does), 2 if nothing could be found out.
    """
    failed = False
    for name in lists or list_plans():
        plan = read_plan(name)
        mutants = [m for m in plan.mutants if not only or any(text in m.name or text in m.file for text in only)]
        detectors = tuple(detector for detector in plan.detectors if not by or detector.name in by)
        if mutants and detectors:
            click.echo(f"== {name}", err=True)
            failed |= not try_all(mutants, detectors, jobs, 0 if only else MOST_SURVIVORS)
        elif len(lists) == 1:
            raise click.UsageError(f"No mutant of {name} has {' or '.join(only)} in its name or file.")
    sys.exit(int(failed))


def try_all(mutants: list[Mutant], detectors: tuple[Detector, ...], jobs: int, most: int) -> bool:
    """Judge mutants, print the table; whether at most `most` survived. Exit code 2 where nothing can be found out."""
    with TemporaryDirectory(prefix="mutants-") as folder, ThreadPoolExecutor(jobs) as pool:
        source = Path(folder)  # one state of the project for all, though somebody may be at work on it
        copy_project(ROOT, source)
        judged = []
        try:
            list(pool.map(lambda detector: check_sound(detector, source), detectors))
            for mutant, verdict in zip(mutants, pool.map(lambda mutant: judge(mutant, detectors, source), mutants)):
                judged.append((mutant, verdict))
                told = f"{verdict.caught_by}: {verdict.test}" if verdict.caught_by else "survived"
                click.echo(f"{len(judged):2} of {len(mutants)}  {mutant.name}: {told}", err=True)
        except UnfitError as error:
            pool.shutdown(cancel_futures=True)
            click.echo(f"Error: {error}", err=True)
            sys.exit(2)
    click.echo(format_table(judged))
    return sum(not verdict.caught_by for _, verdict in judged) <= most


if __name__ == "__main__":
    main()
