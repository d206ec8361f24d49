"""Log records without a span's id find their calls by the trace's."""

from __future__ import annotations

from scorewright.agents import AgentRun, tool_calls, user_text
from scorewright.traces import read_runs


def record(at: int, name: str, body: object, trace: str = "t1", **more: object) -> dict[str, object]:
    said = {"key": "event.name", "value": {"stringValue": name}}
    return {
        "traceId": trace,
        "timeUnixNano": f"{1_760_000_000_000_000_000 + at}",
        "attributes": [said],
        "body": wrap(body),
        **more,
    }


def wrap(value: object) -> object:
    if isinstance(value, dict):
        return {"kvlistValue": {"values": [{"key": key, "value": wrap(each)} for key, each in value.items()]}}
    if isinstance(value, list):
        return {"arrayValue": {"values": [wrap(each) for each in value]}}
    return {"stringValue": value}


CALL = {"id": "c1", "function": {"name": "weather", "arguments": '{"city": "Graz"}'}}
TOLD = [
    record(0, "gen_ai.system.message", {"content": "Be brief."}),
    record(1, "gen_ai.user.message", {"content": "Rain in Graz?"}),
    record(2, "gen_ai.choice", {"message": {"role": "assistant", "tool_calls": [CALL]}}),
    record(3, "gen_ai.system.message", {"content": "Be brief."}),
    record(4, "gen_ai.user.message", {"content": "Rain in Graz?"}),
    record(5, "gen_ai.assistant.message", {"tool_calls": [CALL]}),
    record(6, "gen_ai.tool.message", {"id": "c1", "content": "yes"}),
    record(7, "gen_ai.choice", {"message": {"role": "assistant", "content": "It rains."}}),
]


def logs(records: list[dict[str, object]]) -> dict[str, object]:
    return {"resourceLogs": [{"scopeLogs": [{"logRecords": records}]}]}


def spans(*given: dict[str, object]) -> dict[str, object]:
    return {"resourceSpans": [{"scopeSpans": [{"spans": list(given)}]}]}


def span(id: str, operation: str, at: int, parent: str = "") -> dict[str, object]:
    attribute = {"key": "gen_ai.operation.name", "value": {"stringValue": operation}}
    begun = 1_760_000_000_000_000_000 + at
    return {
        "traceId": "t1",
        "spanId": id,
        "parentSpanId": parent,
        "name": operation,
        "startTimeUnixNano": f"{begun}",
        "endTimeUnixNano": f"{begun + 3}",
        "attributes": [attribute],
    }


def told(*documents: object) -> list[AgentRun]:
    return [run.unwrap() for run in read_runs(list(documents) if len(documents) > 1 else documents[0])]


def holds_everything(run: AgentRun) -> bool:
    [call] = tool_calls(run.output)
    return (
        [message.text for message in run.input.system_messages] == ["Be brief."]
        and user_text(run.input) == "Rain in Graz?"
        and (call.name, call.args, call.result) == ("weather", {"city": "Graz"}, "yes")
        and run.final_output == "It rains."
    )


def test_logs_alone_make_a_run() -> None:
    """Two calls, the second of which repeats the first, are one conversation; records are sorted by their time."""
    [run] = told(logs(TOLD))
    assert holds_everything(run)
    [same] = told(logs(TOLD[::-1]))
    assert same.output == run.output


def test_records_join_the_calls_of_their_trace() -> None:
    """As many spans that asked a model as calls that were logged: each is told in its own."""
    agent = span("a", "invoke_agent", 0)
    [run] = told(spans(agent, span("m1", "chat", 0, "a"), span("m2", "chat", 3, "a")), logs(TOLD))
    assert run.span_id == "a"
    assert holds_everything(run)
    assert run.content == "captured"


def test_traces_are_kept_apart() -> None:
    """The trace's id says which run a record is of; without one it is of none."""
    other = [{**each, "traceId": "t2"} for each in TOLD]
    lost = [{key: held for key, held in each.items() if key != "traceId"} for each in TOLD]
    mixed = [each for pair in zip(TOLD, other, lost, strict=True) for each in pair]
    runs = told(logs(mixed))
    assert sorted(run.trace_id for run in runs) == ["t1", "t2"]
    assert all(map(holds_everything, runs))
