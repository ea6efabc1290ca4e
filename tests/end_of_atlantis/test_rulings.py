"""Every ruling in a position: the default, and for each option what it changes. Figures are worked out by hand.

`by_option` lists what is expected under the default ("") and under each option of a ruling; the last tests make sure
that no option and no ruling goes without a test, and that every option makes a difference.
"""

import re
import sys
import tomllib
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from kernels.end_of_atlantis import codes as c
from kernels.end_of_atlantis import record
from kernels.engine.contract import NOTES
from kernels.engine.desk import Buffers, bind_loop
from sim.errors import UserError
from sim.rulebook import load_rules, rule_options
from tests.end_of_atlantis.positions import (
    ALLIANCE,
    BLACK,
    CONVOY,
    CROWN_JEWELS,
    EMPATH,
    FILLER,
    GAME,
    HEIRLOOM,
    HOARD,
    NEIGHBOURS,
    ORATOR,
    OWN,
    PASS,
    PROXY,
    STOWAWAY,
    USE,
    A,
    B,
    C,
    D,
    E,
    Table,
)
from tests.machinery.philox import word

pytestmark = pytest.mark.nojit

EXPECTED: dict[str, dict[str, list[Any]]] = {}  # ruling -> option ("" is the default) -> what its tests expect
UNSEEN = {
    "E83": "what may be known of a face-up Event deck is for policies, not for the rules",
    "E85": "what is public is for policies, not for the rules",
}
QUIET = c.EVENT_NO_MERCY  # an Event that does nothing in its own Doom phase but bring one neutral
REFUGEES_1, REFUGEES_2, REFUGEES_2_1 = range(3)


def by_option(ruling: str, expected: dict[str, Any]) -> Callable[[Any], Any]:
    """Parametrise a test by the options of a ruling: `option` is what to give a Table, `expected` what to find."""
    for name, value in expected.items():
        EXPECTED.setdefault(ruling, {}).setdefault(name, []).append(value)
    cases = [
        pytest.param((f"{ruling}={name}",) if name else (), value, id=name or "default")
        for name, value in expected.items()
    ]
    return pytest.mark.parametrize(("option", "expected"), cases)


def blacks_boarded(table: Table) -> int:
    return sum(table.blacks())


# ---------------------------------------------------------------------------------------------------- the main table


def spaces(**ships):
    """Settings that give ships, starting and advanced alike, so many spaces."""
    return [f"tile_spaces.{letter}{side}={count}" for letter, count in ships.items() for side in ("", "+")]



@by_option(
    "E01",
    {
        "": [1, 3, 6, 10, 15],
        "steps-of-3": [3, 6, 9, 12, 15],
        "steps-of-2": [2, 4, 6, 8, 10],
        "early-points": [5, 9, 12, 14, 15],
    },
)
def test_e01_royal_ship_chart(option, expected):
    scored = []
    for cubes in range(1, 6):
        table = Table(3, *option)
        table.put(A, *[1] * cubes)
        table.sail(A)
        table.play_card(0, c.POLITICS_ROYAL_SHIP)
        table.answer("move", 0, A)
        scored.append(table.gained(c.SOURCE_REFUGEES_ROYAL)[1])
    assert scored == expected


@by_option(
    "E01", {"": (15, 0), "steps-of-3": (15, 0), "steps-of-2": (10, 0), "early-points": (15, 0)}
)
def test_e01_at_most_five_refugees_count(option, expected):
    table = Table(3, *option)
    table.put(A, *[1] * 7)
    table.sail(A)
    table.play_card(0, c.POLITICS_ROYAL_SHIP)
    table.answer("move", 0, A)
    assert (table.gained(c.SOURCE_REFUGEES_ROYAL)[1], table.gained(c.SOURCE_REFUGEES_SHIPS)[1]) == expected


def everybody_aboard(*settings: str) -> Table:
    """The Ark at sea with seats 0 (one cube) and 1 (two) and a neutral; the Science Vessel in port with seat 2."""
    table = Table(3, *settings)
    table.put(A, 0, 1, 1, BLACK)
    table.put(B, 2)
    table.sail(A)
    return table


def land_it(table: Table, how: str) -> None:
    if how == "doom":
        table.doom(QUIET)
        return
    table.play_card(2, c.POLITICS_SHIPS if how == "ships" else c.POLITICS_ROYAL_SHIP)
    table.answer("move", 2, A)


@by_option(
    "E02",
    {
        "": {"ships": [2, 2, 0], "royal": [2, 2, 0], "doom": [2, 2, 0]},
        "not-royal-ship": {"ships": [2, 2, 0], "royal": [0, 0, 0], "doom": [2, 2, 0]},
        "nowhere": {"ships": [0, 0, 0], "royal": [0, 0, 0], "doom": [0, 0, 0]},
    },
)
def test_e02_points_for_other_colours(option, expected):
    for how, points in expected.items():
        table = everybody_aboard(*option)
        land_it(table, how)
        assert table.gained(c.SOURCE_COLOURS) == points, how


@by_option(
    "E03",
    {
        "": {"ships": [0, 0, 1], "royal": [0, 0, 1], "doom": [0, 0, 0]},
        "ships-only": {"ships": [0, 0, 1], "royal": [0, 0, 0], "doom": [0, 0, 0]},
        "nowhere": {"ships": [0, 0, 0], "royal": [0, 0, 0], "doom": [0, 0, 0]},
    },
)
def test_e03_point_for_the_mover(option, expected):
    for how, points in expected.items():
        table = everybody_aboard(*option)
        land_it(table, how)  # seat 2 has no cube aboard
        assert table.gained(c.SOURCE_MOVER) == points, how


def test_e03_one_point_for_each_ship():
    table = everybody_aboard()
    table.sail(B)
    table.play_card(0, c.POLITICS_SHIPS)
    table.play(("move", 0, A), ("move", 0, B))
    assert table.gained(c.SOURCE_MOVER) == [2, 0, 0]


@by_option("E04", {"": 1 + 1, "all-blank": 0, "all-end-vp": 2 + 2})
def test_e04_two_cards_of_the_first_special_kind_at_the_end(option, expected):
    table = Table(3, *option)
    table.state.turn = 5
    table.state.doom_count = 2
    table.special(1, 0, 0)
    table.doom(c.EVENT_DOOM_3)
    assert table.over
    assert table.gained(c.SOURCE_SPECIALS) == [0, expected, 0]


def test_e04_points_of_the_placeholder_deck():
    table = Table(3)
    table.state.turn = 5
    table.state.doom_count = 2
    table.special(0, HOARD, HEIRLOOM, CROWN_JEWELS)
    table.special(1, CROWN_JEWELS, CONVOY, ORATOR)
    table.doom(c.EVENT_DOOM_3)
    assert table.gained(c.SOURCE_SPECIALS) == [1 + 2 + 3, 3, 0]


def after_event(event: int, *settings: str) -> Table:
    """The Doom phase with this Event over, ships empty, nothing moving and everybody declining."""
    table = Table(4, "doom_ships=0", *settings)
    table.doom(event)
    table.skip_to("senate_bid", "lay")
    return table


@by_option("E05", {"": [1, 1, 1, 2, 2, 1, 2, 1, 1, 3], "none": [0] * 10, "one-each": [1] * 10, "two-each": [2] * 10})
def test_e05_neutrals_with_each_event(option, expected):
    assert [blacks_boarded(after_event(event, *option)) for event in range(10)] == expected


@by_option(
    "E06", {"": [0, 1, 0, 1, 0, 1, 0, 1, 0, 1], "always-hidden": [0] * 10, "always-open": [1] * 10}
)
def test_e06_voting_symbol_of_each_event(option, expected):
    assert [int(after_event(event, *option).state.voting_open) for event in range(10)] == expected


def test_e06_turn_1_is_hidden():
    table = Table(3, "E06=always-open")
    table.deal_hands()
    table.begin_turn()
    table.skip_to("bid", "open_bid")
    assert table.asked == ("bid", 0)


@by_option("E07", {"": 7, "as-laid": 1 + 5, "up-to-6": 6, "up-to-8": 8})
def test_e07_refill_of_a_hand_of_one_after_five_were_laid(option, expected):
    table = Table(3, *option)
    table.hand(0, c.POLITICS_SUPPORT)
    for _ in range(5):
        table.lay(*[REFUGEES_1] * 3)
    table.doom(QUIET)
    assert int(table.state.hand[0].sum()) == expected


def test_e07_in_senate_order_and_from_reshuffled_discards():
    table = Table(3)
    table.pool(0, 8, 2)
    table.empty_politics_deck(keep=9)
    top = table.state.politics_deck[table.state.politics_top :][:9].tolist()
    table.doom(QUIET)  # the pools are 0, 4, 1 by then
    assert Counter(top[:7]) == Counter(np.repeat(range(9), table.state.hand[1]).tolist())
    assert all(table.state.hand[2, kind] >= number for kind, number in Counter(top[7:]).items())
    assert table.state.hand.sum() == 21
    assert table.state.politics_discard.sum() == 0
    assert table.state.politics_size - table.state.politics_top == 80 - 21


@by_option("E08b", {"": 1, "random": 24})
def test_e08_orders_of_four_markers_at_the_start(option, expected):
    orders = set()
    for deal in range(400):
        table = Table(4, *option, seed=99, deal=deal)
        keys = [word(99, deal, c.PURPOSE_MARKER_ORDER, 0, seat) for seat in range(4)]
        order = sorted(range(4), key=lambda seat: keys[seat]) if option else range(4)
        assert [table.state.marker[seat] for seat in order] == [0, 1, 2, 3]
        orders.add(tuple(table.by_seat("marker")))
    assert len(orders) == expected


def test_e08_markers_settle_ties_before_any_faction_is_taken():
    table = Table(4)
    table.begin_turn()
    table.skip_to("faction")
    table.play(*(("faction", seat, PASS) for seat in range(4)))
    assert table.asked == ("free_faction", 0)


@by_option("E09", {"": [0, 0, 0], "two-each": [2, 2, 2]})
def test_e09_own_cubes_at_setup(option, expected):
    table = Table(3, *option)
    table.state.turn = 0
    table.state.marker[:3] = [1, 0, 2]
    table.put(E, BLACK, BLACK, BLACK)
    table.go(0, c.PHASE_SETUP)
    if option:
        legals = table.play(
            ("setup_cube", 1, A),
            ("setup_cube", 0, D),
            ("setup_cube", 2, A),
            ("setup_cube", 1, B),
            ("setup_cube", 0, C),
            ("setup_cube", 2, D),
        )
        assert legals == [[A, B, C, D], [A, B, C, D], [A, B, C, D], [B, C, D], [A, B, C], [B, C, D]]
    assert table.asked == ("senate_bid", 0)
    assert table.state.turn == 1
    assert table.state.aboard[:, :3].sum(axis=0).tolist() == expected


def test_e09_nobody_is_asked_without_cubes_or_without_another_ship_with_room():
    table = Table(3, "E09=two-each")
    table.state.turn = 0
    for seat in range(3):
        table.keep(seat, 1)
    table.go(0, c.PHASE_SETUP)
    table.play(*(("setup_cube", seat, A) for seat in range(3)))
    assert table.asked == ("senate_bid", 0)
    table = Table(2, "E09=two-each", "tile_spaces.B=1", "tile_spaces.C=1", "tile_spaces.D=1", "tile_spaces.E=1")
    table.state.turn = 0
    for space in (B, C):
        table.put(space, BLACK)
    table.go(0, c.PHASE_SETUP)
    table.play(("setup_cube", 0, D), ("setup_cube", 1, E))
    assert table.asked[0] == "faction"


@by_option("E10", {"": (0, 9), "stay": (4, 5)})
def test_e10_neutrals_on_the_promised_land(option, expected):
    table = Table(3, *option)
    table.ashore(1, 0, 0, black=4)
    table.doom(QUIET)  # one neutral comes aboard
    assert (int(table.state.neutral_land), int(table.state.camp)) == expected
    assert table.by_seat("land") == [0, 0, 0]


