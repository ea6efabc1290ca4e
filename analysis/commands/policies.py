"""`atlantis policies GAME`: who can play."""

import json
import textwrap

import click

from analysis.commands.options import game_argument
from sim.games import find_game


@click.command()
@game_argument
@click.option(
    "--format", "output_format", type=click.Choice(["text", "json"]), default="text", show_default=True
)
def policies(game: str, output_format: str) -> None:
    """List the built-in policies of GAME: names for --lineup.

    A policy of your own goes by FILE.py:name.

    \b
    atlantis policies end-of-atlantis
    """
    from sim.policies import list_policies  # numba: slow to import, and not needed for help

    found = list_policies(find_game(game))
    if output_format == "json":
        click.echo(json.dumps(found, indent=1))
        return
    column = max(map(len, found)) + 2
    for name, line in found.items():
        click.echo(textwrap.fill(line, 96, initial_indent=name.ljust(column), subsequent_indent=" " * column))
    click.echo("\nOr a policy of your own: --lineup FILE.py:name", err=True)
