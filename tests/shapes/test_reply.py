"""Reading a reply's text: one JSON value, or why there is none."""

from __future__ import annotations

import json
import time
from typing import Any

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st
from returns.result import Failure, Success

from scorewright.faults import EmptyReply, NotJson, SchemaMismatch
from scorewright.shapes import json_shape, shape_of


@attrs.frozen
class Verdict:
    score: float
    why: str = ""


VERDICT = shape_of(Verdict)

READ: list[str] = [
    '{"score": 1}',
    '\ufeff  {"score": 1}\n',
    '```json\n{"score": 1}\n```',
    '```\n{"score": 1}\n```',
    '```{"score": 1}```',
    '<think>{"score": 0} or not?</think>\n{"score": 1}',
    '<think>hm</think>```json\n{"score": 1}\n```',
    'Sure! Here it is: {"score": 1}. Anything else?',
    'As [1] says, {x} holds: {"score": 1}',
    'Here:\n```json\n{"score": 1}\n```\nDone.',
    '{"score": 1}\n\nOnce more: {"score":1}',
    'I say {"score": 1}, since {x} holds.',
    '<thinking>{"score": 0}</thinking>{"score": 1}',
    '<Reasoning>hm</reasoning>\n{"score": 1}',
    '{"score": 1, "why": ""}',
]

REFUSED: list[tuple[str, type, str]] = [
    ("", EmptyReply, ""),
    (" \ufeff\n", EmptyReply, ""),
    ("<think>hm</think> ", EmptyReply, ""),
    ('<think>hm {"score": 1}', NotJson, "not closed"),
    ("no", NotJson, "no JSON object"),
    ("``````", NotJson, ""),
    ('{"score": 1', NotJson, ""),
    ('{"score": 0.', NotJson, ""),
    ('Here: {"items": [{"score": 1}', NotJson, ""),
    ('Here: [{"score": 1}', NotJson, ""),
    ('[1, {"score": 1}', NotJson, ""),
    ('He wrote {"score": 1} but: {"score": 0}', NotJson, "two answers"),
    ('{"score": 1} {"score": true}', NotJson, "two answers"),
    ('{"score": NaN}', NotJson, "NaN"),
    ('{"score": -Infinity}', NotJson, "Infinity"),
    ('{"score": 1e999}', NotJson, "too large"),
    ('{"score": ' + "1" * 5000 + "}", NotJson, "digits"),
    ('{"score": 0, "score": 1}', NotJson, "twice"),
    ('{"score": 1, "why": "\\ud800"}', NotJson, ""),
    ('{"a":' * 100_000, NotJson, ""),
    ("[" * 100_000, NotJson, "deeply"),
    ('{"score": "1"}', SchemaMismatch, "$.score"),
    ('{"score": true}', SchemaMismatch, "$.score"),
    ('{"score": 1, "extra": 1}', SchemaMismatch, "$.extra"),
    ('[{"score": 1}]', SchemaMismatch, "$"),
    ('"{\\"score\\": 1}"', SchemaMismatch, "$"),
    ("null", SchemaMismatch, "$"),
    ("{'a': {\"score\": 0.1}, 'b': 2}", NotJson, ""),
    ('{score: 0.5, d: {"score": 0.1}}', NotJson, ""),
    ('Here: {score: 0.5, d: {"score": 0.1}, e: 1}', NotJson, "inside"),
    ('Here: {d: {"score": 0.1}, e: 1}', NotJson, "inside"),
    ('Here: {d: {"score": 0.1} }', NotJson, "inside"),
    ('{ {"score":0.3} }', NotJson, ""),
    ('Answer: [1, {"score": 1}]', NotJson, "inside"),
    ('Answer: [[{"score": 1}]]', NotJson, "inside"),
    ('{"score":1}}', NotJson, "inside"),
    ('So {"score":1}\n]', NotJson, "inside"),
    ('{"score": 1e-400}', NotJson, "too small"),
    ('{"score": -0.00001e-9999}', NotJson, "too small"),
    ('<thinking>hm {"score": 1}', NotJson, "the <thinking> block is not closed"),
]


@pytest.mark.parametrize("text", READ)
def test_read(text: str) -> None:
    """One object is found, alone or in talk."""
    assert VERDICT.decode(text) == Success(Verdict(1.0))


