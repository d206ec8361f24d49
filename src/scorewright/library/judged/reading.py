"""A step that asks a prompt of the library for a typed answer, and is told what is wrong with it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from json import dumps, loads

import attrs
from returns.pipeline import is_successful
from returns.result import Result
from typing_extensions import TypeForm, TypeVar

from scorewright.core import Outcome, PromptStep
from scorewright.faults import JudgeFault, SchemaMismatch
from scorewright.library.judged.template import Template
from scorewright.library.judged.tidying import decoder, shown
from scorewright.results import err
from scorewright.shapes import shape_of

S = TypeVar("S")
T = TypeVar("T")


def fits(_step: object, _answer: object, /) -> str:
    """There is no objection."""
    return ""


def asking(
    prompt: Template,
    output: TypeForm[T],
    fields: Callable[[S], Mapping[str, str | int]],
    /,
    *,
    objection: Callable[[S, T], str] = fits,
    due: Callable[[S], int] | None = None,
) -> Callable[[S], Outcome[T, JudgeFault]]:
    """A step that asks a prompt of the library, filled with `fields`, for a value to which there is no objection.

    What `objection` says is told to the judge as a wrong shape is, once; after that it is the fault `SchemaMismatch`.
    `due` counts what the first list of the answer has to hold: the schema that is asked for then says so.
    """
    shape = shape_of(output)
    decode = decoder(shape)

    def finish(step: S, text: str) -> Result[T, JudgeFault]:
        decoded = decode(text)
        why = objection(step, decoded.unwrap()) if is_successful(decoded) else ""
        return err(SchemaMismatch(text, "$", why)) if why else decoded

    def said(step: S) -> str:
        return prompt.filled(**fields(step))

    schema = written(shown(shape.schema))
    step = PromptStep(said, finish, schema, shape.name, prompt.mark, None)
    if due is None:
        return step
    count: Callable[[S], int] = due
    return lambda given: attrs.evolve(step, schema=_sized(schema, count(given)))(given)


@lru_cache(maxsize=256)
def _sized(schema: str, number: int) -> str:
    """The schema with so many items in its first list."""
    told: dict[str, dict[str, dict[str, object]]] = loads(schema)
    lists = (part for part in told["properties"].values() if part.get("type") == "array")
    next(lists).update(minItems=number, maxItems=number)
    return written(told)


def written(schema: object, /) -> str:
    """A schema as requests carry it."""
    return dumps(schema, ensure_ascii=False, separators=(",", ":"))
