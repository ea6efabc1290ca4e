"""The state, field by field (contract, chapter of that name)."""

import copy
from types import SimpleNamespace

FIELDS = [
    "turn",
    "seat",
    "prompt",
    "actor",
    "phase",
    "hand",
    "waiting",
    "diver_deck",
    "diver_discard",
    "treasure_row",
    "treasure_deck",
    "treasure_main",
    "treasures",
    "ship_deck",
    "ships",
    "crates",
    "research_row",
    "research_deck",
    "research",
    "hurricane",
    "turns_left",
    "cards_played",
    "pairs_played",
    "used",
    "acted",
    "action",
    "slot",
    "left",
    "vp",
    "vp_by",
    "loaded",
    "end_reason",
]


def new_state(rules, seed, deal):
    """Every field before the setup, and four helpers that the contract does not list."""
    players = rules["players"]
    return SimpleNamespace(
        turn=0,
        seat=0,
        prompt="none",
        actor=-1,
        phase="turns",
        hand=[[0] * 6 for _ in range(players)],
        waiting=[0] * 6,
        diver_deck=[],
        diver_discard=[0] * 6,
        treasure_row=[-1] * 6,
        treasure_deck=[],
        treasure_main=0,
        treasures=[[0] * 7 for _ in range(players)],
        ship_deck=[[], [], []],
        ships=[[0] * 3 for _ in range(players)],
        crates=[0] * players,
        research_row=[-1] * 4,
        research_deck=[],
        research=[[0] * 16 for _ in range(players)],
        hurricane=-1,
        turns_left=-1,
        cards_played=0,
        pairs_played=0,
        used=[0] * 4,
        acted=0,
        action=-1,
        slot=-1,
        left=-1,
        vp=[0] * players,
        vp_by=[[0] * 15 for _ in range(players)],
        loaded=[[0] * 7 for _ in range(players)],
        end_reason=-1,
        # helpers, not compared
        seed=seed,
        deal=deal,
        reshuffles=0,  # r of the diver reshuffles
        hand_before=[0] * 6,  # the hand as it was before this action was paid (A25)
        taken=0,  # cards taken by this action
        taken_from=[],  # locations a drink has taken from
    )


def view(state):
    """A copy of every field of the contract."""
    return {name: copy.deepcopy(getattr(state, name)) for name in FIELDS}
