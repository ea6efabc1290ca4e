"""The batch loop around advance, legal and apply.

It is compiled once for every lineup and variant: policies are function pointers, rules a record. Called as
`play_many.py_func` it runs in plain Python, over the same compiled steps, and takes policies that numba cannot
compile.
"""

import numpy as np
from numba import from_dtype, types

from kernels.atlantica import SIGNATURE, tables
from kernels.atlantica.codes import MAX_PLAYERS, OPTIONS, PHASE_OVER
from kernels.atlantica.record import (
    MARKS,
    NOTES,
    begin_notes,
    note_decision,
    note_events,
    note_game,
    note_options,
)
from kernels.atlantica.rules import RULES_RECORD
from kernels.atlantica.state import STATE_RECORD
from kernels.atlantica.step import MOST_LEGAL, advance, apply, legal, new_game
from kernels.jit import entry

SCRATCH = 8  # states a worker brings; policies may use all but the last, which stays blank

# What a worker's `live` array tells whoever watches it.
LIVE_GAME, LIVE_STEPS, LIVE_STOP, LIVE_PROMPT, LIVE_PLACE, LIVE_ERROR, LIVE_ANSWER = range(7)

NUMBER_OPTIONS = len(OPTIONS)
MOST_TURNS = tables.MOST_ROWS["turns"]
MOST_ACTIONS = tables.MOST_ROWS["actions"]
ROWS = [types.Array(from_dtype(dtype), 1, "C") for dtype in tables.TABLES.values()]


@entry(
    types.int64(
        types.Array(STATE_RECORD, 1, "C"),
        types.Array(STATE_RECORD, 1, "C"),
        RULES_RECORD,
        types.UniTuple(types.FunctionType(SIGNATURE), MAX_PLAYERS),
        types.float64[:, ::1],
        types.int8[:, ::1],
        types.int64,
        types.int64,
        types.uint64,
        types.int64,
        types.int64,
        types.int64,
        types.int64[::1],
        *ROWS,
        types.int64[::1],
        types.int16[::1],
        types.int64[:, :, ::1],
        types.int64[:, ::1],
        types.int64[::1],
    )
)
def play_on_desk(
    states,
    scratch,
    rules,
    policies,
    weights,
    seating,
    first,
    n,
    seed,
    replicate,
    detail,
    limit,
    live,
    games,
    seats,
    turns,
    actions,
    counts,
    codes,
    tallies,
    notes,
    marks,
):
    """Play games first .. first+n-1 and write their rows; returns how many were finished.

    states (1,), scratch (SCRATCH,): zeroed states of the calling thread. policies: five functions by place in the
    lineup; weights (5, WEIGHTS) likewise. seating (arrangements, 5) gives the place at each seat. Game g is deal g
    // arrangements in arrangement g % arrangements. detail: 0 games and seats, 1 turns, 2 actions too. limit:
    decisions after which a game is truncated. live (8,): see LIVE_. counts (4,): rows in use.

    Returns early before a game for which a table might lack room, when live[LIVE_STOP] is set, or when a policy
    answers outside its range: then live[LIVE_ERROR] is 1. The last four arrays are working space, see new_desk().
    """
    state = states[0]
    own_scratch = scratch[: SCRATCH - 1]
    arrangements = len(seating)
    for i in range(n):
        full = counts[0] >= len(games) or counts[1] + MAX_PLAYERS > len(seats)
        if detail >= 1:
            full = full or counts[2] + MOST_TURNS > len(turns)
        if detail == 2:
            full = full or counts[3] + MOST_ACTIONS > len(actions)
        if full or live[LIVE_STOP] != 0:
            return i
        game = first + i
        deal = game // arrangements
        arrangement = game - deal * arrangements
        seats_of = seating[arrangement]
        live[LIVE_GAME] = game

        states[0] = scratch[SCRATCH - 1]
        new_game(state, rules, seed, deal)
        state.replicate = replicate
        for seat in range(MAX_PLAYERS):
            state.draw_stream[seat] = seats_of[seat]
        begin_notes(tallies, notes, marks)
        advance(state, rules)
        if detail >= 1:
            note_events(state, rules, detail, game, notes, marks, turns, actions, counts)
        truncated = 0
        while state.phase != PHASE_OVER:
            choices = legal(state, rules, codes)
            action = int(codes[0])
            if choices > 1:
                place = int(seats_of[state.actor])
                live[LIVE_STEPS] += 1
                live[LIVE_PROMPT] = state.prompt
                live[LIVE_PLACE] = place
                answer = policies[place](state, rules, codes, choices, weights[place], own_scratch)
                if answer < 0 or answer >= choices:
                    live[LIVE_ERROR] = 1
                    live[LIVE_ANSWER] = answer
                    return i
                action = int(codes[answer])
                note_decision(state, notes)
                note_options(state, rules, codes, choices, action, tallies)
            apply(state, rules, action)
            advance(state, rules)
            if state.decisions >= limit and state.phase != PHASE_OVER:
                truncated = 1
                state.phase = PHASE_OVER
            if detail >= 1:
                note_events(state, rules, detail, game, notes, marks, turns, actions, counts)
        note_game(state, rules, game, deal, arrangement, truncated, seats_of, tallies, notes, games, seats, counts)
    return n


def new_desk():
    """Working space of play_on_desk: legal codes, option tallies, notes and marks of the recorder.

    It comes from the caller because a kernel that makes arrays counts references, which costs it a tenth of its
    time.
    """
    return (
        np.zeros(MOST_LEGAL, np.int16),
        np.zeros((2, MAX_PLAYERS, NUMBER_OPTIONS), np.int64),
        np.zeros((NOTES, MAX_PLAYERS), np.int64),
        np.zeros(MARKS, np.int64),
    )


def play_many(*arguments):
    """play_on_desk with a desk of its own."""
    return play_on_desk(*arguments, *new_desk())


def play_many_slowly(*arguments):
    """The same loop in plain Python over the same compiled steps: policies may be any callables."""
    return getattr(play_on_desk, "py_func", play_on_desk)(*arguments, *new_desk())


play_many.py_func = play_many_slowly
