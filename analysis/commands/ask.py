"""`atlantis ask QUESTION RUN` and `atlantis ask QUESTION GAME`: one balance question, answered.

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
    open_supply,
    rules_options,
    write_out,
)
from analysis.commands.report import read_margin
from sim.errors import UserError
from sim.games import GAMES

if TYPE_CHECKING:
    from analysis.frames import Run
    from analysis.questions.answer import Answer
    from analysis.questions.question import Question, Spec
    from analysis.questions.supply import Supply

_PLAYS = ("players", "variant", "rules_file", "settings", "games", "seed", "lineup", "panel")
_UNTIL_GAMES = 2_000_000


def _complete_question(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    from analysis.questions import QUESTIONS

    before, comma, last = incomplete.rpartition(",")
    return [f"{before}{comma}{name}" for name in QUESTIONS if name.startswith(last)]


@click.command()
@click.argument("questions", metavar="QUESTION[,QUESTION...]", shell_complete=_complete_question)
@click.argument("target", metavar="GAME|RUN...", nargs=-1, required=True, shell_complete=lambda *_: list(GAMES))
@rules_options
@click.option(
    "--games",
    "-n",
    type=click.IntRange(min=1),
    default=50_000,
    help="How many games to play where they are missing; with --until, the most. [default: what each member of the "
    "panel plays; of one player 50,000; with --until 2,000,000]",
)
@click.option("--seed", type=int, default=1, show_default=True, help="Decides every card.")
@click.option(
    "--lineup",
    default="greedy",
    help="Ask it of these players alone: greedy, or greedy*3,random. [default: the game's panel]",
)
@click.option(
    "--panel",
    metavar="POLICY,POLICY",
    help="Ask it of these players, one kind after the other. [default: the game's panel]",
)
@click.option(
    "--mix",
    "mixes",
    multiple=True,
    metavar="LINEUP",
    help="Ask it of these players too and compare; may be given again.",
)
@click.option(
    "--delta",
    metavar="PP",
    default="1",
    show_default=True,
    help="How far from even still counts as balanced, in percentage points.",
)
@click.option(
    "--until",
    metavar="RULE",
    help="Play until decided, or until the intervals are so narrow: 0.2pp. Valid however often one looks.",
)
@answer_format_option
@click.option("--plot", type=click.Path(path_type=Path), metavar="FILE", help="Also draw it: a .svg or .png file.")
@keep_option
@jobs_option
@click.pass_context
def ask(ctx: click.Context, /, **options: Any) -> None:
    """Answer balance questions from a run folder, or of a GAME: what is missing is played and kept under runs/.

    The first line of an answer is the verdict; what follows is why to believe it and why not. A GAME is asked of a
    panel of unlike players, so that the answer is about the game and not about one player (docs/players.md); --lineup
    asks one. Several questions, separated by commas, share their runs. See: atlantis questions.

    \b
    atlantis ask seat runs/base
    atlantis ask seat,length,ties end-of-atlantis --players 5 --variant aggressive-neutrals --games 200000
    atlantis ask seat end-of-atlantis
    atlantis ask seat end-of-atlantis --panel strong,tuned --games 500
    atlantis ask seat end-of-atlantis --lineup greedy --mix random --mix greedy*3,random
    atlantis ask seat end-of-atlantis --lineup greedy --until decided
    atlantis ask variant end-of-atlantis --variant family
    """
    from analysis.questions import find_questions
    from analysis.questions.asking import ask_of, ask_panel, takes_panel
    from analysis.questions.question import Spec

    asked = find_questions(options["questions"])
    delta = read_margin(options["delta"])
    _check_plot(options["plot"], asked)
    given = {name for name in options if ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE}
    if options["until"] and "games" not in given:
        options["games"] = _UNTIL_GAMES
    supply = open_supply(options)
    start = _find_start(options, given, supply, asked)
    if options["until"] and isinstance(start, Spec):
        answers = [_answer_until(question, start, supply, options, delta) for question in asked]
    elif isinstance(start, Spec) and (members := _find_panel(options, given)):
        answers = [
            ask_panel(question, start, supply, delta, members)
            if takes_panel(question, start)
            else ask_of(question, start, supply, delta)
            for question in asked
        ]
    else:
        answers = [ask_of(question, start, supply, delta, options["mixes"]) for question in asked]

    from analysis.questions.show import render

    colour = options["output_format"] == "text" and sys.stdout.isatty()
    click.echo(render(answers, options["output_format"], colour), nl=False)
    if options["plot"]:
        _draw(answers[0], options["plot"])


def _find_panel(options: dict[str, Any], given: set[str]) -> list[tuple[str, int]]:
    """The members to ask, and how many games each plays; none where one lineup is asked."""
    from analysis.questions.question import find_traits
    from sim.games import find_game
    from sim.policies import check_name

    if options["panel"] is not None and "lineup" in given:
        raise UserError("--panel asks one kind of player after the other and --lineup one alone; give one of them.")
    if options["panel"] is None and (options["mixes"] or "lineup" in given):
        return []
    game = find_game(options["target"][0])
    members = list(find_traits(game).panel)
    if options["panel"] is not None:
        usual = dict(members)
        tokens = [token.strip() for token in options["panel"].split(",")]
        for token in tokens:
            check_name(game, token)
        members = [(token, usual.get(token, options["games"])) for token in dict.fromkeys(tokens)]
    return [(token, options["games"] if "games" in given else games) for token, games in members]


def _check_plot(file: Path | None, asked: list[Question]) -> None:
    if file is None:
        return
    check_ending(file, "--plot", (".svg", ".png"))
    if len(asked) > 1:
        raise UserError(f"--plot draws one question, and {len(asked)} are asked; ask for the drawing alone.")


def _find_start(
    options: dict[str, Any], given: set[str], supply: Supply, asked: list[Question]
) -> Spec | dict[str, Run]:
    """What the questions start from: a spec of GAME, or the run folders by label."""
    target: tuple[str, ...] = options["target"]
    if len(target) == 1 and target[0] in GAMES:
        return _make_spec(options, asked)
    if any(name in GAMES for name in target):
        raise UserError("give one game, or run folders, not both.")
    clash = [name for name in _PLAYS if name in given]
    if clash:
        option = {"rules_file": "rules", "settings": "set"}.get(clash[0], clash[0])
        raise UserError(
            f"--{option} says what to play, and {target[0]} is taken as a run that has been played. "
            f"Games: {', '.join(GAMES)}."
        )
    if options["until"]:
        raise UserError("--until plays on, so it needs a game and not a run: atlantis ask seat GAME --until decided.")
    for name in target:
        if not Path(name).exists():
            close = get_close_matches(name, GAMES, 1)
            hint = f" Did you mean {close[0]}?" if close else ""
            raise UserError(f"{name} is neither a run folder nor a game.{hint} Games: {', '.join(GAMES)}.")
    from analysis.frames import read_run

    runs = [read_run(Path(name)) for name in target]
    if len(runs) > 1 and options["mixes"]:
        raise UserError("--mix asks one run of other players; give one run folder.")
    if len({run.game.name for run in runs}) > 1:
        raise UserError("these runs are of different games, which no question compares.")
    return dict(zip(target, runs, strict=True))


def _make_spec(options: dict[str, Any], asked: list[Question]) -> Spec:
    from analysis.questions.answer import needed_detail
    from analysis.questions.question import Spec, why_not
    from sim.games import find_game

    game = find_game(options["target"][0])
    sensible = [question for question in asked if not why_not(question, game)]
    return Spec(
        game=game.name,
        players=options["players"],
        variants=options["variant"],
        rules_files=options["rules_file"],
        settings=options["settings"],
        lineup=options["lineup"],
        games=options["games"],
        seed=options["seed"],
        detail=needed_detail(sensible, game),
    )


def _answer_until(
    question: Question, spec: Spec, supply: Supply, options: dict[str, Any], delta: float
) -> Answer:
    from analysis.page import Section
    from analysis.questions import QUESTIONS
    from analysis.questions.answer import Answer, find_rulings, list_basis
    from analysis.questions.question import load, why_not
    from analysis.questions.supply import plan_spec
    from analysis.questions.until import parse_rule, play_until, tell_look
    from sim.games import find_game

    refusal = why_not(question, find_game(spec.game))
    if refusal:
        return Answer(question, Section(question.id, question.asks, refusal), {}, asked=False)
    rule = parse_rule(options["until"])
    if not question.watch:
        able = ", ".join(q.id for q in QUESTIONS.values() if q.watch)
        raise UserError(f"--until waits for shares of games, and {question.id} has none. It works for: {able}.")
    if options["mixes"]:
        raise UserError("--until and --mix do not go together: the mixes would stop at different lengths.")
    watch = load(question.watch)
    chunk = plan_spec(spec, supply.prepare).chunk
    run, look = play_until(
        watch, lambda games: supply.get(spec, upto=games), spec.games, chunk, rule, delta
    )
    section = tell_look(question.id, question.asks, watch(run), look, rule, delta, spec.games)
    runs = {"": run}
    return Answer(question, section, runs, tuple(list_basis(question, runs)), find_rulings(question, runs))


def _draw(answer: Answer, file: Path) -> None:
    sections = (answer.section, *answer.more)
    pictures = [picture for s in reversed(sections) for block in s.blocks for picture in block.pictures]
    if not pictures:
        raise UserError(f"{answer.question.id} has nothing to draw here.")
    write_out(file, lambda file: pictures[0].save(file, file.suffix.lower()[1:]))
