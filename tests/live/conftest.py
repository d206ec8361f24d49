"""What the tests of live scoring share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from live.watching import Seen


@pytest.fixture
def seen() -> Iterator[Seen]:
    """A live that is shut down after the test."""
    made = Seen()
    yield made
    made.live.shutdown(1)
