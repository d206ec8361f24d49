"""Called agents: which step of a run is the agent that is meant, and a scorer of what it did."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from scorewright.agents import AgentInput
from scorewright.algebra import route
from scorewright.core import Run, pure
from scorewright.library.trajectory.comparing import credits_of
from scorewright.library.trajectory.expected import Expectation, ExpectedStep, flat, unset
from scorewright.library.trajectory.path import TOLD, Path, PathScorer, PathStep, Told, inside, path, path_scorer
from scorewright.results import ok


def claimed(expected: Expectation, told: Path, at: int, /) -> PathStep | None:
    """The step of the run that is taken for the expected step at this place: the first of its name that is left.

    A step that is all that was stated, arguments and result, comes before one that only bears the name.
    """
    taken: dict[int, int] = {}  # the place of the expected step, by that of the step of the run
    for fits in (_as_stated, _named_so):
        for place, step in agents_in(expected):
            if place not in taken.values():
                free = (index for index, other in enumerate(told.steps) if index not in taken and fits(step, other))
                taken.update(dict.fromkeys(islice(free, 1), place))
    return next((told.steps[index] for index, place in taken.items() if place == at), None)


def _as_stated(step: ExpectedStep, other: PathStep) -> bool:
    if (step.args, step.result, step.succeeded, bool(step.details)) == (unset, unset, None, False):
        return False  # nothing was stated but the name
    return credits_of((step,), (other,), "whole") == [[1.0]]


def _named_so(step: ExpectedStep, other: PathStep) -> bool:
    return other.name == step.name and step.kind in {"", other.kind}


def agents_in(expected: Expectation, /) -> Iterator[tuple[int, ExpectedStep]]:
    """The expected steps that say what is expected inside the agent that they call, each with its place from 0."""
    steps = flat(expected.steps or ())
    return ((at, step) for at, step in enumerate(steps) if step.inside is not None)


def in_agent(expected: Expectation, at: int, scorer: PathScorer, /, *, missing: float) -> PathScorer:
    """The scorer of the agent that an expected step calls; a fixed score where it was not called."""
    name = flat(expected.steps or ())[at].name

    def by(run: Run[AgentInput, Told, object]) -> str:
        return "called" if claimed(expected, path(run.output), at) is not None else "not called"

    def agent(told: Told) -> Told:
        step = claimed(expected, path(told), at)
        return Path() if step is None else inside(step)

    def score(_: object) -> float:
        return missing

    absent = (
        path_scorer("not called")
        .generate_score(pure(score))
        .generate_reason(lambda _: ok(f"{name}, of which something is expected, was not called"))
    )
    return route(by, {"called": scorer.contramap_output(TOLD, agent), "not called": absent}, id=f"in {name}")
