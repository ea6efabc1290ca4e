"""The deal: "Setup"."""


from kernels.atlantica.codes import (
    HURRICANE,
    NOBODY,
    NONE,
    PHASE_SETUP,
    PILE_SHIPS,
    PURPOSE_DIVER_DECK,
    PURPOSE_HURRICANE,
    PURPOSE_RESEARCH_DECK,
    PURPOSE_SHIP_DECKS,
    PURPOSE_TREASURE_DECK,
    SHIP_PILES,
    TREASURE_CARDS,
)
from kernels.atlantica.divers import draw_to_hand
from kernels.atlantica.refill import refill
from kernels.jit import rule
from kernels.piles import shuffle, shuffle_single
from kernels.rng import below, stream_block
from kernels.worlds import set_keys

NOTHING_DONE = -2  # done_action before the first


@rule
def set_up(state, rules, seed, deal):
    """Deal a game into a zeroed state. The caller sets the policies' streams. Modifies `state` in place."""
    set_keys(state, seed, deal)
    state.players = rules.players
    state.phase = PHASE_SETUP
    state.actor = NOBODY
    state.hurricane = NOBODY
    state.turns_left = NONE
    state.action = NONE
    state.done_action = NOTHING_DONE
    deal_divers(state, rules)
    lay_out_treasures(state, rules)
    for pile in range(SHIP_PILES):
        shuffle_single(
            state.key, state.deal, PURPOSE_SHIP_DECKS, pile, PILE_SHIPS, (1 << PILE_SHIPS) - 1, state.ship_deck[pile]
        )
    state.research_size = shuffle(
        state.key, state.deal, PURPOSE_RESEARCH_DECK, 0, rules.research_copies, state.research_deck
    )
    state.treasure_row[:] = NONE
    state.research_row[:] = NONE
    refill(state)


@rule
def deal_divers(state, rules):
    """Shuffle the divers and deal the hands."""
    state.diver_size = shuffle(state.key, state.deal, PURPOSE_DIVER_DECK, 0, rules.diver_copies, state.diver_deck)
    for seat in range(rules.players):
        draw_to_hand(state, seat, int(rules.hand_size))


@rule
def lay_out_treasures(state, rules):
    """The last cards of the shuffled deck are set aside; of the rest, the last form the Hurricane space's pile."""
    deck = state.treasure_deck
    size = shuffle(state.key, state.deal, PURPOSE_TREASURE_DECK, 0, rules.treasure_copies, deck)
    size -= int(rules.treasures_removed)
    state.treasure_main = size - int(rules.hurricane_pile)
    word, _, _, _ = stream_block(state.key, state.deal, PURPOSE_HURRICANE, 0, 0)
    place = int(state.treasure_main) + below(int(word), int(rules.hurricane_pile) + 1)
    for i in range(size, place, -1):
        deck[i] = deck[i - 1]
    deck[place] = HURRICANE
    state.treasure_size = size + 1
    for i in range(size + 1, TREASURE_CARDS):
        deck[i] = 0
