"""A function of any kind that hands its calls to a watch, and is else what it was."""

from __future__ import annotations

import inspect
from collections.abc import AsyncGenerator, Callable, Coroutine, Generator, Mapping, Sequence
from functools import partial, wraps
from typing import TypeAlias, cast

from typing_extensions import ParamSpec, TypeIs, TypeVar

from scorewright.live.around import AROUND, Around, restore
from scorewright.live.watching import Watch, Watched, why_none

P = ParamSpec("P")
T = TypeVar("T")

_Yields: TypeAlias = AsyncGenerator[object, object]


def wrapped(f: Callable[P, T], watched: Watched, /) -> Callable[P, T]:
    """The function with its calls watched. What it is (`async`, with `yield`) it stays, for whoever asks."""
    given: Callable[..., object] = f
    if inspect.isasyncgenfunction(f):
        made = _async_generator(_begins(given, watched), watched)
    elif inspect.iscoroutinefunction(f):
        made = _coroutine(given, watched)
    elif inspect.isgeneratorfunction(f):
        made = _generator(given, watched)
    else:
        made = _plain(given, watched)
    return cast("Callable[P, T]", wraps(given)(made))  # of the same kind, with the same parameters


def _plain(f: Callable[..., object], watched: Watched) -> Callable[..., object]:
    def call(*args: object, **kwargs: object) -> object:
        watch = watched.begin(args, kwargs)
        if watch is None:
            return f(*args, **kwargs)
        token = AROUND.set(watch.inside)
        try:
            output = f(*args, **kwargs)
        except BaseException as raised:
            restore(token)
            watched.live.take(watch.raised(raised))
            raise
        restore(token)
        return _ended(output, watch, watched)

    return call


def _ended(output: object, watch: Watch, watched: Watched) -> object:
    """What a plain function gave back: it is over, unless that is something that is still to run."""
    if _is_coroutine(output):
        return _awaited(output, watch, watched)
    if _is_generator(output):
        return _yielded(output, watch, watched)
    if _is_async_generator(output):
        return _async_generator(lambda: (output, watch), watched)()
    watched.live.take(watch.returned(output))
    return output


def _coroutine(f: Callable[..., object], watched: Watched) -> Callable[..., object]:
    async def call(*args: object, **kwargs: object) -> object:
        watch = watched.begin(args, kwargs)
        begun = cast("Coroutine[object, object, object]", _called(f, watch, args, kwargs))  # it is a coroutine function
        return await (begun if watch is None else _awaited(begun, watch, watched))

    return call


async def _awaited(begun: Coroutine[object, object, object], watch: Watch, watched: Watched) -> object:
    token = AROUND.set(watch.inside)
    try:
        output = await begun
    except Exception as raised:
        restore(token)
        await watched.live.take_later(watch.raised(raised))
        raise
    except BaseException as raised:
        restore(token)
        watch.raised(raised)  # cancelled or closed: it is counted, and there is nothing to take
        raise
    restore(token)
    await watched.live.take_later(watch.returned(output))
    return output


def _generator(f: Callable[..., object], watched: Watched) -> Callable[..., object]:
    def call(*args: object, **kwargs: object) -> Generator[object, object, object]:
        watch = watched.begin(args, kwargs)
        begun = cast("Generator[object, object, object]", _called(f, watch, args, kwargs))  # it is a generator function
        return (yield from begun if watch is None else _yielded(begun, watch, watched))

    return call


def _yielded(
    begun: Generator[object, object, object], watch: Watch, watched: Watched
) -> Generator[object, object, object]:
    """Pass everything on in both directions; the context is ours only while the function runs."""
    parts: list[object] = []
    step: Callable[[], object] = begun.__next__
    inside = watch.inside
    try:
        while True:
            token = AROUND.set(watch.resumed(inside))
            try:
                part = step()
            finally:
                inside = AROUND.get()
                restore(token)
            watch.keep(parts, part)
            try:
                sent = yield part
            except GeneratorExit:
                begun.close()
                raise
            except BaseException as thrown:  # noqa: BLE001 - it is thrown into the function, whose it is
                step = partial(begun.throw, thrown)
            else:
                step = partial(begun.send, sent)
    except StopIteration as stopped:
        watched.live.take(watch.returned(tuple(parts)))
        return cast("object", stopped.value)  # what the function returns is its own
    except BaseException as raised:
        watched.live.take(watch.raised(raised))
        raise


def _async_generator(begin: Callable[..., tuple[_Yields, Watch | None]], watched: Watched) -> Callable[..., object]:
    async def call(*args: object, **kwargs: object) -> AsyncGenerator[object, object]:
        begun, watch = begin(*args, **kwargs)
        inside = AROUND.get() if watch is None else watch.inside
        parts: list[object] = []
        step = begun.asend(None)
        try:
            while True:
                if watch is None:
                    part = await step
                else:
                    part, inside = await _inside(step, watch.resumed(inside))
                    watch.keep(parts, part)
                try:
                    sent = yield part
                except GeneratorExit:
                    await begun.aclose()
                    raise
                except BaseException as thrown:  # noqa: BLE001 - it is thrown into the function, whose it is
                    step = begun.athrow(thrown)
                else:
                    step = begun.asend(sent)
        except StopAsyncIteration:
            await watched.live.take_later([] if watch is None else watch.returned(tuple(parts)))
        except Exception as raised:
            await watched.live.take_later([] if watch is None else watch.raised(raised))
            raise
        except BaseException as raised:
            _ = watch and watch.raised(raised)  # cancelled or closed: counted, and there is nothing to take
            raise

    return call


async def _inside(step: Coroutine[object, object, object], inside: Around) -> tuple[object, Around]:
    """What the step gives, and what is around the function when it does."""
    token = AROUND.set(inside)
    try:
        return await step, AROUND.get()
    finally:
        restore(token)


def _begins(f: Callable[..., object], watched: Watched) -> Callable[..., tuple[_Yields, Watch | None]]:
    def begin(*args: object, **kwargs: object) -> tuple[_Yields, Watch | None]:
        watch = watched.begin(args, kwargs)
        return cast("_Yields", _called(f, watch, args, kwargs)), watch  # it is an async generator function

    return begin


def _called(
    f: Callable[..., object], watch: Watch | None, args: Sequence[object], kwargs: Mapping[str, object]
) -> object:
    """What is still to run; arguments that do not fit are a call that raised."""
    try:
        return f(*args, **kwargs)
    except BaseException as raised:
        if watch is not None:
            watch.unfinished(why_none(raised))
        raise


def _is_coroutine(given: object) -> TypeIs[Coroutine[object, object, object]]:
    return inspect.iscoroutine(given)


def _is_generator(given: object) -> TypeIs[Generator[object, object, object]]:
    return inspect.isgenerator(given)


def _is_async_generator(given: object) -> TypeIs[_Yields]:
    return inspect.isasyncgen(given)
