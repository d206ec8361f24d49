"""Ready scorers, each an ordinary value made with the builder: read it, map it, take it apart."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scorewright.library import checks, judged, safety, text, tools, trajectory

__all__ = ["checks", "judged", "safety", "text", "tools", "trajectory"]

if not TYPE_CHECKING:  # else a checker would take every name for one of ours

    def __getattr__(name: str) -> object:
        """A room, imported when it is first used: all of them together take longer than the rest of the package."""
        if name in __all__:
            from importlib import import_module

            return import_module(f"{__name__}.{name}")
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
