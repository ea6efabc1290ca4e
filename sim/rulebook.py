"""The rules in force: base.toml, overlays, the user's files and --set become one record for the kernels.

More specific wins: base, the overlay of the player count, variants in the order given, files, settings. Every
rule keeps its status, its source and the name of what changed it last.
"""

import re
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from hashlib import sha256
from importlib import import_module
from json import dumps
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeVar

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from sim.errors import UserError
from sim.games import Game
from sim.rules.shapes import Shape, UnfitError, Value, Whole, as_said, suggest

Status = Literal["printed", "inferred", "conflict", "assumed", "yours"]
STATUSES: tuple[Status, ...] = ("printed", "inferred", "conflict", "assumed", "yours")
Record = np.ndarray[Any, np.dtype[np.void]]
Model = TypeVar("Model", bound=BaseModel)


class RuleOption(NamedTuple):
    """An alternative of a rule: `--set E01=steps-of-3` chooses it, `overrides` is what it sets."""

    ruling: str
    name: str
    overrides: dict[str, Value]

    @property
    def setting(self) -> str:
        """The option in the grammar of --set."""
        return f"{self.ruling}={self.name}"


@dataclass(frozen=True)
class Rule:
    """One rule in force.

    `value` is as in the TOML: a number, word, list or table; None for a behaviour, which is built in.
    `shown` is the value as text. `applies`: the rule matters at all with these players and variants.
    `changed_by` is "base", "two_player", "variant family", "file x.toml" or "--set".
    """

    name: str
    kind: Literal["value", "behaviour"]
    value: Value
    status: Status
    ruling: str
    source: str
    note: str
    another_reading: str
    alternatives: tuple[RuleOption, ...]
    changed_by: str
    applies: bool
    shown: str

    @property
    def is_open(self) -> bool:
        """The rulebook does not settle it."""
        return self.status != "printed"


@dataclass(frozen=True)
class Rulebook:
    """The rules of a game for a number of players, and where each comes from."""

    game: Game
    players: int
    variants: tuple[str, ...]
    files: tuple[Path, ...]
    settings: tuple[str, ...]
    rules: dict[str, Rule]

    @cached_property
    def _filled(self) -> Record:
        kernel = self.game.module("rules")
        record = np.zeros(1, kernel.RULES)
        record["players"] = self.players
        for name, shape in _shapes(self.game).items():
            if shape.players in (None, self.players):
                for field, codes in shape.fields(name, self.rules[name].value).items():
                    record[field][0] = codes
        if hasattr(kernel, "derive"):  # tables that spare the kernels some thinking
            kernel.derive(record)
        return record

    def record(self) -> Record:
        """A fresh copy of what the kernels read: shape (1,), dtype RULES of the game."""
        return self._filled.copy()

    @cached_property
    def digest(self) -> str:
        """SHA-256 over the game and all values of the record, in hexadecimal: equal rules, equal digest."""
        record = self._filled
        values = {field: record[field][0].tolist() for field in record.dtype.names or ()}
        return sha256(dumps([self.game.name, values], sort_keys=True).encode()).hexdigest()

    def open_rules(self) -> list[Rule]:
        """The rules that matter here and that the rulebook does not print."""
        return [rule for rule in self.rules.values() if rule.is_open and rule.applies]

    def as_manifest(self) -> list[dict[str, Value]]:
        """One dict a rule, ready for JSON: value, status, source and so on. `restore_rules` reads them."""
        keys = ("name", "kind", "value", "status", "ruling", "source", "note", "changed_by", "applies")
        return [{key: getattr(rule, key) for key in keys} for rule in self.rules.values()]


# What the TOML files hold.


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class _Alternative(_Part):
    name: str = Field(pattern=r"^[a-z0-9-]+$")
    set: dict[str, Any] = Field(min_length=1)


class _Change(_Part):
    """What an overlay or a user's file says of a rule."""

    value: Any = None
    status: Status | None = None
    source: str | None = None
    note: str | None = None


class _Copied(_Change):
    """A user may start from a copy of base.toml: what belongs to the rule itself may stand there, unread."""

    kind: Any = None
    ruling: Any = None
    alternatives: Any = None
    another_reading: Any = None
    only: Any = None
    unless: Any = None


class _Entry(_Part):
    """A rule in base.toml."""

    kind: Literal["value", "behaviour"] = "value"
    ruling: str = Field(default="", pattern=r"^([A-Z]\d\d[a-z]?)?$")
    value: Any = None
    status: Literal["printed", "inferred", "conflict", "assumed"]
    source: str
    note: str
    another_reading: str = ""
    alternatives: list[_Alternative] = []
    only: dict[str, Any] = {}
    unless: dict[str, Any] = {}


