"""The recorder's frame: what is noted of every game. The rows of a game's own things are its module `record`."""

from numba import types

from kernels.engine.contract import (
    NOTE_DECISIONS,
    NOTE_LAST,
    NOTE_RANK,
    NOTE_WAITING,
    TABLE_GAMES,
    TABLE_SEATS,
    rows_type,
)
from kernels.jit import given, shared_entry, shared_rule

END_TRUNCATED, UNFINISHED, NONE, SOURCES, OPTIONS = given("codes", "END_TRUNCATED UNFINISHED NONE SOURCES OPTIONS")
RULES_RECORD = given("rules", "RULES_RECORD")
STATE_RECORD = given("state", "STATE_RECORD")
TABLES = given("tables", "TABLES")
decided_by, finish_early, rank = given("step", "decided_by finish_early rank")
write_game, write_seat = given("record", "write_game write_seat")


@shared_entry(lambda game: types.void(types.int64[:, :, ::1], types.int64[:, ::1], types.int64[::1]))
def begin_notes(tallies, notes, marks):
    """Forget the last game."""
    tallies[:, :, :] = 0
    notes[:, :] = 0
    marks[:] = 0


@shared_entry(lambda game: types.void(game.STATE_RECORD, types.int64[:, ::1]), inlined=True)
def note_decision(state, notes):
    """Count a policy's decision and the wait before it; `state.decisions` counts all seats'."""
    state.decisions += 1
    seat = int(state.actor)
    notes[NOTE_DECISIONS, seat] += 1
    wait = int(state.decisions) - notes[NOTE_LAST, seat] - 1
    notes[NOTE_WAITING, seat] = max(wait, notes[NOTE_WAITING, seat])
    notes[NOTE_LAST, seat] = state.decisions


@shared_rule
def is_unfinished(reason):
    """Whether a game that ended so has no winner."""
    for unfinished in UNFINISHED:
        if reason == unfinished:
            return True
    return False


@shared_entry(
    lambda game: types.void(
        game.STATE_RECORD,
        game.RULES_RECORD,
        types.int64,
        types.int64,
        types.int64,
        types.int64,
        types.int8[::1],
        types.int64[:, :, ::1],
        types.int64[:, ::1],
        types.int64[::1],
        rows_type(game.TABLES),
        types.int64[::1],
    )
)
def note_game(state, rules, game, deal, arrangement, truncated, seating, tallies, notes, marks, tables, counts):
    """Write the rows of a finished game. Where it did not end by the rules nobody has won: all share the credit."""
    if truncated == 1:
        finish_early(state, rules)
    reason = END_TRUNCATED if truncated == 1 else int(state.end_reason)
    unfinished = is_unfinished(reason)
    winners = 0
    bits = 0
    for seat in range(state.players):
        notes[NOTE_RANK, seat] = rank(state, rules, seat)
        if unfinished or notes[NOTE_RANK, seat] == 1:
            winners += 1
            bits |= 1 << seat
    row = tables[TABLE_GAMES][counts[TABLE_GAMES]]
    counts[TABLE_GAMES] += 1
    row.game = game
    row.deal = deal
    row.arrangement = arrangement
    row.turns = state.turn
    row.decisions = state.decisions
    row.end_reason = reason
    row.winners = bits
    row.decided_by = NONE if unfinished else decided_by(state, rules)
    write_game(state, rules, unfinished, marks, row)
    for seat in range(state.players):
        line = tables[TABLE_SEATS][counts[TABLE_SEATS]]
        counts[TABLE_SEATS] += 1
        line.game = game
        line.seat = seat
        line.place = seating[seat]
        line.vp = state.vp[seat]
        line.rank = notes[NOTE_RANK, seat]
        line.credit = 0.0
        if unfinished or line.rank == 1:
            line.credit = 1.0 / winners
        for source in range(len(SOURCES)):
            line.vp_by[source] = state.vp_by[seat, source]
        line.decisions = notes[NOTE_DECISIONS, seat]
        line.waiting = notes[NOTE_WAITING, seat]
        for option in range(len(OPTIONS)):
            line.legal[option] = tallies[0, seat, option]
            line.chosen[option] = tallies[1, seat, option]
        write_seat(state, rules, seat, notes, line)
