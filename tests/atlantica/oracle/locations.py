"""Rulebook "The Possible Actions" 1 to 4: what can be taken, and taking it (contract "Taking")."""

from .draws import shuffled
from .names import (
    DRINK_RESEARCH,
    DRINK_SHIP,
    EMPTY,
    HARBOR,
    RESEARCH_STATION,
    RESHUFFLE,
    SUBMARINE,
)


def at_least(rules, granted):
    """A07: one card must lie there, or all that the action grants."""
    return 1 if rules["partial_takes"] else granted


# 1. The Submarine


def treasure_spaces(state, rules, tier):
    """Spaces from which this dive may take, that hold a card (A15)."""
    return [space for space in range(rules["dive_spaces"][tier]) if state.treasure_row[space] != EMPTY]


def can_dive(state, rules, tier):
    return len(treasure_spaces(state, rules, tier)) >= at_least(rules, rules["dive_cards"][tier])


def take_treasure(state, space):
    """The seat has it for good; the space stays empty until the end of the turn (A22)."""
    state.treasures[state.seat][state.treasure_row[space]] += 1
    state.treasure_row[space] = EMPTY


# 2. The Harbor


def can_charter(state, rules, pile):
    """A05: an empty pile offers nothing."""
    return len(state.ship_deck[pile]) > 0


def take_ship(state, rules, pile):
    """The top ship of a pile; the next one is there at once (A22)."""
    ship = state.ship_deck[pile].pop(0)
    state.ships[state.seat][pile] += 1
    state.crates[state.seat] += rules["crates"][pile][ship]


# 3. The Tavern


def can_hire(state, rules, tier):
    """The deck, the discards and the t + 1 cards to be paid must be enough (A04, A07, A24)."""
    there = len(state.diver_deck) + sum(state.diver_discard) + tier + 1
    return there >= at_least(rules, rules["team_cards"][tier])


def hire_team(state, rules, tier):
    """Drawn unseen: they wait until the end of the turn."""
    for _ in range(rules["team_cards"][tier]):
        draw_diver(state, state.waiting)


def draw_diver(state, cards):
    """A04: an empty deck: the discards are reshuffled; still empty: no card."""
    if not state.diver_deck and sum(state.diver_discard) > 0:
        state.diver_deck = shuffled(state.seed, state.deal, RESHUFFLE, 16 * state.reshuffles, state.diver_discard)
        state.diver_discard = [0] * 6
        state.reshuffles += 1
    if state.diver_deck:
        cards[state.diver_deck.pop(0)] += 1


def drink_location(code):
    """The location from which a code of the prompt drink takes."""
    if code >= DRINK_SHIP:
        return HARBOR
    if code >= DRINK_RESEARCH:
        return RESEARCH_STATION
    return SUBMARINE


def drink_spaces(state, rules):
    """Spaces bearing a Tavern symbol (A03) with a card, of locations that this action has not taken from (A20)."""
    codes = []
    for space in range(rules["drink_treasure_spaces"]):
        if state.treasure_row[space] != EMPTY:
            codes.append(space)
    for space in range(rules["drink_research_spaces"]):
        if state.research_row[space] != EMPTY:
            codes.append(DRINK_RESEARCH + space)
    for pile in range(rules["drink_ship_piles"]):
        if state.ship_deck[pile]:
            codes.append(DRINK_SHIP + pile)

    # each card from another location
    codes = [code for code in codes if drink_location(code) not in state.taken_from]
    if rules["drink_uses_location"]:
        codes = [code for code in codes if not state.used[drink_location(code)]]
    return codes


def can_drink(state, rules):
    """A21: one location left gives one card, or is not allowed."""
    locations = {drink_location(code) for code in drink_spaces(state, rules)}
    return len(locations) >= (1 if rules["drink_one_location"] else rules["drink_cards"])


def take_drink_card(state, rules, code):
    """Buy all the divers a drink: a card of his choice from a space with a Tavern symbol."""
    location = drink_location(code)
    if location == HARBOR:
        take_ship(state, rules, code - DRINK_SHIP)
    elif location == RESEARCH_STATION:
        take_research(state, code - DRINK_RESEARCH)
    else:
        take_treasure(state, code)
    state.taken_from.append(location)


# 4. The Research Station


def research_spaces(state, rules, tier):
    return [space for space in range(rules["research_spaces"][tier]) if state.research_row[space] != EMPTY]


def can_discover(state, rules, tier):
    return len(research_spaces(state, rules, tier)) >= at_least(rules, rules["research_cards"][tier])


def take_research(state, space):
    """The seat has it for good; the space stays empty until the end of the turn (A22)."""
    state.research[state.seat][state.research_row[space]] += 1
    state.research_row[space] = EMPTY
