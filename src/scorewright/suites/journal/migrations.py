"""Bringing a store to the version that this code reads: each step takes it from one version to the next."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from sqlalchemy import Connection, insert, inspect, select, update

from scorewright.suites.journal.records import StoreError
from scorewright.suites.journal.tables import META, METADATA

Migration: TypeAlias = Callable[[Connection], None]


def _first(connection: Connection) -> None:
    taken = {*inspect(connection).get_table_names()} & {*METADATA.tables}
    if taken:
        raise StoreError(
            f"the database has other tables, {', '.join(sorted(taken))}: give the store a database of its own"
        )
    METADATA.create_all(connection)


MIGRATIONS: tuple[Migration, ...] = (_first,)
VERSION = len(MIGRATIONS)


def version_of(connection: Connection, /) -> int:
    """The version of the store; 0 where nothing is stored yet."""
    if not inspect(connection).has_table(META.name):
        return 0
    written = connection.execute(select(META.c.value).where(META.c.name == "version")).scalar_one_or_none()
    return int(written) if written is not None else 0


def migrate(connection: Connection, /) -> None:
    """Take the store to `VERSION`, all of it or nothing. One that newer code has written is refused."""
    there = version_of(connection)
    if there > VERSION:
        raise StoreError(f"the store is of version {there} and this scorewright reads up to {VERSION}: upgrade it")
    if there == VERSION:
        return
    for migration in MIGRATIONS[there:]:
        migration(connection)
    written = {"name": "version", "value": str(VERSION)}
    if there:
        connection.execute(update(META).where(META.c.name == "version").values(value=written["value"]))
    else:
        connection.execute(insert(META).values(written))
