"""What is written as JSON is what the standard library would write, of whichever class the values are."""

from __future__ import annotations

import json
from enum import Enum

import pytest
from fakes.openai_server import FakeOpenAI, said
from judges.asking import GOOD, MODES, Mode, came, judge_at, scorer

from scorewright.judges import ModelSettings
from scorewright.shapes.json_text import json_bytes


class Text(str):
    """A text of a class of its own, as templates give."""

    __slots__ = ()


class Number(float):
    """As numpy's."""

    __slots__ = ()


class Count(int):
    """A number with a name."""

    __slots__ = ()


class Prompt(str, Enum):  # noqa: UP042 - as many write it; its `str` is "Prompt.ASK"
    """Prompts by their names."""

    ASK = "How good is it?"


@pytest.mark.parametrize(
    "value",
    [Text("naïve"), Number(0.5), Count(3), Prompt.ASK, 2**63, -(2**70), (1, "a"), [None, True, 1e22, 5e-324, -0.0]],
)
def test_a_value_is_written_as_the_standard_library_writes_it(value: object) -> None:
    """Read back, it is the same."""
    said = {"value": value, Text("key"): [{"deep": value}]}
    assert json.loads(json_bytes(said)) == json.loads(json.dumps(said))


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("text", [Text("How good is it?"), Prompt.ASK], ids=["subclass", "enum"])
def test_texts_of_a_class_of_their_own_are_sent_as_the_texts_that_they_are(text: str, mode: Mode) -> None:
    """Prompt, instructions, model, settings: a request is made of all of them."""
    settings = ModelSettings(temperature=Number(0.5), max_tokens=Count(9), stop=[text])
    with FakeOpenAI([said(GOOD)]) as server:
        judge = judge_at(server, model=text, instructions=text, model_settings=settings)
        assert came(mode, scorer(judge, said=lambda _: text)).unwrap().score == 0.5
    (request,) = server.requests
    words = "How good is it?"
    assert request.prompt.startswith(f"{words}\n\nAnswer with one JSON value")
    assert request.messages[0]["content"] == words
    assert (request.json["model"], request.json["stop"]) == (words, [words])
    assert (request.json["temperature"], request.json["max_tokens"]) == (0.5, 9)
