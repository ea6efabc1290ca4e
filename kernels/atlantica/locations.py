"""What the four locations give: "The Possible Actions"."""

from kernels.atlantica.codes import (
    ACTION_DRINK,
    COLOURS,
    DRINK_RESEARCH,
    DRINK_SHIP,
    DRINK_TREASURE,
    HARBOR,
    LOCATIONS,
    NONE,
    PASS,
    PILE_SHIPS,
    RESEARCH_STATION,
    SUBMARINE,
    TAVERN,
    TIERS,
)
from kernels.atlantica.divers import divers_left, draw_to_waiting
from kernels.atlantica.payment import colours_held, pairs_left
from kernels.jit import rule

# ---- what can be done


@rule
def count_cards(row, spaces):
    """Cards on the first so many spaces of a row."""
    cards = 0
    for space in range(spaces):
        cards += int(row[space] != NONE)
    return cards


@rule
def has_ship(state, pile):
    """Whether a ship lies on this pile of the Harbor."""
    return state.ship_top[pile] < PILE_SHIPS


@rule
def pours_at(state, rules, location):
    """Whether a drink may take a card from there: a card lies on a space with a Tavern symbol, and none was taken."""
    if (int(state.from_location) >> location) & 1:
        return False
    if rules.drink_uses_location == 1 and state.used[location] == 1:
        return False
    if location == SUBMARINE:
        return count_cards(state.treasure_row, int(rules.drink_treasure_spaces)) > 0
    if location == RESEARCH_STATION:
        return count_cards(state.research_row, int(rules.drink_research_spaces)) > 0
    for pile in range(rules.drink_ship_piles):
        if has_ship(state, pile):
            return True
    return False


@rule
def drink_locations(state, rules):
    """Locations from which a drink may take its next card."""
    locations = 1 if pours_at(state, rules, SUBMARINE) else 0
    locations += 1 if pours_at(state, rules, HARBOR) else 0
    locations += 1 if pours_at(state, rules, RESEARCH_STATION) else 0
    return locations


@rule
def enough(rules, there, wanted):
    """Whether an action that grants so many cards is allowed where so many lie (A07)."""
    return int(there >= (1 if rules.partial_takes == 1 else wanted))


@rule
def finding_actions(state, rules):
    """Actions, as bits, that find what they take (A07, A21, A22)."""
    found = 0
    for tier in range(TIERS):
        treasures = count_cards(state.treasure_row, int(rules.dive_spaces[tier]))
        found |= enough(rules, treasures, int(rules.dive_cards[tier])) << (TIERS * SUBMARINE + tier)
        found |= int(has_ship(state, tier)) << (TIERS * HARBOR + tier)
        research = count_cards(state.research_row, int(rules.research_spaces[tier]))
        found |= enough(rules, research, int(rules.research_cards[tier])) << (TIERS * RESEARCH_STATION + tier)
    divers = divers_left(state) if rules.partial_takes == 0 else 0
    for tier in range(2):  # the divers paid are there at least
        found |= enough(rules, divers + tier + 1, int(rules.team_cards[tier])) << (TIERS * TAVERN + tier)
    locations = drink_locations(state, rules)
    pours = locations >= rules.drink_cards or (locations > 0 and rules.drink_one_location == 1)
    return found | int(pours) << ACTION_DRINK


@rule
def payable_actions(state, rules):
    """Actions, as bits, whose price the hand can pay, with a pair if one may still be played.

    A pair of colour x pays what single divers lack if, without the two, they lack one card at most: either that card
    was lacking before, or all cards are paid without a pair.
    """
    held, twice, thrice = colours_held(state, int(state.seat), NONE, 0)
    paid = int(rules.paid_by[held])
    if twice == 0 or pairs_left(state, rules) == 0:
        return paid
    if thrice != 0:
        paid |= int(rules.nearly_paid_by[held])
    only_twice = twice & ~thrice
    for colour in range(COLOURS):
        if (only_twice >> colour) & 1:
            paid |= int(rules.nearly_paid_by[held & ~(1 << colour)])
    return paid


@rule
def fitting_actions(state, rules):
    """Actions, as bits, of unused locations that do not ask for more cards than may still be played this turn."""
    tiers = min(TIERS, int(rules.cards_per_turn) - int(state.cards_played))
    bits = (1 << max(0, tiers)) - 1
    found = 0
    for location in range(len(LOCATIONS)):
        found |= (bits * (1 - int(state.used[location]))) << (TIERS * location)
    return found


@rule
def possible_actions(state, rules):
    """Actions that the seat whose turn it is could perform now, as bits: they fit, can be paid and find something."""
    return fitting_actions(state, rules) & payable_actions(state, rules) & finding_actions(state, rules)


@rule
def legal_action(state, rules, out):
    """PASS, and what is possible."""
    out[0] = PASS
    n = 1
    found = possible_actions(state, rules)
    for action in range(4 * TIERS):
        out[n] = action
        n += (found >> action) & 1
    return n


# ---- doing it


