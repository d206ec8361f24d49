"""Does the answer stay the same when the question is disturbed?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias, final

import attrs

from scorewright.core import Answerer, Calculated, Scale, ScoredStep, Scorer, Step, create_scorer, pure
from scorewright.core.definition import shown
from scorewright.faults import DefinitionError
from scorewright.library.defining import spelled
from scorewright.library.judged.guards import requiring
from scorewright.library.judged.options import able, described, penalty, rounded
from scorewright.library.judged.reading import asking
from scorewright.library.judged.runs import Faults
from scorewright.library.judged.template import template
from scorewright.library.judged.verdicts import calculated

Impact: TypeAlias = Literal["none", "minimal", "moderate", "significant", "severe"]

WEIGHTS: Mapping[Impact, float] = {"none": 1.0, "minimal": 0.85, "moderate": 0.6, "significant": 0.3, "severe": 0.1}


@final
@attrs.frozen
class Noisy:
    """A question, the same with noise put into it, and the answer to the question without noise.

    The run's output is the answer to the noisy one. `noise` says of which kind the noise is, where that is known.
    """

    question: str
    noisy_question: str
    baseline: str
    noise: str = ""


@final
@attrs.frozen
class Dimension:
    """What the noise did to one side of the answer."""

    dimension: str
    specific_changes: str
    noise_influence: str
    impact_level: Impact


@final
@attrs.frozen
class Robustness:
    """What the judge says of all of them, and its own number from 0 to 1."""

    dimensions: tuple[Dimension, ...]
    robustness_score: float = attrs.field(validator=[attrs.validators.ge(0), attrs.validators.le(1)])
    major_issues: tuple[str, ...] = ()
    overall_assessment: str = ""


First: TypeAlias = Step[Noisy, str, None, None, object]


def noise_sensitivity(
    judge: Answerer,
    /,
    *,
    weights: Mapping[Impact, float] = WEIGHTS,
    issue_penalty: float = 0.1,
    most_issues: float = 0.3,
    discrepancy: float = 0.2,
) -> Scorer[Noisy, str, object, Faults]:
    """How well the answer withstands noise in the question: 1 says that nothing changed.

    The judge's own number counts, unless it differs by more than `discrepancy` from the mean weight of the impacts:
    then the lower of the two. From that, min(issue_penalty · major issues, most_issues) is taken off, down to 0; at
    two decimals. `weights` changes the weights of the impacts that it names. One question.
    """
    table = _weights(weights)
    rate, most = penalty("issue_penalty", issue_penalty), penalty("most_issues", most_issues)
    apart, compare = penalty("discrepancy", discrepancy), template("noise_sensitivity-dimensions")

    def score(step: Step[Noisy, str, None, Robustness, object]) -> Calculated:
        said = step.ana
        left = said.robustness_score
        mean = sum(table[each.impact_level] for each in said.dimensions) / max(1, len(said.dimensions))
        if said.dimensions and abs(left - mean) > apart:
            left = min(left, mean)
        left = max(0.0, left - min(len(said.major_issues) * rate, most))
        counts = {"mean": mean, "judge": said.robustness_score, "major issues": len(said.major_issues)}
        return calculated(rounded(left, 1.0), counts, compare)

    return (
        create_scorer(
            spelled(
                "noise_sensitivity",
                weights=(table, dict(WEIGHTS)),
                issue_penalty=(rate, 0.1),
                most_issues=(most, 0.3),
                discrepancy=(apart, 0.2),
            ),
            input=Noisy,
            output=str,
            judge=able(judge),
            scale=Scale(0, 1),
            description=described("How well the answer withstands noise in the question.", compare),
        )
        .preprocess(requiring(_lack))
        .analyze(asking(compare, Robustness, _shown, objection=_objection))
        .generate_score(pure(score))
        .generate_reason(pure(_told))
    )


def _weights(given: Mapping[Impact, float]) -> Mapping[Impact, float]:
    _expect_mapping(given)
    if unknown := [impact for impact in given if impact not in WEIGHTS]:
        raise DefinitionError(f"weights= names the impacts {', '.join(WEIGHTS)}, not {shown(unknown[0])}")
    table: dict[Impact, float] = {**WEIGHTS, **given}
    for impact, weight in table.items():
        table[impact] = penalty(f"weights[{impact!r}]", weight)
    return table


def _expect_mapping(given: object) -> None:
    if not isinstance(given, Mapping):
        raise DefinitionError(f'weights= takes weights by impact, such as {{"minimal": 0.9}}, not {shown(given)}')


def _lack(step: First) -> str:
    given = step.run.input
    texts = {
        "question": given.question,
        "noisy question": given.noisy_question,
        "baseline": given.baseline,
        "answer": step.run.output,
    }
    return "; ".join(f"the {name} is empty" for name, text in texts.items() if not text.strip())


def _shown(step: First) -> Mapping[str, str | int]:
    given = step.run.input
    return {
        "question": given.question,
        "baseline": given.baseline,
        "noisy_question": given.noisy_question,
        "noise": given.noise or "of any kind",
        "answer": step.run.output,
    }


def _objection(_step: First, said: Robustness) -> str:
    names = [each.dimension.strip().casefold() for each in said.dimensions]
    return "a dimension is judged twice" if len(set(names)) < len(names) else ""


def _told(step: ScoredStep[Noisy, str, None, Robustness, object]) -> str:
    said = step.ana
    lines = [f"- {each.dimension} {each.impact_level}: {each.specific_changes}" for each in said.dimensions]
    lines += [f"- major issue: {each}" for each in said.major_issues]
    return "\n".join([*lines, said.overall_assessment] if said.overall_assessment else lines)
