"""From the named values of a row to the row: each in its field, the rest in the metadata, and an id for each."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import TypeAlias, final

import attrs

from scorewright.shapes.values import is_list, is_object, named
from scorewright.suites.rows.columns import Layout, layout_of, listed, value_inside
from scorewright.suites.rows.ids import Ids, sayable
from scorewright.suites.rows.record import Record, RecordItem
from scorewright.suites.rows.row import ABSENT, NOTHING, BrokenRow, Row, RowItem

_MOST_LAYOUTS = 1024
_Broken: TypeAlias = "tuple[str | None, str]"  # the column, and why


@final
class Layer:
    """Makes rows of records, in one reading of a source. Ids are remembered, for they must differ; nothing else is."""

    def __init__(
        self, name: str, mapping: Mapping[str, str], needs: Collection[str], columns: tuple[str, ...] | None, /
    ) -> None:
        self._name: str = name
        self._mapping: Mapping[str, str] = mapping
        self._needs: tuple[str, ...] = tuple(needs)
        self._fixed: Layout | None = None if columns is None else layout_of(columns, mapping)
        self._layouts: dict[tuple[str, ...], Layout] = {}
        self._ids: Ids = Ids()

    def rows(self, records: Iterable[RecordItem], /) -> Iterator[RowItem]:
        """Every record as a row, in order, and what is broken in its place."""
        for number, record in enumerate(records, 1):
            if isinstance(record, BrokenRow):
                yield record
                continue
            yield self.row(record, number)

    def row(self, record: Record, number: int, /) -> RowItem:
        """One record as a row."""
        fields = record.fields
        layout = self._fixed or self._layout(fields)
        if layout.doubt:
            return BrokenRow(record.place(self._name), layout.doubt)
        if layout.as_they_are:
            return self._made(record, layout, fields, number)
        taken = {field: fields[column] for field, column in layout.columns if column in fields}
        for field in layout.soft:
            if field in taken and taken[field] is None:
                del taken[field]  # others write null for what is not there
        for field, column in layout.spare:
            if taken.get(field) is None and fields.get(column) is not None:
                taken[field] = fields[column]
        for field, path in layout.paths:
            there, value = value_inside(record, path)
            if there:
                taken[field] = value
        return self._made(record, layout, taken, number)

    def _layout(self, fields: Mapping[str, object]) -> Layout:
        keys = tuple(fields)
        layout = self._layouts.get(keys)
        if layout is None:
            layout = layout_of(keys, self._mapping)
            if len(self._layouts) < _MOST_LAYOUTS:
                self._layouts[keys] = layout
        return layout

    def _made(self, record: Record, layout: Layout, taken: Mapping[str, object], number: int) -> RowItem:
        at = record.line or number
        written = taken.get("id")
        id = "" if written is None else sayable(str(written))  # as stores and files know it
        broken: _Broken | None = self._missing(record, taken) or _misfit(taken, layout.checked)
        metadata = taken.get("metadata")
        if layout.rest and broken is None:
            given = metadata if is_object(metadata) else NOTHING
            rest = {key: record.fields[key] for key in layout.rest if key in record.fields}
            both = next((key for key in rest if key in given), None) if given else None
            if both is not None:
                broken = both, f"{both!r} stands both in the row and in its 'metadata'"
            metadata = {**given, **rest} if rest else given
        if id and broken is None:
            before = self._ids.used(id, at)
            if before is not None:
                where = "in row" if record.line is None else "on line"
                broken = "id", f"the id {id!r} was used before, {where} {before}"
        if broken is not None:
            return self._broken(record, layout, broken, id)
        tags, group, turns, trace = taken.get("tags"), taken.get("group"), taken.get("turns"), taken.get("trace")
        input, context = taken.get("input"), taken.get("request_context")
        return Row(
            id or self._ids.made(input if "input" in taken else [trace, turns], at),
            input,
            taken.get("output", ABSENT),
            taken.get("expected"),
            taken.get("context"),
            NOTHING if context is None else _mapping(context),
            NOTHING if metadata is None else _mapping(metadata),
            () if tags is None else _texts(tags),
            None if group is None else str(group),
            trace,
            () if turns is None else _objects(turns),
            record.place(self._name),
            has_id=bool(id),
        )

    def _missing(self, record: Record, taken: Mapping[str, object]) -> _Broken | None:
        for need in self._needs:
            if need not in taken:
                break
        else:
            return None
        if taken.get("trace") is not None or taken.get("turns"):
            return None
        missing = [repr(need) for need in self._needs if need not in taken]
        return None, f"{' and '.join(missing)} missing; the row has {listed(record.fields)}"

    def _broken(self, record: Record, layout: Layout, broken: _Broken, id: str) -> BrokenRow:
        field, why = broken
        if field is None:
            place = record.place(self._name)
            return BrokenRow(place if record.raw is None else attrs.evolve(place, column=1), why, id or None)
        return BrokenRow(record.place(self._name, dict(layout.columns).get(field, field)), why, id or None)


def _mapping(value: object) -> Mapping[str, object]:
    return value if is_object(value) else NOTHING


def _texts(value: object) -> tuple[str, ...]:
    return tuple(map(str, value)) if is_list(value) else ()


def _objects(value: object) -> tuple[Mapping[str, object], ...]:
    return tuple(each for each in value if is_object(each)) if is_list(value) else ()


def _misfit(taken: Mapping[str, object], checked: tuple[str, ...]) -> _Broken | None:
    """The first field that holds what it cannot hold, and why."""
    for field in checked:
        value = taken.get(field)
        if value is None or (field == "id" and value.__class__ is str):
            continue
        wanted = _WANTED[field]
        if not wanted.holds(value):
            return field, f"{field!r} is {wanted.words} but {named(value)}"
    return None


@final
@attrs.frozen
class _Wanted:
    holds: Callable[[object], bool]
    words: str


_AN_OBJECT = _Wanted(is_object, "not an object")
_A_NAME = _Wanted(
    lambda value: isinstance(value, (str, int)) and not isinstance(value, bool), "neither a text nor an integer"
)
_WANTED: Mapping[str, _Wanted] = {
    "request_context": _AN_OBJECT,
    "metadata": _AN_OBJECT,
    "id": _A_NAME,
    "group": _A_NAME,
    "tags": _Wanted(
        lambda value: is_list(value) and all(isinstance(each, str) for each in value), "not a list of texts"
    ),
    "turns": _Wanted(lambda value: is_list(value) and all(map(is_object, value)), "not a list of objects"),
}
