"""Spans that are decoded straight from text are those that come by way of parsed JSON."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path

import pytest
from benchmarks.spans import lines
from hypothesis import given
from hypothesis import strategies as st
from returns.pipeline import is_successful
from traces.manifest import FOLDER

from scorewright.traces import Unreadable, read_runs
from scorewright.traces.containers import jaeger_spans, otlp_spans
from scorewright.traces.json_view import list_at
from scorewright.traces.recorded import recorded_document, recorded_lines, recorded_spans
from scorewright.traces.spans import Span, attributes_of
from scorewright.traces.splitting import Reader, pieces

words = st.sampled_from(["", "a", "0x1f", "Ω", '},{"traceId":"', "1760000000000000000", "12"])
wrapped: st.SearchStrategy[object] = (
    st.fixed_dictionaries({"stringValue": words})
    | st.fixed_dictionaries({"intValue": st.integers(-(2**70), 2**70) | st.integers().map(str) | words})
    | st.fixed_dictionaries({"boolValue": st.booleans()})
    | st.fixed_dictionaries({"doubleValue": st.integers(-9, 9) | st.floats(-9, 9)})
    | st.fixed_dictionaries({"arrayValue": st.just({"values": [{"stringValue": "x"}, {"intValue": "3"}]})})
    | st.fixed_dictionaries({"kvlistValue": st.just({"values": [{"key": "k", "value": {"boolValue": True}}]})})
    | st.sampled_from([{}, {"stringValue": None}, {"odd": 1}, None, "bare"])
)
several: st.SearchStrategy[object] = st.fixed_dictionaries(
    {},
    optional={
        "stringValue": words,
        "intValue": words | st.integers(0, 9),
        "boolValue": st.booleans(),
        "doubleValue": st.floats(-9, 9),
        "bytesValue": words,
        "arrayValue": st.just({"values": [{"intValue": "3", "stringValue": "x"}]}),
        "kvlistValue": st.just({"values": []}),
        "odd": words,
    },
)
wrapped |= several  # a value is to have one field, but may be broken
wrapped |= st.lists(wrapped, max_size=2).map(lambda values: {"arrayValue": {"values": values}})
pairs = st.fixed_dictionaries({"key": words, "value": wrapped})
spans = st.fixed_dictionaries(
    {"traceId": words, "spanId": words},
    optional={
        "parentSpanId": words,
        "name": words | st.none(),
        "startTimeUnixNano": words | st.integers(0, 2**63),
        "endTimeUnixNano": words | st.none(),
        "attributes": st.lists(pairs, max_size=3),
        "status": st.sampled_from([{}, {"code": 2, "message": "broke"}, {"code": "STATUS_CODE_ERROR"}, None]),
        "events": st.lists(
            st.fixed_dictionaries({"name": words, "attributes": st.lists(pairs, max_size=1)}), max_size=1
        ),
        "droppedAttributesCount": st.integers(0, 9),
        "links": st.just([{"traceId": "t", "spanId": "s"}]),
        "kind": st.integers(0, 5),
    },
)


def document(given: list[dict[str, object]]) -> dict[str, object]:
    return {"resourceSpans": [{"resource": {}, "scopeSpans": [{"scope": {"name": "s"}, "spans": given}]}]}


@given(st.lists(spans, max_size=3))
def test_the_spans_are_the_same(given: list[dict[str, object]]) -> None:
    """Law: wherever text is decoded straight, the spans are those of the parsed document."""
    text = json.dumps(document(given))
    quick = recorded_document(text)
    assert quick is None or list(otlp_spans(quick)) == list(otlp_spans(json.loads(text)))


@given(st.lists(spans, max_size=6), st.sampled_from([None, 2]))
def test_pieces_are_the_same(given: list[dict[str, object]], indent: int | None) -> None:
    """Law: cut out of a large document, they are the same too, whatever stands in their texts."""
    text = json.dumps(document(given), indent=indent)
    assert told(text, recorded_spans) == told(text, None) == list(otlp_spans(json.loads(text)))


@given(wrapped)
def test_a_value_is_the_same_by_both_ways(value: object) -> None:
    """Law: whichever fields an attribute's value has, and those inside it, it is decoded as it is unwrapped."""
    given = document([{"traceId": "t", "spanId": "s", "attributes": [{"key": "k", "value": value}]}])
    quick = recorded_document(json.dumps(given))
    assert quick is None or list(otlp_spans(quick)) == list(otlp_spans(given))


@given(st.lists(pairs, max_size=3), st.sampled_from([None, "bare", {}, {"key": "b"}, {"key": 1, "value": {}}, []]))
def test_a_broken_pair_does_not_change_how_the_others_are_read(given: list[object], broken: object) -> None:
    """Law: attributes are the same by the quick way, and by the careful one that a broken pair among them leads to."""
    whole = attributes_of(given)
    assert {name: value for name, value in attributes_of([*given, broken]).items() if name != "b"} == whole


def told(text: str, quick: object) -> list[Span]:
    reader = Reader(StringIO(text), recorded_spans if quick is not None else None)
    read: list[Span] = []
    for piece in pieces(reader):
        read.extend(otlp_spans(piece.document, len(read)))
    return read


def test_most_are_decoded_straight() -> None:
    """The usual shape is taken, in one piece and in many."""
    given: list[dict[str, object]] = [{"traceId": "t", "spanId": f"{at}", "name": "x" * 999} for at in range(900)]
    text = json.dumps(document(given))
    assert recorded_document(text) is not None
    cut = [piece.document for piece in pieces(Reader(StringIO(text), recorded_spans))]
    kinds = [type(span).__name__ for piece in cut for span in _spans_in(piece)]
    assert kinds.count("Recorded") > len(kinds) * 0.9
    assert len(kinds) == len(given)


