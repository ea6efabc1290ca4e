"""The recorder: turns what happens in a game into rows of the tables (kernels/end_of_atlantis/tables.py).

It watches the state between two steps; the rules know nothing of it.
"""

import numpy as np

from kernels.end_of_atlantis import tables
from kernels.end_of_atlantis.codes import (
    COLOURS,
    CONTEST_GAME,
    FACTION_ARCHONT,
    FACTION_BASILEUS,
    FACTION_DEMAGOGOS,
    FACTION_DEMIURGOS,
    FACTION_ORAKLOS,
    FACTION_PHILOSOPHIOS,
    FACTION_STRATEGOS,
    FACTIONS,
    NONE,
    OPTION_ABILITY,
    OPTION_BETRAYAL_POOL,
    OPTION_BETRAYAL_SHIP,
    OPTION_DISPLACE,
    OPTION_FACTION,
    OPTION_FACTION_PASS,
    OPTION_LAY,
    OPTION_LOAD,
    OPTION_MOVE,
    OPTION_NEIGHBOURS,
    OPTION_PLAY,
    OPTION_SPECIAL,
    PASS,
    PHASE_OVER,
    PLAY_NEIGHBOURS,
    POOL_OF,
    PROMPT_ALL_IN,
    PROMPT_ALLY,
    PROMPT_ARCHONT,
    PROMPT_ARISTOCRACY,
    PROMPT_BASILEUS,
    PROMPT_BETRAYAL,
    PROMPT_DECLARE,
    PROMPT_DEMAGOGOS_CALL,
    PROMPT_DEMAGOGOS_LOOK,
    PROMPT_DEMIURGOS,
    PROMPT_FACTION,
    PROMPT_FREE_FACTION,
    PROMPT_LAY,
    PROMPT_LOAD,
    PROMPT_LOAD_SECOND,
    PROMPT_MOVE,
    PROMPT_ORAKLOS,
    PROMPT_ORATOR,
    PROMPT_PHILOSOPHIOS,
    PROMPT_PLAY,
    PROMPT_PROXY,
    PROMPT_STOWAWAY,
    PROMPT_STRATEGOS,
    SETTLED_BY,
)
from kernels.end_of_atlantis.order import senate_order
from kernels.end_of_atlantis.rules import RULES_RECORD
from kernels.end_of_atlantis.ships import room
from kernels.end_of_atlantis.state import STATE_RECORD
from kernels.end_of_atlantis.voting import neighbour
from kernels.engine.contract import MAX_PLAYERS, NOTES, sign_note_events, sign_note_options
from kernels.jit import entry, rule

# Rows of `notes`, one column a seat: what the recorder remembers within a game, after the engine's own.
NOTE_POOL, NOTE_ORDER, NOTE_FACTION, NOTE_FACTION_2 = range(NOTES, NOTES + 4)  # seen when this turn's voting began
NOTE_PLUS, NOTE_SPENT, NOTE_LANDED, NOTE_CARDS, NOTE_WON = range(NOTES + 4, NOTES + 9)  # tallies when this turn began
OWN_NOTES = 9
# Elements of `marks`: how far the recorder has come.
MARK_TURN, MARK_SNAPSHOT, MARK_VOTES, MARK_PLAYS = range(4)
MARKS = 4

# The number of each table in `rows` and `counts`, after games and seats.
TABLE_TURNS, TABLE_ARRIVALS, TABLE_PLAYS, TABLE_VOTES = range(2, 6)

# Prompts that ask whether to use a Faction's ability, by Faction.
ABILITY_PROMPTS = np.full(64, NONE, np.int64)
ABILITY_PROMPTS[PROMPT_ARCHONT] = FACTION_ARCHONT
ABILITY_PROMPTS[PROMPT_BASILEUS] = FACTION_BASILEUS
ABILITY_PROMPTS[PROMPT_DEMAGOGOS_LOOK] = FACTION_DEMAGOGOS
ABILITY_PROMPTS[PROMPT_DEMAGOGOS_CALL] = FACTION_DEMAGOGOS
ABILITY_PROMPTS[PROMPT_DEMIURGOS] = FACTION_DEMIURGOS
ABILITY_PROMPTS[PROMPT_ORAKLOS] = FACTION_ORAKLOS
ABILITY_PROMPTS[PROMPT_PHILOSOPHIOS] = FACTION_PHILOSOPHIOS
ABILITY_PROMPTS[PROMPT_STRATEGOS] = FACTION_STRATEGOS


