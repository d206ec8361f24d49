"""A case as a test sees it: the row, with input and expected answer of the types that the test says."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from types import SimpleNamespace
from typing import Generic, TypeAlias, cast, final, get_args, get_origin, get_type_hints

import attrs
from returns.pipeline import is_successful
from returns.result import Result
from typing_extensions import TypeForm, TypeVar

from scorewright.faults import DefinitionError
from scorewright.results import err, ok
from scorewright.shapes.converter import structurer
from scorewright.suites.rows.row import Row

In_co = TypeVar("In_co", covariant=True, default=object)
Ref_co = TypeVar("Ref_co", covariant=True, default=object)


@final
@attrs.frozen
class Case(Generic[In_co, Ref_co]):
    """One row of an evaluation, under its id.

    A test that takes `case: Case[Question, str]` gets the input as a `Question` and the expected answer as a `str`; a
    row that does not fit fails its own test. Without types they are what the file holds.
    """

    id: str
    input: In_co
    expected: Ref_co
    row: Row = attrs.field(repr=False)

    @property
    def context(self) -> object:
        """What the answer may rest on."""
        return self.row.context

    @property
    def metadata(self) -> Mapping[str, object]:
        """What else is known of the row."""
        return self.row.metadata

    @property
    def tags(self) -> tuple[str, ...]:
        """Its tags."""
        return self.row.tags


Made: TypeAlias = Result[Case, str]


def case_maker(test: Callable[..., object], /) -> Callable[[Row], Made]:
    """From a row to the case that the test's own annotation asks for, or why the row does not fit it."""
    input, expected = (_reader(form) for form in _forms(test))

    def made(row: Row, /) -> Made:
        given = input(row.input)
        wanted = expected(row.expected)
        for name, read in (("input", given), ("expected", wanted)):
            if not is_successful(read):
                return err(f"{name} {read.failure()}")
        return ok(Case(row.id, given.unwrap(), wanted.unwrap(), row))

    return made


def _forms(test: Callable[..., object]) -> tuple[object, object]:
    parameter = inspect.signature(test).parameters.get("case")
    written: object = inspect.Parameter.empty if parameter is None else parameter.annotation
    if written is inspect.Parameter.empty:
        return object, object
    bare = inspect.unwrap(test)
    holder = SimpleNamespace(__annotations__={"case": written})
    try:
        names = cast("dict[str, object]", getattr(bare, "__globals__", {}))
        annotation: object = get_type_hints(holder, globalns=names)["case"]
    except Exception as unknown:  # noqa: BLE001 - an annotation may be anything
        raise DefinitionError(
            f"the annotation of `case`, {written}, cannot be read when tests run ({unknown}): its names are imported "
            "outside of TYPE_CHECKING"
        ) from None
    if get_origin(annotation) is not Case:
        return object, object
    given = get_args(annotation)
    return given[0], given[1] if len(given) > 1 else object


def _reader(form: object) -> Callable[[object], Result[object, str]]:
    if form is object:
        return ok
    read = structurer(cast("TypeForm[object]", form))

    def structured(value: object, /) -> Result[object, str]:
        found = read(value)
        if is_successful(found):
            return ok(found.unwrap())
        misfit = found.failure()
        return err(f"at {misfit.path}: {misfit.why}")

    return structured
