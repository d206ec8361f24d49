"""Agent runs out of rows: out of a recorded trace, or out of the messages that went in and came out."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import attrs
from returns.pipeline import is_successful
from returns.result import Result

from scorewright.agents import AgentInput, AgentOutput, AgentRun, Message, final_answer
from scorewright.faults import InvalidRun
from scorewright.results import err, ok
from scorewright.shapes.values import is_list, is_object
from scorewright.suites.rows.row import ABSENT, Row
from scorewright.traces import read_runs
from scorewright.traces.conversing import last_turn
from scorewright.wording import describe


def agent_run(row: Row, /) -> Result[AgentRun, InvalidRun] | None:
    """The run of an agent that a row holds; None where it has neither a trace nor messages."""
    if row.trace is not None:
        return _recorded(row.trace, row)
    if isinstance(row.input, AgentRun):
        return ok(row.input)
    if row.output is ABSENT:
        return None
    asked, answered = _messages(row.input, "user"), _messages(row.output, "assistant")
    return None if asked is None or answered is None else _conversed(asked, answered)


def _recorded(trace: object, row: Row) -> Result[AgentRun, InvalidRun]:
    """The first run of a trace: JSON, a text of JSON, or the path of a file beside the rows."""
    if isinstance(trace, AgentRun):
        return ok(trace)
    if isinstance(trace, str):
        document = _parsed(trace)
        trace = document if document is not None else Path(row.place.file).parent / trace
    for read in read_runs(trace):
        if is_successful(read):
            return ok(read.unwrap())
        return err(InvalidRun("$.trace", describe(read.failure())))
    return err(InvalidRun("$.trace", "holds no run of an agent"))


def _parsed(text: str) -> object:
    if text.lstrip()[:1] not in {"{", "["}:
        return None
    try:
        document: object = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return document


def _messages(value: object, role: str) -> list[object] | None:
    """A text as one message, a message, a list of them, or an object that holds such a list; None for all else."""
    if isinstance(value, str):
        return [{"role": role, "content": value}]
    if is_object(value):
        if "role" in value:
            return [value]
        return _messages(value["messages"], role) if is_list(value.get("messages")) else None
    if is_list(value) and value and all(is_object(each) and "role" in each for each in value):
        return value
    return None


def _conversed(asked: list[object], answered: list[object]) -> Result[AgentRun, InvalidRun]:
    """The run of which the first messages went in: the user's last ones are this turn's, all before is remembered."""
    reading = next(iter(read_runs([*asked, *answered])), None)
    if reading is None or not is_successful(reading):
        why = "no messages" if reading is None else describe(reading.failure())
        return err(InvalidRun("$.input", f"the messages of input and output cannot be read: {why}"))
    run = reading.unwrap()
    given = [message for message in run.transcript if (message.position or 0) < len(asked)]
    said = tuple(message for message in run.transcript if (message.position or 0) >= len(asked))
    turn = last_turn(given) if any(message.role == "user" for message in given) else 0
    input = AgentInput(_of(given[turn:], user=True), tuple(given[:turn]), run.input.system_messages)
    output = AgentOutput((*_of(given[turn:], user=False), *said))
    final = final_answer(output) or None
    return ok(
        attrs.evolve(
            run, input=input, output=output, final_output=final, final_kind="none" if final is None else "text"
        )
    )


def _of(messages: Sequence[Message], *, user: bool) -> tuple[Message, ...]:
    return tuple(message for message in messages if (message.role == "user") is user)
