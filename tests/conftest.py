"""Markers of the test suite, a warning nobody needs, and the tiny game, as installed for every test."""

import os
import sys
from pathlib import Path

import pytest

# A package that brings a game, with its metadata: on the path it is found as an installed one would be, here and in
# the processes that tests start.
SITE = str(Path(__file__).parent / "tiny" / "site")
sys.path.append(SITE)
os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (os.environ.get("PYTHONPATH"), SITE)))


def pytest_configure(config: pytest.Config) -> None:
    """Register the markers, which pyproject.toml wants strict."""
    config.addinivalue_line(
        "markers",
        "nojit: worth running with NUMBA_DISABLE_JIT=1 too, where the kernels are plain Python (pytest -m nojit)",
    )
    config.addinivalue_line(
        "markers", "bounds: worth running with NUMBA_BOUNDSCHECK=1 too, where every array index is checked"
    )
    # The batch loop takes policies as function pointers, which numba calls experimental on every call.
    config.addinivalue_line("filterwarnings", "ignore:First-class function type feature is experimental")
