"""The kinds of value a rule can have: how each is read, shown, and laid into the kernels' record.

A schema (sim/rules/<game>/schema.py) says with these which values fit which rule. One that does not raises
`UnfitError` with a sentence that names the rule and says what would.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, TypeAlias

Value = Any  # what TOML and JSON share: int, bool, str, list, dict
Codes: TypeAlias = "int | Sequence[Codes]"


class UnfitError(ValueError):
    """A value that does not fit its rule, said in one sentence."""


def as_said(raw: object) -> str:
    """`raw` as an error quotes it: short and printable, whatever somebody typed."""
    if isinstance(raw, bool):
        return str(raw).lower()
    if isinstance(raw, Mapping):
        return "a table"
    if isinstance(raw, list):
        return "a list"
    if isinstance(raw, int) and abs(raw) >= 10**18:
        return "a number beyond all bounds"
    text = raw if isinstance(raw, str) else str(raw)
    text = "".join(letter if letter.isprintable() else "?" for letter in " ".join(text.split()))
    return f"{text[:37]}..." if len(text) > 40 else text or "nothing"


def suggest(word: str, words: Iterable[str]) -> str:
    """A question that offers the closest of `words`, with a space before it; "" if none is close."""
    close = get_close_matches(word[:100], list(words), n=1)
    return f" Did you mean {close[0]}?" if close else ""


def pick(name: str, raw: object, words: Sequence[str], what: str) -> str:
    """The one of `words` that `raw` names, whatever its case and with hyphens for underscores."""
    if isinstance(raw, str):
        wanted = raw.strip().lower().replace("-", "_")
        for word in words:
            if word.lower() == wanted:
                return word
    raise UnfitError(f"{name} has no {what} {as_said(raw)}; valid: {', '.join(words)}.")


@dataclass(frozen=True, kw_only=True)
class Shape(ABC):
    """What fits a rule.

    `field`: the record's field where its name is not the rule's, "" if the kernels need not know the rule.
    `players`: the rule counts only with so many players.
    """

    field: str | None = None
    players: int | None = None

    @abstractmethod
    def read(self, name: str, raw: object, before: Value) -> Value:
        """`raw` as a value of this shape; `before` is the value it changes or None. Raises UnfitError."""

    @abstractmethod
    def codes(self, value: Value) -> Codes:
        """`value` as the integers of its field."""

    @abstractmethod
    def show(self, value: Value) -> str:
        """`value` for people, in the grammar of --set where that has one."""

    def misfit(self, name: str, value: Value) -> str:
        """What is wrong with parts that fit one by one but not together, in a sentence; "" if nothing is."""
        return ""

    def fields(self, name: str, value: Value) -> dict[str, Codes]:
        """The record's fields that `value` fills."""
        field = name if self.field is None else self.field
        return {field: self.codes(value)} if field else {}


@dataclass(frozen=True, kw_only=True)
class Whole(Shape):
    """A whole number."""

    low: int
    high: int
    unit: str = ""

    def read(self, name: str, raw: object, before: Value) -> int:
        if isinstance(raw, int) and not isinstance(raw, bool) and self.low <= raw <= self.high:
            return raw
        unit = f" ({self.unit})" if self.unit else ""
        raise UnfitError(f"{name} must be a whole number from {self.low} to {self.high}{unit}, got {as_said(raw)}.")

    def codes(self, value: Value) -> int:
        return int(value)

    def show(self, value: Value) -> str:
        return str(value)


@dataclass(frozen=True, kw_only=True)
class Flag(Shape):
    """true or false."""

    def read(self, name: str, raw: object, before: Value) -> bool:
        if isinstance(raw, bool):
            return raw
        raise UnfitError(f"{name} must be true or false, got {as_said(raw)}.")

    def codes(self, value: Value) -> int:
        return int(value)

    def show(self, value: Value) -> str:
        return str(value).lower()


@dataclass(frozen=True, kw_only=True)
class Choice(Shape):
    """One of some words."""

    words: tuple[str, ...]

    def read(self, name: str, raw: object, before: Value) -> str:
        try:
            return pick(name, raw, self.words, "choice")
        except UnfitError:
            raise UnfitError(f"{name} must be one of {', '.join(self.words)}, got {as_said(raw)}.") from None

    def codes(self, value: Value) -> int:
        return self.words.index(value)

    def show(self, value: Value) -> str:
        return str(value)


