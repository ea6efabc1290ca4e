"""Rulebook "End of the Game and Scoring" and the overviews (contract "Scoring")."""

from .names import (
    ARCHITECTURE,
    END_HURRICANE,
    GOLD,
    JOKER,
    MANY_CRATES,
    PER_ARCHITECTURE,
    PER_DIVERS,
    PER_GOLD,
    PER_RESEARCH,
    PER_SHIP,
    POINTS,
    THREE_COLOURS,
)


def value(row, number):
    """VP of so many treasures of a kind; a full row starts again (A10)."""
    row = [0] + [vp for vp in row if vp != -1]
    n = len(row) - 1
    if n == 0:
        return 0
    return row[n] * (number // n) + row[number % n]


def count(cards):
    """A number of cards, given as such or as a list by kind."""
    return cards if isinstance(cards, int) else sum(cards)


def points_by_source(rules, kept, jokers, crates, research, ships, divers):
    """The VP of a seat, by source, for one choice of treasures kept and of jokers' colours."""
    vp_by = [0] * 15
    for kind in range(7):
        vp_by[kind] = value(rules["treasure_values"][kind], kept[kind] + jokers[kind])

    # A26: what the Research cards count
    if rules["joker_counts"] == 0:
        shown = [kept[kind] + jokers[kind] for kind in range(7)]
    else:
        shown = list(kept)
    counted_crates = sum(kept) if rules["crates_counted"] else crates  # A29

    for kind in range(len(research)):
        effect, amount = rules["research_effect"][kind], rules["research_amount"][kind]
        if effect == POINTS:
            vp = amount
        elif effect == PER_ARCHITECTURE:
            vp = amount * shown[ARCHITECTURE]
        elif effect == PER_GOLD:
            vp = amount * shown[GOLD]
        elif effect == PER_RESEARCH:
            vp = amount * count(research)
        elif effect == PER_SHIP:
            vp = amount * count(ships)
        elif effect == THREE_COLOURS:
            different = len([number for number in shown if number > 0])
            vp = amount if different >= rules["set_colours"] else 0
        elif effect == PER_DIVERS:
            vp = amount * (count(divers) // rules["divers_counted_by"])
        elif effect == MANY_CRATES:
            vp = amount if counted_crates >= rules["many_crates"] else 0
        else:  # blank, joker
            continue
        vp_by[effect + 6] += vp * research[kind]  # each of several identical cards
    return vp_by


def joker_cards(rules, research):
    return sum(research[kind] for kind in range(len(research)) if rules["research_effect"][kind] == JOKER)


def splits(number, most):
    """All ways to split a number of cards over the kinds, at most most[kind] of each, the first kinds fullest first."""
    if not most:
        return [[]] if number == 0 else []
    if number > sum(most):
        return []
    found = []
    for first in range(min(number, most[0]), -1, -1):
        for rest in splits(number - first, most[1:]):
            found.append([first, *rest])
    return found


def score_by_brute_force(rules, treasures, crates, research, ships, divers):
    """score, by trying every choice: the plain meaning of the rules, too slow for many treasures."""
    keep = min(crates, sum(treasures))
    jokers = joker_cards(rules, research)
    best = None
    for kept in splits(keep, treasures):
        for colours in splits(jokers, [jokers] * 7):
            vp_by = points_by_source(rules, kept, colours, crates, research, ships, divers)
            preference = [number for kind in range(7) for number in (kept[kind], colours[kind])]
            if best is None or (sum(vp_by), preference) > best[:2]:
                best = (sum(vp_by), preference, vp_by, kept)
    return best[0], best[2], best[3]


def score(rules, treasures, crates, research, ships, divers):
    """(vp, vp_by, loaded) of a seat, which chooses what it discards (A09, A26).

    Of equally good choices: most kept of kind 0, then most jokers as kind 0, then the same for kind 1, and so on.
    Kind by kind; what the kinds still to come can bring depends only on how many treasures and jokers are left
    for them and on how many different colours there are so far, so that is worked out only once.
    """
    worked_out = {}
    per_kind = dict.fromkeys(range(7), 0)  # Research VP for each treasure of a kind
    set_vp = 0  # Research VP for the different colours
    for card in range(len(research)):
        vp = rules["research_amount"][card] * research[card]
        if rules["research_effect"][card] == PER_ARCHITECTURE:
            per_kind[ARCHITECTURE] += vp
        elif rules["research_effect"][card] == PER_GOLD:
            per_kind[GOLD] += vp
        elif rules["research_effect"][card] == THREE_COLOURS:
            set_vp += vp

    def best(kind, keep, jokers, different):
        """(VP, choice) of the best choice for this kind and the later ones."""
        if keep > sum(treasures[kind:]):
            return None
        if kind == 7:
            return (set_vp if different >= rules["set_colours"] else 0), ()
        if (kind, keep, jokers, different) in worked_out:
            return worked_out[kind, keep, jokers, different]
        found = None
        for kept in range(min(keep, treasures[kind]) + 1):
            # the last kind takes the jokers that are left
            for as_this in range(0 if kind < 6 else jokers, jokers + 1):
                shown = kept if rules["joker_counts"] else kept + as_this
                rest = best(kind + 1, keep - kept, jokers - as_this, different + (1 if shown else 0))
                if rest is None:
                    continue
                vp = value(rules["treasure_values"][kind], kept + as_this) + per_kind[kind] * shown + rest[0]
                choice = (kept, as_this) + rest[1]
                if found is None or (vp, choice) > found:
                    found = (vp, choice)
        worked_out[kind, keep, jokers, different] = found
        return found

    choice = best(0, min(crates, sum(treasures)), joker_cards(rules, research), 0)[1]
    kept, jokers = list(choice[0::2]), list(choice[1::2])
    vp_by = points_by_source(rules, kept, jokers, crates, research, ships, divers)
    return sum(vp_by), vp_by, kept


def score_seats(state, rules):
    """The points of all seats, treasures and Research cards."""
    for seat in range(rules["players"]):
        state.vp[seat], state.vp_by[seat], state.loaded[seat] = score(
            rules, state.treasures[seat], state.crates[seat], state.research[seat], state.ships[seat], state.hand[seat]
        )


def tie_treasures(rules, loaded, treasures, has_hurricane):
    """Treasures that settle a tie (A11, A27)."""
    number = sum(treasures) if rules["tie_counts"] else sum(loaded)
    return number + (rules["hurricane_counts"] if has_hurricane else 0)


def ranking(rules, vp, ties, shared_by_all):
    """Ranks from 1, credit, winners and what decided (A11); ties: each seat's treasures for the tie-break."""
    seats = range(len(vp))
    places = [(vp[seat], ties[seat]) for seat in seats]
    level = [seat for seat in seats if places[seat] == max(places)]
    if len([seat for seat in seats if vp[seat] == max(vp)]) == 1:
        decided_by = "clear"
    elif len(level) == 1:
        decided_by = "treasures"
    else:
        decided_by = "level"

    if rules["tie_last"]:  # the lower seat is first
        places = [(vp[seat], ties[seat], -seat) for seat in seats]
    rank = [1 + len([other for other in seats if places[other] > places[seat]]) for seat in seats]
    winners = [seat for seat in seats if rank[seat] == 1]
    if shared_by_all:  # a truncated game
        credit = [1 / len(vp)] * len(vp)
    else:
        credit = [1 / len(winners) if seat in winners else 0.0 for seat in seats]
    return {"vp": list(vp), "rank": rank, "credit": credit, "winners": winners, "decided_by": decided_by}


def result(state, rules):
    """The end of the game: who wins."""
    ties = [
        tie_treasures(rules, state.loaded[seat], state.treasures[seat], state.hurricane == seat)
        for seat in range(rules["players"])
    ]
    return ranking(rules, state.vp, ties, state.end_reason != END_HURRICANE)
