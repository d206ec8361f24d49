"""Streams of OpenAI's two APIs put together: chunks to a chat completion, events to a response."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from scorewright.traces.json_view import is_mapping, list_at, mapping_at, text_at, whole_at

Event: TypeAlias = dict[str, object]
_TEXTS = ("content", "refusal", "reasoning_content", "reasoning")
_ENDS = ("response.completed", "response.failed", "response.incomplete")


def is_chat_chunk(value: object, /) -> bool:
    """A chunk of a chat completion."""
    return text_at(value, "object") == "chat.completion.chunk"


def is_responses_event(value: object, /) -> bool:
    """An event of the Responses API."""
    return text_at(value, "type").startswith("response.")


def chat_answer(chunks: Sequence[Event], /) -> tuple[Event, bool]:
    """The completion of its chunks, and whether every choice ended."""
    messages: dict[int, dict[str, object]] = {}
    ends: dict[int, str] = {}
    for chunk in chunks:
        for choice in list_at(chunk, "choices"):
            at = whole_at(choice, "index") or 0
            _add_delta(messages.setdefault(at, {"role": "assistant"}), mapping_at(choice, "delta"))
            ends[at] = text_at(choice, "finish_reason") or ends.get(at, "")
    choices = [{"index": at, "message": messages[at], "finish_reason": ends[at]} for at in sorted(messages)]
    usage = next((told for chunk in reversed(chunks) if (told := mapping_at(chunk, "usage"))), None)
    head = {key: chunks[0].get(key) for key in ("id", "model")}
    completion = {**head, "object": "chat.completion", "choices": choices, "usage": usage}
    return completion, bool(choices) and all(ends.values())


def _add_delta(message: dict[str, object], delta: dict[str, object]) -> None:
    for key in _TEXTS:
        if text_at(delta, key):
            message[key] = text_at(message, key) + text_at(delta, key)
    for each in list_at(delta, "tool_calls"):
        _add_call(message, each)
    legacy = mapping_at(delta, "function_call")
    if legacy:
        message["function_call"] = _grown(mapping_at(message, "function_call"), legacy)


def _add_call(message: dict[str, object], delta: object) -> None:
    """A call goes on under its number; another id is another call, though some providers number all of them alike."""
    calls = list_at(message, "tool_calls")
    id, at = text_at(delta, "id"), whole_at(delta, "index")
    same = [
        call
        for call in calls
        if is_mapping(call) and (at is None or call.get("index") == at) and (not id or text_at(call, "id") in {"", id})
    ]
    if not same:
        call: dict[str, object] = {"index": at, "id": id, "function": {}}
        message["tool_calls"] = [*calls, call]
    else:
        call = same[-1]
    call["id"] = text_at(call, "id") or id
    call["function"] = _grown(mapping_at(call, "function"), mapping_at(delta, "function"))


def _grown(function: dict[str, object], delta: dict[str, object]) -> dict[str, object]:
    return {
        "name": text_at(function, "name") or text_at(delta, "name"),
        "arguments": text_at(function, "arguments") + text_at(delta, "arguments"),
    }


def responses_answer(events: Sequence[Event], /) -> tuple[Event, bool]:
    """The response of its events, and whether it ended; its items from the events where the response has none."""
    told = [each for event in events if (each := mapping_at(event, "response"))]
    ended = any(text_at(event, "type") in _ENDS for event in events)
    response: Event = {"object": "response", **(told[-1] if told else {})}
    if list_at(response, "output"):
        return response, ended
    items: dict[int, dict[str, object]] = {}
    for event in events:
        at = whole_at(event, "output_index")
        if at is not None:
            items[at] = _taken(items.get(at, {}), event)
    return {**response, "output": [items[at] for at in sorted(items) if items[at]]}, ended


def _taken(item: dict[str, object], event: Event) -> dict[str, object]:
    """An item after one more event about it."""
    kind, delta = text_at(event, "type"), text_at(event, "delta")
    if kind in {"response.output_item.added", "response.output_item.done"}:
        return {**item, **mapping_at(event, "item")}
    if kind.endswith("arguments.delta"):
        return {**item, "arguments": text_at(item, "arguments") + delta}
    if kind == "response.custom_tool_call_input.delta":
        return {**item, "input": text_at(item, "input") + delta}
    if kind == "response.output_text.delta":
        return {**item, "content": _texts(item, "content", "output_text", whole_at(event, "content_index") or 0, delta)}
    if kind == "response.reasoning_summary_text.delta":
        at = whole_at(event, "summary_index") or 0
        return {**item, "summary": _texts(item, "summary", "summary_text", at, delta)}
    return item


def _texts(item: dict[str, object], key: str, kind: str, at: int, delta: str) -> list[object]:
    held = [*list_at(item, key)]
    while len(held) <= at < len(held) + 2:  # parts come one after the other
        held.append({"type": kind, "text": ""})
    if at < len(held):
        held[at] = {"type": kind, "text": f"{text_at(held[at], 'text')}{delta}"}
    return held
