"""Rows and results as the JSON text that stores hold: the text of their forms, in a third of the time.

Nearly every row holds texts and every step a text, a number or a list. These are written one by one, straight into the
text; what is anything else, or has no JSON form, is written by way of `as_json`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from json.encoder import encode_basestring
from operator import attrgetter
from typing import Final, TypeAlias, cast

from returns.result import Success

from scorewright.core import Attempt, Evaluation, Evidence, Exchange, ScoringFailure, Usage
from scorewright.core.evaluation import Verdict
from scorewright.judges.usage import Spent
from scorewright.suites.rows.row import ABSENT, Row
from scorewright.suites.written import USAGE, as_json, encoded, exchange_form, fault_form, row_form, score_form

Done: TypeAlias = Evaluation | ScoringFailure[object]

_NO_JSON: Final = (ValueError, TypeError, RecursionError)  # NaN, a key that is no text, a cycle
_text: Final[Callable[[str], str]] = encode_basestring


def row_text(row: Row, /) -> str:
    """`as_json(row_form(row))`."""
    if (
        row.context is None
        and row.group is None
        and row.trace is None
        and not row.request_context
        and not row.metadata
        and not row.tags
        and not row.turns
    ):
        try:
            return _short_row(row)
        except _NO_JSON:
            pass
    return as_json(row_form(row))


def _short_row(row: Row) -> str:
    input, output, expected = row.input, row.output, row.expected
    text = f'{{"id":{_text(row.id)},"input":{_text(input) if isinstance(input, str) else encoded(input)}'
    if output is not ABSENT:
        text += f',"output":{_text(output) if isinstance(output, str) else encoded(output)}'
    if expected is not None:
        text += f',"expected":{_text(expected) if isinstance(expected, str) else encoded(expected)}'
    return text + "}"


def score_text(found: Done, took: Spent | None = None, /) -> str:
    """`as_json(score_form(found, took))`."""
    if found.__class__ is Evaluation:
        try:
            steps = _asking_steps(found) if any(found.trail[2::3]) else _steps(found)
            return f'{{"steps":[{steps}]}}' if took is None else f'{{"spent":{_spent(took)},"steps":[{steps}]}}'
        except _NO_JSON:
            pass
    return as_json(score_form(found, took))


def _steps(found: Evidence) -> str:
    trail = found.trail
    moments = cast("tuple[int, ...]", trail[0::3])
    text = ""
    for head, value, began, ended in zip(_heads(found.names), trail[1::3], moments, moments[1:], strict=False):
        if isinstance(value, str):
            shown = _text(value)
        elif value.__class__ is int:
            shown = str(value)
        else:
            shown = encoded(value)
        text += f'{head}{shown},"ms":{_milliseconds(ended - began)}}}'
    return text


def _asking_steps(found: Evidence) -> str:
    steps = zip(_heads(found.names), found.steps, strict=False)
    return "".join(
        f'{head}{_value(step.value)},"exchanges":[{",".join(map(_exchange, step.exchanges))}]'
        f',"ms":{_milliseconds(step.nanoseconds)}}}'
        for head, step in steps
    )


def _value(value: object) -> str:
    """What a step came to; a verdict is what nearly every judge is asked for."""
    if value.__class__ is Verdict and isinstance(value, Verdict):
        return f'{{"score":{encoded(value.score)},"reason":{encoded(value.reason)}}}'
    return encoded(value)


def _exchange(exchange: Exchange) -> str:
    """`exchange_form`; what was not answered is written by way of it."""
    request, reply = exchange.request, exchange.reply
    answer = reply.answer
    if not isinstance(answer, Success):
        return encoded(exchange_form(exchange))
    model = next((attempt.model for attempt in reversed(reply.attempts) if attempt.model), None)
    return (
        f'{{"place":{_text(request.place)},"model":{"null" if model is None else _text(model)}'
        f',"prompt":{_text(request.prompt)},"answer":{_text(answer.unwrap())},"fault":null'
        f',"attempts":[{",".join(map(_attempt, reply.attempts))}]}}'
    )


def _attempt(attempt: Attempt) -> str:
    usage = "null" if attempt.usage is None else _usage(attempt.usage)
    fault = "null" if attempt.fault is None else encoded(fault_form(attempt.fault))
    took = _milliseconds(attempt.nanoseconds)
    return f'{{"status":{encoded(attempt.status)},"usage":{usage},"fault":{fault},"ms":{took}}}'


def _spent(took: Spent) -> str:
    return (
        f'{{"attempts":{took.attempts},"usage":{_usage(took.usage)},"uncounted":{took.uncounted}'
        f',"dollars":{encoded(took.dollars)},"avoided":{_usage(took.avoided)}}}'
    )


def _usage(usage: Usage) -> str:
    if usage == _NO_TOKENS:
        return _NO_TOKENS_SAID
    return encoded(dict(zip(USAGE, _counts(usage), strict=True)))


@lru_cache(maxsize=256)
def _heads(names: tuple[str, ...]) -> tuple[str, ...]:
    """What stands before the value of each step."""
    return tuple(f'{"," if at else ""}{{"step":{_text(name)},"value":' for at, name in enumerate(names))


def _milliseconds(nanoseconds: int) -> str:
    took = (nanoseconds + 500) // 1000
    return _SHORT[took] if 0 <= took < _MANY else str(took / 1000)


_MANY = 1000
_SHORT: Final = tuple(str(microseconds / 1000) for microseconds in range(_MANY))
_NO_TOKENS: Final = Usage()
_counts: Final = cast("Callable[[Usage], tuple[int, ...]]", attrgetter(*USAGE))
_NO_TOKENS_SAID: Final = encoded(dict.fromkeys(USAGE, 0))
