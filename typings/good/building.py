"""Building a scorer: every order of stages that is right, and the type of what it builds."""

from __future__ import annotations

from enum import Enum
from typing import Literal, Never, TypedDict, assert_type

import attrs
from returns.result import Result
from scorewright import (
    UNBOUNDED,
    Judge,
    JudgeFault,
    Outcome,
    Run,
    Scale,
    ScoredStep,
    Scorer,
    Step,
    Verdict,
    create_scorer,
    err,
    ok,
    prompt,
    pure,
    reason_prompt,
    score_from,
    score_prompt,
    verdict_prompt,
)
from scorewright.core import About, Analyzed, Draft, Pipeline, Preprocessed, Scored, StepInfo


@attrs.frozen
class Claims:
    items: list[str]


@attrs.frozen
class Empty:
    field: str


@attrs.frozen
class TooLong:
    length: int


class Ticket(TypedDict):
    subject: str
    priority: int


class Tone(Enum):
    warm = "warm"
    cold = "cold"


def words(step: Step[str, str, None, None]) -> Result[list[str], Empty]:
    return ok(step.run.output.split()) if step.run.output else err(Empty("output"))


def counted(step: Step[str, str, list[str], None]) -> Result[int, TooLong]:
    return ok(len(step.pre)) if len(step.pre) < 100 else err(TooLong(len(step.pre)))


# The stages, one by one.
draft = create_scorer("stages", input=str, output=str)
assert_type(draft, Draft[str, str, object])
preprocessed = draft.preprocess(words)
assert_type(preprocessed, Preprocessed[str, str, list[str], object, Empty])
analyzed = preprocessed.analyze(counted)
assert_type(analyzed, Analyzed[str, str, list[str], int, object, Empty | TooLong])
scored = analyzed.generate_score(pure(lambda step: step.ana / len(step.pre)))
assert_type(scored, Scored[str, str, list[str], int, object, Empty | TooLong])
whole = scored.generate_reason(lambda step: ok(f"{step.score}: {step.ana} of {step.pre}"))
assert_type(whole, Scorer[str, str, object, Empty | TooLong])

# A stage that is left out is None for those after it.
assert_type(draft.generate_score(pure(lambda step: 1.0)), Scored[str, str, None, None, object, Never])
assert_type(draft.analyze(pure(lambda step: len(step.run.output))), Analyzed[str, str, None, int, object, Never])
only_score = draft.preprocess(words).generate_score(pure(lambda step: len(step.pre) / 9))
assert_type(only_score, Scored[str, str, list[str], None, object, Empty])
analyzed_only = draft.analyze(lambda step: ok(len(step.run.output))).generate_score(pure(lambda step: step.ana / 2))
assert_type(analyzed_only, Scored[str, str, None, int, object, Never])
reasoned = draft.generate_score(pure(lambda step: 1)).generate_reason(pure(lambda step: f"{step.score:.2f}"))
assert_type(reasoned, Scorer[str, str, object, Never])

# Judges add their faults.
coverage = (
    create_scorer("coverage", input=str, output=str)
    .preprocess(words)
    .analyze(prompt(Claims, lambda step: f"List the claims of {step.pre}"))
    .generate_score(pure(lambda step: len(step.ana.items) / len(step.pre)))
    .generate_reason(lambda step: ok(f"{step.score}: {step.ana.items}"))
)
assert_type(coverage, Scorer[str, str, object, Empty | JudgeFault])
narrow: Scorer[str, str] = coverage
judged = draft.preprocess(words).generate_score(score_prompt(lambda step: step.pre[0]))
assert_type(judged, Scored[str, str, list[str], None, object, Empty | JudgeFault])
calculated = draft.generate_score(
    score_from(Claims, lambda step: step.run.output, lambda step, claims: len(claims.items) / len(step.run.output))
)
assert_type(calculated, Scored[str, str, None, None, object, JudgeFault])
explained = judged.generate_reason(reason_prompt(lambda step: f"{step.score} {step.pre[0]}"))
assert_type(explained, Scorer[str, str, object, Empty | JudgeFault])

