"""The parts that types are made of: a small closed set of values, over which schema and reader are written."""

from __future__ import annotations

from typing import TypeAlias, final

import attrs

from scorewright.shapes.records import Part


@final
@attrs.frozen
class Anything:
    """Any JSON value, passed through untouched."""


@final
@attrs.frozen
class Plain:
    """One of bool, int, float, str, None, date, datetime."""

    kind: type


@final
@attrs.frozen
class Choices:
    """A few scalars, each with what it stands for: a Literal's own values, or an Enum's members."""

    pairs: tuple[tuple[object, object], ...]
    doc: str | None = None

    @property
    def stand_for_themselves(self) -> bool:
        """Whether what is read is the JSON value itself."""
        return all(wire is meant for wire, meant in self.pairs)


@final
@attrs.frozen
class Many:
    """A list of any length, read as a list or as a tuple."""

    item: object
    build: type[list[object]] | type[tuple[object, ...]]


@final
@attrs.frozen
class Fixed:
    """A tuple of a fixed length."""

    items: tuple[object, ...]


@final
@attrs.frozen
class Table:
    """An object whose keys are data."""

    item: object


@final
@attrs.frozen
class Record:
    """An attrs class, a dataclass or a TypedDict."""

    form: object
    parts: tuple[Part, ...]
    doc: str | None


@final
@attrs.frozen
class Model:
    """A pydantic model: it knows its own schema and reads itself."""

    cls: type


@final
@attrs.frozen
class Either:
    """A union."""

    members: tuple[object, ...]


@final
@attrs.frozen
class Noted:
    """A type with a description."""

    form: object
    doc: str | None


Anatomy: TypeAlias = Anything | Plain | Choices | Many | Fixed | Table | Record | Model | Either | Noted
