"""What the engine and every game agree on: sizes, the fields of a state that belong to no rule, what a policy is called
with, and what a worker's live array tells whoever watches it.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numba import from_dtype, types

MAX_PLAYERS = 5  # seats at the longest table; arrays by seat or place have this length whoever plays
WEIGHTS = 64  # numbers that a policy may be tuned by
SCRATCH = 8  # states a worker brings; policies may use all but the last, which stays blank

P = MAX_PLAYERS

# Who may see a field stands behind it: (all) everybody, (own) the seat it belongs to, (none) nobody at the table.
# Where the game stands: the first fields of every game's state.
PLACE_FIELDS: list[Any] = [
    ("deal", np.int64),  # number of the deal (none)
    ("key", np.uint64, (2,)),  # run seed, low and high 32 bits (none)
    ("players", np.int8),  # seats at the table (all)
    ("turn", np.int16),  # 1.. (all)
    ("phase", np.int8),  # PHASE_ (all)
    ("step", np.int8),  # STEP_: what advance does next (all)
    ("prompt", np.int8),  # PROMPT_ (all)
    ("actor", np.int8),  # seat asked, -1 when over (all)
    ("end_reason", np.int8),  # END_ (all)
]
# What the driver and the policies' random words need: the last fields of every game's state.
DRIVER_FIELDS: list[Any] = [
    ("decisions", np.int32),  # choices with two or more legal actions, counted by the driver (all)
    ("draw_stream", np.int8, (P,)),  # random words of the policies, by seat: place in the lineup (all)
    ("draw_block", np.int32, (P,)),  # blocks drawn (own)
    ("draw_words", np.uint32, (P, 4)),  # the block under way (own)
    ("draw_left", np.int8, (P,)),  # words not yet used (own)
    ("replicate", np.int32),  # number of the replay with other policy draws (all)
    ("policy_key", np.uint64, (2,)),  # key of the policies' streams (none)
    ("spare_block", np.int32),  # words of resample_hidden: blocks drawn (none)
    ("spare_words", np.uint32, (4,)),  # the block under way (none)
    ("spare_left", np.int8),  # words not yet used (none)
]


def state_dtype(own: list[Any]) -> np.dtype[np.void]:
    """The dtype of a game's state: where the game stands, its own fields, and what the driver needs."""
    return np.dtype([*PLACE_FIELDS, *own, *DRIVER_FIELDS], align=True)


def blank_states(dtype: np.dtype[np.void], n: int) -> np.recarray:
    """`n` blank states, zeroed and C-contiguous, with fields as attributes in plain Python too: shape (n,)."""
    return np.zeros(n, dtype=dtype).view(np.recarray)


def sign_policy(state: Any, rules: Any) -> Any:
    """The numba signature of a policy, for a game's records."""
    return types.int64(
        state,
        rules,
        types.int16[::1],  # legal action codes
        types.int64,  # how many
        types.float64[::1],  # weights of this seat's policy
        types.Array(state, 1, "C"),  # scratch states
    )


# What a worker is to play.
JOB = np.dtype(
    [
        ("first", np.int64),  # number of the first game
        ("games", np.int64),  # how many
        ("seed", np.uint64),
        ("replicate", np.int64),
        ("detail", np.int64),  # position in the game's DETAILS: 0 games and seats only
        ("limit", np.int64),  # decisions after which a game is truncated
        ("keep", np.int64),  # one choice in so many is kept as a position; 0: none
        ("calls", np.int8, (P,)),  # CALL_ by place
    ],
    align=True,
)
JOB_RECORD = from_dtype(JOB)

# How the loop calls a policy: through its pointer, which any policy bears, or by name, which is quicker.
CALL_POINTER, CALL_RANDOM, CALL_HEURISTIC = range(3)

# What a worker's `live` array tells whoever watches it.
LIVE_GAME, LIVE_STEPS, LIVE_STOP, LIVE_PROMPT, LIVE_PLACE, LIVE_ERROR, LIVE_ANSWER, LIVE_STEP, LIVE_KEPT = range(9)
LIVE = 9
# LIVE_ERROR: an answer out of range; a prompt without an action; a game with more rows than MOST_ROWS says.
ERROR_NONE, ERROR_ANSWER, ERROR_NO_ACTION, ERROR_ROWS = range(4)
# Rows of `counts`, one column a table: rows in use; how many may be where another game is to fit; the most that one
# game needs; rows in use before the game under way.
COUNT_USED, COUNT_LIMIT, COUNT_MOST, COUNT_BEFORE = range(4)
COUNTS = 4

# Rows of `notes`, one column a seat: what the recorder remembers within a game. A game's own follow from NOTES on.
NOTE_DECISIONS, NOTE_LAST, NOTE_WAITING, NOTE_RANK = range(4)  # decisions made; number of the last; longest wait; rank
NOTES = 4

# Where the tables that every game has stand among its tables.
TABLE_GAMES, TABLE_SEATS = range(2)

# The columns that every game's tables have.
GAME_COLUMNS: list[Any] = [
    ("game", np.int64),
    ("deal", np.int64),
    ("arrangement", np.int32),
    ("turns", np.int16),
    ("decisions", np.int32),
    ("end_reason", np.int8),  # END_
    ("winners", np.uint8),  # bit s: seat s won
    ("decided_by", np.int8),  # SETTLED_: what told the winner from the next; -1 where nobody won
]


def seat_columns(sources: int, own: list[Any], options: int) -> list[Any]:
    """The columns of a game's table of seats: those of every game around its own."""
    return [
        ("game", np.int64),
        ("seat", np.int8),
        ("place", np.int8),  # place in the lineup: which policy
        ("vp", np.int16),
        ("rank", np.int8),  # 1 = winner
        ("credit", np.float64),  # 1/k for each of k winners
        ("vp_by", np.int16, (sources,)),
        *own,
        ("decisions", np.int32),
        ("waiting", np.int16),  # longest run of others' decisions between two of one's own
        ("legal", np.uint16, (options,)),  # how often each option could be taken
        ("chosen", np.uint16, (options,)),  # and was
    ]


def sign_note_options(state: Any, rules: Any) -> Any:
    """The numba signature of a recorder's note_options(state, rules, legal, n, action, tallies)."""
    return types.void(state, rules, types.int16[::1], types.int64, types.int64, types.int64[:, :, ::1])


def sign_note_events(state: Any, rules: Any, tables: Mapping[str, np.dtype[np.void]]) -> Any:
    """The numba signature of a recorder's note_events(state, rules, detail, game, notes, marks, rows, counts)."""
    game, notes, marks = types.int64, types.int64[:, ::1], types.int64[::1]
    return types.void(state, rules, types.int64, game, notes, marks, rows_type(tables), types.int64[::1])


def rows_type(tables: Mapping[str, np.dtype[np.void]]) -> Any:
    """The numba type of a tuple of buffers, one a table, in the order of the game's TABLES."""
    return types.BaseTuple.from_types([types.Array(from_dtype(dtype), 1, "C") for dtype in tables.values()])
