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
    """The first wave of requests, exactly, and how many may follow at most: None where only a run can tell."""

    first: tuple[JudgeRequest, ...]
    later_at_most: int | None


def plan(scorer: Scorer[In, Out, Ref, E], run: Run[In, Out, Ref], /) -> Plan:
    """Run the steps up to the first asks, and send nothing."""
    outcome = scorer.program(run)
    if isinstance(outcome, Result):
        return Plan((), 0)
    from scorewright.core.portal import finished

    first, _ = finished(lambda: advanced(outcome))
    return Plan(first, later_asks(scorer.steps, first[0].place) if first else 0)


def later_asks(steps: tuple[StepInfo, ...], place: str, /) -> int | None:
    """At most so many asks after those of the step at `place`; a function step may ask as often as it likes."""
    names = [step.name for step in steps]
    asking = place.partition("[")[0]
    if asking not in names:
        return None
    now, *later = steps[names.index(asking) :]
    if now.kind != "prompt" or any(step.kind == "function" for step in later):
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
