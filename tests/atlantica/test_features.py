"""Atlantica's features against the rules' own scoring."""

import numpy as np
import pytest
from numba import types

from kernels.atlantica import features as f
from kernels.atlantica.scoring import is_ahead, score
from sim.games import find_game
from tests.contract.test_features import Play, describer
from tests.machinery.twins import arrays_of, direct

GAME = find_game("atlantica")
STATES, RULES = arrays_of(GAME)


@direct(types.void(STATES, RULES))
def score_all(states, rules):
    for seat in range(states[0].players):
        score(states[0], rules[0], seat)


@direct(types.int64(STATES, RULES, types.int64, types.int64))
def compare(states, rules, one, other):
    return int(is_ahead(states[0], rules[0], one, other)) - int(is_ahead(states[0], rules[0], other, one))


@pytest.mark.parametrize("settings", [(), ("A02b=former",), ("A01=one-fewer", "crates_counted=loaded")])
def test_points_and_order_are_those_of_the_rules(settings):
    describe, scored = describer("atlantica"), GAME.module("state").new_states(1)
    for players in (2, 5):
        play = Play(GAME, players, *settings)
        for _ in play.positions(8):
            scored[0] = play.states[0]
            score_all(scored, play.rules)
            points = scored[0].vp[:players].tolist()
            for seat in range(players):
                numbers = dict(zip(f.NAMES, describe(play.states, play.rules, seat)))
                rivals = [(seat + place) % players for place in range(1, players)]
                assert numbers["score"] == points[seat] / f.VP
                assert [numbers[f"next{i}_score"] for i in range(1, players)] == [points[r] / f.VP for r in rivals]
                ahead = [compare(scored, play.rules, seat, rival) for rival in rivals]
                assert [numbers[f"next{i}_ahead"] for i in range(1, players)] == ahead
                assert numbers["lead"] == (points[seat] - max(points[r] for r in rivals)) / f.LEADS
                assert numbers["all_loaded"] >= 0 or not np.any(points)
