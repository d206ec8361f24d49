"""Prompt steps that are written wrongly."""

from __future__ import annotations

import attrs
from scorewright import ScoredStep, Step, create_scorer, prompt, prompt_json, pure
from scorewright import reason_prompt, score_from, score_prompt, verdict_prompt


@attrs.frozen
class Claims:
    items: list[str]


def numbered(step: Step[str, str, int, None]) -> str:
    return f"{step.pre + 1}"


def counted(step: Step[str, str, None, None]) -> int:
    return len(step.run.output)


async def counted_later(step: Step[str, str, None, None]) -> int:
    return len(step.run.output)


def share(step: Step[str, str, None, None], claims: Claims) -> float:
    return len(claims.items) / 9


def label(step: Step[str, str, None, None], claims: Claims) -> str:
    return claims.items[0]


async def label_later(step: Step[str, str, None, None], claims: Claims) -> str:
    return claims.items[0]


def why(step: ScoredStep[str, str, int, None]) -> str:
    return f"{step.pre + 1}"


def preprocessed(step: Step[str, str, list[str], None]) -> list[str]:
    return step.pre


def scored_at(step: ScoredStep[str, str, list[str], None]) -> float:
    return step.score


draft = create_scorer("prompts", input=str, output=str)
begun = draft.preprocess(pure(lambda step: step.run.output.split()))
scored = begun.generate_score(pure(lambda step: 1.0))

# What writes the prompt.
draft.preprocess(prompt(Claims, lambda step: len(step.run.output)))  # E: a prompt is text
draft.preprocess(prompt(Claims, lambda step: None))  # E: a prompt is text
draft.preprocess(prompt(Claims, counted))  # E: a prompt is text
draft.preprocess(prompt(Claims, counted_later))  # E: a prompt is text, later too
draft.preprocess(prompt(Claims, "List the claims"))  # E: a prompt is a function
draft.preprocess(prompt(Claims, lambda step: f"{step.pre.items}"))  # E: nothing was preprocessed
draft.preprocess(prompt(Claims, numbered))  # E: wrong Pre
begun.analyze(prompt(Claims, numbered))  # E: wrong Pre
begun.analyze(prompt(Claims, preprocessed))  # E: words are no text
begun.analyze(prompt(Claims, lambda step: step.pre.items[0]))  # E: misuse of step.pre
begun.analyze(prompt(Claims, lambda step: step.pre["first"]))  # E: misuse of step.pre
begun.analyze(prompt_json({"type": "object"}, lambda step: step.pre.items))  # E: misuse of step.pre
begun.generate_score(score_prompt(lambda step: step.pre.items))  # E: misuse of step.pre
begun.generate_score(score_prompt(lambda step: step.ana.items))  # E: nothing was analyzed
begun.generate_score(score_prompt(lambda step: f"{step.score}"))  # E: no score yet
begun.generate_verdict(verdict_prompt(lambda step: step.pre.items))  # E: misuse of step.pre
scored.generate_reason(reason_prompt(lambda step: step.pre.items))  # E: misuse of step.pre
scored.generate_reason(reason_prompt(scored_at))  # E: a prompt is text
scored.generate_reason(reason_prompt(why))  # E: wrong Pre

# What is answered.
draft.preprocess(prompt(lambda step: step.run.output))  # E: no output type
draft.preprocess(prompt(Claims))  # E: no prompt
draft.preprocess(prompt("Claims, please", lambda step: ""))  # E: text is no type
draft.preprocess(prompt(5, lambda step: ""))  # E: a number is no type
draft.preprocess(prompt_json("{}", lambda step: ""))  # E: text is no schema
draft.preprocess(prompt_json(Claims, lambda step: ""))  # E: a class is no schema
begun.analyze(prompt(Claims, lambda step: "")).generate_score(pure(lambda step: step.ana.texts))  # E: no such field
draft.preprocess(prompt(list[str], lambda step: "")).analyze(pure(lambda step: step.pre.items))  # E: a list of str

# What is calculated.
draft.generate_score(score_from(Claims, lambda step: "", lambda step, answer: answer.texts))  # E: no such field
draft.generate_score(score_from(Claims, lambda step: "", lambda step, answer: answer.items))  # E: list as score
draft.generate_score(score_from(Claims, lambda step: "", lambda step, answer: "1"))  # E: str as score
draft.generate_score(score_from(Claims, lambda step: "", lambda step: 1.0))  # E: takes the answer too
draft.generate_score(score_from(Claims, lambda step: "", lambda step, answer: step.pre / 2))  # E: nothing preprocessed
draft.generate_score(score_from(bool, lambda step: "", share))  # E: calculates on another answer
draft.generate_score(score_from(Claims, lambda step: "", label))  # E: str as score
draft.generate_score(score_from(Claims, lambda step: "", label_later))  # E: str as score, later
draft.generate_score(score_from(Claims, lambda step: ""))  # E: no calculation
draft.generate_score(score_from(lambda step: "", share))  # E: no output type
begun.generate_score(score_from(Claims, lambda step: "", share))  # E: wrong Pre
draft.generate_score(score_prompt(Claims, lambda step: ""))  # E: a bare number has no output type

# Judges.
draft.preprocess(prompt(Claims, lambda step: "", judge="openai/gpt-4o-mini"))  # E: text is no judge
draft.generate_score(score_prompt(lambda step: "", judge=len))  # E: a function is no judge
draft.preprocess(prompt(Claims, lambda step: "", description=5))  # E: a description is text
draft.preprocess(prompt(Claims, lambda step: "", "claims"))  # E: a description by keyword
