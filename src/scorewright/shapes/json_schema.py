"""Checking values against a JSON Schema that the user wrote.

Served: type, enum, const, bounds, sizes, pattern, multipleOf of integers, format of dates, properties, required,
additionalProperties, items, prefixItems, anyOf, oneOf, allOf, not, and `$ref` to `$defs` or to the root.
Another keyword that would constrain is a `DefinitionError`: nothing is silently ignored.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import final

import attrs

from scorewright.faults import DefinitionError
from scorewright.shapes import json_checks
from scorewright.shapes.json_checks import Check
from scorewright.shapes.misfit import Step, Unfit
from scorewright.shapes.values import is_list, is_object

_NOTES = frozenset(
    {"$schema", "$id", "$comment", "$defs", "definitions", "title", "description", "default", "examples", "deprecated"}
    | {"readOnly", "writeOnly", "discriminator"}
)
_SIMPLE: Mapping[str, Callable[[object, str], Check]] = {
    "type": json_checks.type_check,
    "enum": json_checks.enum_check,
    "const": lambda value, where: json_checks.enum_check([value], where),
    "pattern": json_checks.pattern_check,
    "format": json_checks.format_check,
    "multipleOf": json_checks.multiple_check,
}
_BOUNDS = frozenset({"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"})
_EXPECTED = "expected "
_SIZES = frozenset({"minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"})


def checker(schema: Mapping[str, object], /, *, forgiving: bool = False) -> Check:
    """The function that raises `Unfit` where a value breaks the schema.

    `forgiving` leaves keywords that are not served to somebody else: a pydantic model enforces its own.
    """
    return _Checker(schema, forgiving).of(schema, "#")


@final
@attrs.frozen
class _Checker:
    root: Mapping[str, object]
    forgiving: bool
    refs: dict[str, Check] = attrs.Factory(dict[str, Check])

    def of(self, schema: object, where: str) -> Check:
        if schema is True:
            return _all([])
        if schema is False:
            return _never
        if not is_object(schema):
            raise DefinitionError(f"{where}: a schema is an object, true or false")
        ordered = sorted(schema, key=lambda keyword: keyword != "type")
        return _all([self._keyword(schema, keyword, f"{where}/{keyword}") for keyword in ordered])

    def _keyword(self, schema: Mapping[str, object], keyword: str, where: str) -> Check:  # noqa: C901 - one line a kind
        argument = schema[keyword]
        try:
            if keyword in _SIMPLE:
                return _SIMPLE[keyword](argument, where)
            if keyword in _BOUNDS:
                return json_checks.bound_check(keyword, argument, where)
            if keyword in _SIZES:
                return json_checks.size_check(keyword, argument, where)
        except DefinitionError:
            if self.forgiving:
                return _all([])
            raise
        if keyword in {"properties", "required", "additionalProperties"}:
            return self._object(schema, keyword, argument, where)
        if keyword in {"items", "prefixItems"}:
            return self._array(schema, keyword, argument, where)
        if keyword in {"anyOf", "oneOf", "allOf"}:
            return _combined(keyword, self._several(argument, where))
        if keyword == "not":
            return _not(self.of(argument, where))
        if keyword == "$ref":
            return self._ref(argument, where)
        if keyword in _NOTES or self.forgiving:
            return _all([])
        raise DefinitionError(f"{where}: {keyword} is not checked here; leave it out")

    def _object(self, schema: Mapping[str, object], keyword: str, argument: object, where: str) -> Check:
        if keyword == "required":
            return _required([str(key) for key in _list(argument, where)])
        properties = schema.get("properties", {})
        if not is_object(properties):
            raise DefinitionError(f"{where}: properties is an object of schemas")
        if keyword == "properties":
            return _properties({key: self.of(part, f"{where}/{key}") for key, part in properties.items()})
        return _additional(frozenset(map(str, properties)), argument is False, self.of(argument, where))

    def _array(self, schema: Mapping[str, object], keyword: str, argument: object, where: str) -> Check:
        if keyword == "prefixItems":
            return _prefix(self._several(argument, where))
        before = schema.get("prefixItems", [])
        return _items(len(before) if is_list(before) else 0, self.of(argument, where))

    def _several(self, argument: object, where: str) -> list[Check]:
        return [self.of(part, f"{where}/{index}") for index, part in enumerate(_list(argument, where))]

    def _ref(self, argument: object, where: str) -> Check:
        if not isinstance(argument, str) or not argument.startswith("#"):
            raise DefinitionError(f"{where}: only references within the schema are followed, such as #/$defs/Name")
        if argument not in self.refs:
            self._refuse_circle(argument, where)
            self.refs[argument] = lambda value: self.refs[argument](value)  # noqa: PLW0108 - for who refers to itself; replaced below
            self.refs[argument] = self.of(self._target(argument, where), argument)
        return self.refs[argument]

    def _refuse_circle(self, reference: str, where: str) -> None:
        """A schema whose references come back to it before they go down into a value says nothing."""
        seen: set[str] = set()
        waiting = [*_refs_of(self._target(reference, where))]
        while waiting:
            found = waiting.pop()
            if found == reference:
                raise DefinitionError(f"{where}: {reference} refers to nothing but itself")
            if found not in seen and found.startswith("#"):
                seen.add(found)
                waiting.extend(_refs_of(self._target(found, where)))

    def _target(self, reference: str, where: str) -> object:
        found: object = self.root
        for step in reference.removeprefix("#").split("/")[1:]:
            key = step.replace("~1", "/").replace("~0", "~")
            if not is_object(found) or key not in found:
                raise DefinitionError(f"{where}: {reference} leads nowhere")
            found = found[key]
        return found


def _refs_of(schema: object) -> Iterator[str]:
    """The references of a schema that speak of the same value as it does."""
    if not is_object(schema):
        return
    reference = schema.get("$ref")
    if isinstance(reference, str):
        yield reference
    for keyword in ("anyOf", "oneOf", "allOf"):
        parts = schema.get(keyword)
        for part in parts if is_list(parts) else ():
            yield from _refs_of(part)
    yield from _refs_of(schema.get("not"))


def _all(checks: list[Check]) -> Check:
    def check(value: object) -> None:
        for each in checks:
            each(value)

    return check


def _never(_: object, /) -> None:
    raise Unfit("no value is allowed here")


def _list(argument: object, where: str) -> list[object]:
    if not is_list(argument):
        raise DefinitionError(f"{where}: a list is wanted here")
    return argument


def _at(step: Step, check: Check, value: object) -> None:
    try:
        check(value)
    except Unfit as unfit:
        raise unfit.under(step) from None


def _required(keys: list[str]) -> Check:
    def check(value: object) -> None:
        for key in keys:
            if is_object(value) and key not in value:
                raise Unfit("is missing", key)

    return check


def _properties(checks: Mapping[str, Check]) -> Check:
    def check(value: object) -> None:
        for key, each in checks.items():
            if is_object(value) and key in value:
                _at(key, each, value[key])

    return check


def _additional(known: frozenset[str], closed: bool, rest: Check) -> Check:
    def check(value: object) -> None:
        for key in value if is_object(value) else ():
            if key not in known:
                if closed:
                    raise Unfit(f"is not a key here (the keys: {', '.join(sorted(known)) or 'none'})", key)
                _at(key, rest, value[key] if is_object(value) else None)

    return check


def _items(start: int, item: Check) -> Check:
    def check(value: object) -> None:
        for index, each in enumerate(value if is_list(value) else ()):
            if index >= start:
                _at(index, item, each)

    return check


def _prefix(checks: list[Check]) -> Check:
    def check(value: object) -> None:
        for index, (each, one) in enumerate(zip(checks, value if is_list(value) else (), strict=False)):
            _at(index, each, one)

    return check


def _combined(keyword: str, checks: list[Check]) -> Check:
    if keyword == "allOf":
        return _all(checks)

    def check(value: object) -> None:
        misfits = [misfit for misfit in (_misfit(each, value) for each in checks) if misfit is not None]
        fitting = len(checks) - len(misfits)
        if not fitting:
            raise _furthest(misfits) if misfits else Unfit("no value is allowed here")
        if keyword == "oneOf" and fitting > 1:
            raise Unfit(f"expected to fit exactly one of {len(checks)} schemas, fits {fitting}")

    return check


def _furthest(misfits: list[Unfit]) -> Unfit:
    """The misfit of the schema that went along furthest; where others came as far, theirs would do as well."""
    furthest = max(misfits, key=lambda unfit: len(unfit.steps))
    alike = [misfit.expected for misfit in misfits if misfit.steps == furthest.steps]
    due = dict.fromkeys(said.removeprefix(_EXPECTED) for said in alike if said.startswith(_EXPECTED))
    if len(due) > 1 and furthest.expected.startswith(_EXPECTED):
        said = f"{_EXPECTED}{' or '.join(due)}"
        return Unfit(said, *furthest.steps, got=furthest.got, quotes=furthest.quotes, said=furthest.said)
    return furthest


def _not(inner: Check) -> Check:
    def check(value: object) -> None:
        if _misfit(inner, value) is None:
            raise Unfit("fits a schema that it must not fit")

    return check


def _misfit(check: Check, value: object) -> Unfit | None:
    try:
        check(value)
    except Unfit as unfit:
        return unfit
    return None
