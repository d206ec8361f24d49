"""Events of OpenHands' SDK, whose kinds are named, as the actions and observations that came before them."""

from __future__ import annotations

from scorewright.traces.json_view import first_value, list_at, mapping_at, text_at, value_at

_KINDS = {
    "SystemPromptEvent",
    "MessageEvent",
    "ActionEvent",
    "ObservationEvent",
    "AgentErrorEvent",
    "UserRejectObservation",
}


def is_sdk(event: object, /) -> bool:
    """Is it one of the SDK's events that belong to the conversation?"""
    return text_at(event, "kind") in _KINDS


def is_aside(event: object, /) -> bool:
    """Is it another of the SDK's events, which says how the conversation stands, or what became of it?"""
    kind, source = text_at(event, "kind"), text_at(event, "source")
    return source in {"user", "agent", "environment"} and (kind.endswith("Event") or kind.startswith("Condensation"))


def as_before(event: object, /) -> dict[str, object]:
    """The event in the terms of the older trajectories."""
    kind, id = text_at(event, "kind"), text_at(event, "tool_call_id")
    common: dict[str, object] = {"id": value_at(event, "id"), "timestamp": value_at(event, "timestamp")}
    if kind == "SystemPromptEvent":
        return {**common, "source": "agent", "action": "system", "args": {"content": _words(event, "system_prompt")}}
    if kind == "MessageEvent":
        parts = list_at(event, "llm_message", "content")
        said = {"parts": parts} if parts else {"content": text_at(event, "llm_message", "content")}
        return {**common, "source": text_at(event, "source"), "action": "message", "args": said}
    if kind == "ActionEvent":
        return {**common, **_act(event, id)}
    held = mapping_at(event, "observation")
    content = first_value(held, "content", "output") if held else first_value(event, "error", "rejection_reason")
    return {
        **common,
        "source": "agent",
        "observation": text_at(event, "tool_name") or "error",
        "content": content,
        "is_error": held.get("is_error") is True or not held,
        "tool_call_metadata": {"tool_call_id": id},
    }


def _act(event: object, id: str) -> dict[str, object]:
    """A call; that of the tool that ends the run is its last message."""
    name = text_at(event, "tool_name")
    action = mapping_at(event, "action")
    thought = "\n".join(text for part in list_at(event, "thought") if (text := text_at(part, "text")))
    if name == "finish":
        said = text_at(action, "message") or thought
        return {"source": "agent", "action": "finish", "args": {"content": said}}
    made = first_value(mapping_at(event, "tool_call"), "arguments")
    asked = made if made is not None else value_at(event, "tool_call", "function", "arguments")
    call = {"id": id, "function": {"name": name, "arguments": asked}}
    own = {key: held for key, held in action.items() if key != "kind"}
    meta = {
        "tool_call_id": id,
        "function_name": name,
        "model_response": {
            "id": text_at(event, "llm_response_id"),
            "choices": [{"message": {"tool_calls": [call]}}] if asked is not None else [],
        },
    }
    return {"source": "agent", "action": name, "args": {**own, "thought": thought}, "tool_call_metadata": meta}


def _words(event: object, key: str) -> str:
    return text_at(event, key, "text") or text_at(event, key)
