"""Atlantica twice: the kernels and the oracle take the same actions and must agree after every step.

As tests.lockstep does for the first game: what the contract compares is packed into bytes on either side, and only
where the bytes differ, and at the end of a game, are the two views made that a person can read.
"""

import struct
from collections import Counter
from collections.abc import Callable
from functools import cache
from itertools import chain
from operator import attrgetter, itemgetter
from typing import Any

import numpy as np
from numba import types

from kernels.atlantica import codes, step
from kernels.atlantica.check import BROKEN, broken_invariant
from kernels.atlantica.rules import RULES, RULES_RECORD
from kernels.atlantica.scoring import rank
from kernels.atlantica.state import STATE, STATE_RECORD, new_states
from kernels.atlantica.step import MOST_LEGAL
from tests.lockstep import FORMATS, Twins, by_address, direct, play_twins
from tests.oracle.atlantica import Oracle

Chooser = Callable[[str, list[int], Any], int]
Position = tuple[bytes, tuple[int, ...]]  # the packed view and the legal actions

STATES = types.Array(STATE_RECORD, 1, "C")
RULES_ARRAY = types.Array(RULES_RECORD, 1, "C")
start, go_on, list_legal, choose_action = map(by_address, (step.new_game, step.advance, step.legal, step.apply))
find_broken = by_address(broken_invariant)

NUMBERS = "turn hurricane turns_left cards_played pairs_played acted action treasure_main".split()
ROWS = "waiting diver_discard treasure_row research_row used".split()
BY_SEAT = "hand treasures ships crates research vp vp_by loaded".split()
TAKING = ("treasure", "research", "drink")
DECKS = ("diver", "treasure", "research")


@direct(types.void(STATES, RULES_ARRAY, types.uint64, types.int64))
def deal_game(states: Any, rules: Any, seed: Any, deal: int) -> None:
    """A new game in states[0], to be advanced."""
    start(states[0], rules[0], seed, deal)


@direct(types.int64(STATES, RULES_ARRAY, types.int64))
def take_action(states: Any, rules: Any, action: int) -> int:
    """Apply and advance; 0, or which invariant does not hold."""
    choose_action(states[0], rules[0], action)
    go_on(states[0], rules[0])
    return find_broken(states[0], rules[0])  # type: ignore[no-any-return]


@direct(types.int64(STATES, RULES_ARRAY))
def advance_game(states: Any, rules: Any) -> int:
    """Advance; 0, or which invariant does not hold."""
    go_on(states[0], rules[0])
    return find_broken(states[0], rules[0])  # type: ignore[no-any-return]


@direct(types.int64(STATES, RULES_ARRAY, types.int16[::1]))
def legal_actions(states: Any, rules: Any, out: Any) -> int:
    """The legal actions to `out`; how many."""
    return list_legal(states[0], rules[0], out)  # type: ignore[no-any-return]


@direct(types.int64(STATES, RULES_ARRAY, types.int64))
def rank_of(states: Any, rules: Any, seat: int) -> int:
    """A seat's rank in a finished game."""
    return rank(states[0], rules[0], seat)  # type: ignore[no-any-return]


def rules_as_dict(record: Any) -> dict[str, Any]:
    """A RULES record as the mapping of names to integers and lists that the contract describes."""
    return {name: np.asarray(record[name]).tolist() for name in RULES.names}


# ---- the two views, in words


def view(state: Any) -> dict[str, Any]:
    """The kernels' state in the contract's words."""
    players = int(state.players)
    fields: dict[str, Any] = {name: int(state[name]) for name in (*NUMBERS, "seat", "slot", "left", "end_reason")}
    fields.update({name: state[name].tolist() for name in ROWS})
    fields.update({name: state[name][:players].tolist() for name in BY_SEAT})
    fields["phase"] = codes.PHASES[state.phase]
    fields["prompt"] = codes.PROMPTS[state.prompt]
    fields["actor"] = int(state.actor)
    for deck in DECKS:
        fields[f"{deck}_deck"] = state[f"{deck}_deck"][state[f"{deck}_top"] : state[f"{deck}_size"]].tolist()
    fields["ship_deck"] = [state.ship_deck[pile, state.ship_top[pile] :].tolist() for pile in range(codes.SHIP_PILES)]
    return fields


def left_out(prompt: str, over: bool) -> frozenset[str]:
    """What the contract does not compare there."""
    names = {"seat" if over else "end_reason"}
    if prompt != "pay":
        names.add("slot")
    if prompt not in TAKING:
        names.add("left")
    return frozenset(names)


def comparable(fields: dict[str, Any]) -> dict[str, Any]:
    """Without what the contract does not compare at this prompt."""
    names = left_out(fields["prompt"], fields["phase"] == "over")
    return {name: value for name, value in fields.items() if name not in names}


# ---- the two views, in bytes

PHASE_CODES = {name: code for code, name in enumerate(codes.PHASES)}
PROMPT_CODES = {name: code for code, name in enumerate(codes.PROMPTS)}
FLAT = (*ROWS, *(name for name in BY_SEAT if len(STATE[name].shape) == 1))  # lists of numbers on the oracle's side
NESTED = tuple(name for name in BY_SEAT if len(STATE[name].shape) == 2)
SHIP_DECK, SHIP_TOP = STATE.fields["ship_deck"][1], STATE.fields["ship_top"][1]
# Where a deck lies in a STATE record: the cards, the position of the top one, how many there are.
PILES = [tuple(STATE.fields[f"{deck}_{part}"][1] for part in ("deck", "top", "size")) for deck in DECKS]


