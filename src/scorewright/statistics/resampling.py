"""Drawing rows again, with replacement; rows of one cluster are drawn together."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeAlias

from scorewright.statistics.estimate import Interval, Undefined

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from scorewright.statistics.sample import Clusters, Floats

    Picked: TypeAlias = NDArray[np.intp]

Groups: TypeAlias = "Sequence[str | None] | None"
RESAMPLES = 2000
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


def bootstrapped(
    n: int, measured: Callable[[Picked], float], groups: Groups = None, /, *, level: float, seed: int = 0
) -> Interval | Undefined:
    """The percentile interval of what is measured on rows.

    Undefined where there is one row or one cluster, and where every resample gives the same: an interval of no width
    would say that the value is certain, though a few rows that all agree tell little.
    """
    import numpy as np

    if n < 2 or (groups is not None and not numbered(groups).any()):  # noqa: PLR2004 - a spread needs two
        return Undefined("one row has no spread" if groups is None or n < 2 else "one cluster has no spread")  # noqa: PLR2004 - as above
    found = np.array([measured(picked) for picked in resamples(n, groups, seed=seed)])
    interval = percentile(found, level, named(groups))
    if isinstance(interval, Interval) and interval.low == interval.high:
        return Undefined("every resample gives the same: no spread was seen")
    return interval
