"""Exports of tracing systems, and what APIs and SDKs write down, in versions and corners that were misread once."""

from __future__ import annotations

import json

import pytest
from traces.documents import ASKED, Counts, Document, Rows, counts, runs

from scorewright.agents import tool_calls

SYSTEM = {"role": "system", "content": "Be brief."}
CALLS = [{"id": "c", "type": "function", "function": {"name": "track", "arguments": "{}"}}]
CALLING = {"role": "assistant", "content": None, "tool_calls": CALLS}
GAVE = {"role": "tool", "tool_call_id": "c", "content": "Linz"}
ANSWERED = {"role": "assistant", "content": "There."}
TOLD: Counts = (0, 1, 0, 1, 0, 0, "There.")
WORKED: Counts = (1, 1, 0, 2, 1, 0, "There.")


def at(second: int) -> str:
    return f"2026-01-05T12:00:{second:02d}Z"


def ran(id: str, kind: str, inputs: Document, outputs: Document, second: int, **more: Document) -> dict[str, Document]:
    """A run of LangSmith's, under the root."""
    parent = None if id == "r" else "r"
    times = {"start_time": at(second), "end_time": at(second + 1)}
    return {"id": id, "trace_id": "t", "parent_run_id": parent, "run_type": kind, "name": kind} | {
        "inputs": inputs,
        "outputs": outputs,
        **times,
        **more,
    }


def chained(inputs: Document, outputs: Document = None) -> list[Document]:
    """A chain's root, the model call in it, the tool, and the second call."""
    return [
        ran("r", "chain", inputs, outputs, 0),
        ran("m", "llm", {"messages": [SYSTEM, ASKED]}, {"choices": [{"message": CALLING}]}, 1),
        ran("c", "tool", {"x": 1}, {"output": "Linz"}, 2, name="track"),
        ran("n", "llm", {"messages": [SYSTEM, ASKED, CALLING, GAVE]}, {"choices": [{"message": ANSWERED}]}, 3),
    ]


HUMAN = {"type": "human", "content": "Where?"}
STATE = {"messages": [HUMAN, {"type": "ai", "content": "There."}]}
LANGSMITH: Rows = {
    "a-root-given-nothing": (chained({}, {"output": "There."}), WORKED),
    "a-root-of-null": (chained(None), WORKED),
    "a-hidden-root-alone": ([ran("r", "chain", {}, {}, 0)], (0, 0, 0, 0, 0, 0, None)),
    "a-root-that-only-answered": ([ran("r", "chain", {}, {"output": "There."}, 0)], (0, 0, 0, 1, 0, 0, "There.")),
    "a-root-that-failed": (
        [ran("r", "chain", {"question": "Where?"}, None, 0, error="boom")],
        (0, 1, 0, 0, 0, 0, None),
    ),
    "a-root-that-waits": ([ran("r", "chain", {"messages": [ASKED]}, None, 0)], (0, 1, 0, 0, 0, 0, None)),
    "pairs-of-role-and-words": (
        [ran("r", "chain", {"messages": [["system", "Be brief."], ["user", "Where?"]]}, STATE, 0)],
        (1, 1, 0, 1, 0, 0, "There."),
    ),
    "a-prompt-as-text": (
        [
            ran(
                "r",
                "llm",
                {"prompts": ["System: Be brief.\nHuman: Where?"]},
                {"generations": [[{"text": "There."}]]},
                0,
            )
        ],
        (1, 1, 0, 1, 0, 0, "There."),
    ),
    "a-prompt-as-plain-text": (
        [ran("r", "llm", {"prompts": ["Where?"]}, {"generations": [[{"text": "There."}]]}, 0)],
        TOLD,
    ),
}


def seen(id: str, kind: str, given: Document, told: Document, second: int, **more: Document) -> dict[str, Document]:
    """An observation of Langfuse's, under the root."""
    parent = None if id == "r" else "r"
    times = {"startTime": at(second), "endTime": at(second + (9 if id == "r" else 1))}
    place = {"id": id, "traceId": "t", "type": kind, "name": kind, "parentObservationId": parent}
    return {**place, "input": given, "output": told, **times, **more}


def flat(**attributes: Document) -> dict[str, Document]:
    return {"attributes." + name.replace("__", "."): value for name, value in attributes.items()}


