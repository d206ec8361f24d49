"""Work counted instead of timed: how many functions are called, of Python and of C."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType


def calls(work: Callable[[], object]) -> int:
    """The calls that a piece of work makes."""
    made = 0

    def count(frame: FrameType, event: str, argument: object) -> None:
        nonlocal made
        del frame, argument
        made += event in {"call", "c_call"}

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(before)
    return made


def is_linear(small: int, large: int, times: int) -> bool:
    """Does so many times the size take about so many times the work, and no more?"""
    return 0 < large <= 1.2 * times * small
