"""Comparing two reports, paired by row and turn."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping, Sequence
from math import isfinite
from typing import TypeAlias

import attrs
from returns.result import Result

from scorewright.core import Scale
from scorewright.core.averaging import mean_of
from scorewright.reports.comparison import Change, Changed, NotComparable, Outcome, RunComparison, ScorerComparison
from scorewright.reports.figures import BINS, NO_STATISTICS
from scorewright.reports.report import Histogram, Report, ScorerReport
from scorewright.reports.shown import ShownComparison
from scorewright.results import err, ok
from scorewright.suites.coverage import Coverage
from scorewright.suites.experiments import UNSTABLE
from scorewright.suites.tally import histogram_of

Scores: TypeAlias = Mapping[tuple[str, int], int]  # row and turn → position in the outcomes

ALPHA = 0.05
MOST_CHANGED = 1_000  # rows that are kept of each scorer, those that changed most both ways
_NAMED = 3
_LARGEST = 1e300  # of differences, that a million of them have a sum


def compare_reports(
    first: Report, second: Report, /, *, allow_changed: bool = False
) -> Result[RunComparison, NotComparable]:
    """What changed from the first to the second, scorer by scorer.

    Refused where a scorer's definition or what rows ask differs: `allow_changed` compares all the same, the rows that
    both have, and keeps what differs in `differs`. Needs numpy and scipy for intervals and p-values.
    """
    differs = (*_differences(first, second),)
    shared = [each.id for each in first.scorers if each.id in second.by_id]
    if not shared:
        return err(NotComparable(("no scorer is in both",)))
    if differs and not allow_changed:
        return err(NotComparable(differs))
    compared = [_scorer(first, second, first.by_id[id], second.by_id[id]) for id in shared]
    return ok(ShownComparison(_name(first), _name(second), differs, (*_corrected(compared),)))


def _name(report: Report) -> str:
    return " ".join(filter(None, (report.name, report.experiment)))


def _differences(first: Report, second: Report) -> Iterator[str]:
    for each in first.scorers:
        other = second.by_id.get(each.id)
        if other is None:
            yield f"the scorer {each.id!r} is only in the first"
        elif each.hash != other.hash:
            yield f"the definition of the scorer {each.id!r} is not the same"
        elif each.hash == UNSTABLE:
            yield f"the scorer {each.id!r} has no stable form, so nobody knows whether it is the same"
    yield from (
        f"the scorer {each.id!r} is only in the second" for each in second.scorers if each.id not in first.by_id
    )
    rows, others = _questions(first), _questions(second)
    for those, where in (
        ([id for id in rows if id not in others], "only in the first"),
        ([id for id in others if id not in rows], "only in the second"),
        ([id for id in rows if id in others and rows[id] != others[id]], "not the same in both"),
    ):
        if those:
            named = ", ".join(map(repr, those[:_NAMED])) + (", …" if len(those) > _NAMED else "")
            yield f"{len(those):,} row{' is' if len(those) == 1 else 's are'} {where}: {named}"


def _questions(report: Report) -> Mapping[str, int]:
    return {id: report.questions.get(at, 0) for at, id in enumerate(report.ids)}


def _scores(report: Report, scorer: ScorerReport) -> Scores:
    outcomes = scorer.outcomes
    return {
        (report.ids[row], turn): at for at, (row, turn) in enumerate(zip(outcomes.rows, outcomes.turns, strict=True))
    }


def _scorer(first: Report, second: Report, before: ScorerReport, after: ScorerReport) -> ScorerComparison:
    ours, theirs = _scores(first, before), _scores(second, after)
    shared = [key for key in ours if key in theirs]
    pairs = [(key, before.outcomes.scores[ours[key]], after.outcomes.scores[theirs[key]]) for key in shared]
    both = [(key, one, other) for key, one, other in pairs if isfinite(one) and isfinite(other)]
    differences = [other - one for _, one, other in both]
    sign = 1 if before.better == "higher" else -1
    summed = bool(differences) and max(map(abs, differences)) <= _LARGEST
    compared = ScorerComparison(
        id=before.id,
        better=before.better,
        first=before.mean,
        second=after.mean,
        difference=mean_of(differences) if summed else None,
        low=None,
        high=None,
        p_value=None,
        test="",
        why="no row has a score in both" if not both else "",
        n_better=sum(sign * each > 0 for each in differences),
        n_worse=sum(sign * each < 0 for each in differences),
        n_same=sum(each == 0 for each in differences),
        coverage=Coverage(len(both), 0, len(shared) - len(both)),
        only_first=len(ours) - len(shared),
        only_second=len(theirs) - len(shared),
        outcome="unknown",
        changed=(*_with_texts(_changed(before, after, ours, theirs, sign), first, second),),
        differences=_histogram(differences),
    )
    return _tested(compared, first, both) if both else compared


def _changed(before: ScorerReport, after: ScorerReport, ours: Scores, theirs: Scores, sign: int) -> Sequence[Changed]:
    """The rows that changed, those that became worse first, by how much; then those that only one side has scored."""
    found: list[tuple[tuple[int, float], Changed]] = []
    for id, turn in {**ours, **theirs}:
        at, there = ours.get((id, turn)), theirs.get((id, turn))
        one, other = _score(before, at), _score(after, there)
        if one == other:
            continue
        told = _told(before, at), _told(after, there)
        if one is None or other is None:
            found.append(((1, 0.0), Changed(id, turn or None, one, other, _only(one), *told)))
            continue
        gain = sign * (other - one)
        change: Change = "better" if gain > 0 else "worse"
        found.append(((0, gain), Changed(id, turn or None, one, other, change, *told)))
    found.sort(key=lambda each: each[0])
    scored = [changed for (only, _), changed in found if not only]
    half = MOST_CHANGED // 2
    kept = scored if len(scored) <= MOST_CHANGED else [*scored[:half], *scored[-half:]]
    return [*kept, *(changed for (only, _), changed in found if only)][:MOST_CHANGED]


def _with_texts(changed: Sequence[Changed], first: Report, second: Report) -> Iterator[Changed]:
    """What was asked and what both sides answered, of the rows whose texts a report keeps."""
    wanted = {each.id for each in changed}
    ours, theirs = ({line.id: line for line in each.lines if line.id in wanted} for each in (first, second))
    for each in changed:
        one, other = ours.get(each.id), theirs.get(each.id)
        asked = one or other
        yield attrs.evolve(
            each,
            input="" if asked is None else asked.input,
            first_output="" if one is None else one.output,
            second_output="" if other is None else other.output,
        )


def _histogram(differences: Sequence[float]) -> Histogram | None:
    """Of the rows that changed, on an axis whose middle is no change."""
    moved = array("d", (each for each in differences if each))
    most = max(map(abs, moved), default=0.0)
    if not isfinite(most) or not most:
        return None
    return Histogram(-most, most, histogram_of(moved, Scale(-most, most), BINS))


def _only(one: float | None) -> Change:
    return "only second" if one is None else "only first"


def _score(scorer: ScorerReport, at: int | None) -> float | None:
    if at is None:
        return None
    score = scorer.outcomes.scores[at]
    return score if isfinite(score) else None


def _told(scorer: ScorerReport, at: int | None) -> str:
    return "" if at is None else scorer.outcomes.told.get(at, "")


def _tested(
    compared: ScorerComparison, first: Report, both: Sequence[tuple[tuple[str, int], float, float]]
) -> ScorerComparison:
    try:
        from scorewright.statistics import Interval, Sample, Undefined, compare
    except ImportError:
        return attrs.evolve(compared, why=NO_STATISTICS)
    numbers = {id: at for at, id in enumerate(first.ids)}
    turned = any(turn for (_, turn), _, _ in both)
    groups: tuple[str | None, ...] | None = None
    if turned or first.groups:
        groups = tuple(first.groups.get(numbers[id]) or (f"row {id}" if turned else None) for (id, _), _, _ in both)
    ids = tuple(f"{id}\0{turn}" for (id, turn), _, _ in both)
    whole = Coverage(len(both), 0, 0)
    found = compare(
        Sample(tuple(one for _, one, _ in both), whole, ids, groups),
        Sample(tuple(other for _, _, other in both), whole, ids),
    )
    p, interval = found.p_value, found.interval
    tested = compared if isinstance(p, Undefined) else attrs.evolve(compared, p_value=p, test=found.test)
    if isinstance(interval, Interval):
        return attrs.evolve(tested, low=interval.low, high=interval.high)
    return attrs.evolve(tested, why=str(interval))


def _corrected(compared: Sequence[ScorerComparison]) -> Iterator[ScorerComparison]:
    given = {each.id: each.p_value for each in compared if each.p_value is not None}
    if not given:
        yield from compared
        return
    from scorewright.statistics import corrected

    held = corrected(given)
    for each in compared:
        p = held.get(each.id)
        yield each if p is None else attrs.evolve(each, p_value=p, outcome=_outcome(each, p))


def _outcome(each: ScorerComparison, p: float) -> Outcome:
    if p >= ALPHA or not each.difference:
        return "noise"
    return "better" if (each.difference > 0) == (each.better == "higher") else "worse"
