"""Messages inside a value that frameworks put on their spans whole: graph states, generations, prompts, plain text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from scorewright.agents.messages import Message, Role, Text
from scorewright.agents.run import Gap
from scorewright.traces.adk_spans import contents_of
from scorewright.traces.anthropic import messages_of as anthropic_messages
from scorewright.traces.anthropic_blocks import MARKS
from scorewright.traces.converse import are_blocks, typed
from scorewright.traces.conversing import role_of
from scorewright.traces.genai_parts import messages_of as genai_messages
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
)
from scorewright.traces.langchain_messages import is_message, messages_of
from scorewright.traces.openai_chat import choices_of
from scorewright.traces.openai_chat import messages_of as openai_messages
from scorewright.traces.openai_responses import is_item
from scorewright.traces.openai_responses import messages_of as response_messages
from scorewright.traces.ui_messages import messages_of as ui_messages

_SPEAKER = re.compile(r"^(system|developer|user|human|assistant|ai|tool): ", re.MULTILINE | re.IGNORECASE)
_PLAIN = ("text", "output", "input", "prompt", "query", "question", "task", "content", "result", "answer")


def told_messages(said: object, role: Role, where: str, notes: list[Gap], /) -> list[Message]:
    """The messages that a value holds, whatever it wraps them in; text is one message of this role."""
    value = parsed(said)
    if value is None:
        return []
    if isinstance(value, str):
        return [Message(role, (Text(value),))] if value.strip() else []
    generated = list_at(value, "generations")
    if generated:
        return messages_of(_generated(generated), where, notes, role)
    answered = _of_api(value, where, notes)
    if answered:
        return answered
    prompts = list_at(value, "prompts")
    if prompts and isinstance(prompts[0], str):  # what LangChain gives a model that takes text
        return list(flattened(prompts[0])) or [Message(role, (Text(prompts[0]),))]
    listed = value if is_list(value) else list_at(value, "messages") or list_at(value, "input")
    if listed:
        before = _system(value)
        return [*before, *_listed(listed, role, where, notes)]
    if is_mapping(value) and value and value.keys() <= {"args", "kwargs"}:  # what a function was called with
        given = [*list_at(value, "args"), mapping_at(value, "kwargs")]
        return told_messages(given[0], role, where, notes)
    if is_mapping(value) and (is_message(value) or "role" in value):
        return _listed([value], role, where, notes)
    inner = next(
        (held for key in ("message", "output", "input", "response") if is_mapping(held := value_at(value, key))), None
    )
    if inner is not None:
        return told_messages(inner, role, where, notes)
    text = first_text(value, *_PLAIN)
    return [*(_system(value) if role == "user" else ()), Message(role, (Text(text),))] if text else []


def flattened(text: str, /) -> Iterator[Message]:
    """A conversation as one text of lines `role: words`, which starts with a speaker."""
    if not _SPEAKER.match(text):
        return
    pieces = _SPEAKER.split(text)[1:]
    for speaker, words in zip(pieces[::2], pieces[1::2], strict=True):
        role = role_of(speaker)
        if role is not None and role != "tool":
            said = words.removesuffix("\n")
            yield Message(role, (Text(said),) if said != "None" else ())


def _of_api(value: object, where: str, notes: list[Gap]) -> list[Message]:
    """The answer of a model's API, as it came."""
    if list_at(value, "choices"):
        return choices_of(list_at(value, "choices"), notes)
    if list_at(value, "candidates"):
        content = mapping_at(list_at(value, "candidates")[0], "content")
        return list(contents_of(content, where, notes)) if content else []
    if list_at(value, "content", "parts"):
        return list(contents_of(value_at(value, "content"), where, notes))
    output = list_at(value, "output")
    if any(map(is_item, output)):
        return response_messages(output, where, notes)
    contents = value_at(value, "contents")
    if isinstance(contents, str):
        return [*_configured(value), Message("user", (Text(contents),))]
    if is_list(contents):
        return [*_configured(value), *(each for turn in contents for each in contents_of(turn, where, notes))]
    if is_list(value) and value and all(map(_is_call, value)):
        return openai_messages([{"role": "assistant", "tool_calls": value}], where, notes)
    if is_list(value) and value and all(map(_is_ui_call, value)):
        parts = [{"type": "tool-call", **each} for each in value if is_mapping(each)]
        return ui_messages([{"role": "assistant", "content": parts}], where, notes)
    return []


