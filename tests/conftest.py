"""Markers of the test suite."""

import pytest


def pytest_configure(config: pytest.Config) -> None:
    """Register the markers; pyproject.toml has strict ones."""
    config.addinivalue_line(
        "markers",
        "nojit: worth running with NUMBA_DISABLE_JIT=1 too, where the kernels are plain Python (pytest -m nojit)",
    )
