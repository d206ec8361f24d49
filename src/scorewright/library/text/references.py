"""Reference answers: one text, or several of which the nearest counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Literal, TypeAlias

import attrs
from returns.pipeline import is_successful
from returns.result import Result
from typing_extensions import TypeVar

from scorewright.core import Scorer, Step, Verdict, create_scorer
from scorewright.faults import NotScorable
from scorewright.library.defining import counted, listed, told
from scorewright.library.text.limits import TooLong
from scorewright.library.text.words import graphemes
from scorewright.results import err, ok

E = TypeVar("E")

MOST_TOLD = 8

References: TypeAlias = str | list[str]
Unit: TypeAlias = Literal["code_points", "graphemes"]
ReferenceScorer: TypeAlias = Scorer[object, str, References, NotScorable]
BoundedScorer: TypeAlias = Scorer[object, str, References, NotScorable | TooLong]


@attrs.frozen
class Nearest:
    """The reference that the output is nearest to, and how near."""

    reference: str
    score: float


def best_of(
    output: str, references: References, compare: Callable[[str, str], Result[float, E]], /
) -> Result[Nearest, E | NotScorable]:
    """The best comparison of the output with one of the references; the first of equals."""
    texts = [references] if isinstance(references, str) else references
    best: Nearest | None = None
    for each in texts:
        found = compare(output, each)
        if not is_successful(found):
            return err(found.failure())
        if best is None or found.unwrap() > best.score:
            best = Nearest(each, found.unwrap())
    return err(NotScorable("the run has no reference answer")) if best is None else ok(best)


def nearest(
    id: str,
    description: str,
    compare: Callable[[str, str], Result[float, E]],
    explain: Callable[[str, str], str] | None = None,
    /,
) -> Scorer[object, str, References, E | NotScorable]:
    """A scorer of how near the output is to the nearest reference; `explain` says of the two what makes it so."""
    tell = explain or _both

    def found(step: Step[object, str, None, None, References]) -> Result[Nearest, E | NotScorable]:
        return best_of(step.run.output, step.run.expected, compare)

    def judged(step: Step[object, str, Nearest, None, References]) -> Result[Verdict, E]:
        return ok(Verdict(step.pre.score, tell(step.run.output, step.pre.reference)))

    return (
        create_scorer(id, input=object, output=str, expected=References, description=description)
        .preprocess(found)
        .generate_verdict(judged)
    )


def _both(output: str, reference: str) -> str:
    return f"{told(output)} against {told(reference)}"


def shared_words(output: Counter[str], reference: Counter[str], /) -> str:
    """How many words two texts share, and which they do not."""
    missing, extra = list((reference - output).elements()), list((output - reference).elements())
    words = f"{(output & reference).total()} of {counted(reference.total(), 'word')} of the reference"
    words += f"; missing: {listed(missing, MOST_TOLD)}" if missing else ""
    return words + (f"; not expected: {listed(extra, MOST_TOLD)}" if extra else "")


def in_units(text: str, unit: Unit, /) -> str | list[str]:
    """The text as the sequence that is compared."""
    return graphemes(text) if unit == "graphemes" else text