class _Overlay(BaseModel):
    """A file in variants/: `players` applies it to that number of players, otherwise the user chooses it."""

    model_config = ConfigDict(extra="allow")
    __pydantic_extra__: dict[str, _Change] = Field(init=False)

    title: str
    line: str
    players: int | None = None
    with_players: dict[int, dict[str, _Change]] = {}


@dataclass(frozen=True)
class _Layer:
    """Changes that come from one place; `by` is how errors and the provenance name it."""

    by: str
    changes: Mapping[str, _Change]
    source: str = ""
    status: Status | None = None


def load_rules(
    game: Game,
    players: int,
    variants: Sequence[str] = (),
    files: Sequence[Path] = (),
    settings: Sequence[str] = (),
) -> Rulebook:
    """The rules of `game` for `players`, with variants by name, TOML files and `name=value` settings.

    Raises UserError for anything unknown, unfit or impossible.
    """
    if players not in game.players:
        raise UserError(f"{game.title} is for {game.players[0]} to {game.players[-1]} players, got {players}.")
    layers = [
        *_player_count_layers(game, players),
        *(_variant_layer(game, players, variant) for variant in variants),
        *(_file_layer(game, path) for path in files),
        *(_setting_layer(game, setting) for setting in settings),
    ]
    rules = _base_rules(game)
    for layer in layers:
        for name, change in layer.changes.items():
            rules[name] = _changed(game, rules, name, change, layer)
    _check_together(game, players, rules, layers)
    return Rulebook(game, players, tuple(variants), tuple(files), tuple(settings), _with_use(game, players, rules))


def restore_rules(
    game: Game,
    players: int,
    rows: Iterable[Mapping[str, Value]],
    variants: Sequence[str] = (),
    files: Sequence[Path] = (),
    settings: Sequence[str] = (),
) -> Rulebook:
    """The rulebook that `as_manifest` wrote as `rows`, whatever has become of the files it was made from.

    Raises UserError where the rows do not fit this version; the caller compares digests.
    """
    rules = _base_rules(game)
    for row in rows:
        name = str(row.get("name"))
        if name not in rules:
            raise UserError(f"manifest: {game.title} has no rule named {as_said(name)} in this version.")
        fixed = {key: row[key] for key in _Change.model_fields if row.get(key) is not None}
        change = _parsed(_Change, fixed, "manifest", name)
        rule = _changed(game, rules, name, change, _Layer("manifest", {}))
        rules[name] = replace(rule, changed_by=str(row.get("changed_by")))
    _check_together(game, players, rules, [_Layer("manifest", dict.fromkeys(rules, _Change()))])
    return Rulebook(game, players, tuple(variants), tuple(files), tuple(settings), _with_use(game, players, rules))


def list_variants(game: Game) -> dict[str, str]:
    """The variants a user can choose: name -> one line."""
    return {name: overlay.line for name, overlay in _overlays(game).items() if overlay.players is None}


def rule_options(game: Game) -> list[RuleOption]:
    """Every alternative of every rule, in the order of base.toml."""
    return [option for rule in _base_rules(game).values() for option in rule.alternatives]


def describe_option(game: Game, option: RuleOption) -> str:
    """What an option sets, for people: "royal_chart 3,6,9,12,15"."""
    shapes = _shapes(game)
    return ", ".join(
        f"{name} {shapes[name].show(shapes[name].read(name, raw, None))}" for name, raw in option.overrides.items()
    )


# The game's own data, read once.


def _shapes(game: Game) -> Mapping[str, Shape]:
    shapes: Mapping[str, Shape] = import_module(f"{game.rules}.schema").SHAPES
    return shapes


def _checks(game: Game) -> Sequence[tuple[tuple[str, ...], Callable[[Mapping[str, Value], int], str]]]:
    checks: Sequence[tuple[tuple[str, ...], Callable[[Mapping[str, Value], int], str]]]
    checks = import_module(f"{game.rules}.schema").CHECKS
    return checks


@cache
def _entries(game: Game) -> dict[str, _Entry]:
    raw = _read_toml(game.rules_folder / "base.toml", "base.toml")
    return {name: _parsed(_Entry, entry, "base.toml", name) for name, entry in raw.items()}


@cache
def _overlays(game: Game) -> dict[str, _Overlay]:
    paths = sorted((game.rules_folder / "variants").glob("*.toml"))
    return {
        path.stem.replace("_", "-"): _parsed(_Overlay, _read_toml(path, path.name), path.name, "") for path in paths
    }


