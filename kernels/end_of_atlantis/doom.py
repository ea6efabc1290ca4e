""" "4. Doom Phase" and "End of the Game"."""

from kernels.end_of_atlantis.codes import (
    CONTEST_GAME,
    END_THIRD_DOOM,
    EVENT_CHAOS,
    EVENT_LEADERSHIP,
    NOBODY,
    NONE,
    PHASE_DOOM,
    PHASE_OVER,
    SETTLED_CLEAR,
    SOURCE_LAND_MAJORITY,
    SOURCE_POOL_MAJORITY,
    SOURCE_SPECIALS,
    SPECIAL_END_VP,
    SPECIAL_KINDS,
)
from kernels.end_of_atlantis.events import (
    LAST_DOOM,
    board_neutrals,
    resolve_event,
    reveal_event,
    reward_leadership,
    set_voting,
)
from kernels.end_of_atlantis.hands import draw_politics, hand_size
from kernels.end_of_atlantis.order import is_higher, leader, note_majority, senate_order, settled_by, tokens
from kernels.end_of_atlantis.points import gain
from kernels.end_of_atlantis.ships import move_ships
from kernels.end_of_atlantis.steps import STEP_TURN
from kernels.jit import rule


@rule
def step_doom(state, rules):
    """From the majorities to the Event card; the third Doom! ends the game at once (E20)."""
    state.phase = PHASE_DOOM
    reward_leadership(state, rules)
    reward_land_majority(state, rules)
    reward_pool_majority(state, rules)
    reveal_event(state, rules)
    if state.doom_count == LAST_DOOM:
        end_game(state, rules)
    else:
        resolve_event(state, rules)


@rule
def step_boarding(state, rules):
    """From the neutrals to the new hands."""
    board_neutrals(state, rules)
    set_voting(state, rules)
    move_ships(state, rules)
    return_factions(state, rules)
    return_cards(state, rules)
    return_from_land(state, rules)
    return_from_pool(state, rules)
    refill_hands(state, rules)
    state.step = STEP_TURN


# ---- majorities


@rule
def reward_land_majority(state, rules):
    """Most tokens on the Promised Land; nobody if neutrals are more (E21) or if there is none (E22)."""
    winner = leader(state, rules, state.land, 0, NOBODY)
    most = int(state.land[winner])
    if state.neutral_land > most or (most == 0 and rules.empty_majority == 0):
        return
    note_majority(state, rules, state.land, 0, winner)
    gain(state, rules, winner, SOURCE_LAND_MAJORITY, int(rules.land_majority_vp))


@rule
def reward_pool_majority(state, rules):
    """Most tokens in the Senate pool, Proxy counted."""
    if rules.senate == 0:
        return
    winner = leader(state, rules, state.pool, 1, NOBODY)
    if tokens(state, state.pool, winner, 1) == 0 and rules.empty_majority == 0:
        return
    note_majority(state, rules, state.pool, 1, winner)
    gain(state, rules, winner, SOURCE_POOL_MAJORITY, int(rules.pool_majority_vp))


# ---- everything returns


@rule
def return_factions(state, rules):
    """Tokens to the board, save under Chaos; cubes from the buildings to their owners (E18)."""
    chaos = state.event_now == EVENT_CHAOS
    if not chaos:
        state.holder[:] = NOBODY
    if not chaos or rules.chaos_buildings == 0:
        for seat in range(rules.players):
            state.supply[seat] += state.building[seat]
            state.building[seat] = 0


@rule
def return_cards(state, rules):
    """Cubes from the Politics cards; the cards are discarded, played or not."""
    for seat in range(rules.players):
        state.supply[seat] += state.on_cards[seat]
        state.on_cards[seat] = 0
        for slot in range(state.laid_count[seat]):
            state.politics_discard[state.laid[seat, slot]] += 1
            state.laid[seat, slot] = NONE


@rule
def return_from_land(state, rules):
    """Cubes from the Promised Land; neutrals to the camp (E10)."""
    for seat in range(rules.players):
        state.supply[seat] += state.land[seat]
        state.land[seat] = 0
    if rules.neutrals_on_land == 0:
        state.camp += state.neutral_land
        state.neutral_land = 0


@rule
def return_from_pool(state, rules):
    """Half of the pool, rounded up, or all of it after Leadership (E60); nothing under Chaos, when it stays (E73)."""
    for seat in range(rules.players):
        state.pool_bonus[seat] = 0
        if state.event_now == EVENT_CHAOS:
            continue
        back = int(state.pool[seat])
        if state.event_now != EVENT_LEADERSHIP:
            back = (back + 1) // 2
        state.pool[seat] -= back
        state.supply[seat] += back


@rule
def refill_hands(state, rules):
    """New Politics cards in Senate order: up to seven, or as many as were laid (E07)."""
    senate_order(state, rules, state.queue)
    for i in range(rules.players):
        seat = int(state.queue[i])
        cards = int(rules.refill_to) - hand_size(state, seat)
        if rules.refill == 1:
            cards = int(state.laid_count[seat])
        for _ in range(cards):
            draw_politics(state, seat)


# ---- the end


@rule
def end_game(state, rules):
    """Special cards are shown and their points added."""
    for seat in range(rules.players):
        points = 0
        for kind in range(SPECIAL_KINDS):
            if rules.special_effect[kind] == SPECIAL_END_VP:
                points += int(state.special[seat, kind]) * int(rules.special_amount[kind])
        gain(state, rules, seat, SOURCE_SPECIALS, points)
    state.phase = PHASE_OVER
    state.actor = NOBODY
    state.end_reason = END_THIRD_DOOM


@rule
def ranking(state, rules, order):
    """Write the seats to `order`, winner first: by VP, ties by Senate order (E39); returns what told the first two
    apart.
    """
    for seat in range(rules.players):
        i = seat
        while i > 0 and finishes_before(state, rules, seat, int(order[i - 1])):
            order[i] = order[i - 1]
            i -= 1
        order[i] = seat
    level = SETTLED_CLEAR
    first = int(order[0])
    second = int(order[1])
    if state.vp[first] == state.vp[second]:
        level = settled_by(state, rules, first, second)
    state.settled[CONTEST_GAME, level] += 1
    return level


@rule
def finishes_before(state, rules, a, b):
    """Whether seat a ranks above seat b at the end of the game."""
    if state.vp[a] != state.vp[b]:
        return state.vp[a] > state.vp[b]
    return is_higher(state, rules, a, b)


@rule
def rank(state, rules, seat):
    """1 for the winner; no two seats share a rank (E39)."""
    place = 1
    for other in range(rules.players):
        if other != seat and finishes_before(state, rules, other, seat):
            place += 1
    return place


@rule
def decided_by(state, rules):
    """What told the winner from the next seat: SETTLED_."""
    return ranking(state, rules, state.seat_rank)


@rule
def finish_early(state, rules):
    """A game that is cut off stands as its scores do."""
