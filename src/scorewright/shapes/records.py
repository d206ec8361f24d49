"""The fields of attrs classes, dataclasses and TypedDicts, with their types resolved."""

from __future__ import annotations

import dataclasses
import typing
from collections.abc import Mapping
from typing import final

import attrs
import typing_extensions

from scorewright.faults import DefinitionError

_OPTIONAL: frozenset[object] = frozenset({typing.NotRequired, typing_extensions.NotRequired})
_REQUIRED: frozenset[object] = frozenset({typing.Required, typing_extensions.Required})
_AROUND: frozenset[object] = frozenset({typing.Annotated, typing_extensions.ReadOnly})


@final
@attrs.frozen
class Part:
    """One field: its key on the wire, its type, whether a reply may leave it out, and what limits its values."""

    key: str
    form: object
    required: bool
    doc: str | None = None
    validator: object = None


def is_record(form: object, /) -> bool:
    """Whether `form` is an attrs class, a dataclass or a TypedDict, perhaps with type arguments."""
    cls: object = typing.get_origin(form) or form
    return isinstance(cls, type) and (is_typed_dict(cls) or attrs.has(cls) or dataclasses.is_dataclass(cls))


def is_typed_dict(cls: object, /) -> bool:
    """Whether `cls` is a TypedDict of either module."""
    return typing.is_typeddict(cls) or typing_extensions.is_typeddict(cls)


def parts_of(form: object, /) -> tuple[Part, ...]:
    """The fields in the order in which they are written, without those that `__init__` does not take."""
    cls: object = typing.get_origin(form) or form
    if not isinstance(cls, type):  # pragma: no cover - `is_record` was asked before
        raise DefinitionError(f"{form} is not a class")
    hints, filled = _hints(cls), _filled(form)
    if is_typed_dict(cls):
        return tuple(Part(key, _fill(hint, filled), _is_required(cls, key, hint)) for key, hint in hints.items())
    if attrs.has(cls):
        return tuple(
            Part(
                key=field.name,
                form=_fill(hints.get(field.name, field.type or object), filled),
                required=field.default is attrs.NOTHING,
                doc=_described(field.metadata),
                validator=field.validator if field.converter is None else None,
            )
            for field in attrs.fields(cls)
            if field.init
        )
    if not dataclasses.is_dataclass(cls):  # pragma: no cover - `is_record` was asked before
        return ()
    for name, hint in hints.items():
        if isinstance(hint, dataclasses.InitVar):
            raise DefinitionError(
                f"{cls.__name__}.{name}: what only __init__ sees cannot be read back; make it a field"
            )
    return tuple(
        Part(
            key=field.name,
            form=_fill(hints[field.name], filled),
            required=field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING,
            doc=_described(field.metadata),
        )
        for field in dataclasses.fields(cls)
        if field.init
    )


def _hints(cls: type) -> Mapping[str, object]:
    try:
        return typing_extensions.get_type_hints(cls, include_extras=True)
    except (NameError, AttributeError, TypeError) as raised:
        raise DefinitionError(
            f"{cls.__name__}: its annotations cannot be resolved ({raised}); define what they name at module level"
        ) from raised


def _is_required(cls: object, key: str, hint: object) -> bool:
    required: frozenset[str] = getattr(cls, "__required_keys__", frozenset[str]())
    while (
        origin := typing.get_origin(hint)
    ) is not None:  # postponed annotations hide NotRequired from the class itself
        if origin in _OPTIONAL:
            return False
        if origin in _REQUIRED:
            return True
        if origin not in _AROUND:
            break
        hint = typing.get_args(hint)[0]
    return key in required


def _described(metadata: Mapping[object, object]) -> str | None:
    text = metadata.get("description")
    return text if isinstance(text, str) else None


def _filled(form: object) -> Mapping[object, object]:
    """What each type variable of a generic class, and of its generic bases, stands for."""
    cls: object = typing.get_origin(form) or form
    parameters: tuple[object, ...] = getattr(cls, "__parameters__", ())
    own = dict(zip(parameters, typing.get_args(form), strict=False))
    bases: tuple[object, ...] = getattr(cls, "__orig_bases__", ())
    inherited: dict[object, object] = {}
    for base in bases:
        if typing.get_origin(base) not in (None, typing.Generic, typing.Protocol):
            inherited.update(_filled(_fill(base, own)))
    return inherited | own


def _fill(hint: object, filled: Mapping[object, object]) -> object:
    if isinstance(hint, typing.TypeVar):
        return filled.get(hint, hint)
    open_places: tuple[object, ...] = getattr(hint, "__parameters__", ())
    if (isinstance(hint, type) and not typing.get_args(hint)) or not any(place in filled for place in open_places):
        return hint
    return typing.cast("_Fillable", hint)[tuple(filled.get(place, place) for place in open_places)]


class _Fillable(typing.Protocol):
    def __getitem__(self, arguments: tuple[object, ...], /) -> object: ...
