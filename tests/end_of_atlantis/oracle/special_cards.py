"""Rulebook chapter "Special Cards" (E04, E31, E76 to E82)."""

from .names import BID_BONUS, END_VP, PASS, SENATE_BONUS, SRC_SPECIALS
from .state import add_vp, draw_special, senate_order


def special_can_be_drawn(g):
    """E81: is there any Special card left to receive?"""
    return bool(g.special_deck) or sum(g.special_discard) > 0 or any(k >= 0 for k in g.face_up)


def take_special(g, seat):
    """Special Cards: receive one; Tactical Play (E82): one of the face-up cards or the top of the deck."""
    if not special_can_be_drawn(g):
        return
    if not g.rules["revealed_specials"]:
        g.special[seat][draw_special(g)] += 1
        return
    choices = [i for i in range(3) if g.face_up[i] >= 0]
    if g.special_deck or sum(g.special_discard) > 0:
        choices.append(3)
    choice = yield ("take_special", seat, choices)
    if choice == 3:
        g.special[seat][draw_special(g)] += 1
    else:
        g.special[seat][g.face_up[choice]] += 1
        refill = draw_special(g)
        g.face_up[choice] = -1 if refill is None else refill


def held_with_effect(g, seat, effects):
    """The kinds of Special cards a seat holds that have one of these effects, ascending."""
    return [k for k in range(25) if g.special[seat][k] > 0 and g.rules["special_effect"][k] in effects]


def discard_special(g, seat, kind):
    """A Special card that was played."""
    g.special[seat][kind] -= 1
    g.special_discard[kind] += 1


def proxy(g):
    """E77: after the Senate reveal, one round in Senate order, one Proxy each."""
    for seat in senate_order(g):
        kinds = held_with_effect(g, seat, [SENATE_BONUS])
        if kinds:
            kind = yield ("proxy", seat, [PASS, *kinds])
            if kind != PASS:
                discard_special(g, seat, kind)
                g.pool_bonus[seat] += g.rules["special_amount"][kind]


def orator(g, order):
    """E77: after the bids of a voting, one round in Senate order, one Orator each."""
    for seat in order:
        kinds = held_with_effect(g, seat, [BID_BONUS])
        if kinds:
            kind = yield ("orator", seat, [PASS, *kinds])
            if kind != PASS:
                discard_special(g, seat, kind)
                g.bid_bonus[seat] += g.rules["special_amount"][kind]


def end_of_game_specials(g):
    """End of the Game: Special cards worth points are revealed."""
    for seat in g.seats:
        points = sum(g.special[seat][k] * g.rules["special_amount"][k] for k in held_with_effect(g, seat, [END_VP]))
        add_vp(g, seat, points, SRC_SPECIALS)
