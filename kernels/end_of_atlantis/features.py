"""What a seat of End of Atlantis can see of a position, in numbers: what the value model judges by.

Numbers are scaled to about -3 to 3. Seats are counted from the one asked about: itself, then its left neighbour, and so
on; absent seats are 0. `describe` reads what the seat may see and nothing else.
"""

from kernels.end_of_atlantis import codes as c
from kernels.end_of_atlantis.hands import hand_size
from kernels.end_of_atlantis.hidden import is_shown
from kernels.end_of_atlantis.order import is_higher, leader, tokens
from kernels.end_of_atlantis.ships import aboard, is_empty, load_of, sails_before
from kernels.end_of_atlantis.voting import places, votings
from kernels.engine.contract import MAX_PLAYERS
from kernels.jit import rule

WHO = ("own", *(f"next{i}" for i in range(1, MAX_PLAYERS)))
SEAT_NAMES = (
    *"vp lead supply pool on_cards building land order first port ocean port_cubes ocean_cubes doom".split(),
    *"land_majority pool_majority specials known_vp hand bid first_place later_place played".split(),
    *(f"holds_{c.slug(name)}" for name in c.FACTIONS),
    *(f"laid_{c.slug(name)}" for name in c.POLITICS),
)
OWN_NAMES = (
    *(f"hand_{c.slug(name)}" for name in c.POLITICS),
    *(f"slot_{c.slug(name)}" for name in c.POLITICS),
    *(f"effect_{name}" for name in c.SPECIAL_EFFECTS[1:]),
    *"end_vp secret_bid asked budget".split(),
)
SHIP_NAMES = (
    *"{ship}_ocean {ship}_free {ship}_full {ship}_colours {ship}_sails {ship}_advanced".split(),
    *(f"{who}_vp_{{ship}}" for who in WHO),
    *(f"{who}_cubes_{{ship}}" for who in WHO),
)
TABLE_NAMES = (
    *(f"doom{i}" for i in range(c.DOOM_CARDS)),
    *(f"phase_{name}" for name in c.PHASES[1:5]),
    *(f"event_{i}" for i in range(c.EVENT_CARDS)),
    *"turn votings_left open ending camp neutral_land playing top_dooms".split(),
)
NAMES = (
    *(f"{who}_{name}" for who in WHO for name in SEAT_NAMES),
    *(f"own_{name}" for name in OWN_NAMES),
    *(name.format(ship=f"ship_{letter.lower()}") for letter in c.LETTERS for name in SHIP_NAMES),
    *TABLE_NAMES,
)
SIZE = len(NAMES)
PLAIN = ("own_lead", "turn")  # what a plain table of chances goes by: lead and time
SEAT = len(SEAT_NAMES)
SHIP = len(SHIP_NAMES)
OWN_AT = SEAT * MAX_PLAYERS
SHIPS_AT = OWN_AT + len(OWN_NAMES)
TABLE_AT = SHIPS_AT + SHIP * c.SHIPS
HOLDS = SEAT_NAMES.index("holds_archont")
LAID = SEAT_NAMES.index("laid_refugees_1")
(VP, LEAD, SUPPLY, POOL, ON_CARDS, BUILDING, LAND, ORDER, FIRST, PORT, OCEAN, PORT_CUBES, OCEAN_CUBES, DOOM) = range(14)
(LAND_MAJORITY, POOL_MAJORITY, SPECIALS, KNOWN_VP, HAND, BID, FIRST_PLACE, LATER_PLACE, PLAYED) = range(14, 23)
assert SEAT_NAMES[PLAYED] == "played"
SHIP_VP = 6
SHIP_CUBES = SHIP_VP + MAX_PLAYERS


@rule
def landing_vp(state, rules, space, seat, colours):
    """VP that a seat gets if this ship lands by a Ships card."""
    refugees = int(state.aboard[space, seat])
    if refugees == 0:
        return 0.0
    return float(rules.ships_chart[min(refugees, 5) - 1] + (colours - 1 if rules.colour_points < 2 else 0))


