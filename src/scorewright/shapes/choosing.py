"""How a union's member is chosen: by the JSON type, by a value, by a tag, or by a key that only one member has.

It is never the first member that happens to fit; where two could fit, the union is a `DefinitionError`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TypeAlias, final

import attrs
from typing_extensions import TypeVar

from scorewright.faults import DefinitionError
from scorewright.shapes.anatomy import seen_through, spoken
from scorewright.shapes.forms import Anatomy, Anything, Choices, Either, Fixed, Many, Model, Plain, Record, Table
from scorewright.shapes.misfit import Unfit, as_written, of_kind
from scorewright.shapes.models import model_parts
from scorewright.shapes.records import Part
from scorewright.shapes.values import is_object, shown

K = TypeVar("K")
Value: TypeAlias = tuple[type, object]  # a scalar with its type: True is not 1
Object: TypeAlias = Mapping[str, object]

_SCALARS: frozenset[type] = frozenset({bool, int, float, str, type(None)})


@final
@attrs.frozen
class Member:
    """One member of a union."""

    form: object
    found: Anatomy


Parted: TypeAlias = tuple[Member, Mapping[str, Part]]


@final
@attrs.frozen
class Chooser:
    """Which member of a union a JSON value belongs to."""

    members: tuple[Member, ...]
    by_value: Mapping[Value, Member]
    by_type: Mapping[type, Member]
    of_object: Callable[[Object], Member] | None

    def choose(self, value: object, /) -> Member:
        """The member that reads this value; raises `Unfit` where none does."""
        kind = type(value)
        if kind in _SCALARS and (kind, value) in self.by_value:
            return self.by_value[kind, value]
        if is_object(value) and self.of_object is not None:
            return self.of_object(value)
        if kind in self.by_type:
            return self.by_type[kind]
        if kind is int and float in self.by_type:
            return self.by_type[float]
        by_value, due = any(each is kind for each, _ in self.by_value), f"expected {_text(self.members)}"
        raise as_written(due, value) if by_value else of_kind(due, value)


def chooser(forms: tuple[object, ...], /) -> Chooser:
    """The rule by which the members of a union are told apart."""
    members = _flat(forms)
    by_value: dict[Value, Member] = {}
    by_type: dict[type, Member] = {}
    for member in members:
        for value in _values(member):
            _claim(by_value, value, member, members)
        for kind in _kinds(member.found):
            _claim(by_type, kind, member, members)
    for (kind, _), member in by_value.items():
        if kind in by_type and isinstance(member.found, Choices) and not member.found.stand_for_themselves:
            raise _ambiguous(member, by_type[kind], members)
    objects = [member for member in members if isinstance(member.found, (Record, Model, Table))]
    if objects and dict in by_type:
        raise _ambiguous(by_type[dict], objects[0], members)
    return Chooser(members, by_value, by_type, _told_apart(objects, members) if objects else None)


def _flat(forms: tuple[object, ...]) -> tuple[Member, ...]:
    members: list[Member] = []
    for form in forms:
        found = seen_through(form)
        members.extend(_flat(found.members) if isinstance(found, Either) else [Member(form, found)])
    return tuple(members)


def _values(member: Member) -> list[Value]:
    return [(type(wire), wire) for wire, _ in member.found.pairs] if isinstance(member.found, Choices) else []


def _kinds(found: Anatomy) -> tuple[type, ...]:
    if isinstance(found, Plain):
        return (found.kind if found.kind in _SCALARS else str,)  # a date is a string on the wire
    if isinstance(found, Anything):
        return (bool, int, float, str, list, dict)
    return (list,) if isinstance(found, (Many, Fixed)) else ()


def _claim(claims: dict[K, Member], key: K, member: Member, members: tuple[Member, ...]) -> None:
    if key in claims:
        raise _ambiguous(claims[key], member, members)
    claims[key] = member


def _told_apart(objects: list[Member], members: tuple[Member, ...]) -> Callable[[Object], Member]:
    if len(objects) == 1:
        return lambda _: objects[0]
    for index, member in enumerate(objects):
        if isinstance(member.found, Table):
            raise _ambiguous(member, objects[index - 1], members)
    parts = [(member, _parts(member.found)) for member in objects]
    return _by_tag(parts) or _by_key(parts, members)


def _parts(found: Anatomy) -> Mapping[str, Part]:
    parts = found.parts if isinstance(found, Record) else model_parts(found.cls) if isinstance(found, Model) else ()
    return {part.key: part for part in parts}


def _by_tag(objects: list[Parted]) -> Callable[[Object], Member] | None:
    for key in objects[0][1]:
        tags = _tags(key, objects)
        if tags is not None:
            return partial(_tagged, key, tags)
    return None


def _tags(key: str, objects: list[Parted]) -> Mapping[Value, Member] | None:
    tags: dict[Value, Member] = {}
    for member, parts in objects:
        values = _values(Member(None, seen_through(parts[key].form))) if key in parts else []
        if not values or any(value in tags for value in values):
            return None
        tags.update((value, member) for value in values)
    return tags


def _tagged(key: str, tags: Mapping[Value, Member], value: Object) -> Member:
    expected = " or ".join(shown(wire) for _, wire in tags)
    if key not in value:
        raise Unfit(f"is missing; it says which one this is: {expected}", key)
    tag = value[key]
    if type(tag) not in _SCALARS or (type(tag), tag) not in tags:
        raise as_written(f"expected {expected}", tag, key)
    return tags[type(tag), tag]


def _by_key(objects: list[Parted], members: tuple[Member, ...]) -> Callable[[Object], Member]:
    own: list[tuple[Member, frozenset[str]]] = []
    for member, parts in objects:
        others = {key for other, theirs in objects if other is not member for key in theirs}
        own.append((member, frozenset(key for key, part in parts.items() if part.required and key not in others)))
    bare = [member for member, keys in own if not keys]
    if len(bare) > 1:
        raise _ambiguous(bare[0], bare[1], members)

    def choose(value: Object) -> Member:
        fitting = [member for member, keys in own if not keys.isdisjoint(value)] or bare
        if len(fitting) == 1:
            return fitting[0]
        what = "keys of more than one of them" if fitting else "the keys of none of them"
        raise Unfit(f"expected {_text(members)}", got=f"an object with {what}")

    return choose


def _text(members: tuple[Member, ...]) -> str:
    return " | ".join(spoken(member.form) for member in members)


def _ambiguous(one: Member, other: Member, members: tuple[Member, ...]) -> DefinitionError:
    return DefinitionError(
        f"{_text(members)}: a value could be read as {spoken(one.form)} and as {spoken(other.form)};"
        ' give each class a field of its own such as kind: Literal["…"], or use only one of the two'
    )