@cache
def _check_base(game: Game) -> None:
    """UserError where rules data, shapes and record do not speak of the same rules: a mistake of the game's author."""
    shapes, entries, fields = _shapes(game), _entries(game), game.module("rules").RULES.names
    valued = {name for name, entry in entries.items() if entry.kind == "value"}
    said = ""
    for name in sorted(valued ^ set(shapes)):
        said = f"the rule {name} is not in {'schema.SHAPES' if name in valued else 'base.toml'}"
    for name in sorted(valued & set(shapes)):
        try:
            value = shapes[name].read(name, entries[name].value, None)
        except UnfitError as error:
            said = f"base.toml: {error}"[:-1]
            continue
        lacking = [field for field in shapes[name].fields(name, value) if field not in fields]
        said = f"the field {lacking[0]} of the rule {name} is not in RULES" if lacking else said
        unknown = [key for one in entries[name].alternatives for key in one.set if key not in entries]
        said = f"an alternative of the rule {name} sets {unknown[0]}, which is no rule" if unknown else said
    if said:
        raise UserError(f"the rules data of {game.title} do not fit: {said}; see step 4 of docs/adding-a-game.md.")


def _base_rules(game: Game) -> dict[str, Rule]:
    _check_base(game)
    shapes = _shapes(game)
    rules = {}
    for name, entry in _entries(game).items():
        value = shapes[name].read(name, entry.value, None) if entry.kind == "value" else None
        rules[name] = Rule(
            name=name,
            kind=entry.kind,
            value=value,
            status=entry.status,
            ruling=entry.ruling,
            source=entry.source,
            note=entry.note,
            another_reading=entry.another_reading,
            alternatives=tuple(RuleOption(entry.ruling, one.name, one.set) for one in entry.alternatives),
            changed_by="base",
            applies=True,
            shown="",
        )
    return rules


def _with_use(game: Game, players: int, rules: Mapping[str, Rule]) -> dict[str, Rule]:
    """The rules with what only the finished set can tell: whether each one matters, and its value as text."""
    shapes = _shapes(game)
    return {
        name: replace(
            rule,
            applies=_applies(_entries(game)[name], players, rules) and _counts(shapes.get(name), players),
            shown="" if rule.kind == "behaviour" else shapes[name].show(rule.value),
        )
        for name, rule in rules.items()
    }


def _counts(shape: Shape | None, players: int) -> bool:
    return shape is None or shape.players in (None, players)


def _applies(entry: _Entry, players: int, rules: Mapping[str, Rule]) -> bool:
    def holds(name: str, value: Value) -> bool:
        return bool((players if name == "players" else rules[name].value) == value)

    return all(holds(*pair) for pair in entry.only.items()) and not any(holds(*pair) for pair in entry.unless.items())


# Reading changes.


def _player_count_layers(game: Game, players: int) -> list[_Layer]:
    overlays = _overlays(game).items()
    return [
        _Layer(name.replace("-", "_"), _changes_of(overlay, players))
        for name, overlay in overlays
        if overlay.players == players
    ]


def _variant_layer(game: Game, players: int, variant: str) -> _Layer:
    name = variant.replace("_", "-")
    choices = list_variants(game)
    if not choices:
        raise UserError(f"--variant: {game.title} has no variants, got {as_said(variant)}.")
    overlay = _overlays(game).get(name)
    if overlay is None:
        hint = suggest(name, choices)
        raise UserError(f"--variant: no variant named {as_said(variant)}.{hint} Variants: {', '.join(choices)}.")
    if overlay.players is not None:
        raise UserError(
            f"--variant: {name} is not for choosing, it comes with --players {overlay.players}. "
            f"Variants: {', '.join(choices)}."
        )
    return _Layer(f"variant {name}", _changes_of(overlay, players))


def _changes_of(overlay: _Overlay, players: int) -> dict[str, _Change]:
    return {**(overlay.__pydantic_extra__ or {}), **overlay.with_players.get(players, {})}


def _file_layer(game: Game, path: Path) -> _Layer:
    by = f"file {path.name}"
    changes: dict[str, _Change] = {}
    for name, raw in _read_toml(path, f"file {path}").items():
        _check_known(game, name, by)
        if isinstance(raw, dict) and raw.keys() & _Copied.model_fields.keys():
            changes[name] = _parsed(_Copied, raw, by, name)
        else:
            changes[name] = _Change(value=raw)
    return _Layer(by, changes, source=path.name, status="yours")


