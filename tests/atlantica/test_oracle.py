"""Tests of the Atlantica oracle: the rulebook's examples, the rules one by one, and random games."""

import random

import pytest

from tests.atlantica.oracle import OPTIONS, Oracle, default_rules, draws, score, score_by_brute_force, scoring
from tests.atlantica.oracle.defaults import POINTS, revalued
from tests.machinery import philox

PASS = -1
WHITE, YELLOW, RED, GREEN, BLUE, PURPLE = range(6)
ARCHITECTURE, POTTERY, GOLD, AMPHORAE, INSCRIPTIONS, STATUES, WEAPONS = range(7)
DIVE_1, DIVE_2, DIVE_3, BOAT, FREIGHTER, TRANSPORT, HIRE_3, HIRE_6, DRINK, CHANCE, VALUABLE, SENSATIONAL = range(12)


def game(players=3, hand=None, deal=0, options=(), **overrides):
    """A game in which seat 0 holds these divers (the cards come from nowhere: only for small tests)."""
    rules = default_rules(players)
    for option in options:
        rules.update(OPTIONS[option])
    rules.update(overrides)
    oracle = Oracle(rules, 1, deal)
    if hand is not None:
        oracle.state.hand[0] = divers(hand)
    return oracle


def divers(hand):
    """Six counts from a text such as "wwyp"; u is blue, p purple."""
    return [hand.count(letter) for letter in "wyrgup"]


def play(oracle, *codes):
    for code in codes:
        oracle.apply(code)


def cards(**given):
    """A list by kind from names."""
    length = 16 if any(name in RESEARCH_NAMES for name in given) else 7
    names = RESEARCH_NAMES if length == 16 else TREASURE_NAMES
    found = [0] * length
    for name, number in given.items():
        found[names[name]] = number
    return found


TREASURE_NAMES = {"blue": 0, "red": 1, "yellow": 2, "pink": 3, "orange": 4, "green": 5, "purple": 6}  # A13
RESEARCH_NAMES = {
    "plus_2": 0,
    "plus_3": 1,
    "plus_4": 2,
    "per_architecture": 3,
    "per_research": 4,
    "per_ship": 5,
    "three_colours": 6,
    "per_gold": 7,
    "per_divers": 8,
    "many_crates": 9,
    "joker": 10,
}
NO_RESEARCH = [0] * 16


# Philox


@pytest.mark.parametrize(
    ("counter", "key", "expected"),
    [
        ((0, 0, 0, 0), (0, 0), (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)),
        ((0xFFFFFFFF,) * 4, (0xFFFFFFFF,) * 2, (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD)),
        (
            (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344),
            (0xA4093822, 0x299F31D0),
            (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1),
        ),
    ],
)
def test_philox_random123_vectors(counter, key, expected):
    assert philox.philox4x32_10(counter, key) == expected


