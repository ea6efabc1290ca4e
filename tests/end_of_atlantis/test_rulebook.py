"""The rules data against figures typed by hand from the rulebook, and the loader against bad input."""

import json
import re
import tomllib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from kernels.end_of_atlantis.rules import RULES
from sim.errors import UserError
from sim.games import find_game
from sim.rulebook import list_variants, load_rules, restore_rules, rule_options
from sim.rules.end_of_atlantis.schema import SHAPES

GAME = find_game("end-of-atlantis")

DECK_EFFECTS = [1, 1, 1, 2, 3, 4, 5, 6, 7] + [0] * 16
DECK_AMOUNTS = [1, 2, 3, 1, 0, 0, 0, 2, 2] + [0] * 16
DECK_COPIES = [4, 3, 2, 3, 3, 3, 2, 3, 2] + [0] * 16

# Typed from the rulebook and, for what it leaves open, from the list of rulings.
FOUR_PLAYERS = {
    "players": 4,
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
    "chosen_ships": [-1, -1, -1, -1, -1],
    "senate": 1,
    "senate_order_pool": 0,
    "faction_cost": [2, 1, 1, 0, 0],
    "factions_each": 1,
    "faction_order": [0, 1, 2, 3, 4, 5, 6],
    "archont_cards": 5,
    "plus_one_vp": 1,
    "votings": 5,
    "votings_all_doomed": 5,
    "places": 2,
    "places_all_doomed": 1,
    "zero_bid_wins": 1,
    "borrow_twice": 0,
    "strategos_refund": 2,
    "two_player_factions": 0,
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
    "doom_ships": 3,
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
    "special_effect": DECK_EFFECTS,
    "special_amount": DECK_AMOUNTS,
    "special_copies": DECK_COPIES,
    "revealed_events": 0,
    "revealed_specials": 0,
}
OTHER_PLAYERS = {
    2: {
        "faction_cost": [1, 0, 0, 0, 0],
        "senate": 0,
        "factions_each": 2,
        "two_player_factions": 1,
        "votings_all_doomed": 3,
        "places": 1,
        "places_all_doomed": 1,
        "doom_ships": 2,
    },
    3: {"faction_cost": [2, 1, 0, 0, 0]},
    4: {},
    5: {"faction_cost": [2, 2, 1, 1, 0], "places": 3, "places_all_doomed": 2},
}

# Every ruling and its status, typed from the list of rulings; a letter where its parts differ.
STATUSES = {
    "printed": "E18a E19 E20 E21 E25 E26 E28 E29a E35a E36a E39 E40 E41 E42 E43a E44 E47a E59 E70",
    "inferred": "E02 E03 E07 E08a E09 E11 E12 E13 E14 E18b E27 E32a E34 E35b E36b E38 E43b E45 E46 E47b E48 "
    "E49 E50 E51 E53 E54 E56 E62 E63 E64 E66 E67 E69 E71 E72 E73 E75 E81 E82 E83 E84 E86 E89 E92 "
    "E94 E95 E97",
    "conflict": "E15 E16 E23 E24 E29b E60 E96",
    "assumed": "E01 E04 E05 E06 E08b E10 E17 E18c E22 E30 E31 E32b E33 E37 E52 E55 E57 E58 E61 E65 E68 E74 "
    "E76 E77 E78 E79 E80 E85 E87 E88 E90 E91 E93 E98 E99",
}

HEADINGS = {
    "Components",
    "Setup (4-player)",
    "1. Senate Phase",
    "2. Factions Phase",
    "3. Voting Phase",
    "4. Doom Phase",
    "End of the Game",
    "Ships and Upgrading Ships",
    "Receiving Victory Points",
    "Neutral Refugees",
    "Discarding Refugees and Influence Tokens",
    "2-Player Game",
    "5-Player Game",
    "Family Variant",
    "Variant: Tactical Play",
    "Variant: Aggressive Neutral Refugees",
    "Politics Cards",
    "Event Cards",
    "Factions of Atlantis",
}

