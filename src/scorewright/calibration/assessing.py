"""From scores and labels of the same rows to a calibration."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from math import isfinite
from typing import final

import attrs

from scorewright.calibration.calibrated import Calibration, LabelledRow, Matrix, Pair
from scorewright.calibration.counting import Costs, Criterion
from scorewright.calibration.cutting import Cut, best_cut
from scorewright.calibration.labels import Better, Labels, Levels, labels_of
from scorewright.calibration.people import people_of
from scorewright.calibration.reliability import Reliability, reliability
from scorewright.core import Scale
from scorewright.core.averaging import mean_of
from scorewright.core.scale import UNIT
from scorewright.faults import DefinitionError
from scorewright.statistics.agreement import Agreement, cohen_kappa, krippendorff_alpha, percent_agreement
from scorewright.statistics.correcting import corrected_mean
from scorewright.statistics.correlating import auc, pearson, spearman
from scorewright.statistics.estimate import Estimate, Undefined, level_of
from scorewright.statistics.means import bounded_mean
from scorewright.statistics.resampling import Groups
from scorewright.statistics.sample import Sample
from scorewright.suites.coverage import Coverage

_ENOUGH = 100
_ENOUGH_OF_A_KIND = 30
_HALF = 0.5  # as many annotators passed a row as failed it


@final
@attrs.frozen
class _Both:
    """The rows that have a score and a label, in columns, and how they are read."""

    labels: Labels
    scores: tuple[float, ...]
    people: tuple[float, ...]
    groups: Groups
    scale: Scale
    better: Better
    level: float

    @property
    def passed(self) -> list[bool]:
        """Of passes and failures, what most annotators said."""
        return [said > _HALF for said in self.people]

    def passes(self, score: float, at: float) -> bool:
        """Whether a score reaches a threshold."""
        return score >= at if self.better == "higher" else score <= at

    def share(self, number: float) -> float:
        """A number of the scale on 0..1, of which 1 is good."""
        part = min(max((number - self.scale.low) / (self.scale.high - self.scale.low), 0.0), 1.0)
        return part if self.better == "higher" else 1 - part

    @property
    def has_ends(self) -> bool:
        """Whether the scale has."""
        return isfinite(self.scale.low) and isfinite(self.scale.high)


def calibration(
    rows: Sequence[LabelledRow],
    /,
    *,
    scorer: str = "scorer",
    scale: Scale = UNIT,
    better: Better = "higher",
    levels: Levels | None = None,
    threshold: float | None = None,
    criterion: Criterion = "balanced_accuracy",
    costs: Costs = (1.0, 1.0),
    bins: int = 10,
    level: float = 0.95,
    seed: int = 0,
) -> Calibration:
    """Compare scores with labels of people.

    Labels are passes and failures (bool), levels (an Enum, whole numbers of the scale, or `levels=`, the worst first),
    or numbers on the scorer's scale; what is none of them raises `DefinitionError`. Several annotators of a row count
    as one voice: the majority, or the mean; a tied row is counted and left out of what needs one answer. Rows that
    share a `group` are drawn, and left out, together. What too few rows cannot tell is `Undefined`.
    """
    level_of(level)
    beyond = next((row for row in rows if row.score is not None and not scale.low <= row.score <= scale.high), None)
    if beyond is not None:
        raise DefinitionError(
            f"row {beyond.id!r}: the score {beyond.score:g} lies outside the scale, {scale.low:g} to {scale.high:g}: "
            "scale= is the scorer's"
        )
    given = labels_of([row.labels for row in rows], scale, better, levels)
    labelled = [(row, _said(said)) for row, said in zip(rows, given.rows, strict=True)]
    known = [(row, said) for row, said in labelled if said is not None]
    states = [row.state for row, _ in known]
    coverage = Coverage(states.count("scored"), states.count("not_scorable"), states.count("failed"))
    scored = [(row, row.score, said) for row, said in known if row.score is not None]
    settled = [each for each in scored if given.kind != "pass_fail" or each[2] != _HALF]
    grouped = any(row.group is not None for row in rows)
    both = _Both(
        given,
        tuple(score for _, score, _ in settled),
        tuple(said for _, _, said in settled),
        [row.group for row, _, _ in settled] if grouped else None,
        scale,
        better,
        level,
    )
    cut: Cut | Undefined = Undefined("the labels are no passes and failures")
    if given.kind == "pass_fail":
        cut = best_cut(
            both.scores, both.passed, criterion=criterion, costs=costs, better=better, given=threshold,
            groups=both.groups, level=level, seed=seed,
        )  # fmt: skip
    elif threshold is not None:
        raise DefinitionError("threshold= is for labels that pass and fail; these are levels or numbers")
    at = None if isinstance(cut, Undefined) or isinstance(cut.value, Undefined) else cut.value
    everyone = [row for row in rows if row.score is not None]
    unlabelled = [row.score for row, said in labelled if said is None and row.score is not None]
    pairs = [Pair(row, said, _apart(both, score, said, at)) for row, score, said in scored]

    def estimated(values: Sequence[float], those: Sequence[LabelledRow], low: float, high: float) -> Estimate:
        groups = tuple(row.group for row in those) if grouped else None
        return bounded_mean(Sample(tuple(values), Coverage(len(values), 0, 0), groups=groups), low, high, level=level)

    bias: Estimate | Undefined = Undefined("a score and a pass are not one unit")
    if given.kind != "pass_fail":
        width = scale.high - scale.low
        bias = estimated([score - said for _, score, said in settled], [row for row, _, _ in settled], -width, width)
    said_ends = (0.0, 1.0) if given.kind == "pass_fail" else (scale.low, scale.high)
    return Calibration(
        scorer=scorer,
        scale=scale,
        better=better,
        kind=given.kind,
        level=level,
        coverage=coverage,
        n_unlabelled=len(unlabelled),
        n_tied=len(scored) - len(settled),
        agreement=_agreement(both, at),
        annotators=people_of(
            given, [row.score for row in rows], [row.group for row in rows], at, better=better, level=level
        ),
        cut=cut,
        reliability=_reliability(both, bins, seed),
        matrix=_matrix(both, at),
        bias=bias,
        judged=estimated([row.score for row in everyone if row.score is not None], everyone, scale.low, scale.high),
        people=estimated([said for _, _, said in scored], [row for row, _, _ in scored], *said_ends),
        corrected=_corrected(unlabelled, [(score, said) for _, score, said in scored], level),
        pairs=(*sorted(pairs, key=lambda pair: -pair.apart),),
        unscored=tuple(row for row, _ in known if row.score is None),
        caution=(*_cautions(both, coverage, cut),),
    )


def _said(said: tuple[float | None, ...]) -> float | None:
    """People's one voice: the mean of those who said something; of passes and failures the share of passes."""
    held = [each for each in said if each is not None]
    return mean_of(held) if held else None


