"""A conversation becomes a run: system, remembered turns, this turn's input, the answer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

import attrs

from scorewright.agents.extract import final_answer
from scorewright.agents.messages import Data, File, Message, Part, Role, Text
from scorewright.agents.run import AgentInput, AgentOutput, AgentRun, Content, Gap, Status
from scorewright.agents.tools import ToolInvocation
from scorewright.traces.gaps import gap
from scorewright.traces.joining import folded
from scorewright.traces.json_view import is_mapping, text_at

OUTPUT_TOOL = "final_result"
_SYSTEM = frozenset({"system", "developer"})
_REFUSED = frozenset({"refusal", "content_filter", "SAFETY"})  # an empty answer that is the whole answer


def add_message(messages: list[Message], message: Message, /) -> None:
    """One more message; one of the assistant that has the id of its last one goes on with that, past tools' results.

    So are read what was written block by block, and calls that were made at once, each told with its result.
    """
    at = len(messages) - 1 if message.role == "assistant" and message.id else -1
    while at >= 0 and messages[at].role == "tool":
        at -= 1
    if at >= 0 and (messages[at].role, messages[at].id) == ("assistant", message.id):
        messages[at] = attrs.evolve(messages[at], parts=(*messages[at].parts, *message.parts))
    else:
        messages.append(message)


def last_turn(messages: Sequence[Message], /) -> int:
    """Where the last run of user messages begins: what comes before is remembered, what follows is the answer."""
    at = len(messages) - 1
    while at >= 0 and messages[at].role != "user":
        at -= 1
    while at > 0 and messages[at - 1].role == "user":
        at -= 1
    return max(at, 0)


def told_run(
    messages: Sequence[Message],
    turn: int,
    notes: list[Gap],
    /,
    *,
    known: AgentRun,
    structured: object = None,
    answer: str = "",
    said: str = "",
) -> AgentRun:
    """The run that a conversation tells. `turn` is where this turn begins; 0 where the record has no boundary.

    `known` is what else the record says. `structured` is a final output that is not text, `answer` what the record
    calls the final text; the agent's own last words come before it, and `said` before these, where the record marks it.
    """
    boundary = min(turn, len(messages))
    told = folded(messages, notes)
    system = once([message for message in told if message.role in _SYSTEM])
    spoken = [message for message in told if message.role not in _SYSTEM]
    before = tuple([message for message in spoken if (message.position or 0) < boundary])
    now = spoken[len(before) :]
    output = AgentOutput(tuple([message for message in now if message.role != "user"]))
    final: object = said or final_answer(output) or answer or None
    structured = structured if structured is not None else _by_tool(output)
    content = _content(known.content, told)
    given = AgentInput(tuple([message for message in now if message.role == "user"]), before, system, {}, content)
    if content == "not_captured":
        notes[:] = [each for each in notes if each.code != "content_not_captured"]  # one for all its parts
        notes.append(gap("content_not_captured", known.span_id or known.id or "$"))
    elif content == "redacted" and not any(each.code == "content_redacted" for each in notes):
        notes.append(gap("content_redacted", known.span_id or known.id or "$"))
    return AgentRun(  # written out, as `evolve` costs twice as much
        given,
        output,
        structured if structured is not None else final,
        "structured" if structured is not None else "text" if final is not None else "none",
        _status(known.status, output),
        known.error,
        content,
        (*known.gaps, *notes),
        known.sub_runs,
        known.called_by,
        known.tool_definitions,
        known.id,
        known.trace_id,
        known.span_id,
        known.conversation_id,
        known.agent_name,
        known.model,
        known.framework,
        known.started_at,
        known.ended_at,
        known.usage,
        known.metadata,
        known.source,
    )


def once(messages: Iterable[Message], /) -> tuple[Message, ...]:
    """The messages without those that repeat the words of an earlier one."""
    listed = list(messages)
    if len(listed) < 2:  # noqa: PLR2004 - one repeats nothing
        return tuple(listed)
    return tuple({(message.text or message.position): message for message in reversed(listed)}.values())[::-1]


def _by_tool(output: AgentOutput) -> object:
    """The arguments of the output tool, where the run ends with it: so some frameworks get a structured output."""
    last = output.messages[-1].parts[-1:] if output.messages else ()
    ends = [part for part in last if isinstance(part, ToolInvocation)]
    return ends[0].args if ends and (ends[0].kind == "output" or ends[0].name == OUTPUT_TOOL) and ends[0].args else None


def _content(known: Content, told: tuple[Message, ...]) -> Content:
    if known != "captured":
        return known
    said = content_of(told)
    return "captured" if said == "not_captured" and any(message.tool_calls for message in told) else said


HIDDEN = frozenset({"<elided>", "<redacted>", "[REDACTED]", "[redacted]", "__REDACTED__"})
"""Placeholders for what was said."""


def content_of(messages: Iterable[Message], /) -> Content:
    """Whether messages hold what was said, or only that something was: parts without content, or placeholders.

    Calls count by what is known of them: their names are told where nothing else is, and what a tool was seen to do is
    not what the messages hold.
    """
    hidden = False
    for message in messages:
        if message.finish_reason in _REFUSED:
            return "captured"
        for part in message.parts:
            if _says(part):
                return "captured"
            hidden = hidden or (isinstance(part, Text) and bool(part.text))
    return "redacted" if hidden else "not_captured"


def _says(part: Part) -> bool:
    """Does it hold any content, beyond that it was there?"""
    if isinstance(part, ToolInvocation):
        return part.joined_by != "span_only" and bool(part.args or part.args_raw or part.result_present)
    if isinstance(part, File):
        return bool(part.uri or part.size or part.name)
    if isinstance(part, Data):
        held = part.value
        return bool(held.keys() - _NAMING) if is_mapping(held) else held is not None
    return bool(part.text) and part.text.strip() not in HIDDEN


_NAMING = {"id", "kind", "media_type", "mime_type", "modality", "type"}


def _status(known: Status, output: AgentOutput) -> Status:
    if known != "ok":
        return known
    for message in output.messages:
        for part in message.parts:
            if isinstance(part, ToolInvocation) and part.state == "approval_requested":
                return "suspended"
    return known


def role_of(said: str, /) -> Literal["system", "developer", "user", "assistant", "tool"] | None:
    """The role that a dialect's word means; None for a word that means none."""
    return _ROLES.get(said) or _ROLES.get(said.lower())


