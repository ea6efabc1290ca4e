"""A game that a package brings goes through every command, as a person would type it."""

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from cli import atlantis

PLAY = ("--players", "2", "--seed", "3")


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Every command runs in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*words: str, code: int = 0) -> Result:
    """A command line; its exit code must be `code`."""
    result = CliRunner().invoke(atlantis, words, prog_name="atlantis")
    assert result.exit_code == code, result.output
    return result


def test_simulate_resume_and_report(here: Path) -> None:
    whole = ("simulate", "goofspiel", *PLAY, "--lineup", "greedy,random", "--games", "4000", "--detail", "turns")
    run(*whole, "-o", "one")
    run(*whole, "-o", "two")
    for part in (here / "two" / "games").glob("*.parquet"):
        if part.name != "part-000000.parquet":
            part.unlink()
    assert "simulate --resume" not in run("simulate", "--resume", "-o", "two").stdout
    import polars as pl

    for table in ("games", "seats", "turns"):
        one, two = (pl.read_parquet(here / name / table / "*.parquet") for name in ("one", "two"))
        assert one.equals(two), table
    run("report", "one", "-o", "page.html")
    page = (here / "page.html").read_text(encoding="utf-8")
    assert "Goofspiel" in page
    assert "Prizes" in page


def test_ask_finds_the_planted_seat_advantage() -> None:
    """With the lowest seat taking equal bids, seat 1 of two wins 74.9%: counted out in tests.tiny.truth."""
    from tests.tiny import truth

    exact = float(truth.credit(("random", "random"), lowest_takes=True)[0])
    asked = run("ask", "seat", "goofspiel", *PLAY, "--lineup", "random", "--games", "20000", "--set", "G01=lowest-seat")
    low, high = map(float, re.search(r"Seat 1\s+[\d.]+% \[([\d.]+), ([\d.]+)\]", asked.stdout).groups())
    assert low <= 100 * exact <= high
    assert 0 < high - low < 2
    fair = run("ask", "seat", "goofspiel", *PLAY, "--lineup", "random", "--games", "40000")
    assert "within 1 pp" in fair.stdout


def test_compare_finds_the_exact_difference() -> None:
    from tests.tiny import truth

    lowest = truth.credit(("random", "random"), lowest_takes=True)[0]
    exact = 100 * float(lowest - truth.credit(("random", "random"))[0])
    played = ("--lineup", "random", "--games", "20000", "--set", "G01=lowest-seat")
    told = run("compare", "goofspiel", *PLAY, *played).stdout
    low, high = map(float, re.search(r"Seat 1 credit.*?pp \[\+([\d.]+), \+([\d.]+)\]", told).groups())
    assert low <= exact <= high
    assert high - low < 2


def test_trace_tells_a_game_and_the_row_agrees(here: Path) -> None:
    import polars as pl

    run("simulate", "goofspiel", *PLAY, "--lineup", "greedy,random", "--games", "20", "-o", "one")
    told = run("trace", "one", "--game", "7").stdout
    seats = pl.read_parquet(here / "one" / "seats" / "*.parquet").filter(pl.col("game") == 7).sort("seat")
    assert f"Points: {', '.join(map(str, seats['vp'].to_list()))}." in told
    events = json.loads(run("trace", "one", "--game", "7", "--format", "json").stdout)
    assert [event["kind"] for event in events] == ["game", "turn", "turn", "turn", "end_game"]


def test_search_beats_random_and_is_fair() -> None:
    won = run("simulate", "goofspiel", *PLAY, "--lineup", "search:40,random", "--games", "600", "-o", "one").stdout
    assert float(re.search(r"search:40\s+([\d.]+)%", won)[1]) > 60
    assert "search:10 plays fair" in run("policies", "check", "goofspiel", "search:10", "--games", "12").stdout


def test_the_check_catches_a_policy_that_reads_the_next_prizes(here: Path) -> None:
    Path("peek.py").write_text(
        "from goofspiel.kernels import policy\n\n\n@policy\n"
        "def peek(state, rules, legal, n, weights, scratch):\n    return 0 if state.prizes[2] == 3 else n - 1\n"
    )
    assert "peek.py:peek peeks" in run("policies", "check", "goofspiel", "peek.py:peek", "--games", "12", code=1).stdout


def test_tune_and_tournament(here: Path) -> None:
    run("tune", "goofspiel", *PLAY, "--stages", "1", "--generations", "2", "--deals", "40", "-o", "found.toml")
    assert (here / "found.toml").is_file()
    met = run("tournament", "goofspiel", *PLAY, "--policies", "random,greedy,tuned", "--games", "600")
    assert "greedy" in met.stdout


def test_a_policy_of_ones_own_from_the_starting_point(here: Path) -> None:
    run("policies", "new", "goofspiel", "mine.py")
    run("policies", "check", "goofspiel", "mine.py:compiled", "--games", "12")
    run("simulate", "goofspiel", *PLAY, "--games", "24", "--lineup", "mine.py:Plain,greedy", "-o", "one")


@pytest.mark.parametrize("word", ["rules", "variants", "questions", "policies"])
def test_what_is_listed_of_a_game(word: str) -> None:
    assert run(word, "goofspiel").stdout.strip()


def test_every_question_of_the_tiny_game_is_answered(here: Path) -> None:
    listed = [line.split()[0] for line in run("questions", "goofspiel").stdout.splitlines() if "(" in line]
    asked = [name for name in listed if name not in ("variant", "scale")]  # which need two tables to compare
    assert len(asked) > 10
    answered = run("ask", ",".join(asked), "goofspiel", *PLAY, "--lineup", "random", "--games", "2000").stdout
    assert "Traceback" not in answered
    assert "No rule of this game breaks a tie:" in answered
