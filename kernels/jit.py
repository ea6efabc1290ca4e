"""Every numba option of the project in one place.

`rule` marks a function that other kernels call: compiled with its caller. `entry(signature)` marks one that Python
calls: its explicit signature is compiled, or loaded from the cache, when its module is imported.
"""

import warnings
from collections.abc import Callable
from functools import partial
from typing import Any

from numba import njit, types
from numba.core.errors import NumbaExperimentalFeatureWarning

from kernels import choose_cache

# Policies are function pointers; numba calls that experimental in a warning that would reach users.
warnings.filterwarnings("ignore", "First-class function type", NumbaExperimentalFeatureWarning)

# nogil: games run on threads. error_model numpy: no branch for a division by zero, of which there is none.
OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy"}
# _nrt: numba counts references to every array it touches, even to a record's field, where there is nothing to
# count: a third of a game's time. Without it a kernel cannot make arrays; the few that must say `allocates=True`.
# The flag is given either way, as numba hands down a caller's. A rule is never called from Python, so it needs no
# wrapper: a fifth of the compile time.
INNER = {**OPTIONS, "cache": True, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}


def rule(function: Callable[..., Any] | None = None, *, allocates: bool = False) -> Any:
    """Compile for callers inside the kernels, with caching; `allocates` where it makes an array.

    Integer arguments are widened to int64, so that a seat read from an int8 field, a loop counter and a constant
    share one compiled version: without this, 217 functions were compiled 319 times.
    """
    if function is None:
        return partial(rule, allocates=allocates)
    choose_cache(function.__module__)
    dispatcher = njit(**INNER, _nrt=allocates)(function)
    if not hasattr(dispatcher, "get_call_template"):  # NUMBA_DISABLE_JIT: the plain function
        return dispatcher
    exact = dispatcher.get_call_template

    def widened(args: tuple[Any, ...], kws: dict[str, Any]) -> Any:
        return exact(tuple(_widen(arg) for arg in args), kws)

    dispatcher.get_call_template = widened
    return dispatcher


def _widen(kind: Any) -> Any:
    if isinstance(kind, types.Integer) and (kind.signed or kind.bitwidth < 64):
        return types.int64
    return kind


def entry(
    signature: Any, *, allocates: bool = False, inlined: bool = False
) -> Callable[[Callable[..., Any]], Any]:
    """Compile at import for callers in Python, with caching; `allocates` where it makes an array.

    `inlined` where the batch loop calls it at every step: numba clears a slot for each call a function might make,
    on every entry, which for a dispatcher costs more than its work.
    """

    def compiled(function: Callable[..., Any]) -> Any:
        choose_cache(function.__module__)
        return njit(signature, cache=True, **OPTIONS, _nrt=allocates, forceinline=inlined)(function)

    return compiled


def uncached(signature: Any) -> Callable[[Callable[..., Any]], Any]:
    """Compile at once, without caching: a user's policy may call helpers that numba would not see change."""
    return njit(signature, **OPTIONS)