# What each option does to the record, typed from the list of rulings.
OPTIONS = {
    "E01=steps-of-3": {"royal_chart": [3, 6, 9, 12, 15]},
    "E01=steps-of-2": {"royal_chart": [2, 4, 6, 8, 10]},
    "E01=early-points": {"royal_chart": [5, 9, 12, 14, 15]},
    "E02=not-royal-ship": {"colour_points": 1},
    "E02=nowhere": {"colour_points": 2},
    "E03=ships-only": {"mover_points": 1},
    "E03=nowhere": {"mover_points": 2},
    "E04=all-blank": {
        "special_effect": [0] * 25,
        "special_amount": [0] * 25,
        "special_copies": [25] + [0] * 24,
    },
    "E04=all-end-vp": {
        "special_effect": [1] + [0] * 24,
        "special_amount": [2] + [0] * 24,
        "special_copies": [25] + [0] * 24,
    },
    "E05=none": {"event_cubes": [0] * 10},
    "E05=one-each": {"event_cubes": [1] * 10},
    "E05=two-each": {"event_cubes": [2] * 10},
    "E06=always-hidden": {"event_open": [0] * 10},
    "E06=always-open": {"event_open": [1] * 10},
    "E07=as-laid": {"refill": 1},
    "E07=up-to-6": {"refill_to": 6},
    "E07=up-to-8": {"refill_to": 8},
    "E08b=random": {"marker_order": 1},
    "E09=two-each": {"setup_cubes": 2},
    "E10=stay": {"neutrals_on_land": 1},
    "E12=next-ship": {"neutral_overflow": 1},
    "E13=zero-never-wins": {"zero_bid_wins": 0},
    "E15=redrawn-through-turn-4": {"doom_redrawn_through": 4},
    "E16=two": {"events_removed": 2},
    "E16=none": {"events_removed": 0},
    "E18c=stay": {"chaos_buildings": 1},
    "E22=senate-order": {"empty_majority": 1},
    "E23=symbol-only": {"doom_neutrals": 1},
    "E23=neither": {"doom_neutrals": 2},
    "E24=one-area": {"airship_doom": 1},
    "E27=frozen": {"senate_order_pool": 1},
    "E29b=from-camp": {"ark_neutral": 1},
    "E30=counts-as-empty": {"ark_alone_moves": 0},
    "E32a=all-lose": {"no_mercy_ties": 1},
    "E32b=below-zero": {"negative_scores": 1},
    "E33=nearly-reversed": {"faction_order": [6, 5, 4, 1, 3, 2, 0]},
    "E37=last-only": {"aggressive_victim": 1},
    "E45=one-per-letter": {},
    "E46=by-both": {"borrow_twice": 1},
}


def values(rulebook):
    record = rulebook.record()
    return {field: record[field][0].tolist() for field in record.dtype.names}


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
    expected = FOUR_PLAYERS | {"players": players} | OTHER_PLAYERS[players]
    assert values(load_rules(GAME, players)) == expected


def test_record_has_shape_and_dtype_and_is_a_copy():
    rulebook = load_rules(GAME, 4)
    record = rulebook.record()
    assert record.shape == (1,)
    assert record.dtype == RULES
    record["start_vp"] = 99
    assert rulebook.record()["start_vp"][0] == 2


def test_every_field_is_filled_by_a_rule_of_the_data():
    filled = {"players"}
    rulebook = load_rules(GAME, 4)
    for name, shape in SHAPES.items():
        filled |= shape.fields(name, rulebook.rules[name].value).keys()
    assert filled == set(RULES.names)
    assert {name for name, rule in rulebook.rules.items() if rule.kind == "value"} == SHAPES.keys()


def test_rulings_have_the_statuses_of_the_list():
    expected = {ruling: status for status, rulings in STATUSES.items() for ruling in rulings.split()}
    found: dict[str, set[str]] = {}
    for rule in load_rules(GAME, 4).rules.values():
        if rule.ruling:
            found.setdefault(rule.ruling, set()).add(rule.status)
    assert found == {ruling: {status} for ruling, status in expected.items()}
    assert {ruling[:3] for ruling in found} == {f"E{number:02d}" for number in range(1, 100)}


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_printed_rules_cite_a_section_and_all_have_a_note(players):
    variants = list(list_variants(GAME))
    for rule in load_rules(GAME, players, variants).rules.values():
        if rule.status == "printed":
            assert set(rule.source.split("; ")) <= HEADINGS, rule.name
        assert rule.source
        assert rule.note.endswith(".")
        assert not re.search(r"[.!?] [A-Z]", rule.note), f"{rule.name}: one sentence"


def test_numbers_without_a_ruling_are_printed():
    for rule in load_rules(GAME, 4).rules.values():
        assert rule.ruling or rule.status == "printed", rule.name


def test_behaviours_have_no_value_and_only_they_have_another_reading():
    for rule in load_rules(GAME, 4).rules.values():
        assert (rule.value is None) == (rule.kind == "behaviour")
        assert not (rule.another_reading and rule.kind == "value")
        assert not (rule.alternatives and rule.kind == "behaviour")


def test_options_are_all_those_of_the_list():
    assert {option.setting for option in rule_options(GAME)} == OPTIONS.keys()


@pytest.mark.parametrize("setting", OPTIONS)
def test_an_option_changes_what_it_should_and_nothing_else(setting):
    variants = ["aggressive-neutrals"] if setting.startswith("E37") else []
    before = load_rules(GAME, 4, variants)
    after = load_rules(GAME, 4, variants, settings=[setting])
    assert changes(after, before) == OPTIONS[setting]
    assert (after.digest == before.digest) == (not OPTIONS[setting])
    option = next(option for option in rule_options(GAME) if option.setting == setting)
    changed = {name for name, rule in after.rules.items() if rule.changed_by == "--set"}
    assert changed == option.overrides.keys()
    assert {after.rules[name].status for name in changed} == {"yours"}


def test_a_ruling_finds_the_options_of_its_parts():
    assert load_rules(GAME, 4, settings=["E08=random"]).rules["marker_order"].value == "random"
    assert load_rules(GAME, 4, settings=["E32=below-zero"]).rules["negative_scores"].value is True


