"""From a path or an address to a database that is ready: dialect, settings, version."""

from __future__ import annotations

import os
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, cast

from scorewright.suites.journal.records import StoreError

if TYPE_CHECKING:
    from sqlalchemy import URL, Connection, Engine

_SETTINGS = ("journal_mode=WAL", "synchronous=FULL", "busy_timeout=30000", "foreign_keys=ON")
_MIGRATING = 0x5C0_4E  # the number of the advisory lock under which a PostgreSQL store is migrated


def engine_of(where: str | os.PathLike[str], /) -> Engine:
    """The database at a path or an address, in the version of this code. What cannot be opened is a `StoreError`."""
    from sqlalchemy import create_engine, event
    from sqlalchemy.exc import SQLAlchemyError

    url = url_of(where)
    engine = create_engine(url, pool_pre_ping=url.get_backend_name() != "sqlite", hide_parameters=True)
    if url.get_backend_name() == "sqlite":
        event.listen(engine, "connect", _set)
        event.listen(engine, "begin", _begin)
    try:
        with writing(engine).begin() as connection:
            _ready(connection)
    except SQLAlchemyError as failed:
        engine.dispose()
        raise StoreError(f"the store {shown(url)} cannot be opened: {why_of(failed)}") from failed
    except StoreError:
        engine.dispose()
        raise
    return engine


def url_of(where: str | os.PathLike[str], /) -> URL:
    """A path becomes the address of a SQLite file; other databases than SQLite and PostgreSQL are a `StoreError`."""
    from sqlalchemy import URL, make_url
    from sqlalchemy.exc import ArgumentError

    try:
        text = os.fspath(where)
    except TypeError as wrong:
        raise StoreError(f"a store is a path or postgresql://host/database, not {type(where).__name__}") from wrong
    if "://" not in text:
        return _file(URL.create("sqlite", database=text))
    try:
        url = make_url(text)
    except (ArgumentError, ValueError) as mistake:  # the latter of a port that is no number
        raise StoreError("the address of the store is none: write a path or postgresql://host/database") from mistake
    match url.get_backend_name():
        case "sqlite":
            return _file(url)
        case "postgresql":
            if find_spec("psycopg") is None:
                raise StoreError("a store in PostgreSQL needs psycopg: pip install 'scorewright[postgres]'")
            return url.set(drivername="postgresql+psycopg")
        case other:
            raise StoreError(f"a store is a SQLite file or a PostgreSQL database, not {other}")


def _file(url: URL) -> URL:
    if not url.database or url.database == ":memory:":
        raise StoreError("a store has to outlive the process: give it a file, not :memory:")
    path = Path(url.database).expanduser()
    if path.is_dir():
        raise StoreError(f"{path} is a folder: a store is a file, such as {path / 'runs.db'}")
    if not path.parent.is_dir():
        raise StoreError(f"the folder of the store {path} does not exist: make it first")
    return url.set(database=str(path))


def shown(url: URL, /) -> str:
    """The address without its password."""
    return (url.database or "") if url.get_backend_name() == "sqlite" else url.render_as_string(hide_password=True)


def why_of(failed: Exception, /) -> str:
    """What a database said, in one line, with how to mend what is known."""
    said = " ".join(str(getattr(failed, "orig", None) or failed).split())
    for sign, mending in _MENDING.items():
        if sign in said:
            return f"{said}; {mending}"
    return said


_MENDING = {
    "disk is full": "make room, then resume: all that was committed is kept",
    "readonly database": "the file or its folder cannot be written by this user",
    "unable to open database file": "the file or its folder cannot be written by this user",
    "not a database": "the file is something else: give another path",
    "database is locked": "another process has held the file for 30 s: let it finish, or use PostgreSQL",
    "malformed": "restore the file from a copy, or recover it with sqlite3's .recover",
}


def writing(engine: Engine, /) -> Engine:
    """The same database, whose transactions take the writer's place from their beginning."""
    return engine.execution_options(writes=True)


class _Cursor(Protocol):
    def execute(self, statement: str, /) -> object: ...
    def close(self) -> None: ...


class _Raw(Protocol):
    isolation_level: str | None

    def cursor(self) -> _Cursor: ...


def _set(connection: object, _: object) -> None:
    raw = cast("_Raw", connection)  # sqlite3's own connection, handed over by SQLAlchemy without its type
    raw.isolation_level = None  # else the module begins transactions on its own, and never an immediate one
    cursor = raw.cursor()
    for setting in reversed(_SETTINGS):  # the waiting time first: a change of the mode may have to wait
        cursor.execute(f"PRAGMA {setting}")
    cursor.close()


def _begin(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE" if connection.get_execution_options().get("writes") else "BEGIN")


def _ready(connection: Connection) -> None:
    from scorewright.suites.journal.migrations import migrate

    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_MIGRATING})")  # two workers may start at once
    migrate(connection)
