"""Rulebook chapters "3. Voting Phase" and "Types of Voting", with the Factions used there."""

from .names import ALL_DOOMED, DEMAGOGOS, NO_MERCY, ORAKLOS, PASS, PHILOSOPHIOS, SRC_NO_MERCY, STRATEGOS, USE
from .politics_cards import can_apply, play_card
from .special_cards import orator
from .state import add_vp, holder, senate_order


def voting_phase(g):
    """Voting Phase: lay the cards, reveal them, vote for each from left to right."""
    g.phase = "voting"
    g.slot = 0
    g.facedown = [0] * 5
    votings = number_of_votings(g)
    yield from lay_cards(g, votings)
    yield from oraklos(g, votings)
    for slot in range(votings):
        g.slot = slot
        yield from one_voting(g)


def number_of_votings(g):
    """Voting Phase: five; We're All Doomed! with 2 players: fewer."""
    return g.rules["votings_all_doomed"] if g.event_now == ALL_DOOMED else g.rules["votings"]


def lay_cards(g, votings):
    """Voting Phase: each player lays his cards from left to right."""
    for seat in g.seats:
        for slot in range(votings):
            kind = yield ("lay", seat, [k for k in range(9) if g.hand[seat][k] > 0])
            g.hand[seat][kind] -= 1
            g.laid[seat][slot] = kind


def oraklos(g, votings):
    """Oraklos (E53): up to two cards stay face down, chosen before the reveal."""
    seat = holder(g, ORAKLOS)
    if seat is None:
        return
    first_slot = 0
    for _ in range(2):
        choices = list(range(first_slot, votings))
        if not choices:
            return
        slot = yield ("oraklos", seat, [PASS, *choices])
        if slot == PASS:
            return
        g.facedown[slot] = 1
        first_slot = slot + 1


def one_voting(g):
    """Voting Phase: bids, winners, cards; E51: the Senate order of its start counts throughout."""
    order = senate_order(g)
    g.bid, g.bid_bonus, g.place = [-1] * g.players, [0] * g.players, [0] * g.players
    if g.voting_open:
        yield from open_voting(g, order)
    else:
        yield from hidden_voting(g)
    yield from orator(g, order)
    turn_up_facedown_card(g)
    winners = find_winners(g, order)
    no_mercy(g, order)
    winners = yield from philosophios_goes_first(g, winners)
    players_who_played = yield from winners_play(g, winners)
    yield from strategos(g, players_who_played)


# --- Hidden voting ------------------------------------------------------------------------------------------------


def hidden_voting(g):
    """Hidden voting: everyone chooses in secret, then all are revealed; E50."""
    g.pending = [-1] * g.players
    for seat in g.seats:
        g.pending[seat] = yield ("bid", seat, list(range(g.supply[seat] + 1)))
    yield from demagogos_hidden(g)
    for seat in g.seats:
        pay_bid(g, seat, g.pending[seat])


def demagogos_hidden(g):
    """Demagogos, hidden voting (E40): looks at one bid, then may change his own; once a turn."""
    seat = demagogos_ready(g)
    if seat is None:
        return
    seen = yield ("demagogos_look", seat, [PASS] + [s for s in g.seats if s != seat])
    if seen == PASS:
        return
    g.demagogos_used = 1
    g.pending[seat] = yield ("demagogos_change", seat, list(range(g.supply[seat] + 1)))


def demagogos_ready(g):
    """Demagogos: his holder, if unused this turn; 2-Player Game (E59): the ability is another one."""
    if g.rules["two_player_factions"] or g.demagogos_used:
        return None
    return holder(g, DEMAGOGOS)


def pay_bid(g, seat, number):
    """Voting Phase: bid cubes lie on the card, won or not."""
    g.bid[seat] = number
    g.supply[seat] -= number
    g.on_cards[seat] += number


# --- Open voting --------------------------------------------------------------------------------------------------


def open_voting(g, order):
    """Open voting: in reverse Senate order, each once."""
    waiting = list(reversed(order))
    while waiting:
        called = yield from demagogos_open(g, waiting)
        seat = waiting[0] if called is None else called
        waiting.remove(seat)
        yield from open_bid(g, seat)


def demagogos_open(g, waiting):
    """Demagogos, open voting (E41, E52): names another player who is not next anyway; once a turn."""
    seat = demagogos_ready(g)
    if seat is None:
        return None
    choices = sorted(s for s in waiting[1:] if s != seat)
    if not choices:
        return None
    called = yield ("demagogos_call", seat, [PASS, *choices])
    if called == PASS:
        return None
    g.demagogos_used = 1
    return called


