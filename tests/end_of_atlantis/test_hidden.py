"""resample_hidden: all that a seat may see stays, all else is dealt anew, fairly.

Who may see a field is read from the comments of the state's own source, so that a new field is tested too.
"""

import random
from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import pytest
from scipy import stats

from kernels.end_of_atlantis import codes as c
from kernels.end_of_atlantis.check import BROKEN, broken_invariant
from kernels.end_of_atlantis.hidden import resample_hidden
from kernels.end_of_atlantis.state import STATE, new_states
from kernels.end_of_atlantis.step import MOST_LEGAL, advance, apply, legal, new_game
from tests.contract.marks import read_marks
from tests.end_of_atlantis.positions import GAME, Table, rules_of

KINDS_OF_TABLE = [
    (2, ()),
    (3, ("revealed-specials",)),
    (4, ()),
    (4, ("revealed-events", "chosen-ships")),
    (5, ("revealed-events", "revealed-specials")),
    (5, ("family",)),
]
SEED = np.uint64(7)
DRAWS = 3000  # worlds for a test of frequencies
UNLIKELY = 1e-4
LUCK = {"draw_stream", "draw_block", "draw_words", "draw_left", "policy_key"}
ROOM = {"spare_block", "spare_words", "spare_left", "event_pile", "ship_rank", "seat_rank"}


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
    """Every fifth decision, and each with a bid looked at, of games of all kinds, played at random with small bids."""
    found = []
    for players, variants in KINDS_OF_TABLE:
        rules = rules_of(players, variants)
        for deal in range(2):
            game = play(rules, deal)
            found += [Position(states, rules, i) for i, states in enumerate(game) if i % 5 == 0 or is_peek(states)]
    return tuple(found)


def is_peek(states: Any) -> bool:
    return bool(states[0].prompt == c.PROMPT_DEMAGOGOS_CHANGE)


def play(rules: Any, deal: int) -> Iterator[Any]:
    """The states before each decision of a game."""
    states, out = new_states(1), np.zeros(MOST_LEGAL, np.int16)
    chance = random.Random(deal)
    new_game(states[0], rules, np.uint64(5), deal)
    advance(states[0], rules)
    while states[0].phase != c.PHASE_OVER:
        n = legal(states[0], rules, out)
        if n > 1:
            yield states.copy()
        pick = min(int(chance.expovariate(0.5)), n - 1) if n > 10 else chance.randrange(n)
        apply(states[0], rules, int(out[pick]))
        advance(states[0], rules)


def politics_of(states: Any) -> Counter[int]:
    """Politics cards wherever they are."""
    state = states[0]
    cards = Counter(state.politics_deck[state.politics_top : state.politics_size].tolist())
    for piles in (state.politics_discard, state.hand.sum(axis=0)):
        cards.update({kind: int(count) for kind, count in enumerate(piles)})
    cards.update(kind for kind in state.laid.ravel().tolist() if kind != c.NONE)
    return +cards


def specials_of(states: Any) -> Counter[int]:
    state = states[0]
    cards = Counter(state.special_deck[state.special_top : state.special_size].tolist())
    for piles in (state.special_discard, state.special.sum(axis=0)):
        cards.update({kind: int(count) for kind, count in enumerate(piles)})
    cards.update(kind for kind in state.face_up.tolist() if kind != c.NONE)
    return +cards


def shown(state: Any, seat: int, slot: int) -> bool:
    """Whether everybody sees a laid card."""
    return bool(state.revealed) and not (state.facedown[slot] and state.holder[c.FACTION_ORAKLOS] == seat)


def events_to_come(states: Any) -> list[int]:
    state = states[0]
    return state.event_deck[state.event_top : state.event_size].tolist()


def test_the_marks_are_read_from_every_field() -> None:
    assert set(MARKS) == set(STATE.names)
    assert {name for name, mark in MARKS.items() if mark == "own"} - LUCK == {
        *("hand", "laid", "special", "effects", "pending", "looked_at")
    }
    assert {name for name, mark in MARKS.items() if mark == "none"} - ROOM == {
        *("deal", "key", "policy_key", "politics_deck", "special_deck", "event_deck")
    }


def test_the_positions_are_of_many_kinds() -> None:
    prompts = Counter(c.PROMPTS[position.states[0].prompt] for position in positions())
    assert len(positions()) > 300
    assert len(prompts) > 20
    assert prompts["demagogos_change"] > 3
    assert any(position.states[0].facedown.any() for position in positions())
    assert any(position.states[0].special_known.any() for position in positions())
    assert any(position.states[0].politics_reshuffles for position in positions())


