"""What a step may answer: a result, an ask, a fork of thunks, or any of these later."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Generic, Never, TypeAlias, cast, final

import attrs
from returns.pipeline import is_successful
from returns.result import Result
from typing_extensions import TypeVar

from scorewright.faults import JudgeFault
from scorewright.results import ok

if TYPE_CHECKING:
    from scorewright.core.bench import Bench

A = TypeVar("A")
E = TypeVar("E")
A_co = TypeVar("A_co", covariant=True)
E_co = TypeVar("E_co", covariant=True)


class Answerer(ABC):
    """Who may be asked. `scorewright.Judge` asks models; a class that inherits from this one and says its identity
    and its answer can take its place.
    """

    __slots__ = ()

    @property
    @abstractmethod
    def identity(self) -> str:
        """Everything that shapes the answers, as text, without secrets."""

    @property
    def mistake(self) -> str | None:
        """Why this one can never answer, and how to mend it; asked when all that it leaves open is filled."""
        return None

    def filled(self, outer: Answerer, /) -> Answerer:
        """This one, with what it leaves open taken from `outer`: a step's judge over its scorer's."""
        del outer
        return self

    def resolved(self, context: Mapping[str, object], /) -> Answerer:
        """This one, with what depends on the run's request context decided."""
        del context
        return self

    @property
    def transparent(self) -> bool:
        """Whether it is known to leave requests and replies as they are, so that nobody needs to ask."""
        mine = type(self)
        return mine.incoming is Answerer.incoming and mine.outgoing is Answerer.outgoing

    def incoming(self, request: JudgeRequest, /) -> Outcome[JudgeRequest, JudgeFault]:
        """The request as it is to be sent and recorded: redacted, checked."""
        return ok(request)

    def outgoing(self, reply: JudgeReply, /) -> Outcome[JudgeReply, Never]:
        """The reply as the step is to see it; what is recorded is the reply as it came."""
        return ok(reply)

    @abstractmethod
    async def answer(self, request: JudgeRequest, bench: Bench, /) -> JudgeReply:
        """Answer one request; whatever goes wrong is a `JudgeFault` in the reply."""


@final
@attrs.frozen
class JudgeRequest:
    """One question to a judge: pure data, so that it can be hashed, stored and answered elsewhere."""

    prompt: str
    schema: str | None = attrs.field(default=None, repr=False)  # as canonical text; None asks for plain text
    schema_name: str = ""
    judge: Answerer | None = None
    place: str = ""  # where in the program it was asked: step, n-th ask, fork path
    sample: int = 0
    feedback: str = ""  # what was wrong with the answer before, told to the judge
    spent: int = attrs.field(default=0, eq=False)  # requests that were sent for this question before
    took: int = attrs.field(default=0, eq=False, repr=False)  # nanoseconds that these took, waits too
    received: bool = attrs.field(default=False, eq=False, repr=False)  # whether its judge's processors have seen it
    known_as: str = attrs.field(default="", eq=False, repr=False, kw_only=True)  # what a journal knows it by
    top_logprobs: int = attrs.field(default=0, repr=False, kw_only=True)  # alternatives of each token; 0 asks for none

    def __repr__(self) -> str:
        again = ", again" if self.feedback else ""
        return f"JudgeRequest({shortened(self.prompt)}{f', {self.place!r}' if self.place else ''}{again})"

    def bound(self, judge: Answerer | None, place: str, /, *, received: bool) -> JudgeRequest:
        """The same question of this judge at this place; `attrs.evolve` takes four times as long."""
        own, top = self.known_as, self.top_logprobs
        asked = (self.prompt, self.schema, self.schema_name, judge, place, self.sample, self.feedback)
        return JudgeRequest(*asked, self.spent, self.took, received, known_as=own, top_logprobs=top)

    @property
    def content(self) -> str:
        """A hash of all that shapes the answer (SHA-256, hex); the place is no part of it."""
        from hashlib import sha256

        said = self.judge.identity if self.judge else ""
        parts = (self.prompt, self.schema, self.schema_name, said, str(self.sample), self.feedback)
        written = "".join("-" if part is None else f"{len(part)}:{part}" for part in parts)
        if self.top_logprobs:  # only then, so that replies which were recorded without are found as before
            written += f"|{self.top_logprobs}"
        return sha256(written.encode("utf-8", "surrogatepass")).hexdigest()


