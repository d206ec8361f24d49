"""Comparing the scores that a store holds with labels: nobody is asked again."""

from __future__ import annotations

import json
from collections.abc import Iterator
from os import PathLike
from typing import TYPE_CHECKING, Unpack

from scorewright.calibration.assessing import calibration
from scorewright.calibration.calibrated import Calibration, LabelledRow
from scorewright.calibration.labels import Better
from scorewright.calibration.running import FAILED, How, Human, labels_in, text_of
from scorewright.core import Scale
from scorewright.core.collection import SomeScorer
from scorewright.core.scale import UNIT
from scorewright.faults import DefinitionError
from scorewright.shapes.values import is_list, is_object
from scorewright.suites.evaluate import Rows, RowStream
from scorewright.suites.rows import BrokenRow, Row, read_rows
from scorewright.suites.written import Kept, kept_item

if TYPE_CHECKING:
    from scorewright.suites.journal import Experiment, Store, StoredScore


def calibrate_stored(
    store: Store | str | PathLike[str],
    scorer: SomeScorer | str,
    experiment: str | None = None,
    /,
    *,
    human: Human = "human",
    labels: Rows | None = None,
    **how: Unpack[How],
) -> Calibration:
    """Compare the scores that a store holds with labels; nobody is asked.

    `scorer` is a scorer or its id, `experiment` an id or how one begins, the latest without it. The labels are in the
    stored rows, or in `labels`, rows of the same ids. What is not there raises `StoreError` or `DefinitionError`.
    """
    from scorewright.suites.journal import Store, open_store

    if not isinstance(store, Store):
        with open_store(store) as opened:
            return calibrate_stored(opened, scorer, experiment, human=human, labels=labels, **how)
    held = store.experiment(experiment)
    id = scorer if isinstance(scorer, str) else scorer.about.id
    scale, better, digest = _about(held, id)
    if not isinstance(scorer, str):
        scale, better = scorer.scale, scorer.better
    said = None if labels is None else {row.id: labels_in(row, human) for row in _read(labels)}
    scores: dict[str, StoredScore] = {}
    for score in store.scores(held.id):
        if score.scorer.startswith(f"{id}[") and id not in scores:
            raise DefinitionError(f"the scorer {id!r} scores turns of conversations: labels are of whole rows")
        if score.scorer == id and score.scorer_hash == digest:
            scores[score.row_id] = score
    rows: list[LabelledRow] = []
    for item in store.items(held.id):
        kept = kept_item(item.row, item.output)
        found = labels_in(kept.row, human) if said is None else said.get(item.row_id, ())
        rows.append(_of_stored(kept, item.fault, scores.get(item.row_id), found))
    return calibration(rows, scorer=id, scale=scale, better=better, **how)


def _read(rows: Rows) -> Iterator[Row]:
    given = rows.items if isinstance(rows, RowStream) else read_rows(rows)
    return (row for row in given if not isinstance(row, BrokenRow))


def _about(experiment: Experiment, id: str) -> tuple[Scale, Better, str]:
    """The scale, the good end and the hash of a scorer, as the settings of an experiment tell them."""
    hashes = experiment.settings.get("scorers")
    if not is_object(hashes) or id not in hashes:
        there = ", ".join(map(repr, hashes)) if is_object(hashes) else ""
        raise DefinitionError(f"the experiment {experiment.id} has no scorer {id!r}: there is {there or 'none'}")
    about = experiment.settings.get("about")
    held = about.get(id) if is_object(about) else None
    if not is_object(held):
        return UNIT, "higher", str(hashes[id])
    ends = held.get("scale")
    low, high = (ends[0], ends[1]) if is_list(ends) else (0.0, 1.0)
    scale = Scale(_end(low, float("-inf")), _end(high, float("inf")))
    return scale, "lower" if held.get("better") == "lower" else "higher", str(hashes[id])


def _end(value: object, none: float) -> float:
    return float(value) if isinstance(value, (int, float)) else none


def _of_stored(kept: Kept, fault: str | None, score: StoredScore | None, labels: tuple[object, ...]) -> LabelledRow:
    row = kept.row
    number, state = None, FAILED
    told = "it was not scored" if fault is None else "its target failed"
    if score is not None:
        number, state, told = score.value, score.state, score.reason or ""
        if score.state == FAILED:
            told = _message(score.record)
    output = row.output if kept.answered is None else kept.answered.output
    return LabelledRow(row.id, number, labels, state, row.group, *map(text_of, (told, row.input, output)))


def _message(record: str) -> str:
    held: object = json.loads(record)
    fault = held.get("fault") if is_object(held) else None
    return str(fault.get("message") or fault.get("kind") or "") if is_object(fault) else ""
