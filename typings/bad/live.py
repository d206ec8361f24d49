"""Live scoring that does not fit: extractors, results, settings."""

from __future__ import annotations

from collections.abc import Iterator

import attrs
from scorewright import Run, create_scorer, pure
from scorewright.live import Live, argument, attach, joined, ratio, returned, scored, scoring, submit


@attrs.frozen
class Page:
    text: str


live = Live()
polite = create_scorer("polite", input=str, output=str).generate_score(pure(lambda step: 1.0))
exact = create_scorer("exact", input=str, output=str, expected=list[str]).generate_score(pure(lambda step: 1.0))


def whole(page: Page) -> Page:
    return page


def existing(question: str, limit: int = 3) -> Page:
    return Page(question)


scored(polite, live=live, input=argument("question", int))  # E: the scorer takes text
scored(polite, live=live, input=lambda call: call.of("question", int))  # E: the scorer takes text
scored(polite, live=live, output=whole)  # E: the scorer takes text
scored(polite, live=live, output=returned(Page, lambda page: page))  # E: the scorer takes text
scored(polite, live=live, output=joined, on_error=len)  # E: an output is made of an exception
scored(polite, live=live, sample=0.1)  # E: a share is ratio(0.1)
scored(polite, live=live, rate=0.1)  # E: no such setting
scored(polite, live=live, where=len)  # E: a filter says yes or no
scored(exact, live=live)  # E: a live run has no reference
scored("polite", live=live)  # E: an id of no collection
scored(polite)  # E: no live
scored(live, live=live)  # E: no scorer
ratio("0.1")  # E: a number
ratio(0.1).at_most(60)  # E: in what time


@scored(polite, live=live)  # E: the scorer takes text
def counted(question: str) -> int:
    return len(question)


@scored(polite, live=live)  # E: the scorer takes text
async def counted_later(question: str) -> int:
    return len(question)


@scored(polite, live=live, output=returned(Page, lambda page: page.text))  # E: no page is returned
def said(question: str) -> str:
    return question


@scored(polite, live=live, output=joined)  # E: numbers cannot be joined
def numbers(question: str) -> Iterator[int]:
    yield len(question)


@scored(polite, live=live)  # E: several texts are not one
def stream(question: str) -> Iterator[str]:
    yield question


@scored(polite, live=live)
def answer(question: str) -> str:
    return question


def misused(text: str, number: int, run: Run[str, int, None]) -> None:
    answer(number)  # E: its parameters are kept
    answer(text=text)  # E: and their names
    attach(existing, polite, live=live, input=lambda question, limit=3: limit, output=lambda page: page.text)  # E: text
    with scoring(polite, live=live, input=text) as block:
        block.finish(number)  # E: the scorer takes text
    with scoring(polite, live=live, input=number):  # E: the scorer takes text
        pass
    submit(run, polite, live=live)  # E: another output
