"""`atlantis ask` and `atlantis questions`: what is played, what is kept and found again, and what is refused."""

import csv
import json
import re
from io import StringIO
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result

from analysis.commands.ask import ask as command
from analysis.commands.questions import questions as list_command
from analysis.frames import Run, read_run
from analysis.questions import QUESTIONS
from analysis.questions.question import Spec
from analysis.questions.seat import watch
from analysis.questions.supply import Supply, name_run, plan_spec, spec_of
from analysis.questions.until import Rule, parse_rule, play_until, sum_chunks
from sim.errors import UserError
from sim.games import find_game
from tests.statistics.fake_run import Truth, write_run
from tests.statistics.test_frames import MIXED, read_parts

GAME = "end-of-atlantis"
PLAY = [GAME, "--players", "3", "--lineup", "random", "--games", "240"]


def run_command(*arguments: object) -> Result:
    result = CliRunner().invoke(command, [str(a) for a in arguments], catch_exceptions=False)
    assert result.exit_code == 0
    return result


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("runs") / "base"
    write_run(path, 2_000, Truth((0.4, 0.2, 0.2, 0.2)), chunk=500)
    return path


# From a run


def test_first_line_is_the_verdict_and_later_ones_the_reasons(base: Path) -> None:
    lines = run_command("seat", base).stdout.splitlines()
    assert re.match(r"Seats are biased: seat 1 wins 4\d\.\d% \[", lines[0])
    assert lines[1].split()[:2] == ["Seat", "Credit"]
    assert any(line.startswith(" n = 2,000 games in 2,000 deals") for line in lines)
    assert any("add --mix LINEUP" in line for line in lines)


def test_several_questions_are_answered_in_their_order(base: Path) -> None:
    told = json.loads(run_command("ties,seat,length", base, "--format", "json").stdout)
    assert [one["question"] for one in told["answers"]] == ["ties", "seat", "length"]


def test_margin_decides_the_verdict(base: Path) -> None:
    said = [run_command("seat", base, "--delta", delta).stdout for delta in ("1pp", "25")]
    assert [text.split()[0] for text in said] == ["Seats", "Small"]


def test_csv_is_one_line_a_number(base: Path) -> None:
    rows = list(csv.DictReader(StringIO(run_command("seat", base, "--format", "csv").stdout)))
    credit = {r["row"]: float(r["value"]) for r in rows if r["column"] == "Credit"}
    seats = read_parts(base, "seats").groupby("seat").credit.mean()
    assert list(credit.values()) == pytest.approx(seats.tolist())


@pytest.mark.parametrize(("ending", "beginning"), [("svg", b"<?xml"), ("png", b"\x89PNG")])
def test_plot_is_a_file_of_its_own(base: Path, tmp_path: Path, ending: str, beginning: bytes) -> None:
    file = tmp_path / "deep" / f"seat.{ending}"
    run_command("seat", base, "--plot", file)
    content = file.read_bytes()
    assert content.startswith(beginning)
    if ending == "svg":  # the page's own colours and variables mean nothing in a file
        assert not re.search(rb"#010203|#040506|#070809|#0a0b0c|var\(", content)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["seat", "RUN", "--seed", "3"], "--seed says what to play"),
        (["seat", "RUN", "--set", "start_vp=3"], "--set says what to play"),
        (["seat", "RUN", "--until", "decided"], "needs a game and not a run"),
        (["seat", "RUN", "RUN2"], "asked of one run at a time, and 2 are given"),
        (["seat", "RUN", GAME], "one game, or run folders, not both"),
        (["seat", "RUN", "RUN2", "--mix", "random"], "give one run folder"),
        (["seat", "end-of-atlants"], "Did you mean end-of-atlantis"),
        (["sea", "RUN"], "Did you mean seat"),
        (["seat,length", "RUN", "--plot", "x.svg"], "draws one question"),
        (["seat", "RUN", "--plot", "x.pdf"], r"\.svg or \.png"),
        (["seat", "RUN", "--delta", "0"], "--delta"),
        (["length", GAME, "--until", "decided"], "It works for: seat, ties"),
        (["ties", GAME, "--until", "soon"], "takes decided, or a half width"),
        (["variant", GAME], "say what changes with --variant"),
        (["scale", GAME, "--lineup", "greedy*3,random"], "fits only one"),
        (["seat", GAME, "--lineup", "randm"], "no policy named randm"),
    ],
)
def test_what_cannot_be_is_explained(base: Path, tmp_path: Path, arguments: list[str], words: str) -> None:
    write_run(tmp_path / "other", 40)
    paths = {"RUN": str(base), "RUN2": str(tmp_path / "other")}
    given = [paths.get(a, a) for a in arguments]
    with pytest.raises(UserError, match=words):
        CliRunner().invoke(command, [*given, "--keep", str(tmp_path / "kept")], catch_exceptions=False)


