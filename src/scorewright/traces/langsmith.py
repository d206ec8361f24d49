"""LangSmith runs: a tree with `child_runs`, or a flat list of the runs of traces."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from scorewright.agents.messages import Message
from scorewright.agents.run import AgentRun, AgentUsage, Gap, TraceSource
from scorewright.agents.tools import AgentError, ToolInvocation
from scorewright.traces.arguments import arguments
from scorewright.traces.dialect import Dialect
from scorewright.traces.files import lean
from scorewright.traces.json_view import (
    first_text,
    first_value,
    is_list,
    is_mapping,
    list_at,
    mapping_at,
    parsed,
    text_at,
    value_at,
    whole_at,
)
from scorewright.traces.nodes import Node, NodeKind
from scorewright.traces.opening import opening_of
from scorewright.traces.telling import runs_of
from scorewright.traces.times import moment
from scorewright.traces.told import told_messages

_KINDS: dict[str, NodeKind] = {"llm": "model", "tool": "tool"}


def detect(value: object, /) -> bool:
    """A run, a list of runs, or what a client sends (`post`, `patch`), with a `run_type` and `inputs`."""
    first = value[0] if is_list(value) and value else next(iter(_sent(value)), value)
    return text_at(first, "run_type") != "" and "inputs" in mapping_at(first)


def read(value: object, /) -> Iterator[AgentRun]:
    """The runs of all traces; a chain is no agent of its own, the root of its trace is the anchor."""
    nodes = [_node(run, above) for run, above in _runs(value)]
    traces: dict[str, list[Node]] = {}
    for node in nodes:
        traces.setdefault(node.trace_id, []).append(node)
    for trace in traces.values():
        told = list(runs_of(trace, TraceSource(LANGSMITH.name)))
        yield from told or runs_of(_roots(trace), TraceSource(LANGSMITH.name))


def _roots(trace: Sequence[Node]) -> list[Node]:
    """The chains that nothing else called, as agents: a trace whose content was hidden is a run all the same."""
    known = {node.id for node in trace}
    return [replace(node, kind="agent") for node in trace if node.kind == "other" and node.parent not in known]


def _sent(value: object) -> Sequence[object]:
    """The runs of what the client sends: each as it began, with what was added when it ended."""
    ended = {_id(run): run for run in list_at(value, "patch")}
    begun = [{**run, **_told(ended.pop(_id(run), None))} for run in list_at(value, "post") if is_mapping(run)]
    return [*begun, *ended.values()]


def _id(run: object) -> str:
    return text_at(run, "id") or text_at(run, "dotted_order").rpartition("Z")[2]


def _told(run: object) -> dict[str, object]:
    return {key: held for key, held in mapping_at(run).items() if held is not None}


def _runs(value: object) -> Iterator[tuple[dict[str, object], str]]:
    listed: Sequence[object] = value if is_list(value) else _sent(value) or [value]
    stack = [(each, "") for each in reversed(listed)]
    while stack:
        each, above = stack.pop()
        if is_mapping(each):
            yield each, above
            stack.extend((child, text_at(each, "id")) for child in reversed(list_at(each, "child_runs")))


def _node(run: dict[str, object], above: str) -> Node:
    kind = _KINDS.get(text_at(run, "run_type"), "other")
    id, notes = text_at(run, "id"), list[Gap]()
    error = AgentError(text_at(run, "error")) if text_at(run, "error") else None
    return Node(
        id,
        kind,
        text_at(run, "parent_run_id") or above,
        text_at(run, "trace_id"),
        text_at(run, "name"),
        moment(value_at(run, "start_time")),
        moment(value_at(run, "end_time")),
        opening_of(_given(run, id, notes)) if kind != "tool" else None,
        tuple(_said(run, kind, id, notes)),
        _call(run, error, notes) if kind == "tool" else None,
        error=error,
        model=text_at(run, "extra", "metadata", "ls_model_name"),
        framework="langsmith",
        conversation_id=text_at(run, "session_id") if kind == "other" else "",
        usage=_usage(run) if kind == "model" else None,
        gaps=tuple(notes),
    )


def _given(run: dict[str, object], where: str, notes: list[Gap]) -> list[Message]:
    return told_messages(first_value(run, "inputs"), "user", f"{where} inputs", notes)


def _said(run: dict[str, object], kind: NodeKind, where: str, notes: list[Gap]) -> list[Message]:
    if kind == "tool":
        return []
    told = told_messages(first_value(run, "outputs"), "assistant", f"{where} outputs", notes)
    at = len(told)
    while at > 0 and told[at - 1].role in {"assistant", "tool"}:
        at -= 1
    return told[at:]


def _call(run: dict[str, object], error: AgentError | None, notes: list[Gap]) -> ToolInvocation:
    given, outputs = mapping_at(run, "inputs"), mapping_at(run, "outputs")
    said = parsed(given.get("input")) if set(given) == {"input"} else given
    args, raw = arguments(said if is_mapping(said) or is_list(said) else None, text_at(run, "id"), notes)
    told = outputs.get("output", outputs)
    fields = mapping_at(told, "kwargs") or (told if is_mapping(told) else {})
    wrapped = "tool_call_id" in fields
    if error is None and wrapped and text_at(fields, "status") == "error":
        error = AgentError(str(fields.get("content")))
    return ToolInvocation(
        text_at(run, "name"),
        args,
        lean(fields.get("content") if wrapped else told),
        bool(outputs),
        "error" if error else "result",
        first_text(fields, "tool_call_id"),
        raw,
        error,
    )


def _usage(run: dict[str, object]) -> AgentUsage | None:
    asked, said = whole_at(run, "prompt_tokens"), whole_at(run, "completion_tokens")
    return None if asked is None and said is None else AgentUsage(asked or 0, said or 0)


LANGSMITH = Dialect("langsmith", 'runs with {"run_type", "inputs"}', detect, read, lines="together")
