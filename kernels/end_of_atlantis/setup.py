"""The deal: "Setup (4-player)", "2-Player Game", "Variant: Chosen Ships"."""

import numpy as np

from kernels.end_of_atlantis.codes import (
    ADVANCED,
    AREA_PORT,
    DOOM_CARDS,
    EVENT_CARDS,
    FACE_UP,
    NEUTRAL,
    NOBODY,
    NONE,
    PHASE_SETUP,
    PROMPT_SETUP_CUBE,
    PURPOSE_EVENT_DECK,
    PURPOSE_EVENT_REMOVAL,
    PURPOSE_MARKER_ORDER,
    PURPOSE_POLITICS_DECK,
    PURPOSE_SPECIAL_DECK,
    SHIPS,
    SOURCE_START,
    TILE_SCIENCE,
)
from kernels.end_of_atlantis.hands import draw_politics, draw_special, lay_face_up
from kernels.end_of_atlantis.points import gain
from kernels.end_of_atlantis.ships import board, man_the_ark, room
from kernels.end_of_atlantis.steps import STEP_SETUP, STEP_TURN
from kernels.engine.contract import MAX_PLAYERS
from kernels.jit import rule
from kernels.piles import place, shuffle, shuffle_single
from kernels.rng import stream_block, word_at
from kernels.worlds import set_keys

ALL_EVENTS = (1 << EVENT_CARDS) - 1


@rule
def set_up(state, rules, seed, deal):
    """Deal a game into a zeroed state. The caller sets the policies' streams. Modifies `state` in place."""
    set_keys(state, seed, deal)
    state.players = rules.players
    state.turn = 0
    state.phase = PHASE_SETUP
    state.step = STEP_SETUP
    state.actor = NOBODY
    clear_marks(state)
    prepare_decks(state, rules)
    place_ships(state, rules)
    place_neutrals(state, rules)
    for seat in range(rules.players):
        state.supply[seat] = rules.cubes_per_player
        gain(state, rules, seat, SOURCE_START, int(rules.start_vp))
    place_markers(state, rules)
    for seat in range(rules.players):
        for _ in range(rules.hand_size):
            draw_politics(state, seat)
    for seat in range(rules.players):
        for _ in range(rules.setup_specials):
            draw_special(state, rules, seat)
    if rules.revealed_specials == 1:
        for slot in range(FACE_UP):
            lay_face_up(state, slot)


@rule
def clear_marks(state):
    """Fields whose "nothing" is -1."""
    state.holder[:] = NOBODY
    state.face_up[:] = NONE
    state.event_now = NONE
    state.event_history[:] = NONE
    state.laid[:, :] = NONE
    state.pending[:] = NONE
    state.bid[:] = NONE
    state.looked_at = NOBODY
    state.called = NOBODY
    state.card_special = NONE
    state.card_ships[:] = NONE
    state.card_victim = NONE
    state.special_ship = NONE


@rule(allocates=True)
def prepare_decks(state, rules):
    """Shuffle the three decks; of the events that are not Doom!, `events_removed` leave the game unseen."""
    state.politics_size = shuffle(
        state.key, state.deal, PURPOSE_POLITICS_DECK, 0, rules.politics_copies, state.politics_deck
    )
    state.special_size = shuffle(
        state.key, state.deal, PURPOSE_SPECIAL_DECK, 0, rules.special_copies, state.special_deck
    )
    shuffle_events(state, PURPOSE_EVENT_REMOVAL, 0, ALL_EVENTS)
    in_game = ALL_EVENTS
    removed = 0
    for event in state.event_deck:
        if event >= DOOM_CARDS and removed < rules.events_removed:
            in_game -= 1 << int(event)
            removed += 1
    shuffle_events(state, PURPOSE_EVENT_DECK, 0, in_game)


@rule
def shuffle_events(state, purpose, stream, in_game):
    """Make the events whose bit is set in `in_game` the Event deck, by ascending key."""
    state.event_top = 0
    state.event_size = shuffle_single(state.key, state.deal, purpose, stream, EVENT_CARDS, in_game, state.event_deck)


