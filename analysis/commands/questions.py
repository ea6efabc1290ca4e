"""`atlantis questions`: what can be asked, one line each."""

from __future__ import annotations

import json

import click

from sim.games import GAMES, find_game


@click.command()
@click.argument("game", metavar="[GAME]", required=False, shell_complete=lambda *_: list(GAMES))
@click.option("--format", "output_format", type=click.Choice(["text", "json"]), default="text", show_default=True)
def questions(game: str | None, output_format: str) -> None:
    """List the balance questions, for atlantis ask; with GAME those that make sense for it, and why others do not.

    \b
    atlantis questions
    atlantis questions end-of-atlantis
    """
    from analysis.questions import QUESTIONS
    from analysis.questions.question import why_not

    found = find_game(game) if game else None
    refused = {q.id: why_not(q, found) for q in QUESTIONS.values()} if found else {}
    if output_format == "json":
        listed = [
            {
                "id": q.id,
                "asks": q.asks,
                "kind": q.kind,
                "tables": q.needs.tables,
                "several_runs": bool(q.needs.arms),
                "until": bool(q.watch),
                "why_not": refused.get(q.id, ""),
            }
            for q in QUESTIONS.values()
        ]
        click.echo(json.dumps(listed, indent=1, ensure_ascii=False))
        return
    width = max(map(len, QUESTIONS)) + 2
    for q in QUESTIONS.values():
        if not refused.get(q.id):
            click.echo(f"{q.id:<{width}}{q.asks} ({q.kind})")
    for q in QUESTIONS.values():
        if refused.get(q.id):
            click.echo(f"{q.id:<{width}}not here: {refused[q.id]}")
