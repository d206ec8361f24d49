"""A health beside a running `Live`: every fate is seen, and nothing stands in the way."""

from __future__ import annotations

import gc
import os
import threading
import weakref
from collections.abc import Callable
from threading import Event as Flag

import pytest
from live.health.stream import Hands, coins, seen, tell
from live.watching import PATIENCE, Gate, number, polite

from scorewright import Run
from scorewright.faults import DefinitionError
from scorewright.live import Callback, Live, submit
from scorewright.live.health import COVERAGE, MEAN, Event, Health, Monitor, Window
from scorewright.statistics import Interval, Undefined
from scorewright.suites.coverage import Coverage

LOW = Monitor("low", scorer="number", measure=MEAN, below=0.5, window=Window(count=5), least=3)


def test_a_health_sees_every_fate_that_the_live_counts() -> None:
    """Scored, not scorable, failed and dropped; to the unit."""
    gate, health = Gate(), Health(every=None)
    live = Live(health, queue=4, metrics=False)
    health.follow(live)
    for at, output in enumerate(("1", "0", "none", "fail")):
        submit(Run("q", output, run_id=f"r{at}"), number, live=live)
    assert live.flush(PATIENCE)
    for _ in range(10):
        submit(Run("q", "1"), gate.scorer, live=live)
    assert gate.begun.wait(PATIENCE)
    gate.open.set()
    assert live.shutdown(PATIENCE)
    readings = {each.scorer: each for each in health.readings()}
    assert readings["number"].held.coverage == Coverage(2, 1, 1)
    for scorer in ("number", "gated"):
        counts, held = live.counts(scorer), readings[scorer].held
        assert (held.coverage.n_scored, held.coverage.n_not_scorable, held.coverage.n_failed, held.dropped) == (
            counts.scored, counts.not_scorable, counts.failed, counts.dropped,
        )  # fmt: skip
    assert readings["gated"].held.dropped == 6


def test_what_was_dropped_before_it_followed_is_not_counted() -> None:
    """The window is of now."""
    gate, health = Gate(), Health(Monitor("c", scorer="gated", measure=COVERAGE, below=0.9, least=1), every=None)
    live = Live(health, queue=1, metrics=False)
    for _ in range(3):
        submit(Run("q", "1"), gate.scorer, live=live)
    health.follow(live)
    for _ in range(5):
        submit(Run("q", "1"), gate.scorer, live=live)
    (event,) = health.check()
    assert event.status.held is not None
    assert event.status.held.dropped == 5
    gate.open.set()
    assert live.shutdown(PATIENCE)


def test_an_alert_is_told_while_the_program_runs() -> None:
    """By a thread of the health, without a call."""
    told, came = list[Event](), Flag()

    def tell_me(event: Event) -> None:
        told.append(event)
        came.set()

    with Health(LOW, every=0.01, notify=tell_me) as health, Live(health, metrics=False) as live:
        for _ in range(3):
            submit(Run("q", "0"), number, live=live)
        assert came.wait(PATIENCE)
    assert [event.kind for event in told] == ["alert"]


def test_at_the_end_there_is_a_last_look() -> None:
    """So that a short program is watched too."""
    told = list[Event]()
    with Health(LOW, every=3600, notify=told.append) as health, Live(health, metrics=False) as live:
        for _ in range(3):
            submit(Run("q", "0"), number, live=live)
    assert [event.kind for event in told] == ["alert"]


def test_other_sinks_get_their_scores_whatever_becomes_of_the_health() -> None:
    """A clock that raises is counted as a sink that failed, and ends nothing."""

    def broken() -> float:
        raise ValueError("no time")

    scores = list[object]()
    live = Live(Health(every=None, clock=broken), Callback(scores.append), metrics=False)
    submit(Run("q", "1"), number, live=live)
    assert live.shutdown(PATIENCE)
    assert len(scores) == 1
    assert dict(live.counts().reasons) == {"unstored: Health raised ValueError": 1}


def test_a_look_that_raises_is_not_the_last() -> None:
    """The thread goes on."""
    looks, again = list[int](), Flag()

    def clock() -> float:
        looks.append(1)
        if len(looks) > 2:
            again.set()
        raise ValueError("no time")

    health = Health(LOW, every=0.001, clock=clock)
    health._ticker.start()
    assert again.wait(PATIENCE)
    assert health._ticker.stop()


