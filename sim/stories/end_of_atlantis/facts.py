"""What can happen in End of Atlantis. Each class is one `kind` of event in `atlantis trace --format json`.

An event is {turn, phase, kind, seat, data}; data holds the fields below. Seats, spaces and voting slots count
from 0. Cards, Factions, events, tiles ("A", "A+"), areas and VP sources go by their names in
kernels.end_of_atlantis.codes. A list "by seat" has one entry a player, one "by colour" six: the five seat
colours and neutral. `awards` are all changes of VP that the event brings about, so that awards and start VP
add up to the score. `rulings` are ids shown by `atlantis rules`.

    game                title, players, lineup, seed, game, deal, arrangement, variants, settings, ...
    deal                vp, cubes, ships, spaces, neutrals, camp, markers, specials, face_up
    place_setup_cube    ship
    begin_turn          voting, event, skips
    bid_for_senate      bids, pool
    play_proxy          special, amount
    set_order           order, by, ties
    take_faction        faction, price, free, plus_one
    pass_faction        price, can_pay
    use_archont         drawn, discarded
    use_basileus        ship
    use_demiurgos
    decline             faction
    take_special        special, face_up, reshuffled (special is null: none is left)
    flip_tokens         factions
    lay_cards           cards, facedown
    look_at_bid         at, sees, changes_from, changes_to
    call_bidder         called
    play_orator         special, amount
    count_votes         slot, open, bids, places, ties, turned_up, no_mercy
    play_first
    play_card           card, owner, special, slot
    pass_play           able
    load                ship, cubes, special
    displace            ship, victim, special
    sail                ship, by
    arrive              ship, origin, by, mover, cubes, allied, points
    sabotage            ship, lost
    betray_ship         ship, removed
    betray_pool         victim, cubes
    refund              cubes
    reward_leadership   neutrals, tokens, first, second, ties
    reward_land         tokens, neutrals, winner, why
    reward_pool         tokens, winner, why
    reveal_event        event, doom, put_back, cubes, voting, ends_game
    upgrade             ships
    pay_debts           tokens, first, second, ties
    empty_pool          tokens
    lose_ship           ship, lost
    place_all_in        ship
    pass_all_in
    board_neutrals      cubes, boardings, left, why
    return_cubes        returns, neutrals
    refill_hands        cards, reshuffled
    score               vp, gained
    end_game            reason
    reveal_specials     specials
    rank                order, vp, by, sources, shared
"""

from dataclasses import dataclass
from typing import ClassVar

from sim.stories import Fact


@dataclass(frozen=True)
class Ship:
    """A ship by its port space, from the left, and the tile there."""

    space: int
    tile: str


@dataclass(frozen=True)
class Award:
    """VP that a seat gains, or loses if negative, from one source."""

    seat: int
    source: str
    vp: int


@dataclass(frozen=True)
class Tie:
    """Two seats with equal numbers, told apart by the `pool` or the `marker`."""

    higher: int
    lower: int
    by: str


@dataclass(frozen=True)
class Bid:
    """A bid and what an Orator adds to it."""

    seat: int
    bid: int
    bonus: int


@dataclass(frozen=True)
class Boarding:
    """What becomes of a neutral at a ship: `aboard`, `displaces` (the victim), `full`."""

    ship: Ship
    outcome: str
    victim: int | None = None


@dataclass(frozen=True)
class Return:
    """Cubes that come back to a seat from where they were."""

    seat: int
    cards: int
    building: int
    land: int
    pool: int

    @property
    def total(self) -> int:
        """All of them."""
        return self.cards + self.building + self.land + self.pool


@dataclass(frozen=True, kw_only=True)
class Told(Fact):
    """A fact of this game: any may change scores."""

    awards: tuple[Award, ...] = ()


# ---- setup and the turn


