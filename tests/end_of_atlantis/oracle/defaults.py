"""Default rules of the rulebook and of rulings.md for 2 to 5 players, and every option and variant as overrides."""

# rulings.md, placeholder Special deck (E04): (name, copies, effect, amount)
SPECIALS = [
    ("Hoard", 4, 1, 1),
    ("Heirloom", 3, 1, 2),
    ("Crown Jewels", 2, 1, 3),
    ("Stowaway", 3, 2, 1),
    ("Empath", 3, 3, 1),
    ("Convoy", 3, 4, 1),
    ("Alliance", 2, 5, 1),
    ("Orator", 3, 6, 2),
    ("Proxy", 2, 7, 2),
]


def padded(numbers, length=25):
    return list(numbers) + [0] * (length - len(numbers))


def default_rules(players):
    """The rules of the contract's table "The rules, by name", defaults of rulings.md."""
    two, five = players == 2, players == 5
    return {
        "players": players,
        "start_vp": 2,
        "cubes_per_player": 20,
        "neutral_tokens": 10,
        "setup_neutrals": 2,
        "hand_size": 7,
        "setup_specials": 2,
        "setup_cubes": 0,
        "marker_order": 0,
        "events_removed": 4,
        "tile_spaces": [7, 5, 5, 3, 3, 8, 5, 5, 3, 3],
        "chosen_ships": [-1] * 5,
        "senate": 0 if two else 1,
        "senate_order_pool": 0,
        "faction_cost": {2: [1, 0, 0, 0, 0], 3: [2, 1, 0, 0, 0], 4: [2, 1, 1, 0, 0], 5: [2, 2, 1, 1, 0]}[players],
        "factions_each": 2 if two else 1,
        "faction_order": [0, 1, 2, 3, 4, 5, 6],
        "archont_cards": 5,
        "plus_one_vp": 1,
        "votings": 5,
        "votings_all_doomed": 3 if two else 5,
        "places": 1 if two else 3 if five else 2,
        "places_all_doomed": 2 if five else 1,
        "zero_bid_wins": 1,
        "borrow_twice": 0,
        "strategos_refund": 2,
        "two_player_factions": 1 if two else 0,
        "ships_chart": [1, 3, 6, 10, 15],
        "royal_chart": [1, 3, 6, 10, 15],
        "colour_points": 0,
        "mover_points": 0,
        "mover_vp": 1,
        "science_vp": 2,
        "royal_vessel_specials": 1,
        "airship_doom": 0,
        "ark_neutral": 0,
        "ark_alone_moves": 1,
        "land_majority_vp": 2,
        "pool_majority_vp": 2,
        "empty_majority": 0,
        "doom_redrawn_through": 3,
        "doom_neutrals": 0,
        "doom_ships": 2 if two else 3,
        "neutral_overflow": 0,
        "aggressive_neutrals": 0,
        "aggressive_victim": 0,
        "neutrals_on_land": 0,
        "chaos_buildings": 0,
        "refill": 0,
        "refill_to": 7,
        "event_cubes": [1, 1, 1, 2, 2, 1, 2, 1, 1, 3],
        "event_open": [0, 1, 0, 1, 0, 1, 0, 1, 0, 1],
        "senate_pays": [5, 3],
        "no_mercy_vp": 1,
        "no_mercy_ties": 0,
        "negative_scores": 0,
        "all_in_cubes": 3,
        "politics_copies": [24, 12, 4, 8, 12, 8, 4, 4, 4],
        "special_copies": padded([copies for _, copies, _, _ in SPECIALS]),
        "special_effect": padded([effect for _, _, effect, _ in SPECIALS]),
        "special_amount": padded([amount for _, _, _, amount in SPECIALS]),
        "revealed_events": 0,
        "revealed_specials": 0,
    }


