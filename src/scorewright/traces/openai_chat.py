"""OpenAI chat completions: a list of messages, a request, a response, or request and response together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set

import attrs

from scorewright.agents.messages import Data, Message, Part, Reasoning, Text
from scorewright.agents.run import AgentRun, AgentUsage, Gap, TraceSource
from scorewright.agents.tools import ToolDefinition, ToolInvocation
from scorewright.traces.arguments import arguments
from scorewright.traces.conversing import last_turn, told_run, with_roles
from scorewright.traces.dialect import Dialect
from scorewright.traces.files import file_at, file_of, lean
from scorewright.traces.gaps import gap
from scorewright.traces.json_view import (
    first_text,
    first_value,
    is_list,
    is_mapping,
    list_at,
    mapping_at,
    text_at,
    value_at,
    whole_at,
)

_ROLES = {"system", "developer", "user", "assistant", "tool", "function"}
_PARTS = {
    "text",
    "image_url",
    "input_audio",
    "file",
    "refusal",
    "reasoning",
    "input_text",
    "output_text",
    "input_file",
    "input_image",
    "video_url",
}
_FIELDS = {
    "tool_calls",
    "tool_call_id",
    "function_call",
    "refusal",
    "audio",
    "annotations",
    "reasoning_content",
    "name",
}


FENCE = "mswea_bash_command"  # the mark of an agent that acts by text, whose messages look the same otherwise
_OTHERS = {
    "parts",
    "trajectory_format",
    "termination_reason",
    "epoch",
}  # keys beside `messages` that other dialects have


def detect(value: object, /) -> bool:
    """Messages with roles whose content is text, null or OpenAI's parts; or a chat completion."""
    if text_at(value, "object") == "chat.completion" or _is_response(value):
        return True
    if is_mapping(value) and (_is_response(value.get("response")) or is_list(value_at(value, "request", "messages"))):
        if mapping_at(value, "response") and not _is_response(value["response"]):
            return False
        return _are_messages(list_at(value, "request", "messages") or list_at(value, "messages"), lenient=True)
    if is_mapping(value) and (_OTHERS & value.keys() or _is_of_another(value)):
        return False
    return _are_messages(value if is_list(value) else list_at(value, "messages"), lenient=is_mapping(value))


def _is_of_another(value: dict[str, object]) -> bool:
    """Does it end as runs of mini-swe-agent do, or has it a system prompt beside messages that may be Anthropic's?"""
    ours = any(map(_is_ours, list_at(value, "messages")))
    return "exit_status" in mapping_at(value, "info") or ("system" in value and not ours)


def _is_response(value: object) -> bool:
    choices = list_at(value, "choices")
    return bool(choices) and is_mapping(value_at(choices[0], "message"))


def _are_messages(messages: Sequence[object], *, lenient: bool) -> bool:
    spoken = [message for message in messages if is_mapping(message) and text_at(message, "role")]
    parts = _PARTS | {"thinking", "redacted_thinking"} if any(map(_is_ours, spoken)) else _PARTS
    if not any(text_at(message, "role") in _ROLES for message in spoken):
        return False
    if not all(_is_message(message, parts) for message in spoken):
        return False
    return lenient or len(spoken) * 2 >= len(messages)


def _is_ours(message: object) -> bool:
    """Has it what only messages of OpenAI's have: the role of a tool, or calls beside the content?"""
    return text_at(message, "role") == "tool" or bool(list_at(message, "tool_calls"))


def _is_message(message: dict[str, object], parts: Set[str]) -> bool:
    content = message.get("content")
    if {"parts", "type", "message_type", "toolInvocations"} & message.keys() or FENCE in text_at(message, "content"):
        return False
    if "content" not in message and not _FIELDS & message.keys():
        return False
    if is_list(content):
        return all(not is_mapping(part) or text_at(part, "type") in parts for part in content)
    return content is None or isinstance(content, str)


def read(value: object, /) -> Iterator[AgentRun]:
    """One run: a list of messages is one conversation without a boundary; a request ends where its response begins."""
    notes: list[Gap] = []
    request = mapping_at(value, "request") or (value if is_mapping(value) else {})
    response = mapping_at(value, "response") or request
    given = value if is_list(value) else list_at(request, "messages")
    beside = text_at(request, "system")
    messages = [*([Message("system", (Text(beside),))] if beside else []), *messages_of(given, "$.messages", notes)]
    answers = choices_of(list_at(response, "choices"), notes)
    asks = "model" in request and bool(messages) and messages[-1].role in {"user", "tool"}
    known = AgentRun(
        id=text_at(response, "id"),
        model=first_text(response, "model") or text_at(request, "model"),
        tool_definitions=definitions(list_at(request, "tools") or list_at(request, "functions")),
        usage=usage_of(mapping_at(response, "usage")),
        source=TraceSource(OPENAI_CHAT.name),
    )
    if asks and not answers:
        notes.append(gap("unfinished", "$.messages", "the request has no response"))
        known = attrs.evolve(known, status="partial")
    turn = last_turn(messages) if answers or asks else 0
    yield told_run([*messages, *answers], turn, notes, known=known)