def _is_ui_call(item: object) -> bool:
    """A call by itself, as the AI SDK gives it."""
    return "" not in {text_at(item, "toolName"), text_at(item, "toolCallId")}


def _is_call(item: object) -> bool:
    """A call by itself, as some frameworks give what a model answered."""
    return bool(text_at(item, "function", "name")) and "role" not in mapping_at(item)


def _configured(value: object) -> list[Message]:
    """The instructions of a request of Gemini's."""
    config = mapping_at(value, "config") or mapping_at(value)
    said = first_value(config, "system_instruction", "systemInstruction")
    words = said if isinstance(said, str) else "\n\n".join(text_at(part, "text") for part in list_at(said, "parts"))
    return [Message("system", (Text(words),))] if words else []


def _system(value: object) -> list[Message]:
    """The instructions that stand beside messages."""
    said = value_at(value, "system") or value_at(value, "instructions")
    words = (
        said
        if isinstance(said, str)
        else "\n\n".join(text for part in (said if is_list(said) else []) if (text := text_at(part, "text")))
    )
    return [Message("system", (Text(words),))] if words else []


def _listed(items: Sequence[object], role: Role, where: str, notes: list[Gap]) -> list[Message]:
    if are_blocks(items):  # of Converse, without the message around them
        return anthropic_messages([{"role": role, "content": typed(items)}], where, notes)
    items = [_of_blocks(_of_pair(item), role) for item in items]
    first = items[0]
    if is_list(first):
        return _listed(first, role, where, notes) if first else []
    if any(map(is_message, items)):
        return messages_of(items, where, notes, role)
    if any(map(_is_blocks, items)):
        return anthropic_messages(items, where, notes)
    if any(map(is_item, items)):
        return response_messages(items, where, notes)
    if any(map(_is_of_ai_sdk, items)):
        return ui_messages(items, where, notes)
    return genai_messages(list(items), where, notes, role)


def _of_pair(item: object) -> object:
    """A message as a pair of role and words, as LangChain takes it."""
    if not is_list(item) or len(item) != 2:  # noqa: PLR2004 - a pair
        return item
    role, words = item
    named = isinstance(role, str) and isinstance(words, str) and role_of(role) is not None
    return {"role": role, "content": words} if named else item


def _of_blocks(item: object, role: Role) -> object:
    """A message out of what wraps it; one of Converse's blocks, perhaps written as JSON, as one of Anthropic's."""
    wrapped = mapping_at(item, "message")
    if wrapped and not text_at(item, "role"):
        return {"role": role, **wrapped}
    held = parsed(first_value(item, "content", "message"))
    if not (are_blocks(held) and is_list(held)):
        return item
    said = text_at(item, "role") or role
    return {"role": "user" if said == "tool" else said, "content": typed(held)}


def _is_of_ai_sdk(item: object) -> bool:
    return any(text_at(part, "type") in {"tool-call", "tool-result"} for part in list_at(item, "content"))


def _is_blocks(item: object) -> bool:
    return any(text_at(block, "type") in MARKS for block in list_at(item, "content"))


def _generated(generations: Sequence[object]) -> Sequence[object]:
    """The first answer of each prompt of LangChain's generations."""
    rows = [row if is_list(row) else [row] for row in generations]
    return [_answer(row[0]) for row in rows if row]


def _answer(generation: object) -> object:
    message = mapping_at(generation, "message")
    fields = mapping_at(message, "kwargs") or mapping_at(message, "data") or message
    content = fields.get("content") or text_at(generation, "text")
    return {"type": "ai", **fields, "content": content}
