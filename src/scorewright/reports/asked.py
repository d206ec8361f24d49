"""What was asked of an evaluation: its scorers, thresholds and gates, as its suite or its store says it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from math import inf, isfinite
from typing import Literal, final

import attrs

from scorewright.core import Scale
from scorewright.reports.report import Better
from scorewright.shapes.values import is_list, is_object
from scorewright.suites.experiments import hashes_of
from scorewright.suites.suite import Suite
from scorewright.suites.thresholds import Asserted, Gate, Sign, Threshold

_THRESHOLD = re.compile(
    r"(?P<id>.*): (?P<on>mean|pass_rate)(?:\((?P<passing>[^()]+)\))? (?P<sign>>=|<=) (?P<limit>\S+)", re.DOTALL
)
_GATE = re.compile(r"(?P<id>.*) (?P<sign>>=|<=) (?P<limit>\S+)", re.DOTALL)


@final
@attrs.frozen
class Known:
    """What is known of a scorer: the hash of its definition, its scale, which end is good; None where nothing says."""

    hash: str = ""
    scale: Scale | None = None
    better: Better | None = None


@final
@attrs.frozen
class Asked:
    """The evaluation that a report is of."""

    name: str = ""
    source: str = ""
    target: str = ""
    scorers: Mapping[str, Known] = attrs.field(factory=dict[str, Known])
    thresholds: tuple[Asserted, ...] = ()
    gates: tuple[Gate, ...] = ()

    def better(self, id: str, /) -> Better | None:
        """Which end of the scale is good: as the scorer says it, or as what it is held to tells it."""
        known = self.scorers.get(id, Known()).better
        if known is not None:
            return known
        signs = {each.threshold.sign for each in self.thresholds if each.scorer == id and each.threshold.on == "mean"}
        signs |= {each.sign for each in self.gates if each.scorer == id}
        return {">=": "higher", "<=": "lower"}[signs.pop()] if len(signs) == 1 else None  # type: ignore[return-value]  # of these two


def asked_of(suite: Suite, /) -> Asked:
    """What a suite asks."""
    hashes = hashes_of(suite)
    known = {each.id: Known(hashes[each.id], each.scorer.scale, each.scorer.better) for each in suite.assigned}
    return Asked(suite.name, "", "", known, suite.thresholds, suite.gates)


def asked_in(name: str, spec: str, /) -> Asked:
    """What the settings of a stored experiment ask; what cannot be read of them is not asked."""
    held: object = json.loads(spec)
    form = held if is_object(held) else {}
    about = form.get("about")
    hashes = form.get("scorers")
    known = {
        id: _known(str(digest), about.get(id) if is_object(about) else None)
        for id, digest in (hashes.items() if is_object(hashes) else ())
    }
    thresholds = tuple(each for each in map(_threshold, _texts(form.get("thresholds"))) if each is not None)
    gates = tuple(each for each in map(_gate, _texts(form.get("gates"))) if each is not None)
    return Asked(name, _text(form.get("source")), _text(form.get("target_name")), known, thresholds, gates)


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _texts(value: object) -> list[str]:
    return [each for each in value if isinstance(each, str)] if is_list(value) else []


def _known(digest: str, about: object) -> Known:
    if not is_object(about):
        return Known(digest)
    ends, better = about.get("scale"), about.get("better")
    scale = None
    if is_list(ends) and len(ends) == 2:  # noqa: PLR2004 - two ends
        low, high = _end(ends[0], -inf), _end(ends[1], inf)
        scale = Scale(low, high) if low < high else None
    return Known(digest, scale, "lower" if better == "lower" else "higher" if better == "higher" else None)


def _end(value: object, none: float) -> float:
    return float(value) if isinstance(value, (int, float)) else none


def _threshold(text: str) -> Asserted | None:
    found = _THRESHOLD.fullmatch(text)
    limit = None if found is None else _number(found["limit"])
    if found is None or limit is None:
        return None
    on: Literal["mean", "pass_rate"] = "mean" if found["on"] == "mean" else "pass_rate"
    passing = None if found["passing"] is None else _number(found["passing"])
    return Asserted(found["id"], Threshold(_sign(found["sign"]), limit, on, passing))


def _gate(text: str) -> Gate | None:
    found = _GATE.fullmatch(text)
    limit = None if found is None else _number(found["limit"])
    return None if found is None or limit is None else Gate(found["id"], _sign(found["sign"]), limit)


def _sign(text: str) -> Sign:
    return ">=" if text == ">=" else "<="


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if isfinite(number) else None
