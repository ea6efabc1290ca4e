"""The turn's start and "1. Senate Phase": secret bids into the pool, then Proxies (E77)."""

from kernels.end_of_atlantis.codes import (
    EVENT_CHAOS,
    NONE,
    PASS,
    PHASE_FACTIONS,
    PHASE_SENATE,
    PHASE_VOTING,
    PROMPT_PROXY,
    PROMPT_SENATE_BID,
    SPECIAL_SENATE_BONUS,
)
from kernels.end_of_atlantis.hands import holds_effect, spend_special
from kernels.end_of_atlantis.order import senate_order
from kernels.end_of_atlantis.steps import STEP_LAY, STEP_PICKS, STEP_PROXY, STEP_SENATE_BIDS
from kernels.jit import rule


@rule
def step_turn(state, rules):
    """Begin the next turn; after Chaos Spreads! it begins with the voting."""
    state.turn += 1
    state.at = 0
    state.picks = 0
    state.demagogos_used = 0
    if state.event_now == EVENT_CHAOS:
        start_voting_phase(state)
    elif rules.senate == 1:
        state.phase = PHASE_SENATE
        state.pending[:] = NONE
        state.step = STEP_SENATE_BIDS
    else:
        start_factions(state, rules)


@rule
def start_factions(state, rules):
    """The Factions phase uses the Senate order at its start (E27)."""
    state.phase = PHASE_FACTIONS
    senate_order(state, rules, state.queue)
    state.passed[:] = 0
    state.picks = 0
    state.at = 0
    state.step = STEP_PICKS


@rule
def start_voting_phase(state):
    """Nothing is laid yet."""
    state.phase = PHASE_VOTING
    state.laid[:, :] = NONE
    state.laid_count[:] = 0
    state.facedown[:] = 0
    state.revealed = 0
    state.slot = 0
    state.bid[:] = NONE
    state.bid_bonus[:] = 0
    state.place[:] = 0
    state.at = 0
    state.step = STEP_LAY


@rule
def step_senate_bids(state, rules):
    """Ask seat by seat in secret; when all have chosen, reveal."""
    if state.at < rules.players:
        state.prompt = PROMPT_SENATE_BID
        state.actor = state.at
        return
    for seat in range(rules.players):
        bid = int(state.pending[seat])
        state.supply[seat] -= bid
        state.pool[seat] += bid
    for seat in range(rules.players):
        state.frozen_pool[seat] = state.pool[seat]
    senate_order(state, rules, state.queue)
    state.at = 0
    state.step = STEP_PROXY


@rule
def apply_secret_bid(state, action):
    """A bid in a closed fist: Senate or hidden voting."""
    state.pending[state.actor] = action
    state.at += 1


@rule
def step_proxy(state, rules):
    """Who holds a Proxy may play one, in Senate order before any bonus."""
    while state.at < rules.players:
        seat = int(state.queue[state.at])
        if holds_effect(state, seat, SPECIAL_SENATE_BONUS):
            state.prompt = PROMPT_PROXY
            state.actor = seat
            return
        state.at += 1
    start_factions(state, rules)


@rule
def apply_proxy(state, rules, action):
    """The pool counts more this turn."""
    if action != PASS:
        spend_special(state, rules, int(state.actor), action)
        state.pool_bonus[state.actor] += rules.special_amount[action]
    state.at += 1
