"""Did the run keep within its budgets of steps, tokens and time?"""

from __future__ import annotations

from math import fsum, isfinite
from typing import TypeGuard

from returns.result import Result

from scorewright.agents import AgentInput
from scorewright.core import Scorer, Step, Verdict
from scorewright.faults import DefinitionError, NotScorable
from scorewright.library.defining import counted, expect_flag, spelled
from scorewright.library.trajectory.limits import expect_limit, within
from scorewright.library.trajectory.path import Path, PathStep, Told, path_scorer, walked
from scorewright.results import err, ok

_Read = Step[AgentInput, Told, Path, None, object]


def step_budget(most: float, /, *, nested: bool = False) -> Scorer[AgentInput, Told, object, NotScorable]:
    """1 for a run of at most so many steps, else 1 less the share by which it has more, down to 0.

    With `nested` the steps of called agents count too.
    """
    expect_limit("step_budget(most)", most)
    expect_flag(nested, "step_budget(nested=…)")

    def judged(s: _Read) -> Result[Verdict, NotScorable]:
        taken = sum(1 for _ in walked(s.pre)) if nested else len(s.pre.steps)
        return ok(Verdict(within(taken, most), f"{counted(taken, 'step')} of at most {most:g}"))

    id = spelled("step_budget", most, nested=(nested, False))
    return path_scorer(id, "Steps within a budget.").generate_verdict(judged)


def token_budget(most: float, /) -> Scorer[AgentInput, Told, object, NotScorable]:
    """1 for a run of at most so many tokens, those of called agents too; else 1 less the share that is too much.

    A run of which some tokens were not recorded is not scorable: a count of the others would flatter it.
    """
    expect_limit("token_budget(most)", most)

    def judged(s: _Read) -> Result[Verdict, NotScorable]:
        spent = tokens_of(s.pre)
        if spent is None:
            return err(NotScorable("a token budget is set, and not all tokens of the run were recorded"))
        return ok(Verdict(within(spent, most), f"{counted(spent, 'token')} of at most {most:g}"))

    return path_scorer(spelled("token_budget", most), "Tokens within a budget.").generate_verdict(judged)


def time_budget(most: float, /) -> Scorer[AgentInput, Told, object, NotScorable]:
    """1 for a run of at most so many milliseconds; else 1 less the share that is too much.

    The time is the run's own, else the sum of its steps'; where one of these was not recorded it is not scorable.
    """
    expect_limit("time_budget(most)", most)

    def judged(s: _Read) -> Result[Verdict, NotScorable]:
        took = milliseconds_of(s.pre)
        if took is None:
            return err(NotScorable("a time budget is set, and the times of the run were not recorded"))
        return ok(Verdict(within(took, most), f"{took:g} ms of at most {most:g} ms"))

    return path_scorer(spelled("time_budget", most), "Time within a budget.").generate_verdict(judged)


def budgets(
    max_steps: float | None, max_tokens: float | None, max_milliseconds: float | None, /
) -> tuple[Scorer[AgentInput, Told, object, NotScorable], ...]:
    """A scorer for each budget that is set."""
    made: list[Scorer[AgentInput, Told, object, NotScorable]] = []
    if max_steps is not None:
        made.append(step_budget(max_steps))
    if max_tokens is not None:
        made.append(token_budget(max_tokens))
    if max_milliseconds is not None:
        made.append(time_budget(max_milliseconds))
    return tuple(made)


def expect_some(given: tuple[object, ...], call: str, /) -> None:
    """Raise unless something is asked for."""
    if not given:
        raise DefinitionError(f"{call} needs something to look at, such as max_steps=10")


def tokens_of(path: Path, /) -> int | None:
    """All tokens of a run and of the agents that it called; None where some were not recorded, or none at all.

    A count below 0 is no record.
    """
    counts = [*([] if path.tokens is None else [path.tokens])]
    for _, step in walked(path):
        if step.tokens is not None:
            counts.append(step.tokens)
        elif _should_count(step):
            return None
    return sum(counts) if counts and min(counts) >= 0 else None


def milliseconds_of(path: Path, /) -> float | None:
    """The time of a run, else the sum of its steps'; None where one was not recorded. Below 0 or not finite is none."""
    if path.milliseconds is not None:
        return path.milliseconds if is_time(path.milliseconds) else None
    times = [step.milliseconds for step in path.steps]
    known = [time for time in times if is_time(time)]
    return fsum(known) if known and len(known) == len(times) else None


def is_time(given: float | None, /) -> TypeGuard[float]:
    """Whether it is a time that something can take."""
    return given is not None and isfinite(given) and given >= 0


def _should_count(step: PathStep) -> bool:
    """Does the step use tokens that nothing inside it accounts for?"""
    return step.kind == "model" or (step.kind == "agent" and not any(inner.kind == "model" for inner in step.steps))
