"""The rules as one record: every number and switch of Atlantica that a variant or an option may change.

`sim.rulebook` fills it from TOML; kernels only read it. The names are those of the rules data and of
docs/contracts/atlantica.md, where each is explained; a choice is stored as the position of its word.
"""

import numpy as np
from numba import from_dtype

from kernels.atlantica.codes import (
    COLOURS,
    LOCATIONS,
    PILE_SHIPS,
    RESEARCH_KINDS,
    ROW_VALUES,
    SHIP_PILES,
    TIERS,
    TREASURE_KINDS,
)

HANDS = 1 << COLOURS  # sets of colours that a hand may hold
ROW_TABLE = 32  # treasures of a kind whose points are looked up

RULES = np.dtype(
    [
        ("players", np.int8),
        # setup
        ("hand_size", np.int8),
        ("diver_copies", np.int8, (COLOURS,)),
        ("treasure_copies", np.int8, (TREASURE_KINDS,)),
        ("treasures_removed", np.int8),
        ("hurricane_pile", np.int8),
        ("crates", np.int8, (SHIP_PILES, PILE_SHIPS)),
        # paying
        ("action_colours", np.int8, (len(LOCATIONS), TIERS)),  # bit c: a diver of colour c pays this card
        ("cards_per_turn", np.int8),
        ("pairs_per_turn", np.int8),
        ("pair_when", np.int8),
        # actions
        ("partial_takes", np.int8),
        ("take_fewer", np.int8),
        ("dive_cards", np.int8, (TIERS,)),
        ("dive_spaces", np.int8, (TIERS,)),
        ("team_cards", np.int8, (2,)),
        ("drink_cards", np.int8),
        ("drink_treasure_spaces", np.int8),
        ("drink_research_spaces", np.int8),
        ("drink_ship_piles", np.int8),
        ("drink_uses_location", np.int8),
        ("drink_one_location", np.int8),
        ("research_cards", np.int8, (TIERS,)),
        ("research_spaces", np.int8, (TIERS,)),
        ("breath_cards", np.int8),
        ("drawn_divers_seen", np.int8),
        # the end
        ("turn_cap", np.int16),
        ("tie_counts", np.int8),
        ("hurricane_counts", np.int8),
        ("tie_last", np.int8),
        # points
        ("treasure_values", np.int8, (TREASURE_KINDS, ROW_VALUES)),  # padded with -1
        ("research_effect", np.int8, (RESEARCH_KINDS,)),
        ("research_amount", np.int8, (RESEARCH_KINDS,)),
        ("research_copies", np.int8, (RESEARCH_KINDS,)),
        ("set_colours", np.int8),
        ("divers_counted_by", np.int8),
        ("many_crates", np.int8),
        ("crates_counted", np.int8),
        ("joker_counts", np.int8),
        # worked out by `derive`
        ("row_points", np.int16, (TREASURE_KINDS, ROW_TABLE)),  # VP of 0, 1, 2 ... treasures of a kind
        # and, by the bits of the colours a hand holds, the actions, as bits, ...
        ("paid_by", np.int16, (HANDS,)),  # whose whole price single divers of these colours pay
        ("nearly_paid_by", np.int16, (HANDS,)),  # of whose price they lack one card at most
    ],
    align=True,
)
RULES_RECORD = from_dtype(RULES)

# The words of each choice, in the order of their codes.
CHOICES = {
    "pair_when": ("colour_missing", "card_unpayable"),
    "tie_counts": ("loaded", "collected"),
    "tie_last": ("shared", "lowest_seat"),
    "crates_counted": ("all", "loaded"),
    "joker_counts": ("everything", "sets_only"),
}


def derive(record: np.ndarray) -> None:
    """Fill the last fields of a RULES record, shape (1,), from the others. Modifies it in place."""
    for kind, values in enumerate(record["treasure_values"][0].tolist()):
        row = [0, *(points for points in values if points >= 0)]
        last = max(1, len(row) - 1)
        record["row_points"][0, kind] = [row[-1] * (n // last) + row[n % last] for n in range(ROW_TABLE)]
    for held in range(HANDS):
        lacking = (record["action_colours"][0] & held == 0).cumsum(axis=1).ravel()  # cards, by action
        for name, most in (("paid_by", 0), ("nearly_paid_by", 1)):
            record[name][0, held] = sum(1 << action for action, cards in enumerate(lacking) if cards <= most)
