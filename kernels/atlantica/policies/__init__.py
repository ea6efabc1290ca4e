"""The built-in policies of Atlantica, by name (kernels.engine.registry)."""

from kernels.engine.registry import Registry

REGISTRY = Registry(
    "kernels.atlantica",
    {
        "greedy": "judges each choice by the VP, crates and cards it expects; one weight vector",
        "search": "tries each choice in worlds it cannot tell from the real one; search:N in N trials (200)",
        "taught": "does what a network has learned from a slower player; greedy where there is none",
    },
    heuristic="greedy",
    numbered={"search": "simulations"},
)
