"""Gemini: a request with its contents, a response with its candidates, both, or the responses of a stream."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import attrs

from scorewright.agents.messages import Message, Part, Text
from scorewright.agents.run import AgentRun, AgentUsage, Gap, TraceSource
from scorewright.agents.tools import ToolDefinition
from scorewright.traces.adk_spans import contents_of
from scorewright.traces.conversing import last_turn, told_run
from scorewright.traces.dialect import Dialect
from scorewright.traces.gaps import gap
from scorewright.traces.google_adk import parts_of
from scorewright.traces.json_view import (
    first_text,
    first_value,
    is_list,
    is_mapping,
    list_at,
    mapping_at,
    text_at,
    value_at,
    whole_at,
)
from scorewright.traces.openai_chat import definitions


def detect(value: object, /) -> bool:
    """`contents` made of parts, or `candidates` with a content; the responses of a stream are a list of these."""
    if is_list(value):
        return bool(value) and _answers(_sides(value[0])[1]) and not any(_asks(each) for each in value)
    request, response = _sides(value)
    asked = list_at(request, "contents")
    return any(is_list(value_at(turn, "parts")) for turn in asked) or _answers(response)


def _answers(response: dict[str, object]) -> bool:
    told = list_at(response, "candidates")
    return any(is_mapping(value_at(each, "content")) for each in told)


def _asks(each: object) -> bool:
    """Does it hold a request, which a response of a stream does not?"""
    return bool(list_at(_sides(each)[0], "contents"))


def _sides(value: object) -> tuple[dict[str, object], dict[str, object]]:
    beside = mapping_at(value)
    return mapping_at(beside, "request") or beside, mapping_at(beside, "response") or beside


def read(value: object, /) -> Iterator[AgentRun]:
    """One run; what was asked ends where the candidates begin, and a list of responses is one answer."""
    notes: list[Gap] = []
    documents = value if is_list(value) else [value]
    request, _ = _sides(documents[0] if documents else None)
    responses = [_sides(each)[1] for each in documents]
    config = mapping_at(request, "config") or request
    before = [*_system(config, notes), *_asked(request.get("contents"), notes)]
    after = _answer(responses, notes)
    answered = any("candidates" in response for response in responses)
    if not answered and before and before[-1].role in {"user", "tool"}:
        notes.append(gap("unfinished", "$.contents", "the request has no response"))
    known = AgentRun(
        id=next((id for each in responses if (id := first_text(each, "responseId", "response_id"))), ""),
        model=next((name for each in (*responses, request) if (name := first_text(each, *_MODEL))), ""),
        tool_definitions=_offered(config),
        usage=next((told for each in reversed(responses) if (told := _usage(each)) is not None), None),
        status="ok" if answered or not before or before[-1].role == "assistant" else "partial",
        source=TraceSource(GEMINI.name),
    )
    turn = last_turn(before) if answered or known.status == "partial" else 0
    yield told_run([*before, *after], turn, notes, known=known)


_MODEL = ("modelVersion", "model_version", "model")


def _system(config: dict[str, object], notes: list[Gap]) -> Iterator[Message]:
    said = first_value(config, "systemInstruction", "system_instruction")
    parts: Sequence[Part] = (
        (Text(said),) if isinstance(said, str) and said else tuple(parts_of(list_at(said, "parts"), "$.system", notes))
    )
    if parts:
        yield Message("system", tuple(parts))


def _asked(contents: object, notes: list[Gap]) -> list[Message]:
    """The turns; text alone is one of the user's, as clients take it."""
    if isinstance(contents, str):
        return [Message("user", (Text(contents),))]
    return [
        each
        for at, turn in enumerate(contents if is_list(contents) else [])
        for each in contents_of(turn, f"$.contents[{at}]", notes)
    ]


def _answer(responses: Sequence[dict[str, object]], notes: list[Gap]) -> list[Message]:
    """The first candidate, whose words may come in pieces."""
    parts: list[Part] = []
    reason = ""
    for at, response in enumerate(responses):
        candidates = list_at(response, "candidates")
        if len(candidates) > 1:
            notes.append(gap("choices_dropped", "$.candidates", f"{len(candidates) - 1} of {len(candidates)}"))
        first = candidates[0] if candidates else None
        where = "$.candidates[0]" if len(responses) == 1 else f"$[{at}].candidates[0]"
        for part in parts_of(list_at(first, "content", "parts"), where, notes):
            last = parts[-1] if parts else None
            if len(responses) > 1 and isinstance(last, Text) and isinstance(part, Text):
                parts[-1] = attrs.evolve(last, text=last.text + part.text)
            else:
                parts.append(part)
        reason = text_at(first, "finishReason") or text_at(first, "finish_reason") or reason
    return [Message("assistant", tuple(parts), finish_reason=reason)] if parts else []


def _offered(config: dict[str, object]) -> tuple[ToolDefinition, ...]:
    tools = list_at(config, "tools")
    declared = [first_value(tool, "functionDeclarations", "function_declarations") for tool in tools]
    return definitions([each for listed in declared if is_list(listed) for each in listed])


def _usage(response: dict[str, object]) -> AgentUsage | None:
    told = mapping_at(response, "usageMetadata") or mapping_at(response, "usage_metadata")
    asked = whole_at(told, "promptTokenCount") or whole_at(told, "prompt_token_count")
    said = whole_at(told, "candidatesTokenCount") or whole_at(told, "candidates_token_count")
    return None if asked is None and said is None else AgentUsage(asked or 0, said or 0)


GEMINI = Dialect(
    "gemini", '{"contents": [{"parts"}]}, {"candidates": [{"content"}]}, or a list of such responses', detect, read
)
