"""Conversations of tau-bench, as display text, and of tau2-bench, as simulations."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from scorewright.agents.messages import Message, Part, Text
from scorewright.agents.run import AgentRun, AgentUsage, Gap, Status, TraceSource
from scorewright.agents.tools import AgentError, ToolInvocation
from scorewright.traces.arguments import arguments
from scorewright.traces.conversing import role_of, told_run
from scorewright.traces.dialect import Dialect
from scorewright.traces.gaps import gap
from scorewright.traces.json_view import is_list, is_mapping, is_number, list_at, mapping_at, text_at, value_at
from scorewright.traces.openai_chat import messages_of as chat_messages
from scorewright.traces.times import moment

_LINE = re.compile(r"^(user|assistant|tool): ", re.MULTILINE)


def detect_tau2(value: object, /) -> bool:
    """`simulations` with messages, beside `info`."""
    return any(is_list(value_at(each, "messages")) for each in _simulations(value))


def _simulations(value: object) -> Sequence[object]:
    """The simulations of a file; or one by itself."""
    return [value] if text_at(value, "termination_reason") else list_at(value, "simulations")


def read_tau2(value: object, /) -> Iterator[AgentRun]:
    """A run a simulation; what the simulated user's own tools did is not the agent's work."""
    for at, simulation in enumerate(_simulations(value)):
        notes: list[Gap] = []
        listed = list_at(simulation, "messages")
        messages = [
            message
            for number, each in enumerate(listed)
            for message in _message(each, f"$.simulations[{at}].messages[{number}]", notes)
        ]
        ended = text_at(simulation, "termination_reason")
        status: Status = "ok" if ended in {"user_stop", "agent_stop", ""} else "partial"
        cost = value_at(simulation, "agent_cost")
        known = AgentRun(
            id=text_at(simulation, "id"),
            model=text_at(value, "info", "agent_info", "llm"),
            framework="tau2-bench",
            status=status,
            started_at=moment(value_at(simulation, "start_time")),
            ended_at=moment(value_at(simulation, "end_time")),
            usage=AgentUsage(cost=float(cost)) if is_number(cost) else None,
            metadata={"task_id": value_at(simulation, "task_id"), "trial": value_at(simulation, "trial")},
            source=TraceSource(TAU2.name),
        )
        yield told_run(messages, 0, notes, known=known)


def _message(value: object, where: str, notes: list[Gap]) -> Iterator[Message]:
    role = role_of(text_at(value, "role"))
    requestor = text_at(value, "requestor")
    if not is_mapping(value) or role is None:
        notes.append(gap("not_a_message" if not is_mapping(value) else "unknown_role", where, text_at(value, "role")))
        return
    for at, each in enumerate(list_at(value, "tool_messages")):
        yield from _message(each, f"{where}.tool_messages[{at}]", notes)
    if list_at(value, "tool_messages") or (role == "tool" and requestor == "user"):
        return
    when = moment(value.get("timestamp"))
    content = text_at(value, "content")
    if role == "user" and not content and list_at(value, "tool_calls"):  # the simulated user only acts
        return
    if role == "tool":
        yield Message("tool", (_result(value, content),), created_at=when)
        return
    parts: list[Part] = [Text(content)] if content else []
    for at, each in enumerate(list_at(value, "tool_calls") if role == "assistant" else ()):
        args, raw = arguments(value_at(each, "arguments"), f"{where}.tool_calls[{at}]", notes)
        parts.append(ToolInvocation(text_at(each, "name"), args, id=text_at(each, "id"), args_raw=raw))
    yield Message(role, tuple(parts), created_at=when)


def _result(value: dict[str, object], content: str) -> ToolInvocation:
    failed = value.get("error") is True
    return ToolInvocation(
        "",
        result=content,
        result_present=True,
        state="error" if failed else "result",
        id=text_at(value, "id"),
        error=AgentError(content) if failed else None,
    )


def detect_tau(value: object, /) -> bool:
    """A conversation as one text of lines, each with its speaker."""
    first = value[0] if is_list(value) and value else value
    told = bool(list_at(first, "traj")) and "task_id" in mapping_at(first)
    return told or bool(_LINE.match(text_at(value, "messages_display")))


def _trial(value: object) -> AgentRun:
    """One trial of a file of results, whose messages are OpenAI's."""
    notes: list[Gap] = []
    known = AgentRun(
        framework="tau-bench",
        metadata={"task_id": value_at(value, "task_id"), "trial": value_at(value, "trial")},
        source=TraceSource(TAU.name),
    )
    return told_run(chat_messages(list_at(value, "traj"), "$.traj", notes), 0, notes, known=known)


def read_tau(value: object, /) -> Iterator[AgentRun]:
    """The trials of results; or one run of display text, which does not hold what tools were called with."""
    if not text_at(value, "messages_display"):
        yield from map(_trial, value if is_list(value) else [value])
        return
    notes: list[Gap] = []
    pieces = _LINE.split(text_at(value, "messages_display"))[1:]
    messages: list[Message] = []
    for at, (speaker, said) in enumerate(zip(pieces[::2], pieces[1::2], strict=True)):
        text = said.removesuffix("\n")
        if speaker == "tool":
            messages.append(Message("tool", (ToolInvocation("", result=text, result_present=True, state="result"),)))
        elif speaker == "user":
            messages.append(Message("user", (Text(text),)))
        elif text != "None":
            messages.append(Message("assistant", (Text(text),)))
        else:
            notes.append(gap("truncated_json", f"line {at + 1}", "the call's name and arguments are not in the text"))
            messages.append(Message("assistant", (ToolInvocation("unknown"),)))
    yield told_run(messages, 0, notes, known=AgentRun(framework="tau-bench", source=TraceSource(TAU.name)))


TAU2 = Dialect("tau2-bench", '{"simulations": [{"messages"}]}', detect_tau2, read_tau2)
TAU = Dialect("tau-bench", '{"messages_display": "user: …"}, or [{"task_id", "traj"}]', detect_tau, read_tau)
