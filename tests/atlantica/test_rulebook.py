"""The rules data of Atlantica against figures typed by hand from the rulebook, and its schema against bad input."""

import json
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kernels.atlantica.rules import CHOICES, RULES
from sim.errors import UserError
from sim.games import find_game
from sim.rulebook import describe_option, list_variants, load_rules, restore_rules, rule_options
from sim.rules.atlantica.schema import SHAPES

GAME = find_game("atlantica")

WHITE, YELLOW, RED, GREEN, BLUE, PURPLE = (1 << bit for bit in range(6))
EFFECTS = (
    "blank",
    "points",
    "per_architecture",
    "per_gold",
    "per_research",
    "per_ship",
    "three_colours",
    "per_divers",
    "many_crates",
    "joker",
)
BLANK, POINTS, ARCHITECTURE, GOLD, RESEARCH, SHIP, COLOURS, DIVERS, CRATES, JOKER = range(10)
PRINTED_EFFECTS = [POINTS, POINTS, POINTS, ARCHITECTURE, RESEARCH, SHIP, COLOURS, GOLD]
PRINTED_AMOUNTS = [2, 3, 4, 1, 1, 1, 5, 1]

# Typed from the rulebook and, for what it leaves open, from the list of rulings.
FOUR_PLAYERS = {
    "players": 4,
    "hand_size": 5,
    "diver_copies": [13, 13, 13, 13, 13, 13],
    "treasure_copies": [12, 10, 9, 8, 7, 6, 5],
    "treasures_removed": 9,
    "hurricane_pile": 10,
    "crates": [[1, 1, 1, 2, 2, 2, 2, 3], [2, 2, 2, 3, 3, 3, 3, 4], [3, 3, 4, 4, 4, 5, 5, 5]],
    "action_colours": [
        [GREEN | YELLOW, PURPLE, WHITE],
        [WHITE | RED, GREEN | BLUE, PURPLE],
        [YELLOW | PURPLE | BLUE, WHITE, RED],
        [BLUE | RED, YELLOW, GREEN],
    ],
    "cards_per_turn": 3,
    "pairs_per_turn": 1,
    "pair_when": 0,
    "partial_takes": 1,
    "take_fewer": 0,
    "dive_cards": [1, 2, 3],
    "dive_spaces": [1, 3, 6],
    "team_cards": [3, 6],
    "drink_cards": 2,
    "drink_treasure_spaces": 3,
    "drink_research_spaces": 2,
    "drink_ship_piles": 2,
    "drink_uses_location": 0,
    "drink_one_location": 1,
    "research_cards": [1, 1, 2],
    "research_spaces": [1, 4, 4],
    "breath_cards": 5,
    "drawn_divers_seen": 0,
    "turn_cap": 200,
    "tie_counts": 0,
    "hurricane_counts": 0,
    "tie_last": 0,
    "treasure_values": [
        [1, 3, 6, 12, -1, -1],
        [0, 0, 10, 16, -1, -1],
        [1, 4, 9, 15, -1, -1],
        [2, 5, 10, 16, -1, -1],
        [0, 6, 12, 20, -1, -1],
        [3, 8, 15, -1, -1, -1],
        [4, 9, 16, -1, -1, -1],
    ],
    "research_effect": [*PRINTED_EFFECTS, DIVERS, CRATES, POINTS, 0, 0, 0, 0, 0],
    "research_amount": [*PRINTED_AMOUNTS, 1, 5, 3, 0, 0, 0, 0, 0],
    "research_copies": [4, 4, 4, 2, 2, 2, 2, 2, 2, 2, 4, 0, 0, 0, 0, 0],
    "set_colours": 3,
    "divers_counted_by": 2,
    "many_crates": 8,
    "crates_counted": 0,
    "joker_counts": 0,
}
DERIVED = {"row_points", "paid_by", "nearly_paid_by"}  # follow from the others, see below
REMOVED = {2: 26, 3: 18, 4: 9, 5: 0}

# Every ruling and its status, typed from the list of rulings; a letter where its parts differ.
STATUSES = {
    "printed": "A06 A08a A09 A10 A13a A14 A15 A22 A30 A35",
    "inferred": "A02a A05 A08b A11a A13b A17 A18 A20 A23 A24 A25 A27 A31",
    "conflict": "A16",
    "assumed": "A01 A02b A03 A04 A07 A11b A12 A19 A21 A26 A28 A29 A32 A33 A34 A36",
}

