"""A store of each kind: a SQLite file, and a PostgreSQL that runs while the tests do."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from fakes.postgres import missing, postgres
from sqlalchemy import create_engine, text


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """The address of a real PostgreSQL."""
    if why := missing():
        pytest.skip(why)
    with postgres() as url:
        yield url


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Where a store may be opened: a path that holds nothing, or an empty database."""
    if request.param == "sqlite":
        yield str(tmp_path / "runs.db")
        return
    yield from emptied(request.getfixturevalue("server"))


@pytest.fixture
def database(server: str) -> Iterator[str]:
    """An empty database of PostgreSQL."""
    yield from emptied(server)


def emptied(server: str) -> Iterator[str]:
    engine = create_engine(server.replace("postgresql://", "postgresql+psycopg://"))
    with engine.begin() as connection:
        connection.execute(text("DROP SCHEMA public CASCADE; CREATE SCHEMA public"))
    engine.dispose()
    yield server
