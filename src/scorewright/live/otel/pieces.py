"""A span as it is held until its agent has ended: what is needed to place it, and the rest as the readers take it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, NamedTuple, TypeAlias, final

from typing_extensions import TypeIs

# "top" is known to be the outermost; with "maybe" that shows when the spans above have come
Place: TypeAlias = Literal["", "top", "maybe"]

_FLAT = 100  # bytes that an attribute takes beside its text


@final
class Piece(NamedTuple):
    """One span that has ended. `raw` is in OTLP's spelling, ids are hexadecimal, `start` is nanoseconds since 1970.

    Of a trace that no scorer will see only the ids are `kept`, so that its runs can be counted.
    """

    trace_id: str
    span_id: str
    parent_id: str
    raw: dict[str, object]
    scope: str = ""
    anchor: Place = ""
    root: bool = False
    start: int = 0
    end: int = 0
    weight: int = 0
    kept: bool = True


@final
class Told(NamedTuple):
    """A log record that belongs to a trace; some systems tell what was said in these, and not in spans."""

    trace_id: str
    span_id: str
    raw: dict[str, object]
    weight: int = 0


def weight_of(value: object, /) -> int:
    """Roughly the bytes that a value holds on to.

    >>> weight_of({"a": "x" * 1000})
    1201
    """
    if isinstance(value, (str, bytes)):
        return _FLAT + len(value)
    if _is_mapping(value):
        return _FLAT + sum(len(key) + weight_of(each) for key, each in value.items())
    if _is_sequence(value):
        return _FLAT + sum(map(weight_of, value))
    return _FLAT


def document_of(pieces: Iterable[Piece], told: Sequence[Told] = (), /) -> dict[str, object]:
    """Spans and log records as one document of OTLP."""
    scopes: dict[str, list[object]] = {}
    for piece in pieces:
        scopes.setdefault(piece.scope, []).append(piece.raw)
    spans = [{"scope": {"name": name}, "spans": spans} for name, spans in scopes.items()]
    document: dict[str, object] = {"resourceSpans": [{"scopeSpans": spans}]}
    if told:
        document["resourceLogs"] = [{"scopeLogs": [{"logRecords": [each.raw for each in told]}]}]
    return document


def _is_mapping(value: object) -> TypeIs[Mapping[str, object]]:
    return isinstance(value, Mapping)


def _is_sequence(value: object) -> TypeIs[Sequence[object]]:
    return isinstance(value, (list, tuple))


def plain(value: object, /) -> object:
    """A value of an attribute as JSON has it: the SDK keeps arrays as tuples, and mappings of its own."""
    if isinstance(value, (str, int, float, bool)) or value is None:
        return value
    if _is_mapping(value):
        return {key: plain(each) for key, each in value.items()}
    if _is_sequence(value):
        return [plain(each) for each in value]
    return value
