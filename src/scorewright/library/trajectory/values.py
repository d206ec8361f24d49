"""When two values of tool calls are the same, and where they are not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from json import dumps, loads
from typing import Final, final

import attrs
from typing_extensions import TypeIs

from scorewright.library.trajectory.matchers import Matcher, Partial

_LONGEST: Final = 80


@final
@attrs.frozen
class Difference:
    """One place where a value is not what was expected: a JSON path, and both sides as text."""

    path: str
    expected: str
    found: str

    def __str__(self) -> str:
        return f"{self.path}: expected {self.expected}, found {self.found}"


def differences(expected: object, found: object, path: str = "$", /) -> Iterator[Difference]:
    """Every place where `found` is not `expected`; none where they are the same.

    The order of keys does not matter, and 1 is 1.0; True is not 1, "1" is not 1, and a key that is not there is not a
    null. NaN is NaN. What stands in `expected` as a matcher, at any depth, decides for itself.
    """
    if isinstance(expected, Matcher):
        if not expected.test(found):
            yield Difference(path, expected.name, shown(found))
    elif isinstance(expected, Partial):
        yield from _of_keys(expected.fields, found, path, closed=False)
    elif is_mapping(expected):
        yield from _of_keys(expected, found, path, closed=True)
    elif _is_list(expected):
        yield from _of_items(expected, found, path)
    elif not _equal(expected, found):
        yield Difference(path, shown(expected), shown(found))


def same(expected: object, found: object, /) -> bool:
    """Are they the same, in the sense of `differences`?"""
    return next(differences(expected, found), None) is None


def arguments(given: object, /) -> object:
    """The arguments of a call as they are compared: nothing, in any spelling, is an empty object; JSON text is read.

    Text that is not a JSON object stays text, and so equals no arguments.
    """
    if given is None:
        return dict[str, object]()
    if not isinstance(given, str):
        return given
    if not given.strip():
        return dict[str, object]()
    try:
        read: object = loads(given)
    except (ValueError, RecursionError):
        return given
    return read if is_mapping(read) else given


def shown(value: object, /) -> str:
    """A value as one short line."""
    return short(value.name if isinstance(value, Matcher) else dumps(value, ensure_ascii=False, default=_told))


def short(text: str, /) -> str:
    """A text, cut to one short line that can be saved: half a surrogate pair becomes a mark."""
    cut = text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
    return cut if cut.isascii() else cut.encode("utf-8", "replace").decode()


def in_words(value: object, /) -> str:
    """A value as one whole line, the same for values that are the same but for the order of their keys."""
    return dumps(value, ensure_ascii=False, sort_keys=True, default=_told)


def distinct(value: object, /) -> str:
    """A value as one line of an id: different for different values, and a matcher is never a text."""
    text = dumps(_marked(value), ensure_ascii=False, sort_keys=True, default=repr)
    return (
        text if text.isprintable() else dumps(_marked(value), sort_keys=True, default=repr).replace("\x7f", "\\u007f")
    )


def _marked(value: object) -> object:
    if isinstance(value, Matcher):
        return {"…": value.name}
    if isinstance(value, Partial):
        return {"…partial": _marked(value.fields)}
    if is_mapping(value):
        return {f"…{key}" if key.startswith("…") else key: _marked(held) for key, held in value.items()}
    return [_marked(each) for each in value] if _is_list(value) else value


def is_mapping(value: object, /) -> TypeIs[Mapping[str, object]]:
    """Whether it has keys."""
    return isinstance(value, Mapping)


def _told(value: object) -> object:
    if isinstance(value, Matcher):
        return value.name
    if isinstance(value, Partial):
        return {**value.fields, "…": "…"}
    return dict(value) if is_mapping(value) else str(value)


def _of_keys(expected: Mapping[str, object], found: object, path: str, *, closed: bool) -> Iterator[Difference]:
    if not is_mapping(found):
        yield Difference(path, shown(dict(expected)), shown(found))
        return
    for key, value in expected.items():
        if key in found:
            yield from differences(value, found[key], f"{path}.{key}")
        else:
            yield Difference(f"{path}.{key}", shown(value), "nothing")
    if closed:
        yield from (Difference(f"{path}.{key}", "nothing", shown(found[key])) for key in found if key not in expected)


def _of_items(expected: list[object] | tuple[object, ...], found: object, path: str) -> Iterator[Difference]:
    if not _is_list(found) or len(found) != len(expected):
        yield Difference(path, shown(expected), shown(found))
        return
    for at, (value, other) in enumerate(zip(expected, found, strict=True)):
        yield from differences(value, other, f"{path}[{at}]")


def _is_list(value: object) -> TypeIs[list[object] | tuple[object, ...]]:
    return isinstance(value, (list, tuple))


def _equal(expected: object, found: object) -> bool:
    if isinstance(expected, bool) or isinstance(found, bool):
        return expected is found
    if expected != expected and found != found:  # noqa: PLR0124 - only NaN differs from itself
        return True
    return expected == found
