"""The Doom phase and the end, retold: they run without a choice, so their steps are derived one by one.

`world` is a copy of the last sight before the phase. It is moved along with the telling, in the order of
the contract (docs/contracts), and compared in the end with what the kernels made of it: what is told is what happened.
"""

from collections.abc import Iterator, Sequence
from copy import deepcopy
from itertools import pairwise
from typing import Any

from kernels.end_of_atlantis import codes
from sim.stories import Sight, Step
from sim.stories.end_of_atlantis import facts as f
from sim.stories.end_of_atlantis.book import Book
from sim.stories.end_of_atlantis.landing import tell_arrival
from sim.stories.end_of_atlantis.table import (
    NEUTRAL,
    SPACES,
    TRACKED,
    break_tie,
    cargo,
    discard,
    is_full,
    land,
    lose_ship,
    man_the_ark,
    may_sail,
    printed_on,
    room,
    seats_of,
    senate_order,
    ship_at,
    take_back,
)

Told = Iterator[f.Told]
LAST_DOOM = 3
UPGRADED = {
    1: range(codes.TILE_ARK, codes.TILE_SCIENCE + 1),
    2: range(codes.TILE_ROYAL, codes.TILE_WARSHIP + 1),
}


class RetellingError(AssertionError):
    """The Doom phase as told does not end where the kernels' did: a fault of one of the two."""


def tell_doom(book: Book, step: Step, vp_before: Sequence[int]) -> Told:
    """What of the Doom phase passed in this step: all of it, a part before or after All In's choices, or nothing."""
    began = has_begun(step)
    over = step.after.phase == codes.PHASE_OVER and not step.truncated
    ended = step.after.turn > step.applied.turn > 0
    if not (began or ended):
        return
    phase = DoomPhase(book, step)
    if began:
        yield from phase.tell_beginning()
    if over:
        yield from tell_end(book, step.after, codes.END_REASONS[codes.END_THIRD_DOOM])
    elif ended:
        yield from phase.tell_rest()
        players = seats_of(step.after)
        vp = tuple(step.after.vp[seat] for seat in players)
        yield f.Score(**phase.here, vp=vp, gained=tuple(vp[seat] - vp_before[seat] for seat in players))
    phase.compare()


def has_begun(step: Step) -> bool:
    """Whether this turn's Event card was revealed in this step."""
    return bool(step.applied.event_history != step.after.event_history)


