"""Drawing rows again, with replacement, and leaving them out in turn; rows of one cluster stay together."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import atanh, sqrt, tanh
from typing import TYPE_CHECKING, TypeAlias

from scorewright.statistics.estimate import Interval, Undefined
from scorewright.statistics.scipy import special

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from scorewright.statistics.sample import Clusters, Floats

    Picked: TypeAlias = NDArray[np.intp]

Groups: TypeAlias = "Sequence[str | None] | None"
RESAMPLES = 2000
_PARTS = 200
_ROUNDING = 1e-12
MANY, FEWER_RESAMPLES = 20_000, 200  # rows beyond which so many resamples say as much


def numbered(groups: Sequence[str | None], /) -> Clusters:
    """The number of each row's cluster, from 0; a row without a group is a cluster of its own."""
    import numpy as np

    numbers: dict[str | tuple[int], int] = {}
    found = [numbers.setdefault((at,) if group is None else group, len(numbers)) for at, group in enumerate(groups)]
    return np.array(found, dtype=np.intp)


def resamples(n: int, groups: Groups = None, /, *, seed: int = 0) -> Iterator[Picked]:
    """The places of rows as they are drawn again, 2,000 times, or 200 times of more than 20,000 rows (Efron 1979).

    With groups whole clusters are drawn (Davison and Hinkley 1997, section 3.8), so that the number of rows varies.
    """
    import numpy as np

    drawn = np.random.default_rng(seed)
    times = RESAMPLES if n <= MANY else FEWER_RESAMPLES
    if groups is None:
        for _ in range(times):
            yield drawn.integers(0, n, n)
        return
    clusters = numbered(groups)
    order = np.argsort(clusters, kind="stable")
    members: list[Picked] = np.split(order, np.cumsum(np.bincount(clusters))[:-1])
    for _ in range(times):
        those: list[int] = drawn.integers(0, len(members), len(members)).tolist()
        yield np.concatenate([members[at] for at in those])


def named(groups: Groups, /) -> str:
    """What a bootstrap draws."""
    return "bootstrap over rows" if groups is None else "bootstrap over clusters"


def percentile(found: Floats, level: float, method: str, /) -> Interval | Undefined:
    """The middle part of what resamples gave; those that gave NaN are left out."""
    import numpy as np

    held = found[~np.isnan(found)]
    if not len(held):
        return Undefined("no resample has a value")
    low, high = np.quantile(held, [(1 - level) / 2, (1 + level) / 2])
    return Interval(float(low), float(high), level, method)


def jackknifed(
    value: float, n: int, measured: Callable[[Picked], float], groups: Groups = None, /, *, level: float, seed: int = 0
) -> Interval | Undefined:
    """The interval of a coefficient between -1 and 1 that is measured on rows.

    Its standard error is what leaving out one row, or cluster, at a time changes (Tukey 1958; Efron and Stein 1981), of
    more than 200 of them one of 200 random parts; with Student's t on the scale of Fisher 1921, the inverse hyperbolic
    tangent, where a coefficient near its end has a spread that is as wide as others'. Undefined where there is one row
    or one cluster, and where nothing changes: a few rows that all agree tell little.
    """
    import numpy as np

    units = np.arange(n, dtype=np.intp) if groups is None else numbered(groups)
    of = "row" if groups is None or n < 2 else "cluster"  # noqa: PLR2004 - a spread needs two
    several = int(units.max()) + 1 if n else 0
    if several < 2:  # noqa: PLR2004 - as above
        return Undefined(f"one {of} has no spread")
    parts = min(several, _PARTS)
    part = (np.random.default_rng(seed).permutation(several) % parts)[units]
    without = np.array([measured(np.flatnonzero(part != each)) for each in range(parts)])
    held = without[~np.isnan(without)]
    error = sqrt(float(((held - held.mean()) ** 2).sum()) * (len(held) - 1) / len(held)) if len(held) else 0.0
    if not abs(value) < 1 or not error > _ROUNDING:
        return Undefined(f"no {of} that is left out changes it: no spread was seen")
    middle = atanh(value)
    half = float(special().stdtrit(len(held) - 1, (1 + level) / 2)) * error / (1 - value**2)
    return Interval(tanh(middle - half), tanh(middle + half), level, f"jackknife over {of}s, Fisher")
