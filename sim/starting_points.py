"""Starting points: for each game a file with policies that run as they are, kept as data for a user to copy.

sim/starting_points/<package>.py.txt is that file; where it says FILE.py, the copy has its own name.
"""

from pathlib import Path

from sim.errors import UserError
from sim.games import Game

STAND_IN = "FILE.py"
UNFIT = ',*:"\\$`'  # characters that would mean something else in a lineup, between quotation marks or in a docstring


def write_starting_point(game: Game, path: Path, *, force: bool = False) -> list[str]:
    """Write the game's starting point to `path`; returns the commands, found in the file, that try it out.

    Raises UserError if `path` is there already and `force` is not set, if it does not name a file that a lineup can
    name, or if it cannot be written.
    """
    if path.suffix != ".py" or set(str(path)) & set(UNFIT):
        raise UserError(f"{path}: the name of a policy file ends in .py and has none of {' '.join(UNFIT)} in it.")
    if path.exists() and not force:
        raise UserError(f"{path} is there already; choose another name, or --force replaces it.")
    text = game.file("sim.starting_points", ".py.txt").read_text(encoding="utf-8").replace(STAND_IN, str(path))
    try:
        path.write_bytes(text.encode())
    except (OSError, ValueError) as error:  # ValueError: a name that is no text
        raise UserError(f"{path} cannot be written: {getattr(error, 'strerror', None) or error}.") from error
    return [line.strip() for line in text.splitlines() if line.startswith("    atlantis ")]
