"""Rulebook chapter "Politics Cards": for each kind whether it can be fully applied, and what it does."""

from .moving_ships import BY_ROYAL_SHIP, BY_SHIPS, movable, move_ship, would_land
from .names import (
    ADV_WARSHIP,
    ARISTOCRACY,
    BLACK,
    BLANK,
    DEMAGOGOS,
    EXTRA_REFUGEE,
    EXTRA_SHIP,
    NEUTRAL_ALLY,
    PASS,
    REFUGEES,
    REFUGEES_1,
    REFUGEES_2,
    REFUGEES_21,
    REPLACE_REFUGEE,
    ROYAL_SHIP,
    SABOTAGE,
    SHIPS,
    SUPPORT,
)
from .special_cards import discard_special, held_with_effect, special_can_be_drawn, take_special
from .state import (
    aboard,
    discard_everything_aboard,
    discard_refugee,
    holder,
    in_port,
    load,
    on_ocean,
    other_colours,
    return_to_port,
    room,
    with_room,
)


def can_apply(g, seat, kind, special=None):
    """Voting Phase: a card is played only if its effects, with a declared Special (E76), can be fully applied."""
    effect = g.rules["special_effect"][special] if special is not None else BLANK
    amount = g.rules["special_amount"][special] if special is not None else 0
    if kind in REFUGEES:
        return can_apply_refugees(g, seat, kind, effect, amount)
    if kind == ARISTOCRACY:
        return g.supply[seat] >= 1 and bool(aristocracy_ships(g, seat))
    if kind == SHIPS:
        return can_apply_ships(g, effect)
    if kind == ROYAL_SHIP:
        return bool(allies(g, BY_ROYAL_SHIP) if effect == NEUTRAL_ALLY else movable(g, BY_ROYAL_SHIP))
    if kind == SUPPORT:
        return special_can_be_drawn(g)
    if kind == SABOTAGE:
        return bool(sabotage_targets(g, seat))
    return bool(betrayal_targets(g, seat))


def play_card(g, seat, kind):
    """Voting Phase and Special Cards: declare a Special (E76), then apply the card; E48: the actor is its player."""
    special = yield from declare(g, seat, kind)
    effect = g.rules["special_effect"][special] if special is not None else BLANK
    amount = g.rules["special_amount"][special] if special is not None else 0
    if kind in REFUGEES:
        yield from refugees(g, seat, kind, effect, amount)
    elif kind == ARISTOCRACY:
        yield from aristocracy(g, seat)
    elif kind == SHIPS:
        yield from ships_card(g, seat, effect)
    elif kind == ROYAL_SHIP:
        yield from royal_ship(g, seat, effect)
    elif kind == SUPPORT:
        yield from take_special(g, seat)
    elif kind == SABOTAGE:
        yield from sabotage(g, seat)
    else:
        yield from betrayal(g, seat)


def declare(g, seat, kind):
    """Special Cards (E76): at most one Special tied to this Politics card, discarded as it is declared."""
    fits = [k for k in held_with_effect(g, seat, effects_that_fit(kind)) if can_apply(g, seat, kind, k)]
    if not fits:
        return None
    special = yield ("declare", seat, [PASS, *fits])
    if special == PASS:
        return None
    discard_special(g, seat, special)
    return special


def effects_that_fit(kind):
    """E04: which Special effects name which Politics cards."""
    if kind in REFUGEES:
        return [EXTRA_REFUGEE, REPLACE_REFUGEE]
    if kind == SHIPS:
        return [EXTRA_SHIP, NEUTRAL_ALLY]
    if kind == ROYAL_SHIP:
        return [NEUTRAL_ALLY]
    return []


# --- Refugees -----------------------------------------------------------------------------------------------------


def cubes_of(kind):
    """Refugees: how many cubes the card places."""
    return {REFUGEES_1: 1, REFUGEES_2: 2, REFUGEES_21: 3}[kind]


def can_apply_refugees(g, seat, kind, effect, amount):
    """Refugees (E26), Stowaway and Empath (E80)."""
    cubes = cubes_of(kind)
    if effect == EXTRA_REFUGEE:
        cubes += amount
        if sum(room(g, s) for s in in_port(g)) < cubes:
            return False
    needed = cubes + 1 if effect == REPLACE_REFUGEE else cubes
    return g.supply[seat] >= needed and bool(load_choices(g, seat, kind, effect))


def load_choices(g, seat, kind, effect):
    """Refugees: the ships that can take the first load so that the rest can follow."""
    if kind == REFUGEES_21:
        return [s for s in with_room(g, 2) if second_load_choices(g, seat, s, effect)]
    return [s for s in with_room(g, cubes_of(kind)) if effect != REPLACE_REFUGEE or other_colours(g, s, seat)]


def second_load_choices(g, seat, first, effect):
    """Refugees 2+1: another ship with room; with Empath one of the two must carry another colour."""
    return [
        s
        for s in with_room(g)
        if s != first and (effect != REPLACE_REFUGEE or other_colours(g, first, seat) or other_colours(g, s, seat))
    ]


def refugees(g, seat, kind, effect, amount):
    """Refugees: one load on one ship, of 2+1 the third cube on another."""
    first = yield ("load", seat, load_choices(g, seat, kind, effect))
    for _ in range(min(cubes_of(kind), 2)):
        load(g, seat, first)
    loaded = [first]
    if kind == REFUGEES_21:
        second = yield ("load_second", seat, second_load_choices(g, seat, first, effect))
        load(g, seat, second)
        loaded.append(second)
    if effect == EXTRA_REFUGEE:
        yield from stowaway(g, seat, amount)
    if effect == REPLACE_REFUGEE:
        yield from empath(g, seat, loaded)


