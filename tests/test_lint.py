"""The code reads as `pyproject.toml` says."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.once

ROOT = Path(__file__).parent.parent
FOLDERS = [folder for folder in ("src", "tests", "stubs", "typings", "docs") if (ROOT / folder).is_dir()]


@pytest.mark.typing
@pytest.mark.parametrize("command", ["check --no-cache", "format --check --no-cache"])
def test_ruff_has_nothing_to_say(command: str) -> None:
    """Rules and layout hold in every folder."""
    if importlib.util.find_spec("ruff") is None:
        missing = "ruff is not installed: pip install -e '.[test]'"
        pytest.fail(missing) if os.environ.get("CI") == "true" else pytest.skip(missing)
    done = subprocess.run(
        [sys.executable, "-m", "ruff", *command.split(), *FOLDERS],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{done.stdout}{done.stderr}"
