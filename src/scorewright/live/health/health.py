"""How scorers do on a running program: windows, drift and monitors over what a `Live` keeps."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from threading import RLock
from types import TracebackType
from typing import Final, Protocol, Self, final

import attrs

from scorewright.core.definition import expect_count, expect_flag, expect_function, number_of, shown
from scorewright.faults import DefinitionError
from scorewright.live.counting import Counts
from scorewright.live.forking import anew_in_children
from scorewright.live.health.drift import Baseline, Drift
from scorewright.live.health.events import Event, Status, cut
from scorewright.live.health.monitors import Monitor
from scorewright.live.health.notifying import Notices, Notify, Outbox
from scorewright.live.health.reading import Reading, pass_rate_at, percentile, reading_of
from scorewright.live.health.ticking import Ticker
from scorewright.live.health.watched import DriftState, MonitorState, Watched
from scorewright.live.health.windows import Observation, Rolling, Window
from scorewright.live.jobs import LiveScore
from scorewright.live.sinks import Sink
from scorewright.statistics.estimate import level_of
from scorewright.suites.journal import State

_MOST_SCORERS: Final = 1000
_STATES: Final[Mapping[str, State]] = {"scored": "scored", "not_scorable": "not_scorable", "failed": "failed"}


class Counted(Protocol):
    """What counts by scorer what it dropped, as a `Live` does."""

    def by_scorer(self) -> Mapping[str, Counts]:
        """The counts of every scorer."""
        ...


@final
class Health(Sink):
    """A sink that remembers the latest scores of each scorer, and tells when a monitor or a drift alerts.

    Every scorer has one `window`, for `readings`; each monitor has its own. Monitors are checked every `every` seconds
    on a thread of its own, or by `check()` alone where that is None. What runs were dropped a sink is not told:
    `follow(live)` has them counted. `clock` gives seconds that never go back, as `time.monotonic`; should it go back,
    time stands still until it has caught up. `wall` gives the time of day, and only dates events. With `content` events
    hold reasons too, which may quote what was said. One belongs to one process: a fork begins with empty windows.
    """

    def __init__(
        self,
        *watched: Watched,
        window: Window | None = None,
        pass_at: float | Mapping[str, float] = 0.5,
        percentiles: Sequence[float] = (5, 50, 95),
        least: int = 10,
        level: float = 0.95,
        notify: Notify | Sequence[Notify] = (),
        every: float | None = 10.0,
        content: bool = False,
        clock: Callable[[], float] = time.monotonic,
        wall: Callable[[], float] = time.time,
    ) -> None:
        _check_watched(watched)
        expect_count(least, "Health(least=…)", 1)
        expect_flag(content, "Health(content=…)")
        if window is not None and not _is_window(window):
            raise DefinitionError(f"Health(window=…) takes a Window, such as Window(seconds=600), not {shown(window)}")
        if every is not None and not 0 < number_of(every) < float("inf"):
            raise DefinitionError(f"Health(every=…) takes seconds above 0, or None for no thread, not {shown(every)}")
        told = (notify,) if callable(notify) else tuple(notify)
        for each in told:
            expect_function(each, "Health(notify=…)", 'Webhook("https://example.com/hook")')
        self.window: Window = window or Window(seconds=3600)
        self._passes = {"": pass_at} if not isinstance(pass_at, Mapping) else dict(pass_at)
        self._percentiles, self._least, self._level = tuple(percentiles), least, level_of(level)
        _check_numbers(self._passes.values(), self._percentiles)
        self._watched, self._notify, self._every, self._content = watched, told, every, content
        self._clock, self._wall = clock, wall
        self._begin()
        anew_in_children(self)

    def _begin(self) -> None:
        self._lock = RLock()
        self._now = float("-inf")
        self._rolling: dict[tuple[str, Window], Rolling] = {}
        self._by_scorer: dict[str, list[Rolling]] = {}
        self._drifts: dict[str, list[DriftState]] = {}
        self._states: list[MonitorState | DriftState] = []
        self._scorers: dict[str, None] = {}
        self._followed: list[tuple[Counted, dict[str, int]]] = []
        self._outbox = Outbox(self._notify)
        self._ticker = Ticker(self, self._every if self._watched else None)
        for each in self._watched:
            if isinstance(each, Monitor):
                state = MonitorState(each, self._roll(each.scorer, each.window), self._level)
                self._states.append(state)
            else:
                drift = DriftState(each)
                self._drifts.setdefault(each.scorer, []).append(drift)
                self._states.append(drift)

    def __enter__(self) -> Self:
        self._ticker.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # what comes in

    def keep(self, scores: Sequence[LiveScore], /) -> None:
        """Take in scores; called by a `Live`."""
        with self._lock:
            now = self._moment()
            for score in scores:
                state = _STATES.get(score.state)
                if state is not None:
                    self.observe(Observation(score.scorer, state, score.score, now, score.run.run_id, score.reason))
        self._ticker.start()

    def observe(self, seen: Observation, /) -> None:
        """Take in what came of one run, wherever it was scored."""
        with self._lock:
            if not self._is_known(seen.scorer):
                return
            reason = cut(seen.reason) if self._content and seen.reason else None
            told = attrs.evolve(seen, reason=reason) if reason != seen.reason else seen
            for rolling in self._by_scorer[seen.scorer]:
                rolling.add(told)
            if seen.score is not None:
                for drift in self._drifts.get(seen.scorer, ()):
                    drift.detector.add(seen.score)

    def follow(self, live: Counted, /) -> None:
        """Count also what this `Live` drops from now on."""
        with self._lock:
            self._followed.append((live, {id: counts.dropped for id, counts in live.by_scorer().items()}))
        self._ticker.start()

    # what can be read

    def readings(self) -> tuple[Reading, ...]:
        """How each scorer does, by its id."""
        with self._lock:
            now = self._moment()
            self._count_drops(now)
            return tuple(
                reading_of(
                    scorer,
                    self.window,
                    self._roll(scorer, self.window).held(now),
                    pass_at=self._pass_at(scorer),
                    percentiles=self._percentiles,
                    least=self._least,
                    level=self._level,
                )
                for scorer in sorted(self._scorers)
            )

    def statuses(self) -> tuple[Status, ...]:
        """How each monitor and drift stood at the last check, in the order in which they were given."""
        with self._lock:
            now = self._moment()
            return tuple(state.status(now) for state in self._states)

    def baseline(self, scorer: str, /) -> Baseline:
        """The scores that the window of a scorer holds, as a baseline for a drift."""
        with self._lock:
            return Baseline.of(self._roll(scorer, self.window).held(self._moment()).scores)

    def notices(self) -> Notices:
        """What became of the events that were to be told."""
        return self._outbox.notices()

    # what is done

    def check(self) -> tuple[Event, ...]:
        """Look at every monitor and drift now; what changed, which is also told."""
        with self._lock:
            now = self._moment()
            self._count_drops(now)
            found = [state.check(now, self._wall()) for state in self._states]
            events = tuple(event for event in found if event is not None)
            for event in events:
                self._outbox.put(event)
        return events

    def reset(self, name: str, /) -> None:
        """Have a drift or a monitor begin anew, as after a change that was meant."""
        with self._lock:
            states = {state.watched.name: state for state in self._states}
            if name not in states:
                raise DefinitionError(f"there is no monitor {name!r}; there are {', '.join(states) or 'none'}")
            states[name].reset()

    def close(self, timeout: float = 5.0) -> bool:
        """Check once more, end the thread, and wait for what is being told; False where that takes longer."""
        if self._ticker.stop():
            self.check()
        return self._outbox.told(timeout)

    # how it works

    def forked(self) -> None:
        """Begin anew in a child: what the parent saw the parent tells."""
        self._begin()

    def _moment(self) -> float:
        self._now = max(self._now, self._clock())
        return self._now

    def _is_known(self, scorer: str) -> bool:
        if scorer not in self._scorers:
            if len(self._scorers) >= _MOST_SCORERS:
                return scorer in self._by_scorer
            self._scorers[scorer] = None
            self._roll(scorer, self.window)
        return True

    def _roll(self, scorer: str, window: Window) -> Rolling:
        rolling = self._rolling.get((scorer, window))
        if rolling is None:
            rolling = self._rolling[scorer, window] = Rolling(window)
            self._by_scorer.setdefault(scorer, []).append(rolling)
        return rolling

    def _pass_at(self, scorer: str) -> float:
        return self._passes.get(scorer, self._passes.get("", 0.5))

    def _count_drops(self, now: float) -> None:
        for live, before in self._followed:
            for scorer, counts in live.by_scorer().items():
                if self._is_known(scorer):
                    more = max(0, counts.dropped - before.get(scorer, 0))
                    for rolling in self._by_scorer[scorer]:
                        rolling.drop(more, now)
                before[scorer] = counts.dropped


def _check_watched(watched: Sequence[object]) -> None:
    names = set[str]()
    for each in watched:
        if not isinstance(each, (Monitor, Drift)):
            raise DefinitionError(f"Health(…) takes monitors and drifts, not {shown(each)}")
        if each.name in names:
            raise DefinitionError(f"two monitors have the name {each.name!r}: names tell them apart")
        names.add(each.name)


def _check_numbers(passes: Iterable[float], percentiles: Iterable[float]) -> None:
    for score in passes:
        pass_rate_at(score)  # a measure says what is wrong with its number
    for p in percentiles:
        percentile(p)


def _is_window(given: object) -> bool:
    return isinstance(given, Window)
