"""Pydantic models: their schema, their fields, and strict reading; pydantic is loaded only by who defines one."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from typing import TypeGuard, get_args

from scorewright.faults import DefinitionError
from scorewright.shapes.closing import closed
from scorewright.shapes.json_schema import checker
from scorewright.shapes.misfit import Step, Unfit, as_written, refused
from scorewright.shapes.records import Part
from scorewright.shapes.values import is_list, is_object

_RAISED = frozenset({"value_error", "assertion_error"})
_TAG = "union_tag_invalid"  # the one message of pydantic's own that repeats a text of the value


def is_model(form: object, /) -> TypeGuard[type]:
    """Whether `form` is a pydantic model or a pydantic dataclass."""
    return "pydantic" in sys.modules and isinstance(form, type) and hasattr(form, "__pydantic_validator__")


def model_schema(cls: type, /) -> Mapping[str, object]:
    """The schema that the model itself gives."""
    from pydantic import TypeAdapter
    from pydantic.errors import PydanticUserError

    try:
        return TypeAdapter[object](cls).json_schema()
    except PydanticUserError as raised:
        raise DefinitionError(f"{cls.__name__}: pydantic gives no JSON schema for it: {raised.message}") from raised


def model_reader(cls: type, /) -> Callable[[object], object]:
    """Strict validation as of JSON: no coercion, and no key that no model names."""
    from json import dumps

    from pydantic import TypeAdapter, ValidationError
    from pydantic_core.core_schema import ErrorType

    adapter = TypeAdapter[object](cls)
    check = checker(closed(adapter.json_schema(), all_required=False, formats=True), forgiving=True)

    def read(value: object) -> object:
        check(value)  # pydantic alone takes True for Literal[1], and extra keys
        try:
            return adapter.validate_json(dumps(value, allow_nan=False), strict=True)
        except ValidationError as raised:
            first = raised.errors(include_url=False, include_input=False)[0]
            steps, told = _steps(value, first["loc"]), first.get("ctx", {})
            if first["type"] == _TAG:
                raise as_written(f"expected a tag among {told['expected_tags']}", told["tag"], *steps) from raised
            own = first["type"] not in get_args(ErrorType) or first["type"] in _RAISED
            raise (refused if own else Unfit)(first["msg"], *steps) from raised
        except Exception as raised:  # the model's own validators may raise anything
            raise refused(f"{type(raised).__name__}: {raised}") from raised

    return read


def model_parts(cls: type, /) -> tuple[Part, ...]:
    """The fields of a model, as far as a union needs them to tell its members apart."""
    fields: object = getattr(cls, "__pydantic_fields__", {})
    if not is_object(fields):  # pragma: no cover - pydantic always has a dict here
        return ()
    return tuple(_part(name, field) for name, field in fields.items())


def _part(name: str, field: object) -> Part:
    alias: object = getattr(field, "validation_alias", None) or getattr(field, "alias", None)
    needed: object = getattr(field, "is_required", None)
    return Part(
        key=alias if isinstance(alias, str) else name,
        form=getattr(field, "annotation", object),
        required=bool(needed()) if callable(needed) else False,
    )


def _steps(value: object, location: tuple[Step, ...]) -> list[Step]:
    """Pydantic's location without the union members that it puts between the keys."""
    steps: list[Step] = []
    for index, step in enumerate(location):
        if is_object(value) and (step in value or index == len(location) - 1):
            value = value.get(str(step))
        elif is_list(value) and isinstance(step, int) and step < len(value):
            value = value[step]
        else:
            continue
        steps.append(step)
    return steps


def model_dumped(value: object, /) -> object:
    """The JSON value of a model, None for anything else."""
    if not is_model(type(value)):
        return None
    from pydantic import TypeAdapter

    return TypeAdapter[object](type(value)).dump_python(value, mode="json", by_alias=True)
