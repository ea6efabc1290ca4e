"""resample_hidden of Atlantica: all that a seat may see stays, all else is dealt anew, fairly (A31).

Who may see a field is read from the comments of the state's own source, so that a new field is tested too.
"""

from collections import Counter
from functools import cache
from itertools import pairwise
from random import Random
from typing import Any, NamedTuple

import numpy as np
import pytest
from scipy import stats

from kernels.atlantica import codes as c
from kernels.atlantica.check import BROKEN, broken_invariant
from kernels.atlantica.hidden import resample_hidden
from kernels.atlantica.state import STATE, new_states
from kernels.atlantica.step import MOST_LEGAL, advance, apply, legal, new_game
from sim.peeking import check_policy
from sim.policies import find_policy
from tests.atlantica.positions import GAME, LARGE_TEAM, Table, rules_of
from tests.contract.marks import read_marks

TABLES = [(2, ()), (3, ("A23=owner-sees",)), (4, ()), (5, ()), (4, ("diver_copies=5",)), (3, ("A20=uses-location",))]
SEED = np.uint64(7)
DRAWS = 3000  # worlds for a test of frequencies
UNLIKELY = 1e-4
LUCK = {"draw_stream", "draw_block", "draw_words", "draw_left", "replicate"}
ROOM = {"spare_block", "spare_words", "spare_left"}

# What everybody sees, typed from A31 and from what lies face up in "Setup" and "Game Play".
OPEN = {
    *("players", "turn", "phase", "prompt", "actor", "seat", "hurricane", "turns_left", "end_reason"),
    *("cards_played", "pairs_played", "used", "acted", "action", "slot", "left"),
    *("diver_discard", "treasure_row", "treasures", "ships", "crates", "research_row", "research", "ship_top"),
    *("diver_top", "diver_size", "treasure_top", "treasure_main", "treasure_size", "research_top", "research_size"),
}
HIDDEN = {"deal", "key", "policy_key", "diver_deck", "treasure_deck", "research_deck", "waiting", "forced"}


MARKS = read_marks(GAME)


class Position(NamedTuple):
    """A decision met in play: a state of shape (1,), its rules and its number."""

    states: Any
    rules: Any
    number: int

    @property
    def seat(self) -> int:
        return int(self.states[0].actor)

    def resampled(self, number: int, seed: Any = SEED, player: int | None = None) -> Any:
        copy = self.states.copy()
        resample_hidden(copy[0], self.rules, self.seat if player is None else player, seed, number)
        return copy


@cache
def positions() -> tuple[Position, ...]:
    """Every seventh decision of games of all kinds, played at random but for fewer breaths."""
    found = []
    for players, options in TABLES:
        rules = rules_of(players, options)[0]
        for deal in range(3):
            chance, out, states = Random(deal), np.zeros(MOST_LEGAL, np.int16), new_states(1)
            new_game(states[0], rules, np.uint64(5), deal)
            advance(states[0], rules)
            number = 0
            while states[0].phase != c.PHASE_OVER:
                n = legal(states[0], rules, out)
                number += 1
                if n > 1 and number % 7 == 0:
                    found.append(Position(states.copy(), rules, number))
                first = 1 if n > 1 and out[0] == c.PASS and chance.random() < 0.7 else 0
                apply(states[0], rules, int(out[chance.randrange(first, n)]))
                advance(states[0], rules)
    return tuple(found)


def own_waiting(position: Position, player: int) -> bool:
    """The player has hired divers this turn and may look at them (A23)."""
    return bool(position.rules.drawn_divers_seen and position.states[0].seat == player)


def differing(one: Any, other: Any) -> set[str]:
    return {name for name in STATE.names if not np.array_equal(one[name], other[name])}


def test_the_marks_are_what_a_player_sees() -> None:
    assert set(MARKS) == set(STATE.names)
    assert {name for name, mark in MARKS.items() if mark == "all"} >= OPEN
    assert {name for name, mark in MARKS.items() if mark == "own"} - LUCK == {"hand", "missing"}
    assert {name for name, mark in MARKS.items() if mark == "none"} - ROOM == HIDDEN


def test_the_positions_are_of_many_kinds() -> None:
    prompts = Counter(c.PROMPTS[position.states[0].prompt] for position in positions())
    assert len(positions()) > 300
    assert set(prompts) == set(c.PROMPTS) - {"none"}
    assert any(position.states[0].waiting.any() for position in positions())
    assert any(position.states[0].diver_reshuffles for position in positions())
    assert any(position.states[0].hurricane != c.NOBODY for position in positions())
    assert any(own_waiting(p, p.seat) and p.states[0].waiting.any() for p in positions())


