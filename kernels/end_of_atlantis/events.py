""" "Revealing Event Cards" and "Card Descriptions: Event Cards": drawing one, resolving it, neutrals coming aboard."""

from kernels.end_of_atlantis.codes import (
    AREA_OCEAN,
    DOOM_CARDS,
    EVENT_ALL_IN,
    EVENT_LEADERSHIP,
    EVENT_SENATE_PAYS,
    EVENT_WRATH,
    NEUTRAL,
    NOBODY,
    NONE,
    PASS,
    PROMPT_ALL_IN,
    PURPOSE_EVENT_RESHUFFLE,
    SHIPS,
    SOURCE_LEADERSHIP,
    SOURCE_SENATE_PAYS,
)
from kernels.end_of_atlantis.factions import ships_with_room
from kernels.end_of_atlantis.order import leader, senate_order
from kernels.end_of_atlantis.points import gain
from kernels.end_of_atlantis.setup import shuffle_events
from kernels.end_of_atlantis.ships import board, discard_refugee, lose_ship, room, room_in_port, upgrade
from kernels.end_of_atlantis.steps import STEP_ALL_IN, STEP_BOARDING
from kernels.jit import rule

LAST_DOOM = 3
LETTER_A, LETTER_B, LETTER_C, LETTER_E = 0, 1, 2, 4


@rule
def is_doom(event):
    """Whether this is one of the three copies of Doom!."""
    return event < DOOM_CARDS


# ---- drawing


@rule
def reveal_event(state, rules):
    """The top card becomes the current Event; a third Doom! that comes too early is replaced (E15, E17, E84)."""
    event = int(state.event_deck[state.event_top])
    state.event_top += 1
    too_early = is_doom(event) and state.doom_count == LAST_DOOM - 1 and state.turn <= rules.doom_redrawn_through
    if too_early and state.event_top < state.event_size:
        replacement = int(state.event_deck[state.event_top])
        state.event_top += 1
        shuffle_back(state, event)
        event = replacement
    if is_doom(event):
        state.doom_count += 1
    state.event_now = event
    state.event_history[min(int(state.turn), len(state.event_history)) - 1] = event


@rule
def shuffle_back(state, event):
    """The rest of the deck and this card, in a new order."""
    in_game = 1 << event
    for i in range(state.event_top, state.event_size):
        in_game |= 1 << int(state.event_deck[i])
    shuffle_events(state, PURPOSE_EVENT_RESHUFFLE, int(state.event_reshuffles), in_game)
    state.event_reshuffles += 1


# ---- resolving


@rule
def resolve_event(state, rules):
    """What the card does at once; the step that follows is set here."""
    state.step = STEP_BOARDING
    event = int(state.event_now)
    if is_doom(event):
        remove_doom_marker(state, rules)
    elif event == EVENT_SENATE_PAYS:
        senate_pays(state, rules)
    elif event == EVENT_WRATH:
        for space in range(SHIPS):
            if state.tile[space] != NONE and state.area[space] == AREA_OCEAN:
                lose_ship(state, rules, space)
    elif event == EVENT_ALL_IN:
        senate_order(state, rules, state.queue)
        state.passed[:] = 0
        state.all_in_placed[:] = 0
        state.at = 0
        state.step = STEP_ALL_IN


@rule
def remove_doom_marker(state, rules):
    """Doom!: ships are upgraded, the Senate pool is emptied (E60); chosen ships stay as they are (E74)."""
    if rules.chosen_ships[0] == NONE:
        if state.doom_count == 1:
            upgrade(state, rules, LETTER_A, LETTER_B)
        elif state.doom_count == 2:
            upgrade(state, rules, LETTER_C, LETTER_E)
    empty_pool(state, rules)


@rule
def empty_pool(state, rules):
    """Every token in the Senate pool goes back to its owner."""
    for seat in range(rules.players):
        state.supply[seat] += state.pool[seat]
        state.pool[seat] = 0


@rule
def senate_pays(state, rules):
    """Points for most and second most tokens; then the pool is emptied."""
    first, second = senate_leaders(state, rules)
    if first != NOBODY:
        gain(state, rules, first, SOURCE_SENATE_PAYS, int(rules.senate_pays[0]))
    if second != NOBODY:
        gain(state, rules, second, SOURCE_SENATE_PAYS, int(rules.senate_pays[1]))
    empty_pool(state, rules)


