"""A plain heuristic: judges each choice by the VP, cubes and tempo it expects. Everything it weighs is in one
vector.

It sees what its seat may see: its own hand, bid and Specials, the board, cards once revealed. It looks one choice
ahead, never at another player's plans. Values are in VP.
"""

from kernels.end_of_atlantis import SIGNATURE
from kernels.end_of_atlantis import codes as c
from kernels.end_of_atlantis.order import is_higher
from kernels.end_of_atlantis.ships import aboard, load_of, may_move, room, would_land
from kernels.end_of_atlantis.voting import neighbour, places, total_bid, votings
from kernels.jit import entry, rule
from kernels.rng import below, draw_word

# The vector, by name: what `WEIGHTS` holds at that place.
LAY = 0  # ..8: worth of laying a Politics kind
SLOT = 9  # how much later than loading a moving card is laid
FACTION = 10  # ..16: worth of a Faction
(
    PRICE,  # of an influence token paid for a Faction
    WAIT,  # worth of passing and taking a Faction for free
    SENATE,  # tokens sent to the Senate
    JITTER,  # random tokens added to a bid, at most
    SPEND,  # share of an even budget to bid on a card of average worth
    EAGER,  # how much more on a better one
    OVERBID,  # tokens above the price of a place in open voting, for each seat yet to bid
    LAND,  # chance that a refugee loaded now reaches land
    FULL,  # how much a full ship adds to it
    COLOUR,  # how much of another colour aboard is won by boarding first
    TEMPO,  # share of a landing's worth in sending the ship to the ocean
    RIVAL,  # weight of a rival's VP against one's own
    SPECIAL,  # worth of a Special card
    HARM,  # weight of what a red card costs the rivals
    LATE,  # loading loses this share with each Doom! revealed
    # Leanings: 0 in `greedy` itself, for `tuned` and the styles to have.
    CHASE,  # tokens spent at most, beyond SENATE, to have most in the Senate pool
    COMPANY,  # worth of each other colour aboard a ship one boards
    OWN,  # worth of each own refugee aboard a ship one boards
    LEADER,  # worth of boarding a ship that carries the leader
    HASTE,  # worth of sending a ship with own refugees to the ocean
    RED,  # worth of attacking a ship at all
    KEEP,  # tokens kept back in a voting for the cards to come
    CROWD,  # chance that black cubes and rivals fill a ship: worth of its free spaces, each
    # What greedy did not see: 0 plays as it did before there were these.
    FREE,  # how much less waiting is worth where a Faction costs nothing: it only lets others choose first
    MIX,  # tokens by which a Senate bid is raised at random, at most: a bid that is known is beaten by one more
    OPENING,  # tokens more in the first turn's Senate, while the markers stand as they were dealt
    HIDE,  # Oraklos: least worth of a card that he leaves face down (0: none)
    USE,  # Orator: what the card of this voting must be worth to buy its place
    SAVE,  # what a card must be worth to declare a Special with it
) = range(17, 46)

NAMES = (
    *(f"lay_{c.slug(name)}" for name in c.POLITICS),
    "slot",
    *(f"faction_{c.slug(name)}" for name in c.FACTIONS),
    *"price wait senate jitter spend eager overbid land full colour tempo rival special harm late".split(),
    *"chase company own leader haste red keep crowd".split(),
    *"free mix opening hide use save".split(),
)
assert len(NAMES) == SAVE + 1

WEIGHTS = [
    *(3.0, 4.5, 4.0, 2.5, 5.5, 3.5, 1.5, 1.5, 1.5),
    0.6,
    *(1.2, 2.2, 1.0, 2.0, 0.3, 1.6, 1.4),
    *(0.5, 1.0),
    *(3.0, 2.0, 0.7, 0.15, 0.5),
    *(0.45, 0.3, 0.4, 0.45, 0.6, 1.4, 0.7, 0.25),
    *[0.0] * 14,
]
assert len(WEIGHTS) == len(NAMES)


# ---- what things are worth


@rule
def chart(rules, refugees):
    """VP of so many refugees of one colour."""
    return 0.0 if refugees <= 0 else float(rules.ships_chart[min(refugees, 5) - 1])


@rule
def colours_aboard(state, space):
    """Different colours aboard, black counted."""
    colours = 0
    for colour in range(c.COLOURS):
        if aboard(state, space, colour) > 0:
            colours += 1
    return colours


