"""The value model against chances counted out, on the tiny game, where everybody plays at random."""

from fractions import Fraction

import numpy as np
import pytest

from kernels.engine.contract import MAX_PLAYERS
from kernels.engine.desk import Buffers, Desk
from sim.chances import judge_states
from sim.games import find_game
from sim.learning import BATCH, draw_lineups, find_loss, fit, gather
from sim.policies import find_policy
from sim.rulebook import load_rules
from tests.tiny import truth

GAME = find_game("goofspiel")
PLAYERS = (3,)  # one table: fitting takes half a minute


def count_out(state, seat):
    """The exact chance of a seat, from what it sees."""
    players = int(state.players)
    numbers = [card + 1 for card in range(3)]
    hands = tuple(frozenset(card for card in numbers if state.hand[one, card - 1]) for one in range(players))
    laid = tuple(int(state.bid[one]) if one == seat else 0 for one in range(players))
    to_come = frozenset(numbers) - set(state.history[: state.turn].tolist())
    return float(truth.outlook(tuple(state.vp[:players].tolist()), hands, int(state.prize), to_come, laid)[seat])


@pytest.fixture(scope="module", params=PLAYERS)
def learned(request):
    """(players, network's numbers, its fit): fitted to 80,000 games of random seats."""
    rules, policy = load_rules(GAME, request.param), find_policy(GAME, "random")
    seat = (policy.function, policy.row(request.param))
    lineups = draw_lineups(seat, [], request.param, 80_000 // BATCH, 1)
    return request.param, *fit(GAME, gather(GAME, rules, lineups, seed=1, every=1), seed=1)


@pytest.fixture(scope="module")
def fresh(learned):
    """(states, seats, exact chances, credit) of games that it was not fitted to."""
    players = learned[0]
    policy = find_policy(GAME, "random")
    desk = Desk(GAME.kernels, load_rules(GAME, players).record().view(np.recarray)[0])
    buffers = Buffers(GAME.kernels, next(iter(GAME.details)), 1500)
    desk.keep(1, 1500 * 12)
    desk.play([policy.function] * players, [policy.weights] * players, buffers, 0, 1500, seed=2, limit=1000)
    states, games = desk.take_kept()
    seats = np.random.default_rng(3).integers(players, size=len(states))
    credit = buffers.rows()["seats"]["credit"].reshape(-1, players)[games, seats]
    return states, seats, np.array([count_out(state, seat) for state, seat in zip(states, seats)]), credit, desk.rules


def test_what_is_counted_out_here_is_what_is_counted_out_there():
    """From the first prize on, outlook gives what every game of the other count gives."""
    hands = (frozenset({1, 2, 3}),) * 3
    firsts = [truth.outlook((0, 0, 0), hands, one, frozenset({1, 2, 3}) - {one}, (0, 0, 0)) for one in (1, 2, 3)]
    assert [sum(shares) / 3 for shares in zip(*firsts)] == list(truth.credit(("random",) * 3))
    assert truth.outlook((3, 0), (frozenset({1}),) * 2, 2, frozenset(), (0, 0)) == (Fraction(1), Fraction(0))


def test_the_model_meets_the_exact_chances(learned, fresh):
    """Within its own gap everywhere that chances differ, and as good a forecast as the truth but for a trifle."""
    states, seats, exact, credit, rules = fresh
    _, numbers, how = learned
    chances = judge_states(GAME, states, seats, rules, numbers)
    assert np.abs(chances - exact).mean() < 0.025
    assert np.corrcoef(chances, exact)[0, 1] > 0.98
    for part in np.array_split(np.argsort(exact, kind="stable"), 5):
        assert abs(chances[part].mean() - exact[part].mean()) < 0.02
    assert find_loss(chances, credit) < find_loss(exact, credit) + 0.01
    assert how.loss < how.table - 0.01 < how.constant


def test_the_fit_says_how_far_off_it_is(learned):
    """Positions apart were not fitted to, and a tenth of the games."""
    players, _, how = learned
    assert 7900 <= how.games <= 8100
    assert how.gap == max(abs(chance - credit) for chance, credit in how.bins)
    assert sum(chance for chance, _ in how.bins) / len(how.bins) == pytest.approx(1 / players, abs=0.03)
    assert players <= MAX_PLAYERS


def test_positions_and_network_are_the_same_on_any_number_of_threads():
    rules, policy = load_rules(GAME, 2), find_policy(GAME, "random")
    lineups = draw_lineups((policy.function, policy.weights), [], 2, 8, 1)
    one, two = (gather(GAME, rules, lineups, seed=1, every=2, jobs=jobs) for jobs in (1, 3))
    assert np.array_equal(one.features, two.features)
    assert np.array_equal(one.credit, two.credit)
    assert np.array_equal(fit(GAME, one, seed=5)[0], fit(GAME, two, seed=5)[0])
