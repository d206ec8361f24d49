"""Files too large to hold: memory stays bounded, and what is read is what a small file would give."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import attrs
import pytest
from benchmarks.spans import KINDS, document, lines, otlp, spans
from hypothesis import example, given
from hypothesis import strategies as st
from traces.counting import calls, is_linear

from scorewright.agents import AgentRun, TraceSource, tool_calls
from scorewright.traces import Unreadable, read_runs
from scorewright.traces.loading import LARGE
from scorewright.traces.splitting import Reader, pieces
from scorewright.traces.streaming import Piece, ends_in, whole_traces

READS = """
import sys
from scorewright.traces import read_runs

def peak():
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmHWM")) / 1024

for _ in read_runs(sys.argv[2]):
    pass
before = peak()
count = sum(1 for read in read_runs(sys.argv[1]) if read.unwrap().output.messages)
print(count, peak() - before)
"""
PROC = pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="peak memory is read from /proc")


def written(path: Path, shape: str, megabytes: int) -> int:
    """Write a file of about this size; how many traces it has."""
    count = megabytes * 700 // 8 * 8
    with path.open("w") as file:
        if shape == "lines":
            file.writelines(lines("genai", count))
        elif shape == "spans":
            file.write("[")
            file.writelines(f"{',' if at else ''}{json.dumps(each)}" for at, each in enumerate(spans("genai", count)))
            file.write("]")
        else:
            scope = '{"resourceSpans": [{"resource": {}, "scopeSpans": [{"scope": {"name": "bench"}, "spans": ['
            file.write(scope)
            file.writelines(f"{',' if at else ''}{json.dumps(each)}" for at, each in enumerate(spans("genai", count)))
            file.write("]}]}]}")
    return count // 8


def read_apart(path: Path) -> tuple[int, float]:
    """How many runs a fresh process reads, and by how many megabytes its memory grows above a small file's."""
    small = path.with_name("small.jsonl")
    small.write_text("".join(lines("genai", 800)))
    done = subprocess.run(
        [sys.executable, "-c", READS, str(path), str(small)], capture_output=True, text=True, check=True
    )
    count, grown = done.stdout.split()
    return int(count), float(grown)


@PROC
@pytest.mark.parametrize("shape", ["lines", "one document", "spans"])
@pytest.mark.parametrize("megabytes", [20, pytest.param(200, marks=pytest.mark.slow)])
def test_memory_does_not_grow_with_the_file(tmp_path: Path, shape: str, megabytes: int) -> None:
    """Lines, one OTLP document and one array of spans are read in a few megabytes."""
    path = tmp_path / "trace.json"
    traces = written(path, shape, megabytes)
    assert path.stat().st_size > megabytes * 900_000
    count, grown = read_apart(path)
    assert count == traces
    assert grown < 40


def told(source: object) -> list[AgentRun]:
    return [attrs.evolve(read.unwrap(), source=TraceSource()) for read in read_runs(source)]


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_a_large_document_gives_what_its_object_gives(tmp_path: Path, kind: str) -> None:
    """Read in pieces or whole, the runs are the same."""
    text = document(kind, 8_000)
    assert len(text) > LARGE
    path = tmp_path / "trace.json"
    path.write_text(text)
    assert told(path) == told(json.loads(text))