@rule
def margin(state, rules, weights, seat, space):
    """What landing this ship now would bring the seat, less the weighted mean of what it brings the rivals."""
    colours = colours_aboard(state, space) - 1
    own = 0.0
    rivals = 0.0
    for other in range(rules.players):
        refugees = int(state.aboard[space, other])
        if refugees > 0:
            vp = chart(rules, refugees) + colours
            if other == seat:
                own = vp
            else:
                rivals += vp
    return own - weights[RIVAL] * rivals / (rules.players - 1)


@rule
def move_worth(state, rules, weights, seat, space):
    """What one move of this ship by a card is worth."""
    worth = margin(state, rules, weights, seat, space)
    if not would_land(state, space):
        haste = weights[HASTE] if state.aboard[space, seat] > 0 else 0.0
        return weights[TEMPO] * worth + haste
    if rules.mover_points < 2:
        worth += rules.mover_vp
    if state.area[space] == c.AREA_OCEAN:
        if state.tile[space] == c.TILE_ADVANCED_SCIENCE:
            worth += rules.science_vp
        elif state.tile[space] == c.TILE_ADVANCED_ROYAL:
            worth += weights[SPECIAL]
    return worth


@rule
def leader(state, rules, seat):
    """The other seat with most VP, the lowest among equals."""
    best = c.NONE
    for other in range(rules.players):
        if other != seat and (best == c.NONE or state.vp[other] > state.vp[best]):
            best = other
    return best


@rule
def load_worth(state, rules, weights, seat, space, refugees):
    """What boarding this ship with so many refugees is worth."""
    own = int(state.aboard[space, seat])
    gain = chart(rules, own + refugees) - chart(rules, own)
    if own == 0:
        gain += weights[COLOUR] * colours_aboard(state, space)
    gain += weights[OWN] * own
    if weights[COMPANY] != 0.0:
        gain += weights[COMPANY] * (colours_aboard(state, space) - (1 if own > 0 else 0))
    if weights[LEADER] != 0.0 and state.aboard[space, leader(state, rules, seat)] > 0:
        gain += weights[LEADER]
    spaces = int(rules.tile_spaces[state.tile[space]])
    load = load_of(state, space) + refugees
    gain += weights[CROWD] * (spaces - load)
    late = 1.0 - weights[LATE] * state.doom_count
    return gain * late * (weights[LAND] + weights[FULL] * (load / spaces))


@rule
def best_load(state, rules, weights, seat, refugees, but):
    """The best ship in port with room for so many, other than `but`: NONE if there is none; and its worth."""
    best = c.NONE
    most = -1.0
    for space in range(c.SHIPS):
        if space != but and room(state, rules, space) >= refugees:
            worth = load_worth(state, rules, weights, seat, space, refugees)
            if best == c.NONE or worth > most:
                best = space
                most = worth
    return best, most


@rule
def harm(state, rules, weights, seat, space):
    """What emptying this ship is worth: the rivals' loss less one's own."""
    return weights[RED] - weights[HARM] * margin(state, rules, weights, seat, space)


@rule
def card_worth(state, rules, weights, seat, card):
    """What playing this Politics card now is worth; 0 for one that has no use."""
    if card == c.POLITICS_SHIPS or card == c.POLITICS_ROYAL_SHIP:
        first = -99.0
        second = -99.0
        for space in range(c.SHIPS):
            if may_move(state, rules, space, card):
                worth = move_worth(state, rules, weights, seat, space)
                if worth > first:
                    second = first
                    first = worth
                elif worth > second:
                    second = worth
        if card == c.POLITICS_ROYAL_SHIP:
            return max(first, 0.0)
        return max(first + second, 0.0)
    if card == c.POLITICS_SUPPORT:
        return weights[SPECIAL]
    if card == c.POLITICS_SABOTAGE or card == c.POLITICS_BETRAYAL:
        area = c.AREA_OCEAN if card == c.POLITICS_SABOTAGE else c.AREA_PORT
        most = 0.0
        for space in range(c.SHIPS):
            if state.tile[space] != c.NONE and state.area[space] == area:
                most = max(most, harm(state, rules, weights, seat, space))
        return most if card == c.POLITICS_SABOTAGE else weights[LAND] * most
    refugees = 2 if card == c.POLITICS_REFUGEES_2 or card == c.POLITICS_REFUGEES_2_1 else 1
    if state.supply[seat] < refugees:
        return 0.0
    ship, worth = best_load(state, rules, weights, seat, refugees, c.NONE)
    if ship == c.NONE:
        return 0.0
    if card == c.POLITICS_REFUGEES_2_1:
        worth += best_load(state, rules, weights, seat, 1, ship)[1]
    return worth


