"""`atlantis compare GAME` and `atlantis compare RUN_A RUN_B`: what one set of rules, players or lineup changes against
another.

What this imports at the top decides how long `--help` and Tab take: numba and polars come in later.
"""

from __future__ import annotations

import sys
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from analysis.commands.options import (
    answer_format_option,
    check_ending,
    jobs_option,
    keep_option,
    lineup_option,
    open_supply,
    rules_options,
    say_command,
    write_out,
)
from analysis.commands.report import read_margin
from sim.errors import UserError
from sim.games import GAMES, find_game

if TYPE_CHECKING:
    from analysis.comparison import Comparison
    from analysis.frames import Run
    from analysis.questions.question import Spec

_PLAYS = ("players", "variant", "rules_file", "settings", "games", "seed", "lineup")
_AGAINST = ("against_players", "against_variant", "against_rules", "against_set", "against_lineup")
_SPELLED = {"rules_file": "rules", "settings": "set"}
NONE = "none"


@click.command()
@click.argument("target", metavar="GAME|RUN RUN", nargs=-1, required=True, shell_complete=lambda *_: list(GAMES))
@rules_options
@lineup_option
@click.option("--against-players", type=int, metavar="K", help="So many players in the second run.")
@click.option(
    "--against-variant", multiple=True, metavar="NAME", help="These variants in the second run; none for no variant."
)
@click.option(
    "--against-rules",
    multiple=True,
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="These rules files in the second run; none for no file.",
)
@click.option(
    "--against-set", multiple=True, metavar="NAME=VALUE", help="These settings in the second run; none for no setting."
)
@click.option("--against-lineup", metavar="LINEUP", help="This lineup in the second run.")
@click.option(
    "--games",
    "-n",
    type=click.IntRange(min=1),
    default=50_000,
    show_default=True,
    help="How many games to play of each, where they are missing.",
)
@click.option("--seed", type=int, default=1, show_default=True, help="Decides every card, in both.")
@click.option(
    "--delta",
    metavar="PP",
    default="1",
    show_default=True,
    help="How far from even a seat may be and still count as balanced, in percentage points.",
)
@answer_format_option
@click.option("--plot", type=click.Path(path_type=Path), metavar="FILE", help="Also draw it: a .svg or .png file.")
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), metavar="FILE", help="Also write everything as a .html page."
)
@keep_option
@jobs_option
@click.pass_context
def compare(ctx: click.Context, /, **options: Any) -> None:
    """Say what changes from one run to another, on every measure: two run folders, or two ways to play GAME.

    Without --against: GAME by the rules as they stand, against GAME with --variant, --set and --rules. With
    --against-X: GAME as the other options say, against the same with X in place of its own. Both meet the same deals
    and are compared deal by deal; different numbers of players cannot be, and are compared on scaled measures.

    \b
    atlantis compare end-of-atlantis --players 4 --variant aggressive-neutrals
    atlantis compare end-of-atlantis --variant family --against-variant aggressive-neutrals
    atlantis compare end-of-atlantis --players 4 --against-players 5
    atlantis compare atlantica --lineup greedy --against-lineup random -o page.html
    atlantis compare runs/base runs/variant --format csv
    """
    margin = read_margin(options["delta"])
    check_ending(options["plot"], "--plot", (".svg", ".png"))
    check_ending(options["output"], "--output", (".html", ".htm"))
    given = {name for name in options if ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE}
    a, b = _find_runs(options, given)

    from analysis.comparison import compare_runs, name_runs, render_comparison

    made = compare_runs(name_runs(a, b), a, b, margin, say_command())
    form = options["output_format"]
    click.echo(render_comparison(made, form, form == "text" and sys.stdout.isatty()), nl=False)
    _write_files(made, options)


def _find_runs(options: dict[str, Any], given: set[str]) -> tuple[Run, Run]:
    target: tuple[str, ...] = options["target"]
    if len(target) == 1 and target[0] in GAMES:
        return _play(options, given)
    if any(name in GAMES for name in target):
        raise UserError("give one game, or two run folders, not both.")
    clash = [name for name in (*_PLAYS, *_AGAINST) if name in given]
    if clash:
        option = _SPELLED.get(clash[0], clash[0].replace("_", "-"))
        raise UserError(
            f"--{option} says what to play, and {target[0]} is taken as a run that has been played. "
            f"Games: {', '.join(GAMES)}."
        )
    for name in target:
        if not Path(name).exists():
            close = get_close_matches(name, GAMES, 1)
            hint = f" Did you mean {close[0]}?" if close else ""
            raise UserError(f"{name} is neither a run folder nor a game.{hint} Games: {', '.join(GAMES)}.")
    if len(target) != 2:
        raise UserError(f"compare takes one game or two run folders, and {len(target)} are given.")
    from analysis.frames import read_run

    a, b = (read_run(Path(name)) for name in target)
    return a, b


def _play(options: dict[str, Any], given: set[str]) -> tuple[Run, Run]:
    """The runs of both sides, played where they are missing."""
    a, b = make_specs(options, given)
    supply = open_supply(options)
    return supply.get(a), supply.get(b)


def make_specs(options: dict[str, Any], given: set[str]) -> tuple[Spec, Spec]:
    """Both sides. With any --against-X: as the options say, and the same with X; else the rules as they stand, and as
    the options say. UserError where the two are alike."""
    from analysis.questions.question import Spec, least_detail

    game = find_game(options["target"][0])
    tables = ("games", "seats", "turns") if options["output"] else ("games", "seats")
    asked = Spec(
        game=game.name,
        players=options["players"],
        variants=options["variant"],
        rules_files=options["rules_file"],
        settings=options["settings"],
        lineup=options["lineup"],
        games=options["games"],
        seed=options["seed"],
        detail=least_detail(game, tables),
    )
    if not given & set(_AGAINST):
        a, b = asked.but(variants=(), rules_files=(), settings=()), asked
    else:
        a, b = asked, asked.but(**_read_against(options, given))
    if a == b:
        raise UserError(
            "compare needs two sides that differ: say what changes with --variant, --set or --rules, or with "
            "--against-players, --against-variant, --against-set, --against-rules or --against-lineup."
        )
    return a, b


def _read_against(options: dict[str, Any], given: set[str]) -> dict[str, Any]:
    """The fields of the second side that --against options give."""
    fields = ("players", "variants", "rules_files", "settings", "lineup")
    found: dict[str, Any] = {}
    for name, field in zip(_AGAINST, fields, strict=True):
        if name in given:
            value = options[name]
            found[field] = tuple(v for v in value if str(v) != NONE) if isinstance(value, tuple) else value
    return found


def _write_files(made: Comparison, options: dict[str, Any]) -> None:
    from analysis.comparison import draw_changes, render_comparison

    write_out(options["plot"], lambda file: draw_changes(made).save(file, file.suffix.lower()[1:]))
    write_out(options["output"], lambda file: file.write_text(render_comparison(made, "html"), encoding="utf-8"))
