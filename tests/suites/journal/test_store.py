"""What a store is told it holds, in either database, and what it is not made for it refuses."""

from __future__ import annotations

import asyncio
import os
import sqlite3
from collections.abc import Callable
from itertools import starmap
from pathlib import Path
from threading import Barrier, Thread

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorewright.suites.journal import Experiment, Finished, Store, StoredItem, StoredScore, StoreError, open_store
from scorewright.suites.journal.orders import Claim, Reply
from scorewright.suites.rows.ids import sayable

SUPPORT = Experiment("e-1", "support", '{"rows":"support.jsonl"}', "2026-01-01T00:00:00Z")
LATER = Experiment("e-2", "support", "{}", "2026-01-02T00:00:00Z")


def item(row_id: str, position: int = 0, experiment: str = "e-1") -> StoredItem:
    return StoredItem(experiment, row_id, position, '{"input": "hello", "output": "hi"}')


def score(row_id: str, value: float | None = 0.5, scorer: str = "polite", reason: str | None = "so") -> StoredScore:
    state = "failed" if value is None else "scored"
    return StoredScore("e-1", row_id, scorer, "h", state, value, reason, '{"steps": []}')


def test_what_was_told_is_there_after_reopening(place: str) -> None:
    """Experiments by time, rows by position, scores by row."""
    with open_store(place) as store:
        store.begin(LATER)
        store.begin(SUPPORT)
        store.add([item("b", 1), item("a", 0)], [score("b"), score("a", None), score("a", 1.0, "short")])
    with open_store(place) as store:
        assert store.experiments() == (SUPPORT, LATER)
        assert list(store.items("e-1")) == [item("a", 0), item("b", 1)]
        assert list(store.scores("e-1")) == [score("a", None), score("a", 1.0, "short"), score("b")]
        assert list(store.items("e-2")) == []


def test_what_is_done_is_read_without_what_came_of_it(place: str) -> None:
    """Resuming reads keys."""
    with open_store(place) as store:
        store.begin(SUPPORT)
        store.add([item("a")], [score("a"), score("a", None, "short")])
        assert set(store.finished("e-1")) == {
            Finished("a", "polite", "h", "scored"),
            Finished("a", "short", "h", "failed"),
        }


def test_the_later_takes_the_place_of_the_earlier(place: str) -> None:
    """The same row and scorer is there once, and in one commit too."""
    with open_store(place) as store:
        store.begin(SUPPORT)
        store.begin(Experiment("e-1", "another name", "{}", "2027-01-01T00:00:00Z"))
        store.add([item("a", 7), item("a", 0)], [score("a", None), score("a", 1.0)])
        store.flush()
        store.add([], [score("a", 0.25)])
        assert store.experiments() == (SUPPORT,)
        assert list(store.items("e-1")) == [item("a", 0)]
        assert list(store.scores("e-1")) == [score("a", 0.25)]


def test_an_experiment_is_found_by_the_beginning_of_its_id(place: str) -> None:
    """The latest without one; what is not there or not one is said with what there is."""
    with open_store(place) as store:
        with pytest.raises(StoreError, match="holds no experiment yet"):
            store.experiment()
        store.begin(SUPPORT)
        store.begin(LATER)
        assert store.experiment() == LATER
        assert store.experiment("e-1") == SUPPORT
        with pytest.raises(StoreError, match=r"holds 2 experiments 'e-'; there are e-1, e-2"):
            store.experiment("e-")
        with pytest.raises(StoreError, match=r"holds 0 experiments 'x'; there are e-1, e-2"):
            store.experiment("x")


@pytest.mark.parametrize(
    "text", ["half \ud83d a pair", "nul \0 nul", "\x1b[31m", "ünï → 日本 👩‍👧", "'; DROP TABLE item; --"]
)
def test_any_text_is_held(place: str, text: str) -> None:
    """What a database cannot say becomes an escape; nothing else changes and nothing is run."""
    with open_store(place) as store:
        store.begin(SUPPORT)
        store.add([item(text)], [score(text, reason=text)])
        (held,) = store.scores("e-1")
        assert held == score(sayable(text), reason=sayable(text))


@given(st.text())
def test_sayable_text_is_itself(text: str) -> None:
    """Only NUL and half pairs change, and what has changed once stays."""
    said = sayable(text)
    assert sayable(said) == said
    assert said.encode("utf-8").decode("utf-8") == said
    assert (said == text) == ("\0" not in text and not any("\ud800" <= each <= "\udfff" for each in text))


def test_a_newer_store_is_refused(place: str) -> None:
    """Rather than misread."""
    open_store(place).close()
    with open_store(place) as store, store._engine.begin() as connection:
        connection.exec_driver_sql("UPDATE scorewright_meta SET value = '999'")
    with pytest.raises(StoreError, match="is of version 999 and this scorewright reads up to 1: upgrade it"):
        open_store(place)


