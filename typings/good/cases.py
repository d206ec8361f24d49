"""What users of other tools could not get past their checker: here it passes, and infers. Each names its case."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_type

import attrs
from returns.result import Result
from scorewright import (
    Evaluation,
    Judge,
    JudgeFault,
    Run,
    Scorer,
    ScoringFailure,
    Step,
    create_scorer,
    ok,
    prompt,
    pure,
    pure_async,
)
from scorewright.agents import create_trajectory_scorer
from scorewright.algebra import Criterion, jury, mean, rubric
from scorewright.suites import Suite


@attrs.frozen
class Claim:
    text: str


@attrs.frozen
class Ruling:
    passed: bool


@attrs.frozen
class Refusal:
    why: str


judge = Judge("openai/gpt-4o-mini")
draft = create_scorer("asked", input=str, output=str, judge=judge)
run = Run("question", "answer")

# instructor#893: awaited, an answer has the type that was asked for: a class, a list, a union.
ruled = draft.analyze(prompt(Ruling, lambda s: s.run.output)).generate_score(pure(lambda s: s.ana.passed))
listed = draft.analyze(prompt(list[Claim], lambda s: s.run.output)).generate_score(pure(lambda s: len(s.ana) / 9))
either = draft.analyze(prompt(Ruling | Refusal, lambda s: s.run.output)).generate_score(
    pure(lambda s: s.ana.passed if isinstance(s.ana, Ruling) else 0.0)
)


async def awaited() -> None:
    assert_type(await ruled.run(run), Result[Evaluation, ScoringFailure[JudgeFault]])
    assert_type(await listed.run(run), Result[Evaluation, ScoringFailure[JudgeFault]])
    assert_type((await either.run(run)).unwrap().score, float)


# braintrust-sdk-python#443: lists of what is narrower than the parameter says, without an annotation.
judges = [judge, Judge("openai/gpt-4o")]
texts = ["Polite", "Short"]
criteria = [Criterion("Polite"), Criterion("Short", required=False)]
rows = [run, Run("other question", "other answer")]
jury(ruled, judges)
rubric("rules", texts, input=str, output=str, judge=judge)
rubric("rules", criteria, input=str, output=str, judge=judge)


def scores(scorer: Scorer[str, str], runs: Sequence[Run[str, str]]) -> list[float]:
    return [scorer.run_sync(each).unwrap().score for each in runs]


assert_type(scores(mean(ruled, listed), rows), list[float])


# openevals#95: functions of every make, in all checkers; each takes the one step and reads of it what it needs.
def measured(step: Step[str, str, None, None]) -> float:
    return len(step.run.output) / 100


def alike(step: Step[str, str, None, None]) -> bool:
    return step.run.input == step.run.output


async def later(step: Step[object, object, object, object]) -> float:
    return 1.0


mean(
    create_scorer("measured", input=str, output=str).generate_score(pure(measured)),
    create_scorer("alike", input=str, output=str).generate_score(pure(alike)),
    create_scorer("constant", input=str, output=str).generate_score(pure(lambda _: 1.0)),
    create_scorer("later", input=str, output=str).generate_score(pure_async(later)),
    create_scorer("built", input=str, output=str).generate_score(lambda _: ok(1.0)),
)


# mastra#21136: gates, steps and turns of one suite, alone and together; scorers of texts and of paths beside each other.
path = create_trajectory_scorer("path").generate_score(pure(lambda s: len(s.run.output.names) / 9))
text = create_scorer("text", input=str, output=str).generate_score(pure(lambda s: len(s.run.output) / 9))
suites = [
    Suite(text, path),
    Suite(text, path, gates=["text"]),
    Suite(text, path, steps={"draft": [text]}),
    Suite(text, gates={"path": 0.5}, turns=[path]),
    Suite((text, 0.5), path, gates={"path": None}, steps={"draft": [text]}, turns=[text.named("turn")], timeout=9.0),
]
assert_type(suites, list[Suite])
