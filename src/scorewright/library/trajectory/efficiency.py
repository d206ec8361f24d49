"""`efficiency`: budgets and redundancy as one score."""

from __future__ import annotations

from scorewright.algebra import mean
from scorewright.library.defining import expect_flag, spelled
from scorewright.library.trajectory.budgets import budgets, expect_some
from scorewright.library.trajectory.calls import redundancy
from scorewright.library.trajectory.limits import expect_limit, rounding
from scorewright.library.trajectory.path import PathScorer


def efficiency(
    *,
    max_steps: float | None = None,
    max_tokens: float | None = None,
    max_milliseconds: float | None = None,
    repeats: bool = True,
    places: int | None = None,
) -> PathScorer:
    """The mean of the budgets that are set, and of `redundancy()` unless `repeats` is False.

    A run of which a budget's quantity was not recorded is not scorable.
    """
    limits = {"max_steps": max_steps, "max_tokens": max_tokens, "max_milliseconds": max_milliseconds}
    for name, limit in limits.items():
        if limit is not None:
            expect_limit(f"efficiency({name}=…)", limit)
    expect_flag(repeats, "efficiency(repeats=…)")
    rounded = rounding(places)
    parts = (*budgets(max_steps, max_tokens, max_milliseconds), *([redundancy()] if repeats else []))
    expect_some(parts, "efficiency(…)")
    told = {name: (limit, None) for name, limit in limits.items()}
    id = spelled("efficiency", **told, repeats=(repeats, True), places=(places, None))
    whole = mean(*parts, id=id)
    return whole if places is None else whole.map_score(rounded)
