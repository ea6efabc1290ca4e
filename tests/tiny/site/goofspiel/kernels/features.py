"""All that a seat can see of Goofspiel, as numbers for a network: one-hot, so that it can tell every position."""

from goofspiel.kernels import codes as c
from kernels.jit import rule

SEATS = 4  # at the longest table
WIDEST = 5  # leads told apart, either way
POINTS = 5.0  # what points are divided by

CARDS = range(1, c.MOST_CARDS + 1)
RIVAL_NAMES = (
    "present",
    "laid",  # a card for this prize
    "points",
    *(f"lead_{lead}" for lead in range(-WIDEST, WIDEST + 1)),  # of the seat; the ends: so much or more
    *(f"card_{card}" for card in CARDS),
)
PRESENT, LAID, RIVAL_POINTS, LEAD = range(4)
RIVAL_CARD = LEAD + 2 * WIDEST + 1
RIVAL_SIZE = len(RIVAL_NAMES)
NAMES: tuple[str, ...] = (
    "points",
    *(f"seat_{seat}" for seat in range(SEATS)),
    *(f"card_{card}" for card in CARDS),
    *(f"bid_{card}" for card in CARDS),
    *(f"prize_{prize}" for prize in CARDS),
    *(f"to_come_{prize}" for prize in CARDS),
    *(f"next{rival}_{name}" for rival in range(1, SEATS) for name in RIVAL_NAMES),
)
OWN_POINTS, SEAT = 0, 1
CARD = SEAT + SEATS
BID, PRIZE, TO_COME, RIVAL = (CARD + i * c.MOST_CARDS for i in range(1, 5))
SIZE = len(NAMES)
PLAIN = ("points", "next1_points")  # what a plain table of chances goes by


@rule
def tell_prizes(state, rules, out):
    """The prize that is bid for, and those still to come."""
    if state.prize > 0:
        out[PRIZE + int(state.prize) - 1] = 1.0
    for prize in range(rules.cards):
        out[TO_COME + prize] = 1.0
    for turn in range(state.turn):
        out[TO_COME + int(state.history[turn]) - 1] = 0.0


@rule
def tell_rival(state, seat, rival, at, out):
    """A rival's points against the seat's, and its cards."""
    lead = int(state.vp[seat]) - int(state.vp[rival])
    out[at + PRESENT] = 1.0
    out[at + LAID] = int(state.bid[rival] > 0)
    out[at + RIVAL_POINTS] = int(state.vp[rival]) / POINTS
    out[at + LEAD + WIDEST + max(-WIDEST, min(WIDEST, lead))] = 1.0
    for card in range(c.MOST_CARDS):
        out[at + RIVAL_CARD + card] = int(state.hand[rival, card])


@rule
def describe(state, rules, seat, out):
    """Write the seat's numbers to out[:SIZE], which is blank."""
    out[OWN_POINTS] = int(state.vp[seat]) / POINTS
    out[SEAT + seat] = 1.0
    for card in range(c.MOST_CARDS):
        out[CARD + card] = int(state.hand[seat, card])
    if state.bid[seat] > 0:
        out[BID + int(state.bid[seat]) - 1] = 1.0
    tell_prizes(state, rules, out)
    for place in range(1, state.players):
        rival = seat + place
        if rival >= state.players:
            rival -= int(state.players)
        tell_rival(state, seat, rival, RIVAL + RIVAL_SIZE * (place - 1), out)
