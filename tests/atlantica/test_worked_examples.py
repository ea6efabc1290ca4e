"""What the rulebook of Atlantica says and shows, through the kernels, on the rules as they are by default.

Each docstring names the section of the rulebook that settles the case, or the ruling where none does.
"""

import itertools
import os
from random import Random

import numpy as np
import pytest

from kernels.atlantica import codes as c
from tests.atlantica.positions import (
    BOAT,
    CHANCE,
    DEEPER,
    DEEPEST,
    DIVE,
    DRINK,
    FORMER,
    FREIGHTER,
    GREEN,
    LARGE_TEAM,
    PAIR,
    PASS,
    PURPLE,
    RED,
    SENSATIONAL,
    TEAM,
    TRANSPORT,
    VALUABLE,
    WHITE,
    YELLOW,
    Table,
)

pytestmark = [pytest.mark.nojit, pytest.mark.bounds]

COMPILED = os.environ.get("NUMBA_DISABLE_JIT", "0") == "0"
ROWS = {  # "The Treasure Cards", typed from the rulebook
    "blue": [1, 3, 6, 12],
    "red": [0, 0, 10, 16],
    "yellow": [1, 4, 9, 15],
    "pink": [2, 5, 10, 16],
    "orange": [0, 6, 12, 20],
    "green": [3, 8, 15],
    "purple": [4, 9, 16],
}


class TestScoringExample:
    """ "Example of Scoring in a Three-Player Game"."""

    def table(self) -> Table:
        table = Table(3)
        table.own(0, pink=3, yellow=4, orange=1, blue=1, crates=7, ships=2)
        table.own(0, crates=7, ships=2, plus_2=1, plus_3=1, plus_4=1, per_ship=1, per_gold=1)
        table.own(1, purple=1, blue=5, red=4, plus_3=1, plus_4=1, per_architecture=1, three_colours=1)
        table.own(2, purple=2, orange=3, yellow=1, red=3, green=4, pink=2, three_colours=1)
        return table

    def test_maja_has_40(self):
        table = self.table()
        assert table.score(0) == 40
        assert table.kept(0) == {"pink": 3, "yellow": 4}
        assert table.vp_by(0) == {"amphorae": 10, "gold": 15, "points": 9, "per_ship": 2, "per_gold": 4}

    def test_andreas_has_50(self):
        table = self.table()
        assert table.score(1) == 50
        treasures = {"weapons": 4, "architecture": 13, "pottery": 16}
        assert table.vp_by(1) == {**treasures, "points": 7, "per_architecture": 5, "three_colours": 5}

    def test_christian_has_60_where_55_is_printed(self):
        """A16: 55 is the sum of the treasures alone, and the same sentence gives 5 more for three colours."""
        table = self.table()
        assert table.score(2) == 60
        treasures = {"weapons": 9, "inscriptions": 12, "gold": 1, "pottery": 10, "statues": 18, "amphorae": 5}
        assert table.vp_by(2) == {**treasures, "three_colours": 5}
        assert sum(treasures.values()) == 55

    def test_christian_wins(self):
        assert self.table().ranks() == [3, 2, 1]


class TestRows:
    """ "The Treasure Cards"."""

    @pytest.mark.parametrize("colour", ROWS)
    def test_every_printed_value(self, colour):
        for number, vp in enumerate(ROWS[colour], start=1):
            table = Table()
            table.own(0, **{colour: number})
            assert table.score(0) == vp

    @pytest.mark.parametrize(
        ("colour", "number", "vp"),
        [("pink", 4, 16), ("pink", 5, 18), ("green", 4, 18), ("blue", 5, 13), ("orange", 1, 0), ("orange", 2, 6)],
    )
    def test_the_examples_and_the_row_that_starts_again(self, colour, number, vp):
        table = Table()
        table.own(0, **{colour: number})
        assert table.score(0) == vp

    def test_a_row_may_start_again_twice(self):
        """A10."""
        table = Table()
        table.own(0, blue=9)
        assert table.score(0) == 12 + 12 + 1


