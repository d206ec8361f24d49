"""Scores and counts for OpenTelemetry: events by its conventions for generative AI, and metrics.

The event is `gen_ai.evaluation.result` (semantic conventions for generative AI, status Development), with the context
of the span that was scored. The conventions have no metric of scores and no version of a scorer: those names are ours.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final, Protocol, final
from weakref import WeakSet

from scorewright.core import Evaluation
from scorewright.core.definition import expect_flag
from scorewright.faults import DefinitionError
from scorewright.live.counting import FATES, Counts
from scorewright.live.jobs import LiveScore
from scorewright.live.sinks import Sink, fault_kind

if TYPE_CHECKING:
    from opentelemetry._logs import Logger, LoggerProvider
    from opentelemetry.context import Context
    from opentelemetry.metrics import CallbackOptions, MeterProvider, Observation

EVENT: Final = "gen_ai.evaluation.result"
RUNS: Final = "scorewright.live.runs"
STORED: Final = "scorewright.live.stored"
PENDING: Final = "scorewright.live.pending"
SCORE: Final = "scorewright.evaluation.score"
_NAME: Final = "gen_ai.evaluation.name"
_HEX: Final = re.compile("[0-9a-fA-F]{1,32}")


def is_installed() -> bool:
    """Whether there is an OpenTelemetry to speak to."""
    return find_spec("opentelemetry") is not None and find_spec("opentelemetry.metrics") is not None


@final
class EvaluationEvents(Sink):
    """Emits each score as a log event, with its reason as the explanation only where `content` is True.

    Without a provider it is the global one, looked up when the first score comes. An event is kept when it is handed to
    the provider; what an exporter makes of it OpenTelemetry knows.
    """

    def __init__(self, provider: LoggerProvider | None = None, /, *, content: bool = False) -> None:
        expect_flag(content, "EvaluationEvents(content=…)")
        if not is_installed():
            raise DefinitionError("EvaluationEvents needs OpenTelemetry: pip install opentelemetry-sdk")
        self._provider = provider
        self._content = content
        self._logger: Logger | None = None

    def keep(self, scores: Sequence[LiveScore], /) -> None:
        """Emit one event each."""
        from opentelemetry._logs import LogRecord, get_logger

        if self._logger is None:
            self._logger = (
                get_logger("scorewright") if self._provider is None else self._provider.get_logger("scorewright")
            )
        for score in scores:
            record = LogRecord(  # pyrefly: ignore[direct-abstract-base-instantiation]  # nothing in it is abstract
                timestamp=int(score.origin.ended * 1e9),
                event_name=EVENT,
                attributes=attributes_of(score, self._content),
                context=_context(score),
            )
            self._logger.emit(record)


def attributes_of(score: LiveScore, content: bool, /) -> dict[str, str | float]:
    """What an event says, by the names of the conventions."""
    said: dict[str, str | float | None] = {
        _NAME: score.scorer,
        "gen_ai.evaluation.score.value": score.score,
        "gen_ai.evaluation.explanation": score.reason if content else None,
        "error.type": fault_kind(score) or ("not_scorable" if score.state == "not_scorable" else None),
        "scorewright.scorer.hash": score.scorer_hash,
        "scorewright.run.id": score.run.run_id,
        "scorewright.step": score.origin.step or None,
    }
    return {key: value for key, value in said.items() if value is not None}


def _context(score: LiveScore) -> Context | None:
    """The context of the span that was scored, where there was one."""
    origin = score.origin
    if not (_HEX.fullmatch(origin.span_id) and _HEX.fullmatch(origin.trace_id)):
        return None  # there was none, or one of another system, whose ids are no numbers
    from opentelemetry.trace import NonRecordingSpan, SpanContext, TraceFlags, set_span_in_context

    trace_id, span_id = int(origin.trace_id, 16), int(origin.span_id, 16)
    return set_span_in_context(NonRecordingSpan(SpanContext(trace_id, span_id, False, TraceFlags(TraceFlags.SAMPLED))))


class Counted(Protocol):
    """What counts by scorer, as a `Live` does."""

    @property
    def name(self) -> str:
        """What its counts go by."""
        ...

    def by_scorer(self) -> Mapping[str, Counts]:
        """The counts of every scorer that is attached."""
        ...


_counted: Final[WeakSet[Counted]] = WeakSet()


def exported(live: Counted, /) -> Callable[[LiveScore], None]:
    """Have the counts read with those of all others of this process; what is given back records one score."""
    _counted.add(live)
    return _recorder()


@cache
def _recorder() -> Callable[[LiveScore], None]:
    return export_metrics(lambda: tuple(_counted))  # once: an instrument of a name that is taken reads nothing


def export_metrics(
    counted: Callable[[], Iterable[Counted]], provider: MeterProvider | None = None, /
) -> Callable[[LiveScore], None]:
    """Have counts read whenever OpenTelemetry collects; what is given back records one score in the histogram."""
    from opentelemetry.metrics import Observation, get_meter

    meter = get_meter("scorewright") if provider is None else provider.get_meter("scorewright")

    def observed(numbers: Callable[[Counts], Mapping[str, int]]) -> Callable[[CallbackOptions], Iterable[Observation]]:
        def observe(_: CallbackOptions) -> Iterable[Observation]:
            for live in counted():
                for scorer, each in live.by_scorer().items():
                    said = {"scorewright.live": live.name, _NAME: scorer}
                    for state, number in numbers(each).items():
                        yield Observation(number, said | ({"scorewright.state": state} if state else {}))

        return observe

    told = ((RUNS, _by_fate, "Runs by what became of them"), (STORED, _by_store, "Scored runs, kept or not"))
    for name, numbers, description in told:
        meter.create_observable_counter(name, [observed(numbers)], unit="{run}", description=description)
    description = "Runs that wait or are being scored"
    meter.create_observable_up_down_counter(PENDING, [observed(_waiting)], unit="{run}", description=description)
    scores = meter.create_histogram(SCORE, description="Scores")

    def record(score: LiveScore) -> None:
        if isinstance(score.found, Evaluation):
            scores.record(score.found.score, {_NAME: score.scorer})

    return record


def _by_fate(counts: Counts) -> Mapping[str, int]:
    return {fate: getattr(counts, fate) for fate in FATES}


def _by_store(counts: Counts) -> Mapping[str, int]:
    return {"stored": counts.stored, "unstored": counts.unstored}


def _waiting(counts: Counts) -> Mapping[str, int]:
    return {"": counts.pending}
