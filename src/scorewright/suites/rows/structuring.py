"""From rows to runs of a scorer's own types: strictly, and with the path of what does not fit."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias, cast, final

import attrs
from returns.pipeline import is_successful
from returns.result import Result
from typing_extensions import TypeForm

from scorewright.agents import AgentInput, AgentOutput, AgentRun, Trajectory
from scorewright.core import Run, Scorer
from scorewright.core.collection import SomeScorer
from scorewright.faults import DefinitionError, InvalidRun, NotScorable
from scorewright.results import err, ok
from scorewright.shapes import Misfit
from scorewright.shapes.converter import structurer
from scorewright.shapes.records import is_record, parts_of
from scorewright.shapes.values import is_object
from scorewright.suites.rows.conversations import agent_run
from scorewright.suites.rows.row import ABSENT, Row
from scorewright.traces.targets import SpanReader, Target, span_reader

AnyScorer: TypeAlias = Scorer[object, object, object, object]
Structured: TypeAlias = Callable[[object], Result[object, Misfit]]
Unfit: TypeAlias = NotScorable | InvalidRun
ReadRun: TypeAlias = Result[Run[object, object, object], Unfit]
READING = "row"  # the step that failed when a row does not fit a scorer's types
_CONTEXT = "context"
_AGENTS: frozenset[object] = frozenset({AgentInput, AgentOutput, AgentRun, Trajectory})


@final
@attrs.frozen
class WithContext:
    """How the context of a row gets into an input with a field for it; `only` is where a plain input goes."""

    read: Structured
    only: str | None

    def __call__(self, input: object, context: object, /) -> object:
        """The input with the context, where there is one; as it was where it holds one, or has no place for one."""
        if not is_object(input):
            if self.only is None:
                return input
            input = {self.only: input}
        if context is None or _CONTEXT in input:
            return input
        several = isinstance(context, str) and not is_successful(self.read(context))
        return {**input, _CONTEXT: [context] if several else context}


@final
@attrs.frozen
class RowReader:
    """A scorer, and what makes runs of its own types out of rows.

    A scorer of agents takes the row's trace, or the messages that its input and output hold. Any other takes input and
    output as they are; where there is no output but a trace, it takes what the trace's agent was asked and answered.
    """

    scorer: AnyScorer
    input: Structured
    output: Structured
    expected: Structured
    spans: SpanReader | None = None
    context: WithContext | None = None
    of_agents: bool = False
    step: str = attrs.field(default=READING, kw_only=True)

    def run(self, row: Row, /) -> ReadRun:
        """The row as this scorer's run, under the row's id; a reference answer that is absent stays so."""
        expected = ok(None) if row.expected is None else self.expected(row.expected)
        if not is_successful(expected):
            return err(_invalid("expected", expected.failure()))
        if self.spans is not None and (self.of_agents or row.output is ABSENT):
            told = agent_run(row)
            if told is not None:
                if not is_successful(told):
                    return err(told.failure())
                read = self.spans.run(Target(told.unwrap()))
                return read if not is_successful(read) else ok(_run_of(row, read.unwrap(), expected.unwrap()))
        if row.output is ABSENT:
            return err(NotScorable("the row has no output"))
        given = row.input if self.context is None else self.context(row.input, row.context)
        input, output = self.input(given), self.output(row.output)
        if not is_successful(input):
            return err(_invalid("input", input.failure()))
        if not is_successful(output):
            return err(_invalid("output", output.failure()))
        return ok(_made(row, input.unwrap(), output.unwrap(), expected.unwrap(), row.metadata))


def _run_of(row: Row, read: Run[object, object, object], expected: object) -> Run[object, object, object]:
    """The run of an agent under the id of the row, with what both say about it."""
    return _made(row, read.input, read.output, expected, {**read.metadata, **row.metadata})


def _made(
    row: Row, input: object, output: object, expected: object, metadata: Mapping[str, object]
) -> Run[object, object, object]:
    if row.context is not None and _CONTEXT not in metadata:
        metadata = {**metadata, _CONTEXT: row.context}
    return Run(input, output, expected, run_id=row.id, request_context=row.request_context, metadata=metadata)


def _invalid(field: str, misfit: Misfit) -> InvalidRun:
    return InvalidRun(f"$.{field}{misfit.path.removeprefix('$')}", misfit.why)


def row_reader(scorer: SomeScorer, /) -> RowReader:
    """The reader of a scorer; types that no row can be structured into raise `DefinitionError`."""
    about = scorer.about
    input, output, expected = (
        structurer(cast("TypeForm[object]", form))  # forms are kept as what they are, which no checker can follow
        for form in (about.input, about.output, about.expected)
    )
    return RowReader(
        cast("AnyScorer", scorer),  # the runs that it reads have the types that the scorer names
        input,
        output,
        expected,
        _spans(scorer),
        _with_context(about.input),
        _is_agents(about.input) or _is_agents(about.output),
    )


def _is_agents(form: object) -> bool:
    return isinstance(form, type) and form in _AGENTS


def _spans(scorer: SomeScorer) -> SpanReader | None:
    try:
        return span_reader(scorer)
    except DefinitionError:
        return None


def _with_context(form: object) -> WithContext | None:
    if not is_record(form):
        return None
    parts = {part.key: part for part in parts_of(form)}
    if _CONTEXT not in parts:
        return None
    others = [key for key in parts if key != _CONTEXT]
    due = [key for key in others if parts[key].required] or others[:1]
    read = structurer(cast("TypeForm[object]", parts[_CONTEXT].form))  # as above
    return WithContext(read, due[0] if len(due) == 1 else None)
