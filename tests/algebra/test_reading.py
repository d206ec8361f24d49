"""Reading a scorer: as a tree, and as a fingerprint."""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
from collections.abc import Callable
from enum import Enum
from pathlib import Path
from types import MappingProxyType

import attrs
import pytest
from algebra.leaves import Panel, asking, fixed

from scorewright import Scale, Scorer, create_scorer, plan, prompt, pure, score_prompt
from scorewright.algebra import (
    all_of,
    at_least,
    best_of,
    cascade,
    describe,
    fingerprint,
    jury,
    mean,
    minimum,
    renormalise,
    repeat,
    route,
    scorable_only,
    self_consistent,
    weighted,
)
from scorewright.core import Run

SRC = Path(__file__).parent.parent.parent / "src"


def test_the_tree_tells_parts_steps_judges_and_scales() -> None:
    """As deep as the scorer is."""
    tree = describe(mean(fixed("a", 1), jury(asking("b"), [Panel("x"), Panel("y")], id="panel")))
    assert tree.splitlines() == [
        "mean(a, panel) (0..1, higher is better)",
        "├── a (0..1, higher is better)",
        "│   └── generate_score: pure",
        "├── panel (0..1, higher is better)",
        "│   ├── juror 1: prompt, asks x",
        "│   ├── juror 2: prompt, asks y",
        "│   ├── jury: pure (median; quorum 2 of 2)",
        "│   └── of b (0..1, higher is better, asks panel)",
        "│       └── generate_score: prompt",
        "└── mean: pure",
    ]


def test_a_notebook_shows_it() -> None:
    """Escaped."""
    assert fixed("<a>", 1)._repr_html_().startswith("<pre>&lt;a&gt; (0..1")


def test_a_description_is_told_in_one_line() -> None:
    """Else its second line would stand in the tree as if it were a step."""
    draft = create_scorer("a", input=str, output=str, judge=Panel("x"), description="How\n  good?\n")
    asks = draft.generate_score(score_prompt(lambda _: "?", description="one\n└── two"))
    assert describe(mean(asks, id="m")).splitlines() == [
        "m (0..1, higher is better)",
        "├── a (0..1, higher is better, asks x): How good?",
        "│   └── generate_score: prompt (one └── two)",
        "└── mean: pure",
    ]


def a(id: str = "a") -> Scorer[str, str, object, object]:
    return fixed(id, 1)


MADE: dict[str, tuple[Callable[[], Scorer[str, str, object, object]], str]] = {
    "weights": (lambda: weighted((0.9, a()), (0.1, a("b"))), "└── weighted: pure (0.9 of a, 0.1 of b)"),
    "weights and a policy": (
        lambda: weighted((2, a()), (0, a("b")), policy=renormalise),
        "└── weighted: pure (2 of a; renormalise)",
    ),
    "a policy": (lambda: mean(a(), policy=scorable_only), "└── mean: pure (scorable_only)"),
    "the usual policy": (lambda: minimum(a()), "└── minimum: pure"),
    "how many": (lambda: at_least(2, a(), a("b"), a("c")), "└── at_least: pure (2 of 3)"),
    "a policy of a decision": (lambda: all_of(a(), policy=renormalise), "└── all_of: pure (renormalise)"),
    "samples": (lambda: repeat(asking("q"), 3, reduce="mean"), "├── repeat: pure (mean of 3)"),
    "a function": (lambda: repeat(asking("q"), 3, reduce=max), "├── repeat: pure (max of 3)"),
    "an end": (
        lambda: self_consistent(asking("q"), 5, until=2),
        "├── self_consistent: pure (majority of 5; until 2 are equal)",
    ),
    "the best": (lambda: best_of(asking("q"), 2, policy=renormalise), "├── best_of: pure (renormalise)"),
    "a jury": (
        lambda: jury(asking("q"), [Panel("x"), Panel("y")], quorum=1, most_apart=0.5),
        "├── jury: pure (median; quorum 1 of 2; at most 0.5 apart)",
    ),
    "a band of doubt": (
        lambda: cascade(a(), a("b"), doubt=(0.4, 0.6)),
        "└── b (0..1, higher is better), where a scores 0.4..0.6, or gives no score",
    ),
    "a way": (lambda: route(lambda _: "x", {"x": a(), "y": a("b")}), "├── route: pure (x → a, y → b)"),
    "a threshold": (lambda: a().passing(0.5), "└── passing: pure (at least 0.5)"),
    "a threshold, lower": (lambda: a().invert().passing(0.5), "└── passing: pure (at most 0.5)"),
    "a scale": (lambda: a().rescale(Scale(1, 5)), "└── rescale: pure (from 0..1)"),
    "another output": (
        lambda: a().contramap_output(str, str.strip).when(bool, why="none"),
        'a (0..1, higher is better, when(…), else "none", contramap_output(…))',
    ),
    "another reason": (
        lambda: a().map_fault(str).map_reason(str),
        "a (0..1, higher is better, map_reason(…), map_fault(…))",
    ),
}


