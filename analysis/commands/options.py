"""Options that several commands share.

What this imports at the top decides how long `--help` and tab completion take: the rules are read later.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from sim.games import GAMES

Command = TypeVar("Command", bound=Callable[..., Any])


def _complete_variant(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    from sim.rulebook import list_variants

    games = [GAMES[name] for name in GAMES if name == ctx.params.get("game")] or list(GAMES.values())
    return [name for game in games for name in list_variants(game) if name.startswith(incomplete)]


_RULES_OPTIONS = (
    click.option("--players", "-p", type=int, default=4, show_default=True, help="How many players."),
    click.option(
        "--variant",
        multiple=True,
        metavar="NAME",
        shell_complete=_complete_variant,
        help="A variant; may be given again, later ones win. See: atlantis variants GAME.",
    ),
    click.option(
        "--rules",
        "rules_file",
        multiple=True,
        metavar="FILE",
        type=click.Path(path_type=Path),
        help="A TOML file of rules, name = value; may be given again, later ones win.",
    ),
    click.option(
        "--set",
        "settings",
        multiple=True,
        metavar="NAME=VALUE",
        help="One rule, such as start_vp=3, royal_chart=3,6,9,12,15, event_cubes.wrath=3, or an option by "
        "its ruling: E05=none. Wins over everything else.",
    ),
)


def rules_options(command: Command) -> Command:
    """Adds --players, --variant, --rules and --set as players, variant, rules_file and settings."""
    for option in reversed(_RULES_OPTIONS):
        command = option(command)
    return command


def game_argument(command: Command) -> Command:
    """Adds GAME, passed as the name typed: `sim.games.find_game` makes a game of it or explains."""
    return click.argument("game", metavar="GAME", shell_complete=lambda *_: list(GAMES))(command)