HEADINGS = {
    "Game Components",
    "Setup",
    "Game Play",
    "The Diver Cards",
    "1. The Submarine",
    "2. The Harbor",
    "3. The Tavern",
    "4. The Research Station",
    "Refilling the cards",
    "5. Catch Your Breath",
    "End of the Game and Scoring",
    "The Treasure Cards",
    "The Research Cards",
}

# What each option does to the record, typed from the list of rulings.
OPTIONS = {
    "A01=pile-means": {"crates": [[2] * 8, [3] * 8, [4] * 8]},
    "A01=one-more": {"crates": [[2, 2, 2, 3, 3, 3, 3, 4], [3, 3, 3, 4, 4, 4, 4, 5], [4, 4, 5, 5, 5, 5, 5, 5]]},
    "A01=one-fewer": {"crates": [[1, 1, 1, 1, 1, 1, 1, 2], [1, 1, 1, 2, 2, 2, 2, 3], [2, 2, 3, 3, 3, 4, 4, 4]]},
    "A02b=former": {
        "research_effect": [*PRINTED_EFFECTS, DIVERS, CRATES, JOKER, 0, 0, 0, 0, 0],
        "research_amount": [*PRINTED_AMOUNTS, 1, 5, 0, 0, 0, 0, 0, 0],
        "research_copies": [4, 4, 4, 2, 2, 2, 2, 2, 4, 2, 2, 0, 0, 0, 0, 0],
    },
    "A02b=flat-one": {"research_amount": [*PRINTED_AMOUNTS, 1, 5, 1, 0, 0, 0, 0, 0]},
    "A02b=flat-five": {"research_amount": [*PRINTED_AMOUNTS, 1, 5, 5, 0, 0, 0, 0, 0]},
    "A02b=worth-nothing": {
        "research_effect": [*PRINTED_EFFECTS, BLANK, BLANK, BLANK, 0, 0, 0, 0, 0],
        "research_amount": [*PRINTED_AMOUNTS, 0, 0, 0, 0, 0, 0, 0, 0],
    },
    "A02b=worth-two": {
        "research_effect": [*PRINTED_EFFECTS, POINTS, POINTS, POINTS, 0, 0, 0, 0, 0],
        "research_amount": [*PRINTED_AMOUNTS, 2, 2, 2, 0, 0, 0, 0, 0],
    },
    "A03=every-space": {"drink_treasure_spaces": 6, "drink_research_spaces": 4, "drink_ship_piles": 3},
    "A03=first-spaces": {"drink_treasure_spaces": 1, "drink_research_spaces": 1, "drink_ship_piles": 1},
    "A07=all-or-nothing": {"partial_takes": 0},
    "A11a=collected": {"tie_counts": 1},
    "A11b=lowest-seat": {"tie_last": 1},
    "A19=fewer-allowed": {"take_fewer": 1},
    "A20=uses-location": {"drink_uses_location": 1},
    "A21=not-allowed": {"drink_one_location": 0},
    "A23=owner-sees": {"drawn_divers_seen": 1},
    "A25=card-unpayable": {"pair_when": 1},
    "A26=sets-only": {"joker_counts": 1},
    "A27=one-more": {"hurricane_counts": 1},
    "A29=loaded-only": {"crates_counted": 1},
}


def values(rulebook):
    record = rulebook.record()
    return {field: record[field][0].tolist() for field in record.dtype.names if field not in DERIVED}


def changes(rulebook, before):
    after, known = values(rulebook), values(before)
    return {field: value for field, value in after.items() if value != known[field]}


def error_of(players=4, variants=(), files=(), settings=()):
    with pytest.raises(UserError) as caught:
        load_rules(GAME, players, variants, files, settings)
    return str(caught.value)


def write(folder: Path, text: str, name="mine.toml") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


# --- the data


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_defaults_are_those_of_the_rulebook(players):
    expected = FOUR_PLAYERS | {"players": players, "treasures_removed": REMOVED[players]}
    assert values(load_rules(GAME, players)) == expected


def test_every_field_is_filled_by_a_rule_of_the_data():
    filled = {"players"}
    rulebook = load_rules(GAME, 4)
    for name, shape in SHAPES.items():
        filled |= shape.fields(name, rulebook.rules[name].value).keys()
    assert filled == set(RULES.names) - DERIVED
    assert {name for name, rule in rulebook.rules.items() if rule.kind == "value"} == SHAPES.keys()


def test_the_decks_have_the_printed_sizes():
    found = values(load_rules(GAME, 5))
    assert sum(found["diver_copies"]) == 78
    assert sum(found["treasure_copies"]) == 57
    assert sum(found["research_copies"]) == 30
    assert {copies for copies in found["research_copies"] if copies} == {2, 4}
    assert np.count_nonzero(found["research_copies"]) == 11
    crates = [number for pile in found["crates"] for number in pile]
    assert len(crates) == 24
    assert (min(crates), max(crates)) == (1, 5)


