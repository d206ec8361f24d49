"""Writing many rows at once, in either dialect."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import chain
from typing import TypeAlias

from sqlalchemy import Connection, Table
from sqlalchemy.dialects import postgresql, sqlite

Values: TypeAlias = tuple[str | float | None, ...]
Insert: TypeAlias = sqlite.Insert | postgresql.Insert

# Rows in one statement: sqlite3 gives the interpreter's lock away once a statement, and once a row where it is told to
# execute many. It has to wait for the lock each time, behind a loop that has much to do.
_TOGETHER = 256, 128, 64, 32, 16, 8, 4, 2, 1


def put(connection: Connection, table: Table, rows: Sequence[Values], /) -> None:
    """Write rows, columns in the order of the table, in place of those with the same keys."""
    if not rows:
        return
    if connection.dialect.name == "sqlite":  # straight to the driver: a mapping for each row costs more than the row
        at = 0
        for together in _TOGETHER:
            while len(rows) - at >= together:
                values = tuple(chain.from_iterable(rows[at : at + together]))
                connection.exec_driver_sql(_text(table, together), values)
                at += together
    else:
        names = [column.name for column in table.columns]
        last = {row[: len(table.primary_key)]: row for row in rows}
        written = [dict(zip(names, last[key], strict=True)) for key in sorted(last, key=repr)]
        connection.execute(_replacing(postgresql.insert(table), table), written)


def insert_into(table: Table, connection: Connection, /) -> Insert:
    """An insert that can say what happens to rows that are there."""
    return sqlite.insert(table) if connection.dialect.name == "sqlite" else postgresql.insert(table)


def _replacing(insert: Insert, table: Table) -> Insert:
    rest = [column.name for column in table.columns if not column.primary_key]
    return insert.on_conflict_do_update(
        index_elements=list(table.primary_key), set_={name: insert.excluded[name] for name in rest}
    )


@cache
def _text(table: Table, rows: int) -> str:
    one = f"({', '.join('?' for _ in table.columns)})"
    text = str(_replacing(sqlite.insert(table), table).compile(dialect=sqlite.dialect()))
    return text.replace(f"VALUES {one}", f"VALUES {', '.join([one] * rows)}")
