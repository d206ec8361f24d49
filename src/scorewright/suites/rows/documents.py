"""Parsed documents, of JSON or YAML, that hold rows: a list of them, or an object of a tool that is known."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, final

import attrs

from scorewright.shapes.values import is_list, is_object, named
from scorewright.suites.rows.columns import layout_of, listed
from scorewright.suites.rows.inspect_logs import inspect_rows, is_inspect_log
from scorewright.suites.rows.promptfoo import are_tests, config_rows, is_config, is_results, result_rows, rows_of_tests
from scorewright.suites.rows.record import NO_MARKS, NoRows, Record, RecordItem
from scorewright.suites.rows.row import BrokenRow, Place

LISTS: Final = ("rows", "cases", "data", "examples", "tests")


@final
@attrs.frozen
class Marks:
    """The lines and columns of what a document holds, by its path: of YAML, that has them."""

    lines: Mapping[str, int] = attrs.field(factory=dict[str, int])
    keys: Mapping[str, Mapping[str, tuple[int, int]]] = attrs.field(factory=dict[str, Mapping[str, tuple[int, int]]])

    def on(self, record: RecordItem, /) -> RecordItem:
        """The record with its line and the places of its values; a broken row with its line."""
        if isinstance(record, BrokenRow):
            return attrs.evolve(record, place=attrs.evolve(record.place, line=self.lines.get(record.place.path)))
        if record.path not in self.lines:
            return record
        keys = self.keys.get(record.path, NO_MARKS)
        return attrs.evolve(record, line=self.lines[record.path], marks=keys)


def document_rows(document: object, name: str, /) -> Iterator[RecordItem]:
    """The rows of a document; one that holds none is refused."""
    if is_list(document):
        yield from (rows_of_tests if are_tests(document) else _list_rows)(document, "$", name)
    elif not is_object(document):
        raise NoRows(f"{name} holds no rows but {named(document)}")
    elif is_inspect_log(document):
        yield from inspect_rows(document)
    elif is_results(document):
        yield from result_rows(document)
    elif is_config(document):
        yield from config_rows(document, name)
    elif _is_evals(document):
        yield from _evals_rows(document, name)
    else:
        key = next((key for key in LISTS if is_list(document.get(key))), None)
        if key is None and "input" in dict(layout_of(document, {}).columns):
            yield Record(document, None, "$")
            return
        if key is None:
            several = ", ".join(map(repr, LISTS))
            raise NoRows(f"{name} has no list of rows under {several}; it has {listed(document)}")
        yield from _list_rows(document[key], f"$.{key}", name)


def _list_rows(rows: object, path: str, name: str) -> Iterator[RecordItem]:
    for at, row in enumerate(rows if is_list(rows) else ()):
        where = f"{path}[{at}]"
        if is_object(row):
            yield Record(row, None, where)
        else:
            yield BrokenRow(Place(name, path=where), f"not an object but {named(row)}")


def _is_evals(document: Mapping[str, object]) -> bool:
    cases = document.get("cases")
    return is_list(cases) and bool(cases) and all(is_object(case) and "inputs" in case for case in cases)


def _evals_rows(document: Mapping[str, object], name: str) -> Iterator[RecordItem]:
    """Cases of pydantic-evals: the name is the id, evaluators stay in the metadata, those of all cases first."""
    common = document.get("evaluators")
    for record in _list_rows(document["cases"], "$.cases", name):
        if isinstance(record, BrokenRow):
            yield record
            continue
        case = {**record.fields}
        if "id" not in case and "name" in case:
            case["id"] = case.pop("name")
        if not (case.get("metadata") is None or is_object(case["metadata"])):
            case["metadata"] = {"metadata": case["metadata"]}
        if is_list(common) and common:
            own = case.get("evaluators")
            case["evaluators"] = [*common, *(own if is_list(own) else ())]
        yield attrs.evolve(record, fields=case)
