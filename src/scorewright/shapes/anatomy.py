"""What a Python type is made of, one level deep: the one reading of types from which both schema and reader are made.

A type that has no anatomy is a `DefinitionError`, so nothing falls through to a guess.
"""

from __future__ import annotations

import inspect
import types
import typing
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from enum import Enum

import typing_extensions

from scorewright.faults import DefinitionError
from scorewright.shapes.forms import Anatomy, Anything, Choices, Either, Fixed, Many, Model, Noted, Plain, Record, Table
from scorewright.shapes.models import is_model
from scorewright.shapes.records import is_record, parts_of

_PLAIN: frozenset[object] = frozenset({bool, int, float, str, type(None), date, datetime})
_LISTS: frozenset[object] = frozenset({list, Sequence})
_TABLES: frozenset[object] = frozenset({dict, Mapping})
_UNIONS: frozenset[object] = frozenset({typing.Union, types.UnionType})
_LITERALS: frozenset[object] = frozenset({typing.Literal, typing_extensions.Literal})
_TRANSPARENT: frozenset[object] = frozenset(
    {
        typing.Final,
        typing.ClassVar,
        typing.Required,
        typing.NotRequired,
        typing_extensions.Required,
        typing_extensions.NotRequired,
        typing_extensions.ReadOnly,
    }
)
_RULES = frozenset({"annotated_types", "attr", "pydantic"})  # the packages whose notes bound a value
_INSTEAD = {
    "Decimal": "float or str",
    "Path": "str",
    "UUID": "str",
    "bytes": "str",
    "set": "list[T]",
    "frozenset": "tuple[T, ...]",
    "timedelta": "float (seconds)",
    "time": "str",
    "complex": "a class with two floats",
}


def anatomy(form: object, /) -> Anatomy:
    """What `form` is made of.

    >>> anatomy(list[int])
    Many(item=<class 'int'>, build=<class 'list'>)
    """
    if form is None:
        return Plain(type(None))
    if form is object or form is typing.Any or form is typing_extensions.Any:
        return Anything()
    if isinstance(form, type) and form in _PLAIN:
        return Plain(form)
    origin: object = form if isinstance(form, type) else typing.get_origin(form)
    if not typing.get_args(form) and (origin is tuple or origin in _LISTS or origin in _TABLES) and form != tuple[()]:
        return _bare(origin)
    return _class(form) or _generic(form) or _alias(form)


def seen_through(form: object, /) -> Anatomy:
    """The anatomy below all descriptions."""
    found = anatomy(form)
    while isinstance(found, Noted):
        found = anatomy(found.form)
    return found


def _bare(form: object) -> Anatomy:
    if form in _TABLES:
        return Table(object)
    return Many(object, tuple if form is tuple else list)


def _class(form: object) -> Anatomy | None:
    if is_model(form):
        return Model(form)
    if is_record(form):
        return Record(form, parts_of(form), doc_of(typing.get_origin(form) or form))
    if isinstance(form, type) and issubclass(form, Enum):
        return Choices(_checked(form, [(member.value, member) for member in form]), doc_of(form))
    return None


def _generic(form: object) -> Anatomy | None:
    origin: object = typing.get_origin(form)
    args: tuple[object, ...] = typing.get_args(form)
    if origin is typing.Annotated:
        _refuse_rules(form, args[1:])
        return Noted(args[0], _note(args[1:]))
    if origin in _UNIONS:
        return Either(args)
    if origin in _LITERALS:
        return Choices(_checked(form, [(a.value if isinstance(a, Enum) else a, a) for a in args]))
    if origin in _LISTS:
        return Many(args[0], list)
    if origin is tuple:
        return Many(args[0], tuple) if args[1:] == (Ellipsis,) else Fixed(args)
    if origin in _TABLES:
        return _table(form, *args)
    return Noted(args[0], None) if origin in _TRANSPARENT else None


def _table(form: object, key: object, item: object) -> Anatomy:
    if key is not str:
        raise DefinitionError(f"{spoken(form)}: the keys of a JSON object are strings; use dict[str, …]")
    return Table(item)


def _alias(form: object) -> Anatomy:
    for attribute in ("__supertype__", "__value__"):  # NewType, TypeAliasType
        meant: object = getattr(form, attribute, None)
        if meant is not None and not isinstance(form, type):
            return Noted(meant, None)
    if isinstance(form, (str, typing.ForwardRef)):
        raise DefinitionError(f"{spoken(form)} is a name, not a type; pass the type itself")
    if isinstance(form, typing.TypeVar):
        raise DefinitionError(f"the type variable {form} is not filled in; name the type, as in Box[int]")
    origin: object = typing.get_origin(form) or form
    name = origin.__name__ if isinstance(origin, type) else ""
    instead = _INSTEAD.get(name, "an attrs class, a dataclass, a TypedDict, a list, a dict, a union, or a plain scalar")
    raise DefinitionError(f"{spoken(form)} has no JSON form here; use {instead}")


def _checked(form: object, pairs: Iterable[tuple[object, object]]) -> tuple[tuple[object, object], ...]:
    found = tuple(pairs)
    for wire, _ in found:
        if type(wire) not in (str, int, bool, type(None)):
            raise DefinitionError(f"{spoken(form)}: {wire!r} is not a string, an integer, a boolean or None")
    if not found:
        raise DefinitionError(f"{spoken(form)} has no members, so nothing can be read as one")
    return found


def _refuse_rules(form: object, notes: Iterable[object]) -> None:
    """A bound in an `Annotated` would neither reach the judge nor be held, so it is refused."""
    for note in notes:
        package = type(note).__module__.partition(".")[0]
        rules: object = getattr(note, "metadata", (note,))  # pydantic's Field keeps its bounds there
        described = hasattr(note, "documentation")
        if package in _RULES and rules and not described:
            raise DefinitionError(
                f"{spoken(form)}: {note!r} in an Annotated is not held here; "
                "write it as the validator of an attrs field, or in a pydantic model"
            )


def _note(notes: tuple[object, ...]) -> str | None:
    for note in notes:
        described: object = getattr(note, "description", None)  # pydantic's Field; typing_extensions.Doc:
        text: object = note if isinstance(note, str) else getattr(note, "documentation", described)
        if isinstance(text, str):
            return text
    return None


def doc_of(cls: object, /) -> str | None:
    """The docstring that the author of a class wrote, without those that Python and dataclasses generate."""
    text: object = vars(cls).get("__doc__") if isinstance(cls, type) else None
    if not isinstance(cls, type) or not isinstance(text, str) or text == "An enumeration.":
        return None
    generated = text.startswith(f"{cls.__name__}(") and text.endswith(")")
    return None if generated else inspect.cleandoc(text) or None


def spoken(form: object, /) -> str:
    """How a type is written.

    >>> spoken(list[int] | None)
    'list[int] | None'
    """
    if form is None or form is type(None):
        return "None"
    if isinstance(form, type) and not typing.get_args(form):
        return form.__name__
    origin: object = typing.get_origin(form)
    args: tuple[object, ...] = typing.get_args(form)
    if origin in _UNIONS:
        return " | ".join(spoken(arg) for arg in args)
    if origin is typing.Annotated:
        return spoken(args[0])
    if origin in _LITERALS:
        return f"Literal[{', '.join(repr(arg) for arg in args)}]"
    if isinstance(origin, type):
        return f"{origin.__name__}[{', '.join('...' if arg is Ellipsis else spoken(arg) for arg in args)}]"
    return str(form)
