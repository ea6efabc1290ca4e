"""What the heuristic of Atlantica sees since it was mended: each weight does what its name says, and 0 nothing."""

import numpy as np
import pytest

from kernels.atlantica import codes as c
from kernels.atlantica.policies import greedy
from tests.atlantica.positions import GAME
from tests.contract.batches import play_rows

GAMES = 60


def rows(**changed):
    """Rows of games that greedy plays with some weights changed."""
    choose, weights = GAME.policies.load("greedy")
    for name, value in changed.items():
        weights[greedy.NAMES.index(name)] = value
    return play_rows(GAME, 3, GAMES, policies=(choose,), weights=np.ascontiguousarray(np.tile(weights, (5, 1))))


@pytest.fixture(scope="module")
def plain():
    """As greedy plays."""
    return rows()


def test_the_new_weights_are_zero_in_greedy():
    assert [greedy.WEIGHTS[greedy.NAMES.index(name)] for name in ("later", "glut", "early")] == [0.0] * 3


def test_treasures_are_taken_before_there_are_crates(plain):
    def waiting(played):
        turns = played["turns"]
        return (turns["treasures"] - turns["crates"]).clip(min=0).mean()

    assert waiting(rows(later=2.0)) > 1.2 * waiting(plain)


def test_divers_beyond_use_are_spent(plain):
    def hand(played):
        return played["turns"]["hand"].mean()

    assert hand(rows(glut=3.0, diver_fall=0.4)) < hand(rows(diver_fall=0.4))


def test_dives_come_earlier(plain):
    def dives(played):
        actions = played["actions"]
        first = actions[actions["turn"] <= 3]
        return np.isin(first["action"], range(c.TIERS)).mean()

    assert dives(rows(early=4.0)) > 1.2 * dives(plain)
