"""The worked examples of the rulebook, by name, on the rules as they are by default."""

import pytest

from kernels.end_of_atlantis import codes as c
from tests.end_of_atlantis.positions import BLACK, NEIGHBOURS, OWN, PASS, A, B, C, D, E, Table

pytestmark = [pytest.mark.nojit, pytest.mark.bounds]

EVERY_FACTION = [PASS, 0, 1, 2, 3, 4, 5, 6]


class TestFactionsPhase:
    """ "2. Factions Phase": Martin, Paul, Leopold and Michael."""

    MARTIN, PAUL, LEOPOLD, MICHAEL = range(4)

    def table(self) -> Table:
        table = Table(4)
        table.state.plus_one[[c.FACTION_BASILEUS, c.FACTION_STRATEGOS]] = 1
        table.begin_turn()
        table.play(*(("senate_bid", seat, bid) for seat, bid in enumerate((5, 4, 3, 2))))
        return table

    def test_two_pass_two_choose_and_the_first_two_pick_free(self):
        table = self.table()
        legals = table.play(
            ("faction", self.MARTIN, PASS),
            ("faction", self.PAUL, PASS),
            ("faction", self.LEOPOLD, c.FACTION_BASILEUS),
            ("faction", self.MICHAEL, c.FACTION_DEMIURGOS),
            ("free_faction", self.MARTIN, c.FACTION_PHILOSOPHIOS),
            ("free_faction", self.PAUL, c.FACTION_STRATEGOS),
        )
        assert legals == [
            EVERY_FACTION,
            EVERY_FACTION,
            EVERY_FACTION,
            [PASS, 0, 2, 3, 4, 5, 6],
            [0, 2, 4, 5, 6],
            [0, 2, 4, 6],
        ]
        assert table.by_seat("building") == [0, 0, 1, 0]
        assert table.by_seat("supply") == [15, 16, 16, 18]
        assert table.by_seat("vp") == [2, 3, 3, 2]
        assert table.gained(c.SOURCE_PLUS_ONE) == [0, 1, 1, 0]
        holder = table.state.holder.tolist()
        assert holder == [-1, self.LEOPOLD, -1, self.MICHAEL, -1, self.MARTIN, self.PAUL]
        assert table.by_seat("marker") == [5, 6, 1, 3]

    def test_tokens_nobody_chose_turn_to_plus_one(self):
        table = self.table()
        table.play(
            ("faction", self.MARTIN, PASS),
            ("faction", self.PAUL, PASS),
            ("faction", self.LEOPOLD, c.FACTION_BASILEUS),
            ("faction", self.MICHAEL, c.FACTION_DEMIURGOS),
            ("free_faction", self.MARTIN, c.FACTION_PHILOSOPHIOS),
            ("free_faction", self.PAUL, c.FACTION_STRATEGOS),
        )
        table.skip_to("lay")
        assert table.state.plus_one.tolist() == [1, 0, 1, 0, 1, 0, 0]

    @pytest.mark.parametrize("martins", [PASS, c.FACTION_ARCHONT])
    def test_paul_pays_one_whatever_martin_does(self, martins):
        table = self.table()
        table.play(("faction", self.MARTIN, martins), ("faction", self.PAUL, c.FACTION_STRATEGOS))
        assert table.state.building[self.PAUL] == 1
        assert table.state.building[self.MARTIN] == (0 if martins == PASS else 2)


@pytest.mark.parametrize(
    ("players", "costs"), [(5, [2, 2, 1, 1, 0]), (4, [2, 1, 1, 0]), (3, [2, 1, 0]), (2, [1, 0])]
)
def test_cost_of_acquiring_a_faction_token(players, costs):
    table = Table(players)
    table.begin_turn()
    table.skip_to("faction")
    table.play(*(("faction", seat, seat) for seat in range(players)))
    assert table.by_seat("building") == costs