# --- overlays, precedence


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize(
    ("variant", "expected"),
    [
        ("family", {"senate": 0}),
        ("revealed-events", {"revealed_events": 1}),
        ("revealed-specials", {"revealed_specials": 1}),
        ("aggressive-neutrals", {"aggressive_neutrals": 1}),
        ("chosen-ships", {"chosen_ships": [5, 6, 7, 8, 9]}),
    ],
)
def test_variants_change_what_they_say(players, variant, expected):
    if players == 2:
        expected = {"family": {}, "chosen-ships": {"chosen_ships": [6, 7, 8, 9, -1]}}.get(variant, expected)
    assert changes(load_rules(GAME, players, [variant]), load_rules(GAME, players)) == expected


def test_variants_to_choose_from():
    lines = list_variants(GAME)
    assert list(lines) == [
        "aggressive-neutrals",
        "chosen-ships",
        "family",
        "revealed-events",
        "revealed-specials",
    ]
    assert all(line.endswith(".") for line in lines.values())


def test_variant_names_may_have_underscores():
    assert load_rules(GAME, 4, ["revealed_events"]).rules["revealed_events"].value is True


def test_the_more_specific_wins(tmp_path):
    first = write(tmp_path, "senate = true\nplaces = 1\nplaces_all_doomed = 1\nstart_vp = 5", "first.toml")
    second = write(tmp_path, "start_vp = 6", "second.toml")

    def found(name, files=(), chosen=(), variants=()):
        rule = load_rules(GAME, 5, variants, files, chosen).rules[name]
        return rule.value, rule.changed_by

    assert found("places") == (3, "five_player")
    assert found("senate") == (True, "base")
    assert found("senate", variants=["family"]) == (False, "variant family")
    assert found("senate", [first], variants=["family"]) == (True, "file first.toml")
    assert found("places", [first]) == (1, "file first.toml")
    assert found("start_vp", [first, second]) == (6, "file second.toml")
    assert found("start_vp", [second, first]) == (5, "file first.toml")
    assert found("start_vp", [first, second], ["start_vp=7"]) == (7, "--set")
    assert found("start_vp", [first], ["start_vp=7", "start_vp=8"]) == (8, "--set")
    assert load_rules(GAME, 2).rules["senate"].changed_by == "two_player"


def test_rules_that_do_not_matter_here_are_told_apart():
    def applies(name, *args, **kwargs):
        return load_rules(GAME, *args, **kwargs).rules[name].applies

    assert applies("faction_cost_4", 4)
    assert not applies("faction_cost_4", 3)
    assert not applies("demagogos_immune", 4)
    assert applies("demagogos_immune", 2)
    assert not applies("demagogos_hidden", 2)
    assert not applies("senate_order_pool", 4, ["family"])
    assert applies("proxy_family", 4, ["family"])
    assert not applies("chosen_ships_setup", 4)
    assert applies("chosen_ships_setup", 4, ["chosen-ships"])
    assert not applies("refill_to", 4, settings=["E07=as-laid"])
    open_rules = load_rules(GAME, 4).open_rules()
    assert all(rule.status != "printed" and rule.applies for rule in open_rules)
    assert "royal_chart" in {rule.name for rule in open_rules}
    assert "start_vp" not in {rule.name for rule in open_rules}


# --- settings and files


@pytest.mark.parametrize(
    ("setting", "expected"),
    [
        ("start_vp=3", {"start_vp": 3}),
        (" start_vp = 3 ", {"start_vp": 3}),
        ("royal_chart=3, 6,9,12,15", {"royal_chart": [3, 6, 9, 12, 15]}),
        ("zero_bid_wins=false", {"zero_bid_wins": 0}),
        ("no_mercy_ties=all", {"no_mercy_ties": 1}),
        ("colour_points=Not-Royal-Ship", {"colour_points": 1}),
        ("event_cubes.wrath=3", {"event_cubes": [1, 1, 1, 2, 3, 1, 2, 1, 1, 3]}),
        ("event_cubes=0,1,2,3,4,5,0,0,0,0", {"event_cubes": [0, 1, 2, 3, 4, 5, 0, 0, 0, 0]}),
        ("event_open.doom_1=open", {"event_open": [1, 1, 0, 1, 0, 1, 0, 1, 0, 1]}),
        ("tile_spaces.A+=9", {"tile_spaces": [7, 5, 5, 3, 3, 9, 5, 5, 3, 3]}),
        ("chosen_ships=A,b+,C,D,E+", {"chosen_ships": [0, 6, 2, 3, 9]}),
        ("chosen_ships=D,D+,E,E+,A", {"chosen_ships": [3, 8, 4, 9, 0]}),
        ("chosen_ships=", {}),
        (
            "faction_order=strategos,Archont,Basileus,Demagogos,Demiurgos,Oraklos,Philosophios",
            {"faction_order": [6, 0, 1, 2, 3, 4, 5]},
        ),
        ("faction_cost_4=3,2,1,0", {"faction_cost": [3, 2, 1, 0, 0]}),
        ("faction_cost_3=3,2,1", {}),
    ],
)
def test_settings_of_every_kind(setting, expected):
    rulebook = load_rules(GAME, 4, settings=[setting])
    assert changes(rulebook, load_rules(GAME, 4)) == expected