# ---- choosing


@rule
def random_up_to(state, most):
    """0..most from the seat's own stream; `most` counts as 0 where it is negative."""
    return below(draw_word(state, c.PURPOSE_POLICY, int(state.actor)), max(0, most) + 1)


@rule
def budget(state, rules, weights, seat):
    """Tokens to bid on the card of this slot: an even share of what is left, more for a better card."""
    card = int(state.laid[seat, state.slot])
    worth = card_worth(state, rules, weights, seat, card)
    if worth <= 0.0:
        return 0.0
    left = votings(state, rules) - int(state.slot)
    kept = 2 if card <= c.POLITICS_REFUGEES_2_1 else (1 if card == c.POLITICS_ARISTOCRACY else 0)
    tokens = int(state.supply[seat]) - kept - weights[KEEP] * (left - 1)
    if tokens <= 0.0:
        return 0.0
    bid = tokens / left * (weights[SPEND] + weights[EAGER] * worth)
    return min(bid, tokens)


@rule
def choose_bid(state, rules, weights, legal, n):
    """Hidden voting: the budget and a little chance."""
    bid = budget(state, rules, weights, int(state.actor))
    if bid <= 0.0:
        return 0
    return min(int(bid) + random_up_to(state, int(weights[JITTER])), n - 1)


@rule
def choose_senate_bid(state, rules, weights, n):
    """A few tokens; more where a few more bring the most tokens in the pool."""
    bid = int(weights[SENATE]) + random_up_to(state, int(weights[JITTER]))
    if weights[MIX] >= 1.0:
        bid += random_up_to(state, int(weights[MIX]))
    if state.turn == 1:
        bid += int(weights[OPENING])
    if weights[CHASE] >= 1.0:
        seat = int(state.actor)
        most = 0
        for other in range(rules.players):
            if other != seat:
                most = max(most, int(state.pool[other]))
        behind = most + 1 - int(state.pool[seat])
        if bid < behind <= bid + int(weights[CHASE]):
            bid = behind
    return max(0, min(bid, n - 1))


@rule
def choose_open_bid(state, rules, weights, legal, n):
    """Open voting: the price of a place if the card is worth it, else nothing."""
    seat = int(state.actor)
    most = budget(state, rules, weights, seat) + weights[JITTER]
    price = 1
    to_come = 0
    # The price of the last place: one more than the lowest bid that would still win it.
    for other in range(rules.players):
        if other == seat:
            continue
        if state.bid[other] == c.NONE:
            to_come += 1
        elif state.bid[other] > 0:
            higher = 0
            for third in range(rules.players):
                if third != other and third != seat and state.bid[third] >= state.bid[other]:
                    higher += 1
            if higher == places(state, rules) - 1:
                price = int(state.bid[other]) + 1
    price += int(weights[OVERBID] * to_come)
    if price > most:
        return 0
    for i in range(n):
        if legal[i] >= price:
            return i
    return 0


@rule
def choose_demagogos_change(state, rules, weights, n):
    """Having looked: outbid that player if the card is worth it, otherwise keep the tokens his bid makes useless."""
    seat = int(state.actor)
    mine = int(state.pending[seat])
    seen = int(state.pending[state.looked_at])
    if mine > seen + 1:
        return seen + 1
    if mine <= seen and seen + 1 <= budget(state, rules, weights, seat) + weights[JITTER]:
        return min(seen + 1, n - 1)
    return mine


@rule
def choose_lay(state, weights, legal, n):
    """The most useful kind for this slot: loading early, moving late."""
    slot = int(state.laid_count[state.actor])
    best = 0
    most = -99.0
    for i in range(n):
        kind = int(legal[i])
        worth = weights[LAY + kind]
        if kind == c.POLITICS_SHIPS or kind == c.POLITICS_ROYAL_SHIP:
            worth += weights[SLOT] * (slot - 2)
        elif kind <= c.POLITICS_ARISTOCRACY:
            worth -= weights[SLOT] * (slot - 2)
        if worth > most:
            most = worth
            best = i
    return best


