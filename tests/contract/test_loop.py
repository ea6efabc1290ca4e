"""The batch loop: its rows depend on seed, deal, seating, rules and policies alone, and it stops as it should."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from numba import types

from kernels.engine.contract import (
    ERROR_ANSWER,
    ERROR_NO_ACTION,
    LIVE_ANSWER,
    LIVE_ERROR,
    LIVE_GAME,
    LIVE_PLACE,
    LIVE_PROMPT,
    LIVE_STEP,
    LIVE_STEPS,
    LIVE_STOP,
)
from kernels.engine.desk import SLACK
from kernels.jit import entry
from kernels.rng import draw_word
from sim.executors import play_serial, play_threads
from sim.plan import plan_run
from sim.rulebook import load_rules
from tests.contract.batches import SEED, Batch, digest_games, joined, padded, play_rows, same, seatings, usual
from tests.machinery.philox import word

ROOT = Path(__file__).parent.parent.parent
COMPILED = os.environ.get("NUMBA_DISABLE_JIT", "0") == "0"


def ponder(state, rules, legal, n, weights, scratch):
    """A policy without luck: what it answers hangs on what it sees, of any game."""
    seen = 3 * int(state.turn) + 5 * int(state.vp[state.actor]) + int(legal[n - 1])
    return (seen + int(state.decisions)) % n


def late(state, rules, legal, n, weights, scratch):
    """Answers one too many from the second decision of a game on."""
    return n if state.decisions >= 1 else 0


def below_zero(state, rules, legal, n, weights, scratch):
    """An index from the end, which only Python would take."""
    return -1


def compiled(game, function):
    """A user's policy, compiled for the game."""
    return game.module("").policy(function)


def random_of(game):
    """The game's policy `random`."""
    return game.policies.load("random")[0]


# ---- the same rows, however they are made


@pytest.mark.nojit
@pytest.mark.parametrize("chunks", [[(0, 3), (3, 1), (4, 5)], [(4, 5), (0, 1), (1, 3)]], ids=["in-order", "jumbled"])
def test_rows_do_not_depend_on_chunks(game, chunks):
    seating = seatings(game)
    whole = play_rows(game, usual(game), 9, seating=seating)
    parts = []
    for first, games in chunks:
        batch = Batch(game, usual(game), seating=seating, room=games)
        assert batch.play(first, games) == games
        parts.append((first, batch.rows()))
    assert same(whole, joined(rows for _, rows in sorted(parts, key=lambda part: part[0])))


@pytest.mark.nojit
def test_rows_do_not_depend_on_what_the_buffers_held_before(game):
    batch = Batch(game, usual(game), room=3)
    batch.play(100, 3)
    for buffer in batch.buffers.arrays.values():
        buffer.view(np.uint8)[:] = 0xA5
    batch.buffers.clear()
    batch.play(0, 3)
    assert same(batch.rows(), play_rows(game, usual(game), 3))


def test_rows_do_not_depend_on_threads_or_chunk_size(game):
    found = []
    rulebook = load_rules(game, usual(game))
    lineup = ("random", game.policies.heuristic, "random", "random", "random")[: usual(game)]
    for jobs, chunk in ((0, 60), (1, 12), (2, 6), (2, 36)):
        most = list(game.details)[-1]
        run = plan_run(game, rulebook, lineup, seed=SEED, games=60, chunk=chunk or 60, detail=most)
        parts = {}

        def keep(number, rows, parts=parts):
            parts[number] = {table: values.copy() for table, values in rows.items()}

        if jobs:
            play_threads(run, run.chunks(), keep, jobs=jobs)
        else:
            play_serial(run, run.chunks(), keep)
        found.append(joined(parts[number] for number in sorted(parts)))
    assert all(same(found[0], other) for other in found[1:])


def test_plain_python_policies_give_the_rows_of_jitted_ones(game, players):
    lineup = (ponder, random_of(game))
    slow = play_rows(game, players, 2, policies=lineup, slowly=True)
    fast = play_rows(game, players, 2, policies=(compiled(game, ponder), lineup[1]))
    assert same(slow, fast)


def test_a_policy_called_by_name_plays_as_through_its_pointer(game):
    """The loop knows random and the heuristic by name; a user's copy of them comes as a pointer."""
    for name in ("random", game.policies.heuristic):
        function, weights = game.policies.load(name)
        table = np.ascontiguousarray(np.tile(weights, (5, 1)))
        by_name = play_rows(game, usual(game), 20, policies=(function,), weights=table)

        def hand_on(state, rules, legal, n, weights, scratch, inner=function):
            return inner(state, rules, legal, n, weights, scratch)

        by_pointer = play_rows(game, usual(game), 20, policies=(hand_on,), weights=table, slowly=True)
        assert same(by_name, by_pointer), name


@pytest.mark.nojit
def test_detail_changes_no_row(game, players):
    levels = [play_rows(game, players, 3, detail=level) for level in range(len(game.details))]
    for (detail, kept), rows in zip(game.details.items(), levels):
        assert same(rows, levels[-1], kept), detail
        assert all(len(values) == 0 for table, values in rows.items() if table not in kept), detail
        assert all(len(rows[table]) for table in kept), detail


