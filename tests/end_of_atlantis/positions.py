"""Positions for the kernels' tests: a table is set, then driven through the kernels' entry points alone.

Jitted rules have no Python wrapper, so a test writes the state's fields, names the step that comes next and answers the
prompts. The same code runs with NUMBA_DISABLE_JIT=1.
"""

from functools import cache
from typing import Any

import numpy as np

from kernels.end_of_atlantis import codes as c
from kernels.end_of_atlantis import steps
from kernels.end_of_atlantis.check import BROKEN, broken_invariant
from kernels.end_of_atlantis.state import STATE, new_states
from kernels.end_of_atlantis.step import MOST_LEGAL, advance, apply, legal, new_game
from sim.games import find_game
from sim.rulebook import load_rules

GAME = find_game("end-of-atlantis")
BLACK = c.NEUTRAL
PASS, USE, OWN, NEIGHBOURS = c.PASS, c.USE, c.PLAY_OWN, c.PLAY_NEIGHBOURS
A, B, C, D, E = range(5)  # port spaces, each under the ship of its letter
HOARD, HEIRLOOM, CROWN_JEWELS, STOWAWAY, EMPATH, CONVOY, ALLIANCE, ORATOR, PROXY = range(9)
FILLER = c.POLITICS_SHIPS  # a card that cannot be played while the ships are empty

Move = tuple[str, int, int]  # prompt, seat, action


class Fields:
    """The fields of states[0] as live arrays (0-d for a number), as a record's attributes are slow to read."""

    def __init__(self, states: Any) -> None:
        for name in STATE.names or ():
            setattr(self, name, np.asarray(states[name])[0, ...])

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(name)


@cache
def rules_of(players: int, variants: tuple[str, ...] = (), settings: tuple[str, ...] = ()) -> Any:
    """The RULES record of these rules, shared: copy before changing it."""
    return load_rules(GAME, players, variants=variants, settings=settings).record().view(np.recarray)[0]


