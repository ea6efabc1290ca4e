"""Two implementations, one game: the kernels and the oracle take the same actions and must agree after every step."""

from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np

from kernels.end_of_atlantis import codes
from kernels.end_of_atlantis.check import BROKEN, broken_invariant
from kernels.end_of_atlantis.rules import RULES
from kernels.end_of_atlantis.state import new_states
from kernels.end_of_atlantis.step import MOST_LEGAL, advance, apply, legal, new_game
from tests.oracle.end_of_atlantis import Oracle

Chooser = Callable[[str, list[int], Any], int]

SECRET = {"senate_bid", "bid", "demagogos_look", "demagogos_change"}
VOTING_FIELDS = ("laid", "facedown", "slot", "bid", "bid_bonus", "place")


class MismatchError(AssertionError):
    """The two implementations disagree; the message says where and on what."""


def rules_as_dict(record: Any) -> dict[str, Any]:
    """A RULES record as the mapping of names to integers and lists that the contract describes."""
    return {name: np.asarray(record[name]).tolist() for name in RULES.names}


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
    for name in [
        "vp",
        "vp_by",
        "supply",
        "pool",
        "pool_bonus",
        "frozen_pool",
        "on_cards",
        "building",
        "land",
        "marker",
        "hand",
        "special",
        "laid",
        "pending",
        "bid",
        "bid_bonus",
        "place",
    ]:
        fields[name] = state[name][:players].tolist()
    for name in [
        "aboard",
        "tile",
        "area",
        "holder",
        "plus_one",
        "politics_discard",
        "special_discard",
        "face_up",
        "facedown",
        "camp",
        "neutral_land",
        "printed_neutral",
        "event_now",
        "voting_open",
        "doom_count",
        "slot",
        "demagogos_used",
    ]:
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


def play_in_lockstep(rules: Any, seed: int, deal: int, choose: Chooser, seen: Counter[Any] | None = None) -> int:
    """Play one game on both; returns the number of steps.

    `choose(prompt, legal, state)` gives the action. `seen` counts (prompt, action taken) pairs. Raises MismatchError.
    """
    states = new_states(1)
    state = states[0]
    new_game(state, rules, np.uint64(seed), deal)
    advance(state, rules)
    oracle = Oracle(rules_as_dict(rules), seed, deal)
    out = np.zeros(MOST_LEGAL, np.int16)
    steps = 0
    taken: list[tuple[str, int]] = []
    while True:
        mine, theirs = comparable(view(state)), comparable(oracle.view())
        if mine != theirs:
            differing = {k: (mine.get(k), theirs.get(k)) for k in mine | theirs if mine.get(k) != theirs.get(k)}
            raise MismatchError(f"deal {deal}, step {steps}, after {taken[-3:]}: kernel, oracle = {differing}")
        broken = broken_invariant(state, rules)
        if broken:
            raise MismatchError(f"deal {deal}, step {steps}: {BROKEN[broken]}")
        if oracle.over:
            return steps
        actions = out[: legal(state, rules, out)].tolist()
        if actions != oracle.legal():
            raise MismatchError(
                f"deal {deal}, step {steps}, {oracle.prompt} of seat {oracle.actor}: legal actions {actions} against "
                f"the oracle's {oracle.legal()}"
            )
        prompt = oracle.prompt
        action = choose(prompt, actions, state)
        taken.append((prompt, action))
        if seen is not None:
            seen[prompt] += 1
        apply(state, rules, action)
        advance(state, rules)
        oracle.apply(action)
        steps += 1
