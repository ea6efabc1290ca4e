"""What a game must bring, piece by piece, and where docs/adding-a-game.md tells of it."""

from collections.abc import Iterator
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from math import prod
from typing import TYPE_CHECKING

from kernels.engine import loop, notes, random, search
from kernels.engine.contract import DRIVER_FIELDS, MAX_PLAYERS, PLACE_FIELDS
from kernels.jit import list_given
from sim.errors import UserError

if TYPE_CHECKING:
    from sim.games import Game

GUIDE = "docs/adding-a-game.md"

# Steps of the guide.
REGISTER, RECORDS, DATA, KERNELS, HIDDEN, POLICIES, TOLD = 1, 2, 4, 5, 7, 8, 9
# The one that tells of each module of the kernel package, "" being the package itself.
STEPS = {
    **dict.fromkeys(("codes", "rules", "state", ""), RECORDS),
    **dict.fromkeys(("step", "check", "tables", "record"), KERNELS),
    "hidden": HIDDEN,
}
# What the floors above want of a kernel package beside what the engine is given.
ALSO = {
    "": "SIGNATURE policy",
    "codes": "PHASES PROMPTS PROMPT_NONE NOBODY OPTIONS END_REASONS SETTLED_BY SEAT_COLOURS PURPOSE_RESAMPLE",
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
        yield from _lacks(dotted, names, STEPS.get(module, POLICIES))
    fields = game.module("state").STATE.names
    for name in STATE_FIELDS:
        if name not in fields:
            yield f"the field {name} of {game.kernels}.state.STATE", RECORDS
    yield from _list_misfits(game)
    yield from _lacks(f"{game.rules}.schema", ["SHAPES", "CHECKS"], DATA)
    if not (game.rules_folder / "base.toml").is_file():
        yield f"the file base.toml in {game.rules}", DATA
    if "search" in game.policies.own:
        yield from _lacks(f"{game.kernels}.features", ["NAMES", "SIZE", "PLAIN", "describe"], POLICIES)
    for name in game.policies.own:
        yield from _lacks(f"{game.kernels}.policies.{name}", [], POLICIES)
    for floor, ending in (("sim.presets", ".toml"), ("sim.starting_points", ".py.txt")):
        if not game.file(floor, ending).is_file():
            yield f"the file {game.file(floor, ending).name}", POLICIES
    yield from _lacks(game.part("sim.stories", "story"), ["tell_game", "write_text"], TOLD)
    for floor, alone in (("analysis.games", "report"), ("analysis.questions.games", "traits")):
        if find_spec(game.part(floor, alone)) is None:
            yield f"the module {game.part(floor, alone)}", TOLD


def _list_misfits(game: "Game") -> Iterator[tuple[str, int]]:
    """What of the tables and sizes cannot be: it would be memory written out of place, or a column without a name."""
    if not all(2 <= players <= MAX_PLAYERS for players in game.players):
        yield f"players from 2 to {MAX_PLAYERS}, and has {', '.join(map(str, game.players))}", REGISTER
    tables = game.module("tables")
    where = f"{game.kernels}.tables"
    if list(tables.TABLES)[:2] != ["games", "seats"]:
        yield f"the tables games and seats, in this order, at the head of {where}.TABLES", KERNELS
    for table, dtype in tables.TABLES.items():
        if table not in tables.MOST_ROWS:
            yield f"the table {table} in {where}.MOST_ROWS", KERNELS
        for name in dtype.names or ():
            if dtype[name].shape and len(tables.COLUMNS.get(name, ())) != prod(dtype[name].shape):
                yield f"{prod(dtype[name].shape)} names for the field {name} of {table} in {where}.COLUMNS", KERNELS
    if tables.MOST_ROWS["seats"] < max(game.players):
        yield f"{max(game.players)} rows a game for seats in {where}.MOST_ROWS", KERNELS


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
