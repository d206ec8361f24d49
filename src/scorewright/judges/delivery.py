"""How the schema reaches the judge: natively, in the system message, or behind the prompt."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Literal, TypeAlias, cast

from scorewright.core.ask import JudgeRequest
from scorewright.judges.call import Call
from scorewright.judges.settings import ModelSettings

Injection: TypeAlias = Literal["auto", "system", "inline"] | bool
INJECTIONS = (None, "auto", "system", "inline", True, False)
Delivery: TypeAlias = Literal["native", "system", "inline"]

NATIVE = (  # models known to hold a strict JSON schema, by the beginning of "provider/name"
    "openai/gpt-4o",
    "openai/gpt-4.1",
    "openai/gpt-4.5",
    "openai/gpt-5",
    "openai/o1",
    "openai/o3",
    "openai/o4",
    "openai-responses/",
    "anthropic/",
    "gemini/",
    "mistral/",
)


def delivery(injection: Injection | None, model: str, schema: str | None, *, refused: bool) -> Delivery:
    """The way the schema goes: an explicit wish wins, else natively where the model is known to hold it."""
    if injection in {"system", "inline"}:
        return "system" if injection == "system" else "inline"
    if injection is True:
        return "system"
    if refused or schema is None or not closed(json.loads(schema)):
        return "inline"
    if injection is False:
        return "native"
    return "native" if model.startswith(NATIVE) else "inline"


def closed(schema: object, /) -> bool:
    """Whether every object of the schema is closed and requires all that it names: what a strict server accepts."""
    if isinstance(schema, list):
        return all(map(closed, cast("list[object]", schema)))
    if not isinstance(schema, dict):
        return True
    node = cast("dict[str, object]", schema)
    properties = node.get("properties")
    if node.get("type") == "object" or isinstance(properties, dict):
        named = set(cast("dict[str, object]", properties or {}))
        if node.get("additionalProperties") is not False or named != set(cast("list[str]", node.get("required") or [])):
            return False
    return all(closed(value) for key, value in node.items() if key not in {"enum", "const", "examples", "default"})


def call_of(request: JudgeRequest, model: str, instructions: str, settings: ModelSettings, way: Delivery) -> Call:
    """The call for a request: what a wrong first answer lacked is told at the very end."""
    schema: Mapping[str, object] | None = None
    system, user = instructions, request.prompt
    if request.schema and way == "native":
        schema = cast("dict[str, object]", json.loads(request.schema))
    elif request.schema and way == "system":
        system = f"{system}\n\n{_demand(request.schema)}".lstrip()
    elif request.schema:
        user = f"{user}\n\n{_demand(request.schema)}"
    if request.feedback:
        user = f"{user}\n\n{request.feedback}"
    return Call(model, system, user, schema, request.schema_name or "answer", settings)


def _demand(schema: str) -> str:
    return f"Answer with one JSON value and nothing else. It must fit this JSON Schema:\n{schema}"
