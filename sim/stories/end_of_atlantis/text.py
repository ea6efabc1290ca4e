"""End of Atlantis in plain words: one sentence a fact, facts that belong together in one paragraph.

Seats go by the colour of their cubes. A ship is named in full when it is first met, then by its letter.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import singledispatchmethod

from kernels.end_of_atlantis import codes
from sim.stories import Chances, Fact, Opening
from sim.stories.end_of_atlantis import facts as f
from sim.stories.layout import Saying, and_list, cite, count, head_line, lay_out

COLOURS = (*codes.SEAT_COLOURS, "neutral")
ORDINALS = ("first", "second", "third")

SOURCE_NAMES = {
    "start": "at the start",
    "refugees_ships": "refugees, Ships",
    "refugees_royal": "refugees, Royal Ship",
    "refugees_doom": "refugees, Doom phase",
    "colours": "other colours",
    "mover": "moving ships home",
    "science": "Science Vessel",
    "plus_one": "+1 tokens",
    "land_majority": "Promised Land",
    "pool_majority": "Senate pool",
    "senate_pays": "Senate's debts",
    "leadership": "Leadership",
    "no_mercy": "No Mercy",
    "specials": "Special cards",
}
assert tuple(SOURCE_NAMES) == codes.SOURCES

SETTLED = {"pool": "by pool", "marker": "by marker"}  # what broke a tie


def write_text(facts: Iterable[Fact]) -> Iterator[str]:
    """The lines of the whole telling."""
    return lay_out(Narrator().say, facts)


def colour(seat: int) -> str:
    """A seat, or the neutrals, by the colour of the cubes."""
    name: str = COLOURS[seat]
    return name


def by_seat(numbers: Sequence[int]) -> str:
    """ "Blue 3, Red 0"."""
    return ", ".join(f"{colour(seat)} {number}" for seat, number in enumerate(numbers))


def by_colour(cubes: Sequence[int]) -> str:
    """Those that are there: "Blue 2, neutral 1"."""
    return ", ".join(f"{colour(seat)} {number}" for seat, number in enumerate(cubes) if number) or "nobody"


def tally(cards: Iterable[str]) -> str:
    """ "Refugees 1 twice" is written "2 x Refugees 1"."""
    kinds = list(cards)
    distinct = dict.fromkeys(kinds)
    return ", ".join(f"{kinds.count(kind)} x {kind}" if kinds.count(kind) > 1 else kind for kind in distinct)


def explain(ties: Sequence[f.Tie]) -> str:
    """ " (Red before Blue by pool)" or nothing."""
    words = [f"{colour(tie.higher)} before {colour(tie.lower)} {SETTLED[tie.by]}" for tie in ties]
    return f" ({', '.join(words)})" if words else ""


def signed(number: int) -> str:
    """ "+3", "-1", "+0"."""
    return f"{number:+d}"


def name_event(event: str) -> str:
    """The title on the card: which copy of Doom! it is does not show."""
    return str(event).partition(" (")[0]


class Narrator:
    """Says one fact after the other; remembers which ships have been named."""

    def __init__(self) -> None:
        self.named: set[str] = set()
        self.remarks: dict[int, str] = {}  # on the bids to come, by seat
        self.begun = False  # a card or ability has been named, and its effects follow

    def effect(self, text: str) -> Saying:
        """What a card or ability does, after its name or after another effect."""
        glue, self.begun = (": " if self.begun else "; "), False
        return Saying(text, None, glue)

    def ship(self, ship: f.Ship) -> str:
        """ "the Ark (A)" at the first mention, "A" from then on."""
        if ship.tile in self.named:
            return ship.tile
        self.named.add(ship.tile)
        name: str = codes.TILE_NAMES[codes.TILES.index(ship.tile)]
        return f"the {name} ({ship.tile})"

    @singledispatchmethod
    def say(self, fact: Fact) -> Iterator[Saying]:
        """What there is to say of a fact."""
        raise TypeError(f"nothing is known of {type(fact).__name__}")

    @say.register
    def say_chances(self, fact: Chances) -> Iterator[Saying]:
        """How likely each seat is to win."""
        shares = ", ".join(f"{colour(seat)} {share:.0%}" for seat, share in enumerate(fact.chances))
        yield Saying(f"{shares}, to win", "Chances")

    # ---- setup and turns

    @say.register
    def say_opening(self, fact: Opening) -> Iterator[Saying]:
        """Which game this is and who sits where."""
        seats = [f"Seat {seat + 1} {colour(seat)} {token}" for seat, token in enumerate(fact.lineup)]
        yield Saying(head_line(fact) + "\n" + " · ".join(seats), "heading")

    @say.register
    def say_deal(self, fact: f.Deal) -> Iterator[Saying]:
        """The setup."""
        ships = [
            f"{self.ship(ship)} with {spaces} spaces"
            + (f" and {count(neutrals, 'neutral')} aboard" if neutrals else "")
            for ship, spaces, neutrals in zip(fact.ships, fact.spaces, fact.neutrals)
        ]
        yield Saying(
            f"{fact.vp} VP and {fact.cubes} cubes each; {count(fact.camp, 'neutral')} in the camp",
            "Setup",
            fresh=True,
        )
        yield Saying(", ".join(ships), "Ships", fresh=True)
        yield Saying(f"{', '.join(map(colour, fact.markers))} from the left", "Markers", fresh=True)
        if any(fact.specials):
            held = [f"{colour(seat)} {tally(cards)}" for seat, cards in enumerate(fact.specials) if cards]
            yield Saying(" · ".join(held), "Specials", fresh=True)
        if fact.face_up:
            yield Saying(f"face up: {', '.join(fact.face_up)}", "Specials")
        if fact.rulings:
            yield Saying(f"not printed in the rulebook: {', '.join(fact.rulings)}", "Rulings", fresh=True)

    @say.register
    def say_setup_cube(self, fact: f.PlaceSetupCube) -> Iterator[Saying]:
        """Cubes before the first turn."""
        assert fact.seat is not None
        yield Saying(f"{colour(fact.seat)} 1 aboard {self.ship(fact.ship)}{cite(fact)}", "Cubes")

    @say.register
    def say_turn(self, fact: f.BeginTurn) -> Iterator[Saying]:
        """The heading of a turn."""
        event = f" ({name_event(fact.event)})" if fact.event else ""
        yield Saying(f"\nTurn {fact.turn} · {fact.voting} voting{event}", "heading", fresh=True)
        if fact.skips:
            yield Saying("no Senate phase and no Factions phase this turn", "Chaos", fresh=True)

    # ---- the Senate and the Factions

    @say.register
    def say_senate_bids(self, fact: f.BidForSenate) -> Iterator[Saying]:
        """Bids, and the pool where it held tokens before."""
        pool = f"; in the pool {by_seat(fact.pool)}" if fact.pool != fact.bids else ""
        yield Saying(f"{by_seat(fact.bids)}{pool}", "Senate", fresh=True)

    @say.register
    def say_proxy(self, fact: f.PlayProxy) -> Iterator[Saying]:
        """A Special in the Senate."""
        assert fact.seat is not None
        yield Saying(f"{colour(fact.seat)} plays {fact.special}: {fact.amount} more", "Senate")

    @say.register
    def say_order(self, fact: f.SetOrder) -> Iterator[Saying]:
        """The order, and what settled ties."""
        order = ", ".join(map(colour, fact.order))
        if fact.by == "markers":
            yield Saying(f"{order}, by markers{cite(fact)}", "Order", fresh=True)
        else:
            yield Saying(f"order {order}{explain(fact.ties)}{cite(fact)}", "Senate")

    @say.register
    def say_faction(self, fact: f.TakeFaction) -> Iterator[Saying]:
        """A pick."""
        assert fact.seat is not None
        price = "takes, free," if fact.free else f"pays {fact.price}:"
        point = f" ({signed(fact.awards[0].vp)} VP)" if fact.awards else ""
        yield Saying(f"{colour(fact.seat)} {price} {fact.faction}{point}", "Factions")

    @say.register
    def say_faction_passed(self, fact: f.PassFaction) -> Iterator[Saying]:
        """No pick yet."""
        assert fact.seat is not None
        why = "passes" if fact.can_pay else f"cannot pay {fact.price}"
        yield Saying(f"{colour(fact.seat)} {why}{cite(fact)}", "Factions")

    @say.register
    def say_archont(self, fact: f.UseArchont) -> Iterator[Saying]:
        """What was drawn stays in the hand; what was discarded everybody sees."""
        assert fact.seat is not None
        yield Saying(
            f"{colour(fact.seat)} draws {count(len(fact.drawn), 'card')} and discards "
            f"{tally(fact.discarded) or 'none'}{cite(fact)}",
            "Archont",
        )

    @say.register
    def say_basileus(self, fact: f.UseBasileus) -> Iterator[Saying]:
        """A refugee aboard."""
        assert fact.seat is not None
        yield Saying(f"{colour(fact.seat)} puts 1 aboard {self.ship(fact.ship)}", "Basileus")

    @say.register
    def say_demiurgos(self, fact: f.UseDemiurgos) -> Iterator[Saying]:
        """The card follows."""
        assert fact.seat is not None
        yield Saying(colour(fact.seat), "Demiurgos")
        self.begun = True

    @say.register
    def say_declined(self, fact: f.Decline) -> Iterator[Saying]:
        """An ability not used."""
        assert fact.seat is not None
        if fact.faction == "Strategos":
            yield Saying(f"Strategos: {colour(fact.seat)} takes no cubes back", "play", fresh=True)
        else:
            yield Saying(f"{colour(fact.seat)} declines", fact.faction)

    @say.register
    def say_special(self, fact: f.TakeSpecial) -> Iterator[Saying]:
        """Which card it is; whose, the paragraph says."""
        if fact.special is None:
            yield self.effect(f"no Special card is left{cite(fact)}")
            return
        where = "that lay face up" if fact.face_up else "from the deck"
        reshuffled = ", reshuffled" if fact.reshuffled else ""
        yield self.effect(f"Special card {fact.special} {where}{reshuffled}{cite(fact)}")

    @say.register
    def say_flipped(self, fact: f.FlipTokens) -> Iterator[Saying]:
        """Tokens with a point on them from now on."""
        yield Saying(f"now on {and_list(fact.factions)}", "+1", fresh=True)

    # ---- the voting

    @say.register
    def say_cards(self, fact: f.LayCards) -> Iterator[Saying]:
        """A seat's cards; those face down in parentheses."""
        assert fact.seat is not None
        cards = [f"({card}, face down)" if slot in fact.facedown else card for slot, card in enumerate(fact.cards)]
        label = "Cards" if fact.seat == 0 else ""
        yield Saying(f"{colour(fact.seat):<6} {' | '.join(cards)}", label, fresh=True)

    @say.register
    def say_look(self, fact: f.LookAtBid) -> Iterator[Saying]:
        """Demagogos in hidden voting."""
        assert fact.seat is not None
        change = f"bids {fact.changes_to} instead of {fact.changes_from}"
        if fact.changes_to == fact.changes_from:
            change = f"stays with {fact.changes_to}"
        yield Saying(
            f"{colour(fact.seat)} sees {colour(fact.at)}'s {fact.sees} and {change}{cite(fact)}",
            "Demagogos",
        )

    @say.register
    def say_call(self, fact: f.CallBidder) -> Iterator[Saying]:
        """Demagogos in open voting: said beside the bid that it brings."""
        assert fact.seat is not None
        self.remarks[fact.called] = f" (called by {colour(fact.seat)}, Demagogos{cite(fact)})"
        yield from ()

    @say.register
    def say_orator(self, fact: f.PlayOrator) -> Iterator[Saying]:
        """A Special in a voting: said beside the bid that it raises."""
        assert fact.seat is not None
        self.remarks[fact.seat] = f"{self.remarks.get(fact.seat, '')} ({fact.special}{cite(fact)})"
        yield from ()

    @say.register
    def say_votes(self, fact: f.CountVotes) -> Iterator[Saying]:
        """Bids, places, and what settled them."""
        bids = [
            f"{colour(bid.seat)} {bid.bid}" + (f"+{bid.bonus}" if bid.bonus else "") + self.remarks.get(bid.seat, "")
            for bid in fact.bids
        ]
        self.remarks = {}
        places = [f"{nth} {colour(seat)}" for nth, seat in zip(ORDINALS, fact.places)]
        parts = [f"{' · '.join(bids)}   {', '.join(places) or 'nobody wins'}{explain(fact.ties)}"]
        if fact.turned_up:
            parts.append(f"turned up: {fact.turned_up}")
        losses = {award.seat: award.vp for award in fact.awards}
        for seat in fact.no_mercy:
            loss = f"{signed(losses[seat])} VP" if seat in losses else "has no VP to lose"
            parts.append(f"No Mercy: {colour(seat)} {loss}")
        yield Saying("; ".join(parts) + cite(fact), f"Vote {fact.slot + 1}", fresh=True)

    @say.register
    def say_play_first(self, fact: f.PlayFirst) -> Iterator[Saying]:
        """Philosophios."""
        assert fact.seat is not None
        yield Saying(f"Philosophios: {colour(fact.seat)} plays first", "play", fresh=True)

    @say.register
    def say_card(self, fact: f.PlayCard) -> Iterator[Saying]:
        """Whose card, and with which Special; effects go on from here."""
        assert fact.seat is not None
        card = fact.card if fact.owner == fact.seat else f"{colour(fact.owner)}'s {fact.card}"
        special = f" with {fact.special}" if fact.special else ""
        yield Saying(f"{colour(fact.seat)} plays {card}{special}{cite(fact)}", "play", fresh=True)
        self.begun = True

    @say.register
    def say_passed(self, fact: f.PassPlay) -> Iterator[Saying]:
        """No card."""
        assert fact.seat is not None
        yield Saying(f"{colour(fact.seat)} {'passes' if fact.able else 'can play no card'}", "play", fresh=True)

    @say.register
    def say_load(self, fact: f.Load) -> Iterator[Saying]:
        """Refugees aboard."""
        special = f"{fact.special}: " if fact.special else ""
        yield self.effect(f"{special}{fact.cubes} aboard {self.ship(fact.ship)}{cite(fact)}")

    @say.register
    def say_displace(self, fact: f.Displace) -> Iterator[Saying]:
        """A refugee in another's place."""
        special = f"{fact.special}: " if fact.special else ""
        victim = f"a {colour(fact.victim)} refugee"
        yield self.effect(f"{special}1 aboard {self.ship(fact.ship)} in place of {victim}{cite(fact)}")

    @say.register
    def say_sail(self, fact: f.Sail) -> Iterator[Saying]:
        """Out to the ocean."""
        yield self.voyage(fact, f"{self.ship(fact.ship)} sails to the ocean{cite(fact)}")

    @say.register
    def say_arrive(self, fact: f.Arrive) -> Iterator[Saying]:
        """Home, and who gets what for what."""
        across = " straight from port" if fact.origin == codes.AREAS[codes.AREA_PORT] else ""
        points = [self.explain_points(fact, seat) for seat in range(len(fact.points)) if fact.points[seat]]
        yield self.voyage(
            fact,
            f"{self.ship(fact.ship)} reaches the Promised Land{across} with {by_colour(fact.cubes)}: "
            f"{', '.join(points) or 'no VP'}{cite(fact)}",
        )

    def voyage(self, fact: f.Sail | f.Arrive, text: str) -> Saying:
        """By a card, or by itself."""
        return Saying(text, "Voyages", "; ") if fact.phase == "doom" else self.effect(text)

    def explain_points(self, fact: f.Arrive, seat: int) -> str:
        """ "Blue 9 (6 own + 2 colours + 1 for moving)"."""
        parts = []
        for award in fact.awards:
            if award.seat != seat:
                continue
            what = {"colours": "colours", "mover": "for moving", "science": "for science"}
            own = "own and neutral" if fact.allied and seat == fact.mover else "own"
            name = what.get(award.source, own)
            parts.append(f"{award.vp} {'colour' if name == 'colours' and award.vp == 1 else name}")
        return f"{colour(seat)} {fact.points[seat]} ({' + '.join(parts)})"

    @say.register
    def say_sabotage(self, fact: f.Sabotage) -> Iterator[Saying]:
        """A ship lost to a card."""
        lost = by_colour(fact.lost)
        yield self.effect(f"{self.ship(fact.ship)} is back in port, {lost} discarded{cite(fact)}")

    @say.register
    def say_betrayed_ship(self, fact: f.BetrayShip) -> Iterator[Saying]:
        """Refugees thrown out."""
        yield self.effect(f"{by_colour(fact.removed)} discarded from {self.ship(fact.ship)}{cite(fact)}")

    @say.register
    def say_betrayed_pool(self, fact: f.BetrayPool) -> Iterator[Saying]:
        """Tokens thrown out."""
        yield self.effect(
            f"{count(fact.cubes, 'token')} of {colour(fact.victim)} discarded from the Senate pool{cite(fact)}"
        )

    @say.register
    def say_refund(self, fact: f.Refund) -> Iterator[Saying]:
        """Strategos."""
        assert fact.seat is not None
        yield Saying(f"Strategos: {colour(fact.seat)} takes {count(fact.cubes, 'cube')} back", "play", fresh=True)

    # ---- the Doom phase

    @say.register
    def say_leadership(self, fact: f.RewardLeadership) -> Iterator[Saying]:
        """What neutrals ashore are worth."""
        yield Saying(
            f"{count(fact.neutrals, 'neutral')} on the Promised Land: {self.pay(fact)}{cite(fact)}",
            "Leaders",
            fresh=True,
        )

    def pay(self, fact: f.RewardLeadership | f.PayDebts) -> str:
        """First and second in the pool, each with what he gets."""
        gains = {award.seat: award.vp for award in fact.awards}
        words = []
        for nth, seat in zip(ORDINALS, (fact.first, fact.second)):
            if seat is None:
                words.append(f"nobody is {nth}")
            else:
                words.append(f"{nth} {colour(seat)} {signed(gains.get(seat, 0))} VP")
        held = f"tokens {by_seat(fact.tokens)}, " if any(fact.tokens) else ""
        return held + ", ".join(words) + explain(fact.ties)

    @say.register
    def say_land_majority(self, fact: f.RewardLand) -> Iterator[Saying]:
        """Most on the Promised Land."""
        ashore = f"{by_seat(fact.tokens)}, neutral {fact.neutrals}"
        yield Saying(f"{ashore}: {self.majority(fact)}{cite(fact)}", "Land", fresh=True)

    @say.register
    def say_pool_majority(self, fact: f.RewardPool) -> Iterator[Saying]:
        """Most in the Senate pool."""
        yield Saying(f"{by_seat(fact.tokens)}: {self.majority(fact)}{cite(fact)}", "Pool", fresh=True)

    def majority(self, fact: f.RewardLand | f.RewardPool) -> str:
        """Who has it, or why nobody."""
        if fact.winner is None:
            why = {"neutrals": "neutrals are more", "empty": "nobody is there"}[fact.why]
            return f"no VP, {why}"
        tie = f" ({SETTLED[fact.why]})" if fact.why in SETTLED else ""
        return f"{colour(fact.winner)} {signed(sum(award.vp for award in fact.awards))} VP{tie}"

    @say.register
    def say_event(self, fact: f.RevealEvent) -> Iterator[Saying]:
        """The card."""
        put_back = "a third Doom! comes too early and is shuffled back; " if fact.put_back else ""
        card = name_event(fact.event)
        if fact.doom:
            card = f"{card} number {fact.doom}"
        text = f"{put_back}{card}"
        if not fact.ends_game:
            text += f", {count(fact.cubes, 'neutral')}, {fact.voting} voting next turn"
        yield Saying(text + cite(fact), "Event", fresh=True)

    @say.register
    def say_upgrade(self, fact: f.Upgrade) -> Iterator[Saying]:
        """Advanced ships."""
        if fact.ships:
            ships = and_list([self.ship(ship) for ship in fact.ships])
            yield self.effect(f"upgraded: {ships}{cite(fact)}")
        else:
            yield self.effect(f"no ship is upgraded{cite(fact)}")

    @say.register
    def say_debts(self, fact: f.PayDebts) -> Iterator[Saying]:
        """The Senate pays."""
        yield self.effect(f"{self.pay(fact)}{cite(fact)}")

    @say.register
    def say_empty_pool(self, fact: f.EmptyPool) -> Iterator[Saying]:
        """Tokens go home."""
        yield self.effect(f"the pool goes back: {by_colour(fact.tokens)}{cite(fact)}")

    @say.register
    def say_lost_ship(self, fact: f.LoseShip) -> Iterator[Saying]:
        """A ship lost to the Ocean God."""
        yield self.effect(
            f"{self.ship(fact.ship)} is lost and back in port, {by_colour(fact.lost)} discarded{cite(fact)}"
        )

    @say.register
    def say_all_in(self, fact: f.PlaceAllIn) -> Iterator[Saying]:
        """One cube of the rounds."""
        assert fact.seat is not None
        yield Saying(f"{colour(fact.seat)} 1 aboard {self.ship(fact.ship)}", "All in")

    @say.register
    def say_all_in_passed(self, fact: f.PassAllIn) -> Iterator[Saying]:
        """Out of the rounds."""
        assert fact.seat is not None
        yield Saying(f"{colour(fact.seat)} is out", "All in")

    @say.register
    def say_neutrals(self, fact: f.BoardNeutrals) -> Iterator[Saying]:
        """One neutral a ship."""
        words = []
        for boarding in fact.boardings:
            ship = self.ship(boarding.ship)
            if boarding.outcome == "full":
                words.append(f"{ship} is full")
            elif boarding.victim is None:
                words.append(f"1 aboard {ship}")
            else:
                words.append(f"1 aboard {ship} in place of a {colour(boarding.victim)} refugee")
        if fact.why == "camp_empty":
            words.append(f"the camp is empty, {fact.left} too few")
        elif fact.why == "no_ship":
            words.append(f"no other ship in port, {fact.left} left")
        yield Saying(", ".join(words) + cite(fact), "Neutrals", fresh=True)

    @say.register
    def say_returns(self, fact: f.ReturnCubes) -> Iterator[Saying]:
        """Cubes behind the screens again."""
        words = []
        for entry in fact.returns:
            places = (
                (entry.cards, "cards"),
                (entry.building, "building"),
                (entry.land, "Promised Land"),
                (entry.pool, "pool"),
            )
            parts = [f"{place} {cubes}" for cubes, place in places if cubes]
            words.append(f"{colour(entry.seat)} {entry.total} ({', '.join(parts)})")
        if fact.neutrals:
            words.append(f"{count(fact.neutrals, 'neutral')} to the camp")
        if words:
            yield Saying(", ".join(words) + cite(fact), "Return", fresh=True)

    @say.register
    def say_hands(self, fact: f.RefillHands) -> Iterator[Saying]:
        """New Politics cards."""
        reshuffled = "; the discards are reshuffled" if fact.reshuffled else ""
        if len(set(fact.cards)) == 1:
            yield Saying(f"each draws {count(fact.cards[0], 'card')}{reshuffled}{cite(fact)}", "Hands", fresh=True)
        else:
            yield Saying(f"cards drawn: {by_seat(fact.cards)}{reshuffled}{cite(fact)}", "Hands", fresh=True)

    @say.register
    def say_score(self, fact: f.Score) -> Iterator[Saying]:
        """Where everybody stands."""
        words = [
            f"{colour(seat)} {vp} ({signed(gained)})" for seat, (vp, gained) in enumerate(zip(fact.vp, fact.gained))
        ]
        yield Saying(", ".join(words), "Score", fresh=True)

    # ---- the end

    @say.register
    def say_end(self, fact: f.EndGame) -> Iterator[Saying]:
        """Why it is over."""
        what = "truncated: too many decisions" if fact.reason == "truncated" else "the third Doom!"
        yield Saying(f"\nThe end, in turn {fact.turn}: {what}", "heading", fresh=True)

    @say.register
    def say_last_specials(self, fact: f.RevealSpecials) -> Iterator[Saying]:
        """Hands shown."""
        gains = {award.seat: award.vp for award in fact.awards}
        words = [
            f"{colour(seat)} {tally(cards) or 'none'}" + (f" ({signed(gains[seat])} VP)" if seat in gains else "")
            for seat, cards in enumerate(fact.specials)
        ]
        yield Saying(" · ".join(words) + cite(fact), "Specials", fresh=True)

    @say.register
    def say_rank(self, fact: f.Rank) -> Iterator[Saying]:
        """The result and where the points came from."""
        first, second = fact.order[:2]
        if fact.shared:
            result = "nobody wins: the game was cut short and counts as shared"
        elif fact.by == "clear":
            result = f"{colour(first)} wins by {fact.vp[first] - fact.vp[second]} VP"
        else:
            result = f"{colour(first)} wins {SETTLED[fact.by]}, level with {colour(second)}"
        ranked = ", ".join(f"{colour(seat)} {fact.vp[seat]}" for seat in fact.order)
        yield Saying(f"{ranked}; {result}{cite(fact)}", "Result", fresh=True)
        yield Saying("\n".join(self.lay_table(fact)), "table", fresh=True)

    def lay_table(self, fact: f.Rank) -> Iterator[str]:
        """VP by source and seat."""
        seats = range(len(fact.vp))
        wide = max(map(len, SOURCE_NAMES.values()))
        yield f" {'VP by source':<{wide}}" + "".join(f"{colour(seat):>8}" for seat in seats)
        for source, points in fact.sources.items():
            yield f" {SOURCE_NAMES[source]:<{wide}}" + "".join(f"{vp:>8}" for vp in points)
        yield f" {'all':<{wide}}" + "".join(f"{vp:>8}" for vp in fact.vp)
