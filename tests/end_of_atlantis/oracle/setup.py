"""Rulebook chapter "Setup", with the variants that change it."""

from .names import (
    ADV_ARK,
    ADV_SCIENCE,
    AIRSHIP,
    ARK,
    BLACK,
    P_EVENT,
    P_MARKERS,
    P_POLITICS,
    P_REMOVAL,
    P_SPECIAL,
    ROYAL,
    SCIENCE,
    SRC_START,
    WARSHIP,
)
from .state import (
    add_vp,
    draw_politics_to_hand,
    draw_special,
    largest_first,
    load,
    neutral_of_the_advanced_ark,
    room,
    ships,
    shuffled,
    with_room,
)


def setup(g):
    """Setup, in the order of the contract's chapter "Setup"."""
    prepare_special_and_politics_decks(g)
    prepare_event_deck(g)
    place_ships(g)
    place_neutrals(g)
    players_take_cubes_and_points(g)
    place_markers(g)
    deal_hands(g)
    lay_special_cards_face_up(g)
    yield from own_cubes_on_ships(g)


def prepare_special_and_politics_decks(g):
    """Setup: both decks are shuffled."""
    g.special_deck = shuffled(g, g.rules["special_copies"], P_SPECIAL, 0)
    g.politics_deck = shuffled(g, g.rules["politics_copies"], P_POLITICS, 0)


def prepare_event_deck(g):
    """Setup; E16: some events leave the game unseen, the three Doom! stay in."""
    others = sorted(range(3, 10), key=lambda e: (g.word(P_REMOVAL, 0, e), e))
    g.events_removed = others[: g.rules["events_removed"]]
    deck = [e for e in range(10) if e not in g.events_removed]
    g.event_deck = sorted(deck, key=lambda e: (g.word(P_EVENT, 0, e), e))


def uses_chosen_ships(g):
    """Variant: Chosen Ships (E45)."""
    return any(t >= 0 for t in g.rules["chosen_ships"])


def place_ships(g):
    """Setup: ships in order of their letters; 2-Player Game: no Ark; E74: chosen ships by letter, starting first."""
    if uses_chosen_ships(g):
        tiles = sorted((t for t in g.rules["chosen_ships"] if t >= 0), key=lambda t: (t % 5, t))
    else:
        tiles = [SCIENCE, ROYAL, AIRSHIP, WARSHIP] if g.players == 2 else [ARK, SCIENCE, ROYAL, AIRSHIP, WARSHIP]
    first = 1 if g.players == 2 else 0
    for i, tile in enumerate(tiles):
        g.tile[first + i] = tile


def place_neutrals(g):
    """Setup: some neutral tokens on the Ark (2-Player Game: on B), the rest in the camp; E29, E74."""
    if ADV_ARK in g.tile and g.rules["ark_neutral"] == 0:
        neutral_of_the_advanced_ark(g, g.tile.index(ADV_ARK))
    g.camp = g.rules["neutral_tokens"]
    ship = ship_of_the_setup_neutrals(g)
    for _ in range(g.rules["setup_neutrals"]):
        if room(g, ship) > 0 and g.camp > 0:
            g.camp -= 1
            g.aboard[ship][BLACK] += 1
    if ADV_ARK in g.tile and g.rules["ark_neutral"] == 1:
        neutral_of_the_advanced_ark(g, g.tile.index(ADV_ARK))


def ship_of_the_setup_neutrals(g):
    """Setup, 2-Player Game; E74: the Ark, with 2 players B, else the largest ship."""
    if g.players == 2:
        bs = [s for s in ships(g) if g.tile[s] in (SCIENCE, ADV_SCIENCE)]
        if bs:
            return bs[0]
    return largest_first(g, ships(g))[0]


def players_take_cubes_and_points(g):
    """Setup: cubes behind the screen, the marker on the victory track."""
    for seat in g.seats:
        g.supply[seat] = g.rules["cubes_per_player"]
        add_vp(g, seat, g.rules["start_vp"], SRC_START)


def place_markers(g):
    """E08: markers on Faction spaces from the left, in seat order or in a random order."""
    order = g.seats
    if g.rules["marker_order"] == 1:
        order = sorted(g.seats, key=lambda s: (g.word(P_MARKERS, 0, s), s))
    for place, seat in enumerate(order):
        g.marker[seat] = place


def deal_hands(g):
    """Setup: Politics cards seat by seat, then Special cards seat by seat."""
    for seat in g.seats:
        draw_politics_to_hand(g, seat, g.rules["hand_size"])
    for seat in g.seats:
        for _ in range(g.rules["setup_specials"]):
            card = draw_special(g)
            if card is not None:
                g.special[seat][card] += 1


def lay_special_cards_face_up(g):
    """Variant: Tactical Play, revealed Special cards (E82)."""
    if g.rules["revealed_specials"]:
        for i in range(3):
            card = draw_special(g)
            g.face_up[i] = -1 if card is None else card


def own_cubes_on_ships(g):
    """E09: rounds in marker order, one cube each, on ships that do not carry that seat yet."""
    for _ in range(g.rules["setup_cubes"]):
        for seat in sorted(g.seats, key=lambda s: g.marker[s]):
            choices = [s for s in with_room(g) if g.aboard[s][seat] == 0]
            if choices and g.supply[seat] > 0:
                ship = yield ("setup_cube", seat, choices)
                load(g, seat, ship)
