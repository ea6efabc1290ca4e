"""Which values fit which rule."""

from collections.abc import Callable, Mapping

from goofspiel.kernels.codes import MOST_CARDS
from goofspiel.kernels.rules import CHOICES
from sim.rules.shapes import Choice, Row, Shape, Value, Whole

SHAPES: dict[str, Shape] = {
    "cards": Whole(low=2, high=MOST_CARDS, unit="cards"),
    "prize_values": Row(length=MOST_CARDS, low=0, high=100, meaning="VP of the prizes 1, 2, 3, 4 and 5"),
    "equal_bids": Choice(words=CHOICES["equal_bids"]),
    "bonus": Whole(low=0, high=100, unit="VP"),
}

CHECKS: tuple[tuple[tuple[str, ...], Callable[[Mapping[str, Value], int], str]], ...] = ()
