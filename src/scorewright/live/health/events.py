"""What monitors tell: events, and how each stands; as values and as JSON, without what was said in the runs."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Final, TypeAlias, final

import attrs

from scorewright.live.health.drift import Detector
from scorewright.live.health.monitors import Condition, EventKind
from scorewright.live.health.reading import Reading
from scorewright.live.health.windows import Held, Observation
from scorewright.statistics.estimate import Estimate, Interval, Number, Undefined

Form: TypeAlias = Mapping[str, object]
EXAMPLES: Final = 5
_LONGEST: Final = 300


@final
@attrs.frozen
class Status:
    """How a monitor or a drift stands: the number it looks at, what that stands on, and why it stands so."""

    name: str
    scorer: str
    rule: str
    condition: Condition
    value: Number
    interval: Interval | None
    held: Held | None  # the window; of a drift there is none
    why: str
    muted: int = 0  # alerts that were never told, since another had been a short time before

    @property
    def form(self) -> Form:
        """As JSON says it."""
        return {
            "name": self.name,
            "scorer": self.scorer,
            "rule": self.rule,
            "state": self.condition,
            "value": None if isinstance(self.value, Undefined) else self.value,
            "interval": None if self.interval is None else [self.interval.low, self.interval.high],
            **({} if self.held is None else counts_form(self.held)),
            "why": self.why,
            "muted": self.muted,
        }


@final
@attrs.frozen
class Event:
    """An alert, or that it is resolved. `examples` are the ids of some runs behind it; `reasons` only with content."""

    kind: EventKind
    id: str
    at: str  # ISO 8601, UTC
    status: Status
    examples: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()

    @property
    def form(self) -> Form:
        """As JSON says it."""
        held: dict[str, object] = {"schema_version": 1, "type": self.kind, "id": self.id, "at": self.at}
        held |= {"monitor": self.status.form, "run_ids": list(self.examples)}
        return held | ({"reasons": list(self.reasons)} if self.reasons else {})


def counts_form(held: Held, /) -> dict[str, object]:
    """What a window holds, in counts."""
    counts: dict[str, object] = {"scored": held.coverage.n_scored, "not_scorable": held.coverage.n_not_scorable}
    return counts | {"failed": held.coverage.n_failed, "dropped": held.dropped, "is_cut": held.is_cut}


def reading_form(reading: Reading, /) -> Form:
    """A reading as JSON says it; a number that cannot be had is null, and `why` says what is missing."""
    names = ("mean", "pass_rate", "coverage", "failure_rate")
    numbers = {name: _number_form(getattr(reading, name)) for name in names}
    many = {f"{p:g}": None if isinstance(value, Undefined) else value for p, value in reading.percentiles.items()}
    told: dict[str, object] = {"scorer": reading.scorer, "window": str(reading.window), **counts_form(reading.held)}
    return told | {**numbers, "pass_at": reading.pass_at, "percentiles": many}


def _number_form(found: Estimate) -> Form:
    if isinstance(found.value, Undefined):
        return {"value": None, "low": None, "high": None, "why": found.value.why}
    around = found.interval if isinstance(found.interval, Interval) else None
    return {"value": found.value, "low": around.low if around else None, "high": around.high if around else None}


def worst(held: list[Observation], sign: float, /) -> list[Observation]:
    """Some runs that show what is wrong: those of the lowest scores, or with -1 of the highest, the latest first."""
    scored = [seen for seen in reversed(held) if seen.score is not None]
    return sorted(scored, key=lambda seen: sign * (seen.score or 0.0))[:EXAMPLES]


def unscored(held: list[Observation], failed_only: bool, /) -> list[Observation]:
    """The latest runs that failed, or that were not scored for whatever reason."""
    states = {"failed"} if failed_only else {"failed", "not_scorable"}
    return [seen for seen in reversed(held) if seen.state in states][:EXAMPLES]


def cut(text: str, /) -> str:
    """A reason as it is kept: its beginning."""
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def moment(seconds: float, /) -> str:
    """A time since 1970 as ISO 8601, UTC."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds")


def drift_why(detector: Detector, /) -> str:
    """How a drift stands, in words."""
    drift = detector.drift
    told = f"evidence {detector.most_evidence:.3g} of the {drift.enough:.3g} that it takes"
    cut_ = f", {detector.n_outside} cut to the scale" if detector.n_outside else ""
    after = f"; it alerted after {detector.alerted_after}" if detector.has_drifted else ""
    return f"{told}, {detector.n} scores{cut_}{after}; baseline {drift.low:.3g}..{drift.high:.3g}"
