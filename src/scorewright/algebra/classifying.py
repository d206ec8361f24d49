"""A judge that chooses a label, and the score that we gave the label beforehand.

Labels are a Literal, an Enum or bool. That every label has a score, and none but they, is checked when the scorer is
defined; written as a function with `assert_never` at its end, the scores are exhaustive for the type checker as well.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from math import fsum
from typing import Generic, TypeAlias, cast, final

import attrs
from typing_extensions import TypeForm, TypeVar

from scorewright.algebra.checking import applied, checked_prompt, list_of
from scorewright.core.about import check_form
from scorewright.core.ask import Answerer
from scorewright.core.definition import expect_flag, expect_function, expect_scale, is_mapping, shown
from scorewright.core.prompt import Said, prompt
from scorewright.core.scale import UNIT, Scale
from scorewright.core.scorer import Scorer
from scorewright.core.stages import create_scorer
from scorewright.core.step import Step, pure
from scorewright.faults import DefinitionError, InvalidScore, JudgeFault
from scorewright.shapes import unstructure
from scorewright.shapes.anatomy import seen_through, spoken
from scorewright.shapes.forms import Choices

In = TypeVar("In")
Out = TypeVar("Out")
L = TypeVar("L")
L_co = TypeVar("L_co", covariant=True)

Scores: TypeAlias = "Mapping[L, float] | Callable[[L], float]"


@final
@attrs.frozen
class Labelled(Generic[L_co]):
    """One label, with a reason."""

    reason: str
    label: L_co


@final
@attrs.frozen
class Chance(Generic[L_co]):
    """How probable one label is."""

    label: L_co
    probability: float


@final
@attrs.frozen
class Distribution(Generic[L_co]):
    """How probable every label is, with a reason."""

    reason: str
    chances: tuple[Chance[L_co], ...]


def classifier_scorer(
    id: str,
    question: Callable[[Step[In, Out, None, None]], Said],
    /,
    *,
    input: TypeForm[In],
    output: TypeForm[Out],
    labels: TypeForm[L],
    scores: Scores[L],
    judge: Answerer,
    distribution: bool = False,
    scale: Scale = UNIT,
    name: str = "",
    description: str = "",
) -> Scorer[In, Out, object, JudgeFault]:
    """The score of the label that the judge chooses; the step "analyze" holds its answer.

    With `distribution` the judge gives every label a probability, in all 1 within 0.01: the score is then the expected
    one, and the answer is a `Distribution`; it names each label once, or it is a fault.
    """
    expect_function(question, "classifier_scorer(id, question)", "lambda step: f'Which tone? {step.run.output}'")
    expect_scale(scale, "classifier_scorer(…, scale=…)")
    expect_flag(distribution, "classifier_scorer(…, distribution=…)")
    members = members_of(labels)
    table = scores_of(id, members, scores, scale)
    draft = create_scorer(id, input=input, output=output, judge=judge, scale=scale, name=name, description=description)
    if distribution:
        spread = cast("TypeForm[Distribution[L]]", applied(Distribution, labels))  # a type made out of a value
        chances = checked_prompt(spread, question, lambda answer: objection(answer, members))
        return (
            draft.analyze(chances)
            .generate_score(pure(lambda s: expected(s.ana, table, scale)))
            .generate_reason(pure(lambda s: s.ana.reason))
        )
    single = cast("TypeForm[Labelled[L]]", applied(Labelled, labels))  # as above
    return (
        draft.analyze(prompt(single, question))
        .generate_score(pure(lambda s: table[s.ana.label]))
        .generate_reason(pure(lambda s: s.ana.reason))
    )


def binary_scorer(
    id: str,
    question: Callable[[Step[In, Out, None, None]], Said],
    /,
    *,
    input: TypeForm[In],
    output: TypeForm[Out],
    judge: Answerer,
    distribution: bool = False,
) -> Scorer[In, Out, object, JudgeFault]:
    """1 for yes and 0 for no; with `distribution`, the probability of yes."""
    return classifier_scorer(
        id, question, input=input, output=output, labels=bool, scores=float, judge=judge, distribution=distribution
    )


def ordinal_scorer(
    id: str,
    question: Callable[[Step[In, Out, None, None]], Said],
    /,
    *,
    input: TypeForm[In],
    output: TypeForm[Out],
    labels: TypeForm[L],
    judge: Answerer,
    distribution: bool = False,
) -> Scorer[In, Out, object, JudgeFault]:
    """Labels that are written from worst to best, evenly spaced: the k-th of n, counted from 0, scores k / (n - 1)."""
    members = members_of(labels)
    if len(members) < 2:  # noqa: PLR2004 - a scale has two ends
        raise DefinitionError(f"ordinal_scorer({id!r}, …) takes at least two labels")
    scores = {label: at / (len(members) - 1) for at, label in enumerate(members)}
    return classifier_scorer(
        id, question, input=input, output=output, labels=labels, scores=scores, judge=judge, distribution=distribution
    )


def members_of(labels: TypeForm[L], /) -> tuple[L, ...]:
    """The labels in the order in which they are written."""
    if labels is bool:
        return cast("tuple[L, ...]", (False, True))
    check_form(labels, "labels")
    choices = seen_through(labels)
    if not isinstance(choices, Choices):
        raise DefinitionError(f"labels= is a Literal, an Enum or bool, not {spoken(labels)}")
    members = tuple(meant for _, meant in choices.pairs)
    if len(set(members)) < len(members):
        raise DefinitionError(f"labels= has two that are equal in Python, as 1 and True are: {spoken(labels)}")
    return cast("tuple[L, ...]", members)


def scores_of(id: str, members: Sequence[L], scores: Scores[L], scale: Scale, /) -> Mapping[L, float]:
    """A score for every label, on the scale; everything that is wrong with them is said at once."""
    if not (callable(scores) or is_mapping(scores)):
        raise DefinitionError(f"scores= of {id!r} is a mapping or a function of the labels, not {shown(scores)}")
    given = {label: scores(label) for label in members} if callable(scores) else dict(scores)
    checked = {label: scale.check(score) for label, score in given.items()}
    wrong = [
        f"{_said(label)} has {score.got}, {score.why}"
        for label, score in checked.items()
        if isinstance(score, InvalidScore)
    ]
    said = (
        list_of([_said(label) for label in members if label not in given], "labels without a score"),
        list_of([_said(label) for label in given if label not in members], "scores of no label"),
        "; ".join(wrong),
    )
    if any(said):
        raise DefinitionError(f"the scores of {id!r}: {'; '.join(filter(None, said))}")
    return {label: score for label, score in checked.items() if not isinstance(score, InvalidScore)}


def objection(answer: Distribution[L], members: Sequence[L], /) -> str:
    """What is wrong with a distribution: not every label once, or not probabilities."""
    named = Counter(chance.label for chance in answer.chances)
    said = (
        list_of([_said(label) for label in members if not named[label]], "labels that are missing"),
        list_of([_said(label) for label, count in named.items() if count > 1], "labels that are named twice"),
        "" if all(0 <= chance.probability <= 1 for chance in answer.chances) else "a probability lies outside 0..1",
        "" if _is_near_one(answer.chances) else "they do not sum to 1",
    )
    return "; ".join(filter(None, said))


def expected(answer: Distribution[L], table: Mapping[L, float], scale: Scale, /) -> float:
    """The mean score, each label counted as it is probable."""
    total = sum(chance.probability for chance in answer.chances)
    found = sum(table[chance.label] * chance.probability for chance in answer.chances) / total
    return min(scale.high, max(scale.low, found))


def _is_near_one(chances: Sequence[Chance[L]]) -> bool:
    away = abs(fsum(chance.probability for chance in chances) - 1)
    return round(away, 9) <= _SLACK  # three times 0.33 is 0.99, which as a float is a little further away than 0.01


_SLACK = 0.01  # judges round what they say


def _said(label: object) -> str:
    return repr(unstructure(label))
