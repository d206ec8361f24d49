"""Programs over two scorers: both together, or the second where the first gives no score."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, final

import attrs
from typing_extensions import TypeVar

from scorewright.core.evaluation import Evaluation, ScoringFailure, Trail
from scorewright.core.parts import (
    Conclusion,
    Ended,
    PartsFailed,
    Program,
    concluded,
    in_turn,
    missing,
    reasons_of,
    side_by_side,
)
from scorewright.core.pipeline import Judged
from scorewright.core.run import Run
from scorewright.core.scale import Scale
from scorewright.faults import NotScorable
from scorewright.results import err, ok

In = TypeVar("In")
Out = TypeVar("Out")
Ref = TypeVar("Ref")
E = TypeVar("E")


@final
@attrs.frozen
class Both(Generic[In, Out, Ref, E]):
    """Both at once, and a score of both evaluations. Where one has none without asking, the other is not asked."""

    labels: tuple[str, ...]
    programs: tuple[Program[In, Out, Ref, E], ...]
    f: Callable[[Evaluation, Evaluation], float]
    scale: Scale

    def begin(self, run: Run[In, Out, Ref], /) -> Judged[PartsFailed[E]]:
        """The program of one run."""

        def go(names: tuple[str, ...], ends: tuple[Ended[E], ...], trail: Trail) -> Judged[PartsFailed[E]]:
            def conclude() -> Conclusion | PartsFailed[E] | NotScorable:
                lost = missing(names, ends)
                if lost is not None:
                    return lost
                first, second = (end for end in ends if isinstance(end, Evaluation))
                return Conclusion(self.f(first, second), reasons_of(names, ends))

            return concluded("zip", names, trail, run, scale=self.scale, conclude=conclude)

        return side_by_side(self.labels, self.programs, run, go, _lacks_one)


def _lacks_one(ends: tuple[Ended[E], ...]) -> bool:
    return not all(isinstance(end, Evaluation) for end in ends)


@final
@attrs.frozen
class Either(Generic[In, Out, Ref, E]):
    """The first, else the second."""

    labels: tuple[str, ...]
    programs: tuple[Program[In, Out, Ref, E], ...]

    def begin(self, run: Run[In, Out, Ref], /) -> Judged[E]:
        """The program of one run."""
        first, second = self.labels
        program, fallback = self.programs

        def after_first(end: Ended[E], trail: Trail) -> Judged[E]:
            if isinstance(end, Evaluation):
                return ok(Evaluation((first,), trail, run.drawn_id, end.score, end.reason))

            def after_both(other: Ended[E], whole: Trail) -> Judged[E]:
                if isinstance(other, Evaluation):
                    return ok(Evaluation(self.labels, whole, run.drawn_id, other.score, other.reason))
                failed = not isinstance(end.cause, NotScorable)
                step, why = (first, end) if failed and isinstance(other.cause, NotScorable) else (second, other)
                return err(ScoringFailure[E](self.labels, whole, run.drawn_id, step=step, cause=why.cause, score=None))

            return in_turn(second, fallback, run, trail, after_both)

        return in_turn(first, program, run, (), after_first)
