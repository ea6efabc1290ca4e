"""`atlantis policies GAME`: who can play, a file to start one's own from, and whether a policy plays fair.

What this imports at the top decides how long `--help` and Tab take: numba and polars come in later.
"""

from __future__ import annotations

import json
import sys
import textwrap
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from analysis.commands.options import game_argument
from sim.errors import UserError
from sim.games import GAMES, Game, find_game

if TYPE_CHECKING:
    from sim.exploits import Exploit
    from sim.learning import Calibration
    from sim.networks import Network
    from sim.peeking import Finding, Verdict
    from sim.policies import Policy

WIDTH = 96

_HOW = {
    "peeks": "A fair policy reads what its seat may see: the fields marked (all) in {state}, its own row, "
    "state.actor, of those marked (own), the rules, its legal actions, its weights, and words it draws with "
    "draw_word(state, PURPOSE_POLICY, state.actor). To look ahead, copy the state to a scratch state and "
    "resample_hidden it before playing on.",
    "wavers": "Chance comes from draw_word alone, and nothing may be kept from one call to the next, be it in "
    "variables or in scratch states.",
    "meddles": "A policy only reads what it is handed; drawing random words is all that may change. To try "
    "things out, copy the state to a scratch state.",
    "strays": "The answer is an index into legal[:n], from 0 to n - 1.",
    "raises": "",
}


_ASPECTS = {
    "strays": "legal",
    "wavers": "deterministic",
    "meddles": "read only",
    "peeks": "does not peek",
    "raises": "does not fail",
}


