"""Whether a score means what it says: of the rows that get 0.8, do people pass four of five?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, final

import attrs

from scorewright.faults import DefinitionError
from scorewright.statistics.estimate import Estimate, Number, Undefined, level_of
from scorewright.statistics.means import mean, pass_rate
from scorewright.statistics.resampling import Groups, named, numbered, percentile, resamples
from scorewright.statistics.sample import Sample, numbers
from scorewright.suites.coverage import Coverage

if TYPE_CHECKING:
    from scorewright.statistics.resampling import Picked
    from scorewright.statistics.sample import Floats

_CHANCES = 500
_FEWEST = 10


@final
@attrs.frozen
class Bin:
    """The rows whose score lies between low and high: their mean score, and what people said of them on average."""

    low: float
    high: float
    score: float
    people: Estimate

    @property
    def n(self) -> int:
        """How many rows."""
        return self.people.coverage.n_scored


@final
@attrs.frozen
class Reliability:
    """A reliability curve. Scores and labels are brought to 0..1, 1 being good.

    `error` is the expected calibration error: how far, on average over rows, people's share lies from the mean score of
    a bin. It is never below 0, so few rows alone make some: `by_chance` is what a perfectly calibrated scorer would
    show on as many rows. `squared_error` is the mean squared distance; of passes and failures the Brier score.
    """

    bins: tuple[Bin, ...]
    error: Estimate
    by_chance: Number
    squared_error: Estimate


def reliability(
    scores: Sequence[float],
    people: Sequence[float],
    /,
    *,
    bins: int = 10,
    groups: Groups = None,
    level: float = 0.95,
    seed: int = 0,
) -> Reliability:
    """The curve of scores and labels that both lie in 0..1: equally wide bins, empty ones left out.

    Murphy and Winkler 1977; Naeini, Cooper and Hauskrecht 2015 for the error; Brier 1950. Bins of passes and failures
    have Wilson's interval, others Student's t, clustered with groups. The interval of the error is a percentile
    bootstrap, and, as the error itself, lies too high where rows are few.
    """
    import numpy as np

    level_of(level)
    if bins < 2:  # noqa: PLR2004 - one bin is a mean
        raise DefinitionError(f"bins= is 2 or more, not {bins}")
    if len(scores) != len(people) or (groups is not None and len(groups) != len(scores)):
        raise DefinitionError("reliability takes a label, and a group if any, for each score")
    given, said = numbers(scores, "reliability"), numbers(people, "reliability")
    if len(given) and not (given.min() >= 0 and given.max() <= 1 and said.min() >= 0 and said.max() <= 1):
        raise DefinitionError("reliability takes scores and labels between 0 and 1")
    n = len(given)
    coverage = Coverage(n, 0, 0)
    if not n:
        none = Estimate(Undefined("no row has a score"), Undefined("no row has a score"), coverage)
        return Reliability((), none, Undefined("no row has a score"), none)
    passes = bool(np.isin(said, (0.0, 1.0)).all())
    at = np.minimum((given * bins).astype(np.intp), bins - 1)
    held = [_bin(each, bins, given, said, at == each, groups, level, passes) for each in np.unique(at).tolist()]
    squares = Sample(tuple(((given - said) ** 2).tolist()), coverage, groups=None if groups is None else tuple(groups))
    squared = mean(squares, level=level)
    if n < _FEWEST:
        few = Undefined(f"fewer than {_FEWEST} rows")
        return Reliability((*held,), Estimate(few, few, coverage), few, squared)
    distance = _error(at, given, said, bins)
    if groups is not None and not numbered(groups).any():
        error = Estimate(distance, Undefined("one cluster has no spread"), coverage)
    else:
        drawn = [_error(at[each], given[each], said[each], bins) for each in resamples(n, groups, seed=seed)]
        error = Estimate(distance, percentile(np.array(drawn), level, named(groups)), coverage)
    chance: Number = _by_chance(at, given, bins, seed) if passes else Undefined("labels are no passes and failures")
    return Reliability((*held,), error, chance, squared)


def _bin(  # noqa: PLR0917 - one bin of the columns
    each: int, bins: int, given: Floats, said: Floats, those: Picked, groups: Groups, level: float, passes: bool
) -> Bin:
    values = tuple(said[those].tolist())
    named_ = None if groups is None else tuple(group for group, is_in in zip(groups, those, strict=True) if is_in)
    sample = Sample(values, Coverage(len(values), 0, 0), groups=named_)
    found = pass_rate(sample, 0.5, level=level) if passes else mean(sample, level=level)
    return Bin(each / bins, (each + 1) / bins, float(given[those].mean()), found)


def _error(at: Picked, given: Floats, said: Floats, bins: int) -> float:
    import numpy as np

    return float(np.abs(np.bincount(at, weights=given - said, minlength=bins)).sum()) / len(at)


def _by_chance(at: Picked, given: Floats, bins: int, seed: int) -> float:
    """The mean error of labels that are drawn with the scores as their chances."""
    import numpy as np

    drawn = np.random.default_rng(seed)
    times = _CHANCES if len(given) < 20_000 else _CHANCES // 10  # noqa: PLR2004 - of many rows it varies little
    found = [_error(at, given, (drawn.random(len(given)) < given).astype(np.float64), bins) for _ in range(times)]
    return float(np.mean(found))
