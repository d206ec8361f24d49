"""Async tests of ours, without another plugin."""

from __future__ import annotations

import inspect
from collections.abc import Coroutine
from typing import cast

import pytest


def run_async(item: pytest.Function, /) -> bool | None:
    """Run an async test on a loop of its own; None where it is none, or another plugin has made a plain one of it."""
    test: object = item.obj
    if not inspect.iscoroutinefunction(test):
        return None
    import asyncio

    given = {name: value for name, value in item.funcargs.items() if name in inspect.signature(test).parameters}
    asyncio.run(cast("Coroutine[object, object, object]", test(**given)))
    return True
