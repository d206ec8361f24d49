"""Monitors: when a number of a window is bad enough, for long enough, to tell somebody."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias, final

import attrs

from scorewright.core.definition import expect_count, expect_flag, is_number, number_of, shown
from scorewright.faults import DefinitionError
from scorewright.live.health.reading import Measure
from scorewright.live.health.windows import Window, expect_name
from scorewright.statistics.estimate import Estimate, Interval, Undefined

NoData: TypeAlias = Literal["ignore", "alert", "resolve"]
Condition: TypeAlias = Literal["ok", "alerting", "no_data"]
Judged: TypeAlias = Literal["breach", "between", "clear", "none"]
EventKind: TypeAlias = Literal["alert", "resolved"]

_NO_DATA: Final = ("ignore", "alert", "resolve")
_HOUR: Final = Window(seconds=3600)


@final
@attrs.frozen(kw_only=True)
class Monitor:
    """Alerts where a number of a scorer's window lies below `below` or above `above`.

    It alerts after `breaches` checks in a row, and is resolved by a check at `clear` or better; without `clear` that is
    the threshold itself. After an alert was told, the next one is told `cooldown` seconds later at the earliest. With
    `surely` only a whole interval beyond the threshold is a breach. Where the window holds fewer than `least` runs
    there is no data: `"ignore"` leaves everything as it is, `"alert"` takes it for a breach, `"resolve"` ends an alert.
    """

    name: str = attrs.field(kw_only=False)
    scorer: str
    measure: Measure
    below: float | None = None
    above: float | None = None
    window: Window = _HOUR
    least: int = 20
    clear: float | None = None
    breaches: int = 1
    cooldown: float = 0.0
    surely: bool = False
    no_data: NoData = "ignore"

    def __attrs_post_init__(self) -> None:
        expect_name(self.name, "Monitor(name=…)")
        expect_name(self.scorer, "Monitor(scorer=…)")
        _expect(self.measure, Measure, "Monitor(measure=…)", "MEAN or pass_rate_at(0.5)")
        _expect(self.window, Window, "Monitor(window=…)", "Window(seconds=600)")
        if (self.below is None) == (self.above is None):
            raise DefinitionError(f"the monitor {self.name!r} takes one threshold: below= or above=")
        for name, number in (("below", self.below), ("above", self.above), ("clear", self.clear)):
            if number is not None and not (is_number(number) and abs(number_of(number)) < float("inf")):
                raise DefinitionError(f"Monitor({name}=…) takes a number, not {shown(number)}")
        if self.clear is not None and not self._is_clear(self.clear, self.threshold):
            side = "above below=" if self.below is not None else "below above="
            raise DefinitionError(f"Monitor(clear=…) lies at or {side}{self.threshold:g}, not at {self.clear:g}")
        expect_count(self.least, "Monitor(least=…)", 1, self.window.size)
        expect_count(self.breaches, "Monitor(breaches=…)", 1)
        expect_flag(self.surely, "Monitor(surely=…)")
        if not 0 <= number_of(self.cooldown) < float("inf"):
            raise DefinitionError(f"Monitor(cooldown=…) takes seconds, 0 or more, not {shown(self.cooldown)}")
        if self.no_data not in _NO_DATA:
            raise DefinitionError(f'Monitor(no_data=…) is "ignore", "alert" or "resolve", not {shown(self.no_data)}')
        if self.surely and self.measure.kind == "percentile":
            raise DefinitionError("a percentile has no interval here: leave surely=True")

    @property
    def threshold(self) -> float:
        """Where it alerts."""
        return self.below if self.below is not None else self.above if self.above is not None else 0.0

    @property
    def rule(self) -> str:
        """What it alerts on, in words."""
        side = "below" if self.below is not None else "above"
        return f"{self.measure} of {self.scorer} {side} {self.threshold:g} in the last {self.window}"

    def judge(self, found: Estimate, /) -> Judged:
        """What a number of the window means to it."""
        if isinstance(found.value, Undefined):
            return "none"
        nearest = found.value
        if self.surely:
            if not isinstance(found.interval, Interval):
                return "none"
            nearest = found.interval.high if self.below is not None else found.interval.low
        if nearest < self.threshold if self.below is not None else nearest > self.threshold:
            return "breach"
        return (
            "clear" if self._is_clear(found.value, self.threshold if self.clear is None else self.clear) else "between"
        )

    def _is_clear(self, value: float, at: float) -> bool:
        return value >= at if self.below is not None else value <= at


@final
@attrs.frozen
class Standing:
    """How a monitor stands. `told` is whether the alert that is on was told; `muted` counts those that never were."""

    condition: Condition = "no_data"
    breaches: int = 0
    told: bool = False
    told_at: float | None = None
    muted: int = 0


def moved(
    standing: Standing, judged: Judged, now: float, /, *, breaches: int, cooldown: float, no_data: NoData
) -> tuple[Standing, EventKind | None]:
    """How it stands after one more check, and what is to be told. Pure: time is what the caller says it is."""
    is_on = standing.condition == "alerting"
    if judged == "none" and no_data != "alert":
        if is_on and no_data == "ignore":
            return standing, None
        return _ended(standing, "no_data", standing.breaches if no_data == "ignore" else 0)
    if judged in {"clear", "between"}:
        if is_on and judged == "between":
            return _announced(attrs.evolve(standing, breaches=0), now, cooldown)
        return _ended(standing, "ok", 0)
    count = min(standing.breaches + 1, breaches)
    if not is_on and count < breaches:
        waiting: Condition = "no_data" if judged == "none" else "ok"
        return attrs.evolve(standing, condition=waiting, breaches=count), None
    return _announced(attrs.evolve(standing, condition="alerting", breaches=count), now, cooldown)


def _announced(standing: Standing, now: float, cooldown: float) -> tuple[Standing, EventKind | None]:
    """Tell the alert that is on, unless it was told, or another one a short time ago."""
    if standing.told or (standing.told_at is not None and now - standing.told_at < cooldown):
        return standing, None
    return attrs.evolve(standing, told=True, told_at=now), "alert"


def _ended(standing: Standing, condition: Condition, breaches: int) -> tuple[Standing, EventKind | None]:
    """What was told is resolved; what was not is counted."""
    muted = standing.muted + (standing.condition == "alerting" and not standing.told)
    now = attrs.evolve(standing, condition=condition, breaches=breaches, told=False, muted=muted)
    return now, "resolved" if standing.told else None


def _expect(given: object, kind: type, call: str, example: str) -> None:
    if not isinstance(given, kind):
        raise DefinitionError(f"{call} takes a {kind.__name__}, such as {example}, not {shown(given)}")
