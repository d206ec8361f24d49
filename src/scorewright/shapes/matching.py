"""Regular expressions of a user's own, held to a time: some take years for a text that was made for them.

Python's `re` cannot be stopped. `regex`, which instructor requires, can, and finds at once that most such texts do not
match.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TypeAlias, cast

from scorewright.shapes.misfit import Unfit, as_written

Matches: TypeAlias = Callable[[str], bool]

PATIENCE = 0.25  # seconds for one match; sound patterns take millionths


@lru_cache(maxsize=256)
def matcher(pattern: str, how: str = "search", flags: int = 0, /) -> Matches:
    """Whether a text matches: `search`, `match` or `fullmatch`, with flags of `re`.

    Raises `ValueError` where `re` does not know the pattern. A match that takes too long raises `Unfit`.

    >>> matcher(r"^(a|a)*$")("aaa"), matcher(r"^(a|a)*$")("b")
    (True, False)
    """
    try:
        known = re.compile(pattern, flags)
    except (re.error, OverflowError, RecursionError) as raised:
        raise ValueError(str(raised)) from raised
    search = _bounded(pattern, how, known.flags)

    def matches(text: str) -> bool:
        try:
            return search(text)
        except TimeoutError:
            raise Unfit(f"no match of {pattern} was found within {PATIENCE:g} s") from None

    return matches


def _bounded(pattern: str, how: str, flags: int) -> Matches:
    import regex

    known = {
        re.IGNORECASE: regex.IGNORECASE,
        re.MULTILINE: regex.MULTILINE,
        re.DOTALL: regex.DOTALL,
        re.VERBOSE: regex.VERBOSE,
        re.ASCII: regex.ASCII,
    }
    own = sum(theirs for ours, theirs in known.items() if flags & ours)
    try:
        compiled = regex.compile(pattern, own | regex.VERSION0)
    except Exception as raised:  # it knows a little less than `re` does, and says so by an error of its own
        raise ValueError(str(raised)) from raised
    search = {"search": compiled.search, "match": compiled.match, "fullmatch": compiled.fullmatch}[how]
    return lambda text: search(text, timeout=PATIENCE) is not None


def pattern_of(validator: object, /) -> tuple[str, str, int] | None:
    """The arguments of `matcher` for what `attrs.validators.matches_re` made; None for any other validator."""
    if type(validator).__name__ != "_MatchesReValidator":
        return None
    pattern: object = getattr(validator, "pattern", None)
    source: object = getattr(pattern, "pattern", None)
    flags: object = getattr(pattern, "flags", None)
    how: object = getattr(getattr(validator, "match_func", None), "__name__", "fullmatch")
    if not isinstance(source, str) or not isinstance(flags, int) or how not in {"search", "match", "fullmatch"}:
        return None
    return source, str(how), flags


def held(read: Callable[[object], object], validator: object, /) -> Callable[[object], object]:
    """The reader of a field whose patterns are tried before attrs tries them: what does not match never gets there."""
    if (found := pattern_of(validator)) is not None:
        return _one_held(read, *found)
    kind = type(validator).__name__
    if kind == "_DeepIterable":
        return _each_held(read, getattr(validator, "member_validator", None))
    if kind == "_OptionalValidator":
        return held(read, getattr(validator, "validator", None))
    if kind == "_AndValidator":
        return _all_held(read, getattr(validator, "_validators", ()))
    return _all_held(read, validator) if kind in {"list", "tuple"} else read


def _all_held(read: Callable[[object], object], validators: object) -> Callable[[object], object]:
    for each in cast("Sequence[object]", validators):
        read = held(read, each)
    return read


def _one_held(read: Callable[[object], object], pattern: str, how: str, flags: int) -> Callable[[object], object]:
    try:
        matches = matcher(pattern, how, flags)
    except ValueError:  # `re` knows it and `regex` does not: it stays with attrs
        return read

    def checked(given: object) -> object:
        value = read(given)
        if isinstance(value, str) and not matches(value):
            raise as_written(f"expected a match of {pattern}", value)
        return value

    return checked


def _each_held(read: Callable[[object], object], validator: object) -> Callable[[object], object]:
    """As `held`, of the items of a list."""
    item = held(lambda value: value, validator)

    def checked(given: object) -> object:
        value = read(given)
        for index, each in enumerate(_items(value)):
            try:
                item(each)
            except Unfit as unfit:
                raise unfit.under(index) from None
        return value

    return checked


def _items(value: object) -> Sequence[object]:
    return cast("Sequence[object]", value) if isinstance(value, (list, tuple)) else ()
