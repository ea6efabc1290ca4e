"""`atlantis rules` and `atlantis variants`: what they print, in every form."""

import json
from io import StringIO

import click
import pytest
from click.testing import CliRunner
from rich.console import Console

from analysis.commands.options import rules_options
from analysis.commands.rules import as_table, group_rules, rules
from analysis.commands.variants import variants
from sim.errors import UserError
from sim.games import find_game
from sim.rulebook import load_rules

GAME = find_game("end-of-atlantis")


def run(command, *args):
    result = CliRunner().invoke(command, ["end-of-atlantis", *args])
    if result.exception is not None:
        raise result.exception
    return result.stdout


def test_text_names_every_rule_in_narrow_lines():
    text = run(rules)
    rulebook = load_rules(GAME, 4)
    assert max(map(len, text.splitlines())) <= 100
    for rule in rulebook.rules.values():
        assert any(line[6:].startswith(rule.name) for line in text.splitlines()), rule.name
    assert "E01   royal_chart = 1,3,6,10,15  (assumed)" in text
    assert "      Or E01=steps-of-3: royal_chart 3,6,9,12,15" in text
    assert "\x1b" not in text


def test_open_text_groups_what_is_not_printed():
    text = run(rules, "--open", "--set", "start_vp=3")
    assert "(printed)" not in text
    headings = [line.split(":")[0] for line in text.splitlines() if line[:1].islower()]
    assert headings == ["yours", "conflict", "assumed", "inferred"]
    assert "      start_vp = 3  (yours)" in text
    assert "Set by --set." in text


@pytest.mark.parametrize("players", ["2", "5"])
def test_json_is_the_manifest_and_more(players):
    found = json.loads(
        run(rules, "--players", players, "--variant", "family", "--set", "E05=none", "--format", "json")
    )
    rulebook = load_rules(GAME, int(players), ["family"], settings=["E05=none"])
    assert found["rules_digest"] == rulebook.digest
    assert (found["game"], found["players"], found["variants"]) == (
        "end-of-atlantis",
        int(players),
        ["family"],
    )
    for row, expected in zip(found["rules"], rulebook.as_manifest(), strict=True):
        assert {key: row[key] for key in expected} == expected
    chart = next(row for row in found["rules"] if row["name"] == "royal_chart")
    assert chart["alternatives"][0] == {
        "name": "steps-of-3",
        "setting": "E01=steps-of-3",
        "set": {"royal_chart": [3, 6, 9, 12, 15]},
    }


def test_open_json_has_the_open_rules_only():
    found = json.loads(run(rules, "--open", "--format", "json"))
    assert {row["name"] for row in found["rules"]} == {rule.name for rule in load_rules(GAME, 4).open_rules()}


def test_markdown_is_a_table_of_seven_columns():
    lines = run(rules, "--format", "md").splitlines()
    rows = [line for line in lines if line.startswith("|")]
    assert {line.replace("\\|", "").count("|") for line in rows} == {8}
    assert len(rows) == len(load_rules(GAME, 4).rules) + 4


@pytest.mark.parametrize("width", [80, 100])
def test_a_terminal_gets_tables_that_fit(width):
    rulebook = load_rules(GAME, 4)
    console = Console(file=StringIO(), width=width, force_terminal=False, markup=False)
    for heading, group in group_rules(rulebook, only_open=True).items():
        console.print(as_table(rulebook, heading, group))
    lines = console.file.getvalue().splitlines()
    assert max(len(line.rstrip()) for line in lines) <= width
    for rule in rulebook.open_rules():
        assert any(line.lstrip().startswith(rule.ruling) for line in lines), rule.name


def test_a_rules_file_is_read(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text("start_vp = 9", encoding="utf-8")
    assert "start_vp = 9  (yours)" in run(rules, "--rules", str(path))


def test_bad_input_is_a_user_error():
    with pytest.raises(UserError, match=r"^--set: no rule named royal_chrt\. Did you mean royal_chart\?"):
        run(rules, "--set", "royal_chrt=1")
    assert str(CliRunner().invoke(rules, ["chess"]).exception).startswith("no game named chess")


def test_variants_are_listed():
    lines = run(variants).splitlines()
    assert max(map(len, lines)) <= 100
    names = [line.split()[0] for line in lines if not line.startswith(" ")]
    assert names == ["aggressive-neutrals", "chosen-ships", "family", "revealed-events", "revealed-specials"]
    assert list(json.loads(run(variants, "--format", "json"))) == names


@pytest.mark.parametrize("command", [rules, variants])
def test_help_has_an_example(command):
    result = CliRunner().invoke(command, ["--help"])
    assert result.exit_code == 0
    assert f"atlantis {command.name} end-of-atlantis" in result.output


def test_the_shared_options_pass_what_was_typed(tmp_path):
    @click.command()
    @rules_options
    def show(**options):
        click.echo(json.dumps(options, default=str))

    def passed(*args):
        return json.loads(CliRunner().invoke(show, args).output)

    assert passed() == {"players": 4, "variant": [], "rules_file": [], "settings": []}
    assert passed("-p", "3", "--variant", "a", "--variant", "b", "--rules", "x.toml", "--set", "a=1") == {
        "players": 3,
        "variant": ["a", "b"],
        "rules_file": ["x.toml"],
        "settings": ["a=1"],
    }
