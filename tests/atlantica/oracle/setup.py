"""Rulebook "Setup", in the order of the contract's chapter "Setup"."""

from tests.machinery.philox import word

from .draws import below, shuffled
from .locations import draw_diver
from .names import DIVERS, HURRICANE, HURRICANE_PLACE, RESEARCH, SHIPS, TREASURES
from .turns import begin_turn


def set_up(state, rules):
    deal_divers(state, rules)
    lay_out_treasures(state, rules)
    lay_out_ships(state, rules)
    lay_out_research(state, rules)
    begin_turn(state, rules, 0)  # A12: seat 0


def deal_divers(state, rules):
    """Shuffled and dealt (Setup 1)."""
    state.diver_deck = shuffled(state.seed, state.deal, DIVERS, 0, rules["diver_copies"])
    for seat in range(rules["players"]):
        for _ in range(rules["hand_size"]):
            draw_diver(state, state.hand[seat])


def removed_treasures(rules):
    """The rule treasures_removed: a number, or a list by player count (2 to 5, or indexed by the count)."""
    removed = rules["treasures_removed"]
    if isinstance(removed, int):
        return removed
    return removed[rules["players"] - 2] if len(removed) == 4 else removed[rules["players"]]


def lay_out_treasures(state, rules):
    """Shuffled, some set aside, the Hurricane space and the row (Setup 2 and 3)."""
    cards = shuffled(state.seed, state.deal, TREASURES, 0, rules["treasure_copies"])
    cards = cards[: len(cards) - removed_treasures(rules)]

    pile = rules["hurricane_pile"]
    main = cards[: len(cards) - pile]
    hurricane_space = cards[len(cards) - pile :]
    above = below(state.seed, state.deal, HURRICANE_PLACE, 0, 0, pile + 1)
    hurricane_space.insert(above, HURRICANE)

    for space in range(6):
        if main:
            state.treasure_row[space] = main.pop(0)
    state.treasure_main = len(main)
    state.treasure_deck = main + hurricane_space


def lay_out_ships(state, rules):
    """Each pile shuffled by itself (Setup 4)."""
    for pile in range(3):
        ships = []
        for ship in range(8):
            ships.append((word(state.seed, state.deal, SHIPS, pile, ship), ship))
        ships.sort()
        state.ship_deck[pile] = [ship for key, ship in ships]


def lay_out_research(state, rules):
    """Shuffled, and the row (Setup 5)."""
    state.research_deck = shuffled(state.seed, state.deal, RESEARCH, 0, rules["research_copies"])
    for space in range(4):
        if state.research_deck:
            state.research_row[space] = state.research_deck.pop(0)
