"""Rolling windows: what came of the latest runs of one scorer, by time and by count, in bounded memory."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from math import inf, isfinite
from typing import Final, final

import attrs

from scorewright.core.definition import expect_count, number_of, shown
from scorewright.faults import DefinitionError
from scorewright.suites.coverage import Coverage
from scorewright.suites.journal import State

_MOST: Final = 10_000


@final
@attrs.frozen
class Window:
    """Which runs are looked at: those of the last `seconds`, the last `count`, or what both hold.

    At most `most` runs are held, which bounds the memory; where more came in the time, the oldest leave early, and the
    reading says that it was cut.
    """

    seconds: float | None = None
    count: int | None = None
    most: int = _MOST

    def __attrs_post_init__(self) -> None:
        expect_count(self.most, "Window(most=…)", 1)
        if self.seconds is None and self.count is None:
            raise DefinitionError("Window(…) takes seconds=, count= or both, such as Window(seconds=600)")
        if self.seconds is not None and not (isfinite(number_of(self.seconds)) and self.seconds > 0):
            raise DefinitionError(f"Window(seconds=…) takes seconds above 0, not {shown(self.seconds)}")
        if self.count is not None:
            expect_count(self.count, "Window(count=…)", 1, self.most)

    @property
    def size(self) -> int:
        """How many runs it holds at most."""
        return self.most if self.count is None else self.count

    def __str__(self) -> str:
        told = [f"{self.seconds:g} s"] if self.seconds is not None else []
        return ", ".join([*told, *([f"{self.count} runs"] if self.count is not None else [])])


@final
@attrs.frozen
class Observation:
    """What came of one run and one scorer; `at` is in seconds of the clock of the health that it is told to.

    `score` is there where the state is "scored". `reason` is kept only where a health keeps content.
    """

    scorer: str
    state: State
    score: float | None
    at: float
    run_id: str = ""
    reason: str | None = None

    def __attrs_post_init__(self) -> None:
        if (self.state == "scored") != (self.score is not None and -inf < self.score < inf):
            raise DefinitionError(f"a run that is {self.state} does not have the score {shown(self.score)}")


@final
@attrs.frozen
class Held:
    """What a window holds at one moment: the scores in order, the coverage, and how many runs were dropped.

    `dropped` is None where nobody counts that. `is_cut` says that more came in the time than the window may hold.
    """

    scores: tuple[float, ...] = attrs.field(repr=False)
    coverage: Coverage
    dropped: int | None
    is_cut: bool

    @property
    def n_due(self) -> int:
        """All runs that were to be scored."""
        return self.coverage.n + (self.dropped or 0)


@final
class Rolling:
    """A window that rolls. Adding is O(1), amortised; reading is linear in what it holds, and so is its memory.

    Counts are whole numbers and scores are read afresh, so that nothing builds up by rounding. Times never go back:
    what is told late counts as of the latest that was told.
    """

    def __init__(self, window: Window) -> None:
        self.window: Window = window
        self._held: deque[Observation] = deque()
        self._counts: dict[State, int] = {"scored": 0, "not_scorable": 0, "failed": 0}
        self._drops: deque[tuple[float, int]] = deque()
        self._counts_drops = False
        self._cut_at: float | None = None
        self._latest = float("-inf")

    def __iter__(self) -> Iterator[Observation]:
        return iter(self._held)

    def add(self, seen: Observation, /) -> None:
        """Take in what came of a run."""
        self._held.append(seen if seen.at >= self._latest else attrs.evolve(seen, at=self._latest))
        self._counts[seen.state] += 1
        self._latest = max(self._latest, seen.at)
        if len(self._held) > self.window.size:
            gone = self._leave()
            if self.window.count is None:
                self._cut_at = gone.at
        self.advance(self._latest)

    def drop(self, count: int, at: float, /) -> None:
        """Take in that so many runs were dropped; 0 says that drops are counted."""
        self._counts_drops = True
        if not count:
            return
        at = self._latest = max(self._latest, at)
        if self._drops and (at - self._drops[-1][0] < 1 or len(self._drops) >= self.window.most):
            _, before = self._drops.pop()  # those of a second are one entry
            count += before
        self._drops.append((at, count))

    def advance(self, now: float, /) -> None:
        """Let go of what is too old."""
        since = float("-inf") if self.window.seconds is None else now - self.window.seconds
        while self._held and self._held[0].at <= since:
            self._leave()
        if self.window.count is not None and len(self._held) == self.window.count:
            since = max(since, self._held[0].at)  # drops before the oldest run that is held left with their time
        while self._drops and self._drops[0][0] <= since:
            self._drops.popleft()

    def held(self, now: float, /) -> Held:
        """What it holds now."""
        self.advance(now)
        counts = self._counts
        return Held(
            tuple(seen.score for seen in self._held if seen.score is not None),
            Coverage(counts["scored"], counts["not_scorable"], counts["failed"]),
            sum(count for _, count in self._drops) if self._counts_drops else None,
            self._cut_at is not None and self.window.seconds is not None and self._cut_at > now - self.window.seconds,
        )

    def _leave(self) -> Observation:
        gone = self._held.popleft()
        self._counts[gone.state] -= 1
        return gone


def expect_name(given: object, call: str, /) -> None:
    """Raise unless it is a text with something in it."""
    if not isinstance(given, str) or not given:
        raise DefinitionError(f"{call} takes a text that is not empty, not {shown(given)}")