@pytest.mark.parametrize("viewpoint", ["actor", "other"])
def test_what_the_seat_sees_stays(viewpoint: str) -> None:
    kept = [name for name, mark in MARKS.items() if mark in ("all", "") and name not in LUCK | ROOM | {"ship_deck"}]
    assert len(kept) > 40
    for position in positions():
        players = int(position.rules.players)
        seat = position.seat if viewpoint == "actor" else (position.seat + 1) % players
        real, world = position.states[0], position.resampled(position.number, player=seat)[0]
        for name in kept:
            assert np.array_equal(real[name], world[name]), name
        assert (real.hand[seat] == world.hand[seat]).all()
        assert (real.hand.sum(axis=1) == world.hand.sum(axis=1)).all()
        assert real.waiting.sum() == world.waiting.sum()
        if own_waiting(position, seat):
            assert (real.waiting == world.waiting).all()
        for pile, top in enumerate(real.ship_top):  # ships taken were on top once
            assert (real.ship_deck[pile, : top + 1] == world.ship_deck[pile, : top + 1]).all()


def test_the_same_actions_are_legal() -> None:
    real, other = np.zeros(MOST_LEGAL, np.int16), np.zeros(MOST_LEGAL, np.int16)
    for position in positions():
        n = legal(position.states[0], position.rules, real)
        assert legal(position.resampled(position.number)[0], position.rules, other) == n
        assert (real[:n] == other[:n]).all()


def test_whoever_is_paying_keeps_its_hand_in_the_eyes_of_others() -> None:
    """All know what it has begun to pay, and with another hand it might be unable to go on."""
    paying = [position for position in positions() if position.states[0].prompt == c.PROMPT_PAY]
    assert len(paying) > 20
    for position in paying:
        seat, real = position.seat, position.states[0]
        other = (seat + 1) % int(position.rules.players)
        assert (position.resampled(position.number, player=other)[0].hand[seat] == real.hand[seat]).all()


@pytest.mark.parametrize("viewpoint", ["actor", "other"])
def test_the_world_is_sound(viewpoint: str) -> None:
    for position in positions():
        seat = position.seat if viewpoint == "actor" else (position.seat + 1) % int(position.rules.players)
        world = position.resampled(position.number, player=seat)[0]
        broken = broken_invariant(world, position.rules)
        assert broken == 0, BROKEN[broken]
        assert (np.sort(world.ship_deck) == np.arange(c.PILE_SHIPS)).all()
        deck = world.treasure_deck[world.treasure_top : world.treasure_size].tolist()
        assert c.HURRICANE not in deck[: world.treasure_main]
        assert (c.HURRICANE in deck) == (world.hurricane == c.NOBODY)
        assert (world.draw_left == 0).all()


def test_hidden_things_change() -> None:
    changed: Counter[str] = Counter()
    for position in positions():
        changed.update(differing(position.states[0], position.resampled(position.number)[0]))
    assert set(changed) <= HIDDEN | {"hand", "missing", "ship_deck"} | LUCK | ROOM
    assert {"key", "policy_key", "deal"} <= set(changed)
    for name in ("hand", "diver_deck", "treasure_deck", "research_deck", "ship_deck"):
        assert changed[name] > 0.6 * len(positions()), name


# ---- a world that the seat cannot tell apart, made without the kernels


def dealt(chance: Random, pile: list[int], sizes: list[int]) -> list[list[int]]:
    """The pile shuffled and cut into so many cards each."""
    chance.shuffle(pile)
    cuts = np.cumsum([0, *sizes]).tolist()
    return [pile[start:end] for start, end in pairwise(cuts)]