def test_piles_hold_ever_more_crates_and_their_options_keep_to_1_to_5():
    default = np.array(values(load_rules(GAME, 4))["crates"])
    assert (np.diff(default.mean(axis=1)) > 0).all()
    means = np.floor(default.mean(axis=1) + 0.5).astype(int)
    expected = {
        "pile-means": np.repeat(means[:, None], 8, axis=1),
        "one-more": np.clip(default + 1, 1, 5),
        "one-fewer": np.clip(default - 1, 1, 5),
    }
    for name, crates in expected.items():
        assert values(load_rules(GAME, 4, settings=[f"A01={name}"]))["crates"] == crates.tolist()


def test_rulings_have_the_statuses_of_the_list():
    expected = {ruling: status for status, rulings in STATUSES.items() for ruling in rulings.split()}
    found: dict[str, set[str]] = {}
    for rule in load_rules(GAME, 4).rules.values():
        if rule.ruling:
            found.setdefault(rule.ruling, set()).add(rule.status)
    assert found == {ruling: {status} for ruling, status in expected.items()}
    assert {ruling[:3] for ruling in found} == {f"A{number:02d}" for number in range(1, 37)}


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_printed_rules_cite_a_section_and_all_have_a_note(players):
    for rule in load_rules(GAME, players).rules.values():
        if rule.status == "printed":
            assert set(rule.source.split("; ")) <= HEADINGS, rule.name
        assert rule.ruling or rule.status == "printed", rule.name
        assert rule.source
        assert rule.note.endswith(".")
        assert not re.search(r"[.!?] [A-Z]", rule.note), f"{rule.name}: one sentence"


def test_behaviours_have_no_value_and_only_they_have_another_reading():
    for rule in load_rules(GAME, 4).rules.values():
        assert (rule.value is None) == (rule.kind == "behaviour")
        assert not (rule.another_reading and rule.kind == "value")
        assert not (rule.alternatives and rule.kind == "behaviour")


def test_rules_that_do_not_matter_here_are_told_apart():
    for players in REMOVED:
        rules = load_rules(GAME, players).rules
        assert [rules[f"treasures_removed_{others}"].applies for others in REMOVED] == [
            others == players for others in REMOVED
        ]
    assert load_rules(GAME, 4).rules["pair_when"].applies
    assert not load_rules(GAME, 4, settings=["pairs_per_turn=0"]).rules["pair_when"].applies


def test_there_are_no_variants():
    assert list_variants(GAME) == {}
    assert error_of(variants=["family"]) == "--variant: Atlantica has no variants, got family."


# --- options


def test_options_are_all_those_of_the_list():
    assert {option.setting for option in rule_options(GAME)} == OPTIONS.keys()


@pytest.mark.parametrize("setting", OPTIONS)
def test_an_option_changes_what_it_should_and_nothing_else(setting):
    before, after = load_rules(GAME, 4), load_rules(GAME, 4, settings=[setting])
    assert changes(after, before) == OPTIONS[setting]
    assert after.digest != before.digest
    option = next(option for option in rule_options(GAME) if option.setting == setting)
    changed = {name for name, rule in after.rules.items() if rule.changed_by == "--set"}
    assert changed == option.overrides.keys()
    assert {after.rules[name].status for name in changed} == {"yours"}


@pytest.mark.parametrize("players", [2, 3, 5])
@pytest.mark.parametrize("setting", OPTIONS)
def test_options_are_for_every_number_of_players(players, setting):
    assert changes(load_rules(GAME, players, settings=[setting]), load_rules(GAME, players)) == OPTIONS[setting]


def test_every_word_of_a_choice_is_the_default_or_an_option():
    rules = load_rules(GAME, 4).rules
    for name, words in CHOICES.items():
        offered = {option.overrides[name] for option in rules[name].alternatives if name in option.overrides}
        assert {rules[name].value, *offered} == set(words)


@pytest.mark.parametrize(
    ("setting", "name", "value"),
    [("A02=worth-two", "research_deck", None), ("A11=collected", "tie_counts", "collected")],
)
def test_a_ruling_finds_the_options_of_its_parts(setting, name, value):
    rule = load_rules(GAME, 4, settings=[setting]).rules[name]
    assert rule.changed_by == "--set"
    assert value is None or rule.value == value


# --- values as designers write them