def test_e11_an_empty_camp_sends_nobody():
    table = Table(3, "doom_ships=0")
    table.ashore(black=9)
    table.doom(c.EVENT_LEADERSHIP)  # three cubes on the card
    assert table.blacks() == [1, 0, 0, 0, 0]


@by_option("E12", {"": [0, 1, 0, 0, 0], "next-ship": [0, 1, 1, 0, 0]})
def test_e12_the_largest_ship_is_full(option, expected):
    table = Table(3, "doom_ships=0", *option)
    table.put(A, *[0] * 7)
    table.doom(c.EVENT_WRATH)  # two cubes
    assert table.blacks() == expected


@by_option("E12", {"": [0, 0, 0, 1, 0], "next-ship": [0, 0, 0, 1, 1]})
def test_e12_several_full_ships(option, expected):
    table = Table(3, "doom_ships=0", *option)
    table.put(A, *[0] * 7)
    table.put(B, *[1] * 5)
    table.sail(C)
    table.doom(c.EVENT_LEADERSHIP)  # three cubes
    assert table.blacks() == expected


def test_e12_by_capacity_then_from_the_left_and_no_more_than_ships():
    table = Table(3, "doom_ships=0")
    table.doom(c.EVENT_LEADERSHIP)
    assert table.blacks() == [1, 1, 1, 0, 0]
    table = Table(3, "doom_ships=0")
    table.sail(A, B, C)
    table.doom(c.EVENT_LEADERSHIP)
    assert table.blacks() == [0, 0, 0, 1, 1]
    assert table.state.camp == 8


def test_e12_a_larger_ship_further_right_comes_first():
    table = Table(3, "doom_ships=0", *spaces(E=6, D=8))
    table.doom(c.EVENT_WRATH)  # two cubes
    assert table.blacks() == [1, 0, 0, 1, 0]
    table = Table(3, "doom_ships=0", *spaces(E=6))
    table.doom(c.EVENT_LEADERSHIP)  # three
    assert table.blacks() == [1, 1, 0, 0, 1]


@by_option("E13", {"": ([2, 0, 1], [1, 2, 0]), "zero-never-wins": ([0, 0, 1], [0, 0, 0])})
def test_e13_a_bid_of_0(option, expected):
    places = []
    for bids in ((0, 0, 3), (0, 0, 0)):
        table = Table(3, *option)
        table.lay(FILLER, FILLER, FILLER)
        table.vote(*bids)
        places.append(table.by_seat("place"))
        table.skip_to("bid")
    assert tuple(places) == expected


def test_e14_the_left_neighbour_is_the_next_seat():
    for first in range(4):
        table = Table(4)
        table.lay(*(REFUGEES_1 if seat == (first + 1) % 4 else FILLER for seat in range(4)))
        bids = [1] * 4
        bids[first], bids[(first + 1) % 4] = 2, 0
        table.vote(*bids)
        assert table.asked == ("play", first)
        assert table.legal() == [PASS, NEIGHBOURS]


@by_option("E15", {"": [False, False, True, True], "redrawn-through-turn-4": [False, False, False, True]})
def test_e15_third_doom_by_turn(option, expected):
    ends = []
    for turn in (2, 3, 4, 5):
        table = Table(3, *option)
        table.state.turn = turn
        table.state.doom_count = 2
        table.doom(c.EVENT_DOOM_3, c.EVENT_WRATH, c.EVENT_CHAOS)
        ends.append(table.over)
        assert table.state.event_now == (c.EVENT_DOOM_3 if table.over else c.EVENT_WRATH)
    assert ends == expected


@by_option("E16", {"": 6, "two": 8, "none": 10})
def test_e16_cards_in_the_event_deck(option, expected):
    for deal in range(20):
        state = Table(3, *option, deal=deal).state
        deck = state.event_deck[: state.event_size].tolist()
        assert len(set(deck)) == len(deck) == expected
        assert {0, 1, 2} <= set(deck)


def test_e17_a_third_doom_counts_if_no_other_card_is_left():
    table = Table(3)
    table.state.turn = 2
    table.state.doom_count = 2
    table.next_events(c.EVENT_DOOM_3)
    table.doom(c.EVENT_DOOM_3)
    assert table.over


@by_option("E18c", {"": ([20, 20, 20], [0, 0, 0]), "stay": ([18, 20, 19], [2, 0, 1])})
def test_e18_chaos_and_cubes_on_buildings(option, expected):
    table = Table(3, *option)
    table.keep(0, 18)
    table.keep(2, 19)
    table.doom(c.EVENT_CHAOS)
    assert (table.by_seat("supply"), table.by_seat("building")) == expected


def test_e18_chaos_leaves_faction_tokens_and_pool_and_skips_two_phases():
    table = Table(3)
    table.pool(5, 2, 0)
    table.hold(0, c.FACTION_ARCHONT)
    table.hold(1, c.FACTION_BASILEUS)
    table.hold(2, c.FACTION_STRATEGOS)
    table.doom(c.EVENT_CHAOS)
    assert table.by_seat("pool") == [5, 2, 0]
    assert table.asked == ("lay", 0)  # neither bids, nor picks, nor the abilities of Archont and Basileus
    assert table.state.turn == 2
    assert table.state.holder.tolist() == [0, 1, -1, -1, -1, -1, 2]
    table.skip_to("bid")
    table.bid(0, 0, 2)
    table.skip_to("strategos")  # an ability of the voting works
    assert table.asked == ("strategos", 2)
    table.answer("strategos", 2, USE)
    assert table.state.supply[2] == 20


def test_e18_other_events_return_tokens_and_half_of_the_pool():
    table = Table(3)
    table.pool(5, 2, 0)
    table.hold(0, c.FACTION_ARCHONT)
    table.doom(QUIET)
    assert table.by_seat("pool") == [2, 1, 0]
    assert table.state.holder.tolist() == [-1] * 7
    assert table.state.marker[0] == 0  # the marker stays
    assert table.asked == ("senate_bid", 0)


def test_e19_half_of_each_pool_rounded_up():
    table = Table(4)
    table.pool(1, 2, 3, 4)
    table.doom(QUIET)
    assert table.by_seat("pool") == [0, 1, 1, 2]


def test_e20_third_doom_ends_before_anything_moves_or_returns():
    table = Table(3)
    table.state.turn = 4
    table.state.doom_count = 2
    table.put(B, *[1] * 5)
    table.sail(B)
    table.ashore(0, 0, 2)
    table.keep(0, 15)
    table.doom(c.EVENT_DOOM_3)
    assert table.over
    assert table.asked == ("none", -1)
    assert table.areas() == [0, 1, 0, 0, 0]
    assert table.by_seat("land") == [0, 0, 2]
    assert table.by_seat("building") == [5, 0, 0]
    assert table.by_seat("vp") == [2, 2, 2 + 2]  # the majorities come before the card
    assert blacks_boarded(table) == 0


@pytest.mark.parametrize(("black", "points"), [(1, [0, 2, 0]), (2, [0, 2, 0]), (3, [0, 0, 0])])
def test_e21_neutrals_deny_the_land_majority_only_if_they_are_more(black, points):
    table = Table(3)
    table.ashore(1, 2, 0, black=black)
    table.doom(QUIET)
    assert table.gained(c.SOURCE_LAND_MAJORITY) == points


@by_option("E22", {"": ([0, 0, 0], [0, 0, 0]), "senate-order": ([0, 2, 0], [0, 2, 0])})
def test_e22_majorities_without_a_token(option, expected):
    table = Table(3, *option)
    table.state.marker[:3] = [1, 0, 2]
    table.doom(QUIET)
    assert (table.gained(c.SOURCE_LAND_MAJORITY), table.gained(c.SOURCE_POOL_MAJORITY)) == expected


@by_option("E22", {"": ([0, 0, 0], [0, 0, 0]), "senate-order": ([0, 0, 0], [2, 0, 0])})
def test_e22_neutrals_alone_on_the_promised_land(option, expected):
    table = Table(3, *option)
    table.ashore(black=1)
    table.doom(QUIET)
    assert (table.gained(c.SOURCE_LAND_MAJORITY), table.gained(c.SOURCE_POOL_MAJORITY)) == expected


@by_option("E23", {"": (1, 1), "symbol-only": (0, 1), "neither": (0, 0)})
def test_e23_cube_and_open_symbol_of_the_second_copy(option, expected):
    table = Table(3, "doom_ships=0", *option)
    table.doom(c.EVENT_DOOM_2)
    assert (blacks_boarded(table), int(table.state.voting_open)) == expected


@by_option("E23", {"": (1, 0), "symbol-only": (0, 0), "neither": (0, 1)})
def test_e23_cube_and_hidden_symbol_of_the_first_copy_after_an_open_voting(option, expected):
    table = Table(3, "doom_ships=0", *option)
    table.state.voting_open = 1
    table.doom(c.EVENT_DOOM_1)
    assert (blacks_boarded(table), int(table.state.voting_open)) == expected


@by_option("E24", {"": (c.AREA_PORT, 3), "one-area": (c.AREA_OCEAN, 0)})
def test_e24_advanced_airship_in_the_doom_phase(option, expected):
    table = Table(3, *option)
    table.upgrade(D)
    table.put(D, 1, 1)
    table.doom(QUIET)
    assert (int(table.state.area[D]), table.gained(c.SOURCE_REFUGEES_DOOM)[1]) == expected


@by_option("E24", {"": 3, "one-area": 3})
def test_e24_advanced_airship_by_card(option, expected):
    table = Table(3, *option)
    table.upgrade(D)
    table.put(D, 1, 1)
    table.put(A, 2)
    table.play_card(0, c.POLITICS_SHIPS)
    table.answer("move", 0, D)
    assert table.gained(c.SOURCE_REFUGEES_SHIPS)[1] == expected


@pytest.mark.parametrize("loaded", [1, 2])
def test_e25_ships_needs_two_ships_that_can_move(loaded):
    table = Table(3)
    for space in (A, C)[:loaded]:
        table.put(space, 1)
    table.lay(c.POLITICS_SHIPS, c.POLITICS_SUPPORT, c.POLITICS_SUPPORT)
    table.vote(1, 0, 0)
    assert table.legal() == [PASS, NEIGHBOURS] if loaded == 1 else [PASS, OWN, NEIGHBOURS]
    if loaded == 2:
        legals = table.play(("play", 0, OWN), ("move", 0, C), ("move", 0, A))
        assert legals[1:] == [[A, C], [A]]
        assert table.areas() == [1, 0, 1, 0, 0]


def fill_ships(table: Table, *free: int) -> None:
    """Load every ship with cubes of seats 1 and 2 but for these numbers of free spaces."""
    for space, spaces in enumerate((7, 5, 5, 3, 3)):
        table.put(space, *([1, 2] * 4)[: spaces - free[space]])


@pytest.mark.parametrize(
    ("free", "playable"), [((3, 0, 0, 0, 0), False), ((1, 1, 1, 1, 1), False), ((0, 2, 0, 0, 1), True)]
)
def test_e26_refugees_2_1_two_here_and_one_there(free, playable):
    table = Table(3)
    fill_ships(table, *free)
    table.lay(REFUGEES_2_1, c.POLITICS_SABOTAGE, c.POLITICS_SABOTAGE)
    table.vote(1, 0, 0)
    assert table.legal() == ([PASS, OWN] if playable else [PASS])
    if playable:
        legals = table.play(("play", 0, OWN), ("load", 0, B), ("load_second", 0, E))
        assert legals[1:] == [[B], [E]]
        assert (table.aboard(B)[0], table.aboard(E)[0]) == (2, 1)


