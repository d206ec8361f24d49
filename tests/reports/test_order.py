"""The modules of this room in an order: what is said knows nothing of how it is shown."""

from __future__ import annotations

import ast
from graphlib import TopologicalSorter
from pathlib import Path

from scorewright import reports

ROOM = Path(reports.__file__).parent


def test_no_module_uses_what_uses_it() -> None:
    """Also inside functions and under TYPE_CHECKING; front doors hand names on."""
    modules = {
        ".".join(("scorewright", "reports", *file.relative_to(ROOM).with_suffix("").parts)): file
        for file in ROOM.rglob("*.py")
        if file.name != "__init__.py"
    }
    used = {
        name: {
            known
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
            if isinstance(node, ast.ImportFrom) and node.module
            for known in (node.module, *(f"{node.module}.{alias.name}" for alias in node.names))
            if known in modules
        }
        for name, file in modules.items()
    }
    order = [*TopologicalSorter(used).static_order()]  # raises CycleError where there is none
    assert order.index("scorewright.reports.report") < order.index("scorewright.reports.html.page")
