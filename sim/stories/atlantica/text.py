"""Atlantica in plain words: one line an action, one paragraph for what a turn begins and ends with."""

from collections.abc import Iterable, Iterator
from functools import singledispatchmethod

from kernels.atlantica import codes
from sim.stories import Chances, Fact, Opening
from sim.stories.atlantica import facts as f
from sim.stories.layout import Saying, and_list, cite, count, head_line, lay_out

SOURCE_NAMES = {
    **dict(zip(codes.TREASURE_SLUGS, codes.TREASURES)),
    "points": "Research, points",
    "per_architecture": "Research, Architecture",
    "per_gold": "Research, Gold",
    "per_research": "Research, Research cards",
    "per_ship": "Research, ships",
    "three_colours": "Research, colours",
    "per_divers": "Research, divers",
    "many_crates": "Research, crates",
}
assert tuple(SOURCE_NAMES) == codes.SOURCES

ENDS = {
    "hurricane": "every seat has had its last turn",
    "truncated": "truncated, too many decisions",
    "turn cap": "the hurricane has not come in as many turns as are allowed",
}
assert tuple(ENDS) == codes.END_REASONS


def write_text(facts: Iterable[Fact]) -> Iterator[str]:
    """The lines of the whole telling."""
    return lay_out(Narrator().say, facts)


def name_seat(seat: int | None) -> str:
    """A seat, counted from 1."""
    assert seat is not None
    return f"Seat {seat + 1}"


def tally(cards: f.Cards) -> str:
    """ "2 white, 1 red"."""
    return ", ".join(f"{number} {name}" for name, number in cards.items()) or "none"


def list_row(row: f.Row) -> str:
    """Cards of a row, its empty spaces named too."""
    if not any(row):
        return "no cards"
    return ", ".join("empty" if card is None else card for card in row)


def list_ships(ships: tuple[int | None, ...]) -> str:
    """Crates on the top ship of each pile: "A 2, B 3, C 4"."""
    return ", ".join(f"{pile} {'empty' if crates is None else crates}" for pile, crates in zip("ABC", ships))


def copies_of(name: str, copies: int) -> str:
    """ "2 x Joker", "Joker"."""
    return name if copies == 1 else f"{copies} x {name}"


def name_taken(card: f.Taken) -> str:
    """A card taken, a ship with its crates."""
    return card.name if card.crates is None else f"a {card.name} with {count(card.crates, 'crate')}"


def name_payment(payment: f.Payment) -> str:
    """ "white", "2 red for the missing purple"."""
    if not payment.pair:
        return payment.colour
    return f"2 {payment.colour} for the missing {' or '.join(payment.missing)}"


def explain_row(row: f.TreasureRow) -> str:
    """ "18 for 4 Statues (15 + 3, 1 joker among them)"."""
    remarks = [" + ".join(map(str, row.parts))] if len(row.parts) > 1 else []
    if row.jokers:
        remarks.append(f"{count(row.jokers, 'joker')} among them")
    return f"{row.vp} for {row.cards + row.jokers} {row.name}" + (f" ({', '.join(remarks)})" if remarks else "")


def explain_card(card: f.ResearchScore) -> str:
    """ "3 for +1 Gold (3 Gold)"."""
    many = card.counted
    reasons = {
        "blank": "worth nothing",
        "per_architecture": f"{many} Architecture",
        "per_gold": f"{many} Gold",
        "per_research": count(many, "Research card"),
        "per_ship": count(many, "ship"),
        "three_colours": f"{count(many, 'colour')}, {card.needed} needed",
        "per_divers": f"{count(many, 'diver')} in hand, {card.amount} for every {card.needed}",
        "many_crates": f"{count(many, 'crate')}, {card.needed} needed",
        "joker": "counted with the treasures",
    }
    reason = reasons.get(card.effect)
    return f"{card.vp} for {copies_of(card.name, card.copies)}" + (f" ({reason})" if reason else "")


