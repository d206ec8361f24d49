"""Several scorers as one: weighted, mean, minimum, maximum.

The parts run side by side on the same run; what two of them ask alike is sent once. Each part is a step of the whole,
and the step of the combination holds the `Coverage`.

Laws, up to rounding where it says so: the order of the parts does not matter; `mean(a) = a`, and `minimum` and
`maximum` are associative (the mean is not: `mean(mean(a, b), c)` weighs c double); a part of weight 0 is not run; the
weights count by their proportion; `weighted` is convex, that is, never below its lowest or above its highest part.
Error types: pyright, ty and pyrefly keep the union of the parts', mypy their join, unless the result is annotated.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import isfinite
from typing import Generic, TypeAlias, cast, final

import attrs
from typing_extensions import TypeIs, TypeVar

from scorewright.algebra.policies import Policy, coverage_of, expect_policy, made_with, strict
from scorewright.core.agreement import shared_about
from scorewright.core.averaging import weighted_mean
from scorewright.core.definition import expect_apart, id_or, is_number, is_series, shown
from scorewright.core.evaluation import Evaluation, Trail
from scorewright.core.parts import (
    Conclusion,
    Ended,
    PartsFailed,
    Program,
    concluded,
    labels_of,
    reasons_of,
    side_by_side,
)
from scorewright.core.pipeline import Judged
from scorewright.core.run import Run
from scorewright.core.scale import Scale
from scorewright.core.scorer import Scorer, assembled, expect_scorer, part_steps
from scorewright.core.step import StepInfo
from scorewright.faults import DefinitionError, NotScorable

In = TypeVar("In")
Out = TypeVar("Out")
Ref = TypeVar("Ref")
E = TypeVar("E")

Reduce: TypeAlias = Callable[[Sequence[float], Sequence[float]], float]


def weighted(
    *parts: tuple[float, Scorer[In, Out, Ref, E]], policy: Policy = strict, id: str = ""
) -> Scorer[In, Out, Ref, PartsFailed[E]]:
    """The mean of the parts' scores, each with its weight: `weighted((0.7, a), (0.3, b))`.

    Weights are finite, not negative and not all 0; anything else is a `DefinitionError`.
    """
    for pair in parts:
        _expect_pair(pair)
    for weight, part in parts:
        if not (is_number(weight) and isfinite(weight) and weight >= 0):
            raise DefinitionError(
                f"the weight of {expect_scorer(part, 'weighted').id!r} is {weight!r}: weights are finite and at least 0"
            )
    total = sum(weight for weight, _ in parts)
    if not (isfinite(total) and total > 0):
        raise DefinitionError(f"weighted(…) needs at least one weight above 0, and a finite sum, not {total!r}")
    counted = [(weight, part) for weight, part in parts if weight > 0]
    weights, scorers = tuple(weight for weight, _ in counted), tuple(part for _, part in counted)
    return _combined("weighted", scorers, weights, weighted_mean, policy=policy, id=id)


def mean(
    *parts: Scorer[In, Out, Ref, E], policy: Policy = strict, id: str = ""
) -> Scorer[In, Out, Ref, PartsFailed[E]]:
    """The mean of the parts' scores."""
    return _combined("mean", parts, (1.0,) * len(parts), weighted_mean, policy=policy, id=id)


def minimum(
    *parts: Scorer[In, Out, Ref, E], policy: Policy = strict, id: str = ""
) -> Scorer[In, Out, Ref, PartsFailed[E]]:
    """The lowest of the parts' scores."""
    return _combined("minimum", parts, (1.0,) * len(parts), lowest, policy=policy, id=id)


def maximum(
    *parts: Scorer[In, Out, Ref, E], policy: Policy = strict, id: str = ""
) -> Scorer[In, Out, Ref, PartsFailed[E]]:
    """The highest of the parts' scores."""
    return _combined("maximum", parts, (1.0,) * len(parts), highest, policy=policy, id=id)


def lowest(scores: Sequence[float], _: Sequence[float], /) -> float:
    """The lowest score."""
    return min(scores)


def highest(scores: Sequence[float], _: Sequence[float], /) -> float:
    """The highest score."""
    return max(scores)


@final
@attrs.frozen
class Combined(Generic[In, Out, Ref, E]):
    """The program of a combination."""

    step: str
    labels: tuple[str, ...]
    programs: tuple[Program[In, Out, Ref, E], ...]
    weights: tuple[float, ...]
    reduce: Reduce
    policy: Policy
    scale: Scale

    def begin(self, run: Run[In, Out, Ref], /) -> Judged[PartsFailed[E]]:
        """The program of one run."""

        def go(names: tuple[str, ...], ends: tuple[Ended[E], ...], trail: Trail) -> Judged[PartsFailed[E]]:
            return concluded(self.step, names, trail, run, scale=self.scale, conclude=lambda: self._concluded(ends))

        return side_by_side(self.labels, self.programs, run, go)

    def _concluded(self, ends: tuple[Ended[E], ...]) -> Conclusion | PartsFailed[E] | NotScorable:
        scores = [end.score for end in ends if isinstance(end, Evaluation)]
        weights: Sequence[float] = self.weights
        if len(scores) < len(ends):
            lost = self.policy.lost(self.labels, ends)
            if lost is not None:
                return lost
            weights = [weight for weight, end in zip(weights, ends, strict=True) if isinstance(end, Evaluation)]
        return Conclusion(self.reduce(scores, weights), reasons_of(self.labels, ends), coverage_of(ends))


def _combined(
    step: str,
    parts: tuple[Scorer[In, Out, Ref, E], ...],
    weights: tuple[float, ...],
    reduce: Reduce,
    *,
    policy: Policy,
    id: str,
) -> Scorer[In, Out, Ref, PartsFailed[E]]:
    if not parts:
        raise DefinitionError(f"{step}(…) combines at least one scorer")
    expect_apart(parts, f"{step}(…)")
    labels = labels_of(tuple(expect_scorer(part, step).id for part in parts))
    expect_policy(policy, step)
    about = shared_about(id_or(id, f"{step}({', '.join(labels)})"), [part.about for part in parts])
    program = Combined(step, labels, tuple(part.program for part in parts), weights, reduce, policy, about.scale)
    weighed = zip(weights, labels, strict=True) if step == "weighted" else ()
    said = made_with(policy, ", ".join(f"{weight:g} of {label}" for weight, label in weighed))
    return assembled(about, (*part_steps(labels, parts), StepInfo(step, "pure", said)), program.begin, parts)


def _expect_pair(given: object) -> None:
    if isinstance(given, str):
        raise DefinitionError(f"the id goes by name: weighted(…, id={given!r})")
    if is_series(given) and given and all(map(_is_tuple, cast("Sequence[object]", given))):
        expect_apart((given,), "weighted(…)")
    if not (_is_tuple(given) and len(given) == 2):  # noqa: PLR2004  # a pair
        raise DefinitionError(f"weighted(…) takes pairs of a weight and a scorer, such as (0.7, a), not {shown(given)}")


def _is_tuple(given: object) -> TypeIs[tuple[object, ...]]:
    return isinstance(given, tuple)
