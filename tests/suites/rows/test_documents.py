"""Documents of JSON and YAML: lists of rows, and the files of other tools."""

from __future__ import annotations

import io
import json
import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorewright.suites import ABSENT, BrokenRow, Row
from scorewright.suites.rows import RowItem, RowSource, RowsRefused
from scorewright.suites.rows.formats import stream_rows
from scorewright.suites.rows.yaml_file import yaml_document


def read(text: str, format: str = "json") -> list[RowItem]:
    return list(RowSource(stream_rows(io.BytesIO(text.encode()), "it", format), {}, ("input",)))


def rows(text: str, format: str = "json") -> list[Row]:
    found = read(text, format)
    assert [item for item in found if not isinstance(item, Row)] == []
    return [item for item in found if isinstance(item, Row)]


@pytest.mark.parametrize("key", ["rows", "cases", "data", "examples", "tests"])
def test_an_object_holds_its_rows_under_a_name(key: str) -> None:
    """Or the rows stand alone in a list; each has its path."""
    (row,) = rows(json.dumps({"name": "x", key: [{"input": 1}]}))
    assert str(row.place) == f"it $.{key}[0]"
    assert [str(row.place) for row in rows('[{"input": 1}, {"input": 2}]')] == ["it $[0]", "it $[1]"]


def test_a_single_row_is_a_document_too() -> None:
    """An object with an input and no list of rows."""
    assert [row.input for row in rows('{\n "question": "q", "tests": 3}')] == ["q"]


def test_a_broken_row_has_the_path_of_what_is_wrong() -> None:
    """And the others are read."""
    found = read('{"rows": [{"input": 1, "metadata": [2]}, 3, {"input": 4, "id": true}, {"input": 5}]}')
    assert [(str(item.place), item.why) for item in found if isinstance(item, BrokenRow)] == [
        ("it $.rows[0].metadata", "'metadata' is not an object but a list"),
        ("it $.rows[1]", "not an object but an integer"),
        ("it $.rows[2].id", "'id' is neither a text nor an integer but a boolean"),
    ]
    assert [item.input for item in found if isinstance(item, Row)] == [5]


@pytest.mark.parametrize(
    ("text", "format", "why"),
    [
        ("{", "json", "it:1:2: not JSON"),
        ('[\n {"input": 1,\n  "output": NaN}]', "json", "it:3:13: NaN is not JSON"),
        ('[\n {"a": 1, "a": 2}]', "json", "it:2:11: the key 'a' stands twice in one object"),
        ("5", "json", "it holds no rows but an integer"),
        ('{"a": []}', "json", "it has no list of rows under 'rows', 'cases', 'data', 'examples', 'tests'; it has 'a'"),
        ("rows: [", "yaml", "it:2:1: not YAML"),
        ("- a: 1\n  a: 2\n", "yaml", "it:2:3: the key 'a' stands twice in one object"),
        ("- !!python/object:os.system x\n", "yaml", "it:1:3: the tag tag:yaml.org,2002:python/object:os.system"),
        ("- !!set {a, b}\n", "yaml", "it:1:3: the tag tag:yaml.org,2002:set is not read"),
        ("- .nan\n", "yaml", "it:1:3: .nan is no number of JSON"),
        ("- 1e999\n", "yaml", "it:1:3: the number 1e999 is too large"),
        ("- *a\n", "yaml", "it:1:3: "),
        ("- &a [*a]\n", "yaml", "it:1:7: the alias *a names nothing that ends before it"),
        ("- {[a]: 1}\n", "yaml", "it:1:4: a key is a text"),
        ("a: 1\n---\nb: 2\n", "yaml", "it:2:1: a second document: rows are read from one"),
        ("- <<: 3\n", "yaml", "it:1:3: the merge key << takes an object"),
        ("[" * 300, "yaml", "nested too deeply"),
        ("tests: file://cases.csv\n", "yaml", "it keeps its tests in 'file://cases.csv': read the rows of that file"),
    ],
)
def test_a_document_that_cannot_be_read_is_refused(text: str, format: str, why: str) -> None:
    """With the line and column."""
    with pytest.raises(RowsRefused, match=re.escape(why)):
        read(text, format)


def test_aliases_that_unfold_without_end_are_refused() -> None:
    """Nine lines that stand for a milliard values."""
    names = "abcdefghi"
    lines = [f"a: &a [{', '.join('x' * 10)}]"]
    lines += [f"{name}: &{name} [{', '.join([f'*{before}'] * 10)}]" for before, name in pairwise(names)]
    with pytest.raises(RowsRefused, match="more than 5000000 values"):
        read("\n".join(lines), "yaml")