@rule
def place_ships(state, rules):
    """Starting ships A to E from the left, or the chosen ones by letter (E74); with 2 players no Ark, space 0 stays
    empty.
    """
    state.tile[:] = NONE
    first = 1 if rules.players == 2 else 0
    if rules.chosen_ships[0] == NONE:
        for space in range(first, SHIPS):
            state.tile[space] = space
    else:
        space = first
        for letter in range(ADVANCED):
            for tile in (letter, letter + ADVANCED):
                for chosen in rules.chosen_ships:
                    if chosen == tile:
                        state.tile[space] = tile
                        space += 1
    state.area[:] = AREA_PORT


@rule
def place_neutrals(state, rules):
    """The first neutrals on the Ark (2 players: the Science Vessel; chosen ships: the largest), the rest to the
    camp.
    """
    ship = first_ship(state, rules)
    if rules.ark_neutral == 0:
        for space in range(SHIPS):
            man_the_ark(state, rules, space)
    tokens = min(int(rules.setup_neutrals), min(int(rules.neutral_tokens), room(state, rules, ship)))
    state.aboard[ship, NEUTRAL] += tokens
    state.camp = rules.neutral_tokens - tokens
    if rules.ark_neutral == 1:
        for space in range(SHIPS):
            man_the_ark(state, rules, space)


@rule
def first_ship(state, rules):
    """The ship that carries the setup neutrals (E74)."""
    if rules.players == 2:
        for space in range(SHIPS):
            if state.tile[space] == TILE_SCIENCE or state.tile[space] == TILE_SCIENCE + ADVANCED:
                return space
    largest = NONE
    for space in range(SHIPS):
        tile = state.tile[space]
        if tile == NONE:
            continue
        if largest == NONE or rules.tile_spaces[tile] > rules.tile_spaces[state.tile[largest]]:
            largest = space
    return largest


@rule(allocates=True)
def place_markers(state, rules):
    """Markers on the Faction spaces from the left: in seat order, or drawn (E08)."""
    if rules.marker_order == 0:
        for seat in range(rules.players):
            state.marker[seat] = seat
        return
    keys = np.empty(MAX_PLAYERS, np.int64)
    size = 0
    for seat in range(rules.players):
        w0, w1, w2, w3 = stream_block(state.key, state.deal, PURPOSE_MARKER_ORDER, 0, seat // 4)
        size = place(keys, size, (word_at(w0, w1, w2, w3, seat % 4) << 8) | seat)
    for nth in range(size):
        state.marker[keys[nth] & 0xFF] = nth


# ---- E09: own cubes on ships before the first turn


@rule
def step_setup(state, rules):
    """Ask the next seat in marker order for a setup cube, or begin the first turn; `picks` counts the rounds."""
    while state.picks < rules.setup_cubes:
        while state.at < rules.players:
            seat = seat_at_place(state, rules, int(state.at))
            if state.supply[seat] > 0:
                for space in range(SHIPS):
                    if may_take_setup_cube(state, rules, space, seat):
                        state.prompt = PROMPT_SETUP_CUBE
                        state.actor = seat
                        return
            state.at += 1
        state.at = 0
        state.picks += 1
    state.step = STEP_TURN


@rule
def seat_at_place(state, rules, nth):
    """The seat with the nth marker from the left."""
    for seat in range(rules.players):
        before = 0
        for other in range(rules.players):
            if state.marker[other] < state.marker[seat]:
                before += 1
        if before == nth:
            return seat
    return NOBODY


@rule
def may_take_setup_cube(state, rules, space, seat):
    """A seat's setup cubes stand on different ships with room."""
    return state.aboard[space, seat] == 0 and room(state, rules, space) > 0


@rule
def legal_setup_cube(state, rules, out):
    """Spaces whose ship has room and none of the seat's cubes."""
    n = 0
    for space in range(SHIPS):
        if may_take_setup_cube(state, rules, space, state.actor):
            out[n] = space
            n += 1
    return n


@rule
def apply_setup_cube(state, action):
    """One cube aboard; the next seat is asked."""
    board(state, action, state.actor)
    state.at += 1
