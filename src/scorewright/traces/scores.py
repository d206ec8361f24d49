"""What came of scoring traces: an outcome for every span and scorer."""

from __future__ import annotations

from typing import Literal, final

import attrs
from returns.pipeline import is_successful
from returns.result import Result

from scorewright.core import Evaluation, ScoringFailure
from scorewright.faults import NotScorable
from scorewright.traces.faults import TraceFault


@final
@attrs.frozen
class TraceScore:
    """One span, one scorer, and what came of them."""

    scorer: str
    result: Result[Evaluation, ScoringFailure[object]]
    trace_id: str = ""
    span_id: str = ""
    name: str = ""

    @property
    def outcome(self) -> Literal["scored", "not_scorable", "failed"]:
        """In one word: a run that holds nothing to score has not failed."""
        if is_successful(self.result):
            return "scored"
        return "not_scorable" if isinstance(self.result.failure().cause, NotScorable) else "failed"

    @property
    def score(self) -> float | None:
        """The score; None where there is none."""
        return self.result.unwrap().score if is_successful(self.result) else None


@final
@attrs.frozen
class TraceScores:
    """An outcome for every span and scorer, in the order of the traces; `unread` says why others could not be read."""

    scores: tuple[TraceScore, ...] = ()
    unread: tuple[TraceFault, ...] = ()

    @property
    def scored(self) -> tuple[TraceScore, ...]:
        """Those with a score."""
        return self._that("scored")

    @property
    def not_scorable(self) -> tuple[TraceScore, ...]:
        """Those whose span does not hold what the scorer judges."""
        return self._that("not_scorable")

    @property
    def failed(self) -> tuple[TraceScore, ...]:
        """Those that failed."""
        return self._that("failed")

    def of(self, scorer: str, /) -> TraceScores:
        """What one scorer came to."""
        return attrs.evolve(self, scores=tuple(each for each in self.scores if each.scorer == scorer))

    def _that(self, outcome: str) -> tuple[TraceScore, ...]:
        return tuple(each for each in self.scores if each.outcome == outcome)
