"""The golden rows: what another system answered, read into our runs.

`rows(name)` reads one file, each row with its line. `run(row)`, `agent_input(…)`, `agent_output(…)` and `message(…)`
build our values from the compact messages of the rows, or from literal ones (`raw`).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TypeAlias, cast

import attrs

from scorewright import Run
from scorewright.agents import (
    AgentError,
    AgentInput,
    AgentOutput,
    CallState,
    Message,
    Part,
    Reasoning,
    Role,
    Text,
    ToolInvocation,
)

FOLDER = Path(__file__).parents[2] / "shared" / "golden"
PRESENT = FOLDER.is_dir()

Json: TypeAlias = dict[str, object]

_STATES: dict[object, CallState] = {
    "result": "result",
    "call": "call",
    "partial-call": "partial_call",
    "output-error": "error",
}
_NOT_FINITE = {"#NaN": float("nan"), "#Infinity": float("inf"), "#-Infinity": float("-inf")}


@attrs.frozen
class Row:
    """One row: its file, its line (from 1), and all that it holds."""

    file: str
    line: int
    held: Json = attrs.field(repr=False)

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"

    def __getitem__(self, key: str) -> object:
        return self.held[key]

    def get(self, key: str, default: object = None) -> object:
        return self.held.get(key, default)

    @property
    def factory(self) -> str:
        return str(self.held.get("factory", self.held.get("util")))

    @property
    def options(self) -> Json:
        """The options that its scorer was made with; empty where there were none."""
        return mapping(self.held.get("options"))

    @property
    def args(self) -> list[object]:
        """The positional arguments: of a check (`options.args`), or of the row itself."""
        return items(self.held["args"] if "args" in self.held else self.options.get("args"))

    @property
    def score(self) -> float | None:
        """The score; None where the other system raised, or where the row has `scores`."""
        found = self.held.get("score")
        return float(found) if isinstance(found, (int, float)) else None

    @property
    def preprocess(self) -> Json:
        return mapping(mapping(self.held.get("extra")).get("preprocess"))

    @property
    def analyze(self) -> Json:
        return mapping(mapping(self.held.get("extra")).get("analyze"))

    @property
    def defects(self) -> tuple[str, ...]:
        return tuple(map(str, items(self.held.get("defects"))))

    @property
    def raised(self) -> bool:
        """Did the other system raise?"""
        return "error" in self.held


def rows(name: str) -> list[Row]:
    """The rows of one file, such as "checks"; none where the golden folder is absent."""
    path = FOLDER / f"{name}.jsonl"
    if not path.exists():
        return []
    lines = path.read_text(encoding="utf-8").split("\n")
    return [Row(name, at, mapping(_finite(json.loads(line)))) for at, line in enumerate(lines, 1) if line]


def run(row: Row) -> Run[AgentInput, AgentOutput, None]:
    """The run of a row whose input and output are messages."""
    return Run(agent_input(row["input"]), agent_output(row["output"]))


def agent_input(given: object) -> AgentInput:
    """A list of messages, a plain text, or an object with inputMessages, rememberedMessages, systemMessages."""
    held = mapping(given)
    if "raw" in held:
        return agent_input(held["raw"])
    if isinstance(given, str):
        return AgentInput((Message("user", (Text(given),)),))
    if not held:
        return AgentInput(messages(given))
    return AgentInput(
        messages(held.get("inputMessages")),
        messages(held.get("rememberedMessages")),
        messages(held.get("systemMessages"), role="system"),
        {tag: messages(told, role="system") for tag, told in mapping(held.get("taggedSystemMessages")).items()},
    )


def agent_output(given: object) -> AgentOutput:
    """A list of messages, one message, or a plain text."""
    held = mapping(given)
    if "raw" in held and "role" not in held:
        return agent_output(held["raw"])
    if isinstance(given, str):
        return AgentOutput((Message("assistant", (Text(given),)),))
    return AgentOutput(messages([given] if held else given, role="assistant"))


def messages(given: object, *, role: Role = "user") -> tuple[Message, ...]:
    """Messages in their compact form; `role` is for those that name none."""
    return tuple(message(mapping(each), at, role=role) for at, each in enumerate(items(given)) if mapping(each))


def message(given: Json, at: int = 0, *, role: Role = "user") -> Message:
    """One message. Calls come before the words: the compact form tells no order, and words are what calls lead to."""
    literal = mapping(given.get("raw")) or ({} if {"text", "texts", "tools"} & given.keys() else given)
    who = cast("Role", str(given.get("role") or literal.get("role") or role))
    name = str(literal.get("id", ""))
    if literal:
        return Message(who, tuple(_literal_parts(literal.get("content"), at)), name)
    texts = [given["text"]] if "text" in given else items(given.get("texts"))
    compact = [_literal_call(mapping(tool), at, k) for k, tool in enumerate(items(given.get("tools")))]
    in_parts = [call for call in compact if call["where"] != "legacy"]
    legacy = [call for call in compact if call["where"] != "parts"]
    return Message(who, (*_merged(in_parts, legacy, at), *(Text(str(text)) for text in texts)), name)


def _literal_call(tool: Json, at: int, k: int) -> Json:
    """A compact call with its defaults."""
    state = tool.get("state", "result")
    result: Json = {"result": {"ok": True}} if state == "result" else {}
    return {"toolCallId": f"c{at}-{k}", "state": state, "args": {}, "where": "parts", **result, **tool}


def _merged(in_parts: list[Json], legacy: list[Json], at: int) -> list[ToolInvocation]:
    """Both lists as one: a call in both is the one in parts; one of the second alone stands before its neighbour."""
    listed = list(in_parts)
    ids = {call.get("toolCallId") for call in in_parts if call.get("toolCallId") is not None}
    waiting: list[Json] = []
    for call in legacy:
        if call.get("toolCallId") not in ids:
            waiting.append(call)
            continue
        anchor = next(n for n, known in enumerate(listed) if known.get("toolCallId") == call.get("toolCallId"))
        listed[anchor:anchor] = waiting
        waiting = []
    return [call_of(call, f"{at}-{k}") for k, call in enumerate([*listed, *waiting])]


def call_of(told: Json, id: str = "") -> ToolInvocation:
    """A tool invocation in the other system's words."""
    state = _STATES.get(told.get("state"), "call")
    failed = state == "error" or told.get("isError") is True
    error = AgentError(str(told.get("errorText", "the tool said that it failed"))) if failed else None
    return ToolInvocation(
        str(told.get("toolName", "")),
        told.get("args", {}),
        told.get("result"),
        "result" in told,
        "error" if failed else state,
        str(told.get("toolCallId", id)),
        error=error,
    )


