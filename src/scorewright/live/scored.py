"""`scored`: the scorers of a function, attached where it is written; `attach`: to one that is written already."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Mapping
from typing import Generic, Never, Protocol, TypeAlias, cast, final, overload

import attrs
from typing_extensions import ParamSpec, TypeVar

from scorewright.core import Scorer, Scorers
from scorewright.core.collection import SomeScorer
from scorewright.core.definition import expect_function, expect_text, shown
from scorewright.faults import DefinitionError
from scorewright.live.extracting import Call, check_input, check_output, parameters_of, the_only_argument
from scorewright.live.jobs import Attached
from scorewright.live.live import Live
from scorewright.live.sampling import ALWAYS, Sample
from scorewright.live.watching import Extractors, Watched, Where
from scorewright.live.wrapping import wrapped

P = ParamSpec("P")
In = TypeVar("In")
Out = TypeVar("Out")
R = TypeVar("R")
Y = TypeVar("Y")
R_co = TypeVar("R_co", covariant=True)
Got_co = TypeVar("Got_co", covariant=True)
Got_contra = TypeVar("Got_contra", contravariant=True)

Samples: TypeAlias = Sample | Mapping[str, Sample]


class Fits(Protocol[P, R_co, Got_co]):
    """A function of parameters `P` that returns an `R_co` which is a `Got_co` too: the one is kept, the other held."""

    @overload
    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R_co: ...
    @overload
    def __call__(  # type: ignore[overload-cannot-match]  # pyright: ignore[reportOverlappingOverload]  # never called: a function has to fit both
        self, *args: P.args, **kwargs: P.kwargs
    ) -> Got_co: ...


@final
@attrs.frozen
class Decorator(Generic[Got_contra]):
    """What `scored(…)` gives: it takes a function that returns, or awaits, or yields what its scorers see."""

    live: Live
    attached: tuple[Attached, ...]
    extractors: Extractors
    where: Where | None
    step: str

    @overload
    def __call__(self, f: Fits[P, R, Coroutine[object, Never, Got_contra] | Got_contra], /) -> Callable[P, R]: ...
    @overload
    def __call__(
        self: Decorator[tuple[Y, ...]], f: Fits[P, R, Iterator[Y] | AsyncIterator[Y]], /
    ) -> Callable[P, R]: ...
    def __call__(self, f: Callable[P, object], /) -> Callable[P, object]:
        """The function with its calls scored, of the same kind and type."""
        given: object = f
        if not callable(given) or isinstance(given, type):
            raise DefinitionError(f"scored(…) decorates a function, not {shown(given)}")
        kind = type(given).__name__
        if kind in ("staticmethod", "classmethod"):
            raise DefinitionError(f"scored(…) stands below @{kind}, next to the function")
        parameters = parameters_of(f)
        check_input(f, parameters, self.extractors.input, [each.scorer.about.input for each in self.attached])
        if self.extractors.output is None:
            check_output(f, {each.scorer.id: each.scorer.about.output for each in self.attached})
        return wrapped(f, Watched(self.live, self.attached, self.extractors, parameters, self.where, self.step))


@overload
def scored(
    *scorers: Scorer[In, Out, None, object],
    live: Live,
    input: Callable[[Call], In] = ...,
    sample: Samples = ...,
    where: Where | None = ...,
    context: Callable[[Call], Mapping[str, object]] | None = ...,
    on_error: Callable[[Exception], Out] | None = ...,
    step: str = ...,
) -> Decorator[Out]: ...
@overload
def scored(
    *scorers: Scorer[In, Out, None, object],
    live: Live,
    input: Callable[[Call], In] = ...,
    output: Callable[[R], Out],
    sample: Samples = ...,
    where: Where | None = ...,
    context: Callable[[Call], Mapping[str, object]] | None = ...,
    on_error: Callable[[Exception], Out] | None = ...,
    step: str = ...,
) -> Decorator[R]: ...
@overload
def scored(
    *scorers: str,
    among: Scorers,
    live: Live,
    input: Callable[[Call], object] = ...,
    sample: Samples = ...,
    where: Where | None = ...,
    context: Callable[[Call], Mapping[str, object]] | None = ...,
    on_error: Callable[[Exception], object] | None = ...,
    step: str = ...,
) -> Decorator[object]: ...
@overload
def scored(
    *scorers: str,
    among: Scorers,
    live: Live,
    input: Callable[[Call], object] = ...,
    output: Callable[[R], object],
    sample: Samples = ...,
    where: Where | None = ...,
    context: Callable[[Call], Mapping[str, object]] | None = ...,
    on_error: Callable[[Exception], object] | None = ...,
    step: str = ...,
) -> Decorator[R]: ...
def scored(
    *scorers: Scorer[In, Out, None, object] | str,
    live: Live,
    among: Scorers | None = None,
    input: Callable[[Call], object] = the_only_argument,
    output: Callable[[R], object] | None = None,
    sample: Samples = ALWAYS,
    where: Where | None = None,
    context: Callable[[Call], Mapping[str, object]] | None = None,
    on_error: Callable[[Exception], object] | None = None,
    step: str = "",
) -> Decorator[Never]:
    """Have the calls of a function scored, off its thread, by scorers or by the ids of scorers `among` others.

    `input` makes the scorers' input of a call (`argument("question", str)`); without it the function takes one
    argument. `output` makes their output of what it returns; of a function with `yield` that is the tuple of all that
    it yielded. `where` admits calls by their context, `sample` says how many are scored, for all or by id. A call that
    raises is scored with what `on_error` makes of the exception. Inside a call that is scored, a function without
    `step=` is not scored by the same scorers again. Mistakes raise `DefinitionError`.
    """
    attached = attached_of(scorers, among, live, sample)
    extractors = extractors_of(input, output, on_error, context)
    if where is not None:
        expect_function(where, "scored(…, where=…)", 'lambda context: context["tenant"] == "acme"')
    expect_text(step, "scored(…, step=…)")
    return Decorator[Never](live, attached, extractors, where, step)


def attach(
    f: Callable[P, R],
    /,
    *scorers: Scorer[In, Out, None, object],
    live: Live,
    input: Callable[P, In],
    output: Callable[[R], Out],
    sample: Samples = ALWAYS,
    where: Where | None = None,
    on_error: Callable[[Exception], Out] | None = None,
    step: str = "",
) -> Callable[P, R]:
    """The same for a plain function that exists already. `input` takes its arguments, and is held to their types."""
    expect_function(input, "attach(…, input=…)", "lambda question: question")

    def of_call(call: Call) -> object:
        given = cast("Callable[..., object]", input)  # the arguments were taken by a function of the same parameters
        return given(*call.args, **call.kwargs)

    attached = attached_of(scorers, None, live, sample)
    extractors = extractors_of(of_call, output, on_error, None)
    made = Decorator[Never](live, attached, extractors, where, step)
    return cast("Callable[P, R]", made(cast("Callable[P, Never]", f)))  # what it gives back is of the type it took


def attached_of(
    scorers: tuple[object, ...], among: Scorers | None, live: object, sample: object, /
) -> tuple[Attached, ...]:
    """The scorers with their samples; whatever is wrong raises `DefinitionError`."""
    if not isinstance(live, Live):
        raise DefinitionError(f'live= takes a Live, such as Live(JsonLines("scores.jsonl")), not {shown(live)}')
    found = tuple(_found(each, among) for each in scorers)
    ids = Scorers(*found).ids
    if not ids:
        raise DefinitionError("scored(…) takes at least one scorer")
    for each in found:
        if each.about.needs_expected:
            raise DefinitionError(f"{each.about.id} needs a reference answer, and a live run has none")
    samples = _samples(sample, ids)
    return tuple(live.attached(each, samples[each.about.id]) for each in found)


def _found(given: object, among: Scorers | None) -> SomeScorer:
    if isinstance(given, str):
        if among is None:
            raise DefinitionError(
                f"the scorer {given!r} is looked up in a collection: scored({given!r}, among=Scorers(…))"
            )
        found = among.get(given)
        if found is None:
            raise DefinitionError(f"no scorer {given!r} in the collection; there are {', '.join(among.ids) or 'none'}")
        return found
    if isinstance(given, Scorer):
        return cast("SomeScorer", given)  # of whatever types
    raise DefinitionError(f"scored(…) takes finished scorers or their ids, not {shown(given)}")


def _samples(given: object, ids: tuple[str, ...]) -> Mapping[str, Sample]:
    if isinstance(given, Sample):
        return dict.fromkeys(ids, given)
    if not isinstance(given, Mapping):
        raise DefinitionError(f"sample= takes a sample, such as ratio(0.1), or one for each id, not {shown(given)}")
    samples = cast("Mapping[object, object]", given)
    for id, sample in samples.items():
        if id not in ids:
            raise DefinitionError(f"sample= names {shown(id)}, and the scorers are {', '.join(ids)}")
        if not isinstance(sample, Sample):
            raise DefinitionError(f"sample= of {id} takes a sample, such as ratio(0.1), not {shown(sample)}")
    missing = [id for id in ids if id not in samples]
    if missing:
        raise DefinitionError(f"sample= names no sample for {', '.join(missing)}: ALWAYS scores every run")
    return cast("Mapping[str, Sample]", samples)  # as was looked at


def extractors_of(input: object, output: object, on_error: object, context: object, /) -> Extractors:
    """The extractors, each a function."""
    expect_function(input, "scored(…, input=…)", 'argument("question", str)')
    optional = (("output", output, "lambda page: page.text"), ("on_error", on_error, "str"))
    for name, given, example in (*optional, ("context", context, 'lambda call: {"tenant": "acme"}')):
        if given is not None:
            expect_function(given, f"scored(…, {name}=…)", example)
    return Extractors(
        cast("Callable[[Call], object]", input),  # functions, as was looked at; the signatures above say of what
        cast("Callable[..., object] | None", output),
        cast("Callable[[Exception], object] | None", on_error),
        cast("Callable[[Call], Mapping[str, object]] | None", context),
    )
