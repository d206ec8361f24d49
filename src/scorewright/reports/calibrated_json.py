"""A calibration as JSON, by the published schema `calibration.schema.json`."""

from __future__ import annotations

import json
from importlib.resources import files
from math import isfinite
from typing import TYPE_CHECKING, cast

import attrs

if TYPE_CHECKING:
    from scorewright.calibration import Calibration, Cut, LabelledRow, Matrix, Pair, People, Reliability
    from scorewright.statistics import Agreement, Estimate, Interval, Undefined

SCHEMA_VERSION = 1
MOST_PAIRS = 100  # rows that are farthest apart


def calibration_schema() -> dict[str, object]:
    """The JSON Schema (draft 2020-12) that every calibration as JSON keeps."""
    text = files("scorewright.reports").joinpath("calibration.schema.json").read_text(encoding="utf-8")
    return cast("dict[str, object]", json.loads(text))


def calibration_json(found: Calibration, /) -> dict[str, object]:
    """All its numbers and the rows that are farthest apart. No NaN: what is undefined is null, and `why` says why."""
    return {
        "schema_version": SCHEMA_VERSION,
        "scorer": found.scorer,
        "scale": [end if isfinite(end) else None for end in (found.scale.low, found.scale.high)],
        "better": found.better,
        "kind": found.kind,
        "level": found.level,
        **attrs.asdict(found.coverage),
        "n_unlabelled": found.n_unlabelled,
        "n_tied": found.n_tied,
        "agreement": [_agreement(each) for each in found.agreement],
        "annotators": _annotators(found.annotators),
        "cut": _cut(found.cut),
        "reliability": _reliability(found.reliability),
        "matrix": None if found.matrix is None else _matrix(found.matrix),
        "bias": _perhaps(found.bias),
        "judged": _estimate(found.judged),
        "people": _estimate(found.people),
        "corrected": _estimate(found.corrected),
        "farthest": [_pair(each) for each in found.pairs[:MOST_PAIRS] if each.apart],
        "unscored": [{"id": row.id, "state": row.state, "told": row.told} for row in found.unscored[:MOST_PAIRS]],
        "caution": [*found.caution],
    }


def calibration_text(found: Calibration, /) -> str:
    """The same as text."""
    return json.dumps(calibration_json(found), allow_nan=False, indent=1) + "\n"


def _number(value: float | Undefined, interval: Interval | Undefined) -> dict[str, object]:
    from scorewright.statistics import Interval

    known = isinstance(value, (int, float))
    why = value.why if not isinstance(value, (int, float)) else "" if isinstance(interval, Interval) else interval.why
    return {
        "value": value if known else None,
        "interval": attrs.asdict(interval) if isinstance(interval, Interval) else None,
        "why": why or None,
    }


def _estimate(found: Estimate) -> dict[str, object]:
    return {**_number(found.value, found.interval), **attrs.asdict(found.coverage), "caution": [*found.caution]}


def _perhaps(found: Estimate | Undefined) -> dict[str, object] | None:
    from scorewright.statistics import Undefined

    return None if isinstance(found, Undefined) else _estimate(found)


def _agreement(found: Agreement) -> dict[str, object]:
    return {"measure": found.measure, "n": found.n, **_number(found.value, found.interval)}


def _annotators(found: People | Undefined) -> dict[str, object] | None:
    from scorewright.statistics import Undefined

    if isinstance(found, Undefined):
        return None
    return {
        "n": found.n,
        "alpha": _agreement(found.alpha),
        "each_other": _perhaps(found.each_other),
        "scorer": _perhaps(found.scorer),
    }


def _cut(found: Cut | Undefined) -> dict[str, object] | None:
    from scorewright.statistics import Undefined

    if isinstance(found, Undefined):
        return None
    return {
        **_number(found.value, found.interval),
        "criterion": found.criterion,
        "chosen": found.chosen,
        "in_sample": _number(found.in_sample, found.out_of_sample_interval)["value"],
        "out_of_sample": _number(found.out_of_sample, found.out_of_sample_interval),
        "confusion": None if found.confusion is None else attrs.asdict(found.confusion),
        "precision": _estimate(found.precision),
        "recall": _estimate(found.recall),
        "specificity": _estimate(found.specificity),
    }


def _reliability(found: Reliability | Undefined) -> dict[str, object] | None:
    from scorewright.statistics import Undefined

    if isinstance(found, Undefined):
        return None
    return {
        "bins": [
            {"low": each.low, "high": each.high, "score": each.score, "people": _estimate(each.people)}
            for each in found.bins
        ],
        "error": _estimate(found.error),
        "by_chance": found.by_chance if isinstance(found.by_chance, float) else None,
        "squared_error": _estimate(found.squared_error),
    }


def _matrix(found: Matrix) -> dict[str, object]:
    return {"names": [*found.names], "counts": [[*row] for row in found.counts]}


def _pair(found: Pair) -> dict[str, object]:
    return {"people": found.people, "apart": found.apart, **_row(found.row)}


def _row(row: LabelledRow) -> dict[str, object]:
    labels = [each if isinstance(each, (bool, int, float, str)) or each is None else str(each) for each in row.labels]
    return {
        "id": row.id, "score": row.score, "labels": labels, "input": row.input, "output": row.output,
        "reason": row.told,
    }  # fmt: skip