@pytest.mark.nojit
def test_another_seed_or_replicate_gives_other_games(game):
    players = usual(game)
    plain, seeded = play_rows(game, players, 6), play_rows(game, players, 6, seed=SEED + 1)
    again, other = play_rows(game, players, 6), play_rows(game, players, 6, replicate=1)
    assert same(plain, again)
    assert not same(plain, seeded)
    assert not same(plain, other)
    # The deal and what is drawn in play are those of the first time: only policies' words differ.
    once, twice = (play_rows(game, players, 6, policies=(ponder,), slowly=True, replicate=i) for i in range(2))
    assert same(once, twice)


def test_a_deal_is_shared_by_its_seatings(game):
    players, seating = usual(game), seatings(game)
    turns = len(seating)
    games = play_rows(game, players, 4 * turns, seating=seating)["games"]
    assert games["game"].tolist() == list(range(4 * turns))
    assert games["deal"].tolist() == [deal for deal in range(4) for _ in range(turns)]
    assert games["arrangement"].tolist() == list(range(turns)) * 4
    one_seating = play_rows(game, players, 4, policies=(ponder,), slowly=True)
    every = play_rows(game, players, 4 * turns, policies=(ponder,), slowly=True, seating=seating)
    for name in every["games"].dtype.names:
        if name not in ("game", "arrangement"):
            assert (every["games"][name][::turns] == one_seating["games"][name]).all(), name


@pytest.mark.nojit
def test_a_policy_keeps_its_random_words_wherever_it_sits(game):
    purpose, players = game.module("codes").PURPOSE_POLICY, usual(game)

    @entry(types.int64(game.module("state").STATE_RECORD, types.int64))
    def draw(state, seat):
        return draw_word(state, purpose, seat)

    for seating in (*seatings(game)[:2], *padded(range(players)[::-1])):
        drawn = {place: [] for place in range(players)}

        def policy_of(place, drawn=drawn):
            def choose(state, rules, legal, n, weights, scratch):
                drawn[place].append(draw(state, int(state.actor)))
                return (drawn[place][-1] * n) >> 32

            return choose

        policies = [policy_of(place) for place in range(players)]
        rows = play_rows(game, players, 1, policies=policies, seating=seating[None], slowly=True)
        assert rows["seats"]["place"].tolist() == seating[:players].tolist()
        for place, words in drawn.items():
            assert len(words) > 1
            assert words == [word(SEED, 0, purpose, place, i) for i in range(len(words))]


# ---- how it stops


@pytest.mark.nojit
def test_an_answer_out_of_range_stops_the_run_and_says_where(game):
    seating = padded([1, 0, *range(2, usual(game))])
    batch = Batch(game, usual(game), policies=(compiled(game, late), random_of(game)), seating=seating)
    assert batch.play(5, 3) == 0
    live = batch.live
    assert live[LIVE_ERROR] == ERROR_ANSWER
    assert live[LIVE_GAME] == 5
    assert live[LIVE_PLACE] in range(0, usual(game), 2)
    assert live[LIVE_PROMPT] > 0
    assert live[LIVE_ANSWER] >= 2
    assert not batch.counts[:2].any()


@pytest.mark.nojit
def test_a_negative_answer_stops_the_run_too(game):
    batch = Batch(game, usual(game), policies=(compiled(game, below_zero),))
    assert batch.play(0, 3) == 0
    assert (batch.live[LIVE_ERROR], batch.live[LIVE_ANSWER]) == (ERROR_ANSWER, -1)


def test_games_before_the_error_are_kept(game):
    chosen = random_of(game)
    fine = play_rows(game, usual(game), 2, policies=(chosen,))
    answers = iter([0] * int(fine["games"]["decisions"].sum()) + [99])

    def fails_in_the_third_game(*arguments):
        return chosen(*arguments) if next(answers) == 0 else 99

    batch = Batch(game, usual(game), policies=(fails_in_the_third_game,))
    assert batch.play(0, 5, slowly=True) == 2
    assert batch.live[LIVE_ERROR] == ERROR_ANSWER
    assert same(batch.rows(), fine, ("games", "seats"))


@pytest.mark.nojit
def test_the_stop_flag_is_read_before_every_game(game):
    batch = Batch(game, usual(game))
    batch.live[LIVE_STOP] = 1
    assert batch.play(0, 3) == 0
    assert not batch.counts.any()
    batch = Batch(game, usual(game))

    def stops(state, rules, legal, n, weights, scratch):
        if batch.live[LIVE_GAME] == 1:
            batch.live[LIVE_STOP] = 1
        return n - 1

    batch.policies = [stops]
    assert batch.play(0, 4, slowly=True) == 2
    assert batch.counts[0] == 2


def test_live_counts_decisions(game):
    batch = Batch(game, usual(game))
    batch.play(0, 4)
    assert batch.live[LIVE_STEPS] == batch.rows()["games"]["decisions"].sum()


