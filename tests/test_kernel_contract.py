"""The batch loop: what its rows mean, and that they depend on seed, deal, seating, rules and policies alone."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from numba import types

from kernels.end_of_atlantis import codes as c
from kernels.end_of_atlantis import policy, tables
from kernels.end_of_atlantis.play import (
    LIVE_ANSWER,
    LIVE_ERROR,
    LIVE_GAME,
    LIVE_PLACE,
    LIVE_PROMPT,
    LIVE_STEPS,
    LIVE_STOP,
)
from kernels.end_of_atlantis.policies import load_policy
from kernels.end_of_atlantis.state import STATE_RECORD
from kernels.jit import entry
from kernels.rng import draw_word
from tests.batches import SEED, Batch, digest_games, joined, play_rows, same
from tests.oracle.philox import word

ROOT = Path(__file__).parent.parent
COMPILED = os.environ.get("NUMBA_DISABLE_JIT", "0") == "0"
SOME = 40 if COMPILED else 3  # games

TABLES_PLAYED = [
    (2, ()),
    (3, ()),
    (4, ()),
    (5, ()),
    (3, ("family",)),
    (4, ("chosen-ships", "revealed-specials")),
    (5, ("aggressive-neutrals",)),
]
BY_TABLE = pytest.mark.parametrize(
    ("players", "variants"), TABLES_PLAYED, ids=[f"{p}-{'+'.join(v) or 'plain'}" for p, v in TABLES_PLAYED]
)


def ponder(state, rules, legal, n, weights, scratch):
    """A policy without luck: what it answers hangs on what it sees."""
    seat = int(state.actor)
    seen = 3 * int(state.turn) + int(state.supply[seat]) + 5 * int(state.vp[seat]) + int(legal[n - 1])
    return (seen + int(state.decisions)) % n


JITTED_PONDER = policy(ponder)


@policy
def beyond(state, rules, legal, n, weights, scratch):
    """Answers one too many as soon as it lays a card in the third turn."""
    if state.turn == 3 and state.prompt == c.PROMPT_LAY:
        return n
    return 0


@policy
def below_zero(state, rules, legal, n, weights, scratch):
    return -1


@entry(types.int64(STATE_RECORD, types.int64))
def draw(state, seat):
    return draw_word(state, c.PURPOSE_POLICY, seat)


# ---- the same rows, however they are made


@pytest.mark.nojit
@pytest.mark.parametrize("chunks", [[(0, 3), (3, 1), (4, 5)], [(4, 5), (0, 1), (1, 3)]], ids=["in-order", "jumbled"])
def test_rows_do_not_depend_on_chunks(chunks):
    seating = np.array([[0, 1, 2, 0, 0], [1, 2, 0, 0, 0], [2, 0, 1, 0, 0]], np.int8)
    whole = play_rows(3, 9, seating=seating)
    parts = []
    for first, games in chunks:
        batch = Batch(3, seating=seating, room=games)
        assert batch.play(first, games) == games
        parts.append((first, batch.rows()))
    assert same(whole, joined(rows for _, rows in sorted(parts, key=lambda part: part[0])))


@pytest.mark.nojit
def test_rows_do_not_depend_on_what_the_buffers_held_before():
    batch = Batch(4, room=3)
    batch.play(100, 3)
    for buffer in batch.buffers.values():
        buffer.view(np.uint8)[:] = 0xA5
    batch.counts[:] = 0
    batch.play(0, 3)
    assert same(batch.rows(), play_rows(4, 3))


@BY_TABLE
def test_plain_python_policies_give_the_rows_of_jitted_ones(players, variants):
    lineup = (ponder, load_policy("random")[0])
    slow = play_rows(players, 2, variants=variants, policies=lineup, slowly=True)
    fast = play_rows(players, 2, variants=variants, policies=(JITTED_PONDER, lineup[1]))
    assert same(slow, fast)


@pytest.mark.nojit
@pytest.mark.parametrize("players", [2, 5])
def test_detail_changes_no_row(players):
    none, turns, votes = (play_rows(players, 3, detail=detail) for detail in (0, 1, 2))
    assert same(none, turns, ("games", "seats"))
    assert same(turns, votes, ("games", "seats", "turns", "arrivals"))
    assert [len(none[name]) for name in ("turns", "arrivals", "plays", "votes")] == [0] * 4
    assert [len(turns[name]) for name in ("plays", "votes")] == [0] * 2
    assert all(len(votes[name]) for name in tables.TABLES)


@pytest.mark.nojit
def test_another_seed_or_replicate_gives_other_games():
    plain, seeded = play_rows(3, 2), play_rows(3, 2, seed=SEED + 1)
    again, other = play_rows(3, 2), play_rows(3, 2, replicate=1)
    assert same(plain, again)
    assert not same(plain, seeded, ["games"])
    assert not same(plain, other, ["seats"])
    assert (plain["games"]["event"][:, 0] == other["games"]["event"][:, 0]).all()  # the same deal


def test_a_deal_is_shared_by_its_seatings():
    seating = np.array([[0, 1, 2, 0, 0], [1, 2, 0, 0, 0], [2, 0, 1, 0, 0]], np.int8)
    games = play_rows(3, 12, seating=seating)["games"]
    assert games["deal"].tolist() == [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3]
    assert games["arrangement"].tolist() == [0, 1, 2] * 4
    for deal in range(4):
        assert len(set(games["event"][games["deal"] == deal, 0].tolist())) == 1


@pytest.mark.nojit
def test_a_policy_keeps_its_random_words_wherever_it_sits():
    for seating in ([0, 1, 2, 0, 0], [1, 2, 0, 0, 0], [2, 1, 0, 0, 0]):
        drawn = {place: [] for place in range(3)}

        def policy_of(place, drawn=drawn):
            def choose(state, rules, legal, n, weights, scratch):
                drawn[place].append(draw(state, int(state.actor)))
                return (drawn[place][-1] * n) >> 32

            return choose

        policies = [policy_of(place) for place in range(3)]
        rows = play_rows(3, 1, policies=policies, seating=np.array([seating], np.int8), slowly=True)
        assert rows["seats"]["place"].tolist() == seating[:3]
        for place, words in drawn.items():
            assert len(words) > 20
            assert words == [word(SEED, 0, c.PURPOSE_POLICY, place, i) for i in range(len(words))]


# ---- how it stops


@pytest.mark.nojit
def test_an_answer_out_of_range_stops_the_run_and_says_where():
    batch = Batch(4, policies=(beyond, JITTED_PONDER), seating=np.array([[1, 0, 3, 2, 0]], np.int8))
    assert batch.play(5, 3) == 0
    live = batch.live
    assert live[LIVE_ERROR] == 1
    assert live[LIVE_GAME] == 5
    assert live[LIVE_PROMPT] == c.PROMPT_LAY
    assert live[LIVE_PLACE] in (0, 2)
    assert live[LIVE_ANSWER] >= 2
    assert not batch.counts[:2].any()


@pytest.mark.nojit
def test_a_negative_answer_stops_the_run_too():
    batch = Batch(3, policies=(below_zero,))
    assert batch.play(0, 3) == 0
    assert (batch.live[LIVE_ERROR], batch.live[LIVE_ANSWER]) == (1, -1)


def test_games_before_the_error_are_kept():
    fine = play_rows(3, 2, policies=(load_policy("random")[0],))
    answers = iter([0] * int(fine["games"]["decisions"].sum()) + [99])
    chosen = load_policy("random")[0]

    def fails_in_the_third_game(*arguments):
        return chosen(*arguments) if next(answers) == 0 else 99

    batch = Batch(3, policies=(fails_in_the_third_game,))
    assert batch.play(0, 5, slowly=True) == 2
    assert batch.live[LIVE_ERROR] == 1
    assert same(batch.rows(), fine, ("games", "seats"))


@pytest.mark.nojit
def test_the_stop_flag_is_read_before_every_game():
    batch = Batch(3)
    batch.live[LIVE_STOP] = 1
    assert batch.play(0, 3) == 0
    assert not batch.counts.any()
    batch = Batch(3)

    def stops(state, rules, legal, n, weights, scratch):
        if batch.live[LIVE_GAME] == 1:
            batch.live[LIVE_STOP] = 1
        return n - 1

    batch.policies = (stops,) * 5
    assert batch.play(0, 4, slowly=True) == 2
    assert batch.counts[0] == 2


def test_live_counts_decisions():
    batch = Batch(3)
    batch.play(0, 4)
    assert batch.live[LIVE_STEPS] == batch.rows()["games"]["decisions"].sum()


@pytest.mark.parametrize("scarce", list(tables.TABLES))
def test_full_buffers_stop_it_before_a_game_and_it_goes_on_with_the_same_rows(scarce):
    games = 6
    whole = play_rows(4, games)
    parts, first = [], 0
    while first < games:
        batch = Batch(4, room=games)
        few = 2 * tables.MOST_ROWS[scarce] + (0 if scarce in ("games", "seats") else -1)
        batch.buffers[scarce] = batch.buffers[scarce][:few]
        done = batch.play(first, games - first)
        assert done >= 1
        assert scarce not in ("games", "seats") or done <= 3
        parts.append(batch.rows())
        first += done
    assert same(whole, joined(parts))


@pytest.mark.parametrize("scarce", list(tables.TABLES))
def test_no_room_for_the_worst_game_no_game(scarce):
    batch = Batch(5)
    batch.buffers[scarce] = batch.buffers[scarce][: tables.MOST_ROWS[scarce] - 1]
    assert batch.play(0, 3) == 0
    assert not batch.counts.any()


@pytest.mark.nojit
def test_the_decision_limit_truncates_and_shares_the_credit():
    rows = play_rows(4, 2, limit=50)
    games, seats = rows["games"], rows["seats"]
    assert games["decisions"].tolist() == [50, 50]
    assert games["end_reason"].tolist() == [c.END_TRUNCATED] * 2
    assert games["winners"].tolist() == [0b1111] * 2
    assert games["decided_by"].tolist() == [c.NONE] * 2
    assert seats["credit"].tolist() == [0.25] * 8
    enough = play_rows(4, 1, limit=int(play_rows(4, 1)["games"]["decisions"][0]) + 1)
    assert enough["games"]["end_reason"][0] == c.END_THIRD_DOOM


# ---- what the rows say


class Sums:
    """Rows summed by (game, seat)."""

    def __init__(self, games, players):
        self.shape = (games, players)

    def by(self, rows, seats, values):
        out = np.zeros(self.shape, int)
        np.add.at(out, (rows["game"], seats), values)
        return out.tolist()

    def of(self, rows, field):
        return self.by(rows, rows["seat"], rows[field].astype(int))

    def count(self, rows):
        return self.by(rows, rows["seat"], 1)


@pytest.mark.nojit
@BY_TABLE
def test_tables_agree_with_each_other(players, variants):
    rows = play_rows(players, SOME, variants=variants)
    games, seats, turns, arrivals, plays, votes = (rows[name] for name in tables.TABLES)
    sums = Sums(SOME, players)
    for field in ("landed", "spent", "votes_won", "cards_played", "plus_taken"):
        assert sums.of(turns, field) == sums.of(seats, field), field
    assert sums.of(votes, "bid") == sums.of(seats, "spent")
    assert sums.count(votes[votes["place"] > 0]) == sums.of(seats, "votes_won")
    assert sums.count(plays) == sums.of(seats, "cards_played")
    cubes, vp = np.zeros((SOME, 5), int), np.zeros((SOME, 5), int)
    np.add.at(cubes, arrivals["game"], arrivals["cubes"][:, :5])
    np.add.at(vp, arrivals["game"], arrivals["vp"])
    assert cubes[:, :players].tolist() == sums.of(seats, "landed")
    landing = seats["vp_by"][:, c.SOURCE_REFUGEES_SHIPS : c.SOURCE_SCIENCE + 1].sum(axis=1)
    assert vp[:, :players].tolist() == sums.by(seats, seats["seat"], landing)
    assert not cubes[:, players:].any()
    assert not vp[:, players:].any()
    assert (seats["vp_by"].sum(axis=1) == seats["vp"]).all()
    last = turns[turns["turn"] == games["turns"][turns["game"]]]
    assert sums.of(last, "vp") == sums.of(seats, "vp")
    assert sums.count(turns) == sums.by(seats, seats["seat"], games["turns"][seats["game"]])
    by_game = np.bincount(seats["game"], seats["decisions"], minlength=SOME)
    assert by_game.tolist() == games["decisions"].tolist()
    for kind in range(c.POLITICS_KINDS):  # PASS is legal too, so every play was a decision
        chosen = seats["chosen"][:, c.OPTION_PLAY + kind]
        assert sums.count(plays[plays["card"] == kind]) == sums.by(seats, seats["seat"], chosen)
    borrowed = seats["chosen"][:, c.OPTION_NEIGHBOURS]
    assert sums.count(plays[plays["how"] == c.PLAY_NEIGHBOURS]) == sums.by(seats, seats["seat"], borrowed)
    votings = len(set(zip(votes["game"], votes["turn"], votes["slot"])))
    assert votings * players == len(votes)
    assert games["settled"][:, c.CONTEST_VOTE].sum() == votings


@pytest.mark.nojit
@BY_TABLE
def test_games_and_seats_rows(players, variants):
    rows = play_rows(players, SOME, variants=variants)
    games, seats, turns = rows["games"], rows["seats"], rows["turns"]
    assert games["game"].tolist() == games["deal"].tolist() == list(range(SOME))
    assert seats["seat"].tolist() == list(range(players)) * SOME
    rank = seats["rank"].reshape(SOME, players)
    assert (np.sort(rank, axis=1) == np.arange(1, players + 1)).all()
    points = np.take_along_axis(seats["vp"].reshape(SOME, players), np.argsort(rank, axis=1), axis=1)
    assert (np.diff(points, axis=1) <= 0).all()
    assert ((points[:, 0] == points[:, 1]) == (games["decided_by"] != c.SETTLED_CLEAR)).all()
    assert games["winners"].tolist() == [1 << int(seat) for seat in np.argmin(rank, axis=1)]
    assert (seats["credit"] == (seats["rank"] == 1)).all()
    assert (games["end_reason"] == c.END_THIRD_DOOM).all()
    assert (seats["chosen"] <= seats["legal"]).all()
    assert (seats["waiting"] > 0).all()
    for game in games:
        events = game["event"]
        assert (events[: game["turns"]] >= 0).all()
        assert (events[game["turns"] :] == c.NONE).all()
        assert np.sum((events >= 0) & (events < c.DOOM_CARDS)) == 3
        assert 0 <= events[game["turns"] - 1] < c.DOOM_CARDS
    order = turns["order"].reshape(-1, players)
    assert (np.sort(order, axis=1) == np.arange(1, players + 1)).all()
    held = turns[["faction", "faction_2"]].tolist()
    for i in range(0, len(turns), players):
        factions = [faction for pair in held[i : i + players] for faction in pair if faction != c.NONE]
        assert len(set(factions)) == len(factions) == players * (2 if players == 2 else 1)
    if "family" in variants or players == 2:
        assert not turns["pool"].any()
        assert not seats["vp_by"][:, c.SOURCE_POOL_MAJORITY].any()


@pytest.mark.nojit
@BY_TABLE
def test_votes_and_plays_rows(players, variants):
    rows = play_rows(players, SOME, variants=variants)
    games, plays, votes = rows["games"], rows["plays"], rows["votes"]
    place = {(v["game"], v["turn"], v["slot"], v["seat"]): (int(v["place"]), int(v["card"])) for v in votes}
    played = set()
    for play in plays:
        voting = play["game"], play["turn"], play["slot"]
        winner, owner = place[(*voting, play["seat"])], place[(*voting, play["owner"])]
        assert winner[0] > 0
        assert owner[1] == play["card"]
        assert play["how"] == (c.PLAY_OWN if play["seat"] == play["owner"] else c.PLAY_NEIGHBOURS)
        assert play["how"] == c.PLAY_OWN or owner[0] == 0
        assert (*voting, play["owner"]) not in played  # a card is played once (E46)
        played.add((*voting, play["owner"]))
        assert 0 <= play["removed"] <= 4
        assert (play["removed"] > 0) == (play["card"] == c.POLITICS_BETRAYAL)
    usual = {2: 1, 3: 2, 4: 2, 5: 3}[players]
    for i in range(0, len(votes), players):
        voting = votes[i : i + players]
        before = voting["turn"][0] - 2
        event = games["event"][voting["game"][0], before] if before >= 0 else c.NONE
        winners = max(1, usual - 1) if event == c.EVENT_ALL_DOOMED else usual
        assert sorted(voting["place"].tolist()) == [0] * (players - winners) + list(range(1, winners + 1))
        totals = voting["bid"].astype(int) + voting["bonus"]
        ranked = totals[np.argsort(np.where(voting["place"] == 0, 9, voting["place"]), kind="stable")]
        assert (np.diff(ranked[:winners]) <= 0).all()
        assert ranked[winners - 1] >= ranked[winners:].max(initial=0)
        opened = 0 if event == c.NONE else (0, 1, 0, 1, 0, 1, 0, 1, 0, 1)[event]
        assert (voting["open"] == opened).all()
        if opened:
            bids = voting["bid"][voting["bid"] > 0].tolist()
            assert len(set(bids)) == len(bids)


@BY_TABLE
def test_arrivals_rows(players, variants):
    arrivals = play_rows(players, SOME, variants=variants)["arrivals"]
    assert set(arrivals["cause"]) <= {c.POLITICS_SHIPS, c.POLITICS_ROYAL_SHIP, c.CAUSE_DOOM}
    assert ((arrivals["mover"] == c.NOBODY) == (arrivals["cause"] == c.CAUSE_DOOM)).all()
    assert (arrivals["cubes"].sum(axis=1) > 0).all()
    spaces = np.array([7, 5, 5, 3, 3, 8, 5, 5, 3, 3])
    assert (arrivals["cubes"].sum(axis=1) <= spaces[arrivals["tile"]]).all()
    assert not (arrivals["tile"][arrivals["cause"] == c.POLITICS_ROYAL_SHIP] == c.TILE_ADVANCED_AIRSHIP).any()


@pytest.mark.nojit
def test_the_second_column_of_options_counts_what_was_chosen():
    """Options counted by the recorder against those counted by a policy that sees every choice."""
    counted = np.zeros((3, 2, len(c.OPTIONS)), int)

    def counts(state, rules, legal, n, weights, scratch):
        answer = int(state.decisions) % n
        seat, prompt = int(state.actor), c.PROMPTS[state.prompt]
        for i in range(n):
            if prompt == "lay":
                option = f"lay_{c.slug(c.POLITICS[legal[i]])}"
            elif prompt in ("faction", "free_faction"):
                taken = "pass" if legal[i] == c.PASS else c.slug(c.FACTIONS[legal[i]])
                option = f"faction_{taken}"
            elif prompt == "move":
                option = f"move_{c.slug(c.TILES[state.tile[legal[i]]])}"
            elif prompt == "play" and legal[i] == c.PLAY_NEIGHBOURS:
                option = "play_neighbours"
            else:
                continue
            counted[seat, 0, c.OPTIONS.index(option)] += 1
            counted[seat, 1, c.OPTIONS.index(option)] += i == answer
        return answer

    seats = play_rows(3, 3, policies=(counts,), slowly=True)["seats"]
    watched = [i for i, option in enumerate(c.OPTIONS) if option.startswith(("lay", "faction", "move", "play_neigh"))]
    for seat in range(3):
        mine = seats[seats["seat"] == seat]
        assert mine["legal"].sum(axis=0)[watched].tolist() == counted[seat, 0, watched].tolist()
        assert mine["chosen"].sum(axis=0)[watched].tolist() == counted[seat, 1, watched].tolist()
    assert counted[:, 1, watched].sum() > 100


# ---- the other ways to run the kernels


def run_python(*arguments, **environment):
    """A fresh interpreter at the root of the repository; returns what it did."""
    clean = {key: value for key, value in os.environ.items() if not key.startswith(("NUMBA_BOUNDS", "NUMBA_DISABLE"))}
    return subprocess.run(
        [sys.executable, *map(str, arguments)],
        cwd=ROOT,
        env={**clean, "PYTHONPATH": str(ROOT), **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def test_twenty_games_without_the_jit_give_the_same_rows():
    other = "1" if COMPILED else "0"
    code = "from tests.batches import digest_games; print(digest_games())"
    run = run_python("-W", "error::RuntimeWarning", "-c", code, NUMBA_DISABLE_JIT=other)
    assert run.returncode == 0, run.stderr
    assert run.stdout.strip() == digest_games()


PLANTED = '''
import numpy as np
from numba import types
from kernels.end_of_atlantis.state import STATE_RECORD, new_states
from kernels.jit import entry, rule

@rule
def write(state, seat):
    state.supply[seat] = 7

@entry(types.void(STATE_RECORD, types.int64))
def spoil(state, seat):
    write(state, seat)

states = new_states(1)
spoil(states[0], 4)
try:
    spoil(states[0], 5)
except IndexError:
    print("caught")
else:
    print("the next field is", int(states[0].pool[0]))
'''


def test_bounds_checks_catch_a_planted_write_beyond_a_field(tmp_path):
    planted = tmp_path / "planted.py"
    planted.write_text(PLANTED)
    said = {}
    for checked in ("0", "1"):
        run = run_python(planted, NUMBA_BOUNDSCHECK=checked)
        assert run.returncode == 0, run.stderr
        said[checked] = run.stdout.strip()
    assert said == {"0": "the next field is 7", "1": "caught"}