def test_settings_that_only_add_up_together():
    rulebook = load_rules(GAME, 4, settings=["politics_copies.support=6", "politics_copies.ships=10"])
    assert values(rulebook)["politics_copies"] == [24, 12, 4, 8, 10, 8, 6, 4, 4]


def test_a_file_may_hold_values_tables_and_a_deck(tmp_path):
    path = write(
        tmp_path,
        """
        start_vp = 4
        event_cubes.wrath = 3

        [royal_chart]
        value = [2, 4, 6, 8, 10]
        status = "printed"
        source = "my board"

        [event_open]
        doom_1 = "open"

        [[special_deck]]
        name = "Fleet"
        copies = 20
        effect = "extra_ship"

        [[special_deck]]
        name = "Bribe"
        copies = 5
        effect = "bid_bonus"
        amount = 3
        """,
    )
    rulebook = load_rules(GAME, 4, files=[path])
    assert changes(rulebook, load_rules(GAME, 4)) == {
        "start_vp": 4,
        "event_cubes": [1, 1, 1, 2, 3, 1, 2, 1, 1, 3],
        "royal_chart": [2, 4, 6, 8, 10],
        "event_open": [1, 1, 0, 1, 0, 1, 0, 1, 0, 1],
        "special_effect": [4, 6] + [0] * 23,
        "special_amount": [0, 3] + [0] * 23,
        "special_copies": [20, 5] + [0] * 23,
    }
    rules = rulebook.rules
    assert (rules["royal_chart"].status, rules["royal_chart"].source) == ("printed", "my board")
    assert (rules["start_vp"].status, rules["start_vp"].source) == ("yours", "mine.toml")
    assert rules["special_deck"].status == "yours"
    assert rules["special_deck"].value[1] == {
        "name": "Bribe",
        "copies": 5,
        "effect": "bid_bonus",
        "amount": 3,
    }


def test_a_file_may_confirm_a_rule_without_a_value(tmp_path):
    path = write(
        tmp_path, '[royal_chart]\nstatus = "printed"\n[bid_limit]\nstatus = "printed"\nnote = "Yes."'
    )
    before, after = load_rules(GAME, 4), load_rules(GAME, 4, files=[path])
    assert after.digest == before.digest
    assert len(after.open_rules()) == len(before.open_rules()) - 2
    assert after.rules["royal_chart"].changed_by == "file mine.toml"
    assert after.rules["bid_limit"].note == "Yes."


def test_a_copy_of_the_data_is_a_file(tmp_path):
    base = (GAME.rules_folder / "base.toml").read_text(encoding="utf-8")
    copied = load_rules(GAME, 4, files=[write(tmp_path, base)])
    assert copied.digest == load_rules(GAME, 4).digest
    assert len(copied.open_rules()) == len(load_rules(GAME, 4).open_rules())


def test_digest_is_of_the_values_alone():
    forth = load_rules(GAME, 4, settings=["start_vp=3", "event_cubes.wrath=3"])
    back = load_rules(GAME, 4, settings=["event_cubes.wrath=3", "start_vp=3"])
    assert forth.digest == back.digest
    assert re.fullmatch(r"[0-9a-f]{64}", forth.digest)
    digests = {load_rules(GAME, players).digest for players in (2, 3, 4, 5)}
    assert len(digests | {forth.digest}) == 5


def test_the_manifest_tells_all_and_restores(tmp_path):
    path = write(tmp_path, "start_vp = 4")
    chosen = ["E04=all-blank", "chosen_ships=B,C,D,E+"]
    rulebook = load_rules(GAME, 2, ["family"], [path], chosen)
    rows = json.loads(json.dumps(rulebook.as_manifest()))
    by_name = {row["name"]: row for row in rows}
    assert by_name["start_vp"]["value"] == 4
    assert by_name["start_vp"]["changed_by"] == "file mine.toml"
    assert by_name["senate"]["changed_by"] == "variant family"
    assert by_name["royal_chart"] == {
        "name": "royal_chart",
        "kind": "value",
        "value": [1, 3, 6, 10, 15],
        "status": "assumed",
        "ruling": "E01",
        "source": "Receiving Victory Points, where the chart of Royal Ship is blank",
        "note": by_name["royal_chart"]["note"],
        "changed_by": "base",
        "applies": True,
    }
    path.unlink()
    restored = restore_rules(GAME, 2, rows, ["family"], [path], chosen)
    assert restored.digest == rulebook.digest
    assert restored.as_manifest() == rulebook.as_manifest()
    assert (restored.record() == rulebook.record()).all()
    assert (restored.variants, restored.files, restored.settings) == (("family",), (path,), tuple(chosen))


