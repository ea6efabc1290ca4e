"""Rulebook chapters "2. Factions Phase" and the abilities of "Factions of Atlantis" used at its end."""

from .names import ARCHONT, BASILEUS, CHAOS, DEMIURGOS, PASS, SRC_PLUS_ONE, USE
from .special_cards import special_can_be_drawn, take_special
from .state import add_vp, draw_politics_to_hand, holder, load, senate_order, with_room


def factions_phase(g):
    """Factions Phase; Chaos Spreads!: skipped, tokens stay where they are (E18)."""
    if g.event_now == CHAOS:
        return
    g.phase = "factions"
    order = senate_order(g)
    passed = yield from acquire_or_pass(g, order)
    yield from free_tokens(g, [s for s in order if s in passed])
    if g.rules["factions_each"] == 2:
        yield from free_tokens(g, order)
    yield from end_of_factions_abilities(g)
    flip_tokens_not_chosen(g)


def acquire_or_pass(g, order):
    """Factions Phase: in Senate order, pay this place's price or pass (E56)."""
    passed = []
    for place, seat in enumerate(order):
        price = g.rules["faction_cost"][place]
        choices = [PASS]
        if g.supply[seat] >= price:
            choices += free_factions(g)
        choice = yield ("faction", seat, choices)
        if choice == PASS:
            passed.append(seat)
        else:
            g.supply[seat] -= price
            g.building[seat] += price
            take_faction(g, seat, choice)
    return passed


def free_tokens(g, seats):
    """Factions Phase: those who passed take a token for nothing; with 2 players everyone, the second time (E57)."""
    for seat in seats:
        choice = yield ("free_faction", seat, free_factions(g))
        take_faction(g, seat, choice)


def free_factions(g):
    """Factions Phase: the tokens still on the board."""
    return [f for f in range(7) if g.holder[f] == -1]


def take_faction(g, seat, faction):
    """Factions Phase: token taken, marker moved; a +1 token gives its point and is plain again (E34)."""
    g.holder[faction] = seat
    g.marker[seat] = g.rules["faction_order"].index(faction)
    if g.plus_one[faction]:
        g.plus_one[faction] = 0
        add_vp(g, seat, g.rules["plus_one_vp"], SRC_PLUS_ONE)


def flip_tokens_not_chosen(g):
    """Factions Phase: tokens nobody took turn to +1."""
    for faction in range(7):
        if g.holder[faction] == -1:
            g.plus_one[faction] = 1


def end_of_factions_abilities(g):
    """E55: the abilities of the end of the Factions phase, board left to right."""
    for faction in g.rules["faction_order"]:
        seat = holder(g, faction)
        if seat is None:
            continue
        if faction == ARCHONT:
            yield from archont(g, seat)
        if faction == BASILEUS:
            yield from basileus(g, seat)
        if faction == DEMIURGOS:
            yield from demiurgos(g, seat)


def archont(g, seat):
    """Archont (E42, E54): draw, then discard as many, one at a time."""
    use = yield ("archont", seat, [PASS, USE])
    if use == PASS:
        return
    drawn = draw_politics_to_hand(g, seat, g.rules["archont_cards"])
    for _ in range(drawn):
        kind = yield ("archont_discard", seat, [k for k in range(9) if g.hand[seat][k] > 0])
        g.hand[seat][kind] -= 1
        g.politics_discard[kind] += 1


def basileus(g, seat):
    """Basileus: one own refugee on any ship in port with a free space."""
    choices = with_room(g)
    if g.supply[seat] > 0 and choices:
        ship = yield ("basileus", seat, [PASS, *choices])
        if ship != PASS:
            load(g, seat, ship)


def demiurgos(g, seat):
    """Demiurgos: one Special card."""
    if special_can_be_drawn(g):
        use = yield ("demiurgos", seat, [PASS, USE])
        if use != PASS:
            yield from take_special(g, seat)
