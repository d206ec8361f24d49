"""GenAI messages that are decoded straight from text are those that come by way of parsed JSON."""

from __future__ import annotations

import json

from benchmarks.spans import genai
from hypothesis import given
from hypothesis import strategies as st

from scorewright.agents import Gap
from scorewright.traces.genai_parts import messages_of
from scorewright.traces.genai_usual import usual_messages
from scorewright.traces.json_view import list_at, text_at

words = st.sampled_from(["", "a", "Ω", "\ud800", "<elided>", "text", "x" * 2000, "data:image/png;base64,iVBORw0KGgo="])
BROKEN: tuple[object, ...] = (None, "bare", {})
arguments = st.dictionaries(words, words | st.integers() | st.none(), max_size=2)
texts = st.fixed_dictionaries({"type": st.just("text"), "content": words | st.none()})
calls = st.fixed_dictionaries(
    {"type": st.just("tool_call"), "name": words, "arguments": arguments | words | st.none()},
    optional={"id": words | st.none(), "odd": words},
)
results = st.fixed_dictionaries({"type": st.just("tool_call_response"), "id": words, "response": words})
messages = st.fixed_dictionaries(
    {"role": st.sampled_from(["system", "user", "assistant", "tool", "model", "odd"])},
    optional={
        "parts": st.lists(texts | texts | calls | results | st.sampled_from(BROKEN), max_size=3),
        "finish_reason": words | st.none(),
        "content": words,
    },
)


@given(st.lists(messages | st.sampled_from(BROKEN), max_size=3))
def test_messages_are_the_same(given: list[object]) -> None:
    """Law: wherever text is decoded straight, the messages are those of the parsed text, and nothing was lost."""
    notes: list[Gap] = []
    usual = usual_messages(json.dumps(given))
    assert usual is None or (usual, notes) == (messages_of(given, "", notes), [])


def test_most_are_decoded_straight() -> None:
    """What a model was first given, what it called and what it answered; what tools gave back is left alone."""
    for span in genai(0):
        told = {text_at(each, "key"): text_at(each, "value", "stringValue") for each in list_at(span, "attributes")}
        answer = told.get("gen_ai.output.messages")
        assert answer is None or usual_messages(answer)
        given = told.get("gen_ai.input.messages", "[]")
        assert (usual_messages(given) is None) == ("tool_call_response" in given)


def test_text_that_no_reader_takes_for_an_array_is_left_alone() -> None:
    """Blanks before the bracket make it a text for those who read JSON, and so it is for this one."""
    array = '[{"role": "user", "parts": []}]'
    assert usual_messages(array) is not None
    assert [usual_messages(text) for text in (f" {array}", array[:-1], f"{array}]", "", "{}", "null")] == [None] * 6
