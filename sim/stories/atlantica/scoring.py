"""Points counted once more, in plain Python, from the rules and the table as it lies at the end."""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple

from kernels.atlantica import codes
from kernels.atlantica.rules import CHOICES
from sim.stories import Sight
from sim.stories.atlantica import facts as f
from sim.stories.atlantica.book import Book, by_name, treasures_of

KINDS = range(codes.TREASURE_KINDS)

# Rules that decide what a Research card of an effect is worth. The rulebook prints those that have none.
DECIDED_BY = {
    "blank": ("research_deck",),
    "per_gold": ("research_kinds_missing",),
    "per_divers": ("research_deck", "divers_counted_by"),
    "many_crates": ("research_deck", "many_crates", "crates_counted", "crates"),
    "joker": ("research_deck", "joker_counts", "joker_kinds"),
}
# Effects that bring points once enough is there, and the one that brings them for every so many.
NEEDED = {"three_colours": "set_colours", "many_crates": "many_crates", "per_divers": "divers_counted_by"}


class Choice(NamedTuple):
    """Which treasures to keep and what jokers count as: (kept, jokers) of each kind, in their order.

    Of two choices the greater tuple is the better one: more VP, then most of the first kinds (A34).
    """

    vp: int
    loads: tuple[tuple[int, int], ...]
    ways: int  # choices that bring as much


class Count:
    """The points of one seat; `kept`, `jokers` and `vp` are what comes of it."""

    def __init__(self, book: Book, sight: Sight, seat: int) -> None:
        self.book = book
        self.seat = seat
        self.turn: int = sight.turn
        self.treasures: list[int] = sight.treasures[seat]
        self.research: list[int] = sight.research[seat][: len(book.research)]
        self.ships: int = sum(sight.ships[seat])
        self.crates: int = sight.crates[seat]
        self.divers: int = sum(sight.hand[seat])
        self.jokers_count = word_of(book, "joker_counts") == "everything"  # for Research cards too
        choice = self.choose_load()
        self.alike = choice.ways > 1
        self.kept = [kept for kept, _ in choice.loads]
        self.jokers = [jokers for _, jokers in choice.loads]
        self.rows = [self.score_row(kind) for kind in KINDS if self.kept[kind] or self.jokers[kind]]
        self.cards = [self.score_card(kind) for kind, copies in enumerate(self.research) if copies]
        self.treasure_vp = sum(row.vp for row in self.rows)
        self.research_vp = sum(card.vp for card in self.cards)
        self.vp = self.treasure_vp + self.research_vp

    # ---- treasures

    def choose_load(self) -> Choice:
        """The best of all choices of treasures and jokers."""
        per_kind = [0] * codes.TREASURE_KINDS
        per_kind[codes.ARCHITECTURE] = self.amount_of("per_architecture")
        per_kind[codes.GOLD] = self.amount_of("per_gold")

        @cache
        def choose(kind: int, left: int, jokers: int, colours: int) -> Choice | None:
            """The best for this kind and those after it, with so many crates and jokers left to fill."""
            if kind == codes.TREASURE_KINDS:
                if left or jokers:
                    return None
                enough = colours >= self.book.rules.set_colours
                return Choice(self.amount_of("three_colours") if enough else 0, (), 1)
            choices = []
            for keep in range(min(left, self.treasures[kind]) + 1):
                for use in range(jokers + 1):
                    counted = keep + (use if self.jokers_count else 0)
                    rest = choose(kind + 1, left - keep, jokers - use, colours + (counted > 0))
                    if rest:
                        vp = sum(self.fill_rows(kind, keep + use)) + per_kind[kind] * counted + rest.vp
                        choices.append(Choice(vp, ((keep, use), *rest.loads), rest.ways))
            if not choices:
                return None
            best = max(choices)
            return best._replace(ways=sum(choice.ways for choice in choices if choice.vp == best.vp))

        jokers = sum(copies for kind, copies in enumerate(self.research) if self.effect_of(kind) == "joker")
        best = choose(0, min(self.crates, sum(self.treasures)), jokers, 0)
        assert best is not None, "there is always a choice"
        return best

    def fill_rows(self, kind: int, cards: int) -> tuple[int, ...]:
        """VP of so many treasures of a kind, a number each time its row of values is begun (A10)."""
        values = [value for value in self.book.rules.treasure_values[kind] if value >= 0]
        full, rest = divmod(cards, len(values))
        return (values[-1],) * full + ((values[rest - 1],) if rest else ())

    def score_row(self, kind: int) -> f.TreasureRow:
        """The points of a kind."""
        parts = self.fill_rows(kind, self.kept[kind] + self.jokers[kind])
        return f.TreasureRow(
            name=codes.TREASURES[kind],
            colour=codes.TREASURE_COLOURS[kind],
            cards=self.kept[kind],
            jokers=self.jokers[kind],
            parts=parts,
            vp=sum(parts),
        )

    def counted(self, kind: int) -> int:
        """Treasures of a kind that Research cards count."""
        return self.kept[kind] + (self.jokers[kind] if self.jokers_count else 0)

    # ---- Research cards

    def effect_of(self, kind: int) -> str:
        """What a Research card does."""
        effect: str = codes.RESEARCH_EFFECTS[self.book.rules.research_effect[kind]]
        return effect

    def amount_of(self, effect: str) -> int:
        """The amounts of all the seat's Research cards of an effect."""
        amounts = self.book.rules.research_amount
        return sum(
            copies * amounts[kind] for kind, copies in enumerate(self.research) if self.effect_of(kind) == effect
        )

    def score_card(self, kind: int) -> f.ResearchScore:
        """The points of all copies of a Research card."""
        effect, amount, copies = self.effect_of(kind), self.book.rules.research_amount[kind], self.research[kind]
        counted = self.count_for(effect)
        needed = getattr(self.book.rules, NEEDED[effect]) if effect in NEEDED else None
        times = counted
        if needed is not None:
            times = counted // needed if effect == "per_divers" else int(counted >= needed)
        vp = times * amount * copies
        return f.ResearchScore(self.book.research[kind], copies, effect, amount, counted, needed, vp)

    def count_for(self, effect: str) -> int:
        """What a Research card of an effect counts."""
        if effect == "many_crates" and word_of(self.book, "crates_counted") == "loaded":
            return min(self.crates, sum(self.treasures))
        counts = {
            "points": 1,
            "per_architecture": self.counted(codes.ARCHITECTURE),
            "per_gold": self.counted(codes.GOLD),
            "per_research": sum(self.research),
            "per_ship": self.ships,
            "three_colours": sum(self.counted(kind) > 0 for kind in KINDS),
            "per_divers": self.divers,
            "many_crates": self.crates,
        }
        return counts.get(effect, 0)

    # ---- told

    def tell(self) -> Iterator[f.Told]:
        """What is loaded, what it is worth, and the total."""
        here: dict[str, Any] = {"turn": self.turn, "phase": "over", "seat": self.seat}
        lost = [held - kept for held, kept in zip(self.treasures, self.kept)]
        yield f.LoadShips(
            **here,
            crates=self.crates,
            ships=self.ships,
            collected=treasures_of(self.treasures),
            kept=treasures_of(self.kept),
            jokers=treasures_of(self.jokers),
            discarded=treasures_of(lost),
            rulings=self.cite_load(any(lost)),
        )
        slugs = dict(zip(codes.TREASURES, codes.TREASURE_SLUGS))
        awards = by_name((slugs[row.name] for row in self.rows), [row.vp for row in self.rows])
        yield f.ScoreTreasures(**here, rows=tuple(self.rows), awards=self.award(awards))
        awards = by_name((card.effect for card in self.cards), [card.vp for card in self.cards])
        yield f.ScoreResearch(
            **here, cards=tuple(self.cards), awards=self.award(awards), rulings=self.cite_research()
        )
        yield f.Score(**here, treasures=self.treasure_vp, research=self.research_vp, vp=self.vp)

    def award(self, points: dict[str, int]) -> tuple[f.Award, ...]:
        """VP by source as awards of this seat."""
        return tuple(f.Award(self.seat, source, vp) for source, vp in points.items())

    def cite_load(self, lost: bool) -> tuple[str, ...]:
        """The crates themselves, where they were too few, and what chose among equals."""
        names = ["crates"] if lost else []
        if any(self.jokers):
            names.append("joker_kinds")
        if self.alike:
            names.append("treasures_kept_alike")
        return self.book.cite(*names)

    def cite_research(self) -> tuple[str, ...]:
        """What decided the worth of the seat's cards."""
        names = [name for card in self.cards for name in DECIDED_BY.get(card.effect, ())]
        for card in self.cards:
            left_over = card.effect == "per_divers" and card.needed and card.counted % card.needed
            if left_over or (card.effect in ("per_divers", "many_crates") and card.copies > 1):
                names.append("research_copies_alike")
        return self.book.cite(*names)


