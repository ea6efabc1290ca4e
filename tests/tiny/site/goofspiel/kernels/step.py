"""The rules of Goofspiel."""

from numba import types

from goofspiel.kernels import codes as c
from goofspiel.kernels.rules import LOWEST_SEAT_TAKES, RULES_RECORD
from goofspiel.kernels.state import STATE_RECORD
from kernels.jit import entry, rule
from kernels.piles import shuffle_single
from kernels.worlds import set_keys

MOST_LEGAL = 8


@entry(types.void(STATE_RECORD, RULES_RECORD, types.uint64, types.int64))
def new_game(state, rules, seed, deal):
    """Deal a game into a zeroed state."""
    set_keys(state, seed, deal)
    state.players = rules.players
    state.actor = c.NOBODY
    state.taken_by = c.NOBODY
    state.phase = c.PHASE_TURNS
    state.step = c.STEP_TURN_UP
    for seat in range(rules.players):
        state.draw_stream[seat] = seat
        for card in range(rules.cards):
            state.hand[seat, card] = 1
    cards = int(rules.cards)
    shuffle_single(state.key, state.deal, c.PURPOSE_PRIZES, 0, cards, (1 << cards) - 1, state.prizes)
    for i in range(cards):
        state.prizes[i] += 1
    gain(state, int(rules.players) - 1, c.SOURCE_BONUS, int(rules.bonus))


@rule
def gain(state, seat, source, amount):
    """Points from a source."""
    state.vp[seat] += amount
    state.vp_by[seat, source] += amount


@rule
def turn_up(state, rules):
    """The next prize, or the end after the last one."""
    if state.turn == rules.cards:
        state.phase = c.PHASE_OVER
        state.actor = c.NOBODY
        state.end_reason = c.END_LAST_PRIZE
        return
    state.prize = state.prizes[state.turn]
    state.history[state.turn] = state.prize
    state.turn += 1
    state.step = c.STEP_BID


@rule
def ask_for_bids(state, rules):
    """Seat by seat; when all have bid the cards are shown and the prize is taken."""
    if state.bids < rules.players:
        state.prompt = c.PROMPT_BID
        state.actor = state.bids
        return
    state.taken_by = highest(state, rules)
    if state.taken_by != c.NOBODY:
        gain(state, int(state.taken_by), c.SOURCE_PRIZES, int(rules.prize_values[state.prize - 1]))
        state.taken[state.taken_by] += 1
    for seat in range(rules.players):
        state.shown[seat] = state.bid[seat]
        state.hand[seat, state.bid[seat] - 1] = 0
        state.bid[seat] = 0
    state.shown_prize = state.prize
    state.prize = 0
    state.bids = 0
    state.turns_done += 1
    state.step = c.STEP_TURN_UP


@rule
def highest(state, rules):
    """The seat with the highest card; where two are equal, nobody or the lowest seat."""
    best = 0
    equal = False
    for seat in range(1, rules.players):
        if state.bid[seat] > state.bid[best]:
            best = seat
            equal = False
        elif state.bid[seat] == state.bid[best]:
            equal = True
    return c.NOBODY if equal and rules.equal_bids != LOWEST_SEAT_TAKES else best


@entry(types.void(STATE_RECORD, RULES_RECORD), inlined=True)
def advance(state, rules):
    """Run the rules up to the next choice, or to the end."""
    while state.prompt == c.PROMPT_NONE and state.phase != c.PHASE_OVER:
        if state.step == c.STEP_TURN_UP:
            turn_up(state, rules)
        elif state.step == c.STEP_BID:
            ask_for_bids(state, rules)
        else:
            return


@rule
def legal_bid(state, out):
    """The cards in hand, ascending."""
    n = 0
    for card in range(c.MOST_CARDS):
        if state.hand[state.actor, card] == 1:
            out[n] = card + 1
            n += 1
    return n


@rule
def apply_bid(state, action):
    """Lay a card."""
    state.bid[state.actor] = action
    state.bids += 1


@entry(types.int64(STATE_RECORD, RULES_RECORD, types.int16[::1]), inlined=True)
def legal(state, rules, out):
    """The legal actions to `out`; how many."""
    if state.prompt == c.PROMPT_BID:
        return legal_bid(state, out)
    return 0


@entry(types.void(STATE_RECORD, RULES_RECORD, types.int64), inlined=True)
def apply(state, rules, action):
    """Take one legal action."""
    prompt = int(state.prompt)
    state.prompt = c.PROMPT_NONE
    if prompt == c.PROMPT_BID:
        apply_bid(state, action)


# ---- who has won


@rule
def rank(state, rules, seat):
    """1 for a winner; seats with equal points share a rank."""
    place = 1
    for other in range(state.players):
        if state.vp[other] > state.vp[seat]:
            place += 1
    return place


@rule
def decided_by(state, rules):
    """Whether the winner is alone."""
    winners = 0
    for seat in range(state.players):
        if rank(state, rules, seat) == 1:
            winners += 1
    return c.SETTLED_CLEAR if winners == 1 else c.SETTLED_LEVEL


@rule
def finish_early(state, rules):
    """Points stand as they are."""
