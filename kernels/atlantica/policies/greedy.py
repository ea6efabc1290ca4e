"""A plain heuristic: judges each choice by the VP, crates and cards it expects. Everything it weighs is in one vector.

It sees what its seat may see: its own hand, the table, what others have collected. It looks one action ahead. Values
are in VP.
"""

from kernels.atlantica import SIGNATURE
from kernels.atlantica import codes as c
from kernels.atlantica.divers import hand_size
from kernels.atlantica.payment import colours_held
from kernels.atlantica.scoring import row_value
from kernels.jit import entry, rule
from kernels.piles import total

# The vector, by name: what `WEIGHTS` holds at that place.
(
    DIVER,  # worth of a diver in hand
    DIVER_FALL,  # how much less each further one is worth
    CRATE,  # worth of an empty crate
    CRATE_NEEDED,  # and of one that a collected treasure waits for
    UNCRATED,  # share of a treasure's VP that counts while there is no crate for it
    HOPE,  # share of the next step of its row that a treasure is worth beforehand
    RIVAL,  # share of what a treasure is worth to a rival
    STACK,  # share of what Research cards that count things will still gain
    PAIR,  # cost of a pair beyond its cards
    BREATH,  # worth of catching one's breath beyond the cards
    STOP,  # what an action must bring to be better than ending the turn
    LATE,  # once the hurricane has come, worth of divers, empty crates and hopes
    ENDING,  # how much faster hopes fade as the treasure deck runs out
    SPARE,  # of a card of the turn that is left for a next action
    # Leanings: 1 in `greedy` itself, for `tuned` and the styles to have.
    TREASURES,  # how many times more treasures are worth
    RESEARCH,  # Research cards
    SHIPS,  # ships
    DRAWS,  # divers hired
    HURRY,  # worth of each treasure taken, as it brings the hurricane nearer (0 in `greedy`)
    SAME,  # how much more of a kind of treasure one has is worth, each one held (0 in `greedy`)
    # What greedy did not see: 0 plays as it did before there were these.
    LATER,  # share of a treasure without a crate that counts because crates may come: less with each that waits
    GLUT,  # how far below its floor the worth of a further diver may fall
    EARLY,  # worth of a dive while the treasure deck is full, fading with it
) = range(23)

NAMES = (
    *"diver diver_fall crate crate_needed uncrated hope rival stack pair breath stop late ending spare".split(),
    *"treasures research ships draws hurry same".split(),
    *"later glut early".split(),
)
assert len(NAMES) == EARLY + 1

WEIGHTS = [
    *(1.0, 0.05, 0.9, 2.2, 0.55, 0.45, 0.15, 1.0, 0.3, 0.0, 0.0, 0.1, 0.6, 0.25),
    *(1.0, 1.0, 1.0, 1.0, 0.0, 0.0),
    *(0.0, 0.0, 0.0),
]
assert len(WEIGHTS) == len(NAMES)


# ---- what a seat knows at a glance, worked out once a choice

AMOUNT_BITS = 8
FIRST_AMOUNT = c.RESEARCH_PER_ARCHITECTURE


@rule
def research_amounts(state, rules, seat):
    """What the seat's Research cards give for each thing they count, by effect, eight bits each."""
    amounts = 0
    for kind in range(c.RESEARCH_KINDS):
        cards = int(state.research[seat, kind])
        effect = int(rules.research_effect[kind])
        if cards > 0 and FIRST_AMOUNT <= effect <= c.RESEARCH_MANY_CRATES:
            shift = AMOUNT_BITS * (effect - FIRST_AMOUNT)
            room = 255 - ((amounts >> shift) & 255)
            amounts += min(room, cards * int(rules.research_amount[kind])) << shift
    return amounts


@rule
def amount_of(amounts, effect):
    """One of them."""
    return (amounts >> (AMOUNT_BITS * (effect - FIRST_AMOUNT))) & 255


@rule
def hope(state, weights):
    """How much of what may still come counts: less as the treasures run out, little in the last turns."""
    if state.phase == c.PHASE_LAST_TURNS:
        return weights[LATE]
    left = (int(state.treasure_size) - int(state.treasure_top)) / max(1, int(state.treasure_size))
    return 1.0 - weights[ENDING] * (1.0 - left)