@dataclass(frozen=True, kw_only=True)
class Row(Shape):
    """So many whole numbers; `meaning` says what they stand for.

    `least`: so few will do. `rising`: none is less than the one before it. Padded with `blank` to `pad` in the record.
    """

    length: int
    low: int
    high: int
    meaning: str
    least: int | None = None
    rising: bool = False
    pad: int = 0
    blank: int = 0

    def read(self, name: str, raw: object, before: Value) -> list[int]:
        least = self.length if self.least is None else self.least
        wanted = str(self.length) if least == self.length else f"{least} to {self.length}"
        numbers: list[int] = []
        for number in raw if isinstance(raw, list) else [raw]:
            if not isinstance(number, int) or isinstance(number, bool):
                raise UnfitError(f"{name} needs {wanted} whole numbers ({self.meaning}), got {as_said(number)}.")
            if not self.low <= number <= self.high:
                raise UnfitError(
                    f"{name} needs numbers from {self.low} to {self.high} ({self.meaning}), got {as_said(number)}."
                )
            if self.rising and numbers and number < numbers[-1]:
                raise UnfitError(f"{name} must not fall ({self.meaning}), got {number} after {numbers[-1]}.")
            numbers.append(number)
        if not least <= len(numbers) <= self.length:
            raise UnfitError(f"{name} needs {wanted} numbers ({self.meaning}), got {len(numbers)}.")
        return numbers

    def codes(self, value: Value) -> list[int]:
        return [*value, *[self.blank] * (self.pad - len(value))]

    def show(self, value: Value) -> str:
        return ",".join(str(number) for number in value)


@dataclass(frozen=True, kw_only=True)
class Table(Shape):
    """A value for each of some names: a table of all or some of them, a list of all, or one value for all."""

    keys: tuple[str, ...]
    entry: Shape
    total: int | None = None
    counted: str = ""

    def read(self, name: str, raw: object, before: Value) -> dict[str, Value]:
        if isinstance(raw, list):
            if len(raw) != len(self.keys):
                raise UnfitError(f"{name} needs {len(self.keys)} values ({', '.join(self.keys)}), got {len(raw)}.")
            given = dict(zip(self.keys, raw))
        elif isinstance(raw, Mapping):
            given = {pick(name, key, self.keys, "entry"): part for key, part in raw.items()}
        else:
            given = {key: self.entry.read(name, raw, None) for key in self.keys}
        known = dict(before or {})
        read = {key: self.entry.read(f"{name}.{key}", part, known.get(key)) for key, part in given.items()}
        merged = {key: (known | read)[key] for key in self.keys if key in known or key in read}
        if len(merged) < len(self.keys):
            missing = next(key for key in self.keys if key not in merged)
            raise UnfitError(f"{name} needs a value for {missing}.")
        return merged

    def misfit(self, name: str, value: Value) -> str:
        if self.total is not None and sum(value.values()) != self.total:
            return f"{name} must add up to {self.total} {self.counted}, got {sum(value.values())}."
        return ""

    def codes(self, value: Value) -> list[Codes]:
        return [self.entry.codes(value[key]) for key in self.keys]

    def show(self, value: Value) -> str:
        parts = {key: self.entry.show(part) for key, part in value.items()}
        if len(set(parts.values())) == 1:
            return f"{next(iter(parts.values()))} for all"
        between = "; " if any("," in part for part in parts.values()) else ", "
        return between.join(f"{key}={part}" for key, part in parts.items())


@dataclass(frozen=True, kw_only=True)
class Names(Shape):
    """From `least` to `most` different names out of some, in order; padded with -1 to `pad` in the record."""

    names: tuple[str, ...]
    least: int
    most: int
    what: str
    pad: int = 0

    def read(self, name: str, raw: object, before: Value) -> list[str]:
        if isinstance(raw, Mapping):
            raise UnfitError(f"{name} must be a list of {self.what}s ({', '.join(self.names)}), got a table.")
        given = raw if isinstance(raw, list) else [raw] if raw != "" else []
        chosen = [pick(name, one, self.names, self.what) for one in given]
        for one in chosen:
            if chosen.count(one) > 1:
                raise UnfitError(
                    f"{name} names {one} {chosen.count(one)} times, but there is only one {self.what} {one}."
                )
        if not self.least <= len(chosen) <= self.most:
            wanted = str(self.most) if self.least == self.most else f"{self.least} to {self.most}"
            raise UnfitError(f"{name} needs {wanted} {self.what}s ({', '.join(self.names)}), got {len(chosen)}.")
        return chosen

    def codes(self, value: Value) -> list[int]:
        return [*(self.names.index(one) for one in value), *[-1] * (self.pad - len(value))]

    def show(self, value: Value) -> str:
        return ",".join(value) or "the usual ones"


