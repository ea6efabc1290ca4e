"""What an action costs and who can pay it: "The Diver Cards", with its pair of divers as a joker (A06, A17, A25).

The divers of a seat are looked at as bits: `held` has bit c set where it holds a diver of colour c, `twice` and
`thrice` where it holds two or three. No colour pays two cards of one location (the rules data see to it), so cards of a
price compete for divers only through a pair.
"""

from kernels.atlantica.codes import COLOURS, NONE, PAIR, TIERS
from kernels.jit import rule

ALL_COLOURS = (1 << COLOURS) - 1


@rule
def colours_held(state, seat, spent, n):
    """Bits of the colours held at least once, twice, three times, without n divers of the colour `spent`."""
    held = 0
    twice = 0
    thrice = 0
    for colour in range(COLOURS):
        count = int(state.hand[seat, colour])
        if colour == spent:
            count -= n
        held |= int(count > 0) << colour
        twice |= int(count > 1) << colour
        thrice |= int(count > 2) << colour
    return held, twice, thrice


@rule
def leaves_enough(rules, location, first, last, held, thrice, colour):
    """Whether a pair of that colour leaves single divers for all cards first..last of the price that have any."""
    bit = 1 << colour
    after = held if thrice & bit else held & ~bit
    for slot in range(first, last + 1):
        colours = int(rules.action_colours[location, slot])
        if colours & held != 0 and colours & after == 0:
            return False
    return True


@rule
def pair_suffices(rules, location, first, last, held, twice, thrice):
    """Whether some pair leaves single divers for all cards of the price that have any, numbers first..last."""
    for colour in range(COLOURS):
        if (twice >> colour) & 1 and leaves_enough(rules, location, first, last, held, thrice, colour):
            return True
    return False


@rule
def pairs_left(state, rules):
    """Pairs that may still be played this turn."""
    return int(rules.pairs_per_turn) - int(state.pairs_played)


@rule
def legal_pay(state, rules, out):
    """Single divers, then pairs, that pay the card asked for and leave the rest of the price payable.

    The rest lacks single divers for one card at most, and then needs the turn's only pair itself.
    """
    seat = int(state.seat)
    location = int(state.action) // TIERS
    last = int(state.action) - TIERS * location
    slot = int(state.slot)
    colours = int(rules.action_colours[location, slot])
    held, twice, thrice = colours_held(state, seat, NONE, 0)
    rest_lacks = False
    for later in range(slot + 1, last + 1):
        if int(rules.action_colours[location, later]) & held == 0:
            rest_lacks = True
    n = 0
    single = colours & held
    if rest_lacks:
        for colour in range(COLOURS):
            if (single >> colour) & 1:
                after = colours_held(state, seat, colour, 1)
                if not pair_suffices(rules, location, slot + 1, last, after[0], after[1], after[2]):
                    single -= 1 << colour
    for colour in range(COLOURS):
        out[n] = colour
        n += (single >> colour) & 1
    missing = colours & int(state.missing)
    if rest_lacks or missing == 0 or pairs_left(state, rules) == 0:
        return n
    if rules.pair_when == 1 and missing != colours:
        return n
    for colour in range(COLOURS):
        out[n] = PAIR + colour
        n += int((twice >> colour) & 1 and leaves_enough(rules, location, slot + 1, last, held, thrice, colour))
    return n


@rule
def apply_pay(state, code):
    """Pay one card of the price; played divers go to the discards at once (A24)."""
    seat = int(state.seat)
    n = 1
    colour = code
    if code >= PAIR:
        n = 2
        colour = code - PAIR
        state.pairs_played += 1
        state.pairs[seat] += 1
        state.done_pair = colour
    state.hand[seat, colour] -= n
    state.diver_discard[colour] += n
    state.done_paid[colour] += n
    state.paid[seat] += n
    state.slot += 1


@rule
def begin_paying(state, action):
    """The price of `action` is asked for; what the hand lacks now is what a pair may stand for (A25)."""
    held, _, _ = colours_held(state, int(state.seat), NONE, 0)
    state.missing = ALL_COLOURS & ~held
    state.slot = 0
