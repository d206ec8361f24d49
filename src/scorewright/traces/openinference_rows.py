"""Forms of OpenInference beside the usual one: rows of tables, and completions of plain prompts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from scorewright.agents.messages import Message, Role, Text
from scorewright.traces.genai_parts import indexed
from scorewright.traces.json_view import list_at, mapping_at, text_at


def of_columns(row: object, /) -> object:
    """A message whose fields are named by paths, as tables have them."""
    fields = mapping_at(row)
    if not any(key.startswith("message.") for key in fields):
        return row
    told = {key.removeprefix("message."): held for key, held in fields.items()}
    return {**told, "tool_calls": list(map(_of_paths, list_at(told, "tool_calls")))}


def _of_paths(call: object) -> object:
    fields = mapping_at(call)
    name, said = (fields.get(f"tool_call.function.{key}") for key in ("name", "arguments"))
    return {"id": fields.get("tool_call.id"), "function": {"name": name, "arguments": said}} if name else call


def plain_texts(attributes: Mapping[str, object], prefix: str, key: str, role: Role, /) -> Sequence[Message]:
    """The prompts of a text completion, or what completed them, each as a message of this role."""
    rows = indexed({name: value for name, value in attributes.items() if name.startswith(prefix)}, prefix)
    return [Message(role, (Text(text),)) for row in rows if (text := text_at(row, key, "text"))]
