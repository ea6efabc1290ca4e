"""The command line: quick, one line an error, and no traceback whatever is typed."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cli import COMMANDS, atlantis
from sim.store import open_run

ROOT = Path(__file__).parent.parent.parent
GAME = "end-of-atlantis"
HEAVY = {
    "numpy",
    "numba",
    "polars",
    "pydantic",
    "scipy",
    "pandas",
    "matplotlib",
    "rich",
    "jinja2",
    "statsmodels",
}


def run(*words: str) -> Result:
    return CliRunner().invoke(atlantis, words, prog_name="atlantis")


def start(*words: str, **more: object) -> subprocess.Popen[str]:
    command = [sys.executable, str(ROOT / "cli.py"), *words]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **more)


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def imported_by(words: list[str], **environment: str) -> set[str]:
    """Heavy packages that a process imports for this command line."""
    code = (
        "import sys, atexit; atexit.register(lambda: print('\\n' + repr(set(sys.modules)), file=sys.stderr));"
    )
    code += f"sys.path.insert(0, {str(ROOT)!r}); sys.argv = ['atlantis', *{words!r}]; import cli; cli.main()"
    ended = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        env=os.environ | environment,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    return HEAVY & set(ast_set(ended.stderr.splitlines()[-1]))


def ast_set(text: str) -> set[str]:
    return {name.strip(" '") for name in text.strip("{}").split(",")}


@pytest.mark.parametrize(
    "words", [["--help"], ["simulate", "--help"], ["policies", "--help"], ["completion", "zsh"]]
)
def test_help_imports_nothing_heavy(words: list[str]) -> None:
    assert imported_by(words) == set()


@pytest.mark.parametrize(
    "typed", ["atlantis ", "atlantis sim", "atlantis simulate --l", "atlantis simulate "]
)
def test_tab_imports_nothing_heavy(typed: str) -> None:
    count = str(len(typed.split()) - (not typed.endswith(" ")))
    found = imported_by([], _ATLANTIS_COMPLETE="bash_complete", COMP_WORDS=typed, COMP_CWORD=count)
    assert found == set()


def test_help_lists_every_command_with_its_line() -> None:
    told = run("--help").output
    for name, (_, line) in COMMANDS.items():
        assert f"  {name}" in told
        assert line in told


@pytest.mark.parametrize("name", ["simulate", "policies"])
def test_the_line_of_a_command_leads_to_a_command(name: str) -> None:
    result = run(name, "--help")
    assert result.exit_code == 0
    assert f"atlantis {name}" in result.output


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["simulat"], "Did you mean 'simulate'?"),
        (["simulate", GAME, "--player", "4"], "Did you mean one of: '--players', '--policy'?"),
        (["simulate"], "Error: say which game to play. Games: end-of-atlantis, atlantica"),
        (["simulate", "chess"], "Error: no game named chess"),
        (["simulate", GAME, "--players", "9"], "2 to 5 players, got 9"),
        (
            ["simulate", GAME, "--lineup", "greedy,randm*3"],
            "Error: no policy named randm. Did you mean random?",
        ),
        (["simulate", GAME, "--lineup", "greedy*3"], "names 3 policies, but 4 play"),
        (["simulate", GAME, "--seed", "-1"], "seed -1 is out of range"),
        (["simulate", GAME, "--games", "0"], "--games"),
        (["simulate", GAME, "--set", "start_vpp=3"], "start_vp"),
        (["simulate", GAME, "--resume"], "Error: --resume needs the run folder"),
        (["simulate", "--resume", "-o", "nowhere"], "Error: nowhere is not there"),
        (["simulate", GAME, "--resume", "--force", "-o", "x"], "choose one"),
        (["policies", "chess"], "Error: no game named chess"),
        (["completion", "tcsh"], "bash"),
    ],
)
def test_a_mistake_is_one_sentence_and_exit_code_2(words: list[str], said: str) -> None:
    result = run(*words)
    assert result.exit_code == 2
    assert said in result.stderr
    assert result.stdout == ""
    assert not Path("runs").exists()
    assert len([line for line in result.stderr.splitlines() if line.startswith("Error: ")]) == 1


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_tells_how_to_install_it(shell: str) -> None:
    told = run("completion", shell).output
    assert told.startswith("# To use this, ")
    assert "_ATLANTIS_COMPLETE" in told


def test_policies_are_listed() -> None:
    told = run("policies", GAME).stdout.splitlines()
    assert {line.split()[0] for line in told} >= {"random", "greedy"}
    assert json.loads(run("policies", GAME, "--format", "json").stdout).keys() >= {"random", "greedy"}


def test_simulate_says_what_came_out() -> None:
    words = ["simulate", GAME, "--games", "40", "--seed", "7", "--lineup", "greedy*3,random", "-o", "a/run"]
    result = run(*words)
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert lines[0].startswith("40 games of End of Atlantis, 4 players, greedy*3,random, seed 7: ")
    assert [line.split()[:2] for line in lines[1:5]] == [["seat", str(seat)] for seat in range(1, 5)]
    assert [line.split()[0] for line in lines[5:7]] == ["greedy", "random"]
    assert "of 10 deals" in lines[1]
    assert lines[-1] == "run     a/run"
    assert "\x1b" not in result.output
    manifest = open_run(Path("a/run")).manifest
    assert (manifest.seed, manifest.games, manifest.players) == (7, 40, 4)


def test_simulate_as_json_counts_seats_from_0() -> None:
    result = run("simulate", GAME, "-p", "3", "-n", "9", "--seed", "7", "--format", "json")
    told = json.loads(result.stdout)
    assert [seat["seat"] for seat in told["seats"]] == [0, 1, 2]
    assert sum(seat["credit"] for seat in told["seats"]) == pytest.approx(1)
    assert told["folder"] == str(Path("runs") / f"{GAME}-7")
    assert told["policies"] == []
    assert told["played_now"] == 9


def test_a_seed_is_drawn_shown_and_kept() -> None:
    told = [json.loads(run("simulate", GAME, "-n", "1", "--format", "json").stdout) for _ in range(2)]
    assert told[0]["seed"] != told[1]["seed"]
    assert open_run(Path(told[0]["folder"])).manifest.seed == told[0]["seed"]


def test_resume_reads_everything_from_the_folder() -> None:
    words = [
        "-p",
        "3",
        "-n",
        "90",
        "--seed",
        "5",
        "--lineup",
        "random*2,greedy",
        "--set",
        "start_vp=4",
        "-o",
        "run",
    ]
    assert run("simulate", GAME, *words, "--variant", "family").exit_code == 0
    lost = Path("run/games/part-000001.parquet")
    before = lost.read_bytes()
    lost.unlink()
    result = run("simulate", "--resume", "-o", "run", "--format", "json")
    assert result.exit_code == 0, result.output
    assert 0 < json.loads(result.stdout)["played_now"] < 90
    assert lost.read_bytes() == before
    again = run("simulate", "--resume", "-o", "run")
    assert "complete already" in again.stdout
    other = run("simulate", GAME, "--resume", "-o", "run", "--seed", "6")
    assert other.exit_code == 2
    assert "seed is 5 there and 6 here" in other.stderr
    other = run("simulate", "--resume", "-o", "run", "--set", "start_vp=5")
    assert "the rule start_vp is 4 there and 5 here" in other.stderr


def test_force_replaces_a_run_and_nothing_else() -> None:
    words = ["simulate", GAME, "-n", "2", "--seed", "1", "-o"]
    assert run(*words, "run").exit_code == 0
    refused = run(*words, "run")
    assert refused.exit_code == 2
    assert "--resume finishes it, --force replaces it" in refused.stderr
    assert run(*words, "run", "--force").exit_code == 0
    Path("photos").mkdir()
    Path("photos/cat.jpg").write_text("a cat")
    assert run(*words, "photos", "--force").exit_code == 2
    assert Path("photos/cat.jpg").read_text() == "a cat"


def test_a_policy_error_is_exit_code_3() -> None:
    Path("bad.py").write_text("def wild(state, rules, legal, n, weights, scratch):\n    return -1\n")
    result = run("simulate", GAME, "-n", "4", "--seed", "1", "--lineup", "greedy*3,bad.py:wild")
    assert result.exit_code == 3
    assert "the policy bad.py:wild answered -1" in result.stderr
    assert (
        "atlantis trace end-of-atlantis --players 4 --lineup 'greedy*3,bad.py:wild' --seed 1" in result.stderr
    )


def test_ctrl_c_keeps_what_is_whole_and_says_how_to_go_on() -> None:
    process = start("simulate", GAME, "-n", "50000000", "--lineup", "random", "--seed", "3", "-o", "run")
    parts = Path("run/games")
    deadline = time.monotonic() + 300
    while time.monotonic() < deadline and len(list(parts.glob("part-*"))) < 2:
        assert process.poll() is None, process.communicate()
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert out == ""
    kept = open_run(Path("run")).games_done()
    assert f"Interrupted: {kept:,} of 50,000,000 games are kept in run." in err
    assert "atlantis simulate --resume -o run" in err
    assert "Traceback" not in err


def test_a_closed_pipe_is_no_error() -> None:
    process = start("--help", stdin=subprocess.DEVNULL)
    process.stdout.close()
    assert "Traceback" not in process.stderr.read()
    assert process.wait(60) in (0, 1)
    process.stderr.close()


WORDS = st.sampled_from(
    [
        *(name for name in COMMANDS if name != "bench"),  # which takes its time by design
        "completion",
        "bash",
        GAME,
        "chess",
        "",
        "-",
        "--",
        "--help",
        "--version",
        "--players",
        "-p",
        "--games",
        "--seed",
        "--lineup",
        "--variant",
        "--set",
        "--rules",
        "--detail",
        "--jobs",
        "--patience",
        "-o",
        "--resume",
        "--force",
        "--format",
        "json",
        "family",
        "start_vp=3",
        "E05=none",
        "greedy",
        "random*3,greedy",
        "nowhere.py:f",
        "seats",
        "0",
        "2",
        "3",
        "-1",
        "1e3",
        "ü",
        "run",
        ".",
        "\x00",
    ]
)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(WORDS, max_size=8), st.booleans())
def test_no_command_line_ends_in_a_traceback(words: list[str], begin: bool) -> None:
    if begin:
        words = ["simulate", GAME, "--games", "2", *words]
    result = run(*words)
    assert result.exit_code in (0, 1, 2), result.output
    assert result.exception is None or isinstance(result.exception, SystemExit), repr(result.exception)


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.text(max_size=12), max_size=4))
def test_no_text_ends_in_a_traceback(words: list[str]) -> None:
    result = run("simulate", GAME, "--games", "2", *words)
    assert result.exit_code in (0, 2), result.output
    assert result.exception is None or isinstance(result.exception, SystemExit), repr(result.exception)
