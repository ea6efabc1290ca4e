"""`atlantis variants GAME`: the variants to choose from."""

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
def variants(game: str, output_format: str) -> None:
    """List the variants of GAME, for --variant.

    What changes with the number of players is not among them: it comes with --players by itself.

    \b
    atlantis variants end-of-atlantis
    atlantis simulate end-of-atlantis --variant family --variant revealed-events
    """
    from sim.rulebook import list_variants

    lines = list_variants(find_game(game))
    if not lines and output_format == "text":
        click.echo(f"{find_game(game).title} has no variants.")
        return
    if output_format == "json":
        click.echo(json.dumps(lines, indent=2, ensure_ascii=False))
        return
    column = max(len(name) for name in lines) + 2
    for name, line in lines.items():
        click.echo(textwrap.fill(line, 96, initial_indent=name.ljust(column), subsequent_indent=" " * column))
