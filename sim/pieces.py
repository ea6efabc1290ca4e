"""What a game must bring, piece by piece, and where docs/adding-a-game.md tells of it."""

from collections.abc import Iterator
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

from kernels.engine import loop, notes, random, search
from kernels.engine.contract import DRIVER_FIELDS, PLACE_FIELDS
from kernels.jit import list_given
from sim.errors import UserError

if TYPE_CHECKING:
    from sim.games import Game

GUIDE = "docs/adding-a-game.md"

# The step of the guide that tells of each module of the kernel package, "" being the package itself.
STEPS = {"codes": 2, "rules": 2, "state": 2, "": 2, "step": 5, "check": 5, "tables": 5, "record": 5, "hidden": 7}
# What the floors above want of a kernel package beside what the engine is given.
ALSO = {
    "": "SIGNATURE policy",
    "codes": "PHASES PROMPTS PROMPT_NONE OPTIONS END_REASONS SETTLED_BY SEAT_COLOURS PURPOSE_RESAMPLE",
    "rules": "RULES CHOICES",
    "state": "STATE new_states",
    "tables": "TABLES COLUMNS MOST_ROWS DETAILS",
    "record": "OWN_NOTES MARKS",
    "hidden": "resample_hidden",
    "check": "BROKEN broken_invariant",
    "policies": "REGISTRY",
}
STATE_FIELDS = [field[0] for field in (*PLACE_FIELDS, *DRIVER_FIELDS)] + ["vp", "vp_by"]


def list_wanted() -> dict[str, list[str]]:
    """The names that each module of a game's kernel package must have."""
    wanted = {module: names.split() for module, names in ALSO.items()}
    for template in (loop, notes, random, search):
        for one in list_given(template).values():
            if one.module in STEPS:
                wanted.setdefault(one.module, []).append(one.name)
    return {module: list(dict.fromkeys(names)) for module, names in wanted.items()}


@cache
def check_pieces(game: "Game") -> None:
    """UserError naming the first piece that a game lacks, and the step of the guide."""
    for what, step in _list_lacking(game):
        raise UserError(f"the game {game.name} lacks {what}; see step {step} of {GUIDE}.")


def _list_lacking(game: "Game") -> Iterator[tuple[str, int]]:
    for module, names in list_wanted().items():
        dotted = f"{game.kernels}.{module}" if module else game.kernels
        yield from _lacks(dotted, names, STEPS.get(module, 8))
    fields = game.module("state").STATE.names
    yield from ((f"the field {name} of {game.kernels}.state.STATE", 2) for name in STATE_FIELDS if name not in fields)
    yield from _lacks(f"{game.rules}.schema", ["SHAPES", "CHECKS"], 4)
    if not (game.rules_folder / "base.toml").is_file():
        yield f"the file base.toml in {game.rules}", 4
    yield from _lacks(game.part("sim.stories", "story"), ["tell_game", "write_text"], 9)


def _lacks(dotted: str, names: list[str], step: int) -> Iterator[tuple[str, int]]:
    try:
        there = find_spec(dotted) is not None
    except ModuleNotFoundError:
        there = False
    if not there:
        yield f"the module {dotted}", step
        return
    module = import_module(dotted)
    yield from ((f"{dotted}.{name}", step) for name in names if not hasattr(module, name))
