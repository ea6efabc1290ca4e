"""The engine contract: advance, legal, apply. Dispatch only; the rules are in the modules named after the phases.

Everything drives a game through these three and `new_game`: the batch loop, the trace, tests, search. Each step of
`steps` and each prompt of `codes` has a branch of its own: what is forgotten is found by a test, and stops a game with
a sentence instead of being played as something else.
"""

from numba import types

from kernels.end_of_atlantis import codes as c
from kernels.end_of_atlantis import doom, events, factions, hands, politics, senate, setup, voting
from kernels.end_of_atlantis import steps as s
from kernels.end_of_atlantis.doom import decided_by, finish_early, rank
from kernels.end_of_atlantis.rules import RULES_RECORD
from kernels.end_of_atlantis.state import STATE_RECORD
from kernels.jit import entry

__all__ = ["MOST_LEGAL", "advance", "apply", "decided_by", "finish_early", "legal", "new_game", "rank"]

MOST_LEGAL = 96  # more actions than any prompt offers


@entry(types.void(STATE_RECORD, RULES_RECORD, types.uint64, types.int64))
def new_game(state, rules, seed, deal):
    """Deal a game into a zeroed state; the policies' streams are numbered by seat until the caller says otherwise."""
    setup.set_up(state, rules, seed, deal)
    for seat in range(rules.players):
        state.draw_stream[seat] = seat


@entry(types.void(STATE_RECORD, RULES_RECORD), inlined=True)
def advance(state, rules):
    """Run the rules up to the next choice: sets `prompt` and `actor`, or `phase` to over. Modifies `state` in
    place.
    """
    while state.prompt == c.PROMPT_NONE and state.phase != c.PHASE_OVER:
        step = int(state.step)
        if state.specials_due > 0:
            hands.step_take_special(state, rules)
        elif step == s.STEP_SETUP:
            setup.step_setup(state, rules)
        elif step == s.STEP_TURN:
            senate.step_turn(state, rules)
        elif step == s.STEP_SENATE_BIDS:
            senate.step_senate_bids(state, rules)
        elif step == s.STEP_PROXY:
            senate.step_proxy(state, rules)
        elif step == s.STEP_PICKS:
            factions.step_picks(state, rules)
        elif step == s.STEP_FREE_PICKS:
            factions.step_free_picks(state, rules)
        elif step == s.STEP_ABILITIES:
            factions.step_abilities(state, rules)
        elif step == s.STEP_ARCHONT_DISCARDS:
            factions.step_archont_discards(state)
        elif step == s.STEP_LAY:
            voting.step_lay(state, rules)
        elif step == s.STEP_ORAKLOS:
            voting.step_oraklos(state, rules)
        elif step == s.STEP_VOTING:
            voting.step_voting(state, rules)
        elif step == s.STEP_BIDS:
            voting.step_bids(state, rules)
        elif step == s.STEP_DEMAGOGOS_LOOK:
            voting.step_demagogos_look(state, rules)
        elif step == s.STEP_DEMAGOGOS_CHANGE:
            voting.step_demagogos_change(state)
        elif step == s.STEP_OPEN_BIDS:
            voting.step_open_bids(state, rules)
        elif step == s.STEP_ORATOR:
            voting.step_orator(state, rules)
        elif step == s.STEP_COUNT:
            voting.step_count(state, rules)
        elif step == s.STEP_PLAY:
            voting.step_play(state)
        elif step == s.STEP_DECLARE:
            politics.step_declare(state, rules)
        elif step == s.STEP_CARD:
            politics.step_card(state, rules)
        elif step == s.STEP_STRATEGOS:
            voting.step_strategos(state, rules)
        elif step == s.STEP_NEXT_SLOT:
            voting.step_next_slot(state)
        elif step == s.STEP_DOOM:
            doom.step_doom(state, rules)
        elif step == s.STEP_ALL_IN:
            events.step_all_in(state, rules)
        elif step == s.STEP_BOARDING:
            doom.step_boarding(state, rules)
        else:
            return  # no such step: without a prompt, no action is legal


