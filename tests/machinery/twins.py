"""Two implementations, one game: the kernels and the oracle take the same actions and must agree after every step.

What the contract compares is packed into bytes on either side, which takes microseconds; only where the bytes differ,
and once more at the end of a game, are the two views made that a person can read. What a game's contract compares is
told by tests.<game>.lockstep.
"""

import struct
from collections import Counter
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
from numba import njit, types

from kernels.jit import ready
from sim.games import Game

Chooser = Callable[[str, list[int], Any], int]

FORMATS = {1: "b", 2: "h"}  # struct's letters by bytes a number


class MismatchError(AssertionError):
    """The two implementations disagree; the message says where and on what."""


def rules_as_dict(record: Any) -> dict[str, Any]:
    """A RULES record as the mapping of names to integers and lists that the contract describes."""
    return {name: np.asarray(record[name]).tolist() for name in record.dtype.names}


# ---- the kernels, one call a step


class Pointer(types.WrapperAddressProtocol):
    """A compiled entry point, called by its address: linking the rules into every caller would take a minute."""

    def __init__(self, dispatcher: Any) -> None:
        (self._compiled,) = ready(dispatcher).overloads.values()

    def __wrapper_address__(self) -> int:
        """The address of the compiled function's C wrapper."""
        name = self._compiled.fndesc.llvm_cfunc_wrapper_name
        return int(self._compiled.library.get_pointer_to_function(name))

    def signature(self) -> Any:
        """Its numba signature."""
        return self._compiled.signature


def by_address(function: Any) -> Any:
    """`function` as a compiled function can call it; itself under NUMBA_DISABLE_JIT."""
    return Pointer(function) if hasattr(function, "overloads") else function


def direct(signature: Any) -> Callable[[Any], Any]:
    """Compile, and call without looking at the types of the arguments: that takes ten times as long as a step does."""

    def compiled(function: Any) -> Any:
        dispatcher = njit(signature)(function)
        if not hasattr(dispatcher, "overloads"):
            return dispatcher
        (overload,) = dispatcher.overloads.values()
        return overload.entry_point

    return compiled


def arrays_of(game: Game) -> tuple[Any, Any]:
    """The numba types of an array of states and one of rules."""
    state, rules = game.module("state").STATE_RECORD, game.module("rules").RULES_RECORD
    return types.Array(state, 1, "C"), types.Array(rules, 1, "C")


def calls_of(game: Game) -> SimpleNamespace:
    """The kernels' contract on states[0] under rules[0], called directly: deal, advance, take, legal, rank, decided."""
    states, rules = arrays_of(game)
    step = game.module("step")
    start, go_on, list_legal, choose = map(by_address, (step.new_game, step.advance, step.legal, step.apply))
    find_broken, place, settle = by_address(game.module("check").broken_invariant), step.rank, step.decided_by

    @direct(types.void(states, rules, types.uint64, types.int64))
    def deal(states: Any, rules: Any, seed: Any, deal: int) -> None:
        start(states[0], rules[0], seed, deal)

    @direct(types.int64(states, rules, types.int64))
    def take(states: Any, rules: Any, action: int) -> int:
        choose(states[0], rules[0], action)
        go_on(states[0], rules[0])
        return find_broken(states[0], rules[0])  # type: ignore[no-any-return]

    @direct(types.int64(states, rules))
    def advance(states: Any, rules: Any) -> int:
        go_on(states[0], rules[0])
        return find_broken(states[0], rules[0])  # type: ignore[no-any-return]

    @direct(types.int64(states, rules, types.int16[::1]))
    def legal(states: Any, rules: Any, out: Any) -> int:
        return list_legal(states[0], rules[0], out)  # type: ignore[no-any-return]

    @direct(types.int64(states, rules, types.int64))
    def rank(states: Any, rules: Any, seat: int) -> int:
        return place(states[0], rules[0], seat)  # type: ignore[no-any-return]

    @direct(types.int64(states, rules))
    def decided(states: Any, rules: Any) -> int:
        return settle(states[0], rules[0])  # type: ignore[no-any-return]

    return SimpleNamespace(deal=deal, take=take, advance=advance, legal=legal, rank=rank, decided=decided)


# ---- the game


