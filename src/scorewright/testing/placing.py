"""Which tests are cases of which evaluation: told apart by what else a test is parametrised with."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TypeAlias, cast, final

import attrs
import pytest

from scorewright.suites.experiments import experiment_of
from scorewright.testing.evaluation import Evaluation
from scorewright.testing.score import Score
from scorewright.testing.told import Plan

OURS = ("case", "score")
_MOST_LABEL = 40
Variant: TypeAlias = "tuple[tuple[str, object], ...]"


@final
@attrs.frozen(eq=False)
class Placed:
    """A case as it is run: of which plan, under which id."""

    plan: Plan
    id: str
    score: Score


def placed(
    items: Iterable[pytest.Item], evaluations: Mapping[Score, Evaluation], /, *, paid: bool
) -> Iterator[tuple[pytest.Item, Placed]]:
    """Every selected case with its plan. The same parameters beside the case are one evaluation, others another."""
    held: dict[tuple[Evaluation, tuple[int, ...]], list[tuple[pytest.Item, Score]]] = {}
    for item in items:
        score = score_in(item)
        if score is not None and score in evaluations:
            same = evaluations[score], tuple(id(value) for _, value in _variant(item))
            held.setdefault(same, []).append((item, score))
    keys: set[str] = set()
    for evaluation, cases in ((found, cases) for (found, _), cases in held.items()):
        label = _label(_variant(cases[0][0]))
        key = f"{evaluation.nodeid}[{f'gate {label}' if label else 'gate'}]"
        while key in keys:
            key = f"{key[:-1]}']"
        keys.add(key)
        name = f"{evaluation.name} {label}".rstrip()
        plan = Plan(
            key,
            name,
            evaluation.source,
            evaluation.path,
            evaluation.line,
            experiment_of(evaluation.suite, evaluation.source, None, {}).spec,
            evaluation.ids,
            tuple(evaluation.ids[score.index] for _, score in cases),
            paid,
        )
        for item, score in cases:
            yield item, Placed(plan, evaluation.ids[score.index], score)


def score_in(item: pytest.Item, /) -> Score | None:
    """The `Score` that an item is parametrised with."""
    score = _params(item).get("score")
    return score if isinstance(score, Score) else None


def _params(item: pytest.Item) -> Mapping[str, object]:
    return cast("Mapping[str, object]", getattr(getattr(item, "callspec", None), "params", {}))


def _variant(item: pytest.Item) -> Variant:
    return tuple((name, value) for name, value in _params(item).items() if name not in OURS)


def _label(variant: Variant) -> str:
    return ", ".join(f"{name}={_shown(value)}" for name, value in sorted(variant, key=lambda each: each[0]))


def _shown(value: object) -> str:
    if isinstance(value, (str, int, float)) or value is None:
        return str(value)[:_MOST_LABEL]
    named: object = getattr(value, "__name__", None)
    return named if isinstance(named, str) else type(value).__name__
