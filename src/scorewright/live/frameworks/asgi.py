"""`ScoringMiddleware`: the requests of an ASGI application with their responses, scored; no framework is needed."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, MutableMapping
from typing import TypeAlias, final

import attrs
from typing_extensions import TypeVar

from scorewright.core import Scorer
from scorewright.core.definition import expect_count, expect_flag, expect_function
from scorewright.live.around import AROUND, live_context, restore
from scorewright.live.extracting import Call, Parameters
from scorewright.live.frameworks.bodies import Heard, head_of, trace_in
from scorewright.live.frameworks.exchange import HttpRequest, HttpResponse
from scorewright.live.jobs import Attached
from scorewright.live.live import Live
from scorewright.live.sampling import ALWAYS
from scorewright.live.scored import Samples, attached_of, extractors_of
from scorewright.live.settings import LOG
from scorewright.live.watching import Extractors, Watch, Watched

Message: TypeAlias = MutableMapping[str, object]
Receive: TypeAlias = Callable[[], Awaitable[Message]]
Send: TypeAlias = Callable[[Message], Awaitable[None]]
App: TypeAlias = Callable[[Message, Receive, Send], Awaitable[None]]

In = TypeVar("In")
Out = TypeVar("Out")

_NO_PARAMETERS = Parameters((), {}, open=True)


@final
class ScoringMiddleware:
    """Scores the responses of an application: `app.add_middleware(ScoringMiddleware(polite, live=live, …))`.

    It is a value that makes an application of an application, so plain ASGI takes `app = ScoringMiddleware(…)(app)`.
    `input` and `output` make what the scorers see of the request and of the response; they are called when the last
    part of the response has been sent. `where` admits requests by their head, before anything is kept. A response of
    status 400 or above, and one that raised, is scored with what `on_error` makes of the error, else it is not. Bodies
    of more than `limit` bytes are not kept, nor scored. Every message is passed on at once, as it is. With `shut_down`
    the `Live` is shut down when the application's lifespan ends, within ten seconds.

    The sample is by the trace id of the header `traceparent`, else by the id of the request in `x-request-id`.
    """

    def __init__(
        self,
        *scorers: Scorer[In, Out, None, object],
        live: Live,
        input: Callable[[HttpRequest], In],
        output: Callable[[HttpResponse], Out],
        sample: Samples = ALWAYS,
        where: Callable[[HttpRequest], bool] | None = None,
        on_error: Callable[[Exception], Out] | None = None,
        limit: int = 1 << 20,
        shut_down: bool = False,
    ) -> None:
        expect_function(input, "ScoringMiddleware(…, input=…)", "lambda request: request.json(Question)")
        expect_function(output, "ScoringMiddleware(…, output=…)", "lambda response: response.text")
        if where is not None:
            expect_function(where, "ScoringMiddleware(…, where=…)", 'lambda request: request.path == "/ask"')
        expect_count(limit, "ScoringMiddleware(limit=…)", 1)
        expect_flag(shut_down, "ScoringMiddleware(shut_down=…)")
        attached = attached_of(scorers, None, live, sample)

        def extractors(heard: Heard) -> Extractors:
            def given(_: Call) -> In:
                return input(heard.request())

            return extractors_of(given, output, on_error, None)

        self._settings = _Settings(live, attached, extractors, on_error is not None, where, limit, shut_down)

    def __call__(self, app: App, /) -> App:
        """The application with its responses scored."""
        return _Served(app, self._settings)


@final
@attrs.frozen(eq=False)
class _Settings:
    live: Live
    attached: tuple[Attached, ...]
    extractors: Callable[[Heard], Extractors]
    scores_errors: bool
    where: Callable[[HttpRequest], bool] | None
    limit: int
    shut_down: bool

    def refused(self, head: HttpRequest) -> str:
        """Why a request is not admitted; empty for one that is."""
        if self.where is None:
            return ""
        try:
            return "" if self.where(head) is True else "where= said no"
        except Exception as failed:  # noqa: BLE001 - a user's predicate, which fails closed
            return f"where= raised {type(failed).__name__}"


@final
@attrs.frozen(eq=False)
class _Served:
    app: App
    about: _Settings

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        kind = scope.get("type")
        if kind == "http":
            await self._serve(scope, receive, send)
        elif kind == "lifespan" and self.about.shut_down:
            await self.app(scope, receive, self._ending(send))
        else:
            await self.app(scope, receive, send)

    def _ending(self, send: Send) -> Send:
        async def sent(message: Message) -> None:
            if str(message.get("type")).startswith("lifespan.shutdown."):
                try:
                    await asyncio.to_thread(self.about.live.shutdown)
                except Exception as failed:  # noqa: BLE001 - the server must hear that the application has ended
                    LOG.warning("live scoring did not end in good order: %s: %s", type(failed).__name__, failed)
            await send(message)

        return sent

    async def _serve(self, scope: Message, receive: Receive, send: Send) -> None:
        head = head_of(scope)
        why = self.about.refused(head)
        if why:
            for each in self.about.attached:
                self.about.live.pending.count(each.id, "filtered", why)
            await self.app(scope, receive, send)
            return
        heard = Heard(head, self.about.limit)
        watched = Watched(self.about.live, self.about.attached, self.about.extractors(heard), _NO_PARAMETERS, None, "")
        with live_context(trace_id=trace_in(head) or AROUND.get().trace_id):
            watch = watched.begin((), {})
        if watch is None:
            await self.app(scope, receive, send)
        elif watch.is_seen:
            await self._watched(watch, heard, scope, receive, send)
        else:
            await self._unseen(watch, scope, receive, send)

    async def _unseen(self, watch: Watch, scope: Message, receive: Receive, send: Send) -> None:
        token = AROUND.set(watch.inside)
        try:
            await self.app(scope, receive, send)
        finally:
            restore(token)

    async def _watched(self, watch: Watch, heard: Heard, scope: Message, receive: Receive, send: Send) -> None:
        async def received() -> Message:
            message = await receive()
            heard.received(message)
            return message

        async def sent(message: Message) -> None:
            await send(message)
            if heard.sent(message):
                await self._ended(watch, heard)

        token = AROUND.set(watch.inside)
        try:
            await self.app(scope, received, sent)
        except BaseException as raised:
            if not heard.settled:
                heard.settled = True
                self.about.live.take(watch.raised(raised))
            raise
        finally:
            restore(token)
        if not heard.settled:
            heard.settled = True
            watch.unfinished("the response was not finished")

    async def _ended(self, watch: Watch, heard: Heard) -> None:
        heard.settled = True
        failure = heard.failure()
        if heard.spoiled:
            watch.unfinished(heard.spoiled)
        elif failure is None:
            await self.about.live.take_later(watch.returned(heard.response()))
        elif not self.about.scores_errors:
            watch.unfinished(str(failure))
        else:
            await self.about.live.take_later(watch.raised(failure))
