"""Tests of the reference implementation: philox vectors, the rulebook's worked examples, fine points, random play.

ORACLE_GAMES scales the random play: that many games for each option (over its player counts in turn), four times as
many for each player count's defaults and ten times as many with mixed options. 25 take about two minutes.
"""

import os
import random

import pytest

from tests.end_of_atlantis.oracle.defaults import OPTIONS, default_rules, refusal
from tests.end_of_atlantis.oracle.doom_phase import doom_phase, most_on_the_promised_land
from tests.end_of_atlantis.oracle.end_of_atlantis import FIELDS, Oracle
from tests.end_of_atlantis.oracle.event_cards import EndOfTheGameError, draw_event, reveal_event_card
from tests.end_of_atlantis.oracle.factions_phase import factions_phase
from tests.end_of_atlantis.oracle.moving_ships import movable, move_ship, ships_of_the_doom_phase
from tests.end_of_atlantis.oracle.names import (
    ADV_ARK,
    ALL_DOOMED,
    ARCHONT,
    ARISTOCRACY,
    BASILEUS,
    BETRAYAL,
    BLACK,
    CHAOS,
    DEMAGOGOS,
    DEMIURGOS,
    LEADERSHIP,
    NO_MERCY,
    OCEAN,
    ORAKLOS,
    P_POLITICS,
    PASS,
    PHILOSOPHIOS,
    PORT,
    REFUGEES_1,
    REFUGEES_2,
    REFUGEES_21,
    ROYAL_SHIP,
    SABOTAGE,
    SENATE_PAYS,
    SHIPS,
    SRC_COLOURS,
    SRC_LEADERSHIP,
    SRC_MOVER,
    SRC_NO_MERCY,
    SRC_PLUS_ONE,
    SRC_ROYAL,
    SRC_SCIENCE,
    SRC_SHIPS,
    STRATEGOS,
    SUPPORT,
    USE,
    WRATH,
)
from tests.end_of_atlantis.oracle.politics_cards import aristocracy_ships, can_apply, play_card
from tests.end_of_atlantis.oracle.setup import setup
from tests.end_of_atlantis.oracle.state import Game, add_vp, senate_order, shuffled
from tests.end_of_atlantis.oracle.voting_phase import one_voting, voting_phase
from tests.machinery import philox

GAMES = int(os.environ.get("ORACLE_GAMES", "25"))
PROMPTS_SEEN = {}


# --- philox -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("counter", "key", "expected"),
    [
        ("00000000 00000000 00000000 00000000", "00000000 00000000", "6627e8d5 e169c58d bc57ac4c 9b00dbd8"),
        ("ffffffff ffffffff ffffffff ffffffff", "ffffffff ffffffff", "408f276d 41c83b0e a20bc7c6 6d5451fd"),
        ("243f6a88 85a308d3 13198a2e 03707344", "a4093822 299f31d0", "d16cfe09 94fdcceb 5001e420 24126ea1"),
    ],
)
def test_philox_known_answers(counter, key, expected):
    def hexes(text):
        return tuple(int(w, 16) for w in text.split())

    assert philox.philox4x32_10(hexes(counter), hexes(key)) == hexes(expected)


def test_words_of_a_stream():
    seed = 0x299F31D0A4093822
    block = philox.philox4x32_10((7, 1, 3, 1), (0xA4093822, 0x299F31D0))
    assert [philox.word(seed, 7, 1, 3, i) for i in (4, 5, 6, 7)] == list(block)


# --- helpers ------------------------------------------------------------------------------------------------------


def table(players, **overrides):
    """A game after setup, nothing asked; nobody holds a Special card unless overridden."""
    g = Game({**default_rules(players), "setup_specials": 0, **overrides}, 1, 0)
    assert list(setup(g)) == []
    return g


def drive(chapter, *script):
    """Run a chapter; the script is a list of (prompt, actor, action); says the legal actions at each."""
    legals = []
    try:
        question = next(chapter)
        for prompt, actor, action in script:
            assert question[:2] == (prompt, actor), question
            assert action in question[2], question
            legals.append(question[2])
            question = chapter.send(action)
    except StopIteration:
        assert len(legals) == len(script), f"ended after {len(legals)} answers"
        return legals
    raise AssertionError(f"still asks {question}")


def put(g, ship, *colours):
    """Refugees on a ship, from supply or camp."""
    for colour in colours:
        if colour == BLACK:
            g.camp -= 1
        else:
            g.supply[colour] -= 1
        g.aboard[ship][colour] += 1


