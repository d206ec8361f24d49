"""What a decorated function of each kind is, and what its scorers see of it."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import AsyncIterator, Callable, Generator, Iterator, Mapping
from contextlib import closing

import pytest
from live.watching import Seen, number, polite, tone

from scorewright import Run, create_scorer, pure
from scorewright.core import Scorers
from scorewright.faults import DefinitionError
from scorewright.live import (
    ALWAYS,
    Live,
    argument,
    attach,
    joined,
    live_context,
    ratio,
    returned,
    scored,
    scoring,
    submit,
    unscored,
)

whole = create_scorer("whole", input=object, output=object).generate_score(pure(lambda _: 1.0))


def pairs(seen: Seen) -> list[tuple[object, object]]:
    seen.counts()
    return [(score.run.input, score.run.output) for score in seen.scores]


def test_a_plain_function_is_scored(seen: Seen) -> None:
    """And is else what it was: name, signature, doc, value."""

    @scored(polite, live=seen.live)
    def answer(question: str) -> str:
        """Answer."""
        return f"{question}, please"

    assert answer("Sit") == "Sit, please"
    assert answer(question="Go") == "Go, please"
    assert (answer.__name__, answer.__doc__) == ("answer", "Answer.")
    assert list(inspect.signature(answer).parameters) == ["question"]
    assert pairs(seen) == [("Sit", "Sit, please"), ("Go", "Go, please")]


def test_a_coroutine_function_is_scored(seen: Seen) -> None:
    """When it is awaited, and it stays one."""

    @scored(polite, live=seen.live)
    async def answer(question: str) -> str:
        await asyncio.sleep(0)
        return question

    assert inspect.iscoroutinefunction(answer)
    assert asyncio.run(answer("please")) == "please"
    assert pairs(seen) == [("please", "please")]


def test_a_generator_is_scored_when_complete(seen: Seen) -> None:
    """What is sent and thrown into it arrives, what it returns comes out, and its output is all that it yielded."""
    heard: list[object] = []

    @scored(whole, live=seen.live)
    def answer(question: str) -> Generator[str, str, int]:
        heard.append((yield question))
        try:
            yield "two"
        except KeyError as thrown:
            heard.append(type(thrown))
        yield "three"
        return 3

    assert inspect.isgeneratorfunction(answer)
    begun = answer("one")
    assert (next(begun), begun.send("sent"), begun.throw(KeyError())) == ("one", "two", "three")
    with pytest.raises(StopIteration) as stopped:
        next(begun)
    assert stopped.value.value == 3
    assert heard == ["sent", KeyError]
    assert pairs(seen) == [("one", ("one", "two", "three"))]


def test_an_async_generator_is_scored_when_complete(seen: Seen) -> None:
    """As a plain one is."""

    @scored(polite, live=seen.live, output=joined)
    async def answer(question: str) -> AsyncIterator[str]:
        yield question
        await asyncio.sleep(0)
        yield ", please"

    async def read() -> list[str]:
        return [part async for part in answer("Sit")]

    assert inspect.isasyncgenfunction(answer)
    assert asyncio.run(read()) == ["Sit", ", please"]
    assert pairs(seen) == [("Sit", "Sit, please")]


def test_what_is_thrown_into_an_async_generator_arrives(seen: Seen) -> None:
    """And what is sent."""
    heard: list[object] = []

    @scored(whole, live=seen.live)
    async def answer(question: str) -> AsyncIterator[str]:
        heard.append((yield question))
        try:
            yield "two"
        except KeyError as thrown:
            heard.append(type(thrown))
        yield "three"

    async def use() -> list[object]:
        begun = answer("one")
        assert inspect.isasyncgen(begun)
        return [
            await anext(begun),
            await begun.asend("sent"),
            await begun.athrow(KeyError()),
            await anext(begun, "end"),
        ]

    assert asyncio.run(use()) == ["one", "two", "three", "end"]
    assert heard == ["sent", KeyError]
    assert pairs(seen) == [("one", ("one", "two", "three"))]


def test_what_a_plain_function_hands_on_is_scored_when_it_is_over(seen: Seen) -> None:
    """A coroutine, a generator, an async generator that it made."""

    async def later(said: str) -> str:
        return said

    async def yielded(said: str) -> AsyncIterator[str]:
        yield said

    @scored(whole, live=seen.live)
    def made(kind: str) -> object:
        if kind == "all":
            return (part for part in kind)
        return later(kind) if kind == "later" else yielded(kind)

    async def use() -> None:
        coroutine = made("later")
        assert inspect.iscoroutine(coroutine)
        assert seen.live.counts().triggered == 1
        await coroutine
        stream = made("stream")
        assert inspect.isasyncgen(stream)
        assert [part async for part in stream] == ["stream"]

    parts = made("all")
    assert inspect.isgenerator(parts)
    assert list(parts) == ["a", "l", "l"]
    asyncio.run(use())
    assert pairs(seen) == [("all", ("a", "l", "l")), ("later", "later"), ("stream", ("stream",))]


def test_a_generator_that_is_left_early_is_not_scored(seen: Seen) -> None:
    """It has no output yet; the count says why, and the function is closed."""
    closed: list[str] = []

    @scored(whole, live=seen.live)
    def answer(question: str) -> Iterator[str]:
        try:
            yield question
            yield "more"
        finally:
            closed.append("sync")

    @scored(whole, live=seen.live)
    async def later(question: str) -> AsyncIterator[str]:
        try:
            yield question
            yield "more"
        finally:
            closed.append("async")

    async def use() -> None:
        begun = later("one")
        assert inspect.isasyncgen(begun)
        assert await anext(begun) == "one"
        await begun.aclose()

    begun = answer("one")
    assert inspect.isgenerator(begun)
    with closing(begun):
        assert next(begun) == "one"
    asyncio.run(use())
    assert closed == ["sync", "async"]
    assert dict(seen.counts().reasons) == {"filtered: the call was closed before its end": 2}


def test_a_generator_keeps_what_is_around_it(seen: Seen) -> None:
    """Its own context stays its own from one step to the next, and its reader's the reader's."""

    @scored(polite, live=seen.live, step="inner")
    def inner(question: str) -> str:
        return question

    @scored(whole, live=seen.live)
    def outer(question: str) -> Iterator[str]:
        with live_context(trace_id="own"):
            yield inner(question)
            yield inner(question)

    @scored(whole, live=seen.live, sample=ratio(0))
    async def unseen(question: str) -> AsyncIterator[str]:
        yield inner(question)
        yield inner(question)

    async def read() -> None:
        stream = unseen("async")
        with live_context(trace_id="one"):
            await anext(stream)
        with live_context(trace_id="two"):
            await anext(stream)

    begun = outer("sync")
    next(begun)
    with live_context(trace_id="reader"):
        assert [*begun, inner("reader")] == ["sync", "reader"]
    asyncio.run(read())
    seen.counts()
    traces = [(score.run.input, score.origin.trace_id) for score in seen.scores if score.scorer == "polite"]
    assert traces == [("sync", "own"), ("sync", "own"), ("reader", "reader"), ("async", "one"), ("async", "two")]


def test_methods_and_steps_are_scored(seen: Seen) -> None:
    """The object of a method is no argument of the call."""

    class Bot:
        @scored(polite, live=seen.live)
        def answer(self, question: str) -> str:
            return question

        @scored(polite, live=seen.live, input=argument("question", str), step="search")
        def search(self, depth: int, question: str = "please") -> str:
            return f"{question} {depth}"

        @classmethod
        @scored(polite, live=seen.live)
        def made(cls, question: str) -> str:
            return question

    assert (Bot().answer("Sit"), Bot().search(2), Bot.made("Go")) == ("Sit", "please 2", "Go")
    assert pairs(seen) == [("Sit", "Sit"), ("please", "please 2"), ("Go", "Go")]
    assert [score.origin.step for score in seen.scores] == ["", "search", ""]


def test_an_exception_is_the_functions_own(seen: Seen) -> None:
    """It comes out as it was; it is scored only where `on_error` makes an output of it."""
    boom = ValueError("boom")

    @scored(polite, live=seen.live)
    def breaks(question: str) -> str:
        raise boom

    @scored(polite, live=seen.live, on_error=lambda error: f"please excuse: {error}")
    async def excuses(question: str) -> str:
        raise boom

    @scored(whole, live=seen.live, on_error=str)
    def yields(question: str) -> Iterator[str]:
        yield "one"
        raise boom

    with pytest.raises(ValueError, match="boom") as raised:
        breaks("Sit")
    assert raised.value is boom
    with pytest.raises(ValueError, match="boom"):
        asyncio.run(excuses("Sit"))
    with pytest.raises(ValueError, match="boom"):
        list(yields("Sit"))
    assert pairs(seen) == [("Sit", "please excuse: boom"), ("Sit", "boom")]
    assert dict(seen.counts().reasons) == {"filtered: the call raised": 1}


def test_arguments_that_do_not_fit_are_a_call_that_raised(seen: Seen) -> None:
    """Of a function of any kind, and the error is Python's own."""

    @scored(polite, live=seen.live)
    def plain(question: str) -> str:
        return question

    @scored(polite, live=seen.live)
    async def awaited(question: str) -> str:
        return question

    @scored(polite, live=seen.live, output=joined)
    def yields(question: str) -> Iterator[str]:
        yield question

    @scored(polite, live=seen.live, output=joined)
    async def streams(question: str) -> AsyncIterator[str]:
        yield question

    async def read(parts: AsyncIterator[str]) -> list[str]:
        return [part async for part in parts]

    functions: list[Callable[..., object]] = [plain, awaited, yields, streams]
    ends: list[Callable[..., object]] = [str, asyncio.run, list, lambda parts: asyncio.run(read(parts))]
    for function, end in zip(functions, ends, strict=True):
        with pytest.raises(TypeError, match="takes 1 positional argument"):
            end(function(3, 4))
    counts = seen.counts()
    assert (counts.triggered, dict(counts.reasons)) == (4, {"filtered: the call raised": 4})


