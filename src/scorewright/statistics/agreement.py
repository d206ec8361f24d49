"""How far raters agree beyond chance: judges with people, people with each other."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import TYPE_CHECKING, Literal, TypeAlias, TypeVar, final

import attrs

from scorewright.faults import DefinitionError
from scorewright.statistics.estimate import Interval, Number, Undefined, level_of
from scorewright.statistics.means import bounded_mean
from scorewright.statistics.resampling import Groups, jackknifed
from scorewright.statistics.sample import Sample, numbers
from scorewright.suites.coverage import Coverage

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from scorewright.statistics.sample import Floats

    Codes: TypeAlias = NDArray[np.intp]
    R = TypeVar("R", np.intp, np.float64)

Label: TypeAlias = Hashable
Weights: TypeAlias = Literal["none", "linear", "quadratic"]
Scale: TypeAlias = Literal["nominal", "ordinal", "interval"]
_FEW = Undefined("fewer than two rows were rated by two")


@final
@attrs.frozen
class Agreement:
    """A coefficient, its interval, and the rows it stands on. 1 is full, 0 is what chance gives.

    Intervals are jackknives over rows, or over clusters where groups were given, on Fisher's scale, unless they name
    another method.
    """

    value: Number
    interval: Interval | Undefined
    n: int
    measure: str

    def __str__(self) -> str:
        if isinstance(self.value, Undefined):
            return f"{self.measure}: {self.value} (n = {self.n})"
        return f"{self.measure} {self.value:.3g} {self.interval} (n = {self.n})"


def percent_agreement(
    first: Sequence[Label], second: Sequence[Label], /, *, groups: Groups = None, level: float = 0.95
) -> Agreement:
    """The share of rows on which two raters say the same, with Wilson's interval, or a clustered one with groups.

    Chance alone gives much of it where one label is frequent.
    """
    level_of(level)
    codes, _ = _coded([first, second])
    measure, n = "percent agreement", len(codes)
    if n < 2:  # noqa: PLR2004 - agreement needs two
        return Agreement(_FEW, _FEW, n, measure)
    same = tuple(float(one == other) for one, other in codes)
    share = sum(same) / n
    sample = Sample(same, Coverage(n, 0, 0), groups=None if groups is None else tuple(groups))
    return Agreement(share, bounded_mean(sample, level=level).interval, n, measure)


def cohen_kappa(
    first: Sequence[Label],
    second: Sequence[Label],
    /,
    *,
    weights: Weights = "none",
    order: Sequence[Label] | None = None,
    groups: Groups = None,
    level: float = 0.95,
) -> Agreement:
    """Cohen's kappa of two raters (Cohen 1960); weighted for ordered labels (Cohen 1968).

    With weights the order of the labels counts: that of `order=`, else their sorted order. Undefined where both raters
    use one and the same label only, for then chance alone agrees fully.
    """
    import numpy as np

    if weights not in ("none", "linear", "quadratic"):
        raise DefinitionError(f"weights= is 'none', 'linear' or 'quadratic', not {weights!r}")
    codes, labels = _coded([first, second], order)
    apart = np.abs(np.subtract.outer(np.arange(len(labels)), np.arange(len(labels)))).astype(np.float64)
    cost = {"none": (apart > 0).astype(np.float64), "linear": apart, "quadratic": apart**2}[weights]

    def kappa(rows: Codes) -> float:
        seen = np.zeros((len(labels), len(labels)))
        np.add.at(seen, (rows[:, 0], rows[:, 1]), 1.0)
        chance = np.outer(seen.sum(1), seen.sum(0)) / len(rows)
        expected = float((cost * chance).sum())
        return float("nan") if expected == 0 else 1 - float((cost * seen).sum()) / expected

    measure = f"Cohen's kappa{'' if weights == 'none' else f', {weights} weights'}"
    return _with_interval(codes, kappa, measure, level, groups)


def fleiss_kappa(ratings: Sequence[Sequence[Label]], /, *, level: float = 0.95) -> Agreement:
    """Fleiss' kappa: rows of the same number of ratings each, by whichever raters (Fleiss 1971)."""
    import numpy as np

    widths = {len(row) for row in ratings}
    if len(widths) > 1 or (widths and min(widths) < 2):  # noqa: PLR2004 - agreement needs two
        raise DefinitionError("fleiss_kappa takes rows of equally many ratings, two or more: use krippendorff_alpha")
    codes, labels = _coded([*zip(*ratings, strict=True)])

    def kappa(rows: Codes) -> float:
        counts = np.stack([(rows == code).sum(1) for code in range(len(labels))], 1)
        raters = rows.shape[1]
        agreed = float(((counts**2).sum(1) - raters).mean()) / (raters * (raters - 1))
        chance = float(((counts.sum(0) / counts.sum()) ** 2).sum())
        return float("nan") if chance == 1 else (agreed - chance) / (1 - chance)

    return _with_interval(codes, kappa, "Fleiss' kappa", level)


