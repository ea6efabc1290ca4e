"""The tiny game against its exact chances: its rules, the loop's frequencies, and the intervals of the statistics."""

from fractions import Fraction

import numpy as np
import pytest

from analysis.intervals import block_mean
from analysis.sections.common import scan_seats
from sim.games import find_game
from sim.plan import plan_run
from sim.rulebook import load_rules
from sim.runner import simulate
from tests.contract.batches import Batch, play_rows
from tests.machinery.twins import calls_of
from tests.tiny import truth

GAME = find_game("goofspiel")
CALLS = calls_of(GAME)


# ---- the truth itself


def test_known_chances():
    """By hand: with two random seats a win and a loss are as likely; the lower card takes equal bids or nobody does."""
    first, second = truth.credit(("random", "random"))
    assert first == second == Fraction(1, 2)
    assert truth.credit(("greedy", "greedy")) == (Fraction(1, 2), Fraction(1, 2))
    assert truth.credit(("greedy", "greedy"), lowest_takes=True) == (1, 0)
    # tuned bids 2, 3 and 1 for the prizes 1, 2 and 3 where 3 does not come first: two of six orders give it otherwise.
    assert truth.credit(("tuned", "greedy"))[0] != Fraction(1, 2)
    for players in (2, 3, 4):
        assert sum(truth.credit(("random",) * players)) == 1


# ---- the kernels play by the rules


@pytest.mark.parametrize("setting", ["equal_bids=nobody", "equal_bids=lowest_seat", "bonus=2"])
def test_every_game_of_two_scores_as_counted(setting):
    """All 216 games of two random seats, driven through the kernels."""
    batch = Batch(GAME, 2, setting)
    step, state, rules = GAME.module("step"), batch.desk.states[0], batch.desk.rules
    number = 0
    for prizes, plays, _ in truth.games(("random", "random")):
        batch.desk.states[:] = 0
        step.new_game(state, rules, np.uint64(1), number)
        state.prizes[:3] = prizes
        step.advance(state, rules)
        while state.phase != GAME.module("codes").PHASE_OVER:
            step.apply(state, rules, plays[state.actor][state.turn - 1])
            step.advance(state, rules)
        bonus = 2 if setting == "bonus=2" else 0
        wanted = truth.points(prizes, plays, lowest_takes=setting.endswith("lowest_seat"), bonus=bonus)
        assert state.vp[:2].tolist() == wanted
        ranks = [CALLS.rank(batch.desk.states, batch.rules, seat) for seat in range(2)]
        assert ranks == [1 + sum(other > vp for other in wanted) for vp in wanted]
        number += 1
    assert number == 216


@pytest.mark.parametrize("cards", [3, 4])
def test_all_orders_of_the_prizes_are_as_likely(cards):
    prizes = play_rows(GAME, 2, 24_000, f"cards={cards}", detail=0)["games"]["prize"][:, :cards]
    _, counts = np.unique(prizes, axis=0, return_counts=True)
    expected = 24_000 / len(list(truth.permutations(range(cards))))
    assert len(counts) == 24_000 / expected
    assert ((counts - expected) ** 2 / expected).sum() < 2.2 * len(counts) + 12  # chi square, far in its tail


LINEUPS = [
    ("random", "random"),
    ("greedy", "random"),
    ("tuned", "random"),
    ("random", "tuned", "greedy"),
    ("greedy", "random", "random", "tuned"),
]


@pytest.mark.parametrize("lineup", LINEUPS, ids=",".join)
@pytest.mark.parametrize("lowest", [False, True], ids=["nobody", "lowest-seat"])
def test_frequencies_are_the_exact_chances(lineup, lowest):
    """Place = seat, so that the exact credit of a seat is that of its policy there."""
    games = 20_000
    policies, weights = zip(*(find(name) for name in lineup))
    settings = ("equal_bids=lowest_seat",) if lowest else ()
    table = np.zeros((5, 64))
    table[: len(lineup)] = weights
    options = {"policies": policies, "weights": table, "detail": 0}
    credit = play_rows(GAME, len(lineup), games, *settings, **options)["seats"]["credit"].reshape(games, -1)
    exact = np.array([float(share) for share in truth.credit(lineup, lowest_takes=lowest)])
    error = np.sqrt(credit.var(axis=0) / games)
    assert (np.abs(credit.mean(axis=0) - exact) <= 4.5 * error + 1e-9).all(), (credit.mean(axis=0), exact)


def find(name):
    """A policy's function and weights."""
    from sim.policies import find_policy

    found = find_policy(GAME, name)
    return found.function, found.weights


# ---- the intervals mean what they say


@pytest.fixture(scope="module")
def shares(tmp_path_factory):
    """Seat and policy shares, with their intervals, of 200 runs of 360 games of greedy among two random ones."""
    from analysis.api import Run
    from analysis.frames import read_run

    folder = tmp_path_factory.mktemp("runs")
    rules = load_rules(GAME, 3, settings=("equal_bids=lowest_seat",))
    found = []
    for seed in range(200):
        run = plan_run(GAME, rules, ("greedy", "random", "random"), seed=seed, games=360, detail="seats")
        read: Run = read_run(simulate(run, folder / str(seed), jobs=1).folder.path)
        import polars as pl

        ratios = {"credit": (pl.col("credit"), None)}
        seats = {key[0]: block_mean(m["credit"]) for key, m in read.moments(scan_seats, ratios, by=["seat"]).items()}
        policies = read.moments(scan_seats, ratios, by=["policy"])
        found.append((seats, {key[0]: block_mean(m["credit"]) for key, m in policies.items()}))
    return found


def exact_shares():
    """Credit by seat, and by policy, over the three seatings of one greedy among two random seats."""
    seatings = [
        ("greedy", "random", "random"),
        ("random", "greedy", "random"),
        ("random", "random", "greedy"),
    ]
    by_seating = [truth.credit(seating, lowest_takes=True) for seating in seatings]
    seats = {seat: float(sum(one[seat] for one in by_seating) / 3) for seat in range(3)}
    greedy = sum(one[seating.index("greedy")] for one, seating in zip(by_seating, seatings)) / 3
    return seats, {"greedy": float(greedy), "random": float((1 - greedy) / 2)}


def test_intervals_cover_the_exact_shares_nineteen_times_in_twenty(shares):
    seats, policies = exact_shares()
    for which, exact in ((0, seats), (1, policies)):
        for key, value in exact.items():
            covered = sum(found[which][key].low <= value <= found[which][key].high for found in shares)
            assert 180 <= covered <= 199, f"{key}: {covered} of 200 intervals hold {value:.4f}"
