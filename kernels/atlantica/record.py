"""Rows of a run, filled while games are played (kernels.atlantica.tables)."""

import numpy as np

from kernels.atlantica import tables
from kernels.atlantica.codes import (
    ACTIONS,
    COLOURS,
    DRINK_RESEARCH,
    DRINK_SHIP,
    LOCATIONS,
    NOBODY,
    NONE,
    OPTION_ACTION,
    OPTION_CATCH_BREATH,
    OPTION_DRINK_RESEARCH,
    OPTION_DRINK_SHIP,
    OPTION_DRINK_TREASURE,
    OPTION_END_TURN,
    OPTION_PAIR,
    OPTION_RESEARCH,
    OPTION_TREASURE,
    PAIR,
    PASS,
    PHASE_OVER,
    PILE_SHIPS,
    PROMPT_ACTION,
    PROMPT_DRINK,
    PROMPT_PAY,
    PROMPT_RESEARCH,
    PROMPT_TREASURE,
    RESEARCH_KINDS,
    SHIP_PILES,
    TIERS,
    TREASURE_KINDS,
)
from kernels.atlantica.divers import hand_size
from kernels.atlantica.rules import RULES_RECORD
from kernels.atlantica.scoring import score_now
from kernels.atlantica.state import STATE_RECORD, TAKEN
from kernels.engine.contract import NOTES, sign_note_events, sign_note_options
from kernels.jit import entry, rule
from kernels.piles import total

# Rows of `notes`, one column a seat: what the recorder remembers within a game, after the engine's own.
NOTE_TURNS, NOTE_BREATHS, NOTE_FORCED, NOTE_PAIRS, NOTE_PAID = range(NOTES, NOTES + 5)  # tallies when this turn began
NOTE_TIERS = NOTES + 5  # actions performed, by code, when this turn began
OWN_NOTES = 5 + len(ACTIONS)
# Elements of `marks`: how far the recorder has come.
MARK_ACTIONS, MARK_TURNS, MARK_HURRICANE = range(3)  # the last: the turn in which the hurricane came
MARKS = 4

TREASURES_AS_THEY_ARE = np.arange(TREASURE_KINDS)  # each kind of treasure is an option of its own

# The number of each table in `rows` and `counts`, after games and seats.
TABLE_TURNS, TABLE_ACTIONS = range(2, 4)


@rule
def count_cards_offered(row, legal, n, first, options, chosen, tallies, seat):
    """Cards of a row that could be taken; the same option twice counts once. `options` maps kinds to options."""
    seen = 0
    for i in range(n):
        if legal[i] == PASS:
            continue
        option = int(options[row[legal[i]]])
        if (seen >> option) & 1 == 0:
            tallies[0, seat, first + option] += 1
            seen |= 1 << option
    if chosen != PASS:
        tallies[1, seat, first + int(options[row[chosen]])] += 1


@rule
def drink_option(code):
    """The option that a drink's code counts as."""
    if code >= DRINK_SHIP:
        return OPTION_DRINK_SHIP
    if code >= DRINK_RESEARCH:
        return OPTION_DRINK_RESEARCH
    return OPTION_DRINK_TREASURE


@entry(sign_note_options(STATE_RECORD, RULES_RECORD), inlined=True)
def note_options(state, rules, legal, n, action, tallies):
    """Count, before a choice is applied, what could be done and what is done.

    `tallies` is int64 of shape (2, seats, options): legal, chosen.
    """
    prompt = int(state.prompt)
    seat = int(state.actor)
    if prompt == PROMPT_ACTION:
        pass_option = OPTION_CATCH_BREATH if state.acted == 0 else OPTION_END_TURN
        tallies[0, seat, pass_option] += 1
        for i in range(1, n):
            tallies[0, seat, OPTION_ACTION + legal[i]] += 1
        tallies[1, seat, pass_option if action == PASS else OPTION_ACTION + action] += 1
    elif prompt == PROMPT_PAY:
        if legal[n - 1] >= PAIR:
            tallies[0, seat, OPTION_PAIR] += 1
            if action >= PAIR:
                tallies[1, seat, OPTION_PAIR] += 1
    elif prompt == PROMPT_TREASURE:
        count_cards_offered(state.treasure_row, legal, n, OPTION_TREASURE, TREASURES_AS_THEY_ARE, action, tallies, seat)
    elif prompt == PROMPT_RESEARCH:
        count_cards_offered(
            state.research_row, legal, n, OPTION_RESEARCH, rules.research_effect, action, tallies, seat
        )
    elif prompt == PROMPT_DRINK:
        last = NONE
        for i in range(n):
            if legal[i] != PASS and drink_option(int(legal[i])) != last:
                last = drink_option(int(legal[i]))
                tallies[0, seat, last] += 1
        if action != PASS:
            tallies[1, seat, drink_option(action)] += 1


@rule
def write_action(state, game, seat, turn, row):
    """The action just finished."""
    row.game = game
    row.turn = turn
    row.seat = seat
    row.action = state.done_action
    for colour in range(COLOURS):
        row.paid[colour] = state.done_paid[colour]
    row.pair = state.done_pair
    row.drawn = state.done_drawn
    for i in range(TAKEN):
        there = i < state.done_count
        row.where[i] = state.done_where[i] if there else NONE
        row.taken[i] = state.done_taken[i] if there else NONE


