"""Scores to export, read from a store, from items in memory, or from live scores."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import TypeAlias, final

import attrs

from scorewright.core import Evaluation, ScoringFailure
from scorewright.faults import DefinitionError, NotScorable
from scorewright.live.exporting.scores import Left, Score
from scorewright.live.jobs import LiveScore
from scorewright.live.sinks import fault_kind
from scorewright.shapes.values import is_list, is_object
from scorewright.suites.experiments import hashes_of
from scorewright.suites.journal import Store, StoredItem, StoredScore
from scorewright.suites.records import ItemRecord, ItemScore, done
from scorewright.suites.suite import Suite
from scorewright.suites.targets import Answered
from scorewright.wording import describe

Exportable: TypeAlias = Score | Left
Label: TypeAlias = Callable[[str, float], str | None]  # of a scorer's id and its score
_NO_SCORER = "the target failed, so that no scorer saw the row"


@final
@attrs.frozen
class _Origin:
    trace_id: str = ""
    span_id: str = ""
    step: str = ""
    at: datetime | None = None


def stored_scores(
    store: Store, experiment: str | None = None, /, *, reasons: bool = True, label: Label | None = None
) -> Iterator[Exportable]:
    """The scores of a stored experiment, the latest without an id, in the order of the rows.

    Without `reasons` no text of a judge, a scorer or an exception is in them. `label` names a score, such as "pass".
    """
    held = store.experiment(experiment)
    began = _moment(held.created)
    scores = iter(store.scores(held.id))
    ahead = next(scores, None)
    for item in store.items(held.id):
        origin = _origin(_object(item.row), None)
        if ahead is None or ahead.row_id != item.row_id:
            if item.fault:
                yield Left(held.id, item.row_id, "", _NO_SCORER)
            continue
        while ahead is not None and ahead.row_id == item.row_id:
            yield _stored(ahead, item, origin, began, reasons, label)
            ahead = next(scores, None)


def _stored(  # noqa: PLR0917 - what a score is made of
    score: StoredScore, item: StoredItem, origin: _Origin, began: datetime, reasons: bool, label: Label | None
) -> Score:
    record = _object(score.record)
    fault = record.get("fault")
    kind, message = (str(fault.get("kind") or ""), str(fault.get("message") or "")) if is_object(fault) else ("", "")
    return Score(
        score.experiment,
        score.row_id,
        score.scorer,
        origin.at or began,
        score.state,
        score.value,
        (score.reason or message or None) if reasons else None,
        kind,
        score.scorer_hash,
        origin.trace_id,
        origin.span_id,
        origin.step,
        _labelled(label, score.scorer, score.value),
        _judge(record.get("steps")),
        item.position,
    )


def item_scores(
    items: Iterable[ItemRecord],
    /,
    *,
    experiment: str,
    at: datetime,
    suite: Suite | None = None,
    reasons: bool = True,
    label: Label | None = None,
) -> Iterator[Exportable]:
    """The scores of items in memory, as `evaluate(…, on_item=items.append)` collects them.

    `experiment` and `at` are what a store would know: give the same ones to export the same scores again. With the
    suite the scores know the versions of their scorers.
    """
    if at.tzinfo is None:
        raise DefinitionError("item_scores(at=…) takes a time with a zone, such as datetime.now(UTC)")
    return _of_items(items, experiment, at, {} if suite is None else hashes_of(suite), reasons, label)


def _of_items(  # noqa: PLR0917 - as above
    items: Iterable[ItemRecord],
    experiment: str,
    at: datetime,
    hashes: Mapping[str, str],
    reasons: bool,
    label: Label | None,
) -> Iterator[Exportable]:
    for item in items:
        if item.fault is not None:
            yield Left(experiment, item.row.id, "", _NO_SCORER)
        row: dict[str, object] = {"metadata": dict(item.row.metadata), "trace": item.row.trace}
        origin = _origin(row, item.answered)
        for each in item.scores:
            made = _of_item(item, each, experiment, at, hashes.get(each.id, ""))
            found = done(each.result)
            yield attrs.evolve(
                made,
                trace_id=origin.trace_id,
                span_id=origin.span_id,
                why=made.why if reasons else None,
                label=_labelled(label, each.key, found.score),
            )


def _of_item(item: ItemRecord, score: ItemScore, experiment: str, at: datetime, version: str) -> Score:
    found = done(score.result)
    models = (exchange.reply.attempts[-1].model for exchange in found.exchanges if exchange.reply.attempts)
    judge = next(filter(None, models), "judge" if found.exchanges else "")
    base = Score(experiment, item.row.id, score.key, at, scorer_hash=version, judge=judge, position=item.index)
    return _with(base, found, "")


def _with(base: Score, found: Evaluation | ScoringFailure[object], kind: str) -> Score:
    if isinstance(found, Evaluation):
        return attrs.evolve(base, state="scored", value=found.score, why=found.reason, fault="")
    if isinstance(found.cause, NotScorable):
        return attrs.evolve(base, state="not_scorable", why=found.cause.reason, fault="")
    return attrs.evolve(base, state="failed", why=describe(found.cause), fault=kind or type(found.cause).__name__)


def live_score(score: LiveScore, experiment: str, /, *, reasons: bool = False) -> Score:
    """A live score, as it is exported; its reason only where that is wished, since it may quote what was said."""
    at = datetime.fromtimestamp(score.origin.ended, UTC)
    origin = score.origin
    base = Score(
        experiment,
        score.row_id,
        score.scorer,
        at,
        scorer_hash=score.scorer_hash,
        trace_id=origin.trace_id,
        span_id=origin.span_id,
        step=origin.step,
    )
    made = _with(base, score.found, fault_kind(score) or "")
    return made if reasons else attrs.evolve(made, why=None)


def _origin(row: Mapping[str, object], answered: Answered | None) -> _Origin:
    """The trace and span of a row: those of the target's own run, of the row, of its metadata, of its recorded run."""
    if answered is not None and answered.run is not None and answered.run.trace_id:
        return _Origin(answered.run.trace_id, answered.run.span_id)
    beside = row.get("answered")
    ran = beside.get("run") if is_object(beside) else None
    ended = row.get("ended")
    at = datetime.fromtimestamp(ended, UTC) if isinstance(ended, (int, float)) and ended > 0 else None
    step = row.get("step")
    for place in (ran, row, row.get("metadata"), row.get("trace")):
        trace = place.get("trace_id") if is_object(place) else None
        if is_object(place) and isinstance(trace, str) and trace:
            span = place.get("span_id")
            return _Origin(trace, span if isinstance(span, str) else "", step if isinstance(step, str) else "", at)
    return _Origin(step=step if isinstance(step, str) else "", at=at)


def _judge(steps: object) -> str:
    """The model that was asked first; "judge" where its name is not known, nothing where nobody was asked."""
    for step in steps if is_list(steps) else []:
        exchanges = step.get("exchanges") if is_object(step) else None
        for exchange in exchanges if is_list(exchanges) else []:
            model = exchange.get("model") if is_object(exchange) else None
            return model if isinstance(model, str) and model else "judge"
    return ""


def _labelled(label: Label | None, scorer: str, value: float | None) -> str | None:
    return None if label is None or value is None else label(scorer, value)


def _moment(text: str) -> datetime:
    try:
        at = datetime.fromisoformat(text)
    except ValueError:  # another tool wrote it
        return datetime.fromtimestamp(0, UTC)
    return at if at.tzinfo else at.replace(tzinfo=UTC)


def _object(text: str) -> dict[str, object]:
    value: object = json.loads(text)
    return value if is_object(value) else {}
