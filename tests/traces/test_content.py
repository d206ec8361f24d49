"""Records that tell what happened and not what was said: such a run has nothing to score, whatever wrote it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TypeAlias

import pytest
from returns.pipeline import is_successful

from scorewright.agents import AgentRun
from scorewright.traces import read_runs

pytestmark = pytest.mark.usefixtures("no_loop_is_left")

Attributes: TypeAlias = dict[str, object]
Parts: TypeAlias = list[dict[str, object]]

AGENT: Attributes = {"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "parcels"}
CHAT: Attributes = {"gen_ai.operation.name": "chat"}
TOOL: Attributes = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "find", "gen_ai.tool.call.id": "c"}


def run_of(*spans: Attributes, events: list[Attributes] | None = None) -> AgentRun:
    """The one run of spans that stand below the first."""
    listed = [
        {
            "trace_id": "t",
            "span_id": str(at),
            "parent_id": "0" if at else None,
            "start_time": at + 1,
            "end_time": 99 - at,
            "attributes": each,
            "events": events if at == 1 and events else [],
        }
        for at, each in enumerate(spans)
    ]
    [run] = read_runs(listed, "spans")
    return run.unwrap()


def messages(asked: Parts, *rest: tuple[str, Parts]) -> str:
    """Messages as the conventions have them."""
    return json.dumps([{"role": role, "parts": parts} for role, parts in (("user", asked), *rest)])


def empty(kind: str) -> AgentRun:
    """A run whose messages hold one part of a kind, without its content."""
    told = {"gen_ai.input.messages": messages([{"type": "text"}]), "gen_ai.output.messages": said({"type": kind})}
    return run_of(AGENT, CHAT | told)


def said(*parts: Attributes) -> str:
    """An answer."""
    return json.dumps([{"role": "assistant", "parts": list(parts)}])


def whole_turn() -> AgentRun:
    """What pydantic-ai writes with `include_content=False`: a call and its result, each without what it carries."""
    call: Attributes = {"type": "tool_call", "id": "c", "name": "find"}
    result: Attributes = {"type": "tool_call_response", "id": "c", "name": "find"}
    first = {"gen_ai.input.messages": messages([{"type": "text"}]), "gen_ai.output.messages": said(call)}
    given = messages([{"type": "text"}], ("assistant", [call]), ("user", [result]))
    second = {"gen_ai.input.messages": given, "gen_ai.output.messages": said({"type": "text"})}
    return run_of(AGENT, CHAT | first, TOOL, CHAT | second)


def whole_agent() -> AgentRun:
    """The same on the agent's span alone."""
    call: Attributes = {"type": "tool_call", "id": "c", "name": "find"}
    told = messages([{"type": "text"}], ("assistant", [call]), ("assistant", [{"type": "text"}]))
    return run_of({"pydantic_ai.all_messages": told, "agent_name": "parcels"})


def events() -> AgentRun:
    """An event a message, whose bodies say who spoke."""
    call = [{"id": "c", "type": "function", "function": {"name": "find"}}]
    happened: list[Attributes] = [
        {"name": "gen_ai.user.message", "attributes": {"gen_ai.system": "openai"}},
        {"name": "gen_ai.choice", "body": {"index": 0, "message": {"role": "assistant", "tool_calls": call}}},
    ]
    return run_of(AGENT, CHAT, events=happened)


def event_list() -> AgentRun:
    """The older list of events, with parts that have a kind and no text."""
    told = [
        {"event.name": "gen_ai.user.message", "role": "user", "content": [{"kind": "text"}]},
        {"event.name": "gen_ai.choice", "index": 0, "message": {"role": "assistant"}},
    ]
    return run_of(AGENT, CHAT | {"events": json.dumps(told)})


def numbered() -> AgentRun:
    """Numbered keys with roles only."""
    told = {"gen_ai.prompt.0.role": "user", "gen_ai.completion.0.role": "assistant"}
    return run_of(AGENT, CHAT | told | {"gen_ai.completion.0.tool_calls.0.name": "find"})


def openinference() -> AgentRun:
    """OpenInference's numbered messages with roles, and a call by its name only."""
    call = "llm.output_messages.0.message.tool_calls.0.tool_call.function.name"
    told: Attributes = {"llm.input_messages.0.message.role": "user", "llm.output_messages.0.message.role": "assistant"}
    kind = "openinference.span.kind"
    return run_of({kind: "AGENT"}, {kind: "LLM", **told, call: "find"})


