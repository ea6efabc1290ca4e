"""Lineups as typed, and the seatings they stand for, against brute force."""

from contextlib import suppress
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim.errors import UserError
from sim.lineup import arrangements, parse_lineup, spell_lineup, warn_about

PLAYERS = st.integers(2, 5)
TOKENS = st.lists(st.sampled_from(["greedy", "random", "a.py:b", "my folder/x.py:Y"]), min_size=2, max_size=5)


@pytest.mark.parametrize(
    ("text", "players", "tokens"),
    [
        ("greedy", 3, ("greedy", "greedy", "greedy")),
        ("greedy*3,random", 4, ("greedy", "greedy", "greedy", "random")),
        (" random , greedy * 2 ", 3, ("random", "greedy", "greedy")),
        ("greedy*2", 2, ("greedy", "greedy")),
        ("plug in.py:careful,random", 2, ("plug in.py:careful", "random")),
    ],
)
def test_a_lineup_names_one_policy_a_place(text: str, players: int, tokens: tuple[str, ...]) -> None:
    assert parse_lineup(text, players) == tokens


@pytest.mark.parametrize(
    ("text", "players", "said"),
    [
        ("greedy*3,random", 5, "names 4 policies, but 5 play"),
        ("greedy*1", 2, "names 1 policy, but 2 play"),
        ("greedy,random", 3, "add up to 3"),
        ("greedy*999999999", 2, "names 999999999 policies"),
        ("greedy*0,random*2", 2, "greedy zero times"),
        ("", 4, "entry ''"),
        ("greedy,,random", 3, "entry ''"),
        ("*2,random", 3, "entry '*2'"),
        ("greedy*,random", 2, "entry 'greedy*'"),
        ("greedy*-1,random", 2, "entry 'greedy*-1'"),
        ("greedy*2*2", 4, "entry 'greedy*2*2'"),
        ("greedy*two,random", 2, "entry 'greedy*two'"),
    ],
)
def test_a_wrong_lineup_is_explained(text: str, players: int, said: str) -> None:
    with pytest.raises(UserError) as error:
        parse_lineup(text, players)
    assert said in str(error.value)


@given(text=st.text(max_size=40) | st.text(alphabet="grd*,²3:. ", max_size=20), players=PLAYERS)
def test_any_text_gives_a_full_lineup_or_a_sentence(text: str, players: int) -> None:
    with suppress(UserError):
        tokens = parse_lineup(text, players)
        assert len(tokens) == players
        assert all(token and token == token.strip() for token in tokens)


@given(TOKENS)
def test_a_spelled_lineup_reads_back(tokens: list[str]) -> None:
    assert parse_lineup(spell_lineup(tokens), len(tokens)) == tuple(tokens)


@given(TOKENS)
def test_seatings_are_all_distinct_orders_of_the_policies(tokens: list[str]) -> None:
    players = len(tokens)
    seatings = arrangements(tokens)
    seen = [tuple(tokens[place] for place in seating[:players]) for seating in seatings]
    assert len(seen) == len(set(seen))
    assert set(seen) == set(permutations(tokens))
    assert seatings.dtype == "int8"
    assert seatings.shape == (len(seen), 5)
    assert (seatings[:, players:] == 0).all()
    assert seatings[0, :players].tolist() == list(range(players))
    for seating in seatings:
        assert sorted(seating[:players]) == list(range(players))
        for token in set(tokens):
            places = [place for place in seating[:players] if tokens[place] == token]
            assert places == sorted(places)


@pytest.mark.parametrize(
    ("tokens", "count"),
    [
        ("aaaa", 1),
        ("aaab", 4),
        ("aabb", 6),
        ("aabc", 12),
        ("abcd", 24),
        ("abcde", 120),
        ("aabbc", 30),
        ("ab", 2),
    ],
)
def test_seatings_count_as_the_multinomial_says(tokens: str, count: int) -> None:
    assert len(arrangements(list(tokens))) == count


def test_warnings_tell_of_many_seatings_and_of_a_last_deal_cut_short() -> None:
    assert warn_about(1, 1001) == []
    assert warn_about(4, 1000) == []
    (uneven,) = warn_about(4, 1001)
    assert "1,001 games" in uneven
    assert "1,004" in uneven
    (many,) = warn_about(120, 1200)
    assert "120 seatings" in many
    assert "10 deals" in many
