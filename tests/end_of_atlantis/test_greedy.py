"""What the heuristic of End of Atlantis sees since it was mended: a weight does what its name says, and 0 nothing."""

import numpy as np
import pytest

from kernels.end_of_atlantis import codes as c
from kernels.end_of_atlantis.policies import greedy
from tests.contract.batches import play_rows
from tests.end_of_atlantis.positions import GAME

NEW = ("free", "mix", "opening", "hide", "use", "save")


def weights_with(**changed):
    """greedy's vector with some weights changed."""
    weights = np.zeros(64)
    weights[: len(greedy.WEIGHTS)] = greedy.WEIGHTS
    for name, value in changed.items():
        weights[greedy.NAMES.index(name)] = value
    return weights


def watch(games=12, players=4, variants=(), **changed):
    """Every decision of games that greedy plays with these weights: (prompt, turn, actor, legal, chosen, price)."""
    choose, weights = GAME.policies.load("greedy")[0], weights_with(**changed)
    seen = []

    def watched(state, rules, legal, n, given, scratch):
        answer = choose(state, rules, legal, n, weights, scratch)
        price = int(rules.faction_cost[state.at]) if state.prompt == c.PROMPT_FACTION else 0
        chosen = (c.PROMPTS[state.prompt], int(state.turn), int(state.actor), legal[:n].tolist(), int(legal[answer]))
        seen.append((*chosen, price))
        return answer

    play_rows(GAME, players, games, policies=(watched,), variants=variants, slowly=True)
    return seen


def test_the_new_weights_are_zero_in_greedy():
    assert [greedy.WEIGHTS[greedy.NAMES.index(name)] for name in NEW] == [0.0] * len(NEW)


def test_a_free_faction_is_taken():
    def free_passes(**changed):
        asked = [one for one in watch(wait=4.0, **changed) if one[0] == "faction" and one[5] == 0 and c.PASS in one[3]]
        assert len(asked) > 20
        return sum(one[4] == c.PASS for one in asked)

    assert free_passes() > 10
    assert free_passes(free=9.0) == 0


def test_senate_bids_are_mixed_and_the_first_may_be_higher():
    def bids(**changed):
        asked = [one for one in watch(senate=2.0, jitter=0.0, **changed) if one[0] == "senate_bid"]
        return {turn: {one[4] for one in asked if one[1] == turn and len(one[3]) > 8} for turn in (1, 2)}

    assert bids() == {1: {2}, 2: {2}}
    assert bids(mix=3.0) == {1: {2, 3, 4, 5}, 2: {2, 3, 4, 5}}
    assert bids(opening=2.0) == {1: {4}, 2: {2}}


def test_oraklos_hides_a_card_worth_it():
    def hidden(**changed):
        asked = [one for one in watch(faction_oraklos=9.0, **changed) if one[0] == "oraklos"]
        assert len(asked) > 20
        return sum(one[4] != c.PASS for one in asked) / len(asked)

    assert hidden() == 0
    assert hidden(hide=1.0) > 0.9
    assert hidden(hide=99.0) == 0


@pytest.mark.parametrize(("weight", "prompt"), [("use", "orator"), ("save", "declare")])
def test_a_special_is_kept_for_a_card_worth_it(weight, prompt):
    def used(**changed):
        asked = [one for one in watch(games=40, special=9.0, **changed) if one[0] == prompt]
        assert len(asked) > 5
        return sum(one[4] != c.PASS for one in asked)

    assert used() > 0
    assert used(**{weight: 99.0}) == 0
