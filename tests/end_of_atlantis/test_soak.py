"""The soak itself: it plays, it notices, and it says how to see what it noticed again."""

import itertools
import random
import re

import pytest

from kernels.end_of_atlantis import codes as c
from sim.errors import UserError
from sim.rulebook import list_variants, rule_options
from tests.end_of_atlantis import coverage_table as coverage_table_end_of_atlantis
from tests.end_of_atlantis.lockstep import SECRET, VOTING_FIELDS, Lockstep, comparable, packing_at, view
from tests.end_of_atlantis.oracle import doom_phase
from tests.end_of_atlantis.oracle.end_of_atlantis import FIELDS
from tests.end_of_atlantis.positions import GAME, rules_of
from tests.end_of_atlantis.soak import FOCI, STYLES, THEMES
from tests.machinery import soak
from tests.machinery.coverage_table import table_lines

NAME = GAME.name


def soaked(capsys, *arguments):
    """Exit code and output of a soak in this process."""
    code = soak.main([*arguments, "--jobs", "1"])
    return code, capsys.readouterr().out


def table_of(printed):
    """The table as it was printed: {(group, what): times}."""
    table, group = {}, ""
    for line in printed.split("\n\n")[0].splitlines():
        row = re.fullmatch(r" +([\d,]+)  (.*?)( +<-- never)?", line)
        if row is None:
            group = line
        else:
            table[group, row[2]] = int(row[1].replace(",", ""))
            assert bool(row[3]) == (table[group, row[2]] == 0)
    return table


@pytest.fixture(scope="module")
def soaked_once():
    """Three dozen games and what they reached."""
    return soak.play_games(NAME, 11, range(36))


def test_kernels_and_oracle_agree(soaked_once):
    assert soaked_once.mismatches == []
    assert soaked_once.games == 36
    assert soaked_once.steps == sum(times for (group, _), times in soaked_once.counts.items() if group == "prompt")


def test_counts_fit_together(soaked_once):
    counts = soaked_once.counts

    def total(group):
        return sum(times for (name, _), times in counts.items() if name == group)

    for doom in range(c.DOOM_CARDS):
        assert counts["Event", c.EVENTS[doom]] == 36
    assert total("players") == total("end") == 36
    assert sum(counts["tie-break", f"game, {by}"] for by in c.SETTLED_BY) == 36
    assert total("landed") == total("landed by") > 0
    assert total("ability used") + total("ability declined") == sum(
        counts["prompt", prompt] for prompt in coverage_table_end_of_atlantis.ABILITIES
    )
    assert total("own card played") + total("neighbour's card played") < counts["prompt", "play"]
    assert total("Faction taken") == counts["prompt", "faction"] + counts["prompt", "free_faction"] - total(
        "Faction declined"
    )


def test_a_seed_is_a_soak(capsys):
    assert soaked(capsys, "--games", "6", "--seed", "3")[1].split("\n\n")[0] == "\n".join(
        table_lines(coverage_table_end_of_atlantis.REACHED, soak.play_games(NAME, 3, range(6)).counts)
    )
    assert soak.play_games(NAME, 3, range(6)).counts != soak.play_games(NAME, 4, range(6)).counts


def test_processes_change_nothing(monkeypatch):
    monkeypatch.setattr(soak, "CHUNK", 4)
    assert soak.run(NAME, 5, 8, 2, 0) == soak.play_games(NAME, 5, range(8))


def test_every_option_and_variant_has_its_turn():
    cases = [soak.draw_case(NAME, 1, index) for index in range(0, len(FOCI) * soak.DEALS, soak.DEALS)]
    wanted = {option.setting for option in rule_options(GAME)} | set(list_variants(GAME))
    assert {case.focus for case in cases} == wanted | {""}
    for case in cases:
        if case.focus:
            assert case.focus in case.choices_in_force()
    assert {case.players for case in cases} == set(GAME.players)
    assert {style for case in cases for style in case.styles} == set(STYLES)


@pytest.mark.parametrize("theme", THEMES)
def test_themes_go_together(theme):
    assert soak.loaded_rules(NAME, 4, (), THEMES[theme]).shape == (1,)


def test_rules_that_never_go_together_end_the_search(monkeypatch):
    def refuse(*arguments):
        raise UserError("planted")

    monkeypatch.setattr(soak, "loaded_rules", refuse)
    with pytest.raises(RuntimeError, match="planted"):
        soak.draw_case(NAME, 1, 0)