class TestResearchCards:
    """ "The Research Cards", and "4. The Research Station" on several identical ones."""

    @pytest.mark.parametrize(
        ("cards", "vp"),
        [
            ({"plus_2": 2}, 4),
            ({"plus_3": 3, "plus_4": 1}, 13),
            ({"per_research": 1}, 1),
            ({"per_research": 2, "plus_2": 1}, 2 * 3 + 2),
            ({"per_ship": 2}, 2 * 4),
            ({"per_architecture": 2, "blue": 3}, 6 + 2 * 3),
            ({"per_gold": 2, "yellow": 2}, 4 + 2 * 2),
            ({"three_colours": 2, "blue": 1, "yellow": 1, "pink": 1}, 4 + 2 * 5),
            ({"three_colours": 2, "blue": 2, "yellow": 1}, 3 + 1),
        ],
    )
    def test_each_copy_scores(self, cards, vp):
        table = Table()
        table.own(1, ships=4, **cards)
        assert table.score(1) == vp

    @pytest.mark.parametrize(("divers", "vp"), [(0, 0), (1, 0), (5, 4), (6, 6)])
    def test_divers_left_in_hand_by_twos(self, divers, vp):
        """A02b, A29."""
        table = Table()
        table.own(1, divers=divers, per_divers=2)
        assert table.score(1) == vp

    @pytest.mark.parametrize(("crates", "vp"), [(7, 0), (8, 10), (20, 10)])
    def test_many_crates(self, crates, vp):
        """A02b, A29."""
        table = Table()
        table.own(1, crates=crates, many_crates=2)
        assert table.score(1) == vp

    def test_architecture_counts_only_with_crates(self):
        table = Table()
        table.own(0, blue=3, crates=1, per_architecture=1)
        assert table.score(0) == 1 + 1

    def test_three_colours_need_crates(self):
        table = Table()
        table.own(0, blue=1, yellow=1, pink=1, crates=2, three_colours=1)
        assert table.score(0) == 2 + 1

    def test_research_needs_no_crates(self):
        table = Table()
        table.own(0, green=3, crates=0, plus_4=2)
        assert table.score(0) == 8
        assert table.kept(0) == {}


# ---- which treasures are kept


def brute_force(table: Table, seat: int) -> tuple[int, list[int], list[int]]:
    """VP, VP by source and treasures kept of the best choice, by trying them all (A09, A26, A34)."""
    state, rules = table.state, table.rules
    held, research = state.treasures[seat].tolist(), state.research[seat].tolist()
    kinds = range(c.TREASURE_KINDS)
    amounts = dict.fromkeys(range(len(c.RESEARCH_EFFECTS)), 0)
    jokers = 0
    for kind, copies in enumerate(research):
        effect = int(rules.research_effect[kind])
        amounts[effect] += copies * int(rules.research_amount[kind])
        jokers += copies if effect == c.RESEARCH_JOKER else 0
    rows = [[vp for vp in row.tolist() if vp >= 0] for row in rules.treasure_values]
    size = min(int(state.crates[seat]), sum(held))
    crates = size if rules.crates_counted else int(state.crates[seat])
    fixed = {
        c.RESEARCH_POINTS: 1,
        c.RESEARCH_PER_RESEARCH: sum(research),
        c.RESEARCH_PER_SHIP: int(state.ships[seat].sum()),
        c.RESEARCH_PER_DIVERS: int(state.hand[seat].sum()) // int(rules.divers_counted_by),
        c.RESEARCH_MANY_CRATES: int(crates >= rules.many_crates),
    }
    best = None
    for kept in itertools.product(*(range(number + 1) for number in held)):
        if sum(kept) != size:
            continue
        for chosen in itertools.combinations_with_replacement(kinds, jokers):
            counted = [kept[kind] + chosen.count(kind) for kind in kinds]
            seen = counted if rules.joker_counts == 0 else list(kept)
            vp_by = [0] * len(c.SOURCES)
            for kind in kinds:
                whole, rest = divmod(counted[kind], len(rows[kind]))
                vp_by[kind] = whole * rows[kind][-1] + ([0, *rows[kind]][rest])
            times = {
                **fixed,
                c.RESEARCH_PER_ARCHITECTURE: seen[c.ARCHITECTURE],
                c.RESEARCH_PER_GOLD: seen[c.GOLD],
                c.RESEARCH_THREE_COLOURS: int(sum(map(bool, seen)) >= rules.set_colours),
            }
            for effect, number in times.items():
                vp_by[c.SOURCE_RESEARCH + effect] = amounts[effect] * number
            taste = [number for kind in kinds for number in (kept[kind], chosen.count(kind))]
            if best is None or (sum(vp_by), taste) > best[:2]:
                best = (sum(vp_by), taste, vp_by, list(kept))
    return best[0], best[2], best[3]


