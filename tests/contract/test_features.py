"""What a network is told of a position (kernels/<game>/features.py), for every game that has it."""

import hashlib
import os
import re
from functools import cache
from importlib.util import find_spec

import numpy as np
import pytest
from numba import types

from kernels.engine.contract import MAX_PLAYERS
from sim.games import find_game
from sim.peeking import list_tables
from tests.contract.batches import Batch, usual
from tests.contract.test_loop import run_python
from tests.machinery.twins import arrays_of, direct

COMPILED = os.environ.get("NUMBA_DISABLE_JIT", "0") == "0"
GAMES = 12 if COMPILED else 1
LARGEST = 20.0
WILD = 4  # of so many choices one is made at random: positions that the heuristic would not reach
SETTINGS = {  # with which what the printed rules lack can be met
    "atlantica": ("A02b=former",),  # jokers
    "goofspiel": ("cards=5",),
}


@pytest.fixture
def features(game):
    if find_spec(f"{game.kernels}.features") is None:
        pytest.skip(f"{game.title} has no features")
    return game.module("features")


@cache
def describer(name):
    """describe(states, rules, seat) on states[0] under rules[0]: the numbers."""
    game = find_game(name)
    module, (states, rules) = game.module("features"), arrays_of(game)
    tell = module.describe

    @direct(types.void(states, rules, types.int64, types.float64[::1]))
    def call(states, rules, seat, out):
        tell(states[0], rules[0], seat, out)

    def describe(states, rules, seat):
        out = np.zeros(module.SIZE)
        call(states, rules, seat, out)
        return out

    return describe


class Play:
    """Games by the heuristic, or at random where there is none, with wild choices in between."""

    def __init__(self, game, players, *settings, variants=()):
        self.batch = Batch(game, players, *settings, variants=variants)
        self.game, self.states, self.rules = game, self.batch.desk.states, self.batch.rules
        self.choose, self.weights = game.policies.load(game.policies.heuristic or "random")

    def positions(self, games):
        """The number of the game at each choice of so many games; `states` holds the position."""
        step, desk, over = self.game.module("step"), self.batch.desk, self.game.module("codes").PHASE_OVER
        for number in range(games):
            chance, state = np.random.default_rng(number), self.states[0]
            self.states[:] = self.game.module("state").new_states(1)
            step.new_game(state, desk.rules, np.uint64(3), number)
            step.advance(state, desk.rules)
            while state.phase != over:
                n = int(step.legal(state, desk.rules, desk.codes))
                yield number
                i = int(chance.integers(n))
                if chance.integers(WILD):
                    i = int(self.choose(state, desk.rules, desk.codes, n, self.weights, desk.scratch))
                step.apply(state, desk.rules, int(desk.codes[i]))
                step.advance(state, desk.rules)


def digest_features(name):
    """A digest of the numbers of all seats at all choices of a game at every table."""
    game = find_game(name)
    describe, digest = describer(name), hashlib.sha256()
    for players in game.players:
        play = Play(game, players)
        for _ in play.positions(1):
            for seat in range(players):
                digest.update(describe(play.states, play.rules, seat).tobytes())
    return digest.hexdigest()


def test_each_number_has_a_name(features):
    assert features.SIZE == len(features.NAMES) == len(set(features.NAMES))
    assert all(re.fullmatch(r"[\w-]+", name) for name in features.NAMES)


@pytest.mark.nojit
@pytest.mark.bounds
def test_numbers_are_small_and_absent_rivals_blank(features, game, players):
    play, describe = Play(game, players), describer(game.name)
    absent = [re.match(rf"next[{players}-{MAX_PLAYERS}]_", name) is not None for name in features.NAMES]
    for turn, _ in enumerate(play.positions(GAMES)):
        if not COMPILED and turn % 5:
            continue  # plain Python takes its time
        before = play.states.tobytes()
        for seat in range(players):
            numbers = describe(play.states, play.rules, seat)
            assert np.isfinite(numbers).all()
            assert np.abs(numbers).max() <= LARGEST, features.NAMES[np.abs(numbers).argmax()]
            assert not numbers[absent].any()
        assert play.states.tobytes() == before
    assert players == max(game.players) or any(absent)


def test_nothing_hidden_is_told(features, game, players):
    """A seat's numbers are the same in every world that it cannot tell from the real one."""
    describe, resample = describer(game.name), game.module("hidden").resample_hidden
    world = game.module("state").new_states(1)
    fitting = [variants for number, variants in list_tables(game) if number == players]
    different = 0
    for variants in fitting:
        play = Play(game, players, variants=variants)
        for turn, _ in enumerate(play.positions(max(2, GAMES // len(fitting)))):
            for seat in range(players):
                numbers = describe(play.states, play.rules, seat)
                world[0] = play.states[0]
                resample(world[0], play.batch.desk.rules, seat, np.uint64(turn), seat)
                different += world.tobytes() != play.states.tobytes()
                told = np.flatnonzero(describe(world, play.rules, seat) != numbers)
                assert not len(told), [features.NAMES[i] for i in told]
    assert different > 10 * GAMES


def test_no_feature_is_dead(features, game):
    """Each number is something else than 0 somewhere, and not always the same."""
    describe = describer(game.name)
    met, lowest, highest = np.zeros(features.SIZE, bool), np.full(features.SIZE, 1e9), np.full(features.SIZE, -1e9)
    tables = [Play(game, players, variants=variants) for players, variants in list_tables(game)]
    tables.append(Play(game, max(game.players), *SETTINGS.get(game.name, ())))
    for play in tables:
        for _ in play.positions(1 + 100 // len(tables)):
            for seat in range(int(play.states[0].players)):
                numbers = describe(play.states, play.rules, seat)
                met |= numbers != 0
                lowest, highest = np.minimum(lowest, numbers), np.maximum(highest, numbers)
    assert [name for name, alive in zip(features.NAMES, met) if not alive] == []
    constant = {name for name, low, high in zip(features.NAMES, lowest, highest) if low == high}
    assert constant <= {"next1_present"}


def test_the_same_numbers_without_the_jit(features, game):
    other = "1" if COMPILED else "0"
    code = f"from tests.contract.test_features import digest_features; print(digest_features({game.name!r}))"
    run = run_python("-W", "error::RuntimeWarning", "-c", code, NUMBA_DISABLE_JIT=other)
    assert run.returncode == 0, run.stderr
    assert run.stdout.strip() == digest_features(game.name)


def test_the_usual_table_tells_seats_apart(features, game):
    """The numbers are the seat's own: no two seats are told the same throughout a game."""
    play, describe = Play(game, usual(game)), describer(game.name)
    same = {
        np.array_equal(describe(play.states, play.rules, 0), describe(play.states, play.rules, 1))
        for _ in play.positions(1)
    }
    assert False in same
