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
from functools import cache, partial
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt
from numba.core.dispatcher import Dispatcher

from kernels.engine.contract import WEIGHTS
from sim.errors import UserError
from sim.games import GAMES, Game
from sim.networks import CHOICES, VALUE, Network, find_network
from sim.presets import find_model, list_presets, read_presets, weigh

# The group in which a package offers policies: name = "module:function", or "GAME.name" for one game alone.
ENTRY_POINTS = "atlantis.policies"
MOST_TRIALS = 1_000_000

Seat = tuple[Callable[..., Any], npt.NDArray[np.float64]]  # who sits there: a function, and its row of weights

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
    `jitted` tells whether it runs inside the kernels; `digest` tells the code it came from: the SHA-256
    of its file, with package and version where it is installed; empty for built-ins. `model` finds its value model for
    a number of players, None where it has none.
    """

    token: str
    function: Callable[..., Any]
    weights: npt.NDArray[np.float64]
    jitted: bool
    digest: str = ""
    model: Callable[[int], Network] | None = None

    def row(self, players: int) -> npt.NDArray[np.float64]:
        """What `function` is called with as weights at a table of so many: the weights, then the network of its value
        model, shape (at least WEIGHTS,). UserError if the model has none for so many players.
        """
        return self.weights if self.model is None else np.concatenate([self.weights, self.model(players).numbers])

    def seat(self, players: int) -> Seat:
        """The function and its row, as tables of so many are played outside a run. UserError if it is not compiled."""
        if not self.jitted:
            raise UserError(
                f"{self.token} is plain Python, which only simulate and trace play; decorate it with @policy to use it "
                "here (docs/policies.md)."
            )
        return self.function, self.row(players)

    def digest_files(self, players: int) -> str:
        """A digest of the files it came from, its network for so many players among them; empty for built-ins."""
        return self.digest if self.model is None else f"{self.digest} {self.model(players).digest}".strip()


def list_policies(game: Game) -> dict[str, str]:
    """The policies of a game that have a name: name -> one-line description.

    They are built in, or presets of a built-in one, or come from an installed package, in this order; a package
    cannot take a name that is the game's own.
    """
    own = _list_own(game)
    installed = {name: f"from the package {_package(entries[0])}" for name, entries in _list_installed(game).items()}
    return own | {name: line for name, line in installed.items() if name not in own}


def find_policy(game: Game, token: str) -> Policy:
    """The policy of a lineup token: a name, NAME:N for one that takes a number, FILE.py:name or FILE.toml:preset.

    Raises UserError if there is no such policy or file, if the file does not load, if it has no callable of
    that name, or if that cannot be called as a policy.
    """
    check_name(game, token)
    if _is_preset(token):
        return _load_preset(game, token)
    if _is_file(token):
        return _load_plugin(game, token)
    name, _, number = token.partition(":")
    if name not in _list_own(game):
        return _load_installed(game, name)
    policies = game.policies
    base = _find_base(game, name)
    function, _ = policies.load(base)
    weights = weigh(game, name)
    if number:
        weights[policies.find_module(base).NAMES.index(policies.numbered[base])] = int(number)
    return Policy(token, function, weights, jitted=True, model=_find_model(game, name, base))


def _find_model(game: Game, name: str, base: str, path: Path | None = None) -> Callable[[int], Network] | None:
    """What finds the networks of a preset's model, of the kind that its base reads."""
    stem = find_model(game, name, path)
    return partial(find_network, game, stem, kind=CHOICES if base == "taught" else VALUE) if stem else None


def check_name(game: Game, token: str) -> None:
    """UserError if a lineup token is neither FILE.py:name nor a policy with a name; compiles nothing."""
    names = list_policies(game)
    name, colon, number = token.partition(":")
    if _is_file(token) or _is_preset(token) or token in names:
        return
    if name in names:
        _check_number(game, token, name, number)
        return
    close = get_close_matches(name, names, 1)
    hint = f" Did you mean {close[0]}{colon}{number}?" if close else ""
    raise UserError(f"no policy named {token}.{hint} Policies: {', '.join(names)}, FILE.py:name or FILE.toml:preset.")


