"""Agents that act by text: a command in a fenced block is the call, the next message of the user its result.

mini-swe-agent writes its trajectories so: a list of messages, alone or under `messages` beside `info`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from scorewright.agents.messages import Message, Part, Text
from scorewright.agents.run import AgentRun, Gap, Status, TraceSource
from scorewright.agents.tools import ToolInvocation
from scorewright.traces.conversing import told_run
from scorewright.traces.dialect import Dialect
from scorewright.traces.gaps import gap
from scorewright.traces.json_view import is_list, list_at, mapping_at, text_at
from scorewright.traces.openai_chat import FENCE, messages_of
from scorewright.traces.openai_responses import messages_of as items_messages

_FENCE = re.compile(r"```(?:mswea_bash_command|bash)\n(.*?)\n?```", re.DOTALL)


def detect(value: object, /) -> bool:
    """Messages among which a fence of mini-swe-agent stands; or its trajectory format, or how its runs end."""
    ends = "exit_status" in mapping_at(value, "info")
    if text_at(value, "trajectory_format").startswith("mini-swe-agent") or (ends and bool(list_at(value, "messages"))):
        return True
    messages = value if is_list(value) else list_at(value, "messages")
    return any(FENCE in text_at(message, "content") for message in messages)


def read(value: object, /) -> Iterator[AgentRun]:
    """One run: the first message of the user is the task, the later ones are what its commands printed."""
    notes: list[Gap] = []
    listed = value if is_list(value) else list_at(value, "messages")
    given = [each for each in listed if text_at(each, "role") != "exit"]  # how it ended, which `info` says too
    messages = _told(given, notes)
    status: Status = "ok" if text_at(value, "info", "exit_status") in {"", "Submitted"} else "aborted"
    model = text_at(mapping_at(value, "info"), "config", "model", "model_name")
    known = AgentRun(model=model, status=status, framework="mini-swe-agent", source=TraceSource(FENCED.name))
    last = next((message.text for message in reversed(messages) if message.role == "assistant"), "")
    yield told_run(list(_acted(messages, notes)), 0, notes, known=known, answer=last)


def _told(given: Sequence[object], notes: list[Gap]) -> list[Message]:
    """The messages; where a model of the Responses API answered, its responses stand among them whole."""
    if not any(text_at(each, "object") == "response" for each in given):
        return messages_of(given, "$.messages", notes)
    items = [item for each in given for item in list_at(each, "output") or [each]]
    return items_messages(items, "$.messages", notes)


def _acted(messages: Sequence[Message], notes: list[Gap]) -> Iterator[Message]:
    """Commands as calls, and what follows them as their results.

    What the agent is told where it gave no command is of the program, not of the user.
    """
    waiting: list[str] = []
    spoke = False
    made = 0
    for message in messages:
        if message.role == "assistant":
            native, spoke = message.tool_calls, True
            commands = () if native else tuple(_FENCE.findall(message.text))
            waiting = [f"command {made + at}" for at in range(len(commands))]
            made += len(commands)
            calls = (
                ToolInvocation("bash", {"command": command}, id=id)
                for command, id in zip(commands, waiting, strict=True)
            )
            yield Message("assistant", (*message.parts, *calls), message.id)
        elif message.role == "user" and waiting:
            yield Message("tool", tuple(_results(message.parts, waiting)))
            waiting = []
        elif message.role == "user" and spoke:
            notes.append(gap("prompt_as_user", "$.messages", "to the model, about its format"))
        else:
            yield message


def _results(parts: Sequence[Part], ids: Sequence[str]) -> Iterator[ToolInvocation]:
    text = "\n".join(part.text for part in parts if isinstance(part, Text))
    for id in ids:
        yield ToolInvocation("", result=text, result_present=True, state="result", id=id)


FENCED = Dialect("mini-swe-agent", 'messages with ```mswea_bash_command fences, or {"trajectory_format"}', detect, read)