@rule
def write_turn(state, rules, game, seat, notes, row):
    """The turn just finished, and what the seat would score if the game ended here."""
    row.game = game
    row.turn = state.turns_of[seat]
    row.seat = seat
    row.vp = state.vp[seat] if state.phase == PHASE_OVER else score_now(state, rules, seat)
    for location in range(len(LOCATIONS)):
        row.tier[location] = 0
        for tier in range(TIERS):
            action = TIERS * location + tier
            if state.tiers[seat, action] > notes[NOTE_TIERS + action, seat]:
                row.tier[location] = tier + 1
    row.breath = state.breaths[seat] - notes[NOTE_BREATHS, seat] + state.forced[seat] - notes[NOTE_FORCED, seat]
    row.pair = state.pairs[seat] - notes[NOTE_PAIRS, seat]
    row.paid = state.paid[seat] - notes[NOTE_PAID, seat]
    row.hand = hand_size(state, seat)
    row.treasures = total(state.treasures[seat])
    row.crates = state.crates[seat]
    row.ships = total(state.ships[seat])
    row.research = total(state.research[seat])


@rule
def remember_turn(state, seat, notes):
    """The seat's tallies after a turn: what its next one is measured against."""
    notes[NOTE_TURNS, seat] = state.turns_of[seat]
    notes[NOTE_BREATHS, seat] = state.breaths[seat]
    notes[NOTE_FORCED, seat] = state.forced[seat]
    notes[NOTE_PAIRS, seat] = state.pairs[seat]
    notes[NOTE_PAID, seat] = state.paid[seat]
    for action in range(len(LOCATIONS) * TIERS):
        notes[NOTE_TIERS + action, seat] = state.tiers[seat, action]


@rule
def turn_ended(state, notes):
    """The seat whose turn has ended since the last look, or NOBODY."""
    for seat in range(state.players):
        if state.turns_of[seat] > notes[NOTE_TURNS, seat]:
            return seat
    return NOBODY


@entry(sign_note_events(STATE_RECORD, RULES_RECORD, tables.TABLES))
def note_events(state, rules, detail, game, notes, marks, rows, counts):
    """Write, after a step, whatever has come to an end: an action, a turn. `detail`: 1 turns, 2 actions too."""
    ended = turn_ended(state, notes) if state.turns_done > marks[MARK_TURNS] else NOBODY
    marks[MARK_TURNS] = state.turns_done
    if detail == 2 and state.actions_done > marks[MARK_ACTIONS]:
        marks[MARK_ACTIONS] = state.actions_done
        seat = ended if ended != NOBODY else int(state.seat)
        turn = int(state.turns_of[seat]) + (1 if ended == NOBODY else 0)
        write_action(state, game, seat, turn, rows[TABLE_ACTIONS][counts[TABLE_ACTIONS]])
        counts[TABLE_ACTIONS] += 1
    if ended != NOBODY:
        row = rows[TABLE_TURNS][counts[TABLE_TURNS]]
        counts[TABLE_TURNS] += 1
        write_turn(state, rules, game, ended, notes, row)
        row.last = 1 if marks[MARK_HURRICANE] > 0 else 0
        remember_turn(state, ended, notes)
        if marks[MARK_HURRICANE] == 0 and state.hurricane != NOBODY:
            marks[MARK_HURRICANE] = state.turns_of[ended]


@rule
def write_game(state, rules, unfinished, marks, row):
    """A finished game's own columns."""
    row.hurricane = state.hurricane
    row.hurricane_turn = 0
    if state.hurricane != NOBODY:
        # Its finder has had one more turn since, or is still to have it.
        row.hurricane_turn = state.turns_of[state.hurricane] - (1 if state.turns_left == 0 and not unfinished else 0)
    row.reshuffles = state.diver_reshuffles
    left = 0
    for pile in range(SHIP_PILES):
        left += PILE_SHIPS - int(state.ship_top[pile])
    row.ships_left = left
    row.research_left = state.research_size - state.research_top


@rule
def write_seat(state, rules, seat, notes, line):
    """A seat's own columns."""
    for kind in range(TREASURE_KINDS):
        line.collected[kind] = state.treasures[seat, kind]
        line.kept[kind] = state.loaded[seat, kind]
    line.treasures = total(state.treasures[seat])
    line.lost = line.treasures - total(state.loaded[seat])
    line.crates = state.crates[seat]
    line.ships = total(state.ships[seat])
    line.research = total(state.research[seat])
    most = 0
    for kind in range(RESEARCH_KINDS):
        line.copies[kind] = state.research[seat, kind]
        most = max(most, int(state.research[seat, kind]))
    line.research_most = most
    line.divers = hand_size(state, seat)
    line.turns = state.turns_of[seat]
    line.breaths = state.breaths[seat]
    line.forced = state.forced[seat]
    line.pairs = state.pairs[seat]
    line.paid = state.paid[seat]
    line.drawn = state.drawn[seat]
