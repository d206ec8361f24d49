"""Running scorers inside a scorer: side by side or one after another, each a step of the whole.

A part's record holds the part's own `Evaluation` or `ScoringFailure` as its value, and the part's exchanges. The places
of what it asks begin with its label, so that a transcript of the whole tells the parts apart.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from time import perf_counter_ns
from typing import Generic, TypeAlias, cast, final

import attrs
from returns.pipeline import is_successful
from returns.result import Failure, Result, Success
from typing_extensions import TypeVar

from scorewright.core.ask import Exchange, Fork, Outcome
from scorewright.core.evaluation import Evaluation, ScoringFailure, Trail
from scorewright.core.guard import Recorded, guarded, raised, recorded
from scorewright.core.pipeline import Judged
from scorewright.core.program import settle
from scorewright.core.run import Run
from scorewright.faults import Fault, NotScorable, RunFault, StepRaised
from scorewright.results import err

E = TypeVar("E")
F = TypeVar("F")
E_co = TypeVar("E_co", covariant=True, default=Fault)

Ended: TypeAlias = "Evaluation | ScoringFailure[E]"
Program: TypeAlias = "Callable[[Run[object, object, object]], Judged[E]]"


@final
@attrs.frozen
class PartsFailed(Fault, Generic[E_co]):
    """Parts of a composed scorer that gave no score: all of them, by label."""

    failures: tuple[tuple[str, ScoringFailure[E_co]], ...]

    @property
    def causes(self) -> tuple[E_co | RunFault, ...]:
        """Why, in the order of the parts."""
        return tuple(failure.cause for _, failure in self.failures)


def labels_of(ids: tuple[str, ...], /) -> tuple[str, ...]:
    """A label a part: its id, numbered where ids repeat.

    >>> labels_of(("tone", "facts", "tone"))
    ('tone', 'facts', 'tone #2')
    """
    given: list[str] = []
    for id in ids:
        label, count = id, 1
        while label in given:
            count += 1
            label = f"{id} #{count}"
        given.append(label)
    return tuple(given)


class Begun(Generic[E_co]):
    """The thunk of a part that is already under way: it hands over what was begun, and begins anew when called again."""

    def __init__(self, waiting: Awaitable[object], again: Callable[[], Judged[E_co]]) -> None:
        self._waiting: Awaitable[object] | None = waiting
        self._again = again

    def __call__(self) -> Judged[E_co]:
        waiting, self._waiting = self._waiting, None
        return self._again() if waiting is None else cast("Judged[E_co]", waiting)

    def __del__(self) -> None:
        close: Callable[[], None] | None = getattr(self._waiting, "close", None)
        if close is not None:  # a coroutine that nobody came to await
            close()


def side_by_side(
    labels: tuple[str, ...],
    programs: tuple[Callable[[Run[object, object, object]], Judged[E]], ...],
    run: Run[object, object, object],
    go: Callable[[tuple[Ended[E], ...], Trail], Judged[F]],
    decided: Callable[[tuple[Ended[E] | None, ...]], bool] | None = None,
) -> None: ...
