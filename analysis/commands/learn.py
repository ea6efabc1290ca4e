"""`atlantis learn GAME`: fit a value model to games that are played for it, and keep it as data."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from analysis.commands.options import game_argument, model_options, rules_options, say_command
from sim.errors import UserError
from sim.games import find_game

if TYPE_CHECKING:
    from sim.learning import Round, Teacher

Found = TypeVar("Found")
OTHERS = ("greedy", "tuned", "search:20", "random")


@click.command()
@game_argument
@rules_options
@click.option("--like", default="strong", show_default=True, help="The player that searches with the model.")
@click.option("--from", "start", type=click.Path(path_type=Path), metavar="NAME", help="A model to go on from, as -o.")
@click.option("--rounds", type=click.IntRange(1, 100), default=4, show_default=True, help="Of playing and fitting.")
@click.option("--games", type=click.IntRange(100, 10_000_000), default=6000, show_default=True, help="A round.")
@click.option("--every", type=click.IntRange(1, 1000), default=4, show_default=True, help="Look at one choice in N.")
@model_options(OTHERS)
def learn(game: str, output_format: str, **options: Any) -> None:
    """Learn how likely each seat of GAME is to win, from what it sees, and keep the model as data.

    In each round the player searches with the model learned so far, other players sit at one seat in four, and who
    won teaches the next model. A preset of your own plays with it: base = "search", model = "NAME". The same options
    give the same model on any number of threads.

    \b
    atlantis learn end-of-atlantis --players 4 --rounds 4 -o models/mine
    atlantis learn atlantica --players 3 --set A02b=former --rounds 2 -o models/former
    """
    from analysis.commands.progress import announce_compiling
    from sim.networks import write_network
    from sim.rulebook import load_rules

    chosen = find_game(game)
    rulebook = load_rules(
        chosen, options["players"], options["variant"], options["rules_file"], options["settings"]
    )
    path = place_model(options["output"], rulebook.players, options["force"])
    announce_compiling(chosen)
    teacher = _prepare(chosen, rulebook, options)
    done: list[Round] = []
    for found in watch_rounds(teacher.teach, options["rounds"], teacher.games):
        done.append(found)
        click.echo(_say_round(found), err=True)
        write_network(path, found.network)
    click.echo(f"model  {path}", err=True)
    if output_format == "json":
        rounds = [{"round": one.number + 1, "games": one.games, **vars(one.fit)} for one in done]
        click.echo(json.dumps({"file": str(path), "rounds": rounds}))
        return
    click.echo(say_fit(done[-1].fit))


def _prepare(game: Any, rulebook: Any, options: dict[str, Any]) -> "Teacher":
    from sim.learning import Teacher
    from sim.networks import find_network
    from sim.policies import find_policy

    policies = game.policies
    if "search" not in policies.own:
        raise UserError(f"{game.title} has no policy that searches, so nothing could use a value model.")
    policy = find_policy(game, options["like"])
    module = policies.find_module("search")
    if policy.function is not policies.load("search")[0]:
        raise UserError(f"--like {options['like']} does not search; a preset with base = \"search\" does, as strong.")
    plain = policy.weights.copy()
    horizon = module.NAMES.index("horizon")
    plain[horizon] = module.WEIGHTS[horizon]  # without a model it looks as far as search does
    found = [find_policy(game, name) for name in options["others"] or OTHERS]
    start = options["start"]
    return Teacher(
        game,
        rulebook,
        policy.function,
        policy.weights,
        plain,
        [one.seat(rulebook.players) for one in found],
        start=find_network(game, start, rulebook.players) if start else None,
        seed=options["seed"],
        games=options["games"],
        every=options["every"],
        jobs=options["jobs"],
        made={"command": say_command()},
    )


def place_model(stem: Path, players: int, force: bool) -> Path:
    """The file of a model for so many players. UserError if it is there and is not to be replaced."""
    from sim.networks import place_network

    path = place_network(stem, players)
    if path.exists() and not force:
        raise UserError(f"{path} is already there; choose another place with -o, or --force replaces it.")
    return path


def watch_rounds(
    teach: Callable[[int, Callable[[int, int], None]], Iterator[Found]], rounds: int, games: int
) -> Iterator[Found]:
    """What each round of `teach` finds, with a bar for the games of all of them."""
    from analysis.commands.progress import progress_bar

    with progress_bar(rounds * games) as show:
        done = 0

        def tell(number: int, played: int) -> None:
            nonlocal done
            done += played
            if show:
                show(done)

        yield from teach(rounds, tell)


def _say_round(found: "Round") -> str:
    fit = found.fit
    return (
        f"round {found.number + 1}: {found.games:,} games, log loss {fit.loss:.4f} "
        f"(lead by time {fit.table:.4f}, a constant {fit.constant:.4f})"
    )


def say_fit(fit: Any) -> str:
    """How chances fit, for people."""
    lines = [f"{fit.positions:,} positions of {fit.games:,} games that it was not fitted to:"]
    lines += [f"  it says {chance:6.1%}, they win {credit:6.1%}" for chance, credit in fit.bins]
    lines.append(f"The largest gap is {100 * fit.gap:.1f} pp. Log loss {fit.loss:.4f}; a plain table of lead by time")
    lines.append(f"has {fit.table:.4f}, one and the same chance for all {fit.constant:.4f}.")
    return "\n".join(lines)