@rule
def choose_discard(weights, legal, n):
    """The least useful kind."""
    worst = 0
    for i in range(1, n):
        if weights[LAY + legal[i]] < weights[LAY + legal[worst]]:
            worst = i
    return worst


@rule
def choose_faction(state, rules, weights, legal, n, price):
    """The best Faction less its price, or waiting for a free one."""
    best = 0
    most = weights[WAIT] if legal[0] == c.PASS else -99.0
    if price == 0:
        most -= weights[FREE]
    for i in range(n):
        if legal[i] == c.PASS:
            continue
        faction = int(legal[i])
        worth = weights[FACTION + faction] - weights[PRICE] * price
        worth += state.plus_one[faction] * rules.plus_one_vp
        if worth > most:
            most = worth
            best = i
    return best


@rule
def choose_play(state, rules, weights, legal, n):
    """The better of the cards on offer, if it is worth anything."""
    seat = int(state.actor)
    best = 0
    most = 0.0
    for i in range(1, n):
        owner = seat if legal[i] == c.PLAY_OWN else neighbour(state, rules, seat)
        worth = card_worth(state, rules, weights, seat, int(state.laid[owner, state.slot]))
        if worth > most:
            most = worth
            best = i
    return best


@rule
def choose_load(state, rules, weights, legal, n, refugees):
    """The ship on which they are worth most; PASS only where nothing is gained."""
    best = 0
    most = -99.0
    for i in range(n):
        worth = 0.0
        if legal[i] != c.PASS:
            worth = load_worth(state, rules, weights, int(state.actor), int(legal[i]), refugees)
        if worth > most:
            most = worth
            best = i
    return best


@rule
def choose_move(state, rules, weights, legal, n):
    """The ship whose move is worth most."""
    best = 0
    most = -99.0
    for i in range(n):
        worth = move_worth(state, rules, weights, int(state.actor), int(legal[i]))
        if worth > most:
            most = worth
            best = i
    return best


@rule
def choose_target(state, rules, weights, legal, n):
    """Sabotage, Betrayal: the ship whose loss hurts the rivals most."""
    best = 0
    most = -99.0
    for i in range(n):
        if legal[i] < c.POOL_OF:
            worth = harm(state, rules, weights, int(state.actor), int(legal[i]))
        else:
            worth = -1.0 if legal[i] - c.POOL_OF == state.actor else 0.1
        if worth > most:
            most = worth
            best = i
    return best


@rule
def choose_victim(state, rules, legal, n, space):
    """The rival who loses most; black only if nobody else is aboard."""
    best = 0
    most = -1.0
    for i in range(n):
        colour = int(legal[i])
        worth = 0.0
        if colour != c.NEUTRAL:
            refugees = int(state.aboard[space, colour])
            worth = 1.0 + chart(rules, refugees) - chart(rules, refugees - 1) + 0.01 * state.vp[colour]
        if worth > most:
            most = worth
            best = i
    return best


@rule
def choose_count(state, n):
    """Betrayal: as many rivals as possible, as few of one's own and of black as allowed."""
    rival = state.card_count == 0 or (state.card_colour != state.actor and state.card_colour != c.NEUTRAL)
    return n - 1 if rival else 0


@rule
def choose_orator(state, rules, weights, n):
    """Play it if a place is missed by no more than it adds, and the place will be of use."""
    seat = int(state.actor)
    if weights[USE] > 0.0 and card_worth(state, rules, weights, seat, int(state.laid[seat, state.slot])) < weights[USE]:
        return 0
    ahead = 0
    for other in range(rules.players):
        if other != seat:
            gap = total_bid(state, other) - total_bid(state, seat)
            if gap > 0 or (gap == 0 and is_higher(state, rules, other, seat)):
                ahead += 1
    return n - 1 if ahead == places(state, rules) else 0


@rule
def choose_hidden(state, weights, legal, n):
    """Oraklos: the card most worth bidding for stays face down, so that nobody outbids him for it."""
    best = 0
    most = weights[HIDE]
    if most <= 0.0:
        return 0
    for i in range(1, n):
        worth = weights[LAY + state.laid[state.actor, legal[i]]]
        if worth >= most:
            most = worth
            best = i
    return best


