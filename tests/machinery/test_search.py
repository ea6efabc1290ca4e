"""Search: the race among choices against a brute force, and what a search must see and must not."""

import numpy as np
import pytest

from kernels.engine import race
from kernels.engine.contract import SCRATCH
from kernels.engine.race import FAVOURITE, IN, LEAVING, OUT
from sim.games import GAMES, find_game
from sim.plan import plan_run
from sim.policies import find_policy
from sim.rulebook import load_rules
from sim.runner import glance, simulate
from sim.trace import Replay

drop_worse = getattr(race.drop_worse, "py_func", race.drop_worse)
pick_winner = getattr(race.pick_winner, "py_func", race.pick_winner)


@pytest.mark.parametrize("seed", range(20))
def test_the_better_half_stays_and_the_favourite_always(seed: int) -> None:
    chance = np.random.default_rng(seed)
    n = int(chance.integers(2, 20))
    sums = chance.integers(-3, 4, n).astype(float)  # ties are common
    favourite = int(chance.integers(n))
    alive = np.where(chance.random(n) < 0.7, IN, OUT)
    alive[favourite] = FAVOURITE
    kept = int(chance.integers(1, n + 1))
    before = alive.copy()
    drop_worse(sums, alive, n, kept)
    racing = [i for i in range(n) if before[i] != OUT]
    best = sorted(racing, key=lambda i: (-sums[i], i))[:kept]
    assert alive[favourite] == FAVOURITE
    assert [i for i in range(n) if alive[i] == IN] == sorted(i for i in best if i != favourite)
    assert LEAVING not in alive


def test_another_choice_must_beat_the_favourite_by_more_than_noise() -> None:
    leads = np.array([[0.0] * 8, [0.5, -0.3] * 4, [0.2, 0.3] * 4, [0.9, -0.9] * 4])
    sums, squares = leads.sum(axis=1), (leads**2).sum(axis=1)
    alive = np.array([FAVOURITE, IN, IN, IN])
    errors = leads.std(axis=1) / np.sqrt(8)
    for caution in (0.0, 1.0, 3.0, 50.0):
        beyond = leads.mean(axis=1) - caution * errors
        wanted = int(beyond.argmax()) if beyond[1:].max() > 0 else 0
        assert pick_winner(sums, squares, alive, 4, 8, 0, caution) == wanted
    alive[2] = OUT
    assert pick_winner(sums, squares, alive, 4, 8, 0, 0.0) == 1


@pytest.mark.parametrize("name", GAMES)
def test_a_game_searched_is_the_same_game_again(name: str) -> None:
    """It changes nothing but its own random draws, and those alone decide it."""
    game = find_game(name)
    run = plan_run(game, load_rules(game, 2), "search:4,greedy", seed=3, games=2, detail="seats")
    first, second = (list(told(Replay(run, 1))) for _ in range(2))
    assert first == second
    state = game.module("state").new_states(1)
    replay = Replay(run, 1)
    replay.start()
    steps = replay.steps()
    for step in steps:
        if len(step.legal) > 2:
            break
    policy = find_policy(game, "search:30")
    state[0] = replay.states[0]
    codes = np.zeros_like(replay.codes)
    n = int(game.module("step").legal(state[0], replay.rules, codes))
    before = state.tobytes()
    scratch = game.module("state").new_states(SCRATCH - 1)
    policy.function(state[0], replay.rules, codes, n, policy.weights, scratch)
    old, new = np.frombuffer(before, state.dtype)[0], state[0]
    changed = {field for field in state.dtype.names if not np.array_equal(old[field], new[field])}
    assert changed <= {"draw_block", "draw_words", "draw_left"}


def told(replay: Replay) -> list[tuple[int, ...]]:
    replay.start()
    return [(step.before.prompt, step.before.actor, step.action) for step in replay.steps()]


@pytest.mark.parametrize("name", GAMES)
def test_more_trials_take_more(name: str, tmp_path) -> None:
    """Against two tuned players a search of 24 trials takes more than its share, beyond chance."""
    game = find_game(name)
    run = plan_run(game, load_rules(game, 3), "search:24,tuned*2", seed=11, games=90, detail="seats")
    seen = {share.name: share for share in glance(simulate(run, tmp_path / "run").folder).policies}
    assert seen["search:24"].low > 1 / 3
    assert seen["tuned"].high < 1 / 3
