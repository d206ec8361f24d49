"""How much of a JSON value is right, path by path."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Never, TypeAlias

import attrs
from returns.pipeline import is_successful
from returns.result import Result

from scorewright.core import ScoredStep, Scorer, Step, create_scorer
from scorewright.faults import NotScorable
from scorewright.library.defining import counted, expect_flag, expect_number, spelled
from scorewright.library.json_values import is_array, is_object, parsed, same
from scorewright.library.text.closeness import closeness
from scorewright.library.text.overlap import canonical
from scorewright.results import err, ok

JsonValue: TypeAlias = Mapping[str, object] | Sequence[object] | str

MOST_TOLD = 5
_HOLE = object()  # a place of a list that nothing was said for


@attrs.frozen
class Paths:
    """All paths of both values, how many of them agree, and what is wrong at the others."""

    total: int
    right: int
    wrong: tuple[str, ...]


def json_difference(
    *, relative: float = 0.0, any_order: bool = False
) -> Scorer[object, JsonValue, JsonValue, NotScorable]:
    """The share of the paths that agree, of all paths that lead to a value in the output or in the reference.

    A missing path and one too much each count as wrong. Numbers agree within a relative tolerance. Lists are compared
    place by place; with `any_order`, which holds at any depth, equal items first. Output and reference are values, or
    texts of JSON; an output that is no JSON has 0.
    """
    expect_number(relative, "json_difference(relative=…)", most=1.0)
    expect_flag(any_order, "json_difference(any_order=…)")

    def compared(step: Step[object, JsonValue, None, None, JsonValue]) -> Result[Paths, NotScorable]:
        due = read(step.run.expected)
        if not is_successful(due):
            return err(NotScorable(f"the reference is not JSON: {due.failure()}"))
        found = read(step.run.output)
        if not is_successful(found):
            return ok(Paths(1, 0, (f"the output is not JSON: {found.failure()}",)))
        said = aligned(found.unwrap(), due.unwrap()) if any_order else found.unwrap()
        return ok(differing(leaves(said), leaves(due.unwrap()), relative))

    def score(step: Step[object, JsonValue, Paths, None, JsonValue]) -> Result[float, Never]:
        return ok(step.pre.right / step.pre.total)

    def reason(step: ScoredStep[object, JsonValue, Paths, None, JsonValue]) -> Result[str, Never]:
        found = step.pre
        told = f"{found.right} of {counted(found.total, 'path')} agree"
        more = "; …" if len(found.wrong) > MOST_TOLD else ""
        return ok("; ".join((told, *found.wrong[:MOST_TOLD])) + more)

    return (
        create_scorer(
            spelled("json_difference", relative=(relative, 0.0), any_order=(any_order, False)),
            input=object,
            output=JsonValue,
            expected=JsonValue,
            description="the share of the JSON paths that agree",
        )
        .preprocess(compared)
        .generate_score(score)
        .generate_reason(reason)
    )


def read(given: JsonValue, /) -> Result[object, str]:
    """The value itself, or the one that a text of JSON holds."""
    return parsed(given) if isinstance(given, str) else ok(given)


def differing(said: Mapping[str, object], due: Mapping[str, object], relative: float, /) -> Paths:
    """The paths of two values against each other."""
    paths = list(dict.fromkeys((*due, *said)))
    wrong = [told for path in paths if (told := _wrong(path, said, due, relative))]
    return Paths(len(paths), len(paths) - len(wrong), tuple(wrong))


def _wrong(path: str, said: Mapping[str, object], due: Mapping[str, object], relative: float) -> str:
    if path not in said:
        return f"{path} is missing"
    if path not in due:
        return f"{path} is not expected"
    if _alike(said[path], due[path], relative):
        return ""
    return f"{path} is {canonical(said[path])[:80]}, not {canonical(due[path])[:80]}"


def _alike(one: object, other: object, relative: float) -> bool:
    if _is_number(one) and _is_number(other) and isinstance(one, (int, float)) and isinstance(other, (int, float)):
        return one == other or (relative > 0 and closeness(float(one), float(other), 0.0, relative) == 1)
    return same(one, other)


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def leaves(value: object, /) -> dict[str, object]:
    """Every path to a value that holds no others, in order; an empty object or list is such a value too.

    >>> leaves({"a": [1, {"b": None}], "c": {}})
    {'$.a[0]': 1, '$.a[1].b': None, '$.c': {}}
    """
    found: dict[str, object] = {}
    waiting: list[tuple[str, object]] = [("$", value)]
    while waiting:
        path, held = waiting.pop()
        if is_object(held) and held:
            waiting += [(_step(path, key), each) for key, each in reversed(list(held.items()))]
        elif is_array(held) and held:
            waiting += [(f"{path}[{at}]", each) for at, each in reversed(list(enumerate(held)))]
        elif held is not _HOLE:
            found[path] = held
    return found


def _step(path: str, key: str) -> str:
    return f"{path}.{key}" if key.isidentifier() else f"{path}[{key!r}]"


def aligned(said: object, due: object, /) -> object:
    """What was said, its lists put into the order of what is due where items are equal; the others keep theirs."""
    if is_object(said) and is_object(due):
        return {key: aligned(held, due[key]) if key in due else held for key, held in said.items()}
    if not (is_array(said) and is_array(due)) or not said:
        return said
    places: dict[str, list[int]] = {}
    for at, item in enumerate(reversed(due)):
        places.setdefault(canonical(unordered(item)), []).append(len(due) - 1 - at)
    ordered: list[object] = [_HOLE] * len(due)
    others: list[object] = []
    for item in said:
        free = places.get(canonical(unordered(item)))
        if free:
            at = free.pop()
            ordered[at] = aligned(item, due[at])
        else:
            others.append(item)
    left = iter(others)
    filled = [aligned(next(left, _HOLE), due[at]) if held is _HOLE else held for at, held in enumerate(ordered)]
    return [*filled, *left]


def unordered(value: object, /) -> object:
    """The value with its lists, at any depth, in an order of their own: the same for lists of the same items."""
    if is_object(value):
        return {key: unordered(held) for key, held in value.items()}
    return sorted(map(unordered, value), key=canonical) if is_array(value) else value
