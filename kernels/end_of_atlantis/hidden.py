"""What a player cannot see, dealt anew: `resample_hidden` makes a world that one seat cannot tell from the real one.

Hidden (E85): the other seats' Politics and Special cards, except those taken face up; cards they have laid and not
shown; secret bids not yet revealed; the order of the decks; the Events removed at setup. Everything else stays.
"""

from numba import types

from kernels.end_of_atlantis.codes import (
    DOOM_CARDS,
    EVENT_CARDS,
    FACTION_ORAKLOS,
    NONE,
    POLITICS_KINDS,
    PROMPT_BID,
    PROMPT_DEMAGOGOS_CHANGE,
    PROMPT_DEMAGOGOS_LOOK,
    PROMPT_SENATE_BID,
    PURPOSE_RESAMPLE,
    SPECIAL_KINDS,
)
from kernels.end_of_atlantis.hands import count_effects, hand_size
from kernels.end_of_atlantis.rules import RULES_RECORD
from kernels.end_of_atlantis.state import SLOTS, STATE_RECORD
from kernels.jit import entry, rule
from kernels.rng import below, draw_spare
from kernels.worlds import rekey, swap_in


@rule
def is_shown(state, seat, slot):
    """Whether everybody can see the card a seat has laid in this slot."""
    return state.revealed == 1 and not (state.holder[FACTION_ORAKLOS] == seat and state.facedown[slot] == 1)


@rule
def shift(pile, source, target, n):
    """Move n cards within the pile; the two ranges may overlap."""
    if target < source:
        for i in range(n):
            pile[target + i] = pile[source + i]
    else:
        for i in range(n - 1, -1, -1):
            pile[target + i] = pile[source + i]


@rule
def clear_outside(deck, top, size):
    """Blank what no longer lies in a deck: cards drawn long ago tell of hands."""
    for i in range(len(deck)):
        if i < top or i >= size:
            deck[i] = 0


@rule
def resample_politics(state, rules, player):
    """Put every Politics card that `player` cannot place on one pile, shuffle, and fill the hidden places again."""
    pile = state.politics_deck
    left = int(state.politics_size) - int(state.politics_top)
    # The pile is what the rules put in the game less what the player sees: by kind, so that nothing of the real
    # order, and no other seat's hand, has a part in the new world.
    size = 0
    for kind in range(POLITICS_KINDS):
        unseen = int(rules.politics_copies[kind]) - int(state.politics_discard[kind]) - int(state.hand[player, kind])
        for seat in range(rules.players):
            for slot in range(SLOTS):
                if state.laid[seat, slot] == kind and (seat == player or is_shown(state, seat, slot)):
                    unseen -= 1
        for _ in range(unseen):
            pile[size] = kind
            size += 1
    top = 0
    for seat in range(rules.players):
        if seat == player:
            continue
        held = hand_size(state, seat)
        for kind in range(POLITICS_KINDS):
            state.hand[seat, kind] = 0
        for _ in range(held):
            state.hand[seat, swap_in(state, PURPOSE_RESAMPLE, pile, top, size)] += 1
            top += 1
        for slot in range(SLOTS):
            if state.laid[seat, slot] != NONE and not is_shown(state, seat, slot):
                state.laid[seat, slot] = swap_in(state, PURPOSE_RESAMPLE, pile, top, size)
                top += 1
    for i in range(top, size):
        swap_in(state, PURPOSE_RESAMPLE, pile, i, size)
    shift(pile, top, int(state.politics_top), left)
    clear_outside(pile, int(state.politics_top), int(state.politics_size))


@rule
def resample_specials(state, rules, player):
    """Likewise the Special cards, but for those that were taken face up."""
    pile = state.special_deck
    left = int(state.special_size) - int(state.special_top)
    size = 0
    for kind in range(SPECIAL_KINDS):
        unseen = int(rules.special_copies[kind]) - int(state.special_discard[kind])
        for seat in range(rules.players):
            unseen -= int(state.special[seat, kind]) if seat == player else int(state.special_known[seat, kind])
        for shown in state.face_up:
            if shown == kind:
                unseen -= 1
        for _ in range(unseen):
            pile[size] = kind
            size += 1
    top = 0
    for seat in range(rules.players):
        if seat == player:
            continue
        unknown = 0
        for kind in range(SPECIAL_KINDS):
            unknown += int(state.special[seat, kind]) - int(state.special_known[seat, kind])
            state.special[seat, kind] = state.special_known[seat, kind]
        for _ in range(unknown):
            state.special[seat, swap_in(state, PURPOSE_RESAMPLE, pile, top, size)] += 1
            top += 1
        count_effects(state, rules, seat)
    for i in range(top, size):
        swap_in(state, PURPOSE_RESAMPLE, pile, i, size)
    shift(pile, top, int(state.special_top), left)
    clear_outside(pile, int(state.special_top), int(state.special_size))


@rule
def resample_events(state, rules):
    """The Events to come: every Doom! not yet revealed is among them, the others may have been removed at setup."""
    size = int(state.event_size) - int(state.event_top)
    first = int(state.event_top)
    known = 1 if rules.revealed_events == 1 and size > 0 else 0  # the top card lies face up (E83)
    seen = 0
    for event in state.event_history:
        if event != NONE:
            seen |= 1 << int(event)
    if known == 1:
        seen |= 1 << int(state.event_deck[first])
    dooms = 0
    others = 0
    pile = state.event_pile
    for event in range(EVENT_CARDS):
        if (seen >> event) & 1 == 0:
            if event < DOOM_CARDS:
                dooms += 1
            else:
                others += 1
            pile[dooms + others - 1] = event
    # Doom! cards stand first in the pile: all of them stay, and chance picks the rest.
    for i in range(dooms, size - known):
        swap_in(state, PURPOSE_RESAMPLE, pile, i, dooms + others)
    for i in range(size - known):
        state.event_deck[first + known + i] = swap_in(state, PURPOSE_RESAMPLE, pile, i, size - known)
    clear_outside(state.event_deck, first, int(state.event_size))


@rule
def resample_bids(state, rules, player):
    """Secret bids of the others, save one that the Demagogos has just seen."""
    prompt = int(state.prompt)
    if prompt not in (PROMPT_BID, PROMPT_SENATE_BID, PROMPT_DEMAGOGOS_LOOK, PROMPT_DEMAGOGOS_CHANGE):
        return
    for seat in range(rules.players):
        seen = prompt == PROMPT_DEMAGOGOS_CHANGE and state.actor == player and state.looked_at == seat
        if seat != player and not seen and state.pending[seat] != NONE:
            state.pending[seat] = below(draw_spare(state, PURPOSE_RESAMPLE), int(state.supply[seat]) + 1)


@entry(types.void(STATE_RECORD, RULES_RECORD, types.int64, types.uint64, types.int64))
def resample_hidden(state, rules, player, seed, number):
    """Deal anew what `player` cannot see, and re-key every later draw. Modifies `state` in place.

    The new world follows from (seed, number) alone: it says nothing of the game's own future draws.
    """
    rekey(state, seed, number)
    state.event_pile[:] = 0
    resample_politics(state, rules, player)
    resample_specials(state, rules, player)
    resample_events(state, rules)
    resample_bids(state, rules, player)
