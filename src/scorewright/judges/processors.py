"""What stands between a prompt and its judge: functions that change, check or stop an ask."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from typing import Never, TypeAlias, cast

import attrs
from returns.pipeline import is_successful
from returns.result import Result
from typing_extensions import TypeVar

from scorewright.core.ask import JudgeReply, JudgeRequest, Now, Outcome
from scorewright.faults import Aborted, DefinitionError
from scorewright.judges.retry import Retry, Trouble
from scorewright.judges.settings import is_a, is_count
from scorewright.results import err, ok

T = TypeVar("T")

Processed: TypeAlias = "Result[T, Aborted] | Awaitable[Result[T, Aborted]]"
InputProcessor: TypeAlias = "Callable[[JudgeRequest], Processed[JudgeRequest]]"
OutputProcessor: TypeAlias = "Callable[[str], Processed[str]]"
Decision: TypeAlias = "Retry | Aborted | Result[Never, Aborted] | None"
ErrorProcessor: TypeAlias = "Callable[[Trouble], Decision | Awaitable[Decision]]"


def abort(processor: str, why: str, /) -> Result[Never, Aborted]:
    """The answer of a processor that stops the ask; nothing is sent, or nothing more."""
    return err(Aborted(processor, why))


def through(given: T, processors: tuple[Callable[[T], Processed[T]], ...], /) -> Outcome[T, Aborted]:
    """What the processors make of it, one after another; the first that aborts, or raises, ends it."""
    for at, processor in enumerate(processors):
        try:
            made = processor(given)
        except Exception as exception:  # noqa: BLE001 - a user's function may raise anything
            return err(_broken(processor, exception))
        if not isinstance(made, Result):
            return _through_later(given, made, processors[at:])
        if not is_successful(made):
            return err(_stopped(processor, made.failure()))
        if (misfit := _misfit(processor, given, made.unwrap())) is not None:
            return err(misfit)
        given = made.unwrap()
    return ok(given)


async def _through_later(
    given: T, waiting: Awaitable[Result[T, Aborted]], processors: tuple[Callable[[T], Processed[T]], ...]
) -> Now[T, Aborted]:
    try:
        made = await awaitable(waiting)
        checked(made)
    except Exception as exception:  # noqa: BLE001 - as above
        return err(_broken(processors[0], exception))
    if not is_successful(made):
        return err(_stopped(processors[0], made.failure()))
    if (misfit := _misfit(processors[0], given, made.unwrap())) is not None:
        return err(misfit)
    rest = through(made.unwrap(), processors[1:])
    return await rest if isinstance(rest, Awaitable) else rest


def _misfit(processor: object, given: object, made: object) -> Aborted | None:
    """What to say of a processor that made something else of what it was given."""
    due = str if isinstance(given, str) else type(given)
    if isinstance(made, due):
        return None
    return Aborted(name_of(processor), f"gave ok({type(made).__name__}): return ok({due.__name__}) or abort(…)")


def _stopped(processor: object, why: Aborted) -> Aborted:
    """Why it stopped; one that said so in a way of its own is told how it is written."""
    if is_a(why, Aborted):
        return why
    return Aborted(name_of(processor), f"gave err({type(why).__name__}): return abort(…)")


def _broken(processor: object, exception: Exception) -> Aborted:
    return Aborted(name_of(processor), f"raised {type(exception).__name__}: {exception}")


def awaitable(given: Awaitable[T], /) -> Awaitable[T]:
    """What an async processor answered; one that answered with a bare value is refused, and told how to mend it."""
    if not hasattr(given, "__await__"):
        checked(given)
    return given


def checked(given: object, /) -> None:
    """Refuse a processor that answered with a bare value, and say how to mend it."""
    if not isinstance(given, Result):
        raise TypeError(f"it gave {type(given).__name__}: return ok(…) or abort(…)")


def as_decision(given: object, /) -> Retry | Aborted | None:
    """What an error processor decided; `abort(…)` is written there as in the other processors."""
    decision = cast("Result[Never, object]", given).failure() if isinstance(given, Result) else given
    if decision is None or isinstance(decision, (Retry, Aborted)):
        return decision
    raise TypeError(f"it gave {type(decision).__name__}: return Retry(…), abort(…) or None")


def name_of(processor: object, /) -> str:
    """How a processor is called in a fault."""
    return str(getattr(processor, "__qualname__", None) or type(processor).__name__)


def received(reply: JudgeReply, processors: tuple[OutputProcessor, ...], /) -> Outcome[JudgeReply, Never]:
    """The reply with its text passed through the output processors."""
    if not is_successful(reply.answer):
        return ok(reply)
    done = through(reply.answer.unwrap(), processors)
    return _received_later(reply, done) if isinstance(done, Awaitable) else ok(_with_answer(reply, done))


async def _received_later(reply: JudgeReply, waiting: Awaitable[Now[str, Aborted]]) -> Result[JudgeReply, Never]:
    return ok(_with_answer(reply, await waiting))


def _with_answer(reply: JudgeReply, answer: Now[str, Aborted]) -> JudgeReply:
    return attrs.evolve(reply, answer=answer) if isinstance(answer, Result) else reply


def _is_card(text: str) -> bool:
    """Whether the digits have the check digit of payment cards (ISO/IEC 7812, Luhn)."""
    digits = [int(character) for character in reversed(text) if character.isdigit()]
    return sum(digits[0::2]) + sum(sum(divmod(2 * digit, 10)) for digit in digits[1::2]) in range(10, 200, 10)


@attrs.frozen
class Redact:
    """An input processor that replaces what its patterns find: by default keys, tokens, e-mail addresses, card numbers.

    `by` is the text that stands in its place. The patterns of our own take time linear in the text; 13 to 19 digits
    count as a card number only where the check digit is right.
    """

    patterns: tuple[str, ...] = attrs.field(
        default=(
            r"(?<![\w-])(?:sk|pk|rk|gsk|xai)[-_][A-Za-z0-9_-]{16,}+",
            r"(?<!\w)(?:gh[pousr]_[A-Za-z0-9]{36,}+|github_pat_\w{22,}+|hf_[A-Za-z0-9]{30,}+)",
            r"(?<![\w-])(?:xox[abeoprs]-[\w-]{10,}+|glpat-[\w-]{20,}+|AIza[\w-]{35}+)",
            r"(?<!\w)A(?:KI|SI)A[0-9A-Z]{16}(?!\w)",
            r"(?<![\w.-])eyJ[\w-]{8,}+\.[\w-]{8,}+\.[\w-]{8,}+",
            r"-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[^-]{1,65536}+(?:-----END [A-Z ]{0,40}PRIVATE KEY-----)?",
            r"(?i)(?<!\w)bearer\s{1,16}+[\w.~+/-]{16,}+=*+",
            r"(?<![\w.+-])[\w.+-]{1,64}+@[\w-]{1,63}+(?:\.[\w-]{1,63}+){1,8}+",
            r"(?<![\w.-])(?:\d[ -]?){12,18}\d(?![\w-])",
        ),
        converter=tuple[str, ...],
    )
    by: str = "[redacted]"

    def __attrs_post_init__(self) -> None:
        for pattern in self.patterns:
            try:
                re.compile(pattern)
            except re.error as mistake:
                raise DefinitionError(f"Redact: {pattern!r} is no regular expression: {mistake}") from mistake

    def __call__(self, request: JudgeRequest, /) -> Result[JudgeRequest, Never]:
        """The request without what was found."""
        said = request.prompt
        for pattern in self.patterns:
            said = re.sub(pattern, self._put, said)
        return ok(attrs.evolve(request, prompt=said))

    def _put(self, found: re.Match[str]) -> str:
        text = found.group()
        return text if re.fullmatch(r"[\d -]{13,}", text) and not _is_card(text) else self.by


@attrs.frozen
class CapTokens:
    """An input processor that aborts when a prompt is longer than so many tokens, estimated at four characters each."""

    tokens: int

    def __attrs_post_init__(self) -> None:
        if not is_count(self.tokens, 1):
            raise DefinitionError(f"CapTokens takes a whole number above 0, not {self.tokens!r}")

    def __call__(self, request: JudgeRequest, /) -> Result[JudgeRequest, Aborted]:
        """The request as it is."""
        estimated = estimated_tokens(request.prompt)
        if estimated > self.tokens:
            return abort("CapTokens", f"the prompt has about {estimated} tokens, more than {self.tokens}")
        return ok(request)


def estimated_tokens(text: str, /) -> int:
    """A rough count of tokens: four characters each, and one for every character beyond ASCII."""
    wide = 0 if text.isascii() else len(text) - len(text.encode("ascii", "ignore"))
    return (len(text) - wide) // 4 + wide + 1


@attrs.frozen
class Moderate:
    """An output processor that aborts when the predicate does not accept the judge's text."""

    accepts: Callable[[str], bool]
    why: str = "the reply is not acceptable"

    def __call__(self, text: str, /) -> Result[str, Aborted]:
        """The text as it is."""
        return ok(text) if self.accepts(text) else abort("Moderate", self.why)
