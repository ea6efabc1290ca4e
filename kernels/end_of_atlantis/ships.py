"""Ships: loading, moving, landing and scoring, returning, upgrading; the order of the Doom phase.

Rulebook: "Ships and Upgrading Ships", "Moving Ships", "Receiving Victory Points", "Moving Ships During the Doom
Phase".
"""

from kernels.end_of_atlantis.codes import (
    ADVANCED,
    AREA_OCEAN,
    AREA_PORT,
    CAUSE_DOOM,
    COLOURS,
    NEUTRAL,
    NOBODY,
    NONE,
    POLITICS_ROYAL_SHIP,
    SHIPS,
    SOURCE_COLOURS,
    SOURCE_MOVER,
    SOURCE_REFUGEES_DOOM,
    SOURCE_REFUGEES_ROYAL,
    SOURCE_REFUGEES_SHIPS,
    SOURCE_SCIENCE,
    TILE_ADVANCED_AIRSHIP,
    TILE_ADVANCED_ARK,
    TILE_ADVANCED_ROYAL,
    TILE_ADVANCED_SCIENCE,
    TILE_ADVANCED_WARSHIP,
)
from kernels.end_of_atlantis.points import gain
from kernels.jit import rule

# ---- what is aboard


@rule
def printed(state, space):
    """1 if the ship of this space carries the neutral printed on the advanced Ark (E29)."""
    return int(state.printed_neutral) if state.tile[space] == TILE_ADVANCED_ARK else 0


@rule
def aboard(state, space, colour):
    """Refugees of one colour aboard; black counts the printed neutral."""
    cubes = int(state.aboard[space, colour])
    return cubes + printed(state, space) if colour == NEUTRAL else cubes


@rule
def load_of(state, space):
    """Refugees aboard, of all colours."""
    total = printed(state, space)
    for colour in range(COLOURS):
        total += int(state.aboard[space, colour])
    return total


@rule
def room(state, rules, space):
    """Free spaces of a ship that can be loaded: in port; 0 for any other."""
    tile = int(state.tile[space])
    if tile == NONE or state.area[space] != AREA_PORT:
        return 0
    return int(rules.tile_spaces[tile]) - load_of(state, space)


@rule
def room_in_port(state, rules):
    """Free spaces of all ships in port."""
    total = 0
    for space in range(SHIPS):
        total += room(state, rules, space)
    return total


@rule
def others_aboard(state, space, seat):
    """Refugees aboard that are not of this seat, black included."""
    return load_of(state, space) - int(state.aboard[space, seat])


# ---- cubes


@rule
def board(state, space, seat):
    """One cube of the seat goes from behind its screen onto the ship."""
    state.supply[seat] -= 1
    state.aboard[space, seat] += 1


@rule
def discard_refugee(state, space, colour):
    """One refugee leaves the ship: to its owner's building (E28), a token to the camp, the printed neutral last
    (E87).
    """
    if colour != NEUTRAL:
        state.aboard[space, colour] -= 1
        state.building[colour] += 1
        state.lost_cubes[colour] += 1
    elif state.aboard[space, NEUTRAL] > 0:
        state.aboard[space, NEUTRAL] -= 1
        state.camp += 1
    else:
        state.printed_neutral = 0


@rule
def man_the_ark(state, rules, space):
    """The advanced Ark's own neutral comes aboard (E29), at the upgrade and whenever the Ark is back in port."""
    if state.tile[space] != TILE_ADVANCED_ARK:
        return
    if rules.ark_neutral == 0:
        state.printed_neutral = 1
    elif state.camp > 0:
        state.camp -= 1
        state.aboard[space, NEUTRAL] += 1


@rule
def return_to_port(state, rules, space):
    """An emptied ship is back in its port space."""
    state.area[space] = AREA_PORT
    for colour in range(COLOURS):
        state.aboard[space, colour] = 0
    man_the_ark(state, rules, space)


@rule
def lose_ship(state, rules, space):
    """Sabotage, Wrath: everything aboard is discarded and the ship returns to port."""
    for colour in range(NEUTRAL):
        cubes = int(state.aboard[space, colour])
        state.building[colour] += cubes
        state.lost_cubes[colour] += cubes
    state.camp += int(state.aboard[space, NEUTRAL])
    state.sailings_lost[state.tile[space]] += 1
    return_to_port(state, rules, space)


@rule
def upgrade(state, rules, first_letter, last_letter):
    """Tiles of these letters become advanced where they are, refugees and all ("Revealing Event Cards")."""
    for space in range(SHIPS):
        tile = int(state.tile[space])
        if first_letter <= tile <= last_letter:
            state.tile[space] = tile + ADVANCED
            man_the_ark(state, rules, space)


# ---- moving


@rule
def is_empty(state, rules, space):
    """Nothing aboard; E30 asks whether the printed neutral alone counts."""
    refugees = load_of(state, space)
    if rules.ark_alone_moves == 0:
        refugees -= printed(state, space)
    return refugees == 0


@rule
def may_move(state, rules, space, card):
    """Whether this card may move the ship: it is not empty; Royal Ship not on the advanced Airship."""
    tile = int(state.tile[space])
    if tile == NONE or is_empty(state, rules, space):
        return False
    return not (card == POLITICS_ROYAL_SHIP and tile == TILE_ADVANCED_AIRSHIP)


