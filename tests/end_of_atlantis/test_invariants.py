"""Random play with every kind of table: what must hold after each step, whatever is played.

The kernels' own `broken_invariant` is checked, and beside it a ledger in plain Python that accounts for every cube,
card and point.
"""

import os
import random
from collections import Counter
from itertools import combinations

import numpy as np
import pytest

from kernels.end_of_atlantis import codes as c
from kernels.end_of_atlantis.check import BROKEN, broken_invariant
from kernels.end_of_atlantis.state import new_states
from kernels.end_of_atlantis.step import MOST_LEGAL, advance, apply, legal, new_game
from sim.errors import UserError
from tests.contract.batches import play_rows
from tests.end_of_atlantis.positions import BLACK, GAME, Fields, Table, rules_of

pytestmark = pytest.mark.bounds
COMPILED = os.environ.get("NUMBA_DISABLE_JIT", "0") == "0"
GAMES = 2 if COMPILED else 1  # of each kind of table
VARIANTS = ("family", "chosen-ships", "revealed-events", "revealed-specials", "aggressive-neutrals")
TABLES = [(), *((variant,) for variant in VARIANTS), *combinations(VARIANTS, 2)]
ARRIVAL_SOURCES = range(c.SOURCE_REFUGEES_SHIPS, c.SOURCE_SCIENCE + 1)
LANDED_BY = {
    c.POLITICS_SHIPS: c.SOURCE_REFUGEES_SHIPS,
    c.POLITICS_ROYAL_SHIP: c.SOURCE_REFUGEES_ROYAL,
    c.CAUSE_DOOM: c.SOURCE_REFUGEES_DOOM,
}
SPACES = np.array([7, 5, 5, 3, 3, 8, 5, 5, 3, 3, 0])  # by tile; the last for a space without one


