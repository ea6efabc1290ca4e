"""A seat's chance of winning by a value model, outside the kernels' own play: for the trace and for checks."""

from collections.abc import Sequence
from functools import cache
from types import SimpleNamespace
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.engine import value
from kernels.engine.contract import WEIGHTS
from kernels.jit import bind, ready
from sim.errors import UserError
from sim.games import Game
from sim.networks import Network, find_network
from sim.presets import find_model, list_presets

Numbers = npt.NDArray[np.float64]


@cache
def bind_value(package: str) -> SimpleNamespace:
    """The value model's kernels of a game, compiled."""
    bound: SimpleNamespace = bind(value, package)
    ready(bound.describe_all)
    ready(bound.estimate_all)
    return bound


def find_own_network(game: Game, players: int) -> Network | None:
    """The network of the first of the game's presets that has a value model; None if there is none for so many."""
    for name in list_presets(game):
        if stem := find_model(game, name):
            try:
                return find_network(game, stem, players)
            except UserError:  # it was made for other features or is not there: then nobody is judged
                return None
    return None


def judge_states(game: Game, states: npt.NDArray[Any], seats: Sequence[int], rules: Any, numbers: Numbers) -> Numbers:
    """The chance (expected credit) of a seat in each state, from what that seat may see: shape (states,).

    `numbers` is a network's.
    """
    row = np.concatenate([np.zeros(WEIGHTS), numbers])
    out, room = np.zeros(len(states)), np.zeros(value.count_room(game.module("features").SIZE))
    bind_value(game.kernels).estimate_all(states, np.asarray(seats, np.int64), rules, row, room, out)
    return out


def judge_seats(game: Game, state: npt.NDArray[Any], players: int, rules: Any, numbers: Numbers) -> list[float]:
    """The chance of every seat in one state, shape (1,), each from what it sees itself; scaled to add up to 1."""
    chances = judge_states(game, np.repeat(state, players), range(players), rules, numbers)
    return [float(chance) for chance in chances / chances.sum()]
