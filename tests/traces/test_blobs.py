"""Files in messages: what they are is kept, and their bytes reach neither extraction nor a judge's prompt."""

from __future__ import annotations

import json
import string
from collections.abc import Callable
from typing import TypeAlias

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorewright import Judge, score_prompt
from scorewright.agents import (
    AgentRun,
    File,
    all_texts,
    create_agent_scorer,
    final_answer,
    history,
    reasoning,
    system_prompt,
    tool_calls,
    tool_results,
    trajectory,
    user_text,
)
from scorewright.core import JudgeRequest, plan
from scorewright.shapes import unstructure
from scorewright.traces import read_runs

Written: TypeAlias = Callable[[str], object]


def chat(blob: str) -> object:
    data = f"data:image/png;base64,{blob}"
    call = {"id": "c", "function": {"name": "draw", "arguments": json.dumps({"base": data})}}
    parts = [
        {"type": "text", "text": "Look"},
        {"type": "image_url", "image_url": {"url": data}},
        {"type": "input_audio", "input_audio": {"data": blob, "format": "wav"}},
        {"type": "file", "file": {"file_data": f"data:application/pdf;base64,{blob}", "filename": "a.pdf"}},
    ]
    return [
        {"role": "user", "content": parts},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c", "content": [{"type": "image_url", "image_url": {"url": data}}]},
        {"role": "assistant", "content": "Seen."},
    ]


def responses(blob: str) -> object:
    data = f"data:image/png;base64,{blob}"
    return {
        "object": "response",
        "input": [{"role": "user", "content": [{"type": "input_image", "image_url": data}]}],
        "output": [
            {"type": "image_generation_call", "id": "i", "status": "completed", "result": blob},
            {"type": "computer_call", "call_id": "k", "action": {"type": "screenshot"}, "status": "completed"},
            {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Seen."}]},
        ],
    }


def anthropic(blob: str) -> object:
    source = {"type": "base64", "media_type": "image/png", "data": blob}
    image = {"type": "image", "source": source}
    return {
        "model": "claude",
        "messages": [
            {
                "role": "user",
                "content": [{"type": "text", "text": "Look"}, image, {"type": "document", "source": source}],
            },
            {"role": "assistant", "content": [{"type": "tool_use", "id": "t", "name": "draw", "input": {}}]},
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t", "content": [image]}]},
            {"role": "assistant", "content": [{"type": "text", "text": "Seen."}]},
        ],
    }


def genai(blob: str) -> object:
    parts = [
        {"type": "text", "content": "Look"},
        {"type": "blob", "mime_type": "image/png", "modality": "image", "content": blob},
        {"type": "uri", "uri": f"data:image/png;base64,{blob}", "modality": "image"},
        {"type": "binary", "media_type": "image/png", "content": blob},
        {"type": "novelty", "content": blob},
    ]
    result = {"type": "tool_call_response", "id": "c", "response": {"image": blob}}
    attributes = {
        "gen_ai.operation.name": "chat",
        "gen_ai.input.messages": json.dumps([{"role": "user", "parts": parts}, {"role": "tool", "parts": [result]}]),
        "gen_ai.output.messages": json.dumps([{"role": "assistant", "parts": [{"type": "text", "content": "Seen."}]}]),
    }
    tool = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "draw", "gen_ai.tool.call.result": blob}
    return [
        {"span_id": "m", "trace_id": "t", "start_time": 1e9, "attributes": attributes},
        {"span_id": "f", "trace_id": "t", "start_time": 5e8, "attributes": tool},
    ]


def openinference(blob: str) -> object:
    at = "llm.input_messages.0.message"
    attributes = {
        "openinference.span.kind": "LLM",
        f"{at}.role": "user",
        f"{at}.contents.0.message_content.type": "text",
        f"{at}.contents.0.message_content.text": "Look",
        f"{at}.contents.1.message_content.type": "image",
        f"{at}.contents.1.message_content.image.image.url": f"data:image/png;base64,{blob}",
        "llm.output_messages.0.message.role": "assistant",
        "llm.output_messages.0.message.content": "Seen.",
    }
    tool = {"openinference.span.kind": "TOOL", "tool.name": "draw", "input.value": "{}", "output.value": blob}
    return [
        {"span_id": "m", "trace_id": "t", "start_time": 1e9, "attributes": attributes},
        {"span_id": "f", "trace_id": "t", "start_time": 5e8, "attributes": tool},
    ]


def ui(blob: str) -> object:
    data = f"data:image/png;base64,{blob}"
    tool = {"type": "tool-draw", "toolCallId": "c", "state": "output-available", "input": {}, "output": {"image": blob}}
    return [
        {
            "role": "user",
            "parts": [{"type": "file", "mediaType": "image/png", "url": data}, {"type": "data-x", "data": blob}],
        },
        {"role": "assistant", "parts": [tool, {"type": "text", "text": "Seen."}]},
    ]


