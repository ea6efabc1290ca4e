"""What the contract of End of Atlantis compares between kernels and oracle, in words and bytes (machinery.twins)."""

import struct
from collections import Counter
from functools import cache
from itertools import chain
from operator import itemgetter
from typing import Any

import numpy as np

from kernels.end_of_atlantis import codes
from kernels.end_of_atlantis.state import STATE
from sim.games import find_game
from tests.end_of_atlantis.oracle.end_of_atlantis import Oracle
from tests.machinery.twins import FORMATS, Chooser, Twins, calls_of, play_twins

GAME = find_game("end-of-atlantis")
SECRET = {"senate_bid", "bid", "demagogos_look", "demagogos_change"}
VOTING_FIELDS = ("laid", "facedown", "slot", "bid", "bid_bonus", "place")


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


# ---- one game on both


class Lockstep(Twins):
    """One game on both; see Twins."""

    game = GAME
    calls = calls_of(GAME)
    packing_at = packing_at
    view = view
    comparable = comparable

    def make_oracle(self, rules: dict[str, Any], seed: int, deal: int) -> Oracle:
        """The oracle's game of that deal."""
        return Oracle(rules, seed, deal)


def play_in_lockstep(rules: Any, seed: int, deal: int, choose: Chooser, seen: Counter[Any] | None = None) -> int:
    """Play one game on both; returns the number of steps. See play_twins."""
    return play_twins(Lockstep(rules, seed, deal), choose, seen)
