"""What documents come packed in: lists, envelopes, lines; of every dialect, once and twice."""

from __future__ import annotations

import gzip
import json
import zipfile
from io import BytesIO
from pathlib import Path

import pytest
from returns.pipeline import is_successful
from traces.documents import ASKED, Counts, Document, counts, runs

from scorewright.traces import UnknownDialect, read_runs
from scorewright.traces.dialects import DIALECTS
from scorewright.wording import describe

ANSWERED = {"role": "assistant", "content": "There."}
WORDS = {"type": "text", "text": "There."}
PARTS = {"type": "text", "text": "Where?"}


def traced(trace: str) -> dict[str, Document]:
    """One document of every dialect whose lists are of anything but documents, all with one question and its answer."""
    answer = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "There."}]}
    said = {"role": "assistant", "parts": [{"type": "text", "content": "There."}]}
    told = {
        "gen_ai.operation.name": "chat",
        "gen_ai.input.messages": json.dumps([{"role": "user", "parts": [{"type": "text", "content": "Where?"}]}]),
        "gen_ai.output.messages": json.dumps([said]),
    }
    pairs = [{"key": key, "value": {"stringValue": value}} for key, value in told.items()]
    tags = [{"key": key, "value": value} for key, value in told.items()]
    span = {"traceId": trace, "spanId": "1", "name": "chat", "startTimeUnixNano": "1", "attributes": pairs}
    jaeger = {"traceID": trace, "spanID": "1", "operationName": "chat", "startTime": 1, "duration": 1, "tags": tags}
    observed = {"id": "g", "traceId": trace, "type": "GENERATION", "input": [ASKED], "output": "There."}
    agent = {"spanId": "1", "traceId": trace, "spanType": "agent_run", "input": "Where?", "output": {"text": "There."}}
    steps = [{"source": "user", "message": "Where?"}, {"source": "agent", "message": "There."}]
    events = [
        {"author": "user", "content": {"parts": [{"text": "Where?"}]}},
        {"author": "desk", "content": {"parts": [{"text": "There."}]}},
    ]
    acts = [
        {"source": "user", "action": "message", "args": {"content": "Where?"}},
        {"source": "agent", "action": "message", "args": {"content": "There."}},
    ]
    lines = [{"type": "user", "message": ASKED}, {"type": "assistant", "message": ANSWERED}]
    history = [{**ASKED, "agent": "main"}, {**ANSWERED, "agent": "main"}]
    sample = {"id": 1, "epoch": 1, "input": "Where?", "target": "", "messages": [ASKED, ANSWERED]}
    contents = [{"role": "user", "parts": [{"text": "Where?"}]}]
    candidate = {"content": {"role": "model", "parts": [{"text": "There."}]}}
    run = {"id": "r", "trace_id": trace, "run_type": "chain", "inputs": {"q": "?"}, "outputs": {"output": "There."}}
    return {
        "openai-chat": {"messages": [ASKED], "choices": [{"message": ANSWERED}]},
        "openai-responses": {
            "request": {"model": "m", "input": "Where?"},
            "response": {"object": "response", "output": [answer]},
        },
        "anthropic-messages": {
            "request": {"messages": [ASKED]},
            "response": {"type": "message", "role": "assistant", "content": [WORDS], "stop_reason": "end_turn"},
        },
        "bedrock-converse": {
            "messages": [{"role": "user", "content": [{"text": "Where?"}]}],
            "output": {"message": {"role": "assistant", "content": [{"text": "There."}]}},
        },
        "gemini": {"contents": contents, "candidates": [candidate]},
        "ui-messages": {"messages": [{"role": "user", "parts": [PARTS]}, {"role": "assistant", "parts": [WORDS]}]},
        "langchain": {"messages": [{"type": "human", "content": "Where?"}, {"type": "ai", "content": "There."}]},
        "pydantic-ai": [
            {"kind": "request", "parts": [{"part_kind": "user-prompt", "content": "Where?"}]},
            {"kind": "response", "parts": [{"part_kind": "text", "content": "There."}]},
        ],
        "otlp": {"resourceSpans": [{"scopeSpans": [{"spans": [span]}]}]},
        "jaeger": {"traceID": trace, "spans": [jaeger]},
        "langfuse": {"id": trace, "observations": [observed]},
        "langsmith": {**run, "inputs": {"messages": [ASKED]}},
        "mastra": {"traceId": trace, "spans": [agent]},
        "openai-agents": {
            "$schemaVersion": "1.5",
            "original_input": "Where?",
            "generated_items": [{"raw_item": answer}],
        },
        "inspect-ai": {"eval": {"task": "t"}, "samples": [sample]},
        "atif": {"schema_version": "ATIF-v1.6", "session_id": trace, "steps": steps},
        "google-adk": {"id": trace, "events": events},
        "openhands": {"trajectory": acts},
        "swe-agent": {"history": history},
        "tau2-bench": {"task_id": "1", "termination_reason": "user_stop", "messages": [ASKED, ANSWERED]},
        "claude-code": lines,
    }


ONE, OTHER = traced("t1"), traced("t2")
TOLD: Counts = (0, 1, 0, 1, 0, 0, "There.")


def packed(one: Document, other: Document) -> dict[str, Document]:
    return {
        "a list": [one, other],
        "data": {"object": "list", "data": [one, other], "has_more": False},
        "traces": {"traces": [one, other], "next_cursor": None},
        "runs": {"runs": [one, other]},
        "results": {"count": 2, "results": [one, other]},
        "result": {"result": [one, other]},
        "transcript": {"id": 1, "transcript": [one, other]},
        "data in data": {"message": "ok", "data": {"data": [one, other], "meta": {"page": 1}}},
        "lines": "\n".join(map(json.dumps, (one, other))).encode(),
        "lines in gzip": gzip.compress("\n".join(map(json.dumps, (one, other))).encode()),
        "texts of JSON": [json.dumps(one), json.dumps(other)],
    }