def test_a_call_that_is_cancelled_is_counted(seen: Seen) -> None:
    """And stays cancelled, whatever `on_error` says."""

    @scored(polite, live=seen.live, on_error=str)
    async def forever(question: str) -> str:
        await asyncio.Event().wait()
        return question

    async def use() -> None:
        task = asyncio.create_task(forever("Sit"))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(use())
    assert dict(seen.counts().reasons) == {"filtered: the call was cancelled": 1}


def test_the_output_is_taken_out_of_what_is_returned(seen: Seen) -> None:
    """By a function that is told the type."""

    @scored(polite, live=seen.live, output=returned(dict[str, str], lambda page: page["text"]))
    def answer(question: str) -> dict[str, str]:
        return {"text": question}

    answer("please")
    assert pairs(seen) == [("please", "please")]


def test_a_function_of_others_is_attached_to(seen: Seen) -> None:
    """With extractors of its own parameters."""

    def answer(question: str, *, words: int = 1) -> list[str]:
        return question.split()[:words]

    watched = attach(
        answer,
        polite,
        live=seen.live,
        input=lambda question, *, words=1: f"{question} ({words})",
        output=" ".join,
    )
    assert watched("Sit please now", words=2) == ["Sit", "please"]
    assert pairs(seen) == [("Sit please now (2)", "Sit please")]


