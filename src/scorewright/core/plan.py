"""What a scorer would ask of a run, before anything is paid."""

from __future__ import annotations

from typing import final

import attrs
from returns.result import Result
from typing_extensions import TypeVar

from scorewright.core.ask import Ask, Fork, JudgeRequest, Outcome
from scorewright.core.run import Run
from scorewright.core.scorer import Scorer
from scorewright.core.step import StepInfo

In = TypeVar("In")
Out = TypeVar("Out")
Ref = TypeVar("Ref")
A = TypeVar("A")
E = TypeVar("E")


@final
@attrs.frozen
class Plan:
    """The first wave of questions, exactly, and how many may follow at most: None where only a run can tell.

    Questions are counted, not requests: an answer that does not fit its schema is asked for once more, with what was
    wrong, and a request that failed in transport is sent again. `estimate` bounds those.
    """

    first: tuple[JudgeRequest, ...]
    later_at_most: int | None


def plan(scorer: Scorer[In, Out, Ref, E], run: Run[In, Out, Ref], /) -> Plan:
    """Run the steps up to the first asks, and send nothing."""
    outcome = scorer.program(run)
    if isinstance(outcome, Result):
        return Plan((), 0)
    from scorewright.core.portal import finished

    first, _ = finished(lambda: advanced(outcome))
    return Plan(first, later_asks(scorer.steps, tuple(asked.place for asked in first)) if first else 0)


def later_asks(steps: tuple[StepInfo, ...], places: tuple[str, ...], /) -> int | None:
    """At most so many questions after a first wave at these places; a function step may ask as often as it likes.

    Parts of a composed scorer ask at once, so a wave may be of several steps: what follows is counted from the last.
    """
    names = [step.name for step in steps]
    asking = {place.partition("[")[0] for place in places}
    if not asking <= set(names):
        return None
    last = max(map(names.index, asking))
    now = [step for step in steps if step.name in asking]
    later = steps[last + 1 :]
    if any(step.kind != "prompt" for step in now) or any(step.kind == "function" for step in later):
        return None
    return sum(step.kind == "prompt" for step in later)


async def advanced(outcome: Outcome[A, E], /) -> tuple[tuple[JudgeRequest, ...], Result[A, E] | None]:
    """The first requests of a program; its result instead, when it asks nothing."""
    while not isinstance(outcome, Result):
        if isinstance(outcome, Ask):
            return (outcome.request,), None
        if isinstance(outcome, Fork):
            begun = [await advanced(part()) for part in outcome.parts]
            asked = tuple(request for requests, _ in begun for request in requests)
            if asked:
                return asked, None
            outcome = outcome.join(tuple(result for _, result in begun if result is not None))
        else:
            outcome = await outcome
    return (), outcome