def clear(g):
    for ship in range(5):
        g.camp += g.aboard[ship][BLACK]
        g.aboard[ship] = [0] * 6


def voting(g, laid, bids, open_=False):
    """One voting with given cards; hidden bids are the given ones."""
    g.voting_open = int(open_)
    g.slot = 0
    for seat, kind in enumerate(laid):
        g.laid[seat][0] = kind
    return [("bid", seat, bid) for seat, bid in enumerate(bids)]


# --- worked examples ----------------------------------------------------------------------------------------------


def test_example_factions_phase():
    martin, paul, leopold, michael = range(4)
    g = table(4)
    for seat, cubes in ((martin, 5), (paul, 4), (leopold, 3), (michael, 2)):
        g.pool[seat], g.supply[seat] = cubes, 20 - cubes
    g.plus_one[BASILEUS] = g.plus_one[STRATEGOS] = 1
    clear(g)
    legals = drive(
        factions_phase(g),
        ("faction", martin, PASS),
        ("faction", paul, PASS),
        ("faction", leopold, BASILEUS),
        ("faction", michael, DEMIURGOS),
        ("free_faction", martin, PHILOSOPHIOS),
        ("free_faction", paul, STRATEGOS),
        ("basileus", leopold, PASS),
        ("demiurgos", michael, PASS),
    )
    assert legals[0] == [PASS, 0, 1, 2, 3, 4, 5, 6]
    assert legals[5] == [ARCHONT, DEMAGOGOS, ORAKLOS, STRATEGOS]
    assert g.building == [0, 0, 1, 0]
    assert g.supply[leopold] == 16
    assert g.supply[michael] == 18
    assert g.vp == [2, 3, 3, 2]
    assert [g.vp_by[s][SRC_PLUS_ONE] for s in g.seats] == [0, 1, 1, 0]
    assert g.holder == [-1, leopold, -1, michael, -1, martin, paul]
    assert g.marker == [5, 6, 1, 3]
    assert g.plus_one == [1, 0, 1, 0, 1, 0, 0]


def test_example_the_cost_does_not_depend_on_passes():
    for first in (PASS, STRATEGOS):
        g = table(4)
        chapter = factions_phase(g)
        next(chapter)
        chapter.send(first)
        chapter.send(DEMAGOGOS)
        assert g.building[1] == 1


@pytest.mark.parametrize(("players", "costs"), [(5, [2, 2, 1, 1, 0]), (4, [2, 1, 1, 0]), (3, [2, 1, 0]), (2, [1, 0])])
def test_cost_table(players, costs):
    g = table(players)
    chapter = factions_phase(g)
    next(chapter)
    for seat in range(players):
        chapter.send(seat)
    assert g.building == costs


def test_example_hidden_voting():
    paul, michael = 0, 2
    g = table(3)
    g.supply, g.pool = [16, 14, 12], [4, 3, 2]
    script = voting(g, [REFUGEES_1, REFUGEES_2, REFUGEES_1], [4, 4, 5])
    legals = drive(
        one_voting(g), *script, ("play", michael, 1), ("load", michael, 1), ("play", paul, 0), ("load", paul, 2)
    )
    assert g.place == [2, 0, 1]
    assert legals[3] == [PASS, 0, 1]  # own card or Leopold's, for Paul won too
    assert legals[5] == [PASS, 0]
    assert g.on_cards == [4, 4, 5]
    assert g.supply == [11, 10, 5]
    assert g.aboard[1][michael] == 2
    assert g.aboard[2][paul] == 1


def test_example_doom_movement_first_half():
    g = table(5)
    clear(g)
    put(g, 0, 0, 0, 0, 1, 1, 1, 2)
    put(g, 1, 0, 1, 2, 3, 4)
    put(g, 3, 3, 3)
    put(g, 4, 4, 4)
    assert ships_of_the_doom_phase(g) == [0, 1, 3]


def test_example_doom_movement_second_half():
    g = table(5)
    clear(g)
    put(g, 3, 3, 3)
    put(g, 4, 4, 4)
    assert ships_of_the_doom_phase(g) == [3, 4]


