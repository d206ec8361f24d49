"""What people said of rows, as numbers on a scorer's scale: passes and failures, ordered levels, or numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from itertools import pairwise
from math import isfinite
from typing import Literal, TypeAlias, final

import attrs
from typing_extensions import TypeIs

from scorewright.core import Scale
from scorewright.faults import DefinitionError

Kind: TypeAlias = Literal["pass_fail", "levels", "number"]
Better: TypeAlias = Literal["higher", "lower"]
Levels: TypeAlias = "Sequence[object] | Mapping[object, float] | type[Enum]"
Said: TypeAlias = "tuple[object, ...]"  # one row: what each of its annotators said, None where one said nothing

_PASS = {"true", "pass", "passed", "yes", "good", "correct"}
_FAIL = {"false", "fail", "failed", "no", "bad", "incorrect"}
_MOST_STEPS = 10  # whole numbers on a scale of no more steps than these are levels
_NAMED = 3


@final
@attrs.frozen
class Labels:
    """The labels of rows in order: each a number, or None where an annotator said nothing.

    Of passes and failures 1 is a pass. `names` and `places` are the levels and where each lies on the scorer's scale,
    the worst first; empty where labels are no levels.
    """

    kind: Kind
    rows: tuple[tuple[float | None, ...], ...]
    names: tuple[str, ...] = ()
    places: tuple[float, ...] = ()

    def nearest(self, number: float, /) -> int:
        """The level that a number on the scale lies nearest to; of two the worse."""
        return min(range(len(self.places)), key=lambda level: (abs(self.places[level] - number), level))


def labels_of(rows: Sequence[Said], scale: Scale, better: Better, levels: Levels | None = None, /) -> Labels:
    """The labels of rows as numbers; what cannot be read, or lies outside the scale, raises `DefinitionError`."""
    said = [each for row in rows for each in row if each is not None]
    if levels is not None:
        return _levels(rows, _places(levels, scale, better), scale)
    enums = {type(each) for each in said if isinstance(each, Enum)}
    if len(enums) == 1 and all(isinstance(each, Enum) for each in said):
        return _levels(rows, _places(enums.pop(), scale, better), scale)
    read = {_key(each): _read(each) for each in said}
    values = [*read.values()]
    if all(isinstance(each, bool) for each in values):
        return Labels("pass_fail", _numbers(rows, read))
    numbers = [each for each in values if isinstance(each, (int, float))]
    wrong = [each for each in said if isinstance(read[_key(each)], str)]
    if wrong or any(isinstance(each, bool) for each in values):
        mixed = ", ".join(map(repr, dict.fromkeys(map(str, wrong or said))))
        raise DefinitionError(
            f"labels are passes and failures, levels or numbers, not {mixed}: name levels=, worst first"
        )
    if (scale.low, scale.high) == (0.0, 1.0) and {*numbers} <= {0, 1}:
        return Labels("pass_fail", _numbers(rows, read))
    outside = [each for each in numbers if not (isfinite(each) and scale.low <= each <= scale.high)]
    if outside:
        shown = ", ".join([*dict.fromkeys(f"{each:g}" for each in outside)][:_NAMED])
        raise DefinitionError(
            f"a label lies on the scorer's scale, {scale.low:g} to {scale.high:g}, and {shown} does not: "
            "name levels=, worst first, or bring the labels to the scale"
        )
    if all(isinstance(each, int) for each in numbers) and 1 < scale.high - scale.low <= _MOST_STEPS:
        steps = [scale.low + step for step in range(int(scale.high - scale.low) + 1)]
        ordered = steps if better == "higher" else steps[::-1]
        return Labels("levels", _numbers(rows, read), tuple(f"{each:g}" for each in ordered), tuple(ordered))
    return Labels("number", _numbers(rows, read))


def _numbers(rows: Sequence[Said], read: Mapping[object, bool | float | str]) -> tuple[tuple[float | None, ...], ...]:
    return tuple(tuple(None if each is None else float(read[_key(each)]) for each in row) for row in rows)


def _key(label: object) -> object:
    """A label as a key that tells True from 1."""
    return type(label).__name__, label if isinstance(label, (bool, int, float, str)) else str(label)


def _read(label: object) -> bool | float | str:
    """A label as a boolean, a number, or text that is neither."""
    if isinstance(label, (bool, int, float)):
        return label
    text = str(label).strip()
    if text.lower() in _PASS | _FAIL:
        return text.lower() in _PASS
    try:
        number = float(text)
    except ValueError:
        return text
    return int(number) if isfinite(number) and number == int(number) and "." not in text else number


def _levels(rows: Sequence[Said], places: Mapping[str, float], scale: Scale) -> Labels:
    unknown = [each for row in rows for each in row if each is not None and _name(each) not in places]
    if unknown:
        shown = ", ".join(repr(each) for each in [*dict.fromkeys(map(_name, unknown))][:_NAMED])
        raise DefinitionError(f"levels= are {', '.join(map(repr, places))}, and labels say {shown}")
    out = [name for name, place in places.items() if not (isfinite(place) and scale.low <= place <= scale.high)]
    if out:
        raise DefinitionError(f"the level {out[0]!r} lies outside the scorer's scale, {scale.low:g} to {scale.high:g}")
    numbers = tuple(tuple(None if each is None else places[_name(each)] for each in row) for row in rows)
    return Labels("levels", numbers, tuple(places), tuple(places.values()))


def _places(levels: Levels, scale: Scale, better: Better) -> Mapping[str, float]:
    """Where each level lies: as it is said, else evenly from the worst end to the best."""
    names = [*dict.fromkeys(_names(levels))]
    if len(names) < 2:  # noqa: PLR2004 - one level tells nothing
        raise DefinitionError("levels= names two or more levels, the worst first")
    if isinstance(levels, Mapping):
        return {_name(each): float(place) for each, place in _sorted(levels, better)}
    if not (isfinite(scale.low) and isfinite(scale.high)):
        raise DefinitionError("levels= of a scale without ends says where each lies: levels={'poor': 1, 'good': 5}")
    step = (scale.high - scale.low) / (len(names) - 1)
    worst, sign = (scale.low, 1) if better == "higher" else (scale.high, -1)
    return {name: worst + sign * step * at for at, name in enumerate(names)}


def _check(levels: Mapping[object, object]) -> None:
    for each, place in levels.items():
        if not isinstance(place, (int, float)):
            raise DefinitionError(f"levels= says where each lies, as a number: {_name(each)!r} lies at {place!r}")


def _sorted(levels: Mapping[object, float], better: Better) -> Sequence[tuple[object, float]]:
    _check(levels)  # what a file says may be of any type
    found = sorted(levels.items(), key=lambda each: each[1], reverse=better == "lower")
    if any(one[1] == other[1] for one, other in pairwise(found)):
        raise DefinitionError("two levels lie at one number: they are one level")
    return found


def _names(levels: Levels) -> Iterator[str]:
    if _is_enum(levels):
        yield from (each.name for each in levels)
        return
    if isinstance(levels, str):
        raise DefinitionError(f"levels= is a list of labels, the worst first, not {levels!r}")
    yield from map(_name, levels)


def _is_enum(given: object) -> TypeIs[type[Enum]]:
    return isinstance(given, type) and issubclass(given, Enum)


def _name(label: object) -> str:
    return label.name if isinstance(label, Enum) else str(label)
