"""The events of Anthropic's streams put together to the message that they send."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from scorewright.traces.json_view import list_at, mapping_at, parsed, text_at, whole_at

Event: TypeAlias = dict[str, object]
_TYPES = {"message_start", "content_block_start", "content_block_delta", "message_delta", "message_stop"}
_GROWS = {"text_delta": "text", "thinking_delta": "thinking", "input_json_delta": "partial_json"}


def is_event(value: object, /) -> bool:
    """An event of a stream of Messages."""
    return text_at(value, "type") in _TYPES


def anthropic_answer(events: Sequence[Event], /) -> tuple[Event, bool]:
    """The message of its events, and whether it ended."""
    message: Event = {"type": "message", "role": "assistant", "stop_reason": None}
    blocks: dict[int, dict[str, object]] = {}
    ended = False
    for event in events:
        kind, at = text_at(event, "type"), whole_at(event, "index") or 0
        if kind == "message_start":
            message.update(mapping_at(event, "message"))
        elif kind == "content_block_start":
            blocks[at] = {**mapping_at(event, "content_block")}
        elif kind == "content_block_delta":
            blocks[at] = _grown(blocks.get(at, {"type": "text"}), mapping_at(event, "delta"))
        elif kind == "message_delta":
            message.update({key: held for key, held in mapping_at(event, "delta").items() if held is not None})
            message["usage"] = {**mapping_at(message, "usage"), **mapping_at(event, "usage")}
        ended = ended or kind == "message_stop"
    message["content"] = [*list_at(message, "content"), *(_whole(blocks[at]) for at in sorted(blocks))]
    return message, ended


def _grown(block: dict[str, object], delta: dict[str, object]) -> dict[str, object]:
    key = _GROWS.get(text_at(delta, "type"))
    return {**block, key: text_at(block, key) + text_at(delta, key)} if key is not None else block


def _whole(block: dict[str, object]) -> dict[str, object]:
    """A block with its input, which comes as pieces of JSON."""
    said = text_at(block, "partial_json")
    if not said:
        return block
    return {**{key: held for key, held in block.items() if key != "partial_json"}, "input": parsed(said)}
