"""Does one strategy dominate? A word, and the pairs it rests on.

Two policies are compared by the edge of one on the other. *Beats*: surely not level, by Holm over all pairs, and not
shown to be within the margin; *level*: within the margin by two one-sided tests; else *open*.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import combinations, permutations

from analysis.intervals import ALPHA, Estimate, Span, games_to_decide, holm
from analysis.tables import join_words, plural, points, show
from analysis.tournament.results import Pairs, Results


class Word(StrEnum):
    """What a tournament ends in."""

    DOMINATES = "dominates"
    TIED = "tied at the top"
    CYCLE = "intransitive cycle"
    NO_BEST = "no single best"
    UNDECIDED = "undecided"


class Relation(StrEnum):
    """How one policy stands to another."""

    BEATS = "beats"
    LEVEL = "level with"
    LOSES = "loses to"
    OPEN = "open against"


Relations = Mapping[tuple[str, str], Relation]


@dataclass(frozen=True)
class Verdict:
    """`word`, the policies it is about and one plain sentence; `more_games`, over all lineups, where undecided."""

    word: Word
    policies: tuple[str, ...]
    sentence: str
    relations: Relations
    more_games: int | None = None


def relate(names: Sequence[str], edges: Pairs, delta: float) -> Relations:
    """How each stands to each other, with an error of at most 5% for all "beats" together."""
    pairs = list(combinations(names, 2))
    surely = holm([edges[pair].p_differs(0.0) for pair in pairs])
    relations: dict[tuple[str, str], Relation] = {}
    for (x, y), differs in zip(pairs, surely):
        edge = edges[x, y]
        word, mirrored = Relation.OPEN, Relation.OPEN
        if edge.p_within(0.0, delta) < ALPHA:
            word = mirrored = Relation.LEVEL
        elif differs:
            word, mirrored = Relation.BEATS, Relation.LOSES
            if (edge.value or 0.0) < 0:
                word, mirrored = mirrored, word
        relations[x, y], relations[y, x] = word, mirrored
    return relations


def judge(results: Results, delta: float) -> Verdict:
    """The verdict at a margin of `delta`, a fraction of a game's credit."""
    names = results.names
    relations = relate(names, results.edges, delta)
    if not results.games:
        return Verdict(Word.UNDECIDED, (), "No game ended by the rules, so nothing can be judged.", relations)
    leader = next((x for x in names if _beats_all(x, names, relations)), None)
    if leader:
        return _judge_leader(leader, results, relations, delta)
    for size in range(len(names), 1, -1):
        top = names[:size]
        level = all(relations[pair] is Relation.LEVEL for pair in combinations(top, 2))
        if level and all(_beats_all(x, names[size:], relations) for x in top):
            return Verdict(Word.TIED, top, _say_tied(top, results, delta), relations)
    cycle = find_cycle(names, relations)
    if cycle:
        beats = join_words([f"{x} beats {y}" for x, y in zip(cycle, [*cycle[1:], cycle[0]])])
        return Verdict(Word.CYCLE, tuple(cycle), f"No strategy is best, they run in a circle: {beats}.", relations)
    return _judge_open(results, relations, delta)


def _beats_all(x: str, others: Sequence[str], relations: Relations) -> bool:
    return all(relations[x, y] is Relation.BEATS for y in others if y != x)


def _judge_leader(leader: str, results: Results, relations: Relations, delta: float) -> Verdict:
    """It beats everyone. Still a single seat of another may gain among it: rare policies have it easier."""
    even = results.cells.even
    others = [y for y in results.names if y != leader]
    entries = [results.entries[y, leader] for y in others]
    gains = holm([entry.p_above(even) for entry in entries], ALPHA)
    intruders = [y for y, gain in zip(others, gains) if gain]
    if intruders:
        y = max(intruders, key=lambda name: results.entries[name, leader].value or 0.0)
        gain = _size(results.entries[y, leader].against(even))
        sentence = (
            f"No single strategy is best: {leader} beats every other over all mixes of the two, but one seat of {y} "
            f"among {leader} gains {gain}."
        )
        return Verdict(Word.NO_BEST, (leader, y), sentence, relations)
    unsure = [entry for entry in entries if entry.p_above(even + delta) > ALPHA and entry.p_below(even + delta) > ALPHA]
    if unsure:
        more = max(_forecast(entry, even, delta, len(entries), results) for entry in unsure)
        sentence = f"Undecided: {leader} beats every other, but whether one seat of another gains among it is open"
        return Verdict(Word.UNDECIDED, (leader,), _ask_for_more(sentence, more, results), relations, more)
    closest = min(others, key=lambda y: results.edges[leader, y].value or 0.0)
    of = "" if len(others) == 1 else f", the closest of {len(others)} others"
    sentence = (
        f"{leader} dominates: where they meet, a seat of it wins {_size(results.edges[leader, closest])} more "
        f"than a seat of {closest}{of}; no single seat of another gains among it."
    )
    return Verdict(Word.DOMINATES, (leader,), sentence, relations)


