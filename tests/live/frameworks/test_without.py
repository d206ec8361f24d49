"""Without the frameworks: nothing of them is imported, and what is missing is said."""

from __future__ import annotations

import subprocess
import sys

import pytest

from scorewright.live import frameworks

HIDDEN = """
import sys
for name in ("pydantic_ai", "agents", "langchain_core", "langgraph", "starlette", "fastapi"):
    sys.modules[name] = None  # as if it were not installed
"""


def told(code: str) -> str:
    """What a fresh Python says last."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=False)
    return (done.stdout or done.stderr).strip().splitlines()[-1]


def test_the_room_imports_no_framework() -> None:
    """Not even the middleware."""
    code = "import sys, scorewright.live, scorewright.live.frameworks as f; f.ScoringMiddleware; "
    names = ("pydantic_ai", "agents", "langchain_core", "langgraph", "starlette", "pydantic", "opentelemetry")
    assert told(code + f"print([name for name in {names!r} if name in sys.modules])") == "[]"


@pytest.mark.parametrize(
    ("name", "package"),
    [
        ("ScoringCapability", "pydantic-ai-slim"),
        ("ScoringTraceProcessor", "openai-agents"),
        ("ScoringCallback", "langchain-core"),
    ],
)
def test_what_is_missing_is_said(name: str, package: str) -> None:
    """With what to install."""
    said = told(f"{HIDDEN}\nfrom scorewright.live.frameworks import {name}")
    assert said.startswith("ImportError: ")
    assert f"pip install '{package}" in said


def test_a_name_that_is_none() -> None:
    """Is an attribute error, as everywhere."""
    with pytest.raises(AttributeError, match="ScoringEverything"):
        _ = frameworks.ScoringEverything
