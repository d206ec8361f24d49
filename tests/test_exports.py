"""What the packages hand on."""

from __future__ import annotations

import ast
import importlib
from pathlib import Path

import pytest

SRC = Path(__file__).parent.parent / "src"
PACKAGES = {".".join(file.parent.relative_to(SRC).parts): file for file in sorted(SRC.rglob("__init__.py"))}

every_package = pytest.mark.parametrize("package", PACKAGES)


def exported(package: str) -> list[str]:
    return list(getattr(importlib.import_module(package), "__all__", ()))


def handed_on(file: Path) -> set[str]:
    """The public names that an `__init__` takes from the modules of the project."""
    imports = [node for node in ast.walk(ast.parse(file.read_text())) if isinstance(node, ast.ImportFrom)]
    ours = [node for node in imports if node.level or (node.module or "").partition(".")[0] == "scorewright"]
    names = {alias.asname or alias.name for node in ours for alias in node.names}
    return {name for name in names if not name.startswith("_")}


def rank(name: str) -> tuple[int, str]:
    """CONSTANTS, then Classes, then functions, as ruff sorts them."""
    return (0 if name.isupper() and len(name) > 1 else 1 if name[0].isupper() else 2, name)


@every_package
def test_all_is_sorted_and_says_each_name_once(package: str) -> None:
    """A reader finds a name by its place."""
    assert exported(package) == sorted(set(exported(package)), key=rank)


@every_package
def test_all_is_complete(package: str) -> None:
    """`__all__` holds exactly the names that the package takes from its modules."""
    assert set(exported(package)) == handed_on(PACKAGES[package])


@every_package
def test_every_name_can_be_imported(package: str) -> None:
    """No name in `__all__` is a promise only."""
    module = importlib.import_module(package)
    assert [name for name in exported(package) if not hasattr(module, name)] == []