class TestTreasuresKept:
    """ "End of the Game and Scoring": the owner chooses what to discard (A09)."""

    def test_not_the_first_but_the_best(self):
        table = Table()
        table.own(0, blue=3, green=2, crates=2)
        assert table.score(0) == 8
        assert table.kept(0) == {"green": 2}

    def test_a_research_card_changes_what_is_kept(self):
        table = Table()
        table.own(0, blue=4, green=4, crates=4)
        assert table.score(0) == 15 + 3
        assert table.kept(0) == {"green": 4}
        table.own(0, crates=4, per_architecture=2)
        assert table.score(0) == 12 + 2 * 4
        assert table.kept(0) == {"blue": 4}

    def test_three_colours_are_worth_breaking_a_row_for(self):
        table = Table()
        table.own(0, green=3, blue=1, yellow=1, crates=3, three_colours=2)
        assert table.score(0) == 3 + 1 + 1 + 10
        assert table.kept(0) == {"green": 1, "blue": 1, "yellow": 1}

    def test_a_joker_needs_no_crate_and_may_be_of_a_colour_not_owned(self):
        """A02b, A26."""
        table = Table(3, FORMER)
        table.own(0, crates=0, joker=1)
        assert table.score(0) == 4  # one Weapons card
        table.own(0, orange=3, crates=2, joker=1)
        assert table.score(0) == 12
        assert table.kept(0) == {"orange": 2}

    @pytest.mark.parametrize(("option", "vp"), [((FORMER,), 1 + 1 + 4 + 5), ((FORMER, "A26=sets-only"), 1 + 1 + 4)])
    def test_a_joker_is_a_third_colour_unless_it_counts_for_rows_alone(self, option, vp):
        """A26."""
        table = Table(3, *option)
        table.own(0, blue=1, yellow=1, three_colours=1, joker=1)
        assert table.score(0) == vp

    @pytest.mark.parametrize(
        "option",
        [(), (FORMER,), (FORMER, "A26=sets-only"), ("A29=loaded-only",), (FORMER, "set_colours=4")],
    )
    def test_all_choices_tried(self, option):
        """A09, A26 and A34 over small holdings of all kinds, against every way to keep and to count them."""
        table, chance = Table(2, *option), Random(str(option))
        short = 0
        for _ in range(250 if COMPILED else 12):
            state = table.state
            state.treasures[0] = [chance.choice((0, 0, 1, 2, 3)) for _ in range(c.TREASURE_KINDS)]
            state.research[0, :11] = [chance.randint(0, chance.randint(0, 2)) for _ in range(11)]
            state.ships[0, 1] = chance.randint(0, 4)
            state.hand[0, RED] = chance.randint(0, 5)
            state.crates[0] = chance.randint(0, 10)
            vp, vp_by, kept = brute_force(table, 0)
            assert table.score(0) == vp == state.vp[0]
            assert state.vp_by[0].tolist() == vp_by
            assert state.loaded[0].tolist() == kept
            short += 0 < state.crates[0] < state.treasures[0].sum()
        assert short > (60 if COMPILED else 2)

    @pytest.mark.parametrize("jokers", [3, 4])
    def test_all_choices_tried_with_more_jokers_and_other_rows(self, jokers):
        """A26, rows of one to six values, up to four jokers."""
        table, chance = Table(2, FORMER), Random(jokers)
        for _ in range(60 if COMPILED else 4):
            state = table.state
            rows = [sorted(chance.randrange(15) for _ in range(chance.randint(1, 6))) for _ in range(c.TREASURE_KINDS)]
            table.rule("treasure_values", [[*row, *[-1] * (6 - len(row))] for row in rows])
            state.treasures[0] = [chance.choice((0, 0, 0, 1, 2, 4)) for _ in range(c.TREASURE_KINDS)]
            state.research[0, :10] = [chance.randint(0, 1) for _ in range(10)]
            state.research[0, table.kind_of("joker")] = jokers
            state.crates[0] = chance.randint(0, 8)
            vp, vp_by, kept = brute_force(table, 0)
            assert table.score(0) == vp
            assert state.vp_by[0].tolist() == vp_by
            assert state.loaded[0].tolist() == kept


