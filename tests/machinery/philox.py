"""Philox4x32-10 (Salmon et al. 2011) and the named streams of the contract's chapter "Random draws"."""

MASK = 0xFFFFFFFF


def philox4x32_10(counter, key):
    """Ten rounds over four 32-bit counter words and two key words."""
    c0, c1, c2, c3 = counter
    k0, k1 = key
    for _ in range(10):
        a, b = 0xD2511F53 * c0, 0xCD9E8D57 * c2
        c0, c1, c2, c3 = (b >> 32) ^ c1 ^ k0, b & MASK, (a >> 32) ^ c3 ^ k1, a & MASK
        k0, k1 = (k0 + 0x9E3779B9) & MASK, (k1 + 0xBB67AE85) & MASK
    return c0, c1, c2, c3


def word(seed, deal, purpose, stream, i):
    """Word i of the stream (deal, purpose, stream) of a run seed."""
    block = philox4x32_10((deal, purpose, stream, i // 4), (seed & MASK, (seed >> 32) & MASK))
    return block[i % 4]
