"""What a store holds of an experiment: its settings, its rows, and what came of each row and scorer."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Literal, TypeAlias, final

import attrs

from scorewright.shapes.values import is_object

State: TypeAlias = Literal["scored", "not_scorable", "failed"]


class StoreError(Exception):
    """A store cannot be opened, read or written; the message says why and how to mend it."""


@final
@attrs.frozen
class Experiment:
    """One evaluation of one suite on one source of rows. `spec` is the canonical JSON of its resolved settings."""

    id: str
    name: str
    spec: str
    created: str  # ISO 8601, UTC

    @property
    def settings(self) -> Mapping[str, object]:
        """The spec, read."""
        read: object = json.loads(self.spec)
        return read if is_object(read) else {}


@final
@attrs.frozen
class StoredItem:
    """A row, and what the target answered to it or how it failed; all three are JSON."""

    experiment: str
    row_id: str
    position: int
    row: str
    output: str | None = None
    fault: str | None = None


@final
@attrs.frozen
class StoredScore:
    """What came of one row and one scorer; `record` is JSON: steps, fault, what was spent."""

    experiment: str
    row_id: str
    scorer: str
    scorer_hash: str
    state: State
    value: float | None
    reason: str | None
    record: str


@final
@attrs.frozen
class Finished:
    """That a row was done by a scorer, without what came of it: all that resuming has to read."""

    row_id: str
    scorer: str
    scorer_hash: str
    state: State