@pytest.mark.parametrize(("text", "kind", "word"), REFUSED)
def test_refused(text: str, kind: type, word: str) -> None:
    """Anything that is not exactly one fitting answer is a fault that keeps the text."""
    fault = VERDICT.decode(text).failure()
    assert type(fault) is kind
    if isinstance(fault, NotJson):
        assert word in fault.why
        assert fault.text == text
    if isinstance(fault, SchemaMismatch):
        assert fault.path == word
        assert fault.text == text


def test_control_characters() -> None:
    """A raw line break in a string is what the judge meant."""
    assert VERDICT.decode('{"score": 1, "why": "a\nb"}') == Success(Verdict(1.0, "a\nb"))


@pytest.mark.parametrize(
    ("form", "text", "value"),
    [
        (float, "0.5", 0.5),
        (float, '{"value": 0.5}', 0.5),
        (float, 'It is {"value": 0.5}', 0.5),
        (list[int], "[1]", [1]),
        (list[int], '{"value": [1]}', [1]),
        (str, '"a"', "a"),
        (object, '{"a": 1}', {"a": 1}),
        (dict[str, int], '{"value": 1}', {"value": 1}),
        (Verdict | None, '{"value": null}', None),
        (Verdict | None, '{"value": {"score": 1}}', Verdict(1.0)),
        (Verdict | None, '{"score": 1}', Verdict(1.0)),
    ],
)
def test_wrapped_roots(form: Any, text: str, value: object) -> None:
    """A root that is no object is read with and without its wrapping."""
    assert shape_of(form).decode(text) == Success(value)


def test_path_in_a_wrapped_root() -> None:
    """The path of a misfit leads to it in the text that was sent."""
    assert shape_of(list[int]).decode('{"value": [true]}').failure().path == "$.value[0]"
    assert shape_of(list[int]).decode("[true]").failure().path == "$[0]"


def test_a_list_in_a_list_holds_no_answer() -> None:
    """Also where a list is due."""
    for text in ('Answer: [[{"score": 1}]]', 'Answer: [1, [{"score": 1}]]', 'Answer: [{"score": 1}]]'):
        assert isinstance(shape_of(list[Verdict]).decode(text).failure(), NotJson)
    assert shape_of(list[Verdict]).decode('Answer: [{"score": 1}]') == Success([Verdict(1.0)])


@pytest.mark.parametrize("zero", ["0.0", "-0.0", "0e-5", "0.000"])
def test_a_zero_is_a_number(zero: str) -> None:
    """What is written as zero is no number that was too small."""
    assert VERDICT.decode(f'{{"score": {zero}}}').unwrap().score == 0


SHAPES = [VERDICT, shape_of(float), shape_of(list[Verdict]), shape_of(object), json_shape({"type": "object"})]
PIECES = st.sampled_from(
    [
        "{",
        "}",
        "[",
        "]",
        '"',
        ":",
        ",",
        "```",
        "```json\n",
        "<think>",
        "</think>",
        "\\",
        "\\ud800",
        "\ufeff",
        "1e999",
        "NaN",
        "-",
        "0",
        '"score"',
        '{"score": 1}',
        '{"value":',
        "\x00",
        " ",
        "\n",
        "�",
    ]
)


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.name)
@given(text=st.text() | st.lists(PIECES | st.text(max_size=3)).map("".join))
def test_any_text(shape: Any, text: str) -> None:
    """Any text gives a result and never an exception."""
    assert isinstance(shape.decode(text), (Success, Failure))


@given(score=st.floats(0, 1), why=st.text(), before=st.text(alphabet="abc .(\n"), after=st.text(alphabet="abc .)\n"))
def test_talk(score: float, why: str, before: str, after: str) -> None:
    """Talk around one object never changes what the object says."""
    text = before + " : " + json.dumps({"score": score, "why": why}) + after
    assert VERDICT.decode(text) == Success(Verdict(score, why))


@pytest.mark.parametrize(
    "text",
    [
        "{" * 10000000,
        '{"' * 2000000,
        "{}" * 2000000,
        "[ " * 2000000,
        "```json\n" + " " * 4000000 + "x",
        '{"score": "' + "a" * 4000000,
        "{ " * 2000000,
        '{"a":1},' * 500000,
        "1" * 4000000,
        "{" + ",".join(f'"{n}":1' for n in range(300000)) + ',"7":1}',
        "<think>" * 500000,
    ],
    ids=lambda text: text[:8],
)
def test_large_replies(text: str) -> None:
    """A very long reply without an answer is refused soon."""
    begun = time.process_time()
    assert isinstance(VERDICT.decode(text), Failure)
    assert time.process_time() - begun < 2
