"""The tiny game counted out: exact winning chances, by every order of the prizes and every way to bid.

Written from the rules alone (tests/tiny/site/goofspiel/__init__.py), in plain Python with exact fractions.
"""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import permutations, product

Play = tuple[int, ...]  # the card bid for each prize, in their order
Policy = Callable[[Play], list[tuple[Play, Fraction]]]  # prizes in their order -> ways to bid, with their chances


def random(prizes: Play) -> list[tuple[Play, Fraction]]:
    """Any card in hand, each as likely: every order of the cards."""
    ways = list(permutations(sorted(prizes)))
    return [(way, Fraction(1, len(ways))) for way in ways]


def nearest(base: int) -> Policy:
    """The card nearest to the prize's number and `base`, the lower one of two."""

    def bids(prizes: Play) -> list[tuple[Play, Fraction]]:
        hand, way = sorted(prizes), []
        for prize in prizes:
            way.append(min(hand, key=lambda card: (abs(card - base - prize), card)))
            hand.remove(way[-1])
        return [(tuple(way), Fraction(1))]

    return bids


POLICIES: dict[str, Policy] = {"random": random, "greedy": nearest(0), "tuned": nearest(1)}


def points(prizes: Play, plays: Sequence[Play], *, lowest_takes: bool = False, bonus: int = 0) -> list[int]:
    """Points by seat when all has been bid."""
    won = [0] * len(plays)
    won[-1] += bonus
    for turn, prize in enumerate(prizes):
        bids = [play[turn] for play in plays]
        best = [seat for seat, bid in enumerate(bids) if bid == max(bids)]
        if len(best) == 1 or lowest_takes:
            won[best[0]] += prize
    return won


def games(lineup: Sequence[str], cards: int = 3) -> Iterator[tuple[Play, tuple[Play, ...], Fraction]]:
    """Every game that these policies, by seat, can play, with its chance."""
    orders = list(permutations(range(1, cards + 1)))
    for prizes in orders:
        ways = [POLICIES[name](prizes) for name in lineup]
        for combination in product(*ways):
            chance = Fraction(1, len(orders))
            for _, likely in combination:
                chance *= likely
            yield prizes, tuple(play for play, _ in combination), chance


@cache
def outlook(
    points: Play, hands: tuple[frozenset[int], ...], prize: int, to_come: frozenset[int], laid: tuple[int, ...]
) -> tuple[Fraction, ...]:
    """The expected credit of each seat in the middle of a game when everybody bids any card, each as likely.

    `laid`: the card that a seat is known to have laid for this prize, 0 where it is not known.
    """
    total = [Fraction(0)] * len(points)
    ways = list(product(*([card] if card else sorted(hand) for card, hand in zip(laid, hands))))
    for bids in ways:
        best = [seat for seat, bid in enumerate(bids) if bid == max(bids)]
        after = tuple(vp + prize * (best == [seat]) for seat, vp in enumerate(points))
        left = tuple(hand - {bid} for hand, bid in zip(hands, bids))
        if not to_come:
            ends = [[Fraction(vp == max(after), after.count(max(after))) for vp in after]]
        else:
            ends = [outlook(after, left, one, to_come - {one}, (0,) * len(points)) for one in sorted(to_come)]
        for end in ends:
            for seat, share in enumerate(end):
                total[seat] += share / (len(ways) * len(ends))
    return tuple(total)


@cache
def credit(lineup: tuple[str, ...], cards: int = 3, lowest_takes: bool = False, bonus: int = 0) -> tuple[Fraction, ...]:
    """The expected credit of each seat."""
    total = [Fraction(0)] * len(lineup)
    for prizes, plays, chance in games(lineup, cards):
        won = points(prizes, plays, lowest_takes=lowest_takes, bonus=bonus)
        winners = [seat for seat, vp in enumerate(won) if vp == max(won)]
        for seat in winners:
            total[seat] += chance / len(winners)
    return tuple(total)


def best_response(target: str, cards: int = 3) -> Fraction:
    """The most that anybody can take from a target of two seats whose bids follow from the prizes."""
    numbers = tuple(range(1, cards + 1))

    def value(shown: Play, hand: frozenset[int], lead: int) -> Fraction:
        if not hand:
            return Fraction(1 + (lead > 0) - (lead < 0), 2)
        left = [prize for prize in numbers if prize not in shown]
        total = Fraction(0)
        for prize in left:
            seen = (*shown, prize)
            ((bids, _),) = POLICIES[target]((*seen, *(one for one in left if one != prize)))
            bid = bids[len(shown)]
            total += max(
                value(seen, hand - {card}, lead + prize * ((card > bid) - (card < bid))) for card in hand
            )
        return total / len(left)

    return value((), frozenset(numbers), 0)
