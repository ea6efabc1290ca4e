"""What lies where, by the facts alone: a telling that leaves out a card, or tells it twice, is noticed here."""

from collections import Counter
from functools import singledispatchmethod

from kernels.atlantica import codes
from sim.stories import Fact, Sight
from sim.stories.atlantica import facts as f
from sim.stories.atlantica.book import Book, by_name, divers_of, treasures_of


class UntoldError(AssertionError):
    """The game differs from what was told of it: a fault of the teller or of the kernels."""


class Ledger:
    """Hands, collected cards, crates and rows, kept from what is told."""

    def __init__(self, book: Book) -> None:
        self.book = book
        self.hands: list[Counter[str]] = []
        self.held: list[Counter[tuple[str, str]]] = []  # (what, name) of the cards taken, by seat
        self.crates: list[int] = []
        self.treasures: f.Row = ()
        self.research: f.Row = ()
        self.hired = 0  # divers face down

    def check(self, sight: Sight) -> None:
        """UntoldError unless the state, between two actions, is what was told."""
        told: dict[object, object] = {"hired": self.hired, "treasures": self.treasures, "research": self.research}
        there: dict[object, object] = {
            "hired": sum(sight.waiting),
            "treasures": self.book.treasure_row(sight),
            "research": self.book.research_row(sight),
        }
        for seat, hand in enumerate(self.hands):
            held = {colour: number for colour, number in hand.items() if number}
            told |= {("hand", seat): held, ("cards", seat): dict(self.held[seat]), ("crates", seat): self.crates[seat]}
            there |= {
                ("hand", seat): divers_of(sight.hand[seat]),
                ("cards", seat): self.cards_of(sight, seat),
                ("crates", seat): sight.crates[seat],
            }
        for what, value in told.items():
            if there[what] != value:
                raise UntoldError(f"turn {sight.turn}, {what}: {value} told, but {there[what]} there")

    def cards_of(self, sight: Sight, seat: int) -> dict[tuple[str, str], int]:
        """What a seat has taken, as `held` has it."""
        kinds = {
            "treasure": treasures_of(sight.treasures[seat]),
            "research": by_name(self.book.research, sight.research[seat]),
            "ship": by_name(codes.SHIPS, sight.ships[seat]),
        }
        return {(what, name): number for what, cards in kinds.items() for name, number in cards.items()}

    @singledispatchmethod
    def enter(self, fact: Fact) -> None:
        """Take a fact into account; most move no card."""

    @enter.register
    def enter_deal(self, fact: f.Deal) -> None:
        """Everything's beginning."""
        self.hands = [Counter(hand) for hand in fact.hands]
        self.held = [Counter() for _ in fact.hands]
        self.crates = [0] * len(fact.hands)
        self.treasures, self.research = fact.treasures, fact.research

    @enter.register
    def enter_act(self, fact: f.Act) -> None:
        """Divers go, cards come."""
        assert fact.seat is not None
        for payment in fact.paid:
            self.hands[fact.seat][payment.colour] -= 2 if payment.pair else 1
        self.hired += fact.drawn
        for card in fact.taken:
            self.held[fact.seat][card.what, card.name] += 1
            self.crates[fact.seat] += card.crates or 0
            if card.what == "treasure":
                self.treasures = self.lift(self.treasures, card)
            elif card.what == "research":
                self.research = self.lift(self.research, card)

    @enter.register
    def enter_breath(self, fact: f.CatchBreath) -> None:
        """Divers straight to hand."""
        assert fact.seat is not None
        self.hands[fact.seat].update(fact.drawn)

    @enter.register
    def enter_take_up(self, fact: f.TakeUp) -> None:
        """Divers hired, to hand."""
        assert fact.seat is not None
        self.hands[fact.seat].update(fact.divers)
        self.hired -= sum(fact.divers.values())

    @enter.register
    def enter_refill(self, fact: f.Refill) -> None:
        """Rows slide left and are filled up."""
        self.treasures = self.slide(self.treasures, fact.treasures)
        self.research = self.slide(self.research, fact.research)

    def lift(self, row: f.Row, card: f.Taken) -> f.Row:
        """A row without a card of it."""
        if row[card.space] != card.name:
            raise UntoldError(f"{card.name} told at space {card.space}, where {row[card.space]} lies")
        return (*row[: card.space], None, *row[card.space + 1 :])

    def slide(self, row: f.Row, new: tuple[str, ...]) -> f.Row:
        """A row without gaps, the new cards behind the old ones."""
        cards = [card for card in row if card is not None] + list(new)
        return (*cards, *[None] * (len(row) - len(cards)))
