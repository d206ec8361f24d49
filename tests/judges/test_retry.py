"""How long is waited before a retry, and who may say so."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from time import monotonic

import pytest
from fakes.openai_server import FakeOpenAI, said, status
from judges.asking import GOOD, MODES, Mode, ask, fault_of, faults, judge_at, scorer

from scorewright import Bench, DefinitionError, Run
from scorewright.faults import Aborted, BadRequest, RateLimited, ServerError, TimedOut
from scorewright.judges import ErrorRetryProcessor, Match, Retry, Trouble, abort
from scorewright.judges.call import Signals
from scorewright.judges.retry import backoff, retry_after

modes = pytest.mark.parametrize("mode", MODES)


def trouble(headers: dict[str, str], retries: int = 0) -> Trouble:
    return Trouble(RateLimited("slow"), 429, Signals(headers=headers), retries)


def wait(headers: dict[str, str], processor: ErrorRetryProcessor | None = None) -> float:
    decided = (processor or ErrorRetryProcessor(delay=0))(trouble(headers))
    assert decided is not None
    return decided.wait


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "2"}, 2),
        ({"Retry-After": "2"}, 2),
        ({"RETRY-AFTER": " 2 "}, 2),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after-ms": "250"}, 0.25),
        ({"Retry-After-Ms": "250.5"}, 0.2505),
        ({"retry-after-ms": "250", "retry-after": "9"}, 0.25),
        ({"retry-after-ms": "soon", "retry-after": "9"}, 9),
        ({"retry-after": "600"}, 30),
        ({"retry-after": "9" * 250}, 30),
        ({"retry-after": "-1"}, 0),
        ({"retry-after": "soon"}, 0),
        ({"retry-after": "nan"}, 0),
        ({"retry-after": "inf"}, 0),
        ({"retry-after": "1e3"}, 0),
        ({"retry-after": "1_0"}, 0),
        ({"retry-after": "٣"}, 0),
        ({"retry-after": ""}, 0),
        ({"retry-after": "Mon, 01 Jan 1990 00:00:00 GMT"}, 0),
        ({"retry-after": "Mon, 99 Foo 99999 99:99:99 GMT"}, 0),
        ({"retry-after": "Fri, 31 Dec 9999 23:59:59 GMT"}, 30),
        ({}, 0),
    ],
)
def test_what_a_server_asks_for_is_understood(headers: dict[str, str], seconds: float) -> None:
    """Seconds, decimals, milliseconds, in whichever case; what is no time counts as nothing; 30 s are the most."""
    assert wait(headers) == pytest.approx(seconds)


@pytest.mark.parametrize("zone", ["GMT", "-0000"])
def test_a_date_is_a_moment_of_universal_time(zone: str) -> None:
    """As RFC 9110 wants it, also where the zone is left open."""
    soon = format_datetime(datetime.now(UTC) + timedelta(seconds=10), usegmt=True).replace("GMT", zone)
    assert wait({"retry-after": soon}) == pytest.approx(10, abs=1.5)


def test_the_longer_wait_counts() -> None:
    """Our own delay is not capped; the server's is."""
    patient = ErrorRetryProcessor(delay=3, max_retry_after=1)
    assert wait({"retry-after": "600"}, patient) == 3
    assert wait({"retry-after": "600"}, ErrorRetryProcessor(delay=0, max_retry_after=1)) == 1
    assert wait({"retry-after": "600"}, ErrorRetryProcessor(delay=0, max_retry_after=0)) == 0


def test_the_fault_says_what_the_server_asked_for() -> None:
    """Uncapped, for whoever schedules by it."""
    with FakeOpenAI([status(429, "slow", {"Retry-After": "600"})]) as server:
        assert fault_of(ask(server, error_processors=[])) == RateLimited("slow", 600.0)
    assert retry_after(Signals(headers={"Retry-After": "600"})) == 600


def test_delay_is_a_function_of_the_retries_so_far() -> None:
    """From 0."""
    seen: list[int] = []

    def delay(retries: int) -> float:
        seen.append(retries)
        return 0.001

    with FakeOpenAI(lambda *_: status(500)) as server:
        ask(server, error_processors=[ErrorRetryProcessor(max_retries=3, delay=delay)])
    assert seen == [0, 1, 2]


def test_a_matcher_has_its_own_delay() -> None:
    """Zero is a delay, not an absent one."""
    processor = ErrorRetryProcessor(delay=5, matchers=[Match(lambda _: True, delay=0)])
    assert wait({}, processor) == 0


@modes
@pytest.mark.parametrize("given", [-1.0, float("nan"), float("inf"), "soon", None])
def test_a_delay_that_is_no_time_is_a_mistake(given: object, mode: Mode) -> None:
    """As a number where it is written; from a function when it is asked, in one request."""
    with pytest.raises(DefinitionError, match="delay="):
        ErrorRetryProcessor(delay=given)  # type: ignore[arg-type]  # wrong on purpose
    with FakeOpenAI(lambda *_: status(500)) as server:
        processor = ErrorRetryProcessor(delay=lambda _: given)  # type: ignore[arg-type,return-value]  # wrong on purpose
        result = ask(server, mode, error_processors=[processor])
    assert isinstance(fault_of(result), Aborted)
    assert faults(result) == ["ServerError"]


