"""Blocks of Amazon Bedrock's Converse API, which have no type: in its messages, and on the spans of Strands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from scorewright.agents.run import AgentRun, TraceSource
from scorewright.traces.anthropic import ANTHROPIC
from scorewright.traces.dialect import Dialect
from scorewright.traces.json_view import (
    first_text,
    is_list,
    is_mapping,
    list_at,
    mapping_at,
    text_at,
    value_at,
)

_BLOCKS = {"text", "toolUse", "toolResult", "reasoningContent", "image", "document", "video", "cachePoint"}


def is_block(value: object, /) -> bool:
    """An object without a type that holds one of the API's blocks."""
    return is_mapping(value) and "type" not in value and len(value) == 1 and value.keys() <= _BLOCKS


def are_blocks(value: object, /) -> bool:
    """A list of nothing but such blocks."""
    return is_list(value) and bool(value) and all(map(is_block, value))


def typed(blocks: Sequence[object], /) -> list[object]:
    """The blocks as those of Anthropic's messages; of other kinds as they are."""
    return [_typed(block) for block in blocks if not (is_mapping(block) and "cachePoint" in block)]


def _typed(block: object) -> object:
    if text_at(block, "text"):
        return {"type": "text", "text": text_at(block, "text")}
    use, result = mapping_at(block, "toolUse"), mapping_at(block, "toolResult")
    if use:
        return {
            "type": "tool_use",
            "id": text_at(use, "toolUseId"),
            "name": text_at(use, "name"),
            "input": use.get("input"),
        }
    if result:
        failed = text_at(result, "status") == "error"
        content = value_of(list_at(result, "content"))
        return {
            "type": "tool_result",
            "tool_use_id": text_at(result, "toolUseId"),
            "content": content,
            "is_error": failed,
        }
    thought = mapping_at(block, "reasoningContent")
    if thought:
        said = text_at(thought, "reasoningText", "text") or text_at(thought, "text")
        return {"type": "thinking", "thinking": said}
    for kind in ("image", "document", "video"):
        held = mapping_at(block, kind)
        if held:
            return _file(kind, held)
    return block


def _file(kind: str, held: dict[str, object]) -> object:
    media_type = f"{'application' if kind == 'document' else kind}/{text_at(held, 'format')}"
    data = first_text(mapping_at(held, "source"), "bytes")
    url = text_at(held, "source", "s3Location", "uri")
    source: dict[str, object] = {"type": "url", "url": url} if url else {"type": "base64", "data": data}
    return {"type": "image" if kind == "image" else "document", "source": {**source, "media_type": media_type}}


def value_of(content: Sequence[object], /) -> object:
    """What a tool gave back: one value of JSON as that, blocks as blocks."""
    if len(content) == 1 and is_mapping(content[0]) and "json" in content[0]:
        return content[0]["json"]
    return [
        {"type": "json", "json": each["json"]} if is_mapping(each) and "json" in each else _typed(each)
        for each in content
    ]


def detect(value: object, /) -> bool:
    """Messages all of whose content is such blocks; or a response, whose message is."""
    messages = value if is_list(value) else list_at(value, "messages")
    answer = _answer(value)
    held = [value_at(message, "content") for message in (*messages, *([answer] if answer else ()))]
    return bool(held) and all(map(are_blocks, held))


def _answer(value: object) -> dict[str, object]:
    return mapping_at(value, "output", "message") or mapping_at(value, "response", "output", "message")


def read(value: object, /) -> Iterator[AgentRun]:
    """One run: the request, and its response where it stands beside it (`output.message`)."""
    messages = value if is_list(value) else list_at(value, "messages")
    answer = _answer(value)
    told = [{**each, "content": typed(list_at(each, "content"))} for each in messages if is_mapping(each)]
    reply = {"response": {**answer, "content": typed(list_at(answer, "content"))}} if answer else {}
    system = typed(list_at(value, "system") or list_at(value, "system_prompt"))
    whole: dict[str, object] = {"messages": told, "system": system, "model": first_text(value, "modelId", "model")}
    for run in ANTHROPIC.read({"request": whole, **reply}):
        yield run.read_from(TraceSource("bedrock-converse"))


CONVERSE = Dialect(
    "bedrock-converse", '{"messages": [{"role", "content": [{"text"} | {"toolUse"} | {"toolResult"}]}]}', detect, read
)