def _matrix(both: _Both, at: float | None) -> Matrix | None:
    """How often each label of people meets each of the scorer."""
    given = both.labels
    if given.kind == "levels":
        cells = Counter(
            (given.nearest(said), given.nearest(score)) for score, said in zip(both.scores, both.people, strict=True)
        )
        names = given.names
    elif given.kind == "pass_fail" and at is not None:
        told = (both.passes(score, at) for score in both.scores)
        cells = Counter((int(said), int(mine)) for said, mine in zip(both.passed, told, strict=True))
        names = ("fail", "pass")
    else:
        return None
    size = range(len(names))
    return Matrix(names, tuple(tuple(cells[row, column] for column in size) for row in size))


def _agreement(both: _Both, at: float | None) -> tuple[Agreement, ...]:
    given, scores, people, groups, level = both.labels, both.scores, both.people, both.groups, both.level
    if given.kind == "pass_fail":
        sign = 1 if both.better == "higher" else -1
        area = auc([sign * score for score in scores], both.passed, groups=groups, level=level)
        if at is None:
            none = Undefined("there is no threshold")
            names = ("percent agreement", "Cohen's kappa", "Krippendorff's alpha, nominal")
            return (*(Agreement(none, none, len(scores), name) for name in names), area)
        told = [both.passes(score, at) for score in scores]
        ratings = [*zip(map(float, told), map(float, both.passed), strict=True)]
        return (
            percent_agreement(told, both.passed, groups=groups, level=level),
            cohen_kappa(told, both.passed, order=(False, True), groups=groups, level=level),
            krippendorff_alpha(ratings, groups=groups, level=level),
            area,
        )
    rhos = spearman(scores, people, groups=groups, level=level), pearson(scores, people, groups=groups, level=level)
    if given.kind == "number":
        pairs = [*zip(scores, people, strict=True)]
        return *rhos, krippendorff_alpha(pairs, scale="interval", groups=groups, level=level)
    places = [given.nearest(score) for score in scores]
    said = [given.nearest(each) for each in people]
    ratings = [*zip(map(float, places), map(float, said), strict=True)]
    order = range(len(given.places))
    return (
        percent_agreement(places, said, groups=groups, level=level),
        cohen_kappa(places, said, weights="quadratic", order=order, groups=groups, level=level),
        krippendorff_alpha(ratings, scale="ordinal", groups=groups, level=level),
        *rhos,
    )


def _reliability(both: _Both, bins: int, seed: int) -> Reliability | Undefined:
    if not both.has_ends:
        return Undefined("a scale without ends says no chance")
    if not both.scores:
        return Undefined("no labelled row has a score")
    shares = [both.share(score) for score in both.scores]
    said = [both.share(each) for each in both.people]
    if both.labels.kind == "pass_fail":
        said = [*map(float, both.passed)]
    return reliability(shares, said, bins=bins, groups=both.groups, level=both.level, seed=seed)


def _apart(both: _Both, score: float, said: float, at: float | None) -> float:
    if both.labels.kind != "pass_fail":
        return abs(score - said) / (both.scale.high - both.scale.low if both.has_ends else 1.0)
    if both.has_ends:
        return abs(both.share(score) - said)
    return 0.0 if at is None else abs(both.passes(score, at) - said)


def _corrected(unlabelled: Sequence[float], pairs: Sequence[tuple[float, float]], level: float) -> Estimate:
    if not unlabelled and pairs:
        why = Undefined("people labelled every row: their own mean is the answer")
        return Estimate(why, why, Coverage(len(pairs), 0, 0))
    return corrected_mean(unlabelled, pairs, level=level)


def _cautions(both: _Both, coverage: Coverage, cut: Cut | Undefined) -> Iterator[str]:
    if coverage.n_scored < _ENOUGH:
        yield f"fewer than {_ENOUGH} rows have both a score and a label: intervals are wide, and may be too narrow"
    few = min(sum(both.passed), len(both.people) - sum(both.passed))
    if both.labels.kind == "pass_fail" and 0 < few < _ENOUGH_OF_A_KIND:
        yield f"of one kind, passes or failures, there are fewer than {_ENOUGH_OF_A_KIND} rows"
    if not coverage.is_whole:
        yield "labelled rows without a score are left out: if they are the hard ones, the agreement is too good"
    if not isinstance(cut, Undefined) and cut.chosen and not isinstance(cut.value, Undefined):
        yield "the threshold was chosen on these rows, so agreement at it is too good: trust the value out of sample"
    if both.groups is not None:
        yield "the corrected mean takes rows as independent, although they come in groups"