class TestTies:
    """ "End of the Game and Scoring", its last sentence."""

    def table(self, *settings: str) -> Table:
        """Seats 0 and 1 have 3 VP, for one treasure and for two; seat 1 has collected a third without a crate."""
        table = Table(3, *settings)
        table.own(0, green=1)
        table.own(1, blue=2, orange=1, crates=2)
        return table

    def test_a_point_more_wins_over_treasures(self):
        table = self.table()
        table.own(2, purple=1)
        assert table.ranks() == [3, 2, 1]
        assert table.settled_by() == "clear"

    def test_most_treasures_win(self):
        table = self.table()
        assert table.ranks() == [2, 1, 3]
        assert table.settled_by() == "treasures"

    def test_treasures_without_a_crate_do_not_count(self):
        """A11a: they were discarded before."""
        table = self.table()
        table.own(0, green=1, red=1)
        assert table.ranks() == [1, 1, 3]
        assert table.settled_by() == "level"
        other = self.table("A11a=collected")
        other.own(0, green=1, red=1)
        assert other.ranks() == [2, 1, 3]

    def test_a_win_is_shared_where_treasures_tie_too(self):
        """A11b; the hurricane card is no treasure (A27)."""
        table = self.table()
        table.own(0, green=1, red=1)
        table.state.hurricane = 0
        assert table.ranks() == [1, 1, 3]
        assert table.settled_by() == "level"

    def test_the_options(self):
        """A11b=lowest-seat and A27=one-more."""
        table = self.table("A11b=lowest-seat")
        table.own(0, green=1, red=1)
        assert table.ranks() == [1, 2, 3]
        table = self.table("A27=one-more")
        table.own(0, green=1, red=1)
        table.state.hurricane = 1
        assert table.ranks() == [2, 1, 3]

    def test_jokers_are_no_treasures_in_a_tie(self):
        """A26."""
        table = Table(2, FORMER)
        table.own(0, plus_4=1)
        table.own(1, crates=0, joker=1)
        assert table.ranks() == [1, 1]


# ---- a turn


