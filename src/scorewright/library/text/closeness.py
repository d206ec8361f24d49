"""How near a number in the output is to the one that is due."""

from __future__ import annotations

from math import isfinite
from typing import Literal

import attrs
from returns.result import Result

from scorewright.core import Scorer, Step, Verdict, create_scorer, pure
from scorewright.faults import NotScorable
from scorewright.library.defining import expect_number, expect_one_of, spelled
from scorewright.library.text.quantities import Decimal, Quantity, quantities, readings
from scorewright.results import err, ok


@attrs.frozen
class Numbers:
    """The number that is due, and the one of the output, where it has any."""

    due: Quantity
    found: Quantity | None


def numeric_closeness(
    *,
    absolute: float = 0.0,
    relative: float = 0.0,
    pick: Literal["first", "last"] = "last",
    decimal: Decimal = ".",
) -> Scorer[object, str, float | str, NotScorable]:
    """How near a number of the output is to the one of the reference: 1 within the tolerance, else by the distance.

    Within: |a - b| ≤ max(absolute, relative·|due|). Else 1 - |a - b| / max(|a|, |b|), and 0 for opposite signs.
    The reference is a number, or a text with one number and perhaps a unit ("1.5 km"): then 1500 m is equal, 5 kg is 0,
    and a number without unit is taken to be of the same. An output without a number has 0. `pick` says which number of
    the output counts. `.passing(1)` makes it yes or no.
    """
    expect_number(absolute, "numeric_closeness(absolute=…)")
    expect_number(relative, "numeric_closeness(relative=…)", most=1.0)
    expect_one_of(pick, ("first", "last"), "numeric_closeness(pick=…)")
    expect_one_of(decimal, (".", ","), "numeric_closeness(decimal=…)")

    def numbers(step: Step[object, str, None, None, float | str]) -> Result[Numbers, NotScorable]:
        wanted = due(step.run.expected, decimal)
        if wanted is None:
            return err(NotScorable("the reference holds no finite number, or more than one"))
        found = quantities(step.run.output, decimal)
        return ok(Numbers(wanted, None if not found else found[0 if pick == "first" else -1]))

    def judged(step: Step[object, str, Numbers, None, float | str]) -> Verdict:
        wanted, found = step.pre.due, step.pre.found
        if found is None:
            return Verdict(0.0, f"the output has no number; {wanted} is due")
        meant = [closeness(each, wanted.number, absolute, relative) for each in readings(found, wanted)]
        if not meant:
            return Verdict(0.0, f"{found} is not of the kind of {wanted}")
        return Verdict(max(meant), f"{found}; {wanted} is due")

    return (
        create_scorer(
            spelled(
                "numeric_closeness",
                absolute=(absolute, 0.0),
                relative=(relative, 0.0),
                pick=(pick, "last"),
                decimal=(decimal, "."),
            ),
            input=object,
            output=str,
            expected=float | str,
            description="how near the number is to the one of the reference",
        )
        .preprocess(numbers)
        .generate_verdict(pure(judged))
    )


def due(expected: float | str, decimal: Decimal, /) -> Quantity | None:
    """The number of the reference; None unless there is exactly one, and finite."""
    if not isinstance(expected, str):
        try:
            return Quantity(float(expected)) if isfinite(expected) else None
        except OverflowError:
            return None
    found = quantities(expected, decimal)
    return found[0] if len(found) == 1 else None


def closeness(one: float, other: float, absolute: float, relative: float, /) -> float:
    """1 within the tolerance, else 1 minus the distance as a share of the larger number; without overflow."""
    largest = max(abs(one), abs(other))
    if one == other or not largest:
        return 1.0
    apart = abs(one - other)
    if not isfinite(apart):
        return 0.0  # of opposite signs, and so large that they cannot be subtracted
    return 1.0 if apart <= max(absolute, relative * abs(other)) else max(0.0, 1.0 - apart / largest)
