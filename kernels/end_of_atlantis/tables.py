"""The rows that a run leaves, as record dtypes: filled inside the JIT, written by sim.store.

A field with a shape becomes one flat column an element, named by COLUMNS.
"""

import numpy as np

from kernels.end_of_atlantis.codes import (
    COLOURS,
    CONTESTS,
    OPTIONS,
    SETTLED_BY,
    SOURCES,
)
from kernels.engine.contract import GAME_COLUMNS, MAX_PLAYERS, seat_columns

TURNS_KEPT = 10  # a game has at most ten Event cards, hence turns

GAMES = np.dtype(
    [
        *GAME_COLUMNS,
        ("settled", np.int16, (len(CONTESTS) - 1, len(SETTLED_BY))),  # votes and majorities by what decided them
        ("event", np.int8, (TURNS_KEPT,)),  # EVENT_ revealed in turn 1, 2, ...; -1 where none
    ]
)
SEATS = np.dtype(
    seat_columns(
        len(SOURCES),
        [
            ("landed", np.int16),  # cubes that reached the Promised Land
            ("lost_cubes", np.int16),  # cubes discarded from ships
            ("votes_won", np.int16),
            ("cards_played", np.int16),
            ("spent", np.int16),  # influence bid on cards
            ("plus_taken", np.int16),  # +1 Faction tokens
        ],
        len(OPTIONS),
    )
)
TURNS = np.dtype(
    [
        ("game", np.int64),
        ("turn", np.int16),
        ("seat", np.int8),
        ("vp", np.int16),  # at the end of the turn
        ("pool", np.int8),  # tokens in the Senate pool when the voting begins
        ("order", np.int8),  # place in the Senate order then, 1 = first
        ("faction", np.int8),  # FACTION_ held then
        ("faction_2", np.int8),  # the second one with 2 players, else -1
        ("plus_taken", np.int8),  # +1 tokens taken this turn
        ("spent", np.int16),  # influence bid on cards this turn
        ("landed", np.int16),  # cubes landed this turn
        ("cards_played", np.int8),
        ("votes_won", np.int8),
    ]
)
ARRIVALS = np.dtype(
    [
        ("game", np.int64),
        ("turn", np.int16),
        ("space", np.int8),
        ("tile", np.int8),  # TILE_
        ("cause", np.int8),  # POLITICS_ or CAUSE_DOOM
        ("mover", np.int8),  # seat, -1 in the Doom phase
        ("cubes", np.int8, (COLOURS,)),  # black includes a printed neutral
        ("vp", np.int16, (MAX_PLAYERS,)),
    ]
)
PLAYS = np.dtype(
    [
        ("game", np.int64),
        ("turn", np.int16),
        ("slot", np.int8),
        ("seat", np.int8),
        ("card", np.int8),  # POLITICS_
        ("owner", np.int8),  # seat that laid it
        ("how", np.int8),  # PLAY_
        ("special", np.int8),  # Special kind or -1
        ("ship", np.int8, (3,)),  # spaces loaded, moved or attacked
        ("victim", np.int8),  # colour displaced or robbed, -1 none
        ("removed", np.int8),  # cubes removed by Betrayal
    ]
)
VOTES = np.dtype(
    [
        ("game", np.int64),
        ("turn", np.int16),
        ("slot", np.int8),
        ("open", np.int8),
        ("seat", np.int8),
        ("bid", np.int8),
        ("bonus", np.int8),  # added by Orator
        ("place", np.int8),  # 0 none, 1 first, ...
        ("card", np.int8),  # POLITICS_ laid there
    ]
)
TABLES = {"games": GAMES, "seats": SEATS, "turns": TURNS, "arrivals": ARRIVALS, "plays": PLAYS, "votes": VOTES}

# What each level of detail keeps.
DETAILS = {
    "seats": ("games", "seats"),
    "turns": ("games", "seats", "turns", "arrivals"),
    "votes": ("games", "seats", "turns", "arrivals", "plays", "votes"),
}

# Rows that one game can need at most: play_many stops before a game that might not fit.
MOST_ROWS = {"games": 1, "seats": 5, "turns": 60, "arrivals": 640, "plays": 200, "votes": 300}

COLUMNS = {
    "settled": [f"{contest}_{level}" for contest in CONTESTS[:-1] for level in SETTLED_BY],
    "event": [f"event_{turn}" for turn in range(1, TURNS_KEPT + 1)],
    "vp_by": [f"vp_{source}" for source in SOURCES],
    "legal": [f"legal_{option}" for option in OPTIONS],
    "chosen": [f"chosen_{option}" for option in OPTIONS],
    "cubes": [*(f"cubes_{seat}" for seat in range(MAX_PLAYERS)), "cubes_neutral"],
    "vp": [f"vp_{seat}" for seat in range(MAX_PLAYERS)],
    "ship": ["ship_1", "ship_2", "ship_3"],
}
