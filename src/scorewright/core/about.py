"""What a scorer says of itself."""

from __future__ import annotations

import re
from types import EllipsisType, FunctionType, NoneType, UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, final, get_args, get_origin

import attrs

from scorewright.core.ask import Answerer
from scorewright.core.scale import UNIT, Scale
from scorewright.faults import DefinitionError

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_NO_TYPES = (str, bytes, int, float, list, tuple, dict, set, FunctionType, EllipsisType, TypeVar)


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
        if not _is_text(self.name):
            raise DefinitionError(f"name= takes a text that is not blank, not {self.name!r}")
        for told, text in (("id", self.id), ("name", self.name)):
            if _CONTROL.search(text):
                raise DefinitionError(f"{told}= is one line without control characters, not {text!r}")
        if not _is_any_text(self.description):
            raise DefinitionError(f"description= takes a text, not {self.description!r}")
        for given, form in (("input", self.input), ("output", self.output), ("expected", self.expected)):
            check_form(form, given)
        if not _is_scale(self.scale):
            raise DefinitionError(f"scale= takes a Scale, such as Scale(1, 5) or UNBOUNDED, not {self.scale!r}")
        if self.better not in ("higher", "lower"):
            raise DefinitionError(f'better= is "higher" or "lower", not {self.better!r}')
        check_judge(self.judge)
        object.__setattr__(self, "needs_expected", _excludes_none(self.expected))

    def __repr__(self) -> str:
        return f"About({self.told})"

    @property
    def told(self) -> str:
        """Id and types, as reprs show them."""
        expected = f", expected {spoken(self.expected)}" if self.expected is not object else ""
        return f"{self.id!r}, {spoken(self.input)} → {spoken(self.output)}{expected}"


def spoken(form: object, /) -> str:
    """A type as sentences name it."""
    return form.__name__ if isinstance(form, type) else str(form)


def check_form(given: object, option: str, /) -> None:
    """Refuse what is certainly no type."""
    if isinstance(given, _NO_TYPES):
        raise DefinitionError(f"{option}= takes a type, such as str or list[str], not {given!r}")


def check_judge(given: object, /) -> None:
    """Refuse what cannot be asked; None is no judge yet."""
    if given is not None and not isinstance(given, Answerer):
        raise DefinitionError(f'judge= takes a Judge, such as Judge("openai/gpt-4o-mini"), not {given!r}')


def _is_text(given: object) -> bool:
    return isinstance(given, str) and bool(given.strip())


def _is_any_text(given: object) -> bool:
    return isinstance(given, str)


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
    meant: object = getattr(form, "__supertype__", None) or getattr(form, "__value__", None)  # NewType, TypeAliasType
    if meant is not None and not isinstance(form, type):
        return _excludes_none(meant)
    return form not in (object, None, NoneType, Any)