@pytest.mark.parametrize("viewpoint", ["actor", "other"])
def test_what_the_seat_sees_stays(viewpoint: str) -> None:
    kept = [name for name, mark in MARKS.items() if mark in ("all", "") and name not in LUCK | ROOM]
    assert len(kept) > 90
    for position in positions():
        seat = position.seat if viewpoint == "actor" else (position.seat + 1) % int(position.rules.players)
        real, world = position.states[0], position.resampled(position.number, player=seat)[0]
        for name in kept:
            assert np.array_equal(real[name], world[name]), name
        for name in ("hand", "laid", "special", "effects", "pending"):
            assert np.array_equal(real[name][seat], world[name][seat]), name
        for other in range(position.rules.players):
            for slot in range(5):
                if shown(real, other, slot):
                    assert real.laid[other, slot] == world.laid[other, slot]
            assert ((real.laid[other] == c.NONE) == (world.laid[other] == c.NONE)).all()
            assert real.hand[other].sum() == world.hand[other].sum()
            assert real.special[other].sum() == world.special[other].sum()
            assert (world.special[other] >= world.special_known[other]).all()
            assert (real.pending[other] == c.NONE) == (world.pending[other] == c.NONE)
        if position.rules.revealed_events:
            assert real.event_deck[real.event_top] == world.event_deck[world.event_top]


def test_the_same_actions_are_legal() -> None:
    real, other = np.zeros(MOST_LEGAL, np.int16), np.zeros(MOST_LEGAL, np.int16)
    for position in positions():
        n = legal(position.states[0], position.rules, real)
        assert legal(position.resampled(position.number)[0], position.rules, other) == n
        assert (real[:n] == other[:n]).all()


def test_the_world_is_sound() -> None:
    for position in positions():
        states, world = position.states, position.resampled(position.number)
        broken = broken_invariant(world[0], position.rules)
        assert broken == 0, BROKEN[broken]
        assert politics_of(world) == politics_of(states)
        assert specials_of(world) == specials_of(states)
        for seat in range(position.rules.players):
            held = {int(position.rules.special_effect[kind]) for kind in np.flatnonzero(world[0].special[seat])}
            assert int(world[0].effects[seat]) == sum(1 << effect for effect in held)
        to_come, past = events_to_come(world), set(world[0].event_history.tolist())
        assert len(to_come) == len(set(to_come)) == len(events_to_come(states))
        assert not past & set(to_come)
        assert set(range(c.DOOM_CARDS)) <= past | set(to_come)
        assert (world[0].pending <= world[0].supply).all() or world[0].prompt not in SECRET
        assert (world[0].draw_left == 0).all()


SECRET = (c.PROMPT_BID, c.PROMPT_SENATE_BID, c.PROMPT_DEMAGOGOS_LOOK, c.PROMPT_DEMAGOGOS_CHANGE)


def test_hidden_things_change() -> None:
    changed: Counter[str] = Counter()
    for position in positions():
        world = position.resampled(position.number)
        changed.update(name for name in STATE.names if not np.array_equal(position.states[name], world[name]))
    hidden = {name for name, mark in MARKS.items() if mark != "all"} | ROOM | LUCK
    assert set(changed) <= hidden
    assert {"key", "policy_key", "deal", "hand", "laid", "special", "effects", "pending"} <= set(changed)
    for name in ("hand", "special", "politics_deck", "special_deck", "event_deck"):
        assert changed[name] > 0.6 * len(positions()), name


def in_force(states: Any) -> list[Any]:
    """All that a game can go by: decks by what is left of them, and no words already used."""
    state = states[0]
    parts = {name: state[name].tolist() for name in STATE.names if name not in ROOM | {"draw_words"}}
    for deck in ("politics", "special", "event"):
        top, size = parts[f"{deck}_top"], parts[f"{deck}_size"]
        parts[f"{deck}_deck"] = parts[f"{deck}_deck"][top:size]
    return list(parts.items())


def test_the_world_follows_from_seed_and_number_alone() -> None:
    """Whatever the hidden cards were: a search by one's own luck does the same in all worlds one cannot tell apart."""
    for position in positions():
        one, same = position.resampled(3), position.resampled(3)
        assert all(np.array_equal(one[name], same[name]) for name in STATE.names)
        other = Position(position.resampled(11), position.rules, 0).resampled(3, player=position.seat)
        assert in_force(other) == in_force(one)


def test_nothing_of_the_real_world_is_left_behind() -> None:
    """No field of the world, room and dead ends of decks included, tells what the hidden cards really were."""
    for position in positions():
        one = position.resampled(3)
        other = Position(position.resampled(11), position.rules, 0).resampled(3, player=position.seat)
        differing = [name for name in STATE.names if not np.array_equal(one[name], other[name])]
        assert differing == []


def test_the_dead_end_of_a_deck_tells_nothing() -> None:
    """Cards drawn before a reshuffle, and those that setup left behind the Event deck, may still lie in the array."""
    for position in positions():
        world = position.resampled(3)[0]
        for deck in ("politics", "special", "event"):
            size = int(world[f"{deck}_size"])
            assert len(set(world[f"{deck}_deck"][size:].tolist())) <= 1, deck


