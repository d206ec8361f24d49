"""Functions as models, such as one around LiteLLM: what they raise is understood as an SDK's own errors are."""

from __future__ import annotations

import asyncio

import pytest
from fakes.judging import TEXT, ask

from scorewright.core import Attempt, Usage
from scorewright.faults import BadRequest, JudgeFault, RateLimited, ServerError, Unauthorized, Unreachable
from scorewright.judges import ErrorRetryProcessor, Judge, calling
from scorewright.judges.call import Call, Heard
from scorewright.results import ok


class Response:
    """What the errors of LiteLLM carry of the answer."""

    def __init__(self, status: int, text: str, **headers: str) -> None:
        self.status_code = status
        self.text = text
        self.headers = {name.replace("_", "-"): value for name, value in headers.items()}


class APIError(Exception):
    """Shaped as LiteLLM's errors are, which inherit from openai's."""

    def __init__(self, response: Response) -> None:
        super().__init__(f"litellm: {response.text}")
        self.response = response
        self.status_code = response.status_code


def judge_that(*came: object, retries: int = 2) -> tuple[Judge, list[Call]]:
    """A judge whose function does these one after another, and the calls that it got."""
    seen: list[Call] = []

    async def completion(call: Call) -> str | Heard:
        seen.append(call)
        await asyncio.sleep(0)
        done = came[len(seen) - 1]
        if isinstance(done, Exception):
            raise done
        return done if isinstance(done, Heard) else str(done)

    processors = [ErrorRetryProcessor(retries, delay=0, max_retry_after=0)]
    return Judge(calling(completion, identity="litellm/gpt-4o"), "Be fair.", error_processors=processors), seen


def test_a_function_gets_the_call_and_gives_the_text() -> None:
    """Instructions and prompt apart; what it can do is not known, so the schema stands in the prompt."""
    judge, seen = judge_that(TEXT)
    assert ask(judge).answer.unwrap() == TEXT
    [call] = seen
    assert (call.system, call.user[:11], call.schema) == ("Be fair.", "Judge this.", None)


def test_a_function_may_tell_all_that_it_heard() -> None:
    """So its usage is counted."""
    judge, _ = judge_that(Heard(ok(TEXT), Attempt(usage=Usage(3, 4), model="gpt-4o")))
    [attempt] = ask(judge).attempts
    assert (attempt.usage, attempt.model) == (Usage(3, 4), "gpt-4o")


@pytest.mark.parametrize(
    ("response", "fault", "calls"),
    [
        (Response(429, '{"error": {"message": "slow"}}', retry_after="3"), RateLimited("slow", 3.0), 3),
        (Response(503, "busy"), ServerError(503, "busy"), 3),
        (Response(401, '{"error": {"message": "no key"}}'), Unauthorized("no key"), 1),
        (Response(400, '{"error": {"message": "bad"}}'), BadRequest(400, "bad"), 1),
    ],
)
def test_an_error_with_a_status_is_the_fault_of_that_status(response: Response, fault: JudgeFault, calls: int) -> None:
    """Found behind the exception that the function raised from it, too."""
    outer = RuntimeError("my wrapper")
    outer.__cause__ = APIError(response)
    for raised in (APIError(response), outer):
        judge, seen = judge_that(*[raised] * 3)
        reply = ask(judge)
        assert reply.answer.failure() == fault
        assert (len(seen), reply.attempts[0].status) == (calls, response.status_code)


def test_another_exception_is_no_answer() -> None:
    """Its kind and its message are told."""
    judge, seen = judge_that(LookupError("nothing"), retries=0)
    assert ask(judge).answer.failure() == Unreachable("the function raised LookupError: nothing")
    assert len(seen) == 1