@rule
def would_land(state, space):
    """Whether one move by a card brings the ship to the Promised Land."""
    return state.area[space] == AREA_OCEAN or state.tile[space] == TILE_ADVANCED_AIRSHIP


@rule
def move(state, rules, space, cause, mover):
    """One move: port to ocean, ocean to the Promised Land; the advanced Airship crosses at once (E24 in the Doom
    phase).
    """
    crosses = state.tile[space] == TILE_ADVANCED_AIRSHIP and (cause != CAUSE_DOOM or rules.airship_doom == 0)
    if state.area[space] == AREA_OCEAN or crosses:
        land(state, rules, space, cause, mover)
    else:
        state.area[space] = AREA_OCEAN


@rule
def land(state, rules, space, cause, mover):
    """A ship reaches the Promised Land: points for everyone aboard, then for the mover; cubes ashore, ship back to
    port.
    """
    entry = int(state.arrivals)
    state.arrivals = entry + 1
    state.arrival_space[entry] = space
    state.arrival_tile[entry] = state.tile[space]
    state.arrival_cause[entry] = cause
    state.arrival_mover[entry] = mover
    state.arrival_turn[entry] = state.turn
    for seat in range(rules.players):
        state.arrival_vp[entry, seat] = -state.vp[seat]

    score_refugees(state, rules, space, cause, mover)
    score_colours(state, rules, space, cause)
    if cause != CAUSE_DOOM:
        reward_mover(state, rules, space, cause, mover)

    for seat in range(rules.players):
        state.arrival_vp[entry, seat] += state.vp[seat]
    for colour in range(COLOURS):
        state.arrival_cubes[entry, colour] = aboard(state, space, colour)
    for seat in range(rules.players):
        cubes = int(state.aboard[space, seat])
        state.land[seat] += cubes
        state.landed[seat] += cubes
    state.neutral_land += int(state.aboard[space, NEUTRAL])
    return_to_port(state, rules, space)


@rule
def score_refugees(state, rules, space, cause, mover):
    """The chart by own refugees, at most five; under Alliance the mover's count includes black (E79)."""
    source = SOURCE_REFUGEES_SHIPS
    if cause == CAUSE_DOOM:
        source = SOURCE_REFUGEES_DOOM
    elif cause == POLITICS_ROYAL_SHIP:
        source = SOURCE_REFUGEES_ROYAL
    for seat in range(rules.players):
        refugees = int(state.aboard[space, seat])
        if seat == mover and state.special_ship == space:
            refugees += aboard(state, space, NEUTRAL)
        if refugees > 0:
            step = min(refugees, 5) - 1
            vp = int(rules.royal_chart[step]) if cause == POLITICS_ROYAL_SHIP else int(rules.ships_chart[step])
            gain(state, rules, seat, source, vp)


@rule
def score_colours(state, rules, space, cause):
    """One point for each other colour aboard, black counted, to everyone with a refugee aboard (E02)."""
    if rules.colour_points == 2 or (rules.colour_points == 1 and cause == POLITICS_ROYAL_SHIP):
        return
    colours = 0
    for colour in range(COLOURS):
        if aboard(state, space, colour) > 0:
            colours += 1
    for seat in range(rules.players):
        if state.aboard[space, seat] > 0:
            gain(state, rules, seat, SOURCE_COLOURS, colours - 1)


@rule
def reward_mover(state, rules, space, cause, mover):
    """A point for bringing the ship home (E03); the advanced Science and Royal Vessels' bonus, from the ocean only
    (E72).
    """
    if rules.mover_points == 0 or (rules.mover_points == 1 and cause != POLITICS_ROYAL_SHIP):
        gain(state, rules, mover, SOURCE_MOVER, int(rules.mover_vp))
    if state.area[space] == AREA_OCEAN:
        if state.tile[space] == TILE_ADVANCED_SCIENCE:
            gain(state, rules, mover, SOURCE_SCIENCE, int(rules.science_vp))
        if state.tile[space] == TILE_ADVANCED_ROYAL:
            state.specials_due = int(rules.royal_vessel_specials)
            state.special_taker = mover


@rule
def is_guarded(state, space):
    """The advanced Warship is immune to red cards."""
    return state.tile[space] == TILE_ADVANCED_WARSHIP


# ---- the Doom phase


@rule
def move_ships(state, rules):
    """The ships that move on their own: full ones first, then the fullest, ties from the left; never an empty one
    (E71).
    """
    ranked = state.ship_rank
    count = 0
    for space in range(SHIPS):
        if state.tile[space] == NONE or is_empty(state, rules, space):
            continue
        i = count
        while i > 0 and sails_before(state, rules, space, int(ranked[i - 1])):
            ranked[i] = ranked[i - 1]
            i -= 1
        ranked[i] = space
        count += 1
    for i in range(min(count, int(rules.doom_ships))):
        move(state, rules, int(ranked[i]), CAUSE_DOOM, NOBODY)


@rule
def sails_before(state, rules, a, b):
    """Whether ship a ranks strictly before ship b, which lies further left."""
    load_a = load_of(state, a)
    load_b = load_of(state, b)
    full_a = load_a == rules.tile_spaces[state.tile[a]]
    full_b = load_b == rules.tile_spaces[state.tile[b]]
    if full_a or full_b:
        return full_a and not full_b
    return load_a > load_b
