"""Two implementations, one game: the kernels and the oracle take the same actions and must agree after every step.

What the contract compares is packed into bytes on either side, which takes microseconds; only where the bytes differ,
and once more at the end of a game, are the two views made that a person can read.
"""

import struct
from collections import Counter
from collections.abc import Callable
from functools import cache
from itertools import chain
from operator import itemgetter
from typing import Any

import numpy as np
from numba import njit, types

from kernels.end_of_atlantis import codes, step
from kernels.end_of_atlantis.check import BROKEN, broken_invariant
from kernels.end_of_atlantis.doom import ranking
from kernels.end_of_atlantis.rules import RULES, RULES_RECORD
from kernels.end_of_atlantis.state import STATE, STATE_RECORD, new_states
from kernels.end_of_atlantis.step import MOST_LEGAL
from tests.oracle.end_of_atlantis import Oracle

Chooser = Callable[[str, list[int], Any], int]

SECRET = {"senate_bid", "bid", "demagogos_look", "demagogos_change"}
VOTING_FIELDS = ("laid", "facedown", "slot", "bid", "bid_bonus", "place")


class MismatchError(AssertionError):
    """The two implementations disagree; the message says where and on what."""


def rules_as_dict(record: Any) -> dict[str, Any]:
    """A RULES record as the mapping of names to integers and lists that the contract describes."""
    return {name: np.asarray(record[name]).tolist() for name in RULES.names}


# ---- the two views, in words


def view(state: Any) -> dict[str, Any]:
    """The kernels' state in the contract's words."""
    players = int(state.players)
    fields: dict[str, Any] = {
        "turn": int(state.turn),
        "phase": codes.PHASES[state.phase],
        "prompt": codes.PROMPTS[state.prompt],
        "actor": int(state.actor),
        "politics_deck": state.politics_deck[state.politics_top : state.politics_size].tolist(),
        "special_deck": state.special_deck[state.special_top : state.special_size].tolist(),
        "event_deck": state.event_deck[state.event_top : state.event_size].tolist(),
    }
    for name in (
        "vp vp_by supply pool pool_bonus frozen_pool on_cards building land marker hand special laid pending bid "
        "bid_bonus place"
    ).split():
        fields[name] = state[name][:players].tolist()
    for name in (
        "aboard tile area holder plus_one politics_discard special_discard face_up facedown camp neutral_land "
        "printed_neutral event_now voting_open doom_count slot demagogos_used"
    ).split():
        fields[name] = np.asarray(state[name]).tolist()
    return fields


def comparable(fields: dict[str, Any]) -> dict[str, Any]:
    """Leave out what the contract does not compare at this prompt."""
    kept = dict(fields)
    if kept["prompt"] not in SECRET:
        del kept["pending"]
    voting = kept["phase"] == "voting"
    for name in VOTING_FIELDS:
        if not voting or (name in ("bid", "bid_bonus", "place") and kept["prompt"] in ("lay", "oraklos")):
            del kept[name]
    return kept


# ---- the two views, in bytes

PHASE_CODES = {name: code for code, name in enumerate(codes.PHASES)}
PROMPT_CODES = {name: code for code, name in enumerate(codes.PROMPTS)}
DECKS = ("politics", "special", "event")
# By how the oracle holds them: a number, a list, a list of lists.
NUMBERS = "turn printed_neutral camp neutral_land event_now voting_open doom_count demagogos_used slot".split()
ROWS = (
    "vp supply pool pool_bonus frozen_pool on_cards building land marker tile area holder plus_one politics_discard "
    "special_discard face_up facedown pending bid bid_bonus place"
).split()
TABLES = "vp_by hand special aboard laid".split()
BY_SEAT = {
    *"vp supply pool pool_bonus frozen_pool on_cards building land marker pending bid bid_bonus place".split(),
    *"vp_by hand special laid".split(),
}
FORMATS = {1: "b", 2: "h"}  # struct's letters by bytes a number


class Packing:
    """How the fields compared at one kind of prompt become bytes, on both sides in the same order."""

    def __init__(self, players: int, left_out: frozenset[str]) -> None:
        names = [[name for name in group if name not in left_out] for group in (NUMBERS, ROWS, TABLES)]
        self.numbers, self.rows, self.tables = (itemgetter(*group) for group in names)
        form, places = "<", []
        for name in ("phase", "prompt", "actor", *chain.from_iterable(names)):
            dtype, offset = STATE.fields[name][:2]
            shape = (players, *dtype.shape[1:]) if name in BY_SEAT else dtype.shape
            count = int(np.prod(shape))
            form += FORMATS[dtype.base.itemsize] * count
            places.append(slice(offset, offset + count * dtype.base.itemsize))
        self.pack = struct.Struct(form).pack
        self.places = itemgetter(*places)

    def of_oracle(self, oracle: Oracle) -> bytes:
        """Raises struct.error or ValueError where a number is none that the kernels could hold."""
        fields = vars(oracle.game)
        packed = self.pack(
            PHASE_CODES[oracle.game.phase],
            PROMPT_CODES[oracle.prompt],
            oracle.actor,
            *self.numbers(fields),
            *chain.from_iterable(self.rows(fields)),
            *chain.from_iterable(chain.from_iterable(self.tables(fields))),
        )
        return b"|".join((packed, *(bytes(fields[f"{deck}_deck"]) for deck in DECKS)))

    def of_kernels(self, memory: bytes) -> bytes:
        """`memory` is a whole STATE record."""
        packed = b"".join(self.places(memory))
        return b"|".join((packed, *(memory[place + memory[top] : place + memory[size]] for place, top, size in PILES)))


