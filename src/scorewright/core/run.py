"""One observed exchange: what went in, what came out, perhaps a reference answer."""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator, Mapping
from typing import Generic, final, overload

import attrs
from typing_extensions import TypeIs, TypeVar, dataclass_transform

In = TypeVar("In")
Out = TypeVar("Out")
R = TypeVar("R")
C = TypeVar("C")
In_co = TypeVar("In_co", covariant=True)
Out_co = TypeVar("Out_co", covariant=True)
Ref_co = TypeVar("Ref_co", covariant=True, default=object)


@final
class _Nothing(Mapping[str, object]):
    """The mapping that stays empty, as a mappingproxy would; but it can be pickled and copied, and so can runs."""

    def __getitem__(self, key: str, /) -> object:
        raise KeyError(key)

    def __iter__(self) -> Iterator[str]:
        return iter(())

    def __len__(self) -> int:
        return 0

    def __repr__(self) -> str:
        return "{}"

    def __reduce__(self) -> str:
        return "_NOTHING"


_NOTHING = _Nothing()
_ids = random.Random()  # noqa: S311 - no secret: an id only has to differ from the others
os.register_at_fork(after_in_child=_ids.seed)


@dataclass_transform(frozen_default=True, field_specifiers=(attrs.field,))
def record(cls: type[C], /) -> type[C]:
    """`attrs.frozen` for a class that writes its own `__init__`, whose overloads mypy's attrs plugin would replace."""
    return attrs.frozen(init=False)(cls)


def writers(cls: type[object], /, *fields: str) -> tuple[Callable[[object, object], None], ...]:
    """What writes the fields of a frozen class in its own `__init__`: its slots, in half the time of attrs."""
    return tuple(getattr(cls, field).__set__ for field in fields)


@record
class Run(Generic[In_co, Out_co, Ref_co]):
    """What a scorer scores.

    No field can be rebound. What the fields hold is shared with the caller and between steps, not copied.
    `run_id` is drawn as a number when it is absent or empty and written as a UUID when it is read; copies keep it.
    """

    input: In_co
    output: Out_co
    expected: Ref_co
    drawn_id: str | int = attrs.field(eq=False, repr=False, alias="run_id")
    request_context: Mapping[str, object] = attrs.field(repr=False, hash=False)
    metadata: Mapping[str, object] = attrs.field(repr=False, hash=False)

    @overload
    def __init__(
        self: Run[In, Out, None],
        input: In,
        output: Out,
        *,
        run_id: str = "",
        request_context: Mapping[str, object] = ...,
        metadata: Mapping[str, object] = ...,
    ) -> None: ...
    @overload
    def __init__(
        self,
        input: In_co,
        output: Out_co,
        expected: Ref_co,
        *,
        run_id: str = "",
        request_context: Mapping[str, object] = ...,
        metadata: Mapping[str, object] = ...,
    ) -> None: ...
    def __init__(
        self,
        input: object,
        output: object,
        expected: object = None,
        *,
        run_id: str | int = "",
        request_context: Mapping[str, object] = _NOTHING,
        metadata: Mapping[str, object] = _NOTHING,
    ) -> None:
        if run_id.__class__ is not str:
            _check_id(run_id)
        if request_context is not _NOTHING and request_context.__class__ is not dict:
            _check_mapping("request_context", request_context)
        if metadata is not _NOTHING and metadata.__class__ is not dict:
            _check_mapping("metadata", metadata)
        _input(self, input)
        _output(self, output)
        _expected(self, expected)
        _drawn_id(self, run_id or _ids.getrandbits(128))
        _request_context(self, request_context)
        _metadata(self, metadata)

    @property
    def run_id(self) -> str:
        """The id given, or else a UUID that stays the same for this run and its copies."""
        return written_id(self.drawn_id)

    def with_input(self, input: In, /) -> Run[In, Out_co, Ref_co]:
        """The same run with another input."""
        return _copied(self, input, self.output, self.expected)

    def with_output(self, output: Out, /) -> Run[In_co, Out, Ref_co]:
        """The same run with another output."""
        return _copied(self, self.input, output, self.expected)

    def with_expected(self, expected: R, /) -> Run[In_co, Out_co, R]:
        """The same run with another reference answer."""
        return _copied(self, self.input, self.output, expected)


_input, _output, _expected, _drawn_id, _request_context, _metadata = writers(
    Run, "input", "output", "expected", "drawn_id", "request_context", "metadata"
)


def _check_id(given: object) -> None:
    if not isinstance(given, str) and (type(given) is not int or not 0 < given >> 64 < 1 << 64):  # no number as drawn
        raise TypeError(f"run_id= takes a text, not {type(given).__name__}; leave it out and one is drawn")


def _check_mapping(name: str, given: object) -> None:
    if not isinstance(given, Mapping):
        raise TypeError(f'{name}= takes a mapping, such as {{"tenant": "acme"}}, not {type(given).__name__}')


def _copied(run: Run[object, object, object], input: In, output: Out, expected: R) -> Run[In, Out, R]:
    fresh = Run(input, output, expected, request_context=run.request_context, metadata=run.metadata)
    _drawn_id(fresh, run.drawn_id)
    return fresh


def with_id_of(given: Run[object, object, object], made: Run[In, Out, R], /) -> Run[In, Out, R]:
    """The run that was made of another, under the id of that one: it is still the same run."""
    if made.drawn_id == given.drawn_id:
        return made
    kept = _copied(made, made.input, made.output, made.expected)
    _drawn_id(kept, given.drawn_id)
    return kept


def written_id(drawn: str | int, /) -> str:
    """A run id as text: as given, or the drawn number as a UUID of version 4."""
    from uuid import UUID

    return drawn if isinstance(drawn, str) else str(UUID(int=drawn, version=4))


def is_run(given: object, /) -> TypeIs[Run[object, object]]:
    """Whether it is a run, of whatever types."""
    return isinstance(given, Run)
