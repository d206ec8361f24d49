"""A report as JSON, by the published schema `report.schema.json`."""

from __future__ import annotations

import json
from importlib.resources import files
from math import isfinite
from typing import cast

import attrs

from scorewright.core import Scale
from scorewright.reports.report import Case, Check, Figure, Histogram, Report, ScorerReport, Slice, Worst

SCHEMA_VERSION = 1


def json_schema() -> dict[str, object]:
    """The JSON Schema (draft 2020-12) that every report as JSON keeps."""
    text = files("scorewright.reports").joinpath("report.schema.json").read_text(encoding="utf-8")
    return cast("dict[str, object]", json.loads(text))


def to_json(report: Report, /) -> dict[str, object]:
    """The report without its rows: numbers, checks, failures, the worst items. No NaN; what is not there is null."""
    return {
        "schema_version": SCHEMA_VERSION,
        "name": report.name,
        "source": report.source,
        "experiment": report.experiment or None,
        "created": report.created or None,
        "target": report.target or None,
        "verdict": report.verdict,
        "n_items": report.n_items,
        "n_target_failed": report.n_target_failed,
        "n_waiting": report.n_waiting,
        "n_failed": report.n_failed,
        "scorers": [_scorer(each) for each in report.scorers],
        "checks": [_check(each) for each in report.checks],
        "failures": [{**attrs.asdict(each), "first": [*each.first]} for each in report.failures],
        "not_scorable": [{**attrs.asdict(each), "first": [*each.first]} for each in report.not_scorable],
        "notes": [*report.notes],
        "spent": attrs.asdict(report.spent),
    }


def json_text(report: Report, /) -> str:
    """The same as text; a lone surrogate is escaped, so that it can be written as UTF-8."""
    return json.dumps(to_json(report), allow_nan=False, indent=1) + "\n"


def _scorer(each: ScorerReport) -> dict[str, object]:
    return {
        "id": each.id,
        "hash": each.hash or None,
        "scale": None if each.scale is None else _ends(each.scale),
        "better": each.better,
        "mean": figure_form(each.mean),
        "min": each.spread and each.spread[0],
        "median": each.spread and each.spread[1],
        "max": each.spread and each.spread[2],
        "histogram": each.histogram and histogram_form(each.histogram),
        "slices": [_slice(part) for part in each.slices],
        "worst": [_worst(low) for low in each.worst],
    }


def _ends(scale: Scale) -> list[float | None]:
    return [end if isfinite(end) else None for end in (scale.low, scale.high)]


def figure_form(each: Figure, /) -> dict[str, object]:
    """A mean with its interval, or why there is none."""
    found = None if each.low is None else {"low": each.low, "high": each.high, "level": 0.95, "method": each.method}
    return {
        "value": each.value,
        "interval": found,
        "why_no_interval": each.why or None,
        **attrs.asdict(each.coverage),
        "caution": [*each.caution],
    }


def histogram_form(each: Histogram, /) -> dict[str, object]:
    """Counts over the scale."""
    return {"low": each.low, "high": each.high, "counts": [*each.counts]}


def _slice(each: Slice) -> dict[str, object]:
    return {"kind": each.kind, "name": each.name, "mean": figure_form(each.mean)}


def _worst(each: Worst) -> dict[str, object]:
    return {"score": each.score, "turn": each.turn, "reason": each.reason, "case": _case(each.case)}


def _case(each: Case) -> dict[str, object]:
    return {
        **attrs.asdict(each, recurse=False),
        "tags": [*each.tags],
        "said": [attrs.asdict(said) for said in each.said],
    }


def _check(each: Check) -> dict[str, object]:
    return {**attrs.asdict(each, recurse=False), "coverage": attrs.asdict(each.coverage)}
