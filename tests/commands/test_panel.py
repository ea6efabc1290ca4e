"""`atlantis ask` of a game: a panel of players, as a person types it."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from analysis.questions.question import find_traits
from cli import atlantis
from sim.games import GAMES

OWN = """
[thinker]
line = "its model was never made"
base = "search"
model = "nowhere"
"""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Every command runs in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def ask(*words: str, code: int = 0) -> Result:
    done = CliRunner().invoke(atlantis, ["ask", *words], prog_name="atlantis")
    assert done.exit_code == code, done.output
    return done


TINY = ("goofspiel", "--players", "2", "--games", "4000")


def test_a_game_that_depends_on_its_players_is_said_to(here: Path) -> None:
    """With the lowest seat taking equal bids, two of greedy's kind are won by seat 1 always; wild ones are not."""
    settings = ("--set", "G01=lowest-seat")
    told = json.loads(ask("seat", *TINY, *settings, "--panel", "greedy,wild", "--format", "json").stdout)
    (answer,) = told["answers"]
    assert set(answer["runs"]) == {"greedy", "wild"}
    assert answer["runs"]["wild"]["lineup"] == ["wild", "wild"]
    table = answer["tables"]["seat_panel"]
    assert len(table["rows"]) == 2
    assert "No player here is known to be strong enough" in answer["sentence"]
    assert any("made for the printed rules" in caveat for caveat in answer["caveats"])
    assert answer["more"]


def test_one_player_alone_says_how_exploitable_it_is(here: Path) -> None:
    told = ask("seat", *TINY, "--lineup", "greedy").stdout
    assert "greedy: nobody has looked for its best opponent" in told
    assert "seat_panel" not in told


def test_a_member_is_asked_once_for_several_questions(here: Path) -> None:
    asked = ask("seat,length", *TINY, "--panel", "greedy,random")
    assert asked.stderr.count("playing") == 2
    assert len(list((here / "runs").iterdir())) == 2


def test_a_member_without_a_model_is_left_out_with_a_sentence(here: Path) -> None:
    (here / "own.toml").write_text(OWN)
    told = ask("seat", *TINY, "--panel", "own.toml:thinker,greedy").stdout
    assert "own.toml:thinker is left out: there is no model nowhere.2.npz for 2 players" in told
    assert "Seat 1" in told
    refused = ask("seat", *TINY, "--panel", "own.toml:thinker", code=2).output
    assert "no member of the panel can play this" in refused


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--panel", "greedy", "--lineup", "greedy"], "--panel asks one kind of player after the other"),
        (["--panel", "greddy"], "Did you mean greedy?"),
        (["--panel", ""], "no policy named"),
    ],
)
def test_mistakes_are_one_sentence(words: list[str], said: str) -> None:
    assert said in ask("seat", *TINY, *words, code=2).output


def test_a_run_is_asked_as_it_is(here: Path) -> None:
    simulated = CliRunner().invoke(atlantis, ["simulate", *TINY, "--seed", "1", "--lineup", "random", "-o", "one"])
    assert simulated.exit_code == 0, simulated.output
    assert "said what to play" not in ask("seat", "one").output
    assert "--panel says what to play" in ask("seat", "one", "--panel", "greedy", code=2).output


@pytest.mark.parametrize("name", [game.name for game in GAMES.values() if not game.home])
def test_a_games_own_panel_answers_for_every_number_of_players(name: str, here: Path) -> None:
    """Its members exist, and those that search have models for all tables."""
    game = GAMES[name]
    assert {"strong", "fast"} < {token for token, _ in find_traits(game).panel}
    told = json.loads(ask("seat", name, "--players", "2", "--games", "12", "--format", "json").stdout)["answers"][0]
    assert len(told["runs"]) == len(find_traits(game).panel)
    from sim.policies import find_policy

    for players in game.players:
        for token, _ in find_traits(game).panel:
            assert len(find_policy(game, token).row(players)) >= 64
