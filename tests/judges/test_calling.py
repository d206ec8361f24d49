"""Functions as models, such as one around LiteLLM: what they raise is understood as an SDK's own errors are."""

from __future__ import annotations

import asyncio
from email.message import Message
from urllib.error import HTTPError

import pytest
from aiohttp import ClientResponseError, RequestInfo
from fakes.judging import TEXT, ask
from multidict import CIMultiDict, CIMultiDictProxy
from yarl import URL

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


class BotoError(Exception):
    """Shaped as botocore's `ClientError`."""

    def __init__(self, code: str, status: int) -> None:
        super().__init__(f"An error occurred ({code})")
        self.response = {
            "Error": {"Code": code, "Message": "told"},
            "ResponseMetadata": {"HTTPStatusCode": status, "HTTPHeaders": {"Retry-After": "3"}},
        }


def of_urllib(status: int) -> HTTPError:
    headers = Message()
    headers["Retry-After"] = "3"
    return HTTPError("http://host", status, "told", headers, None)


def of_aiohttp(status: int) -> ClientResponseError:
    asked = RequestInfo(URL("http://host"), "POST", CIMultiDictProxy(CIMultiDict()), URL("http://host"))
    return ClientResponseError(asked, (), status=status, message="told", headers=CIMultiDict({"Retry-After": "3"}))


@pytest.mark.parametrize(
    ("raised", "kind", "calls"),
    [
        (of_urllib(429), RateLimited, 3),
        (of_urllib(503), ServerError, 3),
        (of_urllib(401), Unauthorized, 1),
        (of_aiohttp(429), RateLimited, 3),
        (of_aiohttp(503), ServerError, 3),
        (of_aiohttp(401), Unauthorized, 1),
        (BotoError("ThrottlingException", 400), RateLimited, 3),
        (BotoError("InternalServerException", 500), ServerError, 3),
        (BotoError("AccessDeniedException", 403), Unauthorized, 1),
    ],
)
def test_the_answer_is_found_in_whatever_way_a_client_raises_it(
    raised: Exception, kind: type[JudgeFault], calls: int
) -> None:
    """As the exception itself, or as a dict; what is final is not retried because the exception is an `OSError`."""
    judge, seen = judge_that(*[raised] * 3)
    reply = ask(judge)
    fault = reply.answer.failure()
    assert isinstance(fault, kind)
    assert getattr(fault, "retry_after", 3.0) == 3.0
    assert len(seen) == len(reply.attempts) == calls


@pytest.mark.parametrize("gave", [None, {"score": 1}, TEXT.encode(), 0.5])
def test_a_function_that_gives_no_text_is_told_how_to_mend_it(gave: object) -> None:
    """It has been called, and perhaps paid for: the attempt is kept, and it is not asked again."""

    async def completion(_: Call) -> object:
        return gave

    reply = ask(Judge(calling(completion, identity="c")))  # type: ignore[arg-type]  # wrong on purpose
    assert reply.answer.failure() == BadRequest(
        0, f"the function gave {type(gave).__name__}: give the text of the answer, or a Heard"
    )
    assert len(reply.attempts) == 1


def test_a_function_that_is_not_async_is_told_so() -> None:
    """Nothing tells before it is called."""
    reply = ask(Judge(calling(lambda _: TEXT, identity="c")))  # type: ignore[arg-type,return-value]  # wrong on purpose
    assert reply.answer.failure() == BadRequest(0, "the function gave str at once: write `async def`")
    assert len(reply.attempts) == 1


def test_another_exception_is_no_answer() -> None:
    """Its kind and its message are told."""
    judge, seen = judge_that(LookupError("nothing"), retries=0)
    assert ask(judge).answer.failure() == Unreachable("the function raised LookupError: nothing")
    assert len(seen) == 1