def open_bid(g, seat):
    """Open voting: a bid differs from all others, only passes (0) may be equal."""
    choices = [0] + [n for n in range(1, g.supply[seat] + 1) if n not in g.bid]
    number = yield ("open_bid", seat, choices)
    pay_bid(g, seat, number)


# --- Winners ------------------------------------------------------------------------------------------------------


def turn_up_facedown_card(g):
    """Oraklos (E53): the card of this voting is turned up once the bids are known."""
    g.facedown[g.slot] = 0


def total(g, seat):
    """A bid with what an Orator adds (E77)."""
    return g.bid[seat] + g.bid_bonus[seat]


def number_of_winners(g):
    """Voting Phase, 2-Player Game, 5-Player Game, We're All Doomed!"""
    return g.rules["places_all_doomed"] if g.event_now == ALL_DOOMED else g.rules["places"]


def find_winners(g, order):
    """Types of Voting: highest bids first, ties by Senate order; E13: whether 0 can win."""
    ranked = sorted(g.seats, key=lambda s: (-total(g, s), order.index(s)))
    winners = ranked[: number_of_winners(g)]
    if not g.rules["zero_bid_wins"]:
        winners = [s for s in winners if total(g, s) > 0]
    for i, seat in enumerate(winners):
        g.place[seat] = i + 1
    return winners


def no_mercy(g, order):
    """No Mercy For The Weak! (E32, E63)."""
    if g.event_now != NO_MERCY:
        return
    least = min(total(g, s) for s in g.seats)
    weakest = [s for s in order if total(g, s) == least]
    if g.rules["no_mercy_ties"] == 0:
        weakest = weakest[-1:]
    for seat in weakest:
        add_vp(g, seat, -g.rules["no_mercy_vp"], SRC_NO_MERCY)


# --- Playing cards ------------------------------------------------------------------------------------------------


def philosophios_goes_first(g, winners):
    """Philosophios, second ability (E36, E66); 2-Player Game (E59): he has another one."""
    seat = holder(g, PHILOSOPHIOS)
    if g.rules["two_player_factions"] or seat not in winners[1:]:
        return winners
    use = yield ("philosophios", seat, [PASS, USE])
    if use == PASS:
        return winners
    return [seat] + [s for s in winners if s != seat]


def winners_play(g, winners):
    """Voting Phase: each winner may play a card; says who did."""
    players_who_played, cards_played = [], []
    for seat in winners:
        lender = neighbour_to_borrow_from(g, seat)
        choices = [PASS]
        if can_apply(g, seat, g.laid[seat][g.slot]):
            choices.append(0)
        if (
            may_borrow(g, seat)
            and lender is not None
            and lender_is_open(g, lender, cards_played)
            and can_apply(g, seat, g.laid[lender][g.slot])
        ):
            choices.append(1)
        choice = yield ("play", seat, choices)
        if choice == PASS:
            continue
        owner = seat if choice == 0 else lender
        players_who_played.append(seat)
        cards_played.append(owner)
        yield from play_card(g, seat, g.laid[owner][g.slot])
    return players_who_played


def may_borrow(g, seat):
    """Voting Phase: first place may play the left neighbour's card; Philosophios always may (E36, E59)."""
    philosophios = not g.rules["two_player_factions"] and holder(g, PHILOSOPHIOS) == seat
    return g.place[seat] == 1 or philosophios


def neighbour_to_borrow_from(g, seat):
    """E14, E35: the nearest player to the left who won nothing in this voting."""
    for step in range(1, g.players):
        neighbour = (seat + step) % g.players
        if g.place[neighbour] == 0:
            return neighbour
    return None


def lender_is_open(g, lender, cards_played):
    """E46, E65: a card is played once; 2-Player Game: never that of the holder of Philosophios."""
    if g.rules["two_player_factions"] and holder(g, PHILOSOPHIOS) == lender:
        return False
    return g.rules["borrow_twice"] == 1 or lender not in cards_played


def strategos(g, players_who_played):
    """Strategos (E47, E67): cubes back if he played no card."""
    seat = holder(g, STRATEGOS)
    if seat is None or seat in players_who_played or g.bid[seat] < 1:
        return
    use = yield ("strategos", seat, [PASS, USE])
    if use != PASS:
        back = min(g.rules["strategos_refund"], g.bid[seat])
        g.on_cards[seat] -= back
        g.supply[seat] += back