@rule
def perform(state, rules):
    """The price is paid: draw divers or charter a ship at once, or set how many cards are taken, one by one."""
    location = int(state.action) // TIERS
    tier = int(state.action) - TIERS * location
    state.left = 0
    if location == SUBMARINE:
        state.left = rules.dive_cards[tier]
    elif location == RESEARCH_STATION:
        state.left = rules.research_cards[tier]
    elif location == HARBOR:
        charter(state, rules, tier)
    elif tier < 2:
        drawn = draw_to_waiting(state, int(rules.team_cards[tier]))
        state.done_drawn = drawn
        state.drawn[state.seat] += drawn
    else:
        state.left = rules.drink_cards


@rule
def note_taken(state, location, what):
    """Remember for the recorder what an action took."""
    state.done_where[state.done_count] = location
    state.done_taken[state.done_count] = what
    state.done_count += 1


@rule
def charter(state, rules, pile):
    """Take the top ship of a pile; the next one is there at once (A22)."""
    seat = int(state.seat)
    ship = int(state.ship_deck[pile, state.ship_top[pile]])
    state.ship_top[pile] += 1
    state.ships[seat, pile] += 1
    state.crates[seat] += rules.crates[pile, ship]
    note_taken(state, HARBOR, PILE_SHIPS * pile + ship)


@rule
def collect(state, space):
    """Take a treasure from the row; its space stays empty until the end of the turn."""
    kind = int(state.treasure_row[space])
    state.treasure_row[space] = NONE
    state.treasures[state.seat, kind] += 1
    note_taken(state, SUBMARINE, kind)


@rule
def discover(state, space):
    """Take a Research card from the row."""
    kind = int(state.research_row[space])
    state.research_row[space] = NONE
    state.research[state.seat, kind] += 1
    note_taken(state, RESEARCH_STATION, kind)


@rule
def drink(state, rules, code):
    """Take a card from a space with a Tavern symbol."""
    if code >= DRINK_SHIP:
        charter(state, rules, code - DRINK_SHIP)
        location = HARBOR
    elif code >= DRINK_RESEARCH:
        discover(state, code - DRINK_RESEARCH)
        location = RESEARCH_STATION
    else:
        collect(state, code - DRINK_TREASURE)
        location = SUBMARINE
    state.from_location |= 1 << location


@rule
def cards_to_take(state, rules):
    """Whether the action under way finds another card to take."""
    location = int(state.action) // TIERS
    tier = int(state.action) - TIERS * location
    if state.left == 0:
        return False
    if location == SUBMARINE:
        return count_cards(state.treasure_row, int(rules.dive_spaces[tier])) > 0
    if location == RESEARCH_STATION:
        return count_cards(state.research_row, int(rules.research_spaces[tier])) > 0
    return drink_locations(state, rules) > 0


@rule
def begin_taking(state, rules, out):
    """PASS first, where fewer may be taken and something has been (A19); returns how many codes that makes."""
    if rules.take_fewer == 1 and state.done_count > 0:
        out[0] = PASS
        return 1
    return 0


@rule
def legal_row(state, rules, row, spaces, out):
    """The spaces of a row that hold a card."""
    n = begin_taking(state, rules, out)
    for space in range(spaces):
        out[n] = space
        n += int(row[space] != NONE)
    return n


@rule
def legal_treasure(state, rules, out):
    """The spaces this dive reaches."""
    return legal_row(state, rules, state.treasure_row, int(rules.dive_spaces[state.action - TIERS * SUBMARINE]), out)


@rule
def legal_research(state, rules, out):
    """The spaces this discovery reaches."""
    tier = int(state.action) - TIERS * RESEARCH_STATION
    return legal_row(state, rules, state.research_row, int(rules.research_spaces[tier]), out)


@rule
def legal_drink(state, rules, out):
    """Spaces with a Tavern symbol where a card lies, of locations that have given none yet."""
    n = begin_taking(state, rules, out)
    if pours_at(state, rules, SUBMARINE):
        for space in range(rules.drink_treasure_spaces):
            out[n] = DRINK_TREASURE + space
            n += int(state.treasure_row[space] != NONE)
    if pours_at(state, rules, RESEARCH_STATION):
        for space in range(rules.drink_research_spaces):
            out[n] = DRINK_RESEARCH + space
            n += int(state.research_row[space] != NONE)
    if pours_at(state, rules, HARBOR):
        for pile in range(rules.drink_ship_piles):
            out[n] = DRINK_SHIP + pile
            n += int(has_ship(state, pile))
    return n


@rule
def finish_action(state, rules):
    """The location is used; a drink may have used those it took from instead (A20)."""
    action = int(state.action)
    state.used[action // TIERS] = 1
    if action == ACTION_DRINK and rules.drink_uses_location == 1:
        for location in (SUBMARINE, HARBOR, RESEARCH_STATION):
            if (int(state.from_location) >> location) & 1:
                state.used[location] = 1
    state.tiers[state.seat, action] += 1
    state.done_action = action
    state.actions_done += 1
    state.acted += 1
    state.from_location = 0
    state.action = NONE
