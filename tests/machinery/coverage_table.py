"""What a soak has to reach, and how often it did: the part that all games share.

A game's own module, tests.<game>.coverage_table, has `REACHED`, which lists by group everything that has to happen at
least once, and a `Tally` that watches games in lockstep and counts it.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

Reached = Mapping[str, tuple[str, ...]]  # group -> what has to be seen in it
Counts = Counter[tuple[str, str]]  # (group, what) -> times


class BaseTally:
    """Counts of what games in lockstep have reached. A game's Tally says in `reached` what there is to count."""

    reached: Reached

    def __init__(self) -> None:
        self.counts: Counts = Counter()
        self.known = {(group, what) for group, items in self.reached.items() for what in items}

    def add(self, group: str, what: str, times: int = 1) -> None:
        """Count something that `reached` lists; KeyError for anything else."""
        if (group, what) not in self.known:
            raise KeyError((group, what))
        self.counts[group, what] += times

    def start(self, game: Any) -> None:
        """A new game, at its first prompt."""

    def choice(self, game: Any, action: int) -> None:
        """An action that is about to be taken."""

    def step(self, game: Any) -> None:
        """What came of the action."""

    def end(self, game: Any) -> None:
        """A finished game."""


def never_reached(reached: Reached, counts: Counts) -> list[tuple[str, str]]:
    """What `reached` lists and no game has shown."""
    return [(group, what) for group, items in reached.items() for what in items if not counts[group, what]]


def table_lines(reached: Reached, counts: Counts) -> Iterable[str]:
    """The table, a group at a time; what never happened is marked."""
    for group, items in reached.items():
        yield f"{group}"
        for what in items:
            times = counts[group, what]
            yield f"  {times:>11,}  {what}" + ("" if times else "   <-- never")