@pytest.mark.parametrize(
    ("row", "sentence"),
    [
        (
            {"name": "startvp", "value": 2},
            "manifest: End of Atlantis has no rule named startvp in this version.",
        ),
        (
            {"name": "start_vp", "value": 2000},
            "manifest: start_vp must be a whole number from 0 to 100 (VP), got 2000.",
        ),
        ({}, "manifest: End of Atlantis has no rule named None in this version."),
    ],
)
def test_a_manifest_that_does_not_fit(row, sentence):
    with pytest.raises(UserError) as caught:
        restore_rules(GAME, 4, [row])
    assert str(caught.value) == sentence


# --- bad input


@pytest.mark.parametrize(
    ("setting", "sentence"),
    [
        ("royal_chart=1,2,3", "--set: royal_chart needs 5 numbers (VP for 1 to 5 refugees), got 3."),
        (
            "royal_chart=1,2,3,4,500",
            "--set: royal_chart needs numbers from 0 to 100 (VP for 1 to 5 refugees), got 500.",
        ),
        (
            "royal_chart=1,2,3,4,x",
            "--set: royal_chart needs 5 whole numbers (VP for 1 to 5 refugees), got x.",
        ),
        (
            "royal_chrt=1",
            "--set: no rule named royal_chrt. Did you mean royal_chart? "
            "All rules: atlantis rules end-of-atlantis.",
        ),
        ("zzz=1", "--set: no rule named zzz. All rules: atlantis rules end-of-atlantis."),
        ("start_vp", "--set: start_vp is not NAME=VALUE; write for example start_vp=3."),
        ("=3", "--set: =3 is not NAME=VALUE; write for example start_vp=3."),
        ("start_vp=", "--set: start_vp must be a whole number from 0 to 100 (VP), got nothing."),
        ("start_vp=-1", "--set: start_vp must be a whole number from 0 to 100 (VP), got -1."),
        ("start_vp=2.5", "--set: start_vp must be a whole number from 0 to 100 (VP), got 2.5."),
        ("start_vp=true", "--set: start_vp must be a whole number from 0 to 100 (VP), got true."),
        ("start_vp.x=1", "--set: start_vp must be a whole number from 0 to 100 (VP), got a table."),
        (
            "cubes_per_player=61",
            "--set: cubes_per_player must be a whole number from 1 to 60 (cubes), got 61.",
        ),
        ("cubes_per_player=0", "--set: cubes_per_player must be a whole number from 1 to 60 (cubes), got 0."),
        ("hand_size=11", "--set: hand_size must be a whole number from 1 to 10 (cards), got 11."),
        (
            "hand_size=4",
            "--set: hand_size is 4, but 5 cards are laid each turn (votings); it can be 5 to 10.",
        ),
        ("refill_to=11", "--set: refill_to must be a whole number from 5 to 10 (cards), got 11."),
        ("doom_ships=6", "--set: doom_ships must be a whole number from 0 to 5 (ships), got 6."),
        ("events_removed=8", "--set: events_removed must be a whole number from 0 to 7 (cards), got 8."),
        ("neutral_tokens=41", "--set: neutral_tokens must be a whole number from 0 to 40 (cubes), got 41."),
        (
            "event_cubes.wrath=6",
            "--set: event_cubes.wrath must be a whole number from 0 to 5 (cubes), got 6.",
        ),
        (
            "event_cubes.wroth=1",
            "--set: event_cubes has no entry wroth; valid: doom_1, doom_2, doom_3, senate_pays, wrath, "
            "all_in, chaos, all_doomed, no_mercy, leadership.",
        ),
        ("event_open.wrath=shut", "--set: event_open.wrath must be one of hidden, open, got shut."),
        (
            "event_cubes=1,2",
            "--set: event_cubes needs 10 values (doom_1, doom_2, doom_3, senate_pays, wrath, all_in, chaos, "
            "all_doomed, no_mercy, leadership), got 2.",
        ),
        ("politics_copies.support=6", "--set: politics_copies must add up to 80 cards, got 82."),
        (
            "politics_copies.support=-1",
            "--set: politics_copies.support must be a whole number from 0 to 80 (cards), got -1.",
        ),
        ("zero_bid_wins=maybe", "--set: zero_bid_wins must be true or false, got maybe."),
        ("marker_order=sorted", "--set: marker_order must be one of seats, random, got sorted."),
        (
            "special_deck=3",
            "--set: special_deck must be a list of cards, each with name, copies, effect and amount "
            "(in a rules file: [[special_deck]]), got 3.",
        ),
        (
            "faction_order=Archont",
            "--set: faction_order needs 7 Factions (Archont, Basileus, Demagogos, Demiurgos, Oraklos, "
            "Philosophios, Strategos), got 1.",
        ),
        (
            "chosen_ships=A,B,C,D,D",
            "--set: chosen_ships names D 2 times, but there is only one ship D.",
        ),
        (
            "chosen_ships=A,B,C,D",
            "--set: chosen_ships needs 5 ships with 4 players (of A, B, C, D, E, A+, B+, C+, D+, E+), got 4.",
        ),
        (
            "chosen_ships=A,B,C,D,F",
            "--set: chosen_ships has no ship F; valid: A, B, C, D, E, A+, B+, C+, D+, E+.",
        ),
        (
            "bid_limit=3",
            "--set: bid_limit (E50) is built in and has no value; "
            "a rules file can give its status, source and note.",
        ),
        ("E05=some", "--set: E05 has no option some; options: none, one-each, two-each."),
        (
            "votings=4",
            "--set: votings_all_doomed is 5, more than the 4 of votings, which is the most it can be.",
        ),
        ("places=4", "--set: places must be a whole number from 1 to 3 (winners of a voting), got 4."),
        (
            "places_all_doomed=3",
            "--set: places_all_doomed is 3, more than the 2 of places, which is the most it can be.",
        ),
        (
            "setup_neutrals=11",
            "--set: setup_neutrals is 11, more than the 10 of neutral_tokens, which is the most it can be.",
        ),
        ("factions_each=2", "--set: factions_each=2 is for 2 players, and there are 4; leave it at 1."),
        (
            "two_player_factions=true",
            "--set: two_player_factions=true is for 2 players, and there are 4; leave it at false.",
        ),
        (
            "E37=last-only",
            "--set: aggressive_victim=last_only means nothing without aggressive_neutrals; "
            "add --variant aggressive-neutrals.",
        ),
    ],
)
def test_a_bad_setting_is_explained(setting, sentence):
    assert error_of(settings=[setting]) == sentence


