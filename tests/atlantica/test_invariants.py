"""Random play of Atlantica under many rules: what must hold after each step, whatever is played.

The kernels' own `broken_invariant` is checked, and beside it a ledger in plain Python that follows every card.
"""

import os
from random import Random

import numpy as np
import pytest

from kernels.atlantica import codes as c
from kernels.atlantica.check import BROKEN, broken_invariant
from kernels.atlantica.state import STATE, new_states
from kernels.atlantica.step import MOST_LEGAL, advance, apply, legal, new_game
from tests.atlantica.coverage_table import OPTIONS
from tests.atlantica.positions import GAME, Table, rules_of
from tests.contract.batches import play_rows

pytestmark = pytest.mark.bounds
COMPILED = os.environ.get("NUMBA_DISABLE_JIT", "0") == "0"
CASES = [
    *((players, ()) for players in (2, 3, 4, 5)),
    (4, ("diver_copies=5",)),
    (2, ("cards_per_turn=12", "hand_size=10", "breath_cards=12")),
    (5, ("hurricane_pile=0", "treasures_removed_5=51")),
    (3, ("pairs_per_turn=0", "turn_cap=8")),
    *((2 + number % 4, (option,)) for number, option in enumerate(OPTIONS)),
]
TAKEN = {c.PROMPT_TREASURE: "treasures", c.PROMPT_RESEARCH: "research"}


class Ledger:
    """Watches one game step by step; `after` raises AssertionError when something cannot be explained."""

    def __init__(self, states, rules):
        self.record, self.rules, self.players = states[0], rules, int(rules.players)
        self.states = states
        self.seats = []  # whose turns there were
        self.remember()
        self.in_game = self.treasures(self.now)

    def remember(self):
        self.now = {name: np.array(self.states[name][0]) for name in STATE.names}

    def treasures(self, fields):
        """Treasures by kind in decks, row and hands; the hurricane card last."""
        cards = np.bincount(fields["treasure_deck"][fields["treasure_top"] : fields["treasure_size"]], minlength=8)
        cards[:7] += fields["treasures"][: self.players].sum(axis=0)
        return cards + np.bincount(fields["treasure_row"] + 1, minlength=9)[1:]

    def after(self, prompt, action):
        broken = broken_invariant(self.record, self.rules)
        assert broken == 0, BROKEN[broken]
        before = self.now
        self.remember()
        now = self.now
        self.count_divers(before, now, prompt, action)
        self.count_cards(before, now, prompt, action)
        if now["phase"] == c.PHASE_OVER or now["seat"] != before["seat"] or now["turns_done"] != before["turns_done"]:
            self.turn_ended(before, now)
        else:
            assert now["acted"] in (before["acted"], before["acted"] + 1)
            assert (now["treasure_top"], now["research_top"]) == (before["treasure_top"], before["research_top"])
        assert now["used"].sum() <= 4
        assert 0 <= now["cards_played"] <= self.rules.cards_per_turn
        assert 0 <= now["pairs_played"] <= self.rules.pairs_per_turn

    def count_divers(self, before, now, prompt, action):
        seat = int(before["seat"])
        others = [other for other in range(self.players) if other != seat]
        assert (now["hand"][others] == before["hand"][others]).all()
        assert now["hand"].min() >= 0
        deck = np.bincount(now["diver_deck"][now["diver_top"] : now["diver_size"]], minlength=6)
        assert (deck + now["diver_discard"] + now["waiting"] + now["hand"].sum(axis=0) == self.rules.diver_copies).all()
        if prompt == c.PROMPT_PAY:
            colour, cards = (action - c.PAIR, 2) if action >= c.PAIR else (action, 1)
            paid = before["paid"][seat] + cards
            assert now["paid"][seat] == paid
            if now["seat"] == seat and now["turns_done"] == before["turns_done"]:
                assert before["hand"][seat, colour] - now["hand"][seat, colour] == cards

    def count_cards(self, before, now, prompt, action):
        assert (self.treasures(now)[:7] == self.in_game[:7]).all()
        research = np.bincount(now["research_deck"][now["research_top"] : now["research_size"]], minlength=16)
        research = research + now["research"].sum(axis=0) + np.bincount(now["research_row"] + 1, minlength=17)[1:]
        assert (research == self.rules.research_copies).all()
        chartered = [now["ship_deck"][pile, :top] for pile, top in enumerate(now["ship_top"])]
        assert now["crates"].sum() == sum(self.rules.crates[pile, ships].sum() for pile, ships in enumerate(chartered))
        for name in ("treasures", "research", "ships"):
            gained = now[name].astype(int) - before[name]
            assert gained.min() >= 0
            assert gained.sum() in ((1,) if TAKEN.get(prompt) == name and action != c.PASS else (0, 1))

    def turn_ended(self, before, now):
        seat, over = int(before["seat"]), bool(now["phase"] == c.PHASE_OVER)
        self.seats.append(seat)
        assert not now["waiting"].any()
        if over:
            assert now["actor"] == c.NOBODY
            return
        assert now["seat"] == (seat + 1) % self.players
        assert (now["acted"], now["cards_played"], now["pairs_played"], now["used"].sum()) == (0, 0, 0, 0)
        for row, left in (("treasure_row", "treasure"), ("research_row", "research")):
            cards = now[row].tolist()
            free = cards.count(c.NONE)
            assert cards[len(cards) - free :] == [c.NONE] * free  # no gaps
            assert free == 0 or now[f"{left}_top"] == now[f"{left}_size"]
        if now["hurricane"] != c.NOBODY:
            assert now["phase"] == c.PHASE_LAST_TURNS
            assert now["hurricane"] == (seat if before["hurricane"] == c.NOBODY else before["hurricane"])

    def finished(self):
        """Turns went clockwise from seat 0, and after the hurricane everybody had one."""
        assert self.seats == [turn % self.players for turn in range(len(self.seats))]
        if self.record.end_reason == c.END_HURRICANE:
            assert self.seats[-1] == self.record.hurricane
            assert self.seats[-1 - self.players] == self.record.hurricane
        else:
            assert len(self.seats) == self.players * self.rules.turn_cap
            assert self.record.hurricane == c.NOBODY


