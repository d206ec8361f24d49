"""Readers of recorded agent runs: one dialect a module, one canonical run for all of them; and how runs are scored."""

from scorewright.traces.dialect import Dialect
from scorewright.traces.dialects import DIALECTS
from scorewright.traces.faults import TraceFault, UnknownDialect, Unreadable
from scorewright.traces.gaps import GAP_CODES
from scorewright.traces.objects import agent_run_of
from scorewright.traces.reading import detected, read_runs
from scorewright.traces.scores import TraceScore, TraceScores
from scorewright.traces.scoring import score_trace, score_trace_sync, score_traces, score_traces_sync

__all__ = [
    "DIALECTS",
    "GAP_CODES",
    "Dialect",
    "TraceFault",
    "TraceScore",
    "TraceScores",
    "UnknownDialect",
    "Unreadable",
    "agent_run_of",
    "detected",
    "read_runs",
    "score_trace",
    "score_trace_sync",
    "score_traces",
    "score_traces_sync",
]
