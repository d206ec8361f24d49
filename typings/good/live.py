"""Live scoring: a decorated function keeps its type, whatever kind it is."""

from __future__ import annotations

from collections.abc import AsyncIterator, Generator, Iterator
from typing import assert_type

import attrs
from scorewright import Run, create_scorer, pure
from scorewright.core import Scorers
from scorewright.live import (
    ALWAYS,
    Live,
    argument,
    attach,
    joined,
    ratio,
    returned,
    scored,
    scoring,
    submit,
)


@attrs.frozen
class Page:
    text: str


@attrs.frozen
class Longer(Page):
    more: int = 0


live = Live()
polite = create_scorer("polite", input=str, output=str).generate_score(pure(lambda step: 1.0))
anything = create_scorer("anything", input=object, output=object).generate_score(pure(lambda step: 1.0))


@scored(polite, live=live)
def plain(question: str) -> str:
    return question


@scored(polite, anything, live=live, sample=ratio(0.1).at_most(60, per=60), input=argument("question", str))
def several(question: str, *, limit: int = 3) -> str:
    return question


@scored(anything, live=live)
def whole(question: str) -> int:
    return len(question)


@scored(
    polite,
    live=live,
    sample={"polite": ALWAYS},
    input=lambda call: call.of("question", str),
    output=returned(Page, lambda page: page.text),
    on_error=str,
)
def page(question: str) -> Longer:
    return Longer(question)


@scored(anything, live=live)
async def later(question: str) -> Longer:
    return Longer(question)


@scored(polite, live=live, output=returned(Page, lambda page: page.text))
async def later_page(question: str) -> Longer:
    return Longer(question)


@scored(polite, live=live, output=joined)
def stream(question: str) -> Iterator[str]:
    yield question


@scored(polite, live=live, output=joined)
def talk(question: str) -> Generator[str, int, bool]:
    yield question
    return True


@scored(polite, live=live, output=joined)
async def later_stream(question: str) -> AsyncIterator[str]:
    yield question


@scored("polite", among=Scorers(polite, anything), live=live)
def by_id(question: str) -> str:
    return question


class Bot:
    @scored(polite, live=live, input=argument("question", str), step="answer")
    def answer(self, question: str, limit: int = 3) -> str:
        return question


def kept(text: str, number: int) -> None:
    assert_type(plain(question=text), str)
    assert_type(several(text, limit=number), str)
    assert_type(whole(question=text), int)
    assert_type(page(question=text), Longer)
    assert_type(by_id(question=text), str)
    assert_type(Bot().answer(question=text, limit=number), str)
    assert_type(stream(question=text), Iterator[str])
    assert_type(talk(question=text), Generator[str, int, bool])
    assert_type(later_stream(question=text), AsyncIterator[str])


async def kept_later(text: str) -> None:
    assert_type(await later(question=text), Longer)
    assert_type(await later_page(question=text), Longer)


def existing(question: str, limit: int = 3) -> Longer:
    return Longer(question, limit)


def others(text: str, number: int, run: Run[str, str, None], labelled: Run[str, str, list[str]]) -> None:
    attached = attach(
        existing,
        polite,
        live=live,
        input=lambda question, limit=3: f"{question} {limit}",
        output=lambda page: page.text,
    )
    assert_type(attached(question=text, limit=number), Longer)
    with scoring(polite, anything, live=live, input=text) as block:
        block.finish(text)
    submit(run, polite, anything, live=live)
    submit(labelled, polite, live=live)