def history() -> AgentRun:
    """Messages of a chat, whose parts say that they were text."""
    [run] = read_runs([{"role": "user", "content": [{"type": "text"}]}, {"role": "assistant", "content": None}])
    return run.unwrap()


KINDS = ("text", "reasoning", "tool_call", "tool_call_response", "blob", "uri", "compaction")
WRITTEN: dict[str, Callable[[], AgentRun]] = {
    each.__name__: each for each in (whole_turn, whole_agent, events, event_list, numbered, openinference, history)
} | {kind: lambda kind=kind: empty(kind) for kind in KINDS}


@pytest.mark.parametrize("written", WRITTEN.values(), ids=WRITTEN)
def test_parts_without_content_are_no_content(written: Callable[[], AgentRun]) -> None:
    """Not one word was recorded: the run is not scorable, and one gap says so."""
    run = written()
    assert run.content == "not_captured"
    assert not is_successful(run.scorable())
    assert [each.code for each in run.gaps].count("content_not_captured") == 1


def test_what_tools_gave_is_told_where_words_are_not() -> None:
    """The tools' spans hold content and the messages hold none: that is a part of it."""
    call = said({"type": "tool_call", "id": "c", "name": "find"})
    told = {"gen_ai.input.messages": messages([{"type": "text"}]), "gen_ai.output.messages": call}
    run = run_of(AGENT, CHAT | told, TOOL | {"gen_ai.tool.call.result": "Linz"})
    assert run.content == "partial"


@pytest.mark.parametrize(
    "part",
    [
        {"type": "text", "content": "Linz"},
        {"type": "reasoning", "content": "Linz"},
        {"type": "tool_call", "id": "c", "name": "find", "arguments": {"number": 1}},
        {"type": "uri", "uri": "https://example.com/a.png"},
        {"type": "blob", "mime_type": "image/png", "content": "aGVsbG8="},
        {"type": "compaction", "content": "…"},
    ],
)
def test_one_part_with_content_is_content(part: Attributes) -> None:
    """What is missing beside it is a gap with its place."""
    told = {"gen_ai.input.messages": messages([{"type": "text"}]), "gen_ai.output.messages": said(part)}
    run = run_of(AGENT, CHAT | told)
    assert run.content == "captured"
    assert [each.where for each in run.gaps if each.code == "content_not_captured"] == ["1 input[0].parts[0]"]


def test_placeholders_are_redacted() -> None:
    """OpenInference writes `__REDACTED__` where inputs and outputs are hidden."""
    hidden: Attributes = {"input.value": "__REDACTED__", "output.value": "__REDACTED__"}
    kind = "openinference.span.kind"
    run = run_of({kind: "AGENT", **hidden}, {kind: "LLM", **hidden})
    assert run.content == "redacted"
    assert not is_successful(run.scorable())
    assert "content_redacted" in [each.code for each in run.gaps]


@pytest.mark.parametrize("version", [5, 6])
def test_pydantic_ai_without_content(version: int) -> None:
    """A real run, recorded with content and without."""
    pytest.importorskip("pydantic_ai", reason="needs pydantic-ai")
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import SimpleSpanProcessor
    from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
    from pydantic_ai import Agent
    from pydantic_ai.capabilities import Instrumentation
    from pydantic_ai.models.instrumented import InstrumentationSettings
    from pydantic_ai.models.test import TestModel

    found: dict[bool, str] = {}
    for content in (True, False):
        exporter, provider = InMemorySpanExporter(), TracerProvider()
        provider.add_span_processor(SimpleSpanProcessor(exporter))
        settings = InstrumentationSettings(
            tracer_provider=provider, include_content=content, version=5 if version == 5 else 6
        )
        agent = Agent(TestModel(), instructions="Be brief.", capabilities=[Instrumentation(settings)])
        agent.tool_plain(name="find")(_find)
        agent.run_sync("Where is it?")
        [run] = read_runs([json.loads(span.to_json()) for span in exporter.get_finished_spans()])
        found[content] = run.unwrap().content
    assert found == {True: "captured", False: "not_captured"}


def _find(number: int) -> str:
    return f"Linz {number}"