@pytest.mark.parametrize("made", MADE)
def test_a_scorer_tells_what_it_was_made_with(made: str) -> None:
    """Weights, policies, thresholds, bands, and what was put around it."""
    make, line = MADE[made]
    assert line in describe(make()).splitlines()


def test_steps_say_what_the_parts_may_ask() -> None:
    """So that a plan is a bound, or says that it cannot know."""
    kinds = [step.kind for step in mean(fixed("a", 1), asking("b"), repeat(asking("c"), 2)).steps]
    assert kinds == ["pure", "prompt", "function", "pure"]
    planned = plan(mean(fixed("a", 1), asking("b")), Run("i", "o"))
    assert (len(planned.first), planned.later_at_most) == (1, 0)


def scorer(weight: float = 1.0, prompt: str = "rate", judge: str = "j", factor: float = 2.0) -> object:
    a = create_scorer("a", input=str, output=str, judge=Panel(judge))
    b = create_scorer("b", input=str, output=str).generate_score(pure(lambda s: len(s.run.output) / factor))
    return weighted((weight, a.generate_score(score_prompt(lambda s: f"{prompt} {s.run.output}"))), (1, b))


def test_the_fingerprint_changes_with_the_definition() -> None:
    """And with nothing else."""
    one = fingerprint(scorer())
    assert one == fingerprint(scorer())
    assert one.is_stable
    others = [scorer(weight=2.0), scorer(prompt="judge"), scorer(judge="k"), scorer(factor=3.0), scorer().named("x")]
    digests = {fingerprint(other).digest for other in others}
    assert len(digests) == len(others)
    assert one.digest not in digests


LIMIT = 3


def helped(text: str) -> float:
    return min(1.0, len(text) / LIMIT)


def test_the_fingerprint_sees_what_functions_name() -> None:
    """A helper and a constant of the module are part of the definition."""
    global LIMIT  # noqa: PLW0603  # the point of the test
    draft = create_scorer("a", input=str, output=str)
    named = draft.generate_score(pure(lambda s: helped(s.run.output)))
    before = fingerprint(named)
    LIMIT = 4
    after = fingerprint(named)
    LIMIT = 3
    assert before != after
    assert fingerprint(named) == before


def test_what_has_no_form_is_said() -> None:
    """An object without data, a judge without identity."""
    thing = object()
    held = create_scorer("a", input=str, output=str).generate_score(pure(lambda _: float(thing is None)))
    assert fingerprint(held).unstable == ("a object is no data, and nothing else is known of it",)
    nameless = create_scorer("a", input=str, output=str, judge=Panel(""))
    assert fingerprint(nameless.generate_score(pure(lambda _: 1))).unstable == ("a Panel without identity",)


