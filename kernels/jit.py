"""Every numba option of the project in one place.

`rule` marks a function that other kernels call: compiled with its caller. `entry(signature)` marks one that Python
calls too: its explicit signature is compiled, or loaded from the cache, at the first call, or when `ready` asks for it.
`shared_rule` and `shared_entry` mark what is written once for all games (kernels.engine): `bind` compiles it for one.
"""

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from types import FunctionType, ModuleType, SimpleNamespace
from typing import Any

import numba
from numba import njit, types
from numba.core.errors import NumbaExperimentalFeatureWarning
from numba.np import arrayobj

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

WRAPPING_KNOWN = "0.68."  # versions of numba whose way with negative indices is known


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
    """Compile for callers in Python too, with caching, at the first call; `allocates` where it makes an array.

    `inlined` where the batch loop calls it at every step: numba clears a slot for each call a function might make,
    on every entry, which for a dispatcher costs more than its work.
    """

    def compiled(function: Callable[..., Any]) -> Any:
        choose_cache(function.__module__)
        dispatcher = njit(cache=True, **OPTIONS, _nrt=allocates, forceinline=inlined)(function)
        if hasattr(dispatcher, "get_call_template"):
            _await(dispatcher, signature)
        return dispatcher

    return compiled


def _await(dispatcher: Any, signature: Any) -> None:
    """Let a dispatcher compile this signature, and no other, when it is first called or compiled into a caller.

    Importing a game's kernels loads a dozen entries otherwise, of which most commands need one.
    """
    exact, awaited = dispatcher.get_call_template, _Awaited(dispatcher, signature)
    dispatcher.awaited = awaited

    def template(args: tuple[Any, ...], kws: dict[str, Any]) -> Any:
        awaited.compile()
        return exact(args, kws)

    def entry_point(*args: Any, **kws: Any) -> Any:
        awaited.compile()
        (compiled,) = dispatcher.overloads.values()
        return compiled.entry_point

    dispatcher.get_call_template = template
    dispatcher._compile_for_args = entry_point


class _Awaited:
    """An entry not compiled yet."""

    def __init__(self, dispatcher: Any, signature: Any) -> None:
        self.dispatcher, self.signature = dispatcher, signature

    def compile(self) -> None:
        if not self.dispatcher.overloads:
            with _without_wrapping():
                self.dispatcher.compile(self.signature)
            self.dispatcher.disable_compile()


@contextmanager
def _without_wrapping() -> Iterator[None]:
    """Compile without a negative index counting from the end: the kernels have none, and the test costs a twentieth.

    Python's way stays for users' own policies, and where numba is another one than this was tried with. `make bounds`
    fails where a kernel has a negative index after all.
    """
    kept = arrayobj.fix_integer_index
    if numba.__version__.startswith(WRAPPING_KNOWN):
        arrayobj.fix_integer_index = _take_integer_index
    try:
        yield
    finally:
        arrayobj.fix_integer_index = kept


def _take_integer_index(context: Any, builder: Any, kind: Any, index: Any, size: Any) -> Any:
    return context.cast(builder, index, kind, types.intp if kind.signed else types.uintp)


def ready(function: Any) -> Any:
    """An entry, compiled or loaded from the cache now: before it goes to threads, or where it is handed on as a
    pointer. Anything else as it is.
    """
    if hasattr(function, "awaited"):
        function.awaited.compile()
    return function


def uncached(signature: Any) -> Callable[[Callable[..., Any]], Any]:
    """Compile at once, without caching: a user's policy may call helpers that numba would not see change."""
    return njit(signature, **OPTIONS)


# ---- what is written once for all games


class Given:
    """Something that each game gives to a shared function, from a module of its own. Of no use until bound."""

    def __init__(self, module: str, name: str) -> None:
        self.module, self.name = module, name

    def __call__(self, *arguments: Any) -> Any:
        raise TypeError(f"{self.name} is a game's to give: bind this module to a game first")


def given(module: str, names: str) -> Any:
    """A stand-in for each of the names, separated by spaces, that a game's module (empty: the package itself) gives."""
    found = [Given(module, name) for name in names.split()]
    return found if len(found) > 1 else found[0]


class Shared:
    """A function written once; `compiler(game)` is the decorator, rule or entry, that compiles it for a game."""

    def __init__(self, function: Any, compiler: Callable[[Any], Callable[..., Any]]) -> None:
        self.function, self.compiler = function, compiler


def shared_rule(function: Any) -> Shared:
    """Mark a function as a rule of every game."""
    return Shared(function, lambda game: rule)


def shared_entry(signature: Callable[[Any], Any], **options: Any) -> Callable[[Any], Shared]:
    """Mark a function as an entry of every game; `signature(game)` is its signature there, options are entry's."""
    return lambda function: Shared(function, lambda game: entry(signature(game), **options))


def list_given(template: ModuleType) -> dict[str, Given]:
    """What a module of shared functions wants of a game, by the name that stands for it there."""
    return {name: value for name, value in vars(template).items() if isinstance(value, Given)}


def bind(template: ModuleType, package: str, **modules: Any) -> SimpleNamespace:
    """The shared functions of a module, compiled for the game whose kernel package is `package`.

    Each gets the code it has and globals of its own, in which the stand-ins are what the game gives: from its module
    of that name, or from the one in `modules`. Numba sees functions of the game's own package, so they are cached in
    its folder; closures and `exec` would not be cached. Raises AttributeError or ImportError where the game lacks
    something.
    """
    found = {
        name: getattr(modules.get(wanted.module) or import_module(_join(package, wanted.module)), wanted.name)
        for name, wanted in list_given(template).items()
    }
    game = SimpleNamespace(**found)
    scope = {**vars(template), **found, "__name__": package}
    bound = {}
    for name, part in vars(template).items():
        if isinstance(part, Shared):
            function = FunctionType(part.function.__code__, scope, name, part.function.__defaults__)
            function.__doc__ = part.function.__doc__
            bound[name] = scope[name] = part.compiler(game)(function)
    return SimpleNamespace(**bound)


def _join(package: str, module: str) -> str:
    return f"{package}.{module}" if module else package
