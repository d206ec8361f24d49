"""`import scorewright` is light and changes nothing."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
HEAVY = {"anyio", "asyncio", "cyclopts", "hypothesis", "instructor", "openai", "pydantic", "rich"}


def in_a_fresh_process(code: str) -> str:
    """What this code prints, on stdout or stderr, with warnings as errors."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        cwd=ROOT / "tests",
        env=os.environ | {"PYTHONPATH": str(ROOT / "src")},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


def test_nothing_heavy_is_loaded() -> None:
    """Judges, laws and the command line load what they need when they are used."""
    loaded = in_a_fresh_process("import sys, scorewright; print(*{name.partition('.')[0] for name in sys.modules})")
    assert set(loaded.split()) & HEAVY == set()


def test_nothing_is_printed() -> None:
    """Neither words nor warnings."""
    assert in_a_fresh_process("import scorewright") == ""


def test_asyncio_is_left_as_it_is() -> None:
    """No attribute of asyncio or its modules is replaced (as nest_asyncio does)."""
    changed = in_a_fresh_process("""if True:
        import asyncio, sys
        modules = [m for name, m in sys.modules.items() if name.partition(".")[0] == "asyncio"]
        things = [*modules, *(v for m in modules for v in vars(m).values() if isinstance(v, type))]
        before = [dict(vars(thing)) for thing in things]
        import scorewright
        print(*(thing for thing, was in zip(things, before) if dict(vars(thing)) != was))
    """)
    assert changed.strip() == ""