def test_another_program_s_tables_are_left_alone(tmp_path: Path) -> None:
    """A database that has an `item` of its own is no place for a store."""
    path = tmp_path / "shop.db"
    with sqlite3.connect(path) as shop:
        shop.execute("CREATE TABLE item (name TEXT)")
    shop.close()
    with pytest.raises(StoreError, match="has other tables, item"):
        open_store(path)
    with sqlite3.connect(path) as shop:
        assert shop.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall() == [("item",)]
    shop.close()


def not_a_database(folder: Path) -> str:
    (folder / "notes.txt").write_text("these are notes, and they are longer than a header of SQLite is\n" * 20)
    return str(folder / "notes.txt")


@pytest.mark.parametrize(
    ("where", "why"),
    [
        (lambda _: ":memory:", "has to outlive the process: give it a file"),
        (lambda _: "sqlite://", "has to outlive the process: give it a file"),
        (str, "is a folder: a store is a file, such as"),
        (lambda folder: str(folder / "no" / "runs.db"), "does not exist: make it first"),
        (lambda _: "mysql://me@here/runs", "a SQLite file or a PostgreSQL database, not mysql"),
        (lambda _: "post gres://", "write a path or postgresql://host/database"),
        (not_a_database, "give another path"),
    ],
)
def test_what_is_no_place_for_a_store_says_how_to_mend_it(
    tmp_path: Path, where: Callable[[Path], str], why: str
) -> None:
    """A clear fault at the opening."""
    with pytest.raises(StoreError, match=why):
        open_store(where(tmp_path))


def test_a_password_is_never_shown(tmp_path: Path) -> None:
    """Not by the fault of a server that does not answer, and not by its cause."""
    with pytest.raises(StoreError) as raised:
        open_store("postgresql://me:sesame@127.0.0.1:1/runs")
    assert "127.0.0.1" in str(raised.value)
    assert "sesame" not in f"{raised.value!r} {raised.value.__cause__!r}"


def test_a_store_that_cannot_be_written_is_told_at_the_opening(tmp_path: Path) -> None:
    """A folder of another user; root may write everywhere, so it becomes nobody for a moment."""
    path = tmp_path / "runs.db"
    open_store(path).close()
    tmp_path.chmod(0o555)
    path.chmod(0o444)
    root = os.geteuid() == 0
    if root:
        for folder in (tmp_path, *tmp_path.parents[:3]):
            folder.chmod(folder.stat().st_mode | 0o555)
        os.seteuid(65534)
    try:
        with pytest.raises(StoreError, match="cannot be written by this user"):
            open_store(path)
    finally:
        if root:
            os.seteuid(0)
        tmp_path.chmod(0o755)


def test_a_full_disk_is_told_and_what_was_committed_is_kept(tmp_path: Path) -> None:
    """Later orders raise the same; the file opens again when there is room."""
    path = tmp_path / "runs.db"
    store = open_store(path)
    store.begin(SUPPORT)
    store.add([item("a")], [score("a")])
    store.flush()
    with store.writer._engine.connect() as connection:
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
        connection.exec_driver_sql(f"PRAGMA max_page_count = {pages + 2}")
    told = "disk is full; make room, then resume: all that was committed is kept"
    many = [item(f"r{at}", at) for at in range(2000)]
    for act in (lambda: (store.add(many), store.flush()), lambda: store.add([item("b")]), store.close):
        with pytest.raises(StoreError, match=told):
            act()
    with open_store(path) as store:
        assert list(store.scores("e-1")) == [score("a")]


def test_rows_stream(place: str) -> None:
    """Reading may stop, and other reading and writing goes on beside it."""
    with open_store(place) as store:
        store.begin(SUPPORT)
        store.add(list(starmap(item, ((f"r{at}", at) for at in range(3000)))), [score(f"r{at}") for at in range(3000)])
        first = next(store.items("e-1"))
        assert first.row_id == "r0"
        ids = [each.row_id for each in store.scores("e-1")]
        assert ids == [f"r{at}" for at in range(3000)]
        both = zip(store.items("e-1"), store.scores("e-1"), strict=True)
        assert all(row.row_id == done.row_id for row, done in both)
        store.add([item("r3000", 3000)])
        assert sum(1 for _ in store.items("e-1")) == 3001


def test_two_workers_that_answer_what_the_other_wants_do_not_wait_in_a_circle(place: str) -> None:
    """Each answers its own question and claims the other's at the same time; neither database has to break it."""
    together = Barrier(2)

    async def rounds(store: Store, mine: str, theirs: str) -> None:
        for number in range(10):
            await store.writer.ask(Claim(f"{mine}{number}"))
            await asyncio.to_thread(together.wait, 30)
            reply, claim = Reply(f"{mine}{number}", "{}"), Claim(f"{theirs}{number}")
            await asyncio.gather(store.writer.ask(reply), store.writer.ask(claim))

    with open_store(place) as one, open_store(place) as other:
        threads = [
            Thread(target=lambda args=args: asyncio.run(rounds(*args))) for args in ((one, "x", "y"), (other, "y", "x"))
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert (one.writer.failed, other.writer.failed) == (None, None)
