"""What the contract of Atlantica compares between kernels and oracle, in words and in bytes (tests.machinery.twins)."""

import struct
from collections import Counter
from functools import cache
from itertools import chain
from operator import attrgetter, itemgetter
from typing import Any

import numpy as np

from kernels.atlantica import codes
from kernels.atlantica.state import STATE
from sim.games import find_game
from tests.atlantica.oracle import Oracle
from tests.machinery.twins import FORMATS, Chooser, Twins, calls_of, play_twins

Position = tuple[bytes, tuple[int, ...]]  # the packed view and the legal actions

GAME = find_game("atlantica")
NUMBERS = "turn hurricane turns_left cards_played pairs_played acted action treasure_main".split()
ROWS = "waiting diver_discard treasure_row research_row used".split()
BY_SEAT = "hand treasures ships crates research vp vp_by loaded".split()
TAKING = ("treasure", "research", "drink")
DECKS = ("diver", "treasure", "research")


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
    """One game on both; see Twins. The trail has a Position after each step."""

    game = GAME
    calls = calls_of(GAME)
    packing_at = packing_at
    view = view
    comparable = comparable

    def make_oracle(self, rules: dict[str, Any], seed: int, deal: int) -> Oracle:
        """The oracle's game of that deal."""
        return Oracle(rules, seed, deal)

    def take_on_oracle(self, action: int) -> None:
        """The action, which is legal, on the oracle's side."""
        self.oracle.apply(action, known=True)

    def position(self, packed: bytes) -> Position:
        """What the trail keeps."""
        return packed, tuple(self.actions)


def play_in_lockstep(rules: Any, seed: int, deal: int, choose: Chooser, seen: Counter[Any] | None = None) -> int:
    """Play one game on both; returns the number of steps. See play_twins."""
    return play_twins(Lockstep(rules, seed, deal), choose, seen)
