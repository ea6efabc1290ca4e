"""Decks and discards: shuffling by keys, so that a deck that lacks some cards keeps the order of the rest."""

import numpy as np

from kernels.jit import rule
from kernels.rng import stream_block, word_at

MOST_CARDS = 96
BUCKETS = 64
BUCKET_SHIFT = 16 + 32 - 6  # of a card's number, to its bucket: the six highest bits of the key


@rule(allocates=True)
def shuffle(key, deal, purpose, first_stream, counts, deck):
    """Fill `deck` with the kinds of `counts`, top card first; returns the number of cards.

    Copy c of kind k has the key that is word c of stream `first_stream + k`; cards lie by ascending key, then kind,
    then copy.
    """
    cards = np.empty(MOST_CARDS, np.int64)  # key, kind and copy in one number: sorting it sorts by all three
    ends = np.zeros(BUCKETS + 1, np.int64)
    size = 0
    for kind in range(len(counts)):
        copies = int(counts[kind])
        for block in range((copies + 3) // 4):
            w0, w1, w2, w3 = stream_block(key, deal, purpose, first_stream + kind, block)
            for copy in range(4 * block, min(4 * block + 4, copies)):
                word = word_at(w0, w1, w2, w3, copy - 4 * block)
                cards[size] = (word << 16) | (kind << 8) | copy
                ends[(cards[size] >> BUCKET_SHIFT) + 1] += 1
                size += 1
    # Keys are uniform, so a card's bucket is nearly its place: sort by bucket, then mend the few inversions.
    for bucket in range(BUCKETS):
        ends[bucket + 1] += ends[bucket]
    order = np.empty(MOST_CARDS, np.int64)
    for i in range(size):
        bucket = cards[i] >> BUCKET_SHIFT
        order[ends[bucket]] = cards[i]
        ends[bucket] += 1
    for i in range(size):
        place(order, i, order[i])
    for i in range(size):
        deck[i] = (order[i] >> 8) & 0xFF
    return size


@rule(allocates=True)
def shuffle_single(key, deal, purpose, stream, n, chosen, deck):
    """Fill `deck` with those of the cards 0 .. n-1 whose bit is set in `chosen`, top card first; returns how many.

    Card i has the key that is word i of the stream; equal keys lie by number.
    """
    cards = np.empty(MOST_CARDS, np.int64)
    size = 0
    for block in range((n + 3) // 4):
        w0, w1, w2, w3 = stream_block(key, deal, purpose, stream, block)
        for card in range(4 * block, min(4 * block + 4, n)):
            if (chosen >> card) & 1:
                size = place(cards, size, (word_at(w0, w1, w2, w3, card - 4 * block) << 16) | card)
    for i in range(size):
        deck[i] = cards[i] & 0xFFFF
    return size


@rule
def total(counts):
    """Sum of an array of small counts."""
    cards = 0
    for count in counts:
        cards += int(count)
    return cards


@rule
def place(cards, size, card):
    """Insert `card` into the ascending `cards[:size]`; returns the new size."""
    i = size
    while i > 0 and cards[i - 1] > card:
        cards[i] = cards[i - 1]
        i -= 1
    cards[i] = card
    return size + 1
