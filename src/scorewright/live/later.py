"""Names of a package that are loaded when they are first used, with what they bring."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module


def loading(package: str, homes: Mapping[str, str], /) -> Callable[[str], object]:
    """The `__getattr__` of a package: each name with the module, below that package, that holds it."""

    def load(name: str) -> object:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        found: object = getattr(import_module(f"{package}.{homes[name]}"), name)
        return found

    return load