def test_an_extractor_that_raises_fails_the_run_and_not_the_call(seen: Seen) -> None:
    """It is counted, with what it raised."""

    @scored(polite, live=seen.live, output=lambda page: str(page["text"]))
    def answer(question: str) -> dict[str, str]:
        return {}

    @scored(polite, live=seen.live, input=argument("question", str))
    def another(question: object) -> str:
        return str(question)

    assert answer("Sit") == {}
    assert another(5) == "5"
    counts = seen.counts()
    assert (counts.failed, dict(counts.reasons)) == (2, {"failed: KeyError": 1, "failed: TypeError": 1})


def test_a_block_is_scored_when_it_ends(seen: Seen) -> None:
    """With what it finished with; one that never does, or raises, is counted."""
    with scoring(polite, live=seen.live, input="Sit") as block:
        block.finish("please")
    with scoring(polite, live=seen.live, input="Sit"):
        pass
    with pytest.raises(KeyError), scoring(polite, live=seen.live, input="Sit") as block:
        raise KeyError
    with pytest.raises(KeyError), scoring(polite, live=seen.live, input="Go", on_error=str):
        raise KeyError("please")

    async def use() -> None:
        async with scoring(polite, live=seen.live, input="Come") as later:
            later.finish("now")

    asyncio.run(use())
    assert pairs(seen) == [("Sit", "please"), ("Go", "'please'"), ("Come", "now")]
    assert dict(seen.counts().reasons) == {
        "filtered: the block ended without finish(output)": 1,
        "filtered: the call raised": 1,
    }


def test_scorers_come_by_id(seen: Seen) -> None:
    """Out of a collection."""

    @scored("tone", "polite", among=Scorers(polite, tone, number), live=seen.live)
    def answer(question: str) -> str:
        return question

    answer("please")
    seen.counts()
    assert sorted((score.scorer, score.score) for score in seen.scores) == [("polite", 1.0), ("tone", 0.5)]


