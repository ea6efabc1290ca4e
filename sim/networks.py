"""Networks of value models, kept as data: numbers and what produced them, in one .npz file for each number of players.

A file holds arrays and one JSON text, and is read without pickle, so that nothing in it can be run.
"""

import hashlib
import json
import zipfile
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from pydantic import BaseModel, ConfigDict, ValidationError

from kernels.engine.value import MOST_UNITS, count_numbers
from sim.errors import UserError
from sim.games import Game

Numbers = npt.NDArray[np.float64]
ENDING = ".npz"


class About(BaseModel):
    """What a network was made for and by.

    `features` is a digest of the features' names, `rules` of the rules it learned under; `made` tells command, seed,
    games, log loss and calibration.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

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


def read_network(game: Game, path: Path, players: int) -> Network:
    """The network in a file. UserError names the file, and what it was made for if that is another game, number of
    players or set of features, or what is wrong with it.
    """
    try:
        with path.open("rb") as opened, np.lib.npyio.NpzFile(opened, allow_pickle=False) as file:
            numbers = np.asarray(file["numbers"])
            about = About.model_validate_json(str(file["about"]))
    except FileNotFoundError:
        raise UserError(f"there is no model {path} for {players} players; atlantis learn makes one.") from None
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile, ValidationError) as error:
        said = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise UserError(f"{path} cannot be read as a value model: {said}") from error
    wanted = {"game": game.name, "players": players, "features": digest_features(game)}
    for key, value in wanted.items():
        if getattr(about, key) != value:
            raise UserError(
                f"{path} was made for {key} {getattr(about, key)}, here it would be {value}; "
                f"atlantis learn {game.name} --players {players} makes a model that fits."
            )
    _check_numbers(path, numbers, game.module("features").SIZE)
    return Network(numbers.astype(np.float64), about)


def _check_numbers(path: Path, numbers: npt.NDArray[Any], inputs: int) -> None:
    """UserError unless these are the numbers of a network: the kernels trust its sizes."""
    sizes = numbers[:3].tolist() if numbers.ndim == 1 and numbers.dtype == np.float32 and len(numbers) > 3 else []
    fits = (
        len(sizes) == 3
        and sizes[0] == inputs
        and all(size == int(size) and 1 <= size <= MOST_UNITS for size in sizes[1:])
        and len(numbers) == count_numbers(*map(int, sizes))
        and bool(np.isfinite(numbers).all())
    )
    if not fits:
        raise UserError(f"{path} cannot be read as a value model: its numbers are not those of a network.")


@lru_cache(maxsize=32)
def find_network(game: Game, stem: Path, players: int) -> Network:
    """The network of a model for so many players, read once. Raises UserError as read_network does."""
    return read_network(game, place_network(stem, players), players)
