"""Who answers for the judges: they themselves within a budget, or a file of their answers."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import TypeAlias, final

import attrs

from scorewright.cli.loading import AnyScorer, UsageError
from scorewright.core import Answer, Bench
from scorewright.core.budget import Budget
from scorewright.faults import DefinitionError

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


def opening(how: Answering, scorers: Sequence[AnyScorer], /) -> Opening:
    """What opens the answerer for an event loop. Options that do not fit together, and bad files, are usage errors."""
    budget = _budget(how)
    given = [(name, path) for name, path in _files(how) if path is not None]
    if len(given) > 1:
        raise UsageError(f"{' and '.join(f'--{name}' for name, _ in given)} exclude each other: give one of them")
    if how.replay is not None and budget is not None:
        raise UsageError("--replay asks nobody, so there is no budget to hold")
    if not given:
        return lambda: asked(budget)
    (name, path), *_ = given
    _try(name, path, scorers)
    return lambda: _taped(name, path, budget)


def _files(how: Answering) -> tuple[tuple[str, Path | None], ...]:
    return ("replay", how.replay), ("record", how.record), ("cache", how.cache)


def _budget(how: Answering) -> Budget | None:
    if how.budget_dollars is None and how.budget_calls is None:
        return None
    for option, bound in (("--budget-dollars", how.budget_dollars), ("--budget-calls", how.budget_calls)):
        if bound is not None and not 0 <= bound < float("inf"):
            raise UsageError(f"{option} is a number, 0 or more, not {bound}")
    return Budget(calls=how.budget_calls, dollars=how.budget_dollars)


def _try(name: str, path: Path, scorers: Sequence[AnyScorer]) -> None:
    """Open the file once before anything is scored, so that what is wrong with it is told at once."""
    from scorewright.judges.transcripts import caching, recording, replaying

    try:
        if name == "replay":
            replaying(path)
        else:
            (recording if name == "record" else caching)(path, scorers=scorers)
    except DefinitionError as mistake:
        raise UsageError(f"--{name} {path}: {mistake}") from mistake


@asynccontextmanager
async def asked(budget: Budget | None = None, /) -> AsyncGenerator[Answer]:
    """The judges themselves."""
    async with Bench(budget=budget) as bench:
        yield bench.answer


@asynccontextmanager
async def _taped(name: str, path: Path, budget: Budget | None) -> AsyncGenerator[Answer]:
    from scorewright.judges.transcripts import caching, recording, replaying

    async with Bench(budget=budget) as bench:
        if name == "replay":
            yield replaying(path)
            return
        async with (recording if name == "record" else caching)(path, answer=bench.answer) as tape:
            yield tape
