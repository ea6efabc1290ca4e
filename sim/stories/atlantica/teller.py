"""From the steps of a game to facts.

The kernels say only what the table looks like at each choice, and the choices of one action are told together once it
is finished. Between two actions a ledger of what was told is compared with the state, and at the end the points
counted here with the kernels' scores.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from kernels.atlantica import codes
from sim.rulebook import Rulebook
from sim.stories import Fact, Sight, Step
from sim.stories.atlantica import facts as f
from sim.stories.atlantica.book import Book, by_name, divers_of
from sim.stories.atlantica.ledger import Ledger, UntoldError
from sim.stories.atlantica.scoring import Count, tell_rank, vp_by_source

Told = Iterator[f.Told]


def tell_game(rulebook: Rulebook, start: Sight, steps: Iterable[Step]) -> Iterator[Fact]:
    """The facts of a game, in the order of play.

    Raises UntoldError, an AssertionError, if they do not add up to the table between two actions or to the scores.
    """
    book = Book(rulebook)
    teller, ledger = Teller(book), Ledger(book)
    for fact in teller.tell_start(start):
        ledger.enter(fact)
        yield fact
    for step in steps:
        told = list(teller.tell_step(step))
        for fact in told:
            ledger.enter(fact)
        if teller.deed is None:
            ledger.check(step.after)
        yield from told


def place_of(sight: Sight) -> dict[str, Any]:
    """Turn, phase and seat, as every fact of a turn carries them."""
    return {"turn": sight.turn, "phase": codes.PHASES[sight.phase], "seat": sight.seat}


@dataclass
class Deed:
    """The action under way."""

    code: int
    held: list[int]  # divers before it was paid, by colour
    paid: list[f.Payment] = field(default_factory=list)
    taken: list[f.Taken] = field(default_factory=list)
    drawn: int = 0
    stopped: bool = False
    names: list[str] = field(default_factory=list)  # rules that mattered

    @property
    def location(self) -> int:
        """LOCATION_ where it is performed."""
        return int(self.code // codes.TIERS)

    @property
    def tier(self) -> int:
        """Diver cards it costs, less one."""
        return int(self.code % codes.TIERS)


class Teller:
    """Tells one game; remembers what a single step does not show."""

    def __init__(self, book: Book) -> None:
        self.book = book
        self.rules = book.rules
        self.deed: Deed | None = None
        self.poured = [False] * len(codes.LOCATIONS)  # a drink of this turn took from there
        self.lying = 0  # treasures and Research cards on the board when the turn began

    def tell_start(self, start: Sight) -> Told:
        """The setup and the first turn."""
        yield f.Deal(
            turn=0,
            phase=codes.PHASES[codes.PHASE_SETUP],
            hands=tuple(divers_of(start.hand[seat]) for seat in range(start.players)),
            treasures=self.book.treasure_row(start),
            research=self.book.research_row(start),
            ships=self.book.top_ships(start),
            divers=start.diver_size - start.diver_top,
            treasure_pile=start.treasure_main,
            hurricane_pile=self.rules.hurricane_pile,
            set_aside=self.rules.treasures_removed,
            rulings=self.book.cite("crates", "research_deck", "first_player", "action_colours"),
        )
        yield self.begin_turn(start)

    def tell_step(self, step: Step) -> Told:
        """What the choice did, then what followed from it, in the order of the rules."""
        choices: dict[int, Callable[[Step], Told]] = {
            codes.PROMPT_ACTION: self.choose_action,
            codes.PROMPT_PAY: self.pay,
            codes.PROMPT_TREASURE: self.take,
            codes.PROMPT_RESEARCH: self.take,
            codes.PROMPT_DRINK: self.take,
        }
        yield from choices[step.before.prompt](step)
        finished = step.after.actions_done > step.before.actions_done
        if self.deed and (finished or step.truncated):
            yield self.act(step, self.deed, finished)
            self.deed = None
        if step.after.turns_done > step.before.turns_done:
            yield from self.end_turn(step)
        if step.after.phase == codes.PHASE_OVER:
            yield from self.end_game(step)

    # ---- a turn

    def begin_turn(self, sight: Sight) -> f.BeginTurn:
        """The hand and the board that the seat finds."""
        self.poured = [False] * len(codes.LOCATIONS)
        self.lying = count_lying(sight)
        return f.BeginTurn(
            **place_of(sight),
            hand=divers_of(sight.hand[sight.seat]),
            treasures=self.book.treasure_row(sight),
            research=self.book.research_row(sight),
            ships=self.book.top_ships(sight),
        )

    def choose_action(self, step: Step) -> Told:
        """An action begins, or the turn ends."""
        before = step.before
        if step.action != codes.PASS:
            self.deed = Deed(step.action, list(before.hand[before.seat]))
        elif before.acted == 0:
            yield self.catch_breath(step)
        else:
            yield f.Stop(**place_of(before), played=before.cards_played, able=len(step.legal) > 1)

    def catch_breath(self, step: Step) -> f.CatchBreath:
        """Nothing is played, divers are drawn."""
        before, seat = step.before, step.before.seat
        drawn = divers_of([now - was for now, was in zip(step.applied.hand[seat], before.hand[seat])])
        names = ["diver_reshuffle"] if reshuffled(step) or sum(drawn.values()) < self.rules.breath_cards else []
        if not drawn:
            names.append("breath_without_cards")
        return f.CatchBreath(
            **place_of(before),
            drawn=drawn,
            forced=len(step.legal) == 1,
            reshuffled=reshuffled(step),
            rulings=self.book.cite(*names),
        )

    def end_turn(self, step: Step) -> Told:
        """Divers come to hand; the board is filled again, unless it was the last turn of all; the next one begins."""
        here, seat = place_of(step.before), step.before.seat
        hired = divers_of([now - was for now, was in zip(step.after.hand[seat], step.applied.hand[seat])])
        if hired:
            last = step.before.phase == codes.PHASE_LAST_TURNS
            counted = last and self.book.holds(step.after, seat, codes.RESEARCH_PER_DIVERS)
            yield f.TakeUp(**here, divers=hired, rulings=self.book.cite(*["last_divers"] * counted))
        if not ended_by_hurricane(step):
            yield from self.refill(step)
        if step.after.phase != codes.PHASE_OVER:
            yield self.begin_turn(step.after)

    def refill(self, step: Step) -> Told:
        """What lies behind the cards that slid left, and the hurricane if it is turned up."""
        here, applied = place_of(step.before), step.applied
        treasures = newest(applied.treasure_row, self.book.treasure_row(step.after))
        research = newest(applied.research_row, self.book.research_row(step.after))
        taken = self.lying - count_lying(applied)
        if taken:
            short = len(treasures) + len(research) < taken
            yield f.Refill(
                **here,
                treasures=treasures,
                research=research,
                from_hurricane=max(0, len(treasures) - applied.treasure_main),
                rulings=self.book.cite(*["empty_piles"] * short),
            )
        if step.after.hurricane != step.before.hurricane:
            yield f.TakeHurricane(**here, rulings=self.book.cite("hurricane_order"))

    # ---- an action

    def pay(self, step: Step) -> Told:
        """A card of the price; with the last one a ship is taken or divers are drawn."""
        deed = self.deed
        assert deed is not None
        asked = self.rules.action_colours[deed.location][step.before.slot]
        colours = [colour for colour in range(codes.COLOURS) if asked >> colour & 1]
        missing = [colour for colour in colours if not deed.held[colour]]
        pair = step.action >= codes.PAIR
        if pair and len(missing) < len(colours):
            deed.names.append("pair_when")
        deed.paid.append(
            f.Payment(
                colour=codes.DIVERS[step.action - codes.PAIR if pair else step.action],
                pair=pair,
                missing=tuple(codes.DIVERS[colour] for colour in missing) if pair else (),
            )
        )
        if step.before.slot == deed.tier and deed.location == codes.HARBOR:
            deed.taken.append(self.ship_on(step.before, deed.tier))
        elif step.before.slot == deed.tier and deed.location == codes.TAVERN:
            deed.drawn = step.after.done_drawn
        yield from ()

    def take(self, step: Step) -> Told:
        """A card of the action under way, or no more."""
        deed, before = self.deed, step.before
        assert deed is not None
        if step.action == codes.PASS:
            deed.stopped = True
        elif before.prompt == codes.PROMPT_TREASURE:
            deed.taken.append(self.treasure_on(before, step.action))
        elif before.prompt == codes.PROMPT_RESEARCH:
            deed.taken.append(self.research_on(before, step.action))
        elif step.action >= codes.DRINK_SHIP:
            deed.taken.append(self.ship_on(before, step.action - codes.DRINK_SHIP))
        elif step.action >= codes.DRINK_RESEARCH:
            deed.taken.append(self.research_on(before, step.action - codes.DRINK_RESEARCH))
        else:
            deed.taken.append(self.treasure_on(before, step.action - codes.DRINK_TREASURE))
        yield from ()

    def treasure_on(self, sight: Sight, space: int) -> f.Taken:
        """The treasure of a space."""
        return f.Taken("treasure", codes.TREASURES[sight.treasure_row[space]], space)

    def research_on(self, sight: Sight, space: int) -> f.Taken:
        """The Research card of a space."""
        return f.Taken("research", self.book.research[sight.research_row[space]], space)

    def ship_on(self, sight: Sight, pile: int) -> f.Taken:
        """The top ship of a pile."""
        return f.Taken("ship", codes.SHIPS[pile], pile, self.book.top_crates(sight, pile))

    def act(self, step: Step, deed: Deed, finished: bool) -> f.Act:
        """The whole action, once it is done."""
        granted = self.granted(deed)
        if finished:
            self.note_rules(step, deed, granted)
        return f.Act(
            **place_of(step.before),
            action=codes.ACTIONS[deed.code],
            location=codes.LOCATIONS[deed.location],
            paid=tuple(deed.paid),
            taken=tuple(deed.taken),
            drawn=deed.drawn,
            granted=granted,
            stopped=deed.stopped,
            reshuffled=reshuffled(step),
            finished=finished,
            rulings=self.book.cite(*deed.names),
        )

    def granted(self, deed: Deed) -> int:
        """Cards that the action may take or draw."""
        by_location = {
            codes.SUBMARINE: self.rules.dive_cards,
            codes.HARBOR: [1] * codes.TIERS,
            codes.TAVERN: [*self.rules.team_cards, self.rules.drink_cards],
            codes.RESEARCH_STATION: self.rules.research_cards,
        }
        return int(by_location[deed.location][deed.tier])

    def note_rules(self, step: Step, deed: Deed, granted: int) -> None:
        """Rules that the rulebook does not print and that mattered to a finished action."""
        drink = deed.code == codes.ACTION_DRINK
        short = len(deed.taken) + deed.drawn < granted
        if drink:
            deed.names.append("drink_treasure_spaces")
            self.note_drink(step, deed)
        elif self.poured[deed.location]:
            deed.names.append("drink_uses_location")
        if deed.stopped:
            deed.names.append("take_fewer")
        elif short:
            deed.names.append("drink_one_location" if drink else "partial_takes")
        if reshuffled(step):
            deed.names += ["diver_reshuffle", "diver_reshuffle_this_turn"]
        if deed.location == codes.TAVERN and not drink and self.rules.drawn_divers_seen:
            deed.names.append("drawn_divers_seen")

    def note_drink(self, step: Step, deed: Deed) -> None:
        """A drink takes from locations that an action of this turn has used, or that it uses itself (A20)."""
        places = {"treasure": codes.SUBMARINE, "research": codes.RESEARCH_STATION, "ship": codes.HARBOR}
        for card in deed.taken:
            place = places[card.what]
            self.poured[place] = True
            if step.before.used[place] or self.rules.drink_uses_location:
                deed.names.append("drink_uses_location")

    # ---- the end

    def end_game(self, step: Step) -> Told:
        """Why it is over, everybody's points and the result."""
        sight = step.after
        reason = codes.END_TRUNCATED if step.truncated else sight.end_reason
        names = ["turn_cap"] if reason == codes.END_TURN_CAP else []
        yield f.EndGame(
            turn=sight.turn, phase="over", reason=codes.END_REASONS[reason], rulings=self.book.cite(*names)
        )
        counts = [Count(self.book, sight, seat) for seat in range(sight.players)]
        for count in counts:
            if not step.truncated:  # the driver ends a game without scoring it
                check_score(sight, count)
            yield from count.tell()
        yield tell_rank(self.book, sight, counts, finished=reason not in codes.UNFINISHED)


