"""Ready scorers, each an ordinary value made with the builder: read it, map it, take it apart."""

from scorewright.library import checks, judged, safety, text, tools, trajectory

__all__ = ["checks", "judged", "safety", "text", "tools", "trajectory"]