@rule
def free_crates(state, seat):
    """Crates that no collected treasure fills; negative where treasures wait for crates."""
    return int(state.crates[seat]) - total(state.treasures[seat])


@rule
def colours_collected(state, seat):
    """Kinds of treasure the seat has."""
    colours = 0
    for count in state.treasures[seat]:
        if count > 0:
            colours += 1
    return colours


# ---- what things are worth


@rule
def diver_worth(weights, hopes, held, cards):
    """Worth of so many more divers on top of `held` ones: each further one is worth less."""
    worth = 0.0
    for i in range(cards):
        worth += max(0.1 - weights[GLUT], weights[DIVER] - weights[DIVER_FALL] * (held + i))
    return worth * hopes


@rule
def row_gain(rules, kind, held):
    """VP that one more treasure of a kind brings."""
    return row_value(rules, kind, held + 1) - row_value(rules, kind, held)


@rule
def treasure_worth(state, rules, weights, seat, kind, hopes, amounts, free):
    """One more treasure: its step in the row, a look at the next step, Research cards, a crate for it."""
    if kind == c.NONE:
        return 0.0
    held = int(state.treasures[seat, kind])
    worth = row_gain(rules, kind, held) + weights[HOPE] * hopes * row_gain(rules, kind, held + 1)
    if kind == c.ARCHITECTURE:
        worth += amount_of(amounts, c.RESEARCH_PER_ARCHITECTURE)
    elif kind == c.GOLD:
        worth += amount_of(amounts, c.RESEARCH_PER_GOLD)
    sets = amount_of(amounts, c.RESEARCH_THREE_COLOURS)
    if sets > 0 and held == 0 and colours_collected(state, seat) < rules.set_colours:
        worth += sets / rules.set_colours
    if free <= 0:
        counts = weights[UNCRATED] + weights[LATER] * hopes / (1 - free)
        worth *= counts if state.phase != c.PHASE_LAST_TURNS else counts * weights[LATE]
    rival = 0
    for other in range(state.players):
        if other != seat:
            rival = max(rival, row_gain(rules, kind, int(state.treasures[other, kind])))
    worth += weights[EARLY] * hopes
    return weights[TREASURES] * (worth + weights[SAME] * held) + weights[HURRY] + weights[RIVAL] * rival


@rule
def ship_worth(state, rules, weights, seat, pile, hopes, amounts, free):
    """The top ship of a pile: crates that treasures wait for, empty ones, and Research cards that count ships."""
    if state.ship_top[pile] == c.PILE_SHIPS:
        return 0.0
    crates = int(rules.crates[pile, state.ship_deck[pile, state.ship_top[pile]]])
    needed = min(max(0, -free), crates)
    worth = weights[CRATE_NEEDED] * needed + weights[CRATE] * (crates - needed) * hopes
    before = int(state.crates[seat])
    if before < rules.many_crates and before + crates >= rules.many_crates:
        worth += amount_of(amounts, c.RESEARCH_MANY_CRATES)
    return weights[SHIPS] * (worth + amount_of(amounts, c.RESEARCH_PER_SHIP))


