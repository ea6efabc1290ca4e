"""Random draws and shuffling by keys (both contracts, chapter "Random draws")."""

from tests.machinery.philox import word


def below(seed, deal, purpose, stream, i, n):
    """below(n): one word w gives (w * n) >> 32."""
    return (word(seed, deal, purpose, stream, i) * n) >> 32


def shuffled(seed, deal, purpose, first_stream, copies):
    """Cards by ascending key, equal keys by kind, then by copy; the smallest key lies on top.

    copies[kind] cards of each kind; word c of stream first_stream + kind is the key of copy c.
    """
    cards = []
    for kind in range(len(copies)):
        for copy in range(copies[kind]):
            key = word(seed, deal, purpose, first_stream + kind, copy)
            cards.append((key, kind, copy))
    cards.sort()
    return [kind for key, kind, copy in cards]