@rule
def sails_at_doom(state, rules, space):
    """Whether the Doom phase would move this ship as things stand."""
    if is_empty(state, rules, space):
        return False
    ahead = 0
    for other in range(c.SHIPS):
        if other != space and state.tile[other] != c.NONE and not is_empty(state, rules, other):
            if sails_before(state, rules, other, space):
                ahead += 1
            elif other < space and not sails_before(state, rules, space, other):
                ahead += 1  # equals sail from the left
    return ahead < rules.doom_ships


@rule
def describe_ship(state, rules, space, seat, out, at):
    """One ship, and what it is worth to each seat, which goes into the seats' sums too."""
    tile = int(state.tile[space])
    if tile == c.NONE:
        return
    players = int(rules.players)
    spaces = int(rules.tile_spaces[tile])
    load = load_of(state, space)
    at_sea = state.area[space] == c.AREA_OCEAN
    crosses = tile == c.TILE_ADVANCED_AIRSHIP
    sails = sails_at_doom(state, rules, space)
    colours = 0
    for colour in range(c.COLOURS):
        if aboard(state, space, colour) > 0:
            colours += 1
    out[at] = 1.0 if at_sea else 0.0
    out[at + 1] = (spaces - load) / 4.0
    out[at + 2] = 1.0 if load == spaces else 0.0
    out[at + 3] = colours / 3.0
    out[at + 4] = 1.0 if sails else 0.0
    out[at + 5] = 1.0 if tile >= c.ADVANCED else 0.0
    for i in range(players):
        other = (seat + i) % players
        cubes = int(state.aboard[space, other])
        if cubes > 0:
            vp = landing_vp(state, rules, space, other, colours)
            out[at + SHIP_VP + i] = vp / 5.0
            out[at + SHIP_CUBES + i] = cubes / 3.0
            own = SEAT * i
            out[own + (OCEAN if at_sea else PORT)] += vp / 10.0
            out[own + (OCEAN_CUBES if at_sea else PORT_CUBES)] += cubes / 5.0
            if sails and (at_sea or crosses):
                out[own + DOOM] += vp / 10.0


@rule
def lead_of(state, rules, seat):
    """VP of a seat less those of the best other one."""
    best = -1000
    for other in range(rules.players):
        if other != seat:
            best = max(best, int(state.vp[other]))
    return int(state.vp[seat]) - best


@rule
def describe_seat(state, rules, viewer, seat, out, at):
    """What all can see of one seat, and its cards still to be played as far as the viewer can see them."""
    out[at + VP] = int(state.vp[seat]) / 20.0
    out[at + LEAD] = lead_of(state, rules, seat) / 10.0
    out[at + SUPPLY] = int(state.supply[seat]) / 10.0
    out[at + POOL] = int(state.pool[seat]) / 5.0
    out[at + ON_CARDS] = int(state.on_cards[seat]) / 5.0
    out[at + BUILDING] = int(state.building[seat]) / 5.0
    out[at + LAND] = int(state.land[seat]) / 5.0
    higher = 0
    for other in range(rules.players):
        if other != seat and is_higher(state, rules, other, seat):
            higher += 1
    out[at + ORDER] = higher / 2.0
    out[at + FIRST] = 1.0 if higher == 0 else 0.0
    most_on_land = leader(state, rules, state.land, 0, c.NOBODY)
    if most_on_land == seat and state.land[seat] > 0 and state.neutral_land <= state.land[seat]:
        out[at + LAND_MAJORITY] = 1.0
    if leader(state, rules, state.pool, 1, c.NOBODY) == seat and tokens(state, state.pool, seat, 1) > 0:
        out[at + POOL_MAJORITY] = 1.0
    cards = 0
    known = 0
    for kind in range(c.SPECIAL_KINDS):
        cards += int(state.special[seat, kind])
        if rules.special_effect[kind] == c.SPECIAL_END_VP:
            known += int(state.special_known[seat, kind]) * int(rules.special_amount[kind])
    out[at + SPECIALS] = cards / 2.0
    out[at + KNOWN_VP] = known / 3.0
    out[at + HAND] = hand_size(state, seat) / 5.0
    if state.phase == c.PHASE_VOTING:
        if state.bid[seat] > 0:
            out[at + BID] = int(state.bid[seat]) / 4.0
        if state.place[seat] == 1:
            out[at + FIRST_PLACE] = 1.0
        elif state.place[seat] > 1:
            out[at + LATER_PLACE] = 1.0
        out[at + PLAYED] = float(state.has_played[seat])
        for slot in range(int(state.slot), int(state.laid_count[seat])):
            if (seat == viewer or is_shown(state, seat, slot)) and state.played_card[seat] * (slot == state.slot) == 0:
                out[at + LAID + int(state.laid[seat, slot])] += 0.5
    for faction in range(len(c.FACTIONS)):
        if state.holder[faction] == seat:
            out[at + HOLDS + faction] = 1.0


