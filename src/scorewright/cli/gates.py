"""Bounds on means, which decide the exit code: `--fail-under ID=LIMIT` and `--fail-over ID=LIMIT`."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite, nan
from typing import Literal, TypeAlias, final

import attrs

from scorewright.cli.loading import AnyScorer, UsageError
from scorewright.cli.summary import Tally

Way: TypeAlias = Literal["under", "over"]


@final
@attrs.frozen
class Gate:
    """A bound on the mean of one scorer, and on which side of it the gate fails."""

    scorer: str
    limit: float
    way: Way = "under"

    def passes(self, tallies: Sequence[Tally], /) -> bool:
        """Whether the mean is there and not on the wrong side of the limit."""
        mean = self.mean(tallies)
        return mean is not None and (mean >= self.limit if self.way == "under" else mean <= self.limit)

    def mean(self, tallies: Sequence[Tally], /) -> float | None:
        """The mean that is held against the limit."""
        return next((tally.mean for tally in tallies if tally.scorer.id == self.scorer), None)


def gates_of(under: Sequence[str], over: Sequence[str], scorers: Sequence[AnyScorer], /) -> list[Gate]:
    """The gates of all `--fail-under` and `--fail-over`."""
    return [gate_of(given, scorers) for given in under] + [gate_of(given, scorers, "over") for given in over]


def gate_of(given: str, scorers: Sequence[AnyScorer], way: Way = "under", /) -> Gate:
    """The gate of one option; one that would fail the good end of a scale is a usage error."""
    option = f"--fail-{way}"
    id, equals, limit = given.rpartition("=")
    if not equals:
        raise UsageError(f"{option} takes ID=LIMIT, such as {scorers[0].id}=0.8, not {given!r}")
    found = next((scorer for scorer in scorers if scorer.id == id), None)
    if found is None:
        raise UsageError(f"{option} names {id!r}; the scorers are {', '.join(scorer.id for scorer in scorers)}")
    right: Way = "under" if found.better == "higher" else "over"
    if way != right:
        raise UsageError(f"{option} {given}: of {id!r} {found.better} is better, so use --fail-{right} {given}")
    try:
        bound = float(limit)
    except ValueError:
        bound = nan
    if not found.scale.low <= bound <= found.scale.high or not isfinite(bound):
        raise UsageError(f"{option} {given}: the limit is a number of the scorer's scale, {scale_of(found)}")
    return Gate(id, bound, way)


def scale_of(scorer: AnyScorer, /) -> str:
    """The ends of its scale."""
    return f"{scorer.scale.low:g}..{scorer.scale.high:g}"