class _Policies(click.Group):
    """Lists the policies of a game where no command is named."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if args and args[0] not in (*self.commands, *ctx.help_option_names):
            args = ["list", *args]
        return super().parse_args(ctx, args)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[Any]:
        from click.shell_completion import CompletionItem

        games = [CompletionItem(name) for name in GAMES if name.startswith(incomplete)]
        return [*games, *super().shell_complete(ctx, incomplete)]


format_option = click.option(
    "--format", "output_format", type=click.Choice(["text", "json"]), default="text", show_default=True
)


@click.group(cls=_Policies, subcommand_metavar="[COMMAND] GAME [ARGS]...")
def policies() -> None:
    """List the policies of GAME, write a file to start your own from, or check that one plays fair.

    \b
    atlantis policies end-of-atlantis
    atlantis policies new end-of-atlantis mine.py
    atlantis policies check end-of-atlantis mine.py:compiled
    """


@policies.command("list", short_help="List the policies of a game; may be left out.")
@game_argument
@click.option("--players", type=int, help="At a table of how many they are judged. [default: 4]")
@format_option
def list_(game: str, players: int | None, output_format: str) -> None:
    """List the policies of GAME: built in, presets of these, and those of installed packages.

    Their names go into --lineup and --policy. A policy of your own goes by FILE.py:name. Beside each stands the most
    that any opponent found takes among players of its kind (atlantis exploit): how far to trust what it says of the
    game.

    \b
    atlantis policies end-of-atlantis
    atlantis policies atlantica --players 3 --format json
    """
    from sim.exploits import find_exploit  # numba: slow to import, and not needed for help
    from sim.policies import list_policies

    chosen = find_game(game)
    number = choose_players(chosen, players)
    found = list_policies(chosen)
    exploits = {name: find_exploit(chosen, number, name) for name in found}
    if output_format == "json":
        told = {name: one.model_dump() if one else None for name, one in exploits.items()}
        click.echo(json.dumps({name: {"line": line, "most": told[name]} for name, line in found.items()}, indent=1))
        return
    column = max(map(len, found)) + 2
    for name, line in found.items():
        text = f"{line}. {say_exploit(exploits[name], number)}"
        click.echo(textwrap.fill(text, WIDTH, initial_indent=name.ljust(column), subsequent_indent=" " * column))
    click.echo(f"\nOr one of your own, FILE.py:name. To start one: atlantis policies new {game} FILE.py", err=True)


def choose_players(game: Game, players: int | None) -> int:
    """A number of players that the game allows; 4, or the most it allows, where none is given."""
    if players is not None and players not in game.players:
        raise UserError(f"--players {players}: {game.title} is for {game.players[0]} to {game.players[-1]} players.")
    return players or min(4, max(game.players))


def say_exploit(found: Exploit | None, players: int) -> str:
    """How exploitable a player is, as a sentence."""
    if found is None:
        return f"With {players} players, nobody has looked for its best opponent."
    return (
        f"With {players} players, {found.by} takes {found.most:.1%} [{found.low:.1%}, {found.high:.1%}] among such "
        f"({found.games:,} games; even is {1 / players:.0%})."
    )


@policies.command(short_help="Write a file to start a policy of your own from.")
@game_argument
@click.argument("file", metavar="FILE.py", type=click.Path(path_type=Path))
@click.option("--force", is_flag=True, help="Replace FILE.py if it is there already.")
def new(game: str, file: Path, force: bool) -> None:
    """Write a starting point for a policy of GAME: FILE.py with two policies that play as they are.

    One is compiled, one is plain Python. Change either and leave the other out.

    \b
    atlantis policies new end-of-atlantis mine.py
    atlantis policies check end-of-atlantis mine.py:compiled
    atlantis simulate end-of-atlantis --lineup "mine.py:compiled,greedy*3"
    """
    from sim.starting_points import write_starting_point

    commands = write_starting_point(find_game(game), file, force=force)
    click.echo(file)
    click.echo("\nIt plays as it is:", err=True)
    for command in commands:
        click.echo(f"  {command}", err=True)


@policies.command(short_help="Check that a policy plays fair, and how fast it is.")
@game_argument
@click.argument("policy", metavar="FILE.py:name|NAME")
@click.option(
    "--games",
    "-n",
    type=click.IntRange(1, 1_000_000),
    default=48,
    show_default=True,
    help="Games to play, going round player counts and variants.",
)
@click.option(
    "--worlds",
    type=click.IntRange(1, 1000),
    default=4,
    show_default=True,
    help="Other worlds in which each decision is asked again.",
)
@click.option("--seed", type=click.IntRange(0, 2**64 - 1), default=1, show_default=True, help="Decides every card.")
@click.option(
    "--patience",
    type=click.FloatRange(min=0.1),
    default=10.0,
    show_default=True,
    help="Seconds a policy may take for one answer.",
)
@click.option(
    "--calibrate",
    type=click.IntRange(100, 10_000_000),
    metavar="GAMES",
    help="Also hold its value model's chances against fresh games of it and the panel, for each number of players.",
)
@format_option
@click.pass_context
def check(ctx: click.Context, /, game: str, policy: str, output_format: str, **options: Any) -> None:
    """Check that a policy of GAME plays fair, and measure its speed: your own FILE.py:name or a NAME.

    \b
    legal          its answers are within range
    deterministic  asked twice in one state, it answers twice alike
    read only      it leaves state, rules, legal actions and weights alone
    does not peek  asked in worlds that its seat cannot tell from the real one,
                   where hidden cards and bids are dealt anew, it answers the same
    does not fail  it raises no exception
    speed          time a decision
    model          for one with a value model: how far its chances are off

    It catches slips, not malice: a policy is code and can do anything. Exit code 0 if nothing was found, 1 if
    something was, 3 if the policy does not answer at all.

    \b
    atlantis policies check end-of-atlantis greedy
    atlantis policies check end-of-atlantis mine.py:careful --games 200
    atlantis policies check atlantica search:50 --games 4
    atlantis policies check end-of-atlantis strong --games 8 --calibrate 2000
    """
    from analysis.commands.progress import announce_compiling
    from sim.policies import check_name, find_policy

    found = find_game(game)
    check_name(found, policy)
    announce_compiling(found)
    from sim.peeking import check_policy

    calibrating, asked = options.pop("calibrate"), find_policy(found, policy)
    with progress_bar() as progress:
        verdict = check_policy(found, asked, progress=progress, **options)
    if output_format == "text":
        click.echo("\n".join([*_tell(found, verdict), *_tell_models(found, asked)]))
    calibrations = _calibrate(found, asked, calibrating, options["seed"]) if calibrating else []
    if output_format == "json":
        told = {**asdict(verdict), "sound": verdict.sound, "held": verdict.held}
        told["calibration"] = [asdict(one) | {"gap": one.gap} for one in calibrations]
        click.echo(json.dumps(told, indent=1))
    for one in calibrations if output_format == "text" else ():
        click.echo("\n".join(_tell_calibration(one)))
    ctx.exit(0 if verdict.sound else 1)


@contextmanager
def progress_bar() -> Iterator[Callable[[int, int], None] | None]:
    """A bar on stderr with games done; only on a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn

    columns = (BarColumn(), TextColumn("{task.completed:,.0f} of {task.total:,.0f} games"))
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("checking", total=None)
        yield lambda done, games: bar.update(task, completed=done, total=games)


def _tell(game: Game, verdict: Verdict) -> Iterator[str]:
    yield from _wrap(_tell_verdict(verdict))
    for name, value in _list_aspects(verdict):
        yield f"  {name:<15}{value}"
    for finding in verdict.findings:
        yield from _tell_finding(finding)
    for kind in dict.fromkeys(finding.kind for finding in verdict.findings):
        yield from _wrap(_HOW[kind].format(state=f"{game.kernels.replace('.', '/')}/state.py"))
    yield ""
    yield f"{'prompt':<20}{'decisions':>10}{'peeks':>9}"
    for count in verdict.prompts:
        yield f"{count.prompt:<20}{count.decisions:>10,}{count.peeks:>9,}"
    yield from _wrap(_tell_extent(verdict))


