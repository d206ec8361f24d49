"""Which step of a run is which expected step: in position, in order, or by the best assignment.

Each takes the credits, a row for each expected step and a column for each step of the run, from 0 to 1, and gives the
pairs of the greatest total credit. A greedy choice does not: what an early step takes, a later one may need.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import fsum
from typing import Final, TypeAlias, cast, final

import attrs

Credits: TypeAlias = Sequence[Sequence[float]]
Group: TypeAlias = Sequence[int]
MOST_PAIRS: Final = 250_000  # expected steps times steps of the run: a few seconds, some 10 MB


@final
@attrs.frozen
class Pair:
    """An expected step and the step of the run that was found for it, both counted from 0."""

    expected: int
    found: int
    credit: float


Pairs: TypeAlias = tuple[Pair, ...]


def total(pairs: Pairs, /) -> float:
    """The credit of all pairs."""
    return fsum(pair.credit for pair in pairs)


def in_position(earned: Credits, /) -> Pairs:
    """The first with the first, the second with the second."""
    return tuple(Pair(at, at, row[at]) for at, row in enumerate(earned) if at < len(row) and row[at] > 0)


def assigned(earned: Credits, /, *, rows: Sequence[int] | None = None, columns: Sequence[int] | None = None) -> Pairs:
    """The best one-to-one assignment, in whatever order, by the algorithm of Jonker and Volgenant (scipy)."""
    rows = range(len(earned)) if rows is None else rows
    columns = range(len(earned[0]) if earned else 0) if columns is None else columns
    rows = [row for row in rows if any(earned[row][column] > 0 for column in columns)]
    if not rows:
        return ()
    if len(rows) == 1:  # the best of one row needs no algorithm
        best = max(columns, key=lambda column: earned[rows[0]][column])
        return (Pair(rows[0], best, earned[rows[0]][best]),)
    solve = _solver()
    chosen = zip(*solve([[earned[row][column] for column in columns] for row in rows], True), strict=True)
    pairs = (Pair(rows[row], columns[column], earned[rows[row]][columns[column]]) for row, column in chosen)
    return tuple(pair for pair in pairs if pair.credit > 0)


def in_order(earned: Credits, groups: Sequence[Group], /) -> Pairs:
    """The best pairs that keep the order of the groups; inside a group the order is free.

    Of groups of one step this is the heaviest common subsequence.
    """
    width = len(earned[0]) if earned else 0
    best = [0.0] * (width + 1)  # of the groups so far, with the first so many steps of the run
    choices: list[list[tuple[int, Pairs] | None]] = []
    for group in groups:
        before, best = best, list[float]()
        chosen: list[tuple[int, Pairs] | None] = []  # where the group begins and what it gets; None: it ended earlier
        windows = _windows(earned, group, width)
        for end in range(width + 1):
            value = before[end]
            choice: tuple[int, Pairs] | None = (end, ())
            for begin, credit, pairs in windows(end):
                if before[begin] + credit > value:
                    value, choice = before[begin] + credit, (begin, pairs)
            if best and best[-1] >= value and best[-1] > before[end]:
                value, choice = best[-1], None
            best.append(value)
            chosen.append(choice)
        choices.append(chosen)
    return _traced(choices, width)


def _windows(earned: Credits, group: Group, width: int) -> Callable[[int], Sequence[tuple[int, float, Pairs]]]:
    """A function that says where the group may begin so as to end with step `end - 1`, and what it then gets."""
    if len(group) == 1:
        only, row = group[0], earned[group[0]]

        def single(end: int) -> Sequence[tuple[int, float, Pairs]]:
            credit = row[end - 1] if end else 0.0
            return ((end - 1, credit, (Pair(only, end - 1, credit),)),) if credit > 0 else ()

        return single
    useful = [column for column in range(width) if any(earned[row][column] > 0 for row in group)]
    ends = frozenset(column + 1 for column in useful)

    def several(end: int) -> Sequence[tuple[int, float, Pairs]]:
        if end not in ends:
            return ()
        columns = [column for column in useful if column < end]
        tried = (columns[begin:] for begin in range(len(columns)))
        found = ((window[0], assigned(earned, rows=group, columns=window)) for window in tried)
        return [(begin, total(pairs), pairs) for begin, pairs in found]

    return several


def _traced(choices: Sequence[Sequence[tuple[int, Pairs] | None]], width: int) -> Pairs:
    pairs: list[Pair] = []
    end = width
    for chosen in reversed(choices):
        while (choice := chosen[end]) is None:
            end -= 1
        end, found = choice
        pairs.extend(found)
    return tuple(sorted(pairs, key=lambda pair: pair.expected))


def _solver() -> Callable[[Sequence[Sequence[float]], bool], tuple[Sequence[int], Sequence[int]]]:
    """scipy's solver; it has no types of its own."""
    from importlib import import_module

    solver: object = getattr(import_module("scipy.optimize"), "linear_sum_assignment")  # noqa: B009 - else a checker wants its types
    return cast("Callable[[Sequence[Sequence[float]], bool], tuple[Sequence[int], Sequence[int]]]", solver)
