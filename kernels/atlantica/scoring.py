"""Points: "End of the Game and Scoring" and the two overviews of cards.

Which treasures are kept when crates are short (A09), and which colour each joker counts as (A26), is solved exactly,
Research cards included, by going through the kinds of treasure one after the other.
"""

import numpy as np

from kernels.atlantica.codes import (
    ARCHITECTURE,
    GOLD,
    MOST_JOKERS,
    NOBODY,
    RESEARCH_BLANK,
    RESEARCH_JOKER,
    RESEARCH_KINDS,
    RESEARCH_MANY_CRATES,
    RESEARCH_PER_ARCHITECTURE,
    RESEARCH_PER_DIVERS,
    RESEARCH_PER_GOLD,
    RESEARCH_PER_RESEARCH,
    RESEARCH_PER_SHIP,
    RESEARCH_POINTS,
    RESEARCH_THREE_COLOURS,
    ROW_VALUES,
    SETTLED_CLEAR,
    SETTLED_LEVEL,
    SETTLED_TREASURES,
    SOURCE_RESEARCH,
    TREASURE_KINDS,
)
from kernels.atlantica.divers import hand_size
from kernels.atlantica.rules import ROW_TABLE
from kernels.jit import rule
from kernels.piles import total

EFFECTS = RESEARCH_JOKER + 1
NEVER = -(10**6)


@rule
def row_value(rules, kind, cards):
    """VP of so many treasures of a kind; after the row's last value it starts again (A10)."""
    if cards < ROW_TABLE:
        return int(rules.row_points[kind, cards])
    length = ROW_VALUES
    while rules.treasure_values[kind, length - 1] < 0:
        length -= 1
    rounds = cards // length
    return rounds * int(rules.row_points[kind, length]) + int(rules.row_points[kind, cards - length * rounds])


@rule
def research_amount(state, rules, seat, effect):
    """The amounts of a seat's Research cards of one effect, added up: each copy scores."""
    amount = 0
    for kind in range(RESEARCH_KINDS):
        if rules.research_effect[kind] == effect:
            amount += int(state.research[seat, kind]) * int(rules.research_amount[kind])
    return amount


@rule
def jokers_of(state, rules, seat):
    """The seat's treasure jokers."""
    jokers = 0
    for kind in range(RESEARCH_KINDS):
        if rules.research_effect[kind] == RESEARCH_JOKER:
            jokers += int(state.research[seat, kind])
    return min(jokers, MOST_JOKERS)


@rule
def book_fixed(state, rules, seat):
    """Points of Research cards that do not depend on which treasures are kept; returns them."""
    research = total(state.research[seat])
    fixed = 0
    for effect in range(RESEARCH_BLANK + 1, RESEARCH_JOKER):
        amount = research_amount(state, rules, seat, effect)
        times = 0
        if amount == 0:
            continue
        if effect == RESEARCH_POINTS:
            times = 1
        elif effect == RESEARCH_PER_RESEARCH:
            times = research
        elif effect == RESEARCH_PER_SHIP:
            times = total(state.ships[seat])
        elif effect == RESEARCH_PER_DIVERS:
            times = hand_size(state, seat) // int(rules.divers_counted_by)
        elif effect == RESEARCH_MANY_CRATES:
            counted = int(state.crates[seat])
            if rules.crates_counted == 1:
                counted = min(counted, total(state.treasures[seat]))
            times = 1 if counted >= rules.many_crates else 0
        state.vp_by[seat, SOURCE_RESEARCH + effect] = times * amount
        fixed += times * amount
    return fixed


@rule
def kind_bonus(rules, kind, per_architecture, per_gold, kept, jokers):
    """Points of the Research cards that count this kind."""
    counted = kept + jokers if rules.joker_counts == 0 else kept
    if kind == ARCHITECTURE:
        return per_architecture * counted
    if kind == GOLD:
        return per_gold * counted
    return 0


