"""The rules as the teller reads them: numbers, names of Special cards, and the ids of rulings to cite."""

from typing import Any

from kernels.end_of_atlantis import codes
from sim.rulebook import Rulebook
from sim.stories import Sight, see


class Book:
    """`rules` is the record the kernels play by, `specials` the names of Special cards by kind."""

    def __init__(self, rulebook: Rulebook) -> None:
        self.rulebook = rulebook
        self.rules: Sight = see(rulebook.record()[0])
        deck: Any = rulebook.rules["special_deck"].value
        self.specials = [str(card["name"]) for card in deck]

    def cite(self, *names: str) -> tuple[str, ...]:
        """Ruling ids of the rules of these names, save those that the rulebook prints."""
        rules = [self.rulebook.rules[name] for name in names]
        return tuple(dict.fromkeys(rule.ruling for rule in rules if rule.is_open and rule.ruling))

    def cite_marker_tie(self, sight: Sight) -> tuple[str, ...]:
        """Why a marker stands left of another: where it started, or where its Faction stands."""
        held = any(holder != codes.NOBODY for holder in sight.holder)
        return self.cite("faction_order" if held or sight.turn > 1 else "marker_order")
