"""What a soak of End of Atlantis has to reach, and how often it did.

What the Tally counts it reads from the oracle's table, or from the kernels' journal where the oracle keeps none.
"""

from collections.abc import Callable

import numpy as np

from kernels.end_of_atlantis import codes as c
from sim.games import find_game
from sim.rulebook import list_variants, rule_options
from tests.end_of_atlantis.lockstep import Lockstep
from tests.end_of_atlantis.oracle.politics_cards import can_apply
from tests.end_of_atlantis.oracle.state import aboard, in_port, on_ocean
from tests.end_of_atlantis.oracle.voting_phase import neighbour_to_borrow_from
from tests.machinery.coverage_table import BaseTally

GAME = find_game("end-of-atlantis")
OPTIONS = tuple(option.setting for option in rule_options(GAME))
VARIANTS = tuple(list_variants(GAME))
PLAYERS = GAME.players

# These change what is allowed at setup, or what is known, and no state: they can be in force but never tell.
INVISIBLE = ("E45=one-per-letter", "revealed-events")

ABILITIES = {
    "archont": "Archont",
    "basileus": "Basileus",
    "demagogos_look": "Demagogos, hidden voting",
    "demagogos_call": "Demagogos, open voting",
    "demiurgos": "Demiurgos",
    "oraklos": "Oraklos",
    "philosophios": "Philosophios",
    "strategos": "Strategos",
}

# Group -> what has to be seen in it.
REACHED: dict[str, tuple[str, ...]] = {
    "players": tuple(f"{players} players" for players in PLAYERS),
    "variant in force": VARIANTS,
    "variant made a difference": tuple(name for name in VARIANTS if name not in INVISIBLE),
    "ruling option in force": OPTIONS,
    "ruling option made a difference": tuple(name for name in OPTIONS if name not in INVISIBLE),
    "prompt": c.PROMPTS[1:],
    "own card played": c.POLITICS,
    "neighbour's card played": c.POLITICS,
    "Faction taken": c.FACTIONS,
    "Faction taken with +1": c.FACTIONS,
    "Faction declined": ("passed",),
    "ability used": tuple(ABILITIES.values()),
    "ability declined": tuple(ABILITIES.values()),
    "Special played": c.SPECIAL_EFFECTS[2:],
    "Special declined": ("declare", "orator", "proxy"),
    "Special held at the end": c.SPECIAL_EFFECTS,
    "Special taken": ("face up", "from the deck"),
    "Event": c.EVENTS,
    "VP source": c.SOURCES,
    "landed by": ("Ships", "Royal Ship", "Doom phase"),
    "landed": c.TILES,
    "tie-break": tuple(f"{contest}, {by}" for contest in c.CONTESTS for by in c.SETTLED_BY),
    "reshuffle": ("Politics deck", "Special deck", "Event deck"),
    "end": tuple(f"third Doom! in turn {turn}" for turn in range(3, 11)),
    "advanced ship": (
        "Ark: lands with its own black cube",
        "Ark: its own black cube is removed by a card",
        "Science Vessel: points for the mover",
        "Royal Vessel: a Special for the mover",
        "Airship: crosses by card",
        "Airship: crosses in the Doom phase",
        "Airship: not for Royal Ship",
        "Warship: safe from Sabotage",
        "Warship: safe from Betrayal",
    ),
    "2 players": (
        "Philosophios guards his holder's card",
        "Demagogos makes a red card unplayable",
        "Demagogos: Sabotage spares a ship",
        "Demagogos: Betrayal spares a colour",
    ),
    "moment": (
        "E11 black cubes are due and the camp is empty",
        "E15 an early third Doom! is put back",
        "E17 an early third Doom! counts, as no other card is left",
        "E36 Philosophios borrows without first place",
        "E43 Betrayal on a ship",
        "E64 the neighbour of the only winner after All Doomed lends his card",
        "E65 Philosophios has played the card that first place could borrow",
        "E69 Betrayal on another's pool",
        "E69 Betrayal on one's own pool",
        "E70 Aristocracy displaces a player's cube",
        "E70 Aristocracy displaces a black cube",
        "E79 an allied ship lands without a cube of the mover",
        "E80 Empath discards a player's cube",
        "E80 Empath discards a black cube",
        "E81 Support cannot be played, as no Special is left",
        "E87 a black cube goes and the Ark keeps its own",
        "E90 the Archont finds too few cards",
        "a winner can play no card",
        "the Demagogos changes his bid",
        "the Oraklos hides two cards",
        "a bid of 0 wins a place",
        "a bid of all cubes",
        "nobody wins a voting",
        "nobody bids anything in an open voting",
    ),
}