@dataclass(frozen=True, kw_only=True)
class Deal(Told):
    """The setup. `spaces` and `neutrals` are by ship, `markers` the seats from the left, `specials` by seat."""

    kind: ClassVar[str] = "deal"
    vp: int
    cubes: int
    ships: tuple[Ship, ...]
    spaces: tuple[int, ...]
    neutrals: tuple[int, ...]
    camp: int
    markers: tuple[int, ...]
    specials: tuple[tuple[str, ...], ...]
    face_up: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class PlaceSetupCube(Told):
    """An own cube goes aboard before the first turn."""

    kind: ClassVar[str] = "place_setup_cube"
    ship: Ship


@dataclass(frozen=True, kw_only=True)
class BeginTurn(Told):
    """A turn begins. `event` is the current card or None; `skips`: no Senate and no Factions phase (Chaos)."""

    kind: ClassVar[str] = "begin_turn"
    voting: str
    event: str | None
    skips: bool


# ---- the Senate and the Factions


@dataclass(frozen=True, kw_only=True)
class BidForSenate(Told):
    """The fists open: `bids` by seat and the `pool` that results."""

    kind: ClassVar[str] = "bid_for_senate"
    bids: tuple[int, ...]
    pool: tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class PlayProxy(Told):
    """A Special adds to what the seat's pool counts for."""

    kind: ClassVar[str] = "play_proxy"
    special: str
    amount: int


@dataclass(frozen=True, kw_only=True)
class SetOrder(Told):
    """The Senate order of the Factions phase, highest first, decided by the `pool` or by the `markers` alone."""

    kind: ClassVar[str] = "set_order"
    order: tuple[int, ...]
    by: str
    ties: tuple[Tie, ...]


@dataclass(frozen=True, kw_only=True)
class TakeFaction(Told):
    """A Faction is taken, for its price or free after a pass (with 2 players: as the second)."""

    kind: ClassVar[str] = "take_faction"
    faction: str
    price: int
    free: bool
    plus_one: bool


@dataclass(frozen=True, kw_only=True)
class PassFaction(Told):
    """A seat passes, because it wants to or cannot pay the price."""

    kind: ClassVar[str] = "pass_faction"
    price: int
    can_pay: bool


@dataclass(frozen=True, kw_only=True)
class UseArchont(Told):
    """Politics cards are drawn, and as many discarded."""

    kind: ClassVar[str] = "use_archont"
    drawn: tuple[str, ...]
    discarded: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class UseBasileus(Told):
    """A refugee goes aboard."""

    kind: ClassVar[str] = "use_basileus"
    ship: Ship


@dataclass(frozen=True, kw_only=True)
class UseDemiurgos(Told):
    """A Special card is due; take_special follows."""

    kind: ClassVar[str] = "use_demiurgos"


@dataclass(frozen=True, kw_only=True)
class Decline(Told):
    """A Faction's ability is not used."""

    kind: ClassVar[str] = "decline"
    faction: str


@dataclass(frozen=True, kw_only=True)
class TakeSpecial(Told):
    """A Special card comes to the seat's hand: from the deck, or one that lay face up. None: there is none left."""

    kind: ClassVar[str] = "take_special"
    special: str | None
    face_up: bool
    reshuffled: bool


@dataclass(frozen=True, kw_only=True)
class FlipTokens(Told):
    """Tokens that nobody chose turn to their +1 side."""

    kind: ClassVar[str] = "flip_tokens"
    factions: tuple[str, ...]


# ---- the voting


@dataclass(frozen=True, kw_only=True)
class LayCards(Told):
    """The cards that a seat laid, left to right; `facedown` are the slots that Oraklos keeps closed."""

    kind: ClassVar[str] = "lay_cards"
    cards: tuple[str, ...]
    facedown: tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class LookAtBid(Told):
    """Demagogos in hidden voting."""

    kind: ClassVar[str] = "look_at_bid"
    at: int
    sees: int
    changes_from: int
    changes_to: int


@dataclass(frozen=True, kw_only=True)
class CallBidder(Told):
    """Demagogos in open voting."""

    kind: ClassVar[str] = "call_bidder"
    called: int


