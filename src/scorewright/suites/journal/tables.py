"""The tables, the same in SQLite and in PostgreSQL."""

from __future__ import annotations

from sqlalchemy import Column, Float, ForeignKey, Index, Integer, MetaData, String, Table, Text

METADATA = MetaData()

META = Table(
    "scorewright_meta",
    METADATA,
    Column("name", String, primary_key=True),
    Column("value", Text, nullable=False),
)

EXPERIMENT = Table(
    "experiment",
    METADATA,
    Column("id", String, primary_key=True),
    Column("name", Text, nullable=False),
    Column("spec", Text, nullable=False),
    Column("created", String, nullable=False),
)

ITEM = Table(
    "item",
    METADATA,
    Column("experiment", String, ForeignKey("experiment.id", ondelete="CASCADE"), primary_key=True),
    Column("row_id", String, primary_key=True),
    Column("position", Integer, nullable=False),
    Column("row", Text, nullable=False),
    Column("output", Text),
    Column("fault", Text),
    sqlite_with_rowid=False,  # else the text of the key is written twice
)

SCORE = Table(
    "score",
    METADATA,
    Column("experiment", String, ForeignKey("experiment.id", ondelete="CASCADE"), primary_key=True),
    Column("row_id", String, primary_key=True),
    Column("scorer", String, primary_key=True),
    Column("scorer_hash", String, primary_key=True),
    Column("state", String, nullable=False),
    Column("value", Float),
    Column("reason", Text),
    Column("record", Text, nullable=False),
    sqlite_with_rowid=False,  # as above
)

WORKER = Table(
    "worker",
    METADATA,
    Column("id", String, primary_key=True),
    Column("seen", Float, nullable=False),  # seconds since 1970, by the clock of the database
)

CALL = Table(
    "call",
    METADATA,
    Column("key", String, primary_key=True),
    Column("worker", String, nullable=False),  # who asks, or asked
    Column("entry", Text),  # the reply as JSON; none while it is waited for
)

Index("item_in_order", ITEM.c.experiment, ITEM.c.position)
