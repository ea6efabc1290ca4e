"""Which lineups a tournament plays: multisets of the policies over the seats, each in every distinct seating.

A lineup of one policy only is left out: by symmetry each of its seats wins an even share, exactly.
"""

from collections.abc import Sequence
from itertools import combinations_with_replacement
from math import comb, factorial, prod
from typing import Literal

from sim.errors import UserError

Design = Literal["pairs", "all"]

AFFORDABLE = 40  # lineups up to which every multiset is played where nobody says otherwise
MOST_LINEUPS = 250

Lineup = tuple[str, ...]


def check_policies(policies: Sequence[str]) -> None:
    """UserError unless there are two policies or more, each named once."""
    twice = [name for name in dict.fromkeys(policies) if policies.count(name) > 1]
    if twice:
        raise UserError(f"--policies names {twice[0]} twice; name each policy once.")
    if len(policies) < 2:
        raise UserError(
            f"a tournament needs at least 2 policies, and --policies is {','.join(policies) or 'empty'}; "
            "for example --policies random,greedy."
        )


def choose_design(policies: int, players: int) -> Design:
    """All lineups where that is affordable, else those of two policies."""
    return "all" if count_lineups(policies, players, "all") <= AFFORDABLE else "pairs"


def count_lineups(policies: int, players: int, design: Design) -> int:
    """How many lineups that design has."""
    if design == "pairs":
        return comb(policies, 2) * (players - 1)
    return comb(policies + players - 1, players) - policies


def list_lineups(policies: Sequence[str], players: int, design: Design) -> list[Lineup]:
    """The lineups, a token a place, the rarest policy of each first.

    *pairs*: every two policies in every mix, such as one among three and two against two; *all*: every multiset.
    Raises UserError where there are more than MOST_LINEUPS.
    """
    count = count_lineups(len(policies), players, design)
    if count > MOST_LINEUPS:
        fewer = "or --design pairs" if design == "all" else "or fewer players"
        raise UserError(
            f"{len(policies)} policies on {players} seats make {count:,} lineups, and a tournament plays at most "
            f"{MOST_LINEUPS}; name fewer policies {fewer}."
        )
    most = 2 if design == "pairs" else players
    chosen = combinations_with_replacement(policies, players)
    return [tuple(sorted(lineup, key=lineup.count)) for lineup in chosen if 2 <= len(set(lineup)) <= most]


def count_seatings(lineup: Lineup) -> int:
    """Distinct seatings of a lineup."""
    return factorial(len(lineup)) // prod(factorial(lineup.count(name)) for name in set(lineup))


def count_games(lineup: Lineup, games: int) -> int:
    """`games` rounded down to whole deals of that lineup. UserError where that is none."""
    seatings = count_seatings(lineup)
    if games < seatings:
        raise UserError(
            f"--games is {games}, and the lineup {','.join(lineup)} alone has {seatings} seatings: give at least "
            f"{seatings}, so that a deal is played in all of them."
        )
    return games - games % seatings
