"""Learning and teaching as commands, on the tiny game: what comes of them plays better, the same everywhere."""

import json
import os
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from cli import atlantis
from sim.errors import UserError
from sim.executors import Player, make_buffers
from sim.exploits import Hall, Opponent
from sim.games import find_game
from sim.networks import CHOICES, read_network
from sim.plan import plan_run
from sim.policies import find_policy
from sim.rulebook import load_rules
from tests.contract.test_loop import run_python
from tests.tiny import truth

GAME = find_game("goofspiel")
COMPILED = os.environ.get("NUMBA_DISABLE_JIT", "0") == "0"
PRESETS = """
[thinker]
line = "searches by a model"
base = "search"
model = "mine"
weights = { simulations = 12, horizon = 1 }

[pupil]
line = "was taught"
base = "taught"
model = "quick"
weights = { base = 1.0 }

[plain]
line = "searches to the end"
base = "search"
weights = { simulations = 12, horizon = 0 }

[start]
line = "knows nothing yet"
base = "taught"
weights = { base = 1.0 }
"""


def run(*words: str) -> str:
    done = CliRunner().invoke(atlantis, words, prog_name="atlantis")
    assert done.exit_code == 0, done.output
    return done.output


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Presets with both models, made by the commands."""
    path = tmp_path_factory.mktemp("models")
    (path / "own.toml").write_text(PRESETS)
    own = path / "own.toml"
    few = ("goofspiel", "--players", "2", "--seed", "3")
    run(
        "learn",
        *few,
        "--like",
        f"{own}:plain",
        "--with",
        "random",
        "--rounds",
        "2",
        "--games",
        "3000",
        "--every",
        "1",
        "-o",
        str(path / "mine"),
    )
    taught = ("--by", f"{own}:plain", "--like", f"{own}:start", "--with", "random", "--rounds", "2", "--games", "2000")
    run("teach", *few, *taught, "--every", "1", "--worlds", "12", "-o", str(path / "quick"))
    return path


def take(name: str, folder: Path, target: str, deals: int = 1000) -> float:
    """What one of a preset takes from one of a target."""
    hall = Hall(GAME, load_rules(GAME, 2), find_policy(GAME, target), seed=9, jobs=2)
    return hall.try_all([Opponent(name, find_policy(GAME, f"{folder}/own.toml:{name}").seat(2))], deals, 2**30)[0].share


def test_a_pupil_takes_from_what_it_was_more_than_an_even_share(folder: Path) -> None:
    """tuned bids too high; its pupil has the same weights and has been taught better, though not beyond the best."""
    assert 0.6 < take("pupil", folder, "tuned") <= float(truth.best_response("tuned")) + 0.02
    assert take("start", folder, "tuned") == pytest.approx(0.5, abs=1e-9)


def test_a_search_that_stops_early_is_carried_by_its_model(folder: Path) -> None:
    assert take("thinker", folder, "tuned") > 0.6


def digest(folder: str) -> str:
    """The credits and VP of games between both, as text."""
    lineup = f"{folder}/own.toml:thinker,{folder}/own.toml:pupil"
    run = plan_run(GAME, load_rules(GAME, 2), lineup, seed=4, games=30, detail="seats", chunk=30)
    player, buffers = Player(run), make_buffers(run)
    (chunk,) = run.chunks()
    player.play(chunk, buffers)
    rows = buffers.rows()
    return json.dumps([rows["seats"]["vp"].tolist(), rows["games"]["decisions"].tolist()])


def test_both_play_the_same_games_without_the_jit(folder: Path) -> None:
    code = f"from tests.tiny.test_teaching import digest; print(digest({str(folder)!r}))"
    other = run_python("-W", "error::RuntimeWarning", "-c", code, NUMBA_DISABLE_JIT="1" if COMPILED else "0")
    assert other.returncode == 0, other.stderr
    assert other.stdout.strip() == digest(str(folder))


def test_a_taught_model_is_no_value_model_and_the_other_way_round(folder: Path) -> None:
    with pytest.raises(UserError, match=r"quick\.2\.npz was made for kind choices, here it would be value"):
        read_network(GAME, folder / "quick.2.npz", 2)
    with pytest.raises(UserError, match=r"mine\.2\.npz was made for kind value, here it would be choices"):
        read_network(GAME, folder / "mine.2.npz", 2, CHOICES)


@pytest.mark.parametrize("at", [3, 4, 5], ids=["more actions than there are", "keys not ascending", "key twice"])
def test_keys_that_would_lead_astray_are_refused(folder: Path, tmp_path: Path, at: int) -> None:
    with np.load(folder / "quick.2.npz") as file:
        numbers, about = file["numbers"].copy(), file["about"]
    numbers[at] = {3: 5000, 4: 2.0**23, 5: numbers[4]}[at]
    np.savez(tmp_path / "quick.2.npz", numbers=numbers, about=about)
    with pytest.raises(UserError, match="cannot be read as a choices model"):
        read_network(GAME, tmp_path / "quick.2.npz", 2, CHOICES)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["learn", "goofspiel", "--players", "2", "--like", "greedy", "-o", "x"], "greedy does not search"),
        (["teach", "goofspiel", "--players", "2", "--by", "greedy", "-o", "x"], "no policy named fast"),
        (
            ["teach", "goofspiel", "--players", "2", "--by", "search:5", "--like", "greedy", "-o", "x"],
            "cannot be taught",
        ),
        (["teach", "goofspiel", "--players", "2", "--prompt", "bod", "-o", "x"], "no such prompt; valid: bid"),
    ],
)
def test_mistakes_are_one_sentence(
    words: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(atlantis, words)
    assert done.exit_code == 2
    assert said in done.output
    assert not list(tmp_path.iterdir())


def test_a_model_that_is_there_is_not_replaced_unasked(folder: Path) -> None:
    before = (folder / "mine.2.npz").read_bytes()
    done = CliRunner().invoke(
        atlantis, ["learn", "goofspiel", "--players", "2", "--like", "search:5", "-o", str(folder / "mine")]
    )
    assert done.exit_code == 2
    assert "is already there" in done.output
    assert (folder / "mine.2.npz").read_bytes() == before
