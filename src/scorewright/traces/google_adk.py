"""Google ADK: sessions, and evaluation sets, which hold what was expected."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from scorewright.agents.messages import Data, Message, Part, Reasoning, Text
from scorewright.agents.run import AgentRun, Gap, TraceSource
from scorewright.agents.tools import AgentError, ToolInvocation
from scorewright.traces.arguments import arguments
from scorewright.traces.conversing import results_as_tools, told_run
from scorewright.traces.dialect import Dialect
from scorewright.traces.files import file_at, file_of, lean
from scorewright.traces.gaps import gap
from scorewright.traces.joining import served
from scorewright.traces.json_view import (
    first_text,
    is_list,
    is_mapping,
    list_at,
    mapping_at,
    spelled,
    text_at,
    value_at,
)
from scorewright.traces.times import moment


def detect(value: object, /) -> bool:
    """`eval_cases` with conversations, or their results; or `events` with an author and a content of parts."""
    if is_list(value):
        return bool(value) and (all(map(_is_query, value)) or any(map(_is_event, value[:5])))
    told = any(_turns(case) for case in _cases(value))
    return told or any(map(_is_event, list_at(value, "events")))


def _is_event(event: object) -> bool:
    return text_at(event, "author") != "" and is_list(value_at(event, "content", "parts"))


def _cases(value: object) -> Sequence[object]:
    """The cases of an evaluation set, or of what came of one."""
    return list_at(spelled(value, "eval_cases")) or list_at(spelled(value, "eval_case_results"))


def _turns(case: object) -> Sequence[object]:
    """The turns of a case: as they should be, or as they were in a result."""
    results = list_at(spelled(case, "eval_metric_result_per_invocation"))
    return [spelled(each, "actual_invocation") for each in results] or list_at(case, "conversation")


def _is_query(each: object) -> bool:
    """A turn as the first evaluation sets had it."""
    return text_at(each, "query") != "" and is_list(value_at(each, "expected_tool_use"))


def _case(queries: Sequence[object]) -> dict[str, object]:
    """The turns of such a set as a case of today's."""
    turns: list[object] = [
        {
            "user_content": {"parts": [{"text": text_at(each, "query")}]},
            "intermediate_data": {
                "tool_uses": [
                    {"name": text_at(use, "tool_name"), "args": value_at(use, "tool_input")}
                    for use in list_at(each, "expected_tool_use")
                ]
            },
            "final_response": {"parts": [{"text": text_at(each, "reference") or None}]},
        }
        for each in queries
    ]
    return {"eval_cases": [{"conversation": turns}]}


def read(value: object, /) -> Iterator[AgentRun]:
    """One run a session; one a case of an evaluation set, which is a reference and was never run."""
    if is_list(value):
        value = _case(value) if any(map(_is_query, value)) else {"events": value}
    cases = _cases(value)
    for at, case in enumerate(cases):
        notes: list[Gap] = []
        told = [
            message
            for number, turn in enumerate(_turns(case))
            for message in _turn(turn, f"$.eval_cases[{at}].conversation[{number}]", notes)
        ]
        known = AgentRun(
            id=first_text(case, "eval_id", "evalId"),
            framework="google-adk",
            metadata={"reference": True} if list_at(case, "conversation") else {},
            source=TraceSource(GOOGLE_ADK.name),
        )
        yield told_run(told, 0, notes, known=known)
    if not cases and "eval_cases" not in mapping_at(value):
        yield _session(value)


def _session(value: object) -> AgentRun:
    notes: list[Gap] = []
    messages: list[Message] = []
    events = [event for event in list_at(value, "events") if value_at(event, "partial") is not True]
    for at, event in enumerate(events):
        content = mapping_at(event, "content")
        role = "user" if text_at(event, "author") == "user" else "assistant"
        messages.extend(_message(content, role, f"$.events[{at}]", notes, moment(value_at(event, "timestamp"))))
    authors = [text_at(event, "author") for event in events]
    known = AgentRun(
        id=text_at(value, "id"),
        conversation_id=text_at(value, "id"),
        agent_name=next((author for author in authors if author != "user"), ""),
        framework="google-adk",
        source=TraceSource(GOOGLE_ADK.name),
    )
    return told_run(messages, 0, notes, known=known)