def test_a_ruling_without_options_names_those_that_have_some():
    sentence = error_of(settings=["E11=x"])
    assert sentence.startswith("--set: E11 has no options to choose from; those with options: ")
    assert {option.ruling for option in rule_options(GAME)} == set(re.findall(r"E\d\d[a-z]?", sentence)) - {
        "E11"
    }


def test_combinations_that_make_no_sense():
    frozen = (
        "senate_order_pool=frozen needs a Senate, and neither 2 players nor the family variant have one; "
        "leave it at live."
    )
    assert error_of(2, settings=["E27=frozen"]) == f"--set: {frozen}"
    assert error_of(4, ["family"], settings=["E27=frozen"]) == f"--set: {frozen}"
    assert error_of(4, ["aggressive-neutrals"], settings=["E12=next-ship"]) == (
        "--set: neutral_overflow=next_ship contradicts aggressive_neutrals, "
        "where a cube displaces instead of going elsewhere; choose one of them."
    )
    assert error_of(2, settings=["chosen_ships=A,B,C,D"]) == (
        "--set: chosen_ships has an Ark, which is not used with 2 players; "
        "choose four of B to E and B+ to E+."
    )
    assert error_of(2, settings=["chosen_ships=B,C,D,E,E+"]) == (
        "--set: chosen_ships needs 4 ships with 2 players (of A, B, C, D, E, A+, B+, C+, D+, E+), got 5."
    )
    assert error_of(settings=["E45=one-per-letter", "chosen_ships=A,A+,C,D,E"]) == (
        "--set: chosen_ships has both A and A+, and chosen_ships_repeat_letters=false forbids that."
    )
    assert error_of(3, settings=["places=3"]) == (
        "--set: places is 3, but with 3 players it can be at most 2, as somebody must lose a voting."
    )
    assert error_of(settings=["cubes_per_player=1", "setup_cubes=2"]) == (
        "--set: setup_cubes is 2, more than the 1 of cubes_per_player, which is the most it can be."
    )
    load_rules(GAME, 4, settings=["E29=from-camp", "E30=counts-as-empty"])


def test_players_and_variants_there_are_not():
    assert error_of(6) == "End of Atlantis is for 2 to 5 players, got 6."
    assert error_of(1) == "End of Atlantis is for 2 to 5 players, got 1."
    known = "Variants: aggressive-neutrals, chosen-ships, family, revealed-events, revealed-specials."
    assert error_of(4, ["famly"]) == f"--variant: no variant named famly. Did you mean family? {known}"
    assert error_of(4, ["two-player"]) == (
        f"--variant: two-player is not for choosing, it comes with --players 2. {known}"
    )


