"""A run as a person reads it. Whatever agents, users and tools said is shown, never interpreted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from scorewright.agents import (
    AgentRun,
    Data,
    File,
    Message,
    Part,
    Reasoning,
    Text,
    ToolInvocation,
    as_json,
    result_text,
)
from scorewright.cli.table import counted, shown

if TYPE_CHECKING:
    from rich.console import RenderableType

_INDENT = 2
_MOST_WORDS = 20_000
_MOST_RESULT = 2_000
_MOST_ARGS = 500
_MOST_NAME = 80
_DEEPEST = 20  # agents that called agents that called …: beyond this they are only counted
_STYLES = {"system": "yellow", "developer": "yellow", "user": "bold cyan", "assistant": "bold green", "tool": "magenta"}
_ENDS = {
    "partial_call": "the call breaks off",
    "call": "no result",
    "approval_requested": "waits for approval",
    "denied": "denied",
    "interrupted": "interrupted",
}


def conversation(run: AgentRun, /, *, depth: int = 0) -> Iterator[RenderableType]:
    """System messages, earlier turns, this turn with its calls and called agents, the end, and the gaps."""
    yield _line(_title(run), depth, "bold")
    if run.content in {"not_captured", "redacted"}:
        said = "was not captured" if run.content == "not_captured" else "was redacted"
        yield _line(f"the content of the messages {said}: no scorer can score it", depth, "yellow")
    tagged = (message for messages in run.input.tagged_system_messages.values() for message in messages)
    yield from _messages((*run.input.system_messages, *tagged), run, depth + 1)
    if run.input.remembered_messages:
        yield _line("— earlier turns —", depth + 1, "dim")
        yield from _messages(run.input.remembered_messages, run, depth + 1)
        yield _line("— this turn —", depth + 1, "dim")
    yield from _messages(_in_order((*run.input.input_messages, *run.output.messages)), run, depth + 1)
    called = _called_in(run)
    yield from _agents((sub for sub in run.sub_runs if not sub.called_by or sub.called_by not in called), depth + 1)
    if run.final_kind == "structured":
        yield _line("final output", depth + 1, "bold green")
        yield from _words(as_json(run.final_output), depth + 2, _MOST_RESULT)
    if run.error is not None:
        problem = ": ".join(filter(None, (run.error.type, run.error.message)))
        yield from _words(f"the run failed: {problem}", depth + 1, _MOST_RESULT, "red")
    for gap in run.gaps:
        where = "  ".join(shown(text) for text in (gap.where, gap.detail) if text)
        yield _line(f"gap  {shown(gap.code)}  {where}", depth + 1, "yellow")


def _title(run: AgentRun) -> str:
    calls = sum(len(message.tool_calls) for message in run.output.messages)
    facts = [
        run.model,
        run.status,
        counted(len(run.input.input_messages) + len(run.output.messages), "message"),
        counted(calls, "tool call") if calls else "",
        counted(len(run.sub_runs), "called agent") if run.sub_runs else "",
    ]
    name = " ".join(filter(None, (run.agent_name or "agent", run.span_id or run.id)))
    return f"{shown(name, _MOST_NAME)}  {' · '.join(shown(fact, _MOST_NAME) for fact in facts if fact)}"


def _in_order(messages: Sequence[Message]) -> Sequence[Message]:
    if any(message.position is None for message in messages):
        return messages
    return sorted(messages, key=lambda message: message.position or 0)


def _called_in(run: AgentRun) -> set[str]:
    return {call.id for message in run.output.messages for call in message.tool_calls if call.id}


def _messages(messages: Iterable[Message], run: AgentRun, depth: int) -> Iterator[RenderableType]:
    agents: dict[str, list[AgentRun]] = {}
    for sub in run.sub_runs:
        agents.setdefault(sub.called_by, []).append(sub)
    for message in messages:
        speaker = " ".join(filter(None, (message.role, message.name or message.agent_name)))
        yield _line(shown(speaker, _MOST_NAME), depth, _STYLES[message.role])
        for part in message.parts:
            yield from _part(part, depth + 1)
            if isinstance(part, ToolInvocation) and part.id:
                yield from _agents(agents.pop(part.id, ()), depth + 2)


def _agents(runs: Iterable[AgentRun], depth: int) -> Iterator[RenderableType]:
    for run in runs:
        if depth > _DEEPEST:
            yield _line("… an agent, deeper down", depth, "dim")
            continue
        yield from conversation(run, depth=depth)


def _part(part: Part, depth: int) -> Iterator[RenderableType]:
    match part:
        case Text(text):
            yield from _words(text, depth, _MOST_WORDS)
        case Reasoning(text):
            yield from _words(f"(thinks) {text}" if text else "(thinks)", depth, _MOST_WORDS, "dim italic")
        case File():
            known = (part.name, part.media_type, part.uri, "" if part.size is None else f"{part.size} bytes")
            yield _line(f"[file: {', '.join(shown(each) for each in known if each)}]", depth, "blue")
        case Data(kind, value):
            yield from _words(f"[{kind}] {as_json(value)}", depth, _MOST_RESULT, "blue")
        case ToolInvocation():
            yield from _call(part, depth)


def _call(call: ToolInvocation, depth: int) -> Iterator[RenderableType]:
    args = as_json(call.args) if call.args_raw is None else call.args_raw
    kind = "" if call.kind == "function" else f" ({call.kind})"
    yield _line(f"→ {shown(call.name, _MOST_NAME)}{kind} {shown(args, _MOST_ARGS)}", depth, "magenta")
    if call.error is not None:
        problem = ": ".join(filter(None, (call.error.type, call.error.message)))
        yield from _words(f"✗ {problem}", depth + 1, _MOST_RESULT, "red")
    elif call.failed:
        yield from _words(f"✗ {result_text(call.result)}", depth + 1, _MOST_RESULT, "red")
    elif call.result_present:
        yield from _words(f"← {result_text(call.result)}", depth + 1, _MOST_RESULT)
    else:
        yield _line(f"… {_ENDS.get(call.state, 'no result')}", depth + 1, "yellow")


def _words(text: str, depth: int, most: int, style: str = "") -> Iterator[RenderableType]:
    """Every line of a text; what is too long is cut, and says by how much."""
    for line in text[:most].split("\n"):
        yield _line(shown(line, most), depth, style)
    if len(text) > most:
        yield _line(f"… {len(text) - most} more characters", depth, "dim")


def _line(text: str, depth: int, style: str = "") -> RenderableType:
    from rich.padding import Padding
    from rich.text import Text as Words

    return Padding(Words(text, style, overflow="fold"), (0, 0, 0, _INDENT * depth), expand=False)
