"""A folder in which the real command is run."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli.folder import SCORERS, Folder


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    """A folder with the module `scorers`."""
    made = Folder(tmp_path)
    made.write("scorers.py", SCORERS)
    return made