@pytest.mark.parametrize("kind", sorted(KINDS))
@pytest.mark.parametrize("size", [800, pytest.param(100_000, marks=pytest.mark.slow)])
def test_so_many_times_the_spans_take_so_many_times_the_work(tmp_path: Path, kind: str, size: int) -> None:
    """Counted in function calls: of a document that is held, of one that is read in pieces, and of lines."""

    def work(count: int, *, in_lines: bool) -> int:
        path = tmp_path / f"{count}.json"
        path.write_text("".join(lines(kind, count)) if in_lines else document(kind, count))
        return calls(lambda: [None for _ in read_runs(path)])

    for in_lines in (False, True):
        few = 1_000 if size > 10_000 else 80
        assert is_linear(work(few, in_lines=in_lines), work(size, in_lines=in_lines), size // few)


def test_a_trace_that_is_spread_over_lines_is_one(tmp_path: Path) -> None:
    """A run is told when the last line that names its trace was read, whatever lies between."""
    all_spans = list(spans("genai", 80))
    shuffled = [all_spans[at::9] for at in range(9)]
    path = tmp_path / "trace.jsonl"
    path.write_text("\n".join(json.dumps(otlp(batch)) for batch in shuffled))
    one_by_one = {run.trace_id: run for run in told(path)}
    assert one_by_one == {run.trace_id: run for run in told(otlp(all_spans))}
    assert len(one_by_one) == 10


def test_a_run_is_there_before_the_rest_is_read(tmp_path: Path) -> None:
    """The first trace of a long file is told after its line, not at the end."""
    path = tmp_path / "trace.jsonl"
    path.write_text("".join(lines("genai", 800, 8)) + "{broken\n")
    read = list(islice(read_runs(path), 100))
    assert all(len(tool_calls(each.unwrap().output)) == 2 for each in read)


def test_a_line_that_is_not_utf_8_is_a_fault_with_its_place(tmp_path: Path) -> None:
    """The other lines go on, whether lines are documents or one document together."""
    for good in (['{"messages": [{"role": "user", "content": "Hi"}]}'] * 2, list(lines("genai", 16, 8))):
        path = tmp_path / "trace.jsonl"
        path.write_bytes(b"\n".join([good[0].strip().encode(), b'{"a": "\xff"}', b"[" * 100_000, good[1].encode()]))
        read = list(read_runs(path))
        runs = [each for each in read if each.map(bool).value_or(False)]
        faults = [each.failure() for each in read if each not in runs]
        assert len(runs) == 2
        assert [isinstance(fault, Unreadable) and fault.where for fault in faults] == [f"{path}:2", f"{path}:3"]
        assert "not UTF-8 at byte 7" in str(faults[0])


def test_a_large_document_that_breaks_off_gives_what_came_before(tmp_path: Path) -> None:
    """The traces before the break are told, and the fault says where it is."""
    text = document("genai", 8_000)
    path = tmp_path / "trace.json"
    path.write_text(text[:-1_000])
    read = list(read_runs(path))
    faults = [each for each in read if not each.map(bool).value_or(False)]
    assert len(read) - len(faults) >= 960
    [fault] = [each.failure() for each in faults]
    assert isinstance(fault, Unreadable)
    assert "not JSON" in fault.why


def test_a_large_document_of_a_dialect_without_spans_is_held_whole(tmp_path: Path) -> None:
    """What cannot be read in pieces is read as ever."""
    path = tmp_path / "chat.json"
    path.write_text(json.dumps([{"role": "user", "content": "x" * LARGE}, {"role": "assistant", "content": "y"}]))
    [run] = told(path)
    assert run.final_output == "y"


class Trickle:
    """A text that comes a few characters at a time, whatever is asked for."""

    def __init__(self, text: str, step: int) -> None:
        self.text, self.step, self.at = text, step, 0

    def read(self, _: int) -> str:
        self.at += self.step
        return self.text[self.at - self.step : self.at]


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["spans", "batches", "trace", "data", "a"]), inner, max_size=3)
    ),
    max_leaves=15,
)


def spans_in(value: object) -> Iterator[object]:
    """Everything that an array of spans holds where pieces are cut."""
    if isinstance(value, dict):
        for key, each in value.items():
            if key == "spans" and isinstance(each, list):
                yield from each
            elif key in {"batches", "data", "trace"}:
                for inner in each if isinstance(each, list) else [each]:
                    yield from spans_in(inner)


@example({"spans": [1], "data": [{"spans": [2], "trace": {"spans": [3], "a": 1}}], "a": 1}, 1, None)
@given(VALUES, st.integers(1, 9), st.sampled_from([None, 2]))
def test_the_pieces_of_a_document_hold_its_spans(value: object, step: int, indent: int | None) -> None:
    """Cut anywhere and read a few characters at a time, no span is lost, doubled, or changed, and all are in order."""
    told = list(pieces(Reader(Trickle(json.dumps(value, indent=indent), step))))
    found, ends = [piece.document for piece in told], [piece.end for piece in told]
    assert ends == sorted(ends)
    if isinstance(value, list):
        assert [each for part in found if isinstance(part, list) for each in part] == value
    else:
        assert [each for part in found for each in spans_in(part)] == list(spans_in(value))


@given(st.lists(st.sampled_from("abc"), max_size=12))
def test_traces_are_complete_and_in_the_order_of_their_ends(traces: list[str]) -> None:
    """Each trace comes once, with all its spans."""
    texts = [f'{{"traceId": "{trace}"}}'.encode() for trace in traces]
    places = [sum(map(len, texts[:at])) for at in range(len(texts) + 1)]
    ends = ends_in(zip(places[1:], texts, strict=True))
    read = list(whole_traces(((places[at + 1], [(trace, at)]) for at, trace in enumerate(traces)), ends))
    wanted = {trace: [at for at, each in enumerate(traces) if each == trace] for trace in traces}
    assert read == sorted(wanted.values(), key=lambda places: places[-1])


def test_a_piece_is_known_by_where_it_ends() -> None:
    """The place of a piece is after its own text and before the next one's."""
    text = '{"data": [{"spans": [1]}, {"spans": [2], "late": 3}]}'
    assert list(pieces(Reader(Trickle(text, 5)))) == [
        Piece(text.index("1") + 2, {"data": [{"spans": [1]}]}),
        Piece(text.index("2") + 2, {"data": [{"spans": [2], "late": 3}]}),
    ]