@rule
def book_kind(state, rules, seat, kind, per_architecture, per_gold, kept, jokers):
    """Keep so many treasures of a kind, with so many jokers counting as it; returns its points."""
    points = row_value(rules, kind, kept + jokers)
    bonus = kind_bonus(rules, kind, per_architecture, per_gold, kept, jokers)
    state.loaded[seat, kind] = kept
    state.vp_by[seat, kind] = points
    if bonus > 0:
        effect = RESEARCH_PER_ARCHITECTURE if kind == ARCHITECTURE else RESEARCH_PER_GOLD
        state.vp_by[seat, SOURCE_RESEARCH + effect] = bonus
    return points + bonus


@rule
def counts_as_colour(rules, kept, jokers):
    """Whether a kind of which so many are kept counts for Research cards about different colours."""
    return kept > 0 or (jokers > 0 and rules.joker_counts == 0)


@rule
def score(state, rules, seat):
    """Score a seat as it stands: vp, vp_by and loaded. Modifies `state` in place; returns the VP."""
    state.vp_by[seat, :] = 0
    per_architecture = research_amount(state, rules, seat, RESEARCH_PER_ARCHITECTURE)
    per_gold = research_amount(state, rules, seat, RESEARCH_PER_GOLD)
    three_colours = research_amount(state, rules, seat, RESEARCH_THREE_COLOURS)
    jokers = jokers_of(state, rules, seat)
    points = book_fixed(state, rules, seat)
    if jokers == 0 and total(state.treasures[seat]) <= state.crates[seat]:
        colours = 0
        for kind in range(TREASURE_KINDS):
            kept = int(state.treasures[seat, kind])
            points += book_kind(state, rules, seat, kind, per_architecture, per_gold, kept, 0)
            colours += 1 if kept > 0 else 0
    else:
        gained, colours = load_best(state, rules, seat, per_architecture, per_gold, three_colours, jokers)
        points += gained
    if colours < rules.set_colours:
        three_colours = 0
    state.vp_by[seat, SOURCE_RESEARCH + RESEARCH_THREE_COLOURS] = three_colours
    points += three_colours
    state.vp[seat] = points
    return points


@rule
def cell(kept, jokers, wanted, kind, left, joker, colours):
    """Where load_best keeps a value; the first three are the most that the last three can be."""
    return ((kind * (kept + 1) + left) * (jokers + 1) + joker) * (wanted + 1) + colours


@rule(allocates=True)
def load_best(state, rules, seat, per_architecture, per_gold, three_colours, jokers):
    """Choose the treasures that are kept and what the jokers count as, so that the seat scores most (A09, A26).

    best[cell(kind, left, joker, colours)]: the most that the kinds from `kind` on can bring with so many crates and
    jokers still to fill, and so many colours already counted. Among equals (A34) the first kinds keep most.
    Returns the points of the treasures and their Research cards, and the colours counted.
    """
    kept = min(int(state.crates[seat]), total(state.treasures[seat]))
    wanted = int(rules.set_colours) if three_colours > 0 else 0
    best = np.empty((TREASURE_KINDS + 1) * (kept + 1) * (jokers + 1) * (wanted + 1), np.int32)
    for i in range(cell(kept, jokers, wanted, TREASURE_KINDS, 0, 0, 0), len(best)):
        best[i] = NEVER
    for colours in range(wanted + 1):
        bonus = three_colours if colours >= wanted and wanted > 0 else 0
        best[cell(kept, jokers, wanted, TREASURE_KINDS, 0, 0, colours)] = bonus
    before = total(state.treasures[seat])  # treasures of the kinds up to this one
    after = 0  # and of those behind it
    for kind in range(TREASURE_KINDS - 1, -1, -1):
        held = int(state.treasures[seat, kind])
        before -= held
        after += held
        for left in range(max(0, kept - before), min(kept, after) + 1):
            for joker in range(jokers + 1):
                for colours in range(wanted + 1):
                    most = NEVER
                    for keep in range(max(0, left - after + held), min(held, left) + 1):
                        for use in range(joker + 1):
                            counted = colours
                            if counts_as_colour(rules, keep, use):
                                counted = min(colours + 1, wanted)
                            gain = row_value(rules, kind, keep + use)
                            gain += kind_bonus(rules, kind, per_architecture, per_gold, keep, use)
                            rest = cell(kept, jokers, wanted, kind + 1, left - keep, joker - use, counted)
                            most = max(most, gain + int(best[rest]))
                    best[cell(kept, jokers, wanted, kind, left, joker, colours)] = most
    return follow_best(state, rules, seat, per_architecture, per_gold, jokers, kept, wanted, best)


