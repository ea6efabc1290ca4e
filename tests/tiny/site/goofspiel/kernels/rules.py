"""The rules as one record."""

import numpy as np
from numba import from_dtype

from goofspiel.kernels.codes import MOST_CARDS

RULES = np.dtype(
    [
        ("players", np.int8),
        ("cards", np.int8),
        ("prize_values", np.int16, (MOST_CARDS,)),
        ("equal_bids", np.int8),
        ("bonus", np.int16),
    ],
    align=True,
)
RULES_RECORD = from_dtype(RULES)

CHOICES = {"equal_bids": ("nobody", "lowest_seat")}
NOBODY_TAKES, LOWEST_SEAT_TAKES = range(2)
