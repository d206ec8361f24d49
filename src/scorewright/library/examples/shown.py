"""An example: a scorer, a run that it scores, and what its judge answers there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias, cast, final

import attrs
from returns.result import Result
from typing_extensions import TypeVar

from scorewright.core import Evaluation, Run, Scorer, ScoringFailure, answering

In = TypeVar("In")
Out = TypeVar("Out")
Ref = TypeVar("Ref")
E = TypeVar("E")


@final
@attrs.frozen
class Example:
    """One scorer with one run of it; `said` are the judge's answers, in order, so that nobody is asked."""

    scorer: Scorer[object, object, object, object]
    run: Run[object, object, object]
    said: tuple[str, ...] = ()

    def scored(self, run: Run[object, object, object] | None = None, /) -> Result[Evaluation, ScoringFailure[object]]:
        """What the scorer makes of its run, or of one like it."""
        return self.scorer.run_sync(self.run if run is None else run, answer=answering(self.said))


Examples: TypeAlias = Mapping[str, Callable[[], Example]]
"""By the name of the maker. Each is a lambda around one call of `shown`, whose arguments the catalogue shows."""


def shown(scorer: Scorer[In, Out, Ref, E], run: Run[In, Out, Ref], /, *said: str, extra: str = "") -> Example:
    """The example; the types of scorer and run are held to fit here, and forgotten.

    `extra` is the extra of the package without which the maker, as a rule, cannot work.
    """
    del extra  # read from the source, so that it can be told where the extra is missing
    return Example(
        cast("Scorer[object, object, object, object]", scorer), cast("Run[object, object, object]", run), said
    )
