"""Scorers of what a run did: expected steps, budgets, repetitions, failures, forbidden calls."""

from scorewright.library.trajectory.budgets import step_budget, time_budget, token_budget
from scorewright.library.trajectory.calls import redundancy, tool_failures
from scorewright.library.trajectory.efficiency import efficiency
from scorewright.library.trajectory.expected import Expectation, ExpectedStep, Together, step, together
from scorewright.library.trajectory.forbidden import forbidden_tools
from scorewright.library.trajectory.match import trajectory_match
from scorewright.library.trajectory.matchers import (
    Matcher,
    Partial,
    anything,
    ignoring_case,
    near,
    partial,
    pattern,
    where,
)
from scorewright.library.trajectory.path import Path, PathScorer, PathStep, Told, for_runs, path
from scorewright.library.trajectory.quality import trajectory_quality
from scorewright.library.trajectory.scoring import Weights, trajectory_score

__all__ = [
    "Expectation",
    "ExpectedStep",
    "Matcher",
    "Partial",
    "Path",
    "PathScorer",
    "PathStep",
    "Together",
    "Told",
    "Weights",
    "anything",
    "efficiency",
    "for_runs",
    "forbidden_tools",
    "ignoring_case",
    "near",
    "partial",
    "path",
    "pattern",
    "redundancy",
    "step",
    "step_budget",
    "time_budget",
    "together",
    "token_budget",
    "tool_failures",
    "trajectory_match",
    "trajectory_quality",
    "trajectory_score",
    "where",
]