@modes
def test_a_delay_that_raises_ends_the_ask(mode: Mode) -> None:
    """And is named, with the fault that it was asked about."""

    def delay(retries: int) -> float:
        raise ZeroDivisionError("never")

    with FakeOpenAI(lambda *_: status(500)) as server:
        fault = fault_of(ask(server, mode, error_processors=[ErrorRetryProcessor(delay=delay)]))
    assert fault == Aborted("ErrorRetryProcessor", "raised ZeroDivisionError: never, on ServerError")
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    "make",
    [
        lambda: ErrorRetryProcessor(max_retries=-1),
        lambda: ErrorRetryProcessor(max_retries=float("nan")),  # type: ignore[arg-type]  # wrong on purpose
        lambda: ErrorRetryProcessor(max_retries=True),
        lambda: ErrorRetryProcessor(max_retry_after=-1),
        lambda: ErrorRetryProcessor(max_retry_after=float("inf")),
        lambda: ErrorRetryProcessor(matchers=["429"]),  # type: ignore[list-item]  # wrong on purpose
        lambda: ErrorRetryProcessor(matchers=Match(bool)),  # type: ignore[arg-type]  # wrong on purpose
        lambda: ErrorRetryProcessor(matchers=bool),  # type: ignore[arg-type]  # wrong on purpose
        lambda: Match("429"),  # type: ignore[arg-type]  # wrong on purpose
        lambda: Match(lambda _: True, max_retries=-1),
        lambda: Match(lambda _: True, delay=-1),
        lambda: Retry(-1),
        lambda: Retry(float("nan")),
    ],
)
def test_limits_that_are_none_are_refused_where_they_are_written(make: Callable[[], object]) -> None:
    """NaN compares false with everything, and would retry for ever."""
    with pytest.raises(DefinitionError):
        make()


def test_waits_grow_and_are_spread() -> None:
    """Half a second doubled up to eight, a quarter more or less."""
    for retries, middle in enumerate([0.5, 1, 2, 4, 8, 8, 8]):
        drawn = [backoff(retries) for _ in range(300)]
        assert middle * 0.75 <= min(drawn) < middle < max(drawn) <= middle * 1.25


def test_many_retries_do_not_overflow() -> None:
    """The wait stays at its most."""
    assert backoff(10**4) <= 10


@modes
def test_nothing_is_waited_for_when_no_retry_follows(mode: Mode) -> None:
    """The last failure is told at once, whatever the delay."""
    began = monotonic()
    with FakeOpenAI(lambda *_: status(429, "", {"Retry-After": "20"})) as server:
        ask(server, mode, error_processors=[ErrorRetryProcessor(max_retries=0, delay=20)])
        ask(server, mode, error_processors=[ErrorRetryProcessor(delay=20)], max_processor_retries=0)
    assert monotonic() - began < 5
    assert len(server.requests) == 2


@modes
def test_a_wait_is_really_waited(mode: Mode) -> None:
    """A tenth of a second by the server's header."""
    began = monotonic()
    with FakeOpenAI([status(429, "", {"retry-after-ms": "100"}), said(GOOD)]) as server:
        assert ask(server, mode).unwrap().score == 0.5
    assert 0.1 <= monotonic() - began < 3


def test_cancelling_ends_a_wait_at_once() -> None:
    """And no further request is made."""
    with FakeOpenAI(lambda *_: status(500)) as server:
        asked = scorer(judge_at(server, error_processors=[ErrorRetryProcessor(delay=30)]))

        async def cancelled() -> float:
            async with Bench() as bench:
                task = asyncio.create_task(asked.run(Run("q", "a"), answer=bench.answer))
                while not server.requests:  # noqa: ASYNC110 - the server is in another thread
                    await asyncio.sleep(0.005)
                await asyncio.sleep(0.1)
                began = monotonic()
                task.cancel()
                with pytest.raises(asyncio.CancelledError):
                    await task
                return monotonic() - began

        assert asyncio.run(cancelled()) < 1
    assert len(server.requests) == 1


def test_cancelling_ends_a_request_at_once() -> None:
    """A timeout of the caller's own."""
    with FakeOpenAI(lambda *_: said(GOOD, delay=30)) as server:
        asked = scorer(judge_at(server))

        async def impatient() -> None:
            async with Bench() as bench:
                with pytest.raises(TimeoutError):
                    async with asyncio.timeout(0.2):
                        await asked.run(Run("q", "a"), answer=bench.answer)

        began = monotonic()
        asyncio.run(impatient())
        assert monotonic() - began < 3
    assert len(server.requests) == 1


