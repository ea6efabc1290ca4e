"""The state machine (docs/contracts/atlantica.md): `advance`, `legal`, `apply`. "Game Play", "End of the Game"."""

from numba import types

from kernels.atlantica import codes as c
from kernels.atlantica.divers import draw_to_hand, take_up_waiting
from kernels.atlantica.locations import (
    cards_to_take,
    collect,
    discover,
    drink,
    finish_action,
    legal_action,
    legal_drink,
    legal_research,
    legal_treasure,
    perform,
    possible_actions,
)
from kernels.atlantica.payment import apply_pay, begin_paying, legal_pay
from kernels.atlantica.refill import refill
from kernels.atlantica.rules import RULES_RECORD
from kernels.atlantica.scoring import decided_by, finish_early, rank
from kernels.atlantica.setup import set_up
from kernels.atlantica.state import STATE_RECORD
from kernels.jit import entry, rule

__all__ = ["MOST_LEGAL", "advance", "apply", "decided_by", "finish_early", "legal", "new_game", "rank"]

MOST_LEGAL = 16

# What advance does next.
STEP_PRICE, STEP_TAKE, STEP_AFTER_ACTION, STEP_END_TURN, STEP_TURN = range(5)


@entry(types.void(STATE_RECORD, RULES_RECORD, types.uint64, types.int64))
def new_game(state, rules, seed, deal):
    """Deal game `deal` of a run into a zeroed state; `advance` must follow. Modifies `state` in place."""
    set_up(state, rules, seed, deal)
    state.phase = c.PHASE_TURNS
    state.seat = state.players - 1  # the next one, seat 0, begins (A12)
    state.step = STEP_TURN


@rule
def ask(state, prompt):
    """Stop at a choice of the seat whose turn it is."""
    state.prompt = prompt
    state.actor = state.seat


@rule
def begin_turn(state, rules):
    """The next seat's turn, if there is one (A08, A28)."""
    seat = int(state.seat) + 1
    if seat == state.players:
        seat = 0
    if seat == 0:
        if state.turn >= rules.turn_cap and state.hurricane == c.NOBODY:
            end_game(state, rules, c.END_TURN_CAP)
            return
        state.turn += 1
    state.seat = seat
    if state.turns_left > 0:
        state.turns_left -= 1
    state.cards_played = 0
    state.pairs_played = 0
    state.used[:] = 0
    state.acted = 0
    ask(state, c.PROMPT_ACTION)


@rule
def end_turn(state, rules):
    """Divers hired come to hand; the board is refilled; the last turn ends the game."""
    seat = int(state.seat)
    take_up_waiting(state, seat)
    state.turns_of[seat] += 1
    state.turns_done += 1
    if state.turns_left == 0:
        end_game(state, rules, c.END_HURRICANE)
        return
    refill(state)
    state.step = STEP_TURN


@rule
def end_game(state, rules, reason):
    """Everybody is scored."""
    state.end_reason = reason
    state.phase = c.PHASE_OVER
    state.actor = c.NOBODY
    finish_early(state, rules)


@rule
def ask_for_card(state, rules):
    """The next card of the action under way; when it takes no more, the action is finished."""
    if not cards_to_take(state, rules):
        finish_action(state, rules)
        state.step = STEP_AFTER_ACTION
        return
    location = int(state.action) // c.TIERS
    if location == c.SUBMARINE:
        ask(state, c.PROMPT_TREASURE)
    elif location == c.RESEARCH_STATION:
        ask(state, c.PROMPT_RESEARCH)
    else:
        ask(state, c.PROMPT_DRINK)


@rule
def ask_for_price(state, rules):
    """The next card of the price; when it is paid, the action is performed."""
    tier = int(state.action) % c.TIERS
    if state.slot <= tier:
        ask(state, c.PROMPT_PAY)
    else:
        perform(state, rules)
        state.step = STEP_TAKE


@entry(types.void(STATE_RECORD, RULES_RECORD), inlined=True)
def advance(state, rules):
    """Run the rules up to the next choice, or to the end of the game. Modifies `state` in place.

    One straight line: whatever a step leaves to do stands below it.
    """
    if state.prompt != c.PROMPT_NONE or state.phase == c.PHASE_OVER:
        return
    if state.step == STEP_PRICE:
        ask_for_price(state, rules)
    if state.prompt == c.PROMPT_NONE and state.step == STEP_TAKE:
        ask_for_card(state, rules)
    if state.prompt == c.PROMPT_NONE and state.step == STEP_AFTER_ACTION:
        if state.cards_played < rules.cards_per_turn:
            ask(state, c.PROMPT_ACTION)
        else:
            state.step = STEP_END_TURN
    if state.prompt == c.PROMPT_NONE and state.step == STEP_END_TURN:
        end_turn(state, rules)
    if state.prompt == c.PROMPT_NONE and state.step == STEP_TURN and state.phase != c.PHASE_OVER:
        begin_turn(state, rules)


@entry(types.int64(STATE_RECORD, RULES_RECORD, types.int16[::1]), inlined=True)
def legal(state, rules, out):
    """Write the legal action codes of the prompt to `out` (int16, at least MOST_LEGAL long); returns how many, 0 where
    there is no such prompt.
    """
    prompt = int(state.prompt)
    if prompt == c.PROMPT_ACTION:
        return legal_action(state, rules, out)
    if prompt == c.PROMPT_PAY:
        return legal_pay(state, rules, out)
    if prompt == c.PROMPT_TREASURE:
        return legal_treasure(state, rules, out)
    if prompt == c.PROMPT_RESEARCH:
        return legal_research(state, rules, out)
    if prompt == c.PROMPT_DRINK:
        return legal_drink(state, rules, out)
    return 0


@rule
def clear_done(state):
    """Forget what the last action did."""
    state.done_pair = c.NONE
    state.done_paid[:] = 0
    state.done_where[:] = c.NONE
    state.done_taken[:] = 0
    state.done_count = 0
    state.done_drawn = 0


@rule
def catch_your_breath(state, rules):
    """Pass and draw: "Catch Your Breath" (A14, A32)."""
    seat = int(state.seat)
    state.breaths[seat] += 1
    if possible_actions(state, rules) == 0:
        state.forced[seat] += 1
    clear_done(state)
    drawn = draw_to_hand(state, seat, int(rules.breath_cards))
    state.done_action = c.PASS
    state.done_drawn = drawn
    state.drawn[seat] += drawn
    state.actions_done += 1


@rule
def apply_action(state, rules, action):
    """Choose an action, end the turn, or catch one's breath."""
    if action == c.PASS:
        if state.acted == 0:
            catch_your_breath(state, rules)
        state.step = STEP_END_TURN
        return
    clear_done(state)
    state.action = action
    state.cards_played += action % c.TIERS + 1
    begin_paying(state, action)
    state.step = STEP_PRICE


@entry(types.void(STATE_RECORD, RULES_RECORD, types.int64), inlined=True)
def apply(state, rules, action):
    """Take one legal action; `advance` must follow. Modifies `state` in place."""
    prompt = int(state.prompt)
    state.prompt = c.PROMPT_NONE
    if prompt == c.PROMPT_ACTION:
        apply_action(state, rules, action)
    elif prompt == c.PROMPT_PAY:
        apply_pay(state, action)
    elif action == c.PASS:
        state.left = 0
    else:
        state.left -= 1
        if prompt == c.PROMPT_TREASURE:
            collect(state, action)
        elif prompt == c.PROMPT_RESEARCH:
            discover(state, action)
        elif prompt == c.PROMPT_DRINK:
            drink(state, rules, action)
