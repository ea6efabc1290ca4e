"""The kernels against the oracle, a second implementation written from the rulebook: equal after every step.

LOCKSTEP_GAMES sets how many games are played in all, about 2,200 by default, 50 without the JIT;
where it is set, the mixed tables are drawn anew each time.
"""

import os
import random
from collections import Counter

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from kernels.end_of_atlantis import codes as c
from sim.errors import UserError
from sim.rulebook import rule_options
from tests.end_of_atlantis.lockstep import play_in_lockstep
from tests.end_of_atlantis.positions import GAME, Table, rules_of
from tests.machinery.twins import MismatchError

COMPILED = os.environ.get("NUMBA_DISABLE_JIT", "0") == "0"
GAMES = int(os.environ.get("LOCKSTEP_GAMES", "2200" if COMPILED else "50"))
PLAYERS = (2, 3, 4, 5)
VARIANTS = ("family", "chosen-ships", "revealed-events", "revealed-specials", "aggressive-neutrals")
OPTIONS = [option.setting for option in rule_options(GAME)]
NEEDED = {"E37": ("aggressive-neutrals",), "E45": ("chosen-ships",)}  # variants without which an option is refused
FULL = ("E27",)  # options that need a Senate, hence more than 2 players

# Other rules with the range in which they are drawn; what does not go together is refused by the loader.
NUMBERS = {
    "start_vp": (0, 4),
    "cubes_per_player": (6, 30),
    "neutral_tokens": (0, 20),
    "setup_neutrals": (0, 6),
    "setup_specials": (0, 5),
    "setup_cubes": (0, 4),
    "events_removed": (0, 7),
    "archont_cards": (1, 10),
    "plus_one_vp": (0, 3),
    "votings": (1, 5),
    "votings_all_doomed": (1, 5),
    "places": (1, 3),
    "strategos_refund": (0, 6),
    "mover_vp": (0, 3),
    "science_vp": (0, 5),
    "royal_vessel_specials": (0, 3),
    "land_majority_vp": (0, 5),
    "doom_redrawn_through": (0, 7),
    "doom_ships": (0, 5),
    "all_in_cubes": (0, 6),
    "no_mercy_vp": (0, 5),
    "hand_size": (5, 10),
    "tile_spaces.A": (1, 8),
    "tile_spaces.A+": (9, 12),
    "tile_spaces.D": (1, 3),
}


def uniform(chance):
    """Any legal action."""
    return lambda prompt, actions, state: chance.choice(actions)


def rare(chance):
    """Small bids, rare cards laid, and every card and Special played that can be: so that much happens."""

    def choose(prompt, actions, state):
        if prompt in ("bid", "open_bid", "senate_bid"):
            return actions[min(int(chance.expovariate(0.6)), len(actions) - 1)]
        if prompt in ("play", "declare") and len(actions) > 1:
            return chance.choice(actions[1:])
        if prompt == "lay":
            return chance.choice([kind for kind in actions if kind in (2, 4, 5, 6, 7, 8)] or actions)
        return chance.choice(actions)

    return choose


STYLES = {"uniform": uniform, "rare": rare}


def play(players, variants, options, style, seed, deals, seen=None):
    """So many deals in lockstep."""
    rules = rules_of(players, tuple(variants), tuple(options))
    for deal in range(deals):
        choose = STYLES[style](random.Random(f"{seed} {deal}"))
        assert play_in_lockstep(rules, seed, deal, choose, seen) > 0


def share(part: float, tests: int) -> int:
    """Games of each of `tests` tests which together play that part of all games."""
    return max(1, round(GAMES * part / tests))


@pytest.mark.nojit
@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("players", PLAYERS)
def test_default_rules(players, style):
    play(players, (), (), style, 1000 + players, share(0.16, 8))


@pytest.mark.nojit
@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("players", PLAYERS)
def test_each_variant(players, variant):
    play(players, (variant,), (), "rare", 2000 + players, share(0.13, 20))


@pytest.mark.parametrize("option", OPTIONS)
def test_each_option(option):
    ruling = option.partition("=")[0]
    for i in range(share(0.26, len(OPTIONS))):
        players = PLAYERS[(OPTIONS.index(option) + i) % 4]
        if ruling in FULL:
            players = max(players, 3)
        play(players, NEEDED.get(ruling, ()), (option,), "rare", 3000 + i, 1)


def test_every_prompt_is_compared():
    seen = Counter()
    for players in PLAYERS:
        play(players, ("revealed-specials",), ("E09=two-each",), "rare", 4000, max(6, share(0.08, 4)), seen)
    assert set(seen) == set(c.PROMPTS) - {"none"}


@st.composite
def mixed_tables(draw, numbers=()):
    """Players, variants and settings that go together."""
    players = draw(st.sampled_from(PLAYERS))
    variants = draw(st.lists(st.sampled_from(VARIANTS), unique=True, max_size=3))
    options = draw(st.lists(st.sampled_from(OPTIONS), unique_by=lambda option: option[:3], max_size=5))
    for name in draw(st.lists(st.sampled_from(sorted(numbers)), unique=True, max_size=6)) if numbers else ():
        options.append(f"{name}={draw(st.integers(*numbers[name]))}")
    if "chosen-ships" in variants:
        tiles = c.TILES if players > 2 else [tile for tile in c.TILES if tile[0] != "A"]
        chosen = draw(st.permutations(tiles))[: 4 if players == 2 else 5]
        options.append(f"chosen_ships={','.join(chosen)}")
    try:
        rules_of(players, tuple(variants), tuple(options))
    except UserError:
        assume(False)
    return players, variants, options


DRAWN = settings(
    deadline=None,
    database=None,
    derandomize="LOCKSTEP_GAMES" not in os.environ,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large],
)


@pytest.mark.nojit
@settings(DRAWN, max_examples=share(0.25, 1))
@given(mixed_tables(), st.sampled_from(sorted(STYLES)), st.integers(0, 2**64 - 1), st.integers(0, 2**31))
def test_mixed_variants_and_options(table, style, seed, deal):
    play_one(table, style, seed, deal)


@settings(DRAWN, max_examples=share(0.12, 1))
@given(mixed_tables(NUMBERS), st.sampled_from(sorted(STYLES)), st.integers(0, 2**64 - 1), st.integers(0, 2**31))
def test_mixed_with_other_numbers(table, style, seed, deal):
    play_one(table, style, seed, deal)


def play_one(table, style, seed, deal):
    players, variants, options = table
    rules = rules_of(players, tuple(variants), tuple(options))
    assert play_in_lockstep(rules, seed, deal, STYLES[style](random.Random(seed))) > 0


@pytest.mark.nojit
def test_a_difference_is_noticed():
    """Lockstep itself: other rules on one side must not go through."""

    class Spoilt:
        """Chooses at random and, once, moves a cube on the kernels' side only."""

        def __init__(self):
            self.chance = random.Random(5)
            self.steps = 0

        def __call__(self, prompt, actions, state):
            self.steps += 1
            if self.steps == 100:
                state.supply[0] -= 1
                state.building[0] += 1
            return self.chance.choice(actions)

    with pytest.raises(MismatchError, match=r"supply|building"):
        play_in_lockstep(Table(3).rules, 1, 1, Spoilt())
