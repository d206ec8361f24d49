"""A score as it is exported: whose, what came of it, and the span or trace that it is of."""

from __future__ import annotations

from datetime import UTC, datetime
from hashlib import blake2b
from math import isfinite
from typing import final

import attrs

from scorewright.suites.journal.records import State
from scorewright.suites.rows.ids import sayable

MOST_TEXT = 20_000  # characters of a reason or a message: more than a judge writes, less than a server refuses


def _text(given: str) -> str:
    said = sayable(given)
    return said if len(said) <= MOST_TEXT else f"{said[:MOST_TEXT]}…"


def _perhaps(given: str | None) -> str | None:
    return None if given is None else _text(given)


def _finite(given: float | None) -> float | None:
    return float(given) if given is not None and isfinite(given) else None


@final
@attrs.frozen
class Score:
    """What came of one row and one scorer. A score that is not finite has no value here, and has failed.

    `scorer` has the turn after it where it is of one, `polite[2]`. `why` is the reason of a score, why there could be
    none, or the message of the fault, whose kind is `fault`. `at` is a time that stays the same when a score is
    exported again. `label` is what a reader calls the score, such as "pass". `judge` is the model that was asked.
    """

    experiment: str = attrs.field(converter=_text)
    row_id: str = attrs.field(converter=_text)
    scorer: str = attrs.field(converter=_text)
    at: datetime
    state: State = "scored"
    value: float | None = attrs.field(default=None, converter=_finite)
    why: str | None = attrs.field(default=None, converter=_perhaps)
    fault: str = attrs.field(default="", converter=_text)
    scorer_hash: str = ""
    trace_id: str = attrs.field(default="", converter=_text)
    span_id: str = attrs.field(default="", converter=_text)
    step: str = attrs.field(default="", converter=_text)
    label: str | None = attrs.field(default=None, converter=_perhaps)
    judge: str = attrs.field(default="", converter=_text)
    position: int = 0

    def __attrs_post_init__(self) -> None:
        if self.state == "scored" and self.value is None:
            object.__setattr__(self, "state", "failed")
            object.__setattr__(self, "fault", self.fault or "InvalidScore")
        elif self.state != "scored":
            object.__setattr__(self, "value", None)

    @property
    def id(self) -> str:
        """32 hexadecimal digits: the same for the same experiment, row, scorer and version of it."""
        key = "\0".join((self.experiment, self.row_id, self.scorer, self.scorer_hash))
        return blake2b(key.encode(), digest_size=16).hexdigest()

    @property
    def content(self) -> str:
        """32 hexadecimal digits of everything it says: other ones where anything has changed."""
        return blake2b(repr(attrs.astuple(self)).encode(), digest_size=16).hexdigest()

    @property
    def error(self) -> str:
        """The kind of the fault, "not_scorable", or nothing where there is a score."""
        if self.state == "scored":
            return ""
        return "not_scorable" if self.state == "not_scorable" else self.fault or "failed"

    @property
    def moment(self) -> str:
        """The time in ISO 8601, UTC, to the millisecond."""
        return self.at.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")

    @property
    def told(self) -> dict[str, str]:
        """What is put beside a score as its metadata, without what is empty."""
        return {name: value for name, value in self.metadata.items() if value}

    @property
    def metadata(self) -> dict[str, str]:
        """What is put beside a score where keys are added and never removed."""
        return {
            "scorewright.score.id": self.id,
            "scorewright.experiment.id": self.experiment,
            "scorewright.run.id": self.row_id,
            "scorewright.scorer.hash": self.scorer_hash,
            "scorewright.state": self.state,
            "scorewright.step": self.step,
            "scorewright.label": self.label or "",
            "scorewright.judge.model": self.judge,
            "error.type": self.error,
        }


@final
@attrs.frozen
class Left:
    """A score that did not go, or a row without one: its place, and why. `id` is empty for a row."""

    experiment: str
    row_id: str
    scorer: str
    why: str
    id: str = ""

    def __str__(self) -> str:
        return f"{self.row_id}, {self.scorer}: {self.why}" if self.scorer else f"{self.row_id}: {self.why}"


def left(score: Score, why: str, /) -> Left:
    """The place of a score that did not go."""
    return Left(score.experiment, score.row_id, score.scorer, why, score.id)


@final
@attrs.frozen
class Exported:
    """What an export came to. Every score is in one of the four: sent, unchanged since an earlier export, skipped
    because the target has no place for it, or failed.

    Exporting again is safe: what was sent is replaced by the same, and what failed is tried anew.
    """

    target: str
    sent: int = 0
    unchanged: int = 0
    skipped: tuple[Left, ...] = ()
    failed: tuple[Left, ...] = ()

    @property
    def is_complete(self) -> bool:
        """Whether nothing failed."""
        return not self.failed

    def __str__(self) -> str:
        return (
            f"{self.target}: {self.sent} sent, {self.unchanged} unchanged, "
            f"{len(self.skipped)} skipped, {len(self.failed)} failed"
        )