_ROLES: dict[str, Literal["system", "developer", "user", "assistant", "tool"]] = {
    "system": "system",
    "developer": "developer",
    "user": "user",
    "human": "user",
    "assistant": "assistant",
    "ai": "assistant",
    "model": "assistant",
    "agent": "assistant",
    "tool": "tool",
    "function": "tool",
}


def with_roles(
    numbered: Iterable[tuple[int, object]], where: str, notes: list[Gap], /
) -> Iterator[tuple[str, Role, dict[str, object]]]:
    """The messages among these, each with its place and its role; what is none, or has an unknown role, is a gap."""
    for at, each in numbered:
        place, said = f"{where}[{at}]", text_at(each, "role")
        role = role_of(said)
        if not is_mapping(each):
            notes.append(gap("not_a_message", place))
        elif role is None:
            notes.append(gap("unknown_role", place, said))
        else:
            yield place, role, each


def results_as_tools(message: Message, /) -> tuple[Message, ...]:
    """A user's message that carries tool results, as the results and then what the user said."""
    if message.role != "user":
        return (message,)
    results = tuple(part for part in message.parts if isinstance(part, ToolInvocation))
    if not results:
        return (message,)
    rest = tuple(part for part in message.parts if not isinstance(part, ToolInvocation))
    answers = attrs.evolve(message, role="tool", parts=results)
    return (answers, attrs.evolve(message, parts=rest)) if rest else (answers,)
