"""What may be spent, as data."""

from __future__ import annotations

from math import isfinite
from typing import final

import attrs
from typing_extensions import TypeIs

from scorewright.faults import DefinitionError


@final
@attrs.frozen
class Budget:
    """At most so many requests, tokens (in and out), US dollars and seconds; what is None is not bounded.

    A budget counts within one bench: give it to the `Bench` for all that is asked there, or to a `Judge` for what is
    asked of it. Judges whose budgets have the same `name` and bounds share one.

    What a request may take is set aside before it is sent. With `max_tokens` in the judge's settings the tokens of the
    reply are bounded, and so is the sum; without it as many are set aside as the longest reply so far had.
    """

    calls: int | None = None
    tokens: int | None = None
    dollars: float | None = None
    seconds: float | None = None
    name: str = ""

    def __attrs_post_init__(self) -> None:
        for given in ("calls", "tokens", "dollars", "seconds"):
            bound: object = getattr(self, given)
            if bound is not None and not (_is_number(bound) and bound >= 0):
                raise DefinitionError(f"{given}= of a budget is a number, 0 or more, not {bound!r}")
            if given in {"calls", "tokens"} and isinstance(bound, float):
                raise DefinitionError(f"{given}= of a budget is a whole number, not {bound!r}")


def _is_number(given: object) -> TypeIs[int | float]:
    return isinstance(given, (int, float)) and not isinstance(given, bool) and isfinite(given)
