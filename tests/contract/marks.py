"""Who may see a field of a state, as its comment in the source says."""

import inspect
import re
from types import ModuleType

from kernels.engine import contract
from sim.games import Game

MARK = re.compile(r"\((the top one )?(all|own|none)\b")


def read_marks(game: Game) -> dict[str, str]:
    """Field -> all, own or none, or top for (the top one all); "" where its comment says nothing."""
    marks = _read(contract) | _read(game.module("state"))
    return {name: marks.get(name, "") for name in game.module("state").STATE.names}


def _read(module: ModuleType) -> dict[str, str]:
    lines = (re.match(r'\s*\("(\w+)", .*?\),\s+# (.*)$', line) for line in inspect.getsource(module).splitlines())
    found = ((match[1], MARK.search(match[2])) for match in lines if match)
    return {name: "top" if mark[1] else mark[2] for name, mark in found if mark}