def test_numbers_come_with_intervals_and_few_runs_with_none() -> None:
    """Each scorer passes where it is said."""
    clock = Hands()
    health = Health(every=None, clock=clock, pass_at={"polite": 0.8}, least=10, percentiles=(50, 99))
    tell(health, clock, *[0.7, 0.9] * 4)
    (reading,) = health.readings()
    assert reading.mean.value == Undefined("8 of the 10 runs that it takes")
    tell(health, clock, *[0.7, 0.9] * 4)
    (reading,) = health.readings()
    assert (reading.pass_at, reading.pass_rate.value) == (0.8, 0.5)
    assert isinstance(reading.mean.interval, Interval)
    assert reading.mean.value == pytest.approx(0.8)
    assert 0.8 in reading.mean.interval
    assert reading.percentiles[50] == pytest.approx(0.8)
    assert isinstance(reading.percentiles[99], Undefined)


def test_a_window_becomes_a_baseline() -> None:
    """The scores that it holds."""
    clock = Hands()
    health = Health(every=None, clock=clock)
    tell(health, clock, *coins(1, 0.8, 200), "failed")
    assert health.baseline("polite").scores == tuple(coins(1, 0.8, 200))


def test_memory_is_bounded_by_the_windows_and_the_scorers() -> None:
    """Ten thousand names of scorers are not ten thousand windows."""
    health = Health(LOW, every=None, window=Window(seconds=1e9, most=100))
    for at in range(10_000):
        health.observe(seen(1.0, float(at), scorer=f"s{at}"))
    for at in range(10_000):
        health.observe(seen(1.0, float(at), scorer="number"))
    readings = health.readings()
    assert len(readings) == 1000
    assert max(each.held.coverage.n for each in readings) <= 100
    (status,) = health.statuses()  # what is watched is seen all the same
    assert status.held is not None
    assert status.held.coverage.n == 5


def test_a_health_that_nobody_has_ends_its_thread() -> None:
    """It keeps nothing alive."""
    health = Health(LOW, every=0.001)
    health.keep([])
    thread = next(each for each in threading.enumerate() if each.name == "scorewright-health")
    gone = weakref.ref(health)
    del health
    thread.join(PATIENCE)
    gc.collect()
    assert gone() is None
    assert not thread.is_alive()


@pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning")
def test_a_fork_begins_with_empty_windows() -> None:
    """What the parent saw the parent tells; the child's own health works, its thread too."""
    told, came = list[Event](), Flag()
    read, write = os.pipe()

    def tell_me(event: Event) -> None:
        told.append(event)
        came.set()

    health = Health(LOW, every=0.005, notify=tell_me)
    health.observe(seen(0.0, 0.0, scorer="number"))
    health.keep([])
    child = os.fork()
    if not child:
        try:
            empty = not any(each.held.coverage.n for each in health.readings())
            for _ in range(3):
                health.observe(seen(0.0, health._clock(), scorer="number"))
            health.keep([])
            os.write(write, b"fine" if empty and came.wait(PATIENCE) else b"not so")
        finally:
            os._exit(0)
    os.waitpid(child, 0)
    assert os.read(read, 10) == b"fine"
    os.close(read)
    os.close(write)
    assert health.close(PATIENCE)
    assert told == []


def test_threads_may_tell_and_read_at_once() -> None:
    """Nothing is lost."""
    health = Health(LOW, every=None, window=Window(count=10_000))

    def run() -> None:
        for _ in range(500):
            health.observe(seen(1.0, 0.0, scorer="number"))
            health.check()

    threads = [threading.Thread(target=run) for _ in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    (reading,) = health.readings()
    assert reading.held.coverage.n_scored == 2000


@pytest.mark.parametrize(
    ("made", "said"),
    [
        (lambda: Health(polite), "takes monitors and drifts"),  # type: ignore[arg-type]  # what is tested
        (lambda: Health(LOW, LOW), "two monitors have the name"),
        (lambda: Health(window=60), "takes a Window"),  # type: ignore[arg-type]  # what is tested
        (lambda: Health(every=0), "seconds above 0"),
        (lambda: Health(least=0), "whole number"),
        (lambda: Health(level=2), "between 0 and 1"),
        (lambda: Health(notify=[7]), "takes a function"),  # type: ignore[list-item]  # what is tested
        (lambda: Health(content=1), "True or False"),  # type: ignore[arg-type]  # what is tested
        (lambda: Health(percentiles=(0,)), "between 0 and 100"),
        (lambda: Health(pass_at="x"), "score at which a run passes"),  # type: ignore[arg-type]  # what is tested
    ],
)
def test_a_mistake_in_a_health_is_told_where_it_is_made(made: Callable[[], object], said: str) -> None:
    """With what would be right."""
    with pytest.raises(DefinitionError, match=said):
        made()