def test_e26_refugees_2_1_needs_three_cubes():
    for cubes, actions in ((3, [PASS]), (4, [PASS, OWN])):
        table = Table(3)
        table.keep(0, cubes)
        table.lay(REFUGEES_2_1, FILLER, FILLER)
        table.vote(1, 0, 0)
        assert table.legal() == actions


def betrayed_pool(*settings: str) -> Table:
    """Seat 2 has just taken 4 of the 5 tokens of seat 0 by Betrayal; pools are 1, 3, 2 now."""
    table = Table(3, *settings)
    table.pool(5, 3, 2)
    table.lay(FILLER, FILLER, c.POLITICS_BETRAYAL)
    table.lay(FILLER, FILLER, FILLER)
    table.vote(0, 0, 1)
    table.play(("play", 2, OWN), ("betrayal", 2, c.POOL_OF + 0), ("betrayal_count", 2, 4))
    return table


@by_option("E27", {"": [0, 1, 2], "frozen": [1, 2, 0]})
def test_e27_order_after_betrayal_on_the_pool(option, expected):
    table = betrayed_pool(*option)
    table.skip_to("bid")
    table.bid(0, 0, 0)
    assert table.by_seat("place") == expected


def test_e27_the_factions_phase_keeps_the_order_of_its_start():
    table = Table(3)
    table.begin_turn()
    table.play(*(("senate_bid", seat, 0) for seat in range(3)))
    table.play(("faction", 0, c.FACTION_STRATEGOS), ("faction", 1, PASS), ("faction", 2, PASS))
    assert table.asked == ("free_faction", 1)  # though the marker of seat 0 is last now
    table.play(("free_faction", 1, c.FACTION_PHILOSOPHIOS), ("free_faction", 2, c.FACTION_ORAKLOS))


def test_e28_discarded_cubes_wait_on_the_building_until_the_doom_phase():
    table = Table(3)
    table.put(A, 1, 1, 2, BLACK)
    table.sail(A)
    table.play_card(0, c.POLITICS_SABOTAGE)
    table.answer("sabotage", 0, A)
    assert table.asked == ("play", 1)  # one ship only
    assert table.by_seat("building") == [0, 2, 1]
    assert table.by_seat("supply") == [19, 18, 19]
    assert table.state.camp == 10
    table.doom(QUIET)
    assert table.by_seat("supply") == [20, 20, 20]


@by_option("E29b", {"": (1, 0, 10), "from-camp": (0, 1, 9)})
def test_e29_neutral_of_the_advanced_ark_at_the_upgrade(option, expected):
    table = Table(3, "event_cubes=0", "doom_ships=0", *option)
    table.put(A, 1)
    table.sail(A)
    table.doom(c.EVENT_DOOM_1)
    assert table.areas()[A] == c.AREA_OCEAN  # "even if the ship is on the ocean"
    assert (int(table.state.printed_neutral), table.blacks()[A], int(table.state.camp)) == expected


@by_option("E29b", {"": (1, 0, 0, 10), "from-camp": (0, 1, 1, 8)})
def test_e29_neutral_of_the_advanced_ark_back_in_port(option, expected):
    table = Table(3, *option)
    table.upgrade(A)
    if option:
        table.state.printed_neutral = 0
        table.put(A, BLACK)
    table.put(A, 1)
    table.sail(A)
    table.play_card(0, c.POLITICS_ROYAL_SHIP)
    table.answer("move", 0, A)
    assert table.gained(c.SOURCE_COLOURS) == [0, 1, 0]
    state = table.state
    assert (
        int(state.printed_neutral),
        table.blacks()[A],
        int(state.neutral_land),
        int(state.camp),
    ) == expected


def test_e29_from_camp_an_empty_camp_gives_none():
    table = Table(3, "event_cubes=0", "E29b=from-camp")
    table.ashore(black=10)
    table.doom(c.EVENT_DOOM_1)
    assert table.state.printed_neutral == 0
    assert table.blacks() == [0] * 5


def test_e29_aristocracy_displaces_the_printed_neutral_which_is_back_after_the_voyage():
    table = Table(3)
    table.upgrade(A)
    table.put(A, *[0] * 7)
    table.play_card(0, c.POLITICS_ARISTOCRACY)
    legals = table.play(("aristocracy", 0, A), ("aristocracy_victim", 0, BLACK))
    assert legals[1] == [BLACK]
    assert table.state.printed_neutral == 0
    assert table.state.camp == 10
    assert table.aboard(A)[0] == 8
    table.sail(A)
    table.skip_to("bid")
    table.doom(QUIET)
    assert table.state.printed_neutral == 1
    assert table.gained(c.SOURCE_COLOURS) == [0, 0, 0]  # it did not land with the others


@by_option("E30", {"": ([PASS, OWN], c.AREA_OCEAN), "counts-as-empty": ([PASS], c.AREA_PORT)})
def test_e30_advanced_ark_with_its_neutral_alone(option, expected):
    table = Table(3, *option)
    table.upgrade(A)
    table.lay(c.POLITICS_ROYAL_SHIP, FILLER, FILLER)
    table.vote(1, 0, 0)
    actions = table.legal()
    table = Table(3, "event_cubes=0", *option)
    table.upgrade(A)
    table.doom(QUIET)
    assert (actions, int(table.state.area[A])) == expected


def test_e31_discarded_specials_are_reshuffled():
    table = Table(3)
    table.special(1, PROXY)
    table.empty_special_deck(discard=True)
    table.play_card(0, c.POLITICS_SUPPORT)
    assert table.state.special[0].sum() == 1
    assert table.state.special_discard.sum() == 0
    assert table.state.special_size - table.state.special_top == 25 - 2


def test_e31_a_single_discarded_special_is_enough():
    table = Table(3)
    table.special(2, PROXY)
    table.empty_special_deck(discard=False)
    table.state.special[2, PROXY] -= 1
    table.state.special_discard[PROXY] = 1
    table.play_card(0, c.POLITICS_SUPPORT)
    assert table.state.special[0, PROXY] == 1
    assert table.state.special_discard.sum() == 0


@by_option("E32a", {"": [2, 1, 2, 2], "all-lose": [1, 1, 2, 2]})
def test_e32_no_mercy_with_a_tie_for_the_lowest_bid(option, expected):
    table = Table(4, *option)
    table.state.event_now = c.EVENT_NO_MERCY
    table.pool(2, 1, 0, 0)
    table.lay(*[FILLER] * 4)
    table.vote(1, 1, 2, 3)
    assert table.by_seat("vp") == expected


@by_option("E32b", {"": (0, 0), "below-zero": (-1, -1)})
def test_e32_no_mercy_at_zero_points(option, expected):
    table = Table(3, *option)
    table.state.event_now = c.EVENT_NO_MERCY
    table.score(0, 2, 2)
    table.lay(*[FILLER] * 3)
    table.vote(0, 1, 1)
    assert (int(table.state.vp[0]), table.gained(c.SOURCE_NO_MERCY)[0]) == expected


@by_option("E33", {"": ([0, 6, 4], [1, 0, 2]), "nearly-reversed": ([6, 0, 2], [0, 1, 2])})
def test_e33_factions_from_left_to_right(option, expected):
    table = Table(3, *option)
    table.begin_turn()
    table.play(*(("senate_bid", seat, 0) for seat in range(3)))
    table.play(
        ("faction", 0, c.FACTION_ARCHONT), ("faction", 1, c.FACTION_STRATEGOS), ("faction", 2, c.FACTION_ORAKLOS)
    )
    table.skip_to("lay")
    table.lay(*[FILLER] * 3)
    table.vote(0, 0, 0)
    assert (table.by_seat("marker"), table.by_seat("place")) == expected


def test_e33_basileus_is_left_of_demiurgos():
    table = Table(3)
    table.hold(0, c.FACTION_DEMIURGOS)
    table.hold(1, c.FACTION_BASILEUS)
    table.hold(2, c.FACTION_STRATEGOS)
    table.lay(*[FILLER] * 3)
    table.vote(2, 2, 0)
    assert table.by_seat("place") == [2, 1, 0]


def test_e34_a_plus_one_token_taken_shows_its_plain_side():
    table = Table(3)
    table.state.plus_one[:] = 1
    table.begin_turn()
    table.skip_to("faction")
    table.answer("faction", 0, c.FACTION_ORAKLOS)
    assert table.state.plus_one.tolist() == [1, 1, 1, 1, 0, 1, 1]
    assert table.by_seat("vp") == [3, 2, 2]
    table.skip_to("lay")
    table.doom(QUIET)
    table.skip_to("faction")
    table.answer(*table.asked, c.FACTION_ORAKLOS)
    assert table.gained(c.SOURCE_PLUS_ONE)[0] == 1


def test_e35a_first_place_borrows_from_the_nearest_loser_to_the_left():
    table = Table(4)
    table.lay(FILLER, FILLER, c.POLITICS_SUPPORT, FILLER)
    table.vote(5, 4, 0, 0)  # seat 1 won too
    assert table.answer("play", 0, PASS) == [PASS, NEIGHBOURS]
    assert table.answer("play", 1, PASS) == [PASS]  # second place does not borrow


def test_e35b_with_three_winners_the_neighbour_may_be_three_seats_away():
    table = Table(5)
    table.lay(FILLER, FILLER, FILLER, c.POLITICS_SUPPORT, REFUGEES_1)
    table.vote(5, 4, 3, 0, 0)
    legals = table.play(("play", 0, NEIGHBOURS), ("play", 1, PASS), ("play", 2, PASS))
    assert legals == [[PASS, NEIGHBOURS], [PASS], [PASS]]
    assert table.state.special[0].sum() == 1


def test_e36a_philosophios_goes_first_and_borrows_whatever_his_place():
    table = Table(4)
    table.hold(1, c.FACTION_PHILOSOPHIOS)
    table.lay(REFUGEES_1, FILLER, c.POLITICS_SUPPORT, FILLER)
    table.vote(5, 4, 0, 0)
    legals = table.play(("philosophios", 1, USE), ("play", 1, NEIGHBOURS), ("play", 0, OWN))
    assert legals == [[PASS, USE], [PASS, NEIGHBOURS], [PASS, OWN]]
    assert table.state.special[1].sum() == 1


def test_e36a_philosophios_must_win_and_need_not_be_asked_in_first_place():
    for bids in ((5, 0, 4, 3), (4, 5, 0, 0)):
        table = Table(4)
        table.hold(1, c.FACTION_PHILOSOPHIOS)
        table.lay(*[FILLER] * 4)
        table.vote(*bids)
        assert table.asked[0] == "play"


def test_e36b_philosophios_skips_a_neighbour_who_won():
    table = Table(4)
    table.hold(1, c.FACTION_PHILOSOPHIOS)
    table.lay(FILLER, FILLER, REFUGEES_1, c.POLITICS_SUPPORT)
    table.vote(0, 4, 5, 0)
    table.answer("philosophios", 1, USE)
    assert table.answer("play", 1, NEIGHBOURS) == [PASS, NEIGHBOURS]
    assert table.state.special[1].sum() == 1  # the Support of seat 3


AGGRESSIVE = ("aggressive-neutrals",)


@by_option("E37", {"": [3, 3, 0, 1], "last-only": [3, 4, 0, 0]})
def test_e37_the_last_player_has_nobody_aboard(option, expected):
    table = Table(3, "doom_ships=0", *option, variants=AGGRESSIVE)
    table.put(A, 0, 0, 0, 1, 1, 1, 1)
    table.doom(QUIET)
    aboard = table.aboard(A)
    assert [*aboard[:3], aboard[BLACK]] == expected


def test_e37_the_last_player_loses_one_to_his_building():
    table = Table(3, "doom_ships=0", variants=AGGRESSIVE)
    table.pool(0, 2, 1)
    table.put(A, 0, 1, 1, 1, 2, 2, 2)
    table.doom(c.EVENT_CHAOS, QUIET)  # two cubes: the Ark is full, the Science Vessel has room
    assert table.aboard(A) == [0, 3, 3, 0, 0, 1]
    assert table.blacks() == [1, 1, 0, 0, 0]
    assert table.state.lost_cubes[0] == 1


