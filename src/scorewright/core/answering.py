"""Scripted judges for tests, examples and documentation: pass one as `answer=`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

from typing_extensions import TypeIs

from scorewright.core.ask import Answer, Attempt, JudgeReply, JudgeRequest
from scorewright.faults import DefinitionError, JudgeFault, NotRecorded
from scorewright.results import err, ok

Said: TypeAlias = str | JudgeFault


def answering(said: Said | Sequence[Said] | Callable[[JudgeRequest], Said], /, *, attempts_left: int = 0) -> Answer:
    """A judge that says what it is told to: always the same, one thing after another, or what a function makes of it.

    Of several replies the next is given to each new question. The same question at the same place gets the same reply
    again, so that a run can be repeated; a question beyond the last is the fault `NotRecorded`. A reply may be a fault.
    With `attempts_left` a reply that does not fit its schema gets its second question.

    >>> from scorewright import Run, create_scorer, score_prompt
    >>> from scorewright.judges import Judge
    >>> draft = create_scorer("tone", input=str, output=str, judge=Judge("openai/gpt-4o-mini"))
    >>> tone = draft.generate_score(score_prompt(lambda step: f"How friendly is {step.run.output!r}?"))
    >>> tone.run_sync(Run("Hi", "Hello!"), answer=answering('{"score": 0.9}')).unwrap().score
    0.9
    """
    say = _saying(said)

    async def answer(request: JudgeRequest, /) -> JudgeReply:
        told = say(request)
        return JudgeReply(err(told) if isinstance(told, JudgeFault) else ok(told), (Attempt(),), attempts_left)

    return answer


def _saying(said: Said | Sequence[Said] | Callable[[JudgeRequest], Said]) -> Callable[[JudgeRequest], Said]:
    if isinstance(said, (str, JudgeFault)):
        return lambda _: said
    if _are_several(said):
        return _in_turn(said)
    say: object = said
    if not callable(say):
        raise DefinitionError(f"answering(…) takes a text, a list of texts or a function, not {type(said).__name__}")
    return said


def _are_several(said: Sequence[Said] | Callable[[JudgeRequest], Said]) -> TypeIs[Sequence[Said]]:
    return isinstance(said, Sequence)


def _in_turn(said: Sequence[Said]) -> Callable[[JudgeRequest], Said]:
    rest: Iterator[Said] = iter(tuple(said))
    given: dict[tuple[str, str], Said] = {}

    def say(request: JudgeRequest) -> Said:
        key = (request.place, request.content)
        if key not in given:
            given[key] = next(rest, NotRecorded(request.place, request.prompt))
        return given[key]

    return say
