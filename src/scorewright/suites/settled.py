"""What the settings of a suite, and those of a row itself, come to for that row."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import final

import attrs
from returns.pipeline import is_successful

from scorewright.core.guard import raised
from scorewright.faults import DefinitionError, InvalidRun
from scorewright.shapes import structure
from scorewright.suites.rows.row import BrokenRow, Row, RowItem
from scorewright.suites.settings import For, Settings, with_rule
from scorewright.suites.suite import Suite
from scorewright.suites.thresholds import Gate

KEY = "scorewright"  # of the metadata of a row


@final
@attrs.frozen
class RowSettings:
    """What a row may say of itself."""

    only: list[str] | None = None
    skip: list[str] = attrs.field(factory=list[str])
    timeout: float | None = None
    gates: dict[str, str | float] = attrs.field(factory=dict[str, str | float])


@final
class Settled:
    """What the settings of a suite come to, row by row."""

    def __init__(self, suite: Suite) -> None:
        """Nothing is asked of a row where neither it nor the suite has settings."""
        self._suite = suite
        self._usual = Settings(suite.timeout)
        self._last: Row | None = None  # a row is asked for by every scorer, one after another
        self._found: Settings | InvalidRun = self._usual

    def fitting(self, rows: Iterable[tuple[int, RowItem]], /) -> Iterator[tuple[int, RowItem]]:
        """The same rows; one whose settings cannot be is broken, so nothing is paid for it."""
        for index, row in rows:
            yield index, row if isinstance(row, BrokenRow) else self._fit(row)

    def of(self, row: Row, /) -> Settings | InvalidRun:
        """What holds for a row; a fault where it says what cannot be, or a user's function raises."""
        if not self._suite.settings and KEY not in row.metadata:
            return self._usual
        if row is not self._last:
            self._last, self._found = row, self._resolved(row)
        return self._found

    def timeout(self, row: Row, /) -> float | None:
        """The seconds that a row has."""
        found = self.of(row)
        return self._suite.timeout if isinstance(found, InvalidRun) else found.timeout

    def gates(self, row: Row, /) -> Mapping[str, Gate]:
        """The limits of its own that a row has, by scorer."""
        found = self.of(row)
        return {} if isinstance(found, InvalidRun) else found.gates

    def _fit(self, row: Row) -> RowItem:
        found = self.of(row)
        if not isinstance(found, InvalidRun):
            return row
        return BrokenRow(row.place, found.why if found.path == "$" else f"{found.path}: {found.why}", row.id)

    def _resolved(self, row: Row) -> Settings | InvalidRun:
        try:
            rules = [rule for rule in self._suite.settings if rule.holds_for(row)]
        except Exception as exception:  # noqa: BLE001 - a user's function may raise anything
            error = raised(exception)
            return InvalidRun("$", f"a function of its settings raised {error.kind}: {error.message}")
        settings = self._usual
        for rule in rules:
            settings = with_rule(settings, rule, self._suite.by_id)
        return self._with_own(settings, row)

    def _with_own(self, settings: Settings, row: Row) -> Settings | InvalidRun:
        if KEY not in row.metadata:
            return settings
        held, at = row.metadata[KEY], f"$.metadata.{KEY}"
        read = structure(held, RowSettings)
        if not is_successful(read):
            misfit = read.failure()
            return InvalidRun(f"{at}{misfit.path.removeprefix('$')}", misfit.why)
        own = read.unwrap()
        try:
            rule = For(KEY, only=own.only, skip=own.skip, timeout=own.timeout, gates=own.gates)
            return with_rule(settings, rule, self._suite.by_id)
        except DefinitionError as mistake:
            return InvalidRun(at, str(mistake))