def test_example_ships_scoring():
    martin, paul, michael = range(3)
    g = table(3)
    clear(g)
    put(g, 0, michael, michael, michael, paul, paul, martin, BLACK)
    put(g, 1, paul)
    g.area[0] = OCEAN
    drive(play_card(g, martin, SHIPS), ("move", martin, 0), ("move", martin, 1))
    assert [g.vp[s] - 2 for s in (michael, paul, martin)] == [9, 6, 5]
    assert g.vp_by[martin][SRC_MOVER] == 1
    assert g.vp_by[michael][SRC_COLOURS] == 3
    assert g.land == [1, 2, 3]
    assert g.neutral_land == 1
    assert g.area == [PORT, OCEAN, 0, 0, 0]
    assert sum(g.aboard[0]) == 0


def test_example_refugees_2_must_be_fully_applied():
    g = table(3)
    clear(g)
    g.supply[0] = 1
    assert can_apply(g, 0, REFUGEES_1)
    assert not can_apply(g, 0, REFUGEES_2)
    g = table(3, tile_spaces=[1] * 10)
    clear(g)
    assert can_apply(g, 0, REFUGEES_1)
    assert not can_apply(g, 0, REFUGEES_2)


def test_example_voting_cubes_stay_on_cards():
    g = table(3)
    for bids in ((3, 0, 0), (2, 0, 0)):
        script = voting(g, [SABOTAGE] * 3, bids)
        drive(one_voting(g), *script, ("play", 0, PASS), ("play", 1, PASS))
    assert g.on_cards[0] == 5
    assert g.supply[0] == 15


def test_example_airship_upgraded_at_sea_stays():
    g = table(3)
    clear(g)
    put(g, 3, 0)
    g.area[3] = OCEAN
    g.doom_count, g.event_deck = 1, [1, 2]
    drive(reveal_event_card(g))
    assert g.tile == [0, 1, 7, 8, 9]
    assert g.area[3] == OCEAN
    assert 3 not in movable(g, "Royal Ship")
    assert 3 in movable(g, "Ships")
    drive(move_ship(g, 3, "Ships", 0))
    assert g.area[3] == PORT
    assert g.land[0] == 1
    put(g, 3, 1)
    drive(move_ship(g, 3, "Ships", 0))
    assert g.area[3] == PORT
    assert g.land == [1, 1, 0]


# --- fine points --------------------------------------------------------------------------------------------------


def test_setup_four_players():
    g = table(4, setup_specials=2)
    assert g.aboard[0][BLACK] == 2
    assert g.camp == 8
    assert g.tile == [0, 1, 2, 3, 4]
    assert g.vp == [2] * 4
    assert [sum(h) for h in g.hand] == [7] * 4
    assert [sum(s) for s in g.special] == [2] * 4
    assert len(g.event_deck) == 6
    assert {0, 1, 2} <= set(g.event_deck)
    assert len(g.events_removed) == 4
    assert len(g.politics_deck) == 80 - 28
    assert len(g.special_deck) == 25 - 8


def test_setup_two_players():
    g = table(2)
    assert g.tile == [-1, 1, 2, 3, 4]
    assert g.aboard[1][BLACK] == 2


def test_shuffle_keeps_the_order_of_the_rest():
    g = table(3)
    whole = shuffled(g, [24, 12, 4, 8, 12, 8, 4, 4, 4], P_POLITICS, 0)
    less = shuffled(g, [24, 12, 4, 8, 12, 8, 4, 4, 0], P_POLITICS, 0)
    assert [k for k in whole if k != 8] == less
    assert len(whole) == 80


def test_senate_order():
    g = table(3)
    g.pool, g.marker = [2, 3, 2], [4, 0, 1]
    assert senate_order(g) == [1, 2, 0]
    g.pool_bonus[0] = 2
    assert senate_order(g) == [0, 1, 2]


def test_open_voting_with_demagogos():
    g = table(4)
    g.pool = [4, 3, 2, 1]
    g.holder[DEMAGOGOS] = 2
    voting(g, [SUPPORT] * 4, [0] * 4, open_=True)
    legals = drive(
        one_voting(g),
        ("demagogos_call", 2, PASS),
        ("open_bid", 3, 3),
        ("demagogos_call", 2, 0),
        ("open_bid", 0, 2),
        ("open_bid", 2, 0),
        ("open_bid", 1, 0),
        ("play", 3, 0),
        ("play", 0, PASS),
    )
    assert legals[0] == [PASS, 0, 1]
    assert legals[2] == [PASS, 0, 1]
    assert legals[3] == [0, 1, 2, *list(range(4, 21))]
    assert legals[4][:2] == [0, 1]
    assert 2 not in legals[4]
    assert g.demagogos_used == 1