def stowaway(g, seat, amount):
    """Stowaway (E80): more refugees, each on any ship in port with room."""
    for _ in range(amount):
        ship = yield ("stowaway", seat, with_room(g))
        load(g, seat, ship)


def empath(g, seat, loaded):
    """Empath (E80): one refugee of another colour on a ship just loaded gives way to an own one."""
    choices = sorted(s for s in loaded if other_colours(g, s, seat))
    ship = choices[0]
    if len(choices) > 1:
        ship = yield ("empath_ship", seat, choices)
    victim = yield ("empath_victim", seat, other_colours(g, ship, seat))
    discard_refugee(g, ship, victim)
    load(g, seat, ship)


# --- Aristocracy --------------------------------------------------------------------------------------------------


def aristocracy_ships(g, seat):
    """Aristocracy (E70): a ship in port with room, or a full one that carries somebody else."""
    return [s for s in in_port(g) if room(g, s) > 0 or other_colours(g, s, seat)]


def aristocracy(g, seat):
    """Aristocracy: one refugee, on a full ship in place of another's."""
    ship = yield ("aristocracy", seat, aristocracy_ships(g, seat))
    if room(g, ship) <= 0:
        victim = yield ("aristocracy_victim", seat, other_colours(g, ship, seat))
        discard_refugee(g, ship, victim)
    load(g, seat, ship)


# --- Ships and Royal Ship -----------------------------------------------------------------------------------------


def number_of_moves(effect):
    """Ships (E25): exactly two; Convoy: three."""
    return 3 if effect == EXTRA_SHIP else 2


def can_apply_ships(g, effect):
    """Ships (E25), Convoy, Alliance (E79)."""
    if effect == NEUTRAL_ALLY and not allies(g, BY_SHIPS):
        return False
    return len(movable(g, BY_SHIPS)) >= number_of_moves(effect)


def allies(g, how):
    """Alliance (E79): ships with a neutral aboard that would land by one move of this card."""
    return [s for s in movable(g, how) if aboard(g, s, BLACK) > 0 and would_land(g, s, how)]


def ships_card(g, seat, effect):
    """Ships: different ships, each moved once; with an Alliance the allied one first."""
    moved = []
    if effect == NEUTRAL_ALLY:
        ship = yield ("ally", seat, allies(g, BY_SHIPS))
        moved.append(ship)
        yield from move_ship(g, ship, BY_SHIPS, seat, allied=True)
    while len(moved) < number_of_moves(effect):
        ship = yield ("move", seat, [s for s in movable(g, BY_SHIPS) if s not in moved])
        moved.append(ship)
        yield from move_ship(g, ship, BY_SHIPS, seat)


def royal_ship(g, seat, effect):
    """Royal Ship: one ship, one move, the royal chart if it lands."""
    if effect == NEUTRAL_ALLY:
        ship = yield ("ally", seat, allies(g, BY_ROYAL_SHIP))
        yield from move_ship(g, ship, BY_ROYAL_SHIP, seat, allied=True)
    else:
        ship = yield ("move", seat, movable(g, BY_ROYAL_SHIP))
        yield from move_ship(g, ship, BY_ROYAL_SHIP, seat)


# --- Sabotage and Betrayal ----------------------------------------------------------------------------------------


def immune(g, seat, colour):
    """2-Player Game, Demagogos (E58): the opponent's cubes cannot be touched by red cards."""
    return bool(g.rules["two_player_factions"]) and colour != seat and colour == holder(g, DEMAGOGOS)


def sabotage_targets(g, seat):
    """Sabotage: ships on the ocean, not the advanced Warship, none with an immune cube (E58)."""
    return [
        s
        for s in on_ocean(g)
        if g.tile[s] != ADV_WARSHIP and not any(immune(g, seat, c) and aboard(g, s, c) > 0 for c in g.seats)
    ]


def sabotage(g, seat):
    """Sabotage: all aboard are discarded, the ship is back in port."""
    ship = yield ("sabotage", seat, sabotage_targets(g, seat))
    discard_everything_aboard(g, ship)
    return_to_port(g, ship)


def removable_colours(g, seat, ship):
    """Betrayal, first use (E43, E58): the colours aboard that may be removed."""
    return [c for c in range(6) if aboard(g, ship, c) > 0 and not immune(g, seat, c)]


def betrayal_targets(g, seat):
    """Betrayal: a ship in port, or (5 + seat) one player's pool (E44, E69)."""
    targets = [s for s in in_port(g) if g.tile[s] != ADV_WARSHIP and removable_colours(g, seat, s)]
    if g.rules["senate"]:
        targets += [5 + s for s in g.seats if g.pool[s] > 0 and not immune(g, seat, s)]
    return targets


def betrayal(g, seat):
    """Betrayal: one of its two uses."""
    target = yield ("betrayal", seat, betrayal_targets(g, seat))
    if target < 5:
        yield from betrayal_on_a_ship(g, seat, target)
    else:
        yield from betrayal_on_the_pool(g, seat, target - 5)


def betrayal_on_a_ship(g, seat, ship):
    """Betrayal, first use (E43): one to four refugees, asked colour by colour."""
    colours = removable_colours(g, seat, ship)
    left = 4
    for colour in colours:
        if left == 0:
            return
        least = 1 if colour == colours[-1] and left == 4 else 0
        most = min(aboard(g, ship, colour), left)
        number = yield ("betrayal_count", seat, list(range(least, most + 1)))
        for _ in range(number):
            discard_refugee(g, ship, colour)
        left -= number


def betrayal_on_the_pool(g, seat, victim):
    """Betrayal, second use (E69): one to four cubes of one player's pool go to his building."""
    number = yield ("betrayal_count", seat, list(range(1, min(g.pool[victim], 4) + 1)))
    g.pool[victim] -= number
    g.building[victim] += number
