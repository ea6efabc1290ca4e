"""Politics and Special cards between deck, hand and discard (E07, E31, E81, E82)."""

from kernels.end_of_atlantis.codes import (
    FACE_UP,
    FROM_DECK,
    NONE,
    POLITICS_KINDS,
    PROMPT_TAKE_SPECIAL,
    PURPOSE_POLITICS_RESHUFFLE,
    PURPOSE_SPECIAL_RESHUFFLE,
    SPECIAL_KINDS,
)
from kernels.jit import rule
from kernels.piles import shuffle, total

# ---- Politics cards


@rule
def draw_politics(state, seat):
    """The seat draws the top card; an empty deck takes in the discards first. Returns whether there was a card."""
    if state.politics_top == state.politics_size:
        state.politics_size = shuffle(
            state.key,
            state.deal,
            PURPOSE_POLITICS_RESHUFFLE,
            16 * int(state.politics_reshuffles),
            state.politics_discard,
            state.politics_deck,
        )
        state.politics_top = 0
        if state.politics_size == 0:
            return False
        state.politics_discard[:] = 0
        state.politics_reshuffles += 1
    state.hand[seat, state.politics_deck[state.politics_top]] += 1
    state.politics_top += 1
    return True


@rule
def hand_size(state, seat):
    """Politics cards in the seat's hand."""
    return total(state.hand[seat])


@rule
def legal_kinds_in_hand(state, out):
    """Kinds the actor holds: what can be laid, or discarded for the Archont."""
    n = 0
    for kind in range(POLITICS_KINDS):
        out[n] = kind
        n += 1 if state.hand[state.actor, kind] > 0 else 0
    return n


# ---- Special cards


@rule
def next_special(state):
    """Take the top Special card off the deck, reshuffling the discards if need be; NONE if there is none."""
    if state.special_top == state.special_size:
        state.special_size = shuffle(
            state.key,
            state.deal,
            PURPOSE_SPECIAL_RESHUFFLE,
            32 * int(state.special_reshuffles),
            state.special_discard,
            state.special_deck,
        )
        state.special_top = 0
        if state.special_size == 0:
            return NONE
        state.special_discard[:] = 0
        state.special_reshuffles += 1
    kind = int(state.special_deck[state.special_top])
    state.special_top += 1
    return kind


@rule
def draw_special(state, rules, seat):
    """The seat draws the top Special card, if there is one."""
    kind = next_special(state)
    if kind != NONE:
        receive_special(state, rules, seat, kind)


@rule
def receive_special(state, rules, seat, kind):
    """The card comes to the seat's hand."""
    state.special[seat, kind] += 1
    state.effects[seat] |= 1 << int(rules.special_effect[kind])


@rule
def lay_face_up(state, slot):
    """Revealed Special cards: fill a slot from the deck."""
    state.face_up[slot] = next_special(state)


@rule
def deck_has_special(state):
    """Whether the deck or, after reshuffling, the discards hold a Special card."""
    if state.special_top < state.special_size:
        return True
    for count in state.special_discard:
        if count > 0:
            return True
    return False


@rule
def can_take_special(state):
    """Whether a Special card can be received at all (E81)."""
    for kind in state.face_up:
        if kind != NONE:
            return True
    return deck_has_special(state)


@rule
def step_take_special(state, rules):
    """The taker receives a card that is due: blindly, or by choice where three lie face up. A card that is not
    there is waived.
    """
    if not can_take_special(state):
        state.specials_due = 0
    elif rules.revealed_specials == 1:
        state.prompt = PROMPT_TAKE_SPECIAL
        state.actor = state.special_taker
    else:
        state.specials_due -= 1
        draw_special(state, rules, int(state.special_taker))


@rule
def legal_take_special(state, out):
    """Face-up slots, then the top of the deck."""
    n = 0
    for slot in range(FACE_UP):
        if state.face_up[slot] != NONE:
            out[n] = slot
            n += 1
    if deck_has_special(state):
        out[n] = FROM_DECK
        n += 1
    return n


@rule
def apply_take_special(state, rules, action):
    """Take a face-up card, which stays known and is replaced at once (E82), or the top of the deck."""
    seat = int(state.actor)
    if action == FROM_DECK:
        draw_special(state, rules, seat)
    else:
        kind = int(state.face_up[action])
        receive_special(state, rules, seat, kind)
        state.special_known[seat, kind] += 1
        lay_face_up(state, action)
    state.specials_due -= 1


@rule
def spend_special(state, rules, seat, kind):
    """A Special card is played: to the discards, one that everybody knows first."""
    state.special[seat, kind] -= 1
    if state.special_known[seat, kind] > 0:
        state.special_known[seat, kind] -= 1
    state.special_discard[kind] += 1
    count_effects(state, rules, seat)


@rule
def count_effects(state, rules, seat):
    """Set the seat's bits in `effects` from the Special cards it holds."""
    held = 0
    for kind in range(SPECIAL_KINDS):
        if state.special[seat, kind] > 0:
            held |= 1 << int(rules.special_effect[kind])
    state.effects[seat] = held


@rule
def holds_effect(state, seat, effect):
    """Whether the seat holds a Special card of this effect."""
    return (int(state.effects[seat]) >> effect) & 1 == 1


@rule
def legal_effect(state, rules, effect, out):
    """PASS, then the kinds of this effect that the actor holds."""
    out[0] = NONE
    n = 1
    for kind in range(SPECIAL_KINDS):
        if state.special[state.actor, kind] > 0 and rules.special_effect[kind] == effect:
            out[n] = kind
            n += 1
    return n