def acme(context: Mapping[str, object]) -> bool:
    return context["tenant"] == "acme"


def maybe(_: Mapping[str, object]) -> bool:
    return "yes"  # type: ignore[return-value]  # what is tested


@pytest.mark.parametrize(
    ("where", "context", "reason"),
    [
        (acme, {"tenant": "acme"}, ""),
        (acme, {"tenant": "other"}, "filtered: where= said no"),
        (acme, {}, "filtered: where= raised KeyError"),
        (maybe, {}, "filtered: where= said no"),
    ],
)
def test_a_filter_admits_by_context_and_fails_closed(
    seen: Seen, where: Callable[[Mapping[str, object]], bool], context: dict[str, object], reason: str
) -> None:
    """Before sampling; whatever is not True keeps the run out, and is counted."""

    @scored(polite, live=seen.live, where=where, sample=ratio(1))
    def answer(question: str) -> str:
        return question

    with live_context(context=context):
        answer("please")
    counts = seen.counts()
    assert (counts.scored, counts.filtered) == ((0, 1) if reason else (1, 0))
    assert list(counts.reasons) == ([reason] if reason else [])
    assert [dict(score.run.request_context) for score in seen.scores] == ([] if reason else [context])


def test_the_context_comes_from_the_call_too(seen: Seen) -> None:
    """Where it is taken out of the arguments; a broken extractor keeps the run out."""

    @scored(
        polite,
        live=seen.live,
        input=argument("question", str),
        context=lambda call: {"tenant": call.of("tenant", str)},
        where=acme,
    )
    def answer(question: str, tenant: object) -> str:
        return question

    answer("please", "acme")
    answer("please", tenant="other")
    answer("please", 5)
    assert dict(seen.counts().reasons) == {"filtered: where= said no": 1, "filtered: context= raised TypeError": 1}
    assert len(pairs(seen)) == 1


def test_scoring_can_be_switched_off(seen: Seen) -> None:
    """For a block, as a suite does that calls the same function; counted."""

    @scored(polite, live=seen.live)
    def answer(question: str) -> str:
        return question

    with unscored("a suite runs"):
        answer("please")
    answer("please")
    assert dict(seen.counts().reasons) == {"filtered: a suite runs": 1}
    assert len(pairs(seen)) == 1


def test_a_scorer_that_calls_what_is_scored_does_not_go_round(seen: Seen) -> None:
    """What it calls is filtered."""

    @scored(polite, live=seen.live)
    def answer(question: str) -> str:
        return question

    @scored(
        create_scorer("asks", input=str, output=str).generate_score(
            pure(lambda s: len(answer(question=s.run.input)) / 10)
        ),
        live=seen.live,
    )
    def outer(question: str) -> str:
        return question

    outer("please")
    assert seen.values == [0.6]
    assert dict(seen.counts().reasons) == {"filtered: inside a scorer": 1}


def test_a_run_that_is_handed_in_is_scored_once(seen: Seen) -> None:
    """Under the id and the context that it has."""
    run = Run("Sit", "please", run_id="r1", request_context={"tenant": "acme"})
    submit(run, polite, live=seen.live, trace_id="t1")
    submit(run, polite, live=seen.live, trace_id="t1")
    seen.counts()
    [score] = seen.scores
    assert (score.run, score.run.run_id, score.origin.trace_id, score.score) == (run, "r1", "t1", 1.0)
    assert dict(score.run.request_context) == {"tenant": "acme"}


needs = create_scorer("needs", input=str, output=str, expected=str).generate_score(pure(lambda _: 1.0))


@pytest.mark.parametrize(
    ("scorers", "settings", "told"),
    [
        ((), {}, "at least one scorer"),
        ((polite, polite), {}, "two scorers have the id 'polite'"),
        (("polite",), {}, "among="),
        (("other",), {"among": Scorers(polite)}, "no scorer 'other'"),
        ((5,), {}, "finished scorers"),
        ((needs,), {}, "reference answer"),
        ((polite,), {"sample": 0.1}, r"ratio\(0.1\)"),
        ((polite,), {"sample": {"other": ALWAYS}}, "'other'"),
        ((polite, tone), {"sample": {"tone": ALWAYS}}, "no sample for polite"),
        ((polite,), {"sample": {"polite": 0.1}}, r"ratio\(0.1\)"),
        ((polite,), {"where": "acme"}, "where="),
        ((polite,), {"output": "text"}, "output="),
        ((polite,), {"on_error": "text"}, "on_error="),
        ((polite,), {"context": "text"}, "context="),
        ((polite,), {"input": "question"}, "argument"),
        ((polite,), {"step": 5}, "step="),
        ((polite,), {"live": 5}, "live="),
    ],
)
def test_mistakes_raise_where_they_are_written(
    seen: Seen, scorers: tuple[object, ...], settings: dict[str, object], told: str
) -> None:
    """With words that say how to mend them."""
    decorate: Callable[..., object] = scored
    with pytest.raises(DefinitionError, match=told):
        decorate(*scorers, **{"live": seen.live, **settings})


