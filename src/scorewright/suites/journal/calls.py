"""Questions to judges in the store: claimed before they are paid, answered once, given back where no answer came."""

from __future__ import annotations

import os
import socket
from collections.abc import Collection, Iterable, Mapping, Sequence
from json import dumps
from typing import TypeAlias, cast, final

import attrs
from sqlalchemy import Connection, bindparam, delete, select, update

from scorewright.suites.journal.putting import put
from scorewright.suites.journal.tables import CALL, WORKER

STALE = 30.0  # seconds after which a worker that has said nothing is gone


@final
@attrs.frozen
class Mine:
    """Whoever asked has the claim."""


@final
@attrs.frozen
class Answered:
    """The question was answered before; `entry` is the reply as JSON."""

    entry: str


@final
@attrs.frozen
class Theirs:
    """Another worker, which lives, is asking."""


Claimed: TypeAlias = Mine | Answered | Theirs
Claims: TypeAlias = Mapping[str, Claimed]  # by the key of the question
MINE, THEIRS = Mine(), Theirs()

# Written out for the two dialects: one statement takes any number of keys, and nothing is compiled anew.
_FRESH = {
    "sqlite": "INSERT INTO call (key, worker) SELECT value, :worker FROM json_each(:keys) WHERE true"
    " ON CONFLICT DO NOTHING RETURNING key",
    "postgresql": "INSERT INTO call (key, worker)"
    " SELECT value, %(worker)s FROM json_array_elements_text(%(keys)s::json)"
    " ON CONFLICT DO NOTHING RETURNING key",
}
_THERE = {
    "sqlite": "SELECT key, worker, entry FROM call WHERE key IN (SELECT value FROM json_each(:keys))",
    "postgresql": "SELECT key, worker, entry FROM call"
    " WHERE key IN (SELECT value FROM json_array_elements_text(%(keys)s::json))",
}


def claim(connection: Connection, keys: Collection[str], worker: str, /) -> Claims:
    """Claim these keys where nobody has, or where whoever had them is gone.

    They are taken in order, so that two workers that want the same ones never wait for each other in a circle.
    """
    dialect = connection.dialect.name
    fresh = connection.exec_driver_sql(_FRESH[dialect], {"keys": dumps(sorted(keys)), "worker": worker})
    claimed: dict[str, Claimed] = dict.fromkeys(cast("Sequence[str]", fresh.scalars().all()), MINE)
    taken = [key for key in keys if key not in claimed]
    return {**claimed, **_taken(connection, taken, worker)} if taken else claimed


def _taken(connection: Connection, keys: list[str], worker: str) -> Claims:
    there = connection.exec_driver_sql(_THERE[connection.dialect.name], {"keys": dumps(keys)})
    found = cast("Sequence[tuple[str, str, str | None]]", there.all())
    claimed: dict[str, Claimed] = {key: Answered(entry) for key, _, entry in found if entry is not None}
    waiting = {key: by for key, by, entry in found if entry is None}
    gone = _gone(connection, {*waiting.values()}) if waiting else set[str]()
    for key, by in waiting.items():
        claimed[key] = MINE if by in gone and _inherit(connection, key, by, worker) else THEIRS
    return {**dict.fromkeys(keys, THEIRS), **claimed}  # one that was given back meanwhile is asked for again


def _inherit(connection: Connection, key: str, gone: str, worker: str) -> bool:
    mine = update(CALL).where(CALL.c.key == key, CALL.c.worker == gone, CALL.c.entry.is_(None)).values(worker=worker)
    return connection.execute(mine).rowcount == 1


def _gone(connection: Connection, workers: set[str]) -> set[str]:
    there = select(WORKER.c.id, WORKER.c.seen).where(WORKER.c.id.in_(workers))
    seen = {cast("str", id): cast("float", at) for id, at in connection.execute(there)}
    now = clock(connection)
    return {each for each in workers if now - seen.get(each, 0.0) > STALE or not _may_live(each)}


def _may_live(worker: str) -> bool:
    """Whether a worker of this host still has its process; of another host only its silence tells."""
    host, process, _ = worker.rsplit("/", 2)
    if host != socket.gethostname():
        return True
    try:
        os.kill(int(process), 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def answer(connection: Connection, answers: Iterable[tuple[str, str, str]], /) -> None:
    """Write replies: key, worker, entry."""
    put(connection, CALL, list(answers))


def release(connection: Connection, keys: Collection[str], worker: str, /) -> None:
    """Give back what this worker claimed and got no answer for."""
    if keys:  # seldom, and the statement takes longer to make than all else that a commit needs
        given = delete(CALL).where(CALL.c.key == bindparam("of"), CALL.c.worker == worker, CALL.c.entry.is_(None))
        connection.execute(given, [{"of": key} for key in keys])


def alive(connection: Connection, worker: str, /) -> None:
    """Say that this worker lives."""
    put(connection, WORKER, [(worker, clock(connection))])


def clock(connection: Connection, /) -> float:
    """Seconds since 1970, by the clock that all workers of this store share."""
    if connection.dialect.name == "sqlite":
        from time import time

        return time()
    return float(cast("float", connection.exec_driver_sql("SELECT extract(epoch FROM clock_timestamp())").scalar_one()))