class Tally(BaseTally):
    """Counts of what games in lockstep have reached, by (group, what)."""

    reached = REACHED

    def start(self, game: Lockstep) -> None:
        """A new game, at its first prompt."""
        fields = game.states.view(np.ndarray)
        self.arrivals, self.card = fields["arrivals"], fields["card"]
        self.journal = {name: fields[f"arrival_{name}"][0] for name in ("space", "tile", "cause", "mover", "cubes")}
        self.settled = fields["settled"][0]
        self.votes_done, self.vote_place = fields["votes_done"], fields["vote_place"][0]
        self.votes = 0
        self.allied = -1
        self.add("players", f"{game.oracle.game.players} players")

    def choice(self, game: Lockstep, action: int) -> None:
        """An action that is about to be taken."""
        g = game.oracle.game
        prompt = game.prompt
        self.counts["prompt", prompt] += 1
        if prompt in ABILITIES:
            self.add("ability declined" if action == c.PASS else "ability used", ABILITIES[prompt])
        watch = WATCHED.get(prompt)
        if watch is not None:
            watch(self, game, g, game.actor, action)
        self.area = tuple(g.area)
        self.printed, self.camp, self.event = g.printed_neutral, g.camp, g.event_now

    def step(self, game: Lockstep) -> None:
        """What came of the action: arrivals, a voting finished, an Event."""
        g = game.oracle.game
        for i in range(self.arrivals[0]):
            self._arrival(i)
        self.allied = -1
        if self.votes_done[0] != self.votes:
            self.votes = int(self.votes_done[0])
            if not self.vote_place[: g.players].any():
                self.add("moment", "nobody wins a voting")
        if g.event_now != self.event and not game.over and self.camp == 0 and cubes_due(g):
            self.add("moment", "E11 black cubes are due and the camp is empty")

    def _arrival(self, i: int) -> None:
        space, tile, cause, mover = (int(self.journal[name][i]) for name in ("space", "tile", "cause", "mover"))
        self.add("landed", c.TILES[tile])
        self.add("landed by", c.CAUSES[cause])
        by_card = cause != c.CAUSE_DOOM
        if tile == c.TILE_ADVANCED_ARK and self.printed:
            self.add("advanced ship", "Ark: lands with its own black cube")
        if tile == c.TILE_ADVANCED_AIRSHIP and self.area[space] == c.AREA_PORT:
            self.add("advanced ship", f"Airship: crosses {'by card' if by_card else 'in the Doom phase'}")
        if tile == c.TILE_ADVANCED_ROYAL and by_card:
            self.add("advanced ship", "Royal Vessel: a Special for the mover")
        if by_card and self.allied == space and not self.journal["cubes"][i, mover]:
            self.add("moment", "E79 an allied ship lands without a cube of the mover")

    def end(self, game: Lockstep) -> None:
        """A finished game."""
        g = game.oracle.game
        for event in [*g.events_past, g.event_now]:
            self.add("Event", c.EVENTS[event])
        for source, name in enumerate(c.SOURCES):
            self.add("VP source", name, sum(g.vp_by[seat][source] != 0 for seat in g.seats))
        for contest, name in enumerate(c.CONTESTS):
            for by, settled in enumerate(c.SETTLED_BY):
                self.add("tie-break", f"{name}, {settled}", int(self.settled[contest, by]))
        for deck in ("politics", "special", "event"):
            self.add("reshuffle", f"{deck.capitalize()} deck", getattr(g, f"{deck}_reshuffles"))
        for seat in g.seats:
            for kind, held in enumerate(g.special[seat]):
                self.add("Special held at the end", c.SPECIAL_EFFECTS[g.rules["special_effect"][kind]], held)
        self.add(
            "advanced ship", "Science Vessel: points for the mover", sum(vp[c.SOURCE_SCIENCE] > 0 for vp in g.vp_by)
        )
        self.add("end", f"third Doom! in turn {g.turn}")
        if g.event_reshuffles:
            self.add("moment", "E15 an early third Doom! is put back")
        if g.turn <= g.rules["doom_redrawn_through"]:
            self.add("moment", "E17 an early third Doom! counts, as no other card is left")