def test_unknown_settings_are_refused(seen: Seen) -> None:
    """As any function refuses them."""
    decorate: Callable[..., object] = scored
    with pytest.raises(TypeError, match="rate"):
        decorate(polite, live=seen.live, rate=0.1)


def test_a_function_that_does_not_fit_is_refused(seen: Seen) -> None:
    """When it is decorated: its arguments, their classes, what it is."""
    decorate: Callable[..., Callable[[object], object]] = scored

    def two(question: str, words: int) -> str:
        return question

    def counted(question: int) -> str:
        return str(question)

    with pytest.raises(DefinitionError, match="question, words: say which"):
        decorate(polite, live=seen.live)(two)
    with pytest.raises(DefinitionError, match="no argument 'asked'"):
        decorate(polite, live=seen.live, input=argument("asked", str))(two)
    with pytest.raises(DefinitionError, match=r"counted\(question\) takes int"):
        decorate(polite, live=seen.live)(counted)
    with pytest.raises(DefinitionError, match="decorates a function"):
        decorate(polite, live=seen.live)(Live)
    with pytest.raises(DefinitionError, match="below @staticmethod"):
        decorate(polite, live=seen.live)(staticmethod(counted))


class Line(str):
    """A text of a kind."""


def returns_number(question: str) -> int:
    return len(question)


async def returns_number_later(question: str) -> int:
    return len(question)


def returns_nothing(question: str) -> None:
    del question


def returns_several(question: str) -> list:  # type: ignore[type-arg]  # a bare class, which is one
    return [question]


@pytest.mark.parametrize(
    ("f", "what"),
    [(returns_number, "int"), (returns_number_later, "int"), (returns_nothing, "NoneType"), (returns_several, "list")],
)
def test_a_function_that_returns_what_no_scorer_sees_is_refused(
    seen: Seen, f: Callable[..., object], what: str
) -> None:
    """When it is decorated, where its annotation is a class; `output=` makes one of the other."""
    decorate: Callable[..., Callable[[object], object]] = scored
    with pytest.raises(DefinitionError) as told:
        decorate(whole, polite, live=seen.live)(f)
    assert str(told.value) == (
        f"{f.__name__} returns {what}, and the scorer 'polite' sees str: "
        "give output=, a function that makes one of the other"
    )
    decorate(polite, live=seen.live, output=str)(f)
    decorate(whole, live=seen.live)(f)


def returns_a_line(question: str) -> Line:
    return Line(question)


def returns_any_object(question: str) -> object:
    return question


def returns_unread(question: str) -> Unknown:  # type: ignore[name-defined]  # noqa: F821 - what cannot be read
    return question


def returns_unannotated(question: str):
    return question


def returns_a_generator(question: str) -> Iterator[str]:
    return iter([question])


def yields(question: str) -> Iterator:  # type: ignore[type-arg]  # a bare class, which is one
    yield question


@pytest.mark.parametrize(
    "f", [returns_a_line, returns_any_object, returns_unread, returns_unannotated, returns_a_generator, yields]
)
def test_a_function_that_may_return_what_its_scorer_sees_is_taken(seen: Seen, f: Callable[..., object]) -> None:
    """A class below or above, and what an annotation does not tell."""
    decorate: Callable[..., Callable[[object], object]] = scored
    assert decorate(polite, live=seen.live)(f)


def test_a_smaller_number_stands_for_a_greater_one(seen: Seen) -> None:
    """As checkers have it: an int for a float, as an argument and as what is returned."""

    def halved(given: int) -> int:
        return given // 2

    half = create_scorer("half", input=float, output=float).generate_score(pure(lambda s: s.run.output == 2))
    wrapped = scored(half, live=seen.live)(halved)
    assert (wrapped(4), pairs(seen)) == (2, [(4, 2)])
