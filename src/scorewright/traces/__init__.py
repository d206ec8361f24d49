"""Readers of recorded agent runs: one dialect a module, one canonical run for all of them."""

from scorewright.traces.dialect import Dialect
from scorewright.traces.dialects import DIALECTS
from scorewright.traces.faults import TraceFault, UnknownDialect, Unreadable
from scorewright.traces.gaps import GAP_CODES
from scorewright.traces.reading import detected, read_runs

__all__ = [
    "DIALECTS",
    "GAP_CODES",
    "Dialect",
    "TraceFault",
    "UnknownDialect",
    "Unreadable",
    "detected",
    "read_runs",
]
