"""The rows that a run leaves, as record dtypes: filled inside the JIT, written by sim.store.

A field with a shape becomes one flat column an element, named by COLUMNS.
"""

import numpy as np

from kernels.atlantica.codes import (
    COLOURS,
    DIVERS,
    LOCATIONS,
    OPTIONS,
    RESEARCH_KINDS,
    SOURCES,
    TREASURE_KINDS,
    TREASURE_SLUGS,
)
from kernels.atlantica.state import TAKEN
from kernels.engine.contract import GAME_COLUMNS, seat_columns

GAMES = np.dtype(
    [
        *GAME_COLUMNS,
        ("hurricane", np.int8),  # seat that turned up the hurricane, -1 nobody
        ("hurricane_turn", np.int16),  # and its turn, 0 where it never came
        ("reshuffles", np.int16),  # of the divers
        ("ships_left", np.int8),  # in the Harbor
        ("research_left", np.int8),  # in the deck
    ]
)
SEATS = np.dtype(
    seat_columns(
        len(SOURCES),
        [
            ("kept", np.int8, (TREASURE_KINDS,)),  # treasures with a crate, by kind
            ("collected", np.int8, (TREASURE_KINDS,)),  # treasures by kind, with a crate or without
            ("treasures", np.int8),  # all of them
            ("lost", np.int8),  # of these, without a crate
            ("crates", np.int8),
            ("ships", np.int8),
            ("research", np.int8),  # Research cards
            ("research_most", np.int8),  # of these, most of one kind
            ("copies", np.int8, (RESEARCH_KINDS,)),  # Research cards by kind, as the rules' deck lists them
            ("divers", np.int8),  # left in hand
            ("turns", np.int16),
            ("breaths", np.int16),  # turns in which it caught its breath
            ("forced", np.int16),  # of these, when no action was possible
            ("pairs", np.int16),  # pairs played as a joker
            ("paid", np.int16),  # diver cards played
            ("drawn", np.int16),  # diver cards drawn after the deal
        ],
        len(OPTIONS),
    )
)
TURNS = np.dtype(
    [
        ("game", np.int64),
        ("turn", np.int16),  # the seat's own turns, counted from 1
        ("seat", np.int8),
        ("vp", np.int16),  # what the seat would score if the game ended after this turn
        ("tier", np.int8, (len(LOCATIONS),)),  # 0 not used, else diver cards of the action performed there
        ("breath", np.int8),  # 1 caught its breath, 2 as no action was possible
        ("pair", np.int8),  # 1: a pair was played
        ("paid", np.int8),  # diver cards played
        ("hand", np.int8),  # divers in hand afterwards
        ("treasures", np.int8),  # collected so far
        ("crates", np.int8),
        ("ships", np.int8),
        ("research", np.int8),
        ("last", np.int8),  # 1: after the hurricane
    ]
)
ACTIONS = np.dtype(
    [
        ("game", np.int64),
        ("turn", np.int16),  # as in turns
        ("seat", np.int8),
        ("action", np.int8),  # ACTION code, -1 Catch Your Breath
        ("paid", np.int8, (COLOURS,)),  # diver cards by colour
        ("pair", np.int8),  # colour of a pair played as a joker, or -1
        ("drawn", np.int8),  # divers drawn
        ("where", np.int8, (TAKEN,)),  # LOCATION of each card taken, -1 none
        ("taken", np.int8, (TAKEN,)),  # its kind; a ship is 8 * pile + its place in the rules
    ]
)
TABLES = {"games": GAMES, "seats": SEATS, "turns": TURNS, "actions": ACTIONS}

# What each level of detail keeps.
DETAILS = {
    "seats": ("games", "seats"),
    "turns": ("games", "seats", "turns"),
    "actions": ("games", "seats", "turns", "actions"),
}

# Rows that one game needs at most: five seats, 201 turns each (turn_cap goes to 200), four actions a turn.
MOST_ROWS = {"games": 1, "seats": 5, "turns": 1005, "actions": 4020}

COLUMNS = {
    "vp_by": [f"vp_{source}" for source in SOURCES],
    "collected": [f"collected_{name}" for name in TREASURE_SLUGS],
    "copies": [f"research_{kind}" for kind in range(1, RESEARCH_KINDS + 1)],
    "kept": [f"kept_{name}" for name in TREASURE_SLUGS],
    "legal": [f"legal_{option}" for option in OPTIONS],
    "chosen": [f"chosen_{option}" for option in OPTIONS],
    "tier": ["submarine", "harbor", "tavern", "research_station"],
    "paid": [f"paid_{colour}" for colour in DIVERS],
    "where": [f"where_{i}" for i in range(1, TAKEN + 1)],
    "taken": [f"taken_{i}" for i in range(1, TAKEN + 1)],
}
