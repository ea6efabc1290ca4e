"""The end of a turn on the board: "Refilling the cards", and the hurricane (A05, A08, A30)."""

from kernels.atlantica.codes import HURRICANE, NONE, PHASE_LAST_TURNS
from kernels.jit import rule


@rule
def next_treasure(state):
    """The top treasure, the Hurricane space's last; NONE if there is none. Who turns up the hurricane takes it."""
    while state.treasure_top < state.treasure_size:
        card = int(state.treasure_deck[state.treasure_top])
        state.treasure_top += 1
        if state.treasure_main > 0:
            state.treasure_main -= 1
        if card != HURRICANE:
            return card
        state.hurricane = state.seat
        state.turns_left = state.players
        state.phase = PHASE_LAST_TURNS
    return NONE


@rule
def next_research(state):
    """The top Research card; NONE if there is none."""
    if state.research_top == state.research_size:
        return NONE
    card = int(state.research_deck[state.research_top])
    state.research_top += 1
    return card


@rule
def move_left(row):
    """Close the gaps of a row, keeping its order; returns how many cards lie there.

    Written without a branch, here and where legal actions are listed: which spaces are empty cannot be foreseen, and
    a branch that is guessed wrong costs more than all the rest.
    """
    cards = 0
    for space in range(len(row)):
        card = int(row[space])
        row[cards] = card
        cards += int(card != NONE)
    for space in range(cards, len(row)):
        row[space] = NONE
    return cards


@rule
def refill(state):
    """Treasures, then Research cards: move left, and fill the free spaces from the left."""
    for space in range(move_left(state.treasure_row), len(state.treasure_row)):
        state.treasure_row[space] = next_treasure(state)
    for space in range(move_left(state.research_row), len(state.research_row)):
        state.research_row[space] = next_research(state)