@pytest.mark.parametrize(
    ("setting", "expected"),
    [
        ("hand_size=6", {"hand_size": 6}),
        ("diver_copies.white=10", {"diver_copies": [10, 13, 13, 13, 13, 13]}),
        ("diver_copies=12", {"diver_copies": [12] * 6}),
        ("diver_copies=1,2,3,4,5,6", {"diver_copies": [1, 2, 3, 4, 5, 6]}),
        ("treasure_copies.Weapons=6", {"treasure_copies": [12, 10, 9, 8, 7, 6, 6]}),
        ("treasures_removed_4=12", {"treasures_removed": 12}),
        ("treasures_removed_3=12", {}),
        ("treasure_values.gold=1,4,9,16", {"treasure_values": (2, [1, 4, 9, 16, -1, -1])}),
        ("treasure_values.statues=2,2,4,8,16,32", {"treasure_values": (5, [2, 2, 4, 8, 16, 32])}),
        ("treasure_values.pottery=3", {"treasure_values": (1, [3, -1, -1, -1, -1, -1])}),
        ("crates.A=1,1,1,1,2,2,2,9", {"crates": (0, [1, 1, 1, 1, 2, 2, 2, 9])}),
        ("crates.c=5,5,5,5,5,5,5,5", {"crates": (2, [5] * 8)}),
        ("action_colours.tavern=blue,white,red", {"action_colours": (2, [BLUE, WHITE, RED])}),
        (
            "action_colours.research-station=Blue/red/white, yellow , green/purple",
            {"action_colours": (3, [BLUE | RED | WHITE, YELLOW, GREEN | PURPLE])},
        ),
        ("dive_cards=1,3,6", {"dive_cards": [1, 3, 6]}),
        ("team_cards=4,8", {"team_cards": [4, 8]}),
        ("turn_cap=150", {"turn_cap": 150}),
        ("take_fewer=true", {"take_fewer": 1}),
        ("joker_counts=Sets-Only", {"joker_counts": 1}),
    ],
)
def test_settings_of_every_kind(setting, expected):
    """A pair is the row of the field that changes, and what it becomes."""
    for field, value in expected.items():
        if isinstance(value, tuple):
            row, numbers = value
            rows = list(FOUR_PLAYERS[field])
            rows[row] = numbers
            expected = {field: rows}
    assert changes(load_rules(GAME, 4, settings=[setting]), load_rules(GAME, 4)) == expected


def test_a_file_may_hold_values_tables_and_a_deck(tmp_path):
    path = write(
        tmp_path,
        """
        hand_size = 4
        crates.B = [2, 2, 2, 2, 2, 2, 2, 2]

        [treasure_values]
        gold = [2, 4, 6]

        [action_colours]
        submarine = ["green", ["yellow", "purple"], "white/red"]

        [diver_copies]
        value = { white = 10 }
        status = "printed"
        source = "my copy"

        [[research_deck]]
        name = "Much"
        copies = 26
        effect = "points"
        amount = 20

        [[research_deck]]
        name = "Wild"
        copies = 4
        effect = "joker"
        """,
    )
    rulebook = load_rules(GAME, 4, files=[path])
    assert changes(rulebook, load_rules(GAME, 4)) == {
        "hand_size": 4,
        "crates": [FOUR_PLAYERS["crates"][0], [2] * 8, FOUR_PLAYERS["crates"][2]],
        "treasure_values": [
            [2, 4, 6, -1, -1, -1] if kind == 2 else row for kind, row in enumerate(FOUR_PLAYERS["treasure_values"])
        ],
        "action_colours": [[GREEN, YELLOW | PURPLE, WHITE | RED], *FOUR_PLAYERS["action_colours"][1:]],
        "diver_copies": [10, 13, 13, 13, 13, 13],
        "research_effect": [POINTS, JOKER] + [0] * 14,
        "research_amount": [20] + [0] * 15,
        "research_copies": [26, 4] + [0] * 14,
    }
    assert (rulebook.rules["diver_copies"].status, rulebook.rules["diver_copies"].source) == ("printed", "my copy")


def test_a_copy_of_the_data_is_a_file(tmp_path):
    base = (GAME.rules_folder / "base.toml").read_text(encoding="utf-8")
    copied = load_rules(GAME, 4, files=[write(tmp_path, base)])
    assert copied.digest == load_rules(GAME, 4).digest
    assert len(copied.open_rules()) == len(load_rules(GAME, 4).open_rules())


