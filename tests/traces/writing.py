"""Conversations written down in the dialects: what a reader reads back must be what was written."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence

import attrs
from hypothesis import strategies as st

from scorewright.agents import Message, Text, ToolInvocation, assistant, system, user

words = st.sampled_from(["Fee?", "2 euro.", "Ω and ü", "two\nlines", '"quoted"', "🎲 dice", "{not json", "[1", "null"])
names = st.sampled_from(["search", "open", "pay"])
args = st.dictionaries(
    st.sampled_from(["q", "n", "deep"]), st.integers() | words | st.lists(st.none(), max_size=2), max_size=2
)


@attrs.frozen
class Talk:
    """A conversation: the system, earlier turns, a question, and steps that each call tools, then an answer."""

    system: str
    before: tuple[str, ...]
    question: str
    steps: tuple[tuple[str, tuple[ToolInvocation, ...]], ...]
    answer: str

    @property
    def opening(self) -> list[Message]:
        turns = [user(text) if at % 2 == 0 else assistant(text) for at, text in enumerate(self.before)]
        return [system(self.system), *turns, user(self.question)]

    @property
    def reply(self) -> list[Message]:
        return [*(assistant(*((text,) if text else ()), *calls) for text, calls in self.steps), assistant(self.answer)]


@st.composite
def talks(draw: st.DrawFn, *, before: bool = True, failing: bool = False) -> Talk:
    """Any conversation; ids are unique, and every call has a result."""
    number = iter(range(1000))

    def call() -> ToolInvocation:
        name, given, said = draw(names), draw(args), draw(words)
        id = f"call_{next(number)}"
        if failing and draw(st.booleans()):
            return ToolInvocation(name, given, said, True, "error", id)
        return ToolInvocation(name, given, said, True, "result", id)

    steps = tuple(
        (draw(words | st.just("")), tuple(call() for _ in range(draw(st.integers(1, 2)))))
        for _ in range(draw(st.integers(0, 3)))
    )
    earlier = tuple(draw(words) for _ in range(2 * draw(st.integers(0, 2)))) if before else ()
    return Talk(draw(words), earlier, draw(words), steps, draw(words))


def _texts(message: Message) -> str:
    return "".join(part.text for part in message.parts if isinstance(part, Text))


def chat_messages(messages: Sequence[Message]) -> Iterator[dict[str, object]]:
    for message in messages:
        told: dict[str, object] = {"role": message.role, "content": _texts(message) or None}
        if message.tool_calls:
            told["tool_calls"] = [
                {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": json.dumps(call.args)}}
                for call in message.tool_calls
            ]
        yield told
        for call in reversed(message.tool_calls):
            yield {"role": "tool", "tool_call_id": call.id, "content": call.result}


def as_chat(talk: Talk) -> object:
    *messages, last = chat_messages([*talk.opening, *talk.reply])
    return {"request": {"model": "m", "messages": messages}, "response": {"choices": [{"message": last}]}}


def as_chat_list(talk: Talk) -> object:
    return list(chat_messages([*talk.opening, *talk.reply]))


def as_responses(talk: Talk) -> object:
    given: list[dict[str, object]] = []
    for message in talk.opening[1:]:
        kind = "output_text" if message.role == "assistant" else "input_text"
        given.append({"type": "message", "role": message.role, "content": [{"type": kind, "text": message.text}]})
    output: list[dict[str, object]] = []
    for message in talk.reply:
        if message.text:
            content = [{"type": "output_text", "text": message.text}]
            output.append({"type": "message", "role": "assistant", "content": content})
        output.extend(
            {"type": "function_call", "call_id": call.id, "name": call.name, "arguments": json.dumps(call.args)}
            for call in message.tool_calls
        )
        output.extend(
            {"type": "function_call_output", "call_id": call.id, "output": call.result} for call in message.tool_calls
        )
    return {"object": "response", "instructions": talk.system, "input": given, "output": output}


def as_anthropic(talk: Talk) -> object:
    messages: list[dict[str, object]] = []
    for message in [*talk.opening[1:], *talk.reply]:
        blocks: list[dict[str, object]] = [{"type": "text", "text": message.text}] if message.text else []
        blocks += [
            {"type": "tool_use", "id": call.id, "name": call.name, "input": call.args} for call in message.tool_calls
        ]
        messages.append({"role": message.role, "content": blocks})
        if message.tool_calls:
            results = [
                {"type": "tool_result", "tool_use_id": call.id, "content": call.result, "is_error": call.failed}
                for call in message.tool_calls
            ]
            messages.append({"role": "user", "content": results})
    *given, last = messages
    reply = {"type": "message", "stop_reason": "end_turn", **last}
    return {"request": {"system": talk.system, "messages": given}, "response": reply}


def as_ui(talk: Talk) -> object:
    parts: list[dict[str, object]] = []
    for message in talk.reply:
        parts.append({"type": "step-start"})
        if message.text:
            parts.append({"type": "text", "text": message.text})
        parts += [
            {
                "type": f"tool-{call.name}",
                "toolCallId": call.id,
                "state": "output-error" if call.failed else "output-available",
                "input": call.args,
                **({"errorText": call.result} if call.failed else {"output": call.result}),
            }
            for call in message.tool_calls
        ]
    opening = [{"role": each.role, "parts": [{"type": "text", "text": each.text}]} for each in talk.opening]
    return {"messages": [*opening, {"role": "assistant", "parts": parts}]}


def _parts(message: Message) -> dict[str, object]:
    parts: list[dict[str, object]] = [{"type": "text", "content": message.text}] if message.text else []
    parts += [
        {"type": "tool_call", "id": call.id, "name": call.name, "arguments": call.args} for call in message.tool_calls
    ]
    return {"role": message.role, "parts": parts}


def _answers(message: Message) -> list[dict[str, object]]:
    return [
        {"role": "tool", "parts": [{"type": "tool_call_response", "id": call.id, "response": call.result}]}
        for call in message.tool_calls
    ]


Told = Callable[[list[Message], Message], dict[str, object]]


def by_attributes(given: list[Message], said: Message) -> dict[str, object]:
    told = [each for message in given for each in (_parts(message), *_answers(message))]
    return {"gen_ai.input.messages": json.dumps(told), "gen_ai.output.messages": json.dumps([_parts(said)])}


def by_numbers(given: list[Message], said: Message) -> dict[str, object]:
    told: dict[str, object] = {}
    for prefix, messages in (("gen_ai.prompt", given), ("gen_ai.completion", [said])):
        rows = list(chat_messages(messages)) if prefix == "gen_ai.prompt" else list(chat_messages(messages))[:1]
        for at, row in enumerate(rows):
            told[f"{prefix}.{at}.role"] = row["role"]
            told |= {f"{prefix}.{at}.{key}": row[key] for key in ("content", "tool_call_id") if row.get(key)}
            if at < len(messages) or "tool_calls" in row:
                for number, call in enumerate(row.get("tool_calls", ())):  # type: ignore[attr-defined, arg-type]  # a list of ours
                    body = {"id": call["id"], **call["function"]}
                    told |= {f"{prefix}.{at}.tool_calls.{number}.{key}": value for key, value in body.items()}
    return told


def by_openinference(given: list[Message], said: Message) -> dict[str, object]:
    told: dict[str, object] = {"openinference.span.kind": "LLM"}
    for prefix, messages in (("llm.input_messages", given), ("llm.output_messages", [said])):
        rows = list(chat_messages(messages)) if prefix == "llm.input_messages" else list(chat_messages(messages))[:1]
        for at, row in enumerate(rows):
            base = f"{prefix}.{at}.message"
            told[f"{base}.role"] = row["role"]
            told |= {f"{base}.{key}": row[key] for key in ("content", "tool_call_id") if row.get(key)}
            for number, call in enumerate(row.get("tool_calls", ())):  # type: ignore[attr-defined, arg-type]  # a list of ours
                told[f"{base}.tool_calls.{number}.tool_call.id"] = call["id"]
                for key, value in call["function"].items():
                    told[f"{base}.tool_calls.{number}.tool_call.function.{key}"] = value
    return told


def spans(talk: Talk, told: Told, *, tools: bool) -> list[dict[str, object]]:
    """An agent's span, one a model call, and one a tool where the dialect's results are to come from spans."""
    oi = told is by_openinference
    agent = {"openinference.span.kind": "AGENT"} if oi else {"gen_ai.operation.name": "invoke_agent"}
    made: list[dict[str, object]] = [span("a", "", 0, 10_000, agent)]
    given = talk.opening
    at = 1
    for message in talk.reply:
        chat = {} if oi else {"gen_ai.operation.name": "chat"}
        made.append(span(f"m{at}", "a", at, at + 1, {**chat, **told(given, message)}))
        given = [*given, message]
        at += 2
        for call in message.tool_calls if tools else ():
            made.append(span(f"f{at}", "a", at, at + 1, _tool(call, oi=oi), failed=call.failed))
            at += 2
    return made


def _tool(call: ToolInvocation, *, oi: bool) -> dict[str, object]:
    if oi:
        kind = {"openinference.span.kind": "TOOL", "tool.name": call.name, "tool_call.id": call.id}
        return {**kind, "input.value": json.dumps(call.args), "output.value": call.result}
    return {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": call.name,
        "gen_ai.tool.call.id": call.id,
        "gen_ai.tool.call.arguments": json.dumps(call.args),
        "gen_ai.tool.call.result": call.result,
    }


def span(id: str, parent: str, start: int, end: int, attributes: object, *, failed: bool = False) -> dict[str, object]:
    return {
        "trace_id": "t",
        "span_id": id,
        "parent_span_id": parent or None,
        "start_time": 10**18 + start,
        "end_time": 10**18 + end,
        "attributes": attributes,
        "status": {"code": "ERROR" if failed else "OK"},
    }
