"""The built-in policies of Atlantica, by name. A policy's module is imported, and compiled, when it is asked for.

Each module has `choose`, the jitted function; WEIGHTS, what it weighs; NAMES, a name for each of these.
"""

from importlib import import_module
from types import ModuleType
from typing import Any

import numpy as np

WEIGHTS = 64  # numbers that a policy may be tuned by

POLICIES = {
    "random": "uniform over the legal actions",
    "greedy": "judges each choice by the VP, crates and cards it expects; one weight vector",
    "search": "tries each choice in worlds it cannot tell from the real one; search:N in N trials (200)",
}
NUMBERED = {"search": "simulations"}  # policies that take a number, NAME:N, and the weight it sets


def find_module(name: str) -> ModuleType:
    """The module of a built-in policy; KeyError if there is none. Importing it may compile."""
    if name not in POLICIES:
        raise KeyError(name)
    return import_module(f"kernels.atlantica.policies.{name}")


def load_policy(name: str) -> tuple[Any, Any]:
    """The jitted function of a built-in policy and its weights, float64 of shape (WEIGHTS,), padded with 0."""
    module = find_module(name)
    weights = np.zeros(WEIGHTS)
    weights[: len(module.WEIGHTS)] = module.WEIGHTS
    return module.choose, weights
