"""Atlantica's kernels against the oracle, a second implementation written from the rulebook: equal after every step.

LOCKSTEP_GAMES sets how many games are played in all, about 1,000 by default, 30 without the JIT; where it is set, the
mixed tables are drawn anew each time.
"""

import os
from collections import Counter
from random import Random

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from kernels.atlantica import codes as c
from kernels.atlantica.state import STATE
from sim.errors import UserError
from tests.atlantica.choosers import STYLES
from tests.atlantica.coverage_table import OPTIONS
from tests.atlantica.lockstep import Lockstep, comparable, packing_at, play_in_lockstep, view
from tests.atlantica.positions import Table, rules_of
from tests.atlantica.soak import NUMBERS
from tests.machinery.tastes import choose
from tests.machinery.twins import MismatchError

COMPILED = os.environ.get("NUMBA_DISABLE_JIT", "0") == "0"
GAMES = int(os.environ.get("LOCKSTEP_GAMES", "1000" if COMPILED else "30"))
PLAYERS = (2, 3, 4, 5)


def play(players, options, styles, seed, deal, seen=None):
    """One game in lockstep, seats playing in these styles in turn."""
    game, chance = Lockstep(rules_of(players, tuple(options))[0], seed, deal), Random(f"{seed} {deal}")
    while not game.over:
        if seen is not None:
            seen[game.prompt] += 1
        game.take(choose(STYLES[styles[game.actor % len(styles)]], chance, game))
    assert game.taken


def share(part: float, tests: int) -> int:
    """Games of each of `tests` tests which together play that part of all games."""
    return max(1, round(GAMES * part / tests))


@pytest.mark.nojit
@pytest.mark.parametrize("players", PLAYERS)
def test_default_rules(players):
    for deal in range(share(0.12, 4)):
        play(players, (), ("uniform", "greedy", "busy"), 1000 + players, deal)


@pytest.mark.nojit
@pytest.mark.parametrize("style", STYLES)
def test_each_style(style):
    for deal in range(share(0.2, len(STYLES))):
        play(PLAYERS[deal % 4], (), (style,), 2000, deal)


@pytest.mark.parametrize("option", OPTIONS)
def test_each_option(option):
    for deal in range(share(0.26, len(OPTIONS))):
        play(PLAYERS[(OPTIONS.index(option) + deal) % 4], (option,), ("busy", "joker", "drinker", "diver"), 3000, deal)


def test_every_prompt_is_compared():
    seen = Counter()
    for deal in range(4):
        play(PLAYERS[deal], (), ("drinker", "uniform"), 4000, deal, seen)
    assert set(seen) == set(c.PROMPTS) - {"none"}


@st.composite
def mixed_tables(draw, numbers=()):
    """Players and settings that go together, and a style for each seat."""
    players = draw(st.sampled_from(PLAYERS))
    options = draw(st.lists(st.sampled_from(OPTIONS), unique_by=lambda option: option.partition("=")[0], max_size=6))
    for name in draw(st.lists(st.sampled_from(sorted(numbers)), unique=True, max_size=6)) if numbers else ():
        options.append(f"{name}={draw(st.integers(*numbers[name]))}")
    try:
        rules_of(players, tuple(options))
    except UserError:
        assume(False)
    return players, options, draw(st.lists(st.sampled_from(sorted(STYLES)), min_size=1, max_size=players))


DRAWN = settings(
    deadline=None,
    database=None,
    derandomize="LOCKSTEP_GAMES" not in os.environ,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large],
)


@pytest.mark.nojit
@settings(DRAWN, max_examples=share(0.25, 1))
@given(mixed_tables(), st.integers(0, 2**64 - 1), st.integers(0, 2**31))
def test_mixed_options(table, seed, deal):
    play(*table, seed, deal)


@settings(DRAWN, max_examples=share(0.17, 1))
@given(mixed_tables(NUMBERS), st.integers(0, 2**64 - 1), st.integers(0, 2**31))
def test_mixed_with_other_numbers(table, seed, deal):
    play(*table, seed, deal)


@pytest.mark.nojit
@pytest.mark.parametrize("field", ["hand", "treasure_row", "diver_discard"])
def test_a_difference_is_noticed(field):
    """Lockstep itself: a card that moves on one side only must not go through."""

    class Spoilt:
        """Chooses at random and, once, takes a card away on the kernels' side."""

        def __init__(self):
            self.chance = Random(5)
            self.steps = 0

        def __call__(self, prompt, actions, state):
            self.steps += 1
            if self.steps == 60:
                state[field].reshape(-1)[0] += 1
            return self.chance.choice(actions)

    with pytest.raises(MismatchError, match=field):
        play_in_lockstep(Table(3).rules, 1, 1, Spoilt())


# ---- the bytes that lockstep compares


def test_the_bytes_hold_all_that_the_words_do():
    """Every number the contract compares, changed by one on the kernels' side, changes the bytes."""
    game = Lockstep(rules_of(4)[0], 3, 5)
    chance, prompts = Random(4), set()
    while not game.over:
        if game.prompt not in prompts:
            prompts.add(game.prompt)
            every_number_counts(game)
        game.take(choose(STYLES["drinker"], chance, game))
    every_number_counts(game)
    assert prompts == set(c.PROMPTS) - {"none"}


def every_number_counts(game):
    """At this prompt, or at the end."""
    form = packing_at(game.oracle)
    kept = comparable(game.oracle.view())
    assert comparable(view(game.states[0])) == kept
    packed = form.of_kernels(game.states.tobytes())
    assert packed == form.of_oracle(game.oracle)
    for name in game.oracle.view():
        numbers = game.states[name].reshape(-1)
        assert name in STATE.names
        for i in range(numbers.size):
            changed = game.states.copy()
            changed[name].reshape(-1)[i] += 1
            in_words = comparable(view(changed[0])) if name not in ("phase", "prompt") else None
            assert (form.of_kernels(changed.tobytes()) != packed) == (in_words != kept), (name, i)


# ---- what lockstep has found


@pytest.mark.nojit
def test_a_drink_of_an_earlier_turn_forbids_nothing_later():
    """The kernels once kept the locations of a finished drink: "3. The Tavern" knows no such thing."""
    found = 0
    for deal in range(6):
        game, chance = Lockstep(rules_of(2)[0], 17, deal), Random(deal)
        drinks = Counter()
        while not game.over and len(game.taken) < 300:
            if game.prompt == "drink" and game.states[0].left == 2:
                offered = {np.searchsorted([c.DRINK_RESEARCH, c.DRINK_SHIP], code, "right") for code in game.actions}
                found += drinks[game.actor] > 0 and len(offered) == 3
                drinks[game.actor] += 1
            game.take(choose(STYLES["drinker"], chance, game))
    assert found > 3
