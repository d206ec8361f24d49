"""Runs of a scorer's own types out of rows."""

from __future__ import annotations

import json
from pathlib import Path

import attrs
import pytest

from scorewright import Scorer, create_scorer, pure
from scorewright.agents import (
    AgentInput,
    AgentOutput,
    AgentRun,
    Trajectory,
    answered,
    asked,
    create_agent_scorer,
    create_trajectory_scorer,
    tool_calls,
)
from scorewright.core import Run
from scorewright.faults import InvalidRun, NotScorable
from scorewright.library.judged.runs import Asked
from scorewright.suites import Place, Row
from scorewright.suites.rows.structuring import row_reader

AGENTIC = create_agent_scorer("frugal").generate_score(pure(lambda s: len(tool_calls(s.run.output)) <= 3))


@attrs.frozen
class Question:
    question: str
    context: list[str]
    lang: str = "en"


@attrs.frozen
class Passage:
    question: str
    lang: str
    context: str


def scorer(input: type, output: type = str) -> Scorer[object, object]:
    return create_scorer("it", input=input, output=output, expected=int | None).generate_score(pure(lambda _: 1.0))


def run(input: type, row: Row) -> Run[object, object, object]:
    return row_reader(scorer(input)).run(row).unwrap()


def fault(input: type, row: Row) -> InvalidRun | NotScorable:
    return row_reader(scorer(input)).run(row).failure()


def test_a_run_has_the_scorers_types() -> None:
    """And what the row says about it, under its id."""
    row = Row("a", {"question": "q", "context": ["c"]}, "x", 3, request_context={"u": 1}, metadata={"m": 2})
    made = run(Question, row)
    assert (made.input, made.output, made.expected) == (Question("q", ["c"]), "x", 3)
    assert (made.run_id, made.request_context, made.metadata) == ("a", {"u": 1}, {"m": 2})


@pytest.mark.parametrize(
    ("row", "path", "why"),
    [
        (Row("a", {"question": 1, "context": []}, "x"), "$.input.question", "expected a string, got an integer"),
        (Row("a", {"question": "q", "context": []}, 5), "$.output", "expected a string, got an integer"),
        (Row("a", {"question": "q", "context": []}, "x", "3"), "$.expected", "expected int | None, got a string"),
    ],
)
def test_what_does_not_fit_has_its_path(row: Row, path: str, why: str) -> None:
    """Nothing is coerced."""
    found = fault(Question, row)
    assert isinstance(found, InvalidRun)
    assert found.path == path
    assert found.why == why


def test_a_row_without_an_output_is_not_scorable() -> None:
    """It waits for a target; null is an output."""
    assert fault(str, Row("a", "q")) == NotScorable("the row has no output")
    assert isinstance(fault(str, Row("a", "q", None)), InvalidRun)


@pytest.mark.parametrize(
    ("given", "context"),
    [("q", ["c", "d"]), ({"question": "q"}, ["c", "d"]), ({"question": "q", "context": ["c", "d"]}, ["other"])],
)
def test_the_context_is_a_field_of_an_input_that_has_one(given: object, context: object) -> None:
    """A plain input is its one other required field; a context that the input holds already is left as it is."""
    assert run(Question, Row("a", given, "x", context=context)).input == Question("q", ["c", "d"])


def test_one_text_is_a_list_of_one_where_a_list_is_due() -> None:
    """And a text where a text is."""
    assert run(Question, Row("a", "q", "x", context="c")).input == Question("q", ["c"])
    given = {"question": "q", "lang": "de"}
    assert run(Passage, Row("a", given, "x", context="c")).input == Passage("q", "de", "c")
    assert isinstance(fault(Passage, Row("a", "q", "x", context="c")), InvalidRun)


def test_a_plain_input_is_the_one_field_that_is_due_also_without_a_context() -> None:
    """Or the first field, where none is due: so rows of texts serve the judged scorers."""
    assert run(Asked, Row("a", "q", "x")).input == Asked("q")
    assert run(Asked, Row("a", "q", "x", context=["c", "d"])).input == Asked("q", ("c", "d"))


def test_the_context_is_metadata_in_any_case() -> None:
    """So a scorer of texts sees it too; metadata of that name is left as it is."""
    assert run(str, Row("a", "q", "x", context="c")).metadata == {"context": "c"}
    assert run(str, Row("a", "q", "x", context="c", metadata={"context": 1})).metadata == {"context": 1}


