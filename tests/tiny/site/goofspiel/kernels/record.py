"""The recorder: what Goofspiel writes beyond the rows of every game."""

from goofspiel.kernels import tables
from goofspiel.kernels.codes import MOST_CARDS
from goofspiel.kernels.rules import RULES_RECORD
from goofspiel.kernels.state import STATE_RECORD
from kernels.engine.contract import sign_note_events, sign_note_options
from kernels.jit import entry, rule

OWN_NOTES = 0
MARK_TURNS = 0  # turns written
MARKS = 1
TABLE_TURNS = 2


@entry(sign_note_options(STATE_RECORD, RULES_RECORD), inlined=True)
def note_options(state, rules, legal, n, action, tallies):
    """Count the cards that could be bid, and the one that is."""
    for i in range(n):
        tallies[0, state.actor, legal[i] - 1] += 1
    tallies[1, state.actor, action - 1] += 1


@entry(sign_note_events(STATE_RECORD, RULES_RECORD, tables.TABLES))
def note_events(state, rules, detail, game, notes, marks, rows, counts):
    """Write the turn that has just ended, one row a seat."""
    if state.turns_done == marks[MARK_TURNS]:
        return
    marks[MARK_TURNS] = state.turns_done
    for seat in range(state.players):
        row = rows[TABLE_TURNS][counts[TABLE_TURNS]]
        counts[TABLE_TURNS] += 1
        row.game = game
        row.turn = state.turns_done
        row.seat = seat
        row.vp = state.vp[seat]
        row.prize = state.shown_prize
        row.bid = state.shown[seat]
        row.took = 1 if state.taken_by == seat else 0


@rule
def write_game(state, rules, unfinished, marks, row):
    """The prizes in their order."""
    for turn in range(MOST_CARDS):
        row.prize[turn] = state.history[turn]


@rule
def write_seat(state, rules, seat, notes, line):
    """Prizes taken."""
    line.taken = state.taken[seat]
