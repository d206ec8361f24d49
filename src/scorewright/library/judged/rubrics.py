"""Judging by a checklist that everything required must meet."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TypeAlias, final

import attrs
from returns.result import Result
from typing_extensions import TypeIs

from scorewright.algebra import Criterion
from scorewright.core import Answerer, Calculated, Scale, ScoredStep, Scorer, Step, create_scorer, pure
from scorewright.faults import DefinitionError, NotScorable
from scorewright.library.defining import expect_sequence, spelled
from scorewright.library.judged.guards import First, needing, no_answer
from scorewright.library.judged.options import able, described, top
from scorewright.library.judged.reading import asking
from scorewright.library.judged.runs import Asked, Faults
from scorewright.library.judged.template import template
from scorewright.library.judged.verdicts import calculated
from scorewright.results import err, ok

KEY = "rubric"
_MARKER = re.compile(r"\s*(?:[-*•]|\d+[.)])\s+")


@final
@attrs.frozen
class Ruling:
    """What the judge says of one criterion, by its name: C1, C2, …"""

    criterion: str
    reason: str
    satisfied: bool

    @property
    def key(self) -> str:
        """The name as ours are spelt."""
        return self.criterion.strip().upper()


@final
@attrs.frozen
class Rulings:
    """What the judge says of all of them."""

    criteria: tuple[Ruling, ...]
    overall_assessment: str = ""


Criteria: TypeAlias = tuple[Criterion, ...]
Ruled: TypeAlias = Step[Asked, str, Criteria, Rulings, object]


def rubric(
    judge: Answerer, criteria: Sequence[Criterion | str] | str | None = None, /, *, scale: float = 1.0
) -> Scorer[Asked, str, object, Faults]:
    """Whether the answer meets every required criterion: `scale`, or 0. Where none is required, all are.

    Criteria are `Criterion` values, texts, or one text with a criterion a line ("- …", "1. …"). Without them each run
    brings its own under "rubric" in its request context or its metadata; a run without is not scorable. Which criteria
    there are and which are required is never read from the answer. One question. `scorewright.algebra.rubric` has
    weights and partial credit.
    """
    best, given, rule = top(scale), None if criteria is None else listed(criteria), template("rubric-criteria")
    if given is not None and not given:
        raise DefinitionError("rubric(judge, criteria) judges by at least one criterion")

    def known(step: First) -> Result[Criteria, NotScorable | Faults]:
        found = given or listed(_of_run(step.run.request_context) or _of_run(step.run.metadata))
        return ok(found) if found else err(NotScorable("there is no rubric: neither in the scorer nor in the run"))

    def score(step: Ruled) -> Calculated:
        met = {each.key: each.satisfied for each in step.ana.criteria}
        required = [key for key, each in named(step.pre).items() if each.required] or list(met)
        counts = {"satisfied": sum(met.values()), "criteria": len(met), "required": len(required)}
        return calculated(best if all(met[key] for key in required) else 0.0, counts, rule)

    return (
        create_scorer(
            spelled("rubric", *_told_apart(given), scale=(best, 1.0)),
            input=Asked,
            output=str,
            judge=able(judge),
            scale=Scale(0, best),
            description=described("Whether the answer meets every required criterion.", rule),
        )
        .preprocess(needing(no_answer, known))
        .analyze(asking(rule, Rulings, _shown, objection=_objection))
        .generate_score(pure(score))
        .generate_reason(pure(_told))
    )


def listed(criteria: Sequence[Criterion | str] | str, /) -> Criteria:
    """The criteria as values; of one text each line that is not blank, without its marker.

    >>> [each.text for each in listed("- polite\\n2) 1.5 litres\\n\\n1.5 litres")]
    ['polite', '1.5 litres', '1.5 litres']
    """
    if isinstance(criteria, str):
        lines = (_MARKER.sub("", line, count=1) if _MARKER.match(line) else line for line in criteria.splitlines())
        return tuple(Criterion(line.strip()) for line in lines if line.strip())
    expect_sequence(criteria, "rubric(judge, criteria)")
    return tuple(each if isinstance(each, Criterion) else Criterion(each) for each in criteria)


def _told_apart(given: Criteria | None) -> list[object]:
    return [[each.text if each.required else (each.text, "optional") for each in given]] if given else []


def named(criteria: Criteria, /) -> Mapping[str, Criterion]:
    """The criteria by the names that the judge is shown."""
    return {f"C{at}": each for at, each in enumerate(criteria, 1)}


def _of_run(held: Mapping[str, object]) -> str | list[str]:
    found = held.get(KEY)
    if isinstance(found, str):
        return found
    return [str(each) for each in found if str(each).strip()] if _is_list(found) else ""


def _is_list(found: object) -> TypeIs[list[object] | tuple[object, ...]]:
    return isinstance(found, (list, tuple))


def _shown(step: Step[Asked, str, Criteria, None, object]) -> Mapping[str, str | int]:
    criteria = "\n".join(f"{key}: {' '.join(each.text.split())}" for key, each in named(step.pre).items())
    return {"task": step.run.input.question, "answer": step.run.output, "criteria": criteria}


def _objection(step: Step[Asked, str, Criteria, None, object], said: Rulings) -> str:
    keys, given = named(step.pre), Counter(each.key for each in said.criteria)
    wrong = (
        ("without a verdict", [key for key in keys if key not in given]),
        ("no criterion of ours", [key for key in given if key not in keys]),
        ("judged twice", [key for key, times in given.items() if times > 1]),
    )
    return "; ".join(f"{word}: {', '.join(named_)}" for word, named_ in wrong if named_)


def _told(step: ScoredStep[Asked, str, Criteria, Rulings, object]) -> str:
    said = {each.key: each for each in step.ana.criteria}
    lines = [
        f"- {'met' if said[key].satisfied else 'not met'}{'' if each.required else ', optional'}: "
        f"{each.text} ({said[key].reason})"
        for key, each in named(step.pre).items()
    ]
    return "\n".join([*lines, step.ana.overall_assessment] if step.ana.overall_assessment else lines)
