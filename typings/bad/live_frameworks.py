"""Live scoring of requests that does not fit."""

from __future__ import annotations

from scorewright import create_scorer, pure
from scorewright.live import Live
from scorewright.live.frameworks import HttpRequest, HttpResponse, ScoringMiddleware

live = Live()
polite = create_scorer("polite", input=str, output=str).generate_score(pure(lambda step: 1.0))
exact = create_scorer("exact", input=str, output=str, expected=list[str]).generate_score(pure(lambda step: 1.0))


def text(request: HttpRequest) -> str:
    return request.text


def number(request: HttpRequest) -> int:
    return len(request.body)


def said(response: HttpResponse) -> str:
    return response.text


def parts(response: HttpResponse) -> tuple[str, ...]:
    return response.events


ScoringMiddleware(polite, live=live, input=number, output=said)  # E: the scorer takes text
ScoringMiddleware(polite, live=live, input=text, output=parts)  # E: the scorer takes text
ScoringMiddleware(polite, live=live, input=said, output=text)  # E: each sees its own side
ScoringMiddleware(polite, live=live, input=text, output=said, on_error=len)  # E: an output is made of an exception
ScoringMiddleware(polite, live=live, input=text, output=said, where=text)  # E: a filter says yes or no
ScoringMiddleware(polite, live=live, input=text, output=said, rate=0.1)  # E: no such setting
ScoringMiddleware(exact, live=live, input=text, output=said)  # E: a live run has no reference
ScoringMiddleware(polite, live=live, input=text)  # E: no output