def test_the_words_others_have_drawn_are_gone() -> None:
    """The last word a seat drew may be its secret bid."""
    position = positions()[40]
    states = position.states.copy()
    states["draw_words"] = 12345
    world = Position(states, position.rules, 0).resampled(1)
    assert (world["draw_words"] != 12345).all()


def test_other_seeds_and_numbers_are_other_worlds() -> None:
    position = positions()[20]
    worlds = {
        position.resampled(number, np.uint64(seed))[0].politics_deck.tobytes()
        for number in range(5)
        for seed in (1, 2**40)
    }
    assert len(worlds) == 10
    assert position.resampled(1, np.uint64(5 + 2**32))[0].key.tolist() == [5, 1]


@pytest.mark.parametrize("viewpoint", ["actor", "other"])
def test_the_world_can_be_played_to_its_end(viewpoint: str) -> None:
    out = np.zeros(MOST_LEGAL, np.int16)
    chance = random.Random(1)
    for position in positions()[::15]:
        seat = position.seat if viewpoint == "actor" else (position.seat + 1) % int(position.rules.players)
        world, rules = position.resampled(position.number, player=seat)[0], position.rules
        for _ in range(2000):
            n = legal(world, rules, out)
            assert n > 0
            apply(world, rules, int(out[chance.randrange(n)]))
            advance(world, rules)
            broken = broken_invariant(world, rules)
            assert broken == 0, BROKEN[broken]
            if world.phase == c.PHASE_OVER:
                break
        assert world.phase == c.PHASE_OVER
        assert world.doom_count == 3


# ---- how likely each world is


def find_position(*prompts: int, players: int = 4, turn: int = 2) -> Position:
    """The first such decision of the plain game."""
    rules = rules_of(players)
    for deal in range(20):
        for states in play(rules, deal):
            if states[0].prompt in prompts and states[0].turn >= turn:
                return Position(states, rules, 0)
    raise AssertionError("no such decision")


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


def unseen_politics(position: Position) -> Counter[int]:
    """By kind, what the seat asked cannot place: all cards less those it sees."""
    state, seat = position.states[0], position.seat
    unseen = Counter({kind: int(copies) for kind, copies in enumerate(position.rules.politics_copies)})
    unseen.subtract({kind: int(count) for kind, count in enumerate(state.hand[seat] + state.politics_discard)})
    for other in range(position.rules.players):
        seen = [k for slot, k in enumerate(state.laid[other].tolist()) if other == seat or shown(state, other, slot)]
        unseen.subtract(kind for kind in seen if kind != c.NONE)
    return unseen


@pytest.mark.parametrize("kind", [c.POLITICS_REFUGEES_1, c.POLITICS_SHIPS, c.POLITICS_BETRAYAL])
def test_another_hand_is_a_random_part_of_the_unseen_cards(kind: int) -> None:
    position = find_position(c.PROMPT_FACTION)
    other = (position.seat + 1) % 4
    unseen = unseen_politics(position)
    worlds = [position.resampled(number)[0] for number in range(DRAWS)]
    counts = Counter(int(world.hand[other, kind]) for world in worlds)
    held = int(position.states[0].hand[other].sum())
    assert held > 0
    assert fits(counts, hypergeometric(unseen.total(), unseen[kind], held), DRAWS)


def test_secret_cards_and_the_deck_are_dealt_alike() -> None:
    """A card laid in secret and the top of the deck are each any unseen card, equally likely."""
    position = find_position(c.PROMPT_LAY)
    while position.seat != 3:
        states = position.states.copy()
        out = np.zeros(MOST_LEGAL, np.int16)
        legal(states[0], position.rules, out)
        apply(states[0], position.rules, int(out[0]))
        advance(states[0], position.rules)
        position = Position(states, position.rules, 0)
    unseen = unseen_politics(position)
    chances = {kind: count / unseen.total() for kind, count in unseen.items()}
    worlds = [position.resampled(number)[0] for number in range(DRAWS)]
    assert fits(Counter(int(world.laid[0, 2]) for world in worlds), chances, DRAWS)
    assert fits(Counter(int(world.politics_deck[world.politics_top]) for world in worlds), chances, DRAWS)
    last = [int(world.politics_deck[world.politics_size - 1]) for world in worlds]
    assert fits(Counter(last), chances, DRAWS)


