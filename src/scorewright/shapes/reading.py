"""From a type's anatomy to the function that reads it, without ever inventing a value."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime
from math import isfinite
from typing import TypeAlias

from scorewright.shapes.anatomy import anatomy
from scorewright.shapes.building import record_reader
from scorewright.shapes.choosing import chooser
from scorewright.shapes.demands import held
from scorewright.shapes.forms import Anything, Choices, Either, Fixed, Many, Model, Noted, Plain, Record, Table
from scorewright.shapes.misfit import Step, Unfit, as_written, of_kind
from scorewright.shapes.models import model_reader
from scorewright.shapes.values import is_list, is_object, moment_of, shown

Reader: TypeAlias = Callable[[object], object]


def reader(form: object, known: dict[object, Reader], /) -> Reader:  # noqa: C901 - one line a kind
    """The function that reads JSON values of a type and raises `Unfit`; `known` ties the knot of recursive classes."""
    found = anatomy(form)
    match found:
        case Noted():
            return reader(found.form, known)
        case Anything():
            return lambda value: value
        case Plain():
            return _PLAIN[found.kind]
        case Choices():
            return _choices(found)
        case Many():
            return _many(reader(found.item, known), found.build)
        case Fixed():
            return _fixed([reader(item, known) for item in found.items])
        case Table():
            return _table(reader(found.item, known))
        case Either():
            return _either(found, known)
        case Model():
            return model_reader(found.cls)
        case Record():
            return _record(form, found, known)


def _record(form: object, found: Record, known: dict[object, Reader]) -> Reader:
    if form not in known:
        known[form] = lambda value: known[form](value)  # noqa: PLW0108 - for who meets the class inside itself; replaced just below
        known[form] = record_reader(
            form, found.parts, {part.key: held(reader(part.form, known), part.validator) for part in found.parts}
        )
    return known[form]


def _either(found: Either, known: dict[object, Reader]) -> Reader:
    rule = chooser(found.members)
    readers = {id(member): reader(member.form, known) for member in rule.members}
    return lambda value: readers[id(rule.choose(value))](value)


def _choices(found: Choices) -> Reader:
    meant = {(type(wire), wire): value for wire, value in found.pairs}
    kinds = {kind for kind, _ in meant}
    expected = " or ".join(shown(wire) for wire, _ in found.pairs)

    def read(value: object) -> object:
        kind = type(value)
        if kind in kinds and (kind, value) in meant:
            return meant[kind, value]
        raise as_written(f"expected {expected}", value)

    return read


def _many(item: Reader, build: Callable[[list[object]], object]) -> Reader:
    def read(value: object) -> object:
        if not is_list(value):
            raise of_kind("expected a list", value)
        values: list[object] = []
        try:
            for each in value:
                values.append(item(each))  # noqa: PERF401 - how far it came is the index of the misfit
        except Unfit as unfit:
            raise unfit.under(len(values)) from None
        return values if build is list else build(values)

    return read


def _fixed(items: list[Reader]) -> Reader:
    def read(value: object) -> object:
        if not is_list(value):
            raise of_kind(f"expected a list of {len(items)}", value)
        if len(value) != len(items):
            raise Unfit(f"expected a list of {len(items)}", got=str(len(value)))
        return tuple(_under(index, item, each) for index, (item, each) in enumerate(zip(items, value, strict=True)))

    return read


def _table(item: Reader) -> Reader:
    def read(value: object) -> object:
        if not is_object(value):
            raise of_kind("expected an object", value)
        for key in value:
            if type(key) is not str:
                raise as_written("expected keys that are strings", key)
        return {key: _under(key, item, each) for key, each in value.items()}

    return read


def _under(step: Step, read: Reader, value: object) -> object:
    try:
        return read(value)
    except Unfit as unfit:
        raise unfit.under(step) from None


def _exactly(kind: type, expected: str) -> Reader:
    def read(value: object) -> object:
        if type(value) is not kind:
            raise of_kind(f"expected {expected}", value)
        return value

    return read


def _number(value: object) -> float:
    if type(value) is float:
        if not isfinite(value):
            raise Unfit("expected a finite number", got=str(value))
        return value
    if type(value) is not int:
        raise of_kind("expected a number", value)
    if abs(value) > 2**1023 or int(float(value)) != value:
        raise Unfit("expected a number", got="an integer that no float can hold exactly")
    return float(value)


def _moment(value: object) -> datetime:
    text = _text_of(value, "a date and time")
    try:
        return moment_of(text)
    except ValueError as raised:
        raise as_written("expected a date and time such as '2026-01-31T12:00:00Z'", text) from raised


def _day(value: object) -> date:
    text = _text_of(value, "a date")
    try:
        return date.fromisoformat(text)
    except ValueError as raised:
        raise as_written("expected a date such as '2026-01-31'", text) from raised


def _text_of(value: object, expected: str) -> str:
    if type(value) is not str:
        raise of_kind(f"expected {expected} in a string", value)
    return value


_PLAIN: dict[type, Reader] = {
    bool: _exactly(bool, "a boolean"),
    int: _exactly(int, "an integer"),
    str: _exactly(str, "a string"),
    type(None): _exactly(type(None), "null"),
    float: _number,
    datetime: _moment,
    date: _day,
}