def _literal_parts(content: object, at: int) -> Iterator[Part]:
    """The parts of a literal message: content is a text, a list of parts, or an object that holds either."""
    if isinstance(content, str):
        yield Text(content)
        return
    held: Json = {"parts": content} if isinstance(content, list) else mapping(content)
    parts = [mapping(part) for part in items(held.get("parts"))]
    reasons: list[object] = [held["reasoning"]] if isinstance(held.get("reasoning"), str) else []
    if not reasons:
        reasons = [_reasoned(part) for part in parts if part.get("type") == "reasoning"]
    yield from (Reasoning(str(reason)) for reason in reasons)
    calls = [mapping(part["toolInvocation"]) for part in parts if mapping(part.get("toolInvocation"))]
    yield from _merged(calls, [mapping(call) for call in items(held.get("toolInvocations"))], at)
    whole = held.get("content") or held.get("text")
    if isinstance(whole, str):
        yield Text(whole)
        return
    yield from (Text(str(part.get("text", ""))) for part in parts if part.get("type") == "text")


def _reasoned(part: Json) -> str:
    details = items(part.get("details"))
    return "".join(str(mapping(detail).get("text", "")) for detail in details) or str(part.get("reasoning", ""))


def mapping(given: object) -> Json:
    """The object, or an empty one."""
    return cast("Json", given) if isinstance(given, dict) else {}


def items(given: object) -> list[object]:
    """The list, or an empty one."""
    return cast("list[object]", given) if isinstance(given, list) else []


def sound(found: Iterable[Row]) -> list[Row]:
    """The rows that the other system is right on."""
    return [row for row in found if not row.defects]


def faulty(found: Iterable[Row]) -> list[Row]:
    """The rows that show a defect of the other system."""
    return [row for row in found if row.defects]


def _finite(value: object) -> object:
    """The value with its numbers that are not finite; the rows write these as texts."""
    if isinstance(value, str):
        return _NOT_FINITE.get(value, value)
    if isinstance(value, dict):
        return {key: _finite(held) for key, held in mapping(cast("object", value)).items()}
    return [_finite(held) for held in items(cast("object", value))] if isinstance(value, list) else value