def test_e37_a_ship_full_of_neutrals_takes_no_more():
    table = Table(3, "doom_ships=0", "tile_spaces.A=3", "tile_spaces.B=2", "tile_spaces.C=2", variants=AGGRESSIVE)
    table.put(A, BLACK, BLACK, BLACK)
    table.sail(D, E)
    table.doom(QUIET)
    assert table.blacks() == [3, 0, 0, 0, 0]


def pick_two_each(table: Table, *factions: int) -> None:
    """With 2 players: the picks in their order, nobody passing."""
    table.begin_turn()
    prompts = ("faction", "faction", "free_faction", "free_faction")
    table.play(*((prompt, turn % 2, faction) for turn, (prompt, faction) in enumerate(zip(prompts, factions))))


def test_e38_the_second_faction_settles_ties_with_2_players():
    table = Table(2)
    pick_two_each(table, c.FACTION_ARCHONT, c.FACTION_BASILEUS, c.FACTION_STRATEGOS, c.FACTION_DEMAGOGOS)
    assert table.by_seat("marker") == [6, 2]
    table.lay(FILLER, FILLER)
    table.vote(3, 3)
    assert table.by_seat("place") == [0, 1]


def ranks(table: Table) -> tuple[list[int], int]:
    """Rank and, as bits, the winners of a finished game, as recorded."""
    buffers = Buffers(GAME.kernels, "votes", 1)
    tallies, notes = np.zeros((2, 5, len(c.OPTIONS)), np.int64), np.zeros((NOTES + record.OWN_NOTES, 5), np.int64)
    seating, marks = np.arange(5, dtype=np.int8), np.zeros(record.MARKS, np.int64)
    rows = buffers.records()
    note_game = bind_loop(GAME.kernels).note_game
    note_game(table.state, table.rules, 0, 0, 0, 0, seating, tallies, notes, marks, rows, buffers.counts[0])
    return buffers.rows()["seats"]["rank"].tolist(), int(buffers.rows()["games"]["winners"][0])


@pytest.mark.parametrize(
    ("pool", "points", "expected"),
    [
        ((0, 0, 0), (7, 7, 7), [1, 2, 3]),
        ((1, 3, 3), (7, 7, 7), [3, 1, 2]),
        ((1, 3, 0), (7, 6, 7), [1, 3, 2]),
    ],
)
def test_e39_a_final_tie_goes_by_senate_order(pool, points, expected):
    table = Table(3)
    table.state.phase = c.PHASE_OVER
    table.pool(*pool)
    table.score(*points)
    assert ranks(table) == (expected, 1 << expected.index(1))


def test_e40_demagogos_looks_before_the_reveal_and_changes_his_bid_once_a_turn():
    table = Table(3)
    table.hold(1, c.FACTION_DEMAGOGOS)
    for _ in range(2):
        table.lay(*[FILLER] * 3)
    table.vote(3, 1, 2)
    assert table.by_seat("bid") == [-1, -1, -1]
    assert table.by_seat("supply") == [20, 20, 20]
    legals = table.play(("demagogos_look", 1, 0), ("demagogos_change", 1, 4))
    assert legals == [[PASS, 0, 2], list(range(21))]
    assert table.by_seat("bid") == [3, 4, 2]
    table.skip_to("bid")
    table.bid(1, 0, 0)
    assert table.asked == ("play", 0)


def test_e40_demagogos_who_did_not_look_is_asked_in_the_next_voting():
    table = Table(3)
    table.hold(1, c.FACTION_DEMAGOGOS)
    for _ in range(2):
        table.lay(*[FILLER] * 3)
    table.vote(3, 1, 2)
    table.answer("demagogos_look", 1, PASS)
    assert table.by_seat("bid") == [3, 1, 2]
    table.skip_to("bid")
    table.bid(1, 0, 0)
    assert table.asked == ("demagogos_look", 1)


def open_table(players: int, *pool: int) -> Table:
    """An open voting about to begin, with unplayable cards."""
    table = Table(players)
    table.pool(*pool)
    for _ in range(2):
        table.lay(*[FILLER] * players)
    return table


def test_e41_demagogos_calls_a_player_out_of_order_once_a_turn():
    table = open_table(4, 4, 3, 2, 1)
    table.hold(3, c.FACTION_DEMAGOGOS)
    table.begin_voting(open_=True)
    legals = table.play(("demagogos_call", 3, 0), ("open_bid", 0, 5), ("open_bid", 3, 1), ("open_bid", 2, 0))
    assert legals[0] == [PASS, 0, 1, 2]
    assert legals[1] == list(range(17))
    assert 5 not in legals[2]
    table.answer("open_bid", 1, 2)
    table.skip_to("open_bid")
    assert table.state.slot == 1


def test_e42_archont_draws_five_then_discards_five_of_them_all():
    table = Table(3)
    table.hand(0, *[c.POLITICS_SUPPORT] * 2)
    table.begin_turn()
    table.skip_to("faction")
    table.answer("faction", 0, c.FACTION_ARCHONT)
    table.skip_to("archont")
    assert table.answer("archont", 0, USE) == [PASS, USE]
    assert table.state.hand[0].sum() == 7
    table.answer("archont_discard", 0, c.POLITICS_SUPPORT)
    assert table.state.politics_discard[c.POLITICS_SUPPORT] == 1
    for _ in range(4):
        held = [kind for kind in range(9) if table.state.hand[0, kind]]
        assert table.answer("archont_discard", 0, held[0]) == held
    assert table.asked[0] == "basileus"
    assert table.state.hand[0].sum() == 2
    assert table.state.politics_discard.sum() == 5


def test_e43_betrayal_asks_colour_by_colour_for_1_to_4_in_all():
    table = Table(3)
    table.put(A, 0, 1, 1, 1, 2, 2)
    table.play_card(0, c.POLITICS_BETRAYAL)
    legals = table.play(
        ("betrayal", 0, A), ("betrayal_count", 0, 0), ("betrayal_count", 0, 2), ("betrayal_count", 0, 2)
    )
    assert legals == [[A], [0, 1], [0, 1, 2, 3], [0, 1, 2]]
    assert table.by_seat("building") == [0, 2, 2]
    assert table.aboard(A) == [1, 1, 0, 0, 0, 0]


def test_e43_betrayal_removes_at_least_one_and_stops_at_four():
    table = Table(3)
    table.put(A, 1, 2, 2)
    table.play_card(0, c.POLITICS_BETRAYAL)
    legals = table.play(("betrayal", 0, A), ("betrayal_count", 0, 0), ("betrayal_count", 0, 1))
    assert legals[2] == [1, 2]
    table = Table(3)
    table.put(A, 1, 1, 1, 1, 1, 2, BLACK)
    table.play_card(0, c.POLITICS_BETRAYAL)
    legals = table.play(("betrayal", 0, A), ("betrayal_count", 0, 4))
    assert legals[1] == [0, 1, 2, 3, 4]
    assert table.asked[0] == "play"  # no question about seat 2 and the neutral
    assert table.state.card_removed == 4


FAMILY = ("family",)


def test_e44_family_senate_pays_goes_by_markers():
    table = Table(3, variants=FAMILY)
    table.state.marker[:3] = [4, 1, 3]
    table.doom(c.EVENT_SENATE_PAYS)
    assert table.gained(c.SOURCE_SENATE_PAYS) == [0, 5, 3]


def test_e44_family_leadership_goes_by_markers():
    table = Table(3, variants=FAMILY)
    table.state.marker[:3] = [4, 1, 3]
    table.state.event_now = c.EVENT_LEADERSHIP
    table.ashore(black=3)
    table.doom(QUIET)
    assert table.gained(c.SOURCE_LEADERSHIP) == [0, 3, 2]


def test_e44_family_betrayal_has_ships_only_and_no_pool_majority():
    table = Table(3, variants=FAMILY)
    table.lay(c.POLITICS_BETRAYAL, FILLER, FILLER)
    table.vote(1, 0, 0)
    assert table.legal() == [PASS]
    table = Table(3, variants=FAMILY)
    table.put(A, 1)
    table.play_card(0, c.POLITICS_BETRAYAL)
    assert table.legal() == [A]
    table = Table(3, "E22=senate-order", variants=FAMILY)
    table.doom(QUIET)
    assert table.gained(c.SOURCE_POOL_MAJORITY) == [0, 0, 0]


def test_e44_family_chaos_skips_the_factions_phase():
    table = Table(3, variants=FAMILY)
    table.hold(0, c.FACTION_BASILEUS)
    table.doom(c.EVENT_CHAOS)
    assert table.asked == ("lay", 0)
    assert table.state.holder[c.FACTION_BASILEUS] == 0


@by_option("E45", {"": [0, 3, 8, 4, 9], "one-per-letter": "refused"})
def test_e45_two_tiles_of_one_letter(option, expected):
    settings = ("chosen_ships=D+,E,A,D,E+", *option)
    if expected == "refused":
        with pytest.raises(UserError, match="chosen_ships has both D and D"):
            load_rules(GAME, 3, variants=["chosen-ships"], settings=settings)
    else:
        assert Table(3, *settings, variants=("chosen-ships",)).state.tile.tolist() == expected


def test_e45_with_2_players_four_ships_without_an_ark():
    table = Table(2, "chosen_ships=E+,B,D,B+", variants=("chosen-ships",))
    assert table.state.tile.tolist() == [-1, 1, 6, 3, 9]
    with pytest.raises(UserError, match="Ark"):
        load_rules(GAME, 2, variants=["chosen-ships"], settings=["chosen_ships=A,B,D,B+"])


@by_option("E46", {"": [PASS], "by-both": [PASS, NEIGHBOURS]})
def test_e46_two_winners_want_the_same_card(option, expected):
    table = Table(4, *option)
    table.hold(1, c.FACTION_PHILOSOPHIOS)
    table.lay(FILLER, FILLER, c.POLITICS_SUPPORT, REFUGEES_1)
    table.vote(5, 4, 0, 0)
    table.play(("philosophios", 1, USE), ("play", 1, NEIGHBOURS))
    assert table.asked == ("play", 0)
    assert table.legal() == expected


@pytest.mark.parametrize(("bid", "left"), [(1, 20), (2, 20), (5, 17)])
def test_e47_strategos_regains_up_to_two_cubes_at_once(bid, left):
    table = Table(3)
    table.hold(0, c.FACTION_STRATEGOS)
    for _ in range(2):
        table.lay(*[FILLER] * 3)
    table.vote(bid, 6, 7)
    table.play(("play", 2, PASS), ("play", 1, PASS))
    assert table.answer("strategos", 0, USE) == [PASS, USE]
    assert table.state.supply[0] == left
    assert table.state.on_cards[0] == 20 - left
    assert table.legal() == list(range(left + 1))  # they can be bid in the next voting


def test_e48_a_borrowed_card_is_the_borrowers():
    table = Table(3)
    table.put(B, 1)
    table.put(A, 2)
    table.sail(B)
    table.lay(FILLER, c.POLITICS_ROYAL_SHIP, FILLER)
    table.vote(2, 0, 1)
    table.play(("play", 0, NEIGHBOURS), ("move", 0, B))
    assert table.gained(c.SOURCE_MOVER) == [1, 0, 0]
    assert table.by_seat("cards_played") == [1, 0, 0]


def test_e49_family_markers_give_the_order_of_picks_and_the_last_in_order():
    table = Table(3, variants=FAMILY)
    table.state.marker[:3] = [5, 2, 3]
    table.begin_turn()
    table.play(("faction", 1, PASS), ("faction", 2, PASS), ("faction", 0, PASS))
    assert table.asked == ("free_faction", 1)
    table = Table(3, "doom_ships=0", variants=("family", "aggressive-neutrals"))
    table.state.marker[:3] = [5, 2, 3]
    table.put(A, 0, 0, 1, 1, 2, 2, 2)
    table.doom(QUIET)
    assert table.aboard(A) == [1, 2, 3, 0, 0, 1]