def test_a_question_the_game_does_not_know_gets_a_sentence() -> None:
    assert run_command("sets", GAME).stdout == "End of Atlantis has no treasures to collect in sets.\n"


# Played, kept, found again


def test_what_is_missing_is_played_once_and_found_again(tmp_path: Path) -> None:
    first = run_command("seat,ties", *PLAY, "--keep", tmp_path)
    again = run_command("seat", *PLAY, "--keep", tmp_path)
    assert first.stderr.count("playing 240 games") == 1
    assert "playing" not in again.stderr
    assert first.stdout.startswith(again.stdout)
    [folder] = tmp_path.iterdir()
    assert folder.name.startswith("end-of-atlantis-3-random-seed1-240-seats-")
    assert read_run(folder).finished == 240


def test_more_detail_than_needed_will_do_and_less_is_played_anew(tmp_path: Path) -> None:
    run_command("comeback", *PLAY, "--keep", tmp_path)
    assert "playing" not in run_command("seat", *PLAY, "--keep", tmp_path).stderr
    run_command("seat", *PLAY, "--seed", 2, "--keep", tmp_path)
    assert "playing 240 games" in run_command("comeback", *PLAY, "--seed", 2, "--keep", tmp_path).stderr


@pytest.mark.parametrize(
    "changes",
    [
        {"seed": 2},
        {"games": 200},
        {"players": 4},
        {"variants": ("family",)},
        {"settings": ("start_vp=3",)},
        {"detail": "turns"},
        {"replicate": 1},
        {"lineup": "random*2,greedy"},
    ],
)
def test_whatever_decides_the_rows_is_in_the_name(changes: dict[str, object]) -> None:
    spec = Spec(GAME, players=3, lineup="random", games=240)
    names = [name_run(s, plan_spec(s)) for s in (spec, spec.but(), spec.but(**changes))]
    assert names[0] == names[1] != names[2]


def test_a_kept_run_tells_the_spec_it_came_from(tmp_path: Path) -> None:
    spec = Spec(GAME, players=3, lineup="random", games=60, settings=("start_vp=3",))
    run = Supply(tmp_path).get(spec)
    assert spec_of(run.manifest) == spec


def test_mixes_stand_beside_the_answer(tmp_path: Path) -> None:
    text = run_command("seat", *PLAY, "--mix", "random*2,greedy", "--keep", tmp_path).stdout
    assert "Over 2 mixes Seat " in text
    assert "spread between mixes" in text
    assert len(list(tmp_path.iterdir())) == 2


def test_variant_is_asked_of_the_same_deals(tmp_path: Path) -> None:
    told = run_command("variant", *PLAY, "--set", "start_vp=5", "--keep", tmp_path, "--format", "json").stdout
    figures = {f["label"]: f for f in json.loads(told)["answers"][0]["figures"]}
    assert figures["VP a seat"]["value"] == pytest.approx(3, abs=0.02)  # random players do not mind their points
    assert figures["decisions"]["value"] == pytest.approx(0)


# Until


