"""Rulebook chapter "1. Senate Phase"."""

from .names import CHAOS
from .special_cards import proxy


def senate_phase(g):
    """Senate Phase; Family Variant: there is none; Chaos Spreads!: skipped."""
    if not g.rules["senate"] or g.event_now == CHAOS:
        return
    g.phase = "senate"
    yield from secret_senate_bids(g)
    yield from proxy(g)


def secret_senate_bids(g):
    """Senate Phase: everyone chooses in secret, then all go into the pool together (E27 remembers that moment)."""
    g.pending = [-1] * g.players
    for seat in g.seats:
        g.pending[seat] = yield ("senate_bid", seat, list(range(g.supply[seat] + 1)))
    for seat in g.seats:
        g.supply[seat] -= g.pending[seat]
        g.pool[seat] += g.pending[seat]
    g.frozen_pool = list(g.pool)
