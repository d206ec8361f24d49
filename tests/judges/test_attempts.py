"""One budget for one ask: exactly the promised number of requests reaches the server, in every scenario and mode."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import attrs
import pytest
from fakes.openai_server import (
    Answer,
    FakeOpenAI,
    closed,
    completion,
    html,
    no_choices,
    raw,
    reset,
    said,
    status,
    truncated,
)
from judges.asking import AT_ONCE, GOOD, MODES, Mode, ask, came, fault_of, faults, judge_at, scorer
from returns.pipeline import is_successful

from scorewright import Bench, Run, create_scorer, ok, pure, reason_prompt, score_prompt
from scorewright.faults import (
    Aborted,
    BadRequest,
    ContentFiltered,
    ContextTooLong,
    EmptyReply,
    NotJson,
    QuotaExhausted,
    RateLimited,
    Refused,
    SchemaMismatch,
    ServerError,
    TimedOut,
    Truncated,
    Unauthorized,
    Unreachable,
)
from scorewright.judges import ErrorRetryProcessor, Judge, Match, ModelSettings, Trouble


def error(code: int, of: str, headers: dict[str, str] | None = None, message: str = "no") -> Answer:
    return status(code, {"error": {"message": message, "type": "error", "code": of}}, headers)


def told(code: str, **more: object) -> Answer:
    return raw(json.dumps({"error": {"message": "no", "code": code, **more}}))


@attrs.frozen
class Scenario:
    """What the server always answers, the fault that comes of it, and how many requests that takes by default."""

    name: str
    answer: Answer
    fault: type
    attempts: int


NO_RETRY, RETRY = {"x-should-retry": "false"}, {"x-should-retry": "true"}

SCENARIOS = (
    Scenario("500", status(500), ServerError, 3),
    Scenario("503", status(503), ServerError, 3),
    Scenario("529", error(529, "overloaded_error"), ServerError, 3),
    Scenario("408", status(408), TimedOut, 3),
    Scenario("409", status(409), BadRequest, 3),
    Scenario("429", status(429), RateLimited, 3),
    Scenario("429 with retry-after", status(429, "", {"Retry-After": "0"}), RateLimited, 3),
    Scenario("429 quota", error(429, "insufficient_quota"), QuotaExhausted, 1),
    Scenario("402", status(402), QuotaExhausted, 1),
    Scenario("500, not to be retried", status(500, "", NO_RETRY), ServerError, 1),
    Scenario("409, not to be retried", status(409, "", NO_RETRY), BadRequest, 1),
    Scenario("429, not to be retried", status(429, "", {"X-Should-Retry": "False"}), RateLimited, 1),
    Scenario("400", status(400), BadRequest, 1),
    Scenario("400, to be retried", status(400, "", RETRY), BadRequest, 1),
    Scenario("400 with an overload code", error(400, "engine_overloaded_error"), ServerError, 3),
    Scenario("context length", error(400, "context_length_exceeded"), ContextTooLong, 1),
    Scenario("413", status(413), ContextTooLong, 1),
    Scenario("content filter", error(400, "content_filter"), ContentFiltered, 1),
    Scenario("401", status(401), Unauthorized, 1),
    Scenario("401, to be retried", status(401, "", RETRY), Unauthorized, 1),
    Scenario("403", status(403), Unauthorized, 1),
    Scenario("404", status(404), BadRequest, 1),
    Scenario("redirect", status(302, "", {"Location": "http://127.0.0.1:1/v1"}), BadRequest, 1),
    Scenario("late", said(GOOD, delay=5), TimedOut, 3),
    Scenario("reset", reset(), Unreachable, 3),
    Scenario("closed", closed(), Unreachable, 3),
    Scenario("body ends early", truncated(said(GOOD)), Unreachable, 3),
    Scenario("page with 200", html(), NotJson, 1),
    Scenario("half a body", raw('{"choices": [{"mess'), NotJson, 1),
    Scenario("nothing with 200", raw(""), NotJson, 1),
    Scenario("error with 200", told("server_error"), ServerError, 3),
    Scenario("quota with 200", told("insufficient_quota"), QuotaExhausted, 1),
    Scenario("status inside 200", raw('{"error": {"code": 429, "message": "slow"}}'), RateLimited, 3),
    Scenario("bad request with 200", told("", type="invalid_request_error"), BadRequest, 1),
    Scenario("no JSON", said("I would say half"), NotJson, 2),
    Scenario("another shape", said('{"points": 1}'), SchemaMismatch, 2),
    Scenario("number as string", said('{"score": "0.8"}'), SchemaMismatch, 2),
    Scenario("refusal", said(None, refusal="I will not"), Refused, 1),
    Scenario("length", said('{"score": 0.', finish="length"), Truncated, 1),
    Scenario("filtered reply", said(GOOD, finish="content_filter"), ContentFiltered, 1),
    Scenario("null", said(None), EmptyReply, 1),
    Scenario("empty", said(" \n"), EmptyReply, 1),
    Scenario("no choices", no_choices(), EmptyReply, 1),
    Scenario("choice of another shape", completion([{"message": []}], (1, 1), "fake", 0), EmptyReply, 1),
)

modes = pytest.mark.parametrize("mode", MODES)
scenarios = pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.name)


def always(answer: Answer) -> Callable[[object, int], Answer]:
    return lambda *_: answer


def timeout_of(scenario: Scenario) -> float:
    return 0.5 if scenario.name == "late" else 20.0  # in which a request reaches the server on a busy machine too


@modes
@scenarios
def test_a_failure_takes_as_many_requests_as_the_table_says(scenario: Scenario, mode: Mode) -> None:
    """The retry processor with its limits, its waits switched off."""
    with FakeOpenAI(always(scenario.answer)) as server:
        result = ask(server, mode, timeout=timeout_of(scenario))
    assert isinstance(fault_of(result), scenario.fault)
    assert len(server.requests) == scenario.attempts == len(faults(result))


@modes
@scenarios
def test_without_error_processors_there_is_one_request(scenario: Scenario, mode: Mode) -> None:
    """Also no second question about a format."""
    with FakeOpenAI(always(scenario.answer)) as server:
        result = ask(server, mode, error_processors=[], timeout=timeout_of(scenario))
    assert isinstance(fault_of(result), scenario.fault)
    assert len(server.requests) == 1


@modes
@pytest.mark.parametrize("cap", [0, 1, 2])
@scenarios
def test_max_processor_retries_bounds_one_ask(scenario: Scenario, cap: int, mode: Mode) -> None:
    """Attempts = 1 + min(of both); the second question about a format counts as one."""
    with FakeOpenAI(always(scenario.answer)) as server:
        ask(server, mode, max_processor_retries=cap, timeout=timeout_of(scenario))
    assert len(server.requests) == min(scenario.attempts, 1 + cap)


def test_a_judge_as_it_comes_waits_between_its_attempts() -> None:
    """No error_processors given: one ErrorRetryProcessor, in both modes; all scenarios at once."""
    with ExitStack() as stack:
        servers = [
            (one, mode, stack.enter_context(FakeOpenAI(always(one.answer)))) for one in SCENARIOS for mode in MODES
        ]

        def one(scenario: Scenario, mode: Mode, server: FakeOpenAI) -> tuple[str, int]:
            asked = Judge("m", base_url=server.base_url, timeout=1.0 if scenario.name == "late" else 20.0)
            came(mode, scorer(asked))
            return scenario.name, len(server.requests)

        with ThreadPoolExecutor(len(servers)) as pool:
            seen = list(pool.map(lambda given: one(*given), servers))
    assert seen == [(scenario.name, scenario.attempts) for scenario in SCENARIOS for _ in MODES]


@modes
def test_an_error_with_200_has_a_plain_status(mode: Mode) -> None:
    """A number as any other, also in print."""
    with FakeOpenAI([told("server_error")]) as server:
        result = ask(server, mode, error_processors=[])
    assert repr(fault_of(result)) == "ServerError(status=500, why='no')"


@modes
def test_an_answer_ends_the_ask(mode: Mode) -> None:
    """Two failures, then an answer: three requests, whatever more would have been allowed."""
    with FakeOpenAI([status(500), reset(), said(GOOD)]) as server:
        result = ask(server, mode, error_processors=[ErrorRetryProcessor(max_retries=9, delay=0)])
    assert result.unwrap().score == 0.5
    assert faults(result) == ["ServerError", "Unreachable", "ok"]
    assert len(server.requests) == 3


@modes
def test_ten_retries_are_the_limit_where_none_is_said(mode: Mode) -> None:
    """A processor that always wants one more gets ten."""
    with FakeOpenAI(always(status(500))) as server:
        ask(server, mode, error_processors=[ErrorRetryProcessor(max_retries=99, delay=0)])
    assert len(server.requests) == 11


@modes
def test_the_second_question_shares_the_budget(mode: Mode) -> None:
    """Two failures have used the retries up: the unreadable third reply is not asked about."""
    with FakeOpenAI([status(500), status(500), said("no idea")]) as server:
        result = ask(server, mode)
    assert isinstance(fault_of(result), NotJson)
    assert len(server.requests) == 3


@modes
def test_what_fails_after_the_second_question_counts_with_what_failed_before(mode: Mode) -> None:
    """An unreadable reply, then failures: three requests in all."""
    with FakeOpenAI([said("no idea"), status(500), status(500)]) as server:
        result = ask(server, mode)
    assert isinstance(fault_of(result), ServerError)
    assert len(server.requests) == 3


@modes
def test_there_is_one_second_question(mode: Mode) -> None:
    """A judge that cannot keep to a format is asked twice, however many retries are left."""
    with FakeOpenAI(always(said("no idea"))) as server:
        ask(server, mode, error_processors=[ErrorRetryProcessor(max_retries=9, delay=0)])
    assert len(server.requests) == 2


@modes
def test_a_reason_that_fails_is_retried_alone(mode: Mode) -> None:
    """The score's prompt is sent once, the reason's twice; the step before runs once."""
    ran: list[str] = []
    with FakeOpenAI([said(GOOD), status(429), said("because")]) as server:
        asked = (
            create_scorer("judged", input=str, output=str, judge=judge_at(server))
            .preprocess(pure(lambda step: ran.append(step.run.output)))
            .generate_score(score_prompt(lambda _: "score it"))
            .generate_reason(reason_prompt(lambda step: f"why {step.score}?"))
        )
        result = came(mode, asked)
    assert result.unwrap().reason == "because"
    assert [prompt.partition("\n")[0] for prompt in server.prompts] == ["score it", "why 0.5?", "why 0.5?"]
    assert ran == ["what was said"]


@modes
def test_a_reason_that_fails_for_good_keeps_the_score(mode: Mode) -> None:
    """The failure holds the number that was paid for."""
    with FakeOpenAI([said('{"score": 0}'), *[status(503)] * 3]) as server:
        asked = (
            create_scorer("judged", input=str, output=str, judge=judge_at(server))
            .generate_score(score_prompt(lambda _: "score it"))
            .generate_reason(reason_prompt(lambda _: "why?"))
        )
        result = came(mode, asked)
    assert result.failure().score == 0
    assert len(server.requests) == 4


# Matchers


def named(fault: type) -> Callable[[Trouble], bool]:
    return lambda trouble: isinstance(trouble.fault, fault)


@modes
@pytest.mark.parametrize(
    ("answer", "fault"),
    [(status(401), Unauthorized), (status(400), BadRequest), (error(429, "insufficient_quota"), QuotaExhausted)],
    ids=["authentication", "bad request", "quota"],
)
def test_a_matcher_may_name_what_is_never_retried(answer: Answer, fault: type, mode: Mode) -> None:
    """By its own limit."""
    patient = ErrorRetryProcessor(max_retries=0, delay=0, matchers=[Match(named(fault), max_retries=4)])
    with FakeOpenAI(always(answer)) as server:
        ask(server, mode, error_processors=[patient])
    assert len(server.requests) == 5


@modes
def test_the_first_matcher_that_matches_decides(mode: Mode) -> None:
    """A later one that would allow more is not asked."""
    asked: list[str] = []

    def later(trouble: Trouble) -> bool:
        asked.append("later")
        return True

    patient = ErrorRetryProcessor(
        delay=0, matchers=[named(BadRequest), Match(named(ServerError), max_retries=1), Match(later, max_retries=9)]
    )
    with FakeOpenAI(always(status(500))) as server:
        ask(server, mode, error_processors=[patient])
    assert (len(server.requests), asked) == (2, [])


@modes
def test_a_bare_predicate_has_the_limits_of_its_processor(mode: Mode) -> None:
    """`matchers=[predicate]` is `Match(predicate)`."""
    with FakeOpenAI(always(status(404))) as server:
        ask(server, mode, error_processors=[ErrorRetryProcessor(max_retries=1, delay=0, matchers=[named(BadRequest)])])
    assert len(server.requests) == 2


@modes
def test_a_predicate_that_raises_ends_the_ask_and_is_named(mode: Mode) -> None:
    """A mistake in user code is seen, and what the server said stays in the attempt."""
    broken = ErrorRetryProcessor(delay=0, matchers=[lambda trouble: trouble.nothing])  # type: ignore[attr-defined]  # wrong on purpose
    with FakeOpenAI(always(status(500))) as server:
        result = ask(server, mode, error_processors=[broken])
    fault = fault_of(result)
    assert isinstance(fault, Aborted)
    assert "AttributeError" in fault.why
    assert faults(result) == ["ServerError"]
    assert len(server.requests) == 1


@modes
@pytest.mark.parametrize(("patient", "times"), [(False, 1), (True, 3)])
def test_an_unknown_error_is_retried_on_request(patient: bool, times: int, mode: Mode) -> None:
    """What a model function raises, and is no lost connection, is unknown."""
    from scorewright.judges import calling

    calls: list[str] = []

    async def model(call: object) -> str:
        calls.append("asked")
        raise LookupError("who knows")

    processor = ErrorRetryProcessor(delay=0, retry_unknown_errors=patient)
    came(mode, scorer(Judge(calling(model, identity="mine"), error_processors=[processor])))
    assert len(calls) == times


@modes
def test_a_lost_connection_of_a_model_function_is_retried(mode: Mode) -> None:
    """Found along the chain of causes."""
    from scorewright.judges import calling

    calls: list[str] = []

    async def model(call: object) -> str:
        calls.append("asked")
        try:
            raise ConnectionResetError("gone")
        except OSError as lost:
            raise RuntimeError("the client gave up") from lost

    came(mode, scorer(Judge(calling(model, identity="mine"), error_processors=[AT_ONCE])))
    assert len(calls) == 3


# What a server taught


NATIVE = "mistral/mistral-small-latest"


def refuses_formats(body: dict[str, object], number: int) -> Answer:
    return status(400, "response_format is not supported here") if "response_format" in body else said(GOOD)


@modes
def test_a_refused_format_is_asked_for_once(mode: Mode) -> None:
    """Twenty rows one after another make twenty-one requests: the refusal is remembered."""
    with FakeOpenAI(refuses_formats) as server:
        asked = scorer(judge_at(server, model=NATIVE))

        async def rows() -> list[float]:
            async with Bench() as bench:
                return [(await asked.run(Run("q", str(n)), answer=bench.answer)).unwrap().score for n in range(20)]

        if mode == "async":
            assert asyncio.run(rows()) == [0.5] * 20
        else:
            assert [came(mode, asked, str(n)).unwrap().score for n in range(20)] == [0.5] * 20
    assert len(server.requests) == 21
    assert ["response_format" in request.json for request in server.requests] == [True] + [False] * 20


@modes
def test_the_downgrade_counts_in_the_budget(mode: Mode) -> None:
    """With no retry left the refusal is the fault, but it is learnt: the next ask is one request, and answered."""
    with FakeOpenAI(refuses_formats) as server:
        asked = scorer(judge_at(server, model=NATIVE, error_processors=[]))

        async def both() -> list[bool]:
            async with Bench() as bench:
                return [is_successful(await asked.run(Run("q", "a"), answer=bench.answer)) for _ in range(2)]

        first, second = asyncio.run(both()) if mode == "async" else [is_successful(came(mode, asked)) for _ in range(2)]
    assert (first, second, len(server.requests)) == (False, True, 2)


def test_a_lesson_is_known_to_every_scorer_on_the_bench() -> None:
    """Another scorer with another schema, the same model at the same address."""
    from scorewright import prompt

    with FakeOpenAI(refuses_formats) as server:
        judge = judge_at(server, model=NATIVE)
        one = scorer(judge)
        other = (
            create_scorer("other", input=str, output=str, judge=judge)
            .analyze(prompt(dict[str, float], lambda _: "?"))
            .generate_score(pure(lambda step: step.ana["score"]))
        )

        async def both() -> None:
            async with Bench() as bench:
                for asked in (one, other):
                    assert is_successful(await asked.run(Run("q", "a"), answer=bench.answer))

        asyncio.run(both())
    assert len(server.requests) == 3


def test_one_refused_schema_says_nothing_of_others() -> None:
    """A complaint about a schema is remembered for that schema alone."""
    from scorewright import prompt

    def picky(body: dict[str, object], number: int) -> Answer:
        formatted = json.dumps(body.get("response_format", ""))
        refused = "points" in formatted
        return (
            status(400, "Invalid schema for response_format 'Points'") if refused else said('{"score": 1, "points": 1}')
        )

    @attrs.frozen
    class Points:
        points: int
        score: int

    with FakeOpenAI(picky) as server:
        judge = judge_at(server, model=NATIVE)
        points = (
            create_scorer("points", input=str, output=str, judge=judge)
            .analyze(prompt(Points, lambda _: "?"))
            .generate_score(pure(lambda step: step.ana.points))
        )
        bare = (
            create_scorer("bare", input=str, output=str, judge=judge)
            .analyze(prompt(attrs.make_class("Bare", {"score": attrs.field(type=int)}, frozen=True), lambda _: "?"))
            .generate_score(pure(lambda _: 1.0))
        )

        async def both() -> None:
            async with Bench() as bench:
                for asked in (points, points, bare):
                    await asked.run(Run("q", "a"), answer=bench.answer)

        asyncio.run(both())
    assert ["response_format" in request.json for request in server.requests][:4] == [True, False, False, True]


@modes
@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ({"temperature": 0.0}, "Unsupported value: 'temperature' does not support 0.0 with this model."),
        ({"top_p": 0.5}, "Unsupported parameter: 'top_p'"),
        ({"seed": 7}, "seed: extra inputs are not permitted"),
        ({"stop": "END"}, "Unsupported parameter: 'stop' is not supported with this model."),
    ],
)
def test_a_model_that_refuses_a_setting_is_asked_without_it(
    setting: dict[str, object], message: str, mode: Mode
) -> None:
    """One request is lost; the next ask knows."""
    name = next(iter(setting))
    with FakeOpenAI(lambda body, _: status(400, message) if name in body else said(GOOD)) as server:
        settings = ModelSettings(**setting)  # type: ignore[arg-type]  # one of its fields
        asked = scorer(judge_at(server, model_settings=settings))

        async def twice() -> list[bool]:
            async with Bench() as bench:
                return [is_successful(await asked.run(Run("q", "a"), answer=bench.answer)) for _ in range(2)]

        assert asyncio.run(twice()) if mode == "async" else [is_successful(came(mode, asked)) for _ in range(2)]
    assert [name in request.json for request in server.requests] == [True, False, False]


def test_a_model_that_wants_max_completion_tokens_gets_them() -> None:
    """The limit is kept under its other name."""
    message = (
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."
    )
    with FakeOpenAI(lambda body, _: status(400, message) if "max_tokens" in body else said(GOOD)) as server:
        assert is_successful(ask(server, model_settings=ModelSettings(max_tokens=99)))
    assert server.requests[1].json["max_completion_tokens"] == 99


def test_asks_that_are_under_way_learn_too() -> None:
    """Eight asks at once send the temperature before the first refusal is back: each is mended, none fails."""
    import threading

    barrier = threading.Barrier(8)

    def refuse(body: dict[str, object], number: int) -> Answer:
        if "temperature" not in body:
            return said(GOOD)
        barrier.wait(5)
        return status(400, "Unsupported value: 'temperature'")

    with FakeOpenAI(refuse) as server:
        from judges.asking import together

        asked = scorer(judge_at(server, model_settings=ModelSettings(temperature=0.0)))
        assert all(map(is_successful, together(asked, 8)))
    assert len(server.requests) == 16


def test_a_refusal_for_another_reason_teaches_nothing() -> None:
    """A bad request is one request."""
    with FakeOpenAI(always(status(400, "the temperature outside is no business of ours"))) as server:
        ask(server, model_settings=ModelSettings(temperature=0.0))
    assert len(server.requests) == 1
    assert server.requests[0].json["temperature"] == 0.0


# Cases that others have met


@modes
def test_a_rate_limited_row_is_retried_in_both_modes(mode: Mode) -> None:
    """phoenix#16328: four rows, the first throttled once."""
    answers = [status(429), *(said(json.dumps({"score": row / 10})) for row in range(4))]
    with FakeOpenAI(answers) as server:
        asked = scorer(judge_at(server))
        results = [came(mode, asked, str(row)) for row in range(4)]
    assert [result.unwrap().score for result in results] == [0.0, 0.1, 0.2, 0.3]
    assert [len(faults(result)) for result in results] == [2, 1, 1, 1]


