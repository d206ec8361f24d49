"""Generated agent runs, and the words that tests say."""

from __future__ import annotations

from hypothesis import strategies as st

from scorewright.agents import (
    AgentError,
    AgentInput,
    AgentOutput,
    AgentRun,
    AgentUsage,
    Data,
    File,
    Gap,
    Message,
    Reasoning,
    Text,
    ToolDefinition,
    ToolInvocation,
)

words = st.sampled_from(["a", "Ω", "two words", "two\nlines", '"', "{}", "0", "parcel", "\U0001f3b2"])
names = st.sampled_from(["search", "search_web", "open", "pay", "mail"])
scalars = st.none() | st.booleans() | st.integers(-(2**53), 2**53) | words
nested = scalars | st.lists(scalars, max_size=2) | st.dictionaries(words, scalars, max_size=2)
values = nested | st.lists(nested, max_size=2)  # not `recursive`: it draws too much, and Hypothesis stops slow draws
objects = st.dictionaries(words, nested, max_size=2)


@st.composite
def calls(draw: st.DrawFn) -> ToolInvocation:
    """A call that ended well, badly or not at all."""
    call = ToolInvocation(draw(names), draw(objects), id=draw(words))
    match draw(st.sampled_from(["call", "result", "error", "denied"])):
        case "result":
            return ToolInvocation(call.name, call.args, draw(values), True, "result", call.id)
        case "error":
            error = AgentError(draw(words), draw(words))
            return ToolInvocation(call.name, call.args, state="error", id=call.id, error=error)
        case "denied":
            return ToolInvocation(call.name, call.args, state="denied", id=call.id)
        case _:
            return call


parts = (
    st.builds(Text, words)
    | st.builds(Reasoning, words)
    | st.builds(File, words, words, size=st.integers(0, 99))
    | st.builds(Data, st.sampled_from(["source", "data-weather"]), values)
    | calls()
)
messages = st.builds(
    Message,
    st.sampled_from(["user", "assistant", "system", "tool"]),
    st.lists(parts, max_size=2).map(tuple),
    words,
    created_at=st.none() | st.integers(0, 2**62),
)
many = st.lists(messages, max_size=3).map(tuple)
some = st.lists(messages, max_size=1).map(tuple)
inputs = st.builds(AgentInput, some, many, some, st.dictionaries(words, some, max_size=1))
outputs = st.builds(AgentOutput, many)
plain_runs = st.builds(
    AgentRun,
    inputs,
    outputs,
    final_output=values,
    status=st.sampled_from(["ok", "error", "suspended"]),
    error=st.none() | st.builds(AgentError, words),
    gaps=st.lists(st.builds(Gap, words, words), max_size=2).map(tuple),
    tool_definitions=st.lists(st.builds(ToolDefinition, names, words, objects), max_size=2).map(tuple),
    usage=st.none() | st.builds(AgentUsage, st.integers(0, 99), st.integers(0, 99), st.none() | st.floats(0, 9)),
    metadata=objects,
)
runs = plain_runs | st.builds(AgentRun, inputs, outputs, sub_runs=st.lists(plain_runs, max_size=1).map(tuple))