@entry(types.int64(STATE_RECORD, RULES_RECORD, types.int16[::1]), inlined=True)
def legal(state, rules, out):
    """Write the legal action codes of the prompt to `out` (int16, at least MOST_LEGAL long); returns how many, 0 where
    there is no such prompt.
    """
    prompt = int(state.prompt)
    if prompt == c.PROMPT_BID or prompt == c.PROMPT_SENATE_BID or prompt == c.PROMPT_DEMAGOGOS_CHANGE:
        return voting.legal_bid(state, out)
    if prompt == c.PROMPT_LAY or prompt == c.PROMPT_ARCHONT_DISCARD:
        return hands.legal_kinds_in_hand(state, out)
    if prompt == c.PROMPT_PLAY:
        return voting.legal_play(state, rules, out)
    if prompt == c.PROMPT_OPEN_BID:
        return voting.legal_open_bid(state, rules, out)
    if prompt == c.PROMPT_FACTION:
        return factions.legal_faction(state, rules, out)
    if prompt == c.PROMPT_FREE_FACTION:
        return factions.legal_free_faction(state, out)
    if prompt == c.PROMPT_LOAD:
        return politics.legal_load(state, rules, out)
    if prompt == c.PROMPT_LOAD_SECOND:
        return politics.legal_load_second(state, rules, out)
    if prompt == c.PROMPT_STOWAWAY:
        return factions.ships_with_room(state, rules, 1, out, 0)
    if prompt == c.PROMPT_EMPATH_SHIP:
        return politics.legal_empath_ship(state, out)
    if prompt == c.PROMPT_EMPATH_VICTIM:
        return politics.legal_victim(state, int(state.special_ship), out)
    if prompt == c.PROMPT_ARISTOCRACY:
        return politics.legal_aristocracy(state, rules, out)
    if prompt == c.PROMPT_ARISTOCRACY_VICTIM:
        return politics.legal_victim(state, int(state.card_ships[0]), out)
    if prompt == c.PROMPT_ALLY:
        return politics.legal_ally(state, rules, out)
    if prompt == c.PROMPT_MOVE:
        return politics.legal_move(state, rules, out)
    if prompt == c.PROMPT_SABOTAGE:
        return politics.legal_sabotage(state, rules, out)
    if prompt == c.PROMPT_BETRAYAL:
        return politics.legal_betrayal(state, rules, out)
    if prompt == c.PROMPT_BETRAYAL_COUNT:
        return politics.legal_betrayal_count(state, rules, out)
    if prompt == c.PROMPT_DECLARE:
        return politics.legal_declare(state, rules, out)
    if prompt == c.PROMPT_TAKE_SPECIAL:
        return hands.legal_take_special(state, out)
    if prompt == c.PROMPT_PROXY:
        return hands.legal_effect(state, rules, c.SPECIAL_SENATE_BONUS, out)
    if prompt == c.PROMPT_ORATOR:
        return hands.legal_effect(state, rules, c.SPECIAL_BID_BONUS, out)
    if prompt == c.PROMPT_BASILEUS:
        return factions.legal_basileus(state, rules, out)
    if prompt == c.PROMPT_ORAKLOS:
        return voting.legal_oraklos(state, rules, out)
    if prompt == c.PROMPT_DEMAGOGOS_LOOK:
        return voting.legal_demagogos_look(state, rules, out)
    if prompt == c.PROMPT_DEMAGOGOS_CALL:
        return voting.legal_demagogos_call(state, rules, out)
    if prompt == c.PROMPT_ALL_IN:
        return events.legal_all_in(state, rules, out)
    if prompt == c.PROMPT_SETUP_CUBE:
        return setup.legal_setup_cube(state, rules, out)
    if prompt in (c.PROMPT_ARCHONT, c.PROMPT_DEMIURGOS, c.PROMPT_PHILOSOPHIOS, c.PROMPT_STRATEGOS):
        return factions.legal_yes_or_no(out)
    return 0


