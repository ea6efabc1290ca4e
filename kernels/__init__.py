"""The rules of the games, jitted. Nothing here knows of files, frames or the command line.

Importing this package chooses the folder in which numba keeps compiled code. Numba's own check looks only at the
file a function stands in, not at the functions it calls, nor at flags: so the folder is named by a digest of all
kernel sources, the numba version and the flags, and a changed rule can never meet old machine code.
"""

import contextlib
import hashlib
import os
import shutil
import tempfile
from pathlib import Path

import numba
import platformdirs

_KEPT = 4  # compiled generations kept; older ones are pruned


def _digest() -> str:
    digest = hashlib.sha256()
    root = Path(__file__).parent
    for source in sorted(root.rglob("*.py")):
        digest.update(source.relative_to(root).as_posix().encode())
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


def _choose_cache() -> Path:
    own = os.environ.get("NUMBA_CACHE_DIR")
    parent = Path(own) if own else Path(platformdirs.user_cache_dir("atlantis")) / "compiled"
    folder = parent / f"atlantis-{_digest()}"
    if not _writable(folder):
        return Path(tempfile.mkdtemp(prefix="atlantis-"))
    with contextlib.suppress(OSError):
        os.utime(folder)
        generations = sorted(parent.glob("atlantis-*"), key=lambda path: path.stat().st_mtime)
        for old in generations[:-_KEPT]:
            shutil.rmtree(old, ignore_errors=True)
    return folder


# Loops here run over five seats or ships: vector code for them is larger and no faster, and costs compile time.
numba.config.LOOP_VECTORIZE = 0

CACHE = _choose_cache()
numba.config.CACHE_DIR = str(CACHE)


def is_compiled(package: str) -> bool:
    """Whether the game of that kernel package has been compiled before on this machine, for these sources."""
    return any(CACHE.glob(f"**/{package}*/play.play_on_desk-*.nbi"))