def test_words_are_the_blocks_in_order():
    for i in range(9):
        block = philox.philox4x32_10((3, 1, 5, i // 4), (0x89ABCDEF, 0x01234567))
        assert philox.word(0x0123456789ABCDEF, 3, 1, 5, i) == block[i % 4]


# scoring: the rulebook's examples


def test_treasure_rows():
    rows = default_rules(3)["treasure_values"]
    assert [scoring.value(rows[AMPHORAE], m) for m in range(6)] == [0, 2, 5, 10, 16, 18]
    assert [scoring.value(rows[INSCRIPTIONS], m) for m in (1, 2)] == [0, 6]
    assert [scoring.value(rows[STATUES], m) for m in (3, 4)] == [15, 18]
    assert scoring.value(rows[ARCHITECTURE], 5) == 13
    assert scoring.value(rows[ARCHITECTURE], 12) == 36
    assert scoring.value(rows[POTTERY], 10) == 32 + 0


def test_example_maja_40():
    treasures = cards(pink=3, yellow=4, orange=1, blue=1)
    research = cards(plus_2=1, plus_3=1, plus_4=1, per_ship=1, per_gold=1)
    vp, vp_by, loaded = score(default_rules(3), treasures, 7, research, 2, 5)
    assert vp == 40
    assert loaded == cards(pink=3, yellow=4)
    assert vp_by == [0, 0, 15, 10, 0, 0, 0, 9, 0, 4, 0, 2, 0, 0, 0]


def test_example_andreas_50():
    treasures = cards(purple=1, blue=5, red=4)
    research = cards(plus_3=1, plus_4=1, per_architecture=1, three_colours=1)
    vp, vp_by, loaded = score(default_rules(3), treasures, 10, research, [3, 1, 0], 0)
    assert vp == 50
    assert loaded == treasures
    assert vp_by == [13, 16, 0, 0, 0, 0, 4, 7, 5, 0, 0, 0, 5, 0, 0]


def test_example_christian_60_where_the_text_prints_55():
    """A16: 9 + 12 + 1 + 10 + 18 + 5 = 55, and 5 more for three colours."""
    treasures = cards(purple=2, orange=3, yellow=1, red=3, green=4, pink=2)
    vp, vp_by, _loaded = score(default_rules(3), treasures, 15, cards(three_colours=1), 4, 0)
    assert sum(vp_by[:7]) == 55
    assert vp == 60


# scoring: the rulings


def test_no_crates_no_treasures_but_research():
    vp, _, loaded = score(default_rules(3), cards(green=3), 0, cards(plus_4=2), 0, 0)
    assert (vp, loaded) == (8, [0] * 7)


def test_kept_treasures_include_research_points_a09():
    # one crate: green 3 VP, or blue 1 VP and 3 more for three per_architecture cards
    rules = default_rules(3)
    assert score(rules, cards(green=1, blue=1), 1, cards(per_architecture=1), 0, 0)[2] == cards(green=1)
    # 3 VP against 1 + 2: equal, so the most of kind 0
    assert score(rules, cards(green=1, blue=1), 1, cards(per_architecture=2), 0, 0)[::2] == (3, cards(blue=1))
    # three colours are worth 5: 3 + 1 + 1 + 5 rather than 15
    vp, _, loaded = score(rules, cards(green=3, blue=1, yellow=1), 3, cards(three_colours=1), 0, 0)
    assert (vp, loaded) == (15, cards(green=3))
    vp, _, loaded = score(rules, cards(green=3, blue=1, yellow=1), 3, cards(three_colours=3), 0, 0)
    assert (vp, loaded) == (20, cards(green=1, blue=1, yellow=1))


def test_all_that_fit_are_kept_even_worthless_ones():
    assert score(default_rules(3), cards(orange=1, red=2), 3, NO_RESEARCH, 0, 0)[::2] == (0, cards(orange=1, red=2))


def test_research_per_card():
    rules = default_rules(3)
    assert score(rules, [0] * 7, 0, cards(per_research=2, plus_2=1), 0, 0)[0] == 2 * 3 + 2
    assert score(rules, [0] * 7, 0, cards(per_ship=2), [1, 2, 0], 0)[0] == 6
    assert score(rules, [0] * 7, 0, cards(per_divers=2), 0, [3, 0, 2, 0, 0, 0])[0] == 4  # A29: pairs rounded down
    assert score(rules, [0] * 7, 7, cards(many_crates=2), 3, 0)[0] == 0
    assert score(rules, [0] * 7, 8, cards(many_crates=2), 3, 0)[0] == 10
    assert score(rules, cards(blue=1, red=1), 8, cards(three_colours=2), 3, 0)[0] == 1
    assert score(rules, cards(blue=1, red=1, pink=1), 3, cards(three_colours=2), 3, 0)[0] == 1 + 2 + 10


def test_crates_counted_loaded_a29():
    rules = dict(default_rules(3), **OPTIONS["A29=loaded"])
    assert score(rules, cards(blue=7), 9, cards(many_crates=1, joker=2), 3, 0)[1][14] == 0
    assert score(rules, cards(blue=8), 9, cards(many_crates=1), 3, 0)[1][14] == 5


def test_joker():
    rules = dict(default_rules(3), **OPTIONS["A02=former"])
    # no crate needed, a colour not owned; Weapons 4, 9
    assert score(rules, [0] * 7, 0, cards(joker=1), 0, 0)[0] == 4
    assert score(rules, [0] * 7, 0, cards(joker=2), 0, 0)[0] == 9
    assert score(rules, cards(orange=2, red=2), 4, cards(joker=1), 0, 0)[0] == 12 + 0 + 4
    assert score(rules, cards(orange=2, red=2), 4, cards(joker=2), 0, 0)[1][:7] == [0, 16, 0, 0, 6, 0, 0]
    # +1 cards and 3/7
    assert score(rules, [0] * 7, 0, cards(joker=1, per_architecture=2, per_gold=2), 0, 0)[0] == 4
    vp, _, loaded = score(rules, cards(purple=1, green=1), 2, cards(joker=1, three_colours=1), 0, 0)
    assert (vp, loaded) == (4 + 3 + 2 + 5, cards(purple=1, green=1))
    # A26 sets only
    only = dict(rules, **OPTIONS["A26=sets"])
    assert score(only, cards(purple=1, green=1), 2, cards(joker=1, three_colours=1), 0, 0)[0] == 9 + 3
    assert score(only, cards(purple=1, green=1), 2, cards(joker=1, three_colours=1), 0, 0)[1][12] == 0
    assert score(only, [0] * 7, 0, cards(joker=1, per_gold=2), 0, 0)[0] == 4


def test_other_worths_a02():
    research = cards(per_gold=1, per_divers=1, many_crates=1, joker=1)
    former = dict(default_rules(3), **OPTIONS["A02=former"])
    zero, flat = (dict(former, **revalued(former, *worth)) for worth in ((None, 0), (POINTS, 2)))
    assert score(zero, cards(yellow=1), 9, research, 3, 8)[0] == 1 + 4
    assert score(flat, cards(yellow=1), 9, research, 3, 8)[0] == 1 + 4 + 6


@pytest.mark.parametrize("options", [(), ("A02=former", "A26=sets"), ("A29=loaded",), ("A02=former",), ("A02=zero",)])
def test_score_is_the_brute_force(options):
    rules = default_rules(3)
    for option in options:
        rules.update(OPTIONS[option])
    draw = random.Random(str(options))
    for _ in range(60):
        treasures = [draw.choice([0, 0, 1, 2, 3]) for _ in range(7)]
        research = [draw.randint(0, copies) for copies in rules["research_copies"]]
        given = (rules, treasures, draw.randint(0, 12), research, draw.randint(0, 6), draw.randint(0, 9))
        assert score(*given) == score_by_brute_force(*given)


# rank


def test_clear_win_and_shared_ranks():
    rules = default_rules(4)
    assert scoring.ranking(rules, [5, 9, 5, 1], [1, 0, 1, 9], False) == {
        "vp": [5, 9, 5, 1],
        "rank": [2, 1, 2, 4],
        "credit": [0, 1, 0, 0],
        "winners": [1],
        "decided_by": "clear",
    }


def test_tie_most_treasure_cards():
    found = scoring.ranking(default_rules(3), [9, 9, 5], [3, 4, 8], False)
    assert (found["winners"], found["rank"], found["decided_by"]) == ([1], [2, 1, 3], "treasures")


def test_shared_win_a11():
    found = scoring.ranking(default_rules(3), [9, 9, 9], [4, 3, 4], False)
    assert (found["winners"], found["rank"], found["decided_by"]) == ([0, 2], [1, 3, 1], "level")
    assert found["credit"] == [0.5, 0, 0.5]
    lowest = dict(default_rules(3), **OPTIONS["A11=lowest_seat"])
    found = scoring.ranking(lowest, [9, 9, 9], [4, 3, 4], False)
    assert (found["winners"], found["rank"], found["credit"]) == ([0], [1, 3, 2], [1, 0, 0])
    assert found["decided_by"] == "level"


def end_now(oracle):
    """Seat 0 passes on the last turn of a game in which the hurricane has come."""
    oracle.state.hurricane, oracle.state.turns_left, oracle.state.phase = 0, 0, "last turns"
    oracle.apply(PASS)
    assert oracle.over
    assert oracle.prompt == "none"
    assert oracle.actor == -1
    assert oracle.legal() == []
    return oracle.result()


def test_result_of_a_game_counts_loaded_treasures():
    """Both have 3 VP; seat 1 has collected two, loaded one. The tie-break counts loaded, collected, the hurricane."""
    for options, winners, decided in [
        ((), [0, 1], "level"),
        (("A11=collected",), [1], "treasures"),
        (("A27=counts",), [0], "treasures"),
        (("A11=collected", "A27=counts"), [0, 1], "level"),
        (("A11=lowest_seat",), [0], "level"),
    ]:
        oracle = game(2, options=options)
        oracle.state.treasures = [cards(green=1), cards(green=1, orange=1)]
        oracle.state.crates = [1, 1]
        found = end_now(oracle)
        assert (found["vp"], found["winners"], found["decided_by"]) == ([3, 3], winners, decided), options
        assert found["credit"] == [1 / len(winners) if seat in winners else 0 for seat in (0, 1)]
        assert oracle.view()["loaded"] == [cards(green=1), cards(green=1)]


def test_waiting_divers_count_on_the_last_turn():
    oracle = game(2, "yw", breath_cards=0)
    oracle.state.research[0] = cards(per_divers=1)
    oracle.state.hurricane, oracle.state.turns_left = 0, 0
    play(oracle, HIRE_6, YELLOW, WHITE, PASS)
    assert oracle.over
    assert oracle.view()["vp"][0] == 3
    assert sum(oracle.view()["hand"][0]) == 6


# setup


@pytest.mark.parametrize(("players", "removed"), [(2, 26), (3, 18), (4, 9), (5, 0)])
def test_setup(players, removed):
    view = game(players, deal=players).view()
    assert [sum(hand) for hand in view["hand"]] == [5] * players
    assert len(view["diver_deck"]) == 78 - 5 * players
    assert len(view["treasure_deck"]) == 57 - removed - 6 + 1
    assert view["treasure_main"] == 57 - removed - 16
    assert 7 in view["treasure_deck"][-11:]
    assert view["treasure_deck"].count(7) == 1
    assert -1 not in view["treasure_row"] + view["research_row"]
    assert [sorted(pile) for pile in view["ship_deck"]] == [list(range(8))] * 3
    assert len(view["research_deck"]) == 26
    assert (view["turn"], view["seat"], view["actor"], view["prompt"], view["phase"]) == (1, 0, 0, "action", "turns")
    assert (view["hurricane"], view["turns_left"]) == (-1, -1)


def test_removed_treasures_are_the_last_of_the_shuffle():
    whole, two = game(5).view(), game(2).view()
    assert whole["treasure_row"] == two["treasure_row"]
    main = [whole["treasure_deck"][i] for i in range(two["treasure_main"])]
    assert two["treasure_deck"][: two["treasure_main"]] == main


def test_shuffle_is_by_key_kind_and_copy():
    order = draws.shuffled(5, 6, 0, 0, [2, 2])
    keys = sorted((philox.word(5, 6, 0, colour, copy), colour) for colour in (0, 1) for copy in (0, 1))
    assert order == [colour for key, colour in keys]


def test_the_hurricane_lies_everywhere():
    places = {game(5, deal=deal).view()["treasure_deck"][-11:].index(7) for deal in range(150)}
    assert places == set(range(11))


# paying


def actions(hand, **given):
    return game(hand=hand, **given).legal()


def test_no_divers_only_breath():
    assert actions("") == [PASS]


def test_prices_without_pairs():
    """One hand for each tier: exactly these actions (the pair switched off)."""
    for hand, expected in [
        ("g", [DIVE_1]),
        ("y", [DIVE_1, HIRE_3]),
        ("yp", [DIVE_1, DIVE_2, HIRE_3]),
        ("gpw", [DIVE_1, DIVE_2, DIVE_3, BOAT, FREIGHTER, TRANSPORT, HIRE_3, HIRE_6]),
        ("rg", [DIVE_1, BOAT, FREIGHTER, CHANCE]),
        ("wup", [BOAT, FREIGHTER, TRANSPORT, HIRE_3, HIRE_6, CHANCE]),
        ("pwr", [BOAT, HIRE_3, HIRE_6, DRINK, CHANCE]),
        ("uyg", [DIVE_1, HIRE_3, CHANCE, VALUABLE, SENSATIONAL]),
        ("w", [BOAT]),
        ("r", [BOAT, CHANCE]),
    ]:
        assert actions(hand, pairs_per_turn=0) == [PASS, *sorted(expected)], hand


def test_pair_two_for_one():
    oracle = game(hand="ww")
    assert DIVE_1 in oracle.legal()
    assert HIRE_3 in oracle.legal()
    assert CHANCE in oracle.legal()
    assert DIVE_2 not in oracle.legal()
    play(oracle, DIVE_1)
    assert oracle.legal() == [6 + WHITE]
    assert (oracle.view()["cards_played"], oracle.view()["pairs_played"], oracle.view()["slot"]) == (1, 0, 0)
    play(oracle, 6 + WHITE)
    view = oracle.view()
    assert view["hand"][0] == [0] * 6
    assert view["diver_discard"] == divers("ww")
    assert (view["cards_played"], view["pairs_played"], view["prompt"]) == (1, 1, "treasure")


def test_pair_only_for_a_colour_not_held():
    # purple is held: the Submarine's second card is purple itself, never a pair
    oracle = game(hand="gpww")
    play(oracle, DIVE_2, GREEN)
    assert oracle.legal() == [PURPLE]
    # chance discovery: blue or red, both held
    oracle = game(hand="urww")
    play(oracle, CHANCE)
    assert oracle.legal() == [RED, BLUE]


def test_pair_for_green_with_yellow_in_hand_a25():
    oracle = game(hand="yww")
    play(oracle, DIVE_1)
    assert oracle.legal() == [YELLOW, 6 + WHITE]
    oracle = game(hand="yww", options=["A25=unpayable"])
    play(oracle, DIVE_1)
    assert oracle.legal() == [YELLOW]
    oracle = game(hand="ww", options=["A25=unpayable"])
    play(oracle, DIVE_1)
    assert oracle.legal() == [6 + WHITE]
    # two yellow in place of green
    oracle = game(hand="yy")
    play(oracle, DIVE_1)
    assert oracle.legal() == [YELLOW, 6 + YELLOW]


def test_pair_four_cards():
    oracle = game(hand="gpuu")  # white is missing
    assert DIVE_3 in oracle.legal()
    play(oracle, DIVE_3, GREEN, PURPLE, 6 + BLUE)
    assert sum(oracle.view()["diver_discard"]) == 4
    assert oracle.view()["cards_played"] == 3
    play(oracle, 0, 1, 2)
    assert oracle.actor == 1  # three cards played: the turn has ended


def test_pair_once_a_turn():
    oracle = game(hand="wwwwwww")
    assert DIVE_2 not in oracle.legal()  # purple and green both missing: two pairs
    play(oracle, DIVE_1, 6 + WHITE, 0)
    assert CHANCE not in oracle.legal()
    assert HIRE_3 not in oracle.legal()
    assert oracle.legal() == [PASS, BOAT]
    # the next turn allows one again
    play(oracle, PASS)
    oracle.state.hand[1] = divers("ww")
    assert DIVE_1 in oracle.legal()


def test_pair_missing_is_judged_before_this_action():
    # the only green is paid for the first card; white is missing
    oracle = game(hand="gppp")
    play(oracle, DIVE_3)
    assert oracle.legal() == [GREEN]  # a pair of purple for yellow would leave no pair for white
    play(oracle, GREEN, PURPLE)
    assert oracle.legal() == [6 + PURPLE]
    # white spent by this action is not missing in it, but is for the next one
    oracle = game(hand="wyyggg")
    assert TRANSPORT in oracle.legal()
    play(oracle, BOAT, WHITE)
    assert HIRE_6 in oracle.legal()


def test_what_is_left_must_be_payable():
    # purple cannot be paid by a pair once the pair went for the first card
    oracle = game(hand="wwuug")
    play(oracle, DIVE_2)
    assert oracle.legal() == [GREEN]
    play(oracle, GREEN)
    assert oracle.legal() == [6 + WHITE, 6 + BLUE]
    # a pair that would use up the white diver the second card needs
    oracle = game(hand="wwy")
    play(oracle, HIRE_6)
    assert oracle.legal() == [YELLOW]
    oracle = game(hand="wwwy")
    play(oracle, HIRE_6)
    assert oracle.legal() == [YELLOW, 6 + WHITE]
    # the cheaper colour is needed for a later pair
    oracle = game(
        hand="wpp"
    )  # transport: white, (green or blue), purple: pp is needed for the pair, so no purple is left
    assert TRANSPORT not in oracle.legal()
    assert FREIGHTER in oracle.legal()


def test_three_cards_a_turn_and_one_action_a_location():
    oracle = game(hand="ggyywwuu")
    play(oracle, DIVE_1, GREEN, 0)
    assert not {DIVE_1, DIVE_2, DIVE_3} & set(oracle.legal())
    assert not {TRANSPORT, DRINK, SENSATIONAL} & set(oracle.legal())
    play(oracle, BOAT, WHITE)
    assert oracle.legal() == [PASS, HIRE_3, CHANCE]
    play(oracle, CHANCE, BLUE)
    play(oracle, 0)
    assert oracle.actor == 1
    assert oracle.view()["cards_played"] == 0


# taking


def test_dives_take_from_their_spaces():
    oracle = game(hand="gpw")
    row = oracle.view()["treasure_row"]
    play(oracle, DIVE_2, GREEN, PURPLE)
    assert oracle.legal() == [0, 1, 2]
    play(oracle, 1)
    assert oracle.legal() == [0, 2]
    assert oracle.view()["left"] == 1
    play(oracle, 2)
    view = oracle.view()
    assert view["treasure_row"] == [row[0], -1, -1, *row[3:]]  # A22: empty until the end of the turn
    assert view["treasures"][0][row[1]] >= 1
    assert sum(view["treasures"][0]) == 2
    deck = view["treasure_deck"]
    play(oracle, PASS)
    assert oracle.view()["treasure_row"] == [row[0], *row[3:], *deck[:2]]
    assert oracle.view()["treasure_main"] == view["treasure_main"] - 2


def test_fewer_lie_there_a07():
    for options, allowed in [((), True), (("A07=all",), False)]:
        oracle = game(hand="gpw", options=options)
        oracle.state.treasure_row = [-1, 3, -1, -1, -1, 2]
        assert DIVE_1 not in oracle.legal()
        assert (DIVE_2 in oracle.legal()) == allowed
        assert (DIVE_3 in oracle.legal()) == allowed
        if allowed:
            play(oracle, DIVE_3, GREEN, PURPLE, WHITE, 5, 1)
            assert oracle.actor == 1


def test_fewer_may_be_taken_a19():
    oracle = game(hand="gpw", options=["A19=fewer"])
    play(oracle, DIVE_3, GREEN, PURPLE, WHITE)
    assert oracle.legal() == [0, 1, 2, 3, 4, 5]
    play(oracle, 4)
    assert oracle.legal() == [PASS, 0, 1, 2, 3, 5]
    play(oracle, PASS)
    assert oracle.actor == 1
    assert sum(oracle.view()["treasures"][0]) == 1


def test_ships():
    oracle = game(hand="w")
    top = oracle.view()["ship_deck"][0][0]
    play(oracle, BOAT, WHITE)
    view = oracle.view()
    assert view["ships"][0] == [1, 0, 0]
    assert view["crates"][0] == default_rules(3)["crates"][0][top]
    assert len(view["ship_deck"][0]) == 7
    oracle.state.ship_deck[0] = []
    oracle.state.hand[0], oracle.state.used = divers("wu"), [0] * 4
    assert BOAT not in oracle.legal()
    assert FREIGHTER in oracle.legal()


def test_tavern_cards_only_at_the_end_of_the_turn():
    oracle = game(hand="yw")
    deck = oracle.view()["diver_deck"]
    play(oracle, HIRE_3, YELLOW)
    view = oracle.view()
    assert view["hand"][0] == divers("w")
    assert view["waiting"] == [deck[:3].count(colour) for colour in range(6)]
    assert view["diver_deck"] == deck[3:]
    assert view["used"] == [0, 0, 1, 0]
    assert view["acted"] == 1
    assert view["prompt"] == "action"
    play(oracle, PASS)  # ends the turn: no breath
    view = oracle.view()
    assert sum(view["hand"][0]) == 4
    assert view["waiting"] == [0] * 6
    assert view["seat"] == 1
    assert view["diver_deck"] == deck[3:]


def test_catch_your_breath_draws_at_once():
    oracle = game(hand="")
    deck = oracle.view()["diver_deck"]
    play(oracle, PASS)
    assert oracle.view()["hand"][0] == [deck[:5].count(colour) for colour in range(6)]
    assert oracle.actor == 1


def test_diver_pile_empty_a04_a24():
    oracle = game(hand="yw")
    oracle.state.diver_deck, oracle.state.diver_discard = [RED], divers("gg")
    play(oracle, HIRE_6, YELLOW, WHITE)
    view = oracle.view()
    assert view["waiting"] == divers("rggyw")  # the cards just paid among them, then nothing is left
    assert (view["diver_deck"], view["diver_discard"]) == ([], [0] * 6)
    # the order of the reshuffle
    oracle = game(hand="y")
    oracle.state.diver_deck, oracle.state.diver_discard = [RED], divers("ggggww")
    oracle.state.reshuffles = 3
    play(oracle, HIRE_3, YELLOW)
    order = draws.shuffled(1, 0, 5, 48, divers("ggggwwy"))
    assert oracle.view()["diver_deck"] == order[2:]
    # nothing to draw at all
    oracle = game(hand="")
    oracle.state.diver_deck = []
    play(oracle, PASS)
    assert oracle.actor == 1
    assert sum(oracle.view()["hand"][0]) == 0


def test_hire_with_too_few_divers_a07():
    for options, allowed in [((), [HIRE_3, HIRE_6]), (("A07=all",), [HIRE_3])]:
        oracle = game(hand="yw", options=options)
        oracle.state.diver_deck, oracle.state.diver_discard = [RED], divers("gg")
        assert [action for action in oracle.legal() if action in (HIRE_3, HIRE_6)] == allowed


def test_research_station():
    oracle = game(hand="uyg")
    row = oracle.view()["research_row"]
    deck = oracle.view()["research_deck"]
    play(oracle, SENSATIONAL, BLUE, YELLOW, GREEN)
    assert oracle.legal() == [0, 1, 2, 3]
    play(oracle, 2)
    assert oracle.legal() == [0, 1, 3]
    play(oracle, 0)
    view = oracle.view()
    assert view["research_row"] == [row[1], row[3], *deck[:2]]
    assert sum(view["research"][0]) == 2
    oracle = game(hand="uyg")
    play(oracle, VALUABLE, BLUE, YELLOW)
    assert oracle.legal() == [0, 1, 2, 3]
    oracle = game(hand="u")
    play(oracle, CHANCE, BLUE)
    assert oracle.legal() == [0]
    oracle = game(hand="u")
    oracle.state.research_row[0] = -1
    assert CHANCE not in oracle.legal()


# buy all the divers a drink


def drink(*options, hand="pwr"):
    oracle = game(hand=hand, options=options)
    play(oracle, DRINK, PURPLE, WHITE, RED)
    return oracle


def test_drink_from_two_different_locations():
    oracle = drink()
    assert oracle.prompt == "drink"
    assert oracle.view()["left"] == 2
    assert oracle.legal() == [0, 1, 2, 6, 7, 10, 11]
    play(oracle, 1)
    assert oracle.legal() == [6, 7, 10, 11]
    play(oracle, 11)
    assert oracle.actor == 1
    assert oracle.view()["ships"][0] == [0, 1, 0]
    assert sum(oracle.view()["treasures"][0]) == 1
    assert drink("A03=every").legal() == list(range(13))
    assert drink("A03=first").legal() == [0, 6, 10]


def test_drink_and_used_locations_a20():
    # four cards a turn, so that a drink can follow a dive
    for options, codes in [((), [0, 1, 2, 6, 7, 10, 11]), (("A20=uses",), [6, 7, 10, 11])]:
        oracle = game(hand="gpwrw", options=options, cards_per_turn=5)
        play(oracle, DIVE_1, GREEN, 0)
        oracle.state.treasure_row[0] = 3
        play(oracle, DRINK, PURPLE, WHITE, RED)
        assert oracle.legal() == codes
        play(oracle, 6, 10)
        assert oracle.view()["used"] == ([1, 0, 1, 0] if not options else [1, 1, 1, 1])
        assert (BOAT in oracle.legal()) == (not options)


def test_drink_one_location_left_a21():
    for options, allowed in [((), True), (("A21=no",), False)]:
        oracle = game(hand="pwr", options=options)
        oracle.state.treasure_row = [-1, -1, -1, 1, 1, 1]
        oracle.state.ship_deck[0], oracle.state.ship_deck[1] = [], []
        assert (DRINK in oracle.legal()) == allowed
        if allowed:
            play(oracle, DRINK, PURPLE, WHITE, RED, 7)
            assert oracle.actor == 1
            assert sum(oracle.view()["research"][0]) == 1
            oracle = game(hand="pwr")
            oracle.state.treasure_row, oracle.state.research_row = [-1] * 6, [-1] * 4
            oracle.state.ship_deck = [[], [], [0]]
            assert DRINK not in oracle.legal()


def test_drink_fewer_a19():
    oracle = drink("A19=fewer")
    assert PASS not in oracle.legal()
    play(oracle, 10)
    assert oracle.legal() == [PASS, 0, 1, 2, 6, 7]


# refilling and the hurricane


def test_refill_hurricane_pile_last():
    oracle = game(hand="gpw")
    oracle.state.treasure_deck, oracle.state.treasure_main = [5, 4, 7, 3], 1
    oracle.state.treasure_row = [0, 0, 0, 1, 1, 1]
    play(oracle, DIVE_2, GREEN, PURPLE, 0, 2)
    assert oracle.view()["treasure_row"] == [-1, 0, -1, 1, 1, 1]
    play(oracle, PASS)
    view = oracle.view()
    assert view["treasure_row"] == [0, 1, 1, 1, 5, 4]
    assert view["treasure_main"] == 0
    assert view["hurricane"] == -1
    assert view["phase"] == "turns"


def test_hurricane_then_one_more_turn_each_the_finder_last():
    oracle = game(hand="gpw", deal=4)
    oracle.state.hand[1] = divers("g")
    play(oracle, PASS)
    oracle.state.treasure_deck, oracle.state.treasure_main = [7, 3, 2], 0
    play(oracle, DIVE_1, GREEN, 0, PASS)
    view = oracle.view()
    assert (view["hurricane"], view["turns_left"], view["phase"], view["seat"]) == (1, 2, "last turns", 2)
    assert view["treasure_row"][-1] == 3
    assert view["treasure_deck"] == [2]
    seats = []
    for seat in (2, 0, 1):
        seats.append(oracle.actor)
        oracle.state.hand[seat] = divers("g")
        play(oracle, DIVE_1, GREEN, 0)
        if seat == 2:
            play(oracle, PASS)
            assert oracle.view()["treasure_row"][-1] == 2  # refilled as usual
        elif seat == 0:
            play(oracle, PASS)
            assert oracle.view()["treasure_row"][-1] == -1  # A05
            assert oracle.view()["turns_left"] == 0
        else:
            play(oracle, PASS)
    assert seats == [2, 0, 1]
    view = oracle.view()
    assert oracle.over
    assert view["end_reason"] == 0
    assert view["turns_left"] == 0
    assert view["treasure_row"][0] == -1  # the last turn ends the game, nothing slides any more (A30)


def test_the_hurricane_as_the_very_last_card():
    oracle = game(hand="g")
    oracle.state.treasure_deck, oracle.state.treasure_main = [7], 0
    play(oracle, DIVE_1, GREEN, 0, PASS)
    assert oracle.view()["hurricane"] == 0
    assert oracle.view()["treasure_row"][-1] == -1


def test_turn_cap_a28():
    oracle = game(2, turn_cap=3)
    for turn in range(1, 4):
        for seat in (0, 1):
            assert (oracle.view()["turn"], oracle.actor) == (turn, seat)
            play(oracle, PASS)
    assert oracle.over
    assert oracle.view()["end_reason"] == 2
    assert oracle.view()["turn"] == 3
    assert oracle.result()["credit"] == [0.5, 0.5]


def test_turn_cap_does_not_cut_the_last_turns():
    oracle = game(2, turn_cap=1, hand="")
    play(oracle, PASS)
    oracle.state.hand[1], oracle.state.treasure_deck, oracle.state.treasure_main = divers("g"), [7], 0
    play(oracle, DIVE_1, GREEN, 0, PASS)
    assert not oracle.over
    assert oracle.view()["turn"] == 2
    play(oracle, PASS, PASS)
    assert oracle.over
    assert oracle.view()["end_reason"] == 0


def test_truncated_by_the_driver():
    oracle = game(4)
    oracle.truncate()
    assert oracle.over
    assert oracle.view()["end_reason"] == 1
    assert oracle.result()["credit"] == [0.25] * 4


# the interface


def test_illegal_actions_and_views():
    oracle = game(hand="g")
    for action in (-2, 1, 12, 99):
        with pytest.raises(ValueError, match="is not legal"):
            oracle.apply(action)
    before = oracle.view()
    oracle.view()["hand"][0][0] = 50
    assert oracle.view() == before
    assert oracle.result() is None


def test_flat_rules_are_the_same_game():
    rules = default_rules(4)
    flat = dict(rules)
    for name in ("action_colours", "crates", "treasure_values"):
        flat[name] = [number for row in rules[name] for number in row]
    assert random_game(rules, 1, 2, 3) == random_game(flat, 1, 2, 3)


# random games


def check(oracle, start):
    """What never changes."""
    rules, view = oracle.rules, oracle.view()
    players = range(rules["players"])
    for colour in range(6):
        assert rules["diver_copies"][colour] == (
            view["diver_deck"].count(colour)
            + view["diver_discard"][colour]
            + view["waiting"][colour]
            + sum(view["hand"][seat][colour] for seat in players)
        )
    for kind in range(7):
        assert start["treasure_deck"].count(kind) + start["treasure_row"].count(kind) == (
            view["treasure_deck"].count(kind)
            + view["treasure_row"].count(kind)
            + sum(view["treasures"][seat][kind] for seat in players)
        )
    for kind in range(16):
        assert rules["research_copies"][kind] == (
            view["research_deck"].count(kind)
            + view["research_row"].count(kind)
            + sum(view["research"][seat][kind] for seat in players)
        )
    for pile in range(3):
        assert len(view["ship_deck"][pile]) + sum(view["ships"][seat][pile] for seat in players) == 8
    left = sum(rules["crates"][pile][ship] for pile in range(3) for ship in view["ship_deck"][pile])
    assert left + sum(view["crates"]) == sum(sum(pile) for pile in rules["crates"])

    assert view["treasure_deck"].count(7) == (1 if view["hurricane"] == -1 else 0)
    assert (view["turns_left"] == -1) == (view["hurricane"] == -1)
    assert (
        view["treasure_main"] == max(0, len(view["treasure_deck"]) - 11)
        if view["hurricane"] == -1
        else view["treasure_main"] == 0
    )
    assert min(min(hand) for hand in view["hand"]) >= 0
    assert 0 <= view["cards_played"] <= 3
    assert 0 <= view["pairs_played"] <= 1
    assert view["acted"] <= 3
    if view["prompt"] == "action":
        assert view["action"] == -1
        assert view["acted"] <= sum(view["used"])
    if view["acted"] == 0 and view["prompt"] == "action":
        assert -1 not in view["treasure_row"] or not view["treasure_deck"]
        assert sum(view["waiting"]) == 0
    if not oracle.over:
        legal = oracle.legal()
        assert legal
        assert legal == sorted(set(legal))
        assert oracle.actor == view["actor"] == view["seat"]
        assert view["vp"] == [0] * rules["players"]


def random_game(rules, seed, deal, policy, checked=False):
    oracle = Oracle(rules, seed, deal)
    draw = random.Random(policy)
    eager = draw.choice([0.0, 0.5, 0.9, 1.0])
    start = oracle.view()
    history = []
    while not oracle.over:
        if checked:
            check(oracle, start)
        legal = oracle.legal()
        if len(legal) > 1 and legal[0] == PASS and draw.random() < eager:
            legal = legal[1:]
        history.append(draw.choice(legal))
        oracle.apply(history[-1])
    if checked:
        check(oracle, start)
    return history, oracle.view(), oracle.result()


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_random_games(players):
    for deal in range(25):
        draw = random.Random(1000 * players + deal)
        rules = default_rules(players)
        for option in draw.sample(sorted(OPTIONS), draw.choice([0, 1, 3, 6])):
            rules.update(OPTIONS[option])
        _history, view, found = random_game(rules, 77, deal, deal, checked=True)
        assert view["phase"] == "over"
        assert view["prompt"] == "none"
        assert view["end_reason"] == (0 if view["hurricane"] != -1 else 2)
        for seat in range(players):
            assert view["vp"][seat] == sum(view["vp_by"][seat])
            assert sum(view["loaded"][seat]) == min(view["crates"][seat], sum(view["treasures"][seat]))
            assert all(kept <= owned for kept, owned in zip(view["loaded"][seat], view["treasures"][seat]))
        assert sum(found["credit"]) == pytest.approx(1)
        assert found["winners"] == [seat for seat in range(players) if found["rank"][seat] == 1]
        assert found["decided_by"] in ("clear", "treasures", "level")


def test_same_seed_same_game():
    assert random_game(default_rules(3), 2**40 + 5, 9, 1) == random_game(default_rules(3), 2**40 + 5, 9, 1)


def test_every_option_plays():
    for option in sorted(OPTIONS):
        assert set(OPTIONS[option]) <= set(default_rules(3))
        random_game(dict(default_rules(3), **OPTIONS[option]), 3, 1, 2, checked=True)
