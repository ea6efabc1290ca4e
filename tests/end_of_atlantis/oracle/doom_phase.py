"""Rulebook chapter "4. Doom Phase", item by item."""

from .event_cards import reveal_event_card, under_the_senates_leadership
from .moving_ships import move_ships_in_the_doom_phase
from .names import CHAOS, LEADERSHIP, SRC_LAND, SRC_POOL
from .state import add_vp, by_most, draw_politics_to_hand, senate_order


def doom_phase(g):
    """Doom Phase, in the rulebook's order."""
    g.phase = "doom"
    if g.event_now == LEADERSHIP:
        under_the_senates_leadership(g)
    most_on_the_promised_land(g)
    most_in_the_senate_pool(g)
    yield from reveal_event_card(g)
    yield from move_ships_in_the_doom_phase(g)
    return_faction_tokens(g)
    cubes_and_cards_of_the_votings(g)
    cubes_from_the_promised_land(g)
    half_of_the_senate_pool(g)
    draw_new_hands(g)


def most_on_the_promised_land(g):
    """Doom Phase, first item; Neutral Refugees (E21); E22."""
    seat = by_most(g, g.land)[0]
    if g.neutral_land > g.land[seat]:
        return
    if g.land[seat] == 0 and g.rules["empty_majority"] == 0:
        return
    add_vp(g, seat, g.rules["land_majority_vp"], SRC_LAND)


def most_in_the_senate_pool(g):
    """Doom Phase, second item; Family Variant: nobody; E22."""
    if not g.rules["senate"]:
        return
    tokens = [g.pool[s] + g.pool_bonus[s] for s in g.seats]
    seat = by_most(g, tokens)[0]
    if tokens[seat] == 0 and g.rules["empty_majority"] == 0:
        return
    add_vp(g, seat, g.rules["pool_majority_vp"], SRC_POOL)


def return_faction_tokens(g):
    """Doom Phase: tokens and the cubes on the buildings; Chaos Spreads! (E18)."""
    if g.event_now != CHAOS:
        g.holder = [-1] * 7
    if g.event_now == CHAOS and g.rules["chaos_buildings"] == 1:
        return
    for seat in g.seats:
        g.supply[seat] += g.building[seat]
        g.building[seat] = 0


def cubes_and_cards_of_the_votings(g):
    """Doom Phase: cubes off the cards, the cards to the discards; E07 remembers how many were laid."""
    g.cards_laid = [sum(1 for kind in g.laid[s] if kind >= 0) for s in g.seats]
    for seat in g.seats:
        g.supply[seat] += g.on_cards[seat]
        g.on_cards[seat] = 0
        for kind in g.laid[seat]:
            if kind >= 0:
                g.politics_discard[kind] += 1
        g.laid[seat] = [-1] * 5


def cubes_from_the_promised_land(g):
    """Doom Phase: cubes off the Promised Land; E10: neutrals to the camp or not."""
    for seat in g.seats:
        g.supply[seat] += g.land[seat]
        g.land[seat] = 0
    if g.rules["neutrals_on_land"] == 0:
        g.camp += g.neutral_land
        g.neutral_land = 0


def half_of_the_senate_pool(g):
    """Doom Phase, last item and Important (E19, E60); Chaos Spreads!: not this time; E77: a Proxy lasts one turn."""
    for seat in g.seats:
        back = (g.pool[seat] + 1) // 2
        if g.event_now == LEADERSHIP:
            back = g.pool[seat]
        if g.event_now == CHAOS:
            back = 0
        g.pool[seat] -= back
        g.supply[seat] += back
        g.pool_bonus[seat] = 0


def draw_new_hands(g):
    """E07: hands are filled in Senate order."""
    for seat in senate_order(g):
        number = g.rules["refill_to"] - sum(g.hand[seat])
        if g.rules["refill"] == 1:
            number = g.cards_laid[seat]
        draw_politics_to_hand(g, seat, number)
