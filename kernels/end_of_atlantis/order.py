"""The Senate order: the only tie-breaker of the game ("1. Senate Phase", "Breaking Ties")."""

from kernels.end_of_atlantis.codes import CONTEST_MAJORITY, NOBODY, SETTLED_CLEAR, SETTLED_MARKER, SETTLED_POOL
from kernels.jit import rule


@rule
def standing(state, rules, seat):
    """Tokens that count for a seat's place in the Senate order (E27, E89)."""
    tokens = int(state.frozen_pool[seat]) if rules.senate_order_pool == 1 else int(state.pool[seat])
    return tokens + int(state.pool_bonus[seat])


@rule
def is_higher(state, rules, a, b):
    """Whether seat a stands higher in the Senate order than seat b: tokens, then the marker further left."""
    tokens_a = standing(state, rules, a)
    tokens_b = standing(state, rules, b)
    if tokens_a != tokens_b:
        return tokens_a > tokens_b
    if state.marker[a] != state.marker[b]:
        return state.marker[a] < state.marker[b]
    return a < b  # only while two markers share a space


@rule
def senate_order(state, rules, order):
    """Write the seats to `order`, highest first."""
    for seat in range(rules.players):
        i = seat
        while i > 0 and is_higher(state, rules, seat, int(order[i - 1])):
            order[i] = order[i - 1]
            i -= 1
        order[i] = seat


@rule
def settled_by(state, rules, a, b):
    """What tells two seats with equal numbers apart: SETTLED_POOL or SETTLED_MARKER."""
    return SETTLED_POOL if standing(state, rules, a) != standing(state, rules, b) else SETTLED_MARKER


@rule
def tokens(state, numbers, seat, with_bonus):
    """A seat's number, with Proxy's bonus where `with_bonus` is 1."""
    return int(numbers[seat]) + with_bonus * int(state.pool_bonus[seat])


@rule
def leader(state, rules, numbers, with_bonus, skip):
    """The seat with the highest number, ties by Senate order, leaving out seat `skip` (NOBODY: none)."""
    best = NOBODY
    for seat in range(rules.players):
        if seat == skip:
            continue
        if best == NOBODY:
            best = seat
            continue
        mine = tokens(state, numbers, seat, with_bonus)
        most = tokens(state, numbers, best, with_bonus)
        if mine > most or (mine == most and is_higher(state, rules, seat, best)):
            best = seat
    return best


@rule
def note_majority(state, rules, numbers, with_bonus, winner):
    """Tally what decided a majority: the numbers alone, or a tie-break."""
    level = SETTLED_CLEAR
    most = tokens(state, numbers, winner, with_bonus)
    for seat in range(rules.players):
        if seat != winner and tokens(state, numbers, seat, with_bonus) == most:
            level = max(level, settled_by(state, rules, winner, seat))
    state.settled[CONTEST_MAJORITY, level] += 1