def _list_networks(game: Game, policy: Policy) -> dict[int, Network]:
    """The networks of a policy's value model, by number of players; none where it has none."""
    from sim.errors import MissingModelError
    from sim.networks import VALUE

    networks = {}
    for players in game.players if policy.model else ():
        try:
            network = policy.model(players) if policy.model else None
        except MissingModelError:
            continue
        if network and network.about.kind == VALUE:
            networks[players] = network
    return networks


def _tell_models(game: Game, policy: Policy) -> Iterator[str]:
    """How well its value model fitted games that were kept apart when it was made."""
    networks = _list_networks(game, policy)
    if networks:
        yield ""
        yield "its value model, on games kept apart when it was made (--calibrate plays fresh ones)"
    for players, network in networks.items():
        made = network.about.made
        yield (
            f"  {players} players: chances off by {100 * made['largest_gap']:.1f} pp at most in ten bins; log loss "
            f"{made['log_loss']:.3f}, a table of lead by time {made['log_loss_of_lead_by_time']:.3f}, a constant "
            f"{made['log_loss_of_a_constant']:.3f}"
        )


def _calibrate(game: Game, policy: Policy, games: int, seed: int) -> list[Calibration]:
    """A value model held against fresh games of the policy and the game's panel."""
    from analysis.questions.question import find_traits
    from sim.learning import calibrate
    from sim.policies import find_policy
    from sim.rulebook import load_rules
    from sim.runner import count_cores

    networks = _list_networks(game, policy)
    if not networks:
        raise UserError(f"--calibrate: {policy.token} has no value model.")
    found = []
    for players, network in networks.items():
        names = [name for name, _ in find_traits(game).panel if name not in (policy.token, "fast")]
        seats = [policy.seat(players), *(find_policy(game, name).seat(players) for name in names)]
        rulebook = load_rules(game, players)
        found.append(calibrate(game, rulebook, network, seats, games=games, seed=seed, jobs=count_cores()))
    return found


def _tell_calibration(found: Calibration) -> Iterator[str]:
    yield ""
    yield f"{found.players} players, {found.positions:,} positions of {found.games:,} fresh games"
    for chance, credit, half in found.bins:
        yield f"  says {chance:6.1%}, wins {credit:6.1%} [{max(0.0, credit - half):.1%}, {min(1.0, credit + half):.1%}]"
    yield f"  off by {100 * found.gap:.1f} pp at most; log loss {found.loss:.3f}"


def _list_aspects(verdict: Verdict) -> Iterator[tuple[str, str]]:
    """What was looked at and how it came out; an early end leaves the rest open."""
    words = {True: "yes", False: "no", None: "not known, as the check ended early"}
    for kind, name in _ASPECTS.items():
        yield name, words[verdict.held[kind]]
    how = "compiled" if verdict.jitted else "plain Python"
    took = "not measured" if verdict.nanoseconds is None else f"{_spell_time(verdict.nanoseconds)} a decision"
    yield "speed", f"{took}, {how}"


def _tell_verdict(verdict: Verdict) -> str:
    from sim.peeking import KINDS

    if verdict.sound:
        return f"{verdict.policy} plays fair: it answers by what its seat may see."
    did: dict[str, list[str]] = {}
    for finding in verdict.findings:
        did.setdefault(KINDS[finding.kind], []).append(finding.prompt)
    return f"{verdict.policy} {' and '.join(f'{what} at {_join(prompts)}' for what, prompts in did.items())}."


def _tell_extent(verdict: Verdict) -> str:
    if any(finding.kind != "peeks" for finding in verdict.findings):
        return f"The check ended there, in its game {verdict.games}."
    players = sorted({players for players, _ in verdict.tables})
    variants = sorted({name for _, variants in verdict.tables for name in variants})
    span = f"{players[0]} to {players[-1]}" if len(players) > 1 else f"{players[0]}"
    return (
        f"{verdict.decisions:,} decisions in {verdict.games:,} games of {span} players, plain"
        f"{' or with ' if variants else ''}{', '.join(variants)}; each was asked again in {verdict.worlds} worlds."
    )


def _tell_finding(finding: Finding) -> Iterator[str]:
    table = ", ".join([f"{finding.players} players", *finding.variants])
    where = f"game {finding.game} ({table}), turn {finding.turn}, seat {finding.seat + 1}"
    reads = ""
    if finding.kind == "peeks":
        reads = ", ".join(f"state.{part}" for part in finding.reads) or "several hidden fields together"
        reads = f". It reads {reads}"
    yield from _wrap(f"{finding.prompt}: {finding.what}. First in {where}{reads}.", "  ")
    yield f"    {finding.command}"


def _wrap(text: str, indent: str = "") -> list[str]:
    return textwrap.wrap(
        text, WIDTH, initial_indent=indent, subsequent_indent=indent and indent + "  ", break_on_hyphens=False
    )


def _join(words: list[str]) -> str:
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def _spell_time(nanoseconds: float) -> str:
    for unit, size in (("s", 1e9), ("ms", 1e6), ("us", 1e3)):
        if nanoseconds >= size:
            return f"{nanoseconds / size:.3g} {unit}"
    return f"{nanoseconds:.3g} ns"
