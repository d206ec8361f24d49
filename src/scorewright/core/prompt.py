"""Steps that describe one judge call."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Generic, Literal, TypeAlias, final

import attrs
from returns.pipeline import is_successful
from returns.result import Result
from typing_extensions import TypeForm, TypeVar

from scorewright.core.about import check_judge
from scorewright.core.ask import Answerer, Ask, JudgeReply, JudgeRequest, Now, Outcome
from scorewright.core.evaluation import Calculated, Verdict
from scorewright.core.feedback import feedback, misunderstood
from scorewright.core.guard import RaisedAfterAnswer
from scorewright.core.program import then
from scorewright.core.run import is_run
from scorewright.core.scale import Scale
from scorewright.faults import DefinitionError, EmptyReply, InvalidScore, JudgeFault, Misfit, SchemaMismatch
from scorewright.results import err, ok

if TYPE_CHECKING:
    from scorewright.shapes import Shape

S = TypeVar("S")
T = TypeVar("T")
S_contra = TypeVar("S_contra", contravariant=True)
T_co = TypeVar("T_co", covariant=True)

Said: TypeAlias = "str | Awaitable[str]"
Gives: TypeAlias = 'Literal["", "text", "score", "verdict"]'


@final
@attrs.frozen
class PromptStep(Generic[S_contra, T_co]):
    """One judge call as a value: what is asked, in which shape it is answered, by whom, and what comes of it."""

    create_prompt: Callable[[S_contra], Said]
    finish: Callable[[S_contra, str], Outcome[T_co, JudgeFault]]
    schema: str | None
    schema_name: str
    description: str
    judge: Answerer | None
    scored: Callable[[T_co], float] | None = None  # of a prompt for a score: the number that is to be on the scale
    gives: Gives = ""  # what it is known to give, so that it is not taken for something else

    def __call__(self, step: S_contra, /) -> Outcome[T_co, JudgeFault]:
        """Ask what `create_prompt` makes of the step."""
        said = self.create_prompt(step)
        if type(said) is str:  # told at once, as an awaitable is not
            return self._ask(step, said)
        return self._ask_later(step, said) if isinstance(said, Awaitable) else self._ask(step, said)

    def _ask(self, step: S_contra, said: str) -> Ask[T_co, JudgeFault]:
        prompted(said)
        text = str.__str__(said)  # of an enum's member, or any other subclass: the text that it is
        judge = self.judge and self.judge.resolved(context_of(step))
        return self._asked(step, JudgeRequest(text, self.schema, self.schema_name, judge))

    def _asked(self, step: S_contra, request: JudgeRequest) -> Ask[T_co, JudgeFault]:
        def resume(reply: JudgeReply) -> Outcome[T_co, JudgeFault]:
            if not is_successful(reply.answer):
                return err(reply.answer.failure())
            done = self.finish(step, reply.answer.unwrap())
            wrong = misunderstood(done)
            if wrong is None or request.feedback or not reply.attempts_left:
                return done
            told = feedback(wrong, request.schema or "")
            prompt = reply.sent.prompt if reply.sent else request.prompt  # once more, as the processors left it
            spent, took = len(reply.attempts), reply.nanoseconds
            again = attrs.evolve(request, prompt=prompt, feedback=told, spent=spent, took=took)
            return self._asked(step, again)

        return Ask(request, resume)

    async def _ask_later(self, step: S_contra, said: Awaitable[str]) -> Now[T_co, JudgeFault]:
        return self._ask(step, await said)


def within(step: PromptStep[S, T], scale: Scale, /) -> PromptStep[S, T]:
    """A prompt for a score, or for a verdict, that asks for a number of this scale and takes no other; else the step.

    The bounds stand in the schema, so a judge that goes beyond them is told, as of any answer of another shape.
    """
    scored, schema = step.scored, step.schema
    bounds = scale.bounds
    if scored is None or schema is None or not bounds:
        return step
    from json import loads

    told: dict[str, dict[str, dict[str, object]]] = loads(schema)
    told["properties"]["score"] |= bounds

    def finish(given: S, text: str) -> Outcome[T, JudgeFault]:
        def check(value: T) -> Result[T, JudgeFault]:
            score = scored(value)
            beyond = scale.check(score)
            if not isinstance(beyond, InvalidScore):
                return ok(value)
            misfit = Misfit("$.score", f"expected a number {scale.spoken}", f"{score:g}")
            return err(SchemaMismatch.of(text, misfit))

        return then(step.finish(given, text), check)

    return attrs.evolve(step, finish=finish, schema=_written(told))


def _written(schema: Mapping[str, object]) -> str:
    from json import dumps

    return dumps(schema, ensure_ascii=False, separators=(",", ":"))


def context_of(step: object, /) -> Mapping[str, object]:
    """The request context of the step's run; a prompt that is called on something else has none."""
    run: object = getattr(step, "run", None)
    return run.request_context if is_run(run) else {}


def prompted(said: object, /) -> None:
    """Refuse to pay for nothing."""
    if not isinstance(said, str):
        raise TypeError(f"create_prompt gave {type(said).__name__}, not a string")
    if not said.strip():
        raise ValueError("create_prompt gave an empty prompt")


