"""Networks of value models, kept as data: numbers and what produced them, in one .npz file for each number of players.

A file holds arrays and one JSON text, and is read without pickle, so that nothing in it can be run.
"""

import hashlib
import json
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from pydantic import BaseModel, ConfigDict, ValidationError

from kernels.engine.taught import MOST_ACTIONS, count_choice_numbers
from kernels.engine.value import MOST_UNITS, count_numbers
from sim.errors import MissingModelError, UserError
from sim.games import Game

Numbers = npt.NDArray[np.float64]
ENDING = ".npz"
VALUE, CHOICES = "value", "choices"  # kinds: what chance a seat has; what a slower player chooses


MAKERS = {VALUE: "atlantis learn", CHOICES: "atlantis teach"}


class About(BaseModel):
    """What a network was made for and by.

    `kind` is what it tells, VALUE or CHOICES; `features` is a digest of the features' names, `rules` of the rules it
    learned under; `made` tells command, seed, games, log loss and calibration.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    kind: str = VALUE
    game: str
    players: int
    features: str
    rules: str
    made: dict[str, Any] = {}


@dataclass(frozen=True)
class Network:
    """A network: its numbers as they follow a policy's weights (kernels.engine.value), and what they are."""

    numbers: Numbers
    about: About

    @property
    def digest(self) -> str:
        """SHA-256 of the numbers."""
        return hashlib.sha256(self.numbers.tobytes()).hexdigest()


def digest_features(game: Game) -> str:
    """What tells a game's features from others."""
    return hashlib.sha256("\n".join(game.module("features").NAMES).encode()).hexdigest()[:16]


def place_network(stem: Path, players: int) -> Path:
    """The file of a model for so many players: its name, the number, .npz."""
    return stem.with_name(f"{stem.name}.{players}{ENDING}")


def write_network(path: Path, network: Network) -> None:
    """Keep a network in a file; the same network gives the same bytes."""
    path.parent.mkdir(parents=True, exist_ok=True)
    about = json.dumps(network.about.model_dump(), sort_keys=True)
    with path.open("wb") as file:
        np.savez_compressed(file, numbers=network.numbers.astype(np.float32), about=np.array(about))


def read_network(game: Game, path: Path, players: int, kind: str = VALUE) -> Network:
    """The network in a file. UserError names the file, and what it was made for if that is another game, number of
    players or set of features, or what is wrong with it.
    """
    try:
        with path.open("rb") as opened, np.lib.npyio.NpzFile(opened, allow_pickle=False) as file:
            numbers = np.asarray(file["numbers"])
            about = About.model_validate_json(str(file["about"]))
    except FileNotFoundError:
        raise MissingModelError(f"there is no model {path} for {players} players; {MAKERS[kind]} makes one.") from None
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile, ValidationError) as error:
        said = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise UserError(f"{path} cannot be read as a {kind} model: {said}") from error
    wanted = {"kind": kind, "game": game.name, "players": players, "features": digest_features(game)}
    for key, value in wanted.items():
        if getattr(about, key) != value:
            raise UserError(
                f"{path} was made for {key} {getattr(about, key)}, here it would be {value}; "
                f"{MAKERS[kind]} {game.name} --players {players} makes a model that fits."
            )
    _check_numbers(path, numbers, game.module("features").SIZE, kind)
    return Network(numbers.astype(np.float64), about)


def _check_numbers(path: Path, numbers: npt.NDArray[Any], inputs: int, kind: str) -> None:
    """UserError unless these are the numbers of a network: the kernels trust its sizes."""
    flat = numbers.ndim == 1 and numbers.dtype == np.float32 and len(numbers) > 4 and bool(np.isfinite(numbers).all())
    if not flat or not (_fits_choices if kind == CHOICES else _fits_value)(numbers.astype(np.float64), inputs):
        raise UserError(f"{path} cannot be read as a {kind} model: its numbers are not those of a network.")


def _fits_units(numbers: Numbers, inputs: int) -> bool:
    units = numbers[1:3]
    return bool(numbers[0] == inputs and (units == np.floor(units)).all() and (units >= 1).all()) and bool(
        (units <= MOST_UNITS).all()
    )


def _fits_value(numbers: Numbers, inputs: int) -> bool:
    return _fits_units(numbers, inputs) and len(numbers) == count_numbers(*(int(size) for size in numbers[:3]))


def _fits_choices(numbers: Numbers, inputs: int) -> bool:
    actions = numbers[3]
    if not _fits_units(numbers, inputs) or actions != np.floor(actions) or not 1 <= actions <= MOST_ACTIONS:
        return False
    keys = numbers[4 : 4 + int(actions)]
    sizes = [int(size) for size in numbers[:4]]
    return len(numbers) == count_choice_numbers(*sizes) and bool((np.diff(keys) > 0).all())


@lru_cache(maxsize=32)
def find_network(game: Game, stem: Path, players: int, kind: str = VALUE) -> Network:
    """The network of a model for so many players, read once. Raises UserError as read_network does."""
    return read_network(game, place_network(stem, players), players, kind)


def say_other_rules(models: Mapping[str, Network], rules: str) -> str:
    """A sentence on players whose model was made for other rules than those of this digest; empty if there are none."""
    others = [token for token, network in models.items() if network.about.rules != rules]
    if not others:
        return ""
    return (
        f"The model of {' and '.join(others)} was made for other rules than these: it plays on, but judges as if they "
        "were those (atlantis learn makes one that fits)."
    )
