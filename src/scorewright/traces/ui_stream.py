"""The stream of UI message chunks that the AI SDK sends: each step of the model is one message."""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from scorewright.agents.messages import Data, Message, Part, Reasoning, Text
from scorewright.agents.run import AgentRun, Gap, Status, TraceSource
from scorewright.agents.tools import AgentError, ToolInvocation
from scorewright.traces.arguments import arguments
from scorewright.traces.conversing import told_run
from scorewright.traces.dialect import Dialect
from scorewright.traces.files import file_at, lean
from scorewright.traces.gaps import gap
from scorewright.traces.json_view import is_list, is_mapping, text_at

_OPENINGS = {"start", "start-step", "text-start", "reasoning-start", "tool-input-start", "tool-input-available"}


def detect(value: object, /) -> bool:
    """A list whose first chunk opens a message, a step or a part."""
    first = value[0] if is_list(value) and value else None
    return text_at(first, "type") in _OPENINGS and "role" not in (first if is_mapping(first) else {})


@attrs.define
class _Stream:
    """What has come so far: finished steps, the open step, and where its texts and calls stand."""

    steps: list[list[Part]] = attrs.field(factory=lambda: [list[Part]()])
    at: dict[str, tuple[int, int]] = attrs.field(factory=dict[str, tuple[int, int]])
    typed: dict[str, str] = attrs.field(factory=dict[str, str])
    status: Status = "partial"
    error: AgentError | None = None

    def put(self, key: str, part: Part) -> None:
        """A new part of the open step, or another state of one that is known."""
        if key in self.at:
            step, place = self.at[key]
            self.steps[step][place] = part
            return
        self.at[key] = (len(self.steps) - 1, len(self.steps[-1]))
        self.steps[-1].append(part)

    def call(self, id: str) -> ToolInvocation:
        """The call of this id as it stands."""
        step, place = self.at.get(f"call {id}", (-1, -1))
        part = self.steps[step][place] if step >= 0 else None
        return part if isinstance(part, ToolInvocation) else ToolInvocation("", id=id)


def read(value: object, /) -> Iterator[AgentRun]:
    """One run, without the input: the stream holds the answer only."""
    notes: list[Gap] = []
    stream = _Stream()
    for at, chunk in enumerate(value if is_list(value) else ()):
        _take(stream, chunk, f"$[{at}]", notes)
    messages = [Message("assistant", tuple(parts)) for parts in stream.steps if parts]
    known = AgentRun(status=stream.status, error=stream.error, source=TraceSource(UI_STREAM.name))
    if stream.status == "partial":
        notes.append(gap("unfinished", "$", "the stream does not finish"))
    yield told_run(messages, 0, notes, known=known)


def _take(stream: _Stream, chunk: object, where: str, notes: list[Gap]) -> None:
    kind = text_at(chunk, "type")
    id = text_at(chunk, "id")
    if kind in {"start-step", "finish-step"}:
        if stream.steps[-1]:
            stream.steps.append([])
    elif kind.startswith(("text-", "reasoning-")):
        family = kind.split("-")[0]
        key = f"{family} {id} {len(stream.steps)}"
        stream.typed[key] = stream.typed.get(key, "") + text_at(chunk, "delta")
        if stream.typed[key]:
            stream.put(key, Text(stream.typed[key]) if family == "text" else Reasoning(stream.typed[key]))
    elif kind.startswith("tool-"):
        _take_call(stream, chunk, kind, where, notes)
    elif kind == "finish":
        stream.status = "ok"
    elif kind in {"error", "abort"}:
        stream.status = "error" if kind == "error" else "aborted"
        stream.error = AgentError(text_at(chunk, "errorText")) if kind == "error" else None
    elif kind == "file":
        stream.put(where, file_at(text_at(chunk, "url"), text_at(chunk, "mediaType")))
    elif kind not in {"start", "message-metadata"}:
        stream.put(where, Data(kind or "unknown", lean(chunk)))


def _take_call(stream: _Stream, chunk: object, kind: str, where: str, notes: list[Gap]) -> None:
    id = text_at(chunk, "toolCallId")
    call = stream.call(id)
    fields = chunk if is_mapping(chunk) else {}
    call = attrs.evolve(
        call,
        name=text_at(chunk, "toolName") or call.name,
        args=lean(fields["input"]) if "input" in fields else call.args,
        kind="server" if fields.get("providerExecuted") is True else call.kind,
    )
    if kind == "tool-input-start":
        call = attrs.evolve(call, state="partial_call")
    elif kind == "tool-input-delta":
        stream.typed[id] = stream.typed.get(id, "") + text_at(chunk, "inputTextDelta")
    elif kind == "tool-input-available":
        call = attrs.evolve(call, state="call")
    elif kind == "tool-output-available":
        call = attrs.evolve(call, state="result", result=lean(fields.get("output")), result_present=True)
    elif kind in {"tool-output-error", "tool-input-error"}:
        call = attrs.evolve(call, state="error", error=AgentError(text_at(chunk, "errorText")))
    elif kind == "tool-output-denied":
        call = attrs.evolve(call, state="denied")
    elif kind == "tool-approval-request":
        call = attrs.evolve(call, state="approval_requested")
    if not call.args and stream.typed.get(id) and kind != "tool-input-delta":
        args, raw = arguments(stream.typed[id], where, notes)
        call = attrs.evolve(call, args=args, args_raw=raw)
    stream.put(f"call {id}", call)


UI_STREAM = Dialect(
    "ui-stream",
    'a list of chunks such as {"type": "start-step"} and {"type": "text-delta"}',
    detect,
    read,
    lines="together",
)
