"""How far raters agree beyond chance: judges with people, people with each other."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import TYPE_CHECKING, Literal, TypeAlias, final

import attrs

from scorewright.faults import DefinitionError
from scorewright.statistics.estimate import Interval, Number, Undefined, level_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Codes: TypeAlias = NDArray[np.intp]

Label: TypeAlias = Hashable
Weights: TypeAlias = Literal["none", "linear", "quadratic"]
Scale: TypeAlias = Literal["nominal", "ordinal", "interval"]
_RESAMPLES = 2000
_MANY, _FEWER_RESAMPLES = 20_000, 200  # rows beyond which so many resamples say as much


@final
@attrs.frozen
class Agreement:
    """A coefficient, its bootstrap interval over rows, and the rows it stands on. 1 is full, 0 is what chance gives."""

    value: Number
    interval: Interval | Undefined
    n: int
    measure: str

    def __str__(self) -> str:
        if isinstance(self.value, Undefined):
            return f"{self.measure}: {self.value} (n = {self.n})"
        return f"{self.measure} {self.value:.3g} {self.interval} (n = {self.n})"


def percent_agreement(first: Sequence[Label], second: Sequence[Label], /, *, level: float = 0.95) -> Agreement:
    """The share of rows on which two raters say the same. Chance alone gives much of it where one label is frequent."""
    codes, _ = _coded([first, second])
    return _with_interval(codes, lambda rows: float((rows[:, 0] == rows[:, 1]).mean()), "percent agreement", level)


def cohen_kappa(
    first: Sequence[Label],
    second: Sequence[Label],
    /,
    *,
    weights: Weights = "none",
    order: Sequence[Label] | None = None,
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

    return _with_interval(codes, kappa, f"Cohen's kappa{'' if weights == 'none' else f', {weights} weights'}", level)


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
    ratings: Sequence[Sequence[float | None]], /, *, scale: Scale = "nominal", level: float = 0.95
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
    values = sorted({value for row in ratings for value in row if value is not None})
    at = {value: code for code, value in enumerate(values)}
    width = len(ratings[0]) if ratings else 0
    codes = np.array([[-1 if v is None else at[v] for v in row] for row in ratings], dtype=np.intp).reshape(-1, width)
    rated = codes[(codes >= 0).sum(1) > 1]

    def alpha(rows: Codes) -> float:
        counts = np.stack([(rows == code).sum(1) for code in range(len(values))], 1).astype(np.float64)
        per_row = counts.sum(1)
        pairs = (counts / (per_row - 1)[:, None]).T @ counts - np.diag((counts / (per_row - 1)[:, None]).sum(0))
        totals = pairs.sum(0)
        far = _distances(np.array(values, dtype=np.float64), totals, scale)
        expected = float((np.outer(totals, totals) * far).sum()) / (totals.sum() - 1)
        return float("nan") if expected == 0 else 1 - float((pairs * far).sum()) / expected

    return _with_interval(rated, alpha, f"Krippendorff's alpha, {scale}", level)


def _distances(values: NDArray[np.float64], totals: NDArray[np.float64], scale: Scale) -> NDArray[np.float64]:
    import numpy as np

    if scale == "nominal":
        return 1 - np.eye(len(values))
    if scale == "interval":
        return np.subtract.outer(values, values) ** 2
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


def _with_interval(codes: Codes, measured: Callable[[Codes], float], measure: str, level: float) -> Agreement:
    """The coefficient, and its percentile bootstrap over rows (Efron 1979) with 2,000 resamples and a fixed seed."""
    import numpy as np

    level_of(level)
    n = len(codes)
    if n < 2:  # noqa: PLR2004 - agreement needs two
        nothing = Undefined("fewer than two rows were rated by two")
        return Agreement(nothing, nothing, n, measure)
    value = measured(codes)
    if np.isnan(value):
        one = Undefined("every rating is the same label, so chance alone agrees fully")
        return Agreement(one, one, n, measure)
    drawn = np.random.default_rng(0)
    again = np.array(
        [measured(codes[drawn.integers(0, n, n)]) for _ in range(_RESAMPLES if n <= _MANY else _FEWER_RESAMPLES)]
    )
    again = again[~np.isnan(again)]
    low, high = np.quantile(again, [(1 - level) / 2, (1 + level) / 2])
    return Agreement(value, Interval(float(low), float(high), level, "bootstrap over rows"), n, measure)