class Packing:
    """How the fields compared at one kind of prompt become bytes, on both sides in the same order."""

    def __init__(self, players: int, unseen: frozenset[str]) -> None:
        numbers = [name for name in (*NUMBERS, "seat", "slot", "left", "end_reason") if name not in unseen]
        self.numbers, self.flat, self.nested = (attrgetter(*names) for names in (numbers, FLAT, NESTED))
        form, places = "<", []
        for name in ("phase", "prompt", "actor", *numbers, *FLAT, *NESTED):
            dtype, offset = STATE.fields[name][:2]
            shape = (players, *dtype.shape[1:]) if name in BY_SEAT else dtype.shape
            count = int(np.prod(shape))
            form += FORMATS[dtype.base.itemsize] * count
            places.append(slice(offset, offset + count * dtype.base.itemsize))
        self.pack = struct.Struct(form).pack
        self.places = itemgetter(*places)

    def of_oracle(self, oracle: Oracle) -> bytes:
        """Raises struct.error or ValueError where a number is none that the kernels could hold."""
        state = oracle.state
        packed = self.pack(
            PHASE_CODES[state.phase],
            PROMPT_CODES[state.prompt],
            state.actor,
            *self.numbers(state),
            *chain.from_iterable(self.flat(state)),
            *chain.from_iterable(chain.from_iterable(self.nested(state))),
        )
        decks = (state.diver_deck, state.treasure_deck, state.research_deck, *state.ship_deck)
        return b"|".join((packed, *map(bytes, decks)))

    def of_kernels(self, memory: bytes) -> bytes:
        """`memory` is a whole STATE record."""
        parts = [b"".join(self.places(memory))]
        parts += [memory[place + memory[top] : place + memory[size]] for place, top, size in PILES]
        for pile in range(codes.SHIP_PILES):
            first = SHIP_DECK + codes.PILE_SHIPS * pile
            parts.append(memory[first + memory[SHIP_TOP + pile] : first + codes.PILE_SHIPS])
        return b"|".join(parts)


packing = cache(Packing)


def packing_at(oracle: Oracle) -> Packing:
    """What to compare at the prompt the oracle asks."""
    return packing(oracle.rules["players"], left_out(oracle.prompt, oracle.over))


# ---- one game on both


class Lockstep(Twins):
    """One game on both, always at a prompt at which they agree, or over.

    `prompt`, `actor`, `actions` and `over` say where it stands; `taken` is the list of (prompt, action) so far and
    `trail` the Position after each of them, the deal's first. `oracle.state` and `states` are the two states; nobody
    but `take` may change them.
    """

    def __init__(self, rules: Any, seed: int, deal: int) -> None:
        self.rules = np.zeros(1, RULES).view(np.recarray)
        self.rules[0] = rules
        self.deal = deal
        self.states = new_states(1)
        self.oracle = Oracle(rules_as_dict(self.rules[0]), seed, deal)
        self.taken: list[tuple[str, int]] = []
        self.trail: list[Position] = []
        self.actions: list[int] = []
        self.out = np.zeros(MOST_LEGAL, np.int16)
        deal_game(self.states, self.rules, np.uint64(seed), deal)
        self._compare(advance_game(self.states, self.rules))

    def take(self, action: int) -> None:
        """Play one legal action on both. Raises MismatchError."""
        self.taken.append((self.prompt, action))
        self.oracle.apply(action, known=True)
        self._compare(take_action(self.states, self.rules, action))

    def _compare(self, broken: int) -> None:
        oracle = self.oracle
        form = packing_at(oracle)
        mine = form.of_kernels(self.states.tobytes())
        try:
            same = mine == form.of_oracle(oracle)
        except (struct.error, ValueError):
            same = False
        if not same:
            self._compare_in_words()
            raise self._mismatch("the bytes differ, the views in words do not: tests/lockstep_atlantica.py is at fault")
        if broken:
            raise self._mismatch(BROKEN[broken])
        if self.over:
            self.actions = []
            self.trail.append((mine, ()))
            self._compare_in_words()
            self._compare_ranks()
            return
        self.actions = self.out[: legal_actions(self.states, self.rules, self.out)].tolist()
        if self.actions != oracle.legal():
            raise self._mismatch(
                f"{self.prompt} of seat {self.actor}: legal actions {self.actions} against the oracle's "
                f"{oracle.legal()}"
            )
        self.trail.append((mine, tuple(self.actions)))

    def _compare_in_words(self) -> None:
        mine, theirs = comparable(view(self.states[0])), comparable(self.oracle.view())
        differing = {k: (mine.get(k), theirs.get(k)) for k in mine | theirs if mine.get(k) != theirs.get(k)}
        if differing:
            raise self._mismatch(f"after {self.taken[-3:]}: kernel, oracle = {differing}")

    def _compare_ranks(self) -> None:
        ranks = [rank_of(self.states, self.rules, seat) for seat in range(self.oracle.rules["players"])]
        if ranks != self.oracle.result()["rank"]:
            raise self._mismatch(f"ranks: kernel {ranks}, oracle {self.oracle.result()['rank']}")


def play_in_lockstep(rules: Any, seed: int, deal: int, choose: Chooser, seen: Counter[Any] | None = None) -> int:
    """Play one game on both; returns the number of steps.

    `choose(prompt, legal, state)` gives the action. `seen` counts prompts. Raises MismatchError.
    """
    return play_twins(Lockstep(rules, seed, deal), choose, seen)
