"""`score`: what a test calls with what was answered, so that the case is scored and kept."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import final

import attrs

from scorewright.core import JudgeReply, JudgeRequest
from scorewright.faults import DefinitionError
from scorewright.suites.evaluate import RowStream, evaluate
from scorewright.suites.records import ItemRecord
from scorewright.suites.rows.row import ABSENT, Absent, Row
from scorewright.suites.suite import Suite
from scorewright.suites.targets import TargetRaised
from scorewright.testing.answers import Answers
from scorewright.wording import describe

MOST_SAID = 200


@final
@attrs.frozen
class Means:
    """What scoring a case of an evaluation takes; the suite is without its budget, which is kept by the answers."""

    suite: Suite
    answers: Answers


@final
class Score:
    """Scores the output of one case, once, and keeps what came of it for the gate.

    `score(output)` and `await score.run(output)` take whatever a target may hand back: a value, an agent's result,
    `Steps`. `score.call(target)` calls the target as `evaluate` does, turn by turn where the case is a conversation.
    Each gives the `ItemRecord`, for a test that asks more of its own case. How good a score is fails no test: that is
    for the gate. A reply that no transcript holds fails the test, and says how to record it.
    """

    def __init__(self, row: Row | None, index: int, means: Means, unreadable: str = "") -> None:
        self.row = row
        self.index = index
        self.unreadable = unreadable
        self.record: ItemRecord | None = None
        self.missed: tuple[str, ...] = ()  # the scorers whose gates the case missed
        self._means = means
        self._over = False

    def __repr__(self) -> str:
        return f"Score({'?' if self.row is None else self.row.id!r})"

    def __call__(self, output: object | Absent = ABSENT, /) -> ItemRecord:
        """Score this output; without one, the output that the row itself holds."""
        row = self._begun(output)
        return self._finished(row, _saying(output))

    async def run(self, output: object | Absent = ABSENT, /) -> ItemRecord:
        """The same, awaited: other tasks of the test's loop go on."""
        from asyncio import to_thread

        row = self._begun(output)
        return await to_thread(self._finished, row, _saying(output))

    def call(self, target: object, /) -> ItemRecord:
        """Ask a target (a function, async or not, or an agent), and score what it answers; what it raises is raised."""
        record = self._finished(self._begun(ABSENT, asked=True), target)
        if isinstance(record.fault, TargetRaised) and record.fault.raised.exception is not None:
            raise record.fault.raised.exception
        if record.fault is not None:
            raise TimeoutError(describe(record.fault))
        return record

    def anew(self) -> None:
        """Forget what was scored: the test runs once more."""
        self.record = None
        self._over = False

    def over(self) -> None:
        """The test has run; where it is run again, its score takes the place of this one."""
        self._over = True

    def _begun(self, output: object | Absent, *, asked: bool = False) -> Row:
        if self.row is None:
            raise DefinitionError(self.unreadable)
        if self.record is not None and not self._over:
            raise DefinitionError("a case is scored once: the test called score(…) already; repeat= makes more cases")
        self._over = False
        if self.row.turns and output is not ABSENT:
            raise DefinitionError("the case is a conversation: score.call(target) holds it turn by turn")
        if not asked and output is ABSENT and self.row.output is ABSENT and not (self.row.turns or self.row.trace):
            raise DefinitionError("the row holds no output: call score(output)")
        return self.row

    def _finished(self, row: Row, target: object) -> ItemRecord:
        import pytest

        from scorewright.core.portal import finished

        means = self._means
        means.answers.open()
        missing: list[JudgeRequest] = []

        async def answer(request: JudgeRequest, /) -> JudgeReply:
            return await means.answers.answer(request, missing)

        items: list[ItemRecord] = []
        stream = RowStream("", (row,))
        summary = finished(lambda: evaluate(means.suite, stream, target=target, on_item=items.append, answer=answer))
        record = self.record = attrs.evolve(items[0], index=self.index)
        self.missed = tuple(each.gate.scorer for each in summary.gates if each.decision == "missed")
        if missing:
            asked = " ".join(missing[0].prompt.split())
            more = f" (and {len(missing) - 1} more)" if len(missing) > 1 else ""
            pytest.fail(
                f"no reply is recorded in {means.answers.path} at {missing[0].place}{more}: {asked[:MOST_SAID]}\n"
                "Run pytest with --scorewright-record to ask and record it, or --scorewright-live to ask each time.",
                pytrace=False,
            )
        return record


def _saying(output: object | Absent) -> Callable[[Row], Awaitable[object]] | None:
    if output is ABSENT:
        return None

    async def said(_: Row, /) -> object:  # it is given the row, since it says that it takes one
        return output

    return said
