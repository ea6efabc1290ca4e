"""End of Atlantis as the questions see it."""

from analysis.games.end_of_atlantis import label_options
from analysis.questions.question import Traits

TRAITS = Traits(
    cannot={
        "tiers": "End of Atlantis has no diver cards: actions have no tiers there.",
        "stuck": "Nobody catches breath in End of Atlantis; agency tells how many turns pass without a card.",
        "sets": "End of Atlantis has no treasures to collect in sets.",
        "research-stack": "End of Atlantis has no Research cards.",
        "crates": "End of Atlantis has no treasures and no crates; ships tells what reaches land.",
        "hurricane": "No player ends a game of End of Atlantis: the third Doom! does; see length and last-rounds.",
    },
    rests={
        "seat": ("E08", "E12", "E14", "E33"),
        "policy": ("E08", "E12", "E14", "E33"),
        "audit": (),
        "length": ("E15", "E16", "E17"),
        "last-rounds": ("E15", "E16", "E04", "E62"),
        "decided": ("E15", "E16", "E04"),
        "comeback": ("E15", "E16", "E04"),
        "scoring": ("E01", "E02", "E03", "E04", "E10", "E21", "E22"),
        "margin": ("E01", "E02", "E03", "E04"),
        "faction": ("E33", "E34", "E55", "E56", "E57"),
        "senate": ("E08", "E22", "E27", "E61", "E69"),
        "auction": ("E07", "E13", "E50", "E47", "E77"),
        "card": ("E01", "E04", "E07", "E43", "E76", "E79", "E80"),
        "unused": ("E04", "E07", "E54", "E69", "E76", "E78"),
        "event": ("E05", "E06", "E16", "E18", "E23"),
        "neutrals": ("E05", "E10", "E11", "E12", "E29", "E30"),
        "ships": ("E01", "E02", "E03", "E24", "E71", "E72"),
        "ties": ("E08", "E13", "E27", "E38", "E22"),
        "pile-on": ("E43", "E69", "E80"),
        "agency": ("E07", "E54"),
    },
    doing={
        "decisions": "decisions",
        "cards_played": "cards played",
        "votes_won": "votes won",
        "spent": "influence bid on cards",
        "landed": "refugees landed",
        "waiting": "longest wait, in decisions of others",
    },
    idle=("cards_played", 0, 0, "turns in which a player plays no card"),
    uses=(("play_", "play"), ("special_", "play Special"), ("ability_", "use")),
    labels={name: label for group in label_options() for name, label in group.labels.items()},
    panel=(("strong", 1000), ("search:20", 500), ("fast", 20_000), ("greedy", 50_000)),
    ladder=("random", "greedy", "tuned"),
    metrics={
        "landed": ("refugees landed a seat", "cubes"),
        "votes_won": ("votes won a seat", "votes"),
        "spent": ("influence bid a seat", "cubes"),
    },
    speed={"random": 100, "greedy": 150, "tuned": 155, "search": 250, "compile": 40},
    end_vp="Special cards at the end of the game",
)