def test_a_planted_mismatch_is_told_with_its_replay(capsys, monkeypatch):
    monkeypatch.setattr(doom_phase, "most_on_the_promised_land", lambda g: None)
    code, printed = soaked(capsys, "--games", "8", "--seed", "2")
    assert code == 1
    found = re.search(r"MISMATCH in game (\d+) of seed 2: (\d) players", printed)
    assert found
    assert "vp_by" in printed
    assert f"python -m tests.machinery.soak --seed 2 --replay {found[1]}\n" in printed
    assert soak.main(["--seed", "2", "--replay", found[1]]) == 1
    assert "vp_by" in capsys.readouterr().out
    case = soak.draw_case(NAME, 2, int(found[1]))
    assert f"run seed {case.run_seed}, deal {case.deal}" in printed
    assert case.players == int(found[2])

    monkeypatch.undo()
    assert soak.main(["--seed", "2", "--replay", found[1]]) == 0


def test_an_exception_is_a_finding(capsys, monkeypatch):
    def breaks(g):
        raise ZeroDivisionError("planted")

    monkeypatch.setattr(doom_phase, "draw_new_hands", breaks)
    code, printed = soaked(capsys, "--games", "2")
    assert code == 1
    assert "ZeroDivisionError at test_soak.py" in printed
    assert "--replay 0" in printed


def test_a_rule_that_differs_makes_a_difference():
    case = soak.draw_case(NAME, 1, 0)
    game = Lockstep(case.rules()[0], case.run_seed, case.deal)
    chance = random.Random(1)
    while not game.over:
        game.take(chance.choice(game.actions))
    changed = case.rules().copy()
    changed["plus_one_vp"] += 1

    class Other:
        """The case with rules of its own."""

        game, run_seed, deal = NAME, case.run_seed, case.deal

        def __init__(self, rules):
            self.rules = lambda without: rules

    assert soak.makes_a_difference(Other(changed), game, "plus one")
    assert not soak.makes_a_difference(Other(case.rules()), game, "nothing")
    unseen = case.rules().copy()
    unseen["revealed_events"] ^= 1  # what is known, not what happens
    assert not soak.makes_a_difference(Other(unseen), game, "revealed-events")


def test_the_table_lists_what_it_must(capsys):
    table = table_of(soaked(capsys, "--games", "4")[1])
    for group, names in {
        "prompt": c.PROMPTS[1:],
        "own card played": c.POLITICS,
        "neighbour's card played": c.POLITICS,
        "Special played": c.SPECIAL_EFFECTS[2:],
        "Event": c.EVENTS,
        "VP source": c.SOURCES,
        "landed": c.TILES,
        "variant in force": list_variants(GAME),
        "ruling option in force": [option.setting for option in rule_options(GAME)],
        "tie-break": [f"{contest}, {by}" for contest, by in itertools.product(c.CONTESTS, c.SETTLED_BY)],
        "reshuffle": ["Politics deck", "Special deck", "Event deck"],
        "players": ["2 players", "3 players", "4 players", "5 players"],
    }.items():
        assert [what for name, what in table if name == group] == list(names)
    for group in ("ability used", "ability declined"):
        listed = " ".join(what for name, what in table if name == group)
        assert all(faction in listed for faction in c.FACTIONS)
    assert sum(times for (group, _), times in table.items() if group == "players") == 4


def test_what_a_long_run_never_reached_fails_it(capsys, monkeypatch):
    assert soaked(capsys, "--games", "4")[0] == 0
    monkeypatch.setattr(soak, "ENOUGH", 4)
    code, printed = soaked(capsys, "--games", "4")
    assert code == 1
    assert "<-- never" in printed


def test_unlisted_things_are_refused():
    with pytest.raises(KeyError):
        coverage_table_end_of_atlantis.Tally().add("Event", "Rain")


# ---- the bytes that lockstep compares


def test_the_bytes_hold_all_that_the_words_do():
    """Every number the contract compares, changed by one on the kernels' side, changes the bytes."""
    game = Lockstep(rules_of(4, ("revealed-specials",), ("E09=two-each",)), 3, 5)
    chance = random.Random(4)
    prompts = set()
    while not game.over:
        if game.prompt not in prompts:
            prompts.add(game.prompt)
            every_number_counts(game)
        game.take(chance.choice(game.actions))
    assert prompts > SECRET & {"senate_bid", "bid"}


def every_number_counts(game):
    """At this prompt."""
    form = packing_at(game.oracle)
    kept = comparable(game.oracle.view())
    left_out = set(FIELDS) - set(kept)
    assert left_out <= {"pending", *VOTING_FIELDS}
    assert comparable(view(game.states[0])) == kept
    packed = form.of_kernels(game.states.tobytes())
    assert packed == form.of_oracle(game.oracle)
    for name in [*kept, *left_out]:
        numbers = game.states[name].reshape(-1)
        for i in range(numbers.size):
            changed = game.states.copy()
            changed[name].reshape(-1)[i] += 1
            in_words = comparable(view(changed[0])) if name not in ("phase", "prompt") else None
            assert (form.of_kernels(changed.tobytes()) != packed) == (in_words != kept), (name, i)
