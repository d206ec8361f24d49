"""Scores that other processes keep, read as they come: a file of `JsonLines`, or a store of `InStore`."""

from __future__ import annotations

import json
import os
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast, final

import attrs
from typing_extensions import override

from scorewright.live.health.windows import Observation
from scorewright.live.storing import position_at
from scorewright.shapes.values import is_object
from scorewright.suites.journal import State, StoreError

if TYPE_CHECKING:
    from sqlalchemy import ColumnElement, Engine, Select

_STATES: Final[Mapping[str, State]] = {"scored": "scored", "not_scorable": "not_scorable", "failed": "failed"}
_LATE: Final = 600.0  # seconds that a score may come after scores of later runs
_MOST_KEYS: Final = 200_000
_AT_ONCE = 1000


@final
@attrs.frozen
class _Told:
    scorer: str
    state: State
    score: float | None
    run_id: str
    reason: str | None
    ended: float  # seconds since 1970


class Source(ABC):
    """Where scores are read. What cannot be read is a `StoreError`."""

    def __init__(self) -> None:
        self.n_broken: int = 0  # records that could not be read

    def read(self, now: float, wall: float, /) -> Iterator[Observation]:
        """What has come since the last time, oldest first.

        A run that ended before `wall`, the time of day, is as old by `now`, the clock of the health. So a time of day
        that is set later changes nothing of what was read.
        """
        for told in self._new(wall):
            at = now - max(0.0, wall - told.ended)
            yield Observation(told.scorer, told.state, told.score, at, told.run_id, told.reason)

    def _skip(self, broken: bool) -> None:
        self.n_broken += broken

    @abstractmethod
    def _new(self, wall: float) -> Iterator[_Told]: ...

    def close(self) -> None:
        """Let go of what is open."""
        return


@final
class FromLines(Source):
    """Follows a file of JSON lines. A file that is not there is empty; one that was replaced or cut is begun anew."""

    def __init__(self, path: str | os.PathLike[str], /) -> None:
        super().__init__()
        self._path = Path(path)
        self._at = 0
        self._file: tuple[int, int] | None = None

    @override
    def _new(self, wall: float) -> Iterator[_Told]:
        try:
            with self._path.open("rb") as file:
                there = os.fstat(file.fileno())
                if (there.st_dev, there.st_ino) != self._file or there.st_size < self._at:
                    self._file, self._at = (there.st_dev, there.st_ino), 0
                file.seek(self._at)
                for line in file:
                    if not line.endswith(b"\n"):
                        return  # it is still being written
                    self._at += len(line)
                    told = _of_line(line)
                    if told is None:
                        self._skip(bool(line.strip()))
                    else:
                        yield told
        except FileNotFoundError:
            return
        except OSError as failed:
            raise StoreError(f"{self._path} cannot be read: {failed.strerror}") from failed


def _of_line(line: bytes) -> _Told | None:
    try:
        read: object = json.loads(line)
        if not is_object(read):
            return None
        ended = datetime.fromisoformat(str(read["ended"])).timestamp()
        return _told(read["scorer"], read["state"], read["score"], read.get("run_id"), read.get("reason"), ended=ended)
    except (ValueError, KeyError, RecursionError, OverflowError):
        return None


def _told(
    scorer: object, state: object, score: object, run_id: object, reason: object, *, ended: float
) -> _Told | None:
    known = _STATES.get(str(state))
    number = float(score) if isinstance(score, (int, float)) and abs(score) < float("inf") else None
    if known is None or not isinstance(scorer, str) or (known == "scored") != (number is not None):
        return None
    told = reason if isinstance(reason, str) else None
    return _Told(scorer, known, number, run_id if isinstance(run_id, str) else "", told, ended)


@final
class FromStore(Source):
    """Follows one live experiment of a store, by the times at which its runs ended.

    The first reading is of everything, or of what ended after `since` (seconds since 1970). After that it sees scores
    that are stored up to ten minutes after scores of later runs; what is later still is missed. A run that ended in
    the future, by the clock of another, ended now. Of more scores in ten minutes than are remembered none is read
    twice, and what comes late is missed sooner.
    """

    def __init__(self, where: str, experiment: str = "live", /, *, since: float | None = None) -> None:
        """The store is opened by the first reading; a file that is not there is an empty store."""
        super().__init__()
        self._where = where
        self._experiment = experiment
        self._since = since
        self._latest = float("-inf")
        self._seen: dict[tuple[str, str, str], float] = {}  # with when each ended
        self._forgotten = float("-inf")  # whatever ended by then is not known any more
        self._engine: Engine | None = None

    @override
    def close(self) -> None:
        """Close the database."""
        if self._engine is not None:
            self._engine.dispose()
            self._engine = None

    @override
    def _new(self, wall: float) -> Iterator[_Told]:
        from sqlalchemy.exc import SQLAlchemyError

        from scorewright.suites.journal.opening import engine_of, shown, why_of

        if self._engine is None:
            if "://" not in self._where and not Path(self._where).expanduser().exists():
                return
            self._engine = engine_of(self._where)
        engine, since = self._engine, max(self._latest - _LATE, self._forgotten)
        try:
            with engine.connect() as connection:
                query = self._query(engine.dialect.name, since if self._since is None else max(since, self._since))
                with connection.execution_options(yield_per=_AT_ONCE).execute(query) as rows:
                    for row in rows:
                        got = cast("tuple[str, str, str, str, float | None, str | None, float]", tuple(row))
                        told = self._unseen(got, wall)
                        if told is not None:
                            yield told
        except SQLAlchemyError as failed:
            raise StoreError(f"the store {shown(engine.url)} cannot be read: {why_of(failed)}") from failed

    def _unseen(self, row: tuple[str, str, str, str, float | None, str | None, float], wall: float) -> _Told | None:
        row_id, scorer, digest, state, value, reason, ended = row
        key = row_id, scorer, digest
        if key in self._seen or ended <= self._forgotten:
            return None
        self._seen[key] = ended
        if len(self._seen) > _MOST_KEYS:
            oldest = self._seen.pop(next(iter(self._seen)))
            self._forgotten = max(self._forgotten, min(oldest, self._latest))
        self._latest = max(self._latest, min(ended, wall))
        told = _told(scorer, state, value, row_id, reason, ended=ended)
        self._skip(told is None)
        return told

    def _query(self, dialect: str, since: float) -> Select[tuple[object, ...]]:
        from sqlalchemy import select

        from scorewright.suites.journal.tables import ITEM
        from scorewright.suites.journal.tables import SCORE as S

        ended = _ended(dialect)
        same = (S.c.experiment == ITEM.c.experiment) & (S.c.row_id == ITEM.c.row_id)
        columns = (S.c.row_id, S.c.scorer, S.c.scorer_hash, S.c.state, S.c.value, S.c.reason, ended)
        query = select(*columns).select_from(ITEM).join(S, same)
        query = query.where(ITEM.c.experiment == self._experiment, ended.is_not(None))
        if since > float("-inf"):  # by the index of places, so that what is older costs nothing
            query = query.where(ITEM.c.position >= position_at(since), ended >= since)
        return cast("Select[tuple[object, ...]]", query.order_by(ended))


def _ended(dialect: str) -> ColumnElement[float]:
    """When the run of a row ended, which stands in the JSON of the row."""
    from sqlalchemy import JSON, cast, type_coerce

    from scorewright.suites.journal.tables import ITEM

    row = type_coerce(ITEM.c.row, JSON) if dialect == "sqlite" else cast(ITEM.c.row, JSON)
    ended: ColumnElement[float] = row["ended"].as_float()  # an index into JSON has no type
    return ended
