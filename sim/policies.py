"""Policies by name: the game's own, its presets, those of installed packages and of a user's file.

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
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt
from numba.core.dispatcher import Dispatcher

from sim.errors import UserError
from sim.games import Game
from sim.presets import list_presets, weigh

ENTRY_POINTS = "atlantis.policies"  # the group in which a package offers policies: name = "module:function"
MOST_TRIALS = 1_000_000

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
    """The policies of a game that have a name: name -> one-line description.

    They are built in, or presets of a built-in one, or come from an installed package.
    """
    built_in: dict[str, str] = game.module("policies").POLICIES
    presets = {name: preset.line for name, preset in list_presets(game).items()}
    installed = {name: f"from the package {entry.dist.name}" for name, entry in _list_installed().items() if entry.dist}
    return installed | built_in | presets


def find_policy(game: Game, token: str) -> Policy:
    """The policy of a lineup token: a name, NAME:N for one that takes a number, or FILE.py:name.

    Raises UserError if there is no such policy or file, if the file does not load, if it has no callable of
    that name, or if that cannot be called as a policy.
    """
    check_name(game, token)
    name, number = _split_number(game, token)
    if name in _list_installed() and name not in game.module("policies").POLICIES:
        return _load_installed(game, name)
    if _is_plugin(game, token):
        return _load_plugin(game, token)
    policies = game.module("policies")
    preset = list_presets(game).get(name)
    base = preset.base if preset else name
    function, _ = policies.load_policy(base)
    weights = weigh(game, name)
    if number is not None:
        weights[policies.find_module(base).NAMES.index(policies.NUMBERED[base])] = number
    return Policy(token, function, weights, jitted=True)


def check_name(game: Game, token: str) -> None:
    """UserError if a lineup token is neither FILE.py:name nor a policy with a name; compiles nothing."""
    name, number = _split_number(game, token)
    names = list_policies(game)
    if number is not None and not 1 <= number <= MOST_TRIALS:
        raise UserError(f"{token}: the number after {name} goes from 1 to {MOST_TRIALS:,}.")
    if _is_plugin(game, token) or name in names:
        return
    close = get_close_matches(token, names, 1)
    hint = f" Did you mean {close[0]}?" if close else ""
    raise UserError(f"no policy named {token}.{hint} Policies: {', '.join(names)} or FILE.py:name.")


def _split_number(game: Game, token: str) -> tuple[str, int | None]:
    """A token NAME:N taken apart, where NAME is a policy that takes a number; else the token and None."""
    name, _, number = token.rpartition(":")
    numbered = game.module("policies").NUMBERED
    preset = list_presets(game).get(name)
    if (preset.base if preset else name) in numbered and number.isdecimal():
        return name, int(number)
    return token, None


def _is_plugin(game: Game, token: str) -> bool:
    return (":" in token or token.endswith(".py")) and _split_number(game, token)[1] is None


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
    return _wrap(game, token, found, hashlib.sha256(source).hexdigest())


@cache
def _list_installed() -> dict[str, EntryPoint]:
    """Policies that installed packages offer, by name."""
    return {entry.name: entry for entry in entry_points(group=ENTRY_POINTS)}


def _load_installed(game: Game, name: str) -> Policy:
    entry = _list_installed()[name]
    try:
        found = entry.load()
    except Exception as error:
        raise UserError(f"the policy {name} of an installed package does not load: {_describe(error)}.") from error
    if not callable(found):
        raise UserError(f"the policy {name} of an installed package ({entry.value}) is not callable.")
    return _wrap(game, name, found, f"{entry.value} {entry.dist.version if entry.dist else ''}".strip())


def _wrap(game: Game, token: str, found: Any, digest: str) -> Policy:
    """A user's jitted function, plain callable or class as a policy. UserError if it cannot be one."""
    weights = np.zeros(game.module("policies").WEIGHTS)
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
