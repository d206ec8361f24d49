"""The laws of the small values: what is mapped with `pure`, scores on a scale, judges over judges."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from math import isfinite
from typing import final

import attrs

from scorewright.core import Answerer, Scale
from scorewright.core import pure as pure_
from scorewright.core import then as then_
from scorewright.faults import InvalidScore
from scorewright.laws.programs import Next, Operations, Played, played
from scorewright.laws.script import Script
from scorewright.laws.statement import Law, Sides
from scorewright.laws.trees import Program, Tree, grown


@final
@attrs.frozen
class Affine:
    """The function n -> `times` * n + `plus`."""

    times: int
    plus: int

    def __call__(self, number: int, /) -> int:
        """The number, mapped."""
        return self.times * number + self.plus


def _then_judge(inner: Answerer, outer: Answerer, /) -> Answerer:
    return inner.filled(outer)


@final
@attrs.frozen
class Values:
    """What the laws of values hold to account; the ones of `scorewright.core` unless given."""

    pure: Callable[[Callable[[int], int]], Next] = pure_
    then: Callable[[Program, Next], Program] = then_
    check: Callable[[Scale, object], float | InvalidScore] = Scale.check
    filled: Callable[[Answerer, Answerer], Answerer] = _then_judge


@final
@attrs.frozen
class ValueCase:
    """A program and two functions of its number; a scale and what should be a score; three judges of a kind."""

    number: int
    program: Tree
    f: Affine
    g: Affine
    script: Script
    scale: Scale
    score: object
    judges: tuple[Answerer, Answerer, Answerer]
    no_judge: Answerer


def pure_lifts_the_function(values: Values, case: ValueCase) -> Sides[Played]:
    """`pure(f)` answers `ok(f(a))`."""
    return Sides(
        _played(lambda: values.pure(case.f)(case.number), case), _played(lambda: pure_(case.f)(case.number), case), case
    )


def mapping_keeps_identity(values: Values, case: ValueCase) -> Sides[Played]:
    """A program, a prompt too, that is continued with `pure` of the identity is the program."""
    return Sides(_played(lambda: values.then(_program(case), values.pure(_unchanged)), case), _bare(case), case)


def mapping_keeps_composition(values: Values, case: ValueCase) -> Sides[Played]:
    """`pure(f)` and then `pure(g)` is `pure` of g after f, behind a prompt too."""
    pure, then = values.pure, values.then
    return Sides(
        _played(lambda: then(then(_program(case), pure(case.f)), pure(case.g)), case),
        _played(lambda: then(_program(case), pure(lambda n: case.g(case.f(n)))), case),
        case,
    )


def checking_twice_is_checking_once(values: Values, case: ValueCase) -> Sides[object]:
    """A score that the scale has accepted is accepted again, unchanged."""
    once = values.check(case.scale, case.score)
    return Sides(once if isinstance(once, InvalidScore) else values.check(case.scale, once), once, case)


def what_is_accepted_is_on_the_scale(values: Values, case: ValueCase) -> Sides[object]:
    """What a scale accepts is a number, and becomes the float nearest to it: finite and between the ends."""
    score, got = case.score, values.check(case.scale, case.score)
    if isinstance(got, InvalidScore):
        return Sides((), (), case)
    nearest = float(score) if isinstance(score, (int, float, Decimal, Fraction)) else None
    return Sides((got, isfinite(got), case.scale.low <= got <= case.scale.high), (nearest, True, True), case)


def filling_is_associative(values: Values, case: ValueCase) -> Sides[object]:
    """A step's judge over a scorer's over a suite's does not depend on which two are joined first."""
    a, b, c = case.judges
    return Sides(values.filled(values.filled(a, b), c), values.filled(a, values.filled(b, c)), case)


def the_empty_judge_fills_nothing(values: Values, case: ValueCase) -> Sides[object]:
    """An empty judge, over another or under it, leaves the other."""
    judge, none = case.judges[0], case.no_judge
    return Sides((values.filled(judge, none), values.filled(none, judge)), (judge, judge), case)


def _unchanged(number: int) -> int:
    return number


def _program(case: ValueCase) -> Program:
    return grown(case.program, case.number)


def _played(begin: Callable[[], Program], case: ValueCase) -> Played:
    return played(Operations(), begin, case.script)


def _bare(case: ValueCase) -> Played:
    return _played(lambda: _program(case), case)


VALUE_LAWS: tuple[Law[Values, ValueCase], ...] = (
    pure_lifts_the_function,
    mapping_keeps_identity,
    mapping_keeps_composition,
    checking_twice_is_checking_once,
    what_is_accepted_is_on_the_scale,
    filling_is_associative,
    the_empty_judge_fills_nothing,
)
