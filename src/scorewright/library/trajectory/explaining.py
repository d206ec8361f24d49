"""A comparison in words: what was found, then each miss with what stands nearest to it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from scorewright.library.defining import listed, named
from scorewright.library.trajectory.comparing import Comparison, beside_arguments
from scorewright.library.trajectory.expected import ExpectedStep, unset
from scorewright.library.trajectory.path import PathStep
from scorewright.library.trajectory.values import Difference, arguments, differences, short

_MOST_TOLD: Final = 5


def explained(told: Comparison, /) -> str:
    """The comparison in words: what was found, then each miss with what stands nearest to it."""
    wanted, done = len(told.expected), len(told.found)
    head = f"{len(told.pairs)} of {wanted} expected steps found ({told.mode}, {done} in the run)"
    partial = [pair for pair in told.pairs if pair.credit < 1]
    misses = len(partial) + len(told.missing)
    parts = [_partly(told, pair.expected, pair.found) for pair in partial[:_MOST_TOLD]]
    parts += [_missed(told, at) for at in told.missing[: _MOST_TOLD - len(parts)]]
    more: list[str] = []
    if told.extra and told.mode in {"strict", "subset"}:
        more.append(f"not expected: {_named(told.found, told.extra)}")
    elif told.extra and not wanted:
        more.append(f"no steps were expected: {_named(told.found, told.extra)}")
    if told.repeated:
        more.append(f"repeated: {listed(told.repeated, _MOST_TOLD)}")
    beyond = [f"{misses - _MOST_TOLD} more"] if misses > _MOST_TOLD else []
    return "; ".join([head, *parts, *beyond, *more])


def _all_differences(expected: ExpectedStep, found: PathStep) -> Iterator[Difference]:
    if expected.kind and expected.kind != found.kind:
        yield Difference("kind", expected.kind, found.kind)
    if expected.args is not unset:
        yield from differences(arguments(expected.args), arguments(found.args))
    yield from beside_arguments(expected, found)


def _missed(told: Comparison, at: int) -> str:
    step = told.expected[at]
    head = f"expected step {at + 1}, {short(repr(step))}"
    extra = set(told.extra)
    alike = [place for place, found in enumerate(told.found) if found.name == step.name]
    free = [place for place in alike if place in extra]
    if not alike:
        here = (
            f": step {at + 1} is {named(told.found[at].name)}" if told.mode == "strict" and at < len(told.found) else ""
        )
        return f"{head}, was not called{here}"
    if not free:
        return f"{head}, was called only {len(alike)} of {_times(told, step.name)} times"
    wrong = list(_all_differences(step, told.found[free[0]]))
    if wrong:
        return f"{head}: in step {free[0] + 1} {_listed(wrong)}"
    return f"{head}, was called out of order, as step {free[0] + 1}"


def _partly(told: Comparison, at: int, place: int) -> str:
    wrong = list(_all_differences(told.expected[at], told.found[place]))
    return f"expected step {at + 1}, {told.expected[at].name}, in part: in step {place + 1} {_listed(wrong)}"


def _times(told: Comparison, name: str) -> int:
    return sum(step.name == name for step in told.expected)


def _listed(wrong: Sequence[Difference]) -> str:
    more = f" and {len(wrong) - _MOST_TOLD} more" if len(wrong) > _MOST_TOLD else ""
    return ", ".join(map(str, wrong[:_MOST_TOLD])) + more


def _named(steps: Sequence[PathStep], places: Sequence[int]) -> str:
    words = [f"{named(steps[at].name)} (step {at + 1})" for at in places[:_MOST_TOLD]]
    return ", ".join(words) + (f" and {len(places) - _MOST_TOLD} more" if len(places) > _MOST_TOLD else "")