def scrambled(position: Position, chance: Random) -> Any:
    """All that the seat asked cannot see is otherwise: hands, decks, their dead ends, keys, luck, notes of others."""
    states = position.states.copy()
    state, rules, seat = states[0], position.rules, position.seat
    others = [other for other in range(rules.players) if other != seat]
    unseen = rules.diver_copies - state.diver_discard - state.hand[seat]
    sizes = [int(state.hand[other].sum()) for other in others] + [0]
    if own_waiting(position, seat):
        unseen = unseen - state.waiting
    else:
        sizes[-1] = int(state.waiting.sum())
    sizes.append(int(state.diver_size - state.diver_top))
    parts = dealt(chance, np.repeat(range(c.COLOURS), unseen).tolist(), sizes)
    for other, hand in zip(others, parts):
        state.hand[other] = np.bincount(hand, minlength=c.COLOURS)
    if not own_waiting(position, seat):
        state.waiting[:] = np.bincount(parts[-2], minlength=c.COLOURS)
    state.diver_deck[:] = [chance.randrange(c.COLOURS) for _ in state.diver_deck]
    state.diver_deck[state.diver_top : state.diver_size] = parts[-1]

    row = [kind for kind in state.treasure_row if kind != c.NONE]
    unseen = rules.treasure_copies - state.treasures.sum(axis=0) - np.bincount(row, minlength=c.TREASURE_KINDS)
    size = int(state.treasure_size - state.treasure_top) - (state.hurricane == c.NOBODY)
    [deck] = dealt(chance, np.repeat(range(c.TREASURE_KINDS), unseen).tolist(), [size])
    if state.hurricane == c.NOBODY:
        deck.insert(chance.randint(int(state.treasure_main), len(deck)), c.HURRICANE)
    state.treasure_deck[:] = [chance.randrange(c.TREASURE_KINDS) for _ in state.treasure_deck]
    state.treasure_deck[state.treasure_top : state.treasure_size] = deck

    deck = state.research_deck[state.research_top : state.research_size].tolist()
    chance.shuffle(deck)
    state.research_deck[:] = [chance.randrange(11) for _ in state.research_deck]
    state.research_deck[state.research_top : state.research_size] = deck
    for pile, top in enumerate(state.ship_top):
        ships = state.ship_deck[pile, top + 1 :].tolist()
        chance.shuffle(ships)
        state.ship_deck[pile, top + 1 :] = ships

    state.key[:] = state.policy_key[:] = [chance.getrandbits(32), chance.getrandbits(32)]
    state.deal = chance.getrandbits(31)
    for other in others:
        state.draw_words[other] = [chance.getrandbits(32) for _ in range(4)]
        state.forced[other] = chance.randint(0, int(state.breaths[other]))
    if state.prompt == c.PROMPT_ACTION and state.acted == 0:  # what another seat lacked in its turn
        state.missing = chance.getrandbits(6)
    assert broken_invariant(state, rules) == 0
    return states


def test_worlds_that_a_seat_cannot_tell_apart_become_the_same() -> None:
    """No part of the world, dead ends of decks included, tells what the hidden cards really were."""
    chance, found = Random(1), set()
    for position in positions():
        other = Position(scrambled(position, chance), position.rules, 0)
        found |= differing(position.resampled(3)[0], other.resampled(3)[0])
    assert found == set()


def test_the_scrambled_worlds_do_differ() -> None:
    chance = Random(2)
    changed: Counter[str] = Counter()
    for position in positions():
        changed.update(differing(position.states[0], scrambled(position, chance)[0]))
    assert set(changed) >= {"hand", "waiting", "missing", "forced", "ship_deck", *HIDDEN}


def test_other_seeds_and_numbers_are_other_worlds() -> None:
    position = positions()[20]
    seeds = [(number, np.uint64(seed)) for number in range(5) for seed in (1, 2**40)]
    assert len({position.resampled(number, seed)[0].diver_deck.tobytes() for number, seed in seeds}) == 10
    assert position.resampled(1, np.uint64(5 + 2**32))[0].key.tolist() == [5, 1]


@pytest.mark.parametrize("viewpoint", ["actor", "other"])
def test_the_world_can_be_played_to_its_end(viewpoint: str) -> None:
    out, chance = np.zeros(MOST_LEGAL, np.int16), Random(1)
    for position in positions()[::12]:
        seat = position.seat if viewpoint == "actor" else (position.seat + 1) % int(position.rules.players)
        world, rules = position.resampled(position.number, player=seat)[0], position.rules
        while world.phase != c.PHASE_OVER:
            n = legal(world, rules, out)
            assert n > 0
            apply(world, rules, int(out[chance.randrange(n)]))
            advance(world, rules)
            broken = broken_invariant(world, rules)
            assert broken == 0, BROKEN[broken]
        assert world.end_reason in (c.END_HURRICANE, c.END_TURN_CAP)


# ---- how likely each world is


def fits(counts: Counter[int], chances: dict[int, float], draws: int) -> bool:
    """Chi-square, values expected fewer than five times taken together."""
    assert set(counts) <= {value for value, chance in chances.items() if chance > 0}
    common = [value for value, chance in chances.items() if chance * draws >= 5]
    observed = [counts[value] for value in common]
    expected = [chances[value] * draws for value in common]
    rest = draws - sum(expected)
    if rest > 1e-6:
        observed.append(draws - sum(observed))
        expected.append(rest)
    return bool(stats.chisquare(observed, expected).pvalue > UNLIKELY)


