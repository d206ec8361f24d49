"""What a run came to, and everything that led there."""

from __future__ import annotations

from io import BytesIO
from itertools import chain
from operator import sub
from typing import Generic, Protocol, TypeAlias, cast, final

import attrs
from typing_extensions import TypeIs, TypeVar

from scorewright.core.ask import Exchange
from scorewright.core.run import record, writers, written_id
from scorewright.faults import Fault, RunFault
from scorewright.wording import describe

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
        """What a prompt step's judge answered, decoded, before any calculation; None for a step that asked nothing.

        A function step that asks has only its own value; what its judges said is in `exchanges`.
        """
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
    """A step's value as evaluations compare it: NaN equals NaN, arrays element by element, and what has no plain
    equality by what it pickles to, else by what it shows.
    """

    value: object

    def __eq__(self, other: object, /) -> bool:
        if not isinstance(other, Shown):
            return NotImplemented
        mine, theirs = self.value, other.value
        try:
            return mine is theirs or mine == theirs or (_is_nan(mine) and _is_nan(theirs))
        except Exception:  # noqa: BLE001 - arrays have no truth value, and a user's __eq__ may raise anything
            return type(mine) is type(theirs) and _alike(mine, theirs)

    def __hash__(self) -> int:
        return hash(self.value)


def _is_nan(value: object) -> bool:
    return value != value  # noqa: PLR0124 - only NaN differs from itself


def _alike(mine: object, theirs: object) -> bool:
    """Whether two values of one type, whose plain comparison raised, hold the same."""
    if _is_sequence(mine) and _is_sequence(theirs):
        return [Shown(each) for each in mine] == [Shown(each) for each in theirs]
    if _is_mapping(mine) and _is_mapping(theirs):
        return {key: Shown(each) for key, each in mine.items()} == {key: Shown(each) for key, each in theirs.items()}
    for look in (_compared, _pickled):
        try:
            return look(mine, theirs)
        except Exception:  # noqa: BLE001, S112 - not an array, or nothing that can be pickled
            continue
    return repr(mine) == repr(theirs)


class _Array(Protocol):
    """What the arrays that we know of share."""

    shape: tuple[int, ...]

    def __or__(self, other: _Array, /) -> _Array: ...
    def __and__(self, other: _Array, /) -> _Array: ...
    def all(self) -> object: ...


def _compared(mine: object, theirs: object) -> bool:
    def compared(result: object) -> _Array:
        return cast("_Array", result)  # else an attribute is missing, and what is pickled is compared

    nan = compared(mine != mine) & compared(theirs != theirs)  # noqa: PLR0124 - as above
    return compared(mine).shape == compared(theirs).shape and bool((compared(mine == theirs) | nan).all())


def _pickled(mine: object, theirs: object) -> bool:
    from pickle import Pickler

    def pickled(given: object) -> bytes:
        written = BytesIO()
        pickler = Pickler(written)
        pickler.fast = True  # without the memo: whether two parts are one object is no part of the value
        pickler.dump(given)
        return written.getvalue()

    return pickled(mine) == pickled(theirs)


def _is_sequence(given: object) -> TypeIs[list[object] | tuple[object, ...]]:
    return isinstance(given, (list, tuple))


def _is_mapping(given: object) -> TypeIs[dict[object, object]]:
    return isinstance(given, dict)


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
        return tuple(chain.from_iterable(cast("tuple[tuple[Exchange, ...], ...]", self.trail[2::3])))

    def record(self, name: str, /) -> StepRecord:
        """The record of one step; a `KeyError` names those that there are, where it was not reached or is not there."""
        found = self.find(name)
        if found is None:
            raise KeyError(f"no record of {name!r}; there are {', '.join(map(repr, self.names)) or 'none'}")
        return found

    def find(self, name: str, /) -> StepRecord | None:
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

    def described(self) -> str:
        """Which step failed, and why, in one sentence."""
        return f"In {self.step}: {describe(self.cause)}"
