"""A store: experiments, their rows and scores, and every answer that a judge was ever paid for."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Self, TypeVar, final

from scorewright.core import Answer
from scorewright.suites.journal.opening import engine_of, shown
from scorewright.suites.journal.orders import Stale, lines_of
from scorewright.suites.journal.records import Experiment, Finished, StoredItem, StoredScore, StoreError
from scorewright.suites.journal.writer import Writer

if TYPE_CHECKING:
    from asyncio import Semaphore

    from sqlalchemy import Engine, Executable

    from scorewright.suites.journal.answering import Journaled

T = TypeVar("T")
_AT_ONCE = 1000  # rows that are read from the database at a time


@final
class Store:
    """An open store; `open_store` opens one. All that it is told is written by one thread and committed in groups.

    Use it in a `with` block: at the end what is left is written, and what could not be written is raised.
    """

    def __init__(self, engine: Engine) -> None:
        """The database has the tables and the version of this code."""
        self._engine = engine
        self.name: str = shown(engine.url)
        self.writer: Writer = Writer(engine)

    def __repr__(self) -> str:
        return f"Store({self.name!r})"

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Write what is left and close; a second time does nothing."""
        try:
            self.writer.close()
        finally:
            self._engine.dispose()

    def begin(self, experiment: Experiment, /) -> None:
        """Store an experiment. One that is there stays as it is, or as it was called last where that is told."""
        from sqlalchemy.exc import SQLAlchemyError

        from scorewright.suites.journal.opening import why_of, writing
        from scorewright.suites.journal.putting import insert_into
        from scorewright.suites.journal.tables import EXPERIMENT

        values = {"id": experiment.id, "name": experiment.name, "spec": experiment.spec, "created": experiment.created}
        try:
            with writing(self._engine).begin() as connection:
                insert = insert_into(EXPERIMENT, connection).values(values)
                last = {"spec": experiment.spec} if experiment.settings.get("call") else {"id": EXPERIMENT.c.id}
                connection.execute(insert.on_conflict_do_update(index_elements=[EXPERIMENT.c.id], set_=last))
        except SQLAlchemyError as failed:
            raise StoreError(f"the store {self.name} cannot be written: {why_of(failed)}") from failed

    def add(self, items: Sequence[StoredItem] = (), scores: Sequence[StoredScore] = ()) -> None:
        """Have rows and scores written soon, in place of earlier ones of the same keys."""
        self.writer.tell(lines_of(items, scores))

    def forget(self, experiment: str, row_id: str, /) -> None:
        """Have the scores of a row removed, before any that it is told from now on."""
        self.writer.tell(Stale(experiment, row_id))

    def flush(self) -> None:
        """Wait until all that was told is committed."""
        self.writer.flush()

    def answering(self, answer: Answer, asking: Semaphore | None = None, /) -> Journaled:
        """An answerer that asks through `answer` what this store does not hold, and holds it before it goes on."""
        from scorewright.suites.journal.answering import Journaled

        return Journaled(self.writer, answer, asking)

    def experiments(self) -> tuple[Experiment, ...]:
        """All experiments, the latest last."""
        from sqlalchemy import select

        from scorewright.suites.journal.tables import EXPERIMENT

        return tuple(self._read(select(EXPERIMENT).order_by(EXPERIMENT.c.created, EXPERIMENT.c.id), Experiment))

    def experiment(self, id: str | None = None, /) -> Experiment:
        """The experiment of this id, or of an id that begins so; the latest without one. None is a `StoreError`."""
        there = self.experiments()
        if id is None:
            if not there:
                raise StoreError(f"the store {self.name} holds no experiment yet")
            return there[-1]
        found = [each for each in there if each.id == id] or [each for each in there if each.id.startswith(id)]
        if len(found) != 1:
            listed = ", ".join(each.id for each in (found or there)[-8:]) or "none"
            raise StoreError(f"the store {self.name} holds {len(found)} experiments {id!r}; there are {listed}")
        return found[0]

    def finished(self, experiment: str, /) -> Iterator[Finished]:
        """What is done, keys only."""
        from sqlalchemy import select

        from scorewright.suites.journal.tables import SCORE as S

        columns = (S.c.row_id, S.c.scorer, S.c.scorer_hash, S.c.state)
        return self._read(select(*columns).where(S.c.experiment == experiment), Finished)

    def items(self, experiment: str, /) -> Iterator[StoredItem]:
        """The rows, in the order in which they were read."""
        from sqlalchemy import select

        from scorewright.suites.journal.tables import ITEM

        return self._read(select(ITEM).where(ITEM.c.experiment == experiment).order_by(ITEM.c.position), StoredItem)

    def item(self, experiment: str, row_id: str, /) -> StoredItem | None:
        """One row as it is committed by now; what was told and is not yet committed is not waited for."""
        from sqlalchemy import select
        from sqlalchemy.exc import SQLAlchemyError

        from scorewright.suites.journal.opening import why_of
        from scorewright.suites.journal.tables import ITEM
        from scorewright.suites.rows.ids import sayable

        query = select(ITEM).where(ITEM.c.experiment == experiment, ITEM.c.row_id == sayable(row_id))
        try:
            with self._engine.connect() as connection:
                found = connection.execute(query).one_or_none()
        except SQLAlchemyError as failed:
            raise StoreError(f"the store {self.name} cannot be read: {why_of(failed)}") from failed
        return None if found is None else StoredItem(*found)

    def scores(self, experiment: str, /) -> Iterator[StoredScore]:
        """The scores, by row in their order, then by scorer."""
        from sqlalchemy import select

        from scorewright.suites.journal.tables import ITEM
        from scorewright.suites.journal.tables import SCORE as S

        same = (ITEM.c.experiment == S.c.experiment) & (ITEM.c.row_id == S.c.row_id)
        joined = select(S).outerjoin(ITEM, same).where(S.c.experiment == experiment)
        return self._read(joined.order_by(ITEM.c.position, S.c.row_id, S.c.scorer, S.c.scorer_hash), StoredScore)

    def _read(self, query: Executable, kind: type[T]) -> Iterator[T]:
        """Everything that was told before is seen; rows come as they are read, not all at once."""
        from sqlalchemy.exc import SQLAlchemyError

        from scorewright.suites.journal.opening import why_of

        self.flush()
        try:
            with self._engine.connect() as connection:
                connection.detach()  # whoever stops reading may do so after the store, and its pool, are closed
                with connection.execution_options(yield_per=_AT_ONCE).execute(query) as rows:
                    for row in rows:
                        yield kind(*row)
        except SQLAlchemyError as failed:
            raise StoreError(f"the store {self.name} cannot be read: {why_of(failed)}") from failed


def open_store(where: str | os.PathLike[str], /) -> Store:
    """The store at a path (a SQLite file, made if it is not there) or at `postgresql://…`.

    What cannot be opened, or is of a newer version, is a `StoreError`.
    """
    return Store(engine_of(where))
