"""Who answers judges' questions in a test: a transcript beside it, and with a flag the judges themselves."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias, final

from scorewright.core import Bench, JudgeReply, JudgeRequest
from scorewright.core.bench import answer_here
from scorewright.faults import NotRecorded

if TYPE_CHECKING:
    from scorewright.core.budget import Budget
    from scorewright.judges.transcripts import Tape

Way: TypeAlias = Literal["replay", "record", "live"]


@final
class Answers:
    """The answers of one evaluation, in one process. The file appears with the first reply that is recorded."""

    def __init__(self, way: Way, path: Path, budget: Budget | None) -> None:
        self.way: Way = way
        self.path = path
        self._tape: Tape | None = None
        self._bench = None if budget is None else Bench(budget=budget)

    def open(self) -> None:
        """Read the file, where there is one; a line that is none raises `DefinitionError` with file and line."""
        if self._tape is None and self.way != "live" and self.path.exists():
            self._tape = self._opened()

    async def answer(self, request: JudgeRequest, missing: list[JudgeRequest], /) -> JudgeReply:
        """The reply; a question that the transcript does not hold is added to the missing ones."""
        if self.way == "live":
            return await self._ask(request)
        if self._tape is None:
            self._tape = self._opened()
        reply = await self._tape(request)
        if isinstance(reply.answer.swap().value_or(None), NotRecorded):
            missing.append(request)
        return reply

    def close(self) -> None:
        """Put the file in order, and close what a budget held open."""
        tape, self._tape = self._tape, None
        if tape is not None:
            tape.close()
        bench, self._bench = self._bench, None
        if bench is not None:
            from scorewright.core.portal import finished

            finished(lambda: bench.__aexit__(None, None, None))

    def _opened(self) -> Tape:
        from scorewright.judges.shelf import Shelf
        from scorewright.judges.transcripts import Tape, recording, replaying

        if self.way == "record":
            self.path.parent.mkdir(parents=True, exist_ok=True)
            return recording(self.path, answer=self._ask)
        return (
            replaying(self.path) if self.path.exists() else Tape("replaying", Shelf(self.path), {}, None, attempts=True)
        )

    async def _ask(self, request: JudgeRequest, /) -> JudgeReply:
        return await (answer_here if self._bench is None else self._bench.answer)(request)
