"""Two runs of one suite over the same rows: what changed, by how much, and whether chance explains it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import compress
from math import comb
from typing import TYPE_CHECKING, Literal, TypeAlias, final

import attrs

from scorewright.faults import DefinitionError
from scorewright.statistics.estimate import Interval, Number, Undefined, level_of
from scorewright.statistics.means import TOO_LARGE, mean
from scorewright.statistics.sample import Sample
from scorewright.statistics.scipy import special
from scorewright.suites.coverage import Coverage

if TYPE_CHECKING:
    from scorewright.statistics.sample import Clusters, Floats

Correction: TypeAlias = Literal["holm", "bh"]
_PERMUTATIONS = 9999
_MANY = 10_000
_MOST = 1e150  # a difference whose square is a number
_MOST_EXACT = 16  # differences whose 2^16 signs are all tried


@final
@attrs.frozen
class Comparison:
    """The paired difference of two samples, second minus first, over the rows that both have scored."""

    difference: Number
    interval: Interval | Undefined
    p_value: Number
    test: str
    better: int  # rows whose score rose
    worse: int
    same: int
    coverage: Coverage  # of the rows that both samples know: scored are those that both have scored
    only_first: int  # rows that the second does not know
    only_second: int

    def __str__(self) -> str:
        if isinstance(self.difference, Undefined):
            return str(self.difference)
        counts = f"{self.better} better, {self.worse} worse, {self.same} same"
        p = self.p_value if isinstance(self.p_value, Undefined) else f"p = {self.p_value:.3g}"
        return f"{self.difference:+.3g} {self.interval}, {p} ({self.test}); {counts}; {self.coverage}"


def compare(first: Sample, second: Sample, /, *, level: float = 0.95, seed: int = 0) -> Comparison:
    """Compare two samples of the same rows, paired by id.

    Pairing takes out what makes rows easy or hard, so far fewer rows are needed than for two independent samples
    (Miller 2024, arXiv 2411.00640). The interval is Student's t of the differences, clustered where the first sample
    has groups. The test: McNemar's exact one for passes and misses (McNemar 1947); else a permutation test of the
    signs, exact up to 16 rows that differ, of 9,999 drawn ones beyond, and by its normal limit above 10,000 rows;
    clusters change signs together.
    """
    import numpy as np

    level_of(level)
    if first.ids is None or second.ids is None:
        raise DefinitionError("rows are paired by id: make both samples with ids=")
    before, after, groups, n = _aligned(first, second)
    both = ~(np.isnan(before) | np.isnan(after))
    before, after = before[both], after[both]
    with np.errstate(over="ignore"):
        changes = after - before
    clusters = None if groups is None else tuple(compress(groups, both.tolist()))
    whole = Coverage(len(changes), 0, 0)
    large = bool((np.abs(changes) > _MOST).any())
    differences = Sample((0.0,) * len(changes) if large else tuple(changes.tolist()), whole, groups=clusters)
    estimate = mean(differences, level=level)
    binary = bool(np.isin(before, (0.0, 1.0)).all() and np.isin(after, (0.0, 1.0)).all())
    p_value, test = (TOO_LARGE, "none") if large else _tested(differences, binary=binary, seed=seed)
    none = TOO_LARGE if large else None if len(changes) else Undefined("no row has a score in both")
    return Comparison(
        none or estimate.value,
        none or estimate.interval,
        p_value,
        test,
        int((changes > 0).sum()),
        int((changes < 0).sum()),
        int((changes == 0).sum()),
        Coverage(len(changes), 0, n - len(changes)),
        len(first.ids) - n,
        len(second.ids) - n,
    )


def _aligned(first: Sample, second: Sample) -> tuple[Floats, Floats, Sequence[str | None] | None, int]:
    """The scores of the rows that both know, in the first's order, NaN where there is none; their groups and number."""
    import numpy as np

    ours, theirs, groups = first.scores, second.scores, first.groups
    if first.ids != second.ids and first.ids is not None and second.ids is not None:
        at = {id: place for place, id in enumerate(second.ids)}
        known = [id in at for id in first.ids]
        theirs = tuple(theirs[at[id]] for id in compress(first.ids, known))
        ours = tuple(compress(ours, known))
        groups = None if groups is None else tuple(compress(groups, known))
    return np.array(ours, dtype=np.float64), np.array(theirs, dtype=np.float64), groups, len(ours)


