"""Sessions of Claude Code and of the Claude Agent SDK: lines that wrap Anthropic messages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import attrs

from scorewright.agents.messages import Message
from scorewright.agents.run import AgentRun, AgentUsage, Gap, Status, TraceSource
from scorewright.agents.tools import AgentError
from scorewright.traces.anthropic import messages_of
from scorewright.traces.claude_lines import SYNTHETIC, WRAPPED, conversation
from scorewright.traces.conversing import add_message, told_run
from scorewright.traces.dialect import Dialect
from scorewright.traces.gaps import gap
from scorewright.traces.json_view import first_text, is_list, is_mapping, is_number, list_at, mapping_at, text_at
from scorewright.traces.openai_chat import usage_of
from scorewright.traces.times import moment


def detect(value: object, /) -> bool:
    """Lines of the types "user" and "assistant" that wrap a message; of the SDK, perhaps with their direction."""
    lines = _lines(value)
    return any(text_at(line, "type") in WRAPPED and text_at(line, "message", "role") in WRAPPED for line in lines)


def _lines(value: object) -> Sequence[object]:
    listed = value if is_list(value) else list_at(value, "loglines") or list_at(value, "messages")
    return [mapping_at(line, "message") if text_at(line, "direction") else line for line in listed]


def read(value: object, /) -> Iterator[AgentRun]:
    """One run; summaries of what was compacted and the session's own notes are not the user's words.

    Lines of a called agent are a sub-run, linked by the call that started it.
    """
    lines = [line for line in _lines(value) if is_mapping(line)]
    called: dict[str, list[dict[str, object]]] = {}
    for line in lines:
        side = f"{_SIDE}{text_at(line, 'agentId')}" if line.get("isSidechain") is True else ""
        called.setdefault(text_at(line, "parent_tool_use_id") or side, []).append(line)
    callers = _callers(called.get("", []))
    own = called.pop("", None) or (called.pop(next(iter(called))) if len(called) == 1 else [])
    subs = (_run(told, callers.get(by, "") if by.startswith(_SIDE) else by) for by, told in called.items())
    yield attrs.evolve(_run(own, ""), sub_runs=tuple(subs))


_SIDE = "agent "


def _callers(lines: Sequence[dict[str, object]]) -> dict[str, str]:
    """By the ids of called agents, the calls that started them, as the results of these say."""
    results = ((text_at(line, "toolUseResult", "agentId"), list_at(line, "message", "content")) for line in lines)
    return {f"{_SIDE}{agent}": text_at(blocks[0], "tool_use_id") for agent, blocks in results if agent and blocks}


def _run(lines: Sequence[dict[str, object]], called_by: str) -> AgentRun:
    notes: list[Gap] = []
    messages: list[Message] = []
    for at, line in conversation(lines, notes):
        when = moment(line.get("timestamp"))
        for message in messages_of([line.get("message")], f"line {at + 1}", notes):
            if _is_skill(message, messages):
                notes.append(gap("prompt_as_user", f"line {at + 1}", "a skill"))
            else:
                add_message(messages, attrs.evolve(message, created_at=when))
    end = _last(lines, "result")
    answer = "" if _failed(end) else text_at(end, "result")
    return told_run(messages, 0, notes, known=_known(lines, end, called_by), answer=answer)


def _last(lines: Sequence[dict[str, object]], kind: str) -> dict[str, object]:
    """The last line of a type; an empty one where there is none."""
    return mapping_at(next((line for line in reversed(lines) if text_at(line, "type") == kind), None))


def _failed(end: dict[str, object]) -> bool:
    return end.get("is_error") is True


def _known(lines: Sequence[dict[str, object]], end: dict[str, object], called_by: str) -> AgentRun:
    """What is said of the run beside its messages, much of it at its end."""
    start = next((line for line in lines if text_at(line, "subtype") == "init"), None)
    failed, last = _failed(end), _last(lines, "assistant")
    kind = text_at(last, "error") or ("api_error" if last.get("isApiErrorMessage") is True else "")
    broken = AgentError(kind, kind) if kind else None
    status: Status = "error" if failed or broken else "ok" if text_at(end, "subtype") in {"success", ""} else "partial"
    models = (text_at(line, "message", "model") for line in lines)
    usage, cost = usage_of(mapping_at(end, "usage")), end.get("total_cost_usd")
    return AgentRun(
        id=next((id for line in lines if (id := first_text(line, "session_id", "sessionId"))), ""),
        model=text_at(start, "model") or next((name for name in models if name not in {"", SYNTHETIC}), ""),
        framework="claude-code",
        called_by=called_by,
        status=status,
        error=AgentError(text_at(end, "result") or _problem(end), text_at(end, "subtype")) if failed else broken,
        usage=attrs.evolve(usage or AgentUsage(), cost=float(cost)) if is_number(cost) else usage,
        source=TraceSource(CLAUDE_CODE.name),
    )


def _is_skill(message: Message, before: Sequence[Message]) -> bool:
    """Is it the text of a skill, which is put in the user's mouth after the call that asked for it?"""
    follows = bool(before) and before[-1].role == "tool"
    return follows and message.role == "user" and message.text.startswith("Base directory for this skill:")


def _problem(end: dict[str, object]) -> str:
    return "\n".join(each for each in list_at(end, "errors") if isinstance(each, str)) or "error"


CLAUDE_CODE = Dialect(
    "claude-code", 'lines such as {"type": "assistant", "message": {"role"}}', detect, read, lines="together"
)
