"""Real files with random damage: no reader raises, and none takes longer than its file deserves."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterator

import pytest
from traces.counting import calls, is_linear
from traces.manifest import Row, rows
from traces.test_exports import ALL as EXPORTS
from traces.test_packing import ONE
from traces.test_sessions import ALL as SESSIONS

from scorewright.traces import detected, read_runs
from scorewright.traces.gaps import GAP_CODES
from scorewright.traces.loading import opened

SMALL = [row for row in rows() if row.file.suffix != ".eval" and row.file.stat().st_size < 60_000]
JUNK: list[object] = [
    None,
    True,
    0,
    -1,
    1e308,
    float("nan"),
    float("-inf"),
    10**400,
    [10**400, float("nan")],
    {1: 2, None: [], ("a", 1): {True: "x"}},
    "",
    "{",
    "[]",
    "\ud800",
    [],
    {},
    [[]],
    {"role": []},
    [None],
    {"type": 7},
    "x" * 5000,
]

with_files = pytest.mark.skipif(not SMALL, reason="the traces are not beside the project")


def places(value: object, above: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Every place in a document."""
    if isinstance(value, dict):
        for key, each in value.items():
            yield from places(each, (*above, key))
    elif isinstance(value, list):
        for at, each in enumerate(value):
            yield from places(each, (*above, at))
    if above:
        yield above


def damaged(document: object, place: tuple[str | int, ...], junk: object) -> object:
    fresh = copy.deepcopy(document)
    held = fresh
    for key in place[:-1]:
        held = held[key]  # type: ignore[index]  # the path was found in it
    held[place[-1]] = junk  # type: ignore[index]  # the same
    return fresh


@with_files
@pytest.mark.parametrize("row", SMALL, ids=lambda row: row.path)
def test_no_damage_makes_a_reader_raise(row: Row) -> None:
    """Anything may stand anywhere: each place in turn holds junk, and every run's gaps have known codes."""
    loaded = opened(row.file).document
    if loaded is None:
        pytest.skip("lines")
    document = loaded.unwrap()
    dialect = detected(document)
    chance = random.Random(row.path)
    found = list(places(document))
    for place in chance.sample(found, min(60, len(found))):
        broken = damaged(document, place, chance.choice(JUNK))
        for named in (None, dialect.name if dialect is not None else None):
            for read in read_runs(broken, named):
                gaps = read.map(lambda run: run.gaps).value_or(())
                assert {gap.code for gap in gaps} <= set(GAP_CODES)


OURS: dict[str, object] = {name: told[0] for name, told in (*EXPORTS.items(), *SESSIONS.items())} | ONE


@pytest.mark.parametrize("name", OURS)
def test_no_damage_in_any_place_makes_a_reader_raise(name: str) -> None:
    """Small documents of every dialect and version, each place of which holds junk in turn."""
    chance = random.Random(name)
    for place in places(OURS[name]):
        list(read_runs(damaged(OURS[name], place, chance.choice(JUNK))))


def test_blobs_are_weighed_and_not_kept() -> None:
    """A picture of a megabyte leaves its size and hash in the run, wherever it stood."""
    blob = "iVBORw0KGgo" * 100_000
    picture = {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{blob}"}}
    call = {"id": "c", "function": {"name": "draw", "arguments": "{}"}}
    chat = [
        {"role": "user", "content": [{"type": "text", "text": "Look"}, picture]},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c", "content": [picture, {"type": "text", "text": "drawn"}]},
    ]
    [read] = read_runs(chat)
    assert len(repr(read.unwrap())) < 2_000
    assert "sha256" in repr(read.unwrap())


def test_ten_times_the_messages_take_ten_times_the_work() -> None:
    """A long conversation is read in linear time."""

    def work(size: int) -> int:
        call = {"id": "", "function": {"name": "f", "arguments": "{}"}}
        turns = [
            each
            for at in range(size)
            for each in (
                {"role": "assistant", "content": None, "tool_calls": [{**call, "id": f"c{at}"}]},
                {"role": "tool", "tool_call_id": f"c{at}", "content": "ok"},
            )
        ]
        return calls(lambda: list(read_runs(turns)))

    assert is_linear(work(200), work(2_000), 10)


def test_a_run_whose_calls_repeat_the_conversation_is_read_in_linear_time() -> None:
    """Each model call holds all that went before, as real traces do: only what is new is read."""

    def document(size: int) -> list[dict[str, object]]:
        told: list[object] = [{"role": "user", "parts": [{"type": "text", "content": "Go."}]}]
        spans = []
        for at in range(size):
            said = [
                {"role": "assistant", "parts": [{"type": "tool_call", "id": f"c{at}", "name": "f", "arguments": {}}]}
            ]
            attributes = {
                "gen_ai.operation.name": "chat",
                "gen_ai.input.messages": json.dumps(told),
                "gen_ai.output.messages": json.dumps(said),
            }
            spans.append({"trace_id": "t", "span_id": f"s{at}", "start_time": 10**18 + at, "attributes": attributes})
            told += [
                *said,
                {"role": "tool", "parts": [{"type": "tool_call_response", "id": f"c{at}", "response": "ok"}]},
            ]
        return spans

    def work(size: int) -> int:
        spans = document(size)
        [read] = read_runs(spans)
        assert len(read.unwrap().output.messages) == size
        return calls(lambda: list(read_runs(spans)))

    assert is_linear(work(50), work(500), 10)
