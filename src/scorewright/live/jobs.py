"""A run that waits for a scorer, and what came of it."""

from __future__ import annotations

from typing import TypeAlias, cast, final

import attrs

from scorewright.algebra.fingerprint import fingerprint
from scorewright.core import Evaluation, Run, Scorer, ScoringFailure
from scorewright.core.collection import SomeScorer
from scorewright.core.pipeline import Judged
from scorewright.faults import InvalidRun, NotScorable, Raised, StepRaised
from scorewright.live.counting import Fate
from scorewright.live.sampling import Bucket, Sample
from scorewright.wording import describe

LiveRun: TypeAlias = Run[object, object, None]
Found: TypeAlias = Evaluation | ScoringFailure[object]

_UNSTABLE = "unstable"  # as suites write it


@final
class Version:
    """The fingerprint of a scorer, read once, on the worker's threads, since it takes time."""

    def __init__(self, scorer: SomeScorer, /) -> None:
        self.scorer = scorer
        self._digest = ""

    @property
    def digest(self) -> str:
        """The digest; "unstable" where no other process would find the same."""
        if not self._digest:
            try:
                found = fingerprint(self.scorer)
            except BaseException:  # noqa: BLE001 - it reads a user's values, which may raise anything
                self._digest = _UNSTABLE
            else:
                self._digest = found.digest if found.is_stable else _UNSTABLE
        return self._digest


@final
@attrs.frozen(eq=False)
class Attached:
    """A scorer where it is attached: how much it samples, and what is left of its limit."""

    scorer: SomeScorer
    sample: Sample
    version: Version
    bucket: Bucket | None = None

    @property
    def id(self) -> str:
        """The id of the scorer."""
        return self.scorer.about.id

    def begin(self, run: LiveRun, /) -> Judged[object]:
        """The program of a run. It was made by the extractors that the scorer's types were held to."""
        return cast("Scorer[object, object, None, object]", self.scorer).program(run)


@final
@attrs.frozen
class Origin:
    """Where a run comes from: its trace and span, the step that it is of, and when it ended (seconds since 1970)."""

    trace_id: str = ""
    span_id: str = ""
    step: str = ""
    ended: float = 0.0


@final
@attrs.frozen(eq=False)
class Job:
    """One run for one scorer. `spoiled` is what an extractor raised, so that there is nothing to score."""

    attached: Attached
    run: LiveRun
    origin: Origin
    spoiled: Exception | None = None
    named: bool = False  # the caller chose the id, so that it may come twice
    resumed: bool = False

    @property
    def key(self) -> tuple[str, str, str]:
        """What tells it from any other: the run, the step, the scorer."""
        return self.run.run_id, self.origin.step, self.attached.id


@final
@attrs.frozen
class LiveScore:
    """What came of one run and one scorer, as sinks get it.

    `scorer_hash` is the fingerprint of the scorer, "unstable" where it has none that another process would find. Run,
    step and scorer are the key: a second record of the same key is the same record.
    """

    scorer: str
    scorer_hash: str
    run: LiveRun
    origin: Origin
    found: Found

    @property
    def row_id(self) -> str:
        """The run, with the step after it where it is of one."""
        return row_id_of(self.run, self.origin)

    @property
    def state(self) -> Fate:
        """Scored, not scorable or failed."""
        if isinstance(self.found, Evaluation):
            return "scored"
        return "not_scorable" if isinstance(self.found.cause, NotScorable) else "failed"

    @property
    def score(self) -> float | None:
        """The score; None where there is none. A failure never becomes a number."""
        return self.found.score if isinstance(self.found, Evaluation) else None

    @property
    def reason(self) -> str | None:
        """The reason of a score, or why there could be none."""
        if isinstance(self.found, Evaluation):
            return self.found.reason
        return self.found.cause.reason if isinstance(self.found.cause, NotScorable) else None


def row_id_of(run: LiveRun, origin: Origin, /) -> str:
    """How stores know a run."""
    return f"{run.run_id}/{origin.step}" if origin.step else run.run_id


def broken(run: LiveRun, step: str, fault: object, /) -> ScoringFailure[object]:
    """The failure of a run that came to no program of its own."""
    return ScoringFailure[object]((), (), run.drawn_id, step, fault, None)


def raised_in(run: LiveRun, step: str, exception: BaseException, /) -> ScoringFailure[object]:
    """The same, where something raised."""
    from scorewright.core.guard import message_of

    return broken(run, step, StepRaised(Raised(type(exception).__name__, message_of(exception), exception)))


class Unreadable(Exception):
    """A recorded run that does not fit its scorer's types, or does not hold what the scorer judges."""

    def __init__(self, fault: InvalidRun | NotScorable) -> None:
        super().__init__(describe(fault))
        self.fault = fault
