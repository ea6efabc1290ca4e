"""The rules of the games, jitted. Nothing here knows of files, frames or the command line.

Numba's own check of its cache looks only at the file a function stands in, not at the functions it calls, nor at
flags. So compiled code is kept in a folder named by a digest of every source it may contain, the numba version and the
flags: a changed rule can never meet old machine code. Each game has a folder of its own, as no game calls another.
"""

import contextlib
import hashlib
import os
import shutil
import tempfile
from functools import cache
from pathlib import Path

import numba
import platformdirs

ROOT = Path(__file__).parent
_KEPT = 4  # compiled generations kept of each game; older ones are pruned

# Loops here run over five seats or ships: vector code for them is larger and no faster, and costs compile time.
numba.config.LOOP_VECTORIZE = 0


def _digest(package: str) -> str:
    """Of the sources shared by all games and those of one; "" for the shared ones alone."""
    digest = hashlib.sha256()
    own = sorted((ROOT / package).rglob("*.py")) if package else []
    for source in [*sorted(ROOT.glob("*.py")), *own]:
        digest.update(source.relative_to(ROOT).as_posix().encode())
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
def cache_of(package: str) -> Path:
    """The folder for the compiled code of one game, "" for what the games share; a temporary one if it must be."""
    own = os.environ.get("NUMBA_CACHE_DIR")
    parent = Path(own) if own else Path(platformdirs.user_cache_dir("atlantis")) / "compiled"
    name = package or "shared"
    folder = parent / f"{name}-{_digest(package)}"
    if not _writable(folder):
        return Path(tempfile.mkdtemp(prefix="atlantis-"))
    with contextlib.suppress(OSError):
        os.utime(folder)
        generations = sorted(parent.glob(f"{name}-*"), key=lambda path: path.stat().st_mtime)
        for old in generations[:-_KEPT]:
            shutil.rmtree(old, ignore_errors=True)
    return folder


def choose_cache(module: str) -> None:
    """From now on numba keeps what it compiles where that module's code belongs."""
    parts = module.split(".")
    inside = len(parts) > 1 and parts[0] == "kernels" and (ROOT / parts[1]).is_dir()
    numba.config.CACHE_DIR = str(cache_of(parts[1] if inside else ""))


def is_compiled(package: str) -> bool:
    """Whether the game of that kernel package has been compiled before on this machine, for these sources."""
    return any(cache_of(package).glob("**/play.play_on_desk-*.nbi"))
