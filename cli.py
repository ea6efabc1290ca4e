"""The command line: a table of commands, each imported only when it is used."""

import os
import sys
from importlib import import_module
from typing import Any

import click

from sim.errors import UserError

COMMANDS = {
    "simulate": ("analysis.commands.simulate:simulate", "Play many games into a run folder."),
    "report": ("analysis.commands.report:report", "Turn a run folder into a page to read."),
    "ask": ("analysis.commands.ask:ask", "Answer a balance question, playing what is missing."),
    "compare": ("analysis.commands.compare:compare", "Say what changes from one run or set of rules to another."),
    "questions": ("analysis.commands.questions:questions", "List the balance questions."),
    "tournament": ("analysis.commands.tournament:tournament", "Let policies play each other: is one best?"),
    "trace": ("analysis.commands.trace:trace", "Replay one game and tell it."),
    "rules": ("analysis.commands.rules:rules", "Show the rules in force and where each comes from."),
    "variants": ("analysis.commands.variants:variants", "List the variants of a game."),
    "policies": ("analysis.commands.policies:policies", "List the policies of a game, start one, check one."),
    "tune": ("analysis.commands.tune:tune", "Look for better weights of a policy."),
    "learn": ("analysis.commands.learn:learn", "Fit a value model: how likely each seat is to win."),
    "teach": ("analysis.commands.teach:teach", "Teach a fast policy what a slow one chooses."),
    "exploit": ("analysis.commands.exploit:exploit", "Find the most that any opponent takes from a player."),
    "bench": ("analysis.commands.bench:bench", "Measure how fast games are played here."),
}


class _Lazy(click.Command):
    """Stands for a command in help, completion and suggestions until it is used."""

    def __init__(self, name: str, target: str, line: str) -> None:
        super().__init__(name, help=line)
        self.target = target

    def load(self) -> click.Command:
        module, _, name = self.target.partition(":")
        command = getattr(import_module(module), name)
        assert isinstance(command, click.Command)
        return command


class _Atlantis(click.Group):
    """Loads a command when it is resolved, and turns what may go wrong into one line and an exit code."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name, command, rest = super().resolve_command(ctx, args)
        return name, command.load() if isinstance(command, _Lazy) else command, rest

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except UserError as error:
            code: int = getattr(error, "exit_code", 2)
            click.echo(f"Error: {error}", err=True)
            if getattr(error, "ends_process", False):  # a thread that never returns would keep it alive
                sys.stdout.flush()
                sys.stderr.flush()
                os._exit(code)
            ctx.exit(code)
        except KeyboardInterrupt as error:
            click.echo(f"\n{str(error) or 'Interrupted.'}", err=True)
            ctx.exit(130)


@click.group(
    cls=_Atlantis,
    commands=[_Lazy(name, target, line) for name, (target, line) in COMMANDS.items()],
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(package_name="atlantis-balance", prog_name="atlantis")
def atlantis() -> None:
    """Monte Carlo balance analysis for board games.

    \b
    atlantis simulate end-of-atlantis --players 4 --games 100000 --seed 7 -o runs/base
    atlantis report runs/base
    """


_INSTALL = {
    "bash": 'add to ~/.bashrc:  eval "$(atlantis completion bash)"',
    "zsh": 'add to ~/.zshrc, after compinit:  eval "$(atlantis completion zsh)"',
    "fish": "run once:  atlantis completion fish > ~/.config/fish/completions/atlantis.fish",
}


@atlantis.command(short_help="Print the script that completes atlantis commands with Tab.")
@click.argument("shell", type=click.Choice(list(_INSTALL)))
def completion(shell: str) -> None:
    """Print the script that completes atlantis commands with Tab in SHELL.

    \b
    bash   add to ~/.bashrc:  eval "$(atlantis completion bash)"
    zsh    add to ~/.zshrc, after compinit:  eval "$(atlantis completion zsh)"
    fish   run once:  atlantis completion fish > ~/.config/fish/completions/atlantis.fish
    """
    from click.shell_completion import get_completion_class

    complete = get_completion_class(shell)
    assert complete is not None
    script = complete(atlantis, {}, "atlantis", "_ATLANTIS_COMPLETE")
    click.echo(f"# To use this, {_INSTALL[shell]}")
    click.echo(script.source_template % script.source_vars())


def main() -> None:
    """Entry point of the console command."""
    atlantis(prog_name="atlantis", windows_expand_args=False)


if __name__ == "__main__":
    main()
