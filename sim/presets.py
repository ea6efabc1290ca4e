"""Presets: named weight vectors for a game's built-in policies, kept as data with what produced them.

sim/presets/<package>.toml has one table a preset:

    line      what it is, in one sentence
    base      the built-in policy it gives weights to
    like      another preset whose weights it starts from (optional)
    weights   a number for each weight, by name, that differs from there
    model     a value model (sim.networks), by the name of its files beside the TOML (optional)
    prompts   the prompts at which it searches; it follows its heuristic at the others (optional, for search)
    made      how the weights were found: command, seed, score (optional, free text by key)
"""

import re
import tomllib
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt
from pydantic import BaseModel, ConfigDict, ValidationError

from sim.errors import UserError
from sim.games import Game


class Preset(BaseModel):
    """One named weight vector."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    line: str
    base: str
    like: str = ""
    model: str = ""
    prompts: tuple[str, ...] = ()
    weights: dict[str, float] = {}
    made: dict[str, str | int | float] = {}


Presets = dict[str, Preset]
MODEL = re.compile(r"[A-Za-z0-9_-]+")


def read_presets(path: Path) -> Presets:
    """The presets of a TOML file by name. UserError names the file and key of a mistake in it."""
    try:
        return {name: Preset.model_validate(raw) for name, raw in tomllib.loads(path.read_text()).items()}
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"{path} cannot be read as a file of presets: {error}.") from error
    except tomllib.TOMLDecodeError as error:
        raise UserError(f"{path}: {error}.") from error
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(map(str, first["loc"]))
        raise UserError(f"{path}: the preset key {key} is wrong: {first['msg']}.") from error


@cache
def list_presets(game: Game) -> Presets:
    """The presets that come with a game, by name; empty if it has none."""
    path = game.file("sim.presets", ".toml")
    return read_presets(path) if path.is_file() else {}


def weigh(game: Game, name: str, path: Path | None = None) -> npt.NDArray[np.float64]:
    """The weights of a preset, or of a built-in policy, padded with 0: shape (WEIGHTS,). May compile.

    `path` is a user's own file of presets, which may be like each other or like the game's. Raises UserError if there
    is neither a preset nor a built-in policy of that name, or no such weight in its base.
    """
    policies = game.policies
    presets = list_presets(game) | (read_presets(path) if path else {})
    if name not in presets:
        if name not in policies.lines:
            known = dict.fromkeys([*policies.lines, *presets])
            raise UserError(f"no weights named {name}. A built-in policy or a preset has some: {', '.join(known)}.")
        return np.array(policies.load(name)[1], dtype=np.float64)
    base = presets[name].base
    if base not in policies.lines:
        raise UserError(
            f"the preset {name} is based on {base}, which is no built-in policy of {game.title}; "
            f"valid: {', '.join(policies.lines)}."
        )
    weights = np.array(policies.load(base)[1], dtype=np.float64)
    names = policies.find_module(base).NAMES
    prompts = [p for one in _list_forebears(presets, name)[::-1] for p in presets[one].prompts]
    for weight, value in (gather(presets, name) | _spell_prompts(game, name, prompts)).items():
        if weight not in names:
            file = path or game.file("sim.presets", ".toml")
            raise UserError(
                f"{file}: the preset {name} sets {weight}, but {base} has no such weight. "
                f"It has: {', '.join(names) or 'none'}."
            )
        weights[names.index(weight)] = value
    return weights


def _spell_prompts(game: Game, name: str, prompts: Sequence[str]) -> dict[str, float]:
    """The weight that says at which prompts to search."""
    known = game.module("codes").PROMPTS
    for prompt in prompts:
        if prompt not in known[1:]:
            raise UserError(f"the preset {name} has the prompt {prompt}; valid: {', '.join(known[1:])}.")
    return {"prompts": float(sum(1 << known.index(prompt) for prompt in set(prompts)))} if prompts else {}


def gather(presets: Presets, name: str) -> dict[str, float]:
    """The weights a preset sets, by name, those of what it is like first."""
    weights: dict[str, float] = {}
    for one in reversed(_list_forebears(presets, name)):
        weights |= presets[one].weights
    return weights


def _list_forebears(presets: Presets, name: str) -> list[str]:
    """A preset, what it is like, and so on. UserError if that goes round in a circle."""
    chain = [name]
    while like := presets[chain[-1]].like:
        if like not in presets or like in chain:
            raise UserError(f"the preset {chain[-1]} is like {like}, which is no other preset.")
        chain.append(like)
    return chain


def find_model(game: Game, name: str, path: Path | None = None) -> Path | None:
    """Where the networks of a preset's value model lie, without number and ending; None if it has no model."""
    presets = list_presets(game) | (read_presets(path) if path else {})
    if name not in presets:
        return None
    own = read_presets(path) if path else {}
    for one in _list_forebears(presets, name):
        model = presets[one].model
        if model and not MODEL.fullmatch(model):
            raise UserError(f"the preset {one} has the model {model!r}; a model's name is letters, digits, _ and -.")
        if model:
            return path.parent / model if path and one in own else game.file("sim.models", f".{model}")
    return None
