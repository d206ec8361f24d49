"""Test cases and results of promptfoo: `vars` are the input, an equality that is asserted is the reference answer."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from scorewright.results import ok
from scorewright.shapes.values import is_list, is_object
from scorewright.suites.rows.cells import Cell, Column
from scorewright.suites.rows.record import Record, RecordItem, RowsRefused
from scorewright.suites.rows.row import BrokenRow, Place

_EXPECTED = re.compile(r"__expected\d*$")
_METADATA = re.compile(r"__metadata:(?P<key>.+?)(?P<several>\[\])?$")
_ASSERTION = re.compile(
    r"(?P<type>(?:not-)?(?:answer-relevance|assert-set|bleu|classifier|contains(?:-[a-z]+)*|context-[a-z]+|cost|equals|"
    r"eval|factuality|file|fn|g-eval|gleu|grade|guardrails|icontains(?:-[a-z]+)*|is-[a-z-]+|javascript|latency|levenshtein|"
    r"llm-rubric|meteor|model-graded-[a-z-]+|moderation|perplexity(?:-score)?|pi|python|regex|rouge-n|select-best|similar|"
    r"starts-with|webhook))(?:\((?P<threshold>[\d.]+)\))?:\s*(?P<value>.*)",
    re.DOTALL,
)


def is_promptfoo(headers: Sequence[str], /) -> bool:
    """Whether the columns of a table are those of its test cases: some begin with two underscores."""
    return any(_EXPECTED.match(header) or header.startswith(("__metadata:", "__description")) for header in headers)


def promptfoo_columns(headers: Sequence[str], /) -> tuple[Column, ...]:
    """Every column is a variable, but those that begin with two underscores."""
    return tuple(map(_column, headers))


def _column(header: str) -> Column:
    found = _METADATA.match(header)
    if found:
        read = _several if found["several"] else _text
        return Column(header, ("metadata", found["key"]), read, optional=True)
    if _EXPECTED.match(header):
        return Column(header, ("assert", header), _text, optional=True)
    if header.startswith("__"):
        return Column(header, ("metadata", header.removeprefix("__")), _text, optional=True)
    return Column(header, ("input", header), _text, optional=False)


def _text(cell: str) -> Cell:
    return ok(cell)


def _several(cell: str) -> Cell:
    return ok([part.strip() for part in cell.split(",") if part.strip()])


def table_case(values: Mapping[str, object], /) -> Mapping[str, object]:
    """The values of a line of such a table as a row has them."""
    asserts = [asserted(str(text)) for text in _object(values.get("assert")).values()]
    test = {"vars": values.get("input"), "assert": asserts, "metadata": values.get("metadata")}
    return _case(test, {})


def asserted(text: str, /) -> Mapping[str, object]:
    """What a cell of the column `__expected` asserts: equality, unless it begins with the name of an assertion.

    >>> asserted("contains: Graz"), asserted("Graz")
    ({'type': 'contains', 'value': 'Graz'}, {'type': 'equals', 'value': 'Graz'})
    """
    found = _ASSERTION.match(text)
    if found is None:
        return {"type": "equals", "value": text}
    threshold = {"threshold": float(found["threshold"])} if found["threshold"] else {}
    return {"type": found["type"], "value": found["value"], **threshold}


def is_config(document: Mapping[str, object], /) -> bool:
    """Whether a document is one of its configurations: tests, of which some have variables or assertions."""
    tests = document.get("tests")
    return isinstance(tests, str) or (is_list(tests) and bool(tests) and all(map(_is_test, tests)))


def _is_test(test: object) -> bool:
    return isinstance(test, str) or (is_object(test) and bool({"vars", "assert"} & test.keys()))


def is_results(document: Mapping[str, object], /) -> bool:
    """Whether a document holds results of its evaluations."""
    results = document.get("results")
    inner = results.get("results") if is_object(results) else None
    return is_list(inner) and all(is_object(each) and "vars" in each for each in inner)


def config_rows(document: Mapping[str, object], name: str, /) -> Iterator[RecordItem]:
    """A record a test, with what `defaultTest` adds."""
    tests, default = document.get("tests"), document.get("defaultTest")
    common = default if is_object(default) else {}
    if isinstance(tests, str):
        raise RowsRefused(f"{name} keeps its tests in {tests!r}: read the rows of that file")
    for at, test in enumerate(tests if is_list(tests) else ()):
        path = f"$.tests[{at}]"
        if is_object(test):
            yield Record(_case(test, common), None, path)
        else:
            yield BrokenRow(Place(name, path=path), f"{test!r} is no test here: read the rows of that file")


def _case(test: Mapping[str, object], common: Mapping[str, object]) -> Mapping[str, object]:
    asserts = [*_list(common.get("assert")), *_list(test.get("assert"))]
    expected, rest = _expected(asserts)
    known = {key: value for key, value in test.items() if key not in {"vars", "assert", "metadata"}}
    return {
        "input": {**_object(common.get("vars")), **_object(test.get("vars"))},
        "expected": expected,
        "metadata": {
            **known,
            **_object(common.get("metadata")),
            **_object(test.get("metadata")),
            **({"assert": rest} if rest else {}),
        },
    }


def _expected(asserts: Sequence[object]) -> tuple[object, list[object]]:
    """The one value that the output shall equal, and the other assertions; several such values are no reference."""
    equal = [each for each in asserts if is_object(each) and each.get("type") == "equals"]
    if len(equal) != 1:
        return None, [*asserts]
    return equal[0].get("value"), [each for each in asserts if each is not equal[0]]


def result_rows(document: Mapping[str, object], /) -> Iterator[RecordItem]:
    """A record a result: the output as the model gave it, and none where it failed."""
    results = document.get("results")
    for at, result in enumerate(_list(results.get("results") if is_object(results) else None)):
        if is_object(result):
            yield Record(_result(result), None, f"$.results.results[{at}]")


def _result(result: Mapping[str, object]) -> Mapping[str, object]:
    test, response = _object(result.get("testCase")), _object(result.get("response"))
    case = _case({"vars": result.get("vars"), **{key: test[key] for key in ("assert", "metadata") if key in test}}, {})
    at, prompt = result.get("testIdx"), result.get("promptIdx")
    known = {
        "description": test.get("description"),
        "provider": _object(result.get("provider")).get("id", result.get("provider")),
        "prompt": _object(result.get("prompt")).get("raw"),
        "error": result.get("error"),
    }
    return {
        **case,
        **({} if at is None else {"id": f"{at}-{0 if prompt is None else prompt}", "group": str(at)}),
        **({"output": response["output"]} if "output" in response else {}),
        "metadata": {**_object(case["metadata"]), **{key: value for key, value in known.items() if value is not None}},
    }


def _object(value: object) -> Mapping[str, object]:
    return value if is_object(value) else {}


def _list(value: object) -> Sequence[object]:
    return value if is_list(value) else ()