def _tested(differences: Sample, *, binary: bool, seed: int) -> tuple[Number, str]:
    values, clusters = differences.values, differences.clusters
    if not len(values):
        return Undefined("no row has a score in both"), "none"
    if binary and clusters is None:
        return mcnemar(int((values > 0).sum()), int((values < 0).sum())), "McNemar's exact test"
    return _signs(values, clusters, seed)


def mcnemar(rose: int, fell: int, /) -> float:
    """The exact two-sided p-value of McNemar's test: how unlikely so uneven a split of changed rows is, by chance.

    McNemar 1947; the binomial with one half, doubled and cut at 1. Rows that did not change say nothing.
    """
    if rose < 0 or fell < 0:
        raise DefinitionError(f"mcnemar({rose}, {fell}): counts are 0 or more")
    n, least = rose + fell, min(rose, fell)
    if n > 1000:  # noqa: PLR2004 - powers of two beyond a float
        return min(1.0, 2 * float(special().bdtr(least, n, 0.5)))
    tail: int = sum(comb(n, k) for k in range(least + 1))
    return min(1.0, 2 * tail / (1 << n))


def _signs(values: Floats, clusters: Clusters | None, seed: int) -> tuple[Number, str]:
    import numpy as np

    sums: Floats = values if clusters is None else np.bincount(clusters, weights=values).astype(np.float64)
    sums = sums[sums != 0]
    n = len(sums)
    if not n:
        return 1.0, "sign permutation, exact"
    observed = abs(float(sums.sum())) * (1 - 1e-12)  # sums in another order may differ in the last bit
    if n <= _MOST_EXACT:
        every = (np.arange(1 << n, dtype=np.int64)[:, None] >> np.arange(n, dtype=np.int64)) & 1
        return float((np.abs((1 - 2 * every) @ sums) >= observed).mean()), "sign permutation, exact"
    if n > _MANY:  # the sum of so many signs is normal to more digits than draws would give (Lindeberg)
        limit = observed / float(np.sqrt((sums**2).sum()))
        return 2 * float(special().ndtr(-limit)), "sign permutation, normal limit"
    drawn = np.random.default_rng(seed)
    extreme = 0
    batch = max(1, 4_000_000 // n)
    for done in range(0, _PERMUTATIONS, batch):
        signs = drawn.integers(0, 2, (min(batch, _PERMUTATIONS - done), n), dtype=np.int8) * 2 - 1
        extreme += int((np.abs(signs @ sums) >= observed).sum())
    return (extreme + 1) / (_PERMUTATIONS + 1), f"sign permutation, {_PERMUTATIONS} draws"


def corrected(p_values: Mapping[str, float], /, method: Correction = "holm") -> Mapping[str, float]:
    """p-values of several comparisons, made larger so that together they are not fooled by chance.

    `"holm"` bounds the chance of any false finding (Holm 1979); `"bh"` bounds the share of false ones among what is
    found (Benjamini and Hochberg 1995).
    """
    if method not in ("holm", "bh"):
        raise DefinitionError(f"method is 'holm' or 'bh', not {method!r}")
    n = len(p_values)
    ordered = sorted(p_values.items(), key=lambda item: item[1])
    found: dict[str, float] = {}
    if method == "holm":
        so_far = 0.0
        for at, (name, p) in enumerate(ordered):
            so_far = max(so_far, min(1.0, (n - at) * p))
            found[name] = so_far
    else:
        so_far = 1.0
        for at, (name, p) in reversed(list(enumerate(ordered))):
            so_far = min(so_far, n / (at + 1) * p)
            found[name] = so_far
    return {name: found[name] for name in p_values}
