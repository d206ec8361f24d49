"""One recorded reply as a line of JSON: what was asked, what was answered, what it took. No times, no secrets."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cache
from itertools import accumulate
from json.encoder import encode_basestring
from operator import attrgetter
from typing import TypeAlias, cast, final

import attrs
from returns.result import Result

from scorewright import faults
from scorewright.core.ask import Attempt, JudgeReply, JudgeRequest, Token, Usage
from scorewright.faults import JudgeFault, Unreachable
from scorewright.results import err, ok
from scorewright.shapes import Misfit
from scorewright.shapes.converter import structurer

Key: TypeAlias = tuple[str, str]  # the place, empty where any place will do, and the content


@final
@attrs.frozen
class Tried:
    """One attempt, as far as a file holds it; `fault` names the kind of failure and `why` says it."""

    status: int | None = None
    fault: str = ""
    why: str = ""
    model: str = ""
    finish_reason: str = ""
    input_tokens: int = 0
    output_tokens: int = 0
    cached_input_tokens: int = 0
    reasoning_tokens: int = 0
    cache_write_tokens: int = 0


@final
@attrs.frozen
class Entry:
    """One question and its answer. The fields stand in this order on the line; those that are empty are left out."""

    content: str
    place: str = ""
    prompt: str = ""
    feedback: str = ""
    answer: str = ""
    schema_name: str = ""
    judge: str = ""
    sample: int = 0
    attempts_left: int = 0
    attempts: tuple[Tried, ...] = ()
    tokens: tuple[Token, ...] = ()

    @property
    def key(self) -> Key:
        """What a request is found by."""
        return self.place, self.content

    @property
    def order(self) -> tuple[object, ...]:
        """Where the entry stands in the file: by place and prompt, so that a changed prompt stays where it was."""
        return self.place, self.prompt, self.judge, self.sample, self.feedback, self.content

    def reply(self, *, again: bool) -> JudgeReply:
        """The reply as it came. Repeated `again` it took its attempts; served from a cache it took none."""
        attempts = tuple(map(_attempt, self.attempts))
        if again:
            return JudgeReply(ok(self.answer), attempts, self.attempts_left, tokens=self.tokens)
        avoided = sum((attempt.usage for attempt in attempts if attempt.usage), Usage())
        return JudgeReply(ok(self.answer), (), self.attempts_left, avoided=avoided, tokens=self.tokens)


@final
@attrs.frozen
class NoEntry:
    """What is wrong with a line."""

    why: str


def entry_of(key: Key, request: JudgeRequest, answer: str, reply: JudgeReply, hide: Callable[[str], str], /) -> Entry:
    """The entry of an exchange; `hide` takes secrets out of all that people or judges wrote."""
    return Entry(
        content=key[1],
        place=key[0],
        prompt=hide(request.prompt),
        feedback=hide(request.feedback),
        answer=hide(answer),
        schema_name=request.schema_name,
        judge=request.judge.identity if request.judge else "",
        sample=request.sample,
        attempts_left=reply.attempts_left,
        attempts=tuple(_tried(attempt, hide) for attempt in reply.attempts),
        tokens=_without_secrets(reply.tokens, hide) if reply.tokens else (),
    )


def line_of(entry: Entry, /) -> bytes:
    """The entry as one line of UTF-8; half a surrogate pair, which UTF-8 cannot say, becomes an escape."""
    return text_of(entry).encode("utf-8", "backslashreplace") + b"\n"


def text_of(entry: Entry, /) -> str:
    """The line without its end, as text."""
    written = _said(entry)
    if entry.attempts:
        written.append(f'"attempts": [{", ".join(map(_object, entry.attempts))}]')
    if entry.tokens:
        written.append(f'"tokens": [{", ".join(map(_object, entry.tokens))}]')
    return f"{{{', '.join(written)}}}"


def entry_in(line: bytes, /) -> Result[Entry, NoEntry]:
    """The entry of one line, or what is wrong with it."""
    if line.startswith((b"<<<<<<<", b"=======", b">>>>>>>")):
        return err(NoEntry("is the mark of a merge conflict: keep the lines of both sides and take the marks out"))
    try:
        value: object = json.loads(line)
    except (ValueError, RecursionError) as mistake:
        if not line.endswith(b"\n"):
            return err(NoEntry("breaks off: it was not written to its end; delete it, and it will be asked again"))
        return err(NoEntry(f"is not JSON: {mistake}"))
    return _structured()(value).alt(lambda misfit: NoEntry(f"is no recorded reply: {misfit.path} {misfit.why}"))


@cache
def _structured() -> Callable[[object], Result[Entry, Misfit]]:
    return structurer(Entry)


_encoder = json.JSONEncoder(ensure_ascii=False, separators=(", ", ": "))
_text: Callable[[str], str] = encode_basestring
_ALWAYS = frozenset({"prompt", "answer"})


def _without_secrets(tokens: tuple[Token, ...], hide: Callable[[str], str]) -> tuple[Token, ...]:
    """The tokens before and behind whatever `hide` takes out of the text that they spell."""
    whole = "".join(token.text for token in tokens)
    told = hide(whole)
    if told == whole:
        return tokens
    before = _alike(whole, told)
    behind = len(whole) - min(_alike(whole[::-1], told[::-1]), len(whole) - before)
    ends = tuple(accumulate(len(token.text) for token in tokens))
    starts = (0, *ends)
    return tuple(
        token for token, start, end in zip(tokens, starts, ends, strict=False) if end <= before or start >= behind
    )


def _alike(one: str, other: str) -> int:
    """How many letters two texts share at their beginning."""
    pairs = zip(one, other, strict=False)
    return next((at for at, (mine, theirs) in enumerate(pairs) if mine != theirs), min(len(one), len(other)))


def _object(value: Tried | Token) -> str:
    return f"{{{', '.join(_said(value))}}}"


def _said(value: Entry | Tried | Token) -> list[str]:
    """The fields that hold something, as they stand on the line; lists of entries are written apart.

    Straight into the text, for every reply is stored in this form: a dictionary and its encoder take longer.
    """
    (fields, values), encode = _FIELDS[value.__class__], _encoder.encode
    return [
        f"{head}{_text(given) if isinstance(given, str) else given if given.__class__ is int else encode(given)}"
        for (head, default), given in zip(fields, values(value), strict=True)
        if given != default
    ]


def _fields(kind: type[attrs.AttrsInstance], *apart: str) -> _Fields:
    """What stands before the value of each field, the value that is left out, and how all are read."""
    told = [field for field in attrs.fields(kind) if field.name not in apart]
    heads = tuple((f'"{field.name}": ', None if field.name in _ALWAYS else field.default) for field in told)
    return heads, cast("Callable[[object], tuple[object, ...]]", attrgetter(*(field.name for field in told)))


_Fields: TypeAlias = tuple[tuple[tuple[str, object], ...], Callable[[object], tuple[object, ...]]]
_FIELDS: Mapping[type, _Fields] = {
    Entry: _fields(Entry, "attempts", "tokens"), Tried: _fields(Tried), Token: _fields(Token)
}  # fmt: skip


def _tried(attempt: Attempt, hide: Callable[[str], str]) -> Tried:
    usage = attempt.usage or Usage()
    fault = attempt.fault
    return Tried(
        attempt.status,
        type(fault).__name__ if fault else "",
        hide(str(getattr(fault, "why", ""))),
        attempt.model,
        attempt.finish_reason,
        usage.input_tokens,
        usage.output_tokens,
        usage.cached_input_tokens,
        usage.reasoning_tokens,
        usage.cache_write_tokens,
    )


def _attempt(tried: Tried) -> Attempt:
    counted = (tried.input_tokens, tried.output_tokens, tried.cached_input_tokens, tried.reasoning_tokens)
    written = tried.cache_write_tokens
    usage = Usage(*counted, cache_write_tokens=written) if any(counted) or written else None
    fault = _fault(tried) if tried.fault else None
    return Attempt(fault, tried.status, usage, tried.model, finish_reason=tried.finish_reason)


def _fault(tried: Tried) -> JudgeFault:
    kind: object = getattr(faults, tried.fault, None)
    if not isinstance(kind, type) or not issubclass(kind, JudgeFault):
        return Unreachable(tried.why)
    known: Mapping[str, object] = {"why": tried.why, "status": tried.status or 0, "retry_after": None}
    named = [field.name for field in attrs.fields(kind) if field.name != "misfits"]
    return cast("Callable[..., JudgeFault]", kind)(**{name: known.get(name, "") for name in named})