def test_values_are_shown_as_they_are_set():
    rules = load_rules(GAME, 4).rules
    assert rules["crates"].shown == "A=1,1,1,2,2,2,2,3; B=2,2,2,3,3,3,3,4; C=3,3,4,4,4,5,5,5"
    assert rules["action_colours"].shown == (
        "submarine=green/yellow,purple,white; harbor=white/red,green/blue,purple; "
        "tavern=yellow/purple/blue,white,red; research_station=blue/red,yellow,green"
    )
    assert rules["treasure_values"].shown.endswith("; statues=3,8,15; weapons=4,9,16")
    assert rules["research_deck"].shown.startswith("4x +2 (points 2), 4x +3 (points 3)")
    for name in ("crates", "action_colours", "treasure_values"):
        parts = rules[name].shown.split("; ")
        restored = load_rules(GAME, 4, settings=[f"{name}.{part}" for part in parts])
        assert restored.digest == load_rules(GAME, 4).digest
    for option in rule_options(GAME):
        assert describe_option(GAME, option).isprintable()


def test_the_manifest_tells_all_and_restores(tmp_path):
    path = write(tmp_path, "crates.A = [1, 1, 1, 1, 1, 1, 1, 9]")
    chosen = ["A02=worth-nothing", "action_colours.harbor=white/red,green,purple", "treasure_values.gold=5"]
    rulebook = load_rules(GAME, 3, (), [path], chosen)
    rows = json.loads(json.dumps(rulebook.as_manifest()))
    by_name = {row["name"]: row for row in rows}
    assert by_name["crates"]["value"]["A"] == [1, 1, 1, 1, 1, 1, 1, 9]
    assert by_name["crates"]["changed_by"] == "file mine.toml"
    assert by_name["treasures_removed_3"]["applies"]
    assert not by_name["treasures_removed_4"]["applies"]
    path.unlink()
    restored = restore_rules(GAME, 3, rows, (), [path], chosen)
    assert restored.digest == rulebook.digest
    assert restored.as_manifest() == rulebook.as_manifest()
    assert (restored.record() == rulebook.record()).all()


# --- bad input

COLOURS_LIST = "white, yellow, red, green, blue, purple"


