"""A span is read by the first convention that it follows, however quickly the others are ruled out."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from scorewright.agents import Gap, Message
from scorewright.traces.nodes import Node
from scorewright.traces.openinference import spoken
from scorewright.traces.span_traces import CONVENTIONS, node_of
from scorewright.traces.spans import Event, Span

NAMES = (
    "openinference.span.kind",
    "ai.operationId",
    "logfire.msg_template",
    "gen_ai.operation.name",
    "gen_ai.tool.name",
    "gen_ai.prompt",
    "llm.request.type",
    "traceloop.span.kind",
    "all_messages_events",
    "http.request.method",
)
SAID: tuple[object, ...] = ("", "LLM", "TOOL", "chat", "agent", "ai.toolCall", "Function: {name}", "[]", 3, None, {})
attributes: st.SearchStrategy[dict[str, object]] = st.dictionaries(
    st.sampled_from(NAMES), st.sampled_from(SAID), max_size=3
)
events = st.sampled_from(["gen_ai.choice", "log"]).map(lambda name: (Event(name, {}, {"output": {}}),)) | st.just(())


@given(attributes, events, st.sampled_from(["", "TOOL", "SPAN_KIND_CLIENT"]))
def test_a_span_is_read_by_the_first_convention_it_follows(
    attributes: dict[str, object], events: tuple[Event, ...], kind: str
) -> None:
    """Law: the node is what the conventions give that are tried one after the other; with none it only holds others."""
    span = Span("s", "p", "t", "name", 1, 2, attributes, events, kind=kind)
    found = next((node for convention in CONVENTIONS if (node := convention(span)) is not None), None)
    assert shown(node_of(span)) == shown(found or Node("s", "other", "p", "t", "name", 1, 2))


def shown(node: Node) -> tuple[object, ...]:
    """A node without the functions that it holds."""
    return (node.kind, node.name, node.output, node.call, node.speaks, node.gaps, node.model, node.error, node.usage)


words = st.sampled_from(["", "a", "[]", '{"city": "Graz"}', "{"])
calls = st.fixed_dictionaries(
    {},
    optional={
        "tool_call.id": words,
        "tool_call.function.name": words,
        "tool_call.function.arguments": words,
        "function.name": words,
        "name": words,
    },
)


@given(words | st.none() | st.just(3) | st.just([]), st.lists(calls, max_size=2))
def test_an_answer_of_openinference_is_the_same_by_both_ways(content: object, made: list[dict[str, str]]) -> None:
    """Law: the way for fields that most answers have gives what the one for all fields gives."""
    answer = "llm.output_messages.0.message"
    given: dict[str, object] = {f"{answer}.role": "assistant", f"{answer}.content": content}
    for at, call in enumerate(made):
        given |= {f"{answer}.tool_calls.{at}.{name}": held for name, held in call.items()}

    def read(attributes: dict[str, object]) -> tuple[list[Message], list[Gap]]:
        notes: list[Gap] = []
        return list(spoken(attributes, "model", "s", notes)[1]), notes

    assert read(given) == read({**given, f"{answer}.odd": "a field that makes it take the careful way"})