@entry(types.void(STATE_RECORD, RULES_RECORD, types.int64), inlined=True)
def apply(state, rules, action):
    """Take one legal action; `advance` must follow. Modifies `state` in place."""
    prompt = int(state.prompt)
    state.prompt = c.PROMPT_NONE
    state.arrivals = 0
    if prompt == c.PROMPT_BID or prompt == c.PROMPT_SENATE_BID:
        senate.apply_secret_bid(state, action)
    elif prompt == c.PROMPT_LAY:
        voting.apply_lay(state, action)
    elif prompt == c.PROMPT_PLAY:
        voting.apply_play(state, rules, action)
    elif prompt == c.PROMPT_OPEN_BID:
        voting.apply_open_bid(state, action)
    elif prompt == c.PROMPT_FACTION:
        factions.apply_faction(state, rules, action)
    elif prompt == c.PROMPT_FREE_FACTION:
        factions.apply_free_faction(state, rules, action)
    elif prompt == c.PROMPT_LOAD:
        politics.apply_load(state, action)
    elif prompt == c.PROMPT_LOAD_SECOND:
        politics.apply_load_second(state, action)
    elif prompt == c.PROMPT_STOWAWAY:
        politics.apply_stowaway(state, action)
    elif prompt == c.PROMPT_EMPATH_SHIP:
        state.special_ship = action
    elif prompt == c.PROMPT_EMPATH_VICTIM:
        politics.displace(state, int(state.special_ship), action)
    elif prompt == c.PROMPT_ARISTOCRACY:
        politics.apply_aristocracy(state, rules, action)
    elif prompt == c.PROMPT_ARISTOCRACY_VICTIM:
        politics.apply_aristocracy_victim(state, action)
    elif prompt == c.PROMPT_ALLY:
        politics.apply_ally(state, rules, action)
    elif prompt == c.PROMPT_MOVE:
        politics.apply_move(state, rules, action)
    elif prompt == c.PROMPT_SABOTAGE:
        politics.apply_sabotage(state, rules, action)
    elif prompt == c.PROMPT_BETRAYAL:
        politics.apply_betrayal(state, rules, action)
    elif prompt == c.PROMPT_BETRAYAL_COUNT:
        politics.apply_betrayal_count(state, rules, action)
    elif prompt == c.PROMPT_DECLARE:
        politics.apply_declare(state, rules, action)
    elif prompt == c.PROMPT_TAKE_SPECIAL:
        hands.apply_take_special(state, rules, action)
    elif prompt == c.PROMPT_PROXY:
        senate.apply_proxy(state, rules, action)
    elif prompt == c.PROMPT_ORATOR:
        voting.apply_orator(state, rules, action)
    elif prompt == c.PROMPT_ARCHONT:
        factions.apply_archont(state, rules, action)
    elif prompt == c.PROMPT_ARCHONT_DISCARD:
        factions.apply_archont_discard(state, action)
    elif prompt == c.PROMPT_BASILEUS:
        factions.apply_basileus(state, action)
    elif prompt == c.PROMPT_DEMIURGOS:
        factions.apply_demiurgos(state, action)
    elif prompt == c.PROMPT_ORAKLOS:
        voting.apply_oraklos(state, action)
    elif prompt == c.PROMPT_DEMAGOGOS_LOOK:
        voting.apply_demagogos_look(state, rules, action)
    elif prompt == c.PROMPT_DEMAGOGOS_CHANGE:
        voting.apply_demagogos_change(state, rules, action)
    elif prompt == c.PROMPT_DEMAGOGOS_CALL:
        voting.apply_demagogos_call(state, action)
    elif prompt == c.PROMPT_PHILOSOPHIOS:
        voting.apply_philosophios(state, action)
    elif prompt == c.PROMPT_STRATEGOS:
        voting.apply_strategos(state, rules, action)
    elif prompt == c.PROMPT_ALL_IN:
        events.apply_all_in(state, rules, action)
    elif prompt == c.PROMPT_SETUP_CUBE:
        setup.apply_setup_cube(state, action)