@dataclass(frozen=True, kw_only=True)
class PlayOrator(Told):
    """A Special adds to what a bid counts for."""

    kind: ClassVar[str] = "play_orator"
    special: str
    amount: int


@dataclass(frozen=True, kw_only=True)
class CountVotes(Told):
    """A voting: bids (open: in the order they were made), the winners' seats, first place first.

    `turned_up` is the card that was still face down, `no_mercy` the seats that the lowest bid punishes.
    """

    kind: ClassVar[str] = "count_votes"
    slot: int
    open: bool
    bids: tuple[Bid, ...]
    places: tuple[int, ...]
    ties: tuple[Tie, ...]
    turned_up: str | None
    no_mercy: tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class PlayFirst(Told):
    """Philosophios plays before the other winners."""

    kind: ClassVar[str] = "play_first"


@dataclass(frozen=True, kw_only=True)
class PlayCard(Told):
    """A winner plays a Politics card, his own or another's, perhaps with a Special; its effects follow."""

    kind: ClassVar[str] = "play_card"
    card: str
    owner: int
    special: str | None
    slot: int


@dataclass(frozen=True, kw_only=True)
class PassPlay(Told):
    """A winner plays nothing; `able`: he could have."""

    kind: ClassVar[str] = "pass_play"
    able: bool


@dataclass(frozen=True, kw_only=True)
class Load(Told):
    """Refugees go aboard; `special` is the Special card that lets them, if it is not the Politics card."""

    kind: ClassVar[str] = "load"
    ship: Ship
    cubes: int
    special: str | None


@dataclass(frozen=True, kw_only=True)
class Displace(Told):
    """A refugee takes the place of one of the colour `victim`, which is discarded."""

    kind: ClassVar[str] = "displace"
    ship: Ship
    victim: int
    special: str | None


@dataclass(frozen=True, kw_only=True)
class Sail(Told):
    """A ship moves from port to the ocean, by a card or in the Doom phase."""

    kind: ClassVar[str] = "sail"
    ship: Ship
    by: str


@dataclass(frozen=True, kw_only=True)
class Arrive(Told):
    """A ship reaches the Promised Land from `origin`; `cubes` by colour; `points` by seat; `allied`: with the neutrals.

    `mover` is None in the Doom phase.
    """

    kind: ClassVar[str] = "arrive"
    ship: Ship
    origin: str
    by: str
    mover: int | None
    cubes: tuple[int, ...]
    allied: bool
    points: tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class Sabotage(Told):
    """A ship on the ocean is back in port, what it carried discarded; `lost` by colour."""

    kind: ClassVar[str] = "sabotage"
    ship: Ship
    lost: tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class BetrayShip(Told):
    """Refugees are removed from a ship in port; `removed` by colour."""

    kind: ClassVar[str] = "betray_ship"
    ship: Ship
    removed: tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class BetrayPool(Told):
    """A seat's tokens are removed from the Senate pool."""

    kind: ClassVar[str] = "betray_pool"
    victim: int
    cubes: int


@dataclass(frozen=True, kw_only=True)
class Refund(Told):
    """Strategos takes cubes of his bid back."""

    kind: ClassVar[str] = "refund"
    cubes: int


# ---- the Doom phase


@dataclass(frozen=True, kw_only=True)
class RewardLeadership(Told):
    """Under The Senate's Leadership! pays by the neutrals ashore. `tokens` by seat; None: nobody."""

    kind: ClassVar[str] = "reward_leadership"
    neutrals: int
    tokens: tuple[int, ...]
    first: int | None
    second: int | None
    ties: tuple[Tie, ...]


@dataclass(frozen=True, kw_only=True)
class RewardLand(Told):
    """Most tokens on the Promised Land. `why`: clear, pool, marker; or for nobody: neutrals, empty."""

    kind: ClassVar[str] = "reward_land"
    tokens: tuple[int, ...]
    neutrals: int
    winner: int | None
    why: str


