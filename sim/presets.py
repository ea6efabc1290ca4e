"""Presets: named weight vectors for a game's built-in policies, kept as data with what produced them.

sim/presets/<package>.toml has one table a preset:

    line      what it is, in one sentence
    base      the built-in policy it gives weights to
    like      another preset whose weights it starts from (optional)
    weights   a number for each weight, by name, that differs from there
    made      how the weights were found: command, seed, score (optional, free text by key)
"""

import tomllib
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt
from pydantic import BaseModel, ConfigDict, ValidationError

from sim.errors import UserError
from sim.games import Game

FOLDER = Path(__file__).parent / "presets"


class Preset(BaseModel):
    """One named weight vector."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    line: str
    base: str
    like: str = ""
    weights: dict[str, float] = {}
    made: dict[str, str | int | float] = {}


@cache
def list_presets(game: Game) -> dict[str, Preset]:
    """The presets of a game by name; empty if it has none. UserError names the file and key of a mistake in it."""
    path = FOLDER / f"{game.package}.toml"
    if not path.is_file():
        return {}
    try:
        return {name: Preset.model_validate(raw) for name, raw in tomllib.loads(path.read_text()).items()}
    except tomllib.TOMLDecodeError as error:
        raise UserError(f"{path}: {error}.") from error
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(map(str, first["loc"]))
        raise UserError(f"{path}: the preset key {key} is wrong: {first['msg']}.") from error


def weigh(game: Game, name: str) -> npt.NDArray[np.float64]:
    """The weights of a preset, or of a built-in policy, padded with 0: shape (WEIGHTS,). May compile.

    Raises UserError if there is neither a preset nor a built-in policy of that name, or no such weight in its base.
    """
    policies = game.module("policies")
    preset = list_presets(game).get(name)
    if preset is None:
        if name not in policies.POLICIES:
            known = dict.fromkeys([*policies.POLICIES, *list_presets(game)])
            raise UserError(f"no weights named {name}. A built-in policy or a preset has some: {', '.join(known)}.")
        return np.array(policies.load_policy(name)[1], dtype=np.float64)
    weights = np.array(policies.load_policy(preset.base)[1], dtype=np.float64)
    names = policies.find_module(preset.base).NAMES
    for weight, value in gather(game, name).items():
        if weight not in names:
            raise UserError(
                f"{FOLDER / game.package}.toml: the preset {name} sets {weight}, but {preset.base} has no such weight. "
                f"It has: {', '.join(names) or 'none'}."
            )
        weights[names.index(weight)] = value
    return weights


def gather(game: Game, name: str) -> dict[str, float]:
    """The weights a preset sets, by name, those of what it is like first."""
    preset = list_presets(game)[name]
    return (gather(game, preset.like) if preset.like else {}) | preset.weights
