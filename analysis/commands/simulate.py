"""`atlantis simulate GAME`: play many games into a run folder.

What this imports at the top decides how long `--help` and Tab take: numba and polars come in later.
"""

from __future__ import annotations

import json
import math
import secrets
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from analysis.commands.options import jobs_option, rules_options, say_command
from analysis.commands.progress import announce_compiling, progress_bar
from sim.errors import UserError
from sim.games import GAMES, find_game

if TYPE_CHECKING:
    from sim.plan import Run
    from sim.runner import Glance, Outcome, Share
    from sim.store import Manifest

_RULES = ("variant", "rules_file", "settings")
_GAMES = 10_000

policy_option = click.option(
    "--policy",
    metavar="FILE.py:name|NAME",
    help="Who plays on every seat; with --lineup too: on one seat, and --lineup says who plays on the others.",
)


@click.command()
@click.argument("game", metavar="GAME", required=False, shell_complete=lambda *_: list(GAMES))
@rules_options
@click.option(
    "--games", "-n", type=click.IntRange(min=1), default=_GAMES, show_default=True, help="How many games."
)
@click.option("--seed", type=int, help="Decides every card. [default: drawn and printed]")
@click.option(
    "--lineup",
    default="greedy",
    show_default=True,
    help="Who plays: one policy for all seats, or greedy*3,random. FILE.py:name is your own.",
)
@policy_option
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), help="The run folder. [default: runs/GAME-SEED]"
)
@click.option(
    "--detail",
    default="turns",
    show_default=True,
    help="What is kept: seats, a row a seat; turns, a row a turn too; and a third level that the game names "
    "(votes, actions).",
)
@jobs_option
@click.option(
    "--resume", is_flag=True, help="Play what is missing of the run in -o; the rest is read from there."
)
@click.option("--force", is_flag=True, help="Replace the run in -o.")
@click.option(
    "--patience",
    type=click.FloatRange(min=0.1),
    default=10.0,
    show_default=True,
    help="Seconds a policy may take for one answer.",
)
@click.option(
    "--format", "output_format", type=click.Choice(["text", "json"]), default="text", show_default=True
)
@click.pass_context
def simulate(ctx: click.Context, /, **options: Any) -> None:
    """Play many games of GAME and keep what happened in a run folder.

    The rows depend on the seed, the rules and the lineup alone: any number of jobs gives the same, and so
    does a run that was interrupted and resumed. With unlike policies every deal is played in every seating.

    \b
    atlantis simulate end-of-atlantis --players 4 --games 100000 --seed 7 -o runs/base
    atlantis simulate end-of-atlantis --players 3 --lineup "greedy*2,random" --variant family
    atlantis simulate end-of-atlantis --policy mine.py:careful --lineup greedy
    atlantis simulate --resume -o runs/base
    """
    if options["resume"] and options["force"]:
        raise UserError("--resume keeps what a run folder holds and --force removes it: choose one.")
    given = {name for name in options if ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE}
    path = _choose_folder(options)
    run = _plan_resumed(options, given, path) if options["resume"] else _plan_new(options, given, path)
    outcome = _play(run, path, options)
    _print_outcome(run, outcome, options["output_format"])


def _choose_folder(options: dict[str, Any]) -> Path:
    """-o, or runs/GAME-SEED; a seed is drawn where none is given. Writes the seed to `options`."""
    if options["resume"] and not options["output"]:
        raise UserError("--resume needs the run folder: atlantis simulate --resume -o FOLDER.")
    if not options["resume"]:
        if not options["game"]:
            raise UserError(f"say which game to play. Games: {', '.join(GAMES)}.")
        find_game(options["game"])
        if options["seed"] is None:
            options["seed"] = secrets.randbits(32)
    path: Path = options["output"] or Path("runs") / f"{options['game']}-{options['seed']}"
    return path


def read_lineup(options: dict[str, Any], given: set[str], players: int) -> tuple[str, ...]:
    """The policy of each place, from --lineup, --policy or both; `given` names the options that were typed."""
    from sim.lineup import parse_lineup

    policy = options["policy"]
    if policy is None:
        return parse_lineup(options["lineup"], players)
    if not policy.strip() or set(policy) & set(",*"):
        raise UserError(f"--policy names one policy, got {policy!r}; a mix goes into --lineup, as greedy*3,random.")
    if "lineup" not in given:
        return (policy,) * players
    try:
        return policy, *parse_lineup(options["lineup"], players - 1)
    except UserError as error:
        raise UserError(f"--policy takes one seat, which leaves {players - 1} to --lineup: {error}") from None


def _plan_new(options: dict[str, Any], given: set[str], path: Path) -> Run:
    from sim.plan import plan_run
    from sim.policies import check_name
    from sim.rulebook import load_rules
    from sim.runner import check_free

    game = find_game(options["game"])
    check_free(path, force=options["force"])
    rulebook = load_rules(game, options["players"], *(options[name] for name in _RULES))
    lineup = read_lineup(options, given, rulebook.players)
    for token in dict.fromkeys(lineup):
        check_name(game, token)
    announce_compiling(game)
    return plan_run(
        game,
        rulebook,
        lineup,
        seed=options["seed"],
        games=options["games"],
        detail=options["detail"],
    )


