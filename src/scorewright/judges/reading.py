"""Understanding what an OpenAI-compatible server answered: text, or which fault."""

from __future__ import annotations

from typing import TYPE_CHECKING

from returns.result import Result

from scorewright.faults import (
    BadRequest,
    ContentFiltered,
    ContextTooLong,
    EmptyReply,
    JudgeFault,
    QuotaExhausted,
    RateLimited,
    Refused,
    ServerError,
    TimedOut,
    Truncated,
    Unauthorized,
    Unreachable,
)
from scorewright.results import err, ok

if TYPE_CHECKING:
    from openai import OpenAIError
    from openai.types.chat import ChatCompletion


def text_of(completion: ChatCompletion, /) -> Result[str, JudgeFault]:
    """The judge's text, when the reply is whole."""
    error = (completion.model_extra or {}).get("error")
    if error:
        return err(ServerError(200, f"the server answered with an error: {error}"))
    if not completion.choices:
        return err(EmptyReply())
    choice = completion.choices[0]
    text = choice.message.content or ""
    if choice.message.refusal:
        return err(Refused(choice.message.refusal))
    if choice.finish_reason == "content_filter":
        return err(ContentFiltered("the provider's filter stopped the reply"))
    if choice.finish_reason == "length":
        return err(Truncated(text))
    return ok(text) if text.strip() else err(EmptyReply())


def fault_of(exception: OpenAIError, key: str, /) -> tuple[int | None, JudgeFault]:
    """The HTTP status, where there was one, and the fault; the key is taken out of the server's words."""
    from openai import APIConnectionError, APIStatusError, APITimeoutError

    why = str(exception).replace(key, "[key]")
    if isinstance(exception, APITimeoutError):
        return None, TimedOut(why)
    if isinstance(exception, APIConnectionError):
        return None, Unreachable(f"{why}: {exception.__cause__}" if exception.__cause__ else why)
    if isinstance(exception, APIStatusError):
        status = exception.status_code
        return status, _status_fault(status, exception.code or "", why, exception.response.headers.get("retry-after"))
    return None, Unreachable(why)


def _status_fault(status: int, code: str, why: str, retry_after: str | None) -> JudgeFault:
    by_code: dict[str, JudgeFault] = {
        "insufficient_quota": QuotaExhausted(why),
        "context_length_exceeded": ContextTooLong(why),
        "content_filter": ContentFiltered(why),
    }
    if code in by_code:
        return by_code[code]
    if status in {401, 403}:
        return Unauthorized(why)
    if status == 408:
        return TimedOut(why)
    if status == 429:
        return RateLimited(why, _seconds(retry_after))
    return ServerError(status, why) if status >= 500 else BadRequest(status, why)


def _seconds(header: str | None) -> float | None:
    try:
        return float(header) if header else None
    except ValueError:
        return None
