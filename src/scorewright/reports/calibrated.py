"""What a calibration says, the same in every format: its measures, in words and numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, TypeAlias, final

import attrs

from scorewright.reports.report import Figure
from scorewright.reports.sentences import counted, number
from scorewright.suites.coverage import Coverage

if TYPE_CHECKING:
    from scorewright.calibration import Calibration, Cut, Pair
    from scorewright.statistics import Estimate, Interval, Undefined

    Number: TypeAlias = float | Undefined

KINDS = {"pass_fail": "passes and failures", "levels": "levels", "number": "numbers"}
CRITERIA = {
    "balanced_accuracy": "balanced accuracy",
    "f1": "F1",
    "youden": "Youden's J",
    "cost": "mean cost of a row",
}


@final
@attrs.frozen
class Measure:
    """A number with a name, and the axis that it is drawn on."""

    name: str
    figure: Figure
    low: float = 0.0
    high: float = 1.0


def figure_of(value: Number, interval: Interval | Undefined, coverage: Coverage, /) -> Figure:
    """A number and its interval as reports show them."""
    from scorewright.statistics import Interval

    at = value if isinstance(value, (int, float)) else None
    if isinstance(interval, Interval):
        return Figure(at, interval.low, interval.high, interval.method, "", coverage)
    return Figure(at, None, None, "", interval.why, coverage)


def estimated(name: str, estimate: Estimate, low: float = 0.0, high: float = 1.0, /) -> Measure:
    """An estimate under a name."""
    return Measure(name, figure_of(estimate.value, estimate.interval, estimate.coverage), low, high)


def heading(found: Calibration, /) -> str:
    """How many rows have what."""
    n = found.coverage
    parts = [f"{n.n:,} labelled rows, {KINDS[found.kind]}", str(n)]
    if found.n_tied:
        parts.append(f"{found.n_tied:,} tied")
    if found.n_unlabelled:
        parts.append(f"{counted(found.n_unlabelled, 'more row')} scored")
    return " · ".join(parts)


def agreement(found: Calibration, /) -> Iterator[Measure]:
    """Every coefficient, and how people do among themselves."""
    from scorewright.statistics import Undefined

    for each in found.agreement:
        low = 0.0 if each.measure in {"percent agreement", "AUC"} else -1.0
        yield Measure(each.measure, figure_of(each.value, each.interval, Coverage(each.n, 0, 0)), low)
    if not isinstance(found.bias, Undefined):
        width = found.scale.high - found.scale.low
        ends = (-width, width) if width < float("inf") else (-1.0, 1.0)
        yield estimated("bias: score minus label", found.bias, *ends)


def annotators(found: Calibration, /) -> Iterator[Measure]:
    """People with each other, and the scorer with one of them, on rows that several people labelled."""
    from scorewright.statistics import Undefined

    held = found.annotators
    if isinstance(held, Undefined):
        return
    alpha = held.alpha
    yield Measure(f"people, {alpha.measure}", figure_of(alpha.value, alpha.interval, Coverage(alpha.n, 0, 0)), -1.0)
    if not isinstance(held.each_other, Undefined):
        yield estimated("one person says what another says", held.each_other)
    if not isinstance(held.scorer, Undefined):
        yield estimated("the scorer says what one person says", held.scorer)


def cut_told(cut: Cut, better: str, /) -> str:
    """The threshold in a sentence."""
    from scorewright.statistics import Interval, Undefined

    if isinstance(cut.value, Undefined):
        return f"There is no best threshold: {cut.value.why}."
    sign = ">=" if better == "higher" else "<="
    if not cut.chosen:
        return f"A row passes with a score {sign} {number(cut.value)}, which was given."
    within = ""
    if isinstance(cut.interval, Interval):
        low, high = number(cut.interval.low), number(cut.interval.high)
        within = f", between {low} and {high}"
    return f"A row passes with a score {sign} {number(cut.value)}{within}: the best {CRITERIA[cut.criterion]}."


def cut_measures(cut: Cut, /) -> Iterator[Measure]:
    """How good the threshold is, here and beyond these rows."""
    coverage = Coverage(0 if cut.confusion is None else cut.confusion.n, 0, 0)
    name, low = CRITERIA[cut.criterion], -1.0 if cut.criterion == "youden" else 0.0
    if cut.chosen:
        flat = figure_of(cut.in_sample, cut.interval, coverage)
        shown = attrs.evolve(flat, low=None, high=None, method="", why="it flatters: the threshold was chosen here")
        yield Measure(f"{name}, on these rows", shown, low)
        name = f"{name}, out of sample"
    yield Measure(name, figure_of(cut.out_of_sample, cut.out_of_sample_interval, coverage), low)
    yield estimated("precision: of its passes, people's", cut.precision)
    yield estimated("recall: of people's passes, its", cut.recall)
    yield estimated("specificity: of people's failures, its", cut.specificity)


def reliability(found: Calibration, /) -> Iterator[Measure]:
    """The errors of the curve."""
    from scorewright.statistics import Undefined

    held = found.reliability
    if isinstance(held, Undefined):
        return
    yield estimated("expected calibration error", held.error)
    if not isinstance(held.by_chance, Undefined):
        yield Measure("the same by chance alone", Figure(held.by_chance, None, None, "", "", held.error.coverage))
    name = "Brier score" if found.kind == "pass_fail" else "mean squared error, on 0..1"
    yield estimated(name, held.squared_error)


def means(found: Calibration, /) -> Iterator[Measure]:
    """The scorer's mean, people's, and people's as it would be over all rows."""
    from math import isfinite

    passes = found.kind == "pass_fail"
    ends = (0.0, 1.0)
    if not passes and isfinite(found.scale.low) and isfinite(found.scale.high):
        ends = (found.scale.low, found.scale.high)
    yield estimated("the scorer's mean, over all rows", found.judged, *ends)
    label = "people's pass rate" if passes else "people's mean"
    yield estimated(f"{label}, over the labelled rows", found.people, *ends)
    yield estimated(f"{label}, corrected to all rows", found.corrected, *ends)


def unscored(found: Calibration, /) -> Sequence[tuple[str, str, int, str]]:
    """State, reason, count and the first row of labelled rows without a score, the most frequent first."""
    alike = Counter((row.state, row.told) for row in found.unscored)
    first = {(row.state, row.told): row.id for row in reversed(found.unscored)}
    return [(state.replace("_", " "), told, n, first[state, told]) for (state, told), n in alike.most_common()]


def labels_told(pair: Pair, kind: str, /) -> str:
    """What people said of a row."""
    return ", ".join(_label(each) for each in pair.row.labels if each is not None) or kind


def _label(each: object) -> str:
    if isinstance(each, bool):
        return "pass" if each else "fail"
    return str(getattr(each, "name", each))
