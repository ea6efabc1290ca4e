"""Who plays: "greedy*3,random" as one policy token a place, and every distinct way to seat them.

A *place* is a position in the lineup, a *seat* a position at the table. Policy draws belong to the place,
so a policy keeps its luck when the seating changes.
"""

import re
from collections.abc import Sequence
from itertools import groupby, permutations

import numpy as np
import numpy.typing as npt

from kernels.engine.contract import MAX_PLAYERS
from sim.errors import UserError

MANY_ARRANGEMENTS = 24
_ENTRY = re.compile(r"(?P<token>.*?)\s*(?:\*\s*(?P<count>[0-9]{1,9}))?", re.DOTALL)


def parse_lineup(text: str, players: int) -> tuple[str, ...]:
    """The policy token of each place, from "greedy", "greedy*3,random" or "greedy*3,my.py:careful".

    One token alone fills every place; otherwise the counts must add up to `players`. Raises UserError if
    they do not or if an entry is empty.
    """
    entries = [_parse_entry(entry, text) for entry in text.split(",")]
    if len(entries) == 1 and entries[0][1] is None:
        return (entries[0][0],) * players
    named = sum(count or 1 for _, count in entries)
    if named != players:
        example = f"greedy*{players - 1},random" if players > 1 else "greedy"
        raise UserError(
            f"the lineup {text} names {_policies(named)}, but {players} play. The counts must add up to "
            f"{players}, for example {example}; one name alone fills all seats."
        )
    return tuple(token for token, count in entries for _ in range(count or 1))


def _parse_entry(entry: str, text: str) -> tuple[str, int | None]:
    match = _ENTRY.fullmatch(entry.strip())
    token = match["token"] if match else ""
    if not match or not token or "*" in token:
        raise UserError(
            f"the lineup {text!r} has the entry {entry.strip()!r}: an entry is a policy, or policy*count "
            f"with a whole number."
        )
    if match["count"] is None:
        return token, None
    count = int(match["count"])
    if count == 0:
        raise UserError(f"the lineup {text} has {token} zero times; leave it out.")
    return token, count


def _policies(count: int) -> str:
    return "1 policy" if count == 1 else f"{count} policies"


def spell_lineup(tokens: Sequence[str]) -> str:
    """The shortest text that parse_lineup reads back as `tokens`: "greedy" for greedy at every place."""
    if len(set(tokens)) == 1:
        return tokens[0]
    runs = [(token, len(list(group))) for token, group in groupby(tokens)]
    return ",".join(token if count == 1 else f"{token}*{count}" for token, count in runs)


def arrangements(tokens: Sequence[str]) -> npt.NDArray[np.int8]:
    """Every distinct seating, int8 of shape (A, MAX_PLAYERS): the place that sits on each seat, 0 on absent seats.

    Seatings that differ only between places with one and the same policy are one: identical policies take
    their places in ascending order. All orders count, as the left neighbour matters. The first is seat =
    place.
    """
    places = range(len(tokens))
    distinct = [seating for seating in permutations(places) if _is_canonical(seating, tokens)]
    out = np.zeros((len(distinct), MAX_PLAYERS), dtype=np.int8)
    out[:, : len(tokens)] = distinct
    return out


def _is_canonical(seating: Sequence[int], tokens: Sequence[str]) -> bool:
    last: dict[str, int] = {}
    for place in seating:
        if last.get(tokens[place], -1) > place:
            return False
        last[tokens[place]] = place
    return True


def warn_about(count: int, games: int) -> list[str]:
    """Sentences about a plan of `games` games over `count` arrangements that will be unbalanced or thin."""
    warnings = []
    if count > MANY_ARRANGEMENTS:
        warnings.append(
            f"this lineup has {count} seatings, so {games:,} games are {games // count:,} deals; "
            f"fewer different policies need fewer games."
        )
    if games % count:
        more = games - games % count + count
        warnings.append(
            f"{games:,} games are not a multiple of the {count} seatings of this lineup, so the last deal is "
            f"not played in all of them; {more:,} would come out even."
        )
    return warnings
