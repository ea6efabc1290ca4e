"""Random words by counter: Philox4x32-10 (Salmon, Moraes, Dror, Shaw: Parallel random numbers, SC 2011).

A word depends on (seed, deal, purpose, stream, position) alone, so games share no state and two variants on one
seed meet the same cards. docs/contracts/end_of_atlantis.md says which purpose and stream every draw uses.

Words live in uint64, masked to 32 bits, and never meet plain integers: the interpreted pass must give the same
bits.
"""

import numpy as np

from kernels.jit import rule

MASK = np.uint64(0xFFFFFFFF)
HALF = np.uint64(32)
MULTIPLIER_0 = np.uint64(0xD2511F53)
MULTIPLIER_1 = np.uint64(0xCD9E8D57)
WEYL_0 = np.uint64(0x9E3779B9)
WEYL_1 = np.uint64(0xBB67AE85)


@rule
def philox(k0, k1, c0, c1, c2, c3):
    """Four 32-bit words (as uint64) for a key of two and a counter of four."""
    for _ in range(10):
        product_0 = MULTIPLIER_0 * c0
        product_1 = MULTIPLIER_1 * c2
        c0 = (product_1 >> HALF) ^ c1 ^ k0
        c1 = product_1 & MASK
        c2 = (product_0 >> HALF) ^ c3 ^ k1
        c3 = product_0 & MASK
        k0 = (k0 + WEYL_0) & MASK
        k1 = (k1 + WEYL_1) & MASK
    return c0, c1, c2, c3


@rule
def stream_block(key, deal, purpose, stream, block):
    """Block `block` of the stream (deal, purpose, stream) under `key` (two uint64 words of 32 bits each)."""
    return philox(
        np.uint64(key[0]), np.uint64(key[1]), np.uint64(deal), np.uint64(purpose), np.uint64(stream), np.uint64(block)
    )


@rule
def word_at(w0, w1, w2, w3, i):
    """Word i of a block as an int."""
    if i == 0:
        return int(w0)
    if i == 1:
        return int(w1)
    if i == 2:
        return int(w2)
    return int(w3)


@rule
def draw_word(state, purpose, seat):
    """The next word of the seat's own stream as an int; words of a block not yet used are kept in the state."""
    left = int(state.draw_left[seat])
    if left == 0:
        block = int(state.draw_block[seat])
        w0, w1, w2, w3 = stream_block(
            state.policy_key, state.deal, purpose + 256 * int(state.replicate), int(state.draw_stream[seat]), block
        )
        state.draw_words[seat, 0] = w0
        state.draw_words[seat, 1] = w1
        state.draw_words[seat, 2] = w2
        state.draw_words[seat, 3] = w3
        state.draw_block[seat] = block + 1
        left = 4
    state.draw_left[seat] = left - 1
    return int(state.draw_words[seat, 4 - left])


@rule
def draw_spare(state, purpose):
    """The next word of a resampled world's own stream, keyed by whoever made that world."""
    left = int(state.spare_left)
    if left == 0:
        block = int(state.spare_block)
        w0, w1, w2, w3 = stream_block(state.key, state.deal, purpose, 0, block)
        state.spare_words[0] = w0
        state.spare_words[1] = w1
        state.spare_words[2] = w2
        state.spare_words[3] = w3
        state.spare_block = block + 1
        left = 4
    state.spare_left = left - 1
    return int(state.spare_words[4 - left])


@rule
def below(word, n):
    """A number from 0 to n-1 out of one 32-bit word; its bias is under n / 2**32."""
    return (word * n) >> 32
