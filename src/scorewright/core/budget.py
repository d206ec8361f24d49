"""What may be spent, as data."""

from __future__ import annotations

from math import isfinite
from typing import final

import attrs

from scorewright.faults import DefinitionError


@final
@attrs.frozen
class Budget:
    """At most so many requests, tokens (in and out), US dollars and seconds; what is None is not bounded.

    A budget counts within one bench: give it to the `Bench` for all that is asked there, or to a `Judge` for what is
    asked of it. Judges whose budgets have the same `name` and bounds share one.
    """

    calls: int | None = None
    tokens: int | None = None
    dollars: float | None = None
    seconds: float | None = None
    name: str = ""

    def __attrs_post_init__(self) -> None:
        for given, bound in attrs.asdict(self).items():
            if given != "name" and bound is not None and not (isfinite(bound) and bound >= 0):
                raise DefinitionError(f"{given}= of a budget is a number, 0 or more, not {bound!r}")
