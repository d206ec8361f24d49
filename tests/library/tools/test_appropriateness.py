"""A judge on every tool call."""

from __future__ import annotations

from json import dumps

import pytest
from golden_rows import PRESENT, Row, agent_input, agent_output, items, mapping, rows
from library.trajectory.right import JUDGED

from scorewright import DefinitionError, JudgeRequest, NotScorable, Run, answering
from scorewright.agents import AgentInput, AgentRun, ToolDefinition, answered, asked, assistant, called
from scorewright.faults import InvalidRun, SchemaMismatch
from scorewright.judges import Judge
from scorewright.library.tools import tool_call_appropriateness
from scorewright.library.trajectory import Told

JUDGE = Judge("openai/gpt-4o-mini")
TOOLS = [ToolDefinition("weather", "get weather"), ToolDefinition("search", "search the web")]
golden = pytest.mark.skipif(not PRESENT, reason="the golden rows are not beside the repository")

ROWS = rows("llm-tool-call-accuracy")
# The replies of these rows judge calls that the run did not make, or leave out the one that it made; there that was
# taken (TL-INVENT). Here such an answer is a fault; what it is worth is held on a run with as many calls as verdicts.
OTHER_CALLS = {2: 2, 4: 0, 5: 2, 6: 2, 7: 7}


def definitions(row: Row) -> list[ToolDefinition]:
    listed = items(mapping(row["args"])["availableTools"])
    return [ToolDefinition(str(mapping(tool)["id"]), str(mapping(tool)["description"])) for tool in listed]


def replies(row: Row) -> list[str]:
    return [said if isinstance(said, str) else dumps(said) for said in items(row["judge_replies"])]


def with_calls(row: Row) -> Run[AgentInput, Told, None]:
    """The run of the row, with as many calls as its reply has verdicts."""
    given = agent_output(row["output"])
    if row.line not in OTHER_CALLS:
        return Run(agent_input(row["input"]), given)
    calls = [called("weather", {"day": day}, result="sun") for day in range(OTHER_CALLS[row.line])]
    return Run(agent_input(row["input"]), answered(assistant(*calls, "It is sunny")))


@golden
@pytest.mark.parametrize("row", ROWS, ids=str)
def test_the_replies_of_golden_rows_score_as_they_should(row: Row) -> None:
    """Their own replies, as they stand; rows with a defect get the right value, rows that raised have no score."""
    scorer = tool_call_appropriateness(JUDGE, tools=definitions(row))
    told = scorer.run_sync(with_calls(row), answer=answering(replies(row)))
    right = JUDGED[row.defects[0]].right(row) if row.defects else row.score
    assert told.map(lambda done: done.score).value_or(None) == right


@golden
@pytest.mark.parametrize("row", [row for row in ROWS if row.line in OTHER_CALLS], ids=str)
def test_verdicts_on_other_calls_than_those_made_are_a_fault(row: Row) -> None:
    """Invented and missing verdicts alike."""
    run = Run(agent_input(row["input"]), agent_output(row["output"]))
    told = tool_call_appropriateness(JUDGE, tools=definitions(row)).run_sync(run, answer=answering(replies(row)))
    assert isinstance(told.failure().cause, SchemaMismatch)


RUN = Run(asked("Weather in Bern?"), answered(assistant(called("weather", {"city": "Bern"}, result="sun")), "Sunny."))
GOOD = dumps({"evaluations": [{"index": 1, "reason": "asked for", "was_appropriate": True}], "missing_tools": []})


def test_the_judge_sees_request_tools_calls_and_results() -> None:
    """One question with all of it, fenced."""
    seen: list[JudgeRequest] = []

    def answer(request: JudgeRequest) -> str:
        seen.append(request)
        return GOOD

    told = tool_call_appropriateness(JUDGE, tools=TOOLS).run_sync(RUN, answer=answering(answer)).unwrap()
    assert (told.score, told.reason) == (1.0, "call 1, weather: appropriate (asked for)")
    [request] = seen
    for words in ("Weather in Bern?", "search the web", '{\\"city\\": \\"Bern\\"}', "sun"):
        assert words in request.prompt
    assert "<calls " in request.prompt


def test_verdicts_are_put_in_the_order_of_the_calls() -> None:
    """By the number that they name."""
    run = Run(asked("?"), answered(assistant(called("a", result=1), called("b", result=2))))
    said = {"evaluations": [_verdict(2, good=False), _verdict(1, good=True)]}
    told = tool_call_appropriateness(JUDGE).run_sync(run, answer=answering(dumps(said))).unwrap()
    assert told.reason == "call 1, a: appropriate (r)\ncall 2, b: not appropriate (r)"


@pytest.mark.parametrize("numbers", [[], [1, 1], [1, 2], [2], [0]])
def test_a_verdict_too_many_or_too_few_is_a_fault(numbers: list[int]) -> None:
    """No number is made of them."""
    said = dumps({"evaluations": [_verdict(number, good=True) for number in numbers]})
    assert isinstance(
        tool_call_appropriateness(JUDGE).run_sync(RUN, answer=answering(said)).failure().cause, SchemaMismatch
    )


def test_nothing_is_asked_where_there_is_nothing_to_judge() -> None:
    """Neither calls nor tools: 1, and a judge that is never reached."""
    told = (
        tool_call_appropriateness(JUDGE).run_sync(Run(asked("Hi"), answered("Hello.")), answer=answering([])).unwrap()
    )
    assert (told.score, told.reason, told.exchanges) == (1.0, "no tool was called", ())


def test_the_tools_of_a_whole_run_are_taken_from_it() -> None:
    """A run that called none of its tools is judged for what it left out."""
    whole = AgentRun(asked("Weather?"), answered("No idea."), tool_definitions=(ToolDefinition("weather"),))
    said = dumps({"evaluations": [], "missingTools": ["weather"]})
    told = tool_call_appropriateness(JUDGE).run_sync(whole.run.with_output(whole), answer=answering(said)).unwrap()
    assert (told.score, told.reason) == (0.0, "no tool was called\nshould have been called: weather")


def test_a_run_without_messages_and_one_with_too_many_calls_have_no_score() -> None:
    """The first holds nothing to judge; the second would not fit one question."""
    scorer = tool_call_appropriateness(JUDGE, max_calls=1)
    assert isinstance(scorer.run_sync(Run(asked("?"), answered()), answer=answering([])).failure().cause, NotScorable)
    two = Run(asked("?"), answered(assistant(called("a"), called("a"))))
    assert isinstance(scorer.run_sync(two, answer=answering([])).failure().cause, InvalidRun)


def test_wrong_options_are_refused_where_they_are_written() -> None:
    """With the way to mend them."""
    with pytest.raises(DefinitionError, match="ToolDefinition"):
        tool_call_appropriateness(JUDGE, tools=["search"])  # type: ignore[list-item]  # the mistake
    with pytest.raises(DefinitionError, match="takes a list"):
        tool_call_appropriateness(JUDGE, tools=None)  # type: ignore[arg-type]  # the mistake
    with pytest.raises(DefinitionError, match="max_calls"):
        tool_call_appropriateness(JUDGE, max_calls=0)


def _verdict(number: int, *, good: bool) -> dict[str, object]:
    return {"index": number, "reason": "r", "was_appropriate": good}