def _turn(turn: object, where: str, notes: list[Gap]) -> Iterator[Message]:
    """What a case expects of one turn: the tools, then the answer, in one message."""
    yield from _message(mapping_at(spelled(turn, "user_content")), "user", f"{where}.user_content", notes, None)
    between = spelled(turn, "intermediate_data")
    events = list_at(spelled(between, "invocation_events"))
    made = [spelled(part, "function_call") for event in events for part in list_at(event, "content", "parts")]
    uses = list_at(spelled(between, "tool_uses")) or [call for call in made if call is not None]
    calls = tuple(_call(use, f"{where}.tool_uses[{at}]", notes) for at, use in enumerate(uses))
    final = list_at(spelled(turn, "final_response"), "parts")
    parts = tuple(parts_of(final, f"{where}.final_response", notes))
    if calls or parts:
        yield Message("assistant", (*calls, *parts))


def _message(
    content: dict[str, object], role: str, where: str, notes: list[Gap], when: int | None
) -> Sequence[Message]:
    parts = tuple(parts_of(list_at(content, "parts"), where, notes))
    answers = parts and all(isinstance(part, ToolInvocation) and part.state == "result" for part in parts)
    if not parts:
        return ()
    if role == "assistant" and not answers:
        return (Message("assistant", parts, created_at=when),)
    return results_as_tools(Message("user", parts, created_at=when))


def parts_of(parts: Sequence[object], where: str, notes: list[Gap], /) -> Iterator[Part]:
    """The parts of Gemini's contents, in either spelling; one that says nothing is none.

    Code that the model ran is a call of the provider's, with what it printed as its result.
    """
    read = [
        _part(part, f"{where}.parts[{at}]", notes)
        for at, part in enumerate(parts)
        if not (is_mapping(part) and all(held is None or key == "thought_signature" for key, held in part.items()))
    ]
    yield from served(read)


def _part(part: object, where: str, notes: list[Gap]) -> Part:
    text = text_at(part, "text")
    if text:
        return Reasoning(text) if value_at(part, "thought") is True else Text(text)
    call = spelled(part, "function_call")
    if call is not None:
        return _call(call, where, notes)
    answer = spelled(part, "function_response")
    if answer is not None:
        result = lean(value_at(answer, "response"))
        return ToolInvocation(text_at(answer, "name"), None, result, True, "result", text_at(answer, "id"))
    code, ran = (mapping_at(spelled(part, name)) for name in ("executable_code", "code_execution_result"))
    if code or ran:
        return _executed(code, ran)
    blob = mapping_at(spelled(part, "inline_data"))
    if blob:
        return file_of(text_at(blob, "data"), first_text(blob, "mime_type", "mimeType"))
    file = mapping_at(spelled(part, "file_data"))
    if file:
        return file_at(first_text(file, "file_uri", "fileUri"), first_text(file, "mime_type", "mimeType"))
    notes.append(gap("unknown_part", where))
    return Data("unknown", lean(part))


def _executed(code: dict[str, object], ran: dict[str, object]) -> ToolInvocation:
    said, bad = first_text(ran, "output"), text_at(ran, "outcome") not in {"", "OUTCOME_OK", "OUTCOME_UNSPECIFIED"}
    return ToolInvocation(
        "code_execution",
        code,
        said or None,
        bool(ran),
        "error" if bad else "result" if ran else "call",
        text_at(code or ran, "id"),
        error=AgentError(said or text_at(ran, "outcome"), text_at(ran, "outcome")) if bad else None,
        kind="server",
    )


def _call(call: object, where: str, notes: list[Gap]) -> ToolInvocation:
    args, raw = arguments(value_at(call, "args"), where, notes)
    return ToolInvocation(text_at(call, "name"), args, id=text_at(call, "id"), args_raw=raw)


GOOGLE_ADK = Dialect(
    "google-adk",
    '{"eval_cases": [{"conversation"}]}, or {"events": [{"author", "content"}]}',
    detect,
    read,
    lines="together",
)
