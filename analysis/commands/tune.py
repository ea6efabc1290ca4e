"""`atlantis tune GAME`: look for better weights of a policy, and keep them as a preset."""

import json
import sys
from pathlib import Path
from typing import Any

import click

from analysis.commands.options import game_argument, rules_options, say_command
from sim.errors import UserError
from sim.games import find_game


@click.command()
@game_argument
@rules_options
@click.option("--like", default="greedy", show_default=True, help="The policy or preset whose weights to begin with.")
@click.option(
    "--only", multiple=True, metavar="WEIGHT", help="Change this weight only; may be given again. [default: all]"
)
@click.option(
    "--hold",
    multiple=True,
    metavar="WEIGHT=VALUE",
    help="Keep a weight at this value: how a style keeps its character. May be given again.",
)
@click.option("--against", multiple=True, metavar="PRESET", help="A rival that is always among the champions.")
@click.option("--stages", type=click.IntRange(1, 100), default=6, show_default=True, help="Champions to crown.")
@click.option("--generations", type=click.IntRange(1, 1000), default=50, show_default=True, help="Per stage.")
@click.option("--population", type=click.IntRange(4, 200), default=16, show_default=True, help="Candidates each.")
@click.option(
    "--deals", type=click.IntRange(5, 10_000), default=50, show_default=True, help="Deals a candidate plays per field."
)
@click.option("--seed", type=click.IntRange(0, 2**31 - 1), default=1, show_default=True, help="Decides everything.")
@click.option("--jobs", "-j", type=click.IntRange(min=1), default=2, show_default=True, help="Threads.")
@click.option("--name", default="tuned", show_default=True, help="What to call the preset.")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Write the preset to this TOML file.")
@click.option(
    "--format", "output_format", type=click.Choice(["text", "json"]), default="text", show_default=True
)
def tune(game: str, output_format: str, **options: Any) -> None:
    """Tune the weights of a policy of GAME by CMA-ES, and print the preset that comes of it.

    A candidate plays one seat, in every seat of every deal, against the policy it started from and the champions of
    earlier stages; all candidates meet the same deals. The score is measured on deals that the search has not
    seen. The same options give the same weights on any number of threads.

    \b
    atlantis tune end-of-atlantis --stages 6 --generations 50 -o tuned.toml
    atlantis tune atlantica --like tuned --hold ships=2 --name shipper -o shipper.toml
    atlantis simulate atlantica --lineup shipper.toml:shipper,tuned*3
    """
    from analysis.commands.progress import announce_compiling
    from sim.rulebook import load_rules

    chosen = find_game(game)
    rulebook = load_rules(
        chosen, options["players"], options["variant"], options["rules_file"], options["settings"]
    )
    output: Path | None = options["output"]
    if output and output.exists():
        raise UserError(f"{output} is already there; choose another place with -o.")
    announce_compiling(chosen)
    found = _search(chosen, rulebook, options)
    preset = _as_preset(chosen, options, found)
    if output:
        output.write_text(preset, encoding="utf-8")
        click.echo(f"preset  {output}, play it with --lineup {output}:{options['name']}", err=True)
    if output_format == "json":
        against = {name: {"credit": mean, "error": error} for name, (mean, error) in found.against.items()}
        click.echo(json.dumps({"weights": _changed(chosen, options, found), "against": against, "games": found.games}))
        return
    for name, (mean, error) in found.against.items():
        low, high = mean - 1.96 * error, mean + 1.96 * error
        field = f"{options['players'] - 1} x {name}"
        click.echo(f" credit against {field:20} {mean:.1%} [{low:.1%}, {high:.1%}]  even {1 / options['players']:.1%}")
    if not output:
        click.echo(preset)


def _search(game: Any, rulebook: Any, options: dict[str, Any]) -> Any:
    import numpy as np

    from sim.policies import find_policy
    from sim.presets import list_presets, weigh
    from sim.tuning import Tuner

    policy = find_policy(game, options["like"])
    names = _names(game, options["like"])
    start = np.array(policy.weights, dtype=np.float64)
    scales = np.zeros_like(start)
    scales[: len(names)] = np.maximum(0.3 * np.abs(start[: len(names)]), 0.25)
    for name in options["only"]:
        _place(names, name, "--only")
    if options["only"]:
        kept = [i for i, name in enumerate(names) if name not in options["only"]]
        scales[kept] = 0.0
    for setting in options["hold"]:
        name, _, value = setting.partition("=")
        place = _place(names, name, "--hold")
        try:
            start[place] = float(value)
        except ValueError:
            raise UserError(f"--hold {setting}: give a number, as in --hold {name}=1.5.") from None
        scales[place] = 0.0
    if not scales.any():
        raise UserError("there is nothing to tune: --only and --hold leave no weight free.")
    rivals = {name: weigh(game, name) for name in options["against"]}
    known = list_presets(game)
    tuner = Tuner(
        game,
        rulebook,
        policy.function,
        start,
        scales,
        rivals=list(rivals.values()),
        seed=options["seed"],
        deals=options["deals"],
        population=options["population"],
        jobs=options["jobs"],
    )
    for seen in tuner.search(options["stages"], options["generations"]):
        if sys.stderr.isatty() or seen.generation == options["generations"] - 1:
            end = "\r" if seen.generation < options["generations"] - 1 else "\n"
            line = f" stage {seen.stage + 1}, generation {seen.generation + 1}: {seen.credit:.1%} of credit, best of"
            sys.stderr.write(f"{line} {options['population']}; {seen.games:,} games{end}")
    fields = {options["like"]: weigh(game, options["like"])} | rivals
    if "tuned" in known and options["like"] != "tuned":
        fields["tuned"] = weigh(game, "tuned")
    best = tuner.strongest(rounds=max(1, 500 // options["deals"]))
    return tuner.prove(best, fields, rounds=max(2, 2000 // options["deals"]))


def _names(game: Any, like: str) -> tuple[str, ...]:
    from sim.presets import list_presets

    preset = list_presets(game).get(like)
    names: tuple[str, ...] = game.policies.find_module(preset.base if preset else like).NAMES
    if not names:
        raise UserError(f"{like} has no weights to tune.")
    return names


def _place(names: tuple[str, ...], name: str, option: str) -> int:
    if name not in names:
        raise UserError(f"{option}: no weight named {name}. Weights: {', '.join(names)}.")
    return names.index(name)


def _changed(game: Any, options: dict[str, Any], found: Any) -> dict[str, float]:
    names = _names(game, options["like"])
    return {name: round(float(found.weights[i]), 4) for i, name in enumerate(names)}


def _as_preset(game: Any, options: dict[str, Any], found: Any) -> str:
    """The preset as TOML, with what produced it."""
    from sim.presets import list_presets

    preset = list_presets(game).get(options["like"])
    scores = ", ".join(
        f"{mean:.1%} ± {1.96 * error:.1%} against {options['players'] - 1} x {name}"
        for name, (mean, error) in found.against.items()
    )
    lines = [
        f"[{options['name']}]",
        f'line = "{options["like"]} with weights found by atlantis tune"',
        f'base = "{preset.base if preset else options["like"]}"',
        "",
        f"[{options['name']}.made]",
        f"command = {json.dumps(say_command())}",
        f"seed = {options['seed']}",
        f"games = {found.games}",
        f"score = {json.dumps(scores)}",
        "",
        f"[{options['name']}.weights]",
        *(f"{name} = {value}" for name, value in _changed(game, options, found).items()),
    ]
    return "\n".join(lines) + "\n"
