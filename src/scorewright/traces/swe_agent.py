"""SWE-agent trajectories (`.traj`): a history in which the agent acts by tool calls or by text."""

from __future__ import annotations

from collections.abc import Iterator

from scorewright.agents.messages import Message, Text
from scorewright.agents.run import AgentRun, AgentUsage, Gap, Status, TraceSource
from scorewright.agents.tools import ToolInvocation
from scorewright.traces.conversing import told_run
from scorewright.traces.dialect import Dialect
from scorewright.traces.json_view import is_list, is_mapping, list_at, mapping_at, text_at, value_at, whole_at
from scorewright.traces.openai_chat import messages_of


def detect(value: object, /) -> bool:
    """A `history` of messages that name their agent."""
    history = list_at(value, "history")
    return bool(history) and all(text_at(message, "role") and "agent" in mapping_at(message) for message in history)


def read(value: object, /) -> Iterator[AgentRun]:
    """One run: demonstrations are the prompt's, and after the task what a user says is what an action printed."""
    notes: list[Gap] = []
    messages = list(_messages(list_at(value, "history"), notes))
    ended = text_at(value, "info", "exit_status")
    status: Status = "ok" if ended.startswith("submitted") or not ended else "partial"
    stats = mapping_at(value, "info", "model_stats")
    known = AgentRun(
        agent_name=next((text_at(each, "agent") for each in list_at(value, "history")), ""),
        framework="swe-agent",
        status=status,
        usage=AgentUsage(whole_at(stats, "tokens_sent") or 0, whole_at(stats, "tokens_received") or 0)
        if stats
        else None,
        metadata={"exit_status": ended} if ended else {},
        source=TraceSource(SWE_AGENT.name),
    )
    last = next((message.text for message in reversed(messages) if message.role == "assistant"), "")
    yield told_run(messages, 0, notes, known=known, answer=last)


def _messages(history: list[object], notes: list[Gap]) -> Iterator[Message]:
    acting = ""
    for at, each in enumerate(history):
        place = f"$.history[{at}]"
        if not is_mapping(each) or each.get("is_demo") is True:
            continue
        ids = list_at(each, "tool_call_ids")
        told = {**each, "tool_call_id": ids[0]} if ids else each
        action = text_at(each, "action").strip()
        if text_at(each, "role") == "assistant" and action and not list_at(each, "tool_calls"):
            acting = place
            call = ToolInvocation(action.split(maxsplit=1)[0], {"command": action.strip()}, id=acting)
            yield Message("assistant", (*_text(each), call))
        elif text_at(each, "role") == "user" and acting:
            text = value_at(each, "content")
            yield Message("tool", (ToolInvocation("", result=text, result_present=True, state="result", id=acting),))
            acting = ""
        else:
            yield from messages_of([told], place, notes)


def _text(message: dict[str, object]) -> Iterator[Text]:
    content = message.get("content")
    if isinstance(content, str) and content:
        yield Text(content)
    for part in content if is_list(content) else ():
        yield Text(text_at(part, "text"))


SWE_AGENT = Dialect("swe-agent", '{"history": [{"role", "content", "agent"}]}', detect, read)
