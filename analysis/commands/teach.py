"""`atlantis teach GAME`: fit a fast policy to what a slow one chooses, and keep it as data."""

import json
from typing import TYPE_CHECKING, Any

import click

from analysis.commands.learn import place_model, watch_rounds
from analysis.commands.options import game_argument, model_options, rules_options, say_command
from sim.errors import UserError
from sim.games import find_game

if TYPE_CHECKING:
    from sim.teaching import Lesson

OTHERS = ("greedy", "tuned")


@click.command()
@game_argument
@rules_options
@click.option("--by", "teacher", default="strong", show_default=True, help="Whose search finds what choices are worth.")
@click.option(
    "--prompt",
    "prompts",
    multiple=True,
    metavar="PROMPT",
    help="What is taught; may be given again. Elsewhere the pupil plays as its heuristic. [default: everything]",
)
@click.option("--like", default="fast", show_default=True, help="The preset whose weights the pupil plays with.")
@click.option("--rounds", type=click.IntRange(1, 100), default=3, show_default=True, help="Of playing and fitting.")
@click.option("--games", type=click.IntRange(100, 10_000_000), default=2000, show_default=True, help="A round.")
@click.option("--every", type=click.IntRange(1, 1000), default=2, show_default=True, help="Ask at one choice in N.")
@click.option("--worlds", type=click.IntRange(1, 1000), default=6, show_default=True, help="In which each is tried.")
@model_options(OTHERS)
def teach(game: str, output_format: str, **options: Any) -> None:
    """Teach a fast policy of GAME what its choices are worth by a slow one's search, and keep it as data.

    In the first round their heuristic plays, in the others the pupil; at some of its choices each legal action is
    tried as the slow one would, and a network learns what they were worth. A preset of your own plays with it:
    base = "taught", model = "NAME". The same options give the same model on any number of threads.

    \b
    atlantis teach end-of-atlantis --players 4 -o models/quick
    atlantis teach atlantica --players 3 --by search:50 --rounds 2 -o models/quick
    """
    from analysis.commands.progress import announce_compiling
    from sim.networks import write_network
    from sim.policies import find_policy
    from sim.rulebook import load_rules
    from sim.teaching import School

    chosen = find_game(game)
    rulebook = load_rules(chosen, options["players"], options["variant"], options["rules_file"], options["settings"])
    path = place_model(options["output"], rulebook.players, options["force"])
    known = chosen.module("codes").PROMPTS[1:]
    for prompt in options["prompts"]:
        if prompt not in known:
            raise UserError(f"--prompt {prompt}: {chosen.title} has no such prompt; valid: {', '.join(known)}.")
    teacher, pupil = (find_policy(chosen, options[name]) for name in ("teacher", "like"))
    if "search" not in chosen.policies.own or teacher.function is not chosen.policies.load("search")[0]:
        raise UserError(f"--by {options['teacher']} does not search; a preset with base = \"search\" does, as strong.")
    if "taught" not in chosen.policies.own or pupil.function is not chosen.policies.load("taught")[0]:
        raise UserError(f"--like {options['like']} cannot be taught; a preset with base = \"taught\" can, as fast.")
    announce_compiling(chosen)
    others = [find_policy(chosen, name) for name in options["others"] or OTHERS]
    school = School(
        chosen,
        rulebook,
        teacher,
        pupil,
        options["prompts"] or known,
        [one.seat(rulebook.players) for one in others],
        seed=options["seed"],
        games=options["games"],
        every=options["every"],
        worlds=options["worlds"],
        jobs=options["jobs"],
        made={"command": say_command()},
    )
    done: list[Lesson] = []
    for lesson in watch_rounds(school.teach, options["rounds"], options["games"]):
        done.append(lesson)
        click.echo(_say(lesson), err=True)
        write_network(path, lesson.network)
    click.echo(f"model  {path}", err=True)
    if output_format == "json":
        rounds = [
            {"round": one.number + 1, "positions": one.positions, "explained": one.explained} for one in done
        ]
        click.echo(json.dumps({"file": str(path), "rounds": rounds}))
    else:
        click.echo(_say(done[-1]))


def _say(lesson: "Lesson") -> str:
    return (
        f"round {lesson.number + 1}: {lesson.actions:,} actions at {lesson.positions:,} positions; in games apart it "
        f"explains {lesson.explained:.0%} of what their worth differs by, the trials' noise included"
    )
