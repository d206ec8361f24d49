"""What a window comes to: numbers with their intervals, or the reason why there are none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import floor
from types import MappingProxyType
from typing import Final, Literal, TypeAlias, final

import attrs

from scorewright.core.definition import number_of, shown
from scorewright.faults import DefinitionError
from scorewright.live.health.windows import Held, Window
from scorewright.statistics.estimate import Estimate, Number, Undefined
from scorewright.statistics.means import mean, pass_rate, wilson
from scorewright.statistics.sample import Sample

Kind: TypeAlias = Literal["mean", "pass_rate", "percentile", "coverage", "failure_rate"]


@final
@attrs.frozen
class Measure:
    """Which number of a window: see `MEAN`, `COVERAGE`, `FAILURE_RATE`, `pass_rate_at` and `percentile`."""

    kind: Kind
    at: float | None = None

    def __attrs_post_init__(self) -> None:
        if self.kind not in KINDS:
            raise DefinitionError(f"a measure is {', '.join(KINDS)}, not {shown(self.kind)}")
        needs = self.kind in {"pass_rate", "percentile"}
        if needs != (self.at is not None):
            raise DefinitionError(f"the measure {self.kind} {'needs' if needs else 'takes no'} number beside it")
        if self.kind == "pass_rate" and not abs(number_of(self.at)) < float("inf"):
            raise DefinitionError(f"pass_rate_at(…) takes the score at which a run passes, not {shown(self.at)}")
        if self.kind == "percentile" and not 0 < number_of(self.at) < _WHOLE:
            raise DefinitionError(f"percentile(…) takes a number between 0 and 100, such as 95, not {shown(self.at)}")

    def __str__(self) -> str:
        if self.kind == "percentile":
            return f"p{self.at:g}"
        return f"pass rate at {self.at:g}" if self.kind == "pass_rate" else self.kind.replace("_", " ")


KINDS: Final[tuple[Kind, ...]] = ("mean", "pass_rate", "percentile", "coverage", "failure_rate")
_WHOLE: Final = 100
MEAN: Final = Measure("mean")
COVERAGE: Final = Measure("coverage")
FAILURE_RATE: Final = Measure("failure_rate")


def pass_rate_at(threshold: float, /) -> Measure:
    """The share of scored runs that reach the threshold."""
    return Measure("pass_rate", threshold)


def percentile(p: float, /) -> Measure:
    """The score below which so many percent of the scored runs are."""
    return Measure("percentile", p)


def measured(held: Held, measure: Measure, /, *, least: int, level: float) -> Estimate:
    """The number of the window.

    Mean: Student's t; pass rate, coverage and failure rate: Wilson's interval. Coverage is the share of scored runs
    among all that were to be scored, dropped ones too; the failure rate is the share of failed runs among those that a
    scorer has seen. Percentiles are exact within the window and come without an interval. All are undefined where there
    are fewer than `least` runs to stand on. The intervals are those of one look at independent runs.
    """
    n = n_of(held, measure)
    if n < least:
        return _none(held, f"{n} of the {least} runs that it takes")
    match measure.kind:
        case "mean":
            return mean(Sample(held.scores, held.coverage), level=level)
        case "pass_rate":
            return pass_rate(Sample(held.scores, held.coverage), measure.at or 0.0, level=level)
        case "percentile":
            value = exact_percentile(held.scores, measure.at or 0.0)
            return Estimate(value, Undefined("a percentile has no interval here"), held.coverage)
        case "coverage":
            return _share(held.coverage.n_scored, held, n, level)
        case "failure_rate":
            return _share(held.coverage.n_failed, held, n, level)


def n_of(held: Held, measure: Measure, /) -> int:
    """The runs that a number stands on."""
    match measure.kind:
        case "coverage":
            return held.n_due
        case "failure_rate":
            return held.coverage.n
        case _:
            return held.coverage.n_scored


def exact_percentile(scores: Sequence[float], p: float, /) -> Number:
    """Linear between order statistics (Hyndman and Fan 1996, type 7); undefined where no run lies beyond it.

    >>> exact_percentile([0.0, 1.0, 2.0, 3.0], 50)
    1.5
    """
    n, beyond = len(scores), min(p, _WHOLE - p) / _WHOLE
    if n * beyond < 1:
        return Undefined(f"p{p:g} of {n} runs says nothing: it takes {-floor(-1 / beyond)}")
    place = (n - 1) * p / _WHOLE
    below = floor(place)
    ordered = sorted(scores)
    low, high = ordered[below], ordered[min(below + 1, n - 1)]
    return low + (high - low) * (place - below)


def _share(hits: int, held: Held, n: int, level: float) -> Estimate:
    if not n:
        return _none(held, "no run came")
    return Estimate(hits / n, wilson(hits, n, level=level), held.coverage)


def _none(held: Held, why: str) -> Estimate:
    nothing = Undefined(why)
    return Estimate(nothing, nothing, held.coverage)


@final
@attrs.frozen
class Reading:
    """How one scorer does in one window."""

    scorer: str
    window: Window
    held: Held
    pass_at: float
    mean: Estimate
    pass_rate: Estimate
    coverage: Estimate
    failure_rate: Estimate
    percentiles: Mapping[float, Number]


def reading_of(
    scorer: str,
    window: Window,
    held: Held,
    /,
    *,
    pass_at: float,
    percentiles: Sequence[float],
    least: int,
    level: float,
) -> Reading:
    """All numbers of a window."""

    def of(measure: Measure) -> Estimate:
        return measured(held, measure, least=least, level=level)

    many = {p: of(percentile(p)).value for p in percentiles}
    return Reading(
        scorer,
        window,
        held,
        pass_at,
        of(MEAN),
        of(pass_rate_at(pass_at)),
        of(COVERAGE),
        of(FAILURE_RATE),
        MappingProxyType(many),
    )