@rule
def describe_own(state, rules, seat, out, at):
    """The seat's own cards and secrets."""
    kinds = c.POLITICS_KINDS
    for kind in range(kinds):
        out[at + kind] = int(state.hand[seat, kind]) / 2.0
    if state.phase == c.PHASE_VOTING and state.slot < state.laid_count[seat]:
        out[at + kinds + int(state.laid[seat, state.slot])] = 1.0
    at += 2 * kinds
    vp = 0
    for kind in range(c.SPECIAL_KINDS):
        held = int(state.special[seat, kind])
        if held > 0:
            effect = int(rules.special_effect[kind])
            if effect != c.SPECIAL_BLANK:
                out[at + effect - 1] += held
            if effect == c.SPECIAL_END_VP:
                vp += held * int(rules.special_amount[kind])
    at += len(c.SPECIAL_EFFECTS) - 1
    out[at] = vp / 3.0
    prompt = int(state.prompt)
    if prompt in (c.PROMPT_BID, c.PROMPT_SENATE_BID, c.PROMPT_DEMAGOGOS_LOOK, c.PROMPT_DEMAGOGOS_CHANGE):
        if state.pending[seat] > 0:
            out[at + 1] = int(state.pending[seat]) / 4.0
    out[at + 2] = 1.0 if state.actor == seat else 0.0
    if state.phase == c.PHASE_VOTING:
        out[at + 3] = int(state.supply[seat]) / (4.0 * max(1, votings(state, rules) - int(state.slot)))


@rule
def describe_table(state, rules, seat, out, at):
    """What lies before all: Doom!, phase, Event, camp."""
    out[at + min(int(state.doom_count), c.DOOM_CARDS - 1)] = 1.0
    at += c.DOOM_CARDS
    if c.PHASE_SENATE <= state.phase <= c.PHASE_DOOM:
        out[at + int(state.phase) - c.PHASE_SENATE] = 1.0
    at += 4
    if state.event_now != c.NONE:
        out[at + int(state.event_now)] = 1.0
    at += c.EVENT_CARDS
    left = int(state.event_size) - int(state.event_top)
    out[at] = int(state.turn) / 5.0
    if state.phase == c.PHASE_VOTING:
        out[at + 1] = (votings(state, rules) - int(state.slot)) / 3.0
    out[at + 2] = float(state.voting_open)
    if state.doom_count == c.DOOM_CARDS - 1:
        out[at + 3] = 2.0 / max(1, left)
    out[at + 4] = int(state.camp) / 5.0
    out[at + 5] = int(state.neutral_land) / 3.0
    if state.phase == c.PHASE_VOTING:
        out[at + 6] = places(state, rules) / 2.0
    out[at + 7] = (c.DOOM_CARDS - int(state.doom_count)) / max(1, left)


@rule
def describe(state, rules, seat, out):
    """Write the position as this seat sees it to out[:SIZE], which is all 0 on entry."""
    players = int(rules.players)
    for i in range(players):
        describe_seat(state, rules, seat, (seat + i) % players, out, SEAT * i)
    describe_own(state, rules, seat, out, OWN_AT)
    for space in range(c.SHIPS):
        describe_ship(state, rules, space, seat, out, SHIPS_AT + SHIP * space)
    describe_table(state, rules, seat, out, TABLE_AT)