OPTIONS = {
    "E01 3 6 9 12 15": {"royal_chart": [3, 6, 9, 12, 15]},
    "E01 2 4 6 8 10": {"royal_chart": [2, 4, 6, 8, 10]},
    "E01 5 9 12 14 15": {"royal_chart": [5, 9, 12, 14, 15]},
    "E02 not for Royal Ship": {"colour_points": 1},
    "E02 nowhere": {"colour_points": 2},
    "E03 Ships only": {"mover_points": 1},
    "E03 nowhere": {"mover_points": 2},
    "E04 all blank": {"special_copies": padded([25]), "special_effect": padded([0]), "special_amount": padded([0])},
    "E04 all end-of-game VP": {
        "special_copies": padded([10, 9, 6]),
        "special_effect": padded([1, 1, 1]),
        "special_amount": padded([1, 2, 3]),
    },
    "E05 all 0": {"event_cubes": [0] * 10},
    "E05 all 1": {"event_cubes": [1] * 10},
    "E05 all 2": {"event_cubes": [2] * 10},
    "E06 always hidden": {"event_open": [0] * 10},
    "E06 always open": {"event_open": [1] * 10},
    "E07 as many as were laid": {"refill": 1},
    "E07 refill to 6": {"refill_to": 6},
    "E07 refill to 8": {"refill_to": 8},
    "E08 random order": {"marker_order": 1},
    "E09 two setup cubes": {"setup_cubes": 2},
    "E10 stay": {"neutrals_on_land": 1},
    "E12 next ship": {"neutral_overflow": 1},
    "E13 no": {"zero_bid_wins": 0},
    "E15 redrawn in turns 1-4": {"doom_redrawn_through": 4},
    "E16 remove 2": {"events_removed": 2},
    "E16 remove 0": {"events_removed": 0},
    "E18 cubes on buildings stay": {"chaos_buildings": 1},
    "E22 Senate order": {"empty_majority": 1},
    "E23 symbol only": {"doom_neutrals": 1},
    "E23 neither": {"doom_neutrals": 2},
    "E24 one area": {"airship_doom": 1},
    "E27 frozen": {"senate_order_pool": 1},
    "E29 from the camp": {"ark_neutral": 1},
    "E30 counts as empty": {"ark_alone_moves": 0},
    "E32 all tied lose": {"no_mercy_ties": 1},
    "E32 negative scores": {"negative_scores": 1},
    "E33 Strategos first": {"faction_order": [6, 5, 4, 1, 3, 2, 0]},
    "E37 only the last player": {"aggressive_neutrals": 1, "aggressive_victim": 1},
    "E45 one tile per letter": {"chosen_ships": [5, 1, 7, 8, 4]},
    "E45 one tile per letter, 2 players": {"chosen_ships": [6, 2, 8, 4, -1]},
    "E46 may be played by both": {"borrow_twice": 1},
    "family": {"senate": 0},
    "chosen ships": {"chosen_ships": [0, 3, 4, 5, 8]},
    "chosen ships, both B and C": {"chosen_ships": [1, 6, 2, 7, 9]},
    "chosen ships, the smallest": {"chosen_ships": [3, 8, 4, 9, 5]},
    "chosen ships, 2 players": {"chosen_ships": [3, 8, 6, 1, -1]},
    "chosen ships, the smallest, 2 players": {"chosen_ships": [3, 8, 4, 9, -1]},
    "revealed event deck": {"revealed_events": 1},
    "revealed special cards": {"revealed_specials": 1},
    "aggressive neutrals": {"aggressive_neutrals": 1},
}


def refusal(name, players, rules):
    """rulings.md: why an option makes no sense with these rules, or None."""
    if name == "E27 frozen" and not rules["senate"]:
        return "there is no Senate"
    if name == "E12 next ship" and rules["aggressive_neutrals"]:
        return "a full ship is not skipped by aggressive neutrals"
    if name in ("aggressive neutrals", "E37 only the last player") and rules["neutral_overflow"]:
        return "a full ship is not skipped by aggressive neutrals"
    if name == "family" and rules["senate_order_pool"]:
        return "there is no Senate to freeze"
    if "chosen_ships" in OPTIONS[name] and ("2 players" in name) != (players == 2):
        return "another number of ships"
    return None
