"""`tool_call_f1`: how many of the right calls, and how few of the wrong ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, cast, get_args, overload

import attrs
from returns.pipeline import is_successful
from returns.result import Result
from typing_extensions import TypeForm

from scorewright.agents import AgentInput, Trajectory
from scorewright.core import Scorer, Step, create_scorer, pure
from scorewright.faults import InvalidRun, NotScorable
from scorewright.library.defining import expect_one_of, needs, spelled
from scorewright.library.trajectory.aligning import total
from scorewright.library.trajectory.comparing import Comparison, Credit, compared, size
from scorewright.library.trajectory.expected import Expectation, Expected, Steps, listed
from scorewright.library.trajectory.explaining import explained
from scorewright.library.trajectory.limits import rounding
from scorewright.library.trajectory.match import expected_in
from scorewright.library.trajectory.path import TOLD, Path, Told, read_path
from scorewright.results import err, ok

_CREDITS: Final[tuple[str, ...]] = get_args(Credit)


@overload
def tool_call_f1(
    calls: Sequence[Expected], /, *, credit: Credit = "whole", places: int | None = None
) -> Scorer[AgentInput, Told, object, NotScorable | InvalidRun]: ...
@overload
def tool_call_f1(
    *, credit: Credit = "whole", places: int | None = None
) -> Scorer[AgentInput, Told, Expectation | Trajectory, NotScorable | InvalidRun]: ...
def tool_call_f1(
    calls: Sequence[Expected] | None = None, /, *, credit: Credit = "whole", places: int | None = None
) -> Scorer[AgentInput, Told, Expectation | Trajectory, NotScorable | InvalidRun]:
    """F1 of expected calls and calls of the run, by the best one-to-one assignment; the order does not matter.

    F1 = 2 · credit / (expected + called). A pair counts 1 where name and arguments are as expected, or with
    `credit="arguments"` the share of the arguments that are. Nothing expected and nothing called is 1. Without `calls`
    those of the run's own reference are expected.
    """
    expect_one_of(credit, _CREDITS, "tool_call_f1(credit=…)")
    needs("scipy", "library", "tool_call_f1(…)")
    rounded = rounding(places)
    fixed = None if calls is None else listed(calls)

    def analysed(s: Step[AgentInput, Told, Path, None, object]) -> Result[Comparison, NotScorable | InvalidRun]:
        wanted = ok(fixed) if fixed is not None else expected_in(s.run.expected)
        if not is_successful(wanted):
            return err(wanted.failure())
        return _compared(wanted.unwrap(), s.pre, credit)

    given = () if fixed is None else (list(fixed),)
    id = spelled("tool_call_f1", *given, credit=(credit, "whole"), places=(places, None))
    reference = cast("TypeForm[Expectation | Trajectory]", object if fixed is not None else Expectation)
    return (
        create_scorer(id, input=AgentInput, output=TOLD, expected=reference, description="F1 of the tool calls.")
        .preprocess(read_path)
        .analyze(analysed)
        .generate_score(pure(lambda s: rounded(s.ana.f1)))
        .generate_reason(lambda s: ok(_told(s.ana)))
    )


def _compared(steps: Steps, path: Path, credit: Credit) -> Result[Comparison, NotScorable | InvalidRun]:
    calls = attrs.evolve(path, steps=tuple(step for step in path.steps if step.is_call or step.kind == "agent"))
    too_large = size(steps, calls, "any_order")
    if too_large:
        return err(InvalidRun("$.output", too_large))
    return ok(compared(steps, calls, mode="any_order", credit=credit, allow_repeats=True))


def _told(told: Comparison) -> str:
    found, called = total(told.pairs), len(told.found)
    return f"{explained(told)}; {found:g} of {called} calls were expected"