def choices_of(choices: Sequence[object], notes: list[Gap], /) -> list[Message]:
    """The answer: the first choice, or all of them where all hold tool calls."""
    read = [
        attrs.evolve(message, finish_reason=text_at(choice, "finish_reason"))
        for at, choice in enumerate(choices)
        for message in messages_of([value_at(choice, "message")], f"$.choices[{at}]", notes)
    ]
    if len(read) > 1 and not all(message.tool_calls for message in read):
        notes.append(gap("choices_dropped", "$.choices", f"{len(read) - 1} of {len(read)}"))
        return read[:1]
    return read


def messages_of(given: Sequence[object], where: str, notes: list[Gap], /) -> list[Message]:
    """The messages; what is none, or has an unknown role, is a gap that names its index."""
    read: list[Message] = []
    for place, role, each in with_roles(enumerate(given), where, notes):
        if role == "tool":
            read.append(Message("tool", (_result(each),), text_at(each, "id")))
        else:
            parts = (*_thoughts(each), *parts_of(each.get("content"), place, notes), *calls_of(each, place, notes))
            read.append(Message(role, parts, text_at(each, "id"), text_at(each, "name")))
    return read


def parts_of(content: object, where: str, notes: list[Gap], /) -> tuple[Part, ...]:
    """What a message's content holds."""
    if isinstance(content, str):
        return (Text(content),) if content else ()
    items = content if is_list(content) else []
    return tuple(_part(item, f"{where}.content[{at}]", notes) for at, item in enumerate(items))


def _part(item: object, where: str, notes: list[Gap]) -> Part:
    kind = text_at(item, "type")
    if isinstance(item, str):
        return Text(item)
    if kind in {"text", "input_text", "output_text"}:
        if is_mapping(item) and "text" not in item:
            notes.append(gap("content_not_captured", where))
        return Text(text_at(item, "text"))
    if kind in {"reasoning", "thinking", "redacted_thinking"}:
        return Reasoning(first_text(item, "text", "thinking", "content"))
    if kind == "refusal":
        return Text(text_at(item, "refusal"))
    if kind in {"image_url", "input_image"}:
        return file_at(text_at(item, "image_url", "url") or first_text(item, "image_url", "file_id"), "image")
    if kind == "input_audio":
        return file_of(text_at(item, "input_audio", "data"), f"audio/{text_at(item, 'input_audio', 'format')}")
    if kind in {"file", "input_file"}:
        held = mapping_at(item, "file") or item
        address = first_text(held, "file_data", "file_url", "file_id")
        return file_at(address, "", text_at(held, "filename"))
    notes.append(gap("unknown_part", where, kind))
    return Data(kind or "unknown", lean(item))


def _thoughts(message: dict[str, object]) -> tuple[Part, ...]:
    thought = first_text(message, "reasoning_content", "reasoning")
    refusal = text_at(message, "refusal")
    return (*((Reasoning(thought),) if thought else ()), *((Text(refusal),) if refusal else ()))


def calls_of(message: dict[str, object], where: str, notes: list[Gap], /) -> Iterator[ToolInvocation]:
    """The calls that a message of the assistant holds."""
    for at, each in enumerate(list_at(message, "tool_calls")):
        body = mapping_at(each, "function") or mapping_at(each, "custom") or each
        custom = "custom" in each if is_mapping(each) else False
        said = first_value(body, "arguments", "args", "input")
        args, raw = (said, None) if custom else arguments(said, f"{where}.tool_calls[{at}]", notes)
        yield ToolInvocation(text_at(body, "name"), args, id=text_at(each, "id"), args_raw=raw)
    legacy = mapping_at(message, "function_call")
    if legacy:
        args, raw = arguments(legacy.get("arguments"), f"{where}.function_call", notes)
        yield ToolInvocation(text_at(legacy, "name"), args, args_raw=raw)


def _result(message: dict[str, object]) -> ToolInvocation:
    return ToolInvocation(
        text_at(message, "name"),
        result=result_of(message.get("content")),
        result_present="content" in message,
        state="result",
        id=text_at(message, "tool_call_id"),
    )


def result_of(content: object, /) -> object:
    """A tool's result: the one text where the blocks are one text, else what it is, without blobs."""
    if is_list(content) and len(content) == 1 and text_at(content[0], "type") == "text":
        return text_at(content[0], "text")
    return lean(content)


def definitions(tools: Sequence[object], /) -> tuple[ToolDefinition, ...]:
    """The tools that were offered, whether their description is wrapped in `function` or not."""
    bodies = [mapping_at(tool, "function") or tool for tool in tools]
    return tuple(
        ToolDefinition(name, text_at(body, "description"), first_value(body, "parameters", "input_schema"))
        for body in bodies
        if (name := text_at(body, "name") or text_at(body, "type"))
    )


def usage_of(usage: dict[str, object], /) -> AgentUsage | None:
    """The tokens, by any of the names that they go by."""
    if not usage:
        return None
    asked = (whole_at(usage, name) for name in ("prompt_tokens", "input_tokens"))
    said = (whole_at(usage, name) for name in ("completion_tokens", "output_tokens"))
    return AgentUsage(next(filter(None, asked), 0), next(filter(None, said), 0))


OPENAI_CHAT = Dialect(
    "openai-chat",
    'a list of {"role", "content"} messages, {"messages": […]}, or {"choices": [{"message"}]}',
    detect,
    read,
)