class TestDiverCards:
    """ "The Diver Cards"."""

    def test_three_cards_over_three_locations_one_action_each(self):
        table = Table()
        table.hand(0, "ggwwyb")
        table.act(DIVE, "g", 0)
        assert table.legal() == [PASS, BOAT, FREIGHTER, TEAM, LARGE_TEAM, CHANCE, VALUABLE]
        table.act(BOAT, "w")
        assert table.legal() == [PASS, TEAM, CHANCE]
        table.act(CHANCE, "b", 0)
        assert table.asked == ("action", 1)
        assert table.state.hand[0].tolist() == [1, 1, 0, 1, 0, 0]

    def test_no_second_action_at_a_location(self):
        table = Table()
        table.hand(0, "gggppp")
        table.act(DIVE, "g", 0)
        assert not {DIVE, DEEPER, DEEPEST} & set(table.legal())

    def test_three_cards_at_most(self):
        table = Table()
        table.hand(0, "wrgbpwr")
        table.act(FREIGHTER, "wg")
        assert table.legal() == [PASS, DIVE, TEAM, CHANCE]

    def test_two_of_a_colour_for_one_that_is_missing(self):
        table = Table()
        table.hand(0, "ww")
        assert table.legal() == [PASS, DIVE, BOAT, TEAM, CHANCE]
        table.act(DIVE, "W", 0)
        assert table.state.diver_discard.tolist() == [2, 0, 0, 0, 0, 0]
        assert table.state.cards_played == 1

    def test_no_pair_for_a_colour_in_hand(self):
        table = Table()
        table.hand(0, "gpww")
        table.answer("action", DEEPER)
        table.answer("pay", GREEN)
        assert table.legal() == [PURPLE]

    def test_four_cards_in_a_turn(self):
        table = Table()
        table.hand(0, "gpbb")
        table.act(DEEPEST, "gpB", 0, 1, 2)
        assert table.state.diver_discard.sum() == 4
        assert table.asked == ("action", 1)

    def test_once_a_turn(self):
        table = Table()
        table.hand(0, "wwwwwww")
        table.hand(1, "ww")
        assert DEEPER not in table.legal()  # two colours are missing
        table.act(DIVE, "W", 0)
        assert table.legal() == [PASS, BOAT]
        table.stop()
        assert DIVE in table.legal()  # of seat 1, whose turn has its own pair

    def test_a_pair_for_green_while_yellow_is_held(self):
        """A25."""
        table = Table()
        table.hand(0, "yww")
        table.answer("action", DIVE)
        assert table.legal() == [YELLOW, PAIR + WHITE]
        table = Table(3, "A25=card-unpayable")
        table.hand(0, "yww")
        table.answer("action", DIVE)
        assert table.legal() == [YELLOW]

    def test_what_is_missing_is_judged_before_the_action_is_paid(self):
        """A25: the green just played is not missing, but yellow, which pays as well, is."""
        table = Table()
        table.hand(0, "gwwp")
        table.answer("action", DEEPER)
        assert table.legal() == [GREEN, PAIR + WHITE]
        table.answer("pay", GREEN)
        assert table.legal() == [PURPLE]
        assert table.state.hand[0, GREEN] == 0
        # In the next action of the turn green is missing too.
        table = Table(3, "action_colours.harbor=white,green,purple")
        table.hand(0, "ggwrr")
        table.act(DIVE, "g", 0)
        table.answer("action", FREIGHTER)
        table.answer("pay", WHITE)
        assert table.legal() == [GREEN]
        table = Table(3, "action_colours.harbor=white,green,purple")
        table.hand(0, "gwrr")
        table.act(DIVE, "g", 0)
        table.answer("action", FREIGHTER)
        table.answer("pay", WHITE)
        assert table.legal() == [PAIR + RED]

    def test_a_pair_must_leave_the_rest_payable(self):
        table = Table()
        table.hand(0, "wwy")
        table.answer("action", LARGE_TEAM)
        assert table.legal() == [YELLOW]  # two white for purple would leave no white

    @pytest.mark.parametrize(
        ("hand", "actions"),
        [
            ("g", [DIVE]),
            ("y", [DIVE, TEAM]),
            ("gp", [DIVE, DEEPER, TEAM]),
            ("gpw", [DIVE, DEEPER, DEEPEST, BOAT, FREIGHTER, TRANSPORT, TEAM, LARGE_TEAM]),
            ("rb", [BOAT, FREIGHTER, TEAM, CHANCE]),
            ("wbp", [BOAT, FREIGHTER, TRANSPORT, TEAM, LARGE_TEAM, CHANCE]),
            ("ywr", [DIVE, BOAT, TEAM, LARGE_TEAM, DRINK, CHANCE, VALUABLE]),
            ("byg", [DIVE, TEAM, CHANCE, VALUABLE, SENSATIONAL]),
        ],
    )
    def test_prices(self, hand, actions):
        """ "The Possible Actions", each price as printed (A17)."""
        table = Table()
        table.hand(0, hand)
        assert table.legal() == [PASS, *actions]


