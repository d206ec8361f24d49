"""From a row, or what the target made of it, to the program of a scorer that has begun on it."""

from __future__ import annotations

from typing import TypeAlias, final

import attrs
from returns.pipeline import is_successful
from returns.result import Result

from scorewright.core import Evaluation, Outcome, ScoringFailure
from scorewright.faults import InvalidRun, NotScorable, RunFault
from scorewright.results import err, ok
from scorewright.shapes import Misfit, unstructure
from scorewright.suites.assigned import Assigned
from scorewright.suites.rejudging import rejudged
from scorewright.suites.rows.row import Row
from scorewright.suites.rows.structuring import RowReader, Structured, row_reader
from scorewright.suites.settled import Settled
from scorewright.suites.targets import Answered, StepRun

Begun: TypeAlias = "Outcome[Evaluation, ScoringFailure[object]]"
LEFT_OUT = "the settings of the row leave this scorer out"


@final
@attrs.frozen
class Reader:
    """A scorer, what it is applied to, and what makes runs of its own types."""

    assigned: Assigned
    rows: RowReader = attrs.field(repr=False)  # of rows as they stand in a file: JSON
    values: RowReader = attrs.field(repr=False)  # of rows whose output is whatever a target handed back
    settled: Settled | None = attrs.field(default=None, repr=False)  # what is otherwise for some rows

    def begin(self, row: Row, /) -> Begun:
        """Begin the scorer's program on a row as it stands."""
        return self._begun(self.rows, row, row)

    def begin_answered(self, row: Row, answered: Answered, /) -> Begun:
        """Begin it on what the target made of the row."""
        if self.assigned.level != "step":
            return self._begun(self.values, row, _with(row, row.input, answered.output, answered.run))
        name = self.assigned.step
        if name not in answered.steps:
            there = ", ".join(answered.steps) or "none"
            return _unread(self.rows, row, NotScorable(f"the step {name!r} did not run; those that did: {there}"))
        given = answered.steps[name]
        if isinstance(given, StepRun):
            return self._begun(self.values, row, _with(row, given.input, given.output, None))
        return self._begun(self.values, row, _with(row, row.input, given, None))

    def _begun(self, reader: RowReader, row: Row, held: Row) -> Begun:
        """Begin on what is `held` of a row, as the settings of the row have it."""
        program = reader.scorer.program
        if self.settled is not None:
            settings = self.settled.of(row)
            if isinstance(settings, InvalidRun):
                return _unread(reader, row, settings)
            if self.assigned.id in settings.left_out:
                return _unread(reader, row, NotScorable(LEFT_OUT))
            if settings.judge is not None:
                program = rejudged(program, settings.judge)
        run = reader.run(held)
        return program(run.unwrap()) if is_successful(run) else _unread(reader, row, run.failure())


def _unread(reader: RowReader, row: Row, cause: RunFault) -> Begun:
    return err(ScoringFailure[object]((), (), row.id, step=reader.step, cause=cause, score=None))


def _with(row: Row, input: object, output: object, trace: object) -> Row:
    return attrs.evolve(row, input=input, output=output, trace=trace)


def reader_for(assigned: Assigned, settled: Settled | None = None, /) -> Reader:
    """The reader of a scorer; types that no row can be structured into raise `DefinitionError`."""
    rows = row_reader(assigned.scorer)
    about = assigned.scorer.about
    return Reader(
        assigned,
        rows,
        attrs.evolve(rows, input=or_value(rows.input, about.input), output=or_value(rows.output, about.output)),
        settled,
    )


def or_value(read: Structured, form: object, /) -> Structured:
    """The reader of a type, which also lets a value pass that is of the type, and reads others by their JSON form."""
    cls = form if isinstance(form, type) else None

    def structured(value: object, /) -> Result[object, Misfit]:
        if cls is not None and type(value) is cls:
            return ok(value)
        found = read(value)
        if is_successful(found):
            return found
        if cls is not None and isinstance(value, cls) and not isinstance(value, (bool, int, float)):
            return ok(value)
        try:
            plain = unstructure(value)
        except Exception:  # noqa: BLE001 - a user's class may raise anything when its fields are read; a cycle has no end
            return found
        again = read(plain)
        return again if is_successful(again) else found

    return structured
