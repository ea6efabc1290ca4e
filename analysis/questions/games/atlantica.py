"""Atlantica as the questions see it."""

from analysis.games.atlantica import label_options
from analysis.questions.question import Traits

TRAITS = Traits(
    cannot={
        "faction": "Atlantica has no Factions.",
        "senate": "Atlantica has no Senate.",
        "auction": "Nothing is bid for in Atlantica.",
        "event": "Atlantica has no Event cards; hurricane tells what its one surprise does.",
        "neutrals": "Atlantica has no neutral refugees.",
        "ships": "Ships in Atlantica are crates to own, they make no voyages: see crates.",
        "pile-on": "Nothing in Atlantica hurts a chosen player: nobody can be singled out.",
    },
    rests={
        "seat": ("A12", "A08", "A11"),
        "policy": ("A12", "A08", "A11"),
        "audit": (),
        "length": ("A04", "A08", "A28"),
        "last-rounds": ("A08", "A30"),
        "decided": ("A08", "A09"),
        "comeback": ("A08", "A09"),
        "scoring": ("A02", "A09", "A10", "A26", "A29"),
        "ties": ("A11", "A27"),
        "tiers": ("A01", "A17", "A19", "A20"),
        "stuck": ("A07", "A14", "A32"),
        "sets": ("A09", "A10", "A13"),
        "research-stack": ("A02", "A26", "A29"),
        "crates": ("A01", "A09", "A29"),
        "hurricane": ("A08", "A27", "A28"),
        "unused": ("A03", "A07", "A20"),
    },
    doing={
        "decisions": "decisions",
        "paid": "diver cards played",
        "drawn": "diver cards drawn",
        "breaths": "breaths caught",
        "treasures": "treasures collected",
        "waiting": "longest wait, in decisions of others",
    },
    idle=("breath", 1, 2, "turns in which a player catches breath instead of acting"),
    uses=(("research_", "take Research"), ("treasure_", "take"), ("drink_", "drink for")),
    labels={name: label for group in label_options() for name, label in group.labels.items()},
    panel=(("strong", 600), ("search:20", 300), ("fast", 20_000), ("greedy", 50_000)),
    ladder=("random", "greedy", "tuned"),
    metrics={
        "treasures": ("treasures a seat", "cards"),
        "research": ("Research cards a seat", "cards"),
        "breaths": ("breaths caught a seat", "turns"),
    },
    speed={"random": 150, "greedy": 380, "tuned": 310, "search": 250, "strong": 100, "fast": 5, "compile": 25},
    strength=(
        ("search:20", "strong", 20, False),
        ("strong", "yardstick", 55, True),
        ("fast", "yardstick", 40, True),
        ("search:20", "fast", 60, False),
    ),
    exploits={"strong": 35},
)
