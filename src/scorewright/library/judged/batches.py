"""Judging many items of a run in a few questions: so many in each, all side by side, one verdict for each item."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Generic, final

import attrs
from returns.pipeline import is_successful
from returns.result import Result
from typing_extensions import TypeVar

from scorewright.core import Outcome, gather, then
from scorewright.faults import JudgeFault, StepRaised
from scorewright.results import err, ok

S = TypeVar("S")
S_co = TypeVar("S_co", covariant=True)
T = TypeVar("T")


@final
@attrs.frozen
class Batch(Generic[S_co]):
    """Some items of a step that are asked about together; `first` is the number of the first of them."""

    step: S_co
    first: int
    items: tuple[str, ...]

    @property
    def run(self) -> object:
        """The run of the step, by which its judge is chosen."""
        found: object = getattr(self.step, "run", None)
        return found

    @property
    def numbers(self) -> range:
        """The numbers of its items."""
        return range(self.first, self.first + len(self.items))


def batches(step: S, items: Sequence[str], size: int, /, *, first: int = 1) -> tuple[Batch[S], ...]:
    """The items in pieces of at most `size`, numbered from `first` on."""
    return tuple(Batch(step, first + at, tuple(items[at : at + size])) for at in range(0, len(items), size))


def side_by_side(
    one: Callable[[Batch[S]], Outcome[tuple[T, ...], JudgeFault]], parts: Sequence[Batch[S]], /
) -> Outcome[tuple[T, ...], JudgeFault | StepRaised]:
    """What every batch gives, put together in order; the first fault is the fault of all."""
    if not parts:
        return ok(())
    if len(parts) == 1:
        return one(parts[0])
    return then(gather(*(_begun(one, batch) for batch in parts)), together)


def _begun(
    one: Callable[[Batch[S]], Outcome[tuple[T, ...], JudgeFault]], batch: Batch[S]
) -> Callable[[], Outcome[tuple[T, ...], JudgeFault]]:
    return lambda: one(batch)


def together(
    results: tuple[Result[tuple[T, ...], JudgeFault | StepRaised], ...],
) -> Result[tuple[T, ...], JudgeFault | StepRaised]:
    """All that was given, or the first fault."""
    found: list[T] = []
    for result in results:
        if not is_successful(result):
            return err(result.failure())
        found.extend(result.unwrap())
    return ok(tuple(found))


def misnumbered(given: Sequence[int | None], wanted: range, /) -> str:
    """What is wrong with the numbers that verdicts name, each once where all is well; nothing where nothing is.

    Where none is named, they are taken in order, and there are as many as are due.

    >>> misnumbered([1, 3, 3], range(1, 4))
    'without a verdict: 2; judged twice: 3'
    """
    if all(number is None for number in given):
        if len(given) == len(wanted):
            return ""
        return f"{len(wanted)} verdicts are due, one for each number, and there are {len(given)}"
    named = Counter(given)
    said = (
        _listed("without a verdict", [number for number in wanted if not named[number]]),
        _listed("of nothing that was shown", [number for number in named if number not in wanted]),
        _listed("judged twice", [number for number, times in named.items() if times > 1]),
    )
    return "; ".join(filter(None, said))


def _listed(word: str, numbers: Sequence[int | None]) -> str:
    said = ("no number" if number is None else str(number) for number in numbers)
    return f"{word}: {', '.join(said)}" if numbers else ""
