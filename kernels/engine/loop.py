"""The batch loop around advance, legal and apply.

It is compiled once a game, for every lineup and variant: policies are function pointers, rules a record. In plain
Python, over the same compiled steps, it takes policies that numba cannot compile.
"""

from numba import types

from kernels.engine.contract import (
    CALL_HEURISTIC,
    CALL_RANDOM,
    COUNT_BEFORE,
    COUNT_LIMIT,
    COUNT_MOST,
    COUNT_USED,
    ERROR_ANSWER,
    ERROR_NO_ACTION,
    ERROR_ROWS,
    JOB_RECORD,
    LIVE_ANSWER,
    LIVE_ERROR,
    LIVE_GAME,
    LIVE_KEPT,
    LIVE_PLACE,
    LIVE_PROMPT,
    LIVE_STEP,
    LIVE_STEPS,
    LIVE_STOP,
    MAX_PLAYERS,
    SCRATCH,
    rows_type,
)
from kernels.jit import given, shared_entry

PHASE_OVER = given("codes", "PHASE_OVER")
RULES_RECORD = given("rules", "RULES_RECORD")
STATE_RECORD = given("state", "STATE_RECORD")
TABLES = given("tables", "TABLES")
new_game, advance, legal, apply = given("step", "new_game advance legal apply")
note_events, note_options = given("record", "note_events note_options")
begin_notes, note_decision, note_game = given("notes", "begin_notes note_decision note_game")
choose_randomly = given("random", "choose")
choose_by_heuristic = given("heuristic", "choose")
SIGNATURE = given("", "SIGNATURE")

NOTHING_YET = -(2**20)  # no action code: before a game's first choice

APART = 7919  # games begin to keep positions at unlike choices
DESK = types.Tuple(
    (types.int16[::1], types.int64[:, :, ::1], types.int64[:, ::1], types.int64[::1], types.int64[::1])
)  # legal codes, tallies, notes, marks, games of the positions kept


@shared_entry(
    lambda game: types.int64(
        types.Array(game.STATE_RECORD, 1, "C"),
        types.Array(game.STATE_RECORD, 1, "C"),
        game.RULES_RECORD,
        types.UniTuple(types.FunctionType(game.SIGNATURE), MAX_PLAYERS),
        types.float64[:, ::1],
        types.int8[:, ::1],
        JOB_RECORD,
        types.int64[::1],
        rows_type(game.TABLES),
        types.int64[:, ::1],
        DESK,
        types.Array(game.STATE_RECORD, 1, "C"),
    )
)
def play_games(states, scratch, rules, policies, weights, seating, job, live, tables, counts, desk, kept):
    """Play the games of a job and write their rows; returns how many were finished.

    states (1,), scratch (SCRATCH,): zeroed states of the calling thread. policies: five functions by place in the
    lineup; weights (5, at least WEIGHTS) likewise. seating (arrangements, 5) gives the place at each seat. Game g is
    deal g // arrangements in arrangement g % arrangements. job: see JOB. live (LIVE,): see LIVE_. tables: a buffer
    each; counts (COUNTS, tables): see COUNT_. desk: working space, see kernels.engine.desk. kept: room for positions,
    see JOB; live[LIVE_KEPT] counts them.

    Returns early before a game for which a table might lack room, when live[LIVE_STOP] is set, or when something is
    wrong, which live[LIVE_ERROR] then says: a policy answers outside its range, the rules stop where nothing can be
    done, or a game has written more rows than its tables promise (LIVE_ANSWER: which table).
    """
    state = states[0]
    own_scratch = scratch[: SCRATCH - 1]
    codes, tallies, notes, marks, kept_games = desk
    used = counts[COUNT_USED]
    arrangements = len(seating)
    detail = int(job.detail)
    for i in range(job.games):
        full = False
        for table in range(len(used)):
            full = full or used[table] > counts[COUNT_LIMIT, table]
            counts[COUNT_BEFORE, table] = used[table]
        if full or live[LIVE_STOP] != 0:
            return i
        game = int(job.first) + i
        deal = game // arrangements
        arrangement = game - deal * arrangements
        seats_of = seating[arrangement]
        live[LIVE_GAME] = game

        states[0] = scratch[SCRATCH - 1]
        new_game(state, rules, job.seed, deal)
        state.replicate = job.replicate
        for seat in range(MAX_PLAYERS):
            state.draw_stream[seat] = seats_of[seat]
        begin_notes(tallies, notes, marks)
        truncated = 0
        action = NOTHING_YET
        while True:  # apply and advance stand here once, as they are inlined: a second copy takes long to compile
            if action != NOTHING_YET:
                apply(state, rules, action)
            advance(state, rules)
            if state.decisions >= job.limit and state.phase != PHASE_OVER:
                truncated = 1
                state.phase = PHASE_OVER
            if detail >= 1:
                note_events(state, rules, detail, game, notes, marks, tables, used)
            if state.phase == PHASE_OVER:
                break
            choices = legal(state, rules, codes)
            action = int(codes[0])
            if choices < 1:
                live[LIVE_PROMPT] = state.prompt
                live[LIVE_STEP] = state.step
                live[LIVE_ERROR] = ERROR_NO_ACTION
                return i
            if choices > 1:
                place = int(seats_of[state.actor])
                live[LIVE_STEPS] += 1
                live[LIVE_PROMPT] = state.prompt
                live[LIVE_PLACE] = place
                if job.keep > 0 and (state.decisions + APART * game) % job.keep == 0:
                    if live[LIVE_KEPT] < len(kept):
                        kept[live[LIVE_KEPT]] = state
                        kept_games[live[LIVE_KEPT]] = game
                        live[LIVE_KEPT] += 1
                call = int(job.calls[place])
                if call == CALL_RANDOM:
                    answer = choose_randomly(state, rules, codes, choices, weights[place], own_scratch)
                elif call == CALL_HEURISTIC:
                    answer = choose_by_heuristic(state, rules, codes, choices, weights[place], own_scratch)
                else:
                    answer = policies[place](state, rules, codes, choices, weights[place], own_scratch)
                if answer < 0 or answer >= choices:
                    live[LIVE_ERROR] = ERROR_ANSWER
                    live[LIVE_ANSWER] = answer
                    return i
                action = int(codes[answer])
                note_decision(state, notes)
                note_options(state, rules, codes, choices, action, tallies)
        note_game(state, rules, game, deal, arrangement, truncated, seats_of, tallies, notes, marks, tables, used)
        for table in range(len(used)):
            if used[table] - counts[COUNT_BEFORE, table] > counts[COUNT_MOST, table]:
                live[LIVE_ERROR] = ERROR_ROWS
                live[LIVE_ANSWER] = table
                return i
    return job.games
