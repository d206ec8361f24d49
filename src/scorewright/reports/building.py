"""A report out of a store, or out of items that are at hand."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from os import PathLike
from typing import TYPE_CHECKING

import attrs
from returns.result import Success

from scorewright.core import Usage
from scorewright.faults import NotScorable
from scorewright.judges.usage import Spent
from scorewright.reports.asked import Asked, asked_in, asked_of
from scorewright.reports.finishing import finished
from scorewright.reports.gathering import Gathering
from scorewright.reports.report import Report
from scorewright.shapes.values import is_object
from scorewright.suites.records import ItemRecord, done
from scorewright.suites.rows.row import ABSENT
from scorewright.suites.suite import Suite
from scorewright.suites.written import answered_form, row_form
from scorewright.wording import describe

if TYPE_CHECKING:
    from scorewright.suites.journal import Experiment, Store, StoredItem, StoredScore

_KEY = re.compile(r"(?P<id>.*)\[(?P<turn>\d+)\]", re.DOTALL)
_SPENT = '{"spent":'
_decoder = json.JSONDecoder()


def report_of(store: Store | str | PathLike[str], experiment: str | None = None, /) -> Report:
    """The report of a stored experiment: by its id or how that begins; the latest without one.

    Rows are read as they come: memory grows by some ten bytes a score and with the length of ids, not with what rows
    hold. What cannot be opened or is not there raises `StoreError`.
    """
    from scorewright.suites.journal import Store, open_store

    if isinstance(store, Store):
        return _of_stored(store, store.experiment(experiment))
    with open_store(store) as opened:
        return _of_stored(opened, opened.experiment(experiment))


def report_of_items(items: Sequence[ItemRecord], suite: Suite | None = None, /, *, name: str = "") -> Report:
    """The report of items that are at hand; the suite says scales, thresholds and gates."""
    asked = Asked() if suite is None else asked_of(suite)
    gathering = Gathering(asked)
    items = sorted(items, key=lambda item: item.index)
    for item in items:
        for score in item.scores:
            _tell(gathering, item, score.id, score.turn or 0, score.key)
            if score.spent is not None:
                gathering.took(score.spent)
    for item in items:
        form: dict[str, object] = row_form(item.row)
        if item.answered is not None:
            form["answered"] = answered_form(item.answered)
        output = None if item.output is ABSENT else item.output
        fault = None if item.fault is None else (type(item.fault).__name__, describe(item.fault))
        gathering.item(item.row.id, form, output, fault)
    return finished(gathering, attrs.evolve(asked, name=name or asked.name or "items"), "", "")


def _tell(gathering: Gathering, item: ItemRecord, scorer: str, turn: int, key: str) -> None:
    result, row = item.results[key], item.row.id
    if isinstance(result, Success):
        gathering.scored(row, scorer, turn, result.unwrap().score, result.unwrap().reason)
        return
    failure = result.failure()
    if isinstance(failure.cause, NotScorable):
        gathering.not_scorable(row, scorer, turn, failure.cause.reason)
    else:
        step = getattr(done(result), "step", "")
        gathering.failed(row, scorer, turn, step, type(failure.cause).__name__, describe(failure.cause))


def _of_stored(store: Store, experiment: Experiment) -> Report:
    asked = asked_in(experiment.name, experiment.spec)
    gathering = Gathering(asked)
    for score in store.scores(experiment.id):
        _tell_stored(gathering, score)
    for item in store.items(experiment.id):
        _tell_item(gathering, item)
    return finished(gathering, asked, experiment.id, experiment.created)


def _tell_stored(gathering: Gathering, score: StoredScore) -> None:
    id, turn = score.scorer, 0
    known = gathering.asked.scorers
    if id not in known and (found := _KEY.fullmatch(id)):
        id, turn = found["id"], int(found["turn"])
    if id in known and known[id].hash != score.scorer_hash:
        return  # of a scorer as it was before
    if score.value is not None:
        gathering.scored(score.row_id, id, turn, score.value, score.reason)
        if score.record.startswith(_SPENT):
            _took(gathering, _decoder.raw_decode(score.record, len(_SPENT))[0])
        return
    held = _object(score.record)
    _took(gathering, held.get("spent"))
    if score.state == "not_scorable":
        gathering.not_scorable(score.row_id, id, turn, score.reason or "")
        return
    fault = held.get("fault")
    said: Mapping[str, object] = fault if is_object(fault) else {}
    step, kind, message = (str(said.get(name) or "") for name in ("step", "kind", "message"))
    gathering.failed(score.row_id, id, turn, step, kind or "unknown", message)


def _took(gathering: Gathering, spent: object) -> None:
    if not is_object(spent):
        return
    dollars = spent.get("dollars")
    gathering.took(
        Spent(
            _count(spent.get("attempts")),
            _usage(spent.get("usage")),
            _count(spent.get("uncounted")),
            float(dollars) if isinstance(dollars, (int, float)) else None,
            _usage(spent.get("avoided")),
        )
    )


def _usage(value: object) -> Usage:
    held: Mapping[str, object] = value if is_object(value) else {}
    return Usage(**{field.name: _count(held.get(field.name)) for field in attrs.fields(Usage)})


def _count(value: object) -> int:
    return value if isinstance(value, int) else 0


def _tell_item(gathering: Gathering, item: StoredItem) -> None:
    form = _object(item.row)
    output: object = form.get("output") if item.output is None else json.loads(item.output)
    fault = None if item.fault is None else _object(item.fault)
    told = None if fault is None else (str(fault.get("kind") or "unknown"), str(fault.get("message") or ""))
    gathering.item(item.row_id, form, output, told)


def _object(text: str) -> dict[str, object]:
    held: object = _decoder.decode(text)
    return held if is_object(held) else {}
