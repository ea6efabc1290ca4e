"""Players for the soak: each has its own taste for what others seldom do, so that together they reach every rule.

A style is a table: for a prompt, how to choose among its legal actions. What it does not name is chosen at random, and
so is one choice in ten of those it names.
"""

from collections.abc import Callable, Iterable
from random import Random

from numba import types

from kernels.engine.contract import SCRATCH
from sim.games import Game
from tests.machinery.twins import Twins, arrays_of, by_address, direct

Taste = Callable[[Random, list[int], Twins], int]
Style = dict[str, Taste]

AT_RANDOM = 0.1  # of the choices a style has a taste for
PASS = -1  # the action "no, thank you", in every game that has it


def judging(game: Game) -> Taste:
    """As the game's heuristic would choose."""
    choose, weights = game.policies.load(game.policies.heuristic)
    judge = by_address(choose)
    states, rules = arrays_of(game)
    scratch = game.module("state").new_states(SCRATCH)

    @direct(types.int64(states, rules, types.int16[::1], types.int64, types.float64[::1], states))
    def judge_actions(states: object, rules: object, legal: object, n: int, weights: object, scratch: object) -> int:
        return judge(states[0], rules[0], legal, n, weights, scratch)  # type: ignore[index,no-any-return]

    def by_judgement(chance: Random, actions: list[int], twins: Twins) -> int:
        return actions[judge_actions(twins.states, twins.rules, twins.out, len(actions), weights, scratch)]

    return by_judgement


def first(chance: Random, actions: list[int], game: Twins) -> int:
    """The lowest code: passing, bidding nothing, the leftmost ship."""
    return actions[0]


def last(chance: Random, actions: list[int], game: Twins) -> int:
    """The highest code: bidding everything, the last Special, the neighbour's card, black cubes."""
    return actions[-1]


def small(chance: Random, actions: list[int], game: Twins) -> int:
    """Near the lowest code: small bids, so that cubes are left for cards."""
    return actions[min(int(chance.expovariate(0.6)), len(actions) - 1)]


def not_passing(chance: Random, actions: list[int], game: Twins) -> int:
    """Anything but PASS."""
    return chance.choice([action for action in actions if action != PASS] or actions)


def liking(*liked: int) -> Taste:
    """One of these where there is one."""

    def taste(chance: Random, actions: list[int], game: Twins) -> int:
        return chance.choice([action for action in actions if action in liked] or actions)

    return taste


def tastes(prompts: Iterable[str], taste: Taste) -> Style:
    """One taste for several prompts."""
    return dict.fromkeys(prompts, taste)


def choose(style: Style, chance: Random, game: Twins) -> int:
    """A legal action of the game's prompt."""
    actions = game.actions
    if len(actions) == 1:
        return actions[0]
    taste = style.get(game.prompt)
    if taste is None or chance.random() < AT_RANDOM:
        return chance.choice(actions)
    return taste(chance, actions, game)
