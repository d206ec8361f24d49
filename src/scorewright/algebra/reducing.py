"""Many scores of the same thing as one, and how far they lie apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from math import sqrt
from typing import Literal, TypeAlias, final

import attrs
from typing_extensions import TypeVar

from scorewright.algebra.policies import Coverage, coverage_of
from scorewright.core.averaging import mean_of
from scorewright.core.definition import shown
from scorewright.core.evaluation import Evaluation
from scorewright.core.parts import Ended
from scorewright.faults import DefinitionError, Fault

E = TypeVar("E")

Reducer: TypeAlias = 'Literal["median", "mean", "majority", "minimum", "maximum"] | Callable[[Sequence[float]], float]'


@final
@attrs.frozen
class Tied(Fault):
    """No score was given more often than every other; these were, equally often."""

    scores: tuple[float, ...]

    def described(self) -> str:
        """The scores between which nothing decides, in one sentence."""
        return f"No score was given more often than every other: {', '.join(f'{score:g}' for score in self.scores)}"


@final
@attrs.frozen
class Spread:
    """The scores that were reduced to one, in their order; None where there was none."""

    scores: tuple[float | None, ...]
    coverage: Coverage

    @property
    def scored(self) -> tuple[float, ...]:
        """The scores that there are."""
        return tuple(score for score in self.scores if score is not None)

    @property
    def low(self) -> float:
        """The lowest of them."""
        return min(self.scored)

    @property
    def high(self) -> float:
        """The highest of them."""
        return max(self.scored)

    @property
    def deviation(self) -> float:
        """Their standard deviation, as of a whole population."""
        scores = self.scored
        center = mean_of(scores)
        return sqrt(mean_of([(score - center) ** 2 for score in scores]))

    @property
    def agreement(self) -> float:
        """The share of the most frequent score among them."""
        return max(Counter(self.scored).values()) / len(self.scored)


def spread_of(ends: tuple[Ended[E], ...], /) -> Spread:
    """The spread of what the parts came to."""
    return Spread(tuple([end.score if isinstance(end, Evaluation) else None for end in ends]), coverage_of(ends))


def reduced(how: Reducer, scores: Sequence[float], /) -> float | Tied:
    """One score out of at least one; only a majority can fail to exist.

    >>> reduced("median", [0.2, 0.9, 0.4])
    0.4
    """
    if how == "majority":
        return majority(scores)
    return how(scores) if callable(how) else _BY_NAME[how](scores)


def checked_reducer(how: Reducer, /) -> Reducer:
    """The reducer, when it is one."""
    if not callable(how) and how not in (*_BY_NAME, "majority"):
        raise DefinitionError(f"reduce= is one of {', '.join(_BY_NAME)}, majority, or a function, not {shown(how)}")
    return how


def reducer_name(how: Reducer, /) -> str:
    """How it is told: its name, or that of the function."""
    return how if isinstance(how, str) else str(getattr(how, "__name__", type(how).__name__))


def majority(scores: Sequence[float], /) -> float | Tied:
    """The most frequent score."""
    counts = Counter(scores)
    most = max(counts.values())
    leading = [score for score, count in counts.items() if count == most]
    return leading[0] if len(leading) == 1 else Tied(tuple(sorted(leading)))


def median(scores: Sequence[float], /) -> float:
    """The middle score; of an even number, the mean of the two in the middle."""
    ordered = sorted(scores)
    middle = len(ordered) // 2
    return ordered[middle] if len(ordered) % 2 else mean_of((ordered[middle - 1], ordered[middle]))


_BY_NAME: Mapping[str, Callable[[Sequence[float]], float]] = {
    "median": median,
    "mean": mean_of,
    "minimum": min,
    "maximum": max,
}
