"""A run held against what was expected of it, step by step; every difference is told."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final, Literal, TypeAlias, final

import attrs

from scorewright.library.trajectory.aligning import (
    MOST_PAIRS,
    Group,
    Pairs,
    assigned,
    in_order,
    in_position,
    total,
)
from scorewright.library.trajectory.expected import ExpectedStep, Mode, Steps, Together, flat, unset
from scorewright.library.trajectory.matchers import Partial
from scorewright.library.trajectory.path import Path, PathStep
from scorewright.library.trajectory.values import Difference, arguments, differences, is_mapping, same

Credit: TypeAlias = Literal["whole", "arguments"]
REPEATED: Final = 0.1  # for each name that was called more often than expected


@final
@attrs.frozen
class Comparison:
    """What was found of what was expected: the pairs, and the places (from 0) of what is left on either side."""

    mode: Mode
    expected: tuple[ExpectedStep, ...]
    found: tuple[PathStep, ...] = attrs.field(repr=False)
    pairs: Pairs
    repeated: tuple[str, ...]

    @property
    def missing(self) -> tuple[int, ...]:
        """The expected steps that were not found."""
        paired = {pair.expected for pair in self.pairs}
        return tuple(at for at in range(len(self.expected)) if at not in paired)

    @property
    def extra(self) -> tuple[int, ...]:
        """The steps of the run that nothing expected."""
        paired = {pair.found for pair in self.pairs}
        return tuple(at for at in range(len(self.found)) if at not in paired)

    @property
    def score(self) -> float:
        """The share that was found, less 0.1 for each repeated name; see `trajectory_match` for the share."""
        return min(1.0, max(0.0, self._share - REPEATED * len(self.repeated)))

    @property
    def f1(self) -> float:
        """Twice the credit over the steps of both sides; 1 where nothing was expected and nothing done."""
        both = len(self.expected) + len(self.found)
        return 2 * total(self.pairs) / both if both else 1.0

    @property
    def _share(self) -> float:
        wanted, done = len(self.expected), len(self.found)
        if self.mode == "subset":
            return total(self.pairs) / done if done else 1.0
        if not wanted:
            return 1.0 if self.mode == "superset" or not done else 0.0
        share = total(self.pairs) / wanted
        return max(0.0, share - 0.5 * max(0, done - wanted) / wanted) if self.mode == "strict" else share


def size(steps: Steps, path: Path, mode: Mode, /) -> str:
    """Why the two are too large to be compared; nothing where they are not."""
    done = len(path.steps)
    grouped = sum(len(step.steps) for step in steps if isinstance(step, Together)) if mode == "in_order" else 0
    pairs = max(len(flat(steps)) * done, grouped * done * done)  # a group is tried on every stretch of the run
    return f"{pairs} pairs of steps are more than the {MOST_PAIRS} that are compared" if pairs > MOST_PAIRS else ""


def compared(steps: Steps, path: Path, /, *, mode: Mode, credit: Credit, allow_repeats: bool) -> Comparison:
    """The comparison of a path with the expected steps."""
    expected, found = flat(steps), path.steps
    earned = credits_of(expected, found, credit)
    if mode == "strict":
        pairs = _strict(earned, steps)
    elif mode == "in_order":
        pairs = in_order(earned, _groups(steps))
    else:
        pairs = assigned(earned)
    return Comparison(mode, expected, found, pairs, () if allow_repeats else _repeated(found, pairs))


def credits_of(expected: Sequence[ExpectedStep], found: Sequence[PathStep], credit: Credit, /) -> list[list[float]]:
    """What each step of the run (a column) earns as each expected step (a row): 0 unless the names are the same."""
    columns: dict[str, list[int]] = {}
    for at, step in enumerate(found):
        columns.setdefault(step.name, []).append(at)
    earned: list[list[float]] = []
    for wanted in expected:
        row = [0.0] * len(found)
        for at in columns.get(wanted.name, ()):
            row[at] = _credit(wanted, found[at], credit)
        earned.append(row)
    return earned


def _credit(expected: ExpectedStep, found: PathStep, credit: Credit) -> float:
    """1 where the step is what was expected, else 0; or the share of its arguments, where these earn credit."""
    if expected.kind and expected.kind != found.kind:
        return 0.0
    if next(beside_arguments(expected, found), None) is not None:
        return 0.0
    if expected.args is unset:
        return 1.0
    wanted, given = arguments(expected.args), arguments(found.args)
    return float(same(wanted, given)) if credit == "whole" else _share_of(wanted, given)


def _strict(earned: Sequence[Sequence[float]], steps: Steps) -> Pairs:
    """Group by group, each in its own position; inside a group the order is free."""
    width = len(earned[0]) if earned else 0
    if not any(isinstance(step, Together) for step in steps):
        return in_position(earned)
    return tuple(
        pair
        for group in _groups(steps)
        for pair in assigned(earned, rows=group, columns=[at for at in group if at < width])
    )


def _groups(steps: Steps) -> list[Group]:
    groups: list[Group] = []
    begin = 0
    for step in steps:
        end = begin + (len(step.steps) if isinstance(step, Together) else 1)
        groups.append(range(begin, end))
        begin = end
    return groups


def beside_arguments(expected: ExpectedStep, found: PathStep, /) -> Iterator[Difference]:
    """Where result, end and details are not what was stated of them."""
    if expected.result is not unset:
        yield from differences(expected.result, found.result, "result")
    if expected.succeeded is not None and expected.succeeded is not found.succeeded:
        yield Difference("succeeded", str(expected.succeeded), str(found.succeeded))
    if expected.details:
        yield from differences(Partial(expected.details), found.details, "details")


def _share_of(expected: object, found: object) -> float:
    """The share of the keys whose values are the same; the keys of both sides, or of a partial one its own."""
    fields = expected.fields if isinstance(expected, Partial) else expected
    if not is_mapping(fields) or not is_mapping(found):
        return float(same(expected, found))
    keys = set(fields) if isinstance(expected, Partial) else set(fields) | set(found)
    equal = [key for key in fields if key in found and same(fields[key], found[key])]
    return len(equal) / len(keys) if keys else 1.0


def _repeated(found: Sequence[PathStep], pairs: Pairs) -> tuple[str, ...]:
    """The names that occur more than once, and more often than in a place where they were expected."""
    wanted = Counter(found[pair.found].name for pair in pairs)
    return tuple(name for name, times in Counter(step.name for step in found).items() if times > max(1, wanted[name]))