TRACE = {"id": "t", "timestamp": at(0), "name": "desk", "input": "Where?", "output": "There.", "projectId": "p"}
FLAT: list[Document] = [
    seen("r", "AGENT", json.dumps([ASKED]), "There.", 0, metadata=flat(gen_ai__operation__name="invoke_agent")),
    seen("m", "GENERATION", json.dumps([SYSTEM, ASKED]), json.dumps(CALLING), 1, metadata=flat(session__id="s")),
    seen(
        "c",
        "SPAN",
        "{}",
        None,
        2,
        level="ERROR",
        statusMessage="lost",
        metadata=flat(gen_ai__operation__name="execute_tool", gen_ai__tool__name="track", gen_ai__tool__call__id="c"),
    ),
    seen("n", "GENERATION", json.dumps([SYSTEM, ASKED, CALLING, GAVE]), json.dumps(ANSWERED), 3),
]
LANGFUSE: Rows = {
    "metadata-with-flat-names": ({"data": FLAT, "meta": {"cursor": "x"}}, (1, 1, 0, 2, 1, 1, "There.")),
    "a-trace-of-a-list": ([{**TRACE, "observations": ["r", "m"]}], TOLD),
    "a-trace-of-the-interface": (
        [{**{key: TRACE[key] for key in TRACE if key != "projectId"}, "sessionId": None, "userId": None, "tags": []}],
        TOLD,
    ),
    "a-session": ({"id": "s", "createdAt": at(0), "projectId": "p", "traces": [TRACE]}, TOLD),
    "a-trace-whose-observations-say-nothing": ({**TRACE, "observations": [seen("e", "EVENT", None, None, 1)]}, TOLD),
    "a-retriever-first": (
        [
            seen("e", "EMBEDDING", "Where?", None, 1),
            seen("d", "RETRIEVER", "Where?", ["Linz"], 1),
            seen("f", "RETRIEVER", "Where?", ["Linz"], 1),
            seen("r", "CHAIN", "Where?", "There.", 0),
            seen("m", "GENERATION", [ASKED], ANSWERED, 2),
        ],
        TOLD,
    ),
    "the-ai-sdk's-tool": (
        [
            seen("r", "SPAN", json.dumps({"prompt": "Where?"}), "There.", 0),
            seen("m", "GENERATION", [SYSTEM, ASKED], CALLING, 1),
            seen("c", "SPAN", "{}", '"Linz"', 2, name="call", metadata={"attributes": {"ai.toolCall.name": "track"}}),
            seen("n", "GENERATION", [SYSTEM, ASKED, CALLING, GAVE], "There.", 3),
        ],
        WORKED,
    ),
}


EVENTS = [{"event.name": "gen_ai.choice", "index": 0, "message": {"role": "assistant", "content": "There."}}]
BLOCK_CALL = [{"message": json.dumps([{"toolUse": {"toolUseId": "c", "name": "track", "input": {}}}])}]
BLOCK_GAVE = json.dumps([{"toolResult": {"toolUseId": "c", "status": "success", "content": [{"text": "Linz"}]}}])
BLOCK_ASKED = {"role": "user", "content": json.dumps([{"text": "Where?"}])}
BLOCK_CALLED = {"role": "assistant", "content": BLOCK_CALL[0]["message"]}
GEMINI_CALL = {"function_call": {"id": "c", "name": "track", "args": {}}}
GEMINI_GAVE = {"function_response": {"id": "c", "name": "track", "response": {"place": "Linz"}}}
GEMINI_ASKED: list[Document] = [{"role": "user", "parts": [{"text": "Where?"}]}]
GEMINI_TOLD = {"id": "c", "name": "track", "response": {"place": "Linz"}}
LANGFUSE |= {
    "a-choice-as-an-event": ([seen("m", "GENERATION", [ASKED], EVENTS, 1)], TOLD),
    "blocks-of-converse": (
        [
            seen("r", "AGENT", [ASKED], {"message": "There.", "finish_reason": "end_turn"}, 0),
            seen("m", "GENERATION", [SYSTEM, BLOCK_ASKED], BLOCK_CALL, 1),
            seen(
                "n",
                "GENERATION",
                [SYSTEM, BLOCK_ASKED, BLOCK_CALLED, {"role": "tool", "content": BLOCK_GAVE}],
                [{"message": json.dumps([{"text": "There."}])}],
                3,
            ),
        ],
        WORKED,
    ),
    "a-response-of-converse-as-it-came": (
        [
            seen(
                "m",
                "GENERATION",
                [{"role": "user", "content": [{"text": "Where?"}]}],
                {"output": {"message": {"role": "assistant", "content": [{"text": "There."}]}}},
                1,
            )
        ],
        TOLD,
    ),
    "calls-of-converse-alone": (
        [seen("m", "GENERATION", [ASKED], [{"toolUse": {"toolUseId": "c", "name": "track", "input": {}}}], 1)],
        (0, 1, 0, 1, 1, 0, None),
    ),
    "gemini's-tool-with-its-id-in-the-result": (
        [
            seen("r", "AGENT", None, None, 0),
            seen(
                "m", "GENERATION", {"contents": GEMINI_ASKED}, {"content": {"role": "model", "parts": [GEMINI_CALL]}}, 1
            ),
            seen("c", "TOOL", {}, GEMINI_TOLD, 2, name="execute_tool track"),
            seen(
                "n",
                "GENERATION",
                {
                    "contents": [
                        *GEMINI_ASKED,
                        {"role": "model", "parts": [GEMINI_CALL]},
                        {"role": "user", "parts": [GEMINI_GAVE]},
                    ]
                },
                {"content": {"role": "model", "parts": [{"text": "There."}]}},
                3,
            ),
        ],
        (0, 1, 0, 2, 1, 0, "There."),
    ),
}


