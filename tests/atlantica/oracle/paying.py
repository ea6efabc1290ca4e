"""Rulebook "The Diver Cards": paying with divers and with the pair (contract "Paying", A06, A17, A25)."""

from .names import PAIR


def price(rules, action):
    """For each card of the price the list of colours that pay it; tier t costs t + 1 cards (A17)."""
    location, tier = action // 3, action % 3
    cards = []
    for number in range(tier + 1):
        mask = rules["action_colours"][location][number]
        cards.append([colour for colour in range(6) if (mask >> colour) & 1])
    return cards


def pair_allowed(rules, colours, hand_before):
    """The special rule: two divers of one colour for one of a colour that the hand lacks.

    Judged on the hand as it was before this action was paid (A25).
    """
    missing = [colour for colour in colours if hand_before[colour] == 0]
    if rules["pair_when"] == 0:  # colour missing
        return len(missing) >= 1
    return len(missing) == len(colours)  # card unpayable


def ways_to_pay(rules, cards, hand, hand_before, pairs_played):
    """Codes that pay the first of these cards and leave the rest payable: colours, then pairs, ascending."""
    ways = []
    for colour in cards[0]:
        if hand[colour] >= 1:
            rest = list(hand)
            rest[colour] -= 1
            if payable(rules, cards[1:], rest, hand_before, pairs_played):
                ways.append(colour)
    # once a turn
    if pairs_played < rules["pairs_per_turn"] and pair_allowed(rules, cards[0], hand_before):
        for colour in range(6):
            if hand[colour] >= 2:
                rest = list(hand)
                rest[colour] -= 2
                if payable(rules, cards[1:], rest, hand_before, pairs_played + 1):
                    ways.append(PAIR + colour)
    return ways


def payable(rules, cards, hand, hand_before, pairs_played):
    """Can all of these cards be paid?"""
    return not cards or bool(ways_to_pay(rules, cards, hand, hand_before, pairs_played))


def play_divers(state, code):
    """Divers played are discarded at once."""
    if code >= PAIR:
        colour, number = code - PAIR, 2
        state.pairs_played += 1
    else:
        colour, number = code, 1
    state.hand[state.seat][colour] -= number
    state.diver_discard[colour] += number