def word_of(book: Book, rule: str) -> str:
    """The word of a choice in force."""
    word: str = CHOICES[rule][getattr(book.rules, rule)]
    return word


# ---- the result


def tell_rank(book: Book, sight: Sight, counts: Sequence[Count], finished: bool) -> f.Rank:
    """Who wins, and by what."""
    seats = range(len(counts))
    vp = [count.vp for count in counts]
    treasures = [tie_cards(book, sight, count) for count in counts]
    lowest_seat = word_of(book, "tie_last") == "lowest_seat"
    keys = [(-vp[seat], -treasures[seat], seat if lowest_seat else 0) for seat in seats]
    ranks = [1 + sum(key < keys[seat] for key in keys) for seat in seats]
    first = [seat for seat in seats if ranks[seat] == 1]
    rivals = [seat for seat in seats if vp[seat] == vp[first[0]]]
    by = "clear"
    if len(rivals) > 1:
        level = sum(treasures[seat] == treasures[first[0]] for seat in rivals) > 1
        by = "level" if level else "treasures"
    names = []
    if by != "clear" and finished:
        names = ["tie_counts"] + ["hurricane_counts"] * (sight.hurricane in rivals)
        names += ["tie_last"] if by == "level" else []
    return f.Rank(
        turn=sight.turn,
        phase="over",
        order=tuple(sorted(seats, key=lambda seat: (keys[seat], seat))),
        ranks=tuple(ranks),
        vp=tuple(vp),
        treasures=tuple(treasures),
        by=by,
        winners=tuple(first) if finished else (),
        sources=sources_of(counts),
        finished=finished,
        rulings=book.cite(*names),
    )


def tie_cards(book: Book, sight: Sight, count: Count) -> int:
    """Treasures of a seat that count in a tie (A11, A27)."""
    cards = sum(count.kept if word_of(book, "tie_counts") == "loaded" else count.treasures)
    return cards + (book.rules.hurricane_counts if sight.hurricane == count.seat else 0)


def sources_of(counts: Sequence[Count]) -> dict[str, tuple[int, ...]]:
    """Each source that gave anybody VP: VP by seat."""
    table = [vp_by_source(count) for count in counts]
    return {
        source: tuple(points.get(source, 0) for points in table)
        for source in codes.SOURCES
        if any(points.get(source) for points in table)
    }


def vp_by_source(count: Count) -> dict[str, int]:
    """A seat's VP by source, as its awards have them."""
    points: dict[str, int] = {}
    for fact in count.tell():
        for award in fact.awards:
            points[award.source] = points.get(award.source, 0) + award.vp
    return points
