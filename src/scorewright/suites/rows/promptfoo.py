"""Test cases and results of promptfoo: `vars` are the input, an equality that is asserted is the reference answer.

What a test asserts stays in the metadata under `assert`, with its weights, where `assertions()` reads it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import product

from scorewright.results import ok
from scorewright.shapes.values import is_list, is_object
from scorewright.suites.rows.cells import Cell, Column
from scorewright.suites.rows.record import Record, RecordItem, RowsRefused
from scorewright.suites.rows.row import NOTHING, BrokenRow, Place

_EXPECTED = re.compile(r"__expected\d*$")
_CONFIG = re.compile(r"__config:(?P<of>__expected\d*):(?P<key>.+)$")
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


def are_tests(rows: Sequence[object], /) -> bool:
    """Whether all rows of a list are its tests: objects with variables, and with no input of another name."""
    return bool(rows) and all(is_object(row) and "vars" in row and "input" not in row for row in rows)


def promptfoo_columns(headers: Sequence[str], /) -> tuple[Column, ...]:
    """Every column is a variable, but those that begin with two underscores."""
    return tuple(map(_column, headers))


def _column(header: str) -> Column:
    found = _METADATA.match(header)
    if found:
        read = _several if found["several"] else _text
        return Column(header, ("metadata", found["key"]), read, optional=True)
    if _EXPECTED.match(header) or _CONFIG.match(header):
        return Column(header, ("assert", header), _text, optional=True)
    if header == "__threshold":
        return Column(header, ("metadata", "threshold"), _number, optional=True)
    if header.startswith("__"):
        return Column(header, ("metadata", header.removeprefix("__")), _text, optional=True)
    return Column(header, ("input", header), _text, optional=False)


def _text(cell: str) -> Cell:
    return ok(cell)


def _number(cell: str) -> Cell:
    return ok(_as_number(cell))


def _as_number(cell: str) -> object:
    try:
        return float(cell)
    except ValueError:
        return cell


def _several(cell: str) -> Cell:
    return ok([part.strip().replace("\\,", ",") for part in re.split(r"(?<!\\),", cell) if part.strip()])


def table_case(values: Mapping[str, object], /) -> Mapping[str, object]:
    """The values of a line of such a table as a row has them."""
    cells = {header: str(text) for header, text in _object(values.get("assert")).items()}
    asserts: list[object] = [
        {**asserted(text), **_settings(header, cells)} for header, text in cells.items() if _EXPECTED.match(header)
    ]
    return _case({"vars": values.get("input"), "assert": asserts, "metadata": values.get("metadata")})


def _settings(header: str, cells: Mapping[str, str]) -> Mapping[str, object]:
    """What the columns `__config:…` say of the assertions in a column; those without a number are of all."""
    found = ((_CONFIG.match(named), cell) for named, cell in cells.items())
    return {each["key"]: _as_number(cell) for each, cell in found if each and each["of"] in {header, "__expected"}}


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
    """Whether a document is one of its configurations: tests, of which one has variables or assertions."""
    tests = document.get("tests")
    if isinstance(tests, str):
        return True
    return is_list(tests) and any(is_object(test) and {"vars", "assert"} & test.keys() for test in tests)


def is_results(document: Mapping[str, object], /) -> bool:
    """Whether a document holds results of its evaluations."""
    results = document.get("results")
    inner = results.get("results") if is_object(results) else None
    return is_list(inner) and all(is_object(each) and "vars" in each for each in inner)


def config_rows(document: Mapping[str, object], name: str, /) -> Iterator[RecordItem]:
    """A record a test, with what `defaultTest` adds. What stands in files of its own is not looked for."""
    tests, default = document.get("tests"), document.get("defaultTest")
    if isinstance(tests, str):
        raise RowsRefused(f"{name} keeps its tests in {tests!r}: read the rows of that file")
    if isinstance(default, str):
        raise RowsRefused(f"{name} keeps its defaultTest in {default!r}: write here what that file holds")
    yield from rows_of_tests(tests if is_list(tests) else (), "$.tests", name, _object(default))


def rows_of_tests(
    tests: Sequence[object], path: str, name: str, common: Mapping[str, object] = NOTHING, /
) -> Iterator[RecordItem]:
    """A record a test."""
    for at, test in enumerate(tests):
        where = f"{path}[{at}]"
        if not is_object(test):
            yield BrokenRow(Place(name, path=where), f"{test!r} is no test here: read the rows of that file")
        elif apart := _elsewhere(test, common):
            yield BrokenRow(Place(name, path=where), f"{apart}: write here what that file holds")
        else:
            yield from (Record(case, None, where) for case in _expanded(_case(test, common)))


def _expanded(case: Mapping[str, object]) -> Iterator[Mapping[str, object]]:
    """A case for every choice out of the lists among its variables, as promptfoo has them."""
    variables, options = _object(case["input"]), _object(_object(case["metadata"]).get("options"))
    several = [[(key, each) for each in value] for key, value in variables.items() if is_list(value)]
    if not several or options.get("disableVarExpansion") is True:
        yield case
        return
    for chosen in product(*several):
        yield {**case, "input": {**variables, **dict(chosen)}}


def _elsewhere(test: Mapping[str, object], common: Mapping[str, object]) -> str:
    """Which of the variables of a test are kept in a file, which is not looked for: all, one, or "" for none."""
    for given in (common.get("vars"), test.get("vars")):
        if given is not None and not is_object(given):
            return f"'vars' is kept in {given!r}"
    for key, value in _variables(test, common).items():
        if isinstance(value, str) and value.startswith("file://"):
            return f"{key!r} is kept in {value!r}"
    return ""


def _variables(test: Mapping[str, object], common: Mapping[str, object]) -> Mapping[str, object]:
    return {**_object(common.get("vars")), **_object(test.get("vars"))}


def _case(test: Mapping[str, object], common: Mapping[str, object] = NOTHING) -> Mapping[str, object]:
    asserts = [*_list(common.get("assert")), *_list(test.get("assert"))]
    known = {key: value for key, value in {**common, **test}.items() if key not in {"vars", "assert", "metadata"}}
    options: Mapping[str, object] = {**_object(common.get("options")), **_object(test.get("options"))}
    scored: Mapping[str, object] = {key: known[key] for key in ("assertScoringFunction", "threshold") if key in known}
    return {
        "input": _variables(test, common),
        "expected": _expected(asserts),
        "metadata": {
            **known,
            **_object(common.get("metadata")),
            **_object(test.get("metadata")),
            **scored,
            **({"options": options} if options else {}),
            **({"assert": asserts} if asserts else {}),
        },
    }


def _expected(asserts: Sequence[object]) -> object:
    """The one value that the output shall equal; several are no reference."""
    equal = [each for each in asserts if is_object(each) and each.get("type") == "equals"]
    return equal[0].get("value") if len(equal) == 1 else None


def result_rows(document: Mapping[str, object], /) -> Iterator[RecordItem]:
    """A record a result: the output as the model gave it, and none where it failed."""
    results = document.get("results")
    for at, result in enumerate(_list(results.get("results") if is_object(results) else None)):
        if is_object(result):
            yield Record(_result(result), None, f"$.results.results[{at}]")


def _result(result: Mapping[str, object]) -> Mapping[str, object]:
    test, response = _object(result.get("testCase")), _object(result.get("response"))
    told = {key: test[key] for key in ("assert", "metadata", "threshold") if key in test}
    case = _case({**told, "vars": result.get("vars")})
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
