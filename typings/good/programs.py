"""Programs: asks, forks and loops, and what they may become."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Never, assert_type

import attrs
from returns.result import Result
from scorewright import JudgeFault, Outcome, Step, create_scorer, err, ok, prompt, pure, then
from scorewright.core import (
    Again,
    Ask,
    Done,
    Fork,
    JudgeReply,
    JudgeRequest,
    Now,
    Preprocessed,
    both,
    gather,
    iterate,
    settle,
)
from scorewright.faults import StepRaised


@attrs.frozen
class Claims:
    items: list[str]


@attrs.frozen
class Empty:
    field: str


@attrs.frozen
class TooLong:
    length: int


Text = Step[str, str, None, None]


def words(step: Text) -> Result[list[str], Empty]:
    return ok(step.run.output.split()) if step.run.output else err(Empty("output"))


async def words_later(step: Text) -> Result[list[str], Empty]:
    return words(step)


def first(given: list[str]) -> str:
    return given[0]


def ask_first(given: list[str]) -> Outcome[Claims, JudgeFault]:
    return prompt(Claims, first)(given)


def count(claims: Claims) -> Result[int, TooLong]:
    return ok(len(claims.items)) if len(claims.items) < 9 else err(TooLong(len(claims.items)))


draft = create_scorer("programs", input=str, output=str)


# One after another: plain, later and asked, and three in a row. A def says what comes of it.
def sized(step: Text) -> Outcome[int, Empty]:
    return then(words(step), lambda given: ok(len(given)))


def claimed(step: Text) -> Outcome[Claims, Empty | JudgeFault]:
    return then(words(step), lambda given: ask_first(given))


def claimed_later(step: Text) -> Outcome[Claims, Empty | JudgeFault]:
    return then(words_later(step), ask_first)


assert_type(draft.preprocess(sized), Preprocessed[str, str, int, object, Empty])
assert_type(draft.preprocess(claimed), Preprocessed[str, str, Claims, object, Empty | JudgeFault])
assert_type(draft.preprocess(claimed_later), Preprocessed[str, str, Claims, object, Empty | JudgeFault])


def three(step: Text) -> Outcome[int, Empty | JudgeFault | TooLong]:
    return then(then(words(step), ask_first), count)


assert_type(draft.preprocess(three), Preprocessed[str, str, int, object, Empty | JudgeFault | TooLong])


# Side by side: two of different types, many of one type.
def pair(step: Text) -> Outcome[tuple[Claims, int], Empty | JudgeFault | StepRaised]:
    return both(lambda: ask_first([step.run.output]), lambda: words(step).map(len))


assert_type(draft.preprocess(pair), Preprocessed[str, str, tuple[Claims, int], object, Empty | JudgeFault | StepRaised])


def pair_later(step: Text) -> Outcome[tuple[list[str], list[str]], Empty | StepRaised]:
    return both(lambda: words(step), lambda: words_later(step))


assert_type(
    draft.preprocess(pair_later), Preprocessed[str, str, tuple[list[str], list[str]], object, Empty | StepRaised]
)


def many(step: Text) -> Outcome[tuple[Result[Claims, JudgeFault | StepRaised], ...], Never]:
    return gather(*(lambda word=word: ask_first([word]) for word in step.run.output.split()))


def each(texts: list[str]) -> Outcome[tuple[Result[Claims, JudgeFault | StepRaised], ...], Never]:
    def asking(text: str) -> Callable[[], Outcome[Claims, JudgeFault]]:
        return lambda: ask_first([text])

    return gather(*map(asking, texts))


assert_type(
    draft.preprocess(many),
    Preprocessed[str, str, tuple[Result[Claims, JudgeFault | StepRaised], ...], object, Never],
)
assert_type(
    draft.preprocess(pure(lambda step: step.run.output.split())).analyze(lambda step: each(step.pre)).about.id, str
)


# Within a lambda a program is accepted too; its value is known to the steps after.
in_lambda = draft.preprocess(lambda step: then(words(step), lambda given: ask_first(given)))
assert_type(in_lambda.generate_score(pure(lambda step: len(step.pre.items) / 9)).id, str)


# Over and over.
def halved(number: int) -> Result[Again[int] | Done[str], TooLong]:
    return ok(Again(number // 2)) if number else ok(Done("none left"))


async def halved_later(number: int) -> Result[Again[int] | Done[str], TooLong]:
    return halved(number)


def asked(claims: Claims) -> Outcome[Again[Claims] | Done[int], JudgeFault]:
    def turn(answer: Claims) -> Outcome[Again[Claims] | Done[int], JudgeFault]:
        return ok(Again(answer)) if answer.items else ok(Done(0))

    return then(ask_first(claims.items), turn)


assert_type(iterate(8, halved), Outcome[str, TooLong])
assert_type(iterate(8, halved_later), Outcome[str, TooLong])
assert_type(iterate(Claims([]), asked), Outcome[int, JudgeFault])


# Both ends of a program.
def either_way(outcome: Outcome[list[str], Empty]) -> Outcome[int, TooLong]:
    def good(given: list[str]) -> Result[int, TooLong]:
        return ok(len(given))

    def bad(fault: Empty) -> Result[int, TooLong]:
        return err(TooLong(len(fault.field)))

    return settle(outcome, good, bad)


# Programs written out: an ask, a fork, a result, something later.
def raw_ask(text: str) -> Ask[int, JudgeFault]:
    def resume(reply: JudgeReply) -> Outcome[int, JudgeFault]:
        return reply.answer.map(len)

    return Ask(JudgeRequest(text), resume)


def raw_fork(text: str) -> Fork[int, Never]:
    def join(results: tuple[Result[object, object], ...]) -> Outcome[int, Never]:
        return ok(len(results))

    return Fork((lambda: raw_ask(text), lambda: ok(text)), join)


def shapes(
    result: Result[int, Empty],
    ask: Ask[int, Empty],
    fork: Fork[int, Empty],
    later: Awaitable[Result[int, Empty]],
    now: Now[int, Empty],
    later_now: Awaitable[Now[int, Empty]],
) -> list[Outcome[int, Empty]]:
    return [result, ask, fork, later, now, later_now]


def widened(ask: Ask[int, Empty], fork: Fork[bool, Empty], outcome: Outcome[bool, Empty]) -> list[Outcome[int, object]]:
    return [ask, fork, outcome]