@rule
def follow_best(state, rules, seat, per_architecture, per_gold, jokers, kept, wanted, best):
    """Book the best choice, kind by kind: of equals, the most kept, then the most jokers."""
    points = 0
    left = kept
    joker = jokers
    colours = 0
    colours_kept = 0
    after = total(state.treasures[seat])
    for kind in range(TREASURE_KINDS):
        held = int(state.treasures[seat, kind])
        after -= held
        found = False
        chosen = 0
        jokers_chosen = 0
        colours_now = colours
        for keep in range(min(held, left), max(0, left - after) - 1, -1):
            for use in range(joker, -1, -1):
                counted = colours
                if counts_as_colour(rules, keep, use):
                    counted = min(colours + 1, wanted)
                gain = row_value(rules, kind, keep + use)
                gain += kind_bonus(rules, kind, per_architecture, per_gold, keep, use)
                rest = int(best[cell(kept, jokers, wanted, kind + 1, left - keep, joker - use, counted)])
                if not found and gain + rest == best[cell(kept, jokers, wanted, kind, left, joker, colours)]:
                    found = True
                    chosen = keep
                    jokers_chosen = use
                    colours_now = counted
        points += book_kind(state, rules, seat, kind, per_architecture, per_gold, chosen, jokers_chosen)
        colours_kept += 1 if counts_as_colour(rules, chosen, jokers_chosen) else 0
        left -= chosen
        joker -= jokers_chosen
        colours = colours_now
    return points, colours_kept


@rule
def score_now(state, rules, seat):
    """What the seat would score if the game ended here; leaves no trace in `state`."""
    points = score(state, rules, seat)
    forget_score(state, seat)
    return points


@rule
def forget_score(state, seat):
    """Until the game is over nobody has points."""
    state.vp[seat] = 0
    state.vp_by[seat, :] = 0
    state.loaded[seat, :] = 0


@rule
def tie_cards(state, rules, seat):
    """Treasures that settle a tie (A11, A27)."""
    cards = total(state.loaded[seat]) if rules.tie_counts == 0 else total(state.treasures[seat])
    if state.hurricane == seat and seat != NOBODY:
        cards += int(rules.hurricane_counts)
    return cards


@rule
def is_ahead(state, rules, one, other):
    """Whether seat `one` ranks before seat `other`: VP, treasures, then nothing or the lower seat."""
    if state.vp[one] != state.vp[other]:
        return state.vp[one] > state.vp[other]
    cards = tie_cards(state, rules, one)
    others = tie_cards(state, rules, other)
    if cards != others:
        return cards > others
    return rules.tie_last == 1 and one < other


@rule
def rank(state, rules, seat):
    """1 for a winner; seats that are level share a rank."""
    place = 1
    for other in range(state.players):
        if other != seat and is_ahead(state, rules, other, seat):
            place += 1
    return place


@rule
def decided_by(state, rules):
    """What told the winner from the next seat: SETTLED_."""
    level = SETTLED_CLEAR
    for seat in range(state.players):
        if rank(state, rules, seat) != 1:
            continue
        for other in range(state.players):
            if other != seat and state.vp[other] == state.vp[seat]:
                same = tie_cards(state, rules, other) == tie_cards(state, rules, seat)
                level = max(level, SETTLED_LEVEL if same else SETTLED_TREASURES)
    return level


@rule
def finish_early(state, rules):
    """Everybody is scored, as things stand: at the end of a game, or where it is cut off."""
    for seat in range(state.players):
        score(state, rules, seat)