def test_rules_that_stop_where_nothing_can_be_done_end_the_run(game):
    """A step that the rules forgot: the loop says where, instead of going on for ever or playing something else."""

    def forgets(state, rules, legal, n, weights, scratch):
        state.prompt, state.step = 0, 99
        return 0

    batch = Batch(game, usual(game), policies=(forgets,))
    assert batch.play(0, 2, slowly=True) == 0
    assert batch.live[LIVE_ERROR] == ERROR_NO_ACTION
    assert batch.live[LIVE_STEP] == 99


def test_full_buffers_stop_it_before_a_game_and_it_goes_on_with_the_same_rows(game):
    games, most = 6, game.module("tables").MOST_ROWS
    whole = play_rows(game, usual(game), games)
    for scarce in game.module("tables").TABLES:
        parts, first = [], 0
        while first < games:
            batch = Batch(game, usual(game), room=games)
            few = (2 + SLACK) * most[scarce] + (0 if scarce in ("games", "seats") else -1)
            batch.buffers.arrays[scarce] = batch.buffers.arrays[scarce][:few]
            batch.buffers.measure()
            done = batch.play(first, games - first)
            assert done >= 1
            assert scarce not in ("games", "seats") or done <= 3
            parts.append(batch.rows())
            first += done
        assert same(whole, joined(parts)), scarce


def test_no_room_for_the_worst_game_no_game(game):
    most = game.module("tables").MOST_ROWS
    for scarce in game.module("tables").TABLES:
        batch = Batch(game, game.players[-1])
        batch.buffers.arrays[scarce] = batch.buffers.arrays[scarce][: (1 + SLACK) * most[scarce] - 1]
        batch.buffers.measure()
        assert batch.play(0, 3) == 0, scarce
        assert not batch.counts.any()


@pytest.mark.nojit
def test_the_decision_limit_truncates_and_shares_the_credit(game):
    codes, players = game.module("codes"), usual(game)
    shortest = int(play_rows(game, players, 2)["games"]["decisions"].min())
    rows = play_rows(game, players, 2, limit=shortest - 1)
    games, seats = rows["games"], rows["seats"]
    assert games["decisions"].tolist() == [shortest - 1] * 2
    assert games["end_reason"].tolist() == [codes.END_TRUNCATED] * 2
    assert games["winners"].tolist() == [(1 << players) - 1] * 2
    assert games["decided_by"].tolist() == [codes.NONE] * 2
    assert np.allclose(seats["credit"], 1 / players)
    whole = int(play_rows(game, players, 1)["games"]["decisions"][0])
    enough = play_rows(game, players, 1, limit=whole + 1)
    assert enough["games"]["end_reason"][0] not in codes.UNFINISHED


# ---- the other ways to run the kernels


def run_python(*arguments, **environment):
    """A fresh interpreter at the root of the repository; returns what it did."""
    clean = {key: value for key, value in os.environ.items() if not key.startswith(("NUMBA_BOUNDS", "NUMBA_DISABLE"))}
    path = os.pathsep.join([str(ROOT), clean.get("PYTHONPATH", "")])
    return subprocess.run(
        [sys.executable, *map(str, arguments)],
        cwd=ROOT,
        env={**clean, "PYTHONPATH": path, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def test_twenty_games_without_the_jit_give_the_same_rows(game):
    other = "1" if COMPILED else "0"
    code = f"from tests.contract.batches import digest_games; print(digest_games({game.name!r}))"
    run = run_python("-W", "error::RuntimeWarning", "-c", code, NUMBA_DISABLE_JIT=other)
    assert run.returncode == 0, run.stderr
    assert run.stdout.strip() == digest_games(game.name)


PLANTED = """
import numpy as np
from numba import types
from kernels.engine.contract import blank_states, state_dtype
from kernels.jit import entry, ready, rule
from numba import from_dtype

STATE = state_dtype([("first", np.int8, (5,)), ("second", np.int8, (5,))])

@rule
def write(state, seat):
    state.first[seat] = 7

@entry(types.void(from_dtype(STATE), types.int64))
def spoil(state, seat):
    write(state, seat)

states = blank_states(STATE, 1)
spoil(states[0], 4)
for seat in (5, -1):
    try:
        spoil(states[0], seat)
    except IndexError:
        print("caught")
    else:
        print("the fields are", int(states[0].first[4]), int(states[0].second[0]))
"""


def test_bounds_checks_catch_a_planted_write_outside_a_field(tmp_path):
    """Beyond its end, and before its beginning: the kernels do not count negative indices from the end."""
    planted = tmp_path / "planted.py"
    planted.write_text(PLANTED)
    said = {}
    for checked in ("0", "1"):
        run = run_python(planted, NUMBA_BOUNDSCHECK=checked)
        assert run.returncode == 0, run.stderr
        said[checked] = run.stdout.splitlines()
    assert said["1"] == ["caught", "caught"]
    assert said["0"][0] == "the fields are 7 7"
