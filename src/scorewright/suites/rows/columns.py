"""Which column is which field: exact names, then what other tools call them, then what the caller says."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, final

import attrs

from scorewright.shapes.values import is_object
from scorewright.suites.rows.record import Record, RowsRefused

FIELDS: Final[tuple[str, ...]] = (
    "id",
    "input",
    "output",
    "expected",
    "context",
    "request_context",
    "metadata",
    "tags",
    "group",
    "trace",
    "turns",
)
ALIASES: Final[Mapping[str, tuple[str, ...]]] = {
    "input": ("inputs", "question", "prompt", "query", "user_input", "vars"),
    "output": ("actual_output", "actualOutput", "completion", "answer", "response", "prediction"),
    "expected": (
        "expected_output",
        "expectedOutput",
        "target",
        "reference",
        "ground_truth",
        "ideal",
        "answer_key",
    ),
    "context": ("retrieval_context", "retrievalContext", "retrieved_contexts"),
    "metadata": ("additional_metadata", "additionalMetadata"),
}
CHECKED: Final = ("request_context", "metadata", "id", "group", "tags", "turns")
_MOST_NAMED = 8


@final
@attrs.frozen
class Layout:
    """Which column is which field of a row; what is none goes into the metadata.

    `spare` has an alias for a field whose exact name is there too: it counts where the exact one holds null. `paths`
    are fields inside objects. `doubt` says which columns could be the same field. `checked` are the fields that cannot
    hold every value, `soft` those that another tool's null leaves empty.
    """

    columns: tuple[tuple[str, str], ...]
    rest: tuple[str, ...]
    spare: tuple[tuple[str, str], ...] = ()
    paths: tuple[tuple[str, tuple[str, ...]], ...] = ()
    doubt: str = ""
    checked: tuple[str, ...] = ()
    soft: tuple[str, ...] = ()
    as_they_are: bool = False  # whether every column is the field of its own name

    def fields(self) -> Mapping[str, str]:
        """Our field to their column; what goes into the metadata as `metadata.name`."""
        named = {**dict(self.columns), **{field: ".".join(path) for field, path in self.paths}}
        ordered: dict[str, str] = {field: named[field] for field in FIELDS if field in named}
        return {**ordered, **{f"metadata.{column}": column for column in self.rest}}


def checked_mapping(mapping: Mapping[str, str], /) -> Mapping[str, str]:
    """The mapping, where it names fields that rows have."""
    for field, column in mapping.items():
        if field not in FIELDS:
            raise RowsRefused(f"the mapping {field}={column} names no field; the fields are {', '.join(FIELDS)}")
    return mapping


def layout_of(keys: Iterable[str], mapping: Mapping[str, str], /) -> Layout:
    """How rows with these columns are read."""
    there = dict.fromkeys(keys)
    columns: dict[str, str] = {}
    spare: dict[str, str] = {}
    paths: dict[str, tuple[str, ...]] = {}
    exact: set[str] = set()
    doubts: list[str] = []
    said = frozenset(mapping.values())
    for field in FIELDS:
        if field in mapping:
            column = mapping[field]
            if column in there:
                columns[field] = column
                exact.add(field)
            elif column.partition(".")[0] in there:
                paths[field] = tuple(column.split("."))
            continue
        also = [alias for alias in ALIASES.get(field, ()) if alias in there and alias not in said]
        if field in there and field not in said:
            columns[field] = field
            exact.add(field)
            if len(also) == 1:
                spare[field] = also[0]
        elif len(also) == 1:
            columns[field] = also[0]
        elif also:
            doubts.append(_doubt(field, also))
    used = {*columns.values()}
    rest = tuple(key for key in there if key not in used)
    return Layout(
        columns=tuple(columns.items()),
        rest=rest,
        spare=tuple(spare.items()),
        paths=tuple(paths.items()),
        doubt="; ".join(doubts),
        checked=tuple(field for field in (*columns, *paths) if field in CHECKED),
        soft=tuple(field for field in columns if field not in exact and field != "input"),
        as_they_are=not (rest or spare or paths) and all(field == column for field, column in columns.items()),
    )


def _doubt(field: str, also: list[str]) -> str:
    several = " and ".join(map(repr, also))
    both = "both" if len(also) == 2 else "all"  # noqa: PLR2004 - the word for two
    return (
        f"{several} could {both} be the {field}: say which with --map {field}={also[0]}, "
        f"or mapping={{{field!r}: {also[0]!r}}}"
    )


def refuse_unknown(mapping: Mapping[str, str], keys: Iterable[str], name: str, /) -> None:
    """Raise `RowsRefused` where the mapping names a column that is not there."""
    there = [*keys]
    for field, column in mapping.items():
        if column not in there and column.partition(".")[0] not in there:
            raise RowsRefused(f"{name} has no column {column!r} for {field!r}; it has {listed(there)}")


def listed(keys: Iterable[str], /) -> str:
    """The names, the first few of many."""
    names = [*keys]
    return ", ".join(map(repr, names[:_MOST_NAMED])) + (", …" if len(names) > _MOST_NAMED else "") or "nothing"


def value_inside(record: Record, path: tuple[str, ...], /) -> tuple[bool, object]:
    """Whether something lies at the end of a path of keys, and what."""
    value: object = record.fields
    for key in path:
        if not is_object(value) or key not in value:
            return False, None
        value = value[key]
    return True, value
