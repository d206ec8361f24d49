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
        ("equals", {"a": [1]}, ['{"a": [1.0]}'], ['{"a": [true]}', '{"a": [1], "b": 1}', {"a": [True]}]),
        ("equals", 4, ["4", 4, 4.0], ["5", "four", "4.0"]),
        ("equals", True, ["true", True], ["1", "True", 1]),
        ("contains", "Paris", ["in Paris"], ["in paris"]),
        ("contains", 0, ["10"], ["1"]),
        ("contains", '{"a":1}', [{"a": 1.0}, [{"a": 1}]], ['{"a": 1}']),
        ("contains", "é", [["é"]], ["e"]),
        ("icontains", "PARIS", ["in Paris"], ["in Rome"]),
        ("contains-all", ["a", "b"], ["b a"], ["a"]),
        ("contains-all", [], ["a"], []),
        ("contains-all", 'x, "a, ""b""" ,c,', ['xc a, "b"'], ["xca", 'c a, "b"']),
        ("contains-any", "<b>, </i>", ["x</i>"], ["</b>"]),
        ("contains-any", "yes, ,maybe,", ["yes"], ["no", ""]),
        ("contains-any", r'"a\"b", c', ['a"b'], ["a"]),
        ("contains-any", [], [], ["a", ""]),
        ("icontains-all", "A,B", ["ab"], ["a"]),
        ("icontains-any", ["A"], ["a"], ["b"]),
        ("starts-with", "Hel", ["Hello"], ["oh Hello"]),
        ("regex", r"\d{4}", ["in 2024"], ["in 24"]),
        ("is-json", None, ["{}", "[1]"], ["{", "yes"]),
        ("is-json", "", ["{}"], ["{"]),
        ("is-json", {"required": ["a"]}, ['{"a": 1}'], ['{"b": 1}', "no"]),
    ],
)
def test_each_kind_holds_or_does_not(kind: str, value: object, holds: list[object], not_: list[object]) -> None:
    """And the other way round with `not-` before it."""
    for output, wanted in [(each, 1) for each in holds] + [(each, 0) for each in not_]:
        assert score(output, {"type": kind, "value": value}) == wanted
        assert score(output, {"type": f"not-{kind}", "value": value}) == 1 - wanted


def test_weights_count_and_a_threshold_that_is_reached_is_a_pass() -> None:
    """Of the test, and of a set in it."""
    three, one = {"type": "contains", "value": "a", "weight": 3}, {"type": "contains", "value": "b"}
    assert score("a", three, one) == 0.75
    assert score("a", three, one, threshold=0.8) == 0.75
    assert score("a", three, one, threshold=0.75) == 1
    either = {"type": "assert-set", "threshold": 0.25, "assert": [three, one]}
    assert score("b", either) == score("a", {**either, "threshold": 0}, threshold=None) == 1
    assert score("b", {**either, "threshold": 0.5}) == 0.25


def test_a_set_that_passes_counts_with_its_score() -> None:
    """Enough for itself is not all for the test: its threshold is held against what holds."""
    part = {"type": "assert-set", "threshold": 0.25, "assert": [{"type": "contains", "value": each} for each in "abcd"]}
    missed = {"type": "contains", "value": "x"}
    assert score("a", part, missed) == 0.125
    assert score("a", part, missed, threshold=0.5) == 0.125
    assert score("a", part, missed, threshold=0.125) == 1
    assert score("a", part, {**missed, "weight": 0}) == 1


def test_what_falls_short_by_nothing_that_a_float_shows_is_no_pass() -> None:
    """A light assertion that fails, a threshold that cannot be reached, weights that have no sum."""
    light = {"type": "contains", "value": "b", "weight": 1e-30}
    heavy = {"type": "contains", "value": "a", "weight": 1e308}
    assert 0.99 < score("a", heavy, light) < 1
    assert 0.99 < score("a", heavy, threshold=1.5) < 1
    assert score("a", heavy, heavy) == 1


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
    assert score("at file://x", {"type": "contains", "value": "{{at}}file://x"}, input={"at": "at "}) == 1


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
        ({"type": "regex", "value": "x{99999999999}"}, "regex: the repetition number is too large"),
        ({"type": "equals", "value": "{# all #}"}, "is a file or a template"),
        ({"type": "equals", "value": "package:x:y"}, "is a file or a template"),
        ({"type": "contains", "value": ""}, "contains: its value is a text with something in it"),
        ({"type": "not-icontains", "value": "{{none}}"}, "icontains: its value is a text with something in it"),
        ({"type": "contains", "value": True}, "its value is a text with something in it, not True"),
        ({"type": "starts-with", "value": 4}, "starts-with: its value is a text, not 4"),
        ({"type": "regex", "value": ["a"]}, "regex: its value is a text"),
        ({"type": "contains-all", "value": 4}, "contains-all: its value is a text, not 4"),
        ({"type": "contains-any", "value": 'a, "b'}, "does not end, or something follows it"),
        ({"type": "contains-any", "value": '"a" b, c'}, "does not end, or something follows it"),
        ({"type": "equals", "value": "x", "weight": float("nan")}, "expected a number"),
        ({"type": "equals", "value": "x", "weight": 10**400}, "expected a number"),
        ({"value": "x"}, "an assertion is an object with a type"),
        ("equals: x", "an assertion is an object with a type"),
    ],
)
def test_what_cannot_be_scored_fails_the_row(asserted: object, said: str) -> None:
    """With its place; it is never left out in silence, and never a score."""
    run = Run({"city": "Graz", "none": ""}, "x", metadata={"assert": [asserted]})
    failure = assertions().run_sync(run).failure()
    assert isinstance(failure.cause, InvalidRun)
    assert said in describe(failure.cause)


@pytest.mark.parametrize(
    "metadata",
    [
        {"options": {"transform": "output.x"}},
        {"options": {"postprocess": "x"}},
        {"assertScoringFunction": "file://x.js"},
    ],
)
def test_code_that_changes_what_is_scored_fails_the_row(metadata: Mapping[str, object]) -> None:
    """The output, or the score: what is asserted was meant for another one."""
    run = Run(None, "x", metadata={**metadata, "assert": [{"type": "equals", "value": "x"}]})
    cause = assertions().run_sync(run).failure().cause
    assert isinstance(cause, InvalidRun)
    assert (cause.path.rpartition(".")[0].startswith("$.metadata"), "is not run" in cause.why) == (True, True)


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