def test_demagogos_hidden():
    g = table(3)
    g.holder[DEMAGOGOS] = 1
    script = voting(g, [SUPPORT] * 3, [1, 0, 2])
    drive(
        one_voting(g),
        *script,
        ("demagogos_look", 1, 2),
        ("demagogos_change", 1, 3),
        ("play", 1, PASS),
        ("play", 2, PASS),
    )
    assert g.bid == [1, 3, 2]
    assert g.demagogos_used == 1


def test_philosophios_borrows_first_and_first_place_finds_the_card_played():
    g = table(4)
    clear(g)
    g.holder[PHILOSOPHIOS] = 1
    script = voting(g, [SABOTAGE, SABOTAGE, REFUGEES_1, SUPPORT], [5, 4, 0, 0])
    legals = drive(one_voting(g), *script, ("philosophios", 1, USE), ("play", 1, 1), ("load", 1, 0), ("play", 0, PASS))
    assert legals[5] == [PASS, 1]
    assert legals[7] == [PASS]  # seat 1 won, seat 2's card is played, no further neighbour (E65)


def test_borrow_twice():
    g = table(4, borrow_twice=1)
    clear(g)
    g.holder[PHILOSOPHIOS] = 1
    script = voting(g, [SABOTAGE, SABOTAGE, REFUGEES_1, SUPPORT], [5, 4, 0, 0])
    drive(
        one_voting(g), *script, ("philosophios", 1, USE), ("play", 1, 1), ("load", 1, 0), ("play", 0, 1), ("load", 0, 0)
    )


def test_two_players_philosophios_is_not_borrowed_from():
    g = table(2)
    g.holder[PHILOSOPHIOS] = 1
    script = voting(g, [SABOTAGE, SUPPORT], [5, 4])
    legals = drive(one_voting(g), *script, ("play", 0, PASS))
    assert legals[-1] == [PASS]


def test_two_players_demagogos_is_immune():
    g = table(2)
    clear(g)
    g.holder[DEMAGOGOS] = 1
    put(g, 1, 1)
    put(g, 2, 0, 1)
    put(g, 3, 1)
    g.area[3] = OCEAN
    assert not can_apply(g, 0, SABOTAGE)
    assert can_apply(g, 1, SABOTAGE)
    legals = drive(play_card(g, 0, BETRAYAL), ("betrayal", 0, 2), ("betrayal_count", 0, 1))
    assert legals == [[2], [1]]
    assert g.aboard[2][1] == 1


def test_strategos():
    g = table(3)
    g.holder[STRATEGOS] = 2
    script = voting(g, [SABOTAGE] * 3, [3, 2, 1])
    drive(one_voting(g), *script, ("play", 0, PASS), ("play", 1, PASS), ("strategos", 2, USE))
    assert g.supply[2] == 20
    assert g.on_cards == [3, 2, 0]


def test_no_mercy():
    for ties, losers in ((0, [2, 2, 1]), (1, [2, 1, 1])):
        g = table(3, no_mercy_ties=ties)
        g.event_now = NO_MERCY
        script = voting(g, [SABOTAGE] * 3, [3, 1, 1])
        drive(one_voting(g), *script, ("play", 0, PASS), ("play", 1, PASS))
        assert g.vp == losers


def test_score_floor():
    g = table(3)
    add_vp(g, 0, -5, SRC_NO_MERCY)
    assert g.vp[0] == 0
    assert g.vp_by[0][SRC_NO_MERCY] == -2
    g = table(3, negative_scores=1)
    add_vp(g, 0, -5, SRC_NO_MERCY)
    assert g.vp[0] == -3


def test_zero_bid_wins_nothing():
    g = table(3, zero_bid_wins=0)
    script = voting(g, [SABOTAGE] * 3, [0, 1, 0])
    drive(one_voting(g), *script, ("play", 1, PASS))
    assert g.place == [0, 1, 0]


def test_we_are_all_doomed():
    for players, winners in ((2, 1), (3, 1), (4, 1), (5, 2)):
        g = table(players)
        g.event_now = ALL_DOOMED
        script = voting(g, [SABOTAGE] * players, [0] * players)
        drive(one_voting(g), *script, *[("play", s, PASS) for s in range(winners)])
    g = table(2)
    g.event_now = ALL_DOOMED
    chapter, question = voting_phase(g), None
    question = next(chapter)
    prompts = []
    try:
        while True:
            prompts.append(question[0])
            question = chapter.send(question[2][0])
    except StopIteration:
        pass
    assert prompts.count("lay") == 6
    assert prompts.count("bid") == 6


