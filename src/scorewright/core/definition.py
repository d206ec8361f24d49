"""What definitions are made with, held to be what they should: mistakes are raised at once and say how to mend them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import nan
from numbers import Real

from scorewright.core.scale import Scale
from scorewright.faults import DefinitionError
from scorewright.wording import safely


def expect_function(given: object, call: str, example: str, /) -> None:
    """Raise unless it can be called; `example` is a function that would do."""
    if not callable(given):
        raise DefinitionError(f"{call} takes a function, such as {example}, not {shown(given)}")


def expect_scale(given: object, call: str, /) -> None:
    """Raise unless it is a scale."""
    if not isinstance(given, Scale):
        raise DefinitionError(f"{call} takes a scale, such as Scale(1, 5), not {shown(given)}")


def expect_text(given: object, call: str, /) -> None:
    """Raise unless it is a text; it may be empty."""
    if not isinstance(given, str):
        raise DefinitionError(f"{call} takes a text, not {shown(given)}")


def expect_flag(given: object, call: str, /) -> None:
    """Raise unless it is True or False."""
    if not isinstance(given, bool):
        raise DefinitionError(f"{call} takes True or False, not {shown(given)}")


def expect_count(given: object, call: str, /, low: int, high: int | None = None) -> None:
    """Raise unless it is a whole number from `low` to `high`."""
    if type(given) is not int or given < low or (high is not None and given > high):
        told = f"of at least {low}" if high is None else f"from {low} to {high}"
        raise DefinitionError(f"{call} takes a whole number {told}, not {shown(given)}")


def id_or(given: object, default: str, /) -> str:
    """The id that was given, or the default where none was."""
    if not isinstance(given, str):
        raise DefinitionError(f"id= takes a text, not {shown(given)}")
    return given or default


def lacking(given: object, name: str, whole: type, called: Callable[[], str], /) -> AttributeError:
    """What to raise where an attribute is not there; one of a whole scorer says what the half-built one lacks."""
    plain = f"{type(given).__name__!r} object has no attribute {name!r}"
    if not callable(getattr(whole, name, None)):  # `called` reads attributes, and they may not be there either
        return AttributeError(plain)
    return AttributeError(
        f"{called()!r} is half-built and has no {name}: its score is missing, as from generate_score(…)"
    )


def no_scorer(given: object, call: str, /) -> str:
    """What to say of something that stands where a finished scorer is due."""
    if isinstance(given, str):
        return f"{call}(…) takes scorers, and the id goes by name: {call}(…, id={given!r})"
    said = f"{call}(…) takes finished scorers, what create_scorer(…) and its steps give, not {shown(given)}"
    return f"{said}: does {type(given).__name__} lack generate_score(…)?" if hasattr(given, "generate_score") else said


def expect_apart(given: tuple[object, ...], call: str, /) -> None:
    """Raise where a list of parts was given as one part."""
    if any(isinstance(each, Iterable) and not isinstance(each, str) for each in given):
        raise DefinitionError(f"{call} takes its parts one by one: a list is given as {call.replace('…', '*listed')}")


def is_number(given: object, /) -> bool:
    """Whether it is a real number; True and False are not meant as numbers in a definition."""
    return type(given) is not bool and isinstance(given, Real)


def number_of(given: object, /) -> float:
    """The number as a float; NaN where it is none that a float can hold, so that no bound holds of it."""
    if isinstance(given, bool) or not isinstance(given, Real):
        return nan
    try:
        return float(given)
    except OverflowError:
        return nan


def is_series(given: object, /) -> bool:
    """Whether it is a list or the like, and not a text."""
    return isinstance(given, Sequence) and not isinstance(given, (str, bytes))


def is_mapping(given: object, /) -> bool:
    """Whether it is a dict or the like."""
    return isinstance(given, Mapping)


def shown(given: object, /) -> str:
    """What was given, short enough for a sentence."""
    return safely(repr, given)[:80]
