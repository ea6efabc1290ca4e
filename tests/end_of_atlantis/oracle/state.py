"""The table: what lies where, and the questions every chapter of the rulebook asks of it."""

from tests.machinery import philox

from .names import ADV_ARK, BLACK, OCEAN, P_POLITICS_AGAIN, P_SPECIAL_AGAIN, PORT


class Game:
    """All fields of the contract's "The state, field by field", as plain ints and lists."""

    def __init__(self, rules, seed, deal):
        self.rules = {k: [int(x) for x in v] if hasattr(v, "__len__") else int(v) for k, v in rules.items()}
        self.seed, self.deal = seed, deal
        self.players = self.rules["players"]
        self.seats = list(range(self.players))
        self.turn, self.phase = 0, "setup"
        self.vp = [0] * self.players
        self.vp_by = [[0] * 14 for _ in range(self.players)]
        self.supply, self.pool, self.pool_bonus, self.frozen_pool = (
            [0] * self.players,
            [0] * self.players,
            [0] * self.players,
            [0] * self.players,
        )
        self.on_cards, self.building, self.land = [0] * self.players, [0] * self.players, [0] * self.players
        self.aboard = [[0] * 6 for _ in range(5)]
        self.printed_neutral, self.camp, self.neutral_land = 0, 0, 0
        self.tile, self.area = [-1] * 5, [PORT] * 5
        self.marker = [0] * self.players
        self.holder, self.plus_one = [-1] * 7, [0] * 7
        self.hand = [[0] * 9 for _ in range(self.players)]
        self.politics_deck, self.politics_discard, self.politics_reshuffles = [], [0] * 9, 0
        self.special = [[0] * 25 for _ in range(self.players)]
        self.special_deck, self.special_discard, self.special_reshuffles = [], [0] * 25, 0
        self.face_up = [-1, -1, -1]
        self.event_deck, self.event_now, self.event_reshuffles = [], -1, 0
        self.events_removed, self.events_past = [], []  # not in the contract's table: out of the game, resolved before
        self.voting_open, self.doom_count = 0, 0
        self.laid, self.facedown = [[-1] * 5 for _ in range(self.players)], [0] * 5
        self.slot, self.pending, self.bid, self.bid_bonus, self.place = (
            0,
            [-1] * self.players,
            [-1] * self.players,
            [0] * self.players,
            [0] * self.players,
        )
        self.demagogos_used = 0

    def word(self, purpose, stream, i):
        """Contract, Random draws."""
        return philox.word(self.seed, self.deal, purpose, stream, i)


# --- Receiving Victory Points -------------------------------------------------------------------------------------


def add_vp(g, seat, points, source):
    """Victory Points Track; E32: a score stops at 0 unless negative scores are allowed."""
    if not g.rules["negative_scores"]:
        points = max(points, -g.vp[seat])
    g.vp[seat] += points
    g.vp_by[seat][source] += points


# --- Breaking Ties ------------------------------------------------------------------------------------------------


def senate_order(g):
    """Senate Phase and Breaking Ties; E27: more cubes in the pool first, then the marker further left."""
    cubes = g.frozen_pool if g.rules["senate_order_pool"] == 1 else g.pool
    return sorted(g.seats, key=lambda s: (-(cubes[s] + g.pool_bonus[s]), g.marker[s], s))


def by_most(g, numbers):
    """Breaking Ties: seats from the most to the least of something, ties in Senate order."""
    order = senate_order(g)
    return sorted(g.seats, key=lambda s: (-numbers[s], order.index(s)))


# --- Factions -----------------------------------------------------------------------------------------------------


def holder(g, faction):
    """Factions of Atlantis: the seat with that token, or None."""
    return g.holder[faction] if g.holder[faction] >= 0 else None


# --- The decks ----------------------------------------------------------------------------------------------------


def shuffled(g, counts, purpose, first_stream):
    """Contract, Shuffling: cards sorted by key, then kind, then copy; the first one lies on top."""
    cards = [
        (g.word(purpose, first_stream + kind, copy), kind, copy)
        for kind, copies in enumerate(counts)
        for copy in range(copies)
    ]
    return [kind for _, kind, _ in sorted(cards)]


def draw_politics(g):
    """E07: the top Politics card; an empty deck is made anew from its discards; None if there is no card at all."""
    if not g.politics_deck:
        if not sum(g.politics_discard):
            return None
        g.politics_deck = shuffled(g, g.politics_discard, P_POLITICS_AGAIN, 16 * g.politics_reshuffles)
        g.politics_discard = [0] * 9
        g.politics_reshuffles += 1
    return g.politics_deck.pop(0)


