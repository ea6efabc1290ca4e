"""Invariants that hold after every step, whatever is played."""

from numba import types

from kernels.atlantica.codes import (
    COLOURS,
    HURRICANE,
    NOBODY,
    PHASE_OVER,
    PILE_SHIPS,
    RESEARCH_KINDS,
    SHIP_PILES,
    SOURCES,
    TREASURE_KINDS,
)
from kernels.atlantica.rules import RULES_RECORD
from kernels.atlantica.state import STATE_RECORD
from kernels.jit import entry, rule
from kernels.piles import total

BROKEN = (
    "sound",
    "the divers of a colour do not add up",
    "the treasures of a kind do not add up",
    "the treasures set aside are not as many as the rules say",
    "the hurricane card is not in one place",
    "the Research cards of a kind do not add up",
    "the ships of a pile do not add up",
    "a count is negative",
    "more cards were played in a turn than the rules allow",
    "a score is not the sum of its sources",
    "a seat keeps treasures that it has not, or for which it has no crate",
)

@rule
def count_kind(cards, first, last, kind):
    """Cards of a kind in cards[first:last]."""
    found = 0
    for i in range(first, last):
        if cards[i] == kind:
            found += 1
    return found

@rule
def divers_of(state, colour):
    """All divers of a colour, wherever they lie."""
    cards = int(state.diver_discard[colour]) + int(state.waiting[colour])
    for seat in range(state.players):
        cards += int(state.hand[seat, colour])
    return cards + count_kind(state.diver_deck, int(state.diver_top), int(state.diver_size), colour)

@rule
def treasures_of(state, kind):
    """All treasures of a kind in the game."""
    cards = count_kind(state.treasure_row, 0, len(state.treasure_row), kind)
    for seat in range(state.players):
        cards += int(state.treasures[seat, kind])
    return cards + count_kind(state.treasure_deck, int(state.treasure_top), int(state.treasure_size), kind)

@rule
def research_of(state, kind):
    """All Research cards of a kind."""
    cards = count_kind(state.research_row, 0, len(state.research_row), kind)
    for seat in range(state.players):
        cards += int(state.research[seat, kind])
    return cards + count_kind(state.research_deck, int(state.research_top), int(state.research_size), kind)

@rule
def broken_score(state):
    """The same of a finished game's points."""
    for seat in range(state.players):
        points = 0
        for source in range(len(SOURCES)):
            points += int(state.vp_by[seat, source])
        if points != state.vp[seat]:
            return 9
        for kind in range(TREASURE_KINDS):
            if state.loaded[seat, kind] > state.treasures[seat, kind]:
                return 10
        if total(state.loaded[seat]) != min(int(state.crates[seat]), total(state.treasures[seat])):
            return 10
    return 0


@entry(types.int64(STATE_RECORD, RULES_RECORD))
def broken_invariant(state, rules):
    """0 if the state is sound, else the position of what is wrong in BROKEN."""
    for colour in range(COLOURS):
        if divers_of(state, colour) != rules.diver_copies[colour]:
            return 1
    in_game = 0
    for kind in range(TREASURE_KINDS):
        cards = treasures_of(state, kind)
        in_game += cards
        if cards > rules.treasure_copies[kind]:
            return 2
    if in_game != total(rules.treasure_copies) - rules.treasures_removed:
        return 3
    hidden = count_kind(state.treasure_deck, int(state.treasure_top), int(state.treasure_size), HURRICANE)
    if hidden != (1 if state.hurricane == NOBODY else 0):
        return 4
    for kind in range(RESEARCH_KINDS):
        if research_of(state, kind) != rules.research_copies[kind]:
            return 5
    for pile in range(SHIP_PILES):
        ships = PILE_SHIPS - int(state.ship_top[pile])
        for seat in range(state.players):
            ships += int(state.ships[seat, pile])
        if ships != PILE_SHIPS:
            return 6
    for seat in range(state.players):
        for colour in range(COLOURS):
            if state.hand[seat, colour] < 0:
                return 7
    if state.cards_played > rules.cards_per_turn or state.pairs_played > rules.pairs_per_turn:
        return 8
    if state.phase == PHASE_OVER:
        return broken_score(state)
    return 0