class TestHiddenVoting:
    """ "Hidden voting": Paul and Leopold bid 4, Michael 5."""

    PAUL, LEOPOLD, MICHAEL = range(3)

    def table(self) -> Table:
        table = Table(3)
        table.pool(4, 3, 2)
        for seat, cubes in enumerate((16, 14, 12)):
            table.keep(seat, cubes)
        table.lay(c.POLITICS_REFUGEES_1, c.POLITICS_REFUGEES_2, c.POLITICS_REFUGEES_1)
        table.vote(4, 4, 5)
        return table

    def test_michael_first_paul_second_by_senate_order(self):
        table = self.table()
        assert table.by_seat("place") == [2, 0, 1]
        table.play(("play", self.MICHAEL, OWN), ("load", self.MICHAEL, B))
        table.play(("play", self.PAUL, OWN), ("load", self.PAUL, C))
        assert table.aboard(B) == [0, 0, 1, 0, 0, 0]
        assert table.aboard(C) == [1, 0, 0, 0, 0, 0]
        assert table.asked == ("bid", self.PAUL)  # Leopold plays nothing: the next voting

    def test_everybody_loses_his_cubes(self):
        table = self.table()
        assert table.by_seat("on_cards") == [4, 4, 5]
        assert table.by_seat("supply") == [12, 10, 7]

    def test_michael_skips_paul_who_won_and_may_play_leopolds_card(self):
        table = self.table()
        legals = table.play(("play", self.MICHAEL, NEIGHBOURS), ("load", self.MICHAEL, A))
        assert legals[0] == [PASS, OWN, NEIGHBOURS]
        assert table.aboard(A) == [0, 0, 2, 0, 0, 0]  # Leopold's Refugees (2), Michael's cubes
        assert table.answer("play", self.PAUL, PASS) == [PASS, OWN]


def test_tokens_of_both_votings_lie_on_the_cards():
    table = Table(3)
    for _ in range(2):
        table.lay(*[c.POLITICS_SHIPS] * 3)
    table.vote(3, 0, 0)
    table.skip_to("bid")
    table.bid(2, 0, 0)
    assert table.state.on_cards[0] == 5
    assert table.state.supply[0] == 15


class TestDoomMovement:
    """ "Moving Ships During the Doom Phase"; the camp is empty, so that no neutral comes aboard in between."""

    def table(self) -> Table:
        table = Table(5)
        table.ashore(black=10)
        table.put(D, 3, 3)
        table.put(E, 4, 4)
        return table

    def test_a_and_b_full_c_empty_d_and_e_two_each(self):
        table = self.table()
        table.put(A, 0, 0, 0, 1, 1, 1, 2)
        table.put(B, 0, 1, 2, 3, 4)
        table.doom(c.EVENT_NO_MERCY)
        assert table.areas() == [1, 1, 0, 1, 0]

    def test_a_b_and_c_empty(self):
        table = self.table()
        table.doom(c.EVENT_NO_MERCY)
        assert table.areas() == [0, 0, 0, 1, 1]


class TestReceivingVictoryPoints:
    """ "Receiving Victory Points": Martin moves a ship with everybody aboard by Ships."""

    MARTIN, PAUL, MICHAEL = range(3)

    def test_nine_six_and_five_points(self):
        table = Table(3)
        table.put(A, *[self.MICHAEL] * 3, *[self.PAUL] * 2, self.MARTIN, BLACK)
        table.put(B, self.PAUL)
        table.sail(A)
        table.play_card(self.MARTIN, c.POLITICS_SHIPS)
        table.play(("move", self.MARTIN, A), ("move", self.MARTIN, B))
        assert table.by_seat("vp") == [2 + 5, 2 + 6, 2 + 9]
        assert table.gained(c.SOURCE_REFUGEES_SHIPS) == [1, 3, 6]
        assert table.gained(c.SOURCE_COLOURS) == [3, 3, 3]
        assert table.gained(c.SOURCE_MOVER) == [1, 0, 0]
        assert table.by_seat("land") == [1, 2, 3]
        assert table.state.neutral_land == 1
        assert table.aboard(A) == [0] * 6
        assert table.areas() == [0, 1, 0, 0, 0]