def exported(  # noqa: PLR0917 - a span's fields, in order
    id: str, kind: str, parent: str, second: int, given: Document, told: Document
) -> dict[str, Document]:
    """A span of Mastra's."""
    attributes = {"instructions": "Be brief."} if kind == "agent_run" else {}
    times = {"startTime": at(second), "endTime": at(20 - second)}
    place = {"id": id, "traceId": "t", "parentSpanId": parent or None, "type": kind, "name": "track", **times}
    return {**place, "input": given, "output": told, "attributes": attributes}


MASTRA_CALL = {"text": "", "toolCalls": [{"toolCallId": "c", "toolName": "track", "args": {}}]}
MASTRA_SPANS = [
    exported("a", "agent_run", "", 0, [ASKED], {"text": "There."}),
    exported("g", "llm_generation", "a", 1, {"messages": [SYSTEM, ASKED]}, {"text": "There."}),
    exported("s", "llm_step", "g", 2, {"messages": [SYSTEM, ASKED]}, MASTRA_CALL),
    exported("c", "tool_call", "s", 3, {}, "Linz"),
    exported("u", "llm_step", "g", 4, {}, {"text": "There."}),
]
AGENTS_SPAN = {"object": "trace.span", "id": "g", "trace_id": "t", "started_at": at(0)}
GENERATED = {"type": "generation", "input": [SYSTEM, ASKED], "output": [ANSWERED]}
JS_CALL = {"type": "function_call", "callId": "c", "name": "track", "arguments": "{}"}
JS_GAVE = {"type": "function_call_result", "callId": "c", "name": "track", "output": {"type": "text", "text": "Linz"}}
JS_SAID = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "There."}]}
JS_SEARCH = {"type": "hosted_tool_call", "name": "web_search_call", "status": "completed", "id": "w"}
JS_ITEMS = [
    {"type": "x", "rawItem": item, "agent": {"name": "desk"}} for item in (JS_SEARCH, JS_CALL, JS_GAVE, JS_SAID)
]
FRAMEWORKS: Rows = {
    "mastra-as-an-exporter-is-told": (
        [
            {"type": kind, "exportedSpan": {**span, **more}}
            for span in MASTRA_SPANS
            for kind, more in (("span_started", {"output": None, "endTime": None}), ("span_ended", {}))
        ],
        WORKED,
    ),
    "mastra-with-the-first-names-of-types": ({"traceId": "t", "spans": MASTRA_SPANS}, WORKED),
    "openai-agents-trace-beside-its-spans": (
        {"trace": {"object": "trace", "id": "t"}, "spans": [{**AGENTS_SPAN, "span_data": GENERATED}]},
        (1, 1, 0, 1, 0, 0, "There."),
    ),
    "openai-agents-state-of-javascript": (
        {"$schemaVersion": "1.0", "originalInput": "Where?", "generatedItems": JS_ITEMS, "currentAgent": {"name": "x"}},
        (0, 1, 0, 2, 2, 0, "There."),
    ),
    "pydantic-ai-under-a-name": (
        {
            "all_messages": [
                {"kind": "request", "parts": [{"part_kind": "user-prompt", "content": "Where?"}]},
                {"kind": "response", "parts": [{"part_kind": "text", "content": "There."}]},
            ]
        },
        TOLD,
    ),
    "states-that-a-graph-went-through": (
        [{"messages": STATE["messages"][:at]} for at in (0, 1, 2)],
        TOLD,
    ),
    "checkpoints-the-newest-first": (
        [{"values": {"messages": STATE["messages"][:at]}, "next": []} for at in (2, 1)],
        TOLD,
    ),
    "the-ai-sdk's-result": (
        {
            "text": "There.",
            "response": {
                "messages": [
                    {"role": "assistant", "content": [{"type": "tool-call", "toolCallId": "c", "toolName": "track"}]},
                    {"role": "tool", "content": [{"type": "tool-result", "toolCallId": "c", "toolName": "track"}]},
                    {"role": "assistant", "content": [{"type": "text", "text": "There."}]},
                ]
            },
        },
        (0, 0, 0, 2, 1, 0, "There."),
    ),
}


