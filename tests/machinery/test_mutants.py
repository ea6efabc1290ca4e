"""The list of planted mistakes is sound, and planting one works. All of them: `make mutants`, half an hour."""

import re
import tomllib

import pytest

from sim.games import OWN
from tests.machinery.mutants import (
    ROOT,
    Detector,
    Mutant,
    UnfitError,
    Verdict,
    format_table,
    judge,
    list_plans,
    mutate,
    read_failure,
    read_plan,
)

PLANS = {name: read_plan(name) for name in list_plans()}
ALL = [(name, mutant) for name, plan in PLANS.items() for mutant in plan.mutants]
GAMES_OF = {game.package: game for game in OWN}
MUTANTS = PLANS["end_of_atlantis"].mutants
BY_NAME = {mutant.name: mutant for mutant in MUTANTS}
# What of a game's kernel package holds no rule, or none that a list of mistakes speaks of.
NO_RULES = {"__init__", "codes", "rules", "state", "tables", "record", "check", "step", "steps", "features"}
EXAMPLES = "tests/end_of_atlantis/test_worked_examples.py"
HALVES = Detector("examples", (f"{EXAMPLES}::test_half_of_the_senate_pool_returns_rounded_up",))
ROUNDED = BY_NAME["half of the pool, rounded down"]


def source_of(mutant: Mutant) -> str:
    return (ROOT / "kernels" / mutant.file).read_text(encoding="utf-8")


def test_forty_mistakes_a_game_each_with_a_name_of_its_own():
    for name, plan in PLANS.items():
        names = [mutant.name for mutant in plan.mutants]
        assert len(names) == len(set(names))
        assert name not in GAMES_OF or len(names) == 40
        assert plan.detectors
    assert set(GAMES_OF) < set(PLANS)


@pytest.mark.parametrize(("name", "mutant"), ALL, ids=[f"{name}: {mutant.name}" for name, mutant in ALL])
def test_the_old_text_stands_exactly_once_and_the_new_one_is_python(name, mutant):
    source = source_of(mutant)
    assert source.count(mutant.old) == 1
    planted = mutate(mutant, source)
    assert planted != source
    compile(planted, mutant.file, "exec")


@pytest.mark.parametrize("package", list(GAMES_OF))
def test_every_module_of_the_rules_has_a_mistake(package):
    modules = {path.stem for path in (ROOT / "kernels" / package).glob("*.py")} - NO_RULES
    mistaken = {mutant.file for mutant in PLANS[package].mutants}
    assert {f"{package}/{module}.py" for module in modules - {"hidden"}} - mistaken == set()


@pytest.mark.parametrize("package", list(GAMES_OF))
def test_every_ruling_named_exists(package):
    rules = tomllib.loads((GAMES_OF[package].rules_folder / "base.toml").read_text(encoding="utf-8"))
    known = {entry["ruling"] for entry in rules.values() if "ruling" in entry}
    known |= {ruling[:3] for ruling in known}
    named = {ruling for mutant in PLANS[package].mutants for ruling in re.findall(r"\b[EA]\d\d[a-c]?", mutant.rule)}
    assert named - known == set()


@pytest.mark.parametrize("old", ["back = (back + 1) // 3", "seat"], ids=["nowhere", "often"])
def test_an_old_text_that_does_not_stand_once_is_refused(old):
    with pytest.raises(UnfitError, match=r"half of the pool.*stands \d+ times in kernels/end_of_atlantis/doom.py"):
        mutate(ROUNDED._replace(old=old), source_of(ROUNDED))


def test_a_mistake_is_caught():
    verdict = judge(ROUNDED, (HALVES,))
    assert (verdict.caught_by, verdict.test) == ("examples", "test_half_of_the_senate_pool_returns_rounded_up")


def test_what_changes_no_rule_survives():
    assert judge(ROUNDED._replace(new="back = (1 + back) // 2"), (HALVES,)).caught_by == ""


def test_a_slip_in_the_mutants_python_is_no_failure_of_a_rule():
    failed = "E   {}\n\nFAILED tests/test_rulings.py::test_e08[random draw] - As...\n1 failed, 3 passed in 2.00s\n"
    assert read_failure(1, failed.format("assert 1 == 2")) == "test_e08[random draw]"
    assert read_failure(0, "4 passed in 2.00s") == ""
    with pytest.raises(UnfitError, match="not by a rule: NameError: name 'bakc'"):
        read_failure(1, failed.format("NameError: name 'bakc' is not defined"))
    with pytest.raises(UnfitError, match="could not run"):
        read_failure(2, "ERROR collecting tests/end_of_atlantis/test_rulings.py")


def test_the_table_names_survivors_and_counts():
    known, unknown = ROUNDED._replace(why="No test looks there."), MUTANTS[0]
    told = format_table(
        [
            (known, Verdict("", "", 9.6)),
            (unknown, Verdict("", "", 1.0)),
            (MUTANTS[1], Verdict("rulings", "test_e74", 2.0)),
        ]
    ).splitlines()
    assert re.fullmatch(r"mutant +rule +caught by +seconds", told[0])
    assert re.fullmatch(r"half of the pool, rounded down +4\. Doom Phase, E19 +nothing +10", told[1])
    assert re.search(r"E74 +rulings: test_e74 +2$", told[3])
    assert told[4:] == [
        "",
        "survived: half of the pool, rounded down",
        "  No test looks there.",
        "",
        "survived: Doom! may be among the Events removed",
        "  The list does not say why.",
        "",
        "caught 1 of 3",
    ]
