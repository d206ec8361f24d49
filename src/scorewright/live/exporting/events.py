"""OpenTelemetry: each score as a `gen_ai.evaluation.result` event, by the emitter that live scores go by."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from hashlib import blake2b
from types import TracebackType
from typing import TYPE_CHECKING, Self, final

from typing_extensions import override

from scorewright.core import Evaluation, Run
from scorewright.core.definition import shown
from scorewright.faults import DefinitionError, Fault, NotScorable, Raised, StepRaised
from scorewright.live.exporting.line import Patience
from scorewright.live.exporting.scores import Score
from scorewright.live.exporting.target import Delivery, Refused, Target
from scorewright.live.jobs import Found, LiveScore, Origin, broken
from scorewright.live.telemetry import EvaluationEvents

if TYPE_CHECKING:
    from opentelemetry.sdk._logs import LoggerProvider, ReadableLogRecord
    from opentelemetry.sdk._logs.export import LogRecordExporter
    from opentelemetry.sdk.resources import Resource

_NEEDED = "OtelEvents needs OpenTelemetry's SDK: pip install 'scorewright[otel]'"
_NAMES = ("scorewright.run.id", "scorewright.step", "gen_ai.evaluation.name", "scorewright.scorer.hash")
_NOT_SENT = "the exporter could not send it; OpenTelemetry's log says why"


@final
class OtelEvents(Target):
    """Events of OpenTelemetry, handed to an exporter such as `OTLPLogExporter(endpoint=…)`, which is not shut down.

    An event that is sent twice is there twice: give the export a `Sent` file, so that a second one sends nothing. Its
    time, run id, name and scorer hash are the same each time, so that a backend can tell. The exporter retries by
    itself, and says only whether a batch arrived. `address` tells one place from another in that file.
    """

    side_by_side = 1  # an exporter is no thread-safe thing

    def __init__(self, exporter: LogRecordExporter, /, *, address: str = "", resource: Resource | None = None) -> None:
        if not _is_exporter(exporter):
            raise DefinitionError(f"OtelEvents takes an exporter of log records, not {shown(type(exporter))}")
        self._exporter = exporter
        self._resource = resource
        self._address = address

    def __repr__(self) -> str:
        return f"OtelEvents({type(self._exporter).__name__})"

    @property
    def name(self) -> str:
        """The target, and a hash of its address, which may hold a key."""
        told = blake2b(self._address.encode(), digest_size=4).hexdigest() if self._address else ""
        return f"otel {told}".strip()

    def lacks(self, score: Score, /) -> str:
        """There is a place for everything."""
        del score
        return ""

    def open(self, patience: Patience, /) -> Delivery:
        """A way to the exporter, which has patience of its own."""
        del patience
        return _Emitting(self._exporter, self._resource)


@final
class _Emitting(Delivery):
    def __init__(self, exporter: LogRecordExporter, resource: Resource | None) -> None:
        self._exporter = exporter
        self._scores: dict[str, Score] = {}
        self._records: list[ReadableLogRecord] = []
        self._provider: LoggerProvider = _provider(resource, self._scores, self._records)
        self._events = EvaluationEvents(self._provider, content=True)  # what is no reason was taken out before

    @override
    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, raised: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._provider.shutdown()

    async def send(self, batch: Sequence[Score], /) -> Refused:
        from opentelemetry.sdk._logs.export import LogRecordExportResult

        self._records.clear()
        for score in batch:
            self._scores[_key(_run_id(score), score.step, score.scorer, score.scorer_hash)] = score
        self._events.keep([live_of(score) for score in batch])
        self._scores.clear()
        records = tuple(self._records)
        try:
            result = await asyncio.to_thread(self._exporter.export, records)
        except Exception as failed:  # noqa: BLE001 - its interface says that it may raise anything
            return {score.id: f"the exporter raised {type(failed).__name__}" for score in batch}
        return {} if result is LogRecordExportResult.SUCCESS else {score.id: _NOT_SENT for score in batch}


def _is_exporter(given: object) -> bool:
    try:
        from opentelemetry.sdk._logs.export import LogRecordExporter as Kind
    except ImportError as missing:
        raise DefinitionError(_NEEDED) from missing
    return isinstance(given, Kind)


def _key(*parts: object) -> str:
    return "\0".join(map(str, parts))


def _run_id(score: Score) -> str:
    """The id of the run, which a live score's row has the step after."""
    return score.row_id.removesuffix(f"/{score.step}") if score.step else score.row_id


def _provider(resource: Resource | None, scores: dict[str, Score], records: list[ReadableLogRecord]) -> LoggerProvider:
    """A provider that collects, and adds what the emitter of live scores does not know."""
    from opentelemetry.sdk._logs import LoggerProvider, LogRecordProcessor, ReadableLogRecord, ReadWriteLogRecord

    class Collecting(LogRecordProcessor):
        def on_emit(self, log_record: ReadWriteLogRecord) -> None:
            record = log_record.log_record
            said = dict(record.attributes or {})
            score = scores.get(_key(*(said.get(name, "") for name in _NAMES)))
            if score is not None:
                added = {
                    "gen_ai.evaluation.score.label": score.label,
                    "gen_ai.evaluation.explanation": score.why,
                    "scorewright.experiment.id": score.experiment,
                    "scorewright.score.id": score.id,
                    "scorewright.judge.model": score.judge,
                }
                if not score.why:
                    said.pop("gen_ai.evaluation.explanation", None)
                record.attributes = {**said, **{name: value for name, value in added.items() if value}}
            made = ReadableLogRecord(
                log_record=record,
                resource=log_record.resource or provider.resource,
                instrumentation_scope=log_record.instrumentation_scope,
            )
            records.append(made)

        def shutdown(self) -> None:
            return

        def force_flush(self, timeout_millis: int = 30000) -> bool:
            del timeout_millis
            return True

    provider = LoggerProvider(resource, shutdown_on_exit=False)
    provider.add_log_record_processor(Collecting())
    return provider


def live_of(score: Score, /) -> LiveScore:
    """A score as the emitter of live scores takes it."""
    origin = Origin(score.trace_id, score.span_id, score.step, score.at.timestamp())
    run: Run[object, object, None] = Run(None, None, run_id=_run_id(score))
    found: Found
    if score.value is not None:
        found = Evaluation((), (), run.drawn_id, score.value, score.why)
    else:
        fault: Fault = StepRaised(Raised(score.error, score.why or ""))
        found = broken(run, "", NotScorable(score.why or "") if score.state == "not_scorable" else fault)
    return LiveScore(score.scorer, score.scorer_hash, run, origin, found)
