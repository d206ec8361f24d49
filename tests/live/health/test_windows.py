"""Windows by time and by count: what they hold, what they let go of, and what it comes to."""

from __future__ import annotations

from collections import deque

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from live.health.stream import seen

from scorewright.faults import DefinitionError
from scorewright.live.health import COVERAGE, FAILURE_RATE, MEAN, Measure, Window, pass_rate_at, percentile
from scorewright.live.health.reading import exact_percentile, measured
from scorewright.live.health.windows import Rolling
from scorewright.statistics import Interval, Undefined, wilson
from scorewright.suites.coverage import Coverage

STEPS = st.lists(st.tuples(st.floats(0, 30), st.sampled_from([0.0, 0.25, 1.0, None])), max_size=60)


@given(STEPS, st.one_of(st.none(), st.floats(1, 60)), st.one_of(st.none(), st.integers(1, 20)))
def test_a_window_holds_what_a_plain_reading_of_its_definition_holds(
    steps: list[tuple[float, float | None]], seconds: float | None, count: int | None
) -> None:
    """The latest runs that are young enough."""
    if seconds is None and count is None:
        seconds = 10.0
    rolling = Rolling(Window(seconds, count))
    told, now = list[tuple[float, float | None]](), 0.0
    for after, score in steps:
        now += after
        rolling.add(seen(score, now, "scored" if score is not None else "failed"))
        told.append((now, score))
        held = rolling.held(now)
        kept = [each for each in told[-count if count else 0 :] if seconds is None or each[0] > now - seconds]
        assert held.scores == tuple(score for _, score in kept if score is not None)
        assert held.coverage == Coverage(len(held.scores), 0, len(kept) - len(held.scores))


def test_time_alone_empties_a_window() -> None:
    """Also where nothing comes."""
    rolling = Rolling(Window(seconds=10))
    rolling.add(seen(1.0, 5.0))
    assert rolling.held(14.9).coverage.n == 1
    assert rolling.held(15.0).coverage.n == 0


def test_what_comes_late_counts_as_of_the_latest() -> None:
    """So that nothing stands out of order."""
    rolling = Rolling(Window(seconds=10))
    for at in (20.0, 3.0):
        rolling.add(seen(1.0, at))
    assert rolling.held(29.9).coverage.n == 2
    assert rolling.held(30.0).coverage.n == 0


def test_a_window_is_bounded_and_says_that_it_was_cut() -> None:
    """While what it let go of would still be young enough."""
    rolling = Rolling(Window(seconds=100, most=50))
    for at in range(80):
        rolling.add(seen(1.0, float(at)))
    assert len([*rolling]) == 50
    assert rolling.held(80.0).is_cut
    assert not rolling.held(130.0).is_cut
    assert not rolling.held(130.0).coverage.n_failed


def test_dropped_runs_leave_with_their_time() -> None:
    """And are unknown where nobody counts them."""
    rolling = Rolling(Window(seconds=10))
    assert rolling.held(0.0).dropped is None
    rolling.drop(0, 0.0)
    assert rolling.held(0.0).dropped == 0
    rolling.drop(3, 1.0)
    rolling.drop(4, 5.0)
    assert [rolling.held(at).dropped for at in (10.0, 11.0, 15.0)] == [7, 4, 0]


def test_dropped_runs_leave_a_window_of_so_many_runs_with_the_runs_around_them() -> None:
    """They are older than all that is held."""
    rolling = Rolling(Window(count=2))
    rolling.drop(9, 1.0)
    rolling.add(seen(1.0, 2.0))
    assert rolling.held(2.0).dropped == 9
    rolling.add(seen(1.0, 3.0))
    assert rolling.held(3.0).dropped == 0


@given(st.lists(st.floats(-5, 5), min_size=1, max_size=200), st.integers(1, 99))
def test_percentiles_are_those_of_numpy_where_there_are_enough_runs(scores: list[float], p: int) -> None:
    """Else there is none."""
    found = exact_percentile(scores, p)
    if len(scores) * min(p, 100 - p) < 100:
        assert isinstance(found, Undefined)
    else:
        assert found == pytest.approx(float(np.percentile(scores, p)))


def test_the_numbers_of_a_window_come_with_intervals_and_few_runs_with_none() -> None:
    """Shares are Wilson's."""
    rolling = Rolling(Window(count=100))
    for score in (1.0, 1.0, 0.25, 0.75):
        rolling.add(seen(score))
    for state in ("failed", "not_scorable"):
        rolling.add(seen(None, 0.0, state))
    rolling.drop(2, 0.0)
    held = rolling.held(0.0)

    def of(measure: Measure, least: int = 1) -> object:
        return measured(held, measure, least=least, level=0.95).value

    assert (of(MEAN), of(pass_rate_at(0.5)), of(percentile(50))) == (0.75, 0.75, 0.875)
    assert (of(COVERAGE), of(FAILURE_RATE)) == (4 / 8, 1 / 6)
    assert measured(held, COVERAGE, least=1, level=0.95).interval == wilson(4, 8)
    assert isinstance(measured(held, MEAN, least=1, level=0.95).interval, Interval)
    assert of(MEAN, 5) == Undefined("4 of the 5 runs that it takes")
    assert isinstance(of(percentile(99)), Undefined)


@pytest.mark.parametrize(
    ("made", "said"),
    [
        (Window, "seconds=, count="),
        (lambda: Window(seconds=0), "seconds above 0"),
        (lambda: Window(seconds=float("nan")), "seconds above 0"),
        (lambda: Window(count=0), "whole number"),
        (lambda: Window(count=20, most=10), "from 1 to 10"),
        (lambda: pass_rate_at(float("inf")), "score at which a run passes"),
        (lambda: percentile(100), "between 0 and 100"),
        (lambda: Measure("mean", 3), "takes no number"),
        (lambda: Measure("pass_rate"), "needs number"),
    ],
)
def test_a_mistake_in_a_window_or_a_measure_is_told_where_it_is_made(made: object, said: str) -> None:
    """With what would be right."""
    assert callable(made)
    with pytest.raises(DefinitionError, match=said):
        made()


def test_adding_touches_no_more_than_it_must() -> None:
    """Each run enters once and leaves once, however long the window is."""

    class Counting(deque[object]):
        left = 0

        def popleft(self) -> object:
            Counting.left += 1
            return super().popleft()

    rolling = Rolling(Window(count=1000))
    rolling._held = Counting()  # type: ignore[assignment]  # what it costs shows nowhere else
    for at in range(5000):
        rolling.add(seen(1.0, float(at)))
    assert Counting.left == 4000