def play_game(rules, seed, deal):
    """A game of random actions, watched; returns its last state."""
    states, out = new_states(1), np.zeros(MOST_LEGAL, np.int16)
    record, chance = states[0], Random(f"{seed} {deal}")
    new_game(record, rules, np.uint64(seed), deal)
    advance(record, rules)
    ledger = Ledger(states, rules)
    for _ in range(20_000):
        if record.phase == c.PHASE_OVER:
            ledger.finished()
            return record
        actions = out[: legal(record, rules, out)].tolist()
        assert actions
        assert actions == sorted(set(actions))
        assert record.actor == record.seat
        prompt, action = int(record.prompt), chance.choice(actions)
        apply(record, rules, action)
        advance(record, rules)
        ledger.after(prompt, action)
    raise AssertionError("a game without end")


@pytest.mark.nojit
@pytest.mark.parametrize(("players", "options"), CASES, ids=[f"{p}-{'+'.join(o) or 'plain'}" for p, o in CASES])
def test_everything_adds_up_after_every_step(players, options):
    rules = rules_of(players, options)[0]
    for deal in range(3 if COMPILED else 1):
        state = play_game(rules, 11 * players, deal)
        assert (state.vp_by.sum(axis=1) == state.vp).all()
        kept = np.minimum(state.crates, state.treasures.sum(axis=1))
        assert (state.loaded.sum(axis=1) == kept).all()
        assert (state.loaded <= state.treasures).all()


def test_the_ledger_notices_a_card_out_of_nowhere():
    table = Table(3)
    ledger = Ledger(table.states, table.rules)
    table.hand(0, "g")
    ledger.remember()
    before = ledger.now
    table.state.treasures[1, c.GOLD] += 1
    ledger.remember()
    with pytest.raises(AssertionError):
        ledger.count_cards(before, ledger.now, c.PROMPT_ACTION, c.PASS)


