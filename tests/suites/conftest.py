"""Scorers, suites and stores that the tests share."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture
def store(tmp_path: Path) -> str:
    """The path of a store that is not there yet."""
    return str(tmp_path / "runs.db")