def turn(question: str, **more: Document) -> dict[str, Document]:
    return {"user_content": {"parts": [{"text": question}]}, **more}


CODE = {"executableCode": {"language": "PYTHON", "code": "print(1)"}}
BROKE = {"codeExecutionResult": {"outcome": "OUTCOME_FAILED", "output": "no"}}
GOOGLE: Rows = {
    "adk-without-an-expected-answer": (
        {"eval_cases": [{"eval_id": "a", "conversation": [turn("Where?", rubrics=[])]}]},
        (0, 1, 0, 0, 0, 0, None),
    ),
    "adk-in-the-other-spelling": (
        {
            "evalCases": [
                {
                    "conversation": [
                        {
                            "userContent": {"parts": [{"text": "Where?"}]},
                            "intermediateData": {"toolUses": [{"name": "track", "args": {}}]},
                            "finalResponse": {"parts": [{"text": "There."}]},
                        }
                    ]
                }
            ]
        },
        (0, 1, 0, 1, 1, 0, "There."),
    ),
    "adk-results": (
        {
            "eval_set_result_id": "x",
            "eval_case_results": [
                {
                    "eval_id": "a",
                    "eval_metric_result_per_invocation": [
                        {
                            "expected_invocation": turn("Where?"),
                            "actual_invocation": turn("Where?", final_response={"parts": [{"text": "There."}]}),
                        }
                    ],
                }
            ],
        },
        TOLD,
    ),
    "adk-events-alone": (
        [
            {"author": "user", "content": {"parts": [{"text": "Where?"}]}},
            {"author": "desk", "partial": True, "content": {"parts": [{"text": "The"}]}},
            {"author": "desk", "content": {"parts": [{"text": "There."}]}},
        ],
        TOLD,
    ),
    "gemini-that-ran-code": (
        {"candidates": [{"content": {"role": "model", "parts": [CODE, BROKE, {"text": "There."}]}}]},
        (0, 0, 0, 1, 1, 1, "There."),
    ),
}
BLOCKS = [{"role": "user", "content": [{"text": "Hi."}]}, {"role": "assistant", "content": [{"text": "Hello."}]}]
APIS: Rows = {
    "a-response-of-converse": (
        {"output": {"message": {"role": "assistant", "content": [{"text": "There."}]}}, "stopReason": "end_turn"},
        (0, 0, 0, 1, 0, 0, "There."),
    ),
    "a-request-of-converse-with-its-history": (
        {
            "messages": [*BLOCKS, {"role": "user", "content": [{"text": "Where?"}]}],
            "output": {"message": {"role": "assistant", "content": [{"text": "There."}]}},
        },
        (0, 1, 2, 1, 0, 0, "There."),
    ),
    "a-reply-without-why-it-stopped": (
        {"type": "message", "role": "assistant", "model": "c", "content": [{"type": "text", "text": "There."}]},
        (0, 0, 0, 1, 0, 0, "There."),
    ),
    "a-system-prompt-beside-messages-with-calls": (
        {"system": "Be brief.", "messages": [ASKED, CALLING, GAVE, ANSWERED]},
        WORKED,
    ),
    "a-system-prompt-among-messages-of-blocks": (
        [
            SYSTEM,
            ASKED,
            {"role": "assistant", "content": [{"type": "tool_use", "id": "c", "name": "track", "input": {}}]},
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c", "content": "Linz"}]},
            ANSWERED,
        ],
        WORKED,
    ),
    "thoughts-in-blocks-beside-calls": (
        [
            SYSTEM,
            ASKED,
            {**CALLING, "content": [{"type": "thinking", "thinking": "Hm."}]},
            GAVE,
            {"role": "assistant", "content": [{"type": "text", "text": "There."}]},
        ],
        WORKED,
    ),
    "what-else-stands-beside-messages": ({"info": {"split": "test"}, "messages": [ASKED, ANSWERED]}, TOLD),
    "a-request-of-a-text": ({"model": "m", "instructions": "Be brief.", "input": "Where?"}, (1, 1, 0, 0, 0, 0, None)),
    "a-request-of-messages": ({"model": "m", "input": [ASKED]}, (0, 1, 0, 0, 0, 0, None)),
}
CHAT = {"gen_ai.operation.name": "chat"}
INPUT, OUTPUT = "gen_ai.input.messages", "gen_ai.output.messages"
SAYING = {
    **CHAT,
    INPUT: json.dumps([{"role": "user", "parts": [{"type": "text", "content": "Where?"}]}]),
    OUTPUT: json.dumps([{"role": "assistant", "parts": [{"type": "text", "content": "There."}]}]),
}
PRINTED = {"id": "1", "traceId": "t", "name": "chat", "kind": 0, "timestamp": 1_767_607_200_000_000, "links": []}
COLUMNS = {"TraceId": "t", "SpanId": "1", "ParentSpanId": "", "SpanName": "chat", "Timestamp": "2026-01-05 12:00:00.1"}