# ------------------------------------------------------------------------------------------------------- fine points


def test_e50_a_bid_is_limited_by_the_supply_and_a_card_by_what_is_left():
    table = Table(3)
    table.keep(0, 3)
    table.lay(REFUGEES_1, FILLER, FILLER)
    table.begin_voting()
    assert table.answer("bid", 0, 3) == [0, 1, 2, 3]
    table.play(("bid", 1, 0), ("bid", 2, 0))
    assert table.answer("play", 0, PASS) == [PASS]


def test_e51_a_voting_keeps_the_order_it_began_with():
    table = Table(4)
    table.pool(5, 4, 0, 0)
    table.lay(FILLER, FILLER, c.POLITICS_BETRAYAL, FILLER)
    table.lay(*[FILLER] * 4)
    table.vote(2, 2, 3, 2)
    table.play(("play", 2, OWN), ("betrayal", 2, c.POOL_OF + 0), ("betrayal_count", 2, 4))
    assert table.asked == ("play", 0)  # second by the order of the start, though seat 1 has more tokens now
    table.answer("play", 0, PASS)
    table.bid(2, 2, 0, 0)
    assert table.by_seat("place") == [2, 1, 0, 0]


def test_e51_open_bids_keep_the_order_of_the_voting():
    table = open_table(3, 3, 2, 1)
    table.begin_voting(open_=True)
    table.play(("open_bid", 2, 1), ("open_bid", 1, 2), ("open_bid", 0, 3))
    assert table.by_seat("place") == [1, 2, 0]


def test_e52_demagogos_is_asked_before_every_bid_even_after_his_own():
    table = open_table(4, 4, 3, 2, 1)
    table.hold(3, c.FACTION_DEMAGOGOS)
    table.begin_voting(open_=True)
    legals = table.play(
        ("demagogos_call", 3, PASS),
        ("open_bid", 3, 2),
        ("demagogos_call", 3, 0),
        ("open_bid", 0, 0),
        ("open_bid", 2, 0),
        ("open_bid", 1, 0),
    )
    assert legals[2] == [PASS, 0, 1]  # not seat 2, who is next in any case


def test_e53_oraklos_names_up_to_two_cards_before_the_reveal():
    table = Table(3)
    for seat in range(3):
        table.hand(seat, *[REFUGEES_1] * 7)
    table.hold(1, c.FACTION_ORAKLOS)
    table.state.event_now = c.EVENT_CHAOS
    table.state.voting_open = 0
    table.begin_turn()
    for seat in range(3):
        table.play(*[("lay", seat, REFUGEES_1)] * 5)
    legals = table.play(("oraklos", 1, 0), ("oraklos", 1, 3))
    assert legals == [[PASS, 0, 1, 2, 3, 4], [PASS, 1, 2, 3, 4]]
    assert table.state.facedown.tolist() == [1, 0, 0, 1, 0]
    table.bid(2, 0, 1)
    assert table.state.facedown.tolist() == [0, 0, 0, 1, 0]  # turned up before the first play
    assert table.answer("play", 0, PASS) == [PASS, OWN, NEIGHBOURS]


@pytest.mark.parametrize(("first", "asked_again"), [(PASS, False), (4, False), (2, True)])
def test_e53_oraklos_may_leave_none_or_one(first, asked_again):
    table = Table(3)
    for seat in range(3):
        table.hand(seat, *[REFUGEES_1] * 7)
    table.hold(1, c.FACTION_ORAKLOS)
    table.state.event_now = c.EVENT_CHAOS
    table.begin_turn()
    table.skip_to("oraklos")
    table.answer("oraklos", 1, first)
    assert table.asked[0] == ("oraklos" if asked_again else "bid")


def test_e54_every_ability_can_be_declined():
    table = Table(5)
    table.begin_turn()
    table.skip_to("faction")
    taken = (c.FACTION_ARCHONT, c.FACTION_BASILEUS, c.FACTION_DEMIURGOS, c.FACTION_ORAKLOS, c.FACTION_DEMAGOGOS)
    table.play(*(("faction", seat, faction) for seat, faction in enumerate(taken)))
    legals = table.play(("archont", 0, PASS), ("basileus", 1, PASS), ("demiurgos", 2, PASS))
    assert [actions[0] for actions in legals] == [PASS] * 3
    assert table.state.hand.sum() == 0
    assert table.state.special.sum() == 0
    assert table.state.aboard.sum() == 0


def test_e54_strategos_can_be_declined_as_a_whole():
    table = Table(3)
    table.hold(0, c.FACTION_STRATEGOS)
    table.lay(*[FILLER] * 3)
    table.vote(3, 0, 0)
    table.play(("play", 0, PASS), ("play", 1, PASS), ("strategos", 0, PASS))
    assert table.state.on_cards[0] == 3


def test_e55_abilities_by_board_place_and_flips_after_them():
    table = Table(3)
    table.begin_turn()
    table.skip_to("faction")
    table.play(
        ("faction", 0, c.FACTION_DEMIURGOS), ("faction", 1, c.FACTION_BASILEUS), ("faction", 2, c.FACTION_ARCHONT)
    )
    table.play(("archont", 2, PASS), ("basileus", 1, C))
    assert table.aboard(C)[1] == 1
    assert table.state.plus_one.tolist() == [0] * 7
    table.answer("demiurgos", 0, USE)
    assert table.state.special[0].sum() == 1
    assert table.state.plus_one.tolist() == [0, 0, 1, 0, 1, 1, 1]


def test_e56_passing_at_no_cost_is_allowed_and_forced_without_cubes():
    table = Table(3)
    table.keep(0, 1)
    table.begin_turn()
    table.play(("senate_bid", 0, 0), ("senate_bid", 1, 0), ("senate_bid", 2, 0))
    legals = table.play(("faction", 0, PASS), ("faction", 1, c.FACTION_ARCHONT), ("faction", 2, PASS))
    assert legals[0] == [PASS]  # the price is 2
    assert legals[2] == [PASS, 1, 2, 3, 4, 5, 6]  # the price is 0
    assert table.asked == ("free_faction", 0)


def test_e56_exactly_the_price_is_enough():
    table = Table(3)
    table.keep(0, 2)
    table.begin_turn()
    table.skip_to("faction")
    assert table.answer("faction", 0, c.FACTION_BASILEUS) == [PASS, 0, 1, 2, 3, 4, 5, 6]
    assert table.state.supply[0] == 0


def test_e57_two_players_pass_at_the_first_pick_only():
    table = Table(2)
    table.begin_turn()
    legals = table.play(
        ("faction", 0, PASS),
        ("faction", 1, c.FACTION_ORAKLOS),
        ("free_faction", 0, c.FACTION_BASILEUS),
        ("free_faction", 0, c.FACTION_STRATEGOS),
        ("free_faction", 1, c.FACTION_ARCHONT),
    )
    assert legals[2] == [0, 1, 2, 3, 5, 6]
    assert legals[4] == [0, 2, 3, 5]
    assert table.by_seat("building") == [0, 0]
    assert table.by_seat("marker") == [6, 0]


def immune_table() -> Table:
    """2 players; seat 1 holds Demagogos. B in port with seat 1 alone, C with both; D at sea with seat 1."""
    table = Table(2)
    table.hold(1, c.FACTION_DEMAGOGOS)
    table.put(B, 1)
    table.put(C, 0, 1)
    table.put(D, 1)
    table.sail(D)
    return table


def test_e58_demagogos_is_immune_to_the_other_players_red_cards():
    table = immune_table()
    table.lay(c.POLITICS_SABOTAGE, c.POLITICS_SUPPORT)
    table.vote(1, 0)
    assert table.legal() == [PASS, NEIGHBOURS]
    table = immune_table()
    table.play_card(0, c.POLITICS_BETRAYAL)
    legals = table.play(("betrayal", 0, C), ("betrayal_count", 0, 1))
    assert legals == [[C], [1]]  # his own cube only
    assert table.aboard(C)[:2] == [0, 1]


def test_e58_his_own_red_cards_are_unaffected():
    table = immune_table()
    table.play_card(1, c.POLITICS_SABOTAGE)
    table.answer("sabotage", 1, D)
    assert table.state.building[1] == 1
    table = immune_table()
    table.play_card(1, c.POLITICS_BETRAYAL)
    assert table.answer("betrayal", 1, C) == [B, C]


def test_e59_with_2_players_the_usual_abilities_are_gone():
    table = Table(2)
    table.hold(0, c.FACTION_DEMAGOGOS)
    table.hold(1, c.FACTION_PHILOSOPHIOS)
    table.lay(FILLER, c.POLITICS_SUPPORT)
    table.vote(1, 0)
    assert table.asked == ("play", 0)  # no look at a bid
    assert table.legal() == [PASS]  # the card of Philosophios's holder cannot be taken
    table = Table(2)
    table.hold(0, c.FACTION_DEMAGOGOS)
    table.lay(FILLER, c.POLITICS_SUPPORT)
    table.vote(1, 0)
    assert table.legal() == [PASS, NEIGHBOURS]
    table = Table(2)
    table.hold(0, c.FACTION_DEMAGOGOS)
    table.lay(FILLER, FILLER)
    table.begin_voting(open_=True)
    assert table.asked[0] == "open_bid"


@pytest.mark.parametrize(
    ("event", "victim"), [(c.EVENT_DOOM_1, 2), (c.EVENT_SENATE_PAYS, 2), (c.EVENT_LEADERSHIP, 0)]
)
def test_e60_doom_and_senate_pays_empty_the_pool_before_neutrals_board(event, victim):
    table = Table(3, "doom_ships=0", variants=AGGRESSIVE)
    table.pool(0, 5, 6)
    table.put(A, 0, 0, 1, 1, 2, 2)
    table.put(A, BLACK)
    table.doom(event)
    assert table.state.lost_cubes[victim] == 1  # last by marker if the pool is empty, else by pool
    assert table.by_seat("pool") == [0, 0, 0]


