"""Following what other processes keep: each score once, also where files change under the reader's hands."""

from __future__ import annotations

import json
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest
from fakes.postgres import missing, postgres
from live.watching import PATIENCE, number, tone

from scorewright import Run
from scorewright.agents import AgentRun, answered, asked
from scorewright.live import InStore, JsonLines, Live, submit, submit_agent
from scorewright.live.health import FromLines, FromStore, Observation, Source
from scorewright.live.storing import position_at
from scorewright.suites.journal import Experiment, StoredItem, StoredScore, StoreError, open_store

WALL = 1_800_000_000.0


def line(run: str, score: float | None, age: float = 0.0, state: str = "scored") -> str:
    """As `JsonLines` writes it."""
    ended = datetime.fromtimestamp(WALL - age, UTC).isoformat(timespec="milliseconds")
    return json.dumps({"scorer": "polite", "state": state, "score": score, "run_id": run, "ended": ended}) + "\n"


def read(source: Source) -> list[Observation]:
    """What has come, at 1,000 seconds of the clock."""
    return [*source.read(1000.0, WALL)]


def runs(source: Source) -> list[str]:
    """Their ids."""
    return [each.run_id for each in read(source)]


def test_lines_are_read_once_as_they_come(tmp_path: Path) -> None:
    """A line that is still being written waits until it is whole."""
    path = tmp_path / "scores.jsonl"
    source = FromLines(path)
    assert read(source) == []
    path.write_text(line("a", 1.0) + line("b", None, state="failed"))
    assert [(each.run_id, each.state, each.score) for each in read(source)] == [
        ("a", "scored", 1.0),
        ("b", "failed", None),
    ]
    whole = line("c", 0.5)
    with path.open("a") as file:
        file.write(whole[:20])
        file.flush()
        assert runs(source) == []
        file.write(whole[20:] + line("d", 0.5))
    assert runs(source) == ["c", "d"]
    assert runs(source) == []


def test_a_run_is_as_old_as_it_says(tmp_path: Path) -> None:
    """By the clock of the health; one of the future is of now."""
    path = tmp_path / "scores.jsonl"
    path.write_text(line("a", 1.0, age=30) + line("b", 1.0, age=-500))
    assert [each.at for each in read(FromLines(path))] == [970.0, 1000.0]


def test_a_file_that_was_replaced_or_cut_is_begun_anew(tmp_path: Path) -> None:
    """As logs are turned over."""
    path = tmp_path / "scores.jsonl"
    source = FromLines(path)
    path.write_text(line("a", 1.0) + line("b", 1.0))
    assert runs(source) == ["a", "b"]
    path.write_text(line("c", 1.0))
    assert runs(source) == ["c"]
    (tmp_path / "new").write_text(line("d", 1.0) + line("e", 1.0))
    (tmp_path / "new").replace(path)
    assert runs(source) == ["d", "e"]


@pytest.mark.parametrize(
    "broken",
    ["{", "[]", "7", "{}", "[" * 100_000, line("x", None)[:-1], line("x", 1.0, state="odd")[:-1],
     line("x", 1.0).strip().replace("2027", "20x7"), line("x", 1.0).strip().replace("1.0", "NaN"),
     line("x", 1.0).strip().replace('"polite"', "7"), "\x00\ufffd"],
)  # fmt: skip
def test_a_broken_line_is_counted_and_left_out(tmp_path: Path, broken: str) -> None:
    """What stands around it is read."""
    path = tmp_path / "scores.jsonl"
    path.write_text(line("a", 1.0) + broken + "\n\n" + line("b", 1.0))
    source = FromLines(path)
    assert runs(source) == ["a", "b"]
    assert source.n_broken == 1


def test_a_file_that_cannot_be_read_says_so(tmp_path: Path) -> None:
    """A folder is none."""
    with pytest.raises(StoreError, match="cannot be read"):
        read(FromLines(tmp_path))


def test_what_a_live_keeps_in_lines_is_followed(tmp_path: Path) -> None:
    """With all its states."""
    path = tmp_path / "scores.jsonl"
    with Live(JsonLines(path), metrics=False) as live:
        for at, output in enumerate(("1", "none", "fail")):
            submit(Run("q", output, run_id=f"r{at}"), number, live=live)
    source = FromLines(path)
    assert {each.state for each in read(source)} == {"scored", "not_scorable", "failed"}
    assert source.n_broken == 0


def test_what_a_live_keeps_in_a_store_is_followed(tmp_path: Path) -> None:
    """Each once, while it is written; before there is a store there is nothing, and none is made."""
    path = tmp_path / "runs.db"
    source = FromStore(str(path))
    assert read(source) == []
    assert not path.exists()
    with open_store(path) as store, Live(InStore(store), metrics=False) as live:
        submit(Run("q", "1", run_id="a"), number, live=live)
        assert live.flush(PATIENCE)
        assert [(each.scorer, each.run_id, each.score) for each in read(source)] == [("number", "a", 1.0)]
        submit(Run("q", "fail", run_id="b"), number, live=live)
        assert live.flush(PATIENCE)
        assert [(each.state, each.run_id) for each in read(source)] == [("failed", "b")]
        assert read(source) == []
    source.close()
    with closing(FromStore(str(path), "another")) as another:
        assert read(another) == []