@rule
def research_worth(state, rules, weights, seat, kind, hopes, amounts):
    """One more Research card: what it scores now, and a share of what the things it counts will still come to."""
    if kind == c.NONE:
        return 0.0
    effect = int(rules.research_effect[kind])
    amount = int(rules.research_amount[kind])
    more = weights[STACK] * hopes
    worth = float(amount_of(amounts, c.RESEARCH_PER_RESEARCH))
    if effect == c.RESEARCH_POINTS:
        worth += amount
    elif effect == c.RESEARCH_PER_RESEARCH:
        worth += amount * (total(state.research[seat]) + 1 + more)
    elif effect == c.RESEARCH_PER_SHIP:
        worth += amount * (total(state.ships[seat]) + more)
    elif effect == c.RESEARCH_PER_ARCHITECTURE:
        worth += amount * (int(state.treasures[seat, c.ARCHITECTURE]) + more)
    elif effect == c.RESEARCH_PER_GOLD:
        worth += amount * (int(state.treasures[seat, c.GOLD]) + more)
    elif effect == c.RESEARCH_PER_DIVERS:
        worth += amount * (hand_size(state, seat) // (2 * int(rules.divers_counted_by)) + more)
    elif effect == c.RESEARCH_THREE_COLOURS or effect == c.RESEARCH_MANY_CRATES:
        worth += amount * (0.3 + 0.5 * min(1.0, more))
    elif effect == c.RESEARCH_JOKER:
        best = 0
        for treasure in range(c.TREASURE_KINDS):
            best = max(best, row_gain(rules, treasure, int(state.treasures[seat, treasure])))
        worth += best
    return weights[RESEARCH] * worth


@rule
def best_of(worths, spaces, cards):
    """Sum of the best so many (up to three looked at) of the first worths."""
    first = 0.0
    second = 0.0
    third = 0.0
    for space in range(spaces):
        worth = worths[space]
        less = min(first, worth)
        first = max(first, worth)
        worth = min(second, less)
        second = max(second, less)
        third = max(third, worth)
    return first + (second if cards > 1 else 0.0) + (third if cards > 2 else 0.0)


@rule
def drink_worth(rules, treasures, ships, research):
    """Worth of the best cards, each of another location, that a drink can take."""
    first = best_of(treasures, int(rules.drink_treasure_spaces), 1)
    second = best_of(research, int(rules.drink_research_spaces), 1)
    third = best_of(ships, int(rules.drink_ship_piles), 1)
    if rules.drink_cards == 1:
        return max(first, max(second, third))
    lowest = min(first, min(second, third))
    return first + second + third - (lowest if rules.drink_cards == 2 else 0.0)


@rule
def action_worth(rules, weights, action, hopes, in_hand, treasures, ships, research):
    """What an action brings."""
    location = action // c.TIERS
    tier = action - c.TIERS * location
    if location == c.SUBMARINE:
        return best_of(treasures, int(rules.dive_spaces[tier]), int(rules.dive_cards[tier]))
    if location == c.HARBOR:
        return ships[tier]
    if location == c.RESEARCH_STATION:
        return best_of(research, int(rules.research_spaces[tier]), int(rules.research_cards[tier]))
    if tier < 2:
        return weights[DRAWS] * diver_worth(weights, hopes, in_hand, int(rules.team_cards[tier]))
    return drink_worth(rules, treasures, ships, research)


@rule
def price_worth(rules, weights, action, hopes, in_hand, held):
    """What the divers paid for it are worth; a card that no single diver pays costs a pair."""
    location = action // c.TIERS
    tier = action - c.TIERS * location
    cards = 0
    cost = 0.0
    for slot in range(tier + 1):
        cards += 1
        if int(rules.action_colours[location, slot]) & held == 0:
            cards += 1
            cost += weights[PAIR]
    return cost + diver_worth(weights, hopes, in_hand - cards, cards)


# ---- choosing


@rule
def shown(row, wanted):
    """The kinds on a row, or blanks where no action takes any of them: those need not be judged."""
    if wanted == 0:
        return (c.NONE, c.NONE, c.NONE, c.NONE, c.NONE, c.NONE)
    last = len(row) - 1
    return (int(row[0]), int(row[1]), int(row[2]), int(row[3]), int(row[min(4, last)]), int(row[min(5, last)]))


@rule
def choose_action(state, rules, weights, legal, n):
    """The action that brings most for its price in cards of the turn; PASS if none is worth it."""
    seat = int(state.seat)
    hopes = hope(state, weights)
    in_hand = hand_size(state, seat)
    best = 0
    most = weights[STOP]
    if state.acted == 0:
        most = weights[BREATH] + diver_worth(weights, hopes, in_hand, int(rules.breath_cards))
    if n == 1:
        return 0
    amounts = research_amounts(state, rules, seat)
    free = free_crates(state, seat)
    found = 0
    for i in range(1, n):
        found |= 1 << int(legal[i])
    drinks = (found >> c.ACTION_DRINK) & 1
    row = shown(state.treasure_row, drinks | found & 7)
    treasures = (
        treasure_worth(state, rules, weights, seat, row[0], hopes, amounts, free),
        treasure_worth(state, rules, weights, seat, row[1], hopes, amounts, free),
        treasure_worth(state, rules, weights, seat, row[2], hopes, amounts, free),
        treasure_worth(state, rules, weights, seat, row[3], hopes, amounts, free),
        treasure_worth(state, rules, weights, seat, row[4], hopes, amounts, free),
        treasure_worth(state, rules, weights, seat, row[5], hopes, amounts, free),
    )
    ships = (0.0, 0.0, 0.0)
    if drinks | (found >> (c.TIERS * c.HARBOR)) & 7 != 0:
        ships = (
            ship_worth(state, rules, weights, seat, 0, hopes, amounts, free),
            ship_worth(state, rules, weights, seat, 1, hopes, amounts, free),
            ship_worth(state, rules, weights, seat, 2, hopes, amounts, free),
        )
    row = shown(state.research_row, drinks | found >> (c.TIERS * c.RESEARCH_STATION))
    research = (
        research_worth(state, rules, weights, seat, row[0], hopes, amounts),
        research_worth(state, rules, weights, seat, row[1], hopes, amounts),
        research_worth(state, rules, weights, seat, row[2], hopes, amounts),
        research_worth(state, rules, weights, seat, row[3], hopes, amounts),
    )
    held, _, _ = colours_held(state, seat, c.NONE, 0)
    left = int(rules.cards_per_turn) - int(state.cards_played)
    for i in range(1, n):
        action = int(legal[i])
        worth = action_worth(rules, weights, action, hopes, in_hand, treasures, ships, research)
        worth -= price_worth(rules, weights, action, hopes, in_hand, held)
        # Cards of the turn left over are worth something in a next action only.
        worth += weights[SPARE] * (left - action % c.TIERS - 1)
        if worth > most:
            most = worth
            best = i
    return best


@rule
def choose_payment(state, rules, weights, legal, n):
    """The diver one holds most of; a pair only if it must be."""
    seat = int(state.seat)
    best = 0
    most = -1.0e9
    for i in range(n):
        code = int(legal[i])
        if code >= c.PAIR:
            worth = float(state.hand[seat, code - c.PAIR]) - 10.0
        else:
            worth = float(state.hand[seat, code])
        if worth > most:
            most = worth
            best = i
    return best


@rule
def card_worth(state, rules, weights, seat, prompt, code, hopes, amounts, free):
    """What a card offered at *treasure*, *research* or *drink* is worth."""
    if code == c.PASS:
        return 0.0
    if prompt == c.PROMPT_TREASURE:
        return treasure_worth(state, rules, weights, seat, int(state.treasure_row[code]), hopes, amounts, free)
    if prompt == c.PROMPT_RESEARCH:
        return research_worth(state, rules, weights, seat, int(state.research_row[code]), hopes, amounts)
    if code >= c.DRINK_SHIP:
        return ship_worth(state, rules, weights, seat, code - c.DRINK_SHIP, hopes, amounts, free)
    if code >= c.DRINK_RESEARCH:
        kind = int(state.research_row[code - c.DRINK_RESEARCH])
        return research_worth(state, rules, weights, seat, kind, hopes, amounts)
    return treasure_worth(state, rules, weights, seat, int(state.treasure_row[code]), hopes, amounts, free)


@rule
def choose_card(state, rules, weights, legal, n):
    """The card worth most."""
    seat = int(state.seat)
    hopes = hope(state, weights)
    amounts = research_amounts(state, rules, seat)
    free = free_crates(state, seat)
    best = 0
    most = -1.0e9
    for i in range(n):
        worth = card_worth(state, rules, weights, seat, int(state.prompt), int(legal[i]), hopes, amounts, free)
        if worth > most:
            most = worth
            best = i
    return best


@entry(SIGNATURE)
def choose(state, rules, legal, n, weights, scratch):
    """The index of the choice in `legal`."""
    prompt = int(state.prompt)
    if prompt == c.PROMPT_ACTION:
        return choose_action(state, rules, weights, legal, n)
    if prompt == c.PROMPT_PAY:
        return choose_payment(state, rules, weights, legal, n)
    return choose_card(state, rules, weights, legal, n)
