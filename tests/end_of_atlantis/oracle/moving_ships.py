"""Rulebook chapters "Moving Ships" and "Receiving Victory Points"."""

from .names import (
    ADV_AIRSHIP,
    ADV_ROYAL,
    ADV_SCIENCE,
    BLACK,
    OCEAN,
    SRC_COLOURS,
    SRC_DOOM,
    SRC_MOVER,
    SRC_ROYAL,
    SRC_SCIENCE,
    SRC_SHIPS,
)
from .special_cards import take_special
from .state import aboard, add_vp, is_empty, number_aboard, other_colours, return_to_port, room, ships

BY_SHIPS, BY_ROYAL_SHIP, BY_DOOM = "Ships", "Royal Ship", "Doom"


def can_move(g, ship, how):
    """Moving Ships: never an empty ship; Advanced Airship: never by Royal Ship."""
    if how == BY_ROYAL_SHIP and g.tile[ship] == ADV_AIRSHIP:
        return False
    return not is_empty(g, ship)


def movable(g, how):
    """The ships a card could move."""
    return [s for s in ships(g) if can_move(g, s, how)]


def would_land(g, ship, how):
    """Moving Ships: from the ocean; the advanced Airship straight from the port (E24 for the Doom phase)."""
    if g.area[ship] == OCEAN:
        return True
    crosses = how != BY_DOOM or g.rules["airship_doom"] == 0
    return g.tile[ship] == ADV_AIRSHIP and crosses


def move_ship(g, ship, how, mover=None, allied=False):
    """Moving Ships: one area on, or home to the Promised Land."""
    if would_land(g, ship, how):
        yield from land(g, ship, how, mover, allied)
    else:
        g.area[ship] = OCEAN


def land(g, ship, how, mover, allied):
    """Receiving Victory Points, paragraph by paragraph."""
    points_for_own_refugees(g, ship, how, mover, allied)
    points_for_other_colours(g, ship, how)
    if how != BY_DOOM:
        point_for_moving_the_ship(g, how, mover)
        advanced_science_vessel(g, ship, mover)
    from_the_ocean = g.area[ship] == OCEAN
    refugees_go_ashore(g, ship)
    return_to_port(g, ship)
    if how != BY_DOOM and from_the_ocean:
        yield from advanced_royal_vessel(g, ship, mover)


def points_for_own_refugees(g, ship, how, mover, allied):
    """Receiving Victory Points, the charts (E01); E79: an Alliance adds all black to the mover's own."""
    chart = g.rules["royal_chart"] if how == BY_ROYAL_SHIP else g.rules["ships_chart"]
    source = {BY_SHIPS: SRC_SHIPS, BY_ROYAL_SHIP: SRC_ROYAL, BY_DOOM: SRC_DOOM}[how]
    for seat in g.seats:
        number = aboard(g, ship, seat)
        if allied and seat == mover:
            number += aboard(g, ship, BLACK)
        if number > 0:
            add_vp(g, seat, chart[min(number, 5) - 1], source)


def points_for_other_colours(g, ship, how):
    """Receiving Victory Points, worked example (E02)."""
    if g.rules["colour_points"] == 2 or (g.rules["colour_points"] == 1 and how == BY_ROYAL_SHIP):
        return
    for seat in g.seats:
        if aboard(g, ship, seat) > 0:
            add_vp(g, seat, len(other_colours(g, ship, seat)), SRC_COLOURS)


def point_for_moving_the_ship(g, how, mover):
    """Receiving Victory Points, worked example (E03)."""
    if g.rules["mover_points"] == 2 or (g.rules["mover_points"] == 1 and how == BY_ROYAL_SHIP):
        return
    add_vp(g, mover, g.rules["mover_vp"], SRC_MOVER)


def advanced_science_vessel(g, ship, mover):
    """Advanced Science Vessel (E72)."""
    if g.tile[ship] == ADV_SCIENCE and g.area[ship] == OCEAN:
        add_vp(g, mover, g.rules["science_vp"], SRC_SCIENCE)


def advanced_royal_vessel(g, ship, mover):
    """Advanced Royal Vessel (E72)."""
    if g.tile[ship] == ADV_ROYAL:
        for _ in range(g.rules["royal_vessel_specials"]):
            yield from take_special(g, mover)


def refugees_go_ashore(g, ship):
    """Receiving Victory Points: cubes go to the Promised Land; E29: the printed neutral does not."""
    for seat in g.seats:
        g.land[seat] += g.aboard[ship][seat]
    g.neutral_land += g.aboard[ship][BLACK]
    g.aboard[ship] = [0] * 6


def ships_of_the_doom_phase(g):
    """Moving Ships During the Doom Phase: full ships from the left, then by number aboard; E71: ranked once."""
    loaded = [s for s in ships(g) if not is_empty(g, s)]
    full = [s for s in loaded if room(g, s) <= 0]
    others = sorted((s for s in loaded if room(g, s) > 0), key=lambda s: (-number_aboard(g, s), s))
    return (full + others)[: g.rules["doom_ships"]]


def move_ships_in_the_doom_phase(g):
    """Moving Ships During the Doom Phase."""
    for ship in ships_of_the_doom_phase(g):
        yield from move_ship(g, ship, BY_DOOM)
