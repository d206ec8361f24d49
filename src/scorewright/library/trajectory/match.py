"""`trajectory_match`: did the run take the steps that were expected, in this sense or that?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, cast, get_args, overload

from returns.pipeline import is_successful
from returns.result import Result
from typing_extensions import TypeForm

from scorewright.agents import AgentInput, Trajectory, TrajectoryStep
from scorewright.core import Scorer, Step, create_scorer, pure
from scorewright.faults import InvalidRun, NotScorable
from scorewright.library.defining import expect_flag, expect_one_of, needs, spelled
from scorewright.library.trajectory.comparing import Comparison, Credit, compared, size
from scorewright.library.trajectory.expected import (
    Expectation,
    Expected,
    ExpectedStep,
    Mode,
    Steps,
    expect_mode,
    listed,
    step,
)
from scorewright.library.trajectory.explaining import explained
from scorewright.library.trajectory.limits import rounding
from scorewright.library.trajectory.path import TOLD, Path, Told, read_path
from scorewright.results import err, ok

_CREDITS: Final[tuple[str, ...]] = get_args(Credit)
_SENSES: Final = {
    "strict": "each in its position, and none beside",
    "in_order": "in order, whatever else was done between",
    "any_order": "in any order, whatever else was done",
    "subset": "nothing was done that was not expected",
    "superset": "all that was expected was done",
}


@overload
def trajectory_match(
    steps: Sequence[Expected],
    /,
    *,
    mode: Mode = "in_order",
    credit: Credit = "whole",
    allow_repeats: bool = True,
    places: int | None = None,
) -> Scorer[AgentInput, Told, object, NotScorable | InvalidRun]: ...
@overload
def trajectory_match(
    *,
    mode: Mode = "in_order",
    credit: Credit = "whole",
    allow_repeats: bool = True,
    places: int | None = None,
) -> Scorer[AgentInput, Told, Expectation | Trajectory, NotScorable | InvalidRun]: ...
def trajectory_match(
    steps: Sequence[Expected] | None = None,
    /,
    *,
    mode: Mode = "in_order",
    credit: Credit = "whole",
    allow_repeats: bool = True,
    places: int | None = None,
) -> Scorer[AgentInput, Told, Expectation | Trajectory, NotScorable | InvalidRun]:
    """The share of the expected steps that the run took; without `steps` those of the run's own reference are expected.

    | mode | score, from pairs of expected steps and steps of the run |
    |---|---|
    | "strict" | pairs in the same position, less half a step for each step too many, over the expected steps |
    | "in_order" | the most pairs that keep the order, over the expected steps |
    | "any_order" | the best assignment, over the expected steps |
    | "superset" | the same; all is well where nothing was expected |
    | "subset" | the best assignment, over the steps of the run; all is well where there are none |

    Where no steps are expected, the other modes give 1 to a run without steps, else 0. A pair counts 1, or with
    `credit="arguments"` the share of its arguments that are the same. Without `allow_repeats` each name that is called
    more often than expected costs 0.1. `places` rounds the score, halves up.
    """
    expect_mode(mode)
    expect_one_of(credit, _CREDITS, "trajectory_match(credit=…)")
    expect_flag(allow_repeats, "trajectory_match(allow_repeats=…)")
    needs("scipy", "library", "trajectory_match(…)")
    rounded = rounding(places)
    fixed = None if steps is None else listed(steps)

    def analysed(s: Step[AgentInput, Told, Path, None, object]) -> Result[Comparison, NotScorable | InvalidRun]:
        if fixed is not None:
            return _compared(fixed, s.pre, mode, credit, allow_repeats)
        wanted = expected_in(s.run.expected)
        if not is_successful(wanted):
            return err(wanted.failure())
        return _compared(wanted.unwrap(), s.pre, mode, credit, allow_repeats)

    given = () if fixed is None else (list(fixed),)
    id = spelled(
        "trajectory_match",
        *given,
        mode=(mode, "in_order"),
        credit=(credit, "whole"),
        allow_repeats=(allow_repeats, True),
        places=(places, None),
    )
    wanted = cast("TypeForm[Expectation | Trajectory]", object if fixed is not None else Expectation)
    return (
        create_scorer(
            id, input=AgentInput, output=TOLD, expected=wanted, description=f"Expected steps: {_SENSES[mode]}."
        )
        .preprocess(read_path)
        .analyze(analysed)
        .generate_score(pure(lambda s: rounded(s.ana.score)))
        .generate_reason(lambda s: ok(explained(s.ana)))
    )


def expected_in(given: object, /) -> Result[Steps, InvalidRun]:
    """The steps that a run's reference expects: those of an expectation, or of a trajectory, arguments and all."""
    if isinstance(given, Trajectory):
        return ok(tuple(map(_as_expected, given.steps)))
    if isinstance(given, Expectation) and given.steps is not None:
        return ok(given.steps)
    return err(InvalidRun("$.expected", "expected a Trajectory, or an Expectation with steps"))


def _as_expected(wanted: TrajectoryStep) -> ExpectedStep:
    return step(wanted.name, wanted.args)


def _compared(
    steps: Steps, path: Path, mode: Mode, credit: Credit, allow_repeats: bool
) -> Result[Comparison, NotScorable | InvalidRun]:
    too_large = size(steps, path, mode)
    if too_large:
        return err(InvalidRun("$.output", too_large))
    return ok(compared(steps, path, mode=mode, credit=credit, allow_repeats=allow_repeats))
