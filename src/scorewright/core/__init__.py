"""The core: runs, steps, programs that may ask, scorers, and the interpreters at the edge."""

from scorewright.core.about import About
from scorewright.core.answering import answering
from scorewright.core.ask import (
    Answer,
    Answerer,
    Ask,
    Attempt,
    Exchange,
    Fork,
    JudgeReply,
    JudgeRequest,
    Now,
    Outcome,
    Usage,
)
from scorewright.core.bench import Bench
from scorewright.core.collection import Scorers, SomeScorer
from scorewright.core.evaluation import Calculated, Evaluation, Evidence, ScoringFailure, StepRecord, Verdict
from scorewright.core.interpret import interpret
from scorewright.core.pipeline import Judged, Pipeline, Prepare
from scorewright.core.plan import Plan, plan
from scorewright.core.program import Again, Done, both, gather, iterate, settle, then
from scorewright.core.prompt import (
    PromptStep,
    prompt,
    prompt_json,
    reason_prompt,
    score_from,
    score_prompt,
    verdict_prompt,
)
from scorewright.core.quoting import quoted
from scorewright.core.run import Run
from scorewright.core.scale import UNBOUNDED, UNIT, Scale
from scorewright.core.scorer import Scorer
from scorewright.core.stages import Analyzed, Draft, Preprocessed, Scored, create_scorer
from scorewright.core.step import ScoredStep, Step, StepInfo, pure, pure_async
from scorewright.core.transcript import Transcript, replay, transcript_of

__all__ = [
    "UNBOUNDED",
    "UNIT",
    "About",
    "Again",
    "Analyzed",
    "Answer",
    "Answerer",
    "Ask",
    "Attempt",
    "Bench",
    "Calculated",
    "Done",
    "Draft",
    "Evaluation",
    "Evidence",
    "Exchange",
    "Fork",
    "JudgeReply",
    "JudgeRequest",
    "Judged",
    "Now",
    "Outcome",
    "Pipeline",
    "Plan",
    "Prepare",
    "Preprocessed",
    "PromptStep",
    "Run",
    "Scale",
    "Scored",
    "ScoredStep",
    "Scorer",
    "Scorers",
    "ScoringFailure",
    "SomeScorer",
    "Step",
    "StepInfo",
    "StepRecord",
    "Transcript",
    "Usage",
    "Verdict",
    "answering",
    "both",
    "create_scorer",
    "gather",
    "interpret",
    "iterate",
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
    "settle",
    "then",
    "transcript_of",
    "verdict_prompt",
]