@pytest.mark.parametrize(
    ("setting", "sentence"),
    [
        ("hand_size", "hand_size is not NAME=VALUE; write for example hand_size=6."),
        ("hand_sise=3", "no rule named hand_sise. Did you mean hand_size? All rules: atlantis rules atlantica."),
        ("hand_size=11", "hand_size must be a whole number from 0 to 10 (cards), got 11."),
        ("breath_cards=0", "breath_cards must be a whole number from 1 to 20 (cards), got 0."),
        ("breath_cards=21", "breath_cards must be a whole number from 1 to 20 (cards), got 21."),
        ("pairs_per_turn=2", "pairs_per_turn must be a whole number from 0 to 1 (pairs), got 2."),
        ("cards_per_turn=0", "cards_per_turn must be a whole number from 1 to 12 (cards), got 0."),
        ("cards_per_turn=13", "cards_per_turn must be a whole number from 1 to 12 (cards), got 13."),
        ("drink_cards=4", "drink_cards must be a whole number from 1 to 3 (cards), got 4."),
        ("drink_cards=0", "drink_cards must be a whole number from 1 to 3 (cards), got 0."),
        (
            "drink_treasure_spaces=7",
            "drink_treasure_spaces must be a whole number from 0 to 6 (spaces from the left), got 7.",
        ),
        (
            "drink_research_spaces=5",
            "drink_research_spaces must be a whole number from 0 to 4 (spaces from the left), got 5.",
        ),
        ("drink_ship_piles=4", "drink_ship_piles must be a whole number from 0 to 3 (piles from the left), got 4."),
        ("hurricane_pile=21", "hurricane_pile must be a whole number from 0 to 20 (cards), got 21."),
        ("turn_cap=0", "turn_cap must be a whole number from 1 to 200 (turns a seat), got 0."),
        ("turn_cap=201", "turn_cap must be a whole number from 1 to 200 (turns a seat), got 201."),
        ("set_colours=8", "set_colours must be a whole number from 1 to 7 (kinds), got 8."),
        ("divers_counted_by=0", "divers_counted_by must be a whole number from 1 to 10 (divers), got 0."),
        ("many_crates=61", "many_crates must be a whole number from 0 to 60 (crates), got 61."),
        ("hurricane_counts=2", "hurricane_counts must be a whole number from 0 to 1 (treasures), got 2."),
        ("team_cards=3,21", "team_cards needs numbers from 0 to 20 (divers for the small and the large team), got 21."),
        ("tie_counts=all", "tie_counts must be one of loaded, collected, got all."),
        ("take_fewer=1", "take_fewer must be true or false, got 1."),
        # divers
        ("diver_copies.white=41", "diver_copies.white must be a whole number from 0 to 40 (cards), got 41."),
        ("diver_copies.pink=13", f"diver_copies has no entry pink; valid: {COLOURS_LIST}."),
        ("diver_copies=17", "diver_copies adds up to 102 cards, and at most 96 are possible."),
        (
            "diver_copies=3",
            "diver_copies adds up to 18 cards, fewer than the 20 that 4 players are dealt (hand_size 5).",
        ),
        # treasures
        ("treasure_copies=12", "treasure_copies adds up to 84 cards, and at most 83 are possible."),
        (
            "treasures_removed_4=42",
            "treasure_copies adds up to 57 cards, but 58 are needed: 42 to remove (treasures_removed_4), "
            "10 for the Hurricane space (hurricane_pile) and 6 for the row.",
        ),
        (
            "treasure_copies=3",
            "treasure_copies adds up to 21 cards, but 25 are needed: 9 to remove (treasures_removed_4), "
            "10 for the Hurricane space (hurricane_pile) and 6 for the row.",
        ),
        (
            "treasure_values.gold=1,4,3",
            "treasure_values.gold must not fall (VP for one treasure of the kind, for two and so on), got 3 after 4.",
        ),
        (
            "treasure_values.gold=1,2,3,4,5,6,7",
            "treasure_values.gold needs 1 to 6 numbers (VP for one treasure of the kind, for two and so on), got 7.",
        ),
        (
            "treasure_values.gold=-1",
            "treasure_values.gold needs numbers from 0 to 40 (VP for one treasure of the kind, for two and so on), "
            "got -1.",
        ),
        (
            "treasure_values.gold=41",
            "treasure_values.gold needs numbers from 0 to 40 (VP for one treasure of the kind, for two and so on), "
            "got 41.",
        ),
        (
            "treasure_values.gold=",
            "treasure_values.gold needs 1 to 6 whole numbers (VP for one treasure of the kind, for two and so on), "
            "got nothing.",
        ),
        # ships
        ("crates.A=1,2", "crates.A needs 8 numbers (crates on the 8 ships of a pile), got 2."),
        ("crates.A=0,1,1,1,1,1,1,1", "crates.A needs numbers from 1 to 9 (crates on the 8 ships of a pile), got 0."),
        ("crates.A=10,1,1,1,1,1,1,1", "crates.A needs numbers from 1 to 9 (crates on the 8 ships of a pile), got 10."),
        ("crates.D=1", "crates has no entry D; valid: A, B, C."),
        # paying
        (
            "action_colours.harbor=white,red",
            "action_colours.harbor needs 3 sets of colours (what pays the first, second and third card), "
            "each such as white or white/yellow, got 2.",
        ),
        ("action_colours.harbor=white,red,pink", f"action_colours.harbor has no colour pink; valid: {COLOURS_LIST}."),
        ("action_colours.harbor=white,,red", f"action_colours.harbor has no colour nothing; valid: {COLOURS_LIST}."),
        ("action_colours.harbor=white,3,red", f"action_colours.harbor has no colour 3; valid: {COLOURS_LIST}."),
        (
            "action_colours.harbor=white/white,red,blue",
            "action_colours.harbor names white 2 times in one set; once is enough.",
        ),
        (
            "action_colours.submarine=green/yellow,purple,yellow",
            "action_colours.submarine has yellow pay 2 cards, but a colour can pay only one card of a location.",
        ),
        # taking
        (
            "dive_cards=1,4,5",
            "dive_cards takes 4 cards for 2 diver cards, more than the 3 of dive_spaces, which is the most it can be.",
        ),
        (
            "dive_cards=1,2,7",
            "dive_cards needs numbers from 1 to 6 (treasures for 1, 2 and 3 diver cards), got 7.",
        ),
        (
            "research_cards=2,2,2",
            "research_cards takes 2 cards for 1 diver card, more than the 1 of research_spaces, "
            "which is the most it can be.",
        ),
        (
            "research_spaces=1,4,5",
            "research_spaces needs numbers from 1 to 4 (spaces from the left for 1, 2 and 3 diver cards), got 5.",
        ),
        # rulings
        ("A01=more", "A01 has no option more; options: pile-means, one-more, one-fewer."),
        (
            "breath_instead=1",
            "breath_instead (A14) is built in and has no value; a rules file can give its status, source and note.",
        ),
    ],
)
def test_a_bad_setting_is_explained(setting, sentence):
    assert error_of(settings=[setting]) == f"--set: {sentence}"


