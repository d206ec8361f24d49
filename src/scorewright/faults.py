"""What can go wrong in a run, as values.

Fault
├── NotScorable        the run does not hold what the scorer judges: counted apart, neither score nor failure
├── StepRaised         a step, or a function inside it, raised
├── InvalidScore       not a number, not finite, or outside the scale
├── PrepareFailed      prepare_run raised, or did not give a run
├── InvalidRun         a row does not fit the scorer's types
└── JudgeFault
    ├── transport      Unreachable · TimedOut · RateLimited · ServerError
    ├── refused        Unauthorized · QuotaExhausted · BadRequest · ContextTooLong · ContentFiltered · Refused
    ├── reply          Truncated · EmptyReply · NotJson · SchemaMismatch          (the raw text is kept)
    └── control        NoJudge · Aborted · BudgetExhausted · NotRecorded · Cancelled

How a fault reads to a person is `scorewright.wording`. A mistake in a definition is none: it raises `DefinitionError`.
"""

from __future__ import annotations

from typing import TypeAlias, final

import attrs


class DefinitionError(ValueError):
    """A scorer, a step or a scale was written down wrongly; the message says how to mend it."""


@attrs.frozen
class Fault:
    """The base of all that can go wrong with one run."""


@final
@attrs.frozen
class NotScorable(Fault):
    """The run does not hold what the scorer judges."""

    reason: str


@final
@attrs.frozen
class Raised:
    """An exception as data: its type, its message, its trace; the exception itself while it is in this process."""

    kind: str
    message: str
    exception: BaseException | None = attrs.field(default=None, eq=False, repr=False)
    kept_trace: str = attrs.field(default="", eq=False, repr=False, alias="trace")

    @property
    def trace(self) -> str:
        """The traceback as text."""
        from traceback import format_exception

        return self.kept_trace if self.exception is None else "".join(format_exception(self.exception))

    def __reduce__(self) -> tuple[type[Raised], tuple[str, str, None, str]]:
        """Another process, and a copy, get the text: many an exception cannot travel."""
        return Raised, (self.kind, self.message, None, self.trace)


@final
@attrs.frozen
class StepRaised(Fault):
    """A step, or a function inside it, raised."""

    raised: Raised


@final
@attrs.frozen
class InvalidScore(Fault):
    """What the score step gave is not a finite number of the scale."""

    got: str
    why: str


@final
@attrs.frozen
class PrepareFailed(Fault):
    """`prepare_run` raised, or gave something that is not a run."""

    raised: Raised


@final
@attrs.frozen
class InvalidRun(Fault):
    """A row does not fit the scorer's types: where (a JSON path) and why."""

    path: str
    why: str


@attrs.frozen
class JudgeFault(Fault):
    """The base of what can go wrong with one ask."""


@final
@attrs.frozen
class Unreachable(JudgeFault):
    """No answer came: no connection, a reset, a client that broke."""

    why: str


@final
@attrs.frozen
class TimedOut(JudgeFault):
    """No answer came in time."""

    why: str


@final
@attrs.frozen
class RateLimited(JudgeFault):
    """Too many requests (429); `retry_after` in seconds where the server said so."""

    why: str
    retry_after: float | None = None


@final
@attrs.frozen
class ServerError(JudgeFault):
    """The server failed (5xx, or an overload)."""

    status: int
    why: str


@final
@attrs.frozen
class Unauthorized(JudgeFault):
    """The key is missing, wrong, or may not use this model (401, 403)."""

    why: str


@final
@attrs.frozen
class QuotaExhausted(JudgeFault):
    """The account has nothing left to spend."""

    why: str


@final
@attrs.frozen
class BadRequest(JudgeFault):
    """The server does not accept this request (4xx)."""

    status: int
    why: str


@final
@attrs.frozen
class ContextTooLong(JudgeFault):
    """The prompt does not fit the model's context."""

    why: str


@final
@attrs.frozen
class ContentFiltered(JudgeFault):
    """The provider's filter stopped the prompt or the reply."""

    why: str


@final
@attrs.frozen
class Refused(JudgeFault):
    """The judge declined to answer, in its own words."""

    text: str


@final
@attrs.frozen
class Truncated(JudgeFault):
    """The reply was cut off at the token limit; a part of an answer is no answer."""

    text: str


@final
@attrs.frozen
class EmptyReply(JudgeFault):
    """The reply held no text; `why` tells who was asked, where that may be what is wrong. Equal whatever it says."""

    why: str = attrs.field(default="", eq=False)


@final
@attrs.frozen
class NotJson(JudgeFault):
    """The reply is not the JSON that was asked for."""

    text: str
    why: str


@final
@attrs.frozen(repr=False)
class Misfit:
    """One place where a value is not of its shape: a JSON path such as `$.items[2].name`, what is due, what is there.

    `expected` is in our words and the shape's, so a judge may be told it. `got` is what stands there, by its kind or as
    it is written, and `quotes` whether it repeats a text of the value. `said` is what a user's validator said of it,
    which may do so too. `steps` are the keys and numbers of the path, where it was read and not made by hand: a key may
    be the value's own invention.
    """

    path: str
    expected: str
    got: str = ""
    quotes: bool = False
    said: str = ""
    steps: tuple[str | int, ...] = attrs.field(default=(), eq=False)

    def __repr__(self) -> str:
        told = {"got": self.got, "said": self.said}
        more = "".join(f", {name}={value!r}" for name, value in told.items() if value)
        return f"Misfit(path={self.path!r}, expected={self.expected!r}{more})"

    @property
    def why(self) -> str:
        """What is wrong, for people: what is due, then what is there."""
        found = f"{self.expected}, got {self.got}" if self.got else self.expected
        return f"{found}: {self.said}" if self.said else found


@final
@attrs.frozen
class SchemaMismatch(JudgeFault):
    """The reply is JSON of another shape: where (a JSON path) and why.

    `misfits` hold the same as data. Where none are given, there is one, of the path and of all that `why` says.
    """

    text: str
    path: str
    why: str
    misfits: tuple[Misfit, ...] = attrs.field(
        default=attrs.Factory(lambda self: (Misfit(self.path, self.why),), takes_self=True), repr=False
    )

    @classmethod
    def of(cls, text: str, misfit: Misfit, /) -> SchemaMismatch:
        """What one misfit makes of a reply."""
        return cls(text, misfit.path, misfit.why, (misfit,))


@final
@attrs.frozen
class NoJudge(JudgeFault):
    """A prompt was reached that no judge was given for."""


@final
@attrs.frozen
class Aborted(JudgeFault):
    """A processor stopped the ask."""

    processor: str
    why: str


@final
@attrs.frozen
class BudgetExhausted(JudgeFault):
    """The budget does not cover another request."""

    why: str


@final
@attrs.frozen
class NotRecorded(JudgeFault):
    """A replay met a request that its transcript does not hold."""

    place: str
    prompt: str


@final
@attrs.frozen
class Cancelled(JudgeFault):
    """The suite was told to stop before this ask was sent."""


RunFault: TypeAlias = NotScorable | StepRaised | InvalidScore | PrepareFailed | InvalidRun
