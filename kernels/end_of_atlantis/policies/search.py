"""How search judges a position of End of Atlantis; how it searches is kernels.engine.search."""

import sys

from kernels.end_of_atlantis import codes as c
from kernels.end_of_atlantis.policies import greedy
from kernels.end_of_atlantis.voting import legal_bid
from kernels.engine import search, value
from kernels.jit import bind, rule

PORT, OCEAN, SCALE = range(search.OWN, search.OWN + 3)
OWN_NAMES = (
    "port",  # chance that a refugee aboard in port will land
    "ocean",  # and on the ocean
    "scale",  # VP of lead that count for half of a win
)
NAMES = search.name_weights(greedy.NAMES, OWN_NAMES)
WEIGHTS = search.join_weights(greedy.WEIGHTS, (200.0, 40.0, 1.0), (0.4, 0.8, 8.0))
assert len(NAMES) == len(WEIGHTS)


@rule
def prospects(state, rules, weights, seat):
    """VP of a seat and of what its refugees aboard will probably bring."""
    worth = float(state.vp[seat])
    for space in range(c.SHIPS):
        refugees = int(state.aboard[space, seat])
        if refugees > 0:
            chance = weights[PORT] if state.area[space] == c.AREA_PORT else weights[OCEAN]
            worth += chance * (greedy.chart(rules, refugees) + greedy.colours_aboard(state, space) - 1)
    return worth


@rule
def imagine(state, rules, player, weights, codes, scratch):
    """In a world dealt anew, the others' secret bids are those that the heuristic would make there."""
    prompt = int(state.prompt)
    if prompt not in (c.PROMPT_BID, c.PROMPT_SENATE_BID, c.PROMPT_DEMAGOGOS_LOOK, c.PROMPT_DEMAGOGOS_CHANGE):
        return
    actor = int(state.actor)
    state.prompt = c.PROMPT_SENATE_BID if prompt == c.PROMPT_SENATE_BID else c.PROMPT_BID
    for seat in range(rules.players):
        seen = prompt == c.PROMPT_DEMAGOGOS_CHANGE and actor == player and state.looked_at == seat
        if seat != player and not seen and state.pending[seat] != c.NONE:
            state.actor = seat
            n = legal_bid(state, codes)
            state.pending[seat] = codes[greedy.choose(state, rules, codes, n, weights, scratch)] if n > 1 else 0
    state.prompt = prompt
    state.actor = actor


VALUE = bind(value, "kernels.end_of_atlantis")
BOUND = bind(search, "kernels.end_of_atlantis", heuristic=greedy, judge=sys.modules[__name__], value=VALUE)
choose = BOUND.choose
