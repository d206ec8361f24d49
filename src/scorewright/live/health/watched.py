"""A monitor or a drift under watch: its state, and what a check makes of it."""

from __future__ import annotations

from typing import TypeAlias, final
from uuid import uuid4

import attrs

from scorewright.live.health.drift import Detector, Drift
from scorewright.live.health.events import Event, Status, drift_why, moment, unscored, worst
from scorewright.live.health.monitors import Judged, Monitor, Standing, moved
from scorewright.live.health.reading import measured, n_of
from scorewright.live.health.windows import Observation, Rolling
from scorewright.statistics.estimate import Interval, Undefined

Watched: TypeAlias = Monitor | Drift


@final
class MonitorState:
    """A monitor with the window that it looks at."""

    def __init__(self, monitor: Monitor, rolling: Rolling, level: float) -> None:
        self.watched: Monitor = monitor
        self._rolling = rolling
        self._level = level
        self._standing = Standing()

    def check(self, now: float, wall: float, /) -> Event | None:
        """Look once more; what is to be told, if anything is."""
        monitor = self.watched
        held = self._rolling.held(now)
        found = measured(held, monitor.measure, least=monitor.least, level=self._level)
        self._standing, kind = moved(
            self._standing,
            monitor.judge(found),
            now,
            breaches=monitor.breaches,
            cooldown=monitor.cooldown,
            no_data=monitor.no_data,
        )
        if kind is None:
            return None
        return _event(kind == "alert", wall, self.status(now), self._examples())

    def status(self, now: float, /) -> Status:
        """How it stands."""
        monitor, held = self.watched, self._rolling.held(now)
        found = measured(held, monitor.measure, least=monitor.least, level=self._level)
        around = found.interval if isinstance(found.interval, Interval) else None
        why = (
            found.value.why
            if isinstance(found.value, Undefined)
            else f"{found.value:.3g} of {n_of(held, monitor.measure)}"
        )
        condition, muted = self._standing.condition, self._standing.muted
        return Status(monitor.name, monitor.scorer, monitor.rule, condition, found.value, around, held, why, muted)

    def reset(self) -> None:
        """Forget how it stood; an alert that was told is resolved by the next check."""
        self._standing = Standing(told=self._standing.told)

    def _examples(self) -> list[Observation]:
        seen = [*self._rolling]
        if self.watched.measure.kind in {"coverage", "failure_rate"}:
            return unscored(seen, self.watched.measure.kind == "failure_rate")
        return worst(seen, 1 if self.watched.below is not None else -1)


@final
class DriftState:
    """A drift with the evidence that there is."""

    def __init__(self, drift: Drift) -> None:
        self.watched: Drift = drift
        self.detector: Detector = Detector(drift)
        self._standing = Standing()

    def check(self, now: float, wall: float, /) -> Event | None:
        """Look once more; what is to be told, if anything is."""
        detector, is_on = self.detector, self._standing.condition == "alerting"
        judged: Judged = "breach" if detector.has_drifted else "clear" if detector.n or is_on else "none"
        cooldown = self.watched.cooldown
        self._standing, kind = moved(self._standing, judged, now, breaches=1, cooldown=cooldown, no_data="ignore")
        return None if kind is None else _event(kind == "alert", wall, self.status(now), [])

    def status(self, _: float, /) -> Status:
        """How it stands."""
        drift = self.watched
        direction = "" if drift.direction == "both" else f" {drift.direction}"
        rule = f"mean of {drift.scorer} drifts{direction} from {drift.baseline.mean:.3g}, alpha {drift.alpha:g}"
        condition, muted = self._standing.condition, self._standing.muted
        value = self.detector.most_evidence
        return Status(drift.name, drift.scorer, rule, condition, value, None, None, drift_why(self.detector), muted)

    def reset(self) -> None:
        """Begin anew, with the whole of alpha; an alert that was told is resolved by the next check."""
        self.detector.reset()


def _event(is_alert: bool, wall: float, status: Status, examples: list[Observation]) -> Event:
    shown = examples if is_alert else []
    return Event(
        "alert" if is_alert else "resolved",
        f"evt_{uuid4().hex}",
        moment(wall),
        status,
        tuple(seen.run_id for seen in shown if seen.run_id),
        tuple(seen.reason for seen in shown if seen.reason),
    )


def evolved_for_one_look(watched: Watched, /) -> Watched:
    """For a single check, which cannot be the third in a row: the first breach is enough."""
    return attrs.evolve(watched, breaches=1) if isinstance(watched, Monitor) else watched
