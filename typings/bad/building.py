"""Scorers that are put together wrongly."""

from __future__ import annotations

from collections.abc import Mapping

import attrs
from returns.result import Result
from scorewright import JudgeFault, Run, Scale, ScoredStep, Scorer, Step, Verdict, create_scorer, err, ok, prompt, pure
from scorewright import reason_prompt, score_prompt, verdict_prompt


@attrs.frozen
class Empty:
    field: str


@attrs.frozen
class Claims:
    items: list[str]


def words(step: Step[str, str, None, None]) -> Result[list[str], Empty]:
    return ok(step.run.output.split()) if step.run.output else err(Empty("output"))


def halved(step: Step[str, str, int, None]) -> Result[float, Empty]:
    return ok(step.pre / 2)


def counted(step: Step[str, str, list[str], int]) -> Result[float, Empty]:
    return ok(step.ana / len(step.pre))


def told(step: ScoredStep[str, str, int, None]) -> Result[str, Empty]:
    return ok(f"{step.pre} {step.score}")


def of_numbers(step: Step[int, str, None, None]) -> Result[int, Empty]:
    return ok(step.run.input)


def renumbered(run: Run[str, str]) -> Run[str, int]:
    return run.with_output(len(run.output))


draft = create_scorer("bad", input=str, output=str)
begun = draft.preprocess(words)
analyzed = begun.analyze(pure(lambda step: len(step.pre)))
scored = analyzed.generate_score(pure(lambda step: step.ana / 9))
whole = scored.generate_reason(pure(lambda step: f"{step.score}"))

# A step twice, or in the wrong order.
begun.preprocess(words)  # E: repeated step
analyzed.analyze(pure(lambda step: 1))  # E: repeated step
scored.generate_score(pure(lambda step: 1.0))  # E: repeated step
whole.generate_reason(pure(lambda step: ""))  # E: repeated step
analyzed.preprocess(words)  # E: preprocess after analyze
scored.preprocess(words)  # E: preprocess after the score
scored.analyze(pure(lambda step: 1))  # E: analyze after the score
whole.generate_score(pure(lambda step: 1.0))  # E: a score after the reason
draft.generate_reason(pure(lambda step: ""))  # E: a reason before the score
analyzed.generate_reason(pure(lambda step: ""))  # E: a reason before the score
draft.generate_verdict(pure(lambda step: Verdict(1, ""))).generate_reason(told)  # E: a verdict has its reason
draft.generate_verdict(pure(lambda step: Verdict(1, ""))).generate_score(counted)  # E: a verdict has its score

# A score is missing.
begun.run_sync(Run("a", "b"))  # E: missing score
analyzed.run_sync(Run("a", "b"))  # E: missing score
unscored: Scorer[str, str] = analyzed  # E: missing score

# What the steps before gave.
begun.analyze(halved)  # E: wrong Pre in the middle
begun.generate_score(halved)  # E: wrong Pre
draft.generate_score(halved)  # E: wrong Pre: nothing was preprocessed
begun.generate_score(counted)  # E: wrong Ana: nothing was analyzed
draft.analyze(pure(lambda step: 1)).generate_score(counted)  # E: wrong Pre
begun.analyze(pure(lambda step: step.pre)).generate_score(counted)  # E: wrong Ana
scored.generate_reason(told)  # E: wrong Pre
draft.preprocess(of_numbers)  # E: a step for other input
begun.generate_score(pure(lambda step: step.pre.nothing))  # E: no such attribute
begun.generate_score(pure(lambda step: len(step.pre) / step.ana))  # E: nothing was analyzed
draft.generate_score(pure(lambda step: step.score))  # E: no score yet
draft.generate_score(pure(lambda step: step.run.reference))  # E: no such attribute
draft.generate_score(pure(lambda step: len(step.run.expected) / 2))  # E: no reference was declared