# Score and reason at once.
verdict = draft.generate_verdict(verdict_prompt(lambda step: step.run.output))
assert_type(verdict, Scorer[str, str, object, JudgeFault])
own_verdict = preprocessed.generate_verdict(pure(lambda step: Verdict(1.0, step.pre[0])))
assert_type(own_verdict, Scorer[str, str, object, Empty])
analyzed_verdict = analyzed.generate_verdict(lambda step: ok(Verdict(step.ana / 9, "counted")))
assert_type(analyzed_verdict, Scorer[str, str, object, Empty | TooLong])

# Input and output are any types, unions and literals included.
assert_type(create_scorer("union", input=str | None, output=int | str), Draft[str | None, int | str, object])
assert_type(create_scorer("lists", input=list[str], output=dict[str, int]), Draft[list[str], dict[str, int], object])
assert_type(create_scorer("classes", input=Claims, output=Tone), Draft[Claims, Tone, object])
assert_type(create_scorer("literal", input=Literal["a", "b"], output=bool), Draft[Literal["a", "b"], bool, object])
assert_type(create_scorer("anything", input=object, output=object), Draft[object, object, object])
tickets = create_scorer("tickets", input=Ticket, output=str)
assert_type(tickets, Draft[Ticket, str, object])
urgent = tickets.generate_score(pure(lambda step: step.run.input["priority"] / 5))
assert_type(urgent, Scored[Ticket, str, None, None, object, Never])

# The reference answer is a type too.
referenced = create_scorer("referenced", input=str, output=str, expected=list[str])
assert_type(referenced, Draft[str, str, list[str]])
exact = referenced.generate_score(pure(lambda step: step.run.output in step.run.expected))
assert_type(exact, Scored[str, str, None, None, list[str], Never])
assert_type(create_scorer("maybe", input=str, output=str, expected=str | None), Draft[str, str, str | None])
assert_type(
    referenced.preprocess(pure(lambda step: step.run.expected))
    .analyze(pure(lambda step: set(step.pre) & set(step.run.expected)))
    .generate_score(pure(lambda step: len(step.ana) / len(step.pre)))
    .generate_reason(pure(lambda step: f"{step.run.expected} {step.ana} {step.score}")),
    Scorer[str, str, list[str], Never],
)


# Every option.
def trimmed(run: Run[str, str]) -> Run[str, str]:
    return run.with_output(run.output.strip())


async def trimmed_later(run: Run[str, str]) -> Run[str, str]:
    return trimmed(run)


full = create_scorer(
    "full",
    input=str,
    output=str,
    name="Full",
    description="Every option",
    judge=Judge("openai/gpt-4o-mini", "Be fair."),
    scale=Scale(1, 5),
    better="lower",
    prepare_run=trimmed,
)
assert_type(full, Draft[str, str, object])
assert_type(create_scorer("later", input=str, output=str, prepare_run=trimmed_later), Draft[str, str, object])
lambda_prepared = create_scorer("short", input=str, output=str, prepare_run=lambda run: run.with_output(run.output[:9]))
assert_type(lambda_prepared, Draft[str, str, object])
reference_prepared = create_scorer(
    "sorted",
    input=str,
    output=str,
    expected=list[str],
    scale=UNBOUNDED,
    better="higher",
    prepare_run=lambda run: run.with_expected(sorted(run.expected)),
)
assert_type(reference_prepared, Draft[str, str, list[str]])


# A draft is a value: it branches, and may be a parameter.
def finished(begun: Preprocessed[str, str, list[str], object, Empty]) -> Scorer[str, str, object, Empty]:
    return begun.generate_score(pure(lambda step: len(step.pre) / 9))


assert_type(finished(preprocessed), Scorer[str, str, object, Empty])


def measured(step: Step[str, str, list[str], None]) -> Outcome[float, TooLong]:
    return ok(1.0)


def told(step: ScoredStep[str, str, list[str], None]) -> Outcome[str, TooLong]:
    return ok("fine")


assert_type(preprocessed.generate_score(measured).generate_reason(told), Scorer[str, str, object, Empty | TooLong])

# What a scorer says of itself.
assert_type(whole.id, str)
assert_type(whole.name, str)
assert_type(whole.about, About)
assert_type(whole.about.description, str)
assert_type(whole.scale, Scale)
assert_type(whole.better, Literal["higher", "lower"])
assert_type(whole.steps, tuple[StepInfo, ...])
assert_type(whole.steps[0].kind, Literal["pure", "function", "prompt"])
assert_type(scored.pipeline, Pipeline[str, str, list[str], int, object, Empty | TooLong])
