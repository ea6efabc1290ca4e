"""The rules of the games, jitted. Nothing here knows of files, frames or the command line.

Numba's own check of its cache looks only at the file a function stands in, not at the functions it calls, nor at
flags. So compiled code is kept in a folder named by a digest of every source it may contain, the numba version and the
flags: a changed rule can never meet old machine code. Each game has a folder of its own, as no game calls another; so
has each package that brings a game.
"""

import contextlib
import hashlib
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import numba
import platformdirs

ROOT = Path(__file__).parent
_KEPT = 4  # compiled generations kept of each game; older ones are pruned

# Loops here run over five seats or ships: vector code for them is larger and no faster, and costs compile time.
numba.config.LOOP_VECTORIZE = 0
# More passes of optimisation take a fifth longer to compile and give code that is no faster.
if "NUMBA_OPT" not in os.environ:
    numba.config.OPT = type(numba.config.OPT)(1)


def _sources(owner: str) -> Iterator[Path]:
    """The sources that the compiled code of an owner (see _owner) may contain."""
    yield from sorted(ROOT.glob("*.py"))
    yield from sorted((ROOT / "engine").rglob("*.py"))
    if owner.startswith("kernels."):
        yield from sorted((ROOT / owner.partition(".")[2]).rglob("*.py"))
    elif owner != "kernels":
        yield from sorted(ROOT.rglob("*.py"))
        yield from sorted(_folder(owner).rglob("*.py"))


def _folder(owner: str) -> Path:
    """Where a package outside stands; for a module alone, a folder of its name that is not there."""
    module = sys.modules[owner]
    return Path(module.__path__[0]) if hasattr(module, "__path__") else Path(owner)


def _digest(owner: str) -> str:
    digest = hashlib.sha256()
    for source in _sources(owner):
        digest.update(source.as_posix().removeprefix(ROOT.as_posix()).encode())
        digest.update(source.read_bytes())
    flags = (numba.__version__, numba.config.BOUNDSCHECK, numba.config.OPT, numba.config.DEBUGINFO_DEFAULT)
    digest.update(repr(flags).encode())
    return digest.hexdigest()[:16]


def _writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    return os.access(folder, os.W_OK)


@cache
def cache_of(owner: str) -> Path:
    """The folder for the compiled code of an owner; a temporary one if it must be."""
    own = os.environ.get("NUMBA_CACHE_DIR")
    parent = Path(own) if own else Path(platformdirs.user_cache_dir("atlantis")) / "compiled"
    name = "shared" if owner == "kernels" else owner.removeprefix("kernels.")
    folder = parent / f"{name}-{_digest(owner)}"
    if not _writable(folder):
        return Path(tempfile.mkdtemp(prefix="atlantis-"))
    with contextlib.suppress(OSError):
        os.utime(folder)
        generations = sorted(parent.glob(f"{name}-*"), key=lambda path: path.stat().st_mtime)
        for old in generations[:-_KEPT]:
            shutil.rmtree(old, ignore_errors=True)
    return folder


def _owner(module: str) -> str:
    """Whose compiled code a module's is: a game's kernel package here, the kernels themselves, or a package outside."""
    top, _, rest = module.partition(".")
    game = rest.partition(".")[0]
    inside = top == "kernels" and game not in ("", "engine") and (ROOT / game).is_dir()
    return f"kernels.{game}" if inside else top


def choose_cache(module: str) -> None:
    """From now on numba keeps what it compiles where that module's code belongs."""
    numba.config.CACHE_DIR = str(cache_of(_owner(module)))


def is_compiled(package: str) -> bool:
    """Whether the game of that kernel package has been compiled before on this machine, for these sources."""
    return any(cache_of(_owner(package)).glob("**/loop.play_games-*.nbi"))
