"""Players of Atlantica for the soak and for lockstep, each with a taste of its own (tests.machinery.tastes)."""

from random import Random

from kernels.atlantica import codes as c
from tests.atlantica.lockstep import GAME, Lockstep
from tests.machinery.tastes import Style, Taste, first, judging, last, liking, not_passing, tastes

by_judgement = judging(GAME)  # as the greedy policy would choose


# ---- tastes


def tier(action: int) -> int:
    """Diver cards in the price of an action, 0 for PASS."""
    return 0 if action == c.PASS else action % c.TIERS + 1


def dearest(chance: Random, actions: list[int], game: Lockstep) -> int:
    """One of the actions that cost most."""
    most = max(map(tier, actions))
    return chance.choice([action for action in actions if tier(action) == most])


def cheapest(chance: Random, actions: list[int], game: Lockstep) -> int:
    """One of the actions for a single diver, so that a turn has three."""
    return chance.choice([action for action in actions if tier(action) == 1] or actions)


def one_action(chance: Random, actions: list[int], game: Lockstep) -> int:
    """One action a turn and no more."""
    return c.PASS if game.oracle.state.acted else not_passing(chance, actions, game)


def pairs(chance: Random, actions: list[int], game: Lockstep) -> int:
    """A pair of divers wherever it may be played."""
    return chance.choice([code for code in actions if code >= c.PAIR] or actions)


def at(*locations: int) -> Taste:
    """Actions at these locations, or else Catch Your Breath or what is left."""

    def taste(chance: Random, actions: list[int], game: Lockstep) -> int:
        liked = [action for action in actions if action != c.PASS and action // c.TIERS in locations]
        return chance.choice(liked or [c.PASS])

    return taste


def stacks(chance: Random, actions: list[int], game: Lockstep) -> int:
    """Research cards of a kind that the seat has already."""
    state = game.oracle.state
    held = state.research[state.seat]
    spaces = [(held[state.research_row[space]], space) for space in actions if space != c.PASS]
    return max(spaces)[1]


def jokers(chance: Random, actions: list[int], game: Lockstep) -> int:
    """Research cards that count treasures, jokers first."""
    state = game.oracle.state
    effects = game.oracle.rules["research_effect"]
    spaces = [(effects[state.research_row[space]], space) for space in actions if space != c.PASS]
    return max(spaces)[1]


# ---- styles

TAKING = ("treasure", "research", "drink")
BUSY: Style = {"action": not_passing}

STYLES: dict[str, Style] = {
    "uniform": {},
    "greedy": tastes(c.PROMPTS, by_judgement),
    "busy": BUSY,
    "diver": {"action": dearest},
    "petty": {"action": cheapest, "pay": pairs},
    "joker": {"action": not_passing, "pay": pairs, "research": jokers},
    "breather": {"action": first},
    "drinker": {"action": liking(c.ACTION_DRINK)},
    "scholar": {"action": at(c.RESEARCH_STATION, c.TAVERN), "research": stacks},
    "hoarder": {"action": at(c.SUBMARINE, c.TAVERN), "treasure": last, "drink": first},
    "shipper": {"action": at(c.HARBOR, c.TAVERN), "drink": last},
    "tavern": {"action": at(c.TAVERN)},
    "brief": {"action": one_action},
    "modest": {**BUSY, **tastes(TAKING, first)},
}
