"""Means of groups, and the mean over them: value and error always belong to one estimator."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import sqrt
from types import MappingProxyType
from typing import Literal, TypeAlias, final

import attrs

from scorewright.core.averaging import weighted_mean
from scorewright.faults import DefinitionError
from scorewright.statistics.estimate import Estimate, Number, Undefined
from scorewright.statistics.means import mean, standard_error
from scorewright.statistics.sample import Sample
from scorewright.suites.coverage import Coverage

Weighting: TypeAlias = Literal["equal", "by_size"]


@final
@attrs.frozen
class Pooled:
    """A mean over groups and its standard error."""

    value: Number
    error: Number
    weighting: Weighting


def by_group(sample: Sample, /, *, level: float = 0.95) -> Mapping[str, Estimate]:
    """The mean of each group, by its name, in the order in which groups first occur; runs without one are left out.

    The overall mean is `mean(sample)`: it is no group, so a group may be called anything.
    """
    if sample.groups is None:
        raise DefinitionError("the sample has no groups: make it with groups=")
    members = _members(sample.groups)
    return MappingProxyType({group: mean(_part(sample, those), level=level) for group, those in members.items()})


def over_groups(sample: Sample, /, *, weighting: Weighting) -> Pooled:
    """The mean over groups: each counts the same (`"equal"`), or as many rows as it has (`"by_size"`)."""
    if sample.groups is None:
        raise DefinitionError("the sample has no groups: make it with groups=")
    parts = [_part(sample, those) for those in _members(sample.groups).values()]
    return pooled([(len(part.values), mean(part).value, standard_error(part)) for part in parts], weighting=weighting)


def pooled(groups: list[tuple[int, Number, Number]], /, *, weighting: Weighting) -> Pooled:
    """The same from each group's rows, mean and standard error; groups are independent of each other.

    With weights w: the value is the weighted mean and the error the root of the sum of (w times the group's error)².
    """
    if weighting not in ("equal", "by_size"):
        raise DefinitionError(f"weighting= is 'equal' or 'by_size', not {weighting!r}")
    whole = sum(n for n, _, _ in groups)
    if not whole:
        nothing = Undefined("no run has a score")
        return Pooled(nothing, nothing, weighting)
    centers, variance = list[float](), 0.0
    missing: Undefined | None = None
    for n, center, error in groups:
        weight = 1 / len(groups) if weighting == "equal" else n / whole
        if isinstance(center, Undefined):
            return Pooled(Undefined("a group has no score"), Undefined("a group has no score"), weighting)
        centers.append(center)
        if isinstance(error, Undefined):
            missing = Undefined(f"the error of a group is undefined: {error.why}")
        else:
            variance += (weight * error) ** 2
    value = weighted_mean(centers, [1 if weighting == "equal" else n for n, _, _ in groups])
    return Pooled(value, missing or sqrt(variance), weighting)


def _members(groups: Sequence[str | None]) -> Mapping[str, list[int]]:
    """The places of the rows of each group, in the order in which groups first occur."""
    members: dict[str, list[int]] = {}
    for at, group in enumerate(groups):
        if group is not None:
            members.setdefault(group, []).append(at)
    return members


def _part(sample: Sample, those: list[int]) -> Sample:
    scores = tuple(sample.scores[at] for at in those)
    scored = sum(score is not None for score in scores)
    return Sample(scores, Coverage(scored, 0, len(scores) - scored))