CARD = '[[special_deck]]\nname = "Card"\ncopies = {}\neffect = "{}"\n{}'


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("a = 1\nb = = 3", "file PATH is not valid TOML: Invalid value (at line 2, column 5)."),
        (
            "strat_vp = 3",
            "file mine.toml: no rule named strat_vp. Did you mean start_vp? "
            "All rules: atlantis rules end-of-atlantis.",
        ),
        (
            "start_vp = 'two'",
            "file mine.toml: start_vp must be a whole number from 0 to 100 (VP), got two.",
        ),
        (
            "start_vp = 0x" + "f" * 5000,
            "file mine.toml: start_vp must be a whole number from 0 to 100 (VP), "
            "got a number beyond all bounds.",
        ),
        (
            "royal_chart = [[1], 2, 3, 4, 5]",
            "file mine.toml: royal_chart needs 5 whole numbers (VP for 1 to 5 refugees), got a list.",
        ),
        (
            "[start_vp]\nvalue = 3\nsorce = 'x'",
            "file mine.toml: start_vp has no part sorce; valid: value, status, source, note.",
        ),
        (
            "[start_vp]\nvalue = 3\nstatus = 'sure'",
            "file mine.toml: start_vp.status must be 'printed', 'inferred', 'conflict', 'assumed' "
            "or 'yours', got sure.",
        ),
        ("[start_vp]\nnote = 3", "file mine.toml: start_vp.note must be a valid string, got 3."),
        (
            "bid_limit = 3",
            "file mine.toml: bid_limit (E50) is built in and has no value; "
            "a rules file can give its status, source and note.",
        ),
        (CARD.format(24, "blank", ""), "file mine.toml: special_deck must add up to 25 cards, got 24."),
        (
            CARD.format(26, "blank", ""),
            "file mine.toml: special_deck, Card: copies must be a whole number from 0 to 25, got 26.",
        ),
        (
            CARD.format(-1, "blank", ""),
            "file mine.toml: special_deck, Card: copies must be a whole number from 0 to 25, got -1.",
        ),
        (
            CARD.format(25, "end_pv", ""),
            "file mine.toml: special_deck, Card: no effect named end_pv. Did you mean end_vp? "
            "Effects: blank, end_vp, extra_refugee, replace_refugee, extra_ship, neutral_ally, bid_bonus, "
            "senate_bonus.",
        ),
        (
            CARD.format(25, "end_vp", ""),
            "file mine.toml: special_deck, Card: end_vp needs an amount from 0 to 20.",
        ),
        (
            CARD.format(25, "end_vp", "amount = 21"),
            "file mine.toml: special_deck, Card: amount must be a whole number from 0 to 20, got 21.",
        ),
        (
            CARD.format(25, "extra_refugee", "amount = 4"),
            "file mine.toml: special_deck, Card: amount must be a whole number from 1 to 3, got 4.",
        ),
        (
            CARD.format(25, "bid_bonus", "amount = 0"),
            "file mine.toml: special_deck, Card: amount must be a whole number from 1 to 10, got 0.",
        ),
        (
            CARD.format(25, "extra_ship", "amount = 1"),
            "file mine.toml: special_deck, Card: extra_ship takes no amount, got 1.",
        ),
        (
            CARD.format(25, "blank", "colour = 1"),
            "file mine.toml: special_deck, Card, has no part colour; valid: name, copies, effect, amount.",
        ),
        ("[[special_deck]]\nname = 'Card'", "file mine.toml: special_deck, Card, needs copies."),
        (
            "[[special_deck]]\ncopies = 25",
            "file mine.toml: special_deck, card 1, needs a name of 1 to 40 letters, got nothing.",
        ),
        (
            CARD.format(12, "blank", "") + CARD.format(13, "extra_ship", ""),
            "file mine.toml: special_deck has 2 entries named Card; "
            "put them in one, or give each its own name.",
        ),
        (
            "".join(f"[[special_deck]]\nname = '{n}'\ncopies = 1\neffect = 'blank'\n" for n in range(26)),
            "file mine.toml: special_deck can hold 25 different cards, got 26.",
        ),
    ],
)
def test_a_bad_file_is_explained(tmp_path, text, sentence):
    path = write(tmp_path, text)
    assert error_of(files=[path]) == sentence.replace("PATH", str(path))


def test_a_file_that_cannot_be_read(tmp_path):
    missing = tmp_path / "nowhere.toml"
    assert error_of(files=[missing]) == f"file {missing} cannot be read: No such file or directory."
    assert error_of(files=[tmp_path]) == f"file {tmp_path} cannot be read: Is a directory."
    binary = tmp_path / "binary.toml"
    binary.write_bytes(b"start_vp = 3 # \xff")
    assert error_of(files=[binary]) == f"file {binary} is not text in UTF-8 (byte 15)."
    deep = write(tmp_path, "start_vp = " + "[" * 20_000, "deep.toml")
    assert error_of(files=[deep]) == f"file {deep} is nested too deeply for a rules file."


# --- properties

NAMES = st.sampled_from(
    [*load_rules(GAME, 4).rules, "E01", "E08", "E29b", "event_cubes.wrath", "tile_spaces.A+"]
)
quick = settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def survives(players, files=(), chosen=()):
    """Loads or explains: anything but a UserError is a bug; what loads must fit the record."""
    try:
        said = str(load_rules(GAME, players, (), files, chosen).digest)
    except UserError as error:
        said = str(error)
    assert said
    assert said.isprintable()


@quick
@given(st.integers(2, 5), st.lists(st.text(max_size=30), max_size=2))
@example(4, ["start_vp=" + "9" * 5000])
@example(4, ["start_vp=٣"])
def test_any_text_as_a_setting_loads_or_is_explained(players, chosen):
    survives(players, chosen=chosen)


PLAUSIBLE = st.sampled_from(
    ["true", "false", "all", "open", "A,B+,C", "1,3,6,10,15", "", ",", "0", "-1", "3", "99"]
)


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


KEYS = st.one_of(
    st.text(max_size=6),
    st.sampled_from(
        [
            "value",
            "status",
            "source",
            "note",
            "kind",
            "wrath",
            "A+",
            "support",
            "name",
            "copies",
            "effect",
            "amount",
        ]
    ),
)
LEAVES = st.one_of(
    st.integers(-3, 12),
    st.integers(),
    st.booleans(),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=8),
    st.sampled_from(["printed", "end_vp", "blank", "hidden", "A", "Archont", "live"]),
)
ANYTHING = st.recursive(
    LEAVES,
    lambda inner: st.one_of(st.lists(inner, max_size=6), st.dictionaries(KEYS, inner, max_size=4)),
    max_leaves=8,
)


