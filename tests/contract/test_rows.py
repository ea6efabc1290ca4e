"""What the rows that every game has must say, whatever the game."""

import os
from itertools import pairwise

import numpy as np
import pytest

from kernels.engine.contract import GAME_COLUMNS
from tests.contract.batches import play_rows, usual

COMPILED = os.environ.get("NUMBA_DISABLE_JIT", "0") == "0"
SOME = 40 if COMPILED else 3  # games


@pytest.mark.nojit
def test_games_and_seats_agree(game, players):
    codes = game.module("codes")
    rows = play_rows(game, players, SOME)
    games, seats = rows["games"], rows["seats"]
    assert games["game"].tolist() == games["deal"].tolist() == list(range(SOME))
    assert seats["game"].tolist() == np.repeat(np.arange(SOME), players).tolist()
    assert seats["seat"].tolist() == list(range(players)) * SOME
    assert (seats["vp_by"].sum(axis=1) == seats["vp"]).all()
    assert set(games["end_reason"]) <= set(range(len(codes.END_REASONS)))
    by_game = np.bincount(seats["game"], seats["decisions"], minlength=SOME)
    assert by_game.tolist() == games["decisions"].tolist()
    for game_row, seat_rows in zip(games, seats.reshape(SOME, players)):
        ended = game_row["end_reason"] not in codes.UNFINISHED
        ranks, vp = seat_rows["rank"].tolist(), seat_rows["vp"].tolist()
        assert min(ranks) == 1
        assert all(ranks[a] < ranks[b] for a in range(players) for b in range(players) if vp[a] > vp[b])
        winners = [rank == 1 if ended else True for rank in ranks]
        assert game_row["winners"] == sum(1 << seat for seat in range(players) if winners[seat])
        assert np.allclose(seat_rows["credit"], np.array(winners) / sum(winners))
        assert (game_row["decided_by"] == codes.NONE) == (not ended)
        level = ended and sorted(vp)[-1] != sorted(vp)[-2]
        assert (game_row["decided_by"] == codes.SETTLED_BY.index("clear")) == level


@pytest.mark.nojit
def test_options_are_chosen_only_where_they_are_legal(game, players):
    """Some are, over all games and seats: in a short game a seat may have had none."""
    seats = play_rows(game, players, SOME)["seats"]
    assert (seats["chosen"] <= seats["legal"]).all()
    assert seats["legal"].sum() > 0
    assert seats["chosen"].sum() > 0


@pytest.mark.nojit
@pytest.mark.parametrize("limit", [20_000, 3], ids=["whole", "cut off"])
def test_the_longest_wait_is_told_by_who_was_asked(game, limit):
    """Against a list of who was asked, kept by a policy that sees every choice."""
    asked = []

    def watches(state, rules, legal, n, weights, scratch):
        asked.append(int(state.actor))
        return int(state.decisions) % n

    seats = play_rows(game, usual(game), 1, policies=(watches,), slowly=True, limit=limit)["seats"]
    for seat in range(usual(game)):
        own = [-1, *(i for i, actor in enumerate(asked) if actor == seat)]
        longest = max((b - a - 1 for a, b in pairwise(own)), default=0)
        assert seats["waiting"][seat] == longest
        assert seats["decisions"][seat] == len(own) - 1


def test_tables_have_the_columns_of_every_game(game):
    tables = game.module("tables")
    assert list(tables.TABLES)[:2] == ["games", "seats"]
    assert tables.TABLES["games"].names[: len(GAME_COLUMNS)] == tuple(name for name, *_ in GAME_COLUMNS)
    assert set(tables.MOST_ROWS) == set(tables.TABLES)
    for table, dtype in tables.TABLES.items():
        for name in dtype.names:
            shape = dtype[name].shape
            if shape:  # a field without one is a column of its own name
                assert len(tables.COLUMNS[name]) == int(np.prod(shape)), f"{table}.{name}"
    kept = [set(tables) for tables in game.details.values()]
    assert all(less <= more for less, more in pairwise(kept))
    assert kept[-1] == set(tables.TABLES)