def draw_politics_to_hand(g, seat, number):
    """E07, E42: up to that many Politics cards to the hand; says how many came."""
    drawn = 0
    for _ in range(number):
        card = draw_politics(g)
        if card is not None:
            g.hand[seat][card] += 1
            drawn += 1
    return drawn


def draw_special(g):
    """E31: the top Special card; an empty deck is made anew from its discards; None if there is no card at all."""
    if not g.special_deck:
        if not sum(g.special_discard):
            return None
        g.special_deck = shuffled(g, g.special_discard, P_SPECIAL_AGAIN, 32 * g.special_reshuffles)
        g.special_discard = [0] * 25
        g.special_reshuffles += 1
    return g.special_deck.pop(0)


# --- Ships --------------------------------------------------------------------------------------------------------


def ships(g):
    """Ships and Upgrading Ships: the port spaces that have a ship, from the left."""
    return [s for s in range(5) if g.tile[s] >= 0]


def in_port(g):
    """Moving Ships: the ships in the port of Atlantis."""
    return [s for s in ships(g) if g.area[s] == PORT]


def on_ocean(g):
    """Moving Ships: the ships on the ocean."""
    return [s for s in ships(g) if g.area[s] == OCEAN]


def spaces(g, ship):
    """Ships and Upgrading Ships: how many refugees the ship has spaces for."""
    return g.rules["tile_spaces"][g.tile[ship]]


def aboard(g, ship, colour):
    """How many refugees of a colour are aboard; E29: the printed neutral counts as black."""
    printed = g.printed_neutral if colour == BLACK and g.tile[ship] == ADV_ARK else 0
    return g.aboard[ship][colour] + printed


def number_aboard(g, ship):
    """All refugees aboard, black included (E71)."""
    return sum(aboard(g, ship, colour) for colour in range(6))


def room(g, ship):
    """Free spaces of a ship."""
    return spaces(g, ship) - number_aboard(g, ship)


def with_room(g, needed=1):
    """The ships in port that can take that many more refugees."""
    return [s for s in in_port(g) if room(g, s) >= needed]


def is_empty(g, ship):
    """Moving Ships; E30: whether an Ark with nothing but its printed neutral counts as empty."""
    number = number_aboard(g, ship)
    if not g.rules["ark_alone_moves"] and g.tile[ship] == ADV_ARK and g.printed_neutral and number == 1:
        return True
    return number == 0


def other_colours(g, ship, seat):
    """The colours aboard, neutral included, that are not the seat's own."""
    return [c for c in range(6) if c != seat and aboard(g, ship, c) > 0]


def largest_first(g, some_ships):
    """E12: by number of spaces, ties to the left."""
    return sorted(some_ships, key=lambda s: (-spaces(g, s), s))


def load(g, seat, ship):
    """Player cubes: one cube becomes a refugee aboard."""
    g.supply[seat] -= 1
    g.aboard[ship][seat] += 1


# --- Discarding Refugees and Influence Tokens ---------------------------------------------------------------------


def discard_refugee(g, ship, colour):
    """Discarding Refugees; E28, E29: cubes to the building, tokens to the camp, the printed neutral goes last."""
    if colour != BLACK:
        g.aboard[ship][colour] -= 1
        g.building[colour] += 1
    elif g.aboard[ship][BLACK] > 0:
        g.aboard[ship][BLACK] -= 1
        g.camp += 1
    else:
        g.printed_neutral = 0


def discard_everything_aboard(g, ship):
    """Sabotage and Wrath of the Ocean God!"""
    for colour in range(6):
        while aboard(g, ship, colour) > 0:
            discard_refugee(g, ship, colour)


def neutral_of_the_advanced_ark(g, ship):
    """Advanced Ark; E29: its neutral appears, printed on the tile or taken from the camp."""
    if g.rules["ark_neutral"] == 0:
        g.printed_neutral = 1
    elif g.camp > 0:
        g.camp -= 1
        g.aboard[ship][BLACK] += 1


def return_to_port(g, ship):
    """Moving Ships: an emptied ship is back in port; E29: with it the neutral of the advanced Ark."""
    g.area[ship] = PORT
    if g.tile[ship] == ADV_ARK:
        neutral_of_the_advanced_ark(g, ship)