def test_the_fingerprint_is_the_same_in_another_process() -> None:
    """Whatever the seed of hashes is there."""
    code = (
        "from algebra.test_reading import scorer\nfrom scorewright.algebra import fingerprint\n"
        "print(fingerprint(scorer()).digest)"
    )
    path = os.pathsep.join([str(SRC), str(Path(__file__).parent.parent)])
    said = {
        subprocess.run(
            [sys.executable, "-c", code],
            env=os.environ | {"PYTHONPATH": path, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
        for seed in ("1", "2")
    }
    assert len(said) == 1


def of(held: object) -> str:
    """The digest of a scorer that has this at hand."""
    return fingerprint(
        create_scorer("a", input=str, output=str).generate_score(pure(lambda _: float(bool(held))))
    ).digest


class Size(Enum):
    SMALL = 1
    LARGE = 2


class Colour(Enum):
    SMALL = 1


class Counter:
    def __init__(self, start: int) -> None:
        self.start = start

    def __repr__(self) -> str:
        return f"Counter({self.start})"

    def count(self) -> int:
        return self.start

    def double(self) -> int:
        return self.start * 2


@attrs.frozen
class Point:
    x: int
    y: int


@attrs.frozen
class Place:
    x: int
    y: int


def one_way(text: str) -> int:
    return len(text)


def other_way(text: str) -> int:
    return len(text) + 1


def inside(n: int) -> object:
    return lambda: [lambda: n]


def inside_out(n: int) -> object:
    return lambda: [lambda: -n]


ALL_DIFFERENT: list[object] = [
    None,
    0,
    0.0,
    False,
    "0",
    b"0",
    1j,
    "\ud800",
    [],
    (),
    {},
    set(),
    frozenset({1}),
    {1, 2},
    [1, 2],
    [2, 1],
    (1, 2),
    [[1], 2],
    {"a": 1},
    {"a": 2},
    {"b": 1},
    {"a": 1, "b": 2},
    Size.SMALL,
    Size.LARGE,
    Colour.SMALL,
    Point(1, 2),
    Point(2, 1),
    Place(1, 2),
    int,
    Size,
    len,
    max,
    math,
    json,
    json.dumps,
    json.loads,
    one_way,
    other_way,
    Counter(1).count,
    Counter(2).count,
    Counter(1).double,
    inside(1),
    inside(2),
    inside_out(1),
]


def test_what_differs_has_another_fingerprint() -> None:
    """Kind by kind, value by value, function by function."""
    digests = [of(each) for each in ALL_DIFFERENT]
    assert len(set(digests)) == len(ALL_DIFFERENT)
    assert digests == [of(each) for each in ALL_DIFFERENT]


def test_what_is_alike_has_one_fingerprint() -> None:
    """The order of sets and mappings is none."""
    assert of({"a": 1, "b": 2}) == of({"b": 2, "a": 1})
    assert of({"x", "y", "z"}) == of({"z", "y", "x"})
    assert of(MappingProxyType({"a": 1})) == of(MappingProxyType({"a": 1}))
    assert of([1, [1], [1]]) == of([1, [1], [1]])
    again: list[object] = [1]
    again.append(again)
    twin: list[object] = [1]
    twin.append(twin)
    assert of(again) == of(twin)


def test_the_shape_of_an_answer_counts() -> None:
    """What the judge must answer is part of the definition, and so is the Python that reads it."""
    draft = create_scorer("a", input=str, output=str, judge=Panel())
    number, text = (
        draft.analyze(prompt(form, lambda _: "?")).generate_score(pure(lambda _: 1.0)) for form in (int, str)
    )
    assert fingerprint(number) != fingerprint(text)
    assert fingerprint(number).digest == fingerprint(number).digest


def with_call(told: int, kind: str = "method") -> type:
    """A class whose instances are steps; two that differ only inside."""

    class Step:
        def __repr__(self) -> str:
            return "Step()"

        if kind == "method":

            def __call__(self, _: object) -> object:
                return told

        elif kind == "static":

            @staticmethod
            def __call__(_: object) -> object:
                return told

        elif kind == "class":

            @classmethod
            def made(cls) -> object:
                return told

        else:

            @property
            def told(self) -> object:
                return told

    return Step


@pytest.mark.parametrize("kind", ["method", "static", "class", "property"])
def test_what_the_class_of_a_step_does_counts(kind: str) -> None:
    """Steps may be objects that are called; what their fields say of them is not all."""
    assert of(with_call(1, kind)()) == of(with_call(1, kind)())
    assert of(with_call(1, kind)()) != of(with_call(2, kind)())
    assert of(with_call(1, kind)) != of(with_call(2, kind))
    inherited = [type("Step", (with_call(told, kind),), {}) for told in (1, 2)]
    assert of(inherited[0]) != of(inherited[1])


def test_what_attrs_writes_is_no_part_of_the_definition() -> None:
    """It holds addresses of this process, and follows from the fields."""
    made = fingerprint(
        create_scorer("a", input=str, output=str).generate_score(pure(lambda _: float(Point(1, 2).x > Place(0, 1).y)))
    )
    assert made.is_stable


@attrs.frozen
class Configured(Panel):
    """A judge whose identity goes on behind its name."""

    @property
    def identity(self) -> str:
        return f"{self.name} temperature=0 v2" if self.name else ""


@pytest.mark.parametrize(("name", "told"), [("j", "j"), ("", "Configured")])
def test_a_judge_is_told_by_its_name(name: str, told: str) -> None:
    """The first word of its identity; by its class, where it has none."""
    draft = create_scorer("a", input=str, output=str, judge=Configured(name))
    step = score_prompt(lambda _: "?", judge=Configured(name))
    assert describe(draft.generate_score(step)).splitlines() == [
        f"a (0..1, higher is better, asks {told})",
        f"└── generate_score: prompt, asks {told}",
    ]
