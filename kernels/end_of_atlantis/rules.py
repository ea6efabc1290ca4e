"""The rules as one record: every number and switch of End of Atlantis that a variant or an option may change.

`sim.rulebook` fills it from TOML; kernels only read it. The names are those of the rules data and of
docs/contracts/end_of_atlantis.md, where each is explained; a choice is stored as the position of its word.
"""

import numpy as np
from numba import from_dtype

from kernels.end_of_atlantis.codes import (
    EVENT_CARDS,
    POLITICS_KINDS,
    SHIPS,
    SPECIAL_KINDS,
)
from kernels.engine.contract import MAX_PLAYERS

RULES = np.dtype(
    [
        ("players", np.int8),
        # setup
        ("start_vp", np.int16),
        ("cubes_per_player", np.int8),
        ("neutral_tokens", np.int8),
        ("setup_neutrals", np.int8),
        ("hand_size", np.int8),
        ("setup_specials", np.int8),
        ("setup_cubes", np.int8),
        ("marker_order", np.int8),
        ("events_removed", np.int8),
        ("tile_spaces", np.int8, (10,)),
        ("chosen_ships", np.int8, (SHIPS,)),
        # Senate and Factions
        ("senate", np.int8),
        ("senate_order_pool", np.int8),
        ("faction_cost", np.int8, (MAX_PLAYERS,)),
        ("factions_each", np.int8),
        ("faction_order", np.int8, (7,)),
        ("archont_cards", np.int8),
        ("plus_one_vp", np.int8),
        # Voting
        ("votings", np.int8),
        ("votings_all_doomed", np.int8),
        ("places", np.int8),
        ("places_all_doomed", np.int8),
        ("zero_bid_wins", np.int8),
        ("borrow_twice", np.int8),
        ("strategos_refund", np.int8),
        ("two_player_factions", np.int8),
        # ships
        ("ships_chart", np.int16, (5,)),
        ("royal_chart", np.int16, (5,)),
        ("colour_points", np.int8),
        ("mover_points", np.int8),
        ("mover_vp", np.int8),
        ("science_vp", np.int8),
        ("royal_vessel_specials", np.int8),
        ("airship_doom", np.int8),
        ("ark_neutral", np.int8),
        ("ark_alone_moves", np.int8),
        # Doom
        ("land_majority_vp", np.int8),
        ("pool_majority_vp", np.int8),
        ("empty_majority", np.int8),
        ("doom_redrawn_through", np.int8),
        ("doom_neutrals", np.int8),
        ("doom_ships", np.int8),
        ("neutral_overflow", np.int8),
        ("aggressive_neutrals", np.int8),
        ("aggressive_victim", np.int8),
        ("neutrals_on_land", np.int8),
        ("chaos_buildings", np.int8),
        ("refill", np.int8),
        ("refill_to", np.int8),
        ("event_cubes", np.int8, (EVENT_CARDS,)),
        ("event_open", np.int8, (EVENT_CARDS,)),
        ("senate_pays", np.int8, (2,)),
        ("no_mercy_vp", np.int8),
        ("no_mercy_ties", np.int8),
        ("negative_scores", np.int8),
        ("all_in_cubes", np.int8),
        # decks
        ("politics_copies", np.int8, (POLITICS_KINDS,)),
        ("special_effect", np.int8, (SPECIAL_KINDS,)),
        ("special_amount", np.int8, (SPECIAL_KINDS,)),
        ("special_copies", np.int8, (SPECIAL_KINDS,)),
        ("revealed_events", np.int8),
        ("revealed_specials", np.int8),
    ],
    align=True,
)
RULES_RECORD = from_dtype(RULES)

# The words of each choice, in the order of their codes.
CHOICES = {
    "marker_order": ("seats", "random"),
    "senate_order_pool": ("live", "frozen"),
    "colour_points": ("every_arrival", "not_royal_ship", "nowhere"),
    "mover_points": ("ships_and_royal_ship", "ships_only", "nowhere"),
    "airship_doom": ("crosses", "one_area"),
    "ark_neutral": ("printed", "from_camp"),
    "empty_majority": ("nobody", "senate_order"),
    "doom_neutrals": ("cubes_and_symbol", "symbol_only", "neither"),
    "neutral_overflow": ("stays_in_camp", "next_ship"),
    "aggressive_victim": ("up_the_order", "last_only"),
    "neutrals_on_land": ("return", "stay"),
    "chaos_buildings": ("return", "stay"),
    "refill": ("up_to", "as_laid"),
    "no_mercy_ties": ("lowest", "all"),
}
