"""JSON read more strictly than `json` does: no NaN, no number that is not finite, no key twice in one object."""

from __future__ import annotations

import re
from collections import Counter
from math import isfinite
from typing import TYPE_CHECKING, Never

from scorewright.shapes.values import shown

if TYPE_CHECKING:
    from json import JSONDecoder

MOST_DIGITS = 1000
_NOT_ZERO = re.compile(r"[-0.]*[1-9]")


def strict_decoder(*, line_breaks: bool = False) -> JSONDecoder:
    """A decoder that refuses these with a `ValueError`; with `line_breaks` they may stand in strings as they are."""
    from json import JSONDecoder

    return JSONDecoder(
        strict=not line_breaks,
        object_pairs_hook=_object,
        parse_constant=_constant,
        parse_float=_finite,
        parse_int=_integer,
    )


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        counts = Counter(key for key, _ in pairs)
        raise ValueError(f"the key {shown(counts.most_common(1)[0][0])} stands twice in one object")
    return found


def _constant(name: str) -> Never:
    raise ValueError(f"{name} is not JSON")


def _finite(digits: str) -> float:
    number = float(digits)
    if not isfinite(number):
        raise ValueError(f"{digits[:40]} is too large for a number")
    if not number and _NOT_ZERO.match(digits):
        raise ValueError(f"{digits[:40]} is too small for a number")
    return number


def _integer(digits: str) -> int:
    if len(digits) > MOST_DIGITS:
        raise ValueError(f"an integer of {len(digits)} digits is too long")
    return int(digits)
