"""`atlantis compare` and `atlantis report A B`: differences are those of scipy on the same rows, and what cannot be
paired is scaled, compared as two samples, and said to be."""

import csv
import json
import re
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from click.core import ParameterSource
from click.testing import CliRunner, Result
from scipy import stats
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.weightstats import CompareMeans, DescrStatsW

from analysis.commands.compare import compare as command
from analysis.commands.compare import make_specs
from analysis.commands.report import report as report_command
from analysis.comparison import Comparison, build_comparison, compare_runs, name_runs, subtract
from analysis.frames import read_run
from analysis.intervals import Moments, block_mean
from analysis.report import render_html, render_json
from sim.errors import UserError
from tests.end_of_atlantis.test_report import Page
from tests.statistics.fake_run import Truth, write_run
from tests.statistics.test_frames import MIXED, read_parts

GAME = "end-of-atlantis"
PLAY = [GAME, "--players", "3", "--lineup", "random", "--games", "240"]


def run_command(*arguments: object) -> Result:
    result = CliRunner().invoke(command, [str(a) for a in arguments], catch_exceptions=False)
    assert result.exit_code == 0
    return result


def make_comparison(a: Path, b: Path) -> Comparison:
    first, second = read_run(a), read_run(b)
    return compare_runs(name_runs(first, second), first, second, 0.01)


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("runs") / "base"
    write_run(path, 2_000, Truth(head_start=(0, 0, 0, 0)), chunk=500)
    return path


