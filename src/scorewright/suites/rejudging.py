"""A scorer's program before another judge than its own: for rows whose settings name one."""

from __future__ import annotations

from typing import TypeAlias

from scorewright.algebra.asking import Asking, Sampled, as_sent, ends_in
from scorewright.core.ask import Answerer
from scorewright.core.evaluation import Evaluation, Trail
from scorewright.core.parts import Ended, Program, side_by_side
from scorewright.core.pipeline import Judged
from scorewright.core.run import Run
from scorewright.results import err, ok

Whole: TypeAlias = "Program[object, object, object, object]"


def rejudged(program: Whole, judge: Answerer, /) -> Whole:
    """The program whose questions go to this judge; what it leaves open, the judge that was to be asked fills in."""
    asking = Asking(program, Sampled(0, 1, judge)).begin

    def begin(run: Run[object, object, object], /) -> Judged[object]:
        return side_by_side(("",), (asking,), run, _end)

    return begin


def _end(_: tuple[str, ...], ends: tuple[Ended[object], ...], trail: Trail) -> Judged[object]:
    """The one end, whose evidence names the judge that was asked."""
    (end,) = ends_in(as_sent(trail), ends)
    return ok(end) if isinstance(end, Evaluation) else err(end)
