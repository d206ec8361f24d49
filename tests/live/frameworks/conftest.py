"""A live with a scorer of agents; a loop that is closed."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest
from live.frameworks.seeing import Runs


@pytest.fixture
def agents() -> Iterator[Runs]:
    """It is shut down after the test."""
    made = Runs()
    yield made
    made.live.shutdown(1)


@pytest.fixture(autouse=True)
def loop() -> Iterator[None]:
    """The frameworks' own `run_sync` leave theirs open, and a later test would be blamed."""
    own = asyncio.new_event_loop()
    asyncio.set_event_loop(own)
    yield
    asyncio.set_event_loop(None)
    own.close()