def prompt(
    output: TypeForm[T],
    create_prompt: Callable[[S], Said],
    /,
    *,
    description: str = "",
    judge: Answerer | None = None,
) -> Callable[[S], Outcome[T, JudgeFault]]:
    """A step whose judge answers a value of `output`: an attrs class, a pydantic model, a scalar, a list, …"""
    from scorewright.shapes import shape_of

    shape = shape_of(output)
    gives: Gives = "text" if output is str else "verdict" if output is Verdict else ""
    return _step(shape, create_prompt, lambda _, text: shape.decode(text), description, judge, gives=gives)


def prompt_json(
    schema: Mapping[str, object],
    create_prompt: Callable[[S], Said],
    /,
    *,
    description: str = "",
    judge: Answerer | None = None,
) -> Callable[[S], Outcome[Mapping[str, object], JudgeFault]]:
    """A step whose judge answers an object of a raw JSON Schema."""
    from scorewright.shapes import json_shape

    shape = json_shape(schema)
    return _step(shape, create_prompt, lambda _, text: shape.decode(text), description, judge)


@attrs.frozen
class ScoreAnswer:
    """The score."""

    score: float


def score_prompt(
    create_prompt: Callable[[S], Said], /, *, description: str = "", judge: Answerer | None = None
) -> Callable[[S], Outcome[float, JudgeFault]]:
    """A score step whose judge answers one number; in a stage, it is told the scorer's scale and held to it."""
    from scorewright.shapes import shape_of

    shape = shape_of(ScoreAnswer)

    def finish(_: S, text: str) -> Result[float, JudgeFault]:
        return shape.decode(text).map(lambda said: said.score)

    return _step(shape, create_prompt, finish, description, judge, scored=float, gives="score")


def score_from(
    output: TypeForm[T],
    create_prompt: Callable[[S], Said],
    calculate_score: Callable[[S, T], float | Awaitable[float]],
    /,
    *,
    description: str = "",
    judge: Answerer | None = None,
) -> Callable[[S], Outcome[Calculated, JudgeFault]]:
    """A score step whose judge answers a value of `output`, from which your function works out the score."""
    from scorewright.shapes import shape_of

    shape = shape_of(output)
    if not callable(calculate_score):
        raise DefinitionError("score_from needs a calculate_score function; for a bare number use score_prompt(…)")

    def finish(step: S, text: str) -> Outcome[Calculated, JudgeFault]:
        decoded = shape.decode(text)
        if not is_successful(decoded):
            return err(decoded.failure())
        answer = decoded.unwrap()
        try:
            score = calculate_score(step, answer)
        except Exception as exception:  # a user's function may raise anything; the answer is paid for and kept
            raise RaisedAfterAnswer(answer) from exception
        return _calculated_later(score, answer) if isinstance(score, Awaitable) else ok(Calculated(score, answer))

    return _step(shape, create_prompt, finish, description, judge, gives="score")


async def _calculated_later(score: Awaitable[float], answer: object) -> Result[Calculated, JudgeFault]:
    try:
        return ok(Calculated(await score, answer))
    except Exception as exception:  # as above
        raise RaisedAfterAnswer(answer) from exception


def reason_prompt(
    create_prompt: Callable[[S], Said], /, *, description: str = "", judge: Answerer | None = None
) -> Callable[[S], Outcome[str, JudgeFault]]:
    """A reason in the judge's own words, without what it thought before; an empty one is the fault `EmptyReply`."""

    def finish(_: S, text: str) -> Result[str, JudgeFault]:
        said = thought_out(text)
        return ok(said) if said.strip() else err(EmptyReply())

    return _step(None, create_prompt, finish, description, judge, gives="text")


def thought_out(text: str, /) -> str:
    """The text behind a leading block of thoughts; nothing, where it is not closed. Half a pair becomes a "?"."""
    from scorewright.shapes.reply import thought_off

    said = thought_off(text.lstrip())
    if said != text.lstrip():
        text = (said or "").lstrip()
    return text if text.isascii() else text.encode("utf-8", "replace").decode()


def verdict_prompt(
    create_prompt: Callable[[S], Said], /, *, description: str = "", judge: Answerer | None = None
) -> Callable[[S], Outcome[Verdict, JudgeFault]]:
    """Score and reason in one judge call, for `generate_verdict`; told the scale as `score_prompt` is.

    A verdict without a reason is the fault `EmptyReply`.
    """
    from scorewright.shapes import shape_of

    shape = shape_of(Verdict)

    def finish(_: S, text: str) -> Result[Verdict, JudgeFault]:
        decoded = shape.decode(text)
        if is_successful(decoded) and not decoded.unwrap().reason.strip():
            return err(EmptyReply())
        return decoded

    return _step(
        shape, create_prompt, finish, description, judge, scored=lambda verdict: verdict.score, gives="verdict"
    )


def _step(
    shape: Shape[object] | None,
    create_prompt: Callable[[S], Said],
    finish: Callable[[S, str], Outcome[T, JudgeFault]],
    description: str,
    judge: Answerer | None,
    *,
    scored: Callable[[T], float] | None = None,
    gives: Gives = "",
) -> Callable[[S], Outcome[T, JudgeFault]]:
    if not callable(create_prompt):
        raise DefinitionError(f"create_prompt is a function from the step to a string, not {create_prompt!r}")
    check_judge(judge)
    if shape is None:
        return PromptStep(create_prompt, finish, None, "", description, judge, gives=gives)
    return PromptStep(create_prompt, finish, _written(shape.schema), shape.name, description, judge, scored, gives)
