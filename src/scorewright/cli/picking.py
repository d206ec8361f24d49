"""Which rows of a source are evaluated: those that a filter lets pass, a sample of them, the first few."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeAlias, final

import attrs

from scorewright.cli.loading import UsageError
from scorewright.cli.table import complain
from scorewright.shapes.values import is_object
from scorewright.suites.rows import BrokenRow, Row, RowItem

Passes: TypeAlias = Callable[[Row], bool]

_WRITTEN = re.compile(r"(?P<path>[\w.\-]+)\s*(?P<sign>!=|=|~)\s*(?P<value>.*)", re.DOTALL)
_FIELDS = ("id", "input", "output", "expected", "context", "group")


@final
@attrs.frozen
class Pick:
    """What the options say of rows. A sample is drawn in one pass and evaluated in the order of the rows."""

    filters: tuple[str, ...] = ()
    sample: int | None = None
    seed: int = 0
    limit: int | None = None

    def __call__(self, rows: Iterable[RowItem], /) -> Iterator[RowItem]:
        """The rows that are evaluated; broken ones are told unless a sample or a limit leaves them out."""
        passes = [_filter(each) for each in self.filters]
        rows = rows if not self.filters else self._known(rows)
        for name, bound in (("--limit", self.limit), ("--sample", self.sample)):
            if bound is not None and bound < 1:
                raise UsageError(f"{name} is at least 1, not {bound}")
        passed = (row for row in rows if isinstance(row, BrokenRow) or all(each(row) for each in passes))
        sampled = passed if self.sample is None else iter(_sampled(passed, self.sample, self.seed))
        return sampled if self.limit is None else _first(sampled, self.limit)

    def _known(self, rows: Iterable[RowItem]) -> Iterator[RowItem]:
        """The rows; in the end it is told what a filter looks for and no row has."""
        names: dict[str, None] = dict.fromkeys(_FIELDS)
        some = False
        for row in rows:
            if isinstance(row, Row):
                names.update(dict.fromkeys(row.metadata))
                some = True
            yield row
        for each in self.filters if some else ():
            found = _WRITTEN.fullmatch(each.strip())
            name = "" if found is None else found["path"].removeprefix("metadata.").partition(".")[0]
            if name not in {*names, "tag", "tags", "metadata"}:
                complain(f"--filter {each}: no row has {name!r}; rows have {', '.join(names)}")


def _first(rows: Iterator[RowItem], n: int) -> Iterator[RowItem]:
    for row in rows:
        yield row
        n -= not isinstance(row, BrokenRow)
        if not n:
            return


def _sampled(rows: Iterable[RowItem], n: int, seed: int) -> list[RowItem]:
    """So many rows, each as likely as any other, by one pass (reservoir sampling, Vitter's algorithm R)."""
    draw = random.Random(seed)  # noqa: S311 - a sample, no secret
    kept: list[tuple[int, RowItem]] = []
    for number, row in enumerate(row for row in rows if not isinstance(row, BrokenRow)):
        if number < n:
            kept.append((number, row))
        elif (place := draw.randrange(number + 1)) < n:
            kept[place] = (number, row)
    return [row for _, row in sorted(kept, key=lambda each: each[0])]


def _filter(written: str) -> Passes:
    found = _WRITTEN.fullmatch(written.strip())
    if found is None:
        raise UsageError(f"--filter takes FIELD=VALUE, FIELD!=VALUE or FIELD~PATTERN, not {written!r}")
    path, sign, value = found["path"], found["sign"], found["value"].strip()
    if sign == "~":
        try:
            pattern = re.compile(value)
        except re.error as mistake:
            raise UsageError(f"--filter {written}: {mistake}") from mistake
        return lambda row: any(pattern.search(str(each)) is not None for each in _values(row, path))
    wanted = _parsed(value)
    if sign == "=":
        return lambda row: any(each in (value, wanted) for each in _values(row, path))
    return lambda row: all(each not in (value, wanted) for each in _values(row, path))


def _parsed(value: str) -> object:
    try:
        parsed: object = json.loads(value)
    except ValueError:
        return value
    return parsed


def _values(row: Row, path: str) -> Sequence[object]:
    """What a filter looks at: a field, a tag, or what lies at a path of the metadata."""
    if path in {"tag", "tags"}:
        return row.tags
    first, *rest = path.split(".")
    if first in _FIELDS:
        value: object = getattr(row, first)
    else:
        value = row.metadata if first == "metadata" else row.metadata.get(first)
    for key in rest:
        value = value.get(key) if is_object(value) else None
    return (value,)