def _setting_layer(game: Game, setting: str) -> _Layer:
    by = "--set"
    key, equals, text = (part.strip() for part in setting.partition("="))
    if not key or not equals:
        raise UserError(f"{by}: {as_said(setting)} is not NAME=VALUE; write for example {_example_setting(game)}.")
    if re.fullmatch(r"[A-Z]\d\d[a-z]?", key):
        overrides = _chosen_option(game, key, text).overrides
    else:
        name, dot, entry = key.partition(".")
        overrides = {name: {entry: _guessed(text)} if dot else _guessed(text)}
    for name in overrides:
        _check_known(game, name, by)
    return _Layer(by, {name: _Change(value=raw) for name, raw in overrides.items()}, source=by, status="yours")


def _example_setting(game: Game) -> str:
    """The game's first rule that is one number, and a number that fits it."""
    name, shape = next((name, shape) for name, shape in _shapes(game).items() if isinstance(shape, Whole))
    return f"{name}={min(shape.high, int(_entries(game)[name].value) + 1)}"


def _chosen_option(game: Game, ruling: str, name: str) -> RuleOption:
    """The alternative of that name; E08 finds those of E08b too."""
    options = [option for option in rule_options(game) if option.ruling in (ruling, f"{ruling}{option.ruling[3:]}")]
    if not options:
        with_options = dict.fromkeys(option.ruling for option in rule_options(game))
        raise UserError(
            f"--set: {ruling} has no options to choose from; those with options: {', '.join(with_options)}."
        )
    for option in options:
        if option.name == name:
            return option
    names = ", ".join(option.name for option in options)
    raise UserError(f"--set: {ruling} has no option {as_said(name)}; options: {names}.")


def _guessed(text: str) -> Value:
    """What a person means by the right side of --set: numbers, true or false, words, or a list of them."""
    if "," in text:
        return [_guessed(part) for part in text.split(",")]
    word = text.strip()
    if re.fullmatch(r"[+-]?[0-9]{1,18}", word):
        return int(word)
    return {"true": True, "false": False}.get(word, word)


def _check_known(game: Game, name: str, by: str) -> None:
    if name not in _entries(game):
        hint = suggest(name, _entries(game))
        raise UserError(f"{by}: no rule named {as_said(name)}.{hint} All rules: atlantis rules {game.name}.")


def _changed(game: Game, rules: Mapping[str, Rule], name: str, change: _Change, layer: _Layer) -> Rule:
    """The rule with a layer's change. What the layer does not say stays."""
    rule = rules[name]
    value, status, source = rule.value, rule.status, rule.source
    if "value" in change.model_fields_set:
        if rule.kind == "behaviour":
            raise UserError(
                f"{layer.by}: {name} ({rule.ruling}) is built in and has no value; "
                "a rules file can give its status, source and note."
            )
        try:
            value = _shapes(game)[name].read(name, change.value, rule.value)
        except UnfitError as unfit:
            raise UserError(f"{layer.by}: {unfit}") from None
        status, source = layer.status or status, layer.source or source
    return replace(
        rule,
        value=value,
        status=change.status or status,
        source=change.source or source,
        note=change.note or rule.note,
        changed_by=layer.by,
    )


def _check_together(game: Game, players: int, rules: Mapping[str, Rule], layers: Sequence[_Layer]) -> None:
    """Raises UserError where values do not go together, naming the last layer that touched them."""

    def culprit(names: Sequence[str]) -> str:
        touched = [layer.by for layer in layers if layer.changes.keys() & set(names)]
        return f"{touched[-1]}: " if touched else ""

    for name, shape in _shapes(game).items():
        wrong = shape.misfit(name, rules[name].value)
        if wrong:
            raise UserError(f"{culprit([name])}{wrong}")
    values = {name: rule.value for name, rule in rules.items()}
    for names, check in _checks(game):
        wrong = check(values, players)
        if wrong:
            raise UserError(f"{culprit(names)}{wrong}")


def _read_toml(path: Path, name: str) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_bytes().decode())
    except OSError as error:
        raise UserError(f"{name} cannot be read: {error.strerror or error}.") from None
    except UnicodeDecodeError as error:
        raise UserError(f"{name} is not text in UTF-8 (byte {error.start}).") from None
    except RecursionError:
        raise UserError(f"{name} is nested too deeply for a rules file.") from None
    except ValueError as error:
        raise UserError(f"{name} is not valid TOML: {error}.") from None


def _parsed(model: type[Model], raw: object, by: str, name: str) -> Model:
    """`raw` as a `model`; what pydantic objects to first, said in a sentence."""
    try:
        return model.model_validate(raw)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        part = ".".join(str(step) for step in first["loc"])
        if first["type"] == "extra_forbidden":
            raise UserError(f"{by}: {name} has no part {as_said(part)}; valid: value, status, source, note.") from None
        wanted = first["msg"].replace("Input should be", "must be")
        raise UserError(f"{by}: {name}.{part} {wanted}, got {as_said(first['input'])}.") from None