@rule
def senate_leaders(state, rules):
    """First and second in the pool, ties by Senate order, nobody without tokens (E61); family: by marker (E44)."""
    first = leader(state, rules, state.pool, 0, NOBODY)
    second = leader(state, rules, state.pool, 0, first)
    if rules.senate == 1:
        if state.pool[first] == 0:
            first = NOBODY
        if state.pool[second] == 0:
            second = NOBODY
    return first, second


@rule
def reward_leadership(state, rules):
    """Under The Senate's Leadership!, at the start of the next Doom phase (E62): neutrals ashore, and half of them
    (E19).
    """
    if state.event_now != EVENT_LEADERSHIP:
        return
    neutrals = int(state.neutral_land)
    first, second = senate_leaders(state, rules)
    if first != NOBODY:
        gain(state, rules, first, SOURCE_LEADERSHIP, neutrals)
    if second != NOBODY:
        gain(state, rules, second, SOURCE_LEADERSHIP, (neutrals + 1) // 2)


# ---- We're All In This Together! (E68)


@rule
def step_all_in(state, rules):
    """Round after round, one cube a turn, until nobody is left who can and will."""
    for _ in range(rules.players):
        seat = int(state.queue[state.at])
        if state.passed[seat] == 0:
            enough = state.all_in_placed[seat] >= rules.all_in_cubes
            if enough or state.supply[seat] == 0 or room_in_port(state, rules) == 0:
                state.passed[seat] = 1
            else:
                state.prompt = PROMPT_ALL_IN
                state.actor = seat
                return
        state.at = (state.at + 1) % rules.players
    state.step = STEP_BOARDING


@rule
def legal_all_in(state, rules, out):
    """PASS, then ships in port with room."""
    out[0] = PASS
    return 1 + ships_with_room(state, rules, 1, out, 1)


@rule
def apply_all_in(state, rules, action):
    """One cube aboard, or out for good."""
    seat = int(state.actor)
    if action == PASS:
        state.passed[seat] = 1
    else:
        board(state, action, seat)
        state.all_in_placed[seat] += 1
    state.at = (state.at + 1) % rules.players


# ---- neutrals and the next turn's voting


@rule
def board_neutrals(state, rules):
    """One neutral for each cube on the card, the k-th to the k-th largest ship in port (E11, E12)."""
    cubes = int(rules.event_cubes[state.event_now])
    if is_doom(int(state.event_now)) and rules.doom_neutrals != 0:
        cubes = 0
    ships = rank_ports(state, rules)
    i = 0
    while cubes > 0 and i < ships and state.camp > 0:
        space = int(state.ship_rank[i])
        i += 1
        if room(state, rules, space) > 0:
            take_from_camp(state, space)
        elif rules.neutral_overflow == 1:
            continue  # this cube looks at the next ship
        elif rules.aggressive_neutrals == 1:
            displace_last(state, rules, space)
        cubes -= 1


@rule
def rank_ports(state, rules):
    """Rank the ships in port by capacity, larger first, ties from the left; returns how many."""
    ranked = state.ship_rank
    count = 0
    for space in range(SHIPS):
        if state.tile[space] == NONE or state.area[space] == AREA_OCEAN:
            continue
        i = count
        while i > 0 and rules.tile_spaces[state.tile[space]] > rules.tile_spaces[state.tile[ranked[i - 1]]]:
            ranked[i] = ranked[i - 1]
            i -= 1
        ranked[i] = space
        count += 1
    return count


@rule
def take_from_camp(state, space):
    """A neutral goes aboard."""
    state.camp -= 1
    state.aboard[space, NEUTRAL] += 1


@rule
def displace_last(state, rules, space):
    """Aggressive neutrals: the last in Senate order with a refugee aboard loses one (E37)."""
    order = state.seat_rank
    senate_order(state, rules, order)
    for i in range(int(rules.players) - 1, -1, -1):
        seat = int(order[i])
        if state.aboard[space, seat] > 0:
            discard_refugee(state, space, seat)
            take_from_camp(state, space)
            return
        if rules.aggressive_victim == 1:
            return


@rule
def set_voting(state, rules):
    """The card's symbol holds next turn; Doom! may have none (E23)."""
    if is_doom(int(state.event_now)) and rules.doom_neutrals == 2:
        return
    state.voting_open = rules.event_open[state.event_now]