def test_crates_are_counted_up_to_120():
    at_most = ["crates.C=9,9,9,9,9,9,9,9", "crates.B=4,4,4,4,4,4,5,5"]  # 14 + 34 + 72
    assert np.sum(values(load_rules(GAME, 4, settings=at_most))["crates"]) == 120
    assert error_of(settings=[*at_most, "crates.A=1,1,1,2,2,2,2,4"]) == (
        "--set: crates adds up to 121, and at most 120 are possible."
    )


def test_the_pile_and_the_row_are_full_at_the_start():
    """With 57 treasures, 41 removed leave 10 for the Hurricane space and 6 for the row."""
    for players in REMOVED:
        name = f"treasures_removed_{players}"
        assert values(load_rules(GAME, players, settings=[f"{name}=41"]))["treasures_removed"] == 41
        assert f"58 are needed: 42 to remove ({name})" in error_of(players, settings=[f"{name}=42"])
    load_rules(GAME, 2, settings=["hurricane_pile=20", "treasures_removed_2=31"])
    assert "58 are needed" in error_of(2, settings=["hurricane_pile=20", "treasures_removed_2=32"])
    load_rules(GAME, 4, settings=["treasures_removed_2=83"])  # not in play


CARD = '[[research_deck]]\nname = "{}"\ncopies = {}\neffect = "{}"\n{}\n'


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (CARD.format("A", 29, "blank", ""), "research_deck must add up to 30 cards, got 29."),
        (
            CARD.format("A", 31, "blank", ""),
            "research_deck, A: copies must be a whole number from 0 to 30, got 31.",
        ),
        (
            CARD.format("A", 25, "points", "amount = 2") + CARD.format("B", 5, "joker", ""),
            "research_deck has 5 jokers, and at most 4 are possible.",
        ),
        (
            CARD.format("A", 27, "points", "amount = 2") + CARD.format("B", 3, "joker", "amount = 1"),
            "research_deck, B: joker takes no amount, got 1.",
        ),
        (
            CARD.format("A", 30, "points", "amount = 21"),
            "research_deck, A: amount must be a whole number from 0 to 20, got 21.",
        ),
        (
            CARD.format("A", 30, "per_divers", "amount = 11"),
            "research_deck, A: amount must be a whole number from 0 to 10, got 11.",
        ),
        (CARD.format("A", 30, "per_ship", ""), "research_deck, A: per_ship needs an amount from 0 to 10."),
        (
            CARD.format("A", 30, "per_ships", "amount = 1"),
            f"research_deck, A: no effect named per_ships. Did you mean per_ship? Effects: {', '.join(EFFECTS)}.",
        ),
        (
            "".join(CARD.format(number, 1, "blank", "") for number in range(17)),
            "research_deck can hold 16 different cards, got 17.",
        ),
        (
            "[action_colours]\ntavern = [['white'], [], ['red']]",
            f"action_colours.tavern needs a colour in each set; valid: {COLOURS_LIST}.",
        ),
        (
            "[action_colours]\ntavern = [['white'], [['blue']], ['red']]",
            f"action_colours.tavern has no colour a list; valid: {COLOURS_LIST}.",
        ),
        (
            "[crates]\nA = 'full'",
            "crates.A needs 8 whole numbers (crates on the 8 ships of a pile), got full.",
        ),
        (
            "[treasure_values]\nvalue = { gold = [] }",
            "treasure_values.gold needs 1 to 6 numbers (VP for one treasure of the kind, for two and so on), got 0.",
        ),
    ],
)
def test_a_bad_file_is_explained(tmp_path, text, sentence):
    assert error_of(files=[write(tmp_path, text)]) == f"file mine.toml: {sentence}"


# --- properties


def test_no_score_overflows_its_field():
    """Every treasure and every Research card in one hand, at the largest values the schema admits."""
    deck = SHAPES["research_deck"]
    treasures = 83 * SHAPES["treasure_values"].entry.high
    owned = {"per_architecture": 83, "per_gold": 83, "per_research": 30, "per_ship": 24, "per_divers": 96}
    dearest = max(limits[1] * owned.get(effect, 1) for effect, limits in deck.effects.items() if limits)
    # A joker brings a treasure's value to its own kind and counts for each of the other cards.
    jokers = 4 * SHAPES["treasure_values"].entry.high
    assert treasures + jokers + 30 * dearest <= np.iinfo(np.int16).max


def test_ranges_fit_what_the_kernels_hold():
    rulebook = load_rules(GAME, 5)
    for name, shape in SHAPES.items():
        high = getattr(shape, "high", None) or getattr(getattr(shape, "entry", None), "high", None)
        if high is None:
            continue
        for field in shape.fields(name, rulebook.rules[name].value):
            assert high <= np.iinfo(RULES[field].base).max, name


