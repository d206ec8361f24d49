"""ATIF trajectories (Harbor), versions 1.4 to 1.7: steps of a user, an agent and the system."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import attrs

from scorewright.agents.extract import result_text
from scorewright.agents.messages import Message, Part, Reasoning
from scorewright.agents.run import AgentRun, AgentUsage, Gap, TraceSource
from scorewright.agents.tools import AgentError, ToolInvocation
from scorewright.traces.arguments import arguments
from scorewright.traces.claude_lines import SYNTHETIC
from scorewright.traces.conversing import told_run
from scorewright.traces.dialect import Dialect
from scorewright.traces.files import lean
from scorewright.traces.gaps import gap
from scorewright.traces.json_view import (
    first_text,
    is_list,
    is_mapping,
    is_number,
    list_at,
    mapping_at,
    text_at,
    value_at,
    whole_at,
)
from scorewright.traces.openai_chat import definitions, parts_of, result_of
from scorewright.traces.times import moment

_SOURCES = {"user", "agent", "system"}
_ENDS = {"finish", "submit", "final_answer", "complete", "done"}


def detect(value: object, /) -> bool:
    """`schema_version` begins with ATIF, or numbered steps have a source; or a mapping of such documents."""
    documents = list(value.values()) if is_mapping(value) else []
    return _is_trajectory(value) or (bool(documents) and all(map(_is_trajectory, documents)))


def _is_trajectory(value: object) -> bool:
    if text_at(value, "schema_version").startswith("ATIF"):
        return True
    steps = list_at(value, "steps")
    return bool(steps) and all(map(_is_step, steps))


def _is_step(value: object) -> bool:
    return text_at(value, "source") in _SOURCES and {"step_id", "message"} <= mapping_at(value).keys()


def read(value: object, /) -> Iterator[AgentRun]:
    """The runs: a document that another calls is its sub-run."""
    if _is_trajectory(value):
        yield _run(value, {})
        return
    documents = list(value.values()) if is_mapping(value) else []
    by_session = {text_at(each, "session_id"): each for each in documents}
    called = {ref for each in documents for ref, _ in _references(each)}
    for each in documents:
        if text_at(each, "session_id") not in called:
            yield _run(each, by_session)


def _references(document: object) -> Iterator[tuple[str, str]]:
    """The ids of the documents that a document calls, each with the id of the call."""
    for step in list_at(document, "steps"):
        for result in list_at(step, "observation", "results"):
            for ref in list_at(result, "subagent_trajectory_ref"):
                yield first_text(ref, "trajectory_id", "session_id"), text_at(result, "source_call_id")


def _run(document: object, others: dict[str, object]) -> AgentRun:
    notes: list[Gap] = []
    messages: list[Message] = []
    turn = 0
    for at, step in enumerate(list_at(document, "steps")):
        messages.extend(_step(step, f"$.steps[{at}]", notes))
        if value_at(step, "is_copied_context") is True:  # of the trajectory that this one goes on from
            turn = len(messages)
    agent, total = mapping_at(document, "agent"), mapping_at(document, "final_metrics")
    known = AgentRun(
        id=first_text(document, "trajectory_id", "session_id"),
        conversation_id=text_at(document, "session_id"),
        agent_name=text_at(agent, "name"),
        model=text_at(agent, "model_name"),
        framework=text_at(agent, "name"),
        tool_definitions=definitions(list_at(agent, "tool_definitions")),
        usage=_usage(total),
        source=TraceSource(ATIF.name, text_at(document, "schema_version")),
    )
    last = messages[-1] if messages else Message("assistant")
    ends = bool(last.tool_calls) and last.tool_calls[-1].name in _ENDS
    run = told_run(messages, turn, notes, known=known, answer=last.text if ends else "")
    embedded = {text_at(each, "trajectory_id"): each for each in list_at(document, "subagent_trajectories")}
    known_others = {**others, **embedded}
    subs = tuple(
        attrs.evolve(_run(known_others[ref], {}), called_by=call)
        for ref, call in _references(document)
        if ref in known_others and known_others[ref] is not document
    )
    return attrs.evolve(run, sub_runs=subs)


def _step(step: object, where: str, notes: list[Gap]) -> Iterator[Message]:
    source = text_at(step, "source")
    when = moment(value_at(step, "timestamp"))
    results = list_at(step, "observation", "results")
    if text_at(step, "model_name") == SYNTHETIC:  # the program in the model's name
        return
    message = value_at(step, "message")
    said = parts_of([*map(_part, message)] if is_list(message) else message, where, notes)
    if source == "user":
        yield Message("user", said, created_at=when)
    elif source == "agent":
        thought = text_at(step, "reasoning_content")
        parts: tuple[Part, ...] = (*((Reasoning(thought),) if thought else ()), *said, *_calls(step, where, notes))
        yield Message("assistant", parts, created_at=when)
        failed = value_at(step, "extra", "tool_result_is_error") is True
        yield from _results(results, list_at(step, "tool_calls"), where, failed=failed)
    elif source == "system":
        yield Message("system", said, created_at=when)
    else:
        notes.append(gap("unknown_role", where, source))


def _part(part: object) -> object:
    """A part of a message; an image lies beside the document."""
    path = text_at(part, "source", "path") or text_at(part, "source", "url")
    return {"type": "image_url", "image_url": {"url": path}} if text_at(part, "type") == "image" and path else part


def _calls(step: object, where: str, notes: list[Gap]) -> Iterator[ToolInvocation]:
    for at, each in enumerate(list_at(step, "tool_calls")):
        args, raw = arguments(value_at(each, "arguments"), f"{where}.tool_calls[{at}]", notes)
        id = text_at(each, "tool_call_id") or f"{where}.tool_calls[{at}]"
        yield ToolInvocation(text_at(each, "function_name"), args, id=id, args_raw=raw)


def _results(results: Sequence[object], calls: Sequence[object], where: str, *, failed: bool) -> Iterator[Message]:
    """The observations that name a call, or that are as many as the calls."""
    ids = [text_at(call, "tool_call_id") or f"{where}.tool_calls[{at}]" for at, call in enumerate(calls)]
    unnamed = ids if len(ids) == len(results) else ids if len(ids) == 1 else []
    for at, each in enumerate(results):
        id = text_at(each, "source_call_id") or (unnamed[min(at, len(unnamed) - 1)] if unnamed else "")
        if id:
            told = "content" in each if is_mapping(each) else False
            content = result_of(lean(value_at(each, "content")))
            bad = failed or _says_failed(mapping_at(each, "extra"))
            error = AgentError(result_text(content)) if bad else None
            yield Message(
                "tool", (ToolInvocation("", None, content, told, "error" if bad else "result", id, error=error),)
            )


def _says_failed(extra: dict[str, object]) -> bool:
    return extra.get("success") is False or extra.get("is_error") is True


def _usage(total: dict[str, object]) -> AgentUsage | None:
    if not total:
        return None
    cost = total.get("total_cost_usd")
    return AgentUsage(
        whole_at(total, "total_prompt_tokens") or 0,
        whole_at(total, "total_completion_tokens") or 0,
        float(cost) if is_number(cost) else None,
    )


ATIF = Dialect("atif", '{"schema_version": "ATIF-…", "steps"}', detect, read)