@quick
@given(st.integers(2, 5), st.dictionaries(NAMES, ANYTHING, min_size=1, max_size=3))
def test_any_toml_of_known_rules_loads_or_is_explained(tmp_path, players, table):
    text = "\n".join(f"{json.dumps(name)} = {as_toml(value)}" for name, value in table.items())
    survives(players, files=[write(tmp_path, text)])


@quick
@given(st.binary(max_size=60))
def test_any_bytes_as_a_file_load_or_are_explained(tmp_path, content):
    path = tmp_path / "bytes.toml"
    path.write_bytes(content)
    survives(4, files=[path])


EVENTS = (
    "doom_1",
    "doom_2",
    "doom_3",
    "senate_pays",
    "wrath",
    "all_in",
    "chaos",
    "all_doomed",
    "no_mercy",
    "leadership",
)
FACTIONS = ("Archont", "Basileus", "Demagogos", "Demiurgos", "Oraklos", "Philosophios", "Strategos")
EFFECTS = {  # code and amounts
    "blank": (0, (0, 0)),
    "end_vp": (1, (0, 20)),
    "extra_refugee": (2, (1, 3)),
    "replace_refugee": (3, (0, 0)),
    "extra_ship": (4, (0, 0)),
    "neutral_ally": (5, (0, 0)),
    "bid_bonus": (6, (1, 10)),
    "senate_bonus": (7, (1, 10)),
}


@st.composite
def decks(draw):
    cuts = sorted(draw(st.lists(st.integers(0, 25), max_size=24)))
    copies = [after - before for before, after in zip([0, *cuts], [*cuts, 25])]
    deck = []
    for number, count in enumerate(copies):
        effect = draw(st.sampled_from(list(EFFECTS)))
        amount = draw(st.integers(*EFFECTS[effect][1]))
        deck.append({"name": f"Card {number}", "copies": count, "effect": effect, "amount": amount})
    return deck


@quick
@given(
    st.fixed_dictionaries(
        {
            "start_vp": st.integers(0, 100),
            "cubes_per_player": st.integers(5, 60),
            "royal_chart": st.lists(st.integers(0, 100), min_size=5, max_size=5),
            "faction_cost_4": st.lists(st.integers(0, 20), min_size=4, max_size=4),
            "faction_order": st.permutations(FACTIONS),
            "event_cubes": st.fixed_dictionaries({event: st.integers(0, 5) for event in EVENTS}),
            "event_open": st.fixed_dictionaries(
                {event: st.sampled_from(["hidden", "open"]) for event in EVENTS}
            ),
            "zero_bid_wins": st.booleans(),
            "colour_points": st.sampled_from(["every_arrival", "not_royal_ship", "nowhere"]),
            "special_deck": decks(),
        }
    )
)
def test_the_record_holds_what_the_file_says(tmp_path, table):
    text = "\n".join(f"{name} = {as_toml(value)}" for name, value in table.items())
    assert tomllib.loads(text) == table
    rulebook = load_rules(GAME, 4, files=[write(tmp_path, text)])
    record = rulebook.record()[0]
    padding = [0] * (25 - len(table["special_deck"]))
    assert record["start_vp"] == table["start_vp"]
    assert record["cubes_per_player"] == table["cubes_per_player"]
    assert record["royal_chart"].tolist() == table["royal_chart"]
    assert record["faction_cost"].tolist() == [*table["faction_cost_4"], 0]
    assert [FACTIONS[code] for code in record["faction_order"]] == table["faction_order"]
    assert record["event_cubes"].tolist() == [table["event_cubes"][event] for event in EVENTS]
    assert record["event_open"].tolist() == [int(table["event_open"][event] == "open") for event in EVENTS]
    assert record["zero_bid_wins"] == table["zero_bid_wins"]
    assert ("every_arrival", "not_royal_ship", "nowhere")[record["colour_points"]] == table["colour_points"]
    deck = table["special_deck"]
    assert record["special_copies"].tolist() == [card["copies"] for card in deck] + padding
    assert record["special_amount"].tolist() == [card["amount"] for card in deck] + padding
    assert record["special_effect"].tolist() == [EFFECTS[card["effect"]][0] for card in deck] + padding
    assert {name: rulebook.rules[name].value for name in table} == table


def test_ranges_fit_what_the_kernels_hold():
    """The largest value of every number, at once, survives the record's integers."""
    rulebook = load_rules(GAME, 5, settings=["senate_pays=50,50", "royal_chart=100,100,100,100,100"])
    for name, shape in SHAPES.items():
        high = getattr(shape, "high", None) or getattr(getattr(shape, "entry", None), "high", None)
        if high is None:
            continue
        for field in shape.fields(name, rulebook.rules[name].value):
            assert high <= np.iinfo(RULES[field].base).max, name
