"""The commands as functions, for notebooks and programs: play, ask, tell, check.

    from analysis.api import ask, play, tell

    run = play("end-of-atlantis", players=4, games=10_000, seed=7)
    ask("seat", run)
    print(tell(run, 123))

Runs are kept in folders under runs/, as `atlantis ask` keeps them: what has been played is found again. What
cannot be done raises sim.errors.UserError with a sentence on what would be valid.
"""

import warnings
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import polars as pl

from analysis.commands.progress import announce_compiling
from analysis.frames import Run, read_run
from analysis.questions import find_questions
from analysis.questions.answer import Answer
from analysis.questions.asking import ask_of
from analysis.questions.question import Spec
from analysis.questions.supply import FOLDER, Supply
from sim.errors import UserError
from sim.games import find_game
from sim.peeking import GAMES, Verdict, check_policy
from sim.policies import find_policy
from sim.trace import list_changes, trace_recorded, write_text

__all__ = ["as_frame", "ask", "check", "play", "read_run", "tell"]

Say = Callable[[str], None]


def play(
    game: str,
    *,
    players: int = 4,
    lineup: str = "greedy",
    games: int = 10_000,
    seed: int = 1,
    variants: Sequence[str] = (),
    settings: Sequence[str] = (),
    rules_files: Sequence[str | Path] = (),
    detail: str = "turns",
    keep: str | Path = FOLDER,
    say: Say = print,
) -> Run:
    """Play `games` games of `game`, or find them where they were kept.

    `lineup`, `variants`, `settings` ("start_vp=3"), `rules_files` and `detail` are what `atlantis simulate` takes as
    --lineup, --variant, --set, --rules and --detail. The run lies in a folder of its own in `keep`. `say` hears in a
    sentence what is played or read.

    The tables are `run.folder.scan(name)`, a polars LazyFrame, or Parquet files in `run.folder.path / name`.
    """
    spec = Spec(
        game=game,
        players=players,
        variants=_list(variants),
        rules_files=tuple(map(Path, [rules_files] if isinstance(rules_files, str | Path) else rules_files)),
        settings=_list(settings),
        lineup=lineup,
        games=games,
        seed=seed,
        detail=detail,
    )
    return Supply(Path(keep), tell=say, prepare=announce_compiling).get(spec)


def _list(words: Sequence[str]) -> tuple[str, ...]:
    """One word alone is a list of one."""
    return (words,) if isinstance(words, str) else tuple(words)


def ask(
    question: str,
    runs: Run | Mapping[str, Run],
    *,
    mixes: Sequence[str] = (),
    delta: float = 0.01,
    say: Say = print,
) -> Answer:
    """The answer to a question of `atlantis questions`, from a run, or from several by the label of each.

    A question that compares runs, such as "variant", plays what one run alone lacks and keeps it beside that one.
    `mixes` are lineups that it is asked of too; `delta` is how far from even still counts as balanced, as a fraction:
    0.01 is one percentage point.

    A notebook shows the answer with its picture, print() as text, as_frame() makes a table of its figures.
    """
    found = find_questions(question)
    if len(found) > 1:
        raise UserError(f"{len(found)} questions are asked in {question}; ask them one at a time.")
    start = {"": runs} if isinstance(runs, Run) else dict(runs)
    if not start:
        raise UserError(f"{question} needs a run to be asked of, and none is given.")
    if mixes and len(start) > 1:
        raise UserError("mixes ask one run of other players; give one run.")
    if len({run.game.name for run in start.values()}) > 1:
        raise UserError("these runs are of different games, which no question compares.")
    if not 0 < delta < 0.5:
        raise UserError(f"delta is {delta:g}: it needs a fraction above 0 and below 0.5, for example 0.01 for 1 pp.")
    first = next(iter(start.values()))
    supply = Supply(first.folder.path.parent, tell=say, prepare=announce_compiling)
    return ask_of(found[0], start, supply, delta, _list(mixes))


def as_frame(answer: Answer) -> pl.DataFrame:
    """The figures that an answer rests on: `label`, `value` with its 95% interval from `low` to `high`, `n`, and the
    `target` that it is held against, null where there is none. Shares and differences in pp are fractions."""
    rows = [
        (f.label, f.estimate.value, f.estimate.low, f.estimate.high, f.estimate.n, f.target) for f in answer.figures
    ]
    kinds = {"label": pl.String, **dict.fromkeys(("value", "low", "high"), pl.Float64), "n": pl.Int64}
    return pl.DataFrame(rows, schema={**kinds, "target": pl.Float64}, orient="row")


def tell(run: Run, game: int = 0) -> str:
    """Game number `game` of a run, counted from 0 as in its tables, played again and told in words.

    Warns where rules, policies or atlantis have changed since, so that the game may go otherwise now. Raises
    PolicyError where a policy does not get through that game.
    """
    told = trace_recorded(run.folder, game)
    if told.error:
        raise told.error
    changes = list_changes(run.manifest, told.run)
    if changes:
        warnings.warn(f"changed since {run.folder.path} was played: {', '.join(changes)}", stacklevel=2)
    return "\n".join(write_text(told))


def check(game: str, policy: str, *, games: int = GAMES) -> Verdict:
    """Whether a policy plays fair, asked at every decision of `games` games: "FILE.py:name" or a name.

    `Verdict.sound` says it in a word, `held` says what it kept to, `findings` what it did, where and how to see it,
    `prompts` how often it was asked, `nanoseconds` how long it takes a decision.
    """
    found = find_game(game)
    announce_compiling(found)
    return check_policy(found, find_policy(found, policy), games=games)
