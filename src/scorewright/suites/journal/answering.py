"""Answers out of the store; what it does not hold is claimed, asked, and stored before the run goes on.

A reply is found by the place of its question inside its part of the program and by its content: prompt, schema,
feedback, sample number and the judge's identity. So no order of arrival matters, three samples are three answers, and a
run that is repeated after a crash finds every answer that was received. A question that failed is given back and may be
asked again.

What the crash of a process can cost is what was asked and not yet recorded. That is asked again under the same
`Idempotency-Key`, so that a provider or gateway that heeds it answers from memory and charges nothing.
"""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager, nullcontext
from hashlib import sha256
from typing import TYPE_CHECKING, final

import attrs
from returns.pipeline import is_successful

from scorewright.core import Answer, JudgeReply, JudgeRequest
from scorewright.faults import Aborted
from scorewright.judges.entries import entry_in, entry_of, text_of
from scorewright.judges.redaction import keys_in, without_secrets
from scorewright.judges.transcripts import key_variables
from scorewright.results import err
from scorewright.suites.journal.calls import Answered, Mine
from scorewright.suites.journal.orders import Claim, Reply
from scorewright.suites.journal.records import StoreError
from scorewright.suites.journal.writer import Writer
from scorewright.suites.rows.ids import sayable

if TYPE_CHECKING:
    from asyncio import AbstractEventLoop, Future, Semaphore

_PAUSES = (0.05, 0.1, 0.2, 0.5)  # seconds between looks at a question that another worker asks


@final
class Journaled:
    """Answers from a store, and from `answer` what it does not hold; pass it as `answer=` to runs."""

    def __init__(self, writer: Writer, answer: Answer, asking: Semaphore | None = None) -> None:
        """One may serve many runs at once, on any loop; one that is bounded by `asking` on the loop of that.

        What is bounded is how many have gone on to `answer`, or have an answer that is not recorded yet.
        """
        self._bound: AbstractAsyncContextManager[None] = nullcontext() if asking is None else asking
        self._writer = writer
        self._answer = answer
        self._asking: dict[tuple[AbstractEventLoop, str], Future[None]] = {}
        self._keys: dict[str, frozenset[str]] = {}  # by the identity of a judge
        self.served: int = 0  # answers that were in the store
        self.asked: int = 0  # questions that were sent

    async def __call__(self, request: JudgeRequest, /) -> JudgeReply:
        """The stored reply, or a new one; of one question asked twice at the same time one is sent."""
        if request.judge is not None and not request.judge.identity:
            why = "the judge has no identity, so its replies cannot be told apart: write calling(f, identity=…)"
            return JudgeReply(err(Aborted("journal", why)))
        import asyncio

        key = _key(request)
        here = asyncio.get_running_loop(), key.written
        while (flying := self._asking.get(here)) is not None:
            await asyncio.wait([flying])
        flying = self._asking[here] = here[0].create_future()
        try:
            return await self._claimed(key, request)
        except StoreError as failed:
            return JudgeReply(err(Aborted("journal", str(failed))))
        finally:
            del self._asking[here]
            flying.set_result(None)

    async def _claimed(self, key: _Key, request: JudgeRequest) -> JudgeReply:
        import asyncio

        looks = 0
        try:
            while not isinstance(claimed := await self._writer.ask(Claim(key.written)), (Mine, Answered)):
                await asyncio.sleep(_PAUSES[min(looks, len(_PAUSES) - 1)])
                looks += 1
            if isinstance(claimed, Answered):
                self.served += 1
                return _stored(claimed.entry)
            async with self._bound:
                return await self._paid(key, request)
        except BaseException:  # cancelled, or an answerer that raises: nothing was received
            self._writer.release(key.written)
            raise

    async def _paid(self, key: _Key, request: JudgeRequest) -> JudgeReply:
        self.asked += 1
        reply = await self._answer(attrs.evolve(request, known_as=key.written))
        if not is_successful(reply.answer):
            self._writer.release(key.written)
            return reply
        try:
            await self._writer.ask(Reply(key.written, self._entry(key, request, reply.answer.unwrap(), reply)))
        except StoreError:  # the answer is paid for and must reach its step; the next question hears of it
            return reply
        return reply

    def _entry(self, key: _Key, request: JudgeRequest, answer: str, reply: JudgeReply) -> str:
        who = request.judge.identity if request.judge else ""
        if who not in self._keys:
            self._keys[who] = keys_in(key_variables(request.judge))
        keys = self._keys[who]
        entry = entry_of(
            (key.place, key.content), request, answer, reply, lambda text: text and without_secrets(text, keys)
        )
        return sayable(text_of(entry))


@final
@attrs.frozen
class _Key:
    place: str
    content: str
    written: str


def _key(request: JudgeRequest) -> _Key:
    place, content = request.place.rpartition("/")[2], request.content
    return _Key(place, content, sha256(f"{place}\n{content}".encode("utf-8", "surrogatepass")).hexdigest())


def _stored(entry: str) -> JudgeReply:
    read = entry_in(f"{entry}\n".encode())
    if not is_successful(read):
        raise StoreError(f"a stored reply {read.failure().why}")
    return read.unwrap().reply(again=False)