@rule
def count_option(tallies, seat, option, action, choice):
    """One more chance to do something, and whether it was taken."""
    tallies[0, seat, option] += 1
    if action == choice:
        tallies[1, seat, option] += 1


@rule
def count_ships(state, legal, n, action, tallies, first):
    """Ships that could be loaded or moved, by tile."""
    for i in range(n):
        if legal[i] != PASS:
            tile = int(state.tile[legal[i]])
            count_option(tallies, int(state.actor), first + tile, action, int(legal[i]))


@rule
def count_play(state, rules, legal, n, action, tallies):
    """The cards a winner could play, his own or his neighbour's; the same kind twice counts once."""
    seat = int(state.actor)
    counted = NONE
    for i in range(1, n):
        owner = seat
        if legal[i] == PLAY_NEIGHBOURS:
            owner = neighbour(state, rules, seat)
            count_option(tallies, seat, OPTION_NEIGHBOURS, action, PLAY_NEIGHBOURS)
        kind = int(state.laid[owner, state.slot])
        if kind != counted:
            tallies[0, seat, OPTION_PLAY + kind] += 1
            counted = kind
        if legal[i] == action:
            tallies[1, seat, OPTION_PLAY + kind] += 1


@rule
def count_specials(state, rules, legal, n, action, tallies):
    """Special cards by effect; the same effect twice counts once."""
    seat = int(state.actor)
    seen = 0
    for i in range(n):
        if legal[i] == PASS:
            continue
        effect = int(rules.special_effect[legal[i]])
        if (seen >> effect) & 1 == 0:
            tallies[0, seat, OPTION_SPECIAL + effect] += 1
            seen |= 1 << effect
        if legal[i] == action:
            tallies[1, seat, OPTION_SPECIAL + effect] += 1


@rule
def count_betrayal(state, legal, n, action, tallies):
    """Betrayal's two uses."""
    seat = int(state.actor)
    if legal[0] < POOL_OF:
        tallies[0, seat, OPTION_BETRAYAL_SHIP] += 1
    if legal[n - 1] >= POOL_OF:
        tallies[0, seat, OPTION_BETRAYAL_POOL] += 1
    tallies[1, seat, OPTION_BETRAYAL_POOL if action >= POOL_OF else OPTION_BETRAYAL_SHIP] += 1


@rule
def count_displacing(state, rules, legal, n, action, tallies):
    """Whether Aristocracy could, and did, choose a full ship."""
    seat = int(state.actor)
    could = 0
    for i in range(n):
        if room(state, rules, int(legal[i])) == 0:
            could = 1
    tallies[0, seat, OPTION_DISPLACE] += could
    if room(state, rules, action) == 0:
        tallies[1, seat, OPTION_DISPLACE] += 1


