"""What several scorers have in common, so that they can be one scorer."""

from __future__ import annotations

import types
from collections.abc import Sequence
from typing import Union, get_args, get_origin

from scorewright.core.about import About, spoken
from scorewright.faults import DefinitionError


def shared_about(id: str, abouts: Sequence[About], /) -> About:
    """What a scorer made of these says of itself: the narrowest types, and no judge of its own.

    Scales and directions must be the same; otherwise a `DefinitionError` says how to make them so.
    """
    first = abouts[0]
    for other in abouts[1:]:
        if other.scale != first.scale:
            raise DefinitionError(
                f"{first.id!r} runs from {first.scale.low:g} to {first.scale.high:g} and {other.id!r} from "
                f"{other.scale.low:g} to {other.scale.high:g}: bring one onto the other's scale with .rescale(…)"
            )
        if other.better != first.better:
            raise DefinitionError(
                f"in {first.id!r} {first.better} is better and in {other.id!r} {other.better}: turn one with .invert()"
            )
    return About(
        id,
        id,
        "",
        narrowest("input", abouts),
        narrowest("output", abouts),
        narrowest("expected", abouts),
        None,
        first.scale,
        first.better,
    )


def narrowest(field: str, abouts: Sequence[About], /) -> object:
    """The type that satisfies all of them: what a row is structured into when they are given the same run."""
    found: object = object
    for about in abouts:
        form: object = getattr(about, field)
        narrower = _narrower(found, form)
        if narrower is None:
            said = ", ".join(f"{each.id!r} {spoken(getattr(each, field))}" for each in abouts)
            raise DefinitionError(
                f"no {field} fits all of {said}: adapt one, for instance with .contramap_{_via(field)}(…)"
            )
        (found,) = narrower
    return found


def _narrower(one: object, two: object) -> tuple[object] | None:
    if one is object or one == two:
        return (two,)
    if two is object:
        return (one,)
    if _members(one) <= _members(two):
        return (one,)
    if _members(two) <= _members(one):
        return (two,)
    if isinstance(one, type) and isinstance(two, type):
        return (one,) if issubclass(one, two) else (two,) if issubclass(two, one) else None
    return None


def _members(form: object) -> frozenset[object]:
    if get_origin(form) in _UNIONS:
        return frozenset(get_args(form))
    return frozenset({type(None) if form is None else form})


_UNIONS: frozenset[object] = frozenset({Union, types.UnionType})


def _via(field: str) -> str:
    return "run" if field == "expected" else field