@pytest.fixture(scope="module")
def ahead(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same draws, with two points more for seat 1."""
    path = tmp_path_factory.mktemp("runs") / "ahead"
    write_run(path, 2_000, Truth(head_start=(2, 0, 0, 0)), chunk=500)
    return path


@pytest.fixture(scope="module")
def made(base: Path, ahead: Path) -> Comparison:
    return make_comparison(base, ahead)


def measure(path: Path) -> dict[str, pd.Series]:
    """Some measures of a run of one game a deal, by game, worked out from its rows."""
    games, seats = read_parts(path, "games").set_index("game"), read_parts(path, "seats")
    by_game = seats.groupby("game")
    credits = {f"Seat {s + 1} credit": own.set_index("game").credit for s, own in seats.groupby("seat")}
    return {
        "turns": games.turns,
        "decisions": games.decisions,
        "games decided by tie-breaks": games.decided_by != 0,
        "VP a seat": by_game.vp.mean(),
        "refugees landed a seat": by_game.landed.mean(),
        **credits,
    }


# Paired


def test_paired_differences_are_those_of_scipy(base: Path, ahead: Path, made: Comparison) -> None:
    a, b = measure(base), measure(ahead)
    changes = {change.label: change for change in made.changes}
    for label in a:
        x, y = a[label].astype(float), b[label].astype(float)
        d = changes[label].difference
        assert d.estimate.value == pytest.approx((y - x).mean(), abs=1e-12)
        if (y - x).std() > 0:
            ends = stats.ttest_rel(y, x).confidence_interval(0.95)
            assert (d.estimate.low, d.estimate.high) == pytest.approx((ends.low, ends.high))
            assert d.correlation == pytest.approx(np.corrcoef(x, y)[0, 1])
            assert d.saved == pytest.approx((x.var() + y.var()) / (y - x).var())
            assert changes[label].size.value == pytest.approx((y - x).mean() / x.std())
    assert any(abs((b[label].astype(float) - a[label]).mean()) > 0 for label in a)


def test_surely_is_holm_over_every_measure(made: Comparison) -> None:
    known = made.known
    assert len(known) > 10
    p_values = [change.difference.estimate.p_differs(0.0) for change in known]
    assert [change.surely for change in known] == multipletests(p_values, 0.05, "holm")[0].tolist()
    sure = {change.label for change in made.sure}
    assert {"VP a seat", "Seat 1 credit"} <= sure
    assert not {"turns", "decisions", "refugees landed a seat"} & sure


def test_games_saved_are_what_unlike_deals_would_need_beyond(base: Path, ahead: Path, made: Comparison) -> None:
    rows = {row["measure"]: row for row in read_csv(base, ahead)}
    x, y = measure(base)["Seat 1 credit"], measure(ahead)["Seat 1 credit"]
    error = (y - x).std() / np.sqrt(len(x))
    needed = (x.var() + y.var()) / error**2  # deals of each of two unlike runs, for the same standard error
    assert rows["VP a seat"]["games_saved"] == ""  # two points more in every deal: nothing varies
    assert int(rows["Seat 1 credit"]["games_saved"]) == round(2 * needed - 2 * len(x))


def read_csv(*arguments: object) -> list[dict[str, str]]:
    return list(csv.DictReader(StringIO(run_command(*arguments, "--format", "csv").stdout)))


def test_runs_in_several_seatings_are_paired_by_deal(tmp_path: Path) -> None:
    for name, chances in (("a", (0.25, 0.25, 0.25, 0.25)), ("b", (0.35, 0.25, 0.2, 0.2))):
        write_run(tmp_path / name, 1_600, Truth(chances, sticky=0.3), MIXED, chunk=400)
    c = make_comparison(tmp_path / "a", tmp_path / "b")
    means = []
    for name in ("a", "b"):
        rows = read_parts(tmp_path / name, "seats")
        rows["deal"] = rows.game // read_run(tmp_path / name).arrangements
        means.append(rows[rows.seat == 0].groupby("deal").credit.mean())
    ends = stats.ttest_rel(means[1], means[0]).confidence_interval(0.95)
    found = next(change for change in c.changes if change.label == "Seat 1 credit").difference.estimate
    assert (found.low, found.high) == pytest.approx((ends.low, ends.high))
    assert not c.apart


# Not paired


def test_other_seeds_are_two_samples_and_said_to_be(tmp_path: Path, base: Path) -> None:
    write_run(tmp_path / "run", 1_000, Truth((0.4, 0.2, 0.2, 0.2)), seed=8, chunk=500)
    text = run_command(base, tmp_path / "run").stdout
    assert "Not paired: the seeds are 7 and 8" in text
    assert "Correlation" not in text
    x, y = measure(base)["VP a seat"], measure(tmp_path / "run")["VP a seat"]
    row = next(row for row in read_csv(base, tmp_path / "run") if row["measure"] == "VP a seat")
    error = CompareMeans(DescrStatsW(y), DescrStatsW(x)).std_meandiff_separatevar
    half = stats.t.ppf(0.975, len(y) - 1) * error
    ends = (float(row["difference low"]), float(row["difference high"]))
    assert ends == pytest.approx((y.mean() - x.mean() - half, y.mean() - x.mean() + half))


def test_players_are_compared_on_what_does_not_depend_on_their_number(tmp_path: Path) -> None:
    # seat 1 wins 1.6 times an even share in both; four seats win what is left
    write_run(tmp_path / "four", 6_000, Truth((0.4, 0.2, 0.2, 0.2)), detail="seats")
    write_run(tmp_path / "five", 6_000, Truth((0.32, 0.17, 0.17, 0.17, 0.17)), detail="seats", seed=9)
    c = make_comparison(tmp_path / "four", tmp_path / "five")
    changes = {change.label: change for change in c.changes}
    credit = changes["Seat 1 credit, of an even share"].difference
    for estimate in (credit.a, credit.b):
        assert estimate.low is not None
        assert estimate.low < 1.6 < estimate.high
    assert not changes["Seat 1 credit, of an even share"].surely
    assert changes["decisions a seat"].surely
    seats = read_parts(tmp_path / "five", "seats")
    mean = seats.groupby("game").vp.mean()
    first = seats[seats.seat == 0].set_index("game").vp
    vp = changes["Seat 1 VP, of the mean VP"].difference.b
    assert vp.value == pytest.approx(first.sum() / mean.sum())
    off = (first - vp.value * mean) / mean.mean()
    assert vp.se == pytest.approx(off.std() / np.sqrt(len(off)), rel=1e-3)
    assert vp.n == 6_000
    decisions = read_parts(tmp_path / "five", "games").decisions
    assert changes["decisions a seat"].difference.b.value == pytest.approx(decisions.mean() / 5)
    page = render_html(build_comparison(c))
    assert "Not paired: 4 and 5 players never meet the same deal." in page
    assert "scaled to an even share" in page


def test_unpaired_intervals_cover_as_often_as_they_say() -> None:
    rng, rounds = np.random.default_rng(3), 4_000
    hits = 0
    for _ in range(rounds):
        a, b = rng.normal(0, 3, 40), rng.normal(1, 1, 15)
        parts = (block_mean(Moments.of(v, np.ones(len(v)))) for v in (a, b))
        found = subtract(*parts).estimate
        assert found.low is not None
        hits += found.low <= 1 <= found.high
    error = np.sqrt(0.95 * 0.05 / rounds)
    assert 0.95 - 3 * error < hits / rounds < 0.95 + 6 * error  # the smaller sample's degrees of freedom: never too few


# What it says


def test_first_line_is_what_a_designer_quotes(base: Path, ahead: Path) -> None:
    first, *rest = run_command(base, ahead).stdout.splitlines()
    assert re.search(r"\d of \d+ measures surely change, .*Seat 1 credit \+\d+\.\d pp \[", first)
    assert first.endswith("(n = 2,000 deals).")
    assert re.search(r"seats are biased in both|seats: \w+", first)
    assert rest[0].split()[0] == "Measure"
    assert any("times as many unlike deals" in line for line in rest)


def test_every_format_tells_the_same_numbers(base: Path, ahead: Path, made: Comparison) -> None:
    told = json.loads(run_command(base, ahead, "--format", "json").stdout)
    rows = told["sections"]["changes"]["tables"]["differences"]["rows"]
    lines = read_csv(base, ahead)
    text, page = run_command(base, ahead, "--format", "md").stdout, Page(render_html(build_comparison(made)))
    assert told["run"]["paired"] is True
    assert len(rows) == len(lines) == len(made.known)
    [shown] = [cells for caption, cells in page.tables.items() if "paired deal by deal" in caption]
    for row, line, cells in zip(rows, lines, shown[1:]):
        assert line["measure"] == row[0] == cells[0]
        assert float(line["difference"]) == row[1]["value"]
        assert float(line["a"]) == row[2]["value"]
        assert f"| {' | '.join(cells)} |" in text.replace("\\", "")
    credit = next(cells for cells in shown if cells[0] == "Seat 1 credit")
    assert " pp [" in credit[1]
    assert "%" in credit[2]


def test_the_page_of_two_runs_is_well_formed_and_needs_nothing_else(base: Path, ahead: Path, tmp_path: Path) -> None:
    out = tmp_path / "page.html"
    said = CliRunner().invoke(report_command, [str(base), str(ahead), "-o", str(out)], catch_exceptions=False)
    assert said.stdout.strip() == str(out)
    html = out.read_text(encoding="utf-8")
    page = Page(html)
    assert page.open == []
    ids = [attrs["id"] for _, attrs in page.tags if "id" in attrs]
    assert len(ids) == len(set(ids))
    assert "http" not in html
    assert "<script" not in html
    links = [attrs.get("href") or "#answers" for _, attrs in page.tags]
    assert all(link.startswith("data:text/csv") or link[1:] in ids for link in links)
    assert not re.search(r"\b(nan|NaN|None|inf)\b", page.text)


def test_rules_that_differ_are_listed(tmp_path: Path) -> None:
    told = json.loads(run_command(*PLAY, "--set", "start_vp=5", "--keep", tmp_path, "--format", "json").stdout)
    [row] = told["sections"]["rules-changed"]["tables"]["rules_changed"]["rows"]
    assert row[0] == "start_vp"
    assert row[2] == "5"


@pytest.mark.parametrize("truth", [Truth(truncated=1.0), Truth((1.0, 0.0)), Truth(shared=1.0)])
@pytest.mark.parametrize("games", [1, 2, 40])
def test_little_or_odd_data_give_plain_words(tmp_path: Path, truth: Truth, games: int) -> None:
    for name in ("a", "b"):
        write_run(tmp_path / name, games, truth, chunk=50, seed=3)
    c = make_comparison(tmp_path / "a", tmp_path / "b")
    page = Page(render_html(build_comparison(c)))
    assert not re.search(r"\b(nan|NaN|None|inf)\b", page.text + run_command(tmp_path / "a", tmp_path / "b").stdout)
    assert json.loads(render_json(build_comparison(c)))["run"]["paired"] is True
    assert not c.sure  # the two are the same games


# The command


def specs(*arguments: str) -> tuple[dict[str, Any], dict[str, Any]]:
    with command.make_context("compare", list(arguments)) as context:
        given = {name for name in context.params if context.get_parameter_source(name) is ParameterSource.COMMANDLINE}
        a, b = make_specs(context.params, given)
    fields = ("players", "variants", "settings", "lineup")
    return tuple({f: getattr(side, f) for f in fields} for side in (a, b))  # type: ignore[return-value]


def test_without_against_the_rules_as_they_stand_come_first() -> None:
    a, b = specs(GAME, "--variant", "family", "--set", "start_vp=3", "--players", "5")
    assert a == {"players": 5, "variants": (), "settings": (), "lineup": "greedy"}
    assert b == {"players": 5, "variants": ("family",), "settings": ("start_vp=3",), "lineup": "greedy"}


@pytest.mark.parametrize(
    ("arguments", "changed"),
    [
        (["--against-players", "5"], {"players": 5}),
        (["--against-lineup", "random"], {"lineup": "random"}),
        (["--against-variant", "aggressive-neutrals"], {"variants": ("aggressive-neutrals",)}),
        (["--against-variant", "none"], {"variants": ()}),
        (["--against-set", "start_vp=3", "--against-variant", "none"], {"settings": ("start_vp=3",), "variants": ()}),
    ],
)
def test_against_replaces_one_thing_on_the_second_side(arguments: list[str], changed: dict[str, Any]) -> None:
    a, b = specs(GAME, "--variant", "family", *arguments)
    assert a == {"players": 4, "variants": ("family",), "settings": (), "lineup": "greedy"}
    assert b == {**a, **changed}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([GAME], "two sides that differ"),
        ([GAME, "--against-players", "4"], "two sides that differ"),
        ([GAME, "--against-lineup", "randm"], "no policy named randm"),
        ([GAME, "--against-variant", "famly"], "famly"),
        ([GAME, "RUN"], "one game, or two run folders"),
        (["RUN"], "one game or two run folders, and 1"),
        (["RUN", "RUN"], "the same run"),
        (["RUN", "nowhere"], "neither a run folder nor a game"),
        (["RUN", "RUN", "--against-players", "5"], "--against-players says what to play"),
        (["RUN", "RUN", "--set", "start_vp=3"], "--set says what to play"),
        (["RUN", "RUN", "-o", "page.pdf"], "--output is page.pdf"),
        (["RUN", "RUN", "--plot", "page.pdf"], "--plot is page.pdf"),
        (["RUN", "RUN", "--delta", "0"], "--delta"),
    ],
)
def test_what_cannot_be_is_explained(base: Path, tmp_path: Path, arguments: list[str], words: str) -> None:
    given = [str(base) if a == "RUN" else a for a in arguments]
    with pytest.raises(UserError, match=words):
        CliRunner().invoke(command, [*given, "--keep", str(tmp_path / "kept")], catch_exceptions=False)


def test_what_is_missing_is_played_once_and_ask_finds_it_too(tmp_path: Path) -> None:
    change = ["--set", "start_vp=5", "--keep", tmp_path]
    first = run_command(*PLAY, *change, "--plot", tmp_path / "plot.svg")
    assert first.stderr.count("playing 240 games") == 2
    assert "VP a seat +3.0" in first.stdout.splitlines()[0]  # random players do not mind their points
    assert (tmp_path / "plot.svg").read_bytes().startswith(b"<?xml")
    assert "playing" not in run_command(*PLAY, *change).stderr


def test_report_takes_no_more_than_two_runs(base: Path) -> None:
    with pytest.raises(UserError, match="one run, or two to compare, and 3"):
        CliRunner().invoke(report_command, [str(base)] * 3, catch_exceptions=False)
