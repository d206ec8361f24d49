"""What a store is told and asked: the orders that its writer carries out, in the order in which they come."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import attrgetter
from threading import Event
from typing import TypeAlias, cast, final

import attrs

from scorewright.suites.journal.putting import Values
from scorewright.suites.journal.records import StoredItem, StoredScore
from scorewright.suites.rows.ids import sayable


@final
@attrs.frozen
class Claim:
    """A question that is to be asked."""

    key: str


@final
@attrs.frozen
class Reply:
    """An answer that was received; `entry` is its JSON."""

    key: str
    entry: str


@final
@attrs.frozen
class Release:
    """A question that was claimed and got no answer: anyone may ask it."""

    key: str


@final
@attrs.frozen
class Stale:
    """A row that is done anew: what was scored of it before is of another row, or of another answer."""

    experiment: str
    row_id: str


@final
@attrs.frozen
class Lines:
    """Items and scores to be written together, each as the columns of its table hold it: texts that are sayable."""

    items: Sequence[Values] = ()
    scores: Sequence[Values] = ()

    def __len__(self) -> int:
        return len(self.items) + len(self.scores)


@final
@attrs.frozen(eq=False)
class Flush:
    """Somebody waits until all is committed that was told before."""

    done: Event = attrs.field(factory=Event)


Order: TypeAlias = Claim | Reply | Release | Stale | Lines | Flush


def lines_of(items: Iterable[StoredItem], scores: Iterable[StoredScore], /) -> Lines:
    """Items and scores as the columns of their tables."""
    return Lines([*map(_values, items)], [*map(_values, scores)])


def _values(record: StoredItem | StoredScore) -> Values:
    fields = _FIELDS[record.__class__](record)
    return tuple([sayable(value) if isinstance(value, str) else value for value in fields])


def _fields(kind: type[attrs.AttrsInstance]) -> Callable[[object], Values]:
    return cast("Callable[[object], Values]", attrgetter(*(field.name for field in attrs.fields(kind))))


_FIELDS: Mapping[type, Callable[[object], Values]] = {kind: _fields(kind) for kind in (StoredItem, StoredScore)}