def _plan_resumed(options: dict[str, Any], given: set[str], path: Path) -> Run:
    """The run in `path`, with what is given on the command line in the place of what is there.

    Where the two differ, simulate says in what.
    """
    from sim.plan import plan_run, rebuild_rules
    from sim.rulebook import load_rules
    from sim.store import open_run

    there = open_run(path).manifest
    chosen = {name: options[name] if name in given else value for name, value in _read_options(there).items()}
    game = find_game(chosen["game"])
    if given & {"game", "players", *_RULES}:
        rulebook = load_rules(game, chosen["players"], *(chosen[name] for name in _RULES))
    else:
        rulebook = rebuild_rules(there)
    lineup = read_lineup(options, given, rulebook.players) if given & {"lineup", "policy"} else there.lineup
    announce_compiling(game)
    return plan_run(
        game,
        rulebook,
        lineup,
        seed=chosen["seed"],
        games=chosen["games"],
        detail=chosen["detail"],
        chunk=there.chunk,
        replicate=there.replicate,
        limit=there.limit,
    )


def _read_options(manifest: Manifest) -> dict[str, Any]:
    """The options that would have made the run of a manifest."""
    kept = ("game", "players", "seed", "games", "detail", "settings")
    files = [Path(file) for file in manifest.rules_files]
    return {
        **{name: getattr(manifest, name) for name in kept},
        "variant": manifest.variants,
        "rules_file": files,
    }


def _play(run: Run, path: Path, options: dict[str, Any]) -> Outcome:
    from sim.lineup import warn_about
    from sim.runner import simulate as play

    for warning in warn_about(len(run.arrangements), run.games):
        click.echo(f"Note: {warning}", err=True)
    if not run.jitted:
        click.echo("Note: a policy in plain Python plays much slower, on one core.", err=True)
    with progress_bar(run.games) as progress:
        return play(
            run,
            path,
            jobs=options["jobs"],
            resume=options["resume"],
            force=options["force"],
            progress=progress,
            patience=options["patience"],
            command=say_command(),
        )


def _print_outcome(run: Run, outcome: Outcome, output_format: str) -> None:
    from sim.runner import glance

    seen = glance(outcome.folder)
    click.echo(_as_json(run, outcome, seen) if output_format == "json" else _as_text(run, outcome, seen))


def _as_text(run: Run, outcome: Outcome, seen: Glance) -> str:
    from sim.lineup import spell_lineup

    lines = [
        f"{run.games:,} games of {run.game.title}, {run.players} players, {spell_lineup(run.lineup)}, "
        f"seed {run.seed}: {_spell_time(outcome)}"
    ]
    lines += [_spell_share(f"seat {int(share.name) + 1}", share) for share in seen.seats]
    lines += [_spell_share(share.name, share) for share in seen.policies]
    lines.append(f" length  median {seen.turns:g} turns")
    if seen.unseated:
        lines.append(f" not in these shares: {seen.unseated:,} of a last deal not played in every seating")
    if seen.truncated:
        lines.append(f" not in these shares: {seen.truncated:,} games that were cut off before their end")
    open_rules = len(run.rulebook.open_rules())
    if open_rules:
        lines.append(
            f" {open_rules} rules are not printed in the rulebook (atlantis rules {run.game.name} --open)"
        )
    from sim.exploits import say_weak
    from sim.networks import say_other_rules

    models = {policy.token: policy.model(run.players) for policy in run.policies if policy.model}
    for said in (say_weak(run.game, run.players, run.lineup), say_other_rules(models, run.rulebook.digest)):
        lines += textwrap.wrap(said, 96, initial_indent=" ", subsequent_indent=" ")
    lines.append(f"run     {outcome.folder.path}")
    return "\n".join(lines)


def _spell_time(outcome: Outcome) -> str:
    if not outcome.games:
        return "complete already"
    kept = f", {outcome.kept:,} were there before" if outcome.kept else ""
    return f"{outcome.seconds:.1f} s, {outcome.games_a_second:,.0f} a second{kept}"


def _spell_share(name: str, share: Share) -> str:
    interval = "" if math.isnan(share.low) else f" [{share.low:.1%}, {share.high:.1%}]".replace("%", "")
    return f" {name:<7} {share.mean:6.1%}{interval}  of {share.n:,} deals"


def _as_json(run: Run, outcome: Outcome, seen: Glance) -> str:
    def share(key: str, name: str | int, one: Share) -> dict[str, Any]:
        low, high = (None if math.isnan(bound) else bound for bound in (one.low, one.high))
        return {key: name, "credit": one.mean, "low": low, "high": high, "deals": one.n}

    result = {
        "game": run.game.name,
        "players": run.players,
        "lineup": list(run.lineup),
        "seed": run.seed,
        "games": run.games,
        "played_now": outcome.games,
        "seconds": outcome.seconds,
        "seats": [share("seat", int(one.name), one) for one in seen.seats],
        "policies": [share("policy", one.name, one) for one in seen.policies],
        "median_turns": seen.turns,
        "unseated": seen.unseated,
        "truncated": seen.truncated,
        "open_rules": len(run.rulebook.open_rules()),
        "folder": str(outcome.folder.path),
    }
    return json.dumps(result, indent=1)
