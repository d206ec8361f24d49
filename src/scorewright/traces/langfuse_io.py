"""Input and output of Langfuse observations: as the frameworks gave them, often JSON in strings, or flat text."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from scorewright.agents.messages import Message, Text
from scorewright.agents.run import Gap
from scorewright.traces.conversing import role_of
from scorewright.traces.json_view import first_text, is_list, is_mapping, list_at, mapping_at, parsed, text_at, value_at
from scorewright.traces.nodes import NodeKind
from scorewright.traces.openai_chat import choices_of
from scorewright.traces.told import flattened, told_messages


def given_messages(said: object, where: str, notes: list[Gap], /) -> list[Message]:
    """What a model or an agent was given."""
    value = parsed(said)
    if isinstance(value, str):
        return list(flattened(value)) or told_messages(value, "user", where, notes)
    prompt, system = text_at(value, "prompt"), text_at(value, "system")
    if prompt and is_mapping(value) and "messages" not in value:
        before = [Message("system", (Text(system),))] if system else []
        return [*before, Message("user", (Text(prompt),))]
    return told_messages(_mended(value), "user", where, notes)


def instructed(said: object, given: Sequence[Message], /) -> Sequence[Message]:
    """The instructions that a response repeats, where what was given does not tell them."""
    words = text_at(parsed(said), "instructions")
    told = any(message.role == "system" for message in given)
    return (Message("system", (Text(words),)),) if words and not told else ()


def said_messages(said: object, kind: NodeKind, where: str, notes: list[Gap], /) -> list[Message]:
    """What a model or an agent answered; of a state that repeats the conversation, what is new."""
    value = parsed(said)
    if list_at(value, "choices"):
        return choices_of(list_at(value, "choices"), notes)
    response = value_at(value, "response")
    if kind != "model" and is_mapping(response):
        value = first_text(response, "comment", "text", "content") or value
    told = told_messages(_mended(value), "assistant", where, notes)
    return told if kind == "model" else _last(told)


def _last(messages: list[Message]) -> list[Message]:
    at = len(messages)
    while at > 0 and messages[at - 1].role in {"assistant", "tool"}:
        at -= 1
    return messages[at:]


def _mended(value: object) -> object:
    """Messages whose calls stand in their content or in additional fields, put right; definitions are no messages."""
    if is_list(value):
        listed = [_message(each) for each in value if not _is_definition(each)]
        return list(map(_answer_of(_called(listed)), listed))
    if is_mapping(value) and is_list(value.get("messages")):
        return {**value, "messages": _mended(value["messages"])}
    return _message(value)


def _called(listed: Sequence[object]) -> set[str]:
    """The names of the tools that are called in messages."""
    calls = [call for each in listed for call in list_at(each, "tool_calls")]
    return {text_at(call, "function", "name") or text_at(call, "name") for call in calls}


def _answer_of(names: set[str]) -> Callable[[object], object]:
    """Puts right what a tool answered where its name stands for the role, as LangGraph in JavaScript has it."""

    def mended(each: object) -> object:
        role = text_at(each, "role")
        if is_mapping(each) and role in names and role_of(role) is None:
            return {**each, "role": "tool", "name": role}
        return each

    return mended


def _message(each: object) -> object:
    if not is_mapping(each) or "role" not in each:
        return each
    more = list_at(each, "additional_kwargs", "tool_calls")
    if more and not list_at(each, "tool_calls"):
        return {**each, "tool_calls": more}
    calls = _calls(each.get("content"))
    return {**each, "role": "assistant", "content": None, "tool_calls": calls} if calls else each


def _calls(content: object) -> Sequence[object]:
    """The calls that a content of JSON lists."""
    value = parsed(content) if isinstance(content, str) and content.startswith('[{"') else None
    listed = value if is_list(value) else []
    return listed if listed and all(mapping_at(each, "function") and text_at(each, "id") for each in listed) else []


def _is_definition(each: object) -> bool:
    """Is it a tool's definition, which LangChain's callback writes among the messages?"""
    content = value_at(each, "content")
    return text_at(each, "role").lower() in {"tool", "tool input"} and bool(mapping_at(content, "function"))
