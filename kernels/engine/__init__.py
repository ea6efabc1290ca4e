"""What every game shares, written once: the batch loop, search, the recorder's frame, the registry of policies.

A module here that is marked `shared` compiles nothing by itself. At its head stands what a game must give to it, and
from which of the game's own modules; `bind` (kernels.jit) compiles it for one game.
"""