def cubes_due(g) -> bool:
    """The Event just revealed brings black cubes, and did not itself send any to the camp."""
    if g.event_now in range(c.DOOM_CARDS) and g.rules["doom_neutrals"]:
        return False
    return g.rules["event_cubes"][g.event_now] > 0 and g.event_now != c.EVENT_WRATH


# ---- what is watched at a prompt: (tally, game, the oracle's table, seat, action)


def watch_faction(tally: Tally, game: Lockstep, g, seat, action) -> None:
    """faction, free_faction."""
    if action == c.PASS:
        tally.add("Faction declined", "passed")
        return
    tally.add("Faction taken", c.FACTIONS[action])
    if g.plus_one[action]:
        tally.add("Faction taken with +1", c.FACTIONS[action])


def watch_archont(tally: Tally, game: Lockstep, g, seat, action) -> None:
    """Before he draws."""
    if action == c.USE and len(g.politics_deck) + sum(g.politics_discard) < g.rules["archont_cards"]:
        tally.add("moment", "E90 the Archont finds too few cards")


def watch_special(tally: Tally, game: Lockstep, g, seat, action) -> None:
    """declare, orator, proxy."""
    if action == c.PASS:
        tally.add("Special declined", game.prompt)
        return
    tally.add("Special played", c.SPECIAL_EFFECTS[g.rules["special_effect"][action]])


def watch_take_special(tally: Tally, game: Lockstep, g, seat, action) -> None:
    """take_special."""
    tally.add("Special taken", "from the deck" if action == c.FROM_DECK else "face up")


def watch_oraklos(tally: Tally, game: Lockstep, g, seat, action) -> None:
    """The second of two questions."""
    if action != c.PASS and any(g.facedown):
        tally.add("moment", "the Oraklos hides two cards")


def watch_change(tally: Tally, game: Lockstep, g, seat, action) -> None:
    """demagogos_change."""
    if action != g.pending[seat]:
        tally.add("moment", "the Demagogos changes his bid")


def watch_bid(tally: Tally, game: Lockstep, g, seat, action) -> None:
    """bid, open_bid."""
    if action > 0 and action == g.supply[seat]:
        tally.add("moment", "a bid of all cubes")
    if game.prompt == "open_bid" and action == 0 and sum(bid > 0 for bid in g.bid) == 0 and g.bid.count(-1) == 1:
        tally.add("moment", "nobody bids anything in an open voting")


def watch_play(tally: Tally, game: Lockstep, g, seat, action) -> None:
    """Own card, the neighbour's, or neither, and why not."""
    own, two, slot = g.laid[seat][g.slot], g.rules["two_player_factions"], g.slot
    lender = neighbour_to_borrow_from(g, seat)
    theirs = None if lender is None else g.laid[lender][slot]
    if game.actions == [c.PASS]:
        tally.add("moment", "a winner can play no card")
    if action == c.PLAY_OWN:
        tally.add("own card played", c.POLITICS[own])
    if action == c.PLAY_NEIGHBOURS:
        tally.add("neighbour's card played", c.POLITICS[theirs])
        if g.place[seat] != 1:
            tally.add("moment", "E36 Philosophios borrows without first place")
        if g.event_now == c.EVENT_ALL_DOOMED and g.rules["places_all_doomed"] < g.rules["places"]:
            tally.add("moment", "E64 the neighbour of the only winner after All Doomed lends his card")
    if g.bid[seat] + g.bid_bonus[seat] == 0:
        tally.add("moment", "a bid of 0 wins a place")
    if c.PLAY_OWN not in game.actions:
        if own == c.POLITICS_SUPPORT:
            tally.add("moment", "E81 Support cannot be played, as no Special is left")
        if two and g.holder[c.FACTION_DEMAGOGOS] == 1 - seat and would_be_playable(g, own):
            tally.add("2 players", "Demagogos makes a red card unplayable")
    if g.place[seat] == 1 and theirs is not None and c.PLAY_NEIGHBOURS not in game.actions:
        if two and g.holder[c.FACTION_PHILOSOPHIOS] == lender and can_apply(g, seat, theirs):
            tally.add("2 players", "Philosophios guards his holder's card")
        if not two and can_apply(g, seat, theirs):
            tally.add("moment", "E65 Philosophios has played the card that first place could borrow")


def would_be_playable(g, kind) -> bool:
    """A red card, if nobody were immune."""
    if kind == c.POLITICS_SABOTAGE:
        return any(g.tile[ship] != c.TILE_ADVANCED_WARSHIP for ship in on_ocean(g))
    if kind == c.POLITICS_BETRAYAL:
        return any(g.tile[ship] != c.TILE_ADVANCED_WARSHIP and has_load(g, ship) for ship in in_port(g))
    return False


