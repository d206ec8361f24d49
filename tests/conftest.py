"""How hard Hypothesis tries: `pytest` quickly, `-m slow` thoroughly, CI repeatably."""

from __future__ import annotations

import asyncio
import os
import warnings
from collections.abc import Iterator
from contextlib import suppress

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile("default", deadline=None, max_examples=60)
settings.register_profile("ci", settings.get_profile("default"), derandomize=True, print_blob=True)
settings.register_profile(
    "slow", settings.get_profile("default"), max_examples=2_000, suppress_health_check=[HealthCheck.too_slow]
)


def pytest_configure(config: pytest.Config) -> None:
    """Choose the profile; `--hypothesis-profile` still overrides it."""
    if config.getoption("--hypothesis-profile") is None:
        marks = str(config.getoption("-m"))
        chosen = "slow" if marks.startswith("slow") else "ci" if os.environ.get("CI") == "true" else "default"
        settings.load_profile(chosen)


@pytest.fixture
def no_loop_is_left() -> Iterator[None]:
    """`run_sync` of pydantic-ai sets a loop for its thread and leaves it open, for later calls: it is closed."""
    yield
    with warnings.catch_warnings(), suppress(RuntimeError):
        warnings.simplefilter("ignore", DeprecationWarning)  # where there is none, one is made to be closed
        asyncio.get_event_loop_policy().get_event_loop().close()
    asyncio.set_event_loop(None)
