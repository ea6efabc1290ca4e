"""Players for the soak: each has its own taste for what others seldom do, so that together they reach every rule.

A style is a table: for a prompt, how to choose among its legal actions. What it does not name is chosen at random, and
so is one choice in ten of those it names.
"""

from collections.abc import Callable, Iterable
from random import Random

import numpy as np
from numba import types

from kernels.end_of_atlantis import codes as c
from kernels.end_of_atlantis.policies import greedy
from kernels.end_of_atlantis.state import new_states
from tests.lockstep import RULES_ARRAY, STATES, Lockstep, by_address, direct

Taste = Callable[[Random, list[int], Lockstep], int]
Style = dict[str, Taste]

AT_RANDOM = 0.1  # of the choices a style has a taste for


# ---- the kernels' greedy policy

judge = by_address(greedy.choose)
WEIGHTS = np.array(greedy.WEIGHTS, np.float64)
SCRATCH = new_states(1)


@direct(types.int64(STATES, RULES_ARRAY, types.int16[::1], types.int64, types.float64[::1], STATES))
def judge_actions(states: object, rules: object, legal: object, n: int, weights: object, scratch: object) -> int:
    """Where in `legal` the greedy policy's choice stands."""
    return judge(states[0], rules[0], legal, n, weights, scratch)  # type: ignore[index,no-any-return]


def by_judgement(chance: Random, actions: list[int], game: Lockstep) -> int:
    """As the greedy policy would choose."""
    return actions[judge_actions(game.states, game.rules, game.out, len(actions), WEIGHTS, SCRATCH)]


# ---- tastes


def first(chance: Random, actions: list[int], game: Lockstep) -> int:
    """The lowest code: passing, bidding nothing, the leftmost ship."""
    return actions[0]


def last(chance: Random, actions: list[int], game: Lockstep) -> int:
    """The highest code: bidding everything, the last Special, the neighbour's card, black cubes."""
    return actions[-1]


def small(chance: Random, actions: list[int], game: Lockstep) -> int:
    """Near the lowest code: small bids, so that cubes are left for cards."""
    return actions[min(int(chance.expovariate(0.6)), len(actions) - 1)]


def not_passing(chance: Random, actions: list[int], game: Lockstep) -> int:
    """Anything but PASS."""
    return chance.choice([action for action in actions if action != c.PASS] or actions)


def liking(*liked: int) -> Taste:
    """One of these where there is one."""

    def taste(chance: Random, actions: list[int], game: Lockstep) -> int:
        return chance.choice([action for action in actions if action in liked] or actions)

    return taste


def onto_full(chance: Random, actions: list[int], game: Lockstep) -> int:
    """The ship with the most aboard, where cubes crowd and others are displaced."""
    aboard = game.oracle.game.aboard
    return max(actions, key=lambda ship: sum(aboard[ship]) if ship >= 0 else -1)


def on_the_ocean(chance: Random, actions: list[int], game: Lockstep) -> int:
    """A ship that will land, where there is one."""
    area = game.oracle.game.area
    return chance.choice([ship for ship in actions if ship >= 0 and area[ship] == c.AREA_OCEAN] or actions)


# ---- styles

BIDS = ("senate_bid", "bid", "open_bid", "demagogos_change")
ABILITIES = ("archont", "basileus", "demiurgos", "oraklos", "demagogos_look", "demagogos_call")
LOADS = ("load", "load_second", "stowaway", "basileus", "aristocracy", "all_in", "setup_cube")
CARDS = ("play", "declare", "philosophios")
ACTIVE = (*CARDS, *ABILITIES, "orator", "proxy", "strategos", "all_in")
OPTIONAL = (*ACTIVE, "faction")
VICTIMS = ("aristocracy_victim", "empath_victim")


def tastes(prompts: Iterable[str], taste: Taste) -> Style:
    """One taste for several prompts."""
    return dict.fromkeys(prompts, taste)


BUSY: Style = {**tastes(BIDS, small), **tastes(ACTIVE, not_passing)}

STYLES: dict[str, Style] = {
    "uniform": {},
    "greedy": tastes(c.PROMPTS, by_judgement),
    "busy": {**BUSY, "lay": liking(2, 4, 5, 6, 7, 8)},
    "spender": {**tastes(ACTIVE, not_passing), **tastes(BIDS, last)},
    "miser": {**tastes(OPTIONAL, first), **tastes(BIDS, first)},
    "passer": {**tastes(BIDS, small), **tastes(OPTIONAL, first)},
    "senator": {**BUSY, "senate_bid": last, "proxy": last},
    "declarer": {
        **BUSY,
        "lay": liking(c.POLITICS_REFUGEES_2, c.POLITICS_REFUGEES_2_1, c.POLITICS_SHIPS, c.POLITICS_ROYAL_SHIP, 6),
        "declare": last,
        "faction": liking(c.FACTION_DEMIURGOS),
        "free_faction": liking(c.FACTION_DEMIURGOS),
    },
    "wrecker": {
        **BUSY,
        "lay": liking(c.POLITICS_SABOTAGE, c.POLITICS_BETRAYAL),
        "archont_discard": liking(0, 1, 2, 3),
        "betrayal": last,
        "betrayal_count": last,
    },
    "sailor": {
        **BUSY,
        **tastes(LOADS, onto_full),
        "lay": liking(c.POLITICS_SHIPS, c.POLITICS_ROYAL_SHIP, c.POLITICS_REFUGEES_2_1),
        "move": on_the_ocean,
    },
    "crowder": {
        **BUSY,
        **tastes(LOADS, onto_full),
        **tastes(VICTIMS, last),
        "lay": liking(c.POLITICS_ARISTOCRACY, c.POLITICS_REFUGEES_2, c.POLITICS_REFUGEES_2_1),
        "faction": liking(c.FACTION_BASILEUS, c.FACTION_STRATEGOS),
    },
    "schemer": {
        **BUSY,
        "play": last,
        "oraklos": not_passing,
        "faction": liking(c.FACTION_PHILOSOPHIOS, c.FACTION_DEMAGOGOS, c.FACTION_ORAKLOS),
        "free_faction": liking(c.FACTION_PHILOSOPHIOS, c.FACTION_DEMAGOGOS, c.FACTION_ORAKLOS),
    },
}


def choose(style: Style, chance: Random, game: Lockstep) -> int:
    """A legal action of the game's prompt."""
    actions = game.actions
    if len(actions) == 1:
        return actions[0]
    taste = style.get(game.prompt)
    if taste is None or chance.random() < AT_RANDOM:
        return chance.choice(actions)
    return taste(chance, actions, game)
