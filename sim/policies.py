"""Policies by name: the game's own, and those of a user's file.

A policy is `f(state, rules, legal, n, weights, scratch) -> index into legal[:n]`. Jitted ones run inside the
kernels; anything else callable plays through the same loop in plain Python: slower, same rows.
"""

import hashlib
import importlib.util
import inspect
import operator
import sys
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt
from numba.core.dispatcher import Dispatcher

from sim.errors import UserError
from sim.games import Game

PARAMETERS = ("state", "rules", "legal", "n", "weights", "scratch")


class PolicyError(UserError):
    """A policy answered nonsense or raised: says which, in which game, at which prompt. Exit code 3."""

    exit_code = 3


class PolicyStuckError(PolicyError):
    """A policy has not answered for too long. Its thread cannot be stopped, so the process has to end."""

    ends_process = True


@dataclass(frozen=True)
class Policy:
    """A policy ready to play.

    `function` is called with PARAMETERS; `weights` is float64 of shape (WEIGHTS,), zeros where it has none;
    `jitted` tells whether it runs inside the kernels; `digest` is the SHA-256 of the file it came from,
    empty for built-ins.
    """

    token: str
    function: Callable[..., Any]
    weights: npt.NDArray[np.float64]
    jitted: bool
    digest: str = ""


def list_policies(game: Game) -> dict[str, str]:
    """The built-in policies of a game: name -> one-line description."""
    return dict(game.module("policies").POLICIES)


def find_policy(game: Game, token: str) -> Policy:
    """The policy of a lineup token: a built-in name, or FILE.py:name.

    Raises UserError if there is no such policy or file, if the file does not load, if it has no callable of
    that name, or if that cannot be called as a policy.
    """
    if _is_plugin(token):
        return _load_plugin(game, token)
    check_name(game, token)
    function, weights = game.module("policies").load_policy(token)
    return Policy(token, function, np.ascontiguousarray(weights, dtype=np.float64), jitted=True)


def check_name(game: Game, token: str) -> None:
    """UserError if a lineup token is neither FILE.py:name nor a built-in; compiles nothing."""
    names = list_policies(game)
    if not _is_plugin(token) and token not in names:
        close = get_close_matches(token, names, 1)
        hint = f" Did you mean {close[0]}?" if close else ""
        raise UserError(f"no policy named {token}.{hint} Policies: {', '.join(names)} or FILE.py:name.")


def _is_plugin(token: str) -> bool:
    return ":" in token or token.endswith(".py")


def find_policies(game: Game, lineup: tuple[str, ...]) -> tuple[Policy, ...]:
    """The policy of each place; one object for places with the same token."""
    found = {token: find_policy(game, token) for token in dict.fromkeys(lineup)}
    return tuple(found[token] for token in lineup)


def _load_plugin(game: Game, token: str) -> Policy:
    text, _, name = token.rpartition(":") if ":" in token else (token, "", "")
    path = Path(text).expanduser()
    if not path.is_file():
        raise UserError(f"no policy file {text} (from the lineup entry {token}); give FILE.py:name.")
    source = path.read_bytes()
    module = _import_file(path, source)
    found = vars(module).get(name)
    if not callable(found):
        problem = f"{text} has no policy named {name}" if name else f"say which policy of {text}: {text}:name"
        raise UserError(f"{problem}. It offers: {', '.join(_list_callables(module)) or 'nothing callable'}.")
    digest = hashlib.sha256(source).hexdigest()
    weights = np.zeros(game.module("play").WEIGHTS)
    if isinstance(found, Dispatcher):
        _check_parameters(token, found.py_func)
        return Policy(token, _fit_signature(game, token, found), weights, jitted=True, digest=digest)
    if inspect.isclass(found):
        found = _make_instance(token, found)
    _check_parameters(token, found)
    return Policy(token, _answering_int(found), weights, jitted=False, digest=digest)


def _import_file(path: Path, source: bytes) -> ModuleType:
    """The file run as a module, its folder importable as for a script; UserError tells which line failed."""
    name = f"policy_{path.stem}_{hashlib.sha256(str(path.resolve()).encode()).hexdigest()[:8]}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise UserError(f"{path} is not a Python file; a policy file ends in .py.")
    module = importlib.util.module_from_spec(spec)
    folder = str(path.resolve().parent)
    if folder not in sys.path:
        sys.path.append(folder)
    sys.modules[name] = module
    try:
        exec(compile(source, str(path), "exec"), module.__dict__)
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        raise UserError(f"the policy file {path} does not load: {_describe(error, path)}.") from error
    return module


def _describe(error: BaseException, path: Path | None = None) -> str:
    """Type, the line of the message that says most, and the last line inside `path`, as one phrase."""
    said = [line.strip() for line in str(error).splitlines() if line.strip()]
    telling = [line for line in said if not line.startswith("Failed in nopython mode")]
    first = telling[0] if telling else "no message"
    if isinstance(error, SyntaxError):
        return f"{type(error).__name__}: {error.msg} (line {error.lineno})"
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(path)]
    where = f" (line {frames[-1].lineno})" if frames else ""
    return f"{type(error).__name__}: {first.rstrip('.')}{where}"


def _list_callables(module: ModuleType) -> list[str]:
    """Names of what the file itself defines and one can call: functions, jitted ones, classes, objects."""
    public = {name: value for name, value in vars(module).items() if name[0] != "_" and callable(value)}
    return [name for name, value in public.items() if getattr(value, "__module__", "") == module.__name__]


def _make_instance(token: str, found: type) -> Any:
    try:
        instance = found()
    except Exception as error:
        raise UserError(f"the policy class {token} cannot be made without arguments: {error}.") from error
    if not callable(instance):
        raise UserError(f"the policy class {token} has no __call__({', '.join(PARAMETERS)}).")
    return instance


def _check_parameters(token: str, function: Callable[..., Any]) -> None:
    try:
        inspect.signature(function).bind(*PARAMETERS)
    except (TypeError, ValueError) as error:
        wanted = ", ".join(PARAMETERS)
        raise UserError(f"{token} is not a policy, which takes ({wanted}): {error}.") from error


def _fit_signature(game: Game, token: str, found: Any) -> Any:
    """`found`, compiled for the game's policy signature if it has none yet."""
    signature = import_module(f"kernels.{game.package}").SIGNATURE
    try:
        if not found.signatures:
            found.compile(signature)
    except Exception as error:  # numba lets a KeyError through where a record lacks a field
        raise UserError(f"numba cannot compile the policy {token}: {_describe(error)}.") from error
    compiled = {entry.signature for entry in found.overloads.values()}
    if signature not in compiled:
        raise UserError(
            f"{token} was compiled for other arguments than a policy's; "
            f"decorate it with @policy from kernels.{game.package}."
        )
    return found


def _answering_int(function: Callable[..., Any]) -> Callable[..., int]:
    """`function` with its answer checked to be a whole number, as the jitted loop would."""

    def answer(*arguments: Any) -> int:
        return operator.index(function(*arguments))

    return answer
