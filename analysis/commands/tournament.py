"""`atlantis tournament GAME`: policies against each other in every mix, and whether one of them is best.

What this imports at the top decides how long `--help` and Tab take: numba and polars come in later.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from analysis.commands.options import (
    answer_format_option,
    check_ending,
    game_argument,
    jobs_option,
    rules_options,
    say_command,
    write_out,
)
from analysis.commands.report import read_margin
from sim.games import Game, find_game

if TYPE_CHECKING:
    from analysis.frames import Run
    from analysis.questions.question import Spec
    from analysis.tournament.page import Told
    from sim.executors import Progress
    from sim.tournament import Design, Lineup


@click.command()
@game_argument
@click.option(
    "--policies", required=True, metavar="A,B,...", help="Who takes part, two or more. FILE.py:name is your own."
)
@rules_options
@click.option(
    "--games",
    "-n",
    type=click.IntRange(min=1),
    default=10_000,
    show_default=True,
    help="Games of each lineup, rounded down to deals played in every seating.",
)
@click.option("--seed", type=int, default=1, show_default=True, help="Decides every card, in all lineups.")
@click.option(
    "--design",
    type=click.Choice(["pairs", "all"]),
    help="Lineups of two policies in every mix, or every lineup. [default: all up to 40 lineups, else pairs]",
)
@click.option(
    "--delta",
    metavar="PP",
    default="1",
    show_default=True,
    help="How much two policies may differ and still count as level, in percentage points.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    default=Path("runs"),
    show_default=True,
    help="The folder that keeps the runs, one a lineup. What is there is not played again.",
)
@answer_format_option
@click.option("--plot", type=click.Path(path_type=Path), metavar="FILE", help="Also draw the heat map: .svg or .png.")
@click.option("--page", type=click.Path(path_type=Path), metavar="FILE", help="Also write everything as a .html page.")
@jobs_option
def tournament(**options: Any) -> None:
    """Let policies play GAME against each other, in every mix and every seating on shared deals.

    The first line says whether one of them dominates. Below: the credit of each, of one seat among seats of another,
    and what each does that its opponents do not.

    \b
    atlantis tournament end-of-atlantis --policies random,greedy
    atlantis tournament atlantica --policies random,greedy,my.py:careful --players 3 --games 3000
    atlantis tournament end-of-atlantis --policies random,greedy --page tournament.html --plot heat.svg
    """
    from sim.policies import check_name
    from sim.rulebook import load_rules
    from sim.tournament import check_policies, choose_design, count_games, list_lineups

    game = find_game(options["game"])
    margin = read_margin(options["delta"])
    check_ending(options["plot"], "--plot", (".svg", ".png"))
    check_ending(options["page"], "--page", (".html", ".htm"))
    policies = [name.strip() for name in options["policies"].split(",") if name.strip()]
    check_policies(policies)
    for name in policies:
        check_name(game, name)
    load_rules(game, options["players"], options["variant"], options["rules_file"], options["settings"])
    design: Design = options["design"] or choose_design(len(policies), options["players"])
    games = {
        lineup: count_games(lineup, options["games"]) for lineup in list_lineups(policies, options["players"], design)
    }
    runs = _play(game, games, options)

    from analysis.tournament.page import render_tournament, tell

    told = tell(runs, policies, design, margin, say_command())
    form = options["output_format"]
    click.echo(render_tournament(told, form, form == "text" and sys.stdout.isatty()), nl=False)
    _write_files(told, options)


def _play(game: Game, games: Mapping[Lineup, int], options: dict[str, Any]) -> dict[Lineup, Run]:
    """The run of each lineup, played where it is missing."""
    from analysis.commands.progress import announce_compiling, progress_bar
    from analysis.questions.supply import Supply
    from sim.runner import RunInterruptedError

    total, done = sum(games.values()), 0
    folder = options["output"]
    click.echo(f"{len(games)} lineups, {total:,} games in all, kept in {folder}", err=True)
    runs: dict[Lineup, Run] = {}
    command = say_command()
    announce_compiling(game)
    with progress_bar(total) as bar:
        for lineup, wanted in games.items():
            supply = Supply(folder, options["jobs"], command, bar=_continue(bar, done))
            try:
                runs[lineup] = supply.get(_make_spec(lineup, wanted, options))
            except RunInterruptedError as error:
                raise RunInterruptedError(
                    f"Interrupted: {len(runs)} of {len(games)} lineups are whole, and all that was played is kept in "
                    f"{folder}. The same command goes on from there."
                ) from error
            done += wanted
    return runs


def _continue(bar: Progress | None, first: int) -> Callable[[int], AbstractContextManager[Progress | None]]:
    """A bar for one run of several, which goes on from `first` games."""

    def open_bar(games: int) -> AbstractContextManager[Progress | None]:
        return nullcontext(None if bar is None else lambda played: bar(first + played))

    return open_bar


def _make_spec(lineup: Lineup, games: int, options: dict[str, Any]) -> Spec:
    from analysis.questions.question import Spec
    from sim.lineup import spell_lineup

    return Spec(
        game=options["game"],
        players=options["players"],
        variants=options["variant"],
        rules_files=options["rules_file"],
        settings=options["settings"],
        lineup=spell_lineup(lineup),
        games=games,
        seed=options["seed"],
        detail="seats",
    )


def _write_files(told: Told, options: dict[str, Any]) -> None:
    from analysis.tournament.page import draw_entries, render_tournament

    write_out(options["plot"], lambda file: draw_entries(told).save(file, file.suffix.lower()[1:]))
    write_out(options["page"], lambda file: file.write_text(render_tournament(told, "html"), encoding="utf-8"))
