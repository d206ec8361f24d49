"""Scorers out of scorers: what they take, and what they can fail with."""

from __future__ import annotations

from enum import Enum
from typing import Literal, Never, assert_never, assert_type

import attrs
from returns.result import Result
from scorewright import Judge, JudgeFault, Run, Scale, Scorer, ScoringFailure, Step, create_scorer, err, ok, pure
from scorewright import Evaluation, score_prompt
from scorewright.algebra import (
    Disagreed,
    NoQuorum,
    Pair,
    PartsFailed,
    Tied,
    all_of,
    at_least,
    best_of,
    binary_scorer,
    cascade,
    classifier_scorer,
    describe,
    fingerprint,
    jury,
    mean,
    ordinal_scorer,
    pairwise,
    renormalise,
    repeat,
    route,
    rubric,
    self_consistent,
    weighted,
)
from scorewright.core.zipped import Zipped
from scorewright.faults import StepRaised


@attrs.frozen
class Empty:
    field: str


@attrs.frozen
class TooLong:
    length: int


@attrs.frozen
class Question:
    text: str


class Tone(Enum):
    cold = "cold"
    warm = "warm"


def not_empty(step: Step[str, str, None, None]) -> Result[float, Empty]:
    return ok(1.0) if step.run.output else err(Empty("output"))


def not_long(step: Step[str, str, None, None, list[str]]) -> Result[float, TooLong]:
    return ok(len(step.run.expected) / 10) if step.run.output else err(TooLong(0))


judge = Judge("openai/gpt-4o-mini")
plain = create_scorer("plain", input=str, output=str).generate_score(pure(lambda s: len(s.run.output) / 100))
other = create_scorer("other", input=str, output=str).generate_score(pure(lambda s: len(s.run.input) / 100))
filled = create_scorer("filled", input=str, output=str).generate_score(not_empty)
needy = create_scorer("needy", input=str, output=str, expected=list[str]).generate_score(not_long)
asking = create_scorer("asking", input=str, output=str, judge=judge).generate_score(
    score_prompt(lambda s: f"Rate {s.run.output}")
)

# Adapting: the side that is adapted changes its type, and a lambda knows what it gets.
assert_type(plain.contramap_input(Question, lambda q: q.text), Scorer[Question, str, object, Never])
assert_type(filled.contramap_output(list[str], lambda parts: parts[0]), Scorer[str, list[str], object, Empty])
assert_type(
    filled.contramap_run(Question, int, lambda run: Run(run.input.text, str(run.output))),
    Scorer[Question, int, object, Empty],
)
assert_type(
    needy.contramap_run(str, str, lambda run: Run(run.input, run.output, [run.expected.text]), expected=Question),
    Scorer[str, str, Question, TooLong],
)
assert_type(needy.when(lambda run: len(run.expected) > 1), Scorer[str, str, list[str], TooLong])
assert_type(filled.map_score(lambda x: x / 2), Scorer[str, str, object, Empty])
assert_type(filled.rescale(Scale(1, 5)).invert().passing(3), Scorer[str, str, object, Empty])
assert_type(filled.map_reason(lambda reason: reason.upper()), Scorer[str, str, object, Empty])
assert_type(filled.map_fault(lambda fault: TooLong(len(fault.field))), Scorer[str, str, object, TooLong])
assert_type(filled.named("again"), Scorer[str, str, object, Empty])

# Two scorers: their faults are united; the one that needs a reference answer may stand on either side.
assert_type(plain.or_else(other), Scorer[str, str, object, Never])
assert_type(plain.or_else(filled), Scorer[str, str, object, Empty])
assert_type(filled.or_else(needy), Scorer[str, str, list[str], Empty | TooLong])
assert_type(needy.or_else(filled), Scorer[str, str, list[str], TooLong | Empty])
assert_type(filled.zip(needy), Zipped[str, str, list[str], Empty | TooLong])
assert_type(
    plain.zip(other).generate_score(lambda first, second: first.score * second.score),
    Scorer[str, str, object, PartsFailed[Never]],
)

