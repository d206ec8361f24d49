"""Scorers that are put together wrongly."""

from __future__ import annotations

from enum import Enum

import attrs
from returns.result import Result
from scorewright import Judge, Run, Scorer, Step, create_scorer, err, ok, pure, score_prompt
from scorewright.algebra import PartsFailed, all_of, at_least, best_of, cascade, classifier_scorer, jury, mean, pairwise
from scorewright.algebra import repeat, route, rubric, weighted


@attrs.frozen
class Empty:
    field: str


@attrs.frozen
class Question:
    text: str


class Tone(Enum):
    cold = "cold"
    warm = "warm"


def not_empty(step: Step[str, str, None, None]) -> Result[float, Empty]:
    return ok(1.0) if step.run.output else err(Empty("output"))


judge = Judge("openai/gpt-4o-mini")
plain = create_scorer("plain", input=str, output=str).generate_score(pure(lambda s: len(s.run.output) / 100))
draft = create_scorer("draft", input=str, output=str)
filled = create_scorer("filled", input=str, output=str).generate_score(not_empty)
needy = create_scorer("needy", input=str, output=str, expected=list[str]).generate_score(
    pure(lambda s: len(s.run.expected))
)
asking = create_scorer("asking", input=str, output=str, judge=judge).generate_score(
    score_prompt(lambda s: f"Rate {s.run.output}")
)
run = Run("question", "answer")
asked = Run(Question("question"), "answer")

# Adapting.
plain.contramap_input(Question, lambda q: q.title)  # E: a question has no title
plain.contramap_input(Question, lambda q: len(q.text))  # E: the scorer takes a text, not a number
plain.contramap_input(Question, lambda q: q.text).run_sync(run)  # E: the adapted scorer takes a question
plain.run_sync(asked)  # E: the scorer itself still takes a text
plain.contramap_output(int, lambda n: n.upper())  # E: a number has no upper
plain.contramap_run(int, int, lambda r: r.input)  # E: a run is due
needy.contramap_run(str, str, lambda r: Run(r.input, r.output))  # E: the reference answer is lost
plain.map_score(lambda x: str(x))  # E: a score is a number
plain.map_reason(lambda reason: len(reason))  # E: a reason is a text
filled.map_fault(lambda fault: fault.missing)  # E: the fault has no such field
plain.when(lambda r: r.expected.text)  # E: nothing is known of the reference answer
plain.rescale(5)  # E: a scale is due
plain.passing("half")  # E: a threshold is a number

# Two scorers.
plain.or_else(draft)  # E: a draft lacks its score
plain.zip(filled).run_sync(run)  # E: a pair lacks its score
plain.zip(filled).generate_score(lambda first, second: first.reason)  # E: a reason is no score
needy.or_else(plain).run_sync(run)  # E: the run has no reference answer
plain.or_else(needy).run_sync(run)  # E: the same on the other side

# Several scorers.
mean(plain, draft)  # E: a draft lacks its score
mean(plain, needy).run_sync(run)  # E: one part needs a reference answer
weighted(plain, filled)  # E: weights are missing
weighted(("a", plain))  # E: a weight is a number
mean(plain, policy="strict")  # E: a policy is a value, not its name
all_of(plain.passing(0.5), plain.passing)  # E: a method is no scorer
at_least(plain.passing(0.5))  # E: how many?
narrow: Scorer[str, str, object, PartsFailed[Empty]] = mean(filled, asking)  # E: the judge's faults are missing

# Choosing, repeating, juries.
cascade(plain, asking)  # E: the band of doubt is missing
cascade(plain, asking, doubt=0.5)  # E: a band has two ends
route(lambda r: len(r.input), {"a": plain})  # E: keys are texts
repeat(plain, 3, reduce="middle")  # E: no such way to reduce
repeat(plain, "3")  # E: a number is due
jury(asking, judge)  # E: several judges are due
jury(asking, ["openai/gpt-4o-mini"])  # E: a name is no judge
best_of(plain, 2).run_sync(run)  # E: several outputs are due, and a text is not several texts

# Judging.
pairwise("kinder", "Prefer the kinder one.", input=str, output=str, judge=judge).run_sync(run)  # E: two outputs are due
rubric("rules", [1, 2], input=str, output=str, judge=judge)  # E: criteria are texts
rubric("rules", ["polite"], input=str, output=str)  # E: who judges?
classifier_scorer(
    "tone",
    lambda s: s.run.output,
    input=str,
    output=str,
    labels=Tone,
    scores=lambda tone: tone.warmth,  # E: a tone has no such field
    judge=judge,
)
