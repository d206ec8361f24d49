"""Suites: rows from any file, scored by several scorers at once, and what is asked of the scores."""

from scorewright.suites.assigned import Assigned
from scorewright.suites.coverage import Coverage, Measured
from scorewright.suites.deciding import Decision, GateResult, ThresholdResult, Verdict
from scorewright.suites.evaluate import evaluate, evaluate_sync
from scorewright.suites.executors import ChunkJob, Executor, Kept, ProcessExecutor, WorkerDied, score_chunk
from scorewright.suites.records import ItemRecord, ItemScore
from scorewright.suites.rows import (
    ABSENT,
    ALIASES,
    FIELDS,
    FORMATS,
    Absent,
    BrokenRow,
    Place,
    Row,
    RowItem,
    RowSource,
    RowsRefused,
    read_rows,
)
from scorewright.suites.settings import For
from scorewright.suites.suite import Suite
from scorewright.suites.summary import FailedItem, Reason, ScorerSummary, Summary, UnscoredItem
from scorewright.suites.tally import Low
from scorewright.suites.targets import Answered, StepRun, Steps, TargetFault, TargetRaised, TargetTimedOut
from scorewright.suites.thresholds import Asserted, Gate, Threshold, at_least, at_most, pass_rate

__all__ = [
    "ABSENT",
    "ALIASES",
    "FIELDS",
    "FORMATS",
    "Absent",
    "Answered",
    "Asserted",
    "Assigned",
    "BrokenRow",
    "ChunkJob",
    "Coverage",
    "Decision",
    "Executor",
    "FailedItem",
    "For",
    "Gate",
    "GateResult",
    "ItemRecord",
    "ItemScore",
    "Kept",
    "Low",
    "Measured",
    "Place",
    "ProcessExecutor",
    "Reason",
    "Row",
    "RowItem",
    "RowSource",
    "RowsRefused",
    "ScorerSummary",
    "StepRun",
    "Steps",
    "Suite",
    "Summary",
    "TargetFault",
    "TargetRaised",
    "TargetTimedOut",
    "Threshold",
    "ThresholdResult",
    "UnscoredItem",
    "Verdict",
    "WorkerDied",
    "at_least",
    "at_most",
    "evaluate",
    "evaluate_sync",
    "pass_rate",
    "read_rows",
    "score_chunk",
]