@entry(sign_note_options(STATE_RECORD, RULES_RECORD), inlined=True)
def note_options(state, rules, legal, n, action, tallies):
    """Count, before a choice is applied, what could be done and what is done.

    `tallies` is int64 of shape (2, seats, options): legal, chosen.
    """
    prompt = int(state.prompt)
    seat = int(state.actor)
    if prompt == PROMPT_LAY:
        for i in range(n):
            tallies[0, seat, OPTION_LAY + legal[i]] += 1
        tallies[1, seat, OPTION_LAY + action] += 1
    elif prompt == PROMPT_PLAY:
        count_play(state, rules, legal, n, action, tallies)
    elif prompt == PROMPT_FACTION or prompt == PROMPT_FREE_FACTION:
        for i in range(n):
            option = OPTION_FACTION_PASS if legal[i] == PASS else OPTION_FACTION + int(legal[i])
            count_option(tallies, seat, option, action, int(legal[i]))
    elif prompt == PROMPT_DECLARE or prompt == PROMPT_ORATOR or prompt == PROMPT_PROXY:
        count_specials(state, rules, legal, n, action, tallies)
    elif prompt in (PROMPT_LOAD, PROMPT_LOAD_SECOND, PROMPT_STOWAWAY, PROMPT_ALL_IN):
        count_ships(state, legal, n, action, tallies, OPTION_LOAD)
    elif prompt == PROMPT_ARISTOCRACY:
        count_ships(state, legal, n, action, tallies, OPTION_LOAD)
        count_displacing(state, rules, legal, n, action, tallies)
    elif prompt == PROMPT_MOVE or prompt == PROMPT_ALLY:
        count_ships(state, legal, n, action, tallies, OPTION_MOVE)
    elif prompt == PROMPT_BETRAYAL:
        count_betrayal(state, legal, n, action, tallies)
    elif ABILITY_PROMPTS[prompt] != NONE:
        if prompt == PROMPT_ORAKLOS and state.facedown_from > 0:
            return  # his second card
        option = OPTION_ABILITY + ABILITY_PROMPTS[prompt]
        tallies[0, seat, option] += 1
        if action != PASS:
            tallies[1, seat, option] += 1
        if prompt == PROMPT_BASILEUS:
            count_ships(state, legal, n, action, tallies, OPTION_LOAD)


@rule
def begin_turn(state, notes, marks):
    """Remember the tallies with which a turn begins."""
    marks[MARK_TURN] = state.turn
    for seat in range(MAX_PLAYERS):
        notes[NOTE_PLUS, seat] = state.plus_taken[seat]
        notes[NOTE_SPENT, seat] = state.spent[seat]
        notes[NOTE_LANDED, seat] = state.landed[seat]
        notes[NOTE_CARDS, seat] = state.cards_played[seat]
        notes[NOTE_WON, seat] = state.votes_won[seat]
        notes[NOTE_POOL, seat] = 0
        notes[NOTE_ORDER, seat] = 0
        notes[NOTE_FACTION, seat] = NONE
        notes[NOTE_FACTION_2, seat] = NONE


@rule
def take_snapshot(state, rules, notes, marks):
    """Pool, order and Factions when a turn's voting begins."""
    marks[MARK_SNAPSHOT] = state.turn
    order = state.seat_rank
    senate_order(state, rules, order)
    for i in range(rules.players):
        notes[NOTE_ORDER, order[i]] = i + 1
        notes[NOTE_POOL, i] = state.pool[i]
    for faction in range(len(FACTIONS)):
        seat = int(state.holder[faction])
        if seat >= 0:
            row = NOTE_FACTION if notes[NOTE_FACTION, seat] == NONE else NOTE_FACTION_2
            notes[row, seat] = faction


@rule
def write_turn(state, game, notes, marks, turns, first):
    """A turn's rows, one a seat; returns how many."""
    for seat in range(state.players):
        row = turns[first + seat]
        row.game = game
        row.turn = marks[MARK_TURN]
        row.seat = seat
        row.vp = state.vp[seat]
        row.pool = notes[NOTE_POOL, seat]
        row.order = notes[NOTE_ORDER, seat]
        row.faction = notes[NOTE_FACTION, seat]
        row.faction_2 = notes[NOTE_FACTION_2, seat]
        row.plus_taken = state.plus_taken[seat] - notes[NOTE_PLUS, seat]
        row.spent = state.spent[seat] - notes[NOTE_SPENT, seat]
        row.landed = state.landed[seat] - notes[NOTE_LANDED, seat]
        row.cards_played = state.cards_played[seat] - notes[NOTE_CARDS, seat]
        row.votes_won = state.votes_won[seat] - notes[NOTE_WON, seat]
    return int(state.players)


