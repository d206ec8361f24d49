"""What a scorer says of itself."""

from __future__ import annotations

from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, final, get_args, get_origin

import attrs

from scorewright.core.ask import Answerer
from scorewright.core.scale import UNIT, Scale
from scorewright.faults import DefinitionError


@final
@attrs.frozen
class About:
    """Name, types, judge and scale. The types (`input`, `output`, `expected`) are what rows are structured into."""

    id: str
    name: str
    description: str
    input: object
    output: object
    expected: object = object  # `object`: no reference answer is needed
    judge: Answerer | None = None
    scale: Scale = UNIT
    better: Literal["higher", "lower"] = "higher"
    needs_expected: bool = attrs.field(init=False, eq=False, repr=False)

    def __attrs_post_init__(self) -> None:
        if not _is_text(self.id):
            raise DefinitionError('a scorer needs an id, a text that is not blank: create_scorer("coverage", …)')
        for given, form in (("input", self.input), ("output", self.output), ("expected", self.expected)):
            if isinstance(form, (str, bytes, int, float, list, tuple, dict, set)):
                raise DefinitionError(f"{given}= takes a type, such as str or list[str], not {form!r}")
        if not _is_scale(self.scale):
            raise DefinitionError(f"scale= takes a Scale, such as Scale(1, 5) or UNBOUNDED, not {self.scale!r}")
        if self.better not in ("higher", "lower"):
            raise DefinitionError(f'better= is "higher" or "lower", not {self.better!r}')
        check_judge(self.judge)
        object.__setattr__(self, "needs_expected", _excludes_none(self.expected))


def check_judge(given: object, /) -> None:
    """Refuse what cannot be asked; None is no judge yet."""
    if given is not None and not isinstance(given, Answerer):
        raise DefinitionError(f'judge= takes a Judge, such as Judge("openai/gpt-4o-mini"), not {given!r}')


def _is_text(given: object) -> bool:
    return isinstance(given, str) and bool(given.strip())


def _is_scale(given: object) -> bool:
    return isinstance(given, Scale)


def _excludes_none(form: object) -> bool:
    origin, args = get_origin(form), get_args(form)
    if origin is Annotated:
        return _excludes_none(args[0])
    if origin in (Union, UnionType):
        return all(map(_excludes_none, args))
    if origin is Literal:
        return None not in args
    return form not in (object, None, NoneType, Any)
