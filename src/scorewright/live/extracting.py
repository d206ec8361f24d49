"""What a scorer sees of a call: its arguments, and what it gave back."""

from __future__ import annotations

import inspect
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from typing import Final, Generic, cast, final

import attrs
from typing_extensions import TypeForm, TypeIs, TypeVar

from scorewright.core.about import check_form
from scorewright.core.definition import expect_function, expect_text
from scorewright.faults import DefinitionError

T = TypeVar("T")
R = TypeVar("R")
Out = TypeVar("Out")

_OWNERS: Final = ("self", "cls")
_NUMBERS: Final = {int, float, complex}  # where one is due, a checker takes a smaller one too


@final
@attrs.frozen
class Parameters:
    """The parameters of a function, with the defaults of those that have one; `open` where it takes any names."""

    names: tuple[str, ...]
    defaults: Mapping[str, object]
    open: bool

    @property
    def own(self) -> tuple[str, ...]:
        """Those that are not the object of a method."""
        return self.names[1:] if self.names[:1] and self.names[0] in _OWNERS else self.names


def parameters_of(f: Callable[..., object], /) -> Parameters:
    """The parameters; a function that does not tell them takes any."""
    try:
        found = inspect.signature(f).parameters.values()
    except (TypeError, ValueError):
        return Parameters((), {}, open=True)
    several = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    named = [each for each in found if each.kind not in several]
    defaults: dict[str, object] = {each.name: each.default for each in named if each.default is not each.empty}
    return Parameters(tuple(each.name for each in named), defaults, open=len(named) < len(found))


@final
@attrs.frozen
class Call:
    """The arguments of one call, as they were given."""

    parameters: Parameters
    args: Sequence[object]
    kwargs: Mapping[str, object]

    def of(self, name: str, form: TypeForm[T], /) -> T:
        """The argument of this name, or its default. One that is absent, or of another class, raises."""
        value = self._found(name)
        if isinstance(form, type) and not isinstance(value, form):
            raise TypeError(f"the argument {name!r} is {type(value).__name__}, not {form.__name__}")
        return cast("T", value)  # a class is looked at; of a list[str] the caller's own checker has seen the items

    def _found(self, name: str) -> object:
        if name in self.kwargs:
            return self.kwargs[name]
        names = self.parameters.names
        at = names.index(name) if name in names else len(self.args)
        if at < len(self.args):
            return self.args[at]
        if name in self.parameters.defaults:
            return self.parameters.defaults[name]
        raise LookupError(f"the call has no argument {name!r}; the function takes {', '.join(names) or 'none'}")


@final
@attrs.frozen
class Argument(Generic[T]):
    """`argument(…)`: which one, as a value, so that the function can be held to it when it is decorated."""

    name: str
    form: TypeForm[T]

    def __call__(self, call: Call, /) -> T:
        """What the call has there."""
        return call.of(self.name, self.form)


def argument(name: str, form: TypeForm[T], /) -> Callable[[Call], T]:
    """The input that is the argument of this name and type; a function without one is refused when it is decorated."""
    expect_text(name, "argument(…)")
    check_form(form, "argument(name, type): the type")
    return Argument(name, form)


def the_only_argument(call: Call, /) -> object:
    """The input of a function that takes one: what `input=` is unless given."""
    return call.of(call.parameters.own[0], object)


def returned(form: TypeForm[R], f: Callable[[R], Out], /) -> Callable[[R], Out]:
    """The output that `f` takes out of what the function returns, for a lambda that must be told its type."""
    check_form(form, "returned(type, f): the type")
    expect_function(f, "returned(type, f)", "lambda page: page.text")
    return f


def joined(parts: tuple[str, ...], /) -> str:
    """The output of a function that yields texts: all of them as one."""
    return "".join(parts)


def check_input(f: Callable[..., object], parameters: Parameters, input: object, forms: Sequence[object], /) -> None:
    """Refuse a function that does not have the argument which its scorers are to see."""
    name = getattr(f, "__qualname__", repr(f))
    if isinstance(input, Argument):
        if input.name not in parameters.names and not parameters.open:
            told = ", ".join(parameters.own) or "no arguments"
            raise DefinitionError(f"{name} has no argument {input.name!r}: it takes {told}")
    elif input is the_only_argument:
        if len(parameters.own) != 1:
            told = ", ".join(parameters.own) or "none"
            raise DefinitionError(
                f"{name} does not take exactly one argument but {told}: say which the scorers see, "
                'input=argument("question", str)'
            )
        _check_annotation(f, name, parameters.own[0], forms)


def check_output(f: Callable[..., object], forms: Mapping[str, object], /) -> None:
    """Refuse a function whose annotation says that it returns nothing that its scorers, by their ids, could see."""
    annotated = _annotation(f, "return")
    if not _is_class(annotated) or inspect.isgeneratorfunction(f) or inspect.isasyncgenfunction(f):
        return
    for id, form in forms.items():
        if _is_class(form) and _apart(annotated, form):
            raise DefinitionError(
                f"{getattr(f, '__qualname__', repr(f))} returns {annotated.__name__}, and the scorer {id!r} sees "
                f"{form.__name__}: give output=, a function that makes one of the other"
            )


def _apart(annotated: type, form: type) -> bool:
    """Whether no value is of both classes; what is awaited or iterated is not what the scorer sees."""
    is_apart = not _fits(annotated, form) and not _fits(form, annotated)
    return is_apart and not issubclass(annotated, (Awaitable, Iterator, AsyncIterator))


def _is_class(given: object) -> TypeIs[type[object]]:
    return isinstance(given, type)


def _fits(one: type, other: type) -> bool:
    """Whether the one can stand for the other, as far as classes tell; of a protocol they may not."""
    try:
        return issubclass(one, other) or {one, other} <= _NUMBERS
    except TypeError:
        return True


def _annotation(f: Callable[..., object], of: str) -> object:
    """An annotation of a function; None has a class too. Empty where there is none, or where it cannot be read."""
    try:
        found: object = inspect.get_annotations(f, eval_str=True).get(of, ())
    except (NameError, TypeError, SyntaxError, AttributeError):
        return ()
    return type(None) if found is None else found


def _check_annotation(f: Callable[..., object], name: str, argument: str, forms: Sequence[object]) -> None:
    """Classes only: what is less simple the user's checker knows better."""
    annotated = _annotation(f, argument)
    for form in forms:
        if _is_class(annotated) and _is_class(form) and not _fits(annotated, form):
            raise DefinitionError(
                f"{name}({argument}) takes {annotated.__name__}, and its scorer sees {form.__name__}: "
                f"give input=, a function that makes one of the other"
            )