def test_oraklos():
    g = table(3)
    g.holder[ORAKLOS] = 0
    chapter = voting_phase(g)
    question = next(chapter)
    while question[0] == "lay":
        question = chapter.send(question[2][0])
    assert question == ("oraklos", 0, [PASS, 0, 1, 2, 3, 4])
    question = chapter.send(3)
    assert question == ("oraklos", 0, [PASS, 4])
    question = chapter.send(4)
    assert question[:2] == ("bid", 0)
    assert g.facedown == [0, 0, 0, 1, 1]


def test_aristocracy_displaces_the_printed_neutral():
    g = table(3)
    clear(g)
    g.tile[0], g.printed_neutral = ADV_ARK, 1
    put(g, 0, *[0] * 7)
    legals = drive(play_card(g, 0, ARISTOCRACY), ("aristocracy", 0, 0), ("aristocracy_victim", 0, BLACK))
    assert legals[1] == [BLACK]
    assert g.printed_neutral == 0
    assert g.camp == 10
    assert g.aboard[0][0] == 8
    assert 0 not in aristocracy_ships(g, 0)
    drive(move_ship(g, 0, "Ships", 0))
    assert g.printed_neutral == 0
    drive(move_ship(g, 0, "Ships", 0))
    assert g.printed_neutral == 1
    assert g.vp_by[0][SRC_SHIPS] == 15
    assert g.vp_by[0][SRC_COLOURS] == 0


def test_ark_alone():
    for rule, moves in ((1, True), (0, False)):
        g = table(3, ark_alone_moves=rule)
        clear(g)
        g.tile[0], g.printed_neutral = ADV_ARK, 1
        assert can_apply(g, 0, ROYAL_SHIP) == moves
        assert ships_of_the_doom_phase(g) == ([0] if moves else [])


def test_betrayal_counts():
    g = table(3)
    clear(g)
    put(g, 0, 0, 1, 1, 1, 2, 2)
    legals = drive(
        play_card(g, 0, BETRAYAL),
        ("betrayal", 0, 0),
        ("betrayal_count", 0, 0),
        ("betrayal_count", 0, 2),
        ("betrayal_count", 0, 2),
    )
    assert legals[1:] == [[0, 1], [0, 1, 2, 3], [0, 1, 2]]
    assert g.building == [0, 2, 2]
    g = table(3)
    clear(g)
    put(g, 0, 1, 2, 2)
    legals = drive(play_card(g, 0, BETRAYAL), ("betrayal", 0, 0), ("betrayal_count", 0, 0), ("betrayal_count", 0, 1))
    assert legals[2] == [1, 2]
    g.pool[1] = 6
    g.supply[1] -= 6
    legals = drive(play_card(g, 0, BETRAYAL), ("betrayal", 0, 6), ("betrayal_count", 0, 4))
    assert legals == [[0, 6], [1, 2, 3, 4]]
    assert g.pool[1] == 2


def test_refugees_with_empath_and_stowaway():
    g = table(3)
    clear(g)
    g.special[0][3] = g.special[0][4] = 1
    put(g, 1, 1)
    legals = drive(
        play_card(g, 0, REFUGEES_21), ("declare", 0, 4), ("load", 0, 0), ("load_second", 0, 1), ("empath_victim", 0, 1)
    )
    assert legals[0] == [PASS, 3, 4]
    assert legals[1] == [0, 1, 2, 3, 4]
    assert legals[2] == [1]
    assert g.aboard[1] == [2, 0, 0, 0, 0, 0]
    assert g.building[1] == 1
    assert g.supply[0] == 16
    drive(play_card(g, 0, REFUGEES_1), ("declare", 0, 3), ("load", 0, 4), ("stowaway", 0, 4))
    assert g.aboard[4][0] == 2
    assert sum(g.special_discard) == 2


def test_alliance():
    g = table(3)
    clear(g)
    g.special[0][6] = 1
    put(g, 0, BLACK, BLACK, 1)
    g.area[0] = OCEAN
    legals = drive(play_card(g, 0, ROYAL_SHIP), ("declare", 0, 6), ("ally", 0, 0))
    assert legals[0] == [PASS, 6]
    assert g.vp_by[0][SRC_ROYAL] == 3
    assert g.vp_by[0][SRC_COLOURS] == 0
    assert g.vp_by[0][SRC_MOVER] == 1
    assert g.vp_by[1][SRC_ROYAL] == 1
    assert g.vp_by[1][SRC_COLOURS] == 1


