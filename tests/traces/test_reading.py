"""`read_runs`: what it takes, what it says of what it cannot read, and that nothing makes it raise."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorewright.agents import AgentRun, final_answer, user_text
from scorewright.traces import DIALECTS, Dialect, UnknownDialect, Unreadable, detected, read_runs

CHAT = [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Ho"}]
ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=6),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["role", "content", "type", "parts", "id", "x"]), inner, max_size=4)
    ),
    max_leaves=20,
)


def one(source: object, dialect: str | None = None) -> AgentRun:
    [read] = read_runs(source, dialect)
    return read.unwrap()


def faults(source: object, dialect: str | None = None) -> list[object]:
    return [read.failure() for read in read_runs(source, dialect)]


def test_a_path_bytes_and_an_object_are_one(tmp_path: Path) -> None:
    """Wherever the messages come from, the run is the same; only the source's reference differs."""
    file = tmp_path / "chat.json"
    file.write_text(json.dumps(CHAT))
    runs = [one(file), one(str(file)), one(json.dumps(CHAT).encode()), one(CHAT), one(tuple(CHAT))]
    assert [run.input for run in runs] == [runs[0].input] * 5
    assert [final_answer(run.output) for run in runs] == ["Ho"] * 5
    assert runs[0].source.ref == str(file)


def test_objects_of_client_libraries_are_dumped() -> None:
    """What has `model_dump`, as the SDKs' objects do, is read by what it dumps, also inside a list."""

    class Message:
        def __init__(self, role: str, content: str) -> None:
            self.role, self.content = role, content

        def model_dump(self, **_: object) -> object:
            return {"role": self.role, "content": self.content}

    assert user_text(one([Message("user", "Hi")]).input) == "Hi"


def test_lines_are_read_one_by_one(tmp_path: Path) -> None:
    """A broken line is a fault with its number, and the others are read; nothing is read before it is asked for."""
    file = tmp_path / "chats.jsonl"
    lines = [json.dumps({"messages": CHAT}), "", '{"messages": [', json.dumps({"messages": CHAT[:1]})]
    file.write_text("\n".join(lines))
    read = list(read_runs(file))
    assert [type(each).__name__ for each in read] == ["Success", "Failure", "Success"]
    broken = read[1].failure()
    assert isinstance(broken, Unreadable)
    assert broken.where == f"{file}:3"


def test_reading_is_lazy() -> None:
    """The first run is there before the second document is read."""
    seen: list[object] = []

    def read(value: object) -> Iterator[AgentRun]:
        seen.append(value)
        yield AgentRun()

    mine = Dialect("mine", "anything", lambda _: True, read)
    runs = read_runs(b"1\n2\n3", dialects=(mine,))
    next(runs)
    assert seen == [1]


def test_an_unknown_document_says_what_was_looked_for() -> None:
    """The fault names what was seen and every dialect that was tried."""
    [fault] = faults({"hello": 1, "world": 2})
    assert isinstance(fault, UnknownDialect)
    assert fault.saw == "an object with hello, world"
    assert [words.partition(":")[0] for words in fault.looked_for] == [dialect.name for dialect in DIALECTS]


def test_an_unknown_name_is_a_fault() -> None:
    """The names that exist are given."""
    [fault] = faults(CHAT, "klingon")
    assert isinstance(fault, UnknownDialect)
    assert fault.looked_for == tuple(dialect.name for dialect in DIALECTS)


def test_a_named_dialect_is_not_second_guessed() -> None:
    """Who names a dialect gets it, also where the document does not look like it: then it holds nothing."""
    run = one({"hello": 1}, "openai-chat")
    assert (run.content, run.source.dialect) == ("not_captured", "openai-chat")


@pytest.mark.parametrize(
    ("content", "why"),
    [(b"{", "not JSON"), (b"", "not JSON"), (b"hello", "not JSON"), (b"[" * 100_000, "nested too deeply")],
)
def test_what_is_not_json_is_a_fault(content: bytes, why: str) -> None:
    """Broken, empty, text, or nested beyond all measure."""
    [fault] = faults(content)
    assert isinstance(fault, Unreadable)
    assert why in fault.why


def test_a_missing_file_is_a_fault() -> None:
    """It does not raise either."""
    [fault] = faults("/nowhere/trace.json")
    assert isinstance(fault, Unreadable)
    assert fault.where == "/nowhere/trace.json"


def test_bytes_that_are_not_utf_8_are_a_gap() -> None:
    """The text is read with marks where the bytes were, and the run says so."""
    run = one(json.dumps(CHAT, ensure_ascii=False).encode().replace(b"Ho", b"H\xff"))
    assert final_answer(run.output) == "H\ufffd"
    assert [gap.code for gap in run.gaps] == ["bad_utf8"]


def test_a_byte_order_mark_is_no_matter() -> None:
    """Windows tools write one."""
    assert one(b"\xef\xbb\xbf" + json.dumps(CHAT).encode()).gaps == ()


def test_a_circle_is_a_fault() -> None:
    """An object that holds itself cannot come from JSON; it does not hang or raise."""
    circle: dict[str, object] = {"role": "user", "content": "Hi"}
    circle["again"] = [circle]
    [fault] = faults([circle])
    assert isinstance(fault, Unreadable)


def test_deep_arguments_are_a_fault_or_a_run() -> None:
    """As deep as a parser lets pass, and never an exception."""
    deep: object = 1
    for _ in range(900):
        deep = [deep]
    call = {"id": "c", "function": {"name": "f", "arguments": json.dumps(deep)}}
    [read] = read_runs([{"role": "assistant", "content": None, "tool_calls": [call]}])
    assert read is not None


@given(ANY_JSON)
def test_any_json_is_read_or_is_a_fault(value: object) -> None:
    """Whatever the document, with or without a named dialect, nothing raises."""
    list(read_runs(value))
    for dialect in DIALECTS:
        assert isinstance(dialect.detect(value), bool)
        list(read_runs(value, dialect.name))


def test_names_are_unique() -> None:
    """A dialect is known by its name."""
    names = [dialect.name for dialect in DIALECTS]
    assert len(set(names)) == len(names)


def test_no_two_dialects_claim_the_empty() -> None:
    """Nothing is claimed by nobody."""
    assert [detected(value) for value in (None, [], {}, "", 0, [[]], [{}])] == [None] * 7
