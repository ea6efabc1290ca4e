"""Decks and discards: shuffling by keys, so that a deck that lacks some cards keeps the order of the rest."""

import numpy as np

from kernels.jit import rule
from kernels.rng import stream_block

MOST_CARDS = 96


@rule
def shuffle(key, deal, purpose, first_stream, counts, deck):
    """Fill `deck` with the kinds of `counts`, top card first; returns the number of cards.

    Copy c of kind k has the key that is word c of stream `first_stream + k`; cards lie by ascending key, then kind,
    then copy.
    """
    cards = np.empty(MOST_CARDS, np.int64)  # key, kind and copy in one number: sorting it sorts by all three
    size = 0
    for kind in range(len(counts)):
        copies = int(counts[kind])
        for copy in range(0, copies, 4):
            w0, w1, w2, w3 = stream_block(key, deal, purpose, first_stream + kind, copy >> 2)
            tail = (kind << 8) | copy
            size = place(cards, size, (int(w0) << 16) | tail)
            if copy + 1 < copies:
                size = place(cards, size, (int(w1) << 16) | (tail + 1))
            if copy + 2 < copies:
                size = place(cards, size, (int(w2) << 16) | (tail + 2))
            if copy + 3 < copies:
                size = place(cards, size, (int(w3) << 16) | (tail + 3))
    for i in range(size):
        deck[i] = (cards[i] >> 8) & 0xFF
    return size


@rule
def place(cards, size, card):
    """Insert `card` into the ascending `cards[:size]`; returns the new size."""
    i = size
    while i > 0 and cards[i - 1] > card:
        cards[i] = cards[i - 1]
        i -= 1
    cards[i] = card
    return size + 1
