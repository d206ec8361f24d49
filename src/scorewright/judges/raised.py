"""What an SDK raised, as a fault: by the answer that it carries, else by what it is."""

from __future__ import annotations

import json
from collections.abc import Mapping
from json import JSONDecodeError
from time import perf_counter_ns
from typing import cast

from scorewright.core.ask import Attempt
from scorewright.faults import BadRequest, JudgeFault, NotJson, TimedOut, Unreachable
from scorewright.judges.call import Call, Heard, Signals
from scorewright.judges.errors import refusal
from scorewright.judges.fields import mapping, text
from scorewright.judges.http import hidden, without_key
from scorewright.judges.retry import causes_of
from scorewright.results import err

FAILED = range(400, 600)


def has_answer(exception: BaseException, /) -> bool:
    """Whether it, or one of its causes, carries the answer of a server."""
    return any(map(_answer, causes_of(exception)))


def fallen(exception: Exception, call: Call, key: str, began: int, /) -> Heard:
    """The call whose request ended in this exception; the key is hidden in all that is told of it."""
    answer = next(filter(None, map(_answer, causes_of(exception))), None)
    if answer is None:
        fault = _kind(exception, key)
        attempt = Attempt(fault, model=call.model, nanoseconds=perf_counter_ns() - began)
        return Heard(err(fault), attempt, Signals(message=getattr(fault, "why", ""), exception=exception))
    status, body, headers = answer
    body, headers = hidden(body, key), without_key(headers, key)
    fault, signals = refusal(status, body, headers)
    request_id = headers.get("x-request-id", "") or headers.get("request-id", "")
    attempt = Attempt(
        fault, status, model=call.model, request_id=request_id, raw=body, nanoseconds=perf_counter_ns() - began
    )
    return Heard(err(fault), attempt, Signals(signals.code, signals.message, signals.param, signals.headers, exception))


def _kind(exception: Exception, key: str) -> JudgeFault:
    why = hidden(f"{type(exception).__name__}: {exception}", key)
    chain = tuple(causes_of(exception))
    for each in chain:
        if isinstance(each, JSONDecodeError):
            return NotJson(hidden(each.doc, key), f"the server's reply is not JSON: {each}")
    if any(isinstance(each, TimeoutError) or "Timeout" in type(each).__name__ for each in chain):
        return TimedOut(why)
    return BadRequest(0, why) if isinstance(exception, TypeError) else Unreachable(why)  # TypeError: fields it lacks


def _answer(exception: BaseException) -> tuple[int, str, Mapping[str, str]] | None:
    """Status, body and headers of the answer that an exception carries, or is."""
    response: object = getattr(exception, "response", None) or getattr(exception, "raw_response", None)
    if isinstance(response, dict):
        return _of_amazon(cast("Mapping[str, object]", response))
    if response is None and getattr(exception, "headers", None) is not None:
        response = exception  # urllib and aiohttp raise the answer itself
    places: list[tuple[object, str]] = [(exception, "status_code")]
    if response is not None:  # a status or a code alone may be anything
        places += [(exception, "status"), (exception, "code"), (response, "status_code")]
    values = (getattr(owner, name, None) for owner, name in places)
    status = next((value for value in values if isinstance(value, int)), None)
    if status is None or status not in FAILED:
        return None
    named: object = getattr(response, "headers", None)
    pairs = cast("Mapping[str, str]", named).items() if hasattr(named, "items") else ()
    return status, _body(exception, response), {name.lower(): value for name, value in pairs}


def _of_amazon(response: Mapping[str, object]) -> tuple[int, str, Mapping[str, str]] | None:
    """The answer that botocore keeps as a dict."""
    meta, error = mapping(response, "ResponseMetadata"), mapping(response, "Error")
    status = meta.get("HTTPStatusCode")
    if not isinstance(status, int) or status not in FAILED:
        return None
    body = json.dumps({"error": {"code": text(error, "Code"), "message": text(error, "Message")}}, ensure_ascii=False)
    return status, body, {name.lower(): str(value) for name, value in mapping(meta, "HTTPHeaders").items()}


def _body(exception: BaseException, response: object) -> str:
    told = (getattr(response, "text", None), getattr(exception, "body", None), getattr(exception, "details", None))
    for said in told:
        if isinstance(said, str) and said:
            return said
        if isinstance(said, dict):
            return json.dumps(said, ensure_ascii=False, default=str)
    return str(exception)
