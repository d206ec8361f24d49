"""What an aggregate does about failed runs: a rule that is chosen and named, never one that happens to apply."""

from __future__ import annotations

from math import isfinite
from typing import Final, final

import attrs

from scorewright.faults import DefinitionError
from scorewright.statistics.estimate import LEFT_OUT as SAID
from scorewright.statistics.estimate import Undefined
from scorewright.statistics.sample import Sample


@final
@attrs.frozen
class Missing:
    """How failed runs count; runs that are not scorable are in no aggregate.

    `value` is the score that each of them gets, `least` the share of runs that has to be scored. With neither they are
    left out, and the coverage says so.
    """

    value: float | None = None
    least: float | None = None

    def __attrs_post_init__(self) -> None:
        if self.value is not None and not isfinite(self.value):
            raise DefinitionError(f"a failed run counts as a number of the scale, not {self.value}")
        if self.least is not None and not 0 < self.least <= 1:
            raise DefinitionError(f"the share of runs that has to be scored is above 0 and at most 1, not {self.least}")

    def __str__(self) -> str:
        if self.value is not None:
            return f"failed runs count as {self.value:g}"
        if self.least is not None:
            return f"undefined where less than {self.least:g} of the runs are scored"
        return SAID


LEFT_OUT: Final = Missing()


def counted_as(value: float, /) -> Missing:
    """A failed run has this score: the worst of the scale, so that nobody gains by failing."""
    return Missing(value=value)


def refused_below(share: float, /) -> Missing:
    """There is no aggregate where less than this share of the runs is scored."""
    return Missing(least=share)


def settled(sample: Sample, missing: Missing, /) -> Sample | Undefined:
    """The sample as a rule takes it, or why there is no aggregate."""
    coverage = sample.coverage
    asked = coverage.n_scored + coverage.n_failed
    if missing.least is not None and coverage.n_scored < missing.least * asked:
        return Undefined(f"{coverage.n_scored} of {asked} runs are scored, less than {missing.least:g}")
    if missing.value is None or not coverage.n_failed:
        return sample
    unknown = sum(score is None for score in sample.scores) - len(sample.unscorable)
    if unknown != coverage.n_failed:
        raise DefinitionError(
            "which runs failed and which are not scorable is not known: make the sample with Sample.of(outcomes), "
            "or say unscorable="
        )
    scores = tuple(
        missing.value if score is None and at not in sample.unscorable else score
        for at, score in enumerate(sample.scores)
    )
    return attrs.evolve(sample, scores=scores)