# Scores, verdicts and reasons.
draft.generate_score(pure(lambda step: "0.5"))  # E: str as score
draft.generate_score(pure(lambda step: None))  # E: None as score
draft.generate_score(pure(lambda step: [0.5]))  # E: list as score
draft.generate_score(lambda step: ok("0.5"))  # E: str as score
draft.generate_score(lambda step: 0.5)  # E: a bare number: pure or ok is missing
draft.generate_score(pure(lambda step: ok(0.5)))  # E: a result as score: pure is too much
draft.generate_score(pure(lambda step: Verdict(1, "")))  # E: a verdict where a score is due
draft.generate_score(verdict_prompt(lambda step: step.run.output))  # E: a verdict where a score is due
draft.generate_verdict(pure(lambda step: 0.5))  # E: a score where a verdict is due
draft.generate_verdict(score_prompt(lambda step: step.run.output))  # E: a score where a verdict is due
draft.generate_verdict(pure(lambda step: (0.5, "")))  # E: a pair is no verdict
scored.generate_reason(pure(lambda step: step.score))  # E: a reason that is no text
scored.generate_reason(pure(lambda step: None))  # E: a reason that is no text
scored.generate_reason(lambda step: step.run.output)  # E: a bare text: pure or ok is missing
draft.generate_score(reason_prompt(lambda step: step.run.output))  # E: text where a score is due
draft.generate_score(prompt(Claims, lambda step: step.run.output))  # E: claims where a score is due
scored.generate_reason(score_prompt(lambda step: step.run.output))  # E: a score where a reason is due
Verdict("1", "")  # E: str as score
Verdict(1, None)  # E: a reason that is no text

# What is no step at all.
draft.preprocess(None)  # E: None as step
draft.preprocess({"description": "words"})  # E: dict as step
draft.preprocess("words")  # E: str as step
draft.preprocess([words])  # E: list as step
draft.preprocess()  # E: no step
draft.preprocess(words, words)  # E: two steps
draft.generate_score(None)  # E: None as step
scored.generate_reason({})  # E: dict as step
draft.preprocess(lambda: ok(1))  # E: a step takes the step
draft.preprocess(lambda step, more: ok(1))  # E: a step takes nothing else

# What create_scorer takes.
create_scorer("x")  # E: no types
create_scorer("x", input=str)  # E: no output type
create_scorer(input=str, output=str)  # E: no id
create_scorer(1, input=str, output=str)  # E: the id is text
create_scorer("x", str, str)  # E: types by keyword
create_scorer("x", input="a str", output=str)  # E: text is no type
create_scorer("x", input=str, output=1)  # E: a number is no type
create_scorer("x", input=str, output=str, scale=(0, 1))  # E: a pair is no scale
create_scorer("x", input=str, output=str, scale=5)  # E: a number is no scale
create_scorer("x", input=str, output=str, better="bigger")  # E: higher or lower
create_scorer("x", input=str, output=str, better=True)  # E: higher or lower
create_scorer("x", input=str, output=str, judge="openai/gpt-4o-mini")  # E: text is no judge
create_scorer("x", input=str, output=str, judge=len)  # E: a function is no judge
create_scorer("x", input=str, output=str, judges=None)  # E: no such option
create_scorer("x", input=str, output=str, prepare_run=len)  # E: prepares no run
create_scorer("x", input=str, output=str, prepare_run=lambda run: None)  # E: gives no run
create_scorer("x", input=str, output=str, prepare_run=renumbered)  # E: gives another run
Scale("0", "1")  # E: a scale is of numbers
Scale(0, 1, 2)  # E: two ends

# A scorer does not change.
scored.about = whole.about  # E: rebinding
whole.steps = ()  # E: rebinding
whole.id = "other"  # E: rebinding


def annotated(step: Step[str, str, None, None]) -> Mapping[str, int]:
    return {}


draft.preprocess(annotated)  # E: answers no result
dropped: Scorer[str, str, object, JudgeFault] = whole  # E: dropped error type
