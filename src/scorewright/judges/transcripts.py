"""Replies in a file: recorded once, repeated offline, or cached so that no question is paid for twice.

A transcript keys a reply by the place and the content of its request: the same question at two places of a program, as
in a vote of three, is two entries. A cache keys it by the content alone: the same question anywhere is one entry. The
content is everything that shapes the answer: prompt, schema, feedback, sample number and the judge's identity.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Literal, Never, Self, TypeAlias, final

from returns.pipeline import is_successful

from scorewright.core.ask import Answer, Answerer, JudgeReply, JudgeRequest
from scorewright.core.bench import answer_here
from scorewright.core.scorer import Scorer
from scorewright.faults import Aborted, DefinitionError, NotRecorded
from scorewright.judges.entries import Entry, Key, entry_of
from scorewright.judges.judge import Judge
from scorewright.judges.models import ByContext
from scorewright.judges.redaction import keys_in, without_secrets
from scorewright.judges.shelf import Shelf
from scorewright.results import err
from scorewright.shapes import json_shape
from scorewright.shapes.reply import json_in

if TYPE_CHECKING:
    from asyncio import AbstractEventLoop, Lock

AnyScorer: TypeAlias = Scorer[Never, Never, Never, object]
Way: TypeAlias = Literal["recording", "replaying", "caching"]


@final
class Tape:
    """Answers from a file, and from `answer` what the file does not hold; pass it as `answer=` to runs.

    What was answered is in the file before the run goes on. The end of a `with` or `async with` block puts the file in
    order, and raises what went wrong when it was written. One tape may serve many runs at once, on any loop.
    """

    def __init__(
        self, way: Way, shelf: Shelf, entries: Mapping[Key, Entry], answer: Answer | None, attempts: bool = True
    ) -> None:
        """The entries are those that the file holds now; `attempts` says whether they are repeated with theirs."""
        self.way: Way = way
        self.path: Path = shelf.path
        self._shelf = shelf
        self._entries = dict(entries)
        self._answer = answer
        self._attempts = attempts
        self._asking: dict[tuple[AbstractEventLoop, Key], Lock] = {}
        self._unwritten: OSError | None = None

    def __repr__(self) -> str:
        return f"Tape({self.way}, {str(self.path)!r}, replies: {len(self)})"

    def __len__(self) -> int:
        """How many replies there are."""
        return len(self._entries)

    async def __call__(self, request: JudgeRequest, /) -> JudgeReply:
        """The recorded reply, or a new one; of one question asked twice at the same time one is sent."""
        nameless = _nameless(request.judge)
        if nameless:
            return JudgeReply(err(Aborted(self.way, nameless)))
        key = request.place.rpartition("/")[2], request.content
        found = self._found(key)
        if found is not None:
            return found
        if self._answer is None:
            return JudgeReply(err(NotRecorded(request.place, request.prompt)))
        from asyncio import Lock, get_running_loop

        if self.way == "caching":
            key = "", key[1]
        asking = get_running_loop(), key
        lock = self._asking.setdefault(asking, Lock())
        try:
            async with lock:
                return self._found(key) or self._kept(key, request, await self._answer(request))
        finally:
            if not lock.locked():
                self._asking.pop(asking, None)

    def _found(self, key: Key) -> JudgeReply | None:
        entry = self._entries.get(key) or self._entries.get(("", key[1]))
        return entry and entry.reply(again=self._attempts)

    def _kept(self, key: Key, request: JudgeRequest, reply: JudgeReply) -> JudgeReply:
        """The reply as it came; written down when it is an answer."""
        if not is_successful(reply.answer):
            return reply
        answer = reply.answer.unwrap()
        if self.way == "caching" and not fits(answer, request.schema):
            return reply
        keys = keys_in(key_variables(request.judge))
        entry = entry_of(key, request, answer, reply, lambda text: without_secrets(text, keys))
        self._entries[key] = entry
        try:
            self._shelf.add(entry)
        except OSError as failed:  # the answer is paid for and must reach its step: told at the end of the block
            self._unwritten = self._unwritten or failed
        return reply

    def close(self) -> None:
        """Put the file in order; raises what went wrong when a reply was written."""
        if self.way == "replaying":
            return
        self._shelf.sort()
        if self._unwritten is not None:
            failed, self._unwritten = self._unwritten, None
            raise failed

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        from asyncio import to_thread

        await to_thread(self.close)


def recording(
    path: str | os.PathLike[str],
    /,
    *,
    answer: Answer = answer_here,
    scorers: Sequence[AnyScorer] = (),
    attempts: bool = True,
) -> Tape:
    """A transcript that grows: what the file holds is repeated, the rest is asked through `answer` and recorded.

    The judges of `scorers` are checked at once; a judge without an identity raises `DefinitionError`, or is the fault
    `Aborted` where it is first met in a run. Faults are not recorded. What is repeated has the attempts of then; with
    `attempts=False` it has none, as in a cache, so that only what is asked now is counted.
    """
    return _opened("recording", path, answer, scorers, attempts)


def replaying(path: str | os.PathLike[str], /, *, attempts: bool = True) -> Tape:
    """A transcript that is only repeated: a question that it does not hold is `NotRecorded`.

    `attempts` is as in `recording`.
    """
    return _opened("replaying", path, None, (), attempts)


def caching(
    path: str | os.PathLike[str], /, *, answer: Answer = answer_here, scorers: Sequence[AnyScorer] = ()
) -> Tape:
    """A cache that grows: the same question is asked once, wherever it is asked.

    A cached reply has no attempts, since none was made. Neither a fault nor an answer that does not fit its schema is
    kept. The judges of `scorers` are checked as in `recording`.
    """
    return _opened("caching", path, answer, scorers, False)


def _opened(
    way: Way, path: str | os.PathLike[str], answer: Answer | None, scorers: Sequence[AnyScorer], attempts: bool
) -> Tape:
    for scorer in scorers:
        _check(scorer, way)
    shelf = Shelf(Path(path).resolve())
    try:
        if way != "replaying" and not shelf.path.exists():
            if not shelf.path.parent.is_dir() or not os.access(shelf.path.parent, os.W_OK):
                raise DefinitionError(f"{way}({str(path)!r}): {shelf.path.parent} is no folder to write to")
            return Tape(way, shelf, {}, answer, attempts)
        return Tape(way, shelf, shelf.read(), answer, attempts)
    except FileNotFoundError as missing:
        raise DefinitionError(f"there is no transcript {shelf.path}: record one with recording(…)") from missing
    except OSError as failed:
        raise DefinitionError(f"{way}({str(path)!r}): {failed.strerror}") from failed


def _check(scorer: AnyScorer, way: Way) -> None:
    outer = scorer.about.judge
    for judge in (
        outer,
        *(step.judge and (step.judge.filled(outer) if outer else step.judge) for step in scorer.steps),
    ):
        if judge is not None and not _is_chosen_later(judge) and (nameless := _nameless(judge)):
            raise DefinitionError(f"{way}(…) of {scorer.id!r}: {nameless}")
    for part in scorer.parts:
        _check(part, way)


def _is_chosen_later(judge: Answerer) -> bool:
    return isinstance(judge, Judge) and (isinstance(judge.model, ByContext) or not judge.model)


def _nameless(judge: Answerer | None) -> str:
    """Why the answers of this judge cannot be told from others, and how to mend it; empty where they can."""
    if judge is not None and not judge.identity:
        return "the judge has no identity, so its replies cannot be told apart: write calling(f, identity=…)"
    return ""


def key_variables(judge: Answerer | None, /) -> frozenset[str]:
    """The environment variables that may hold keys: those of every provider, and this judge's own."""
    from scorewright.judges.transports import KEY_VARIABLES

    return KEY_VARIABLES | {judge.api_key_env} if isinstance(judge, Judge) else KEY_VARIABLES


def fits(answer: str, schema: str | None, /) -> bool:
    """Whether the answer is of the form that was asked for: some text, or JSON of this schema."""
    return bool(answer.strip()) if schema is None else _fitting(schema)(answer)


@lru_cache(maxsize=256)
def _fitting(schema: str) -> Callable[[str], bool]:
    import json

    try:
        shape = json_shape(json.loads(schema))
    except DefinitionError:  # a schema that says more than can be checked here
        return lambda _: True

    def fit(answer: str) -> bool:
        if is_successful(shape.decode(answer)):
            return True
        value = json_in(answer)  # a bare value is accepted where {"value": …} was asked for
        return is_successful(value) and is_successful(shape.decode(json.dumps({"value": value.unwrap()})))

    return fit
