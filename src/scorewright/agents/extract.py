"""What scorers ask of a run, each question with one meaning."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from typing_extensions import TypeIs

from scorewright.agents.messages import Message, Reasoning, Text
from scorewright.agents.run import AgentInput, AgentOutput
from scorewright.agents.tools import ToolInvocation


def user_text(given: AgentInput, /) -> str:
    """What the user said in this turn, messages apart by a blank line; empty where no user spoke."""
    return "\n\n".join(message.text for message in given.input_messages if message.role == "user" and message.text)


def system_prompt(given: AgentInput, /) -> str:
    """All that the system said, tagged messages last, apart by a blank line; nothing is said twice."""
    tagged = (message for messages in given.tagged_system_messages.values() for message in messages)
    texts = (message.text for message in (*given.system_messages, *tagged))
    return "\n\n".join(dict.fromkeys(text for text in texts if text))


def history(given: AgentInput, /, *, last: int | None = None) -> str:
    """The turns before this one as lines of `role: text`, all of them or the `last` few messages that have words."""
    lines = [f"{message.role}: {message.text}" for message in given.remembered_messages if message.text]
    return "\n".join(lines if last is None else lines[len(lines) - min(last, len(lines)) :])


def all_texts(answer: AgentOutput, /) -> tuple[str, ...]:
    """The words of every message of the agent that has words, in order; what tools said is not among them."""
    return tuple(message.text for message in answer.messages if message.role == "assistant" and message.text)


def final_answer(answer: AgentOutput, /) -> str | None:
    """The agent's last words, which no tool call follows; None where the run ends without them.

    Of a message that mixes words and calls, only the words after its last call count: what comes before announces them.
    """
    for message in reversed(answer.messages):
        words, called = _after_the_last_call(message)
        if words and message.role == "assistant":
            return words
        if called:
            return None
    return None


def reasoning(answer: AgentOutput, /) -> tuple[str, ...]:
    """What the agent thought, part by part."""
    parts = (part for message in answer.messages for part in message.parts)
    return tuple(part.text for part in parts if isinstance(part, Reasoning) and part.text)


def tool_calls(answer: AgentOutput, /) -> tuple[ToolInvocation, ...]:
    """Every tool call of the agent, in order, whatever became of it."""
    return tuple(call for message in answer.messages for call in message.tool_calls)


def attempted_calls(answer: AgentOutput, /) -> tuple[ToolInvocation, ...]:
    """The tool calls that ran to an end, good or bad."""
    return tuple(call for call in tool_calls(answer) if call.finished)


def failed_calls(answer: AgentOutput, /) -> tuple[ToolInvocation, ...]:
    """The tool calls that ended in an error. A call that is still open, or was denied, did not fail."""
    return tuple(call for call in tool_calls(answer) if call.failed)


def unfinished_calls(answer: AgentOutput, /) -> tuple[ToolInvocation, ...]:
    """The tool calls whose end was not seen: neither success nor error."""
    return tuple(call for call in tool_calls(answer) if not call.finished and call.state != "denied")


def tool_results(answer: AgentOutput, /) -> tuple[str, ...]:
    """What the tools gave back, one text a call that has a result; see `result_text`."""
    return tuple(result_text(call.result) for call in tool_calls(answer) if call.result_present)


def result_text(result: object, /) -> str:
    """A tool's result as a judge may read it: words as they are, all blocks of a list of blocks, anything else as JSON.

    >>> result_text([{"type": "text", "text": "Room 12: 80 EUR"}, {"type": "image", "ref": "plan.png"}])
    'Room 12: 80 EUR\\n[image]'
    """
    if isinstance(result, str):
        return result
    if _is_mapping(result) and set(result) == {"content"} and _is_blocks(result["content"]):
        return result_text(result["content"])
    if _is_blocks(result):
        return "\n".join(_block_text(block) for block in result)
    return as_json(result)


def as_json(value: object, /) -> str:
    """Any value as readable JSON; what JSON does not know is written as text."""
    return json.dumps(value, ensure_ascii=False, default=str)


def _block_text(block: Mapping[str, object]) -> str:
    kind = block.get("type")
    for key in ("text", "content", "json", "data") if kind in {"text", "json"} else ():
        if key in block:
            held = block[key]
            return held if isinstance(held, str) else as_json(held)
    return f"[{kind}]"


def _is_mapping(value: object) -> TypeIs[Mapping[str, object]]:
    return isinstance(value, Mapping)


def _is_list(value: object) -> TypeIs[list[object] | tuple[object, ...]]:
    return isinstance(value, (list, tuple))


def _is_blocks(value: object) -> TypeIs[list[Mapping[str, object]]]:
    return _is_list(value) and bool(value) and all(map(_is_block, value))


def _is_block(value: object) -> bool:
    return _is_mapping(value) and isinstance(value.get("type"), str)


def _after_the_last_call(message: Message) -> tuple[str, bool]:
    words: list[str] = []
    for part in reversed(message.parts):
        if isinstance(part, ToolInvocation):
            return _joined(reversed(words)), True
        if isinstance(part, Text) and part.text:
            words.append(part.text)
    return _joined(reversed(words)), False


def _joined(words: Iterator[str]) -> str:
    return "\n".join(words)
