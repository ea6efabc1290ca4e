"""The rules that the rulebook does not print."""

from collections.abc import Mapping

from analysis.frames import Run
from analysis.page import Section, block
from analysis.tables import Column, Table, join_words

STATUSES = {
    "conflict": "The rulebook says two things",
    "assumed": "The rulebook is silent: a default was chosen",
    "inferred": "Follows from the rulebook's examples or arithmetic",
    "yours": "Given by you",
}


def open_rules(run: Run, delta: float) -> Section:
    """The rules that matter here and that the rulebook does not print, grouped by status."""
    rules = [rule for rule in run.manifest.rules if rule.get("applies", True)]
    unprinted = [rule for rule in rules if rule.get("status") != "printed"]
    changed = [rule for rule in rules if rule.get("changed_by") not in (None, "", "base")]
    heads = (Column("Rule"), Column("Value"), Column("Ruling"), Column("What is played"), Column("Why"))
    tables = []
    if changed:
        own_rows = tuple(
            (str(r["name"]), say_value(r.get("value")), str(r["changed_by"]), _text(r, "note")) for r in changed
        )
        own = (Column("Rule"), Column("Value"), Column("Changed by"), Column("What is played"))
        tables.append(Table("rules_changed", f"Not as in the basic game ({len(changed)})", own, own_rows))
    known = [*STATUSES, *sorted({str(r.get("status")) for r in unprinted} - set(STATUSES))]
    counts = []
    for status in known:
        here = [rule for rule in unprinted if rule.get("status") == status]
        if here:
            counts.append(f"{len(here)} {status}")
            rows = tuple(
                (
                    str(r["name"]),
                    say_value(r.get("value")),
                    _text(r, "ruling"),
                    _text(r, "note"),
                    _text(r, "source"),
                )
                for r in here
            )
            tables.append(Table(f"rules_{status}", f"{STATUSES.get(status, status)} ({len(here)})", heads, rows))
    if unprinted:
        sentence = (
            f"{len(unprinted)} of the {len(rules)} rules in force are not printed in the rulebook: "
            f"{join_words(counts)}."
        )
    else:
        sentence = f"All {len(rules)} rules in force are printed in the rulebook."
    return Section(
        "rules",
        "Rules not printed in the rulebook",
        sentence,
        tuple(block(table) for table in tables),
        (
            "Whoever owns a copy of the game can settle them: give the true value with --set NAME=VALUE or "
            "in a rules file.",
            "A rule without a value is a behaviour that is built in.",
        ),
    )


def _text(rule: Mapping[str, object], key: str) -> str:
    return str(rule.get(key) or "")


def _list_parts(parts: list[str]) -> str:
    """Parts one after the other, so that lists within a list stay apart."""
    return ("; " if any("," in part for part in parts) else ", ").join(parts)


def say_value(value: object) -> str:
    """A rule's value in words."""
    if isinstance(value, list):
        return _list_parts([say_value(v) for v in value])
    if isinstance(value, dict):
        return _list_parts([f"{k} {say_value(v)}" for k, v in value.items()])
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "" if value is None else str(value).replace("_", " ")