CALLS: list[object] = [
    {"role": "assistant", "content": None, "tool_calls": [
        {"id": "1", "type": "function", "function": {"name": "track", "arguments": "{}"}}]},
    {"role": "tool", "tool_call_id": "1", "content": "in Graz"},
    {"role": "assistant", "content": "It is in Graz."},
]  # fmt: skip
EARLIER: list[object] = [
    {"role": "system", "content": "Be brief."},
    {"role": "user", "content": "Hi"},
    {"role": "assistant", "content": "Hello"},
    {"role": "user", "content": "Where is my parcel?"},
]


def agent_run(row: Row) -> Run[AgentInput, AgentOutput, object]:
    made = row_reader(AGENTIC).run(row).unwrap()
    assert isinstance(made.input, AgentInput)
    assert isinstance(made.output, AgentOutput)
    return Run(made.input, made.output, made.expected, run_id=made.run_id)


def test_messages_make_the_run_of_an_agent() -> None:
    """The last that the user said is the input, what came before is remembered, and the output is what came out."""
    made = agent_run(Row("a", EARLIER, CALLS))
    assert [message.text for message in made.input.input_messages] == ["Where is my parcel?"]
    assert [message.text for message in made.input.remembered_messages] == ["Hi", "Hello"]
    assert [message.text for message in made.input.system_messages] == ["Be brief."]
    assert [(call.name, call.result) for call in tool_calls(made.output)] == [("track", "in Graz")]
    assert made.run_id == "a"


@pytest.mark.parametrize(
    "given", ["q", {"role": "user", "content": "q"}, {"messages": [{"role": "user", "content": "q"}]}]
)
def test_a_text_or_a_message_is_a_conversation_of_one(given: object) -> None:
    """So rows of plain texts can be scored by scorers of agents."""
    made = agent_run(Row("a", given, "x"))
    assert ([message.text for message in made.input.input_messages], made.output.messages[0].text) == (["q"], "x")


def test_a_trace_comes_before_input_and_output(tmp_path: Path) -> None:
    """As JSON, as a text of JSON, as a file beside the rows, or as a run that was read already."""
    (tmp_path / "trace.json").write_text(json.dumps([*EARLIER, *CALLS]))
    place = Place(str(tmp_path / "rows.jsonl"), 1)
    traces = [[*EARLIER, *CALLS], json.dumps([*EARLIER, *CALLS]), "trace.json"]
    for trace in traces:
        made = agent_run(Row("a", "q", "x", trace=trace, place=place))
        assert [call.name for call in tool_calls(made.output)] == ["track"]
    known = AgentRun(asked("q"), answered("x"))
    assert agent_run(Row("a", None, trace=known)).output == answered("x")


def test_a_trace_serves_other_scorers_where_there_is_no_output() -> None:
    """A scorer of texts takes what was asked and answered, one of trajectories the path."""
    row = Row("a", None, trace=[*EARLIER[-1:], *CALLS], context="c", metadata={"m": 1})
    made = run(str, row)
    assert (made.input, made.output, made.run_id) == ("Where is my parcel?", "It is in Graz.", "a")
    assert made.metadata == {"m": 1, "context": "c"}
    path = create_trajectory_scorer("path").generate_score(pure(lambda _: 1.0))
    output = row_reader(path).run(row).unwrap().output
    assert isinstance(output, Trajectory)
    assert [step.name for step in output.steps] == ["track"]


def test_values_in_our_own_form_are_read_too() -> None:
    """As they were before rows knew messages."""
    output: object = {"messages": [{"role": "assistant", "parts": []}]}
    made = row_reader(AGENTIC).run(Row("a", {"input_messages": []}, output))
    assert made.unwrap().input == AgentInput()


@pytest.mark.parametrize(
    ("row", "path"),
    [
        (Row("a", 5, "x"), "$.input"),
        (Row("a", None, trace="nowhere.json"), "$.trace"),
        (Row("a", None, trace=[]), "$.trace"),
        (Row("a", [{"role": "alien"}], [{"role": "assistant", "content": "x"}]), "$.input"),
    ],
)
def test_what_holds_no_run_of_an_agent_is_invalid(row: Row, path: str) -> None:
    """With the field that is to blame."""
    found = row_reader(AGENTIC).run(row).failure()
    assert isinstance(found, InvalidRun)
    assert found.path == path
