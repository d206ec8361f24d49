"""Outcomes as statistics take them: every run has its place, also where there is no score."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from math import isfinite
from typing import TYPE_CHECKING, Self, TypeAlias, final

import attrs
from returns.pipeline import is_successful
from returns.result import Result

from scorewright.core import Evaluation, ScoringFailure
from scorewright.faults import DefinitionError, NotScorable
from scorewright.suites.coverage import Coverage

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats: TypeAlias = NDArray[np.float64]
    Clusters: TypeAlias = NDArray[np.intp]

Outcome: TypeAlias = Result[Evaluation, ScoringFailure[object]]


@final
@attrs.frozen
class Sample:
    """What came of many runs of one scorer: scores in order, None where there is none, with their coverage.

    `ids` tell which run is which, so that two samples can be compared run by run; `groups` name the cluster of each run
    (a document, a conversation) where runs are not independent. A run without a group is a cluster of its own.
    `unscorable` are the places of runs that hold nothing to score; others without a score failed.
    """

    scores: tuple[float | None, ...]
    coverage: Coverage
    ids: tuple[str, ...] | None = None
    groups: tuple[str | None, ...] | None = None
    unscorable: frozenset[int] = frozenset()

    def __attrs_post_init__(self) -> None:
        odd = next((score for score in self.scores if score is not None and not isfinite(score)), None)
        if odd is not None:
            raise DefinitionError(f"{odd} is no score: a run without one has None")
        for name, given in (("ids", self.ids), ("groups", self.groups)):
            if given is not None and len(given) != len(self.scores):
                raise DefinitionError(
                    f"there are {len(self.scores)} outcomes and {len(given)} {name}: give one for each"
                )
        if self.ids is not None and len({*self.ids}) != len(self.ids):
            raise DefinitionError("two outcomes have the same id: ids tell runs apart")

    @classmethod
    def of(
        cls,
        outcomes: Iterable[Outcome],
        *,
        ids: Sequence[str] | None = None,
        groups: Sequence[str | None] | None = None,
    ) -> Self:
        """The sample of what `run`, `run_sync` or a suite gave."""
        scores, unscorable, failed = list[float | None](), set[int](), 0
        for outcome in outcomes:
            if is_successful(outcome):
                scores.append(outcome.unwrap().score)
                continue
            scores.append(None)
            if isinstance(outcome.failure().cause, NotScorable):
                unscorable.add(len(scores) - 1)
            else:
                failed += 1
        return cls(
            tuple(scores),
            Coverage(len(scores) - len(unscorable) - failed, len(unscorable), failed),
            None if ids is None else tuple(ids),
            None if groups is None else tuple(groups),
            frozenset(unscorable),
        )

    @cached_property
    def values(self) -> Floats:
        """The scores that there are, in order."""
        import numpy as np

        return np.array([score for score in self.scores if score is not None], dtype=np.float64)

    @cached_property
    def clusters(self) -> Clusters | None:
        """The number of the cluster of each score that there is; None where no groups were given."""
        import numpy as np

        if self.groups is None:
            return None
        numbers: dict[str | tuple[int], int] = {}
        found = [
            numbers.setdefault((at,) if group is None else group, len(numbers))
            for at, (score, group) in enumerate(zip(self.scores, self.groups, strict=True))
            if score is not None
        ]
        return np.array(found, dtype=np.intp)

    def passing(self, threshold: float, /) -> Sample:
        """The same runs as passes (1) and misses (0)."""
        passed = tuple(None if score is None else float(score >= threshold) for score in self.scores)
        return attrs.evolve(self, scores=passed)


def numbers(given: Iterable[float], what: str, /) -> Floats:
    """Numbers as an array; one that is NaN or infinite raises `DefinitionError`: nothing can be measured with it."""
    import numpy as np

    found = np.array([*given], dtype=np.float64)
    if not np.isfinite(found).all():
        raise DefinitionError(f"{what}: {found[~np.isfinite(found)][0]} is no number: leave out rows without one")
    return found
