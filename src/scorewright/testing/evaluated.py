"""What a test evaluates: rows, a suite, and where its judges' replies are. `evaluated` marks a test with it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from os import PathLike
from typing import Protocol, TypeAlias, cast, final, overload

import attrs
from typing_extensions import TypeVar

from scorewright.core.budget import Budget
from scorewright.core.collection import SomeScorer
from scorewright.faults import DefinitionError
from scorewright.suites.evaluate import Rows
from scorewright.suites.settings import For
from scorewright.suites.suite import Entry, Suite
from scorewright.suites.thresholds import Bound, Gates

Test = TypeVar("Test", bound=Callable[..., object])
FilePath: TypeAlias = str | PathLike[str]

_NO_STEPS: Mapping[str, Sequence[SomeScorer]] = {}
_NO_THRESHOLDS: Mapping[str, Bound] = {}


class Marking(Protocol):
    """A decorator of tests, and of classes of tests, that hands back what it is given; `pytestmark` may hold it too."""

    def __call__(self, test: Test, /) -> Test:
        """The test, marked."""
        ...


@final
@attrs.frozen
class Evaluated:
    """Rows and a suite; where the transcript is, None for beside the test; and how often each row is a case."""

    rows: Rows = attrs.field(repr=False)
    suite: Suite
    transcript: FilePath | None = None
    repeat: int = 1


@overload
def evaluated(rows: Rows, suite: Suite, /, *, transcript: FilePath | None = None, repeat: int = 1) -> Marking: ...
@overload
def evaluated(
    rows: Rows,
    /,
    *scorers: Entry,
    name: str = "",
    thresholds: Mapping[str, Bound] = _NO_THRESHOLDS,
    gates: Gates = (),
    steps: Mapping[str, Sequence[SomeScorer]] = _NO_STEPS,
    turns: Sequence[SomeScorer] = (),
    timeout: float | None = None,
    budget: Budget | None = None,
    settings: Sequence[For] = (),
    transcript: FilePath | None = None,
    repeat: int = 1,
) -> Marking: ...
def evaluated(
    rows: Rows,
    /,
    *scorers: Entry | Suite,
    name: str = "",
    thresholds: Mapping[str, Bound] = _NO_THRESHOLDS,
    gates: Gates = (),
    steps: Mapping[str, Sequence[SomeScorer]] = _NO_STEPS,
    turns: Sequence[SomeScorer] = (),
    timeout: float | None = None,
    budget: Budget | None = None,
    settings: Sequence[For] = (),
    transcript: FilePath | None = None,
    repeat: int = 1,
) -> Marking:
    """Mark a test: it runs once for each row, what it scores is recorded, and one gate is held against all.

    `rows` is a path, beside the test where it is relative, or rows as `evaluate` takes them. The scorers stand alone
    or with thresholds, as in a `Suite`, or in one. The test takes `score`, a `Score`, and where it wants `case`, a
    `Case`; its own parameters and fixtures stand beside them. `transcript` names the file of recorded replies, and
    with `repeat` each row is so many cases, which statistics take for one cluster.

    Works on a function, and on a class for those of its tests that take `score`. What is written down wrongly raises
    `DefinitionError`.
    """
    import pytest

    given = spec_of(
        rows,
        *scorers,
        name=name,
        thresholds=thresholds,
        gates=gates,
        steps=steps,
        turns=turns,
        timeout=timeout,
        budget=budget,
        settings=settings,
        transcript=transcript,
        repeat=repeat,
    )
    return cast("Marking", pytest.mark.scorewright.with_args(given))  # pytest says that it may be called otherwise too


def spec_of(
    rows: Rows,
    /,
    *scorers: Entry | Suite,
    transcript: FilePath | None = None,
    repeat: int = 1,
    name: str = "",
    thresholds: Mapping[str, Bound] = _NO_THRESHOLDS,
    gates: Gates = (),
    steps: Mapping[str, Sequence[SomeScorer]] = _NO_STEPS,
    turns: Sequence[SomeScorer] = (),
    timeout: float | None = None,
    budget: Budget | None = None,
    settings: Sequence[For] = (),
) -> Evaluated:
    """What the arguments of `evaluated`, or of the mark, say."""
    if repeat < 1:
        raise DefinitionError(f"repeat= is at least 1, not {repeat}")
    kept: Rows = tuple(rows) if isinstance(rows, Iterator) else rows  # a class's tests each read them
    suites = [each for each in scorers if isinstance(each, Suite)]
    if suites:
        if (
            len(scorers) > 1
            or name
            or thresholds
            or gates
            or steps
            or turns
            or timeout is not None
            or budget
            or settings
        ):
            raise DefinitionError(
                "a suite holds all scorers, thresholds and gates: give it alone, or change it with .held_to(…)"
            )
        return _held(Evaluated(kept, suites[0], transcript, repeat))
    entries = [each for each in scorers if not isinstance(each, Suite)]
    suite = Suite(
        *entries,
        name=name,
        thresholds=thresholds,
        gates=gates,
        steps=steps,
        turns=turns,
        timeout=timeout,
        budget=budget,
        settings=settings,
    )
    return _held(Evaluated(kept, suite, transcript, repeat))


def _held(given: Evaluated) -> Evaluated:
    if not len(given.suite):
        raise DefinitionError("an evaluation needs scorers: evaluated(rows, scorer, (other, '>= 0.8'))")
    return given


def spec_in(args: tuple[object, ...], kwargs: Mapping[str, object], /) -> Evaluated:
    """The same out of a mark; what no such call takes raises `DefinitionError`."""
    if len(args) == 1 and not kwargs and isinstance(args[0], Evaluated):
        return args[0]
    read = cast("Callable[..., Evaluated]", spec_of)  # a mark's arguments are of any type; they are checked below
    try:
        return read(*args, **kwargs)
    except TypeError as unfit:
        said = str(unfit).removeprefix("spec_of() ")
        raise DefinitionError(f"the mark scorewright takes what evaluated(…) takes: {said}") from None
