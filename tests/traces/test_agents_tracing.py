"""What OpenAI Agents and Logfire export: spans, run states, lists of events, requests with their responses."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from scorewright.agents import AgentRun, ToolInvocation, final_answer, system_prompt, tool_calls, user_text
from scorewright.traces import agent_run_of, read_runs

CALL = {"id": "c1", "type": "function", "function": {"name": "track", "arguments": '{"parcel": 7}'}}
ASKED = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Where is parcel 7?"}]


def runs(source: object) -> list[AgentRun]:
    return [read.unwrap() for read in read_runs(source)]


def span(id: str, parent: str | None, told: dict[str, object], error: object = None) -> dict[str, object]:
    return {
        "object": "trace.span",
        "id": id,
        "trace_id": "trace_1",
        "parent_id": parent,
        "started_at": f"2026-03-01T10:00:0{id[-1]}+00:00",
        "ended_at": f"2026-03-01T10:00:0{id[-1]}.5+00:00",
        "span_data": told,
        "error": error,
    }


AGENT = span("s1", None, {"type": "agent", "name": "clerk", "tools": ["track"], "handoffs": [], "output_type": "str"})
TRACE = {"object": "trace", "id": "trace_1", "workflow_name": "parcels", "group_id": "chat-9", "metadata": None}


def generation(id: str, given: list[object], said: object) -> dict[str, object]:
    told: dict[str, object] = {"type": "generation", "input": given, "output": [said], "model": "m"}
    return span(id, "s1", told | {"usage": {"input_tokens": 10, "output_tokens": 2}})


def exported() -> list[dict[str, object]]:
    asks = {"role": "assistant", "content": None, "tool_calls": [CALL]}
    result = {"role": "tool", "tool_call_id": "c1", "content": "depot"}
    return [
        TRACE,
        AGENT,
        generation("s2", [*ASKED], asks),
        span("s3", "s1", {"type": "function", "name": "track", "input": '{"parcel": 7}', "output": "depot"}),
        generation("s4", [*ASKED, asks, result], {"role": "assistant", "content": "At the depot."}),
    ]


@pytest.mark.parametrize("shape", ["list", "data", "lines"])
def test_exported_spans(shape: str, tmp_path: Path) -> None:
    """Spans as a list, as they are sent, or one a line, are one run."""
    source: object = exported()
    if shape == "data":
        source = {"data": exported()}
    if shape == "lines":
        source = tmp_path / "spans.jsonl"
        source.write_text("\n".join(map(json.dumps, exported())))
    [run] = runs(source)
    assert (run.agent_name, run.model, run.conversation_id, run.status) == ("clerk", "m", "chat-9", "ok")
    assert (system_prompt(run.input), user_text(run.input)) == ("Be brief.", "Where is parcel 7?")
    assert [(c.id, c.name, c.args, c.result) for c in tool_calls(run.output)] == [
        ("c1", "track", {"parcel": 7}, "depot")
    ]
    assert run.final_output == "At the depot."
    assert run.usage is not None
    assert (run.usage.input_tokens, run.usage.output_tokens) == (20, 4)
    assert run.gaps == ()


def test_a_response_span_says_where_its_content_is() -> None:
    """The export holds the id of the response only: the run is not scorable, and the gap names the id."""
    spans = [AGENT, span("s2", "s1", {"type": "response", "response_id": "resp_5"})]
    [run] = runs(spans)
    assert run.content == "not_captured"
    assert ("content_elsewhere", "resp_5") in [(gap.code, gap.detail) for gap in run.gaps]


def test_a_tool_that_failed_a_handoff_and_a_tool_of_mcp() -> None:
    """The error stays with its call; who was handed to is a call, and its run another one."""
    spans = [
        *exported()[:3],
        span(
            "s3",
            "s1",
            {"type": "function", "name": "track", "input": "{}", "output": None},
            {"message": "no such parcel", "data": {"error": "KeyError"}},
        ),
        span(
            "s4", "s1", {"type": "function", "name": "ask", "input": "{}", "output": "1", "mcp_data": {"server": "s"}}
        ),
        span("s5", "s1", {"type": "handoff", "from_agent": "clerk", "to_agent": "Claims desk"}),
        span("s6", None, {"type": "agent", "name": "Claims desk"}),
        span(
            "s7", "s6", {"type": "generation", "input": [*ASKED], "output": [{"role": "assistant", "content": "Lost."}]}
        ),
        span("s8", "s6", {"type": "guardrail", "name": "polite", "triggered": False}),
    ]
    first, second = runs(spans)
    track, ask, handoff = tool_calls(first.output)
    assert (track.state, track.error and track.error.message) == ("error", "no such parcel")
    assert (ask.kind, ask.server, handoff.kind, handoff.name) == ("mcp", "s", "handoff", "transfer_to_claims_desk")
    assert (second.agent_name, second.final_output) == ("Claims desk", "Lost.")


def test_spans_of_the_framework_itself() -> None:
    """What a trace processor saw: a response's content is read from the object, which the export leaves out."""
    pytest.importorskip("agents.tracing", reason="pip install -e '.[frameworks]'")
    from agents import RunResult
    from agents.tracing import (
        Span,
        Trace,
        TracingProcessor,
        agent_span,
        function_span,
        generation_span,
        handoff_span,
        set_trace_processors,
        trace,
    )

    del RunResult
    seen: list[object] = []

    class Keeps(TracingProcessor):
        def on_trace_start(self, trace: Trace) -> None:
            seen.append(trace)

        def on_trace_end(self, trace: Trace) -> None: ...

        def on_span_start(self, span: Span[object]) -> None: ...  # type: ignore[type-var]  # its data has no public bound

        def on_span_end(self, span: Span[object]) -> None:  # type: ignore[type-var]  # the same
            seen.append(span)

        def shutdown(self) -> None: ...

        def force_flush(self) -> None: ...

    set_trace_processors([Keeps()])
    try:
        with trace("parcels"), agent_span("clerk"):
            with generation_span([*ASKED], [{"role": "assistant", "content": None, "tool_calls": [CALL]}], "m"):
                pass
            with function_span("track", '{"parcel": 7}', "depot"):
                pass
            with handoff_span("clerk", "desk"):
                pass
    finally:
        set_trace_processors([])
    run = agent_run_of(seen).unwrap()
    assert [(call.name, call.kind) for call in tool_calls(run.output)] == [
        ("track", "function"),
        ("transfer_to_desk", "handoff"),
    ]
    assert user_text(run.input) == "Where is parcel 7?"