class Table:
    """A game in turn 1 with empty ships, empty hands and all cards in the decks, to be set as a test likes.

    Seats, spaces and cards are the codes of the contract. Cubes come from supply or camp, cards from the decks, so that
    every position is sound; this is checked whenever the game goes on.
    """

    def __init__(
        self, players: int = 4, *settings: str, variants: tuple[str, ...] = (), seed: int = 1, deal: int = 0
    ) -> None:
        self.players = players
        self.rules = rules_of(players, tuple(variants), tuple(settings))
        self.states = new_states(1)
        self.state = self.states[0]
        self._out = np.zeros(MOST_LEGAL, np.int16)
        new_game(self.state, self.rules, np.uint64(seed), deal)
        state = self.state
        # what the deal was, before it is taken back
        self.first_blacks = self.blacks()
        self.first_specials = [np.repeat(range(25), state.special[seat]).tolist() for seat in range(players)]
        self.first_face_up = state.face_up.tolist()
        state.hand[:, :] = 0
        state.politics_top = 0
        state.special[:, :] = 0
        state.effects[:] = 0
        state.face_up[:] = c.NONE
        state.special_top = 0
        state.turn = 1
        for space in range(5):
            state.camp += state.aboard[space, BLACK]
            state.aboard[space, BLACK] = 0

    # ---- setting the table

    def put(self, space: int, *colours: int) -> None:
        """Refugees aboard, one for each colour named."""
        for colour in colours:
            if colour == BLACK:
                self.state.camp -= 1
            else:
                self.state.supply[colour] -= 1
            self.state.aboard[space, colour] += 1

    def ashore(self, *cubes: int, black: int = 0) -> None:
        """Cubes of each seat, and tokens, on the Promised Land."""
        for seat, number in enumerate(cubes):
            self.state.supply[seat] -= number
            self.state.land[seat] += number
        self.state.camp -= black
        self.state.neutral_land += black

    def sail(self, *spaces: int) -> None:
        """These ships are on the ocean."""
        for space in spaces:
            self.state.area[space] = c.AREA_OCEAN

    def upgrade(self, *spaces: int) -> None:
        """These ships show their advanced side; the Ark has its printed neutral."""
        for space in spaces:
            self.state.tile[space] += c.ADVANCED
            if self.state.tile[space] == c.TILE_ADVANCED_ARK:
                self.state.printed_neutral = 1

    def pool(self, *tokens: int) -> None:
        """Tokens of each seat in the Senate pool, as if just revealed."""
        for seat, number in enumerate(tokens):
            self.state.supply[seat] -= number
            self.state.pool[seat] += number
            self.state.frozen_pool[seat] = self.state.pool[seat]

    def keep(self, seat: int, cubes: int) -> None:
        """The seat has so many cubes left behind its screen; the rest lies on its building."""
        self.state.building[seat] += self.state.supply[seat] - cubes
        self.state.supply[seat] = cubes

    def hold(self, seat: int, *factions: int) -> None:
        """The seat holds these Factions; its marker stands on the last one's space."""
        for faction in factions:
            self.state.holder[faction] = seat
            self.state.marker[seat] = list(self.rules.faction_order).index(faction)

    def special(self, seat: int, *kinds: int) -> None:
        """Special cards in hand."""
        state = self.state
        for kind in kinds:
            state.special_size = _take(state.special_deck, state.special_top, state.special_size, kind)
            state.special[seat, kind] += 1
            state.effects[seat] |= 1 << int(self.rules.special_effect[kind])

    def hand(self, seat: int, *kinds: int) -> None:
        """Politics cards in hand."""
        state = self.state
        for kind in kinds:
            state.politics_size = _take(state.politics_deck, state.politics_top, state.politics_size, kind)
            state.hand[seat, kind] += 1

    def deal_hands(self) -> None:
        """Seven Politics cards each, from the top."""
        for seat in range(self.players):
            self.hand(seat, *self.state.politics_deck[self.state.politics_top :][:7].tolist())

    def lay(self, *kinds: int) -> None:
        """A card of each seat in the next slot, face up."""
        state = self.state
        for seat, kind in enumerate(kinds):
            state.politics_size = _take(state.politics_deck, state.politics_top, state.politics_size, kind)
            state.laid[seat, state.laid_count[seat]] = kind
            state.laid_count[seat] += 1

    def empty_politics_deck(self, keep: int = 0) -> None:
        """All but the top `keep` cards go to the discards."""
        state = self.state
        for kind in state.politics_deck[state.politics_top + keep : state.politics_size]:
            state.politics_discard[kind] += 1
        state.politics_size = state.politics_top + keep

    def empty_special_deck(self, *, discard: bool) -> None:
        """The deck's cards go to the discards or to the last seat's hand."""
        state = self.state
        for kind in state.special_deck[state.special_top : state.special_size]:
            if discard:
                state.special_discard[kind] += 1
            else:
                state.special[self.players - 1, kind] += 1
        state.special_size = state.special_top

    def score(self, *points: int) -> None:
        """VP of each seat."""
        for seat, vp in enumerate(points):
            self.state.vp_by[seat, c.SOURCE_START] += vp - self.state.vp[seat]
            self.state.vp[seat] = vp

    def next_events(self, *events: int) -> None:
        """The whole Event deck, top card first."""
        self.state.event_deck[: len(events)] = events
        self.state.event_top = 0
        self.state.event_size = len(events)

    # ---- going on

    def go(self, step: int, phase: int) -> None:
        """Run on from this step to the next choice."""
        self.state.step = step
        self.state.phase = phase
        self.state.prompt = c.PROMPT_NONE
        self.check()
        advance(self.state, self.rules)
        self.check()

    def begin_turn(self) -> None:
        """The turn's first choice."""
        self.state.turn -= 1
        self.go(steps.STEP_TURN, c.PHASE_DOOM)

    def begin_voting(self, *, open_: bool = False) -> None:
        """The first choice of a voting, cards laid and revealed."""
        self.state.revealed = 1
        self.state.voting_open = int(open_)
        self.go(steps.STEP_VOTING, c.PHASE_VOTING)

    def vote(self, *bids: int) -> None:
        """A hidden voting up to the first choice after the bids."""
        self.begin_voting()
        self.bid(*bids)

    def bid(self, *bids: int) -> None:
        """The secret bids of a voting that has begun."""
        for seat, bid in enumerate(bids):
            self.answer("bid", seat, bid)

    def play_card(self, seat: int, card: int) -> None:
        """The seat wins a voting with one cube and plays this card, up to the card's first choice."""
        self.lay(*(card if other == seat else FILLER for other in range(self.players)))
        self.vote(*(int(other == seat) for other in range(self.players)))
        self.answer("play", seat, OWN)

    def doom(self, event: int, *later: int) -> None:
        """The Doom phase with this Event card on top, up to the next choice."""
        rest = [card for card in self.state.event_deck[self.state.event_top : self.state.event_size] if card != event]
        self.next_events(event, *(later or rest))
        self.go(steps.STEP_DOOM, c.PHASE_VOTING)

    def legal(self) -> list[int]:
        """Legal actions of the choice there is."""
        return self._out[: legal(self.state, self.rules, self._out)].tolist()

    @property
    def asked(self) -> tuple[str, int]:
        """Prompt and seat."""
        return c.PROMPTS[self.state.prompt], int(self.state.actor)

    def answer(self, prompt: str, seat: int, action: int) -> list[int]:
        """Take an action at the choice that must be there now; returns what was legal."""
        assert self.asked == (prompt, seat)
        actions = self.legal()
        assert action in actions, (prompt, seat, action, actions)
        apply(self.state, self.rules, action)
        advance(self.state, self.rules)
        self.check()
        return actions

    def play(self, *moves: Move) -> list[list[int]]:
        """Take these actions one after the other; returns what was legal at each."""
        return [self.answer(*move) for move in moves]

    def skip_to(self, *prompts: str) -> None:
        """Take the first legal action (to decline, to bid nothing) until one of these prompts comes."""
        while self.asked[0] not in prompts:
            assert not self.over, f"the game ended before {prompts}"
            self.answer(*self.asked, self.legal()[0])

    # ---- looking

    def check(self) -> None:
        """The position is sound."""
        broken = broken_invariant(self.state, self.rules)
        assert broken == 0, BROKEN[broken]

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return bool(self.state.phase == c.PHASE_OVER)

    def by_seat(self, field: str) -> list[Any]:
        """A field of the state, for the seats in play."""
        return np.asarray(self.state[field])[: self.players].tolist()

    def gained(self, source: int) -> list[int]:
        """VP of each seat from one source."""
        return self.state.vp_by[: self.players, source].tolist()

    def aboard(self, space: int) -> list[int]:
        """Refugees aboard by colour, the printed neutral not counted."""
        return self.state.aboard[space].tolist()

    def blacks(self) -> list[int]:
        """Neutral tokens aboard, by space."""
        return self.state.aboard[:, BLACK].tolist()

    def areas(self) -> list[int]:
        """Where the ships are, by space."""
        return self.state.area.tolist()


def _take(deck: Any, top: int, size: int, kind: int) -> int:
    """Take a card of that kind out of a deck; returns the deck's new end."""
    place = int(top) + deck[top:size].tolist().index(kind)
    deck[place : size - 1] = deck[place + 1 : size].copy()
    return int(size) - 1
