"""What a told game is made of, whatever the game: facts, one a thing that happened.

`sim.trace` replays a game and hands its steps to the story of that game, the package
`sim.stories.<kernel package>`, which offers

    tell_game(rulebook, start, steps) -> Iterator[Fact]     start and steps as sim.trace gives them
    write_text(facts) -> Iterator[str]                      lines of plain text
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass
from types import SimpleNamespace
from typing import Any, ClassVar

import numpy as np

Sight = SimpleNamespace  # a state or rules record as plain Python numbers and lists, by field name


@dataclass(frozen=True, kw_only=True)
class Fact:
    """One thing that happened.

    `kind` is its name in JSON and never changes its meaning; `turn` is 0 before the first; `phase` is one of
    the game's; `seat` is who did it, from 0, or None; `rulings` are the ids of rules that the rulebook does
    not print and that mattered here.
    """

    kind: ClassVar[str]
    turn: int
    phase: str
    seat: int | None = None
    rulings: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Opening(Fact):
    """The game that is about to be told; `lineup` is the policy token of each seat."""

    kind: ClassVar[str] = "game"
    title: str
    players: int
    lineup: tuple[str, ...]
    seed: int
    game: int
    deal: int
    arrangement: int
    variants: tuple[str, ...]
    settings: tuple[str, ...]
    rules_files: tuple[str, ...]
    replicate: int


@dataclass(frozen=True, kw_only=True)
class Chances(Fact):
    """How likely each seat is to win when a turn begins, each from what it sees itself, scaled to add up to 1.

    By the game's value model, which has seen the game played well.
    """

    kind: ClassVar[str] = "chances"
    chances: tuple[float, ...]


@dataclass(frozen=True)
class Step:
    """One choice and what came of it: `legal` action codes, the `action` taken, and three sights.

    `before` is the prompt, `applied` is right after `apply`, `after` is the next prompt or the end.
    `truncated`: the driver ended the game here, for too many decisions.
    """

    before: Sight
    legal: tuple[int, ...]
    action: int
    applied: Sight
    after: Sight
    truncated: bool = False


def as_event(fact: Fact) -> dict[str, Any]:
    """A fact as JSON: turn, phase, kind, seat (from 0, or null) and data, which holds all else.

    What data holds is said by the facts of each game; empty rulings and awards are left out.
    """
    common = {field.name for field in fields(Fact)} - {"rulings"}
    data = {name: value for name, value in _plain(fact).items() if name not in common}
    for name in ("rulings", "awards"):
        if not data.get(name):
            data.pop(name, None)
    return {"turn": fact.turn, "phase": fact.phase, "kind": fact.kind, "seat": fact.seat, "data": data}


def _plain(value: Any) -> Any:
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return {key: _plain(entry) for key, entry in value.items()}
    if isinstance(value, (tuple, list)):
        return [_plain(entry) for entry in value]
    return value


def see(record: Any) -> Sight:
    """A record, such as a state or the rules, as plain Python numbers and lists that do not change with it."""
    values = (value.tolist() if isinstance(value, np.ndarray) else value for value in record.item())
    return Sight(**dict(zip(record.dtype.names, values, strict=True)))