# Where a deck lies in a STATE record: the cards, the position of the top one, how many there are.
PILES = [tuple(STATE.fields[f"{deck}_{part}"][1] for part in ("deck", "top", "size")) for deck in DECKS]


@cache
def packing(players: int, secret: bool, voting: bool, before_bids: bool) -> Packing:
    """The packing for a prompt in SECRET, in the voting phase, and there before the first bid."""
    left_out = set() if secret else {"pending"}
    if not voting:
        left_out.update(VOTING_FIELDS)
    elif before_bids:
        left_out.update(("bid", "bid_bonus", "place"))
    return Packing(players, frozenset(left_out))


def packing_at(oracle: Oracle) -> Packing:
    """What to compare at the prompt the oracle asks."""
    prompt, phase = oracle.prompt, oracle.game.phase
    return packing(oracle.game.players, prompt in SECRET, phase == "voting", prompt in ("lay", "oraklos"))


# ---- the kernels, one call a step


class Pointer(types.WrapperAddressProtocol):
    """A compiled entry point, called by its address: linking the rules into every caller would take a minute."""

    def __init__(self, dispatcher: Any) -> None:
        (self._compiled,) = dispatcher.overloads.values()

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


STATES = types.Array(STATE_RECORD, 1, "C")
RULES_ARRAY = types.Array(RULES_RECORD, 1, "C")
start, go_on, list_legal, choose_action = map(by_address, (step.new_game, step.advance, step.legal, step.apply))
find_broken = by_address(broken_invariant)
OVER = codes.PHASE_OVER


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


@direct(types.void(STATES, RULES_ARRAY))
def rank_seats(states: Any, rules: Any) -> None:
    """The seats of a finished game to `seat_rank`, the winner first."""
    state = states[0]
    ranking(state, rules[0], state.seat_rank)


# ---- the game


class Twins:
    """What a game in lockstep has, whatever the game: the oracle's word on where it stands."""

    oracle: Any
    deal: int
    states: Any
    taken: list[tuple[str, int]]
    actions: list[int]

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
        raise NotImplementedError

    def _mismatch(self, what: str) -> MismatchError:
        return MismatchError(f"deal {self.deal}, step {len(self.taken)}, {what}")


def play_twins(game: Twins, choose: Chooser, seen: Counter[Any] | None) -> int:
    """Play a game to its end; returns the number of steps. See play_in_lockstep."""
    while not game.over:
        if seen is not None:
            seen[game.prompt] += 1
        game.take(choose(game.prompt, game.actions, game.states[0]))
    return len(game.taken)


class Lockstep(Twins):
    """One game on both, always at a prompt at which they agree, or over.

    `prompt`, `actor`, `actions` and `over` say where it stands; `taken` is the list of (prompt, action) so far and
    `trail` the packed view after each of them, the deal's first. `oracle.game` and `states` are the two states; nobody
    but `take` may change them.
    """

    def __init__(self, rules: Any, seed: int, deal: int) -> None:
        self.rules = np.zeros(1, RULES).view(np.recarray)
        self.rules[0] = rules
        self.deal = deal
        self.states = new_states(1)
        self.oracle = Oracle(rules_as_dict(self.rules[0]), seed, deal)
        self.taken: list[tuple[str, int]] = []
        self.trail: list[bytes] = []
        self.actions: list[int] = []
        self.out = np.zeros(MOST_LEGAL, np.int16)
        deal_game(self.states, self.rules, np.uint64(seed), deal)
        self._compare(advance_game(self.states, self.rules))

    def take(self, action: int) -> None:
        """Play one legal action on both. Raises MismatchError."""
        self.taken.append((self.oracle.prompt, action))
        self.oracle.apply(action)
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
            raise self._mismatch("the bytes differ, the views in words do not: tests/lockstep.py is at fault")
        if broken:
            raise self._mismatch(BROKEN[broken])
        self.trail.append(mine)
        if oracle.over:
            self.actions = []
            self._compare_in_words()
            self._compare_ranks()
            return
        self.actions = self.out[: legal_actions(self.states, self.rules, self.out)].tolist()
        if self.actions != oracle.legal():
            raise self._mismatch(
                f"{oracle.prompt} of seat {oracle.actor}: legal actions {self.actions} against the oracle's "
                f"{oracle.legal()}"
            )

    def _compare_in_words(self) -> None:
        mine, theirs = comparable(view(self.states[0])), comparable(self.oracle.view())
        differing = {k: (mine.get(k), theirs.get(k)) for k in mine | theirs if mine.get(k) != theirs.get(k)}
        if differing:
            raise self._mismatch(f"after {self.taken[-3:]}: kernel, oracle = {differing}")

    def _compare_ranks(self) -> None:
        rank_seats(self.states, self.rules)
        result = self.oracle.result()
        players = self.oracle.game.players
        theirs = sorted(range(players), key=lambda seat: result["rank"][seat])
        mine = self.states["seat_rank"][0, :players].tolist()
        if mine != theirs:
            raise self._mismatch(f"seats from first to last: kernel {mine}, oracle {theirs}")


def play_in_lockstep(rules: Any, seed: int, deal: int, choose: Chooser, seen: Counter[Any] | None = None) -> int:
    """Play one game on both; returns the number of steps.

    `choose(prompt, legal, state)` gives the action. `seen` counts prompts. Raises MismatchError.
    """
    return play_twins(Lockstep(rules, seed, deal), choose, seen)
