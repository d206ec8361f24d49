"""References for the runs of traces: by id or by a function, as the type that each scorer expects."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias, cast

from returns.pipeline import is_successful
from returns.result import Result
from typing_extensions import TypeForm

from scorewright.agents import AgentRun
from scorewright.core.guard import raised
from scorewright.faults import InvalidRun, StepRaised
from scorewright.results import err, ok
from scorewright.shapes.converter import structurer
from scorewright.traces.targets import SpanReader, Target

References: TypeAlias = Mapping[str, object] | Callable[[AgentRun], object]
Expect: TypeAlias = Callable[[SpanReader, Target], Result[object, InvalidRun | StepRaised]]


def finding(references: References | None, /) -> Expect:
    """What finds the reference of a target for a scorer; None where there is none."""

    def expect(reader: SpanReader, target: Target, /) -> Result[object, InvalidRun | StepRaised]:
        if references is None:
            return ok(None)
        if not callable(references):
            return expected_as(reader, by_id(references, target.run))
        try:
            return expected_as(reader, references(target.run))
        except Exception as exception:  # noqa: BLE001 - a user's function may raise anything
            return err(StepRaised(raised(exception)))

    return expect


def by_id(references: Mapping[str, object], run: AgentRun, /) -> object:
    """The reference under the id of the run's span, of the run, or of its trace; None where there is none.

    >>> by_id({"t1": "At the depot."}, AgentRun(span_id="s1", trace_id="t1"))
    'At the depot.'
    """
    ids = (run.span_id, run.id, run.trace_id)
    return next((references[id] for id in ids if id and id in references), None)


def expected_as(reader: SpanReader, reference: object, /) -> Result[object, InvalidRun]:
    """A reference as the type that a scorer expects: a value of that type as it is, JSON read as one."""
    form = reader.scorer.about.expected
    if reference is None or form is object or (isinstance(form, type) and isinstance(reference, form)):
        return ok(reference)
    read = structurer(cast("TypeForm[object]", form))(reference)
    if is_successful(read):
        return ok(read.unwrap())
    misfit = read.failure()
    return err(InvalidRun(f"$.expected{misfit.path.removeprefix('$')}", misfit.why))
