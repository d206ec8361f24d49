"""The one strict converter between JSON and Python values: judge replies and rows of data sets pass through it."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import cast

from returns.result import Result
from typing_extensions import TypeForm, TypeVar

from scorewright.faults import DefinitionError, Misfit
from scorewright.results import err, ok
from scorewright.shapes.misfit import Unfit
from scorewright.shapes.reading import Reader, reader

T = TypeVar("T")


def structure(value: object, form: TypeForm[T], /) -> Result[T, Misfit]:
    """The value of type `form` that a parsed JSON value stands for, or where and why it does not fit.

    Nothing is coerced but an integer where a float is wanted: no `"0.8"` for 0.8, no `"abc"` for a list, no 1.0 for 1.

    >>> structure({"a": [1, "2"]}, dict[str, list[int]])
    <Failure: Misfit(path='$.a[1]', expected='expected an integer', got='a string')>
    """
    try:
        read = structurer(form)
    except DefinitionError as unserved:
        return err(Misfit("$", str(unserved)))
    return read(value)


def structurer(form: TypeForm[T], /) -> Callable[[object], Result[T, Misfit]]:
    """`structure` for one type, compiled; raises `DefinitionError` for a type that is not served."""
    read = cast("Callable[[object], T]", reader_of(form))  # made from the type's anatomy, which no checker can follow

    def structured(value: object, /) -> Result[T, Misfit]:
        try:
            return ok(read(value))
        except Unfit as unfit:
            return err(unfit.misfit())
        except RecursionError:
            return err(Misfit("$", "is nested too deeply"))

    return structured


def reader_of(form: object, /) -> Reader:
    """The reader of a type, made once; raises `DefinitionError` for a type that is not served."""
    try:
        hash(form)
    except TypeError:  # it holds an Annotated note that cannot be hashed
        return _made(form)
    return _kept(form)


@lru_cache(maxsize=1024)
def _kept(form: object) -> Reader:
    return _made(form)


def _made(form: object) -> Reader:
    try:
        return reader(form, {})
    except RecursionError as raised:
        raise DefinitionError(f"{form} holds itself with no class in between; put a class there") from raised