# Several scorers of one fault keep it; the narrowest reference answer is asked for.
assert_type(mean(plain, other), Scorer[str, str, object, PartsFailed[Never]])
assert_type(weighted((0.7, filled), (0.3, plain)), Scorer[str, str, object, PartsFailed[Empty]])
assert_type(mean(plain, needy, policy=renormalise), Scorer[str, str, list[str], PartsFailed[TooLong]])
assert_type(all_of(filled.passing(0.5), plain.passing(0.5)), Scorer[str, str, object, PartsFailed[Empty]])
assert_type(at_least(1, filled.passing(0.5)), Scorer[str, str, object, PartsFailed[Empty]])

# Of several faults mypy keeps the join unless it is told; the others keep the union by themselves.
both: Scorer[str, str, list[str], PartsFailed[Empty | TooLong]] = mean(filled, needy)
wide: Scorer[str, str, list[str], PartsFailed[object]] = mean(filled, needy)

# Choosing, repeating, juries.
assert_type(cascade(filled, asking, doubt=(0.3, 0.7)), Scorer[str, str, object, JudgeFault])
assert_type(route(lambda run: run.input, {"a": filled, "b": filled}), Scorer[str, str, object, Empty])
assert_type(repeat(filled, 3), Scorer[str, str, object, PartsFailed[Empty] | Tied])
assert_type(repeat(filled, 3, reduce=lambda scores: max(scores)), Scorer[str, str, object, PartsFailed[Empty] | Tied])
assert_type(self_consistent(filled, 5), Scorer[str, str, object, PartsFailed[Empty] | Tied])
assert_type(jury(asking, [judge, judge]), Scorer[str, str, object, NoQuorum[JudgeFault] | Tied | Disagreed])
assert_type(best_of(needy, 3), Scorer[str, tuple[str, ...], list[str], PartsFailed[TooLong]])
assert_type(
    pairwise("kinder", "Prefer the kinder one.", input=str, output=str, judge=judge),
    Scorer[str, Pair[str], object, JudgeFault | StepRaised],
)

# Judging by labels and by criteria.
assert_type(
    rubric("rules", ["polite", "short"], input=str, output=list[str], judge=judge),
    Scorer[str, list[str], object, JudgeFault],
)
assert_type(
    classifier_scorer(
        "tone",
        lambda s: f"Which tone has {s.run.output}?",
        input=str,
        output=str,
        labels=Literal["warm", "cold"],
        scores={"warm": 1, "cold": 0},
        judge=judge,
    ),
    Scorer[str, str, object, JudgeFault],
)


def tone_score(tone: Tone) -> float:
    match tone:
        case Tone.cold:
            return 0.0
        case Tone.warm:
            return 1.0
        case _:
            assert_never(tone)


assert_type(
    classifier_scorer(
        "tone", lambda s: s.run.output, input=str, output=str, labels=Tone, scores=tone_score, judge=judge
    ),
    Scorer[str, str, object, JudgeFault],
)
assert_type(
    ordinal_scorer("level", lambda s: s.run.output, input=str, output=str, labels=Tone, judge=judge),
    Scorer[str, str, object, JudgeFault],
)
assert_type(
    binary_scorer("yes", lambda s: s.run.output, input=str, output=str, judge=judge),
    Scorer[str, str, object, JudgeFault],
)

# Every scorer can be read.
assert_type(describe(needy), str)
assert_type(fingerprint(needy).digest, str)


def told(failure: ScoringFailure[PartsFailed[Empty]]) -> str:
    cause = failure.cause
    if isinstance(cause, PartsFailed):
        return ", ".join(type(each).__name__ for each in cause.causes)
    return ""


def ended(run: Run[str, str]) -> Result[Evaluation, ScoringFailure[PartsFailed[Empty]]]:
    return mean(filled, plain).run_sync(run)