def hypergeometric(unseen: int, of_kind: int, drawn: int) -> dict[int, float]:
    return {k: float(stats.hypergeom.pmf(k, unseen, of_kind, drawn)) for k in range(min(of_kind, drawn) + 1)}


@cache
def worlds() -> tuple[Table, tuple[Any, ...]]:
    """Seat 0 of three looks at the table after it has hired six divers; and what it may imagine."""
    table = Table(3)
    table.hand(0, "ywgggw")
    table.hand(1, "ppppp")
    table.hand(2, "rrr")
    table.answer("action", LARGE_TEAM)
    table.answer("pay", c.YELLOW)
    table.answer("pay", c.WHITE)
    position = Position(table.states, table.rules, 0)
    return table, tuple(position.resampled(number)[0] for number in range(DRAWS))


UNSEEN_DIVERS = [13 - 2, 13 - 1, 13, 13 - 3, 13, 13]  # of 78, less seat 0's hand and what it has played


def test_another_hand_is_a_random_part_of_the_unseen_divers() -> None:
    _, found = worlds()
    for seat, size in ((1, 5), (2, 3)):
        for colour in (c.WHITE, c.PURPLE):
            counts = Counter(int(world.hand[seat, colour]) for world in found)
            assert fits(counts, hypergeometric(sum(UNSEEN_DIVERS), UNSEEN_DIVERS[colour], size), DRAWS)


def test_divers_hired_are_as_hidden_as_the_deck() -> None:
    _, found = worlds()
    counts = Counter(int(world.waiting[c.GREEN]) for world in found)
    assert fits(counts, hypergeometric(sum(UNSEEN_DIVERS), UNSEEN_DIVERS[c.GREEN], 6), DRAWS)
    chances = {colour: number / sum(UNSEEN_DIVERS) for colour, number in enumerate(UNSEEN_DIVERS)}
    assert fits(Counter(int(world.diver_deck[world.diver_top]) for world in found), chances, DRAWS)
    assert fits(Counter(int(world.diver_deck[world.diver_size - 1]) for world in found), chances, DRAWS)


def test_the_next_treasure_may_be_one_set_aside() -> None:
    """Every treasure that nobody has seen is as likely as another, the 18 removed ones among them."""
    table, found = worlds()
    row = np.bincount(table.state.treasure_row, minlength=c.TREASURE_KINDS)
    unseen = np.array([12, 10, 9, 8, 7, 6, 5]) - row
    chances = {kind: number / unseen.sum() for kind, number in enumerate(unseen.tolist())}
    assert fits(Counter(int(world.treasure_deck[world.treasure_top]) for world in found), chances, DRAWS)
    decks = [world.treasure_deck[world.treasure_top : world.treasure_size] for world in found]
    counts = Counter(int((deck == c.WEAPONS).sum()) for deck in decks)
    assert fits(counts, hypergeometric(int(unseen.sum()), int(unseen[c.WEAPONS]), 57 - 18 - 6), DRAWS)


def test_the_hurricane_lies_anywhere_in_its_pile() -> None:
    table, found = worlds()
    places = [
        int(np.flatnonzero(world.treasure_deck[world.treasure_top : world.treasure_size] == c.HURRICANE)[0])
        for world in found
    ]
    first = int(table.state.treasure_main)
    assert first == 57 - 18 - 6 - 10
    assert fits(Counter(places), {first + place: 1 / 11 for place in range(11)}, DRAWS)


def test_research_cards_and_ships_come_in_any_order() -> None:
    table, found = worlds()
    state = table.state
    left = np.bincount(state.research_deck[state.research_top : state.research_size], minlength=c.RESEARCH_KINDS)
    chances = {kind: number / left.sum() for kind, number in enumerate(left.tolist()) if number}
    assert fits(Counter(int(world.research_deck[world.research_top]) for world in found), chances, DRAWS)
    for place in (1, 7):
        ships = Counter(int(world.ship_deck[2, place]) for world in found)
        below = [ship for ship in range(c.PILE_SHIPS) if ship != state.ship_deck[2, 0]]
        assert fits(ships, dict.fromkeys(below, 1 / 7), DRAWS)


# ---- the built-in policies


@pytest.mark.parametrize("name", ["random", "greedy"])
def test_a_built_in_policy_never_peeks(name: str) -> None:
    verdict = check_policy(GAME, find_policy(GAME, name), games=12, timed=False)
    assert verdict.findings == ()
    assert verdict.games == 12
    assert verdict.decisions > 500
    assert {count.prompt for count in verdict.prompts} >= {"action", "pay", "treasure", "research"}
