"""What belongs to one process and begins anew in a child: threads stay behind, and a lock may be held for good."""

from __future__ import annotations

import os
from typing import Final, Protocol
from weakref import WeakSet


class BeginsAnew(Protocol):
    """What has locks, threads or a queue."""

    def forked(self) -> None:
        """Begin anew, in the child."""
        ...


_all: Final[WeakSet[BeginsAnew]] = WeakSet()


def anew_in_children(each: BeginsAnew, /) -> None:
    """Have it begin anew in every child, as long as it is there."""
    _all.add(each)


def _after_fork() -> None:
    for each in _all:
        each.forked()


os.register_at_fork(after_in_child=_after_fork)
