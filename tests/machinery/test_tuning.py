"""Tuning: what a candidate scores is what a run says, and the search finds what is there to be found."""

from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from cli import atlantis
from sim import tuning
from sim.games import GAMES, find_game
from sim.plan import plan_run
from sim.policies import Seat, find_policy
from sim.presets import read_presets
from sim.rulebook import load_rules
from sim.runner import simulate
from sim.tuning import Arena, Tuner

BOLD = {"end_of_atlantis": "spend = 2.0", "atlantica": "hurry = 3.0", "goofspiel": "base = 2.0"}


@pytest.fixture
def presets(tmp_path: Path) -> Path:
    return tmp_path / "own.toml"


@pytest.mark.parametrize("name", GAMES)
def test_a_candidate_scores_what_a_run_of_the_same_deals_says(name: str, tmp_path: Path, presets: Path) -> None:
    game = find_game(name)
    presets.write_text(
        f'[bold]\nline = "x"\nbase = "greedy"\n[bold.weights]\n{BOLD[game.package]}\n'
        '[plain]\nline = "x"\nbase = "greedy"\n'
    )
    rulebook = load_rules(game, 3)
    bold, plain = (find_policy(game, f"{presets}:{one}") for one in ("bold", "plain"))
    assert not np.array_equal(bold.weights, plain.weights)
    arena = Arena(game, rulebook, deals=12)
    mine = arena.credits(bold.seat(3), [plain.seat(3)] * 2, seed=5)
    run = plan_run(game, rulebook, [bold.token, plain.token, plain.token], seed=5, games=36, detail="seats")
    rows = simulate(run, tmp_path / "run").folder.scan("seats").collect().to_pandas()
    rows = rows[rows["policy"] == bold.token]
    theirs = rows.groupby(rows["game"] // 3)["credit"].mean()
    assert mine == pytest.approx(theirs.to_numpy())


class Hill:
    """Stands for an arena: credit falls with the distance from a summit, and a little with each deal's luck."""

    summit = np.array([2.0, -1.0, 0.5, 0.0])

    def __init__(self, game: object, rulebook: object, deals: int) -> None:
        self.deals = deals

    def credits(self, candidate: Seat, field: object, seed: int, first: int = 0) -> np.ndarray:
        luck = np.random.default_rng([seed, first]).normal(0.0, 0.05, self.deals)
        return 1.0 - ((candidate[1][:4] - self.summit) ** 2).mean() + luck


@pytest.mark.parametrize("jobs", [1, 3])
def test_the_search_climbs_to_a_known_summit_on_any_number_of_threads(
    jobs: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tuning, "Arena", Hill)
    game = find_game("atlantica")
    start = np.zeros(6)
    scales = np.array([1.0, 1.0, 1.0, 0.0, 0.0, 0.0])
    tuner = Tuner(game, load_rules(game, 4), print, start, scales, seed=3, deals=10, population=10, jobs=jobs)
    credit = [seen.credit for seen in tuner.search(stages=2, generations=40)]
    best = tuner.strongest(rounds=1)
    assert best[:3] == pytest.approx(Hill.summit[:3], abs=0.1)
    assert (best[3:] == 0).all(), "a weight that was held has moved"
    assert credit[-1] > credit[0]


def test_a_champion_that_only_beats_the_last_one_is_not_the_strongest(monkeypatch: pytest.MonkeyPatch) -> None:
    class Circle(Hill):
        """Weights are a place on a line; 9 beats a field of 5 and nobody else."""

        def credits(self, candidate: Seat, field: object, seed: int, first: int = 0) -> np.ndarray:
            rivals, own = [one[0] for _, one in field], candidate[1][0]  # type: ignore[attr-defined]
            win = all(rival == 5 for rival in rivals) if own == 9 else own > np.mean(rivals)
            return np.full(self.deals, float(win))

    monkeypatch.setattr(tuning, "Arena", Circle)
    game = find_game("atlantica")
    tuner = Tuner(game, load_rules(game, 4), print, np.zeros(2), np.ones(2), deals=4)
    tuner.champions = [np.array([place, 0.0]) for place in (1.0, 3.0, 5.0, 9.0)]
    assert tuner.strongest(rounds=1)[0] == 5


def test_the_command_writes_a_preset_that_plays(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    words = ["tune", "atlantica", "--players", "2", "--stages", "1", "--generations", "2", "--population", "4"]
    words += ["--deals", "5", "--only", "ships", "--only", "draws", "--hold", "hurry=1", "--name", "mine"]
    done = CliRunner().invoke(atlantis, [*words, "-o", str(file)])
    assert done.exit_code == 0, done.output
    assert "credit against 1 x greedy" in done.output
    preset = read_presets(file)["mine"]
    assert preset.weights["hurry"] == 1
    assert preset.made["seed"] == 1
    greedy = find_policy(find_game("atlantica"), "greedy")
    found = find_policy(find_game("atlantica"), f"{file}:mine")
    names = find_game("atlantica").policies.find_module("greedy").NAMES
    moved = {name for name, a, b in zip(names, greedy.weights, found.weights) if abs(a - b) > 1e-3}
    assert moved <= {"ships", "draws", "hurry"}
    assert "hurry" in moved


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--only", "shps"], "--only: no weight named shps. Weights: diver,"),
        (["--hold", "ships=big"], "--hold ships=big: give a number, as in --hold ships=1.5."),
        (["--like", "random"], "random has no weights to tune."),
        (["--like", "greddy"], "no policy named greddy. Did you mean greedy?"),
    ],
)
def test_mistakes_are_one_sentence(words: list[str], said: str) -> None:
    done = CliRunner().invoke(atlantis, ["tune", "atlantica", *words])
    assert done.exit_code == 2
    assert said in done.output
