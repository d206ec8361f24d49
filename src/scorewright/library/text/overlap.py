"""How many items of a list or a set output and reference share."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Literal, TypeAlias

import attrs
from returns.result import Result

from scorewright.core import Scorer, Step, Verdict, create_scorer, pure
from scorewright.faults import InvalidRun
from scorewright.library.defining import expect_one_of, spelled, told
from scorewright.library.json_values import is_array, is_object
from scorewright.results import err, ok

Measure: TypeAlias = Literal["f1", "jaccard", "precision", "recall"]
Items: TypeAlias = Sequence[object]

MEASURES = ("f1", "jaccard", "precision", "recall")
MOST_TOLD = 5


@attrs.frozen
class Overlap:
    """How many items are shared, and how many each side has."""

    shared: int
    output: int
    expected: int
    missing: tuple[str, ...]
    extra: tuple[str, ...]


def set_overlap(measure: Measure = "f1", /) -> Scorer[object, Items, Items, InvalidRun]:
    """How many items output and reference share, however often and in whatever order they stand.

    The measures: "f1", "jaccard" (shared of all), "precision" (shared of the output), "recall" (shared of the
    reference). Two empty sets have 1. Items are JSON values: 1 is 1.0, the order of keys does not matter.
    """
    return _sharing("set_overlap", "how many items output and reference share", counted_set, measure)


def list_overlap(measure: Measure = "f1", /) -> Scorer[object, Items, Items, InvalidRun]:
    """How many items output and reference share, each as often as it stands in both; else as `set_overlap`."""
    return _sharing("list_overlap", "how many items output and reference share, repeats counted", counted_list, measure)


def _sharing(
    name: str, description: str, count: Callable[[Items], Counter[str]], measure: Measure
) -> Scorer[object, Items, Items, InvalidRun]:
    expect_one_of(measure, MEASURES, f"{name}(measure)")

    def compared(step: Step[object, Items, None, None, Items]) -> Result[Overlap, InvalidRun]:
        return compared_by(step, count)

    return (
        create_scorer(
            spelled(name, measure),
            input=object,
            output=Items,
            expected=Items,
            description=description,
        )
        .preprocess(compared)
        .generate_verdict(pure(lambda step: verdict(step.pre, measure)))
    )


def compared_by(
    step: Step[object, Items, None, None, Items], count: Callable[[Items], Counter[str]], /
) -> Result[Overlap, InvalidRun]:
    """What both sides of a run share; a text is no list of its letters."""
    for path, given in (("$.output", step.run.output), ("$.expected", step.run.expected)):
        if isinstance(given, (str, bytes)):
            return err(InvalidRun(path, "expected a list, got a text"))
    return ok(overlap(count(step.run.output), count(step.run.expected)))


def counted_set(items: Items, /) -> Counter[str]:
    """Each item once."""
    return Counter({canonical(item) for item in items})


def counted_list(items: Items, /) -> Counter[str]:
    """Each item as often as it stands there."""
    return Counter(map(canonical, items))


def overlap(said: Counter[str], due: Counter[str], /) -> Overlap:
    """What two collections share."""
    shared = said & due
    missing, extra = sorted((due - shared).elements()), sorted((said - shared).elements())
    return Overlap(shared.total(), said.total(), due.total(), tuple(missing), tuple(extra))


def verdict(found: Overlap, measure: Measure, /) -> Verdict:
    """The measure, and what is missing and too much."""
    whole = {
        "f1": (2 * found.shared, found.output + found.expected),
        "jaccard": (found.shared, found.output + found.expected - found.shared),
        "precision": (found.shared, found.output),
        "recall": (found.shared, found.expected),
    }
    part, of = whole[measure]
    score = part / of if of else float(found.output == found.expected)
    reasons = [f"{found.shared} shared"]
    for word, items in (("missing", found.missing), ("not expected", found.extra)):
        if items:
            more = ", …" if len(items) > MOST_TOLD else ""
            reasons.append(f"{word}: {', '.join(told(item) for item in items[:MOST_TOLD])}{more}")
    return Verdict(score, "; ".join(reasons))


def canonical(value: object, /) -> str:
    """The value as text: the same for values that say the same, different for others."""
    return json.dumps(_plain(value), sort_keys=True, ensure_ascii=False, default=repr)


def _plain(value: object) -> object:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if is_object(value):
        return {key: _plain(held) for key, held in value.items()}
    return [_plain(held) for held in value] if is_array(value) else value
