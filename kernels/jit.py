"""Every numba option of the project in one place.

`rule` marks a function that other kernels call: compiled with its caller. `entry(signature)` marks one that Python calls:
its explicit signature is compiled, or loaded from the cache, when its module is imported.
"""

from collections.abc import Callable
from typing import Any

from numba import njit

# nogil: games run on threads. error_model numpy: no branch for a division by zero, of which there is none.
OPTIONS: dict[str, Any] = {"cache": True, "nogil": True, "error_model": "numpy"}


def rule(function: Callable[..., Any]) -> Any:
    """Compile for callers inside the kernels, with caching."""
    return njit(**OPTIONS)(function)


def entry(signature: Any) -> Callable[[Callable[..., Any]], Any]:
    """Compile at import for callers in Python, with caching."""
    return njit(signature, **OPTIONS)


def uncached(signature: Any) -> Callable[[Callable[..., Any]], Any]:
    """Compile at once, without caching: a user's policy may call helpers that numba would not see change."""
    return njit(signature, nogil=True, error_model="numpy")