class Narrator:
    """Says one fact after the other; remembers who sits where."""

    def __init__(self) -> None:
        self.lineup: tuple[str, ...] = ()

    def seat(self, seat: int | None) -> str:
        """A seat and its policy."""
        assert seat is not None
        return f"{name_seat(seat)} ({self.lineup[seat]})" if self.lineup else name_seat(seat)

    @singledispatchmethod
    def say(self, fact: Fact) -> Iterator[Saying]:
        """What there is to say of a fact."""
        raise TypeError(f"nothing is known of {type(fact).__name__}")

    @say.register
    def say_chances(self, fact: Chances) -> Iterator[Saying]:
        """How likely each seat is to win."""
        shares = ", ".join(f"{name_seat(seat)} {share:.0%}" for seat, share in enumerate(fact.chances))
        yield Saying(f"{shares}, to win", "Chances")

    # ---- setup and turns

    @say.register
    def say_opening(self, fact: Opening) -> Iterator[Saying]:
        """Which game this is and who sits where."""
        self.lineup = fact.lineup
        seats = [f"{name_seat(seat)} {token}" for seat, token in enumerate(fact.lineup)]
        yield Saying(head_line(fact) + "\n" + " · ".join(seats), "heading")

    @say.register
    def say_deal(self, fact: f.Deal) -> Iterator[Saying]:
        """The setup; the board follows with the first turn."""
        hurricane = f"{fact.hurricane_pile} and the hurricane card on the Hurricane space"
        yield Saying(
            f"treasures: {fact.treasure_pile} in the pile, {hurricane}, {fact.set_aside} set aside; "
            f"{count(fact.divers, 'diver')} left in the pile",
            "Setup",
            fresh=True,
        )
        hands = [f"{name_seat(seat)} {tally(hand)}" for seat, hand in enumerate(fact.hands)]
        yield Saying(" · ".join(hands), "Hands", fresh=True)
        if fact.rulings:
            yield Saying(f"not printed in the rulebook: {', '.join(fact.rulings)}", "Rulings", fresh=True)

    @say.register
    def say_turn(self, fact: f.BeginTurn) -> Iterator[Saying]:
        """The heading of a turn, the board and the hand."""
        last = " · last turn" if fact.phase == codes.PHASES[codes.PHASE_LAST_TURNS] else ""
        yield Saying(f"\nTurn {fact.turn} · {self.seat(fact.seat)}{last}", "heading", fresh=True)
        yield Saying(list_row(fact.treasures), "Submarine", fresh=True)
        yield Saying(f"{list_row(fact.research)} · ships with crates: {list_ships(fact.ships)}", "Research", fresh=True)
        yield Saying(tally(fact.hand), "Hand", fresh=True)

    @say.register
    def say_act(self, fact: f.Act) -> Iterator[Saying]:
        """One line an action."""
        paid = sorted(fact.paid, key=lambda payment: payment.pair)  # the pair last, as its words are many
        parts = [f"pays {and_list([name_payment(payment) for payment in paid]) or 'nothing yet'}"]
        if fact.taken:
            parts.append(f"takes {and_list([name_taken(card) for card in fact.taken])}")
        if fact.location == codes.LOCATIONS[codes.TAVERN] and not fact.taken and fact.finished:
            parts.append(f"hires {count(fact.drawn, 'diver')} face down")
        got = len(fact.taken) + fact.drawn
        if not fact.finished:
            parts.append("the game is cut short")
        elif got < fact.granted:
            parts.append(f"{'stops at' if fact.stopped else 'only'} {got} of {fact.granted}")
        if fact.reshuffled:
            parts.append("the discards are reshuffled")
        yield Saying(f"{fact.action}: {'; '.join(parts)}{cite(fact)}", "play", fresh=True)

    @say.register
    def say_breath(self, fact: f.CatchBreath) -> Iterator[Saying]:
        """A turn sat out."""
        why = " (no action is possible)" if fact.forced else ""
        reshuffled = "; the discards are reshuffled" if fact.reshuffled else ""
        yield Saying(f"Catch Your Breath{why}: draws {tally(fact.drawn)}{reshuffled}{cite(fact)}", "play", fresh=True)

    @say.register
    def say_stop(self, fact: f.Stop) -> Iterator[Saying]:
        """The turn ends early."""
        why = "stops" if fact.able else "no other action is possible"
        yield Saying(f"{why}, {count(fact.played, 'card')} played", "play", fresh=True)

    @say.register
    def say_take_up(self, fact: f.TakeUp) -> Iterator[Saying]:
        """Divers hired, seen at last."""
        yield Saying(f"{tally(fact.divers)}{cite(fact)}", "Takes up", fresh=True)

    @say.register
    def say_refill(self, fact: f.Refill) -> Iterator[Saying]:
        """New cards on the board."""
        new = []
        if fact.treasures:
            origin = ""
            if fact.from_hurricane:
                part = "" if fact.from_hurricane == len(fact.treasures) else f"the last {fact.from_hurricane} "
                origin = f" ({part}from the Hurricane space)"
            new.append(", ".join(fact.treasures) + origin)
        if fact.research:
            new.append(f"Research {', '.join(fact.research)}")
        yield Saying((" · ".join(new) or "nothing, no cards are left") + cite(fact), "New", fresh=True)

    @say.register
    def say_hurricane(self, fact: f.TakeHurricane) -> Iterator[Saying]:
        """The beginning of the end."""
        who = name_seat(fact.seat)
        yield Saying(
            f"{who} turns up the hurricane card: one more turn for every seat, {who} the last{cite(fact)}",
            "Hurricane",
            fresh=True,
        )

    # ---- the end

    @say.register
    def say_end(self, fact: f.EndGame) -> Iterator[Saying]:
        """Why it is over."""
        yield Saying(f"\nThe end, in turn {fact.turn}: {ENDS[fact.reason]}{cite(fact)}", "heading", fresh=True)

    @say.register
    def say_load(self, fact: f.LoadShips) -> Iterator[Saying]:
        """A seat's scoring begins."""
        yield Saying(self.seat(fact.seat), "heading", fresh=True)
        text = f"{fact.crates} on {count(fact.ships, 'ship')} for {count(sum(fact.collected.values()), 'treasure')}"
        if fact.discarded:
            text += f"; without a crate: {tally(fact.discarded)}"
        if fact.jokers:
            jokers = sum(fact.jokers.values())
            text += f"; {count(jokers, 'joker counts', 'jokers count')} as {and_list(list(fact.jokers))}"
        yield Saying(text + cite(fact), "Crates", fresh=True)

    @say.register
    def say_treasures(self, fact: f.ScoreTreasures) -> Iterator[Saying]:
        """Points for treasures."""
        yield Saying((" · ".join(map(explain_row, fact.rows)) or "none") + cite(fact), "Treasures", fresh=True)

    @say.register
    def say_research(self, fact: f.ScoreResearch) -> Iterator[Saying]:
        """Points for Research cards."""
        yield Saying((" · ".join(map(explain_card, fact.cards)) or "none") + cite(fact), "Research", fresh=True)

    @say.register
    def say_score(self, fact: f.Score) -> Iterator[Saying]:
        """The sum."""
        yield Saying(f"{fact.treasures} + {fact.research} = {fact.vp} VP", "Total", fresh=True)

    @say.register
    def say_rank(self, fact: f.Rank) -> Iterator[Saying]:
        """The result and where the points came from."""
        ranked = ", ".join(f"{name_seat(seat)} {fact.vp[seat]}" for seat in fact.order)
        yield Saying(f"{ranked}; {explain_result(fact)}{cite(fact)}", "Result", fresh=True)
        yield Saying("\n".join(lay_table(fact)), "table", fresh=True)