def logged(span: str, second: int, given: list[Document], told: list[Document]) -> dict[str, Document]:
    """A log record with the content of a span."""
    body = {"input": {"messages": given}, "output": {"messages": told}}
    return {"traceId": "t", "spanId": span, "observedTimeUnixNano": second, "body": body}


def spanned(id: str, second: int, parent: str = "a", **attributes: Document) -> dict[str, Document]:
    named = {name.replace("__", "."): value for name, value in attributes.items()}
    times = {"startTimeUnixNano": second * 10**9, "endTimeUnixNano": (second + 1) * 10**9}
    return {"traceId": "t", "spanId": id, "parentSpanId": parent, "name": id, **times, "attributes": named}


def wrapped(key: str, *blocks: Document) -> dict[str, Document]:
    return {key: json.dumps(list(blocks))}


QUESTION = {"role": "user", "content": wrapped("content", {"text": "Where?"})}
USED = {"toolUse": {"toolUseId": "c", "name": "track", "input": {}}}
RESULT = {"toolResult": {"toolUseId": "c", "status": "success", "content": [{"text": "Linz"}]}}
ELSEWHERE: list[Document] = [
    spanned("a", 0, "", gen_ai__operation__name="invoke_agent"),
    spanned("m", 1, gen_ai__operation__name="chat"),
    spanned("c", 2, gen_ai__operation__name="execute_tool", gen_ai__tool__name="track", gen_ai__tool__call__id="c"),
    spanned("n", 3, gen_ai__operation__name="chat"),
    logged("m", 1, [SYSTEM, QUESTION], [{"role": "assistant", "content": wrapped("message", USED)}]),
    logged(
        "n",
        3,
        [
            SYSTEM,
            QUESTION,
            {"role": "assistant", "content": wrapped("content", USED)},
            {"role": "tool", "content": wrapped("content", RESULT)},
        ],
        [{"role": "assistant", "content": wrapped("message", {"text": "There."})}],
    ),
]
BY_NAME: list[Document] = [
    spanned(
        "m",
        1,
        "",
        openinference__span__kind="LLM",
        llm__input_messages__0__message__role="user",
        llm__input_messages__0__message__content="Where?",
        llm__output_messages__0__message__role="model",
        llm__output_messages__0__message__tool_calls__0__tool_call__id="c",
        llm__output_messages__0__message__tool_calls__0__tool_call__function__name="track",
    ),
    spanned("c", 2, "m", openinference__span__kind="TOOL", tool__name="track", output__value="Linz"),
    spanned(
        "n",
        3,
        "",
        openinference__span__kind="LLM",
        llm__input_messages__0__message__role="user",
        llm__input_messages__0__message__content="Where?",
        llm__input_messages__1__message__role="model",
        llm__input_messages__1__message__tool_calls__0__tool_call__id="c",
        llm__input_messages__1__message__tool_calls__0__tool_call__function__name="track",
        llm__input_messages__2__message__role="tool",
        llm__input_messages__2__message__name="track",
        llm__input_messages__2__message__content="Linz",
        llm__output_messages__0__message__role="model",
        llm__output_messages__0__message__content="There.",
    ),
]
LINES = {"name": "gen_ai.content.prompt", "attributes": {"gen_ai.prompt": "system: Be brief.\nuser: Where?"}}
ENDING = {"name": "gen_ai.content.completion", "attributes": {"gen_ai.completion": "There."}}
SPANS: Rows = {
    "javascript's-console": ([{**PRINTED, "attributes": SAYING}], TOLD),
    "columns-of-the-collector": ([{**COLUMNS, "SpanAttributes": SAYING, "StatusCode": "Unset"}], TOLD),
    "jaeger's-spans-as-stored": (
        [
            {
                "traceID": "t",
                "spanID": "1",
                "operationName": "chat",
                "startTime": 1,
                "duration": 1,
                "tags": [{"key": key, "value": value} for key, value in SAYING.items()],
            }
        ],
        TOLD,
    ),
    "rows-of-logfire": (
        {
            "columns": [{"name": "span_id"}],
            "rows": [
                {
                    "trace_id": "t",
                    "span_id": "1",
                    "span_name": "chat",
                    "start_timestamp": at(0),
                    "attributes": json.dumps(SAYING),
                    "otel_events": "[]",
                    "otel_status_code": "UNSET",
                }
            ],
        },
        TOLD,
    ),
    "content-in-records-among-the-spans": (ELSEWHERE, WORKED),
    "records-in-an-envelope": ({"sessionSpans": ELSEWHERE}, WORKED),
    "a-result-that-names-its-tool-only": (BY_NAME, (0, 1, 0, 2, 1, 0, "There.")),
    "lines-of-speakers": (
        [{**spanned("m", 1, ""), "attributes": CHAT, "events": [LINES, ENDING]}],
        (1, 1, 0, 1, 0, 0, "There."),
    ),
    "a-model-that-writes-on": (
        [
            spanned(
                "m",
                1,
                "",
                openinference__span__kind="LLM",
                llm__prompts__0__prompt__text="Where?",
                llm__choices__0__completion__text="There.",
            )
        ],
        TOLD,
    ),
    "a-result-in-the-user's-name": (
        [
            spanned(
                "a",
                1,
                "",
                openinference__span__kind="AGENT",
                input__value="Where?",
                llm__output_messages__0__message__role="assistant",
                llm__output_messages__0__message__tool_calls__0__tool_call__id="c",
                llm__output_messages__0__message__tool_calls__0__tool_call__function__name="track",
                llm__output_messages__1__message__role="user",
                llm__output_messages__1__message__tool_call_id="c",
                llm__output_messages__1__message__content="Linz",
                llm__output_messages__2__message__role="assistant",
                llm__output_messages__2__message__content="There.",
            )
        ],
        (0, 1, 0, 2, 1, 0, "There."),
    ),
}
ALL: Rows = {**LANGSMITH, **LANGFUSE, **FRAMEWORKS, **GOOGLE, **APIS, **SPANS}


@pytest.mark.parametrize("name", ALL)
def test_every_export_is_read(name: str) -> None:
    """One run, with all that was said, called and answered in its place."""
    document, told = ALL[name]
    [run] = runs(document)
    assert counts(run) == told


def test_records_among_spans_are_found_in_lines_too() -> None:
    """A record may stand lines after the span that it tells of."""
    [run] = runs("\n".join(map(json.dumps, ELSEWHERE)).encode())
    assert counts(run) == WORKED


def test_a_result_that_two_tell_is_told_once() -> None:
    """The tool's own span tells it; what the next model call repeats under the tool's name alone is no other result."""
    [run] = runs(BY_NAME)
    assert [(call.id, call.result) for call in tool_calls(run.output)] == [("c", "Linz")]
    assert not any(gap.code == "result_without_call" for gap in run.gaps)


def test_only_a_set_of_expectations_is_a_reference() -> None:
    """What came of an evaluation was run."""
    [expected] = runs(ALL["adk-without-an-expected-answer"][0])
    [actual] = runs(ALL["adk-results"][0])
    assert (expected.metadata, actual.metadata) == ({"reference": True}, {})