def spoil_score(state):
    state.phase = c.PHASE_OVER
    state.vp[0] = 3


def spoil_kept(state):
    state.phase = c.PHASE_OVER
    state.loaded[0, 0] = 1


@pytest.mark.nojit
@pytest.mark.parametrize(
    ("spoil", "what"),
    [
        (lambda state: state.hand.__setitem__((0, 0), 14), "the divers of a colour do not add up"),
        (lambda state: state.treasures.__setitem__((0, 6), 20), "the treasures of a kind do not add up"),
        (
            lambda state: state.__setattr__("treasure_size", state.treasure_size - 1),
            "the treasures set aside are not as many as the rules say|the hurricane card is not in one place",
        ),
        (lambda state: state.__setattr__("hurricane", 1), "the hurricane card is not in one place"),
        (lambda state: state.research.__setitem__((0, 0), 5), "the Research cards of a kind do not add up"),
        (lambda state: state.ships.__setitem__((0, 0), 1), "the ships of a pile do not add up"),
        (
            lambda state: (state.hand.__setitem__((0, 0), -1), state.hand.__setitem__((1, 0), 1)),
            "a count is negative",
        ),
        (lambda state: state.__setattr__("cards_played", 4), "more cards were played in a turn than the rules allow"),
        (spoil_score, "a score is not the sum of its sources"),
        (spoil_kept, "a seat keeps treasures that it has not, or for which it has no crate"),
    ],
    ids=range(10),
)
def test_broken_invariant_names_what_is_wrong(spoil, what):
    table = Table(3)
    assert broken_invariant(table.state, table.rules) == 0
    spoil(table.state)
    assert BROKEN[broken_invariant(table.state, table.rules)] in what.split("|")


# ---- what the batch loop makes of the end of a game


def finished_games(players, games, *settings):
    """The games' and the seats' rows of random play, seats of shape (games, players)."""
    rows = play_rows(GAME, players, games, *settings, seed=9, detail=0, limit=50_000)
    return rows["games"], rows["seats"].reshape(games, players)


@pytest.mark.parametrize("options", [(), ("A11b=lowest-seat",), ("A11a=collected",), ("treasure_values=0",)])
def test_ranks_and_credit_follow_points_and_treasures(options):
    """ "End of the Game and Scoring", A11: more VP, then more treasures, then shared or the lower seat."""
    games, seats = finished_games(4, 1500 if COMPILED else 4, *options)
    counted = seats["treasures"] if "A11a=collected" in options else seats["kept"].sum(axis=2)
    settled = set()
    for game, row, treasures in zip(games, seats, counted.tolist()):
        places = list(zip(row["vp"].tolist(), treasures))
        if "A11b=lowest-seat" in options:
            places = [(*place, -seat) for seat, place in enumerate(places)]
        ranks = [1 + sum(other > place for other in places) for place in places]
        assert row["rank"].tolist() == ranks
        winners = [rank == 1 for rank in ranks]
        assert np.allclose(row["credit"], np.array(winners) / sum(winners))
        assert game["winners"] == sum(1 << seat for seat in range(4) if winners[seat])
        settled.add(int(game["decided_by"]))
    assert not COMPILED or settled == {c.SETTLED_CLEAR, c.SETTLED_TREASURES, c.SETTLED_LEVEL}


def test_the_credit_of_a_game_cut_short_is_shared_by_all():
    """A28."""
    games, seats = finished_games(3, 20, "turn_cap=2")
    assert set(games["end_reason"]) == {c.END_TURN_CAP}
    assert (games["decided_by"] == -1).all()
    assert (games["hurricane"] == c.NOBODY).all()
    assert np.allclose(seats["credit"], 1 / 3)
    assert (seats["turns"] == 2).all()
