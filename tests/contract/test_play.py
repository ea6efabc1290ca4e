"""The engine contract as any driver meets it: random play step by step, invariants, hidden things dealt anew."""

import os
from random import Random

import numpy as np
import pytest

from tests.contract.batches import Batch, usual
from tests.contract.marks import read_marks

COMPILED = os.environ.get("NUMBA_DISABLE_JIT", "0") == "0"
GAMES = 6 if COMPILED else 1
# What a driver and resampling use for themselves: not of the game.
OWN = {"draw_stream", "draw_block", "draw_words", "draw_left", "spare_block", "spare_words", "spare_left"}
KEYS = {"deal", "key", "policy_key"}


class Walk:
    """A game by the three functions, at each choice in turn."""

    def __init__(self, game, players, number):
        self.desk = Batch(game, players).desk
        self.step, self.check = game.module("step"), game.module("check")
        self.over = game.module("codes").PHASE_OVER
        self.states, self.rules, self.chance = self.desk.states, self.desk.rules, Random(number)
        self.step.new_game(self.states[0], self.rules, np.uint64(11), number)

    def __iter__(self):
        """The number of legal actions at each choice; one of them is taken at random afterwards."""
        state = self.states[0]
        while True:
            self.step.advance(state, self.rules)
            assert self.check.broken_invariant(state, self.rules) == 0
            if state.phase == self.over:
                return
            n = int(self.step.legal(state, self.rules, self.desk.codes))
            assert 1 <= n <= self.step.MOST_LEGAL
            yield n
            self.step.apply(state, self.rules, int(self.desk.codes[self.chance.randrange(n)]))


@pytest.mark.nojit
@pytest.mark.bounds
def test_random_play_keeps_the_invariants_and_asks_who_is_at_the_table(game, players):
    codes = game.module("codes")
    reasons = set()
    for number in range(GAMES):
        walk = Walk(game, players, number)
        for n in walk:
            state = walk.states[0]
            assert 0 <= state.actor < players
            assert 0 < state.prompt < len(codes.PROMPTS)
            legal = walk.desk.codes[:n].tolist()
            assert len(set(legal)) == n
        assert walk.states[0].actor == codes.NOBODY
        reasons.add(int(walk.states[0].end_reason))
    assert reasons <= set(range(len(codes.END_REASONS))) - {codes.END_TRUNCATED}
    assert reasons - set(codes.UNFINISHED), "no game ended by its rules"


@pytest.mark.nojit
def test_legal_and_advance_change_nothing_at_a_prompt(game):
    walk = Walk(game, usual(game), 1)
    for _ in walk:
        before = walk.states.tobytes()
        walk.step.legal(walk.states[0], walk.rules, walk.desk.codes.copy())
        walk.step.advance(walk.states[0], walk.rules)
        assert walk.states.tobytes() == before


def test_every_field_says_who_may_see_it(game):
    marks = read_marks(game)
    assert [name for name, mark in marks.items() if not mark] == []
    assert {"prompt", "actor", "vp"} <= {name for name, mark in marks.items() if mark == "all"}
    assert {name for name, mark in marks.items() if mark == "none"} >= KEYS


def test_what_a_seat_sees_stays_when_the_rest_is_dealt_anew(game, players):
    """Marks against resample_hidden: of what is marked (all) nothing changes, of (own) not the seat's own row.

    Where it is the top one that all see, a game's own test looks closer.
    """
    marks, resample = read_marks(game), game.module("hidden").resample_hidden
    world = game.module("state").new_states(1)
    changed = set()
    for number in range(3):
        walk = Walk(game, players, number)
        for turn, _ in enumerate(walk):
            if turn % 5:
                continue
            for seat in range(players):
                world[0] = walk.states[0]
                resample(world[0], walk.rules, seat, np.uint64(turn), seat)
                for name, mark in marks.items():
                    real, new = np.asarray(walk.states[name][0]), np.asarray(world[name][0])
                    if (real != new).any():
                        changed.add(name)
                    if name in OWN | KEYS:
                        continue
                    if mark == "all":
                        assert (real == new).all(), name
                    elif mark == "own" and real.ndim and len(real) == 5:
                        assert (real[seat] == new[seat]).all(), name
    assert changed > KEYS
    assert any(marks[name] == "own" or marks[name] == "none" for name in changed - KEYS - OWN)


@pytest.mark.nojit
def test_a_world_follows_from_its_seed_and_from_what_the_seat_sees(game):
    """The same from the real state, from another world and from one whose policies have drawn other words."""
    resample, new_states = game.module("hidden").resample_hidden, game.module("state").new_states
    worlds = new_states(4)
    different = 0
    for number in range(GAMES):
        walk = Walk(game, usual(game), number)
        for turn, _ in enumerate(walk):
            seat = int(walk.states[0].actor)
            for i in range(4):
                worlds[i] = walk.states[0]
            resample(worlds[1], walk.rules, seat, np.uint64(8), 2)
            for other in range(usual(game)):
                worlds[2].draw_block[other] += 3
                worlds[2].draw_left[other] = 1
            worlds[2].spare_left = 2
            resample(worlds[3], walk.rules, seat, np.uint64(7), turn + 1)
            for i in range(3):
                resample(worlds[i], walk.rules, seat, np.uint64(7), turn)
                assert worlds[i].tobytes() == worlds[0].tobytes()
            assert walk.check.broken_invariant(worlds[0], walk.rules) == 0
            different += worlds[3].tobytes() != worlds[0].tobytes()
    assert different > 5


def test_the_same_actions_are_legal_in_a_world_that_looks_the_same(game, players):
    resample = game.module("hidden").resample_hidden
    world = game.module("state").new_states(1)
    walk = Walk(game, players, 4)
    for turn, n in enumerate(walk):
        real = walk.desk.codes[:n].tolist()
        world[0] = walk.states[0]
        resample(world[0], walk.rules, int(walk.states[0].actor), np.uint64(1), turn)
        there = np.zeros(walk.step.MOST_LEGAL, np.int16)
        assert there[: walk.step.legal(world[0], walk.rules, there)].tolist() == real
