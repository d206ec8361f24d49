"""OpenHands trajectories: a list of events, actions of a user and an agent, and what came of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from scorewright.agents.messages import Message, Part, Text
from scorewright.agents.run import AgentRun, Gap, TraceSource
from scorewright.agents.tools import AgentError, ToolInvocation
from scorewright.traces.arguments import arguments
from scorewright.traces.conversing import add_message, told_run
from scorewright.traces.dialect import Dialect
from scorewright.traces.files import lean
from scorewright.traces.json_view import first_text, is_list, is_mapping, list_at, mapping_at, text_at, value_at
from scorewright.traces.openai_chat import parts_of, result_of
from scorewright.traces.openhands_sdk import as_before, is_aside, is_sdk
from scorewright.traces.times import moment

_NO_CALLS = {"message", "finish", "system", "recall", "change_agent_state", "null"}
_OURS = {"thought", "blocking", "hidden", "confirmation_state", "is_input", "security_risk"}


def detect(value: object, /) -> bool:
    """Events with a source and an action or an observation."""
    events = _events(value)
    return any(map(_is_event, events[:5])) and all(_is_event(event) or is_aside(event) for event in events[:5])


def _events(value: object) -> Sequence[object]:
    """The events: alone, in a file of a trajectory, or in a line of an evaluation; those of today's SDK as before."""
    listed = value if is_list(value) else list_at(value, "trajectory") or list_at(value, "history")
    told = (event for each in listed for event in (each if is_list(each) else (each,)))  # the first logs had pairs
    return [as_before(event) if is_sdk(event) else event for event in told]


def _is_event(event: object) -> bool:
    acts = bool(first_text(event, "action", "observation"))
    return acts and text_at(event, "source") in {"user", "agent", "environment"}


def read(value: object, /) -> Iterator[AgentRun]:
    """One run; events of the environment, and those that say that nothing happened, are not part of it."""
    notes: list[Gap] = []
    events = _events(value)
    messages: list[Message] = []
    for event in events:
        for message in _messages(event, notes) if is_mapping(event) else ():
            add_message(messages, message)
    last = next((message.text for message in reversed(messages) if message.role == "assistant"), "")
    known = AgentRun(
        agent_name="openhands",
        framework="openhands",
        model=next((found for event in events if (found := _model(event))), ""),
        source=TraceSource(OPENHANDS.name),
    )
    yield told_run(messages, 0, notes, known=known, answer=last)


def _model(event: object) -> str:
    return text_at(event, "tool_call_metadata", "model_response", "model")


def _messages(event: dict[str, object], notes: list[Gap]) -> Iterator[Message]:
    source, action, seen = text_at(event, "source"), text_at(event, "action"), text_at(event, "observation")
    where, when = f"event {event.get('id')}", moment(event.get("timestamp"))
    if source == "environment" and action != "system":
        return
    content = text_at(event, "args", "content")
    if action == "message" and is_list(value_at(event, "args", "parts")):
        told = parts_of(value_at(event, "args", "parts"), where, notes)
        yield Message("user" if source == "user" else "assistant", told, created_at=when)
    elif action == "system" or (action == "message" and source == "user"):
        yield Message("user" if action == "message" else "system", (Text(content),), where, created_at=when)
    elif action in {"message", "finish"}:
        said = content or first_text(mapping_at(event, "args"), "final_thought", "thought") or text_at(event, "message")
        yield Message("assistant", (Text(said),) if said else (), created_at=when)
    elif action and action not in _NO_CALLS:
        thought = text_at(event, "args", "thought") if action != "think" else ""
        parts: tuple[Part, ...] = (Text(thought),) if thought else ()
        id = text_at(event, "tool_call_metadata", "model_response", "id")
        yield Message("assistant", (*parts, _call(event, action, where, notes)), id, created_at=when)
    elif seen and seen not in _NO_CALLS and source == "agent":
        yield Message("tool", (_result(event, seen),), created_at=when)


def _call(event: dict[str, object], action: str, where: str, notes: list[Gap]) -> ToolInvocation:
    meta = mapping_at(event, "tool_call_metadata")
    id = text_at(meta, "tool_call_id")
    made = (
        call
        for choice in list_at(meta, "model_response", "choices")
        for call in list_at(choice, "message", "tool_calls")
    )
    asked = next((value_at(call, "function", "arguments") for call in made if text_at(call, "id") == id), None)
    ours = _OURS - {"thought"} if action == "think" else _OURS
    own = {key: held for key, held in mapping_at(event, "args").items() if key not in ours}
    args, raw = arguments(asked if asked is not None else own, where, notes)
    return ToolInvocation(text_at(meta, "function_name") or action, args, id=id or where, args_raw=raw)


def _result(event: dict[str, object], seen: str) -> ToolInvocation:
    id = text_at(event, "tool_call_metadata", "tool_call_id") or f"event {event.get('cause')}"
    content = lean(value_at(event, "content"))
    failed = seen == "error" or value_at(event, "is_error") is True
    return ToolInvocation(
        "",
        result=result_of(content),
        result_present=True,
        state="error" if failed else "result",
        id=id,
        error=AgentError(str(content)) if failed else None,
    )


OPENHANDS = Dialect("openhands", 'events with {"source", "action"} or {"source", "observation"}', detect, read)