class Twins:
    """One game on both, always at a prompt at which they agree, or over.

    `prompt`, `actor`, `actions` and `over` say where it stands; `taken` is the list of (prompt, action) so far and
    `trail` the position after each of them, the deal's first. `oracle` and `states` hold the two states; nobody but
    `take` may change them.
    """

    game: Game
    calls: SimpleNamespace
    packing_at: Callable[[Any], Any]  # what to compare at the prompt the oracle asks
    view: Callable[[Any], dict[str, Any]]  # the kernels' state in the contract's words
    comparable: Callable[[dict[str, Any]], dict[str, Any]]  # without what the contract does not compare at a prompt

    def __init__(self, rules: Any, seed: int, deal: int) -> None:
        self.rules = np.zeros(1, self.game.module("rules").RULES).view(np.recarray)
        self.rules[0] = rules
        self.deal = deal
        self.states = self.game.module("state").new_states(1)
        self.oracle = self.make_oracle(rules_as_dict(self.rules[0]), seed, deal)
        self.taken: list[tuple[str, int]] = []
        self.trail: list[Any] = []
        self.actions: list[int] = []
        self.out = np.zeros(self.game.module("step").MOST_LEGAL, np.int16)
        self.calls.deal(self.states, self.rules, np.uint64(seed), deal)
        self._compare(self.calls.advance(self.states, self.rules))

    def make_oracle(self, rules: dict[str, Any], seed: int, deal: int) -> Any:
        """The oracle's game of that deal."""
        raise NotImplementedError

    def take_on_oracle(self, action: int) -> None:
        """The action, which is legal, on the oracle's side."""
        self.oracle.apply(action)

    @property
    def prompt(self) -> str:
        """What is asked, "none" where the game is over."""
        return str(self.oracle.prompt)

    @property
    def actor(self) -> int:
        """The seat that is asked, -1 where the game is over."""
        return int(self.oracle.actor)

    @property
    def over(self) -> bool:
        """The game has ended."""
        return bool(self.oracle.over)

    def take(self, action: int) -> None:
        """Play one legal action on both. Raises MismatchError."""
        self.taken.append((self.prompt, action))
        self.take_on_oracle(action)
        self._compare(self.calls.take(self.states, self.rules, action))

    def position(self, packed: bytes) -> Any:
        """What the trail keeps."""
        return packed

    def _mismatch(self, what: str) -> MismatchError:
        return MismatchError(f"deal {self.deal}, step {len(self.taken)}, {what}")

    def _compare(self, broken: int) -> None:
        oracle = self.oracle
        form = type(self).packing_at(oracle)
        mine = form.of_kernels(self.states.tobytes())
        try:
            same = mine == form.of_oracle(oracle)
        except (struct.error, ValueError):
            same = False
        if not same:
            self._compare_in_words()
            raise self._mismatch("the bytes differ, the views in words do not: the packing of lockstep is at fault")
        if broken:
            raise self._mismatch(self.game.module("check").BROKEN[broken])
        if self.over:
            self.actions = []
            self._compare_in_words()
            self._compare_ranks()
        else:
            self.actions = self.out[: self.calls.legal(self.states, self.rules, self.out)].tolist()
            if self.actions != oracle.legal():
                raise self._mismatch(
                    f"{self.prompt} of seat {self.actor}: legal actions {self.actions} against the oracle's "
                    f"{oracle.legal()}"
                )
        self.trail.append(self.position(mine))

    def _compare_in_words(self) -> None:
        comparable, view = type(self).comparable, type(self).view
        mine, theirs = comparable(view(self.states[0])), comparable(self.oracle.view())
        differing = {k: (mine.get(k), theirs.get(k)) for k in mine | theirs if mine.get(k) != theirs.get(k)}
        if differing:
            raise self._mismatch(f"after {self.taken[-3:]}: kernel, oracle = {differing}")

    def _compare_ranks(self) -> None:
        players = int(self.states[0].players)
        ranks = [self.calls.rank(self.states, self.rules, seat) for seat in range(players)]
        self.calls.decided(self.states, self.rules)  # some games keep a tally of it
        if ranks != self.oracle.result()["rank"]:
            raise self._mismatch(f"ranks: kernel {ranks}, oracle {self.oracle.result()['rank']}")


def play_twins(game: Twins, choose: Chooser, seen: Counter[Any] | None) -> int:
    """Play a game to its end; returns the number of steps.

    `choose(prompt, legal, state)` gives the action. `seen` counts prompts. Raises MismatchError.
    """
    while not game.over:
        if seen is not None:
            seen[game.prompt] += 1
        game.take(choose(game.prompt, game.actions, game.states[0]))
    return len(game.taken)