def look(folder: Path, rule: Rule, delta: float = 0.03, most: int = 8_000) -> tuple[Run, object]:
    run = read_run(folder)
    chunk = run.manifest.chunk
    return play_until(
        watch, lambda games: Run(run.folder, run.game, -(-games // chunk)), min(most, run.finished), chunk, rule, delta
    )


def test_what_lies_beyond_the_look_changes_nothing(tmp_path: Path) -> None:
    truth = Truth((0.4, 0.2, 0.2, 0.2))
    write_run(tmp_path / "all", 8_000, truth, chunk=200, detail="seats")
    run, seen = look(tmp_path / "all", Rule())
    assert seen.verdict.word == "biased"
    assert run.finished == seen.games < 4_000
    write_run(tmp_path / "part", 8_000, truth, chunk=200, detail="seats", finished=seen.games)
    again = play_until(
        watch,
        lambda games: Run(read_run(tmp_path / "part").folder, find_game(GAME), -(-games // 200)),
        8_000,
        200,
        Rule(),
        0.03,
    )[1]
    assert again.games == seen.games
    assert again.ends[0].tolist() == seen.ends[0].tolist()


def test_width_asked_for_is_reached_and_no_game_more_is_read(tmp_path: Path) -> None:
    write_run(tmp_path / "run", 8_000, chunk=200, detail="seats")
    _, seen = look(tmp_path / "run", Rule(0.03))
    assert np.maximum(seen.ends[1] - seen.value, seen.value - seen.ends[0]).max() <= 0.03
    assert seen.games < 8_000
    _, most = look(tmp_path / "run", Rule(0.0001))
    assert most.games == 8_000  # an answer too, though not what was hoped for


def test_blocks_of_a_mixed_lineup_are_whole_deals(tmp_path: Path) -> None:
    write_run(tmp_path / "run", 800, Truth(sticky=0.5, truncated=0.05), MIXED, chunk=200, detail="seats")
    run = read_run(tmp_path / "run")
    blocks, total, squares = sum_chunks(run, watch(run), 0)
    games = read_parts(tmp_path / "run", "games")
    rows = read_parts(tmp_path / "run", "seats").merge(games[games.end_reason == 0][["game", "deal"]], on="game")
    for seat in range(4):
        means = rows[rows.seat == seat].groupby("deal").credit.mean()
        assert (blocks[seat], total[seat]) == (len(means), pytest.approx(means.sum()))
        assert squares[seat] == pytest.approx((means**2).sum())
    halves = [sum_chunks(Run(run.folder, run.game, 2), watch(run), 0), sum_chunks(run, watch(run), 2)]
    assert sum(half[1] for half in halves) == pytest.approx(total)


@pytest.mark.parametrize(("text", "half"), [("decided", None), ("0.2pp", 0.002), ("±1", 0.01), (" 0.5 pp", 0.005)])
def test_rules_are_read(text: str, half: float | None) -> None:
    assert parse_rule(text).half == (half if half is None else pytest.approx(half))


def test_until_plays_no_more_than_it_needs(tmp_path: Path) -> None:
    play = [GAME, "--players", 3, "--lineup", "random", "--games", 40_000]
    result = run_command("ties", *play, "--until", "4pp", "--keep", tmp_path, "--format", "json")
    told = json.loads(result.stdout)["answers"][0]
    assert told["runs"][""]["games"] < 40_000
    assert told["runs"][""]["games_planned"] == 40_000
    assert "stopped at a look after" in told["caveats"][0]
    again = run_command("ties", *play, "--until", "4pp", "--keep", tmp_path, "--format", "json", "--jobs", 1)
    assert json.loads(again.stdout) == json.loads(result.stdout)


# The list


def test_questions_are_listed_one_line_each() -> None:
    lines = CliRunner().invoke(list_command, [], catch_exceptions=False).stdout.splitlines()
    assert [line.split()[0] for line in lines] == list(QUESTIONS)


def test_questions_of_a_game_say_why_others_are_not() -> None:
    text = CliRunner().invoke(list_command, ["atlantica"], catch_exceptions=False).stdout
    assert re.search(r"^faction +not here: Atlantica has no Factions\.$", text, re.MULTILINE)
    told = json.loads(CliRunner().invoke(list_command, ["--format", "json"], catch_exceptions=False).stdout)
    assert {q["id"] for q in told if q["until"]} == {"seat", "ties"}
