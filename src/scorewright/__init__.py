"""Typed, functional scorers for what language models and agents do.

PYTEST_DONT_REWRITE: our modules hold nothing that pytest's plugin machinery should rewrite.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorewright.core import (
    UNBOUNDED,
    Bench,
    Calculated,
    Evaluation,
    JudgeReply,
    JudgeRequest,
    Outcome,
    Run,
    Scale,
    ScoredStep,
    Scorer,
    ScoringFailure,
    Step,
    Verdict,
    answering,
    create_scorer,
    plan,
    prompt,
    prompt_json,
    pure,
    pure_async,
    quoted,
    reason_prompt,
    replay,
    score_from,
    score_prompt,
    then,
    transcript_of,
    verdict_prompt,
)
from scorewright.faults import DefinitionError, Fault, JudgeFault, NotScorable
from scorewright.results import attempt, err, fold, ok

if TYPE_CHECKING:
    from scorewright.judges import Judge

__all__ = [
    "UNBOUNDED",
    "Bench",
    "Calculated",
    "DefinitionError",
    "Evaluation",
    "Fault",
    "Judge",
    "JudgeFault",
    "JudgeReply",
    "JudgeRequest",
    "NotScorable",
    "Outcome",
    "Run",
    "Scale",
    "ScoredStep",
    "Scorer",
    "ScoringFailure",
    "Step",
    "Verdict",
    "answering",
    "attempt",
    "create_scorer",
    "err",
    "fold",
    "ok",
    "plan",
    "prompt",
    "prompt_json",
    "pure",
    "pure_async",
    "quoted",
    "reason_prompt",
    "replay",
    "score_from",
    "score_prompt",
    "then",
    "transcript_of",
    "verdict_prompt",
]


def __getattr__(name: str) -> object:
    """`Judge` is loaded when it is first used: a scorer without prompts needs no judge."""
    if name == "Judge":
        from scorewright.judges import Judge

        return Judge
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