def test_yaml_is_read_as_json_would_be() -> None:
    """No country becomes false, no date an object; anchors and merge keys are followed; places have lines."""
    text = """
- &base
  input: {country: no, on: 2026-01-31, code: 0o17, hex: 0xff, big: 1_000, half: .5, none: ~, yes: true, time: 1:30}
  expected: "12"
- <<: *base
  expected: !!str 12
"""
    one, two = rows(text, "yaml")
    assert one.input == {
        "country": "no", "on": "2026-01-31", "code": 15, "hex": 255, "big": "1_000", "half": 0.5, "none": None,
        "yes": True, "time": "1:30",
    }  # fmt: skip
    assert (two.input, one.expected, two.expected) == (one.input, "12", "12")
    assert [str(row.place) for row in (one, two)] == ["it:2 $[0]", "it:5 $[1]"]


def test_a_broken_row_of_yaml_has_its_line_and_column() -> None:
    """Of the key that is to blame."""
    (broken,) = read("rows:\n  - input: 1\n    id: [2]\n", "yaml")
    assert isinstance(broken, BrokenRow)
    assert str(broken.place) == "it:3:5 $.rows[0]"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=10,
)


@given(JSON)
def test_json_in_yaml_says_the_same(value: object) -> None:
    """YAML holds JSON; what is written with escapes for all that is not ASCII is read as it was meant."""
    text = json.dumps(value)
    if "\\ud" not in text and "\\u00" not in text:  # pairs of surrogates, controls: YAML has no such escapes
        assert yaml_document(text, "it")[0] == value


def test_cases_of_pydantic_evals_are_read() -> None:
    """The name is the id; evaluators stay in the metadata, those of all cases first."""
    text = """
name: capitals
cases:
- name: france
  inputs: {country: France}
  expected_output: Paris
  metadata: {level: 1}
  evaluators: [EqualsExpected]
- inputs: Spain
  metadata: hard
evaluators:
- IsInstance: str
"""
    one, two = rows(text, "yaml")
    assert (one.id, one.input, one.expected) == ("france", {"country": "France"}, "Paris")
    common = {"IsInstance": "str"}
    assert one.metadata == {"level": 1, "evaluators": [common, "EqualsExpected"]}
    assert (two.has_id, two.input, two.output) == (False, "Spain", ABSENT)
    assert two.metadata == {"metadata": "hard", "evaluators": [common]}


def test_a_configuration_of_promptfoo_is_read() -> None:
    """Variables are the input; one equality is the reference; two are none; the default is added to each."""
    config = {
        "prompts": ["{{q}}"],
        "defaultTest": {"vars": {"lang": "en"}, "metadata": {"d": 1}, "assert": [{"type": "is-json"}]},
        "tests": [
            {"vars": {"q": "a"}, "assert": [{"type": "equals", "value": "x"}], "metadata": {"m": 2}, "threshold": 0.5},
            {"vars": {"q": "b"}, "assert": [{"type": "equals", "value": "x"}, {"type": "equals", "value": "y"}]},
            "file://more.yaml",
        ],
    }
    one, two, broken = read(json.dumps(config))
    assert isinstance(one, Row)
    assert (one.input, one.expected) == ({"lang": "en", "q": "a"}, "x")
    assert one.metadata == {
        "threshold": 0.5,
        "d": 1,
        "m": 2,
        "assert": [{"type": "is-json"}, {"type": "equals", "value": "x"}],
    }
    assert isinstance(two, Row)
    assert two.expected is None
    assert isinstance(broken, BrokenRow)
    assert "read the rows of that file" in broken.why


TESTS = [{"vars": {"x": 1}, "assert": [{"type": "equals", "value": "2"}]}, {"vars": {"x": 2}}]


@pytest.mark.parametrize(
    "text",
    [json.dumps(TESTS), json.dumps({"tests": [*TESTS, {"description": "it"}]}), "\n".join(map(json.dumps, TESTS))],
)
def test_tests_of_promptfoo_stand_in_lists_and_lines_too(text: str) -> None:
    """And beside one that has neither variables nor assertions."""
    one, two, *_ = rows(text, "json" if text[0] == "[" or "tests" in text else "jsonl")
    assert (one.input, one.metadata, two.input) == ({"x": 1}, {"assert": TESTS[0]["assert"]}, {"x": 2})


