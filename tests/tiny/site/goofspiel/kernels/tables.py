"""The rows that a run leaves."""

import numpy as np

from goofspiel.kernels.codes import MOST_CARDS, OPTIONS, SOURCES
from kernels.engine.contract import GAME_COLUMNS, seat_columns

GAMES = np.dtype([*GAME_COLUMNS, ("prize", np.int8, (MOST_CARDS,))])  # in the order in which they are turned up
SEATS = np.dtype(seat_columns(len(SOURCES), [("taken", np.int8)], len(OPTIONS)))
TURNS = np.dtype(
    [
        ("game", np.int64),
        ("turn", np.int16),
        ("seat", np.int8),
        ("vp", np.int16),  # after the turn
        ("prize", np.int8),
        ("bid", np.int8),
        ("took", np.int8),  # 1: this seat took the prize
    ]
)
TABLES = {"games": GAMES, "seats": SEATS, "turns": TURNS}
DETAILS = {"seats": ("games", "seats"), "turns": ("games", "seats", "turns")}
MOST_ROWS = {"games": 1, "seats": 4, "turns": 4 * MOST_CARDS}
COLUMNS = {
    "prize": [f"prize_{turn}" for turn in range(1, MOST_CARDS + 1)],
    "vp_by": [f"vp_{source}" for source in SOURCES],
    "legal": [f"legal_{option}" for option in OPTIONS],
    "chosen": [f"chosen_{option}" for option in OPTIONS],
}