def has_load(g, ship) -> bool:
    """Anybody is aboard, the Ark's own black cube included."""
    return any(aboard(g, ship, colour) for colour in range(c.COLOURS))


def watch_move(tally: Tally, game: Lockstep, g, seat, action) -> None:
    """move: the Airship stays for Royal Ship."""
    if tally.card[0] == c.POLITICS_ROYAL_SHIP and c.TILE_ADVANCED_AIRSHIP in g.tile:
        if has_load(g, g.tile.index(c.TILE_ADVANCED_AIRSHIP)):
            tally.add("advanced ship", "Airship: not for Royal Ship")


def watch_ally(tally: Tally, game: Lockstep, g, seat, action) -> None:
    """ally."""
    tally.allied = action


def watch_sabotage(tally: Tally, game: Lockstep, g, seat, action) -> None:
    """Ships at sea that cannot be chosen."""
    for ship in on_ocean(g):
        if g.tile[ship] == c.TILE_ADVANCED_WARSHIP:
            tally.add("advanced ship", "Warship: safe from Sabotage")
        elif ship not in game.actions:
            tally.add("2 players", "Demagogos: Sabotage spares a ship")


def watch_betrayal(tally: Tally, game: Lockstep, g, seat, action) -> None:
    """A ship or a pool, and what cannot be chosen."""
    if action < c.POOL_OF:
        tally.add("moment", "E43 Betrayal on a ship")
        if g.rules["two_player_factions"] and g.holder[c.FACTION_DEMAGOGOS] == 1 - seat and g.aboard[action][1 - seat]:
            tally.add("2 players", "Demagogos: Betrayal spares a colour")
    elif action == c.POOL_OF + seat:
        tally.add("moment", "E69 Betrayal on one's own pool")
    else:
        tally.add("moment", "E69 Betrayal on another's pool")
    if any(g.tile[ship] == c.TILE_ADVANCED_WARSHIP and has_load(g, ship) for ship in in_port(g)):
        tally.add("advanced ship", "Warship: safe from Betrayal")


def black_leaves_ark(tally: Tally, g, ship, action) -> None:
    """A black cube leaves a ship by card: the Ark's own goes last."""
    if g.tile[ship] == c.TILE_ADVANCED_ARK and g.printed_neutral:
        loose = g.aboard[ship][c.NEUTRAL]
        if action > loose:
            tally.add("advanced ship", "Ark: its own black cube is removed by a card")
        elif action > 0:
            tally.add("moment", "E87 a black cube goes and the Ark keeps its own")


def watch_count(tally: Tally, game: Lockstep, g, seat, action) -> None:
    """betrayal_count, of black cubes."""
    fields = game.states[0]
    if fields["card_colour"] == c.NEUTRAL and fields["card_ships"][0] < c.POOL_OF:
        black_leaves_ark(tally, g, int(fields["card_ships"][0]), action)


def watch_aristocracy_victim(tally: Tally, game: Lockstep, g, seat, action) -> None:
    """aristocracy_victim."""
    colour = "black" if action == c.NEUTRAL else "player's"
    tally.add("moment", f"E70 Aristocracy displaces a {colour} cube")
    if action == c.NEUTRAL:
        black_leaves_ark(tally, g, int(game.states[0]["card_ships"][0]), 1)


def watch_empath_victim(tally: Tally, game: Lockstep, g, seat, action) -> None:
    """empath_victim."""
    colour = "black" if action == c.NEUTRAL else "player's"
    tally.add("moment", f"E80 Empath discards a {colour} cube")
    if action == c.NEUTRAL:
        black_leaves_ark(tally, g, int(game.states[0]["special_ship"]), 1)


WATCHED: dict[str, Callable[..., None]] = {
    "faction": watch_faction,
    "free_faction": watch_faction,
    "archont": watch_archont,
    "declare": watch_special,
    "orator": watch_special,
    "proxy": watch_special,
    "take_special": watch_take_special,
    "oraklos": watch_oraklos,
    "demagogos_change": watch_change,
    "bid": watch_bid,
    "open_bid": watch_bid,
    "play": watch_play,
    "move": watch_move,
    "ally": watch_ally,
    "sabotage": watch_sabotage,
    "betrayal": watch_betrayal,
    "betrayal_count": watch_count,
    "aristocracy_victim": watch_aristocracy_victim,
    "empath_victim": watch_empath_victim,
}
