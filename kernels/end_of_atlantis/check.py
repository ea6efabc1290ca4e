"""Invariants that hold after every step, whatever is played."""

from numba import types

from kernels.end_of_atlantis.codes import COLOURS, NEUTRAL, NONE, SHIPS, SOURCES
from kernels.end_of_atlantis.rules import RULES_RECORD
from kernels.end_of_atlantis.ships import load_of
from kernels.end_of_atlantis.state import STATE_RECORD
from kernels.jit import entry, rule
from kernels.piles import total

BROKEN = (
    "sound",
    "a seat's cubes do not add up",
    "a count of cubes or cards is negative",
    "the neutral tokens do not add up",
    "a ship carries more than it has spaces",
    "the Politics cards do not add up",
    "the Special cards do not add up",
    "a score is not the sum of its sources",
    "a score is negative",
)


@rule
def cubes_of(state, seat):
    """All cubes of a seat, wherever they lie."""
    cubes = int(state.supply[seat]) + int(state.pool[seat]) + int(state.on_cards[seat])
    cubes += int(state.building[seat]) + int(state.land[seat])
    for space in range(SHIPS):
        cubes += int(state.aboard[space, seat])
    return cubes


@rule
def politics_cards(state, rules):
    """Deck, discards, hands and laid cards."""
    cards = int(state.politics_size) - int(state.politics_top) + total(state.politics_discard)
    for seat in range(rules.players):
        cards += total(state.hand[seat])
        for kind in state.laid[seat]:
            if kind != NONE:
                cards += 1
    return cards


@rule
def special_cards(state, rules):
    """Deck, discards, hands and face-up cards."""
    cards = int(state.special_size) - int(state.special_top) + total(state.special_discard)
    for seat in range(rules.players):
        cards += total(state.special[seat])
    for kind in state.face_up:
        if kind != NONE:
            cards += 1
    return cards


@entry(types.int64(STATE_RECORD, RULES_RECORD))
def broken_invariant(state, rules):
    """0 if the state is sound, else the position of what is wrong in BROKEN."""
    for seat in range(rules.players):
        if cubes_of(state, seat) != rules.cubes_per_player:
            return 1
        counts = min(state.supply[seat], state.pool[seat], state.on_cards[seat])
        if min(counts, state.building[seat], state.land[seat]) < 0:
            return 2
    neutrals = int(state.camp) + int(state.neutral_land)
    for space in range(SHIPS):
        neutrals += int(state.aboard[space, NEUTRAL])
        for colour in range(COLOURS):
            if state.aboard[space, colour] < 0:
                return 2
        if state.tile[space] != NONE and load_of(state, space) > rules.tile_spaces[state.tile[space]]:
            return 4
    if neutrals != rules.neutral_tokens or state.camp < 0:
        return 3
    if politics_cards(state, rules) != total(rules.politics_copies):
        return 5
    if special_cards(state, rules) != total(rules.special_copies):
        return 6
    for seat in range(rules.players):
        points = 0
        for source in range(len(SOURCES)):
            points += int(state.vp_by[seat, source])
        if points != state.vp[seat]:
            return 7
        if points < 0 and rules.negative_scores == 0:
            return 8
    return 0
