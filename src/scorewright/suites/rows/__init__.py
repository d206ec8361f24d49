"""Rows out of files, tables and values."""

from scorewright.suites.rows.columns import ALIASES, FIELDS
from scorewright.suites.rows.formats import FORMATS
from scorewright.suites.rows.record import RowsRefused
from scorewright.suites.rows.row import ABSENT, Absent, BrokenRow, Place, Row, RowItem
from scorewright.suites.rows.source import RowSource, read_rows

__all__ = [
    "ABSENT",
    "ALIASES",
    "FIELDS",
    "FORMATS",
    "Absent",
    "BrokenRow",
    "Place",
    "Row",
    "RowItem",
    "RowSource",
    "RowsRefused",
    "read_rows",
]
