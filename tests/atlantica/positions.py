"""Positions of Atlantica for the kernels' tests: a table is set, then driven through the kernels' entry points alone.

As tests.end_of_atlantis.positions: a test writes the state's fields and answers the prompts. The same code runs
with NUMBA_DISABLE_JIT=1.
"""

from functools import cache
from typing import Any

import numpy as np
from numba import types

from kernels.atlantica import codes as c
from kernels.atlantica.check import BROKEN, broken_invariant
from kernels.atlantica.rules import RULES, derive
from kernels.atlantica.scoring import decided_by, rank, score
from kernels.atlantica.state import new_states
from kernels.atlantica.step import MOST_LEGAL, advance, apply, legal, new_game
from sim.games import find_game
from sim.rulebook import load_rules
from tests.machinery.twins import arrays_of, direct

GAME = find_game("atlantica")
STATES, RULES_ARRAY = arrays_of(GAME)
PASS = c.PASS
PAIR = c.PAIR
WHITE, YELLOW, RED, GREEN, BLUE, PURPLE = range(6)
(DIVE, DEEPER, DEEPEST, BOAT, FREIGHTER, TRANSPORT, TEAM, LARGE_TEAM, DRINK, CHANCE, VALUABLE, SENSATIONAL) = range(12)
LETTERS = "wyrgbp"  # the divers' colours
TREASURE_COLOURS = {colour: kind for kind, colour in enumerate(c.TREASURE_COLOURS)}  # A13
# The Research cards by their place in the default deck.
CARDS = {
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
    "flat": 10,
    "joker": 10,  # in its place in the former deck
}
FORMER = "A02b=former"  # the deck with jokers


@cache
def rules_of(players: int, settings: tuple[str, ...] = ()) -> Any:
    """The RULES record of these rules, shape (1,), shared: copy before changing it."""
    return load_rules(GAME, players, settings=settings).record().view(np.recarray)


@direct(types.int64(STATES, RULES_ARRAY, types.int64))
def score_seat(states: Any, rules: Any, seat: int) -> int:
    """Score a seat as it stands."""
    return score(states[0], rules[0], seat)  # type: ignore[no-any-return]


@direct(types.int64(STATES, RULES_ARRAY, types.int64))
def rank_seat(states: Any, rules: Any, seat: int) -> int:
    """A seat's rank among scores already worked out."""
    return rank(states[0], rules[0], seat)  # type: ignore[no-any-return]


@direct(types.int64(STATES, RULES_ARRAY))
def settle(states: Any, rules: Any) -> int:
    """What told the winner from the next: SETTLED_."""
    return decided_by(states[0], rules[0])  # type: ignore[no-any-return]


