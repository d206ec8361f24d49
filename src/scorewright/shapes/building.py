"""Building attrs objects and dataclasses out of JSON objects: cattrs writes the code, we say the path.

The readers of the fields are handed to cattrs one by one, so none of its own conversions is ever used.
"""

from __future__ import annotations

import typing
from collections.abc import Callable, Collection, Iterable, Mapping
from types import SimpleNamespace
from typing import TypeAlias, cast

import attrs
from cattrs import AttributeValidationNote, ClassValidationError, Converter, ForbiddenExtraKeysError
from cattrs.gen import make_dict_structure_fn, override

from scorewright.faults import DefinitionError
from scorewright.shapes.misfit import Unfit, of_kind, refused
from scorewright.shapes.records import Part, is_typed_dict
from scorewright.shapes.values import is_object

Reader: TypeAlias = Callable[[object], object]
Object: TypeAlias = Mapping[str, object]
Readers: TypeAlias = Mapping[str, Reader]
Build: TypeAlias = Callable[[Object, object], object]

_TAKEN = frozenset({"cl", "converter"})
_CONVERTER = Converter(forbid_extra_keys=True, detailed_validation=True)


def record_reader(form: object, parts: tuple[Part, ...], readers: Readers, /) -> Reader:
    """The function that reads one class, field by field, refusing keys that it does not have."""
    cls = cast("type[object]", form)  # the one place where cattrs' idea of a type meets ours
    name = _name(form)
    if is_typed_dict(typing.get_origin(form) or form):
        return _typed_dict_reader(name, parts, readers)
    for part in parts:
        if part.key in _TAKEN:
            raise DefinitionError(f"{name}.{part.key}: cattrs keeps this name for itself; use another one")
    build: Build = make_dict_structure_fn(
        cls, _CONVERTER, **{part.key: override(struct_hook=_hook(readers[part.key])) for part in parts}
    )

    def read(value: object) -> object:
        if not is_object(value):
            raise of_kind(f"expected an object ({name})", value)
        try:
            return build(value, cls)
        except ClassValidationError as group:
            raise _first(group, typing.get_origin(form) or form, value, readers) from None

    return read


def _typed_dict_reader(name: str, parts: tuple[Part, ...], readers: Readers) -> Reader:
    """By hand, as cattrs does not see NotRequired where annotations are postponed."""

    def read(value: object) -> object:
        if not is_object(value):
            raise of_kind(f"expected an object ({name})", value)
        found: dict[str, object] = {}
        for part in parts:
            if part.key in value:
                try:
                    found[part.key] = readers[part.key](value[part.key])
                except Unfit as unfit:
                    raise unfit.under(part.key) from None
            elif part.required:
                raise Unfit("is missing", part.key)
        if len(found) != len(value):
            raise _extra(name, value.keys() - readers.keys(), readers)
        return found

    return read


def _extra(name: str, keys: Collection[str], readers: Readers) -> Unfit:
    return Unfit(f"is not a key of {name} (its keys: {', '.join(readers) or 'none'})", min(keys, key=str))


def _name(form: object, /) -> str:
    cls: object = typing.get_origin(form) or form
    return cls.__name__ if isinstance(cls, type) else str(cls)


def _hook(read: Reader) -> Callable[[object, object], object]:
    return lambda value, _: read(value)


def _first(group: ClassValidationError, cls: object, value: Object, readers: Readers) -> Unfit:
    raised = group.exceptions[0]
    if isinstance(raised, ForbiddenExtraKeysError):
        return _extra(_name(cls), raised.extra_fields, readers)
    notes: Iterable[object] = getattr(raised, "__notes__", ())
    field = next((note.name for note in notes if isinstance(note, AttributeValidationNote)), None)
    if field is None:
        return refused(_message(raised), *_blamed(raised, cls, value, readers))
    if isinstance(raised, Unfit):
        return raised.under(field)
    return refused(_message(raised), field) if field in value else Unfit("is missing", field)


def _message(raised: Exception) -> str:
    if isinstance(raised, RecursionError):
        return "is nested too deeply"
    text = str(raised.args[0]) if raised.args else ""
    return text if isinstance(raised, (ValueError, TypeError)) and text else f"{type(raised).__name__}: {text}"


def _blamed(raised: Exception, cls: object, value: Object, readers: Readers) -> tuple[str, ...]:
    """The field whose own converter or validator refused; nothing when the class as a whole did."""
    if not isinstance(cls, type) or not attrs.has(cls):
        return ()
    fields = [field for field in attrs.fields(cls) if field.name in value and field.name in readers]
    given = {field.name: readers[field.name](value[field.name]) for field in fields}
    for field in fields:
        try:
            if callable(field.converter) and not isinstance(field.converter, attrs.Converter):
                given[field.name] = field.converter(given[field.name])
        except Exception as again:  # noqa: BLE001 - a user's function, which raised a moment ago
            return (field.name,) if type(again) is type(raised) else ()
    stand_in = SimpleNamespace(**given)
    for field in fields:
        try:
            if field.validator is not None:
                field.validator(stand_in, field, given[field.name])
        except Exception as again:  # noqa: BLE001 - a user's function, which raised a moment ago
            return (field.name,) if type(again) is type(raised) else ()
    return ()
