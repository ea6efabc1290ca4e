"""One game as one record of under 1 KB.

Each field says its shape, its range and who may see it: (all) everybody, (own) the seat it belongs to, (none)
nobody at the table. A policy that reads more than its seat may see is caught by the hidden-information check.
"""

from functools import partial

import numpy as np
from numba import from_dtype

from kernels.atlantica.codes import (
    COLOURS,
    LOCATIONS,
    PILE_SHIPS,
    RESEARCH_CARDS,
    RESEARCH_KINDS,
    RESEARCH_SPACES,
    SHIP_PILES,
    SOURCES,
    TREASURE_CARDS,
    TREASURE_KINDS,
    TREASURE_SPACES,
)
from kernels.engine.contract import MAX_PLAYERS as P
from kernels.engine.contract import blank_states, state_dtype

DIVER_CARDS = 96
TAKEN = 6  # cards that one action can take, at most

STATE = state_dtype(
    [
        # where the game stands
        ("seat", np.int8),  # whose turn it is (all)
        ("hurricane", np.int8),  # seat that holds the hurricane card, or -1 (all)
        ("turns_left", np.int8),  # turns still to begin once the hurricane has come, -1 before (all)
        # the turn under way
        ("cards_played", np.int8),  # cards asked for and paid this turn, a pair as one: 0..cards_per_turn (all)
        ("pairs_played", np.int8),  # jokers used this turn (all)
        ("used", np.int8, (len(LOCATIONS),)),  # 1: location already used this turn (all)
        ("acted", np.int8),  # actions performed this turn (all)
        ("action", np.int8),  # code of the action being paid or performed, -1 none (all)
        ("slot", np.int8),  # card of its price that is paid next (all)
        ("missing", np.int8),  # bit c: the hand held no diver of colour c before this action was paid (own)
        ("left", np.int8),  # cards the action still takes (all)
        ("from_location", np.int8),  # drink: location of the card just taken, bits over LOCATIONS (all)
        ("waiting", np.int8, (COLOURS,)),  # divers drawn in the Tavern, taken up at the end of the turn (none)
        # cards
        ("hand", np.int8, (P, COLOURS)),  # counts (own)
        ("diver_deck", np.int8, (DIVER_CARDS,)),  # colours, from diver_top (none)
        ("diver_top", np.int8),  # (all)
        ("diver_size", np.int8),  # (all)
        ("diver_discard", np.int8, (COLOURS,)),  # counts (all)
        ("diver_reshuffles", np.int16),  # (all)
        ("treasure_row", np.int8, (TREASURE_SPACES,)),  # kind or -1, from space 1 (all)
        ("treasure_deck", np.int8, (TREASURE_CARDS,)),  # kinds, the Hurricane space's last, from treasure_top (none)
        ("treasure_top", np.int8),  # (all)
        ("treasure_main", np.int8),  # cards of the deck that are not on the Hurricane space (all)
        ("treasure_size", np.int8),  # (all)
        ("treasures", np.int8, (P, TREASURE_KINDS)),  # collected, counts (all)
        ("ship_deck", np.int8, (SHIP_PILES, PILE_SHIPS)),  # ships by their place in the rules (the top one all)
        ("ship_top", np.int8, (SHIP_PILES,)),  # (all)
        ("ships", np.int8, (P, SHIP_PILES)),  # taken, counts (all)
        ("crates", np.int8, (P,)),  # on the seat's ships (all)
        ("research_row", np.int8, (RESEARCH_SPACES,)),  # kind or -1 (all)
        ("research_deck", np.int8, (RESEARCH_CARDS,)),  # kinds, from research_top (none)
        ("research_top", np.int8),  # (all)
        ("research_size", np.int8),  # (all)
        ("research", np.int8, (P, RESEARCH_KINDS)),  # collected, counts (all)
        # points, filled in when the game ends
        ("vp", np.int16, (P,)),  # VP (all)
        ("vp_by", np.int16, (P, len(SOURCES))),  # VP by SOURCE_; sums to vp (all)
        ("loaded", np.int8, (P, TREASURE_KINDS)),  # treasures kept (all)
        # what the action just finished did, kept until the next one: for the trace and the actions table
        ("done_action", np.int8),  # code, PASS for Catch Your Breath, -2 nothing yet (all)
        ("done_pair", np.int8),  # colour of a pair played for it, or -1 (all)
        ("done_paid", np.int8, (COLOURS,)),  # (all)
        ("done_taken", np.int8, (TAKEN,)),  # as drink codes number them: kind, or ship + 8 * pile (all)
        ("done_where", np.int8, (TAKEN,)),  # LOCATION_ it came from, -1 padded (all)
        ("done_count", np.int8),  # (all)
        ("done_drawn", np.int8),  # divers drawn (all)
        # tallies over the whole game
        ("actions_done", np.int16),  # actions and breaths finished, all seats (all)
        ("turns_done", np.int16),  # turns finished, all seats (all)
        ("turns_of", np.int16, (P,)),  # (all)
        ("breaths", np.int16, (P,)),  # Catch Your Breath (all)
        ("forced", np.int16, (P,)),  # of these, when no action was possible (none)
        ("pairs", np.int16, (P,)),  # (all)
        ("paid", np.int16, (P,)),  # diver cards played (all)
        ("drawn", np.int16, (P,)),  # diver cards drawn after the deal (all)
        ("tiers", np.int16, (P, 12)),  # actions performed by code (all)
    ]
)
STATE_RECORD = from_dtype(STATE)
new_states = partial(blank_states, STATE)  # n -> shape (n,), zeroed
