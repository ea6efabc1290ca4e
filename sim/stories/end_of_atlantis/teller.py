"""From the steps of a game to facts: what each choice did, then what the rules did before the next one.

The kernels say only what the table looks like at each choice. What happened in between is told from the
differences and from the journals of the state (arrivals, the card being played, the last voting). All VP told
are compared with the scores after each step, so that nothing that changes a score can stay untold.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from typing import Any

from kernels.end_of_atlantis import codes
from sim.rulebook import Rulebook
from sim.stories import Fact, Sight, Step
from sim.stories.end_of_atlantis import facts as f
from sim.stories.end_of_atlantis.book import Book
from sim.stories.end_of_atlantis.doom import tell_doom, tell_end
from sim.stories.end_of_atlantis.landing import tell_arrival
from sim.stories.end_of_atlantis.table import (
    NEUTRAL,
    SPACES,
    break_tie,
    cargo,
    printed_on,
    seats_of,
    senate_order,
    ship_at,
)

Told = Iterator[f.Told]
ABILITIES = {"archont": "Archont", "basileus": "Basileus", "demiurgos": "Demiurgos", "strategos": "Strategos"}
BIDDING = ("bid", "open_bid", "demagogos_look", "demagogos_change", "orator")
COUNTED = ("philosophios", "play")


class UntoldError(AssertionError):
    """The scores changed by something that was not told: a fault of the teller or of the kernels."""


def tell_game(rulebook: Rulebook, start: Sight, steps: Iterable[Step]) -> Iterator[Fact]:
    """The facts of a game, in the order of play. Raises UntoldError if they do not add up to the scores."""
    teller = Teller(Book(rulebook))
    yield from teller.tell_start(start)
    for step in steps:
        told = list(teller.tell_step(step))
        check_awards(step, told)
        yield from told


def check_awards(step: Step, told: Iterable[f.Told]) -> None:
    """UntoldError unless the awards told are exactly the changes of VP by seat and source."""
    awards: Counter[tuple[int, str]] = Counter()
    for fact in told:
        for award in fact.awards:
            awards[award.seat, award.source] += award.vp
    for seat in seats_of(step.after):
        for source, name in enumerate(codes.SOURCES):
            change = step.after.vp_by[seat][source] - step.before.vp_by[seat][source]
            if awards[seat, name] != change:
                raise UntoldError(
                    f"turn {step.before.turn}, {prompt_of(step.before)} of seat {step.before.actor}: "
                    f"{awards[seat, name]} VP of {name} told for seat {seat}, but {change} scored"
                )


def prompt_of(sight: Sight) -> str:
    """The name of the choice that is asked."""
    name: str = codes.PROMPTS[sight.prompt]
    return name


def place_of(sight: Sight) -> dict[str, Any]:
    """Turn and phase, as every fact carries them."""
    return {"turn": sight.turn, "phase": codes.PHASES[sight.phase]}


class Teller:
    """Tells one game; remembers what a single step does not show."""

    def __init__(self, book: Book) -> None:
        self.book = book
        self.rules = book.rules
        self.drawn: tuple[str, ...] = ()  # by the Archont, until he has discarded as many
        self.discarded: list[str] = []
        self.bidders: list[int] = []  # open voting: who has bid, in order
        self.removed = [0] * codes.COLOURS  # by Betrayal, colour by colour
        self.vp_before: list[int] = []  # scores when the turn began

    def tell_start(self, start: Sight) -> Told:
        """The setup, and the first turn unless cubes are placed before it."""
        yield self.deal(start)
        self.vp_before = start.vp
        if start.turn > 0:
            yield from self.begin_turn(start)
            yield from self.set_order(start)

    def tell_step(self, step: Step) -> Told:
        """What the choice did, then what followed from it, in the order of the rules."""
        yield from self.tell_choice(step)
        yield from self.reveal_senate_bids(step)
        yield from self.draw_specials(step)
        yield from self.flip_tokens(step)
        yield from self.reveal_cards(step)
        yield from self.count_votes(step)
        yield from tell_doom(self.book, step, self.vp_before)
        if step.after.turn > step.applied.turn:
            self.vp_before = step.after.vp
            yield from self.begin_turn(step.after)
        if started_factions(step):
            yield from self.set_order(step.after)
        if step.truncated:
            yield from tell_end(self.book, step.after, "truncated")

    # ---- choices

    def tell_choice(self, step: Step) -> Told:
        """The facts of the action itself; many choices tell nothing until they are revealed."""
        name = prompt_of(step.before)
        if name in ABILITIES and step.action == codes.PASS:
            yield f.Decline(**place_of(step.before), seat=step.before.actor, faction=ABILITIES[name])
            return
        tellers: dict[str, Callable[[Step], Told]] = {
            "setup_cube": self.place_setup_cube,
            "proxy": self.play_proxy,
            "faction": self.take_faction,
            "free_faction": self.take_faction,
            "archont": self.draw_for_archont,
            "archont_discard": self.discard_for_archont,
            "basileus": self.use_basileus,
            "demiurgos": self.use_demiurgos,
            "take_special": self.take_special,
            "open_bid": self.bid_openly,
            "demagogos_change": self.look_at_bid,
            "demagogos_call": self.call_bidder,
            "orator": self.play_orator,
            "philosophios": self.play_first,
            "play": self.play_card,
            "declare": self.declare_special,
            "load": self.load,
            "load_second": self.load,
            "stowaway": self.load,
            "empath_victim": self.displace,
            "aristocracy": self.load,
            "aristocracy_victim": self.displace,
            "ally": self.move,
            "move": self.move,
            "sabotage": self.sabotage,
            "betrayal_count": self.betray,
            "strategos": self.refund,
            "all_in": self.place_all_in,
        }
        if name in tellers:
            yield from tellers[name](step)

    # ---- setup, turns, the Senate

    def deal(self, start: Sight) -> f.Deal:
        """The table before the first choice."""
        spaces = [space for space in SPACES if start.tile[space] != codes.NONE]
        named = self.book.specials
        names = ["special_deck", "marker_order"]
        if self.rules.chosen_ships[0] != codes.NONE:
            names.append("chosen_ships_setup")
        return f.Deal(
            turn=0,
            phase="setup",
            vp=self.rules.start_vp,
            cubes=self.rules.cubes_per_player,
            ships=tuple(ship_at(start, space) for space in spaces),
            spaces=tuple(self.rules.tile_spaces[start.tile[space]] for space in spaces),
            neutrals=tuple(cargo(start, space)[NEUTRAL] for space in spaces),
            camp=start.camp,
            markers=tuple(sorted(seats_of(start), key=lambda seat: start.marker[seat])),
            specials=tuple(self.held_specials(start, seat) for seat in seats_of(start)),
            face_up=tuple(named[kind] for kind in start.face_up if kind != codes.NONE),
            rulings=self.book.cite(*names),
        )

    def held_specials(self, sight: Sight, seat: int) -> tuple[str, ...]:
        """Names of the Special cards in a hand."""
        return tuple(name for kind, name in enumerate(self.book.specials) for _ in range(sight.special[seat][kind]))

    def place_setup_cube(self, step: Step) -> Told:
        """E09: an own cube aboard before the first turn."""
        ship = ship_at(step.before, step.action)
        yield f.PlaceSetupCube(
            **place_of(step.before),
            seat=step.before.actor,
            ship=ship,
            rulings=self.book.cite("setup_cubes"),
        )

    def begin_turn(self, sight: Sight) -> Told:
        """Which voting, which event; after Chaos Spreads! two phases are skipped."""
        event = None if sight.event_now == codes.NONE else codes.EVENTS[sight.event_now]
        yield f.BeginTurn(
            turn=sight.turn,
            phase=codes.PHASES[sight.phase],
            voting="open" if sight.voting_open else "hidden",
            event=event,
            skips=sight.event_now == codes.EVENT_CHAOS,
        )

    def reveal_senate_bids(self, step: Step) -> Told:
        """All fists open once the last seat has chosen."""
        if prompt_of(step.before) != "senate_bid" or prompt_of(step.after) == "senate_bid":
            return
        before, after = step.before, step.after
        seats = seats_of(after)
        yield f.BidForSenate(
            **place_of(before),
            bids=tuple(step.applied.pending[seat] for seat in seats),
            pool=tuple(after.pool[seat] for seat in seats),
        )

    def play_proxy(self, step: Step) -> Told:
        """A Special counts as tokens in the pool."""
        if step.action != codes.PASS:
            yield f.PlayProxy(
                **place_of(step.before),
                seat=step.before.actor,
                special=self.book.specials[step.action],
                amount=self.rules.special_amount[step.action],
            )

    def set_order(self, sight: Sight) -> Told:
        """The Senate order in which Factions are taken, with what settled equal pools."""
        if codes.PHASES[sight.phase] != "factions":
            return
        order = senate_order(sight, self.rules)
        has_senate = bool(self.rules.senate)
        pairs = [break_tie(sight, self.rules, a, b) for a, b in pairwise(order)]
        ties = tuple(tie for tie in pairs if tie.by == "marker") if has_senate else ()
        names = () if has_senate else self.book.cite("family_order")
        if ties or not has_senate:
            names += self.book.cite_marker_tie(sight)
        yield f.SetOrder(
            **place_of(sight),
            order=tuple(order),
            by="pool" if has_senate else "markers",
            ties=ties,
            rulings=names,
        )

    # ---- Factions

    def take_faction(self, step: Step) -> Told:
        """A pick, paid or free, or a pass."""
        before, action = step.before, step.action
        seat = before.actor
        free = prompt_of(before) == "free_faction"
        price = 0 if free else self.rules.faction_cost[before.at]
        if action == codes.PASS:
            can_pay = before.supply[seat] >= price
            two = self.rules.factions_each == 2
            names = ["faction_pass"] if not price or not can_pay else []
            names += ["faction_pass_2_players"] if two else []
            yield f.PassFaction(
                **place_of(before), seat=seat, price=price, can_pay=can_pay, rulings=self.book.cite(*names)
            )
            return
        plus_one = before.plus_one[action] == 1
        yield f.TakeFaction(
            **place_of(before),
            seat=seat,
            faction=codes.FACTIONS[action],
            price=price,
            free=free,
            plus_one=plus_one,
            awards=(f.Award(seat, "plus_one", self.rules.plus_one_vp),) if plus_one else (),
        )

    def draw_for_archont(self, step: Step) -> Told:
        """The draw is remembered until the last discard."""
        seat = step.before.actor
        gained = [
            name
            for kind, name in enumerate(codes.POLITICS)
            for _ in range(step.applied.hand[seat][kind] - step.before.hand[seat][kind])
        ]
        self.drawn, self.discarded = tuple(gained), []
        if not gained:
            yield self.use_archont(step)

    def discard_for_archont(self, step: Step) -> Told:
        """Told as one once the last card is gone."""
        self.discarded.append(codes.POLITICS[step.action])
        if step.applied.discards_left == 0:
            yield self.use_archont(step)

    def use_archont(self, step: Step) -> f.UseArchont:
        """Cards drawn and cards discarded."""
        short = len(self.drawn) < self.rules.archont_cards
        return f.UseArchont(
            **place_of(step.before),
            seat=step.before.actor,
            drawn=self.drawn,
            discarded=tuple(self.discarded),
            rulings=self.book.cite("archont_short") if short else (),
        )

    def use_basileus(self, step: Step) -> Told:
        """One refugee aboard."""
        ship = ship_at(step.before, step.action)
        yield f.UseBasileus(**place_of(step.before), seat=step.before.actor, ship=ship)

    def use_demiurgos(self, step: Step) -> Told:
        """The card itself is told when it is taken."""
        yield f.UseDemiurgos(**place_of(step.before), seat=step.before.actor)

    def flip_tokens(self, step: Step) -> Told:
        """At the end of the Factions phase tokens not chosen turn to +1."""
        before, after = step.applied, step.after
        turned = [
            name for faction, name in enumerate(codes.FACTIONS) if after.plus_one[faction] > before.plus_one[faction]
        ]
        if turned:
            yield f.FlipTokens(turn=before.turn, phase="factions", factions=tuple(turned))

    # ---- Special cards

    def take_special(self, step: Step) -> Told:
        """Revealed Special cards: one that lies face up, or the top of the deck."""
        before, applied = step.before, step.applied
        seat = before.actor
        kinds = [k for k in range(codes.SPECIAL_KINDS) if applied.special[seat][k] > before.special[seat][k]]
        yield self.special_taken(before, applied, seat, kinds[0] if kinds else None, step.action != codes.FROM_DECK)

    def draw_specials(self, step: Step) -> Told:
        """Special cards that came from the deck by themselves: Demiurgos, Support, the advanced Royal Vessel."""
        before, after = step.applied, step.after
        for seat in seats_of(after):
            for kind in range(codes.SPECIAL_KINDS):
                for _ in range(after.special[seat][kind] - before.special[seat][kind]):
                    yield self.special_taken(before, after, seat, kind, face_up=False)
        due, left = before.specials_due, after.specials_due
        if due > 0 and not left and sum(map(sum, after.special)) == sum(map(sum, before.special)):
            yield self.special_taken(before, after, before.special_taker, None, face_up=False)

    def special_taken(self, before: Sight, after: Sight, seat: int, kind: int | None, face_up: bool) -> f.TakeSpecial:
        """One Special card, or that there is none."""
        reshuffled = after.special_reshuffles > before.special_reshuffles
        names = ["special_reshuffle"] if reshuffled else []
        names += ["no_special_left"] if kind is None else []
        return f.TakeSpecial(
            **place_of(before),
            seat=seat,
            special=None if kind is None else self.book.specials[kind],
            face_up=face_up,
            reshuffled=reshuffled,
            rulings=self.book.cite(*names),
        )

    # ---- cards and bids

    def reveal_cards(self, step: Step) -> Told:
        """All cards are turned up at once, save those that Oraklos keeps closed."""
        if step.applied.revealed or not step.after.revealed:
            return
        after = step.after
        oraklos = after.holder[codes.FACTION_ORAKLOS]
        closed = tuple(slot for slot, down in enumerate(after.facedown) if down)
        for seat in seats_of(after):
            laid = after.laid[seat][: after.laid_count[seat]]
            yield f.LayCards(
                **place_of(after),
                seat=seat,
                cards=tuple(codes.POLITICS[card] for card in laid),
                facedown=closed if seat == oraklos else (),
            )

    def bid_openly(self, step: Step) -> Told:
        """Remembered for the order of the bids; told when all are in."""
        self.bidders.append(step.before.actor)
        yield from ()

    def look_at_bid(self, step: Step) -> Told:
        """Demagogos has looked, and bids anew or not."""
        before = step.before
        seat, at = before.actor, before.looked_at
        yield f.LookAtBid(
            **place_of(before),
            seat=seat,
            at=at,
            sees=before.pending[at],
            changes_from=before.pending[seat],
            changes_to=step.action,
        )

    def call_bidder(self, step: Step) -> Told:
        """Demagogos makes a player bid at once."""
        if step.action != codes.PASS:
            names = ["demagogos_open_when"] if self.bidders else []
            yield f.CallBidder(
                **place_of(step.before),
                seat=step.before.actor,
                called=step.action,
                rulings=self.book.cite(*names),
            )

    def play_orator(self, step: Step) -> Told:
        """A Special counts as tokens bid."""
        if step.action != codes.PASS:
            yield f.PlayOrator(
                **place_of(step.before),
                seat=step.before.actor,
                special=self.book.specials[step.action],
                amount=self.rules.special_amount[step.action],
            )

    def count_votes(self, step: Step) -> Told:
        """Bids, places and what settled ties; the card turned up; what No Mercy takes."""
        before, applied, after = step.before, step.applied, step.after
        closed = after.votes_done > applied.votes_done  # nobody won: the voting is over already
        if prompt_of(before) not in BIDDING or not (closed or prompt_of(after) in COUNTED):
            return
        fields = ("vote_bid", "vote_bonus", "vote_place") if closed else ("bid", "bid_bonus", "place")
        bid, bonus, place = (getattr(after, field) for field in fields)
        seats = seats_of(after)
        totals = [bid[seat] + bonus[seat] for seat in seats]
        rank = {seat: nth for nth, seat in enumerate(applied.vote_order[: after.players])}
        ranked = sorted(seats, key=lambda seat: (-totals[seat], rank[seat]))
        winners = [seat for seat in ranked if place[seat]]
        ties = tuple(
            break_tie(applied, self.rules, a, b) for a, b in zip(winners, ranked[1:]) if totals[a] == totals[b]
        )
        slot = applied.slot
        oraklos = applied.holder[codes.FACTION_ORAKLOS]
        turned_up = codes.POLITICS[applied.laid[oraklos][slot]] if applied.facedown[slot] else None
        victims = self.find_merciless(applied, ranked, totals)
        names = ["zero_bid_wins"] if any(totals[seat] == 0 for seat in winners) else []
        names += self.cite_no_mercy(applied, victims, totals, bid)
        rulings = self.book.cite(*names)
        if any(tie.by == "marker" for tie in ties):
            rulings += self.book.cite_marker_tie(applied)
        order = self.bidders or list(seats)
        self.bidders = []
        yield f.CountVotes(
            **place_of(before),
            slot=slot,
            open=bool(applied.voting_open),
            bids=tuple(f.Bid(seat, bid[seat], bonus[seat]) for seat in order),
            places=tuple(winners),
            ties=ties,
            turned_up=turned_up,
            no_mercy=tuple(victims),
            awards=self.punish(applied, victims),
            rulings=rulings,
        )

    def find_merciless(self, sight: Sight, ranked: list[int], totals: list[int]) -> list[int]:
        """Seats that lose a point under No Mercy For The Weak!."""
        if sight.event_now != codes.EVENT_NO_MERCY:
            return []
        lowest = ranked[-1]
        if self.rules.no_mercy_ties == 0:
            return [lowest]
        return [seat for seat in ranked if totals[seat] == totals[lowest]]

    def punish(self, sight: Sight, victims: list[int]) -> tuple[f.Award, ...]:
        """What No Mercy takes from each; a score may have nothing to lose."""
        awards = []
        for seat in victims:
            loss = self.rules.no_mercy_vp
            if not self.rules.negative_scores:
                loss = min(loss, sight.vp[seat])
            if loss:
                awards.append(f.Award(seat, "no_mercy", -loss))
        return tuple(awards)

    def cite_no_mercy(self, sight: Sight, victims: list[int], totals: list[int], bid: list[int]) -> list[str]:
        """What the rulebook leaves open about the point lost."""
        if not victims:
            return []
        names = ["no_mercy_ties"] if totals.count(totals[victims[0]]) > 1 else []
        if sight.voting_open and any(bid[seat] == 0 for seat in victims):
            names.append("no_mercy_pass")
        if any(sight.vp[seat] < self.rules.no_mercy_vp for seat in victims):
            names.append("negative_scores")
        return names

    # ---- plays

    def play_first(self, step: Step) -> Told:
        """Philosophios goes before the others."""
        if step.action == codes.USE:
            yield f.PlayFirst(**place_of(step.before), seat=step.before.actor)

    def play_card(self, step: Step) -> Told:
        """A winner passes, or begins a card; if a Special may go with it, the card is told with that choice."""
        if step.action == codes.PASS:
            able = len(step.legal) > 1
            yield f.PassPlay(**place_of(step.before), seat=step.before.actor, able=able)
        elif prompt_of(step.after) != "declare":
            yield self.card_begun(step.applied)

    def declare_special(self, step: Step) -> Told:
        """The card, with a Special or without."""
        yield self.card_begun(step.applied)

    def card_begun(self, sight: Sight) -> f.PlayCard:
        """The card that the state holds as being played."""
        special = None if sight.card_special == codes.NONE else self.book.specials[sight.card_special]
        seat, owner = sight.card_seat, sight.card_owner
        skipped = (owner - seat) % sight.players - 1
        names = []
        if owner != seat and sight.place[seat] == 1 and skipped > 1:
            names.append("first_place_borrows_of_three")
        if owner != seat and sight.place[seat] > 1 and skipped > 0:
            names.append("philosophios_neighbour")
        return f.PlayCard(
            **place_of(sight),
            seat=seat,
            card=codes.POLITICS[sight.card],
            owner=owner,
            special=special,
            slot=sight.card_slot,
            rulings=self.book.cite(*names),
        )

    def special_in_play(self, sight: Sight) -> str | None:
        """The Special played with the card, by name."""
        return None if sight.card_special == codes.NONE else self.book.specials[sight.card_special]

    def load(self, step: Step) -> Told:
        """Refugees aboard by a card; Aristocracy on a full ship waits for its victim."""
        before, applied, space = step.before, step.applied, step.action
        seat = before.actor
        cubes = applied.aboard[space][seat] - before.aboard[space][seat]
        if cubes:
            stowaway = prompt_of(before) == "stowaway"
            yield f.Load(
                **place_of(before),
                seat=seat,
                ship=ship_at(before, space),
                cubes=cubes,
                special=self.special_in_play(before) if stowaway else None,
                rulings=self.book.cite("stowaway_empath") if stowaway else (),
            )

    def displace(self, step: Step) -> Told:
        """Aristocracy on a full ship, or Empath."""
        before = step.before
        empath = prompt_of(before) == "empath_victim"
        space = before.special_ship if empath else before.card_ships[0]
        names = ["ark_black_leaves"] if self.takes_one_of_two_blacks(before, space, step.action) else []
        yield f.Displace(
            **place_of(before),
            seat=before.actor,
            ship=ship_at(before, space),
            victim=step.action,
            special=self.special_in_play(before) if empath else None,
            rulings=self.book.cite(*names),
        )

    def takes_one_of_two_blacks(self, sight: Sight, space: int, colour: int) -> bool:
        """Whether it matters which black cube leaves the advanced Ark."""
        both = printed_on(sight, space) and sight.aboard[space][NEUTRAL] > 0
        return colour == NEUTRAL and bool(both)

    def move(self, step: Step) -> Told:
        """A ship sails, or arrives."""
        before, applied, space = step.before, step.applied, step.action
        if applied.arrivals:
            yield tell_arrival(self.book, applied, 0, before.area[space], place_of(before))
            return
        alone = sum(cargo(before, space)) == printed_on(before, space)
        yield f.Sail(
            **place_of(before),
            seat=before.actor,
            ship=ship_at(before, space),
            by=codes.POLITICS[before.card],
            rulings=self.book.cite("ark_alone_moves") if alone else (),
        )

    def sabotage(self, step: Step) -> Told:
        """A ship is lost at sea."""
        before, space = step.before, step.action
        yield f.Sabotage(
            **place_of(before),
            seat=before.actor,
            ship=ship_at(before, space),
            lost=cargo(before, space),
        )

    def betray(self, step: Step) -> Told:
        """Removed colour by colour, told as one when the card is done; or from a pool."""
        before, applied, action = step.before, step.applied, step.action
        if before.card_count == 0:
            yield f.BetrayPool(**place_of(before), seat=before.actor, victim=before.card_victim, cubes=action)
            return
        self.removed[before.card_colour] += action
        if applied.card_left:
            return
        space = before.card_ships[0]
        own_stays = self.removed[NEUTRAL] > 0 and printed_on(applied, space)
        yield f.BetrayShip(
            **place_of(before),
            seat=before.actor,
            ship=ship_at(before, space),
            removed=tuple(self.removed),
            rulings=self.book.cite("ark_black_leaves") if own_stays else (),
        )
        self.removed = [0] * codes.COLOURS

    def refund(self, step: Step) -> Told:
        """Strategos."""
        seat = step.before.actor
        cubes = step.applied.supply[seat] - step.before.supply[seat]
        yield f.Refund(**place_of(step.before), seat=seat, cubes=cubes)

    # ---- the Doom phase

    def place_all_in(self, step: Step) -> Told:
        """We're All In This Together!: a refugee aboard, or out."""
        before = step.before
        if step.action == codes.PASS:
            yield f.PassAllIn(**place_of(before), seat=before.actor)
        else:
            ship = ship_at(before, step.action)
            yield f.PlaceAllIn(**place_of(before), seat=before.actor, ship=ship)


def started_factions(step: Step) -> bool:
    """Whether the Factions phase began in this step."""
    factions = codes.PHASE_FACTIONS
    new = step.applied.phase != factions or step.after.turn > step.applied.turn
    return bool(step.after.phase == factions and new)
