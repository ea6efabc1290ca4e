"""Victory points: the one place where a score changes, so that every point has a source."""

from kernels.jit import rule


@rule
def gain(state, rules, seat, source, amount):
    """Add `amount` VP (negative: lose) from `source`; a score never falls below 0 unless E32 allows it."""
    vp = int(state.vp[seat])
    if vp + amount < 0 and rules.negative_scores == 0:
        amount = -vp
    state.vp[seat] = vp + amount
    state.vp_by[seat, source] += amount
