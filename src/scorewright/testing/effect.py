"""Marks of classes and modules that mark nothing: none of the tests below them takes `score`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import final

import pytest

from scorewright.testing.evaluation import MARK
from scorewright.testing.placing import score_in

MEND = (
    "write `def test_bot(case, score)`, in a class `def test_bot(self, case, score)`, and call score(output); the "
    "methods of a unittest.TestCase take no parameters, so make it a plain class"
)


@final
class Effect:
    """What is known of each marked class and module: what of it is not collected yet, and whether tests are scored.

    A class is collected as a whole, also where one of its tests was named; one that was not asked for never is, and so
    nothing is said of what holds it.
    """

    def __init__(self) -> None:
        self._open: dict[pytest.Collector, set[pytest.Collector]] = {}
        self._scored: dict[pytest.Collector, bool] = {}

    def collected(self, collector: pytest.Collector, children: Sequence[pytest.Item | pytest.Collector], /) -> str:
        """Take what a class or module holds; why a mark of it, or of what holds it, is an error, or ""."""
        tests = [each for each in children if isinstance(each, pytest.Item)]
        scored = any(score_in(each) is not None for each in tests)
        for holder in _marked(collector):
            waiting = self._open.setdefault(holder, {holder})
            waiting.discard(collector)
            waiting.update(each for each in children if isinstance(each, pytest.Collector))
            if tests:
                self._scored[holder] = self._scored.get(holder, False) or scored
            if not waiting and self._scored.get(holder) is False:
                return f"no test of {holder.name} takes `score`, so the scorewright mark has no effect: {MEND}"
        return ""


def _marked(collector: pytest.Collector) -> list[pytest.Collector]:
    """The classes and modules from the outermost to this one that have a mark of their own."""
    holders = (node for node in collector.listchain() if isinstance(node, (pytest.Class, pytest.Module)))
    return [node for node in holders if any(mark.name == MARK for mark in node.own_markers)]
