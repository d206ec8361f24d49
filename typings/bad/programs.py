"""Programs that do not fit together."""

from __future__ import annotations

import attrs
from returns.result import Result
from scorewright import JudgeFault, Outcome, Step, create_scorer, err, ok, then
from scorewright.core import Again, Ask, Done, Fork, JudgeReply, JudgeRequest, both, gather, interpret, iterate, settle
from scorewright.faults import StepRaised


@attrs.frozen
class Claims:
    items: list[str]


@attrs.frozen
class Empty:
    field: str


Text = Step[str, str, None, None]


def words(step: Text) -> Result[list[str], Empty]:
    return ok(step.run.output.split())


def claims(given: list[str]) -> Outcome[Claims, JudgeFault]:
    return ok(Claims(given))


def count(given: Claims) -> Result[int, Empty]:
    return ok(len(given.items))


def bare(given: list[str]) -> int:
    return len(given)


def halved(number: int) -> Result[Again[int] | Done[str], Empty]:
    return ok(Again(number // 2)) if number else ok(Done(""))


def endless(number: int) -> Result[int, Empty]:
    return ok(number)


def reply(given: JudgeReply) -> Result[int, JudgeFault]:
    return given.answer.map(len)


async def answered(request: JudgeRequest, /) -> JudgeReply:
    return JudgeReply(ok(request.prompt))


def put_together(step: Text, outcome: Outcome[int, Empty]) -> None:
    then(words(step), count)  # E: words are no claims
    then(words(step), bare)  # E: answers no outcome
    then(words(step), lambda given: claims(given.items))  # E: no such attribute
    then(words(step))  # E: then what
    then(5, claims)  # E: not an outcome
    both(words(step), claims)  # E: parts are thunks
    both(lambda: words(step))  # E: two parts
    gather(words(step))  # E: parts are thunks
    gather(lambda: 5)  # E: a part answers an outcome
    iterate("8", halved)  # E: another state
    iterate(8, endless)  # E: neither again nor done
    settle(outcome, lambda value: ok(value.nothing), lambda fault: ok(0))  # E: no such attribute
    settle(outcome, lambda value: ok(0), lambda fault: ok(fault.nothing))  # E: no such attribute
    Ask("prompt", reply)  # E: text is no request
    Ask(JudgeRequest("prompt"), count)  # E: resumes on a reply
    Ask(JudgeRequest("prompt"))  # E: resumes nowhere
    JudgeRequest(5)  # E: a prompt is text
    JudgeReply("text")  # E: an answer is a result
    Fork((words(step),), lambda results: ok(1))  # E: parts are thunks
    JudgeRequest("prompt").prompt = ""  # E: rebinding


def dropped_by_then(step: Text) -> Outcome[Claims, JudgeFault]:
    return then(words(step), claims)  # E: dropped error type


def dropped_by_both(step: Text) -> Outcome[tuple[list[str], list[str]], Empty]:
    return both(lambda: words(step), lambda: words(step))  # E: a part may raise


def other_value(step: Text) -> Outcome[int, Empty | JudgeFault]:
    return then(words(step), claims)  # E: another value type


def dropped_by_iterate() -> Outcome[str, JudgeFault]:
    return iterate(8, halved)  # E: dropped error type


def swapped_pair(step: Text) -> Outcome[tuple[Claims, list[str]], Empty | JudgeFault | StepRaised]:
    return both(lambda: words(step), lambda: claims([]))  # E: the other order


async def interpreted(outcome: Outcome[int, Empty]) -> None:
    await interpret(outcome)  # E: nobody answers
    await interpret(5, answered)  # E: not a program
    wrong: Result[str, Empty] = await interpret(outcome, answered)  # E: another value type


draft = create_scorer("programs", input=str, output=str)
draft.preprocess(lambda step: then(words(step), count))  # E: words are no claims
draft.preprocess(lambda step: then(words(step), lambda given: err(given.nothing)))  # E: no such attribute
