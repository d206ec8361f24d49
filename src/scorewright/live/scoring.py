"""Scoring a block of code, and a run that was observed elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import Token
from types import TracebackType
from typing import Generic, Self, final

from typing_extensions import TypeVar

from scorewright.core import Run, Scorer
from scorewright.core.definition import expect_text
from scorewright.core.run import is_run
from scorewright.faults import DefinitionError
from scorewright.live.around import AROUND, Around, live_context, restore
from scorewright.live.extracting import Call, Parameters
from scorewright.live.jobs import Job
from scorewright.live.live import Live
from scorewright.live.sampling import ALWAYS
from scorewright.live.scored import Samples, attached_of, extractors_of
from scorewright.live.watching import Watch, Watched, Where

In = TypeVar("In")
Out = TypeVar("Out")
Out_contra = TypeVar("Out_contra", contravariant=True)

_NO_PARAMETERS = Parameters((), {}, open=True)


@final
class Scoring(Generic[Out_contra]):
    """A block that is scored when it ends: `with` or `async with`, and `finish(output)` inside, once."""

    def __init__(self, watched: Watched, run_id: str) -> None:
        self._watched = watched
        self._run_id = run_id
        self._watch: Watch | None = None
        self._token: Token[Around] | None = None
        self._outputs: list[object] = []
        self._entered = False

    def finish(self, output: Out_contra, /) -> None:
        """This is what came out; the last one counts. It is said inside the block: `with scoring(…) as block`."""
        if not self._entered:
            raise DefinitionError("finish(…) belongs into a block: with scoring(…) as block: block.finish(output)")
        self._outputs = [output]

    def __enter__(self) -> Self:
        self._outputs.clear()
        self._entered = True
        self._watch = self._watched.begin((), {}, self._run_id)
        if self._watch is not None:
            self._token = AROUND.set(self._watch.inside)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._watched.live.take(self._end(value))

    async def __aenter__(self) -> Self:
        return self.__enter__()

    async def __aexit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._watched.live.take_later(self._end(value))

    def _end(self, raised: BaseException | None) -> list[Job]:
        watch, self._watch = self._watch, None
        if watch is None:
            return []
        if self._token is not None:
            restore(self._token)
        if raised is not None:
            return watch.raised(raised)
        if not self._outputs:
            return watch.unfinished("the block ended without finish(output)")
        return watch.returned(self._outputs[0])


def scoring(
    *scorers: Scorer[In, Out, None, object],
    live: Live,
    input: In,
    sample: Samples = ALWAYS,
    where: Where | None = None,
    on_error: Callable[[Exception], Out] | None = None,
    step: str = "",
    run_id: str = "",
) -> Scoring[Out]:
    """Have a block of code scored. `run_id` makes it the same run as any other of this id, which is scored once."""
    expect_text(step, "scoring(…, step=…)")
    expect_text(run_id, "scoring(…, run_id=…)")

    def given(_: Call) -> In:
        return input

    extractors = extractors_of(given, None, on_error, None)
    attached = attached_of(scorers, None, live, sample)
    return Scoring[Out](Watched(live, attached, extractors, _NO_PARAMETERS, where, step), run_id)


def submit(
    run: Run[In, Out, object],
    /,
    *scorers: Scorer[In, Out, None, object],
    live: Live,
    sample: Samples = ALWAYS,
    where: Where | None = None,
    trace_id: str = "",
    step: str = "",
) -> None:
    """Have a finished run scored that was observed elsewhere. One that was handed in before is counted as filtered."""
    if not is_run(run):
        raise DefinitionError(f"submit(…) takes a finished Run(input, output), not {type(run).__name__}")
    with live_context(trace_id=trace_id, context=run.request_context):
        block = scoring(*scorers, live=live, input=run.input, sample=sample, where=where, step=step, run_id=run.run_id)
        with block:
            block.finish(run.output)
