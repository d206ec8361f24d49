"""What a definition is given, looked at before it is used: a value of the wrong kind is a `DefinitionError`."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping

from typing_extensions import TypeIs

from scorewright.core import Scorer
from scorewright.faults import DefinitionError

_LONGEST = sys.float_info.max  # an integer may be larger, and then no clock can add it


def checked_count(name: str, given: object, /) -> None:
    """A whole number, 1 or more."""
    if isinstance(given, bool) or not isinstance(given, int):
        raise DefinitionError(f"{name}= is a whole number, not {given!r}")
    if given < 1:
        raise DefinitionError(f"{name}= is at least 1, not {given}")


def checked_seconds(name: str, given: object, /) -> None:
    """A number of seconds above 0, or None."""
    if given is not None and not (_is_number(given) and 0 < given <= _LONGEST):
        raise DefinitionError(f"{name}= is a number of seconds above 0, not {given!r}")


def checked_kind(name: str, given: object, kind: type, words: str, /) -> None:
    """A value of this kind, which is called so."""
    if not isinstance(given, kind):
        raise DefinitionError(f"{name}= is {words}, not {_named(given)}")


def texts_in(name: str, given: object, /) -> tuple[str, ...]:
    """Texts in a list or another series, such as ids."""
    if isinstance(given, str):
        raise DefinitionError(f"{name}= takes ids in a list: {name}=[{given!r}]")
    several = series_in(name, given)
    for each in several:
        if not isinstance(each, str):
            raise DefinitionError(f"{name}= takes ids in a list, not {_named(each)} in it")
    return tuple(each for each in several if isinstance(each, str))


def series_in(name: str, given: object, /) -> tuple[object, ...]:
    """What a list or another series holds; a text or a mapping is none."""
    said = _named(given)
    if _is_iterable(given) and not isinstance(given, (str, bytes)) and not _is_mapping(given):
        return tuple(given)
    raise DefinitionError(f"{name}= takes a list, not {said}")


def checked_mapping(name: str, given: object, of: str, /) -> None:
    """A mapping from texts; `of` says what it maps."""
    if not _is_mapping(given):
        raise DefinitionError(f"{name}= is a mapping from {of}, not {_named(given)}")
    for key in given:
        if not isinstance(key, str):
            raise DefinitionError(f"{name}= is a mapping from {of}, not from {_named(key)}")


def _is_mapping(given: object) -> TypeIs[Mapping[object, object]]:
    return isinstance(given, Mapping)


def _is_iterable(given: object) -> TypeIs[Iterable[object]]:
    return isinstance(given, Iterable)


def _is_number(given: object) -> TypeIs[int | float]:
    return isinstance(given, (int, float)) and not isinstance(given, bool)


def _named(given: object) -> str:
    if isinstance(given, Scorer):
        return f"the scorer {given.id!r}"
    return "None" if given is None else f"{type(given).__name__}"
