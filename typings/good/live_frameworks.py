"""Live scoring of requests: the extractors are held to the scorers' types."""

from __future__ import annotations

from typing import assert_type

import attrs
from scorewright import create_scorer, pure
from scorewright.live import Live, ratio
from scorewright.live.frameworks import HttpRequest, HttpResponse, ScoringMiddleware


@attrs.frozen
class Question:
    text: str


live = Live()
polite = create_scorer("polite", input=str, output=str).generate_score(pure(lambda step: 1.0))
typed = create_scorer("typed", input=Question, output=list[str]).generate_score(pure(lambda step: 1.0))


def read(request: HttpRequest, response: HttpResponse) -> None:
    assert_type(request.json(Question), Question)
    assert_type(response.json(list[str]), list[str])
    assert_type(response.events, tuple[str, ...])


ScoringMiddleware(polite, live=live, input=lambda request: request.text, output=lambda response: response.text)
ScoringMiddleware(
    typed,
    live=live,
    input=lambda request: request.json(Question),
    output=lambda response: response.json(list[str]),
    sample=ratio(0.1),
    where=lambda request: request.path == "/ask",
    on_error=lambda error: [str(error)],
    shut_down=True,
)
