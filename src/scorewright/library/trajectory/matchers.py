"""Matchers: what may stand in the place of an expected value, at any depth of the arguments."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from math import isfinite
from typing import final

import attrs

from scorewright.core.definition import expect_function, is_number, shown
from scorewright.faults import DefinitionError
from scorewright.library.defining import expect_text


@final
@attrs.frozen
class Matcher:
    """A test of one value; it is known, compared and told by its name."""

    name: str
    test: Callable[[object], bool] = attrs.field(eq=False, repr=False)


@final
@attrs.frozen
class Partial:
    """An object that may hold more keys than these."""

    fields: Mapping[str, object]


anything: Matcher = Matcher("anything", lambda _: True)
"""Any value, also null; but the key must be there."""


def partial(fields: Mapping[str, object], /) -> Partial:
    """At least these keys with these values: `partial({"city": "Bern"})`. What stands inside them is compared whole."""
    _expect_fields(fields)
    return Partial(dict(fields))


def where(test: Callable[[object], bool], /, *, name: str = "") -> Matcher:
    """Any value for which the function holds. A lambda needs a name: scorers are told apart by what they expect."""
    expect_function(test, "where(…)", "str.isdigit")
    known = name or str(getattr(test, "__name__", ""))
    if not known.strip() or known == "<lambda>":
        raise DefinitionError('where(lambda …) needs a name: where(lambda value: …, name="a weekday")')
    return Matcher(known, test)


def pattern(regex: str, /) -> Matcher:
    """A text that the regular expression matches as a whole."""
    try:
        compiled = re.compile(regex)
    except (re.error, TypeError) as mistake:
        raise DefinitionError(f"pattern(…) takes a regular expression, and {shown(regex)} is none: {mistake}") from None
    return Matcher(f"/{regex}/", lambda value: isinstance(value, str) and compiled.fullmatch(value) is not None)


def near(number: float, tolerance: float, /) -> Matcher:
    """A number at most `tolerance` away. True, False and texts are no numbers."""
    for given in (number, tolerance):
        if not (is_number(given) and isfinite(given)):
            raise DefinitionError(f"near(number, tolerance) takes two finite numbers, not {shown(given)}")
    if tolerance < 0:
        raise DefinitionError(f"the tolerance of near(…) is at least 0, not {tolerance!r}")

    def test(value: object) -> bool:
        return isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value - number) <= tolerance

    return Matcher(f"{number:g} ± {tolerance:g}", test)


def ignoring_case(text: str, /) -> Matcher:
    """This text, in capitals or not."""
    expect_text(text, "ignoring_case(…)")
    folded = text.casefold()
    return Matcher(f'"{text}" in any case', lambda value: isinstance(value, str) and value.casefold() == folded)


def _expect_fields(given: object) -> None:
    if not isinstance(given, Mapping):
        raise DefinitionError(f'partial(…) takes an object, such as {{"city": "Bern"}}, not {shown(given)}')
