"""One game as one record. Each field says who may see it."""

from functools import partial

import numpy as np
from numba import from_dtype

from goofspiel.kernels.codes import MOST_CARDS, SOURCES
from kernels.engine.contract import MAX_PLAYERS as P
from kernels.engine.contract import blank_states, state_dtype

STATE = state_dtype(
    [
        ("vp", np.int16, (P,)),  # VP (all)
        ("vp_by", np.int16, (P, len(SOURCES))),  # VP by SOURCE_; sums to vp (all)
        ("hand", np.int8, (P, MOST_CARDS)),  # 1: the card of that number, from 1, has not been shown yet (all)
        ("bid", np.int8, (P,)),  # card laid for this prize, 0 none yet (own)
        ("bids", np.int8),  # seats that have laid one (all)
        ("prizes", np.int8, (MOST_CARDS,)),  # numbers, from `turn` on still to come (none)
        ("prize", np.int8),  # the one turned up, 0 none (all)
        # the last turn, kept until the next one ends
        ("shown", np.int8, (P,)),  # cards bid (all)
        ("shown_prize", np.int8),  # (all)
        ("taken_by", np.int8),  # seat, NOBODY (all)
        ("taken", np.int8, (P,)),  # prizes taken so far (all)
        ("history", np.int8, (MOST_CARDS,)),  # prizes turned up, by turn (all)
        ("turns_done", np.int8),  # (all)
    ]
)
STATE_RECORD = from_dtype(STATE)

new_states = partial(blank_states, STATE)