class DoomPhase:
    """One Doom phase, or the part of it that passed in one step."""

    def __init__(self, book: Book, step: Step) -> None:
        self.book, self.rules, self.after = book, book.rules, step.after
        self.world: Sight = deepcopy(step.applied)
        self.seats = seats_of(self.world)
        self.here: dict[str, Any] = {"turn": self.world.turn, "phase": "doom"}
        self.arrival = step.applied.arrivals  # the journal's next entry
        self.hands_before = step.applied.hand
        self.reshuffles_before = step.applied.politics_reshuffles
        self.event = int(step.after.event_history[self.world.turn - 1])

    def tell_beginning(self) -> Told:
        """Majorities, the Event card and what it does at once."""
        if self.world.event_now == codes.EVENT_LEADERSHIP:
            yield self.reward_leadership()
        yield self.reward_land()
        if self.rules.senate:
            yield self.reward_pool()
        yield self.reveal_event()
        if not self.ends_game:
            yield from self.resolve_event()

    def tell_rest(self) -> Told:
        """From the neutrals to the new hands."""
        if self.cubes:
            yield self.board_neutrals()
        yield from self.move_ships()
        yield self.return_cubes()
        yield self.refill_hands()

    # ---- majorities

    def find_leader(self, numbers: Sequence[int]) -> int:
        """The seat with the highest number, ties by Senate order."""
        order = senate_order(self.world, self.rules)
        return max(order, key=lambda seat: numbers[seat])  # max keeps the first of equals

    def settle(self, numbers: Sequence[int], winner: int) -> tuple[str, tuple[str, ...]]:
        """What made the winner first: clear, pool or marker, and the rulings behind it."""
        rivals = [seat for seat in self.seats if seat != winner and numbers[seat] == numbers[winner]]
        ties = [break_tie(self.world, self.rules, winner, seat).by for seat in rivals]
        if "marker" in ties:
            return "marker", self.book.cite_marker_tie(self.world)
        return ("pool" if ties else "clear"), ()

    def find_payees(self) -> dict[str, Any]:
        """Tokens, first and second, ties and rulings, as Senate Pays and Leadership see them."""
        world, rules = self.world, self.rules
        order = senate_order(world, rules)
        ranked = sorted(order, key=lambda seat: -world.pool[seat])
        payees: list[int | None] = [*ranked[:2]]
        names = ["proxy_counts_for"] if any(world.pool_bonus) else []
        if rules.senate:
            payees = [seat if world.pool[seat] else None for seat in ranked[:2]]
            names += ["senate_pays_without_tokens"] if None in payees else []
        ties = tuple(
            break_tie(world, rules, a, b)
            for a, b in pairwise(ranked[:3])
            if world.pool[a] == world.pool[b] and a in payees
        )
        rulings = self.book.cite(*names)
        if any(tie.by == "marker" for tie in ties):
            rulings += self.book.cite_marker_tie(world)
        return {
            "tokens": tuple(world.pool[seat] for seat in self.seats),
            "first": payees[0],
            "second": payees[1],
            "ties": ties if rules.senate else (),
            "rulings": rulings,
        }

    def reward_leadership(self) -> f.RewardLeadership:
        """Paid before anything else in the phase."""
        found = self.find_payees()
        neutrals = self.world.neutral_land
        points = (found["first"], neutrals), (found["second"], (neutrals + 1) // 2)
        awards = self.award_all("leadership", *points)
        return f.RewardLeadership(**self.here, **found, neutrals=neutrals, awards=awards)

    def award_all(self, source: str, *payees: tuple[int | None, int]) -> tuple[f.Award, ...]:
        """Awards for those who are there and get anything."""
        return tuple(f.Award(seat, source, vp) for seat, vp in payees if seat is not None and vp)

    def reward_land(self) -> f.RewardLand:
        """Most tokens on the Promised Land, unless neutrals are more or nobody is there."""
        world = self.world
        winner: int | None = self.find_leader(world.land)
        most = world.land[winner]
        rulings: tuple[str, ...] = ()
        if world.neutral_land > most:
            winner, why = None, "neutrals"
        elif most == 0 and self.rules.empty_majority == 0:
            winner, why, rulings = None, "empty", self.book.cite("empty_majority")
        else:
            assert winner is not None
            why, rulings = self.settle(world.land, winner)
            rulings += () if most else self.book.cite("empty_majority")
        return f.RewardLand(
            **self.here,
            tokens=tuple(world.land[seat] for seat in self.seats),
            neutrals=world.neutral_land,
            winner=winner,
            why=why,
            awards=self.award_all("land_majority", (winner, self.rules.land_majority_vp)),
            rulings=rulings,
        )

    def reward_pool(self) -> f.RewardPool:
        """Most tokens in the Senate pool, Proxy counted."""
        world = self.world
        tokens = [world.pool[seat] + world.pool_bonus[seat] for seat in self.seats]
        winner: int | None = self.find_leader(tokens)
        assert winner is not None
        rulings: tuple[str, ...] = ()
        if tokens[winner] == 0 and self.rules.empty_majority == 0:
            winner, why, rulings = None, "empty", self.book.cite("empty_majority")
        else:
            why, rulings = self.settle(tokens, winner)
            rulings += () if tokens[winner] else self.book.cite("empty_majority")
        return f.RewardPool(
            **self.here,
            tokens=tuple(tokens),
            winner=winner,
            why=why,
            awards=self.award_all("pool_majority", (winner, self.rules.pool_majority_vp)),
            rulings=rulings,
        )

    # ---- the Event card

    @property
    def is_doom(self) -> bool:
        """Whether this turn's card is a Doom!."""
        return bool(self.event < codes.DOOM_CARDS)

    @property
    def ends_game(self) -> bool:
        """Whether it is the third that counts."""
        return self.is_doom and bool(self.after.doom_count == LAST_DOOM)

    @property
    def cubes(self) -> int:
        """Neutrals that the card brings."""
        without = self.is_doom and self.rules.doom_neutrals != 0
        return 0 if without else int(self.rules.event_cubes[self.event])

    @property
    def voting(self) -> int:
        """1 if the next turn votes openly."""
        keeps = self.is_doom and self.rules.doom_neutrals == 2
        return int(self.world.voting_open if keeps else self.rules.event_open[self.event])

    def reveal_event(self) -> f.RevealEvent:
        """The card, and whether a Doom! before it was put back."""
        world, after = self.world, self.after
        put_back = after.event_reshuffles > world.event_reshuffles
        names = [] if self.ends_game else ["event_cubes", "event_open"]
        names += ["doom_neutrals"] if self.is_doom and not self.ends_game else []
        names += ["doom_redrawn_through"] if put_back else []
        if self.ends_game and world.turn <= self.rules.doom_redrawn_through:
            names.append("doom_redrawn_last")
        world.event_now, world.doom_count = self.event, after.doom_count
        return f.RevealEvent(
            **self.here,
            event=codes.EVENTS[self.event],
            doom=after.doom_count if self.is_doom else 0,
            put_back=put_back,
            cubes=0 if self.ends_game else self.cubes,
            voting="open" if self.voting else "hidden",
            ends_game=self.ends_game,
            rulings=self.book.cite(*names),
        )

    def resolve_event(self) -> Told:
        """What the card does at once; the others work later."""
        if self.is_doom:
            yield self.upgrade()
            yield from self.empty_pool()
        elif self.event == codes.EVENT_SENATE_PAYS:
            yield self.pay_debts()
            yield from self.empty_pool()
        elif self.event == codes.EVENT_WRATH:
            yield from self.lose_ships()

    def upgrade(self) -> f.Upgrade:
        """Starting ships become advanced ones where they are."""
        world = self.world
        chosen = self.rules.chosen_ships[0] != codes.NONE
        letters = () if chosen else UPGRADED.get(world.doom_count, ())
        spaces = [space for space in SPACES if world.tile[space] in letters]
        for space in spaces:
            world.tile[space] += codes.ADVANCED
            man_the_ark(world, self.rules, space)
        return f.Upgrade(
            **self.here,
            ships=tuple(ship_at(world, space) for space in spaces),
            rulings=self.book.cite("chosen_ships_setup") if chosen else (),
        )

    def pay_debts(self) -> f.PayDebts:
        """The Senate Pays Its Debts."""
        found = self.find_payees()
        most, next_most = self.rules.senate_pays
        awards = self.award_all("senate_pays", (found["first"], most), (found["second"], next_most))
        return f.PayDebts(**self.here, **found, awards=awards)

    def empty_pool(self) -> Told:
        """Pool tokens go back at once; not worth a word where there are none."""
        back = take_back(self.world, "pool")
        if any(back):
            yield f.EmptyPool(**self.here, tokens=tuple(back), rulings=self.book.cite("pool_emptied"))

    def lose_ships(self) -> Told:
        """Wrath of the Ocean God!."""
        for space in SPACES:
            if self.world.tile[space] != codes.NONE and self.world.area[space] == codes.AREA_OCEAN:
                lost = cargo(self.world, space)
                yield f.LoseShip(**self.here, ship=ship_at(self.world, space), lost=lost)
                lose_ship(self.world, self.rules, space)

    # ---- neutrals and ships

    def board_neutrals(self) -> f.BoardNeutrals:
        """The k-th neutral to the k-th largest ship in port."""
        world, rules = self.world, self.rules
        ports = [space for space in SPACES if world.tile[space] != codes.NONE and world.area[space] == codes.AREA_PORT]
        ports.sort(key=lambda space: -rules.tile_spaces[world.tile[space]])
        left = self.cubes
        boardings: list[f.Boarding] = []
        names: list[str] = []
        for space in ports:
            if left == 0 or world.camp == 0:
                break
            ship = ship_at(world, space)
            if room(world, rules, space) > 0:
                boardings.append(f.Boarding(ship, "aboard"))
                self.take_from_camp(space)
            elif rules.neutral_overflow == 1:
                boardings.append(f.Boarding(ship, "full"))
                names.append("neutral_overflow")
                continue
            else:
                victim = self.find_victim(space, names)
                boardings.append(f.Boarding(ship, "full" if victim is None else "displaces", victim))
                if victim is not None:
                    discard(world, space, victim)
                    self.take_from_camp(space)
            left -= 1
        why = None
        if left:
            why = "no_ship" if world.camp else "camp_empty"
            names.append("neutral_overflow" if world.camp else "camp_empty")
        return f.BoardNeutrals(
            **self.here,
            cubes=self.cubes,
            boardings=tuple(boardings),
            left=left,
            why=why,
            rulings=self.book.cite(*names),
        )

    def take_from_camp(self, space: int) -> None:
        """A neutral goes aboard."""
        self.world.camp -= 1
        self.world.aboard[space][NEUTRAL] += 1

    def find_victim(self, space: int, names: list[str]) -> int | None:
        """Whom a neutral displaces on a full ship, or None; `names` collects the rules that settle it."""
        if not self.rules.aggressive_neutrals:
            names.append("neutral_overflow")
            return None
        order = senate_order(self.world, self.rules)[::-1]
        aboard = [seat for seat in order if self.world.aboard[space][seat]]
        if aboard and aboard[0] == order[0]:
            return aboard[0]
        names.append("aggressive_victim")
        return aboard[0] if aboard and self.rules.aggressive_victim == 0 else None

    def move_ships(self) -> Told:
        """Full ships first, then the fullest, ties from the left; ranked once."""
        world, rules = self.world, self.rules
        ranked = [space for space in SPACES if may_sail(world, rules, space)]
        ranked.sort(key=lambda space: (0, 0) if is_full(world, rules, space) else (1, -sum(cargo(world, space))))
        for space in ranked[: rules.doom_ships]:
            airship = world.tile[space] == codes.TILE_ADVANCED_AIRSHIP
            area = world.area[space]
            if area == codes.AREA_OCEAN or (airship and rules.airship_doom == 0):
                yield self.arrive(space)
                continue
            alone = sum(cargo(world, space)) == printed_on(world, space)
            names = ["ark_alone_moves"] if alone else []
            names += ["airship_doom"] if airship else []
            world.area[space] = codes.AREA_OCEAN
            yield f.Sail(**self.here, ship=ship_at(world, space), by="Doom phase", rulings=self.book.cite(*names))

    def arrive(self, space: int) -> f.Arrive:
        """The next arrival of the journal, which must be of this ship."""
        if self.after.arrivals <= self.arrival or self.after.arrival_space[self.arrival] != space:
            raise RetellingError(f"turn {self.world.turn}: the ship of space {space} did not arrive next")
        fact = tell_arrival(self.book, self.after, self.arrival, self.world.area[space], self.here)
        self.arrival += 1
        land(self.world, self.rules, space)
        return fact

    # ---- everything returns

    def return_cubes(self) -> f.ReturnCubes:
        """From cards, buildings, the Promised Land and the pool, each as the current event has it."""
        world, rules = self.world, self.rules
        chaos = self.event == codes.EVENT_CHAOS
        names: list[str] = []
        if chaos and any(world.building):
            names.append("chaos_buildings")
        nothing = [0] * world.players
        building = nothing if chaos and rules.chaos_buildings else take_back(world, "building")
        if not chaos:
            world.holder = [codes.NOBODY] * len(world.holder)
        cards = take_back(world, "on_cards")
        ashore = take_back(world, "land")
        neutrals = 0 if rules.neutrals_on_land else world.neutral_land
        if world.neutral_land:
            names.append("neutrals_on_land")
        world.camp += neutrals
        world.neutral_land -= neutrals
        pool = nothing if chaos else self.return_from_pool()
        returns = (f.Return(seat, cards[seat], building[seat], ashore[seat], pool[seat]) for seat in self.seats)
        return f.ReturnCubes(
            **self.here,
            returns=tuple(entry for entry in returns if entry.total),
            neutrals=neutrals,
            rulings=self.book.cite(*names),
        )

    def return_from_pool(self) -> list[int]:
        """Half, rounded up; all after Leadership."""
        world = self.world
        back = []
        for seat in self.seats:
            tokens = world.pool[seat]
            back.append(tokens if self.event == codes.EVENT_LEADERSHIP else (tokens + 1) // 2)
            world.pool[seat] -= back[seat]
            world.supply[seat] += back[seat]
        return back

    def refill_hands(self) -> f.RefillHands:
        """Politics cards drawn by each."""
        drawn = tuple(sum(self.after.hand[seat]) - sum(self.hands_before[seat]) for seat in self.seats)
        reshuffled = self.after.politics_reshuffles > self.reshuffles_before
        return f.RefillHands(**self.here, cards=drawn, reshuffled=reshuffled)

    def compare(self) -> None:
        """RetellingError unless the world told is the kernels'."""
        for name in TRACKED:
            told, true = getattr(self.world, name), getattr(self.after, name)
            if told != true:
                raise RetellingError(f"turn {self.world.turn}: {name} told as {told}, but it is {true}")


# ---- the end


def tell_end(book: Book, sight: Sight, reason: str) -> Told:
    """The last Special cards, and the result."""
    here: dict[str, Any] = {"turn": sight.turn, "phase": "over"}
    seats = seats_of(sight)
    truncated = reason != codes.END_REASONS[codes.END_THIRD_DOOM]
    yield f.EndGame(**here, reason=reason)
    if not truncated:
        yield reveal_specials(book, sight, here)
    order = sorted(senate_order(sight, book.rules), key=lambda seat: -sight.vp[seat])
    by = "clear"
    if sight.vp[order[0]] == sight.vp[order[1]]:
        by = break_tie(sight, book.rules, order[0], order[1]).by
    sources = {
        name: tuple(sight.vp_by[seat][source] for seat in seats)
        for source, name in enumerate(codes.SOURCES)
        if any(sight.vp_by[seat][source] for seat in seats)
    }
    yield f.Rank(
        **here,
        order=tuple(order),
        vp=tuple(sight.vp[seat] for seat in seats),
        by=by,
        sources=sources,
        shared=truncated,
        rulings=book.cite_marker_tie(sight) if by == "marker" and not truncated else (),
    )


def reveal_specials(book: Book, sight: Sight, here: dict[str, Any]) -> f.RevealSpecials:
    """Special cards in hand, and the VP of those that give any."""
    rules = book.rules
    held: list[tuple[str, ...]] = []
    awards = []
    for seat in seats_of(sight):
        counts = sight.special[seat][: len(book.specials)]
        held.append(tuple(name for name, count in zip(book.specials, counts) for _ in range(count)))
        vp = sum(
            count * rules.special_amount[kind]
            for kind, count in enumerate(counts)
            if rules.special_effect[kind] == codes.SPECIAL_END_VP
        )
        if vp:
            awards.append(f.Award(seat, "specials", vp))
    return f.RevealSpecials(**here, specials=tuple(held), awards=tuple(awards))
