"""A prompt step whose answer must also agree with what we know; the judge is told like of a wrong shape."""

from __future__ import annotations

from collections.abc import Callable
from json import dumps

from returns.pipeline import is_successful
from returns.result import Result
from typing_extensions import TypeForm, TypeVar

from scorewright.core.ask import Outcome
from scorewright.core.prompt import PromptStep, Said
from scorewright.faults import JudgeFault, SchemaMismatch
from scorewright.results import err
from scorewright.shapes import shape_of, unstructure

S = TypeVar("S")
T = TypeVar("T")


def checked_prompt(
    output: TypeForm[T],
    create_prompt: Callable[[S], Said],
    objection: Callable[[T], str],
    /,
    *,
    description: str = "",
) -> Callable[[S], Outcome[T, JudgeFault]]:
    """A step whose judge answers a value of `output` to which there is no objection: no text but the empty one."""
    shape = shape_of(output)

    def finish(_: S, text: str) -> Result[T, JudgeFault]:
        decoded = shape.decode(text)
        why = objection(decoded.unwrap()) if is_successful(decoded) else ""
        return err(SchemaMismatch(text, "$", why)) if why else decoded

    schema = dumps(shape.schema, ensure_ascii=False, separators=(",", ":"))
    return PromptStep(create_prompt, finish, schema, shape.name, description, None)


def as_text(value: object, /) -> str:
    """What a judge is shown of an input or an output: a text as it is, anything else as JSON."""
    return value if isinstance(value, str) else dumps(unstructure(value), ensure_ascii=False, indent=2)


def applied(generic: type, argument: object, /) -> object:
    """`generic[argument]`, for a type that is known only as a value."""
    apply: Callable[[object], object] = getattr(generic, "__class_getitem__")  # noqa: B009 - a checker would read a type
    return apply(argument)


def tuple_of(argument: object, /) -> object:
    """`tuple[argument, ...]`, for a type that is known only as a value."""
    return applied(tuple, (argument, ...))


def list_of(names: list[str], word: str, /) -> str:
    """`missing: a, b`, or nothing.

    >>> list_of(["a", "b"], "missing")
    'missing: a, b'
    """
    return f"{word}: {', '.join(names)}" if names else ""