def krippendorff_alpha(
    ratings: Sequence[Sequence[float | None]],
    /,
    *,
    scale: Scale = "nominal",
    groups: Groups = None,
    level: float = 0.95,
) -> Agreement:
    """Krippendorff's alpha: any number of raters, ratings may be missing (Krippendorff 2011, the canonical form).

    One row an item, one column a rater, None where a rater said nothing. `scale` says how far two values are apart:
    not at all or fully, by rank, or by their difference.
    """
    import numpy as np

    if scale not in ("nominal", "ordinal", "interval"):
        raise DefinitionError(f"scale= is 'nominal', 'ordinal' or 'interval', not {scale!r}")
    if len({len(row) for row in ratings}) > 1:
        raise DefinitionError("krippendorff_alpha takes rows of one width: None where a rater said nothing")
    _expect_groups(groups, len(ratings))
    numbers((value for row in ratings for value in row if value is not None), "krippendorff_alpha")
    kept = [at for at, row in enumerate(ratings) if sum(value is not None for value in row) > 1]
    rated = [ratings[at] for at in kept]
    named = None if groups is None else [groups[at] for at in kept]
    measure = f"Krippendorff's alpha, {scale}"
    if scale == "interval":
        held = np.array([[np.nan if v is None else v for v in row] for row in rated], dtype=np.float64)
        return _with_interval(held, interval_alpha, measure, level, named)
    values = sorted({value for row in rated for value in row if value is not None})
    at = {value: code for code, value in enumerate(values)}
    codes = np.array([[-1 if v is None else at[v] for v in row] for row in rated], dtype=np.intp)

    def alpha(rows: Codes) -> float:
        counts = np.stack([(rows == code).sum(1) for code in range(len(values))], 1).astype(np.float64)
        per_row = counts.sum(1)
        pairs = (counts / (per_row - 1)[:, None]).T @ counts - np.diag((counts / (per_row - 1)[:, None]).sum(0))
        totals = pairs.sum(0)
        far = _distances(len(values), totals, scale)
        expected = float((np.outer(totals, totals) * far).sum()) / (totals.sum() - 1)
        return float("nan") if expected == 0 else 1 - float((pairs * far).sum()) / expected

    return _with_interval(codes, alpha, measure, level, named)


def interval_alpha(rows: Floats, /) -> float:
    """Krippendorff's alpha of numbers by their squared differences, in one pass; NaN where nobody said anything."""
    import numpy as np

    said = ~np.isnan(rows)
    many = said.sum(1)
    held = np.where(said, rows - np.nanmean(rows), 0.0)
    sums, squares = held.sum(1), (held**2).sum(1)
    n = int(many.sum())
    apart = float(((many * squares - sums**2) / (many - 1)).sum()) / n
    expected = (n * float(squares.sum()) - float(sums.sum()) ** 2) / (n * (n - 1))
    return float("nan") if expected <= 0 else 1 - apart / expected


def _distances(n: int, totals: Floats, scale: Scale) -> Floats:
    import numpy as np

    if scale == "nominal":
        return 1 - np.eye(n)
    ranks = np.cumsum(totals) - totals / 2  # the middle rank of each value
    return np.subtract.outer(ranks, ranks) ** 2


def _coded(raters: Sequence[Sequence[Label]], order: Sequence[Label] | None = None) -> tuple[Codes, Sequence[Label]]:
    """Labels as numbers, one row an item, and the labels in order."""
    import numpy as np

    if len({len(rater) for rater in raters}) > 1:
        raise DefinitionError(f"raters rate the same rows: there are {', '.join(str(len(each)) for each in raters)}")
    seen = {label for rater in raters for label in rater}
    if order is not None and (unknown := seen - {*order}):
        raise DefinitionError(f"order= lacks {', '.join(map(repr, unknown))}")
    labels = list(order) if order is not None else sorted(seen, key=lambda label: (type(label).__name__, label))
    at = {label: code for code, label in enumerate(labels)}
    return np.array([[at[label] for label in rater] for rater in raters], dtype=np.intp).T, labels


def _expect_groups(groups: Groups, n: int) -> None:
    if groups is not None and len(groups) != n:
        raise DefinitionError(f"there are {n} rows and {len(groups)} groups: give one for each")


def _with_interval(
    rows: NDArray[R], measured: Callable[[NDArray[R]], float], measure: str, level: float, groups: Groups = None
) -> Agreement:
    """The coefficient with its interval."""
    import numpy as np

    level_of(level)
    n = len(rows)
    _expect_groups(groups, n)
    if n < 2:  # noqa: PLR2004 - agreement needs two
        return Agreement(_FEW, _FEW, n, measure)
    value = float(measured(rows))
    if np.isnan(value):
        one = Undefined("every rating is the same label, so chance alone agrees fully")
        return Agreement(one, one, n, measure)
    interval = jackknifed(value, n, lambda picked: measured(rows[picked]), groups, level=level)
    return Agreement(value, interval, n, measure)
