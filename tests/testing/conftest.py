"""What the tests of the pytest plugin share."""

from __future__ import annotations

from pathlib import Path

import pytest
from testing.projects import Project


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """An empty project."""
    return Project(tmp_path)
