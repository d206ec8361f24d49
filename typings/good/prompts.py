"""Prompt steps: the judge's answer has the type that was asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum
from typing import Literal, TypedDict, assert_type

import attrs
from pydantic import BaseModel
from scorewright import (
    Calculated,
    Judge,
    JudgeFault,
    Outcome,
    Run,
    ScoredStep,
    Scorer,
    Step,
    Verdict,
    create_scorer,
    prompt,
    prompt_json,
    pure,
    reason_prompt,
    score_from,
    score_prompt,
    verdict_prompt,
)
from scorewright.core import Analyzed, Preprocessed, Scored


@attrs.frozen
class Claims:
    items: list[str]


class Labels(BaseModel):
    names: list[str]


class Row(TypedDict):
    label: str


class Tone(Enum):
    warm = "warm"
    cold = "cold"


judge = Judge("openai/gpt-4o-mini")
draft = create_scorer("prompts", input=str, output=str, judge=judge)

# Every output type that is served.
assert_type(
    draft.preprocess(prompt(Claims, lambda step: step.run.output)), Preprocessed[str, str, Claims, object, JudgeFault]
)
assert_type(
    draft.preprocess(prompt(Labels, lambda step: step.run.output)), Preprocessed[str, str, Labels, object, JudgeFault]
)
assert_type(
    draft.preprocess(prompt(Row, lambda step: step.run.output)), Preprocessed[str, str, Row, object, JudgeFault]
)
assert_type(
    draft.preprocess(prompt(Tone, lambda step: step.run.output)), Preprocessed[str, str, Tone, object, JudgeFault]
)
assert_type(
    draft.preprocess(prompt(str, lambda step: step.run.output)), Preprocessed[str, str, str, object, JudgeFault]
)
assert_type(
    draft.preprocess(prompt(bool, lambda step: step.run.output)), Preprocessed[str, str, bool, object, JudgeFault]
)
assert_type(
    draft.preprocess(prompt(float, lambda step: step.run.output)), Preprocessed[str, str, float, object, JudgeFault]
)
assert_type(
    draft.preprocess(prompt(list[str], lambda step: step.run.output)),
    Preprocessed[str, str, list[str], object, JudgeFault],
)
assert_type(
    draft.preprocess(prompt(list[Claims], lambda step: step.run.output)),
    Preprocessed[str, str, list[Claims], object, JudgeFault],
)
assert_type(
    draft.preprocess(prompt(Literal["yes", "no"], lambda step: step.run.output)),
    Preprocessed[str, str, Literal["yes", "no"], object, JudgeFault],
)
assert_type(
    draft.preprocess(prompt(Claims | None, lambda step: step.run.output)),
    Preprocessed[str, str, Claims | None, object, JudgeFault],
)
assert_type(
    draft.preprocess(prompt(Claims | Labels, lambda step: step.run.output)),
    Preprocessed[str, str, Claims | Labels, object, JudgeFault],
)
schema: Mapping[str, object] = {"type": "object", "properties": {"n": {"type": "integer"}}}
assert_type(
    draft.preprocess(prompt_json(schema, lambda step: step.run.output)),
    Preprocessed[str, str, Mapping[str, object], object, JudgeFault],
)
assert_type(
    draft.preprocess(prompt_json({"type": "object"}, lambda step: step.run.output)),
    Preprocessed[str, str, Mapping[str, object], object, JudgeFault],
)


# What writes the prompt: lambda, def, async def, bound method; with its own description and judge.
def written(step: Step[str, str, None, None]) -> str:
    return step.run.output


async def written_later(step: Step[str, str, None, None]) -> str:
    return step.run.output


@attrs.frozen
class Template:
    text: str

    def __call__(self, step: Step[str, str, None, None]) -> str:
        return self.text.format(step.run.output)

    def filled(self, step: Step[str, str, None, None]) -> str:
        return self(step)


assert_type(draft.preprocess(prompt(Claims, written)), Preprocessed[str, str, Claims, object, JudgeFault])
assert_type(draft.preprocess(prompt(Claims, written_later)), Preprocessed[str, str, Claims, object, JudgeFault])
assert_type(
    draft.preprocess(prompt(Claims, lambda step: written_later(step))),
    Preprocessed[str, str, Claims, object, JudgeFault],
)
assert_type(draft.preprocess(prompt(Claims, Template("{}"))), Preprocessed[str, str, Claims, object, JudgeFault])
assert_type(draft.preprocess(prompt(Claims, Template("{}").filled)), Preprocessed[str, str, Claims, object, JudgeFault])
described = draft.preprocess(prompt(Claims, lambda step: step.run.output, description="claims", judge=judge))
assert_type(described, Preprocessed[str, str, Claims, object, JudgeFault])
json_described = draft.preprocess(prompt_json(schema, lambda step: step.run.output, description="claims", judge=judge))
assert_type(json_described, Preprocessed[str, str, Mapping[str, object], object, JudgeFault])

# A prompt sees the run and the steps before.
analyzed = draft.preprocess(pure(lambda step: step.run.output.split())).analyze(
    prompt(list[Claims], lambda step: f"{step.run.input}: {', '.join(step.pre)}")
)
assert_type(analyzed, Analyzed[str, str, list[str], list[Claims], object, JudgeFault])

# A bare number, or a calculation on what was asked for.
scored = analyzed.generate_score(score_prompt(lambda step: f"{step.ana[0].items} {step.pre[0]}"))
assert_type(scored, Scored[str, str, list[str], list[Claims], object, JudgeFault])
scored_with = analyzed.generate_score(score_prompt(lambda step: step.pre[0], description="score", judge=judge))
assert_type(scored_with, Scored[str, str, list[str], list[Claims], object, JudgeFault])
calculated = analyzed.generate_score(
    score_from(
        Labels,
        lambda step: f"{step.pre[0]} {step.ana[0].items}",
        lambda step, answer: len(answer.names) / len(step.pre),
        description="labels",
        judge=judge,
    )
)
assert_type(calculated, Scored[str, str, list[str], list[Claims], object, JudgeFault])


async def share(step: Step[str, str, None, None], claims: Claims) -> float:
    return len(claims.items) / len(step.run.output)


def agreed(step: Step[str, str, None, None], said: bool) -> bool:
    return said


def toned(step: object, tone: Tone) -> int:
    return int(tone is Tone.warm)


assert_type(draft.generate_score(score_from(Claims, written, share)), Scored[str, str, None, None, object, JudgeFault])
assert_type(
    draft.generate_score(score_from(Claims, written_later, share)), Scored[str, str, None, None, object, JudgeFault]
)
assert_type(draft.generate_score(score_from(bool, written, agreed)), Scored[str, str, None, None, object, JudgeFault])
assert_type(draft.generate_score(score_from(Tone, written, toned)), Scored[str, str, None, None, object, JudgeFault])
assert_type(
    draft.generate_score(
        score_from(Literal["good", "bad"], lambda step: step.run.output, lambda step, said: float(said == "good"))
    ),
    Scored[str, str, None, None, object, JudgeFault],
)
assert_type(
    draft.generate_score(
        score_from(list[bool], lambda step: step.run.output, lambda step, said: sum(said) / max(len(said), 1))
    ),
    Scored[str, str, None, None, object, JudgeFault],
)
assert_type(
    draft.generate_score(score_from(Claims, lambda step: step.run.output, lambda step, claims: share(step, claims))),
    Scored[str, str, None, None, object, JudgeFault],
)


# Reasons see the score; verdicts are score and reason.
def asked(step: ScoredStep[str, str, list[str], list[Claims]]) -> str:
    return f"Why {step.score} for {step.pre}?"


async def asked_later(step: ScoredStep[str, str, list[str], list[Claims]]) -> str:
    return asked(step)


assert_type(
    scored.generate_reason(reason_prompt(lambda step: f"Why {step.score}?")), Scorer[str, str, object, JudgeFault]
)
assert_type(scored.generate_reason(reason_prompt(asked)), Scorer[str, str, object, JudgeFault])
assert_type(scored.generate_reason(reason_prompt(asked_later)), Scorer[str, str, object, JudgeFault])
assert_type(
    scored.generate_reason(reason_prompt(asked, description="why", judge=judge)), Scorer[str, str, object, JudgeFault]
)
verdict = analyzed.generate_verdict(verdict_prompt(lambda step: step.pre[0], description="verdict", judge=judge))
assert_type(verdict, Scorer[str, str, object, JudgeFault])
own_verdict = draft.generate_verdict(prompt(Verdict, lambda step: step.run.output))
assert_type(own_verdict, Scorer[str, str, object, JudgeFault])

# Outside a builder a prompt takes its step from the annotation.
free: Callable[[Step[str, str, None, None]], Outcome[Claims, JudgeFault]] = prompt(Claims, lambda step: step.run.output)
free_score: Callable[[Step[str, str, None, None]], Outcome[Calculated, JudgeFault]] = score_from(
    Claims, lambda step: step.run.output, lambda step, claims: len(claims.items)
)
assert_type(prompt(Claims, written)(Step(Run("", ""), None, None)), Outcome[Claims, JudgeFault])


def reused(step: Step[str, str, None, None]) -> Outcome[Claims, JudgeFault]:
    return prompt(Claims, written)(step)


assert_type(draft.preprocess(reused), Preprocessed[str, str, Claims, object, JudgeFault])