def test_a_list_of_a_variable_is_a_row_for_each_value() -> None:
    """With several lists, for each choice; unless the test says otherwise. What the default says holds there too."""
    test = {"vars": {"q": ["a", "b"], "n": [1, 2], "lang": "en"}}
    whole = {**test, "options": {"disableVarExpansion": True}}
    *chosen, kept = rows(json.dumps({"defaultTest": {"threshold": 0.5}, "tests": [test, whole]}))
    assert [row.input for row in chosen] == [{"q": q, "n": n, "lang": "en"} for q in "ab" for n in (1, 2)]
    assert (len({row.id for row in chosen}), {str(row.place) for row in chosen}) == (4, {"it $.tests[0]"})
    assert (kept.input, kept.metadata["threshold"]) == (test["vars"], 0.5)


def test_what_decides_a_test_of_promptfoo_is_not_lost_in_its_metadata() -> None:
    """Options are put together, and a threshold is that of the test, whatever its own metadata is called."""
    own = {"threshold": 9, "options": 1}
    test = {"vars": {"q": "a"}, "threshold": 0.5, "options": {"prefix": "p"}, "metadata": own}
    default = {"options": {"transform": "output.x", "prefix": "d"}, "metadata": {"threshold": 8}}
    (found,) = rows(json.dumps({"defaultTest": default, "tests": [test]}))
    assert found.metadata == {"threshold": 0.5, "options": {"transform": "output.x", "prefix": "p"}}


def test_what_promptfoo_keeps_in_files_is_no_text() -> None:
    """A test, a variable or all variables in one are broken rows that name it, with their lines."""
    text = "tests:\n- vars: file://v.yaml\n- vars: {d: file://d.txt}\n- vars: {q: a}\n- file://more.yaml\n"
    one, two, row, three = read(text, "yaml")
    assert isinstance(row, Row)
    for broken, said in ((one, "file://v.yaml"), (two, "'d' is kept in 'file://d.txt'"), (three, "file://more.yaml")):
        assert isinstance(broken, BrokenRow)
        assert said in broken.why
    assert isinstance(two, BrokenRow)
    assert two.place.line == 3
    with pytest.raises(RowsRefused, match=re.escape("keeps its defaultTest in 'file://d.yaml'")):
        read("defaultTest: file://d.yaml\ntests: [{vars: {q: a}}]\n", "yaml")


@pytest.mark.parametrize(
    ("default", "own", "said"),
    [
        ({}, ["a.yaml", "b.yaml"], "'vars' is kept in ['a.yaml', 'b.yaml']"),
        ("v.yaml", {"q": "a"}, "'vars' is kept in 'v.yaml'"),
        ({"d": "file://d.txt"}, {"q": "a"}, "'d' is kept in 'file://d.txt'"),
        ({"d": "file://d.txt"}, {"d": "a"}, ""),
        ({}, {"vars": "a"}, ""),
    ],
)
def test_variables_of_promptfoo_are_broken_only_where_they_are_kept_elsewhere(
    default: object, own: object, said: str
) -> None:
    """All of them or one, of the default too; not where the test has its own, and whatever it calls them."""
    (found,) = read(json.dumps({"defaultTest": {"vars": default}, "tests": [{"vars": own}]}))
    assert (found.why if isinstance(found, BrokenRow) else "").startswith(said)
    assert isinstance(found, BrokenRow) == bool(said)


def test_results_of_promptfoo_are_read() -> None:
    """With the output of the model; a result that failed has none."""
    test = {"vars": {"q": "a"}, "assert": [{"type": "equals", "value": "x"}], "description": "it", "threshold": 0.5}
    shared = {"vars": {"q": "a"}, "testCase": test, "testIdx": 0, "provider": {"id": "openai:it"}}
    results = [
        {**shared, "promptIdx": 0, "response": {"output": "x"}, "prompt": {"raw": "Say a"}},
        {**shared, "promptIdx": 1, "error": "timeout"},
    ]
    one, two = rows(json.dumps({"results": {"version": 3, "results": results}}))
    assert (one.id, one.group, one.input, one.output, one.expected) == ("0-0", "0", {"q": "a"}, "x", "x")
    asserted = {"assert": test["assert"], "threshold": 0.5}
    assert one.metadata == {"description": "it", "provider": "openai:it", "prompt": "Say a", **asserted}
    assert (two.id, two.output, two.metadata["error"]) == ("0-1", ABSENT, "timeout")