class Table:
    """A game at the first choice of seat 0, with empty hands and all divers in the deck, to be set as a test likes.

    Cards come from the decks, so that every position is sound; this is checked whenever the game goes on.
    """

    def __init__(self, players: int = 3, *settings: str, seed: int = 1, deal: int = 0) -> None:
        self.players = players
        self.rule_array = np.zeros(1, RULES).view(np.recarray)
        self.rule_array[0] = rules_of(players, settings)[0]
        self.rules = self.rule_array[0]
        self.states = new_states(1)
        self.state = self.states[0]
        self._out = np.zeros(MOST_LEGAL, np.int16)
        new_game(self.state, self.rules, np.uint64(seed), deal)
        self.state.hand[:, :] = 0
        self.state.diver_top = 0
        advance(self.state, self.rules)
        self.check()

    # ---- setting the table

    def rule(self, name: str, value: Any) -> None:
        """Change a rule that the loader has no short way to write."""
        self.rule_array[name][0] = value
        derive(self.rule_array)

    def hand(self, seat: int, divers: str) -> None:
        """Divers in hand, a letter each: w y r g b p."""
        for letter in divers:
            self.state.diver_size = _take(self.state.diver_deck, 0, self.state.diver_size, LETTERS.index(letter))
            self.state.hand[seat, LETTERS.index(letter)] += 1

    def next_divers(self, divers: str) -> None:
        """These divers lie on top of the deck."""
        deck, size = self.state.diver_deck, int(self.state.diver_size)
        for letter in divers:
            _take(deck, 0, size, LETTERS.index(letter))
        deck[len(divers) : size] = deck[: size - len(divers)].copy()
        deck[: len(divers)] = [LETTERS.index(letter) for letter in divers]

    def discard_deck(self, keep: int = 0) -> None:
        """All divers of the deck but the top `keep` are discarded."""
        state = self.state
        for colour in state.diver_deck[state.diver_top + keep : state.diver_size]:
            state.diver_discard[colour] += 1
        state.diver_size = state.diver_top + keep

    def own(self, seat: int, *, crates: int | None = None, ships: int = 0, divers: int = 0, **cards: int) -> None:
        """Treasures by colour, Research cards by name, crates and ships, as numbers: only to be scored."""
        state = self.state
        for name, number in cards.items():
            if name in TREASURE_COLOURS:
                state.treasures[seat, TREASURE_COLOURS[name]] = number
            else:
                state.research[seat, self.kind_of(name)] = number
        state.crates[seat] = state.treasures[seat].sum() if crates is None else crates
        state.ships[seat, 0] = ships
        state.hand[seat, WHITE] = divers

    def kind_of(self, name: str) -> int:
        """A Research card's place in the deck, which must hold what the name says."""
        kind = CARDS[name]
        assert (name == "joker") == (self.rules.research_effect[kind] == c.RESEARCH_JOKER), f"this deck has no {name}"
        return kind

    def treasure_row(self, *kinds: int) -> None:
        """The row from space 1, -1 for an empty space; the deck keeps its order."""
        state = self.state
        old = [int(kind) for kind in state.treasure_row if kind != c.NONE]
        deck = state.treasure_deck[state.treasure_top : state.treasure_size].tolist()
        main = int(state.treasure_main)
        pool = old + deck[:main]
        for kind in kinds:
            if kind != c.NONE:
                # A kind that is not there lay among the treasures set aside, or comes from the Hurricane space.
                pool.remove(kind) if kind in pool else pool.pop()
        deck[:main] = pool
        self._set_deck(deck, len(pool))
        state.treasure_row[:] = [*kinds, *[c.NONE] * (c.TREASURE_SPACES - len(kinds))]

    def treasure_deck(self, *cards: int, main: int = 0) -> None:
        """All cards left, the first `main` of them in the main pile; the rest of the game's treasures are seat 0's."""
        state = self.state
        for card in state.treasure_deck[state.treasure_top : state.treasure_size].tolist():
            if card != c.HURRICANE:
                state.treasures[0, card] += 1
        for card in cards:
            if card != c.HURRICANE:
                state.treasures[0, card] -= 1
        self._set_deck(list(cards), main)

    def _set_deck(self, cards: list[int], main: int) -> None:
        self.state.treasure_deck[: len(cards)] = cards
        self.state.treasure_top = 0
        self.state.treasure_size = len(cards)
        self.state.treasure_main = main

    def give_research(self, seat: int, name: str) -> None:
        """A Research card from the deck, or else from the row, which the next card of the deck fills."""
        state, kind = self.state, self.kind_of(name)
        row = state.research_row.tolist()
        if kind in row:
            state.research_row[row.index(kind)] = state.research_deck[state.research_top]
            state.research_top += 1
        else:
            state.research_size = _take(state.research_deck, state.research_top, state.research_size, kind)
        state.research[seat, kind] += 1

    def empty_pile(self, pile: int) -> None:
        """The last seat has chartered all ships of a pile."""
        state, seat = self.state, self.players - 1
        left = state.ship_deck[pile, state.ship_top[pile] :]
        state.ships[seat, pile] += len(left)
        state.crates[seat] += self.rules.crates[pile][left].sum()
        state.ship_top[pile] = c.PILE_SHIPS

    # ---- going on

    @property
    def asked(self) -> tuple[str, int]:
        """Prompt and seat."""
        return c.PROMPTS[self.state.prompt], int(self.state.actor)

    def legal(self) -> list[int]:
        """Legal actions of the choice there is."""
        return self._out[: legal(self.state, self.rules, self._out)].tolist()

    def answer(self, prompt: str, action: int) -> list[int]:
        """Take an action at the choice that must be there now; returns what was legal."""
        assert self.asked[0] == prompt
        actions = self.legal()
        assert action in actions, (prompt, action, actions)
        apply(self.state, self.rules, action)
        advance(self.state, self.rules)
        self.check()
        return actions

    def act(self, action: int, pay: str, *taken: int) -> None:
        """An action: paid with these divers, a capital letter for a pair of them; then what is taken."""
        self.answer("action", action)
        for letter in pay:
            code = LETTERS.index(letter.lower())
            self.answer("pay", PAIR + code if letter.isupper() else code)
        prompt = {c.SUBMARINE: "treasure", c.TAVERN: "drink", c.RESEARCH_STATION: "research"}.get(action // c.TIERS, "")
        for code in taken:
            self.answer(prompt, code)

    def stop(self) -> None:
        """End the turn, or Catch Your Breath where nothing has been done."""
        self.answer("action", PASS)

    # ---- looking

    def check(self) -> None:
        """The position is sound."""
        broken = broken_invariant(self.state, self.rules)
        assert broken == 0, BROKEN[broken]

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return bool(self.state.phase == c.PHASE_OVER)

    def score(self, seat: int) -> int:
        """VP of the seat as it stands."""
        return int(score_seat(self.states, self.rule_array, seat))

    def vp_by(self, seat: int) -> dict[str, int]:
        """Its VP by source, those of 0 left out; after score()."""
        return {name: int(vp) for name, vp in zip(c.SOURCES, self.state.vp_by[seat]) if vp}

    def kept(self, seat: int) -> dict[str, int]:
        """Treasures kept, by colour; after score()."""
        return {name: int(n) for name, n in zip(c.TREASURE_COLOURS, self.state.loaded[seat]) if n}

    def ranks(self) -> list[int]:
        """Of all seats, which are scored first."""
        for seat in range(self.players):
            self.score(seat)
        return [int(rank_seat(self.states, self.rule_array, seat)) for seat in range(self.players)]

    def settled_by(self) -> str:
        """What told the winner from the next; after ranks()."""
        return c.SETTLED_BY[settle(self.states, self.rule_array)]


def _take(deck: Any, top: int, size: int, kind: int) -> int:
    """Take a card of that kind out of a deck; returns the deck's new end."""
    place = int(top) + deck[top:size].tolist().index(kind)
    deck[place : size - 1] = deck[place + 1 : size].copy()
    return int(size) - 1
