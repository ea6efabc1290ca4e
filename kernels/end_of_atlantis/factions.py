""" "2. Factions Phase": picking in Senate order, free picks for those who passed, abilities at the end, +1 tokens."""

from kernels.end_of_atlantis.codes import (
    FACTION_ARCHONT,
    FACTION_BASILEUS,
    FACTION_DEMIURGOS,
    NOBODY,
    PASS,
    PROMPT_ARCHONT,
    PROMPT_ARCHONT_DISCARD,
    PROMPT_BASILEUS,
    PROMPT_DEMIURGOS,
    PROMPT_FACTION,
    PROMPT_FREE_FACTION,
    SHIPS,
    SOURCE_PLUS_ONE,
    USE,
)
from kernels.end_of_atlantis.hands import can_take_special, draw_politics
from kernels.end_of_atlantis.points import gain
from kernels.end_of_atlantis.senate import start_voting_phase
from kernels.end_of_atlantis.ships import board, room, room_in_port
from kernels.end_of_atlantis.steps import STEP_ABILITIES, STEP_ARCHONT_DISCARDS, STEP_FREE_PICKS
from kernels.jit import rule

FACTIONS = 7


@rule
def step_picks(state, rules):
    """The paid picks, in the order of the phase's start."""
    if state.at < rules.players:
        state.prompt = PROMPT_FACTION
        state.actor = state.queue[state.at]
        return
    state.at = 0
    state.step = STEP_FREE_PICKS


@rule
def step_free_picks(state, rules):
    """Those who passed pick for free; with 2 players everybody then picks a second Faction (E57)."""
    while state.at < rules.players:
        seat = int(state.queue[state.at])
        if state.picks > 0 or state.passed[seat] == 1:
            state.prompt = PROMPT_FREE_FACTION
            state.actor = seat
            return
        state.at += 1
    state.at = 0
    state.picks += 1
    if state.picks == rules.factions_each:
        state.ability_at = 0
        state.step = STEP_ABILITIES


@rule
def legal_yes_or_no(out):
    """An ability that is used or not: Archont, Demiurgos, Philosophios, Strategos."""
    out[0] = PASS
    out[1] = USE
    return 2


@rule
def legal_faction(state, rules, out):
    """PASS and, if supply covers the price of this place, every Faction still there."""
    out[0] = PASS
    if state.supply[state.actor] < rules.faction_cost[state.at]:
        return 1
    return 1 + free_factions(state, out, 1)


@rule
def legal_free_faction(state, out):
    """Every Faction still there."""
    return free_factions(state, out, 0)


@rule
def free_factions(state, out, n):
    """Write the Factions nobody holds to `out[n:]`; returns how many."""
    first = n
    for faction in range(FACTIONS):
        if state.holder[faction] == NOBODY:
            out[n] = faction
            n += 1
    return n - first


@rule
def apply_faction(state, rules, action):
    """Pay and take the Faction, or pass."""
    seat = int(state.actor)
    if action == PASS:
        state.passed[seat] = 1
    else:
        price = int(rules.faction_cost[state.at])
        state.supply[seat] -= price
        state.building[seat] += price
        take_faction(state, rules, seat, action)
    state.at += 1


@rule
def apply_free_faction(state, rules, action):
    """Take the Faction at no price."""
    take_faction(state, rules, int(state.actor), action)
    state.at += 1


@rule
def take_faction(state, rules, seat, faction):
    """Token, marker, and the point of a +1 token, which turns back to its plain side (E34)."""
    state.holder[faction] = seat
    state.marker[seat] = board_place(rules, faction)
    if state.plus_one[faction] == 1:
        state.plus_one[faction] = 0
        state.plus_taken[seat] += 1
        gain(state, rules, seat, SOURCE_PLUS_ONE, int(rules.plus_one_vp))


@rule
def board_place(rules, faction):
    """Where a Faction stands on the board, 0 = leftmost (E33)."""
    for nth in range(FACTIONS):
        if rules.faction_order[nth] == faction:
            return nth
    return NOBODY


# ---- "At the end of the Factions phase ...": by board place (E55), each may be declined (E54)


@rule
def step_abilities(state, rules):
    """Ask the holders of Archont, Basileus and Demiurgos; then turn the tokens nobody took to +1."""
    while state.ability_at < FACTIONS:
        faction = int(rules.faction_order[state.ability_at])
        seat = int(state.holder[faction])
        state.ability_at += 1
        if seat == NOBODY:
            continue
        state.actor = seat
        if faction == FACTION_ARCHONT and rules.archont_cards > 0:
            state.prompt = PROMPT_ARCHONT
            return
        if faction == FACTION_BASILEUS and state.supply[seat] > 0 and room_in_port(state, rules) > 0:
            state.prompt = PROMPT_BASILEUS
            return
        if faction == FACTION_DEMIURGOS and can_take_special(state):
            state.prompt = PROMPT_DEMIURGOS
            return
    for faction in range(FACTIONS):
        if state.holder[faction] == NOBODY:
            state.plus_one[faction] = 1
    start_voting_phase(state)


@rule
def apply_archont(state, rules, action):
    """Draw five Politics cards, then discard as many, one at a time (E42, E90)."""
    if action == USE:
        state.discards_left = 0
        for _ in range(rules.archont_cards):
            if draw_politics(state, int(state.actor)):
                state.discards_left += 1
        state.step = STEP_ARCHONT_DISCARDS


@rule
def step_archont_discards(state):
    """One card after the other."""
    if state.discards_left > 0:
        state.prompt = PROMPT_ARCHONT_DISCARD
        state.actor = state.holder[FACTION_ARCHONT]
        return
    state.step = STEP_ABILITIES


@rule
def apply_archont_discard(state, action):
    """To the discard pile."""
    state.hand[state.actor, action] -= 1
    state.politics_discard[action] += 1
    state.discards_left -= 1


@rule
def legal_basileus(state, rules, out):
    """PASS, then ships in port with room."""
    out[0] = PASS
    return 1 + ships_with_room(state, rules, 1, out, 1)


@rule
def ships_with_room(state, rules, spaces, out, n):
    """Write the ships in port with at least `spaces` free spaces to `out[n:]`; returns how many."""
    first = n
    for space in range(SHIPS):
        if room(state, rules, space) >= spaces:
            out[n] = space
            n += 1
    return n - first


@rule
def apply_basileus(state, action):
    """One refugee from behind the screen to the ship."""
    if action != PASS:
        board(state, action, state.actor)


@rule
def apply_demiurgos(state, action):
    """One Special card is due."""
    if action == USE:
        state.specials_due = 1
        state.special_taker = state.actor