def logfire(**attributes: object) -> dict[str, object]:
    return {"span_id": "m", "trace_id": "t", "start_time": "2026-03-01T10:00:00Z", "attributes": attributes}


REQUESTS: list[tuple[dict[str, object], dict[str, object]]] = [
    ({"messages": ASKED}, {"message": {"role": "assistant", "content": "At the depot."}}),
    ({"messages": ASKED}, {"combined_chunk_content": "At the depot.", "chunk_count": 3}),
    ({"system": "Be brief.", "messages": ASKED[1:]}, {"message": {"role": "assistant", "content": "At the depot."}}),
    ({"instructions": "Be brief.", "input": "Where is parcel 7?"}, {"message": {"content": "At the depot."}}),
]


@pytest.mark.parametrize(("request_data", "response_data"), REQUESTS)
@pytest.mark.parametrize("as_text", [True, False])
def test_requests_of_logfire(request_data: dict[str, object], response_data: dict[str, object], as_text: bool) -> None:
    """Chat, stream, Anthropic's and the Responses API's request, as JSON or as objects."""
    both = {"request_data": request_data, "response_data": response_data}
    [run] = runs([logfire(**({name: json.dumps(each) for name, each in both.items()} if as_text else both))])
    assert (system_prompt(run.input), user_text(run.input)) == ("Be brief.", "Where is parcel 7?")
    assert (run.final_output, run.content) == ("At the depot.", "captured")


def test_events_in_an_attribute() -> None:
    """Of a model call with a choice, of one without, and of a whole agent run of an older pydantic-ai."""
    given = [{"event.name": f"gen_ai.{each['role']}.message", **each} for each in ASKED]
    choice = {"event.name": "gen_ai.choice", "index": 0, "message": {"role": "assistant", "content": "At the depot."}}
    said = {"event.name": "gen_ai.assistant.message", "role": "assistant", "content": "At the depot."}
    calls: list[dict[str, object]] = [
        {"event.name": "gen_ai.assistant.message", "role": "assistant", "tool_calls": [CALL]},
        {"event.name": "gen_ai.tool.message", "role": "tool", "id": "c1", "content": "depot"},
    ]
    chat = {"gen_ai.operation.name": "chat", "gen_ai.request.model": "m"}
    told = [
        logfire(**chat, events=json.dumps([*given, choice])),
        logfire(**chat, events=[*given, said]),
        logfire(agent_name="clerk", all_messages_events=json.dumps([*given, *calls, said])),
    ]
    for each in told:
        [run] = runs([each])
        assert (system_prompt(run.input), user_text(run.input)) == ("Be brief.", "Where is parcel 7?")
        assert final_answer(run.output) == "At the depot."
    [run] = runs([told[2]])
    assert [call.result for call in tool_calls(run.output)] == ["depot"]


def agents_under_logfire() -> Iterator[dict[str, object]]:
    def each(id: str, parent: str, template: str, **more: object) -> dict[str, object]:
        attributes = {"logfire.msg_template": template, "gen_ai.system": "openai", **more}
        context = {"trace_id": 1, "span_id": int(id)}
        above = {"trace_id": 1, "span_id": int(parent)} if parent else None
        return {"context": context, "parent": above, "start_time": int(id) * 10**9, "attributes": attributes}

    asks = {"event.name": "gen_ai.assistant.message", "role": "assistant", "tool_calls": [CALL]}
    user = {"event.name": "gen_ai.user.message", "role": "user", "content": "Where is parcel 7?"}
    model = {"gen_ai.operation.name": "chat", "gen_ai.request.model": "m"}
    yield each("1", "", "OpenAI Agents trace: {name}", name="parcels")
    yield each("2", "1", "Agent run: {name!r}", name="clerk", tools='["track"]')
    yield each("3", "2", "Responses API with {gen_ai.request.model!r}", **model, events=json.dumps([user, asks]))
    yield each("4", "2", "Function: {name}", name="track", input='{"parcel": 7}', output="4", mcp_data="null")
    done = {"event.name": "gen_ai.choice", "message": {"role": "assistant", "content": "At the depot."}}
    yield each("5", "2", "Responses API with {gen_ai.request.model!r}", **model, events=json.dumps([user, asks, done]))


def test_agents_under_logfire() -> None:
    """Its agents and functions are known by the template of their message."""
    [run] = runs(list(agents_under_logfire()))
    [call] = tool_calls(run.output)
    assert isinstance(call, ToolInvocation)
    assert (run.agent_name, call.id, call.args, call.result, call.kind) == (
        "clerk",
        "c1",
        {"parcel": 7},
        "4",
        "function",
    )
    assert run.final_output == "At the depot."