def pydantic_ai(blob: str) -> object:
    binary = {"kind": "binary", "media_type": "image/png", "data": blob}
    return [
        {"kind": "request", "parts": [{"part_kind": "user-prompt", "content": ["Look", binary]}]},
        {
            "kind": "response",
            "parts": [{"part_kind": "tool-call", "tool_name": "draw", "args": {}, "tool_call_id": "c"}],
        },
        {
            "kind": "request",
            "parts": [{"part_kind": "tool-return", "tool_name": "draw", "content": binary, "tool_call_id": "c"}],
        },
        {
            "kind": "response",
            "parts": [{"part_kind": "file", "content": binary}, {"part_kind": "text", "content": "Seen."}],
        },
    ]


def langchain(blob: str) -> object:
    data = f"data:image/png;base64,{blob}"
    content = [
        {"type": "text", "text": "Look"},
        {"type": "image_url", "image_url": {"url": data}},
        {"type": "image", "source_type": "base64", "data": blob, "mime_type": "image/png"},
        {"type": "image", "base64": blob, "mime_type": "image/png"},
    ]
    return [
        {"type": "human", "content": content},
        {"type": "ai", "content": "", "tool_calls": [{"name": "draw", "args": {"base": data}, "id": "c"}]},
        {"type": "tool", "content": [{"type": "image_url", "image_url": {"url": data}}], "tool_call_id": "c"},
        {"type": "ai", "content": "Seen."},
    ]


def adk(blob: str) -> object:
    inline = {"inline_data": {"mime_type": "image/png", "data": blob}}
    request = {"contents": [{"role": "user", "parts": [{"text": "Look"}, inline]}]}
    response = {"content": {"role": "model", "parts": [{"text": "Seen."}]}}
    attributes = {
        "gcp.vertex.agent.llm_request": json.dumps(request),
        "gcp.vertex.agent.llm_response": json.dumps(response),
    }
    return [{"span_id": "m", "trace_id": "t", "attributes": attributes}]


WRITTEN: list[Written] = [chat, responses, anthropic, genai, openinference, ui, pydantic_ai, langchain, adk]
LETTERS = string.ascii_letters + string.digits + "+/"


def blobs() -> st.SearchStrategy[str]:
    """What base64 of a file looks like, from two kilobytes."""
    return st.text(LETTERS, min_size=4, max_size=12).map(
        lambda seed: (seed + "0a") * (2_048 // (len(seed) + 2) // 4 * 4 + 4)
    )


def extracted(run: AgentRun) -> str:
    told = [
        user_text(run.input),
        system_prompt(run.input),
        history(run.input),
        final_answer(run.output),
        all_texts(run.output),
        reasoning(run.output),
        tool_results(run.output),
        [call.args for call in tool_calls(run.output)],
        trajectory(run),
        run,
    ]
    return repr(told) + json.dumps(unstructure(run), default=str)


@pytest.mark.parametrize("written", WRITTEN, ids=lambda written: written.__name__)
@settings(max_examples=8)
@given(blob=blobs())
def test_no_blob_reaches_extraction(written: Written, blob: str) -> None:
    """Wherever a dialect keeps a file, its base64 is gone from the run, and from all that is asked of it."""
    for read in read_runs(written(blob)):
        run = read.unwrap()
        assert blob[:64] not in extracted(run)
        assert run.final_output == "Seen."


@pytest.mark.parametrize("written", WRITTEN, ids=lambda written: written.__name__)
def test_no_blob_reaches_a_prompt(written: Written) -> None:
    """A judge is shown the whole run, and sees no base64."""
    blob = "iVBORw0KGgo0" * 400
    [run] = [read.unwrap() for read in read_runs(written(blob))]
    asked: list[JudgeRequest] = []
    scorer = create_agent_scorer("seen", judge=Judge("openai/gpt-4o-mini")).generate_score(
        score_prompt(lambda step: f"{step.run.input!r} {step.run.output!r} {tool_results(step.run.output)}")
    )
    asked += plan(scorer, run.run).first
    assert asked
    assert blob[:64] not in repr(asked)


def test_a_file_is_still_a_file() -> None:
    """Its type, size and hash stay."""
    [run] = [read.unwrap() for read in read_runs(anthropic("iVBORw0KGgo0" * 400))]
    files = [part for message in run.input.remembered_messages + run.input.input_messages for part in message.parts]
    kept = [part for part in files if isinstance(part, File)]
    assert [(file.media_type, file.size) for file in kept] == [("image/png", 3600), ("image/png", 3600)]
