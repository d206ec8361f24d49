"""Judges: who is asked, and how a request becomes a reply."""

from scorewright.judges.judge import Judge

__all__ = ["Judge"]