class Ledger:
    """Watches one game step by step; `after` raises AssertionError when something cannot be explained."""

    def __init__(self, states, rules):
        self.record, self.rules = states[0], rules
        self.players = int(rules.players)
        self.states, self.kept = states, new_states(1)
        self.state, self.before = Fields(states), Fields(self.kept)
        self.senate = int(rules.senate)
        self.effect = rules.special_effect.tolist()
        self.votes_lost = Counter()
        self.remember()

    def remember(self):
        self.kept[0] = self.states[0]

    def after(self):
        broken = broken_invariant(self.record, self.rules)
        assert broken == 0, BROKEN[broken]
        self.count_cubes()
        self.count_cards()
        self.explain_points()
        self.remember()

    def count_cubes(self):
        state, players = self.state, self.players
        piles = np.array([state.supply, state.pool, state.on_cards, state.building, state.land], int)
        aboard = state.aboard.astype(int)
        assert piles.min() >= 0
        assert aboard.min() >= 0
        assert (piles.sum(axis=0) + aboard[:, :BLACK].sum(axis=0)).tolist() == [20] * players + [0] * (5 - players)
        assert aboard[:, BLACK].sum() + state.camp + state.neutral_land == 10
        load = aboard.sum(axis=1)
        load[state.tile == c.TILE_ADVANCED_ARK] += state.printed_neutral
        assert (load <= SPACES[state.tile]).all()

    def count_cards(self):
        state, before = self.state, self.before
        politics = np.bincount(state.politics_deck[state.politics_top : state.politics_size], minlength=9)
        politics = politics + state.politics_discard + state.hand.sum(axis=0)
        politics += np.bincount(state.laid.ravel() + 1, minlength=10)[1:]
        assert politics.tolist() == [24, 12, 4, 8, 12, 8, 4, 4, 4]
        if (state.special == before.special).all() and state.special_top == before.special_top:
            return
        specials = np.bincount(state.special_deck[state.special_top : state.special_size], minlength=25)
        specials = specials + state.special_discard + state.special.sum(axis=0)
        specials += np.bincount(state.face_up + 1, minlength=26)[1:]
        assert specials.tolist() == [4, 3, 2, 3, 3, 3, 2, 3, 2] + [0] * 16
        for seat in range(self.players):
            held = {self.effect[kind] for kind in range(9) if state.special[seat, kind] > 0}
            assert int(state.effects[seat]) == sum(1 << effect for effect in held)

    def explain_points(self):
        state, before, players = self.state, self.before, self.players
        gained = (state.vp_by - before.vp_by)[:players].astype(int)
        assert (state.vp_by.sum(axis=1) == state.vp).all()
        assert (gained.sum(axis=1) == state.vp[:players].astype(int) - before.vp[:players]).all()
        assert state.vp[:players].min() >= 0
        if not gained.any() and state.arrivals == 0:
            return
        revealed = state.event_top != before.event_top or state.event_reshuffles != before.event_reshuffles
        event = int(state.event_now) if revealed else c.NONE
        assert not gained[:, c.SOURCE_START].any()
        assert (gained[:, ARRIVAL_SOURCES] == self.points_of_arrivals()).all()
        self.explain_plus_one(gained[:, c.SOURCE_PLUS_ONE])
        for source in (c.SOURCE_LAND_MAJORITY, c.SOURCE_POOL_MAJORITY):
            assert sorted(gained[:, source])[:-1] == [0] * (players - 1)
            assert gained[:, source].max() in ((0, 2) if revealed else (0,))
        if self.senate == 0:
            assert not gained[:, c.SOURCE_POOL_MAJORITY].any()
        pays = sorted(gained[:, c.SOURCE_SENATE_PAYS])
        assert pays[:-2] == [0] * (players - 2)
        assert pays[-2:] in ([[0, 0], [0, 5], [3, 5]] if event == c.EVENT_SENATE_PAYS else [[0, 0]])
        leads = sorted(gained[:, c.SOURCE_LEADERSHIP])
        neutrals = leads[-1]
        assert neutrals == 0 or (revealed and before.event_now == c.EVENT_LEADERSHIP)
        assert leads[-2] in (0, (neutrals + 1) // 2)
        assert leads[:-2] == [0] * (players - 2)
        self.explain_no_mercy(gained[:, c.SOURCE_NO_MERCY])
        ends = state.special[:players, :3].astype(int) @ np.array([1, 2, 3]) if state.phase == c.PHASE_OVER else 0
        assert (gained[:, c.SOURCE_SPECIALS] == ends).all()

    def points_of_arrivals(self):
        """Points by seat and source of what has landed in this step, worked out from the cubes ashore."""
        state = self.state
        points = np.zeros((self.players, len(ARRIVAL_SOURCES)), int)
        for entry in range(state.arrivals):
            cause, mover = int(state.arrival_cause[entry]), int(state.arrival_mover[entry])
            space, tile = int(state.arrival_space[entry]), int(state.arrival_tile[entry])
            cubes = state.arrival_cubes[entry].tolist()
            here = np.zeros_like(points)
            allied = cause != c.CAUSE_DOOM and self.plays(c.SPECIAL_NEUTRAL_ALLY) and state.special_ship == space
            for seat in range(self.players):
                own = cubes[seat] + (cubes[BLACK] if allied and seat == mover else 0)
                if own:
                    here[seat, LANDED_BY[cause] - ARRIVAL_SOURCES[0]] = (1, 3, 6, 10, 15)[min(own, 5) - 1]
                if cubes[seat]:
                    here[seat, c.SOURCE_COLOURS - ARRIVAL_SOURCES[0]] = np.count_nonzero(cubes) - 1
            if cause != c.CAUSE_DOOM:
                here[mover, c.SOURCE_MOVER - ARRIVAL_SOURCES[0]] += 1
                if tile == c.TILE_ADVANCED_SCIENCE:
                    here[mover, c.SOURCE_SCIENCE - ARRIVAL_SOURCES[0]] += 2
            assert state.arrival_vp[entry, : self.players].tolist() == here.sum(axis=1).tolist()
            points += here
        return points

    def plays(self, effect):
        special = int(self.state.card_special)
        return special != c.NONE and self.effect[special] == effect

    def explain_plus_one(self, gained):
        taken = np.flatnonzero((self.state.holder != self.before.holder) & (self.before.plus_one == 1))
        expected = np.zeros(self.players, int)
        for faction in taken:
            if self.state.holder[faction] != c.NOBODY:
                expected[self.state.holder[faction]] += 1
        assert (gained == expected).all()

    def explain_no_mercy(self, gained):
        """At most one point a voting, of the seat with the lowest total."""
        if not gained.any():
            return
        state, players = self.state, self.players
        assert self.before.event_now == c.EVENT_NO_MERCY
        totals = state.bid[:players].astype(int) + state.bid_bonus[:players]
        loser = int(np.argmin(gained))
        assert sorted(gained) == [-1] + [0] * (players - 1)
        assert totals[loser] == totals.min()
        self.votes_lost[int(state.turn), int(state.slot)] += 1
        assert max(self.votes_lost.values()) == 1


def play_game(rules, seed, deal):
    """A game of random actions, watched; returns its last state."""
    states = new_states(1)
    record, state = states[0], Fields(states)
    new_game(record, rules, np.uint64(seed), deal)
    advance(record, rules)
    chance = random.Random(f"{seed} {deal}")
    ledger = Ledger(states, rules)
    out = np.zeros(MOST_LEGAL, np.int16)
    for _ in range(5000):
        if state.phase == c.PHASE_OVER:
            return state
        actions = out[: legal(record, rules, out)].tolist()
        assert actions
        assert actions == sorted(set(actions))
        assert 0 <= state.actor < ledger.players
        apply(record, rules, choose(chance, int(state.prompt), actions))
        advance(record, rules)
        ledger.after()
    raise AssertionError("a game without end")


def choose(chance, prompt, actions):
    """Small bids and cards rather played than not, so that much happens."""
    if prompt in (c.PROMPT_BID, c.PROMPT_OPEN_BID, c.PROMPT_SENATE_BID):
        return actions[min(int(chance.expovariate(0.5)), len(actions) - 1)]
    if prompt in (c.PROMPT_PLAY, c.PROMPT_DECLARE) and len(actions) > 1:
        return chance.choice(actions[1:])
    return chance.choice(actions)


def may_be_played(players, variants):
    return not (players == 2 and "family" in variants)  # the same game without it


CASES = [(players, variants) for players in (2, 3, 4, 5) for variants in TABLES if may_be_played(players, variants)]


@pytest.mark.nojit
@pytest.mark.parametrize(("players", "variants"), CASES, ids=[f"{p}-{'+'.join(v) or 'plain'}" for p, v in CASES])
def test_everything_adds_up_after_every_step(players, variants):
    rules = rules_of(players, variants)
    for deal in range(GAMES):
        state = play_game(rules, 11 * players, deal)
        assert 4 <= state.turn <= 6
        assert state.doom_count == 3
        assert state.event_now in (0, 1, 2)
        assert state.actor == c.NOBODY
        assert state.prompt == c.PROMPT_NONE


@pytest.mark.parametrize(
    ("settings", "fewest", "most"),
    [
        ((), 4, 6),
        (("E15=redrawn-through-turn-4",), 5, 6),
        (("E16=two",), 4, 8),
        (("E16=none",), 4, 10),
        (("E16=two", "E15=redrawn-through-turn-4"), 5, 8),
        (("events_removed=7",), 3, 3),  # three Doom! and nothing to draw instead (E17)
        (("events_removed=6",), 4, 4),
        (("events_removed=7", "doom_redrawn_through=0"), 3, 3),
    ],
)
def test_number_of_turns(settings, fewest, most):
    turns = play_rows(GAME, 3, 2000 if COMPILED else 8, *settings, detail=0)["games"]["turns"]
    assert fewest <= min(turns)
    assert max(turns) <= most
    if COMPILED:
        assert (min(turns), max(turns)) == (fewest, most)


@pytest.mark.parametrize("spaces", ["tile_spaces.A+=7", "tile_spaces.B+=2", "tile_spaces.E+=1"])
def test_an_advanced_ship_with_fewer_spaces_is_refused_or_sound(spaces):
    """Refugees stay aboard at the upgrade, so a smaller advanced ship may be overfull."""
    try:
        rules = rules_of(3, (), (spaces,))
    except UserError:
        return
    for deal in range(12):
        states = new_states(1)
        new_game(states[0], rules, np.uint64(1), deal)
        advance(states[0], rules)
        chance, out = random.Random(deal), np.zeros(MOST_LEGAL, np.int16)
        while states[0].phase != c.PHASE_OVER:
            actions = out[: legal(states[0], rules, out)].tolist()
            apply(states[0], rules, choose(chance, int(states[0].prompt), actions))
            advance(states[0], rules)
            assert broken_invariant(states[0], rules) == 0


def test_the_ledger_notices_a_point_out_of_nowhere():
    table = Table(3)
    table.begin_turn()
    ledger = Ledger(table.states, table.rules)
    ledger.after()
    table.state.vp[1] += 1
    table.state.vp_by[1, c.SOURCE_MOVER] += 1
    with pytest.raises(AssertionError):
        ledger.explain_points()


@pytest.mark.nojit
@pytest.mark.parametrize(
    ("spoil", "what"),
    [
        (lambda state: state.supply.__setitem__(0, 21), "a seat's cubes do not add up"),
        (
            lambda state: (state.supply.__setitem__(0, 21), state.land.__setitem__(0, -1)),
            "a count of cubes or cards is negative",
        ),
        (
            lambda state: (state.supply.__setitem__(0, 21), state.aboard.__setitem__((0, 0), -1)),
            "a count of cubes or cards is negative",
        ),
        (lambda state: state.__setattr__("camp", 9), "the neutral tokens do not add up"),
        (
            lambda state: (state.aboard.__setitem__((4, BLACK), 4), state.__setattr__("camp", 6)),
            "a ship carries more than it has spaces",
        ),
        (lambda state: state.hand.__setitem__((0, 0), 1), "the Politics cards do not add up"),
        (lambda state: state.special.__setitem__((0, 0), 1), "the Special cards do not add up"),
        (lambda state: state.vp.__setitem__(0, 3), "a score is not the sum of its sources"),
        (
            lambda state: (state.vp.__setitem__(0, -1), state.vp_by.__setitem__((0, c.SOURCE_NO_MERCY), -3)),
            "a score is negative",
        ),
    ],
    ids=range(9),
)
def test_broken_invariant_names_what_is_wrong(spoil, what):
    table = Table(3)
    assert broken_invariant(table.state, table.rules) == 0
    spoil(table.state)
    assert BROKEN[broken_invariant(table.state, table.rules)] == what