def stored(path: Path | str, *ages: tuple[str, float]) -> None:
    """Scores of runs that ended so many seconds ago."""
    with open_store(path) as store:
        store.begin(Experiment("live", "live", '{"live":true}', "2026-01-01T00:00:00+00:00"))
        store.add(
            [
                StoredItem("live", run, position_at(WALL - age), json.dumps({"id": run, "ended": WALL - age}))
                for run, age in ages
            ],
            [StoredScore("live", run, "s", "h", "scored", 1.0, None, "{}") for run, _ in ages],
        )


def test_a_store_is_read_by_the_times_of_its_runs(tmp_path: Path) -> None:
    """What is stored late is seen for ten minutes; what has no time is not live."""
    path = tmp_path / "runs.db"
    source = FromStore(str(path))
    stored(path, ("b", 10), ("a", 2000))
    with open_store(path) as store:
        store.add([StoredItem("live", "x", 0, "{}")], [StoredScore("live", "x", "s", "h", "scored", 1.0, None, "{}")])
    assert runs(source) == ["a", "b"]
    stored(path, ("late", 600), ("too late", 620), ("c", 5))
    assert runs(source) == ["late", "c"]
    source.close()
    with closing(FromStore(str(path), since=WALL - 100)) as young:
        assert runs(young) == ["b", "c"]


def test_a_clock_that_is_ahead_hides_nothing(tmp_path: Path) -> None:
    """A run that ends in the future ends now: what others keep after it is read."""
    path = tmp_path / "runs.db"
    with closing(FromStore(str(path))) as source:
        for id, age in (("ahead", -1e6), ("a", 10), ("far ahead", -1e12), ("b", 5)):
            stored(path, (id, age))
            assert runs(source) == [id]
        assert runs(source) == []


def test_more_scores_than_are_remembered_are_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And what comes late is missed sooner."""
    monkeypatch.setattr("scorewright.live.health.following._MOST_KEYS", 2)
    path = tmp_path / "runs.db"
    with closing(FromStore(str(path))) as source:
        stored(path, *((f"{at}", 100 - at) for at in range(5)))
        assert runs(source) == [*"01234"]
        assert runs(source) == []
        stored(path, ("late", 99), ("5", 95))
        assert runs(source) == ["5"]
        assert runs(source) == []


def test_a_look_at_a_store_reads_what_is_new(tmp_path: Path) -> None:
    """However much is there: old rows are not even looked at, whatever is in them."""
    path = tmp_path / "runs.db"
    source = FromStore(str(path))
    stored(path, ("b", 10))
    assert runs(source) == ["b"]
    with open_store(path) as store:  # a row whose reading would fail
        store.add(
            [StoredItem("live", "old", position_at(WALL - 9000), "{no JSON")],
            [StoredScore("live", "old", "s", "h", "scored", 1.0, None, "{}")],
        )
    stored(path, ("c", 5))
    assert runs(source) == ["c"]
    source.close()


def test_the_rows_of_a_live_are_in_the_order_of_their_times(tmp_path: Path) -> None:
    """Of whatever process; a clock that is wrong, or that no column holds, is at an end."""
    assert [position_at(ended) for ended in (-5.0, 0.0, 1.9, 1.8e9, 1e12)] == [0, 0, 1, 1_800_000_000, 2**31 - 1]
    path = tmp_path / "runs.db"
    for at in (3, 1, 2):  # one process after another
        with open_store(path) as store, Live(InStore(store), metrics=False) as live:
            run = AgentRun(asked("when?"), answered("soon"), "soon", "text", id=f"r{at}", ended_at=at * 10**9)
            submit_agent(run, tone, live=live)
    with open_store(path) as store:
        assert [item.row_id for item in store.items("live")] == ["r1", "r2", "r3"]


@pytest.mark.skipif(bool(missing()), reason=missing() or "it is there")
def test_a_store_in_postgresql_is_followed_too() -> None:
    """By the same times."""
    with postgres() as address:
        stored(address, ("b", 10), ("a", 2000))
        source = FromStore(address)
        assert runs(source) == ["a", "b"]
        stored(address, ("late", 600), ("too late", 620), ("c", 5))
        assert runs(source) == ["late", "c"]
        source.close()


def test_what_is_no_store_says_so(tmp_path: Path) -> None:
    """With the path."""
    path = tmp_path / "runs.db"
    path.write_text("no database, and long enough to be taken for one, or nearly so" * 20)
    with pytest.raises(StoreError, match="not a database"), closing(FromStore(str(path))) as broken:
        read(broken)
