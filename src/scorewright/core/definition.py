"""What definitions are made with, held to be what they should: mistakes are raised at once and say how to mend them."""

from __future__ import annotations

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


def no_scorer(given: object, call: str, /) -> str:
    """What to say of something that stands where a finished scorer is due."""
    if isinstance(given, str):
        return f"{call}(…) takes scorers, and the id goes by name: {call}(…, id={given!r})"
    said = f"{call}(…) takes finished scorers, what create_scorer(…) and its steps give, not {shown(given)}"
    return f"{said}: does {type(given).__name__} lack generate_score(…)?" if hasattr(given, "generate_score") else said


def is_number(given: object, /) -> bool:
    """Whether it is a real number; True and False are not meant as numbers in a definition."""
    return type(given) is not bool and isinstance(given, Real)


def shown(given: object, /) -> str:
    """What was given, short enough for a sentence."""
    return safely(repr, given)[:80]
