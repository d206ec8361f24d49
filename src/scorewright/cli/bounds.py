"""Bounds that the command line sets: `--fail-under ID=LIMIT` and `--fail-over ID=LIMIT` on means, `--gate` on items."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isfinite, nan
from typing import Literal, TypeAlias

from scorewright.cli.loading import UsageError
from scorewright.core.collection import SomeScorer
from scorewright.suites import Threshold, at_least, at_most
from scorewright.suites.thresholds import Limit

Way: TypeAlias = Literal["under", "over"]


def thresholds_of(
    under: Sequence[str], over: Sequence[str], scorers: Mapping[str, SomeScorer], /
) -> Mapping[str, Threshold]:
    """The thresholds of all `--fail-under` and `--fail-over`, for scorers by their ids; the last of an id counts."""
    given: list[tuple[Way, str]] = [*(("under", each) for each in under), *(("over", each) for each in over)]
    return dict(_threshold(way, each, scorers) for way, each in given)


def gates_of(given: Sequence[str], /) -> Mapping[str, Limit | None]:
    """`ID`, or `ID>=LIMIT`, as a suite takes gates."""
    gates: dict[str, Limit | None] = {}
    for each in given:
        for sign in (">=", "<="):
            id, found, limit = each.partition(sign)
            if found:
                gates[id.strip()] = f"{sign} {limit.strip()}"
                break
        else:
            gates[each.strip()] = None
    return gates


def _threshold(way: Way, given: str, scorers: Mapping[str, SomeScorer]) -> tuple[str, Threshold]:
    """One that would fail the good end of a scale is a usage error."""
    option = f"--fail-{way}"
    id, equals, limit = (part.strip() for part in given.rpartition("="))
    if not equals:
        example = next(iter(scorers), "ID")
        raise UsageError(f"{option} takes ID=LIMIT, such as {example}=0.8, not {given!r}")
    if id not in scorers:
        raise UsageError(f"{option} names {id!r}; the scorers are {', '.join(scorers)}")
    scorer = scorers[id]
    right: Way = "under" if scorer.better == "higher" else "over"
    if way != right:
        raise UsageError(f"{option} {given}: of {id!r} {scorer.better} is better, so use --fail-{right} {given}")
    bound, scale = _number(limit), scorer.scale
    if not (isfinite(bound) and scale.low <= bound <= scale.high):
        ends = f"{scale.low:g}..{scale.high:g}"
        raise UsageError(f"{option} {given}: the limit is a number of the scorer's scale, {ends}")
    return id, at_least(bound) if way == "under" else at_most(bound)


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return nan
