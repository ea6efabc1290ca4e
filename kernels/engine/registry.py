"""The policies built into a game's kernels, by name. A policy is compiled, or loaded, when it is asked for.

Every game has `random`; a game's own are modules of its package `policies`. Each module has `choose`, the jitted
function; WEIGHTS, what it weighs; NAMES, a name for each of these.
"""

from functools import cached_property
from importlib import import_module
from types import SimpleNamespace
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.engine import random
from kernels.engine.contract import WEIGHTS
from kernels.jit import bind, ready


class Registry:
    """The built-in policies of the game whose kernel package is `package`.

    `own` says a line of each module of its package `policies`. `heuristic` is the one that the batch loop calls by
    name: the usual player, "" if there is none. `numbered` are policies that take a number, NAME:N, and the weight
    that it sets.
    """

    def __init__(
        self, package: str, own: dict[str, str], *, heuristic: str = "", numbered: dict[str, str] | None = None
    ) -> None:
        self.package, self.own, self.heuristic = package, own, heuristic
        self.numbered = numbered or {}
        self.lines = {"random": "uniform over the legal actions", **own}

    @cached_property
    def random(self) -> SimpleNamespace:
        """The policy `random` of this game."""
        bound = bind(random, self.package)
        return SimpleNamespace(choose=bound.choose, NAMES=random.NAMES, WEIGHTS=random.WEIGHTS)

    def find_module(self, name: str) -> Any:
        """What is known of a built-in policy: `choose`, NAMES, WEIGHTS. KeyError if there is none of that name."""
        if name not in self.lines:
            raise KeyError(name)
        return self.random if name not in self.own else import_module(f"{self.package}.policies.{name}")

    def load(self, name: str) -> tuple[Any, npt.NDArray[np.float64]]:
        """The compiled function of a built-in policy and its weights, shape (WEIGHTS,), padded with 0."""
        module = self.find_module(name)
        weights = np.zeros(WEIGHTS)
        weights[: len(module.WEIGHTS)] = module.WEIGHTS
        return ready(module.choose), weights
