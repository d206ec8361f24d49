"""YAML as JSON: what JSON can say, by the core schema of YAML 1.2, with the line and column of every value.

`no` and `on` are texts, as are dates; anchors and merge keys are followed, within limits; tags that build objects are
refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from importlib import import_module
from math import isfinite
from typing import Protocol, cast, final

import attrs

from scorewright.shapes.values import is_list, is_object
from scorewright.suites.rows.documents import Marks
from scorewright.suites.rows.record import RowsRefused, key_path

_MOST_VALUES = 5_000_000  # what aliases stand for counts each time: a few lines could unfold to more than memory holds
_DEEPEST = 200
_INTEGER = re.compile(r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+")
_NUMBER = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_NOT_FINITE = re.compile(r"[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)")
_NULLS = frozenset({"", "~", "null", "Null", "NULL"})
_TRUTH = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}
_TAG = "tag:yaml.org,2002:"
_MOST_DIGITS = 1000
_KINDS: Mapping[str, tuple[type, ...]] = {
    "int": (int,),
    "float": (int, float),
    "bool": (bool,),
    "null": (type(None),),
}


class _Mark(Protocol):
    line: int
    column: int


class _Event(Protocol):
    start_mark: _Mark
    anchor: str | None
    tag: str | None
    implicit: tuple[bool, bool]
    value: str


class _Yaml(Protocol):
    SafeLoader: type[object]
    YAMLError: type[Exception]

    def parse(self, stream: str, Loader: type[object]) -> Iterator[_Event]: ...  # noqa: N803 - as PyYAML names it


@final
class _Refused(Exception):
    """What YAML may say and JSON cannot, and where."""

    def __init__(self, why: str, mark: _Mark) -> None:
        super().__init__(why)
        self.why: str = why
        self.line: int = mark.line + 1
        self.column: int = mark.column + 1


@final
@attrs.frozen
class _Node:
    """A value, how many values it stands for, and whether it is text that was written without quotes."""

    value: object
    count: int = 1


def yaml_document(text: str, name: str, /) -> tuple[object, Marks]:
    """What a YAML text holds, with the places of the objects in it; a text that cannot be read is refused."""
    library = cast("_Yaml", import_module("yaml"))  # it has no types: what is used of it stands above
    loader: type[object] = getattr(library, "CSafeLoader", library.SafeLoader)
    try:
        return _Composer(library.parse(text, loader)).document()
    except _Refused as refused:
        raise RowsRefused(f"{name}:{refused.line}:{refused.column}: {refused.why}") from refused
    except library.YAMLError as broken:
        raise RowsRefused(_told(broken, name)) from broken


def _told(broken: Exception, name: str) -> str:
    mark: object = getattr(broken, "problem_mark", None) or getattr(broken, "context_mark", None)
    words = [getattr(broken, part, None) for part in ("context", "problem")]
    why = ", ".join(str(word) for word in words if word) or str(broken).splitlines()[0]
    if mark is None:
        return f"{name}: not YAML: {why}"
    place = cast("_Mark", mark)  # of PyYAML, as above
    return f"{name}:{place.line + 1}:{place.column + 1}: not YAML: {why}"


@final
class _Composer:
    """Builds values out of events."""

    def __init__(self, events: Iterator[_Event]) -> None:
        self._events: Iterator[_Event] = events
        self._anchors: dict[str, _Node] = {}
        self._lines: dict[str, int] = {}
        self._keys: dict[str, Mapping[str, tuple[int, int]]] = {}
        self._values: int = 0

    def document(self) -> tuple[object, Marks]:
        value: object = None
        started = False
        for event in self._events:
            kind = _kind(event)
            if kind == "DocumentStart" and started:
                raise _Refused("a second document: rows are read from one", event.start_mark)
            if kind in {"StreamStart", "StreamEnd", "DocumentStart", "DocumentEnd"}:
                started = started or kind == "DocumentStart"
                continue
            value = self._node(event, "$", 0).value
        return value, Marks(self._lines, self._keys)

    def _node(self, event: _Event, path: str, depth: int) -> _Node:
        kind = _kind(event)
        if depth > _DEEPEST:
            raise _Refused("nested too deeply", event.start_mark)
        if kind == "Alias":
            node = self._anchors.get(event.anchor or "")
            if node is None:
                raise _Refused(f"the alias *{event.anchor} names nothing that ends before it", event.start_mark)
        elif kind == "Scalar":
            node = _Node(_scalar(event))
        elif kind == "SequenceStart":
            node = self._sequence(event, path, depth)
        else:
            node = self._mapping(event, path, depth)
        self._values += node.count if kind == "Alias" else 1
        if self._values > _MOST_VALUES:
            raise _Refused(f"more than {_MOST_VALUES} values: read such data from JSON Lines", event.start_mark)
        if event.anchor and kind != "Alias":
            self._anchors[event.anchor] = node
        return node

    def _sequence(self, start: _Event, path: str, depth: int) -> _Node:
        _check_tag(start, "seq")
        values: list[object] = []
        count = 1
        for event in self._events:
            if _kind(event) == "SequenceEnd":
                break
            node = self._node(event, f"{path}[{len(values)}]", depth + 1)
            values.append(node.value)
            count += node.count
        return _Node(values, count)

    def _mapping(self, start: _Event, path: str, depth: int) -> _Node:
        _check_tag(start, "map")
        own: dict[str, object] = {}
        merged: dict[str, object] = {}
        marks: dict[str, tuple[int, int]] = {}
        count = 1
        for event in self._events:
            if _kind(event) == "MappingEnd":
                break
            key = self._key(event)
            merges = key == "<<" and event.implicit[0]
            node = self._node(next(self._events), key_path(path, key), depth + 1)
            count += node.count
            if merges:
                for each in node.value if is_list(node.value) else [node.value]:
                    if not is_object(each):
                        raise _Refused("the merge key << takes an object, or a list of objects", event.start_mark)
                    merged = {**each, **merged}
                continue
            if key in own:
                raise _Refused(f"the key {key!r} stands twice in one object", event.start_mark)
            own[key] = node.value
            marks[key] = event.start_mark.line + 1, event.start_mark.column + 1
        self._lines[path] = start.start_mark.line + 1
        self._keys[path] = marks
        return _Node({**merged, **own}, count)

    def _key(self, event: _Event) -> str:
        if _kind(event) == "Alias":
            node = self._anchors.get(event.anchor or "")
            if node is not None and isinstance(node.value, str):
                return node.value
        if _kind(event) != "Scalar":
            raise _Refused("a key is a text", event.start_mark)
        if event.anchor:
            self._anchors[event.anchor] = _Node(event.value)
        return event.value


def _kind(event: object) -> str:
    return type(event).__name__.removesuffix("Event")


def _check_tag(event: _Event, own: str) -> None:
    if event.tag not in {None, "!", _TAG + own}:
        raise _Refused(f"the tag {event.tag} is not read: it stands for something that JSON has not", event.start_mark)


def _scalar(event: _Event) -> object:
    tag, text = event.tag, event.value
    if tag in {"!", _TAG + "str"} or (tag is None and not event.implicit[0]):
        return text
    value = _plain(text, event)
    if tag is None:
        return value
    kind = _KINDS.get(tag.removeprefix(_TAG))
    if kind is None or not tag.startswith(_TAG):
        raise _Refused(f"the tag {tag} is not read: it stands for something that JSON has not", event.start_mark)
    if not isinstance(value, kind):
        raise _Refused(f"{text!r} is no {tag.removeprefix(_TAG)}", event.start_mark)
    return float(value) if tag == _TAG + "float" and isinstance(value, int) else value


def _plain(text: str, event: _Event) -> object:
    """A scalar without quotes."""
    if text in _NULLS:
        return None
    if text in _TRUTH:
        return _TRUTH[text]
    if _NOT_FINITE.fullmatch(text):
        raise _Refused(f"{text} is no number of JSON", event.start_mark)
    if _INTEGER.fullmatch(text):
        if len(text) > _MOST_DIGITS:
            raise _Refused(f"an integer of {len(text)} digits is too long", event.start_mark)
        return int(text, 0) if text[:2] in {"0o", "0x"} else int(text)
    if _NUMBER.fullmatch(text):
        number = float(text)
        if not isfinite(number):
            raise _Refused(f"the number {text[:20]} is too large", event.start_mark)
        return number
    return text