def check_score(sight: Sight, count: Count) -> None:
    """UntoldError unless a seat's points and treasures are those that the kernels booked."""
    seat = count.seat
    booked = by_name(codes.SOURCES, sight.vp_by[seat])
    for what, told, there in (
        ("points", vp_by_source(count), booked),
        ("treasures kept", count.kept, sight.loaded[seat]),
        ("VP", count.vp, sight.vp[seat]),
    ):
        if told != there:
            raise UntoldError(f"{what} of seat {seat}: {told} told, but {there} scored")


def ended_by_hurricane(step: Step) -> bool:
    """Whether the last turn of all has ended."""
    over = step.after.phase == codes.PHASE_OVER and not step.truncated
    return bool(over and step.after.end_reason == codes.END_HURRICANE)


def reshuffled(step: Step) -> bool:
    """Whether the divers' discards became a new pile."""
    return bool(step.after.diver_reshuffles > step.before.diver_reshuffles)


def count_lying(sight: Sight) -> int:
    """Treasures and Research cards on the board."""
    return sum(card != codes.NONE for card in (*sight.treasure_row, *sight.research_row))


def newest(emptied: list[int], filled: f.Row) -> tuple[str, ...]:
    """The cards of a row behind those that lay there before it was filled."""
    kept = sum(card != codes.NONE for card in emptied)
    return tuple(card for card in filled[kept:] if card is not None)