@modes
def test_the_deadline_bounds_all_attempts(mode: Mode) -> None:
    """Three attempts of 0.6 s do not fit into a second."""
    began = monotonic()
    with FakeOpenAI(lambda *_: said(GOOD, delay=30)) as server:
        result = ask(server, mode, timeout=0.6, deadline=1.0)
    assert isinstance(fault_of(result), TimedOut)
    assert monotonic() - began < 3
    assert len(server.requests) == 2


@modes
def test_a_wait_beyond_the_deadline_is_not_begun(mode: Mode) -> None:
    """The failure itself is told, not that time ran out."""
    began = monotonic()
    with FakeOpenAI(lambda *_: status(503)) as server:
        result = ask(server, mode, deadline=5, error_processors=[ErrorRetryProcessor(delay=30)])
    assert isinstance(fault_of(result), ServerError)
    assert monotonic() - began < 3
    assert len(server.requests) == 1


@modes
def test_the_second_question_has_what_the_first_left_of_the_deadline(mode: Mode) -> None:
    """Both are one ask."""
    began = monotonic()
    with FakeOpenAI([said("no idea", delay=0.3), said(GOOD, delay=30)]) as server:
        result = ask(server, mode, deadline=0.5)
    assert isinstance(fault_of(result), TimedOut)
    assert monotonic() - began < 0.9 + 1
    assert len(server.requests) == 2


def test_the_deadline_also_bounds_waiting_for_a_place() -> None:
    """Where another ask holds the one place there is, nothing is sent."""

    async def second(server: FakeOpenAI) -> object:
        async with Bench() as bench:
            holding = asyncio.create_task(
                scorer(judge_at(server, concurrency=1)).run(Run("q", "first"), answer=bench.answer)
            )
            while not server.requests:  # noqa: ASYNC110 - the server is in another thread
                await asyncio.sleep(0.005)
            late = scorer(judge_at(server, concurrency=1, deadline=0.2))
            fault = fault_of(await late.run(Run("q", "second"), answer=bench.answer))
            holding.cancel()
            await asyncio.gather(holding, return_exceptions=True)
            return fault

    with FakeOpenAI(lambda *_: said(GOOD, delay=30)) as server:
        assert isinstance(asyncio.run(second(server)), TimedOut)
    assert len(server.requests) == 1


# Processors of one's own


@modes
def test_an_error_processor_may_be_async(mode: Mode) -> None:
    """It sees the fault, the status and the retries so far."""
    seen: list[tuple[str, int | None, int]] = []

    async def inspect(trouble: Trouble) -> Retry | None:
        seen.append((type(trouble.fault).__name__, trouble.status, trouble.retries))
        return Retry() if trouble.retries < 2 else None

    with FakeOpenAI(lambda *_: status(418, "teapot")) as server:
        result = ask(server, mode, error_processors=[inspect])
    assert seen == [("BadRequest", 418, 0), ("BadRequest", 418, 1), ("BadRequest", 418, 2)]
    assert fault_of(result) == BadRequest(418, "teapot")


@modes
def test_the_first_that_decides_is_heard(mode: Mode) -> None:
    """None hands the question on."""
    order: list[str] = []

    def first(trouble: Trouble) -> None:
        order.append("first")

    def second(trouble: Trouble) -> Retry | None:
        order.append("second")
        return Retry() if trouble.retries == 0 else None

    with FakeOpenAI(lambda *_: status(500)) as server:
        ask(server, mode, error_processors=[first, second])
    assert order == ["first", "second"] * 2
    assert len(server.requests) == 2


@modes
@pytest.mark.parametrize(
    ("decide", "why"),
    [
        (lambda _: Aborted("mine", "enough"), Aborted("mine", "enough")),
        (lambda _: abort("mine", "enough"), Aborted("mine", "enough")),
        (lambda _: Retry(-1), None),
        (lambda _: True, None),
        (lambda _: 1 / 0, None),
    ],
)
def test_an_error_processor_may_end_the_ask(
    decide: Callable[[Trouble], Retry], why: Aborted | None, mode: Mode
) -> None:
    """On purpose or by mistake: one request, `Aborted`, and the server's fault stays in the attempt."""
    with FakeOpenAI(lambda *_: status(500)) as server:
        result = ask(server, mode, error_processors=[decide])
    fault = fault_of(result)
    assert isinstance(fault, Aborted)
    assert why is None or fault == why
    assert faults(result) == ["ServerError"]
    assert len(server.requests) == 1


@modes
def test_a_processor_that_always_wants_more_is_bounded(mode: Mode) -> None:
    """And is not consulted where no retry is left."""
    asked: list[int] = []

    def more(trouble: Trouble) -> Retry:
        asked.append(trouble.retries)
        return Retry()

    with FakeOpenAI(lambda *_: status(400)) as server:
        ask(server, mode, error_processors=[more], max_processor_retries=2)
    assert asked == [0, 1]
    assert len(server.requests) == 3
