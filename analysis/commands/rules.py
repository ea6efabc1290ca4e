"""`atlantis rules GAME`: every rule in force, its status, and what else could be meant."""

from __future__ import annotations

import json
import sys
import textwrap
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from analysis.commands.options import game_argument, rules_options
from sim.games import find_game

if TYPE_CHECKING:
    from rich.table import Table

    from sim.rulebook import Rule, Rulebook

WIDTH = 96  # of plain text

# What a reader should look at first comes first.
MEANINGS = {
    "yours": "set by you",
    "conflict": "the rulebook says two things",
    "assumed": "the rulebook is silent and a default was chosen",
    "inferred": "follows from the rulebook's examples or arithmetic",
    "printed": "the rulebook says so",
}

Groups = dict[str, list["Rule"]]


@click.command()
@game_argument
@rules_options
@click.option("--open", "only_open", is_flag=True, help="Only what the rulebook does not print, by status.")
@click.option(
    "--format", "output_format", type=click.Choice(["text", "json", "md"]), default="text", show_default=True
)
def rules(
    game: str,
    players: int,
    variant: tuple[str, ...],
    rules_file: tuple[Path, ...],
    settings: tuple[str, ...],
    only_open: bool,
    output_format: str,
) -> None:
    """Show the rules of GAME in force: value, status, source, and the alternatives worth trying.

    A rules file has lines such as start_vp = 3, tables such as [royal_chart] with value, status and source,
    or a whole deck of [[special_deck]] cards with name, copies, effect and amount. A table may also give a
    status alone, to say that your copy agrees.

    \b
    atlantis rules end-of-atlantis --open
    atlantis rules end-of-atlantis --players 5 --variant chosen-ships --format md
    atlantis rules end-of-atlantis --set E01=steps-of-3 --set start_vp=3
    """
    from sim.rulebook import load_rules

    rulebook = load_rules(find_game(game), players, variant, rules_file, settings)
    if output_format == "json":
        click.echo(json.dumps(as_json(rulebook, only_open), indent=2, ensure_ascii=False))
    elif output_format == "md":
        click.echo("\n".join(markdown_lines(rulebook, group_rules(rulebook, only_open))))
    elif sys.stdout.isatty():
        _print_tables(rulebook, group_rules(rulebook, only_open))
    else:
        click.echo("\n".join(text_lines(rulebook, group_rules(rulebook, only_open))))


def group_rules(rulebook: Rulebook, only_open: bool) -> Groups:
    """The rules under headings: the open ones by status, or all in order, those not in play last."""
    if only_open:
        found = rulebook.open_rules()
        by_status = {status: [rule for rule in found if rule.status == status] for status in MEANINGS}
        return {f"{status}: {MEANINGS[status]}": group for status, group in by_status.items() if group}
    in_play = [rule for rule in rulebook.rules.values() if rule.applies]
    others = [rule for rule in rulebook.rules.values() if not rule.applies]
    return {title_of(rulebook): in_play, "Not in play with these players and variants": others}


def title_of(rulebook: Rulebook) -> str:
    """The game, the players and what was chosen, in a line."""
    chosen = [*rulebook.variants, *(path.name for path in rulebook.files), *rulebook.settings]
    return ", ".join([rulebook.game.title, f"{rulebook.players} players", *chosen])


def count_line(rulebook: Rulebook) -> str:
    """How many rules in play have which status, and how to change one."""
    counts: Counter[str] = Counter(rule.status for rule in rulebook.rules.values() if rule.applies)
    parts = ", ".join(f"{counts[status]} {status}" for status in reversed(MEANINGS) if counts[status])
    return f"{counts.total()} rules in play: {parts}. Change one with --set NAME=VALUE or --rules FILE."


def about(rulebook: Rulebook, rule: Rule) -> Iterator[str]:
    """What there is to say of a rule, a paragraph each."""
    from sim.rulebook import describe_option

    yield f"{rule.note} [{rule.source}]"
    if rule.changed_by != "base":
        yield f"Set by {rule.changed_by}."
    for option in rule.alternatives:
        yield f"Or {option.setting}: {describe_option(rulebook.game, option)}"
    if rule.another_reading:
        yield f"Another reading: {rule.another_reading}"


def text_lines(rulebook: Rulebook, groups: Groups) -> Iterator[str]:
    """The rules as plain text of at most WIDTH columns."""
    for heading, group in groups.items():
        yield f"{heading} ({len(group)})"
        for rule in group:
            name = f"{rule.name} = {rule.shown}" if rule.kind == "value" else rule.name
            yield from textwrap.wrap(
                f"{rule.ruling:<5} {name}  ({rule.status})", WIDTH, subsequent_indent=" " * 8
            )
            for paragraph in about(rulebook, rule):
                yield from textwrap.wrap(paragraph, WIDTH, initial_indent=" " * 6, subsequent_indent=" " * 6)
        yield ""
    yield from textwrap.wrap(count_line(rulebook), WIDTH)


def markdown_lines(rulebook: Rulebook, groups: Groups) -> Iterator[str]:
    """The rules as Markdown tables."""
    for heading, group in groups.items():
        yield f"## {heading}"
        yield ""
        yield "| id | rule | value | status | source | note | alternatives |"
        yield "|---|---|---|---|---|---|---|"
        for rule in group:
            _, *others = about(rulebook, rule)
            cells = (
                rule.ruling,
                rule.name,
                rule.shown,
                rule.status,
                rule.source,
                rule.note,
                "; ".join(others),
            )
            yield "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
        yield ""
    yield count_line(rulebook)


def as_json(rulebook: Rulebook, only_open: bool) -> dict[str, Any]:
    """Every rule with everything known of it."""
    shown = {rule.name for group in group_rules(rulebook, only_open).values() for rule in group}
    rows = [row for row in rulebook.as_manifest() if row["name"] in shown]
    for row in rows:
        rule = rulebook.rules[row["name"]]
        row["another_reading"] = rule.another_reading
        row["alternatives"] = [
            {"name": option.name, "setting": option.setting, "set": option.overrides}
            for option in rule.alternatives
        ]
    return {
        "game": rulebook.game.name,
        "players": rulebook.players,
        "variants": list(rulebook.variants),
        "settings": list(rulebook.settings),
        "rules_digest": rulebook.digest,
        "rules": rows,
    }


def as_table(rulebook: Rulebook, heading: str, group: list[Rule]) -> Table:
    """A group of rules for a terminal."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(
        title=f"{heading} ({len(group)})", title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False
    )
    table.add_column("id", no_wrap=True)
    table.add_column("rule", ratio=2, overflow="fold")
    table.add_column("status", no_wrap=True)
    table.add_column("what it says", ratio=4)
    for rule in group:
        name = Text(rule.name, style="bold")
        if rule.kind == "value":
            name.append(f"\n{rule.shown}", style="not bold cyan")
        note, *others = about(rulebook, rule)
        table.add_row(rule.ruling, name, rule.status, Text("\n".join([note, *others])))
    return table


def _print_tables(rulebook: Rulebook, groups: Groups) -> None:
    from rich.console import Console

    console = Console(highlight=False, markup=False)
    for heading, group in groups.items():
        console.print(as_table(rulebook, heading, group))
    console.print(count_line(rulebook))