NAMES = st.sampled_from([*SHAPES, "A01", "A02", "crates.A", "action_colours.tavern", "treasure_values.gold"])
PLAUSIBLE = st.sampled_from(
    ["true", "false", "all", "loaded", "white/red,blue,green", "1,3,6,12", "1,1,2,2,3,3,4,4", "", ",", "/", "0", "3"]
)
ANYTHING = st.recursive(
    st.one_of(st.integers(-3, 12), st.booleans(), st.text(max_size=8), st.sampled_from(["white", "gold", "blank"])),
    lambda inner: st.one_of(
        st.lists(inner, max_size=8),
        st.dictionaries(st.sampled_from(["A", "gold", "tavern", "white", "value", "name"]), inner, max_size=3),
    ),
    max_leaves=10,
)
quick = settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def survives(players, files=(), chosen=()):
    """Loads or explains: anything but a UserError is a bug; what loads must fit the record."""
    try:
        said = str(load_rules(GAME, players, (), files, chosen).digest)
    except UserError as error:
        said = str(error)
    assert said.isprintable()


@quick
@given(st.integers(2, 5), NAMES, st.one_of(st.text(max_size=20), PLAUSIBLE, st.integers().map(str)))
def test_any_value_of_a_known_rule_loads_or_is_explained(players, name, text):
    survives(players, chosen=[f"{name}={text}"])


def as_toml(value):
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(key)} = {as_toml(part)}" for key, part in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(as_toml, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


@quick
@given(st.integers(2, 5), st.dictionaries(st.sampled_from([*SHAPES]), ANYTHING, min_size=1, max_size=3))
def test_any_toml_of_known_rules_loads_or_is_explained(tmp_path, players, table):
    text = "\n".join(f"{json.dumps(name)} = {as_toml(value)}" for name, value in table.items())
    survives(players, files=[write(tmp_path, text)])


@quick
@given(
    st.fixed_dictionaries(
        {
            "crates": st.fixed_dictionaries(
                {pile: st.lists(st.integers(1, 5), min_size=8, max_size=8) for pile in ("A", "B", "C")}
            ),
            "treasure_values": st.fixed_dictionaries(
                {
                    kind: st.lists(st.integers(0, 40), min_size=1, max_size=6).map(sorted)
                    for kind in ("architecture", "weapons")
                }
            ),
            "action_colours": st.fixed_dictionaries(
                {"harbor": st.permutations(COLOURS_LIST.split(", ")).map(lambda six: [six[:2], six[2:3], six[3:]])}
            ),
        }
    )
)
def test_the_record_holds_what_the_file_says(tmp_path, table):
    text = "\n".join(f"{name} = {as_toml(value)}" for name, value in table.items())
    found = values(load_rules(GAME, 4, files=[write(tmp_path, text)]))
    assert found["crates"] == [table["crates"][pile] for pile in ("A", "B", "C")]
    for place, kind in ((0, "architecture"), (6, "weapons")):
        assert [number for number in found["treasure_values"][place] if number >= 0] == table["treasure_values"][kind]
    names = COLOURS_LIST.split(", ")
    paying = [{name for bit, name in enumerate(names) if bits >> bit & 1} for bits in found["action_colours"][1]]
    assert paying == [set(colours) for colours in table["action_colours"]["harbor"]]


# --- what is worked out from the rules, for speed alone


def test_points_of_a_row_start_again_after_its_last_value():
    rulebook = load_rules(GAME, 4, settings=["treasure_values.pottery=3", "treasure_values.gold=1,2,2,9,9,12"])
    record = rulebook.record()[0]
    for kind, values_of_kind in enumerate(record["treasure_values"].tolist()):
        row = [points for points in values_of_kind if points >= 0]
        points = 0
        for held in range(len(record["row_points"][kind])):
            assert record["row_points"][kind, held] == points + (row[held % len(row) - 1] if held % len(row) else 0)
            if held % len(row) == len(row) - 1:
                points += row[-1]


@pytest.mark.parametrize("settings", [[], ["action_colours.tavern=blue,white,red"]])
def test_the_actions_a_hand_pays_are_those_whose_every_card_it_pays(settings):
    record = load_rules(GAME, 4, settings=settings).record()[0]
    for held in range(64):
        for action in range(12):
            price = record["action_colours"][action // 3, : action % 3 + 1].tolist()
            lacking = sum(not any(held >> c & 1 and card >> c & 1 for c in range(6)) for card in price)
            assert bool(record["paid_by"][held] >> action & 1) == (lacking == 0)
            assert bool(record["nearly_paid_by"][held] >> action & 1) == (lacking <= 1)