@rule
def choose_declare(state, rules, weights, n):
    """A Special goes with a card that is worth it; one that is kept may go with a better one."""
    if weights[SAVE] > 0.0 and card_worth(state, rules, weights, int(state.actor), int(state.card)) < weights[SAVE]:
        return 0
    return n - 1


@rule
def choose_special(state, rules, legal, n):
    """Of the Specials laid face up: points at the end first, then whatever can be played; the unknown top is worth
    one.
    """
    best = n - 1
    most = 1.2
    for i in range(n):
        if legal[i] == c.FROM_DECK:
            continue
        kind = int(state.face_up[legal[i]])
        worth = 1.0
        if rules.special_effect[kind] == c.SPECIAL_END_VP:
            worth = float(rules.special_amount[kind])
        elif rules.special_effect[kind] == c.SPECIAL_BLANK:
            worth = 0.0
        if worth > most:
            most = worth
            best = i
    return best


@entry(SIGNATURE)
def choose(state, rules, legal, n, weights, scratch):
    """An index into the legal actions."""
    prompt = int(state.prompt)
    if prompt == c.PROMPT_LAY:
        return choose_lay(state, weights, legal, n)
    if prompt == c.PROMPT_BID:
        return choose_bid(state, rules, weights, legal, n)
    if prompt == c.PROMPT_OPEN_BID:
        return choose_open_bid(state, rules, weights, legal, n)
    if prompt == c.PROMPT_PLAY:
        return choose_play(state, rules, weights, legal, n)
    if prompt == c.PROMPT_SENATE_BID:
        return choose_senate_bid(state, rules, weights, n)
    if prompt == c.PROMPT_FACTION:
        return choose_faction(state, rules, weights, legal, n, int(rules.faction_cost[state.at]))
    if prompt == c.PROMPT_FREE_FACTION:
        return choose_faction(state, rules, weights, legal, n, 0)
    if prompt == c.PROMPT_ARCHONT_DISCARD:
        return choose_discard(weights, legal, n)
    if prompt == c.PROMPT_LOAD:
        return choose_load(state, rules, weights, legal, n, 1 if state.card == c.POLITICS_REFUGEES_1 else 2)
    if (
        prompt == c.PROMPT_BASILEUS
        or prompt == c.PROMPT_ALL_IN
        or prompt == c.PROMPT_LOAD_SECOND
        or prompt == c.PROMPT_STOWAWAY
        or prompt == c.PROMPT_ARISTOCRACY
        or prompt == c.PROMPT_SETUP_CUBE
        or prompt == c.PROMPT_EMPATH_SHIP
    ):
        return choose_load(state, rules, weights, legal, n, 1)
    if prompt == c.PROMPT_MOVE or prompt == c.PROMPT_ALLY:
        return choose_move(state, rules, weights, legal, n)
    if prompt == c.PROMPT_SABOTAGE or prompt == c.PROMPT_BETRAYAL:
        return choose_target(state, rules, weights, legal, n)
    if prompt == c.PROMPT_BETRAYAL_COUNT:
        return choose_count(state, n)
    if prompt == c.PROMPT_ARISTOCRACY_VICTIM:
        return choose_victim(state, rules, legal, n, int(state.card_ships[0]))
    if prompt == c.PROMPT_EMPATH_VICTIM:
        return choose_victim(state, rules, legal, n, int(state.special_ship))
    if prompt == c.PROMPT_DEMAGOGOS_CHANGE:
        return choose_demagogos_change(state, rules, weights, n)
    if prompt == c.PROMPT_ORATOR:
        return choose_orator(state, rules, weights, n)
    if prompt == c.PROMPT_TAKE_SPECIAL:
        return choose_special(state, rules, legal, n)
    if prompt == c.PROMPT_ORAKLOS:
        return choose_hidden(state, weights, legal, n)
    if prompt == c.PROMPT_DECLARE:
        return choose_declare(state, rules, weights, n)
    if prompt == c.PROMPT_DEMAGOGOS_CALL:
        return 0  # calling a bid gains nothing it could name
    # archont, demiurgos, demagogos_look, philosophios, strategos, proxy: what is offered is used
    return n - 1
