"""The built-in policies of End of Atlantis, by name (kernels.engine.registry)."""

from kernels.engine.registry import Registry

REGISTRY = Registry(
    "kernels.end_of_atlantis",
    {
        "greedy": "judges each choice by the VP, cubes and tempo it expects; one weight vector",
        "search": "tries each choice in worlds it cannot tell from the real one; search:N in N trials (200)",
        "taught": "does what a network has learned from a slower player; greedy where there is none",
    },
    heuristic="greedy",
    numbered={"search": "simulations"},
)