def test_advanced_vessels_give_their_bonus():
    g = table(3, revealed_specials=1)
    clear(g)
    g.tile = [5, 6, 7, 8, 9]
    put(g, 1, 0)
    put(g, 2, 1)
    g.area[1] = g.area[2] = OCEAN
    legals = drive(play_card(g, 2, SHIPS), ("move", 2, 2), ("take_special", 2, 0), ("move", 2, 1))
    assert legals[1] == [0, 1, 2, 3]
    assert sum(g.special[2]) == 1
    assert g.vp_by[2][SRC_SCIENCE] == 2
    assert g.vp_by[2][SRC_MOVER] == 2
    assert g.vp[0] == 3
    assert g.vp[1] == 3


def test_third_doom_too_early():
    g = table(3)
    g.doom_count, g.turn, g.event_deck = 2, 3, [2, 4, 5]
    assert draw_event(g) == 4
    assert sorted(g.event_deck) == [2, 5]
    assert g.doom_count == 2
    g.event_deck = [2]
    assert draw_event(g) == 2
    g.turn, g.event_deck = 4, [2, 4, 5]
    assert draw_event(g) == 2
    g.event_deck = [2]
    with pytest.raises(EndOfTheGameError):
        list(reveal_event_card(g))


def test_land_majority_and_neutrals():
    g = table(3)
    g.land, g.neutral_land = [0, 2, 2], 2
    most_on_the_promised_land(g)
    assert g.vp == [2, 4, 2]
    g.neutral_land = 3
    most_on_the_promised_land(g)
    assert g.vp == [2, 4, 2]


def test_senate_pays_and_half_of_the_pool():
    g = table(3)
    g.pool, g.supply = [0, 3, 5], [20, 17, 15]
    g.event_deck = [SENATE_PAYS]
    drive(reveal_event_card(g))
    assert g.vp == [2, 5, 7]
    assert g.pool == [0, 0, 0]
    g = table(3)
    g.turn = 1
    g.pool, g.supply = [0, 3, 5], [20, 17, 15]
    g.event_deck = [WRATH]
    drive(doom_phase(g))
    assert g.pool == [0, 1, 2]
    assert g.supply == [20, 19, 18]


def test_leadership():
    g = table(3)
    g.event_now, g.neutral_land, g.camp = LEADERSHIP, 3, 5
    g.pool, g.supply = [0, 3, 5], [20, 17, 15]
    g.event_deck = [WRATH]
    drive(doom_phase(g))
    assert [g.vp_by[s][SRC_LEADERSHIP] for s in g.seats] == [0, 2, 3]


def test_chaos_skips_and_keeps():
    o = Oracle(default_rules(3), 5, 1)
    g = o.game
    g.event_deck = [CHAOS] + [e for e in g.event_deck if e != CHAOS]
    while g.turn == 1:
        o.apply(4 if o.prompt == "senate_bid" else o.legal()[0])
    assert o.prompt == "lay"
    assert g.phase == "voting"
    assert sum(1 for h in g.holder if h >= 0) == 3
    assert g.pool == [4, 4, 4]
    assert sum(g.building) == 0


def test_neutrals_rank_ships_and_keep_out_of_full_ones():
    g = table(3)
    clear(g)
    put(g, 0, *[0] * 7)
    g.event_deck = [WRATH]
    drive(reveal_event_card(g))
    assert [g.aboard[s][BLACK] for s in range(5)] == [0, 1, 0, 0, 0]
    g = table(3, neutral_overflow=1)
    clear(g)
    put(g, 0, *[0] * 7)
    g.event_deck = [WRATH]
    drive(reveal_event_card(g))
    assert [g.aboard[s][BLACK] for s in range(5)] == [0, 1, 1, 0, 0]
    g = table(3, aggressive_neutrals=1)
    clear(g)
    put(g, 0, *[0] * 6, 1)
    g.event_deck = [WRATH]
    drive(reveal_event_card(g))
    assert g.aboard[0] == [6, 0, 0, 0, 0, 1]
    assert g.building == [0, 1, 0]


def test_chosen_ships():
    g = table(4, chosen_ships=[9, 5, 0, 4, 3])
    assert g.tile == [0, 5, 3, 4, 9]
    assert g.printed_neutral == 1
    assert g.aboard[1] == [0, 0, 0, 0, 0, 2]
    g = table(4, chosen_ships=[9, 5, 0, 4, 3], ark_neutral=1)
    assert g.printed_neutral == 0
    assert g.aboard[1][BLACK] == 3
    assert g.camp == 7
    g = table(2, chosen_ships=[3, 8, 6, 1, -1])
    assert g.tile == [-1, 1, 6, 3, 8]
    assert g.aboard[1][BLACK] == 2


