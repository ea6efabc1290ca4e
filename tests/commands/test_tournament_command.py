"""`atlantis tournament`, end to end: what it plays, keeps and shows, and what it says to a mistake."""

import csv
import io
import json
import xml.etree.ElementTree as ET
from html.parser import HTMLParser
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from analysis.frames import read_run
from cli import atlantis
from sim.store import open_run
from tests.commands.test_cli import imported_by

GAMES = ("end-of-atlantis", "atlantica")
TWO = ("--policies", "random,greedy")


def run(*words: str) -> Result:
    return CliRunner().invoke(atlantis, ["tournament", *words], prog_name="atlantis")


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture(scope="module", params=GAMES)
def played(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    """A game, and a folder with a tournament of random and greedy in it."""
    folder = tmp_path_factory.mktemp(request.param) / "kept"
    result = run(request.param, *TWO, "--games", "120", "--seed", "3", "-o", str(folder))
    assert result.exit_code == 0, result.output
    assert "3 lineups, 360 games in all" in result.stderr
    return request.param, folder


def ask(played: tuple[str, Path], *more: str) -> Result:
    game, folder = played
    result = run(game, *TWO, "--games", "120", "--seed", "3", "-o", str(folder), *more)
    assert result.exit_code == 0, result.output
    return result


def test_greedy_dominates_random(played: tuple[str, Path]) -> None:
    lines = ask(played).stdout.splitlines()
    assert lines[0].startswith("greedy dominates: where they meet, a seat of it wins ")
    assert [line.split()[0] for line in lines[4:6]] == ["greedy", "random"]
    assert any("3 lineups (every lineup)" in line and "360 in all; seed 3." in line for line in lines)
    assert "\x1b" not in "".join(lines)


def test_it_plays_every_mix_in_every_seating_on_shared_deals(played: tuple[str, Path]) -> None:
    told = json.loads(ask(played, "--format", "json").stdout)["run"]
    assert {tuple(one["lineup"]) for one in told["lineups"]} == {
        ("random", "greedy", "greedy", "greedy"),
        ("greedy", "random", "random", "random"),
        ("random", "random", "greedy", "greedy"),
    }
    for one in told["lineups"]:
        manifest = open_run(Path(one["folder"])).manifest
        assert manifest.lineup == one["lineup"]
        assert len(manifest.arrangements) == (6 if one["lineup"].count("random") == 2 else 4)
        assert (manifest.seed, manifest.games, one["games"]) == (3, 120, 120)


def test_what_was_played_is_found_again(played: tuple[str, Path]) -> None:
    _, folder = played
    before = {part: part.stat().st_mtime_ns for part in folder.rglob("*.parquet")}
    first, again = ask(played).stdout, ask(played).stdout
    assert first == again
    assert {part: part.stat().st_mtime_ns for part in folder.rglob("*.parquet")} == before


def test_a_lost_part_is_played_again_to_the_same_end(played: tuple[str, Path]) -> None:
    first = ask(played).stdout
    lost = next(played[1].rglob("games/part-000001.parquet"))
    lost.unlink()
    assert ask(played).stdout == first
    assert lost.is_file()


def test_ctrl_c_says_that_the_same_command_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("sim.runner.play_threads", interrupt)
    result = run(GAMES[0], *TWO, "-n", "12")
    assert result.exit_code == 130
    assert "0 of 3 lineups are whole" in result.stderr
    assert "The same command goes on from there." in result.stderr


def test_json_has_the_credits_of_the_run_folders(played: tuple[str, Path]) -> None:
    told = json.loads(ask(played, "--format", "json").stdout)
    assert told["run"]["verdict"]["word"] == "dominates"
    assert told["run"]["verdict"]["policies"] == ["greedy"]
    assert told["run"]["verdict"]["more_games"] is None
    assert told["run"]["even"] == 0.25
    table = told["sections"]["dominance"]["tables"]["entries"]
    entries = {row[0]: dict(zip([c["title"] for c in table["columns"]], row)) for row in table["rows"]}
    for x, y in (("greedy", "random"), ("random", "greedy")):
        folder = next(one["folder"] for one in told["run"]["lineups"] if one["lineup"] == [x, y, y, y])
        found = read_run(Path(folder))
        seats = found.folder.scan("seats").collect().to_pandas()
        assert not found.truncated
        cell = entries[x][f"among {y}"]
        assert cell["value"] == pytest.approx(seats[seats["policy"] == x]["credit"].mean())
        assert (cell["n"], cell["blocks"]) == (120, 30)
        assert cell["low"] <= cell["value"] <= cell["high"]
    assert entries["greedy"]["among greedy"] == 0.25
    assert set(told["sections"]["fingerprints"]["tables"]) == {"traits_greedy", "traits_random"}


def test_csv_and_markdown_show_the_same_cells(played: tuple[str, Path]) -> None:
    told = json.loads(ask(played, "--format", "json").stdout)
    rows = list(csv.DictReader(io.StringIO(ask(played, "--format", "csv").stdout)))
    assert rows[0]["text"] == told["run"]["verdict"]["sentence"]
    cell = next(r for r in rows if (r["table"], r["row"], r["column"]) == ("standings", "greedy", "Credit"))
    mine = told["sections"]["standings"]["tables"]["standings"]["rows"][0][1]
    assert [float(cell[key]) for key in ("value", "low", "high")] == [mine[key] for key in ("value", "low", "high")]
    page = ask(played, "--format", "md").stdout
    assert "| One seat of | among greedy | among random |" in page
    assert f"{100 * mine['value']:.1f}%" in page


class Links(HTMLParser):
    """What a page fetches, where it points, and its ids."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.outside: list[str] = []
        self.inside: list[str] = []
        self.ids: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name == "id":
                self.ids.append(value or "")
            elif name in ("src", "href"):
                (self.inside if (value or "").startswith("#") else self.outside).append(value or "")
        assert tag not in ("script", "link", "img", "iframe")


def test_the_page_needs_nothing_else(played: tuple[str, Path]) -> None:
    result = ask(played, "--page", "out/page.html", "--plot", "out/heat.svg")
    assert result.stderr.splitlines()[-2:] == ["out/heat.svg", "out/page.html"]
    text = Path("out/page.html").read_text(encoding="utf-8")
    page = Links(text)
    assert [link for link in page.outside if not link.startswith("data:text/csv")] == []
    assert {link[1:] for link in page.inside} <= set(page.ids)
    assert len(page.ids) == len(set(page.ids))
    for key in ("dominance", "standings", "pairs", "fingerprints", "lineups", "rules", "methods", "again"):
        assert key in page.ids
    drawn = ET.parse("out/heat.svg").getroot()
    assert drawn.tag.endswith("svg")


def test_a_png_is_a_png(played: tuple[str, Path]) -> None:
    ask(played, "--plot", "heat.png")
    assert Path("heat.png").read_bytes().startswith(b"\x89PNG")


def test_three_players_and_a_policy_of_ones_own() -> None:
    Path("my.py").write_text(
        "from kernels.end_of_atlantis import policy\n\n\n"
        "@policy\ndef first(state, rules, legal, n, weights, scratch):\n    return 0\n"
    )
    words = ["end-of-atlantis", "--policies", "greedy,my.py:first,random", "-p", "3", "-n", "60", "--format", "json"]
    told = json.loads(run(*words, "--design", "pairs").stdout)
    assert len(told["run"]["lineups"]) == 6
    assert told["run"]["verdict"]["policies"] == ["greedy"]
    told = json.loads(run(*words).stdout)
    assert len(told["run"]["lineups"]) == 7
    assert told["run"]["even"] == pytest.approx(1 / 3)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["chess", *TWO], "Error: no game named chess"),
        ([GAMES[0], "--policies", "greedy"], "Error: a tournament needs at least 2 policies"),
        ([GAMES[0], "--policies", ","], "--policies is empty"),
        ([GAMES[0], "--policies", "greedy,random,greedy"], "names greedy twice"),
        ([GAMES[0], "--policies", "greedy,randm"], "Error: no policy named randm. Did you mean random?"),
        ([GAMES[0]], "Missing option '--policies'"),
        ([GAMES[0], *TWO, "-p", "9"], "2 to 5 players, got 9"),
        ([GAMES[0], *TWO, "-n", "5"], "alone has 6 seatings"),
        ([GAMES[0], *TWO, "--delta", "0"], "--delta is 0"),
        ([GAMES[0], *TWO, "--set", "start_vpp=3"], "start_vp"),
        ([GAMES[0], *TWO, "--plot", "heat.pdf"], "end it in .svg or .png"),
        ([GAMES[0], *TWO, "--page", "page.txt"], "end it in .html"),
        ([GAMES[0], *TWO, "--seed", "-1"], "seed -1 is out of range"),
        (
            [GAMES[0], "--policies", ",".join(f"search:{n}" for n in range(1, 9)), "-p", "5", "--design", "all"],
            "8 policies on 5 seats make 784 lineups, and a tournament plays at most 250",
        ),
    ],
)
def test_a_mistake_is_one_sentence_and_nothing_is_played(words: list[str], said: str) -> None:
    result = run(*words)
    assert result.exit_code == 2
    assert said in result.stderr
    assert result.stdout == ""
    assert not Path("runs").exists()


def test_help_imports_nothing_heavy() -> None:
    assert imported_by(["tournament", "--help"]) == set()