class TestRefugeesMustBeFullyApplied:
    """ "Playing a card is always optional": Refugees (2) needs two tokens and room for two on one ship."""

    def test_one_token(self):
        table = Table(3)
        table.keep(0, 1)
        table.lay(c.POLITICS_REFUGEES_2, c.POLITICS_SHIPS, c.POLITICS_SHIPS)
        table.vote(0, 0, 0)
        assert table.asked == ("play", 0)
        assert table.legal() == [PASS]

    def test_two_tokens(self):
        table = Table(3)
        table.keep(0, 2)
        table.lay(c.POLITICS_REFUGEES_2, c.POLITICS_SHIPS, c.POLITICS_SHIPS)
        table.vote(0, 0, 0)
        assert table.legal() == [PASS, OWN]

    def test_room_for_one_on_every_ship(self):
        table = Table(3)
        for space, spaces in enumerate((7, 5, 5, 3, 3)):
            table.put(space, *([1, 2] * 4)[: spaces - 1])
        table.lay(c.POLITICS_REFUGEES_2, c.POLITICS_SUPPORT, c.POLITICS_SUPPORT)
        table.vote(1, 0, 0)
        assert table.legal() == [PASS, NEIGHBOURS]


def test_half_of_the_senate_pool_returns_rounded_up():
    table = Table(5)
    table.pool(5, 4, 1, 0, 7)
    table.doom(c.EVENT_NO_MERCY)
    assert table.by_seat("pool") == [2, 2, 0, 0, 3]
    assert table.by_seat("supply") == [18, 18, 20, 20, 17]


class TestDoomCards:
    """ "Doom!", "Revealing Event Cards", "End of the Game"."""

    def test_the_first_upgrades_a_and_b_and_empties_the_pool(self):
        table = Table(4)
        table.pool(5, 0, 2, 1)
        table.put(A, 0, 1)
        table.put(B, 2)
        table.doom(c.EVENT_DOOM_1)
        assert table.state.tile.tolist() == [5, 6, 2, 3, 4]
        assert table.by_seat("pool") == [0, 0, 0, 0]
        assert table.aboard(A)[:2] == [1, 1]
        assert table.aboard(B)[2] == 1

    def test_the_second_upgrades_c_d_and_e_and_empties_the_pool(self):
        table = Table(4)
        table.pool(0, 3, 0, 0)
        table.upgrade(A, B)
        table.state.doom_count = 1
        table.doom(c.EVENT_DOOM_2)
        assert table.state.tile.tolist() == [5, 6, 7, 8, 9]
        assert table.by_seat("pool") == [0, 0, 0, 0]

    def test_the_third_ends_the_game_at_once(self):
        table = Table(4)
        table.state.turn = 5
        table.state.doom_count = 2
        table.put(A, 0, 0, 0)
        table.sail(A)
        table.pool(0, 3, 0, 0)
        table.special(2, 2)  # Crown Jewels
        table.doom(c.EVENT_DOOM_3)
        assert table.over
        assert table.areas() == [1, 0, 0, 0, 0]  # the Ark does not reach the Promised Land
        assert table.by_seat("vp") == [2, 2 + 2, 2 + 3, 2]  # the pool majority came before the card


class TestAdvancedAirship:
    """ "Ships and Upgrading Ships": upgraded on the ocean it stays there; its speed comes with the next voyage."""

    def test_upgraded_at_sea_it_stays(self):
        table = Table(3)
        table.ashore(black=10)
        table.put(D, 0)
        table.put(A, *[1] * 7)
        table.put(B, *[2] * 5)
        table.put(C, *[1] * 5)  # three full ships are the ones that move
        table.sail(D)
        table.state.doom_count = 1
        table.doom(c.EVENT_DOOM_1)
        assert table.state.tile[D] == c.TILE_ADVANCED_AIRSHIP
        assert table.areas() == [1, 1, 1, 1, 0]

    def test_one_ships_card_takes_it_from_port_to_the_promised_land(self):
        table = Table(3)
        table.upgrade(D)
        table.put(D, 0, 0)
        table.put(A, 1)
        table.play_card(0, c.POLITICS_SHIPS)
        table.play(("move", 0, D), ("move", 0, A))
        assert table.state.land[0] == 2
        assert table.areas() == [1, 0, 0, 0, 0]

    def test_royal_ship_cannot_move_it(self):
        table = Table(3)
        table.upgrade(D)
        table.put(D, 0)
        table.lay(c.POLITICS_ROYAL_SHIP, c.POLITICS_SHIPS, c.POLITICS_SHIPS)
        table.vote(1, 0, 0)
        assert table.legal() == [PASS]