def test_success_is_not_repeated() -> None:
    """phoenix#2011: four rows, ten retries allowed, four requests."""
    with FakeOpenAI(always(said(GOOD))) as server:
        asked = scorer(judge_at(server, error_processors=[ErrorRetryProcessor(max_retries=10, delay=0)]))
        for row in range(4):
            assert is_successful(came("sync", asked, str(row)))
    assert len(server.requests) == 4


def test_a_judge_that_never_answers_costs_one_row() -> None:
    """deepeval#1147: five scores and one timeout, and the run returns."""

    def slow(body: dict[str, object], number: int) -> Answer:
        return said(GOOD, delay=30 if "answer 4" in json.dumps(body) else 0)

    with FakeOpenAI(slow) as server:
        from judges.asking import together

        results = together(scorer(judge_at(server, timeout=1.0, error_processors=[])), 6)
    assert [is_successful(result) for result in results] == [True] * 4 + [False, True]
    assert isinstance(fault_of(results[4]), TimedOut)


def test_an_empty_account_is_not_asked_again() -> None:
    """metacoder#18: one request a row, no back-off."""
    with FakeOpenAI(always(error(429, "insufficient_quota"))) as server:
        result = ask(server, error_processors=[ErrorRetryProcessor(max_retries=5)])
    assert isinstance(fault_of(result), QuotaExhausted)
    assert len(server.requests) == 1


def test_the_step_decides_for_itself() -> None:
    """A step's processors replace the scorer's; [] switches them off."""
    with FakeOpenAI(always(status(500))) as server:
        asked = create_scorer("judged", input=str, output=str, judge=judge_at(server)).generate_score(
            score_prompt(lambda _: "?", judge=Judge(error_processors=[]))
        )
        came("sync", asked)
    assert len(server.requests) == 1


def test_an_ask_in_a_function_step_counts_the_same() -> None:
    """A prompt that user code calls is bound to the scorer's judge."""
    inner = score_prompt(lambda _: "inner?")
    with FakeOpenAI([status(500), said(GOOD)]) as server:
        asked = create_scorer("judged", input=str, output=str, judge=judge_at(server)).generate_score(
            lambda step: inner(step) if step.run.output else ok(0.0)
        )
        assert came("sync", asked).unwrap().score == 0.5
    assert len(server.requests) == 2
