"""The soak of Atlantica: what test_soak.py does not see with the first game."""

import pytest

from kernels.atlantica import codes as c
from sim.rulebook import rule_options
from tests.atlantica.coverage_table import REACHED, Tally
from tests.atlantica.oracle import turns
from tests.atlantica.soak import FOCI, GAME, STYLES, THEMES
from tests.machinery import soak

NAME = GAME.name


@pytest.fixture(scope="module")
def soaked_once():
    """Three dozen games and what they reached."""
    return soak.play_games(NAME, 11, range(36))


def test_kernels_and_oracle_agree(soaked_once):
    assert soaked_once.mismatches == []
    assert soaked_once.games == 36


def test_counts_fit_together(soaked_once):
    counts = soaked_once.counts

    def total(group):
        return sum(times for (name, _), times in counts.items() if name == group)

    assert total("prompt") == soaked_once.steps
    assert total("players") == total("end") == 36
    assert sum(counts["tie", f"game, {by}"] for by in c.SETTLED_BY) == 36
    assert total("action") + counts["Catch Your Breath", "by choice"] <= counts["prompt", "action"]
    assert counts["stopped early (A19)", "treasure"] + total("treasure taken") == (
        counts["prompt", "treasure"] + counts["drink", "from the Submarine"]
    )
    assert counts["stopped early (A19)", "research"] + total("Research card taken") == (
        counts["prompt", "research"] + counts["drink", "from the Research Station"]
    )
    assert counts["prompt", "drink"] - counts["stopped early (A19)", "drink"] == sum(
        counts["drink", f"from the {c.LOCATIONS[location]}"] for location in (c.SUBMARINE, c.HARBOR, c.RESEARCH_STATION)
    )
    chartered = sum(counts["action", c.ACTIONS[action]] for action in (3, 4, 5))
    assert total("ship chartered") == chartered + counts["drink", "from the Harbor"]


def test_every_option_and_style_has_its_turn():
    cases = [soak.draw_case(NAME, 1, index) for index in range(0, 8 * len(FOCI) * soak.DEALS, soak.DEALS)]
    assert {case.focus for case in cases} == {option.setting for option in rule_options(GAME)} | {""}
    assert all(case.focus in case.choices_in_force() for case in cases if case.focus)
    assert {case.players for case in cases} == set(GAME.players)
    assert {style for case in cases for style in case.styles} == set(STYLES)
    assert {case.theme for case in cases} == set(THEMES)


@pytest.mark.parametrize("theme", THEMES)
def test_themes_go_together(theme):
    assert soak.loaded_rules(NAME, 4, (), THEMES[theme]).shape == (1,)


def test_a_planted_mismatch_is_told_with_its_replay(capsys, monkeypatch):
    monkeypatch.setattr(turns, "refill_research", lambda state: None)
    arguments = ["--game", NAME, "--seed", "2"]
    assert soak.main([*arguments, "--games", "1", "--jobs", "1"]) == 1
    printed = capsys.readouterr().out
    assert "research_row" in printed
    assert f"python -m tests.machinery.soak --game {NAME} --seed 2 --replay 0\n" in printed
    monkeypatch.undo()
    assert soak.main([*arguments, "--replay", "0"]) == 0


def test_the_table_lists_what_it_must():
    assert REACHED["action"] == c.ACTIONS
    assert REACHED["prompt"] == c.PROMPTS[1:]
    assert REACHED["VP source"] == c.SOURCES
    assert REACHED["Research card taken"] == c.RESEARCH_EFFECTS
    assert REACHED["ruling option in force"] == tuple(option.setting for option in rule_options(GAME))
    assert len(REACHED["pair for"]) == len(c.LOCATIONS) * c.TIERS
    with pytest.raises(KeyError):
        Tally().add("action", "Sunbathe")
