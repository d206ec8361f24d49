"""What tests of promptfoo assert: scored by weight, and refused where it cannot be."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorewright import Run
from scorewright.faults import InvalidRun, NotScorable
from scorewright.suites import Suite, evaluate_sync
from scorewright.suites.asserting import assertions
from scorewright.wording import describe

SKIPPED = assertions(skip=["javascript", "llm-rubric"])


def score(output: object, *asserts: object, input: object = None, **metadata: object) -> float:
    """The score of an output of which this is asserted."""
    run = Run(input, output, metadata={**metadata, "assert": [*asserts]})
    return assertions().run_sync(run).unwrap().score


@pytest.mark.parametrize(
    ("kind", "value", "holds", "not_"),
    [
        ("equals", "4", ["4"], ["4 ", "44"]),
        ("equals", {"a": [1]}, ['{"a": [1]}', {"a": [1]}], ['{"a": 1}', "no"]),
        ("equals", 4, ["4", 4], ["5", "four"]),
        ("contains", "Paris", ["in Paris"], ["in paris"]),
        ("contains", 0, ["10"], ["1"]),
        ("icontains", "PARIS", ["in Paris"], ["in Rome"]),
        ("contains-all", ["a", "b"], ["b a"], ["a"]),
        ("contains-any", "<b>, </i>", ["x</i>"], ["</b>"]),
        ("icontains-all", "A,B", ["ab"], ["a"]),
        ("icontains-any", ["A"], ["a"], ["b"]),
        ("starts-with", "Hel", ["Hello"], ["oh Hello"]),
        ("regex", r"\d{4}", ["in 2024"], ["in 24"]),
        ("is-json", None, ["{}", "[1]"], ["{", "yes"]),
        ("is-json", {"required": ["a"]}, ['{"a": 1}'], ['{"b": 1}', "no"]),
    ],
)
def test_each_kind_holds_or_does_not(kind: str, value: object, holds: list[object], not_: list[object]) -> None:
    """And the other way round with `not-` before it."""
    for output in holds + not_:
        wanted = float(output in holds)
        assert score(output, {"type": kind, "value": value}) == wanted
        assert score(output, {"type": f"not-{kind}", "value": value}) == 1 - wanted


def test_weights_count_and_a_threshold_that_is_reached_is_a_pass() -> None:
    """Of the test, and of a set in it."""
    three, one = {"type": "contains", "value": "a", "weight": 3}, {"type": "contains", "value": "b"}
    assert score("a", three, one) == 0.75
    assert score("a", three, one, threshold=0.8) == 0.75
    assert score("a", three, one, threshold=0.75) == 1
    either = {"type": "assert-set", "threshold": 0.25, "assert": [three, one]}
    assert score("b", either, three) == 0.25
    assert score("b", {**either, "threshold": 0.5}, three) == 0.25 * 0.25


@given(st.lists(st.tuples(st.booleans(), st.integers(1, 9)), min_size=1, max_size=6))
def test_the_score_is_full_only_where_all_holds(parts: list[tuple[bool, int]]) -> None:
    """So a gate at 1 is a pass of promptfoo, whatever the weights."""
    asserts = [{"type": "contains", "value": "a" if holds else "b", "weight": weight} for holds, weight in parts]
    assert (score("a", *asserts) == 1) == all(holds for holds, _ in parts)


def test_variables_stand_in_values() -> None:
    """By their names; what else a template says is refused."""
    asserted = {"type": "contains-all", "value": ["{{city}}", "{{ n }}"]}
    assert score("3 in Graz", asserted, input={"city": "Graz", "n": 3}) == 1
    assert score("{{x}}", {"type": "equals", "value": "{{city}}"}, input={"city": "{{x}}"}) == 1


@pytest.mark.parametrize(
    ("asserted", "said"),
    [
        ({"type": "javascript", "value": "output.length < 9"}, "$.metadata.assert[0]: 'javascript' is not scored here"),
        ({"type": "llm-rubric", "value": "polite"}, "skip=['llm-rubric']"),
        ({"type": "not-similar", "value": "x"}, "'not-similar' is not scored here"),
        ({"type": "assert-set", "assert": [{"type": "cost"}]}, "$.metadata.assert[0].assert[0]: 'cost'"),
        ({"type": "equals", "value": "file://x.json"}, "'file://x.json' is a file or a template"),
        ({"type": "equals", "value": "{{ city | upper }}"}, "is a file or a template"),
        ({"type": "equals", "value": "{{town}}"}, "is a file or a template"),
        ({"type": "equals", "value": "x", "transform": "output.x"}, "code of another language is not run"),
        ({"type": "equals", "value": "x", "weight": "2"}, "$.metadata.assert[0].weight: expected a number"),
        ({"type": "regex", "value": "("}, "regex: missing )"),
        ({"type": "is-json", "value": {"type": 3}}, "is-json: json_schema"),
        ({"type": "contains"}, "$.metadata.assert[0]: 'contains' needs a value"),
        ({"value": "x"}, "an assertion is an object with a type"),
        ("equals: x", "an assertion is an object with a type"),
    ],
)
def test_what_cannot_be_scored_fails_the_row(asserted: object, said: str) -> None:
    """With its place; it is never left out in silence, and never a score."""
    run = Run({"city": "Graz"}, "x", metadata={"assert": [asserted]})
    failure = assertions().run_sync(run).failure()
    assert isinstance(failure.cause, InvalidRun)
    assert said in describe(failure.cause)


def test_what_other_scorers_stand_for_is_left_to_them() -> None:
    """And a test that asserts nothing else is not scorable."""
    asserts = [{"type": "javascript"}, {"type": "assert-set", "assert": [{"type": "llm-rubric"}]}, {"type": "is-json"}]
    assert SKIPPED.run_sync(Run(None, "no", metadata={"assert": asserts})).unwrap().score == 0
    nothing: list[Mapping[str, object]] = [{}, {"assert": []}, {"assert": asserts[:2]}]
    nothing.append({"assert": [{"type": "is-json", "weight": 0}]})
    for metadata in nothing:
        assert isinstance(SKIPPED.run_sync(Run(None, "x", metadata=metadata)).failure().cause, NotScorable)


def test_a_configuration_is_evaluated() -> None:
    """Tests as they stand in a file, gated as promptfoo gates them."""
    tests = [
        {"vars": {"city": "Graz"}, "assert": [{"type": "equals", "value": "Graz"}]},
        {
            "vars": {"city": "Linz"},
            "threshold": 0.5,
            "assert": [{"type": "contains", "value": "L"}, {"type": "is-json"}],
        },
    ]
    summary = evaluate_sync(
        Suite(assertions(), gates={"assertions": 1}), tests, target=lambda variables: variables["city"]
    )
    assert (summary.verdict, summary["assertions"].mean.value) == ("passed", 1)
