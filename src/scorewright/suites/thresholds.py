"""Bounds that a suite holds its scorers to: thresholds on what all items come to, gates on every single item."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Literal, TypeAlias, final

import attrs

from scorewright.core.collection import SomeScorer
from scorewright.faults import DefinitionError
from scorewright.suites.kinds import checked_mapping, texts_in

Sign: TypeAlias = Literal[">=", "<="]
On: TypeAlias = Literal["mean", "pass_rate"]

_WRITTEN = re.compile(
    r"\s*(?:(?P<on>mean|pass_rate)\s*(?:\(\s*(?P<passing>[^()]+?)\s*\))?\s*)?(?P<sign>>=|<=)\s*(?P<limit>\S+)\s*"
)


@final
@attrs.frozen
class Threshold:
    """A bound on the mean of one scorer's scores, or on the share of its items that pass; the limit itself is fine.

    An item passes with the score `passing` or a better one; None is the good end of the scale.
    """

    sign: Sign
    limit: float
    on: On = "mean"
    passing: float | None = None

    def __str__(self) -> str:
        passing = "" if self.passing is None else f"({self.passing:g})"
        return f"{self.on}{passing} {self.sign} {self.limit:g}"

    def met(self, value: float, /) -> bool:
        """Whether a mean, or a share of items, is on the right side."""
        return value >= self.limit if self.sign == ">=" else value <= self.limit


@final
@attrs.frozen
class Gate:
    """A bound on every item's score of one scorer: one item on the wrong side fails the suite, whatever the mean."""

    scorer: str
    sign: Sign
    limit: float

    def __str__(self) -> str:
        return f"{self.scorer} {self.sign} {self.limit:g}"

    def holds(self, score: float, /) -> bool:
        """Whether one item's score is on the right side."""
        return score >= self.limit if self.sign == ">=" else score <= self.limit


@final
@attrs.frozen
class Asserted:
    """A threshold, and the scorer that it is for."""

    scorer: str
    threshold: Threshold

    def __str__(self) -> str:
        return f"{self.scorer}: {self.threshold}"


def at_least(limit: float, /) -> Threshold:
    """The mean is the limit or more."""
    return Threshold(">=", limit)


def at_most(limit: float, /) -> Threshold:
    """The mean is the limit or less: for scorers of which lower is better."""
    return Threshold("<=", limit)


def pass_rate(limit: float, /, *, passing: float | None = None) -> Threshold:
    """At least this share of the scored items passes, each with the score `passing` or a better one.

    >>> str(pass_rate(0.9, passing=0.5))
    'pass_rate(0.5) >= 0.9'
    """
    return Threshold(">=", limit, "pass_rate", passing)


Bound: TypeAlias = Threshold | str | float
Limit: TypeAlias = str | float
Gates: TypeAlias = Mapping[str, Limit | None] | Sequence[str]


def limits_in(gates: Gates, /) -> Mapping[str, Limit | None]:
    """The limits of gates by scorer: of those in a list, and where a mapping has None, the good end of the scale.

    >>> limits_in(["safe"]), limits_in({"safe": ">= 0.5"})
    ({'safe': None}, {'safe': '>= 0.5'})
    """
    if isinstance(gates, str):
        raise DefinitionError(f"gates= takes ids in a list, or a mapping to limits: gates=[{gates!r}]")
    if isinstance(gates, Mapping):
        checked_mapping("gates", gates, "ids to limits")
        return dict(gates)
    return dict.fromkeys(texts_in("gates", gates))


def threshold_for(scorer: SomeScorer, id: str, given: Bound, /) -> Asserted:
    """The threshold as it was given: a value, ">= 0.8", "pass_rate(0.5) >= 0.9", or a number on the good side.

    One that the good end of the scale would miss, or that is outside the scale, raises `DefinitionError`.
    """
    threshold = given if isinstance(given, Threshold) else _read(scorer, id, given)
    if threshold.on == "pass_rate":
        _within(f"the threshold of {id!r}", threshold.limit, 0.0, 1.0)
        if threshold.sign != ">=":
            raise DefinitionError(f"the threshold of {id!r}: a share that passes is at least something: write >=")
        if threshold.passing is None:
            _good_end(scorer, id)
        else:
            _within(f"the passing score of {id!r}", threshold.passing, scorer.scale.low, scorer.scale.high)
    else:
        _within(f"the threshold of {id!r}", threshold.limit, scorer.scale.low, scorer.scale.high)
        _rightly(scorer, id, threshold.sign)
    return Asserted(id, threshold)


def gate_for(scorer: SomeScorer, id: str, given: Limit | None, /) -> Gate:
    """The gate: ">= 0.5", a number on the good side, or None for the good end of the scale."""
    if given is None:
        return Gate(id, good_sign(scorer), _good_end(scorer, id))
    read = _read(scorer, id, given)
    if read.on != "mean" or (isinstance(given, str) and "mean" in given):
        raise DefinitionError(
            f"a gate is on every item, not on the {read.on}: write {id!r}: '{read.sign} {read.limit:g}'"
        )
    _within(f"the gate of {id!r}", read.limit, scorer.scale.low, scorer.scale.high)
    _rightly(scorer, id, read.sign)
    return Gate(id, read.sign, read.limit)


def good_sign(scorer: SomeScorer, /) -> Sign:
    """Which side of a limit is the good one."""
    return ">=" if scorer.better == "higher" else "<="


def _good_end(scorer: SomeScorer, id: str) -> float:
    end = scorer.scale.high if scorer.better == "higher" else scorer.scale.low
    if not isfinite(end):
        raise DefinitionError(f"the scale of {id!r} has no good end: say which score passes, such as '>= 0.5'")
    return end


def _read(scorer: SomeScorer, id: str, given: object) -> Threshold:
    if isinstance(given, (int, float)) and not isinstance(given, bool):
        return Threshold(good_sign(scorer), float(given))
    found = _WRITTEN.fullmatch(given) if isinstance(given, str) else None
    if found is None:
        raise DefinitionError(
            f"{id!r} is held to {given!r}: write '>= 0.8', 'mean >= 0.8', 'pass_rate(0.5) >= 0.9', or a number"
        )
    passing = found["passing"]
    if passing is not None and found["on"] == "mean":
        raise DefinitionError(f"{id!r} is held to {given!r}: a mean takes no passing score; a pass_rate does")
    on: On = "pass_rate" if found["on"] == "pass_rate" else "mean"
    sign: Sign = ">=" if found["sign"] == ">=" else "<="
    return Threshold(sign, _number(id, found["limit"]), on, None if passing is None else _number(id, passing))


def _number(id: str, text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise DefinitionError(f"{id!r} is held to {text!r}, which is no number") from None


def _within(what: str, limit: float, low: float, high: float) -> None:
    if not (isfinite(limit) and low <= limit <= high):
        raise DefinitionError(f"{what} is a number of {low:g}..{high:g}, not {limit:g}")


def _rightly(scorer: SomeScorer, id: str, sign: Sign) -> None:
    right = good_sign(scorer)
    if sign != right:
        raise DefinitionError(f"of {id!r} {scorer.better} is better: its bound is {right} some limit, not {sign}")
