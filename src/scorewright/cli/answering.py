"""Who answers for the judges: they themselves within a budget, or a file of their answers."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Iterable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias, final

import attrs

from scorewright.cli.loading import UsageError
from scorewright.core import Answer, Bench
from scorewright.core.budget import Budget
from scorewright.core.collection import SomeScorer
from scorewright.faults import DefinitionError
from scorewright.suites.evaluate import Taped

if TYPE_CHECKING:
    from scorewright.judges.transcripts import Tape

Opening: TypeAlias = Callable[[], AbstractAsyncContextManager[Answer]]


@final
@attrs.frozen
class Answering:
    """What the options say of who answers: at most one of the three files, and what may be spent."""

    replay: Path | None = None
    record: Path | None = None
    cache: Path | None = None
    budget_dollars: float | None = None
    budget_calls: int | None = None

    @property
    def budget(self) -> Budget | None:
        """What may be spent; a bound that is none is a usage error."""
        if self.budget_dollars is None and self.budget_calls is None:
            return None
        for option, bound in (("--budget-dollars", self.budget_dollars), ("--budget-calls", self.budget_calls)):
            if bound is not None and not 0 <= bound < float("inf"):
                raise UsageError(f"{option} is a number, 0 or more, not {bound}")
        return Budget(calls=self.budget_calls, dollars=self.budget_dollars)

    @property
    def files(self) -> tuple[tuple[str, Path], ...]:
        """The files that are given, by the names of their options."""
        every = ("replay", self.replay), ("record", self.record), ("cache", self.cache)
        return tuple((name, path) for name, path in every if path is not None)


def taped_by(how: Answering, scorers: Iterable[SomeScorer], /) -> Taped | None:
    """The file that answers, if one does. Options that do not fit together, and bad files, are usage errors."""
    if len(how.files) > 1:
        raise UsageError(f"{' and '.join(f'--{name}' for name, _ in how.files)} exclude each other: give one of them")
    if how.replay is not None and how.budget is not None:
        raise UsageError("--replay asks nobody, so there is no budget to hold")
    if not how.files:
        return None
    ((name, path),) = how.files
    if name == "replay" and not path.exists():
        raise UsageError(f"there is no transcript {path} to replay: --record {path} asks the judges and makes one")
    try:  # before anything is scored, so that what is wrong with the file is told at once
        _tape(name, path, scorers=tuple(scorers))
    except DefinitionError as mistake:
        raise UsageError(f"--{name} {path}: {mistake}") from mistake
    return lambda answer: _tape(name, path, answer)


def opening(how: Answering, scorers: Iterable[SomeScorer], /) -> Opening:
    """What opens the answerer for an event loop."""
    taped, budget = taped_by(how, scorers), how.budget

    @asynccontextmanager
    async def opened() -> AsyncGenerator[Answer]:
        async with Bench(budget=budget) as bench:
            if taped is None:
                yield bench.answer
                return
            async with taped(bench.answer) as answer:
                yield answer

    return opened


def _tape(name: str, path: Path, answer: Answer | None = None, scorers: tuple[SomeScorer, ...] = ()) -> Tape:
    """What it repeats has no attempts: nobody is asked, and nothing is spent."""
    from scorewright.core.bench import answer_here
    from scorewright.judges.transcripts import caching, recording, replaying

    if name == "replay":
        return replaying(path, attempts=False)
    if name == "record":
        return recording(path, answer=answer or answer_here, scorers=scorers, attempts=False)
    return caching(path, answer=answer or answer_here, scorers=scorers)
