"""What a run came to, and everything that led there."""

from __future__ import annotations

from operator import sub
from typing import Generic, TypeAlias, cast, final

import attrs
from typing_extensions import TypeVar

from scorewright.core.ask import Exchange
from scorewright.core.run import record, writers, written_id
from scorewright.faults import Fault, RunFault

E_co = TypeVar("E_co", covariant=True, default=Fault)


@final
@attrs.frozen
class Verdict:
    """Score and reason of one judge call."""

    score: float
    reason: str


@final
@attrs.frozen
class Calculated:
    """A score worked out from a judge's structured answer, which is kept beside it."""

    score: float
    answer: object


@final
@attrs.frozen
class StepRecord:
    """One step that was tried: its value, its exchanges with judges, its time.

    A step that failed has no value of its own: `value` is then None, or the answer on which `calculate_score` raised.
    """

    step: str
    value: object
    exchanges: tuple[Exchange, ...]
    nanoseconds: int = attrs.field(eq=False)

    @property
    def prompts(self) -> tuple[str, ...]:
        """What the step asked, in order."""
        return tuple(exchange.request.prompt for exchange in self.exchanges)

    @property
    def answer(self) -> object:
        """The judge's structured answer, before any calculation; None for a step that asked nothing."""
        if not self.exchanges:
            return None
        return self.value.answer if isinstance(self.value, Calculated) else self.value


Trail: TypeAlias = tuple[object, ...]  # a moment, then for each step its value, its exchanges and the moment it ended


def untimed(trail: Trail, /) -> tuple[tuple[Shown, ...], Trail]:
    """A trail without its moments."""
    return tuple(map(Shown, trail[1::3])), trail[2::3]


@final
@attrs.frozen(eq=False)
class Shown:
    """A step's value as evaluations compare it: NaN equals NaN, and what has no plain equality by what it shows."""

    value: object

    def __eq__(self, other: object, /) -> bool:
        if not isinstance(other, Shown):
            return NotImplemented
        mine, theirs = self.value, other.value
        try:
            if mine is theirs or mine == theirs:
                return True
            return bool(mine != mine and theirs != theirs)  # noqa: PLR0124 - only NaN differs from itself
        except Exception:  # noqa: BLE001 - arrays have no truth value, and a user's __eq__ may raise anything
            return type(mine) is type(theirs) and repr(mine) == repr(theirs)

    def __hash__(self) -> int:
        return hash(self.value)


@attrs.frozen
class Evidence:
    """What was finished, step by step. The trail is kept as the walk left it, and read only when it is asked for."""

    names: tuple[str, ...] = attrs.field(repr=False)
    trail: Trail = attrs.field(eq=untimed, repr=False)
    drawn_id: str | int = attrs.field(eq=False, repr=False)

    @property
    def run_id(self) -> str:
        """The id of the run."""
        return written_id(self.drawn_id)

    @property
    def steps(self) -> tuple[StepRecord, ...]:
        """Every step that was tried, in order; of a failure, the failed one last."""
        moments = self._moments
        values = self.trail[1::3]
        exchanges = cast("tuple[tuple[Exchange, ...], ...]", self.trail[2::3])
        took = map(_took, values, map(sub, moments[1:], moments))
        return tuple(map(StepRecord, self.names, values, exchanges, took))

    @property
    def nanoseconds(self) -> int:
        """The time from the first step to the end of the last."""
        moments = self._moments
        return moments[-1] - moments[0] if moments else 0

    @property
    def _moments(self) -> tuple[int, ...]:
        return cast("tuple[int, ...]", self.trail[0::3])  # a flat tuple costs half of one with an entry a step

    @property
    def exchanges(self) -> tuple[Exchange, ...]:
        """Every exchange with a judge, in the order of the program."""
        return tuple(exchange for record in self.steps for exchange in record.exchanges)

    def record(self, name: str, /) -> StepRecord | None:
        """The record of one step; None where it was not reached or does not exist."""
        return next((record for record in self.steps if record.step == name), None)


def _took(value: object, passed: int) -> int:
    return value.nanoseconds if isinstance(value, Evidence) else passed  # parts run side by side, each in its own time


@final
@record
class Evaluation(Evidence):
    """A score, perhaps a reason, and the evidence.

    They are equal when score, reason, step values and exchanges are: times, attempts and run ids do not count.
    """

    score: float
    reason: str | None

    def __init__(
        self, names: tuple[str, ...], trail: Trail, drawn_id: str | int, score: float, reason: str | None
    ) -> None:
        _names(self, names)
        _trail(self, trail)
        _drawn_id(self, drawn_id)
        _score(self, score)
        _reason(self, reason)


_names, _trail, _drawn_id, _score, _reason = writers(Evaluation, "names", "trail", "drawn_id", "score", "reason")


@final
@attrs.frozen
class ScoringFailure(Evidence, Generic[E_co]):
    """Why a run has no whole evaluation, and all that was finished before.

    `step` names what failed (perhaps "prepare_run"), `cause` is the fault; with a `score`, only the reason failed.
    """

    step: str
    cause: E_co | RunFault
    score: float | None