def _say_tied(top: Sequence[str], results: Results, delta: float) -> str:
    widest = max(combinations(top, 2), key=lambda pair: abs(results.edges[pair].value or 0.0))
    behind = "" if len(top) == len(results.names) else ", and all others lose to them"
    return (
        f"{join_words(list(top))} are tied at the top: where they meet, their seats differ by less than "
        f"{points(delta)} (at most {_size(_turn_up(results.edges[widest]))}){behind}."
    )


def find_cycle(names: Sequence[str], relations: Relations) -> list[str]:
    """A circle in which each beats the next, whose members beat all that are not in such a circle with them; empty
    if there is none."""
    reach = {x: _reach(x, names, relations) for x in names}
    for x in names:
        knot = [y for y in names if y in reach[x] and x in reach[y]]
        outside = [y for y in names if y not in knot]
        if len(knot) >= 3 and all(_beats_all(y, outside, relations) for y in knot):
            return min(
                (
                    list(ring)
                    for size in range(3, len(knot) + 1)
                    for ring in permutations(knot, size)
                    if all(relations[a, b] is Relation.BEATS for a, b in zip(ring, [*ring[1:], ring[0]]))
                ),
                key=len,
            )
    return []


def _reach(x: str, names: Sequence[str], relations: Relations) -> set[str]:
    """Whom `x` beats, directly or through others."""
    found: set[str] = set()
    edge = [x]
    while edge:
        here = edge.pop()
        new = [y for y in names if y != here and y not in found and relations[here, y] is Relation.BEATS]
        found.update(new)
        edge += new
    return found


def _judge_open(results: Results, relations: Relations, delta: float) -> Verdict:
    names = results.names
    unbeaten = [x for x in names if not any(relations.get((y, x)) is Relation.BEATS for y in names)]
    pairs = [pair for pair in combinations(names, 2) if relations[pair] is Relation.OPEN]
    telling = [pair for pair in pairs if not unbeaten or pair[0] in unbeaten or pair[1] in unbeaten]
    if not telling:
        sentence = f"No single strategy is best; unbeaten: {join_words(unbeaten) or 'none'}."
        return Verdict(Word.NO_BEST, tuple(unbeaten), sentence, relations)
    more = max(_forecast(results.edges[pair], 0.0, delta, len(relations) // 2, results) for pair in telling)
    x, y = min(telling, key=lambda pair: abs(results.edges[pair].value or 0.0))
    left = "" if len(telling) == 1 else f", as {'is' if len(telling) == 2 else 'are'} {len(telling) - 1} more"
    sentence = (
        f"Undecided: {names[0]} earns most, but {x} against {y} is open "
        f"({show(results.edges[x, y], 'pp')} a seat){left}"
    )
    return Verdict(Word.UNDECIDED, tuple(unbeaten), _ask_for_more(sentence, more, results), relations, more)


def _forecast(estimate: Estimate, target: float, delta: float, comparisons: int, results: Results) -> int:
    """How many more games over all lineups will probably settle it."""
    if estimate.value is None:
        return max(1, results.games)
    return games_to_decide(replace(estimate, n=results.games), target, delta, comparisons)


def _size(edge: Estimate | Span) -> str:
    """A difference whose direction the sentence tells: `3.1 pp [2.9, 3.3]`."""
    return show(edge, "pp").replace("+", "")


def _turn_up(edge: Estimate) -> Estimate:
    return replace(edge, value=abs(edge.value or 0.0))


def _ask_for_more(sentence: str, more: int, results: Results) -> str:
    return f"{sentence}: about {plural(more, 'more game', 'more games')} would probably settle it."
