"""Monitors: when they alert, when that is over, and what is told of it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from live.health.stream import Hands, coins, seen, tell

from scorewright.faults import DefinitionError
from scorewright.live.health import (
    COVERAGE,
    FAILURE_RATE,
    MEAN,
    Baseline,
    Drift,
    Event,
    Health,
    Monitor,
    Window,
    pass_rate_at,
    percentile,
)


def monitor(**settings: object) -> Monitor:
    """One of the mean of the last ten runs."""
    make: Callable[..., Monitor] = Monitor
    given: dict[str, object] = {
        "scorer": "polite",
        "measure": MEAN,
        "below": 0.5,
        "window": Window(count=10),
        "least": 5,
    }
    given |= settings
    if settings.get("above") is not None:
        given.pop("below")
    return make("m", **given)


def watched(given: Monitor | Drift, **settings: object) -> tuple[Health, Hands]:
    """Its health, whose clock is turned by hand."""
    clock = Hands()
    make: Callable[..., Health] = Health
    return make(given, every=None, clock=clock, wall=lambda: 1_800_000_000.0, **settings), clock


def kinds(events: tuple[Event, ...]) -> list[str]:
    """What they tell."""
    return [event.kind for event in events]


def condition(health: Health) -> str:
    """How the one monitor stands."""
    (status,) = health.statuses()
    return status.condition


def test_a_monitor_alerts_and_is_resolved_once_each() -> None:
    """However often it is looked at."""
    health, clock = watched(monitor())
    assert (kinds(health.check()), condition(health)) == ([], "no_data")
    tell(health, clock, *[1.0] * 10)
    assert (kinds(health.check()), condition(health)) == ([], "ok")
    tell(health, clock, *[0.0] * 6)
    assert (kinds(health.check()), condition(health)) == (["alert"], "alerting")
    assert kinds(health.check()) == []
    tell(health, clock, *[1.0] * 10)
    assert (kinds(health.check()), condition(health)) == (["resolved"], "ok")


def test_too_few_runs_are_no_data() -> None:
    """However bad they are."""
    health, clock = watched(monitor())
    tell(health, clock, *[0.0] * 4)
    assert (kinds(health.check()), condition(health)) == ([], "no_data")
    (status,) = health.statuses()
    assert status.why == "4 of the 5 runs that it takes"


@pytest.mark.parametrize(
    ("settings", "bad", "good"),
    [
        ({"measure": pass_rate_at(0.6), "below": 0.5}, [0.55] * 10, [0.6] * 10),
        ({"measure": percentile(50), "below": 0.5}, [0.4] * 10, [0.5] * 10),
        ({"measure": percentile(50), "above": 0.5}, [0.6] * 10, [0.5] * 10),
        ({"measure": COVERAGE, "below": 0.5}, ["failed", "not_scorable"] * 3 + [1.0] * 4, [1.0] * 10),
        ({"measure": FAILURE_RATE, "above": 0.3}, ["failed"] * 4 + [1.0] * 6, ["not_scorable"] * 9 + ["failed"]),
        ({"measure": MEAN, "above": 0.5}, [0.6] * 10, [0.5] * 10),
    ],
)
def test_every_measure_can_be_watched(settings: dict[str, object], bad: list[float], good: list[float]) -> None:
    """The threshold itself is no breach."""
    health, clock = watched(monitor(**settings))
    tell(health, clock, *bad)
    assert kinds(health.check()) == ["alert"]
    tell(health, clock, *good)
    assert kinds(health.check()) == ["resolved"]


def test_breaches_have_to_come_in_a_row() -> None:
    """One good check begins the count anew."""
    health, clock = watched(monitor(breaches=3, window=Window(count=5)))
    told = list[str]()
    for scores in ([0.0] * 5, [0.0] * 5, [1.0] * 5, [0.0] * 5, [0.0] * 5, [0.0] * 5):
        tell(health, clock, *scores)
        told.append("".join(kinds(health.check())))
    assert told == ["", "", "", "", "", "alert"]


def test_between_the_threshold_and_clear_an_alert_stays() -> None:
    """And none begins."""
    health, clock = watched(monitor(clear=0.8))
    told = list[tuple[list[str], str]]()
    for score in (0.6, 0.4, 0.6, 0.8, 0.6):
        tell(health, clock, *[score] * 10)
        told.append((kinds(health.check()), condition(health)))
    assert told == [([], "ok"), (["alert"], "alerting"), ([], "alerting"), (["resolved"], "ok"), ([], "ok")]


def test_within_the_cooldown_an_alert_is_not_told_and_neither_is_its_end() -> None:
    """One that outlasts it is told then; those that were not told are counted."""
    health, clock = watched(monitor(cooldown=100))

    def look(score: float, at: float) -> list[str]:
        tell(health, clock, *[score] * 10, step=0.0)
        clock.at = at
        return kinds(health.check())

    assert [look(0.0, 0), look(1.0, 10), look(0.0, 20), look(1.0, 30)] == [["alert"], ["resolved"], [], []]
    (status,) = health.statuses()
    assert status.muted == 1
    assert [look(0.0, 40), look(0.0, 99), look(0.0, 100), look(1.0, 101)] == [[], [], ["alert"], ["resolved"]]


@pytest.mark.parametrize(
    ("policy", "told", "then"),
    [("ignore", [], "alerting"), ("resolve", ["resolved"], "no_data"), ("alert", [], "alerting")],
)
def test_what_becomes_of_an_alert_when_no_more_runs_come(policy: str, told: list[str], then: str) -> None:
    """Is said by the policy."""
    health, clock = watched(monitor(window=Window(seconds=60), no_data=policy))
    tell(health, clock, *[0.0] * 10)
    assert kinds(health.check()) == ["alert"]
    clock.at += 1000
    assert (kinds(health.check()), condition(health)) == (told, then)


@pytest.mark.parametrize(
    ("policy", "told", "then"),
    [("ignore", [], "no_data"), ("resolve", [], "no_data"), ("alert", ["alert"], "alerting")],
)
def test_what_becomes_of_a_good_state_when_no_more_runs_come(policy: str, told: list[str], then: str) -> None:
    """Silence is an alert only where that is wished."""
    health, clock = watched(monitor(window=Window(seconds=60), no_data=policy))
    tell(health, clock, *[1.0] * 10)
    health.check()
    clock.at += 1000
    assert (kinds(health.check()), condition(health)) == (told, then)


def test_surely_needs_the_whole_interval() -> None:
    """Six of ten may be chance; of a hundred it is none."""
    health, clock = watched(monitor(measure=pass_rate_at(0.5), below=0.75, window=Window(count=100), surely=True))
    tell(health, clock, *([1.0] * 6 + [0.0] * 4))
    assert kinds(health.check()) == []
    tell(health, clock, *([1.0] * 6 + [0.0] * 4) * 9)
    assert kinds(health.check()) == ["alert"]


def test_a_clock_that_goes_back_stands_still() -> None:
    """Nothing is let go of, nothing alerts twice, and it goes on when the clock has caught up."""
    health, clock = watched(monitor(window=Window(seconds=60), cooldown=100))
    tell(health, clock, *[0.0] * 10)
    assert kinds(health.check()) == ["alert"]
    clock.at = -5000.0
    tell(health, clock, 0.0)
    assert (kinds(health.check()), condition(health)) == ([], "alerting")
    (status,) = health.statuses()
    assert status.held is not None
    assert status.held.coverage.n == 11
    clock.at = 69.0
    assert (kinds(health.check()), condition(health)) == ([], "alerting")
    (status,) = health.statuses()
    assert status.held is not None
    assert status.held.coverage.n == 2  # the run of the 10th second, and the one that came when the clock was back


def test_a_clock_that_leaps_ahead_empties_the_windows() -> None:
    """As time does."""
    health, clock = watched(monitor(window=Window(seconds=60)))
    tell(health, clock, *[1.0] * 10)
    clock.at = 1e12
    assert (kinds(health.check()), condition(health)) == ([], "no_data")
    tell(health, clock, *[1.0] * 10)
    assert (kinds(health.check()), condition(health)) == ([], "ok")


def test_an_event_tells_numbers_and_ids_and_nothing_that_was_said() -> None:
    """Reasons only where the health keeps content."""
    for content in (False, True):
        health, clock = watched(monitor(), content=content)
        for at in range(10):
            clock.at += 1
            run = seen(at / 20, clock.at, run=f"r{at}")
            health.observe(type(run)(run.scorer, run.state, run.score, run.at, run.run_id, f"secret {at}"))
        (event,) = health.check()
        assert event.examples == ("r0", "r1", "r2", "r3", "r4")  # the worst first
        assert event.form["type"] == "alert"
        assert event.at == "2027-01-15T08:00:00.000+00:00"
        assert ("secret" in str(event.form)) is content
        assert event.reasons == (("secret 0", "secret 1", "secret 2", "secret 3", "secret 4") if content else ())
        assert event.status.rule == "mean of polite below 0.5 in the last 10 runs"


def test_an_event_of_failures_names_runs_that_failed() -> None:
    """The latest first."""
    health, clock = watched(monitor(measure=FAILURE_RATE, above=0.1))
    for at, state in enumerate(("scored", "failed", "not_scorable", "failed", "scored")):
        clock.at += 1
        health.observe(seen(1.0, clock.at, state, run=f"r{at}"))  # type: ignore[arg-type]  # of a tuple of literals
    (event,) = health.check()
    assert event.examples == ("r3", "r1")


def test_a_drift_alerts_once_and_is_resolved_by_a_reset() -> None:
    """And begins with no data."""
    health, clock = watched(Drift("d", scorer="polite", baseline=Baseline.known(0.8)))
    assert (kinds(health.check()), condition(health)) == ([], "no_data")
    tell(health, clock, *coins(1, 0.8, 100))
    assert (kinds(health.check()), condition(health)) == ([], "ok")
    tell(health, clock, *[0.0] * 30)
    (event,) = health.check()
    assert event.kind == "alert"
    assert "it alerted after" in event.status.why
    tell(health, clock, *[1.0] * 30)
    assert (kinds(health.check()), condition(health)) == ([], "alerting")
    health.reset("d")
    assert (kinds(health.check()), condition(health)) == (["resolved"], "ok")


def test_what_is_not_there_cannot_be_reset() -> None:
    """What is there is named."""
    health, _ = watched(monitor())
    with pytest.raises(DefinitionError, match="there are m"):
        health.reset("x")


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"scorer": ""}, "takes a text"),
        ({"measure": "mean"}, "takes a Measure"),
        ({"window": 60}, "takes a Window"),
        ({"below": None}, "one threshold"),
        ({"below": "0.5"}, "takes a number"),
        ({"below": True}, "takes a number"),
        ({"clear": 0.4}, "at or above below=0.5"),
        ({"above": 0.5, "clear": 0.6}, "at or below above=0.5"),
        ({"least": 0}, "whole number"),
        ({"least": 11}, "from 1 to 10"),
        ({"breaches": 0}, "whole number"),
        ({"cooldown": -1}, "0 or more"),
        ({"no_data": "panic"}, '"ignore", "alert" or "resolve"'),
        ({"surely": 1}, "True or False"),
        ({"surely": True, "measure": percentile(50)}, "no interval"),
    ],
)
def test_a_mistake_in_a_monitor_is_told_where_it_is_made(settings: dict[str, object], said: str) -> None:
    """With what would be right."""
    with pytest.raises(DefinitionError, match=said):
        monitor(**settings)


def test_two_thresholds_are_one_too_many() -> None:
    """A second monitor takes the other."""
    with pytest.raises(DefinitionError, match="one threshold"):
        Monitor("m", scorer="s", measure=MEAN, below=0.1, above=0.9)