class TestTaking:
    """ "The Possible Actions", 1 to 4."""

    @pytest.mark.parametrize(
        ("action", "pay", "spaces", "cards"), [(DIVE, "g", 1, 1), (DEEPER, "gp", 3, 2), (DEEPEST, "gpw", 6, 3)]
    )
    def test_dives(self, action, pay, spaces, cards):
        table = Table()
        table.hand(0, pay)
        table.act(action, pay)
        for taken in range(cards):
            assert table.asked == ("treasure", 0)
            assert table.legal() == list(range(taken, spaces))
            table.answer("treasure", taken)
        assert table.state.treasures[0].sum() == cards

    @pytest.mark.parametrize(
        ("action", "pay", "spaces", "cards"), [(CHANCE, "b", 1, 1), (VALUABLE, "by", 4, 1), (SENSATIONAL, "byg", 4, 2)]
    )
    def test_discoveries(self, action, pay, spaces, cards):
        table = Table()
        table.hand(0, pay)
        table.act(action, pay)
        for taken in range(cards):
            assert table.asked == ("research", 0)
            assert table.legal() == list(range(taken, spaces))
            table.answer("research", taken)
        assert table.state.research[0].sum() == cards

    @pytest.mark.parametrize(("action", "pay", "pile"), [(BOAT, "w", 0), (FREIGHTER, "wg", 1), (TRANSPORT, "wgp", 2)])
    def test_ships(self, action, pay, pile):
        table = Table()
        table.hand(0, pay)
        top = table.state.ship_deck[pile, 0]
        table.act(action, pay)
        assert table.state.ships[0, pile] == 1
        assert table.state.crates[0] == table.rules.crates[pile, top]

    @pytest.mark.parametrize(("action", "pay", "drawn"), [(TEAM, "y", 3), (LARGE_TEAM, "yw", 6)])
    def test_divers_hired_come_to_hand_at_the_end_of_the_turn(self, action, pay, drawn):
        table = Table()
        table.hand(0, pay)
        table.act(action, pay)
        assert table.state.hand[0].sum() == 0
        assert table.state.waiting.sum() == drawn
        table.stop()
        assert table.state.hand[0].sum() == drawn
        assert table.state.waiting.sum() == 0

    def test_catch_your_breath_draws_five_at_once(self):
        table = Table()
        table.next_divers("wygrb")
        table.stop()
        assert table.state.hand[0].tolist() == [1, 1, 1, 1, 1, 0]
        assert table.asked == ("action", 1)

    def test_no_breath_after_an_action(self):
        table = Table()
        table.hand(0, "w")
        table.act(BOAT, "w")
        table.stop()
        assert table.state.hand[0].sum() == 0

    def test_a_drink_takes_from_two_different_locations(self):
        """A03 says which spaces bear the symbol."""
        table = Table()
        table.hand(0, "pwr")
        table.act(DRINK, "pwr")
        assert table.legal() == [0, 1, 2, 6, 7, 10, 11]
        table.answer("drink", 1)
        assert table.legal() == [6, 7, 10, 11]
        table.answer("drink", 11)
        assert table.asked == ("action", 1)
        assert table.state.ships[0].tolist() == [0, 1, 0]
        assert table.state.treasures[0].sum() == 1

    def test_a_drink_of_an_earlier_turn_forbids_nothing_later(self):
        """The locations of a drink are forgotten when it is over, so that the next one has all three again."""
        table = Table(2)
        table.hand(0, "pwrpwr")
        table.hand(1, "pwr")
        for seat in (0, 1, 0):
            assert table.asked == ("action", seat)
            table.act(DRINK, "pwr")
            assert table.legal() == [0, 1, 2, 6, 7, 10, 11]
            table.answer("drink", 0)
            table.answer("drink", 6)

    def test_a_drink_is_no_action_where_it_takes(self):
        """A20."""
        table = Table(2, "cards_per_turn=5")
        table.hand(0, "pwrgb")
        table.act(DRINK, "pwr", 1, 7)
        assert table.state.used.tolist() == [0, 0, 1, 0]
        assert table.legal() == [PASS, DIVE, CHANCE]
        table = Table(2, "cards_per_turn=5", "A20=uses-location")
        table.hand(0, "pwrgb")
        table.act(DRINK, "pwr", 1, 6)
        assert table.state.used.tolist() == [1, 0, 1, 1]
        assert table.legal() == [PASS]

    @pytest.mark.parametrize(("option", "spaces"), [((), [1, 2]), (("A20=uses-location",), [])])
    def test_a_drink_after_a_dive(self, option, spaces):
        """A20: the Submarine may have been used, or the drink takes nothing from there."""
        table = Table(2, "cards_per_turn=4", *option)
        table.hand(0, "gpwr")
        table.act(DIVE, "g", 0)
        table.act(DRINK, "pwr")
        assert table.legal() == [*spaces, 6, 7, 10, 11]

    @pytest.mark.parametrize(("option", "allowed"), [((), True), (("A21=not-allowed",), False)])
    def test_a_drink_where_only_treasures_are_left(self, option, allowed):
        """A21, A03: the Research cards left lie on the last two spaces, which bear no Tavern symbol."""
        table = Table(2, "cards_per_turn=7", *option)
        table.hand(0, "bygpwr")
        table.empty_pile(0)
        table.empty_pile(1)
        table.act(SENSATIONAL, "byg", 0, 1)
        assert (DRINK in table.legal()) == allowed
        if allowed:
            table.act(DRINK, "pwr", 0)
            assert table.asked == ("action", 0)

    def test_what_is_missing_is_not_taken(self):
        """A07 and A22: empty spaces stay empty during a turn, and an action takes what is there."""
        table = Table(2, "cards_per_turn=6")
        table.hand(0, "gpwwpr")
        table.treasure_row(c.GOLD)
        table.act(DEEPEST, "gpw", 0)
        assert table.state.treasures[0].sum() == 1
        assert table.asked == ("action", 0)
        assert DRINK in table.legal()
        table.answer("action", DRINK)
        for colour in (PURPLE, WHITE, RED):
            table.answer("pay", colour)
        assert table.legal() == [6, 7, 10, 11]

    def test_an_empty_pile_offers_nothing(self):
        """A05."""
        table = Table(2)
        table.hand(0, "wgp")
        table.empty_pile(2)
        assert TRANSPORT not in table.legal()
        assert FREIGHTER in table.legal()

    def test_the_next_ship_is_there_at_once(self):
        """A22."""
        table = Table(2, "cards_per_turn=6")
        table.hand(0, "wpwr")
        first, second = table.state.ship_deck[0, :2].tolist()
        table.act(BOAT, "w")
        table.act(DRINK, "pwr", 10, 0)
        assert table.state.ships[0].tolist() == [2, 0, 0]
        assert table.state.crates[0] == table.rules.crates[0, first] + table.rules.crates[0, second]


