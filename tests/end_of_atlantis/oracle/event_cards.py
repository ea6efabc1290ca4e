"""Rulebook chapters "Revealing Event Cards", "Event Cards" and "Upgrading Ships"."""

from .names import (
    ADV_ARK,
    AIRSHIP,
    ALL_IN,
    ARK,
    BLACK,
    DOOMS,
    P_EVENT_AGAIN,
    PASS,
    ROYAL,
    SCIENCE,
    SENATE_PAYS,
    SRC_LEADERSHIP,
    SRC_SENATE_PAYS,
    WARSHIP,
    WRATH,
)
from .setup import uses_chosen_ships
from .state import (
    aboard,
    add_vp,
    by_most,
    discard_everything_aboard,
    discard_refugee,
    in_port,
    largest_first,
    load,
    neutral_of_the_advanced_ark,
    on_ocean,
    return_to_port,
    room,
    senate_order,
    ships,
    with_room,
)


class EndOfTheGameError(Exception):
    """Doom!: the third one was revealed and counts (E20)."""


def reveal_event_card(g):
    """Revealing Event Cards: draw, resolve, bring neutrals, set the voting symbol."""
    card = draw_event(g)
    if g.event_now >= 0:
        g.events_past.append(g.event_now)
    g.event_now = card
    if card in DOOMS:
        doom(g)
    elif card == SENATE_PAYS:
        senate_pays_its_debts(g)
    elif card == WRATH:
        wrath_of_the_ocean_god(g)
    elif card == ALL_IN:
        yield from we_are_all_in_this_together(g)
    neutrals_come_aboard(g)
    set_voting_symbol(g)


def draw_event(g):
    """Doom!, Important; E15, E17, E84: too early a third Doom! is replaced, then shuffled back."""
    card = g.event_deck.pop(0)
    too_early = card in DOOMS and g.doom_count == 2 and g.turn <= g.rules["doom_redrawn_through"]
    if too_early and g.event_deck:
        rejected, card = card, g.event_deck.pop(0)
        stream = g.event_reshuffles
        g.event_reshuffles += 1
        g.event_deck = sorted([*g.event_deck, rejected], key=lambda e: (g.word(P_EVENT_AGAIN, stream, e), e))
    return card


# --- The cards ----------------------------------------------------------------------------------------------------


def doom(g):
    """Doom!: a Doom marker goes, ships are upgraded, the pool is emptied; the third ends the game."""
    g.doom_count += 1
    if g.doom_count == 3:
        raise EndOfTheGameError
    upgrade_ships(g, (ARK, SCIENCE) if g.doom_count == 1 else (ROYAL, AIRSHIP, WARSHIP))
    empty_the_pool(g)


def upgrade_ships(g, tiles):
    """Upgrading Ships: the advanced tile where the ship is; E29: the Ark's neutral; E74: chosen ships stay."""
    if uses_chosen_ships(g):
        return
    for ship in ships(g):
        if g.tile[ship] in tiles:
            g.tile[ship] += 5
            if g.tile[ship] == ADV_ARK:
                neutral_of_the_advanced_ark(g, ship)


def empty_the_pool(g):
    """Doom!, Senate Pays (E60): all pool cubes go home."""
    for seat in g.seats:
        g.supply[seat] += g.pool[seat]
        g.pool[seat] = 0


def most_and_second_most_tokens(g):
    """Senate Pays, Leadership (E61): most pool cubes; family rules (E44): leftmost markers."""
    if not g.rules["senate"]:
        return senate_order(g)[:2]
    return [s if g.pool[s] > 0 else None for s in by_most(g, g.pool)[:2]]


def senate_pays_its_debts(g):
    """The Senate Pays Its Debts."""
    for seat, points in zip(most_and_second_most_tokens(g), g.rules["senate_pays"]):
        if seat is not None:
            add_vp(g, seat, points, SRC_SENATE_PAYS)
    empty_the_pool(g)


def wrath_of_the_ocean_god(g):
    """Wrath of the Ocean God!"""
    for ship in on_ocean(g):
        discard_everything_aboard(g, ship)
        return_to_port(g, ship)


def we_are_all_in_this_together(g):
    """We're All In This Together! (E68)."""
    placed = [0] * g.players
    still_in = senate_order(g)
    while still_in:
        for seat in list(still_in):
            choices = with_room(g)
            if g.supply[seat] == 0 or placed[seat] >= g.rules["all_in_cubes"] or not choices:
                still_in.remove(seat)
                continue
            ship = yield ("all_in", seat, [PASS, *choices])
            if ship == PASS:
                still_in.remove(seat)
            else:
                load(g, seat, ship)
                placed[seat] += 1


def under_the_senates_leadership(g):
    """Under The Senate's Leadership! (E62): points at the start of the next Doom phase."""
    points = [g.neutral_land, (g.neutral_land + 1) // 2]
    for seat, number in zip(most_and_second_most_tokens(g), points):
        if seat is not None:
            add_vp(g, seat, number, SRC_LEADERSHIP)


# --- Neutral refugees and the symbol ------------------------------------------------------------------------------


def neutrals_come_aboard(g):
    """Revealing Event Cards (E05, E12, E23): one token to each of the largest ships in port."""
    if g.event_now in DOOMS and g.rules["doom_neutrals"] != 0:
        return
    ranking = largest_first(g, in_port(g))
    if g.rules["neutral_overflow"] == 1:
        ranking = [s for s in ranking if room(g, s) > 0]
    for ship in ranking[: g.rules["event_cubes"][g.event_now]]:
        if g.camp == 0:
            return
        if room(g, ship) <= 0:
            aggressive_neutral_makes_room(g, ship)
        if room(g, ship) > 0:
            g.camp -= 1
            g.aboard[ship][BLACK] += 1


def aggressive_neutral_makes_room(g, ship):
    """Variant: Aggressive Neutral Refugees (E37)."""
    if not g.rules["aggressive_neutrals"]:
        return
    asked = list(reversed(senate_order(g)))
    if g.rules["aggressive_victim"] == 1:
        asked = asked[:1]
    for seat in asked:
        if aboard(g, ship, seat) > 0:
            discard_refugee(g, ship, seat)
            return


def set_voting_symbol(g):
    """Doom Phase (E06, E23): the symbol of the card holds for the next turn."""
    if g.event_now in DOOMS and g.rules["doom_neutrals"] == 2:
        return
    g.voting_open = g.rules["event_open"][g.event_now]
