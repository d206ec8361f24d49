"""Calls made in vain: the same again, and again after a failure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise
from typing import Final, final

import attrs

from scorewright.agents import AgentInput
from scorewright.core import Scorer, pure
from scorewright.faults import NotScorable
from scorewright.library.defining import counted, expect_flag, named, spelled
from scorewright.library.trajectory.limits import expect_limit, rounding
from scorewright.library.trajectory.path import Path, PathStep, Told, inside, path_scorer, walked
from scorewright.library.trajectory.values import arguments, same, shown
from scorewright.results import ok

COST: Final = 0.2  # of each repetition, and of each retry beyond the limit
_MOST_TOLD: Final = 5


def redundancy(
    *, anywhere: bool = False, nested: bool = False, places: int | None = None
) -> Scorer[AgentInput, Told, object, NotScorable]:
    """1 less 0.2 for each call that repeats the call before it, arguments and all; never below 0.

    With `anywhere` a call also repeats one that lies further back; with `nested` the calls of called agents count too,
    each agent's by themselves.
    """
    for name, given in (("anywhere", anywhere), ("nested", nested)):
        expect_flag(given, f"redundancy({name}=…)")
    rounded = rounding(places)
    id = spelled("redundancy", anywhere=(anywhere, False), nested=(nested, False), places=(places, None))
    return (
        path_scorer(id, "Calls that repeat an earlier one.")
        .analyze(pure(lambda s: tuple(_repetitions(s.pre, anywhere=anywhere, nested=nested))))
        .generate_score(pure(lambda s: rounded(max(0.0, 1 - COST * len(s.ana)))))
        .generate_reason(lambda s: ok(_first(s.ana) or "no call was repeated"))
    )


@final
@attrs.frozen
class Failing:
    """What became of a tool that failed: how often it was called again at once, and whether anything succeeded then."""

    tool: str
    retries: int
    succeeded: bool
    recovered: bool
    instead: str = ""

    @property
    def counts(self) -> bool:
        """Was it tried again, or did nothing succeed after it?"""
        return bool(self.retries) or not self.recovered

    def __str__(self) -> str:
        end = "in the end it succeeded" if self.succeeded else "it did not succeed"
        more = f", {named(self.instead)} was called instead" if self.instead else ""
        lost = "" if self.recovered else ", and nothing did after it"
        retries = counted(self.retries, "retry").replace("retrys", "retries")
        return f"{named(self.tool)} failed, {retries}: {end}{more}{lost}"


def tool_failures(
    *, max_retries: float = 2, nested: bool = False, places: int | None = None
) -> Scorer[AgentInput, Told, object, NotScorable]:
    """1 less 0.2 for each retry of a failed tool beyond `max_retries`, and for each failure that the run ended with.

    A retry is a call of the tool that failed just before, whatever its arguments. A failure that was not tried again
    costs as much when no later call succeeded. A call whose end was not seen is no failure.
    """
    expect_limit("tool_failures(max_retries=…)", max_retries)
    expect_flag(nested, "tool_failures(nested=…)")
    rounded = rounding(places)
    id = spelled("tool_failures", max_retries=(max_retries, 2), nested=(nested, False), places=(places, None))
    return (
        path_scorer(id, "Retries of failed tools, and failures that nothing made good.")
        .analyze(pure(lambda s: tuple(each for path in _paths(s.pre, nested=nested) for each in failures(path))))
        .generate_score(pure(lambda s: rounded(_failure_score(s.ana, max_retries))))
        .generate_reason(lambda s: ok(_first(tuple(map(str, s.ana))) or "no tool failed"))
    )


def failures(path: Path, /) -> Iterator[Failing]:
    """Every run of calls of one tool in which a call failed; what is no tool call does not interrupt it."""
    calls = [step for step in path.steps if step.is_call]
    groups = [tuple(group) for _, group in groupby(calls, lambda step: step.name)]
    for at, group in enumerate(groups):
        if all(call.succeeded is not False for call in group):
            continue
        retries = sum(before.succeeded is False for before, _ in pairwise(group))
        succeeded = group[-1].succeeded is not False
        after = groups[at + 1 :]
        recovered = succeeded or any(call.succeeded is not False for later in after for call in later)
        instead = after[0][0].name if after and not succeeded else ""
        yield Failing(group[0].name, retries, succeeded, recovered, instead)


def _failure_score(found: Sequence[Failing], max_retries: float) -> float:
    beyond = sum(max(0.0, each.retries - max_retries) for each in found)
    left = sum(not each.retries and not each.recovered for each in found)
    return max(0.0, 1 - COST * (beyond + left))


def _repetitions(path: Path, *, anywhere: bool, nested: bool) -> Iterator[str]:
    for each in _paths(path, nested=nested):
        earlier: list[tuple[int, PathStep]] = []
        for at, step in enumerate(each.steps, 1):
            again = next((place for place, other in earlier if _repeats(other, step)), None)
            if again is not None:
                yield f"step {at} repeats step {again}: {named(step.name)}({shown(arguments(step.args))})"
            earlier = [*(earlier if anywhere else ()), *([(at, step)] if step.is_call else ())]


def _repeats(before: PathStep, step: PathStep) -> bool:
    alike = (before.name, before.kind) == (step.name, step.kind)
    return alike and same(arguments(before.args), arguments(step.args))


def _paths(path: Path, *, nested: bool) -> Iterator[Path]:
    yield path
    if nested:
        yield from (inside(step) for _, step in walked(path) if step.steps)


def _first(told: Sequence[str]) -> str:
    more = f"; {len(told) - _MOST_TOLD} more" if len(told) > _MOST_TOLD else ""
    return "; ".join(told[:_MOST_TOLD]) + more
