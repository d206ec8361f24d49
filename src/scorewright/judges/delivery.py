"""How the schema reaches the judge: natively, in the system message, or behind the prompt."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Literal, TypeAlias

from scorewright.core.ask import JudgeRequest
from scorewright.judges.call import Call
from scorewright.judges.settings import ModelSettings
from scorewright.shapes.values import is_list, is_object

Injection: TypeAlias = Literal["auto", "system", "inline"] | bool
INJECTIONS = (None, "auto", "system", "inline", True, False)
Delivery: TypeAlias = Literal["native", "system", "inline"]

_OPENAI = ("gpt-4o", "gpt-4.1", "gpt-4.5", "gpt-5", "o1", "o3", "o4")
NATIVE = (  # models known to hold a strict JSON schema, by the beginning of "provider/name"
    *(f"{provider}/{name}" for provider in ("openai", "azure") for name in _OPENAI),
    "openai-responses/",
    "anthropic/",
    "gemini/gemini-",
    "mistral/",
    "local/",
)
NATIVE_ON_BEDROCK = ("anthropic.claude", "amazon.nova")  # behind a region, or not


KEYWORDS = frozenset(
    {"type", "properties", "required", "additionalProperties", "items", "enum", "const", "anyOf", "$ref", "$defs",
     "title", "description", "pattern", "format", "multipleOf", "minimum", "maximum", "exclusiveMinimum",
     "exclusiveMaximum", "minItems", "maxItems", "minLength", "maxLength"}
)  # fmt: skip  # of JSON Schema, what strict servers hold; a dialect takes out what its provider lacks
TELLING = frozenset({"type", "enum", "const", "anyOf", "$ref"})  # without one of these, anything goes


@lru_cache(maxsize=256)
def natively(model: str, /) -> bool:
    """Whether a model, as "provider/name", is known to hold a strict JSON schema."""
    return model.startswith(NATIVE) or (
        model.startswith("bedrock/") and any(name in model for name in NATIVE_ON_BEDROCK)
    )


def delivery(injection: Injection | None, model: str, schema: str | None, *, refused: bool) -> Delivery:
    """The way the schema goes: an explicit wish wins, else natively where the model is known to hold it.

    A schema that no strict server accepts, because it is open somewhere, never goes natively.
    """
    if injection in {"system", "inline"}:
        return "system" if injection == "system" else "inline"
    if injection is True:
        return "system"
    wished = injection is False or (natively(model) and not refused)
    return "native" if wished and schema is not None and strict(schema) is not None else "inline"


@lru_cache(maxsize=256)
def strict(schema: str, /) -> Mapping[str, object] | None:
    """The schema, parsed, where a strict server accepts it; None where it is open, or says more than is known there."""
    parsed: object = json.loads(schema)
    return parsed if is_object(parsed) and _is_closed(parsed) else None


def _is_closed(node: object) -> bool:
    if not is_object(node) or not node.keys() <= KEYWORDS or not node.keys() & TELLING:
        return False
    if "properties" in node or node.get("type") == "object":
        properties, required = node.get("properties", {}), node.get("required", [])
        if node.get("additionalProperties") is not False or not is_object(properties) or not is_list(required):
            return False
        if properties.keys() != set(map(str, required)):
            return False
    return all(_is_closed(below) for key, value in node.items() for below in _below(key, value))


def _below(key: str, value: object) -> Iterable[object]:
    """The schemas inside a keyword's value."""
    if key in {"properties", "$defs"} and is_object(value):
        return value.values()
    if key == "anyOf" and is_list(value):
        return value
    return (value,) if key == "items" else ()


def call_of(request: JudgeRequest, model: str, instructions: str, settings: ModelSettings, way: Delivery) -> Call:
    """The call for a request: what a wrong first answer lacked is told at the very end."""
    schema: Mapping[str, object] | None = None
    system, user = instructions, request.prompt
    if request.schema and way == "native":
        schema = strict(request.schema)
    elif request.schema and way == "system":
        system = f"{system}\n\n{_demand(request.schema)}".lstrip()
    elif request.schema:
        user = f"{user}\n\n{_demand(request.schema)}"
    if request.feedback:
        user = f"{user}\n\n{request.feedback}"
    name, top = request.schema_name or "answer", request.top_logprobs
    return Call(model, system, user, schema, name, settings, top_logprobs=top)


def _demand(schema: str) -> str:
    return f"Answer with one JSON value and nothing else. It must fit this JSON Schema:\n{schema}"