@rule
def write_arrivals(state, game, arrivals, first):
    """The ships landed since the last choice; returns how many."""
    for i in range(state.arrivals):
        row = arrivals[first + i]
        row.game = game
        row.turn = state.arrival_turn[i]
        row.space = state.arrival_space[i]
        row.tile = state.arrival_tile[i]
        row.cause = state.arrival_cause[i]
        row.mover = state.arrival_mover[i]
        for colour in range(COLOURS):
            row.cubes[colour] = state.arrival_cubes[i, colour]
        for seat in range(MAX_PLAYERS):
            row.vp[seat] = state.arrival_vp[i, seat] if seat < state.players else 0
    return int(state.arrivals)


@rule
def write_play(state, game, row):
    """The card just played."""
    row.game = game
    row.turn = state.card_turn
    row.slot = state.card_slot
    row.seat = state.card_seat
    row.card = state.card
    row.owner = state.card_owner
    row.how = 0 if state.card_owner == state.card_seat else 1
    row.special = state.card_special
    for i in range(3):
        row.ship[i] = state.card_ships[i]
    row.victim = state.card_victim
    row.removed = state.card_removed


@rule
def write_vote(state, game, votes, first):
    """The voting just finished, one row a seat; returns how many."""
    for seat in range(state.players):
        row = votes[first + seat]
        row.game = game
        row.turn = state.vote_turn
        row.slot = state.vote_slot
        row.open = state.vote_open
        row.seat = seat
        row.bid = state.vote_bid[seat]
        row.bonus = state.vote_bonus[seat]
        row.place = state.vote_place[seat]
        row.card = state.vote_card[seat]
    return int(state.players)


@entry(sign_note_events(STATE_RECORD, RULES_RECORD, tables.TABLES))
def note_events(state, rules, detail, game, notes, marks, rows, counts):
    """Write, after a step, whatever has come to an end: a voting, a play, arrivals, a turn. `detail`: 1 turns, 2
    votes too.
    """
    if detail == 2:
        if state.votes_done > marks[MARK_VOTES]:
            marks[MARK_VOTES] = state.votes_done
            counts[TABLE_VOTES] += write_vote(state, game, rows[TABLE_VOTES], int(counts[TABLE_VOTES]))
        if state.plays_done > marks[MARK_PLAYS]:
            marks[MARK_PLAYS] = state.plays_done
            write_play(state, game, rows[TABLE_PLAYS][counts[TABLE_PLAYS]])
            counts[TABLE_PLAYS] += 1
    if state.arrivals > 0:
        counts[TABLE_ARRIVALS] += write_arrivals(state, game, rows[TABLE_ARRIVALS], int(counts[TABLE_ARRIVALS]))
    if marks[MARK_TURN] > 0 and (state.turn > marks[MARK_TURN] or state.phase == PHASE_OVER):
        counts[TABLE_TURNS] += write_turn(state, game, notes, marks, rows[TABLE_TURNS], int(counts[TABLE_TURNS]))
        marks[MARK_TURN] = 0
    if marks[MARK_TURN] == 0 and state.phase != PHASE_OVER and state.turn > 0:
        begin_turn(state, notes, marks)
    if state.prompt == PROMPT_LAY and marks[MARK_SNAPSHOT] < state.turn:
        take_snapshot(state, rules, notes, marks)


@rule
def write_game(state, rules, unfinished, marks, row):
    """A finished game's own columns."""
    for contest in range(CONTEST_GAME):
        for by in range(len(SETTLED_BY)):
            row.settled[contest, by] = state.settled[contest, by]
    for turn in range(tables.TURNS_KEPT):
        row.event[turn] = state.event_history[turn]


@rule
def write_seat(state, rules, seat, notes, line):
    """A seat's own columns."""
    line.landed = state.landed[seat]
    line.lost_cubes = state.lost_cubes[seat]
    line.votes_won = state.votes_won[seat]
    line.cards_played = state.cards_played[seat]
    line.spent = state.spent[seat]
    line.plus_taken = state.plus_taken[seat]