@pytest.mark.parametrize("name", ONE)
def test_documents_are_read_out_of_whatever_holds_them(name: str) -> None:
    """Two documents are two runs, and each is recognised by itself, as it is when it comes alone."""
    for document in (ONE[name], {"data": ONE[name]}):
        [run] = runs(document)
        assert (run.source.dialect, counts(run)) == (name, TOLD)
    for how, document in packed(ONE[name], OTHER[name]).items():
        assert [(run.source.dialect, counts(run)) for run in runs(document)] == [(name, TOLD)] * 2, how


@pytest.mark.parametrize("name", ONE)
def test_one_dialect_claims_a_document(name: str) -> None:
    """Marks are exclusive: the order of the readers decides nothing."""
    assert [dialect.name for dialect in DIALECTS if dialect.detect(ONE[name])] == [name]


def test_what_no_dialect_knows_stays_unknown_in_an_envelope() -> None:
    """An envelope is opened where what it holds is known; what else is in a list is a fault of its own."""
    deep: Document = [[[[[ONE["atif"]]]]]]
    unknown: list[Document] = [{"data": [{"hello": 1}]}, {"runs": []}, deep, {"data": {"runs": {"data": 1}}}]
    for document in unknown:
        [read] = read_runs(document)
        assert isinstance(read.failure(), UnknownDialect)
    first, second = read_runs([ONE["atif"], {"hello": 1}])
    assert counts(first.unwrap()) == TOLD
    assert isinstance(second.failure(), UnknownDialect)


@pytest.mark.parametrize("name", ONE)
def test_documents_of_several_dialects_stand_in_one_list(name: str) -> None:
    """Whichever comes first, and whatever its own lists are of: none is lost."""
    for other in ONE.keys() - {name}:
        told = packed(ONE[name], OTHER[other])
        for how in ("a list", "data", "lines", "texts of JSON"):
            found = [(run.source.dialect, counts(run)) for run in runs(told[how])]
            assert sorted(found) == sorted([(name, TOLD), (other, TOLD)]), how


@pytest.mark.parametrize("name", ONE)
def test_junk_before_a_document_hides_none(name: str) -> None:
    """It is a fault of its own, in a list and in lines."""
    several: tuple[Document, ...] = ({"hello": 1}, {}, [], None, 3, "words")
    for junk in several:
        given = [junk, ONE[name], OTHER[name]]
        for document in (given, "\n".join(map(json.dumps, given)).encode()):
            read = list(read_runs(document))
            faults = [each.failure() for each in read if not is_successful(each)]
            assert [isinstance(fault, UnknownDialect) for fault in faults] in ([True], []), junk
            known = [each.unwrap() for each in read if is_successful(each)]
            assert [(run.source.dialect, counts(run)) for run in known] == [(name, TOLD)] * 2, junk


@pytest.mark.parametrize("key", ["data", "result", "trace", "runs", "items"])
@pytest.mark.parametrize("name", [name for name, document in ONE.items() if isinstance(document, dict)])
def test_a_run_with_a_key_of_an_envelope_is_no_envelope(name: str, key: str) -> None:
    """Where it is no part of its dialect, it says nothing."""
    document = ONE[name]
    assert isinstance(document, dict)
    for held in ({"x": 1}, "words", 7):
        for told in ({**document, key: held}, {key: held, **document}):
            assert [(run.source.dialect, counts(run)) for run in runs(told)] == [(name, TOLD)], held


METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA)


def zipped(members: dict[str, str], method: int) -> bytearray:
    file = BytesIO()
    with zipfile.ZipFile(file, "w", method) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return bytearray(file.getvalue())


@pytest.mark.parametrize("method", METHODS)
def test_documents_stand_in_an_archive(method: int, tmp_path: Path) -> None:
    """One or several, in whatever way it is packed; one without any says so."""
    path = tmp_path / "traces.zip"
    for names in (["atif"], ["atif", "otlp", "claude-code"]):
        path.write_bytes(zipped({f"{name}.json": json.dumps(ONE[name]) for name in names}, method))
        assert [(run.source.dialect, counts(run)) for run in runs(path)] == [(name, TOLD) for name in names]
    path.write_bytes(zipped({"notes.txt": "words"}, method))
    [read] = read_runs(path)
    fault = read.failure()
    assert isinstance(fault, UnknownDialect)
    assert fault.saw == "an archive without a .json file"


@pytest.mark.parametrize("method", METHODS)
def test_a_damaged_archive_is_a_fault(method: int, tmp_path: Path) -> None:
    """Any byte may be wrong, and one that is locked with a password is not opened."""
    path = tmp_path / "traces.zip"
    whole = zipped({"a.json": json.dumps(ONE["atif"])}, method)
    for at in range(len(whole)):
        path.write_bytes(bytes([*whole[:at], whole[at] ^ 0x55, *whole[at + 1 :]]))
        assert [read.map(counts).value_or(TOLD) for read in read_runs(path)] == [TOLD]
    locked = bytearray(whole)
    for mark, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        locked[locked.find(mark) + offset] |= 1
    path.write_bytes(locked)
    [read] = read_runs(path)
    assert "encrypted" in describe(read.failure())


def test_a_named_dialect_is_read_out_of_an_envelope_too() -> None:
    """Who names the dialect need not unpack."""
    assert [counts(read.unwrap()) for read in read_runs({"runs": [ONE["atif"]]}, "atif")] == [TOLD]