class TestReshuffle:
    """The rulebook does not foresee an empty diver pile: A04, A24, A32."""

    def test_cards_just_played_are_shuffled_in(self):
        table = Table(2)
        table.hand(0, "yw")
        table.discard_deck(keep=2)
        discarded = table.state.diver_discard.copy()
        table.act(LARGE_TEAM, "yw")
        assert table.state.waiting.sum() == 6
        assert table.state.diver_discard.sum() == 0
        assert table.state.diver_size == discarded.sum() + 2

    @pytest.mark.parametrize(("left", "allowed"), [(3, False), (4, True)])
    def test_all_or_nothing_counts_discards_and_the_divers_paid(self, left, allowed):
        """A07: six divers can be hired where two are paid and four lie in the deck and the discards."""
        table = Table(2, "A07=all-or-nothing")
        table.hand(0, "yw")
        state = table.state
        for colour in state.diver_deck[: state.diver_size - left]:
            state.hand[1, colour] += 1
        state.diver_top = state.diver_size - left
        table.discard_deck(keep=1)
        assert (LARGE_TEAM in table.legal()) == allowed
        if allowed:
            table.act(LARGE_TEAM, "yw")
            assert state.waiting.sum() == 6

    def test_breath_without_cards(self):
        table = Table(2)
        state = table.state
        for colour in state.diver_deck[: state.diver_size]:
            state.hand[1, colour] += 1
        state.diver_size = 0
        table.stop()
        assert table.state.hand[0].sum() == 0
        assert table.asked == ("action", 1)


class TestRefilling:
    """ "Refilling the cards"."""

    def test_only_at_the_end_of_the_turn_and_to_the_left(self):
        table = Table(5)
        table.hand(0, "gpb")
        table.treasure_row(0, 1, 2, 3, 4, 5)
        new = table.state.treasure_deck[:2].tolist()
        table.act(DEEPER, "gp", 0, 2)
        assert table.state.treasure_row.tolist() == [-1, 1, -1, 3, 4, 5]
        old = table.state.research_row.tolist()
        top = int(table.state.research_deck[table.state.research_top])
        table.act(CHANCE, "b", 0)
        assert table.state.treasure_row.tolist() == [1, 3, 4, 5, *new]
        assert table.state.research_row.tolist() == [*old[1:], top]

    def test_the_hurricane_pile_comes_last(self):
        table = Table(5)
        table.hand(0, "gp")
        table.treasure_row(0, 1, 2, 3, 4, 5)
        table.treasure_deck(c.STATUES, c.GOLD, c.HURRICANE, c.WEAPONS, main=1)
        table.act(DEEPER, "gp", 0, 1)
        table.stop()
        assert table.state.treasure_row.tolist() == [2, 3, 4, 5, c.STATUES, c.GOLD]
        assert table.state.treasure_main == 0
        assert table.state.hurricane == c.NOBODY


