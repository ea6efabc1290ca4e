"""The rules as the teller reads them: numbers, names of cards, and the ids of rulings to cite."""

from collections.abc import Iterable, Sequence
from typing import Any

from kernels.atlantica import codes
from sim.rulebook import Rulebook
from sim.stories import Sight, see
from sim.stories.atlantica.facts import Cards, Row


class Book:
    """`rules` is the record the kernels play by, `research` the names of Research cards by kind."""

    def __init__(self, rulebook: Rulebook) -> None:
        self.rulebook = rulebook
        self.rules: Sight = see(rulebook.record()[0])
        deck: Any = rulebook.rules["research_deck"].value
        self.research = [str(card["name"]) for card in deck]

    def cite(self, *names: str) -> tuple[str, ...]:
        """Ruling ids of the rules of these names, save those that the rulebook prints."""
        rules = [self.rulebook.rules[name] for name in names]
        return tuple(dict.fromkeys(rule.ruling for rule in rules if rule.is_open and rule.ruling))

    def holds(self, sight: Sight, seat: int, effect: int) -> bool:
        """Whether a seat has a Research card of that RESEARCH_ effect."""
        effects = self.rules.research_effect
        return any(copies and effects[kind] == effect for kind, copies in enumerate(sight.research[seat]))

    # ---- the board in words

    def treasure_row(self, sight: Sight) -> Row:
        """Treasures from space 0."""
        return tuple(None if kind == codes.NONE else codes.TREASURES[kind] for kind in sight.treasure_row)

    def research_row(self, sight: Sight) -> Row:
        """Research cards from space 0."""
        return tuple(None if kind == codes.NONE else self.research[kind] for kind in sight.research_row)

    def top_ships(self, sight: Sight) -> tuple[int | None, ...]:
        """Crates on the top ship of each pile, None where the pile is empty."""
        return tuple(
            None if sight.ship_top[pile] == codes.PILE_SHIPS else self.top_crates(sight, pile)
            for pile in range(codes.SHIP_PILES)
        )

    def top_crates(self, sight: Sight, pile: int) -> int:
        """Crates on the top ship of a pile."""
        return int(self.rules.crates[pile][sight.ship_deck[pile][sight.ship_top[pile]]])


def by_name(names: Iterable[str], numbers: Sequence[int]) -> Cards:
    """Numbers by name, those that are not 0. Two kinds of one name are counted together."""
    cards: Cards = {}
    for name, number in zip(names, numbers):
        if number:
            cards[name] = cards.get(name, 0) + number
    return cards


def divers_of(numbers: Sequence[int]) -> Cards:
    """Divers by colour, those that are there."""
    return by_name(codes.DIVERS, numbers)


def treasures_of(numbers: Sequence[int]) -> Cards:
    """Treasures by kind, those that are there."""
    return by_name(codes.TREASURES, numbers)
