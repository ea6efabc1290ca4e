"""What can happen in Atlantica. Each class is one `kind` of event in `atlantis trace --format json`.

An event is {turn, phase, kind, seat, data}; data holds the fields below. Seats and spaces count from 0, and `turn`
counts the turns that seat 0 has begun. Divers, treasures, Research cards, ships, locations, actions and VP sources go
by their names in kernels.atlantica.codes and in the rules data. Cards of which only the number matters are
{name: number}; a row is a list from space 0, null where it is empty. `awards` are the VP that an event brings, so
that awards add up to the score. `rulings` are ids shown by `atlantis rules`.

    game                title, players, lineup, seed, game, deal, arrangement, variants, settings, ...
    deal                hands, treasures, research, ships, divers, treasure_pile, hurricane_pile, set_aside
    begin_turn          hand, treasures, research, ships (crates on the top ship of each pile)
    act                 action, location, paid, taken, drawn, granted, stopped, reshuffled, finished
    catch_breath        drawn, forced, reshuffled
    stop                played, able
    take_up             divers
    refill              treasures, research, from_hurricane
    take_hurricane
    end_game            reason
    load_ships          crates, ships, collected, kept, jokers, discarded
    score_treasures     rows
    score_research      cards
    score               treasures, research, vp
    rank                order, ranks, vp, treasures, by, winners, sources, finished
"""

from dataclasses import dataclass
from typing import ClassVar, TypeAlias

from sim.stories import Fact

Cards: TypeAlias = dict[str, int]  # how many of each name
Row: TypeAlias = tuple[str | None, ...]


@dataclass(frozen=True)
class Award:
    """VP that a seat gets from one source."""

    seat: int
    source: str
    vp: int


@dataclass(frozen=True)
class Payment:
    """A card of a price: one diver of `colour`, or two where it is a `pair` for the `missing` colours."""

    colour: str
    pair: bool
    missing: tuple[str, ...]


@dataclass(frozen=True)
class Taken:
    """A card taken: what (treasure, research or ship), its name, its space or pile, and a ship's crates."""

    what: str
    name: str
    space: int
    crates: int | None = None


@dataclass(frozen=True)
class TreasureRow:
    """Points for one kind: so many cards and jokers; `parts` are the VP of each time its row of values is filled."""

    name: str
    colour: str
    cards: int
    jokers: int
    parts: tuple[int, ...]
    vp: int


@dataclass(frozen=True)
class ResearchScore:
    """Points for all Research cards of one name.

    `amount` VP a copy, for each thing `counted` or for all of them; `needed` is how many of them it takes, or None.
    """

    name: str
    copies: int
    effect: str
    amount: int
    counted: int
    needed: int | None
    vp: int


@dataclass(frozen=True, kw_only=True)
class Told(Fact):
    """A fact of this game: any may bring points."""

    awards: tuple[Award, ...] = ()


# ---- setup and a turn


@dataclass(frozen=True, kw_only=True)
class Deal(Told):
    """The setup. `ships` are the crates of the top ship of each pile; the rest are numbers of cards in piles."""

    kind: ClassVar[str] = "deal"
    hands: tuple[Cards, ...]
    treasures: Row
    research: Row
    ships: tuple[int | None, ...]
    divers: int
    treasure_pile: int
    hurricane_pile: int
    set_aside: int


@dataclass(frozen=True, kw_only=True)
class BeginTurn(Told):
    """A turn begins, with this hand and this board."""

    kind: ClassVar[str] = "begin_turn"
    hand: Cards
    treasures: Row
    research: Row
    ships: tuple[int | None, ...]


@dataclass(frozen=True, kw_only=True)
class Act(Told):
    """An action of the four locations.

    `drawn` divers lie face down. `granted` cards could be taken; `stopped`: the seat did not want them all.
    `finished` is false only where the game was cut short in the middle.
    """

    kind: ClassVar[str] = "act"
    action: str
    location: str
    paid: tuple[Payment, ...]
    taken: tuple[Taken, ...]
    drawn: int
    granted: int
    stopped: bool
    reshuffled: bool
    finished: bool


@dataclass(frozen=True, kw_only=True)
class CatchBreath(Told):
    """A turn without an action; `forced`: none was possible."""

    kind: ClassVar[str] = "catch_breath"
    drawn: Cards
    forced: bool
    reshuffled: bool


@dataclass(frozen=True, kw_only=True)
class Stop(Told):
    """The turn ends though more cards could be played; `able`: there was something to play them for."""

    kind: ClassVar[str] = "stop"
    played: int
    able: bool


@dataclass(frozen=True, kw_only=True)
class TakeUp(Told):
    """The divers hired this turn come to hand."""

    kind: ClassVar[str] = "take_up"
    divers: Cards


@dataclass(frozen=True, kw_only=True)
class Refill(Told):
    """New cards behind those that slid left; the last `from_hurricane` treasures are from the Hurricane space."""

    kind: ClassVar[str] = "refill"
    treasures: tuple[str, ...]
    research: tuple[str, ...]
    from_hurricane: int


@dataclass(frozen=True, kw_only=True)
class TakeHurricane(Told):
    """The hurricane card is turned up, and the last turns begin."""

    kind: ClassVar[str] = "take_hurricane"


# ---- the end


@dataclass(frozen=True, kw_only=True)
class EndGame(Told):
    """Why the game is over: hurricane, turn cap, or truncated by the driver."""

    kind: ClassVar[str] = "end_game"
    reason: str


@dataclass(frozen=True, kw_only=True)
class LoadShips(Told):
    """Treasures into crates: all `collected` are `kept` or `discarded`; `jokers` by the kind they count as."""

    kind: ClassVar[str] = "load_ships"
    crates: int
    ships: int
    collected: Cards
    kept: Cards
    jokers: Cards
    discarded: Cards


@dataclass(frozen=True, kw_only=True)
class ScoreTreasures(Told):
    """VP for each kind kept."""

    kind: ClassVar[str] = "score_treasures"
    rows: tuple[TreasureRow, ...]


@dataclass(frozen=True, kw_only=True)
class ScoreResearch(Told):
    """VP for each kind of Research card."""

    kind: ClassVar[str] = "score_research"
    cards: tuple[ResearchScore, ...]


@dataclass(frozen=True, kw_only=True)
class Score(Told):
    """A seat's total: VP of treasures and of Research cards."""

    kind: ClassVar[str] = "score"
    treasures: int
    research: int
    vp: int


@dataclass(frozen=True, kw_only=True)
class Rank(Told):
    """The result: `order` from the first, all else by seat. `winners` is empty where the game is not `finished`.

    `by` tells what put the winners before the next: clear (VP), treasures, or level (nothing but the last rule).
    `treasures` are those that count in a tie; `sources` maps each source that gave anybody VP to VP by seat.
    """

    kind: ClassVar[str] = "rank"
    order: tuple[int, ...]
    ranks: tuple[int, ...]
    vp: tuple[int, ...]
    treasures: tuple[int, ...]
    by: str
    winners: tuple[int, ...]
    sources: dict[str, tuple[int, ...]]
    finished: bool
