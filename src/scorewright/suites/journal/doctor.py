"""What may be wrong with a store and the place where it lives."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias, cast, final

import attrs

from scorewright.suites.journal.migrations import VERSION, version_of
from scorewright.suites.journal.opening import shown, url_of, why_of
from scorewright.suites.journal.records import StoreError

if TYPE_CHECKING:
    from sqlalchemy import URL, Connection

Weight: TypeAlias = Literal["fine", "warning", "fault"]
_MOUNTS = Path("/proc/self/mountinfo")
_OVER_A_NETWORK = ("nfs", "cifs", "smb", "9p", "afs", "ceph", "glusterfs", "lustre", "fuse.sshfs", "fuse.s3fs")
_WAL_IS_SAFE = (3, 51, 3)  # and 3.50.7 and 3.44.6: sqlite.org/wal.html, "the WAL-reset bug"
_ROOM = 100_000_000  # bytes


@final
@attrs.frozen
class Finding:
    """One thing that was looked at, and what to do about it."""

    weight: Weight
    what: str


def doctor(where: str | os.PathLike[str], /) -> tuple[Finding, ...]:
    """Look at a store without changing it: file, place, database, version, unfinished calls."""
    try:
        url = url_of(where)
    except StoreError as mistake:
        return (Finding("fault", str(mistake)),)
    if url.get_backend_name() == "sqlite":
        path = Path(url.database or "")
        if not path.exists():
            return (Finding("warning", f"{path} does not exist yet: the first evaluation makes it"),)
        return (*_place(path), *_inside(url, path))
    return tuple(_inside(url, None))


def _place(path: Path) -> Iterator[Finding]:
    if not os.access(path, os.W_OK) or not os.access(path.parent, os.W_OK):
        yield Finding("fault", f"{path} or its folder cannot be written by this user")
    kind = filesystem_of(path, _MOUNTS.read_text() if _MOUNTS.exists() else "")
    if kind.startswith(_OVER_A_NETWORK):
        why = "SQLite's journal does not work over a network: move the file to a local disk, or use PostgreSQL"
        yield Finding("fault", f"{path} lies on {kind}: {why}")
    elif kind:
        yield Finding("fine", f"{path} lies on a local disk ({kind})")
    room = os.statvfs(path)
    if room.f_bavail * room.f_frsize < _ROOM:
        yield Finding("warning", f"only {room.f_bavail * room.f_frsize // 1_000_000} MB are free beside {path}")


def filesystem_of(path: Path, mounts: str, /) -> str:
    """The kind of file system that holds a path, by the text of `/proc/self/mountinfo`; empty where it says nothing."""
    best, kind = "", ""
    whole = str(path.resolve())
    for line in mounts.splitlines():
        before, _, after = line.partition(" - ")
        at = before.split()[4].replace("\\040", " ")
        if len(at) > len(best) - 1 and (whole == at or whole.startswith(at.rstrip("/") + "/")):
            best, kind = at, after.split()[0]
    return kind


def _inside(url: URL, path: Path | None) -> Iterator[Finding]:
    from sqlalchemy import create_engine
    from sqlalchemy.exc import SQLAlchemyError

    engine = create_engine(url, hide_parameters=True)
    try:
        with engine.connect() as connection:
            yield from _sqlite(connection) if path is not None else _postgres(connection)
            yield from _stored(connection)
    except SQLAlchemyError as failed:
        yield Finding("fault", f"{shown(url)} cannot be read: {why_of(failed)}")
    finally:
        engine.dispose()


def _sqlite(connection: Connection) -> Iterator[Finding]:
    from sqlite3 import sqlite_version, sqlite_version_info

    if sqlite_version_info < _WAL_IS_SAFE:
        why = (
            "two connections that write at once may, rarely, damage a file before 3.51.3; one process at a time is safe"
        )
        yield Finding("warning", f"SQLite is {sqlite_version}: {why}")
    else:
        yield Finding("fine", f"SQLite is {sqlite_version}")
    said = cast("str", connection.exec_driver_sql("PRAGMA quick_check(1)").scalar_one())
    yield Finding("fine", "the file is sound") if said == "ok" else Finding("fault", f"the file is damaged: {said}")


def _postgres(connection: Connection) -> Iterator[Finding]:
    version = cast("str", connection.exec_driver_sql("SHOW server_version").scalar_one())
    yield Finding("fine", f"PostgreSQL is {version}")


def _stored(connection: Connection) -> Iterator[Finding]:
    from sqlalchemy import func, select

    from scorewright.suites.journal.tables import CALL, EXPERIMENT

    there = version_of(connection)
    if there > VERSION:
        yield Finding("fault", f"the store is of version {there}, this scorewright reads up to {VERSION}: upgrade it")
        return
    if there < VERSION:
        yield Finding("fine", f"the store is of version {there} and becomes {VERSION} when it is next used")
        return
    experiments = connection.execute(select(func.count()).select_from(EXPERIMENT)).scalar_one()
    calls = connection.execute(select(func.count(), func.count(CALL.c.entry)).select_from(CALL)).one()
    asked, answered = calls
    yield Finding("fine", f"version {there}, {experiments} experiments, {answered} answers")
    if asked > answered:
        why = "made now, or when a process ended; resuming makes them again once their worker is gone"
        yield Finding("warning", f"{asked - answered} calls of judges and targets have no answer: {why}")
