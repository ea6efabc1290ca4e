"""The built-in policies of Atlantica, by name. A policy's module is imported, and compiled, when it is asked for."""

from importlib import import_module
from typing import Any

import numpy as np

POLICIES = {
    "random": "uniform over the legal actions",
    "greedy": "judges each choice by the VP, crates and cards it expects; one weight vector",
}


def load_policy(name: str) -> tuple[Any, Any]:
    """The jitted function of a built-in policy and its weights, float64 of shape (WEIGHTS,). KeyError if there is
    none.
    """
    if name not in POLICIES:
        raise KeyError(name)
    module = import_module(f"kernels.atlantica.policies.{name}")
    return module.choose, np.array(module.WEIGHTS, dtype=np.float64)