def _spans_in(piece: object) -> list[object]:
    [resource] = list_at(piece, "resourceSpans")
    [scoped] = list_at(resource, "scopeSpans")
    return list_at(scoped, "spans")


named = st.sampled_from([{}, {"name": "s"}, {"name": "other"}])
scopes = st.fixed_dictionaries({}, optional={"scope": named, "instrumentationLibrary": named})
requests = st.lists(st.tuples(scopes, st.lists(spans, max_size=2)), max_size=2).map(
    lambda held: {"resourceSpans": [{"scopeSpans": [{**scope, "spans": given}]} for scope, given in held]}
)


@given(requests)
def test_a_document_with_scopes_of_any_age_is_the_same(given: dict[str, object]) -> None:
    """Law: what a scope is called does not depend on how it was decoded."""
    quick = recorded_document(json.dumps(given))
    assert quick is None or list(otlp_spans(quick)) == list(otlp_spans(given))


tags = st.fixed_dictionaries({"key": words | st.just("error"), "value": st.booleans() | words}) | st.sampled_from(
    [{}, {"key": 1, "value": 2}, {"key": "k"}, "bare", None]
)


@given(
    st.fixed_dictionaries(
        {"operationName": words, "spanID": words | st.integers(0, 9)},
        optional={
            "traceID": words,
            "startTime": st.integers(-9, 2**60) | words | st.none(),
            "duration": st.integers(0, 9) | st.none(),
            "tags": st.lists(tags, max_size=3),
            "logs": st.lists(
                st.just({"timestamp": 1, "fields": [{"key": "event", "value": "x"}]}) | st.none(), max_size=2
            ),
            "references": st.lists(st.sampled_from([{"refType": "CHILD_OF", "spanID": "0x1"}, {}, None]), max_size=2),
        },
    )
)
def test_a_span_of_jaeger_is_read_the_same_by_both_ways(raw: dict[str, object]) -> None:
    """Law: the way for fields that Jaeger knows gives what the one for all spellings gives."""

    def read(span: dict[str, object]) -> list[Span]:
        return list(jaeger_spans({"data": [{"spans": [span]}]}))

    assert read(raw) == read({**raw, "tenant": "a field that makes it take the careful way"})


@given(st.lists(requests, min_size=1, max_size=4))
def test_lines_together_are_the_lines_one_by_one(given: list[dict[str, object]]) -> None:
    """Law: the spans of many lines at once are those of each line in turn, with their scopes, in their order."""
    text = "".join(f"{json.dumps(each)}\n" for each in given)
    quick = recorded_lines(text.encode(), len(given))
    assert quick is None or list(otlp_spans(quick)) == list(otlp_spans([*map(json.loads, text.splitlines())]))


LINE = json.dumps(document([{"traceId": "t", "spanId": "s", "attributes": []}]))


@pytest.mark.parametrize(
    ("text", "count"),
    [
        (f"{LINE} {LINE}\n{LINE[:-1]}\n}}\n", 3),
        (f"{LINE}\n{LINE} {LINE}\n", 2),
        (f"{LINE}\n\n{LINE}\n", 3),
        (f"{LINE}\r\n{LINE}\r\n", 2),
        (f"\ufeff{LINE}\n{LINE}\n", 2),
        (f"{LINE}\n{LINE[:-1]}\n", 2),
        (f"{LINE}\n{{}}\n", 2),
        (f"[{LINE},\n{LINE}]\n", 2),
    ],
)
def test_lines_that_are_not_one_document_each_are_left_alone(text: str, count: int) -> None:
    """They are read one by one, so that each fault has its line, and nothing is read across lines."""
    assert recorded_lines(text.encode(), count) is None


def test_a_broken_line_among_short_ones_has_its_number(tmp_path: Path) -> None:
    """The lines before and after it are read."""
    path = tmp_path / "trace.jsonl"
    path.write_text("".join(lines("genai", 80, 1)) + "{broken\n" + "".join(lines("genai", 160, 1)))
    read = list(read_runs(path))
    [fault] = [each.failure() for each in read if not is_successful(each)]
    assert isinstance(fault, Unreadable)
    assert fault.where == f"{path}:81"


@pytest.mark.skipif(not FOLDER.is_dir(), reason="the real traces lie beside the project")
def test_real_files_read_the_same() -> None:
    """A file of OTLP gives the runs that its parsed content gives."""
    contents = [path.read_bytes() for path in sorted(FOLDER.rglob("*.json"))]
    otlp = [each for each in contents if recorded_document(each.decode(errors="replace")) is not None]
    assert otlp
    for content in otlp:
        assert list(read_runs(content)) == list(read_runs(json.loads(content)))


def test_other_dialects_never_see_them() -> None:
    """A bare list of OTLP's spans, and spans beside other keys, are left to the parser that takes all JSON."""
    pair = {"key": "gen_ai.prompt", "value": {"stringValue": "Hi"}}
    bare = [{"traceId": "t", "spanId": f"{at}", "attributes": [pair], "x": "x" * 9000} for at in range(900)]
    for text in (json.dumps(bare), json.dumps({"spans": bare})):
        [first, *_] = [each.unwrap() for each in read_runs(text.encode())]
        [same, *_] = [each.unwrap() for each in read_runs(json.loads(text))]
        assert first == same
