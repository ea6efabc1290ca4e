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
from pydantic import BaseModel, ConfigDict

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
    """The presets of a game by name; empty if it has none."""
    path = FOLDER / f"{game.package}.toml"
    if not path.is_file():
        return {}
    return {name: Preset.model_validate(raw) for name, raw in tomllib.loads(path.read_text()).items()}


def weigh(game: Game, name: str) -> npt.NDArray[np.float64]:
    """The weights of a preset, or of a built-in policy, padded with 0: shape (WEIGHTS,). May compile.

    Raises KeyError for a weight that its base does not have.
    """
    policies = game.module("policies")
    preset = list_presets(game).get(name)
    if preset is None:
        return np.array(policies.load_policy(name)[1], dtype=np.float64)
    weights = np.array(policies.load_policy(preset.base)[1], dtype=np.float64)
    names = policies.find_module(preset.base).NAMES
    for weight, value in gather(game, name).items():
        if weight not in names:
            raise KeyError(f"{preset.base} has no weight {weight} (preset {name})")
        weights[names.index(weight)] = value
    return weights


def gather(game: Game, name: str) -> dict[str, float]:
    """The weights a preset sets, by name, those of what it is like first."""
    preset = list_presets(game)[name]
    return (gather(game, preset.like) if preset.like else {}) | preset.weights
