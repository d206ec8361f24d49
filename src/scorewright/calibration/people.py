"""How well people agree with each other: the yardstick for a scorer that agrees with them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import final

import attrs

from scorewright.calibration.labels import Better, Labels
from scorewright.statistics.agreement import Agreement, krippendorff_alpha
from scorewright.statistics.estimate import Estimate, Undefined
from scorewright.statistics.means import bounded_mean
from scorewright.statistics.sample import Sample
from scorewright.suites.coverage import Coverage


@final
@attrs.frozen
class People:
    """Rows that two or more people labelled: `alpha` is Krippendorff's among them.

    `each_other` is how often one person says what another says, `scorer` how often the scorer says what one person
    says, on the same rows: where the second is as great as the first, the scorer does as well as one more person.
    Numbers, which seldom are the same, have no such share.
    """

    n: int
    alpha: Agreement
    each_other: Estimate | Undefined
    scorer: Estimate | Undefined


def people_of(
    labels: Labels,
    scores: Sequence[float | None],
    groups: Sequence[str | None],
    at: float | None,
    /,
    *,
    better: Better,
    level: float,
) -> People | Undefined:
    """Of scored rows with several labels; undefined where there are fewer than two."""
    held = [
        (tuple(each for each in said if each is not None), score, group)
        for said, score, group in zip(labels.rows, scores, groups, strict=True)
        if score is not None
    ]
    several = [each for each in held if len(each[0]) > 1]
    if len(several) < 2:  # noqa: PLR2004 - agreement needs two
        return Undefined("fewer than two rows were labelled by two people")
    named = [group for _, _, group in several]
    clusters = tuple(named) if any(each is not None for each in named) else None
    width = max(len(said) for said, _, _ in several)
    scale = {"pass_fail": "nominal", "levels": "ordinal", "number": "interval"}[labels.kind]
    ratings = [[*said, *([None] * (width - len(said)))] for said, _, _ in several]
    alpha = krippendorff_alpha(ratings, scale=scale, groups=clusters, level=level)  # type: ignore[arg-type]  # of these three
    if labels.kind == "number":
        seldom = Undefined("numbers are seldom the same")
        return People(len(several), alpha, seldom, seldom)
    own = [_own(labels, score, better, at) for _, score, _ in several]

    def share(values: Sequence[float]) -> Estimate:
        return bounded_mean(Sample(tuple(values), Coverage(len(values), 0, 0), groups=clusters), level=level)

    each_other = share([_same([*combinations(said, 2)]) for said, _, _ in several])
    if any(each is None for each in own):
        return People(len(several), alpha, each_other, Undefined("there is no threshold"))
    told = [_same([(each, mine) for each in said]) for (said, _, _), mine in zip(several, own, strict=True)]
    return People(len(several), alpha, each_other, share(told))


def _same(pairs: Sequence[tuple[float, float | None]]) -> float:
    return sum(one == other for one, other in pairs) / len(pairs)


def _own(labels: Labels, score: float, better: Better, at: float | None) -> float | None:
    if labels.kind == "levels":
        return labels.places[labels.nearest(score)]
    if at is None:
        return None
    return float(score >= at if better == "higher" else score <= at)