def test_two_players_choose_two_factions():
    g = table(2)
    g.special_deck, g.special_discard = [], [0] * 25
    drive(
        factions_phase(g),
        ("faction", 0, PASS),
        ("faction", 1, STRATEGOS),
        ("free_faction", 0, ORAKLOS),
        ("free_faction", 0, PHILOSOPHIOS),
        ("free_faction", 1, DEMAGOGOS),
    )
    assert g.marker == [5, 2]
    assert senate_order(g) == [1, 0]


# --- random play --------------------------------------------------------------------------------------------------

ALL_PROMPTS = {
    "setup_cube",
    "senate_bid",
    "proxy",
    "faction",
    "free_faction",
    "archont",
    "archont_discard",
    "basileus",
    "demiurgos",
    "take_special",
    "lay",
    "oraklos",
    "bid",
    "demagogos_look",
    "demagogos_change",
    "demagogos_call",
    "open_bid",
    "orator",
    "philosophios",
    "play",
    "strategos",
    "declare",
    "load",
    "load_second",
    "stowaway",
    "empath_ship",
    "empath_victim",
    "aristocracy",
    "aristocracy_victim",
    "move",
    "ally",
    "sabotage",
    "betrayal",
    "betrayal_count",
    "all_in",
}
USES_PASS = {
    "proxy",
    "faction",
    "archont",
    "basileus",
    "demiurgos",
    "oraklos",
    "demagogos_look",
    "demagogos_call",
    "orator",
    "philosophios",
    "play",
    "strategos",
    "declare",
    "all_in",
}
PHASES = {"setup": 0, "senate": 1, "factions": 2, "voting": 3, "doom": 4, "over": 5}


def check(o):
    v, rules = o.view(), o.game.rules
    seats = range(rules["players"])
    assert set(v) == set(FIELDS) | {"prompt", "actor"}
    for s in seats:
        where = [v[name][s] for name in ["supply", "pool", "on_cards", "building", "land"]]
        assert min(where) >= 0
        assert v["pool_bonus"][s] >= 0
        assert sum(where) + sum(v["aboard"][space][s] for space in range(5)) == rules["cubes_per_player"]
        assert v["vp"][s] == sum(v["vp_by"][s])
        assert v["vp"][s] >= 0 or rules["negative_scores"]
        assert sum(v["holder"][f] == s for f in range(7)) <= rules["factions_each"]
        assert 0 <= v["marker"][s] < 7
        assert min(v["hand"][s]) >= 0
        assert min(v["special"][s]) >= 0
    assert v["camp"] >= 0
    assert v["neutral_land"] >= 0
    assert v["camp"] + v["neutral_land"] + sum(a[BLACK] for a in v["aboard"]) == rules["neutral_tokens"]
    assert v["printed_neutral"] in (0, 1)
    if v["printed_neutral"]:
        assert ADV_ARK in v["tile"]
        assert rules["ark_neutral"] == 0
    for space in range(5):
        carried = sum(v["aboard"][space]) + (v["printed_neutral"] if v["tile"][space] == ADV_ARK else 0)
        assert min(v["aboard"][space]) >= 0
        if v["tile"][space] < 0:
            assert carried == 0
            assert v["area"][space] == PORT
        else:
            assert carried <= rules["tile_spaces"][v["tile"][space]]
            if v["area"][space] == OCEAN:
                assert carried > 0
    assert (
        len(v["politics_deck"])
        + sum(v["politics_discard"])
        + sum(map(sum, v["hand"]))
        + sum(kind >= 0 for row in v["laid"] for kind in row)
        == 80
    )
    for kind in range(25):
        held = sum(v["special"][s][kind] for s in seats)
        assert rules["special_copies"][kind] == (
            held + v["special_deck"].count(kind) + v["special_discard"][kind] + v["face_up"].count(kind)
        )
    events = v["event_deck"] + o.game.events_removed + o.game.events_past + [e for e in [v["event_now"]] if e >= 0]
    assert sorted(events) == list(range(10))
    legal = o.legal()
    assert len(set(legal)) == len(legal)
    assert (PASS in legal) == (o.prompt in USES_PASS)
    assert PASS not in legal[1:]
    rest = [a for a in legal if a != PASS]
    assert rest == sorted(rest)
    if o.over:
        assert not legal
        assert o.actor == -1
        assert v["phase"] == "over"
        assert v["doom_count"] == 3
        result = o.result()
        assert sorted(result["rank"]) == [i + 1 for i in seats]
        assert result["rank"][result["winner"]] == 1
        assert result["vp"][result["winner"]] == max(result["vp"])
    else:
        assert legal
        assert o.prompt in ALL_PROMPTS
        assert o.actor in seats
        assert v["phase"] in PHASES