class TestHurricane:
    """ "End of the Game and Scoring", its beginning."""

    def test_one_more_turn_each_the_finder_last(self):
        """A08: the next card fills the space, and the refills go on in the last turns, but not after the very last."""
        table = Table(3)
        for seat in range(3):
            table.hand(seat, "gg")
        table.treasure_deck(c.HURRICANE, c.WEAPONS, c.STATUES)
        table.stop()
        table.act(DIVE, "g", 0)
        table.stop()
        state = table.state
        assert (state.hurricane, state.turns_left, state.phase) == (1, 2, c.PHASE_LAST_TURNS)
        assert state.treasure_row[5] == c.WEAPONS
        order = []
        for last_card in (c.STATUES, c.NONE, c.NONE):
            order.append(table.asked[1])
            table.act(DIVE, "g", 0)
            table.stop()
            if not table.over:
                assert state.treasure_row[5] == last_card
        assert order == [2, 0, 1]
        assert table.over
        assert state.end_reason == c.END_HURRICANE
        assert state.treasure_row[0] == c.NONE  # nothing moves any more (A30)
        assert state.turns_of[:3].tolist() == [2, 2, 1]  # seat 2 had not begun

    def test_found_by_the_first_seat_everybody_plays_once_more(self):
        table = Table(4)
        table.hand(0, "g")
        table.treasure_deck(c.HURRICANE)
        table.act(DIVE, "g", 0)
        table.stop()
        order = []
        while not table.over:
            order.append(table.asked[1])
            table.stop()
        assert order == [1, 2, 3, 0]

    def test_divers_hired_in_the_last_turn_are_scored(self):
        """A33."""
        table = Table(2)
        table.hand(0, "gyw")
        table.treasure_deck(c.HURRICANE)
        table.give_research(0, "per_divers")
        table.act(DIVE, "g", 0)
        table.stop()
        table.stop()
        table.act(LARGE_TEAM, "yw")
        table.stop()
        assert table.over
        assert table.state.hand[0].sum() == 6
        assert table.vp_by(0)["per_divers"] == 3


class TestTurnCap:
    """The rulebook does not foresee players who only catch their breath: A28."""

    @pytest.mark.parametrize("cap", [1, 3])
    def test_the_game_ends_where_it_is(self, cap):
        table = Table(3, f"turn_cap={cap}")
        turns = 0
        while not table.over:
            table.stop()
            turns += 1
        assert turns == 3 * cap
        assert table.state.end_reason == c.END_TURN_CAP

    def test_the_last_turns_are_played_out(self):
        table = Table(2, "turn_cap=1")
        table.hand(1, "g")
        table.treasure_deck(c.HURRICANE)
        table.stop()
        table.act(DIVE, "g", 0)
        table.stop()
        assert table.asked == ("action", 0)
        table.stop()
        table.stop()
        assert table.over
        assert table.state.end_reason == c.END_HURRICANE


def test_setup():
    """ "Setup": cards dealt, removed, and laid out, for each number of players."""
    for players, removed in ((2, 26), (3, 18), (4, 9), (5, 0)):
        table = Table(players, seed=3, deal=players)
        state = table.state
        assert state.diver_size == 78
        assert state.treasure_size - state.treasure_top == 57 - removed - 6 + 1
        assert state.treasure_main == 57 - removed - 10 - 6
        deck = state.treasure_deck[state.treasure_top : state.treasure_size].tolist()
        assert deck.index(c.HURRICANE) >= len(deck) - 11
        assert c.NONE not in [*state.treasure_row, *state.research_row]
        assert np.sort(state.ship_deck).tolist() == [list(range(8))] * 3
        assert state.research_size - state.research_top == 26
        assert table.asked == ("action", 0)  # A12
