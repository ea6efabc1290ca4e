"""`atlantis trace GAME` or `atlantis trace RUN`: one game, told.

What this imports at the top decides how long `--help` and Tab take: numba and polars come in later.
"""

from __future__ import annotations

import json
import secrets
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from analysis.commands.options import rules_options
from analysis.commands.progress import announce_compiling
from analysis.commands.simulate import policy_option, read_lineup
from sim.errors import UserError
from sim.games import GAMES, find_game

if TYPE_CHECKING:
    from sim.trace import Trace

_ONLY_FOR_A_GAME = {
    "players": "--players",
    "variant": "--variant",
    "rules_file": "--rules",
    "settings": "--set",
    "seed": "--seed",
    "lineup": "--lineup",
    "policy": "--policy",
}


def _complete_source(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[Any]:
    from click.shell_completion import CompletionItem

    names = [name for name in GAMES if name.startswith(incomplete)]
    return [*map(CompletionItem, names), CompletionItem(incomplete, type="dir")]


@click.command()
@click.argument("source", metavar="GAME|RUN", shell_complete=_complete_source)
@rules_options
@click.option("--seed", type=int, help="Decides every card. [default: drawn and printed]")
@click.option(
    "--game",
    "number",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    help="Which game, counted from 0 as in the files of a run.",
)
@click.option(
    "--lineup",
    default="greedy",
    show_default=True,
    help="Who plays: one policy for all seats, or greedy*3,random. FILE.py:name is your own.",
)
@policy_option
@click.option(
    "--patience",
    type=click.FloatRange(min=0.1),
    default=10.0,
    show_default=True,
    help="Seconds a policy may take for one answer.",
)
@click.option(
    "--chances/--no-chances",
    default=True,
    show_default=True,
    help="Say at each turn how likely each seat is to win, by the game's value model.",
)
@click.option("--format", "output_format", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.pass_context
def trace(ctx: click.Context, /, **options: Any) -> None:
    """Tell one game turn by turn: of GAME, or of the run folder RUN, which knows how it was played.

    A ruling that mattered is cited in brackets (atlantis rules GAME --open). Text counts seats from 1, and
    where seats have a colour it goes by that; JSON is a list of events {turn, phase, kind, seat, data} and
    counts seats from 0.

    \b
    atlantis trace end-of-atlantis --players 4 --seed 7 --game 123 --lineup greedy,random*3
    atlantis trace end-of-atlantis --seed 7 --policy mine.py:careful --lineup greedy
    atlantis trace runs/base --game 123
    atlantis trace runs/base --game 123 --format json
    """
    given = {name for name in options if ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE}
    told = _trace_game(options, given) if options["source"] in GAMES else _trace_run(options, given)
    _print(told, options["output_format"])
    if told.error:
        raise told.error


def _trace_game(options: dict[str, Any], given: set[str]) -> Trace:
    """A game by its rules, lineup and seed."""
    from sim.plan import plan_run
    from sim.policies import check_name
    from sim.rulebook import load_rules
    from sim.trace import trace_game

    game = find_game(options["source"])
    rulebook = load_rules(game, options["players"], options["variant"], options["rules_file"], options["settings"])
    lineup = read_lineup(options, given, rulebook.players)
    for token in dict.fromkeys(lineup):
        check_name(game, token)
    seed = secrets.randbits(32) if options["seed"] is None else options["seed"]
    announce_compiling(game)
    run = plan_run(game, rulebook, lineup, seed=seed, games=options["number"] + 1)
    return trace_game(run, options["number"], patience=options["patience"], chances=options["chances"])


def _trace_run(options: dict[str, Any], given: set[str]) -> Trace:
    """A game of a run folder."""
    folder = Path(options["source"])
    if not folder.exists():
        raise UserError(
            f"{folder} is neither a game nor a run folder. Games: {', '.join(GAMES)}; "
            f"a run folder is what atlantis simulate writes to its -o."
        )
    excess = [option for name, option in _ONLY_FOR_A_GAME.items() if name in given]
    if excess:
        raise UserError(
            f"{excess[0]} does not go with a run folder: {folder} knows how it was played. "
            f"Give --game, --chances, --format or --patience."
        )
    from sim.store import open_run
    from sim.trace import list_changes, trace_recorded

    found = open_run(folder)
    announce_compiling(find_game(found.manifest.game))
    told = trace_recorded(found, options["number"], patience=options["patience"], chances=options["chances"])
    changes = list_changes(found.manifest, told.run)
    if changes:
        click.echo(
            f"Note: changed since {folder} was played: {', '.join(changes)}. The game may no longer go as it did then.",
            err=True,
        )
    return told


def _print(told: Trace, output_format: str) -> None:
    from sim.trace import list_events, write_text

    if output_format == "json":
        events = [json.dumps(event, ensure_ascii=False) for event in list_events(told)]
        click.echo("[\n" + ",\n".join(events) + "\n]")
    else:
        for line in write_text(told):
            click.echo(line)
