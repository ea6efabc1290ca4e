"""Reading the table from a sight of the state, and moving its cubes while the Doom phase is retold.

A sight's lists may be changed here ("in place"): the teller works on a copy and compares it with what the kernels
made of the same moment.
"""

from kernels.end_of_atlantis import codes
from sim.stories import Sight
from sim.stories.end_of_atlantis.facts import Ship, Tie

NEUTRAL = codes.NEUTRAL
COLOURS = range(codes.COLOURS)
SPACES = range(codes.SHIPS)
TRACKED = (
    *("supply", "pool", "on_cards", "building", "land", "aboard", "area", "tile", "holder"),
    *("camp", "neutral_land", "printed_neutral"),
)


def seats_of(sight: Sight) -> range:
    """The seats at this table."""
    return range(sight.players)


# ---- the Senate order


def standing(sight: Sight, rules: Sight, seat: int) -> int:
    """Tokens that count for the Senate order."""
    pool = sight.frozen_pool if rules.senate_order_pool else sight.pool
    return int(pool[seat] + sight.pool_bonus[seat])


def senate_order(sight: Sight, rules: Sight) -> list[int]:
    """The seats, highest first."""
    return sorted(seats_of(sight), key=lambda seat: (-standing(sight, rules, seat), sight.marker[seat], seat))


def break_tie(sight: Sight, rules: Sight, higher: int, lower: int) -> Tie:
    """What puts one of two seats with equal numbers before the other."""
    equal = standing(sight, rules, higher) == standing(sight, rules, lower)
    return Tie(higher, lower, "marker" if equal else "pool")


# ---- ships


def ship_at(sight: Sight, space: int) -> Ship:
    """The ship of a port space."""
    return Ship(space, codes.TILES[sight.tile[space]])


def printed_on(sight: Sight, space: int) -> int:
    """1 if the ship carries the advanced Ark's own neutral."""
    return int(sight.printed_neutral) if sight.tile[space] == codes.TILE_ADVANCED_ARK else 0


def cargo(sight: Sight, space: int) -> tuple[int, ...]:
    """Refugees aboard by colour, the printed neutral counted."""
    cubes = list(sight.aboard[space])
    cubes[NEUTRAL] += printed_on(sight, space)
    return tuple(cubes)


def room(sight: Sight, rules: Sight, space: int) -> int:
    """Free spaces of a ship that is in port; 0 for any other."""
    tile = sight.tile[space]
    if tile == codes.NONE or sight.area[space] != codes.AREA_PORT:
        return 0
    return int(rules.tile_spaces[tile]) - sum(cargo(sight, space))


def may_sail(sight: Sight, rules: Sight, space: int) -> bool:
    """Whether the ship is there and not empty."""
    if sight.tile[space] == codes.NONE:
        return False
    refugees = sum(cargo(sight, space))
    return refugees > (0 if rules.ark_alone_moves else printed_on(sight, space))


def is_full(sight: Sight, rules: Sight, space: int) -> bool:
    """No space left, wherever the ship is."""
    return bool(sum(cargo(sight, space)) == rules.tile_spaces[sight.tile[space]])


# ---- moving cubes, in place


def discard(sight: Sight, space: int, seat: int) -> None:
    """A seat's refugee leaves the ship for its building."""
    sight.aboard[space][seat] -= 1
    sight.building[seat] += 1


def man_the_ark(sight: Sight, rules: Sight, space: int) -> None:
    """The advanced Ark's neutral comes aboard."""
    if sight.tile[space] != codes.TILE_ADVANCED_ARK:
        return
    if rules.ark_neutral == 0:
        sight.printed_neutral = 1
    elif sight.camp > 0:
        sight.camp -= 1
        sight.aboard[space][NEUTRAL] += 1


def return_to_port(sight: Sight, rules: Sight, space: int) -> None:
    """The ship is empty and in its space."""
    sight.area[space] = codes.AREA_PORT
    sight.aboard[space] = [0] * codes.COLOURS
    man_the_ark(sight, rules, space)


def lose_ship(sight: Sight, rules: Sight, space: int) -> None:
    """All aboard are discarded."""
    for seat in seats_of(sight):
        sight.building[seat] += sight.aboard[space][seat]
    sight.camp += sight.aboard[space][NEUTRAL]
    return_to_port(sight, rules, space)


def land(sight: Sight, rules: Sight, space: int) -> None:
    """All aboard go ashore."""
    for seat in seats_of(sight):
        sight.land[seat] += sight.aboard[space][seat]
    sight.neutral_land += sight.aboard[space][NEUTRAL]
    return_to_port(sight, rules, space)


def take_back(sight: Sight, place: str) -> list[int]:
    """Everybody's cubes from `place` (a field by seat) return behind the screens; returns how many, by seat."""
    cubes: list[int] = getattr(sight, place)
    back = [cubes[seat] for seat in seats_of(sight)]
    for seat in seats_of(sight):
        sight.supply[seat] += back[seat]
        cubes[seat] = 0
    return back
