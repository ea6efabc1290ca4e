"""Options that several commands share.

What this imports at the top decides how long `--help` and tab completion take: the rules are read later.
"""

import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from sim.errors import UserError
from sim.games import GAMES

if TYPE_CHECKING:
    from analysis.questions.supply import Supply

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


def model_options(others: tuple[str, ...]) -> Callable[[Command], Command]:
    """Adds what making a model takes: --with (default `others`), --seed, --jobs, -o, --force and --format."""
    options = (
        click.option(
            "--with",
            "others",
            multiple=True,
            metavar="POLICY",
            help=f"Who sits at a seat of four; may be given again. [default: {', '.join(others)}]",
        ),
        click.option(
            "--seed", type=click.IntRange(0, 2**31 - 1), default=1, show_default=True, help="Decides everything."
        ),
        click.option("--jobs", "-j", type=click.IntRange(min=1), default=2, show_default=True, help="Threads."),
        click.option(
            "-o",
            "--output",
            type=click.Path(path_type=Path),
            required=True,
            help="Where to keep the model: NAME gives the file NAME.4.npz for four players.",
        ),
        click.option("--force", is_flag=True, help="Replace a model that is there."),
        click.option(
            "--format", "output_format", type=click.Choice(["text", "json"]), default="text", show_default=True
        ),
    )

    def add(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return add


def game_argument(command: Command) -> Command:
    """Adds GAME, passed as the name typed: `sim.games.find_game` makes a game of it or explains."""
    return click.argument("game", metavar="GAME", shell_complete=lambda *_: list(GAMES))(command)


answer_format_option = click.option(
    "--format",
    "output_format",
    type=click.Choice(["text", "json", "md", "csv"]),
    default="text",
    show_default=True,
)
jobs_option = click.option("--jobs", "-j", type=click.IntRange(min=1), help="Threads. [default: as many as cores]")
keep_option = click.option(
    "--keep", type=click.Path(path_type=Path), default=Path("runs"), show_default=True, help="Where runs are kept."
)
lineup_option = click.option(
    "--lineup", default="greedy", show_default=True, help="Who plays: greedy, or greedy*3,random."
)


def say_command() -> str:
    """The command line that is being carried out, as one could type it again."""
    return shlex.join(["atlantis", *sys.argv[1:]])


def open_supply(options: dict[str, Any]) -> "Supply":
    """Where the runs of --keep are found or played, on --jobs threads, telling on stderr what it plays."""
    from analysis.commands.progress import announce_compiling, progress_bar
    from analysis.questions.supply import Supply

    return Supply(
        options["keep"],
        options["jobs"],
        say_command(),
        lambda text: click.echo(text, err=True),
        progress_bar,
        announce_compiling,
    )


def check_ending(file: Path | None, option: str, endings: tuple[str, ...]) -> None:
    """UserError unless the file that an option names ends in one of `endings`."""
    if file is not None and file.suffix.lower() not in endings:
        raise UserError(f"{option} is {file}: end it in {' or '.join(endings)}.")


def write_out(file: Path | None, write: Callable[[Path], object]) -> None:
    """Write a file that an option names, making its folder, and say on stderr that it is there."""
    if file is None:
        return
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        write(file)
    except OSError as error:
        raise UserError(f"{file} cannot be written: {error.strerror}.") from error
    click.echo(str(file), err=True)
