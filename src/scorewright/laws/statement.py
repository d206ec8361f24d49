"""What a law says: two sides that nobody can tell apart by what can be observed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import isclose, isnan
from typing import Generic, TypeAlias, final

import attrs
from returns.result import Failure, Result, Success
from typing_extensions import TypeIs, TypeVar

from scorewright.core import Evaluation, ScoringFailure

A_co = TypeVar("A_co", covariant=True)
I = TypeVar("I")  # noqa: E741  # the implementation that a law holds to account
C = TypeVar("C")  # the case that it is tried on


@final
@attrs.frozen
class Sides(Generic[A_co]):
    """The two sides of a law and what it was given; numbers may differ by `tolerance`, relative and near 0 absolute."""

    left: A_co
    right: A_co
    given: object
    tolerance: float = 0.0

    @property
    def agree(self) -> bool:
        """Whether the law holds here."""
        return same(self.left, self.right, self.tolerance)


Law: TypeAlias = Callable[[I, C], Sides[object]]


class LawBroken(AssertionError):
    """A law does not hold: which, on what, and how its sides differ."""


def hold(law: Callable[[I, C], Sides[object]], implementation: I, case: C, /) -> None:
    """Raise `LawBroken` unless the implementation keeps the law on this case."""
    sides = law(implementation, case)
    if not sides.agree:
        name: str = getattr(law, "__name__", repr(law))
        said = (law.__doc__ or "").partition("\n")[0]
        raise LawBroken(f"{name}: {said}\n  given {sides.given!r}\n  left  {sides.left!r}\n  right {sides.right!r}")


def same(left: object, right: object, tolerance: float = 0.0, /) -> bool:
    """Whether two things look alike: scores within the tolerance, reasons and causes exactly, evidence not at all.

    >>> same((0.1 + 0.2, "fine"), (0.3, "fine"), 1e-9)
    True
    """
    if isinstance(left, Evaluation) and isinstance(right, Evaluation):
        return same((left.score, left.reason), (right.score, right.reason), tolerance)
    if _is_failure(left) and _is_failure(right):
        return same((left.score, left.cause), (right.score, right.cause), tolerance)
    if _is_result(left) and _is_result(right):
        return type(left) is type(right) and same(_inside(left), _inside(right), tolerance)
    if _is_sequence(left) and _is_sequence(right):
        return len(left) == len(right) and all(same(a, b, tolerance) for a, b in zip(left, right, strict=True))
    if _is_mapping(left) and _is_mapping(right):
        return left.keys() == right.keys() and all(same(left[key], right[key], tolerance) for key in left)
    if isinstance(left, float) and isinstance(right, float):
        near = isclose(left, right, rel_tol=tolerance, abs_tol=tolerance)
        return near or (isnan(left) and isnan(right))
    return type(left) is type(right) and left == right


def _is_failure(given: object) -> TypeIs[ScoringFailure[object]]:
    return isinstance(given, ScoringFailure)


def _is_result(given: object) -> TypeIs[Result[object, object]]:
    return isinstance(given, (Success, Failure))


def _is_sequence(given: object) -> TypeIs[Sequence[object]]:
    return isinstance(given, (tuple, list))


def _is_mapping(given: object) -> TypeIs[Mapping[object, object]]:
    return isinstance(given, Mapping)


def _inside(result: Result[object, object]) -> object:
    return result.unwrap() if isinstance(result, Success) else result.failure()