@final
@attrs.frozen
class Usage:
    """The tokens of one or more requests, as the provider counted them.

    What was read from a cache or written to one is a part of the input, and reasoning a part of the output.
    """

    input_tokens: int = 0
    output_tokens: int = 0
    cached_input_tokens: int = 0
    reasoning_tokens: int = 0
    cache_write_tokens: int = attrs.field(default=0, kw_only=True)

    def __add__(self, other: Usage, /) -> Usage:
        return Usage(
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            self.cached_input_tokens + other.cached_input_tokens,
            self.reasoning_tokens + other.reasoning_tokens,
            cache_write_tokens=self.cache_write_tokens + other.cache_write_tokens,
        )


@final
@attrs.frozen
class Attempt:
    """One HTTP request that was made for an ask, paid or not."""

    fault: JudgeFault | None = None
    status: int | None = None
    usage: Usage | None = None
    model: str = ""
    request_id: str = ""
    finish_reason: str = ""
    raw: str = attrs.field(default="", repr=False)  # what the server said, where it was no answer
    nanoseconds: int = attrs.field(default=0, eq=False)
    delivery: str = attrs.field(default="", kw_only=True)  # how a schema was sent: "native", "system" or "inline"


@final
@attrs.frozen
class Token:
    """One token of a reply: its natural log-probability, and those of what could have stood in its place."""

    text: str
    logprob: float
    top: tuple[tuple[str, float], ...] = ()  # the token itself may be among them; those with next to no chance are not


@final
@attrs.frozen
class JudgeReply:
    """What came back for a request: text or a fault, every attempt that it took, and how many it had left."""

    answer: Result[str, JudgeFault]
    attempts: tuple[Attempt, ...] = attrs.field(default=(), eq=False)
    attempts_left: int = attrs.field(default=0, eq=False)
    nanoseconds: int = attrs.field(default=0, eq=False)  # of all attempts and the waits between them
    sent: JudgeRequest | None = attrs.field(default=None, eq=False, repr=False)  # where processors changed the request
    avoided: Usage = attrs.field(default=Usage(), eq=False, repr=False, kw_only=True)  # what a cache saved
    tokens: tuple[Token, ...] = attrs.field(default=(), repr=False, kw_only=True)  # where the judge told probabilities

    def __attrs_post_init__(self) -> None:
        if mistake := _no_answer(self.answer):
            raise TypeError(f"JudgeReply takes ok(text) or err(JudgeFault), not {mistake}")


def shortened(text: str, /) -> str:
    """A text as a repr shows it: its beginning."""
    return repr(text if len(text) <= _MOST_SHOWN else f"{text[: _MOST_SHOWN - 1]}…")


_MOST_SHOWN = 60


def _no_answer(given: object) -> str | None:
    if not isinstance(given, Result):
        return type(given).__name__
    result = cast("Result[object, object]", given)
    said = result.unwrap() if is_successful(result) else result.failure()
    if isinstance(said, str if is_successful(result) else JudgeFault):
        return None
    return f"{'ok' if is_successful(result) else 'err'}({type(said).__name__})"


@final
@attrs.frozen
class Exchange:
    """A request and its reply."""

    request: JudgeRequest
    reply: JudgeReply

    def __repr__(self) -> str:
        answer = self.reply.answer
        said = shortened(answer.unwrap()) if is_successful(answer) else type(answer.failure()).__name__
        return f"Exchange({shortened(self.request.prompt)} → {said})"


@final
@attrs.frozen
class Ask(Generic[A_co, E_co]):
    """A program that waits for a judge. Every reply reaches `resume`, faults too."""

    request: JudgeRequest
    resume: Callable[[JudgeReply], Outcome[A_co, E_co]]


@final
@attrs.frozen
class Fork(Generic[A_co, E_co]):
    """A program that waits for parts which advance independently. Parts are thunks: nothing starts early."""

    parts: tuple[Callable[[], Outcome[object, object]], ...]
    join: Callable[[tuple[Result[object, object], ...]], Outcome[A_co, E_co]]


Now: TypeAlias = "Result[A, E] | Ask[A, E] | Fork[A, E]"
Outcome: TypeAlias = "Now[A, E] | Awaitable[Now[A, E]]"
Answer: TypeAlias = Callable[[JudgeRequest], Awaitable[JudgeReply]]