@dataclass(frozen=True, kw_only=True)
class RewardPool(Told):
    """Most tokens in the Senate pool, Proxy counted. `why`: clear, marker; or for nobody: empty."""

    kind: ClassVar[str] = "reward_pool"
    tokens: tuple[int, ...]
    winner: int | None
    why: str


@dataclass(frozen=True, kw_only=True)
class RevealEvent(Told):
    """The Event card. `doom`: which Doom! this is, 0 if none; `put_back`: a Doom! came too early before it.

    `cubes` are the neutrals it brings, `voting` is that of the next turn.
    """

    kind: ClassVar[str] = "reveal_event"
    event: str
    doom: int
    put_back: bool
    cubes: int
    voting: str
    ends_game: bool


@dataclass(frozen=True, kw_only=True)
class Upgrade(Told):
    """Ships, by their new tiles; empty with chosen ships."""

    kind: ClassVar[str] = "upgrade"
    ships: tuple[Ship, ...]


@dataclass(frozen=True, kw_only=True)
class PayDebts(Told):
    """The Senate Pays Its Debts to the first and second; None: nobody."""

    kind: ClassVar[str] = "pay_debts"
    tokens: tuple[int, ...]
    first: int | None
    second: int | None
    ties: tuple[Tie, ...]


@dataclass(frozen=True, kw_only=True)
class EmptyPool(Told):
    """All pool tokens go back to their owners, by seat."""

    kind: ClassVar[str] = "empty_pool"
    tokens: tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class LoseShip(Told):
    """Wrath of the Ocean God! takes a ship; `lost` by colour."""

    kind: ClassVar[str] = "lose_ship"
    ship: Ship
    lost: tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class PlaceAllIn(Told):
    """We're All In This Together!: one refugee goes aboard."""

    kind: ClassVar[str] = "place_all_in"
    ship: Ship


@dataclass(frozen=True, kw_only=True)
class PassAllIn(Told):
    """We're All In This Together!: a seat is out for good."""

    kind: ClassVar[str] = "pass_all_in"


@dataclass(frozen=True, kw_only=True)
class BoardNeutrals(Told):
    """Neutrals come aboard, one for each of `cubes`; `left` are not placed, `why`: camp_empty or no_ship."""

    kind: ClassVar[str] = "board_neutrals"
    cubes: int
    boardings: tuple[Boarding, ...]
    left: int
    why: str | None


@dataclass(frozen=True, kw_only=True)
class ReturnCubes(Told):
    """Cubes go back behind the screens; `neutrals` from the Promised Land to the camp."""

    kind: ClassVar[str] = "return_cubes"
    returns: tuple[Return, ...]
    neutrals: int


@dataclass(frozen=True, kw_only=True)
class RefillHands(Told):
    """Politics cards drawn, by seat."""

    kind: ClassVar[str] = "refill_hands"
    cards: tuple[int, ...]
    reshuffled: bool


@dataclass(frozen=True, kw_only=True)
class Score(Told):
    """Scores at the end of a turn, and the change in it, by seat."""

    kind: ClassVar[str] = "score"
    vp: tuple[int, ...]
    gained: tuple[int, ...]


# ---- the end


@dataclass(frozen=True, kw_only=True)
class EndGame(Told):
    """The game is over: the third Doom!, or truncated by the driver."""

    kind: ClassVar[str] = "end_game"
    reason: str


@dataclass(frozen=True, kw_only=True)
class RevealSpecials(Told):
    """Special cards held at the end, by seat."""

    kind: ClassVar[str] = "reveal_specials"
    specials: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, kw_only=True)
class Rank(Told):
    """The result, winner first. `by` tells what put the first before the second: clear, pool, marker.

    `vp` is by seat, `sources` maps each source that gave anybody VP to VP by seat. `shared`: truncated, no winner.
    """

    kind: ClassVar[str] = "rank"
    order: tuple[int, ...]
    vp: tuple[int, ...]
    by: str
    sources: dict[str, tuple[int, ...]]
    shared: bool
