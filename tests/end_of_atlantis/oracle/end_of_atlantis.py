"""End of Atlantis: the game from setup to the end, and the Oracle that drives it prompt by prompt.

The rules read straight down as generators: each yields (prompt, actor, legal actions) and receives the action.
"""

from .doom_phase import doom_phase
from .event_cards import EndOfTheGameError
from .factions_phase import factions_phase
from .senate_phase import senate_phase
from .setup import setup
from .special_cards import end_of_game_specials
from .state import Game, senate_order
from .voting_phase import voting_phase

FIELDS = [
    "turn",
    "phase",
    "vp",
    "vp_by",
    "supply",
    "pool",
    "pool_bonus",
    "frozen_pool",
    "on_cards",
    "building",
    "land",
    "aboard",
    "printed_neutral",
    "camp",
    "neutral_land",
    "tile",
    "area",
    "marker",
    "holder",
    "plus_one",
    "hand",
    "politics_deck",
    "politics_discard",
    "special",
    "special_deck",
    "special_discard",
    "face_up",
    "event_deck",
    "event_now",
    "voting_open",
    "doom_count",
    "laid",
    "facedown",
    "slot",
    "pending",
    "bid",
    "bid_bonus",
    "place",
    "demagogos_used",
]


def copied(value):
    """A number or word, a list, or a list of lists, copied."""
    if isinstance(value, list):
        return [copied(v) for v in value] if value and isinstance(value[0], list) else value[:]
    return value


def game(g):
    """Game Turn and End of the Game."""
    yield from setup(g)
    try:
        while True:
            yield from turn(g)
    except EndOfTheGameError:
        end_of_the_game(g)


def turn(g):
    """Game Turn: four phases."""
    g.turn += 1
    g.demagogos_used = 0
    yield from senate_phase(g)
    yield from factions_phase(g)
    yield from voting_phase(g)
    yield from doom_phase(g)


def end_of_the_game(g):
    """End of the Game: Special cards are revealed, nothing else happens (E20)."""
    end_of_game_specials(g)
    g.phase = "over"


class Oracle:
    """A game of (rules, seed, deal), always advanced to its next prompt."""

    def __init__(self, rules, seed, deal):
        self.game = Game(rules, seed, deal)
        self._coroutine = game(self.game)
        self.prompt, self.actor, self._legal = "none", -1, []
        self._advance(None)

    def _advance(self, action):
        try:
            self.prompt, self.actor, self._legal = self._coroutine.send(action)
            assert self._legal, f"{self.prompt}: a prompt without a legal action"
        except StopIteration:
            self.prompt, self.actor, self._legal = "none", -1, []

    @property
    def over(self):
        return self.prompt == "none"

    def legal(self):
        """The legal action codes of the prompt, in the contract's order."""
        return list(self._legal)

    def apply(self, action):
        """Take one of the legal actions."""
        if action not in self._legal:
            raise ValueError(f"{self.prompt} of seat {self.actor}: {action} is not among {self._legal}")
        self._advance(int(action))

    def view(self):
        """A copy of the contract's "The state, field by field"."""
        fields = {name: copied(getattr(self.game, name)) for name in FIELDS}
        fields["prompt"], fields["actor"] = self.prompt, self.actor
        return fields

    def result(self):
        """End of the Game (E39): points, ranks by seat (1 wins), the winner; None before."""
        if not self.over:
            return None
        order = senate_order(self.game)
        ranking = sorted(order, key=lambda s: -self.game.vp[s])
        return {"vp": list(self.game.vp), "rank": [ranking.index(s) + 1 for s in self.game.seats], "winner": ranking[0]}