def uniform(dice, o):
    return dice.choice(o.legal())


def busy(dice, o):
    """Small bids, few passes: more cards get played."""
    legal = o.legal()
    if o.prompt in ("bid", "open_bid", "senate_bid"):
        return dice.choice(legal[:4])
    if legal[0] == PASS and len(legal) > 1 and dice.random() < 0.9:
        return dice.choice(legal[1:])
    return dice.choice(legal)


def play_a_game(rules, seed, deal, policy):
    dice = random.Random(f"{seed}/{deal}")
    o = Oracle(rules, seed, deal)
    steps = 0
    while True:
        check(o)
        if o.over:
            break
        PROMPTS_SEEN[o.prompt] = PROMPTS_SEEN.get(o.prompt, 0) + 1
        o.apply(policy(dice, o))
        steps += 1
        assert steps < 5000
    PROMPTS_SEEN["games"] = PROMPTS_SEEN.get("games", 0) + 1
    first = rules["doom_redrawn_through"] + 1 if rules["events_removed"] <= 4 else 3
    assert first <= o.game.turn <= 10 - rules["events_removed"]
    return o


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_random_play_defaults(players):
    for deal in range(4 * GAMES):
        play_a_game(default_rules(players), 20240101 + deal, deal, (uniform, busy)[deal % 2])


@pytest.mark.parametrize("name", list(OPTIONS))
def test_random_play_option(name):
    counts = [p for p in (2, 3, 4, 5) if not refusal(name, p, default_rules(p))]
    assert counts
    for deal in range(GAMES):
        rules = {**default_rules(counts[deal % len(counts)]), **OPTIONS[name]}
        play_a_game(rules, 99, deal, (busy, uniform)[deal % 3 == 0])


def test_random_play_mixed_options():
    dice = random.Random(3)
    for deal in range(10 * GAMES):
        players = dice.choice([2, 3, 4, 5])
        rules = default_rules(players)
        for name in dice.sample(list(OPTIONS), 10):
            if not refusal(name, players, rules):
                rules.update(OPTIONS[name])
        play_a_game(rules, 2**63 + deal, deal, (busy, uniform)[deal % 3 == 0])


CUSTOM = {
    "larger Specials": {"special_amount": [1, 2, -3, 2, 1, 1, 1, 3, 5] + [0] * 16},
    "Specials of two kinds alike": {
        "special_copies": [5] * 5 + [0] * 20,
        "special_effect": [2, 2, 5, 6, 6] + [0] * 20,
        "special_amount": [1, 3, 1, 1, 4] + [0] * 20,
        "revealed_specials": 1,
    },
    "no event but Doom!": {"events_removed": 7},
    "small ships": {"tile_spaces": [3, 2, 2, 1, 2, 4, 3, 2, 1, 2], "setup_neutrals": 5},
    "few cubes": {"cubes_per_player": 6, "setup_cubes": 2, "archont_cards": 60},
}


@pytest.mark.parametrize("name", list(CUSTOM))
def test_random_play_custom_data(name):
    for deal in range(GAMES):
        rules = {**default_rules(2 + deal % 4), **CUSTOM[name]}
        play_a_game(rules, 5, deal, (busy, uniform)[deal % 3 == 0])


def test_same_deal_same_game():
    for players in (2, 5):
        a = play_a_game(default_rules(players), 7, 7, busy)
        b = play_a_game(default_rules(players), 7, 7, busy)
        assert a.view() == b.view()
        assert a.result() == b.result()


def test_view_is_a_copy_and_illegal_actions_are_refused():
    o = Oracle(default_rules(3), 1, 1)
    o.view()["supply"][0] = 99
    o.view()["aboard"][0][0] = 99
    check(o)
    with pytest.raises(ValueError, match="not among"):
        o.apply(21)


def test_every_prompt_was_met():
    print(PROMPTS_SEEN)
    if GAMES >= 100:
        assert not ALL_PROMPTS - set(PROMPTS_SEEN)