def test_special_cards_are_dealt_likewise() -> None:
    position = find_position(c.PROMPT_FACTION)
    state, seat, kind = position.states[0], position.seat, 0
    other = (seat + 2) % 4
    held = int(state.special[other].sum())
    unseen = int(position.rules.special_copies.sum()) - int(state.special[seat].sum() + state.special_discard.sum())
    of_kind = int(position.rules.special_copies[kind] - state.special[seat, kind] - state.special_discard[kind])
    assert held > 0
    worlds = [position.resampled(number)[0] for number in range(DRAWS)]
    counts = Counter(int(world.special[other, kind]) for world in worlds)
    assert fits(counts, hypergeometric(unseen, of_kind, held), DRAWS)


def test_removed_events_and_the_order_of_the_others_are_uniform() -> None:
    position = find_position(c.PROMPT_LAY, turn=3)
    past = set(position.states[0].event_history.tolist()) - {c.NONE}
    others = [event for event in range(c.DOOM_CARDS, c.EVENT_CARDS) if event not in past]
    dooms = [event for event in range(c.DOOM_CARDS) if event not in past]
    size = len(events_to_come(position.states))
    decks = [events_to_come(position.resampled(number)) for number in range(DRAWS)]
    missing = Counter(frozenset(set(others) - set(deck)) for deck in decks)
    removed = len(others) + len(dooms) - size
    assert removed == int(position.rules.events_removed) > 0
    sets = stats.chisquare([missing[gone] for gone in missing])
    assert len(missing) == int(np.round(np.prod([(len(others) - i) / (i + 1) for i in range(removed)])))
    assert sets.pvalue > UNLIKELY
    chances = dict.fromkeys(dooms, 1 / size) | {other: (size - len(dooms)) / size / len(others) for other in others}
    for place in (0, size - 1):
        assert fits(Counter(deck[place] for deck in decks), chances, DRAWS)


def test_secret_bids_are_any_bid_the_seat_could_make() -> None:
    table = Table(3)
    table.deal_hands()
    for _ in range(2):
        table.lay(c.POLITICS_SHIPS, c.POLITICS_SHIPS, c.POLITICS_SHIPS)
    table.begin_voting()
    table.answer("bid", 0, 2)
    table.keep(0, 6)
    position = Position(table.states, table.rules, 0)
    bids = Counter(int(position.resampled(number)[0].pending[0]) for number in range(DRAWS))
    assert fits(bids, dict.fromkeys(range(7), 1 / 7), DRAWS)


# ---- what a seat has come to know


def test_a_bid_looked_at_stays_for_the_demagogos_alone() -> None:
    looked = [position for position in positions() if is_peek(position.states)]
    others = set()
    for position in looked:
        state, seen = position.states[0], int(position.states[0].looked_at)
        for number in range(20):
            world = position.resampled(number)[0]
            assert world.pending[seen] == state.pending[seen]
            assert world.pending[position.seat] == state.pending[position.seat]
        stranger = next(seat for seat in range(position.rules.players) if seat not in (seen, position.seat))
        others |= {int(position.resampled(number, player=stranger)[0].pending[seen]) for number in range(20)}
    assert len(others) > 3


def test_a_special_card_taken_face_up_stays_known() -> None:
    """The taker's other card is dealt anew; this one everybody has seen."""
    table = Table(3, variants=("revealed-specials",))
    table.special(1, 3, 8)
    table.state.special_known[1, 8] = 1
    table.begin_turn()
    position = Position(table.states, table.rules, 0)
    assert position.seat == 0
    worlds = [position.resampled(number)[0] for number in range(200)]
    assert all(world.special[1, 8] >= 1 for world in worlds)
    assert all(world.special[1].sum() == 2 for world in worlds)
    assert len({world.special[1].tobytes() for world in worlds}) > 5


def test_the_card_that_oraklos_hides_is_hidden_from_others_only() -> None:
    table = Table(4)
    table.hold(2, c.FACTION_ORAKLOS)
    for _ in range(5):
        table.lay(c.POLITICS_SHIPS, c.POLITICS_REFUGEES_1, c.POLITICS_REFUGEES_2, c.POLITICS_ROYAL_SHIP)
    table.deal_hands()
    table.state.facedown[1] = 1
    table.begin_voting()
    position = Position(table.states, table.rules, 0)
    for seat in range(4):
        worlds = [position.resampled(number, player=seat)[0].laid for number in range(60)]
        face_up = np.ones((4, 5), bool)
        face_up[2, 1] = False
        assert all((laid[:4][face_up] == position.states[0].laid[:4][face_up]).all() for laid in worlds)
        assert (len({int(laid[2, 1]) for laid in worlds}) > 1) == (seat != 2)


def test_the_next_event_is_known_where_events_are_revealed() -> None:
    for variants, others in (((), 2), (("revealed-events",), 1)):
        rules = rules_of(4, variants)
        position = Position(next(iter(play(rules, 0))), rules, 0)
        first = {events_to_come(position.resampled(number))[0] for number in range(40)}
        assert (len(first) > 1) == (others > 1)