def test_e61_no_points_for_a_place_without_tokens():
    for pool, points in (((3, 0, 0), [5, 0, 0]), ((0, 0, 0), [0, 0, 0]), ((1, 2, 3), [0, 3, 5])):
        table = Table(3)
        table.pool(*pool)
        table.doom(c.EVENT_SENATE_PAYS)
        assert table.gained(c.SOURCE_SENATE_PAYS) == points
        assert table.by_seat("pool") == [0, 0, 0]
        table = Table(3)
        table.pool(*pool)
        table.ashore(black=5)
        table.state.event_now = c.EVENT_LEADERSHIP
        table.doom(QUIET)
        assert table.gained(c.SOURCE_LEADERSHIP) == [points_of // 5 * 5 or points_of for points_of in points]


def test_e62_leadership_pays_first_even_if_the_third_doom_follows():
    table = Table(3)
    table.state.turn = 4
    table.state.doom_count = 2
    table.state.event_now = c.EVENT_LEADERSHIP
    table.pool(1, 4, 2)
    table.ashore(black=3)
    table.put(A, BLACK)
    table.doom(c.EVENT_DOOM_3)
    assert table.over
    assert table.gained(c.SOURCE_LEADERSHIP) == [0, 3, 2]  # half of 3, rounded up


def test_e63_who_passes_can_lose_the_point_before_cards_are_played():
    table = open_table(3, 3, 2, 1)
    table.state.event_now = c.EVENT_NO_MERCY
    table.begin_voting(open_=True)
    table.play(("open_bid", 2, 1), ("open_bid", 1, 0), ("open_bid", 0, 2))
    assert table.asked == ("play", 0)
    assert table.by_seat("vp") == [2, 1, 2]


def test_e63_each_voting_is_treated_separately():
    table = Table(3)
    table.state.event_now = c.EVENT_NO_MERCY
    for _ in range(2):
        table.lay(*[FILLER] * 3)
    table.vote(1, 0, 2)
    table.skip_to("bid")
    table.bid(0, 1, 2)
    assert table.by_seat("vp") == [1, 1, 2]


def test_e64_all_doomed_one_winner_whose_neighbour_may_have_bid_second_most():
    table = Table(3)
    table.state.event_now = c.EVENT_ALL_DOOMED
    table.hold(1, c.FACTION_STRATEGOS)
    table.lay(FILLER, c.POLITICS_SUPPORT, FILLER)
    table.lay(*[FILLER] * 3)
    table.vote(5, 4, 0)
    assert table.by_seat("place") == [1, 0, 0]
    assert table.answer("play", 0, NEIGHBOURS) == [PASS, NEIGHBOURS]
    table.answer("strategos", 1, USE)
    assert table.state.on_cards[1] == 2


def test_e64_all_doomed_with_5_players_leaves_two_winners_and_with_2_three_cards():
    table = Table(5)
    table.state.event_now = c.EVENT_ALL_DOOMED
    table.lay(*[FILLER] * 5)
    table.vote(1, 2, 3, 4, 5)
    assert table.by_seat("place") == [0, 0, 0, 2, 1]
    table = Table(2)
    table.doom(c.EVENT_ALL_DOOMED)
    seen = Counter()
    while not table.over and table.state.turn == 2 and table.state.phase != c.PHASE_DOOM:
        seen[table.asked[0]] += 1
        table.answer(*table.asked, table.legal()[0])
    assert seen["lay"] == 2 * 3
    assert seen["play"] == 3
    assert table.state.hand.sum() == 2 * 7


def test_e65_first_place_does_not_go_further_if_philosophios_played_that_card():
    table = Table(4)
    table.hold(1, c.FACTION_PHILOSOPHIOS)
    table.lay(REFUGEES_1, FILLER, c.POLITICS_SUPPORT, REFUGEES_1)
    table.vote(5, 4, 0, 0)
    table.play(("philosophios", 1, USE), ("play", 1, NEIGHBOURS))
    assert table.answer("play", 0, PASS) == [PASS, OWN]


def test_e66_philosophios_first_and_the_others_keep_their_order():
    for choice, order in ((USE, [2, 0, 1]), (PASS, [0, 1, 2])):
        table = Table(5)
        table.hold(2, c.FACTION_PHILOSOPHIOS)
        table.lay(*[FILLER] * 5)
        table.vote(5, 4, 3, 0, 0)
        table.answer("philosophios", 2, choice)
        table.play(*(("play", seat, PASS) for seat in order))
        assert table.asked[0] == "bid"  # a winner who passed is not asked again


@pytest.mark.parametrize(
    ("laid", "bids", "plays", "refunded"),
    [
        ((FILLER, c.POLITICS_SUPPORT, FILLER), (3, 0, 1), (("play", 0, NEIGHBOURS), ("play", 2, PASS)), False),
        ((FILLER, FILLER, FILLER), (3, 0, 1), (("play", 0, PASS), ("play", 2, PASS)), True),
        ((c.POLITICS_SUPPORT, FILLER, FILLER), (1, 2, 3), (("play", 2, NEIGHBOURS), ("play", 1, PASS)), True),
        ((FILLER, FILLER, FILLER), (0, 2, 3), (("play", 2, PASS), ("play", 1, PASS)), False),
    ],
    ids=["borrowed", "unable", "his-card-was-borrowed", "bid-nothing"],
)
def test_e67_when_strategos_played_a_card(laid, bids, plays, refunded):
    table = Table(3)
    table.hold(0, c.FACTION_STRATEGOS)
    table.lay(*laid)
    table.vote(*bids)
    table.play(*plays)
    assert table.asked[0] == ("strategos" if refunded else "bid")


def test_e68_all_in_one_by_one_in_a_fixed_order_three_each_and_a_pass_is_final():
    table = Table(3)
    table.pool(0, 2, 1)
    table.keep(2, 2)
    table.doom(c.EVENT_ALL_IN)
    table.play(
        ("all_in", 1, A),
        ("all_in", 2, B),
        ("all_in", 0, PASS),
        ("all_in", 1, A),
        ("all_in", 2, B),
        ("all_in", 1, A),
    )
    assert table.asked == ("senate_bid", 0)  # seat 2 has no cubes left, seat 1 has placed three
    assert table.state.aboard[:, :3].sum(axis=0).tolist() == [0, 3, 2]


def test_e68_all_in_ends_when_there_is_no_room():
    table = Table(3, "doom_ships=0")
    fill_ships(table, 0, 0, 0, 0, 2)
    table.doom(c.EVENT_ALL_IN)
    legals = table.play(("all_in", 0, E), ("all_in", 1, E))
    assert legals == [[PASS, E], [PASS, E]]
    assert table.asked == ("senate_bid", 0)


def test_e69_betrayal_on_any_pool_even_ones_own_to_the_owners_building():
    table = Table(3)
    table.pool(2, 6, 0)
    table.play_card(0, c.POLITICS_BETRAYAL)
    legals = table.play(("betrayal", 0, c.POOL_OF + 1), ("betrayal_count", 0, 4))
    assert legals == [[c.POOL_OF, c.POOL_OF + 1], [1, 2, 3, 4]]
    assert (table.by_seat("pool"), table.by_seat("building")) == ([2, 2, 0], [0, 4, 0])
    table = Table(3)
    table.pool(2, 6, 0)
    table.play_card(0, c.POLITICS_BETRAYAL)
    legals = table.play(("betrayal", 0, c.POOL_OF), ("betrayal_count", 0, 1))
    assert legals[1] == [1, 2]
    assert table.by_seat("building") == [1, 0, 0]


def test_e70_aristocracy_displaces_on_a_full_ship_though_others_have_room():
    table = Table(3)
    table.put(D, 1, 1, BLACK)
    table.put(E, 0, 0, 0)
    table.sail(C)
    table.play_card(0, c.POLITICS_ARISTOCRACY)
    legals = table.play(("aristocracy", 0, D), ("aristocracy_victim", 0, 1))
    assert legals == [[A, B, D], [1, BLACK]]  # not C at sea, not E full of his own
    assert table.aboard(D) == [1, 1, 0, 0, 0, 1]
    assert table.state.building[1] == 1
    assert table.state.supply[0] == 20 - 3 - 1 - 1


def test_e70_aristocracy_displaces_nobody_where_there_is_room():
    table = Table(3)
    table.put(D, 1, 1)
    table.play_card(0, c.POLITICS_ARISTOCRACY)
    table.answer("aristocracy", 0, D)
    assert table.aboard(D)[:2] == [1, 2]
    assert table.asked[0] == "play"


def test_e71_doom_movement_ranks_once_counts_neutrals_and_lands_in_that_order():
    table = Table(3, "event_cubes=0", "doom_ships=1")
    table.put(B, 0)
    table.put(C, BLACK, BLACK)
    table.doom(QUIET)
    assert table.areas() == [0, 0, 1, 0, 0]
    table = Table(3, "event_cubes=0")
    table.put(A, *[0] * 6)
    table.put(D, *[1] * 3)
    table.put(E, 2, 2)
    table.put(B, 2)
    table.sail(A, D, E)
    table.doom(QUIET)
    assert table.state.arrival_space[: table.state.arrivals].tolist() == [D, A, E]  # the full one first
    assert table.areas() == [0, 0, 0, 0, 0]


def test_e71_two_ships_move_with_2_players():
    table = Table(2, "event_cubes=0")
    for space in (B, C, D, E):
        table.put(space, 0)
    table.doom(QUIET)
    assert table.areas() == [0, 1, 1, 0, 0]


def test_e72_advanced_vessels_pay_the_mover_from_the_ocean_by_card():
    table = Table(3)
    table.upgrade(B, C)
    table.put(B, 1)
    table.put(C, 1)
    table.sail(B, C)
    table.play_card(0, c.POLITICS_SHIPS)
    table.play(("move", 0, B), ("move", 0, C))
    assert table.gained(c.SOURCE_SCIENCE) == [2, 0, 0]
    assert table.by_seat("special")[0].count(1) == 1
    assert table.gained(c.SOURCE_MOVER) == [2, 0, 0]


def test_e72_advanced_vessels_pay_nobody_in_the_doom_phase_or_leaving_port():
    table = Table(3)
    table.upgrade(B, C)
    table.put(B, 1)
    table.put(C, 1)
    table.play_card(0, c.POLITICS_SHIPS)
    table.play(("move", 0, B), ("move", 0, C))
    table.skip_to("bid")
    table.doom(QUIET)
    assert table.areas()[:3] == [1, 0, 0]
    assert table.gained(c.SOURCE_SCIENCE) == [0, 0, 0]
    assert table.state.special.sum() == 0


def test_e72_starting_vessels_pay_nothing():
    table = Table(3)
    table.put(B, 1)
    table.sail(B)
    table.play_card(0, c.POLITICS_ROYAL_SHIP)
    table.answer("move", 0, B)
    assert table.gained(c.SOURCE_SCIENCE) == [0, 0, 0]
    assert table.gained(c.SOURCE_MOVER) == [1, 0, 0]


def test_e72_the_airships_crossing_is_one_of_the_two_moves_of_ships():
    table = Table(3)
    table.upgrade(D)
    table.put(D, 0)
    table.put(A, 1)
    table.put(B, 1)
    table.play_card(0, c.POLITICS_SHIPS)
    legals = table.play(("move", 0, D), ("move", 0, B))
    assert legals == [[A, B, D], [A, B]]
    assert table.areas() == [0, 1, 0, 0, 0]
    assert table.asked[0] == "play"


def test_e73_under_chaos_the_pool_scores_again_and_no_token_turns():
    table = Table(3)
    table.pool(0, 3, 1)
    table.state.pool_bonus[0] = 2
    table.hold(2, c.FACTION_DEMAGOGOS)
    table.state.demagogos_used = 1
    table.special(0, PROXY)
    table.doom(c.EVENT_CHAOS, QUIET, c.EVENT_WRATH)
    assert table.by_seat("pool_bonus") == [0, 0, 0]
    assert table.asked == ("lay", 0)  # no Proxy can be played
    assert table.state.demagogos_used == 0
    table.skip_to("bid")
    table.bid(0, 0, 0)
    assert table.asked == ("demagogos_look", 2)
    table.skip_to("senate_bid")
    assert table.gained(c.SOURCE_POOL_MAJORITY) == [0, 4, 0]
    assert table.state.plus_one.tolist() == [0] * 7
    assert table.by_seat("pool") == [0, 1, 0]  # halved after the second turn


def test_e73_under_chaos_2_players_keep_both_factions():
    table = Table(2)
    table.hold(0, c.FACTION_ARCHONT, c.FACTION_STRATEGOS)
    table.hold(1, c.FACTION_ORAKLOS, c.FACTION_BASILEUS)
    table.doom(c.EVENT_CHAOS)
    assert table.state.holder.tolist() == [0, 1, -1, -1, 1, -1, 0]


@pytest.mark.parametrize(
    ("players", "ships", "tiles", "home"),
    [
        (3, "E+,A+,C,B,E", [5, 1, 2, 4, 9], 0),
        (3, "E,D,E+,D+,B+", [6, 3, 8, 4, 9], 0),
        (3, "D,C,E+,E,B", [1, 2, 3, 4, 9], 0),
        (2, "C,D,B+,E", [-1, 6, 2, 3, 4], 1),
        (2, "E,D,C+,E+", [-1, 7, 3, 4, 9], 1),
        (2, "C,C+,D,E", [-1, 2, 7, 3, 4], 1),
    ],
)
def test_e74_chosen_ships_stand_by_letter_with_two_neutrals_on_the_largest(players, ships, tiles, home):
    table = Table(players, f"chosen_ships={ships}", "setup_neutrals=2", variants=("chosen-ships",))
    assert table.state.tile.tolist() == tiles
    assert table.first_blacks.index(2) == home
    assert sum(table.first_blacks) == 2
    assert table.state.printed_neutral == int(c.TILE_ADVANCED_ARK in tiles)


@pytest.mark.parametrize("vessel", ["B", "B+"])
def test_e74_with_2_players_a_science_vessel_before_a_larger_ship(vessel):
    settings = (f"chosen_ships=C,D,{vessel},E", "tile_spaces.C=6")
    table = Table(2, *settings, variants=("chosen-ships",))
    assert table.first_blacks == [0, 2, 0, 0, 0]


def test_e74_doom_upgrades_no_chosen_ship_but_empties_the_pool():
    table = Table(3, "chosen_ships=A,B,C,D,E", variants=("chosen-ships",))
    table.pool(3, 0, 0)
    table.doom(c.EVENT_DOOM_1)
    assert table.state.tile.tolist() == [0, 1, 2, 3, 4]
    assert table.by_seat("pool") == [0, 0, 0]


def test_e75_ships_are_upgraded_before_neutrals_board():
    table = Table(3, "E29b=from-camp", "doom_ships=0")
    table.ashore(black=9)
    table.put(A, 1)
    table.sail(A)
    table.doom(c.EVENT_DOOM_1)
    assert table.blacks() == [1, 0, 0, 0, 0]  # the last token is the Ark's own, not a passenger of the Science Vessel


def test_e76_a_special_is_declared_with_a_borrowed_card_too_and_one_at_most():
    table = Table(3)
    table.special(0, STOWAWAY, STOWAWAY, EMPATH)
    table.put(A, 1)
    table.lay(FILLER, REFUGEES_1, FILLER)
    table.vote(2, 0, 1)
    legals = table.play(("play", 0, NEIGHBOURS), ("declare", 0, STOWAWAY), ("load", 0, A), ("stowaway", 0, B))
    assert legals[1] == [PASS, STOWAWAY, EMPATH]
    assert table.state.special[0, STOWAWAY] == 1
    assert table.state.special_discard[STOWAWAY] == 1
    assert table.asked == ("play", 2)


@pytest.mark.parametrize(("cubes", "asked"), [(1, "load"), (2, "declare")])
def test_e76_card_and_special_must_both_be_doable(cubes, asked):
    table = Table(3)
    table.special(0, STOWAWAY)
    table.keep(0, cubes + 1)
    table.play_card(0, REFUGEES_1)
    assert table.asked == (asked, 0)


def test_e76_convoy_needs_three_ships_and_a_ships_card():
    for loaded, asked in ((2, "move"), (3, "declare")):
        table = Table(3)
        table.special(0, CONVOY)
        for space in range(loaded):
            table.put(space, 1)
        table.play_card(0, c.POLITICS_SHIPS)
        assert table.asked == (asked, 0)
    table.play(("declare", 0, CONVOY), ("move", 0, B), ("move", 0, A), ("move", 0, C))
    assert table.areas() == [1, 1, 1, 0, 0]
    table = Table(3)
    table.special(0, CONVOY)
    table.put(A, 1)
    table.put(B, 1)
    table.put(C, 1)
    table.play_card(0, c.POLITICS_ROYAL_SHIP)
    assert table.asked == ("move", 0)


def test_e77_orator_may_follow_a_0_and_counts_for_no_mercy():
    table = Table(3)
    table.state.event_now = c.EVENT_NO_MERCY
    table.special(0, ORATOR)
    table.hold(0, c.FACTION_STRATEGOS)
    table.lay(*[FILLER] * 3)
    table.vote(0, 1, 3)
    assert table.answer("orator", 0, ORATOR) == [PASS, ORATOR]
    assert table.by_seat("place") == [2, 0, 1]
    assert table.by_seat("vp") == [2, 1, 2]
    table.skip_to("bid")  # the bonus is not refunded: Strategos bid nothing
    assert table.state.supply[0] == 20


def test_e77_one_orator_each_in_open_voting_too():
    table = open_table(3, 3, 2, 1)
    table.special(1, ORATOR, ORATOR)
    table.begin_voting(open_=True)
    table.play(("open_bid", 2, 1), ("open_bid", 1, 0), ("open_bid", 0, 2), ("orator", 1, ORATOR))
    assert table.asked[0] == "play"
    assert table.by_seat("bid_bonus") == [0, 2, 0]
    assert table.by_seat("place") == [1, 2, 0]


def test_e77_proxy_counts_for_the_order_and_the_majority_of_this_turn():
    table = Table(3)
    table.special(2, PROXY)
    table.begin_turn()
    table.play(("senate_bid", 0, 1), ("senate_bid", 1, 0), ("senate_bid", 2, 0))
    assert table.answer("proxy", 2, PROXY) == [PASS, PROXY]
    assert table.asked == ("faction", 2)
    table.doom(QUIET)
    assert table.gained(c.SOURCE_POOL_MAJORITY) == [0, 0, 2]
    assert table.by_seat("pool_bonus") == [0, 0, 0]


def test_e78_proxy_cannot_be_played_without_a_senate():
    table = Table(3, variants=FAMILY)
    table.special(0, PROXY)
    table.begin_turn()
    assert table.asked == ("faction", 0)
    assert table.state.special_size + 1 == 25


def test_e79_alliance_counts_black_for_the_chart_even_without_an_own_cube():
    table = Table(3)
    table.special(0, ALLIANCE)
    table.put(B, 1, BLACK, BLACK)
    table.sail(B)
    table.play_card(0, c.POLITICS_ROYAL_SHIP)
    legals = table.play(("declare", 0, ALLIANCE), ("ally", 0, B))
    assert legals == [[PASS, ALLIANCE], [B]]
    assert table.gained(c.SOURCE_REFUGEES_ROYAL) == [3, 1, 0]
    assert table.gained(c.SOURCE_COLOURS) == [0, 1, 0]  # no own cube aboard, no points for colours
    assert table.gained(c.SOURCE_MOVER) == [1, 0, 0]


def test_e79_alliance_counts_own_and_black_with_the_arks_printed_one():
    table = Table(3)
    table.special(0, ALLIANCE)
    table.upgrade(A)
    table.put(A, 0, 0, BLACK)
    table.put(B, BLACK)
    table.sail(A)
    table.play_card(0, c.POLITICS_SHIPS)
    legals = table.play(("declare", 0, ALLIANCE), ("ally", 0, A), ("move", 0, B))
    assert legals[1] == [A]  # B does not reach the Promised Land by one move
    assert table.gained(c.SOURCE_REFUGEES_SHIPS) == [10, 0, 0]  # 2 own, 1 token, 1 printed
    assert table.gained(c.SOURCE_COLOURS) == [1, 0, 0]


def test_e79_alliance_counts_for_one_ship_only():
    table = Table(3)
    table.special(0, ALLIANCE)
    table.put(B, 0, BLACK)
    table.put(C, 0, BLACK)
    table.sail(B, C)
    table.play_card(0, c.POLITICS_SHIPS)
    table.play(("declare", 0, ALLIANCE), ("ally", 0, C), ("move", 0, B))
    assert table.gained(c.SOURCE_REFUGEES_SHIPS) == [3 + 1, 0, 0]


def test_e80_stowaway_boards_any_ship_in_port_with_room():
    table = Table(3)
    table.special(0, STOWAWAY)
    table.put(E, 1, 1, 1)
    table.sail(D)
    table.play_card(0, REFUGEES_2)
    legals = table.play(("declare", 0, STOWAWAY), ("load", 0, A), ("stowaway", 0, C))
    assert legals[2] == [A, B, C]
    assert (table.aboard(A)[0], table.aboard(C)[0]) == (2, 1)


def test_e80_empath_swaps_a_refugee_of_the_ship_just_loaded():
    table = Table(3)
    table.special(0, EMPATH)
    table.put(A, 1, BLACK)
    table.play_card(0, REFUGEES_1)
    legals = table.play(("declare", 0, EMPATH), ("load", 0, A), ("empath_victim", 0, 1))
    assert legals == [[PASS, EMPATH], [A], [1, BLACK]]  # only a ship with somebody else
    assert table.aboard(A) == [2, 0, 0, 0, 0, 1]
    assert table.state.building[1] == 1


def test_e80_empath_on_either_ship_of_refugees_2_1():
    table = Table(3)
    table.special(0, EMPATH)
    table.put(C, 1)
    table.put(B, BLACK)
    table.play_card(0, REFUGEES_2_1)
    legals = table.play(
        ("declare", 0, EMPATH),
        ("load", 0, C),
        ("load_second", 0, B),
        ("empath_ship", 0, B),
        ("empath_victim", 0, BLACK),
    )
    assert legals[1:] == [[A, B, C, D, E], [A, B, D, E], [B, C], [BLACK]]
    assert table.state.camp == 10
    assert table.aboard(B)[0] == 2
    table = Table(3)
    table.special(0, EMPATH)
    table.put(C, 1)
    table.play_card(0, REFUGEES_2_1)
    legals = table.play(("declare", 0, EMPATH), ("load", 0, A), ("load_second", 0, C), ("empath_victim", 0, 1))
    assert legals[2] == [C]  # the other ship must have the victim


def test_e81_no_special_left_no_support_and_nothing_for_demiurgos():
    table = Table(3)
    table.empty_special_deck(discard=False)
    table.lay(c.POLITICS_SUPPORT, FILLER, FILLER)
    table.vote(1, 0, 0)
    assert table.legal() == [PASS]
    table = Table(3)
    table.empty_special_deck(discard=False)
    table.state.special[2, PROXY] = 2
    table.state.effects[:] = 0  # the deck's owner is not asked for his Specials here
    table.begin_turn()
    table.skip_to("faction")
    table.answer("faction", 0, c.FACTION_DEMIURGOS)
    table.play(("faction", 1, c.FACTION_PHILOSOPHIOS), ("faction", 2, c.FACTION_STRATEGOS))
    assert table.asked == ("lay", 0)


def test_e81_the_royal_vessel_gives_nothing_then():
    table = Table(3)
    table.empty_special_deck(discard=False)
    table.upgrade(C)
    table.put(C, 1)
    table.sail(C)
    table.play_card(0, c.POLITICS_ROYAL_SHIP)
    table.answer("move", 0, C)
    assert table.state.special[0].sum() == 0
    assert table.asked[0] == "play"


REVEALED = ("revealed-specials",)


def test_e82_two_each_are_dealt_before_three_are_laid_out():
    plain, revealed = (Table(3, variants=variants, deal=5) for variants in ((), REVEALED))
    deck = plain.state.special_deck[:25].tolist()
    assert revealed.first_specials == plain.first_specials == [sorted(deck[2 * seat :][:2]) for seat in range(3)]
    assert revealed.first_face_up == deck[6:9]


def test_e82_a_gap_is_filled_at_once_and_the_card_stays_known():
    table = Table(3, variants=REVEALED)
    state = table.state
    state.face_up[:] = state.special_deck[:3]
    state.special_top = 3
    top, kind = int(state.special_deck[3]), int(state.face_up[1])
    table.play_card(0, c.POLITICS_SUPPORT)
    assert table.answer("take_special", 0, 1) == [0, 1, 2, 3]
    assert state.special[0, kind] == state.special_known[0, kind] == 1
    assert state.face_up[1] == top
    assert state.special_top == 4


def test_e82_the_top_of_the_deck_may_be_taken_unseen():
    table = Table(3, variants=REVEALED)
    state = table.state
    state.face_up[:] = state.special_deck[:3]
    state.special_top = 3
    before = state.face_up.tolist()
    table.play_card(0, c.POLITICS_SUPPORT)
    table.answer("take_special", 0, c.FROM_DECK)
    assert state.face_up.tolist() == before
    assert state.special[0, int(state.special_deck[3])] == 1
    assert state.special_known.sum() == 0


def test_e82_a_gap_is_filled_from_reshuffled_discards():
    table = Table(3, variants=REVEALED)
    state = table.state
    state.face_up[:] = state.special_deck[:3]
    state.special_top = 3
    table.empty_special_deck(discard=True)
    table.play_card(0, c.POLITICS_SUPPORT)
    table.answer("take_special", 0, 0)
    assert state.face_up[0] != c.NONE
    assert state.special_discard.sum() == 0
    assert state.special_size - state.special_top == 25 - 4


def test_e82_without_any_card_left_the_gap_stays():
    table = Table(3, variants=REVEALED)
    state = table.state
    state.face_up[:] = state.special_deck[:3]
    state.special_top = 3
    table.empty_special_deck(discard=False)
    state.effects[:] = 0  # whoever was given the deck is not asked for his Specials here
    table.play_card(0, c.POLITICS_SUPPORT)
    assert table.answer("take_special", 0, 2) == [0, 1, 2]
    assert state.face_up[2] == c.NONE
    assert state.face_up[0] != c.NONE


def test_e84_the_replacement_is_drawn_before_the_doom_is_shuffled_back():
    left = Counter()
    for deal in range(30):
        table = Table(3, "doom_ships=0", deal=deal)
        table.state.turn = 3
        table.state.doom_count = 2
        table.doom(c.EVENT_DOOM_2, c.EVENT_LEADERSHIP, c.EVENT_WRATH, c.EVENT_CHAOS)
        assert table.state.event_now == c.EVENT_LEADERSHIP
        assert blacks_boarded(table) == 3  # the cubes of Leadership alone
        assert table.state.doom_count == 2
        assert table.state.event_reshuffles == 1
        deck = table.state.event_deck[table.state.event_top : table.state.event_size].tolist()
        assert sorted(deck) == [c.EVENT_DOOM_2, c.EVENT_WRATH, c.EVENT_CHAOS]
        keys = [word(1, deal, c.PURPOSE_EVENT_RESHUFFLE, 0, event) for event in range(10)]
        assert deck == sorted(deck, key=lambda event: keys[event])
        left[tuple(deck)] += 1
    assert len(left) == 6


def test_e86_with_2_players_discards_are_counted_together():
    table = Table(2)
    table.hold(1, c.FACTION_ARCHONT, c.FACTION_BASILEUS)
    table.put(B, 1, 1)
    table.sail(B)
    table.play_card(0, c.POLITICS_SABOTAGE)
    table.answer("sabotage", 0, B)
    assert table.by_seat("building") == [0, 2]


def test_e87_a_loose_black_cube_leaves_the_ark_before_the_printed_one():
    table = Table(3)
    table.upgrade(A)
    table.put(A, BLACK, BLACK)
    table.play_card(0, c.POLITICS_BETRAYAL)
    legals = table.play(("betrayal", 0, A), ("betrayal_count", 0, 2))
    assert legals[1] == [1, 2, 3]
    assert (int(table.state.printed_neutral), table.blacks()[A], int(table.state.camp)) == (1, 0, 10)
    table = Table(3)
    table.upgrade(A)
    table.put(A, BLACK, BLACK)
    table.play_card(0, c.POLITICS_BETRAYAL)
    table.play(("betrayal", 0, A), ("betrayal_count", 0, 3))
    assert (int(table.state.printed_neutral), table.blacks()[A], int(table.state.camp)) == (0, 0, 10)


def test_e88_the_allied_ship_moves_first():
    table = Table(3)
    table.special(0, ALLIANCE)
    table.put(B, BLACK)
    table.put(A, 1)
    table.sail(B)
    table.play_card(0, c.POLITICS_SHIPS)
    table.answer("declare", 0, ALLIANCE)
    assert table.asked == ("ally", 0)
    table.answer("ally", 0, B)
    assert table.areas()[B] == c.AREA_PORT  # it has landed
    assert table.state.neutral_land == 1
    assert table.answer("move", 0, A) == [A]


def test_e89_proxy_is_no_token_for_senate_pays():
    table = Table(3)
    table.pool(1, 2, 0)
    table.state.pool_bonus[0] = 2
    table.doom(c.EVENT_SENATE_PAYS)
    assert table.gained(c.SOURCE_POOL_MAJORITY) == [2, 0, 0]
    assert table.gained(c.SOURCE_SENATE_PAYS) == [3, 5, 0]
    table = Table(3)
    table.pool(0, 2, 0)
    table.state.pool_bonus[0] = 4
    table.doom(c.EVENT_SENATE_PAYS)
    assert table.gained(c.SOURCE_SENATE_PAYS) == [0, 5, 0]


def test_e89_proxy_is_no_token_for_leadership():
    table = Table(3)
    table.state.event_now = c.EVENT_LEADERSHIP
    table.pool(0, 2, 1)
    table.state.pool_bonus[0] = 4
    table.ashore(black=4)
    table.doom(QUIET)
    assert table.gained(c.SOURCE_LEADERSHIP) == [0, 4, 2]


def test_e90_archont_with_a_short_deck_discards_as_many_as_he_drew():
    table = Table(3)
    table.empty_politics_deck(keep=2)
    for kind in range(9):  # all discards to seat 2's hand, so that none can be reshuffled
        table.state.hand[2, kind] += table.state.politics_discard[kind]
    table.state.politics_discard[:] = 0
    table.begin_turn()
    table.skip_to("faction")
    table.answer("faction", 0, c.FACTION_ARCHONT)
    table.skip_to("archont")
    table.answer("archont", 0, USE)
    assert table.state.hand[0].sum() == 2
    for _ in range(2):
        table.answer("archont_discard", 0, table.legal()[0])
    assert table.asked[0] != "archont_discard"


def test_e91_scores_stop_at_zero():
    table = Table(3, "no_mercy_vp=5")
    table.state.event_now = c.EVENT_NO_MERCY
    table.lay(*[FILLER] * 3)
    table.vote(0, 1, 1)
    assert table.by_seat("vp") == [0, 2, 2]
    assert table.gained(c.SOURCE_NO_MERCY) == [-2, 0, 0]


def test_e92_holders_are_asked_once_in_senate_order_and_may_decline():
    table = Table(3)
    table.pool(0, 1, 2)
    for seat in range(3):
        table.special(seat, ORATOR)
    table.lay(*[FILLER] * 3)
    table.vote(0, 0, 0)
    table.play(("orator", 2, PASS), ("orator", 1, ORATOR), ("orator", 0, PASS))
    assert table.by_seat("place") == [0, 1, 2]
    table = Table(3)
    table.special(0, PROXY)
    table.special(1, PROXY)
    table.begin_turn()
    table.play(("senate_bid", 0, 1), ("senate_bid", 1, 2), ("senate_bid", 2, 0))
    table.play(("proxy", 1, PASS), ("proxy", 0, PROXY))
    assert table.asked == ("faction", 0)


def test_e93_a_landing_is_finished_before_the_royal_vessels_card_is_taken():
    table = Table(3, variants=REVEALED)
    table.state.face_up[:] = table.state.special_deck[:3]
    table.state.special_top = 3
    table.upgrade(C)
    table.put(C, 0, 1)
    table.put(A, 2)
    table.sail(C)
    table.play_card(0, c.POLITICS_SHIPS)
    table.answer("move", 0, C)
    assert table.asked == ("take_special", 0)  # before the second move
    assert table.by_seat("land") == [1, 1, 0]
    assert table.areas()[C] == c.AREA_PORT
    table.play(("take_special", 0, 0), ("move", 0, A))


def test_e94_neutrals_displace_only_while_the_camp_has_one():
    table = Table(3, "doom_ships=0", variants=AGGRESSIVE)
    table.ashore(black=9)
    table.put(A, *[0] * 7)
    table.put(B, *[1] * 5)
    table.doom(c.EVENT_WRATH)  # two cubes, one in the camp
    assert table.aboard(A) == [6, 0, 0, 0, 0, 1]
    assert table.aboard(B) == [0, 5, 0, 0, 0, 0]


def test_e95_proxy_settles_a_tie_for_senate_pays_and_leadership():
    table = Table(3)
    table.pool(2, 2, 0)
    table.state.pool_bonus[1] = 2
    table.doom(c.EVENT_SENATE_PAYS)
    assert table.gained(c.SOURCE_SENATE_PAYS) == [3, 5, 0]
    table = Table(3)
    table.pool(2, 2, 0)
    table.state.pool_bonus[1] = 2
    table.ashore(black=4)
    table.state.event_now = c.EVENT_LEADERSHIP
    table.doom(QUIET)
    assert table.gained(c.SOURCE_LEADERSHIP) == [2, 4, 0]


def test_e96_the_pool_stands_at_the_third_doom_and_settles_a_final_tie():
    table = Table(3, "pool_majority_vp=0")
    table.state.turn = 5
    table.state.doom_count = 2
    table.pool(0, 1, 3)
    table.doom(c.EVENT_DOOM_3)
    assert table.over
    assert table.by_seat("pool") == [0, 1, 3]
    assert ranks(table) == ([3, 2, 1], 0b100)


def test_e97_full_ships_move_from_the_left_whatever_their_size():
    table = Table(3, "event_cubes=0", "doom_ships=1", *spaces(E=8))
    table.put(B, *[0] * 5)
    table.put(E, *[1] * 8)
    table.put(A, *[2] * 6)
    table.doom(QUIET)
    assert table.areas() == [0, 1, 0, 0, 0]


def test_e98_philosophios_may_go_first_and_borrow_in_one_voting():
    table = Table(4)
    table.hold(1, c.FACTION_PHILOSOPHIOS)
    table.lay(FILLER, REFUGEES_1, REFUGEES_1, FILLER)
    table.vote(5, 4, 0, 0)
    table.answer("philosophios", 1, USE)
    assert table.answer("play", 1, NEIGHBOURS) == [PASS, OWN, NEIGHBOURS]


def test_e99_the_space_of_the_arks_own_neutral_is_free_once_it_is_removed():
    table = Table(3)
    table.upgrade(A)
    table.put(A, *[1] * 7)
    table.sail(B, C, D, E)
    table.lay(c.POLITICS_BETRAYAL, FILLER, FILLER)
    table.lay(REFUGEES_1, REFUGEES_1, REFUGEES_1)
    table.vote(1, 0, 0)
    table.play(("play", 0, OWN), ("betrayal", 0, A), ("betrayal_count", 0, 0), ("betrayal_count", 0, 1))
    table.answer("play", 1, PASS)
    table.bid(1, 0, 0)
    table.play(("play", 0, OWN), ("load", 0, A))
    assert table.aboard(A) == [1, 7, 0, 0, 0, 0]
    assert table.answer("play", 1, PASS) == [PASS]  # full again


# ------------------------------------------------------------------------------------------------ nothing goes untested


def test_every_option_has_a_test():
    known = {option.setting for option in rule_options(GAME)}
    tested = {f"{ruling}={name}" for ruling, cases in EXPECTED.items() for name in cases if name}
    assert tested == known


@pytest.mark.parametrize("option", [option.setting for option in rule_options(GAME)])
def test_every_option_makes_a_difference_in_some_test(option):
    ruling, _, name = option.partition("=")
    assert any(theirs != default for theirs, default in zip(EXPECTED[ruling][name], EXPECTED[ruling][""]))


def test_every_ruling_has_a_test():
    rules = tomllib.loads((GAME.rules_folder / "base.toml").read_text())
    rulings = {entry["ruling"][:3] for entry in rules.values() if "ruling" in entry}
    assert {f"E{number:02}" for number in range(1, 50)} <= rulings
    names = " ".join(vars(sys.modules[__name__]))
    tested = {ruling.upper() for ruling in re.findall(r"\btest_(e\d\d)", names)}
    assert tested | set(UNSEEN) == rulings
