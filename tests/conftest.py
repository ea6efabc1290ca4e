"""Markers of the test suite, and a warning nobody needs."""

import pytest


def pytest_configure(config: pytest.Config) -> None:
    """Register the markers, which pyproject.toml wants strict."""
    config.addinivalue_line(
        "markers",
        "nojit: worth running with NUMBA_DISABLE_JIT=1 too, where the kernels are plain Python (pytest -m nojit)",
    )
    # The batch loop takes policies as function pointers, which numba calls experimental on every call.
    config.addinivalue_line("filterwarnings", "ignore:First-class function type feature is experimental")