def _check_number(game: Game, token: str, name: str, number: str) -> None:
    numbered = game.policies.numbered
    if _find_base(game, name) not in numbered:
        takers = " or ".join(f"{taker}:N" for taker in numbered) or "none here"
        raise UserError(f"{token}: {name} takes no number; these do: {takers}. A policy of your own is FILE.py:name.")
    if not (number.isdecimal() and len(number) <= len(str(MOST_TRIALS)) and 1 <= int(number) <= MOST_TRIALS):
        raise UserError(f"{token}: after {name} comes a whole number from 1 to {MOST_TRIALS:,}, as in {name}:200.")


def _is_file(token: str) -> bool:
    return token.endswith(".py") or token.rpartition(":")[0].endswith(".py")


def _is_preset(token: str) -> bool:
    return token.rpartition(":")[0].endswith(".toml")


def _load_preset(game: Game, token: str) -> Policy:
    """A preset of a user's own file, as `atlantis tune -o` writes them."""
    text, _, name = token.rpartition(":")
    path = Path(text).expanduser()
    if not path.is_file():
        raise UserError(f"no file of presets {text} (from the lineup entry {token}); give FILE.toml:name.")
    presets = read_presets(path)
    if name not in presets:
        raise UserError(f"{text} has no preset named {name}. It has: {', '.join(presets) or 'none'}.")
    weights = weigh(game, name, path)
    function, _ = game.policies.load(presets[name].base)
    digest, model = hashlib.sha256(path.read_bytes()).hexdigest(), _find_model(game, name, presets[name].base, path)
    return Policy(token, function, weights, jitted=True, digest=digest, model=model)


def _list_own(game: Game) -> dict[str, str]:
    """The game's own policies and presets, name -> line; a preset may say more of the policy it is named after."""
    built_in: dict[str, str] = game.policies.lines
    return built_in | {name: preset.line for name, preset in list_presets(game).items()}


def _find_base(game: Game, name: str) -> str:
    """The built-in policy behind a name."""
    preset = list_presets(game).get(name)
    return preset.base if preset else name


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
def _list_installed(game: Game) -> dict[str, tuple[EntryPoint, ...]]:
    """What installed packages offer for a game, by the policy's name; two packages may choose the same one."""
    found: dict[str, tuple[EntryPoint, ...]] = {}
    for entry in entry_points(group=ENTRY_POINTS):
        owner, _, rest = entry.name.partition(".")
        name = entry.name if not rest or owner not in GAMES else rest if owner == game.name else ""
        if name:
            found[name] = (*found.get(name, ()), entry)
    return found


def _package(entry: EntryPoint) -> str:
    return f"{entry.dist.name} {entry.dist.version}" if entry.dist else entry.module


def _load_installed(game: Game, name: str) -> Policy:
    entry, *others = _list_installed(game)[name]
    if others:
        packages = " and ".join(map(_package, [entry, *others]))
        raise UserError(f"the packages {packages} each offer a policy named {name}; keep one of them.")
    told = f"the policy {name} of the package {_package(entry)}"
    try:
        found = entry.load()
    except (Exception, SystemExit) as error:
        raise UserError(f"{told} does not load: {_describe(error)}.") from error
    if not callable(found):
        raise UserError(f"{told} cannot be called: {entry.value} is of type {type(found).__name__}.")
    source = Path(sys.modules[entry.module].__file__ or "")
    digest = hashlib.sha256(source.read_bytes()).hexdigest() if source.is_file() else "no file"
    return _wrap(game, name, found, f"{_package(entry)} {digest}")


def _wrap(game: Game, token: str, found: Any, digest: str) -> Policy:
    """A user's jitted function, plain callable or class as a policy. UserError if it cannot be one."""
    weights = np.zeros(WEIGHTS)
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
    signature = game.module("").SIGNATURE
    try:
        if not found.signatures:
            found.compile(signature)
    except Exception as error:  # numba lets a KeyError through where a record lacks a field
        raise UserError(f"numba cannot compile the policy {token}: {_describe(error)}.") from error
    compiled = {entry.signature for entry in found.overloads.values()}
    if signature not in compiled:
        raise UserError(
            f"{token} was compiled for other arguments than a policy's; "
            f"decorate it with @policy from {game.kernels}."
        )
    return found


def _answering_int(function: Callable[..., Any]) -> Callable[..., int]:
    """`function` with its answer checked to be a whole number, as the jitted loop would."""

    def answer(*arguments: Any) -> int:
        return operator.index(function(*arguments))

    return answer
