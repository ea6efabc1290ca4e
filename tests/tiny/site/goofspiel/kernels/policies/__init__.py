"""The built-in policies of Goofspiel."""

from kernels.engine.registry import Registry

REGISTRY = Registry(
    "goofspiel.kernels",
    {
        "greedy": "bids the card whose number is nearest to the prize's",
        "search": "tries each card in worlds it cannot tell from the real one; search:N in N trials (200)",
        "taught": "does what a network has learned from a slower player; greedy where there is none",
    },
    heuristic="greedy",
    numbered={"search": "simulations"},
)