def explain_result(fact: f.Rank) -> str:
    """Who wins and what it hung on."""
    if not fact.finished:
        return "nobody wins: the game was cut short and counts as shared"
    winners = and_list([name_seat(seat) for seat in fact.winners])
    best = fact.vp[fact.order[0]]
    if fact.by == "clear":
        return f"{winners} wins by {best - fact.vp[fact.order[1]]} VP"
    rivals = [seat for seat in fact.order if fact.vp[seat] == best]
    cards = ", ".join(f"{name_seat(seat)} {fact.treasures[seat]}" for seat in rivals)
    if len(fact.winners) > 1:
        return f"{winners} share the win, level in treasures too ({cards})"
    if fact.by == "level":
        return f"{winners} wins as the lowest seat, level in treasures too ({cards})"
    return f"{winners} wins by treasures ({cards})"


def lay_table(fact: f.Rank) -> Iterator[str]:
    """VP by source and seat."""
    wide = max(map(len, SOURCE_NAMES.values()))
    yield f" {'VP by source':<{wide}}" + "".join(f"{name_seat(seat):>8}" for seat in range(len(fact.vp)))
    for source, points in fact.sources.items():
        yield f" {SOURCE_NAMES[source]:<{wide}}" + "".join(f"{vp:>8}" for vp in points)
    yield f" {'all':<{wide}}" + "".join(f"{vp:>8}" for vp in fact.vp)