@dataclass(frozen=True, kw_only=True)
class Sets(Shape):
    """So many sets of names, each a list or a text with / between them; `meaning` says what they stand for.

    In the record a set is a whole number: bit n is set where the n-th of `names` is in it.
    """

    names: tuple[str, ...]
    length: int
    what: str
    meaning: str

    def read(self, name: str, raw: object, before: Value) -> list[list[str]]:
        given = raw if isinstance(raw, list) else [raw]
        if len(given) != self.length:
            raise UnfitError(
                f"{name} needs {self.length} sets of {self.what}s ({self.meaning}), each such as {self.names[0]} or "
                f"{self.names[0]}/{self.names[1]}, got {len(given)}."
            )
        return [self._set(name, one) for one in given]

    def _set(self, name: str, raw: object) -> list[str]:
        given = raw if isinstance(raw, list) else raw.split("/") if isinstance(raw, str) else [raw]
        chosen = [pick(name, one, self.names, self.what) for one in given]
        if not chosen:
            raise UnfitError(f"{name} needs a {self.what} in each set; valid: {', '.join(self.names)}.")
        for one in chosen:
            if chosen.count(one) > 1:
                raise UnfitError(f"{name} names {one} {chosen.count(one)} times in one set; once is enough.")
        return chosen

    def codes(self, value: Value) -> list[int]:
        return [sum(1 << self.names.index(one) for one in chosen) for chosen in value]

    def show(self, value: Value) -> str:
        return ",".join("/".join(chosen) for chosen in value)


@dataclass(frozen=True, kw_only=True)
class Deck(Shape):
    """A list of cards, each with name, copies, effect and, where the effect takes one, an amount.

    `effects` gives the range of each effect's amount or None, `fields_by_part` the record's fields for
    effect, amount and copies, all padded with 0 to `most`.
    """

    effects: Mapping[str, tuple[int, int] | None]
    total: int
    most: int
    fields_by_part: tuple[str, str, str]

    def read(self, name: str, raw: object, before: Value) -> list[dict[str, Value]]:
        if not isinstance(raw, list) or not all(isinstance(card, Mapping) for card in raw):
            raise UnfitError(
                f"{name} must be a list of cards, each with name, copies, effect and amount "
                f"(in a rules file: [[{name}]]), got {as_said(raw)}."
            )
        if len(raw) > self.most:
            raise UnfitError(f"{name} can hold {self.most} different cards, got {len(raw)}.")
        cards = [self._card(name, number, card) for number, card in enumerate(raw, start=1)]
        titles = [card["name"] for card in cards]
        for title in titles:
            if titles.count(title) > 1:
                raise UnfitError(
                    f"{name} has {titles.count(title)} entries named {as_said(title)}; "
                    "put them in one, or give each its own name."
                )
        return cards

    def _card(self, name: str, number: int, raw: Mapping[str, object]) -> dict[str, Value]:
        title = raw.get("name")
        if not isinstance(title, str) or not title.strip() or len(title) > 40 or not title.isprintable():
            raise UnfitError(f"{name}, card {number}, needs a name of 1 to 40 letters, got {as_said(title or '')}.")
        where = f"{name}, {as_said(title)}"
        for part in raw:
            if part not in ("name", "copies", "effect", "amount"):
                raise UnfitError(f"{where}, has no part {as_said(part)}; valid: name, copies, effect, amount.")
        for part in ("copies", "effect"):
            if part not in raw:
                raise UnfitError(f"{where}, needs {part}.")
        copies = Whole(low=0, high=self.total).read(f"{where}: copies", raw["copies"], None)
        effect = raw["effect"]
        if not isinstance(effect, str) or effect not in self.effects:
            hint = suggest(effect, self.effects) if isinstance(effect, str) else ""
            raise UnfitError(f"{where}: no effect named {as_said(effect)}.{hint} Effects: {', '.join(self.effects)}.")
        limits = self.effects[effect]
        if limits is None:
            if raw.get("amount", 0) != 0 or isinstance(raw.get("amount"), bool):
                raise UnfitError(f"{where}: {effect} takes no amount, got {as_said(raw['amount'])}.")
            amount = 0
        elif "amount" not in raw:
            raise UnfitError(f"{where}: {effect} needs an amount from {limits[0]} to {limits[1]}.")
        else:
            amount = Whole(low=limits[0], high=limits[1]).read(f"{where}: amount", raw["amount"], None)
        return {"name": title, "copies": copies, "effect": effect, "amount": amount}

    def misfit(self, name: str, value: Value) -> str:
        copies = sum(card["copies"] for card in value)
        return "" if copies == self.total else f"{name} must add up to {self.total} cards, got {copies}."

    def codes(self, value: Value) -> list[int]:
        raise NotImplementedError("a deck fills three fields")

    def fields(self, name: str, value: Value) -> dict[str, Codes]:
        padding = [0] * (self.most - len(value))
        effects = list(self.effects)
        parts = (
            [effects.index(card["effect"]) for card in value],
            [card["amount"] for card in value],
            [card["copies"] for card in value],
        )
        return {field: [*part, *padding] for field, part in zip(self.fields_by_part, parts)}

    def show(self, value: Value) -> str:
        return ", ".join(_card_text(card) for card in value)


def _card_text(card: Mapping[str, Value]) -> str:
    effect = f"{card['effect']} {card['amount']}" if card["amount"] else card["effect"]
    return f"{card['copies']}x {card['name']} ({effect})"
